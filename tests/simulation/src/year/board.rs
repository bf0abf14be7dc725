//! A game of a league: its players come, one of them moves, and it ends as the script has it.

use std::time::Duration;

use api::{
    error::reason,
    game::v1::{
        AcceptDrawRequest, CheckInRequest, OfferDrawRequest, Petition, PetitionRequest, PlayRequest,
        ResignRequest, arbiter_service_client::ArbiterServiceClient, game_service_client::GameServiceClient,
        petition,
    },
    transport::Transport,
};
use chassis::auth::Caller;
use tonic::{Code, Status};

use super::{
    league::{PATIENCE, ask},
    season::{Held, Seats},
};
use crate::topology::Service;

/// How often it is looked whether a game is there.
const LOOK: Duration = Duration::from_secs(1);
/// The columns of a small board. Every other row is left empty, so that no stone is ever without liberty.
const LETTERS: &[u8] = b"ABCDEFGHJ";

/// Calls a method of games for somebody, with an id for the request.
macro_rules! game {
    ($held:expr, $who:expr, $method:ident($request:ident { $($field:ident $(: $value:expr)?),* $(,)? })) => {{
        let request_id = $held.league.new_id();
        let request = $request { request_id, $($field $(: $value)?,)* };
        ask!(games($held, $who), $method, request)
    }};
}

impl Held<'_> {
    /// Plays a board; the first of its seats has so many points: 2, 1 or none.
    pub(super) async fn play_board(&self, round: u32, seats: Seats, points: u32) -> Result<(), Status> {
        let mut patience = PATIENCE.0;
        let pairing = loop {
            let laid = self.round(round).await?.pairings.into_iter().find(|it| it.table == seats.table);
            match laid.filter(|it| !it.game_id.is_empty()) {
                Some(laid) if self.come(&laid.game_id, laid.first).await? => break laid,
                _ if patience.is_zero() => return Err(Status::deadline_exceeded("no game is made")),
                _ => {}
            }
            patience = patience.saturating_sub(LOOK);
            tokio::time::sleep(LOOK).await;
        };
        let game_id = &pairing.game_id;
        if !self.come(game_id, pairing.second).await? {
            return Err(Status::deadline_exceeded("the game is lost"));
        }
        let [one, other] = [seats.one, seats.other].map(|number| &self.players[&number]);
        let [first, second] = [pairing.first, pairing.second].map(|number| &self.players[&number]);
        let act = "C3".to_owned();
        game!(self, first, play(PlayRequest { game_id: game_id.clone(), act, ply: 0, lag_duration: None }))?;
        match points {
            1 => {
                game!(self, first, offer_draw(OfferDrawRequest { game_id: game_id.clone() }))?;
                game!(self, second, accept_draw(AcceptDrawRequest { game_id: game_id.clone() }))?;
            }
            2 => drop(game!(self, other, resign(ResignRequest { game_id: game_id.clone() }))?),
            _ => drop(game!(self, one, resign(ResignRequest { game_id: game_id.clone() }))?),
        }
        for who in [first, second] {
            let confirm = petition::Petition::Confirm(petition::Confirm {});
            let petition = Some(Petition { petition: Some(confirm) });
            let request_id = self.league.new_id();
            let request = PetitionRequest { game_id: game_id.clone(), petition, request_id };
            let officials = ArbiterServiceClient::new(self.league.transport(Service::Game, who));
            ask!(officials, petition, request)?;
        }
        Ok(())
    }

    /// Has a player move whose turn it is, and resign in the place of the last move.
    pub(super) async fn move_at(
        &self,
        game: &str,
        number: u32,
        ply: u32,
        is_last: bool,
    ) -> Result<(), Status> {
        let (who, game_id) = (&self.players[&number], game.to_owned());
        if is_last {
            return game!(self, who, resign(ResignRequest { game_id })).map(drop);
        }
        let act = format!(
            "{}{}",
            char::from(LETTERS[ply as usize % LETTERS.len()]),
            2 * (ply as usize / LETTERS.len()) + 1
        );
        game!(self, who, play(PlayRequest { game_id, act, ply, lag_duration: None })).map(drop)
    }

    /// Has a player come to his game; whether it is there.
    pub(super) async fn come(&self, game: &str, number: u32) -> Result<bool, Status> {
        let who = &self.players[&number];
        match game!(self, who, check_in(CheckInRequest { game_id: game.to_owned() })) {
            Err(status) if status.code() == Code::NotFound => Ok(false),
            Err(status) if ["CHECKED_IN", "NOT_WAITING"].contains(&&*reason(&status)) => Ok(true),
            other => other.map(|_| true),
        }
    }
}

fn games(held: &Held<'_>, who: &Caller) -> GameServiceClient<Transport> {
    GameServiceClient::new(held.league.transport(Service::Game, who))
}
