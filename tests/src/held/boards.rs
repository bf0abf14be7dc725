//! What players and the arbiter do at the boards of an event.

use api::{
    board::v1::Side,
    error::reason,
    federation::v1::Pairing,
    game::v1::{
        Incident, IncidentKind, RuleRequest, Ruling,
        arbiter_service_client::ArbiterServiceClient,
        petition::{Confirm, Petition},
        ruling::Act,
    },
};
use tonic::Status;

use super::{Held, until};
use crate::{RETRY, call};

impl Held {
    /// Has both players come to their game, and the first play.
    pub async fn begin(&self, pairing: &Pairing) {
        self.come(pairing).await;
        self.players[&pairing.first].play(&pairing.game_id, "C3", 0, RETRY).await.expect("the first plays");
    }

    /// Has both players come to their game, which is made soon after its round has begun.
    pub async fn come(&self, pairing: &Pairing) {
        for number in [pairing.first, pairing.second] {
            until(&format!("the game of {number}"), async || {
                match self.players[&number].check_in(&pairing.game_id, RETRY).await {
                    Err(status) if ["CHECKED_IN", "NOT_WAITING"].contains(&&*reason(&status)) => Some(()),
                    other => other.ok().map(drop),
                }
            })
            .await;
        }
    }

    /// Has somebody resign, and both confirm what came of it.
    pub async fn resign(&self, pairing: &Pairing, loser: u32) {
        self.players[&loser].resign(&pairing.game_id, RETRY).await.expect("he resigns");
        self.confirm(pairing).await;
    }

    /// Has both players agree on a draw, and confirm it.
    pub async fn draw(&self, pairing: &Pairing) {
        self.players[&pairing.first].offer_draw(&pairing.game_id, RETRY).await.expect("offered");
        self.players[&pairing.second].accept_draw(&pairing.game_id, RETRY).await.expect("accepted");
        self.confirm(pairing).await;
    }

    /// Has both players confirm.
    pub async fn confirm(&self, pairing: &Pairing) {
        for number in [pairing.first, pairing.second] {
            let confirm = Petition::Confirm(Confirm {});
            self.players[&number].petition(&pairing.game_id, confirm, RETRY).await.expect("he confirms");
        }
    }

    /// Has the arbiter warn somebody.
    pub async fn warn(&self, pairing: &Pairing, accused: u32) {
        let accused = if accused == pairing.first { Side::First } else { Side::Second };
        let incident = Incident {
            kind: IncidentKind::WrongCapture.into(),
            accused: accused.into(),
            ..Incident::default()
        };
        self.rule(pairing, Act::RecordIncident(incident)).await;
    }

    /// Has the arbiter rule on a game.
    pub async fn rule(&self, pairing: &Pairing, act: Act) {
        self.try_rule(pairing, act).await.expect("he may");
    }

    /// Has the arbiter rule on a game, which may be refused.
    ///
    /// # Errors
    /// What the server says.
    pub async fn try_rule(&self, pairing: &Pairing, act: Act) -> Result<(), Status> {
        let request = RuleRequest {
            game_id: pairing.game_id.clone(),
            ruling: Some(Ruling { reason: "as the rules have it".to_owned(), act: Some(act) }),
            request_id: self.arbiter.player.new_id(),
        };
        call!(ArbiterServiceClient::new(self.arbiter.player.transport()), rule, request).map(drop)
    }
}
