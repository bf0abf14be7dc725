//! What a player does: one table. Whoever adds a call to the game service adds a row, and its arm in
//! [`Deed::send`].

use api::{
    game::v1::{
        AbortRequest, AcceptDrawRequest, DeclineDrawRequest, Game, GameEvent, ListHintsRequest,
        OfferDrawRequest, PlayRequest, ResignRequest, game_service_client::GameServiceClient,
    },
    transport::Transport,
};
use tonic::{Response, Status};

use crate::{dice::Dice, table::Table};

/// A way of acting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// An act that the server has named.
    Play,
    /// The same in a position that is past.
    PlayStale,
    /// An act that the rules refuse, or that is none.
    PlayWrong,
    /// Resignation.
    Resign,
    /// The offer of a draw.
    OfferDraw,
    /// Its acceptance.
    AcceptDraw,
    /// Its refusal.
    DeclineDraw,
    /// The end of a game that has hardly begun.
    Abort,
    /// Nothing, for once.
    Wait,
}

/// How likely each deed is for who may act, and for who may not.
const TABLE: &[(Deed, u32, u32)] = &[
    (Deed::Play, 1000, 10),
    (Deed::PlayStale, 20, 5),
    (Deed::PlayWrong, 20, 5),
    (Deed::Resign, 4, 2),
    (Deed::OfferDraw, 15, 10),
    (Deed::AcceptDraw, 8, 12),
    (Deed::DeclineDraw, 10, 15),
    (Deed::Abort, 4, 2),
    (Deed::Wait, 40, 600),
];

/// A deed with all that is sent of it, so that it can be sent again.
#[derive(Clone, Debug)]
pub struct Order {
    /// What is done.
    pub deed: Deed,
    act: String,
    ply: u32,
}

/// The client of a player.
pub type Client = GameServiceClient<Transport>;

impl Deed {
    /// A deed by chance, for a player who may act now or may not.
    pub fn choose(dice: &Dice, may_act: bool) -> Deed {
        let weight = |row: &'static (Deed, u32, u32)| (&row.0, if may_act { row.1 } else { row.2 });
        dice.weighed(TABLE.iter().map(weight)).copied().unwrap_or(Deed::Wait)
    }

    /// What is to be sent for it in a game as it stands; `None` when there is nothing.
    ///
    /// # Errors
    /// When the server cannot be asked.
    pub async fn prepare(
        self,
        client: &Client,
        table: &Table,
        side: usize,
        game: &Game,
        dice: &Dice,
    ) -> Result<Option<Order>, Status> {
        let ply = game.state.as_ref().map_or(0, |state| state.ply);
        let order = |act: String, ply| Some(Order { deed: self, act, ply });
        Ok(match self {
            Deed::Wait => None,
            Deed::Play | Deed::PlayStale => {
                let request =
                    ListHintsRequest { game_id: table.id.clone(), side: Table::side_pb(side) as i32 };
                let answer = client.clone().list_hints(request).await?.into_inner();
                let complete: Vec<&str> = answer
                    .hints
                    .iter()
                    .filter(|hint| hint.owed == 0)
                    .map(|hint| hint.text.as_str())
                    .collect();
                let act = if complete.is_empty() {
                    Table::complete_act(game, side, dice)
                } else {
                    Some((*dice.pick(&complete)).to_owned())
                };
                let stale = self == Deed::PlayStale;
                act.and_then(|act| order(act, if stale { ply.saturating_sub(1) } else { answer.ply }))
            }
            Deed::PlayWrong => {
                let wrong = ["A1", "no such act", "pass", "accept", "seed 00 00", "expire", ""];
                order((*dice.pick(&wrong)).to_owned(), ply)
            }
            _ => order(String::new(), ply),
        })
    }
}

impl Order {
    /// A resignation.
    pub fn resignation() -> Self {
        Order { deed: Deed::Resign, act: String::new(), ply: 0 }
    }

    /// Sends it under a request id; the event that it has become.
    ///
    /// # Errors
    /// What the server says.
    pub async fn send(
        &self,
        client: &Client,
        game: &str,
        request: &str,
    ) -> Result<Option<GameEvent>, Status> {
        let mut client = client.clone();
        let (game_id, request_id) = (game.to_owned(), request.to_owned());
        match self.deed {
            Deed::Play | Deed::PlayStale | Deed::PlayWrong => {
                let request = PlayRequest {
                    game_id,
                    act: self.act.clone(),
                    ply: self.ply,
                    request_id,
                    lag_duration: None,
                };
                client.play(request).await.map(Response::into_inner).map(|answer| answer.event)
            }
            Deed::Resign => {
                let request = ResignRequest { game_id, request_id };
                client.resign(request).await.map(Response::into_inner).map(|answer| answer.event)
            }
            Deed::OfferDraw => {
                let request = OfferDrawRequest { game_id, request_id };
                client.offer_draw(request).await.map(Response::into_inner).map(|answer| answer.event)
            }
            Deed::AcceptDraw => {
                let request = AcceptDrawRequest { game_id, request_id };
                client.accept_draw(request).await.map(Response::into_inner).map(|answer| answer.event)
            }
            Deed::DeclineDraw => {
                let request = DeclineDrawRequest { game_id, request_id };
                client.decline_draw(request).await.map(Response::into_inner).map(|answer| answer.event)
            }
            Deed::Abort => {
                let request = AbortRequest { game_id, request_id };
                client.abort(request).await.map(Response::into_inner).map(|answer| answer.event)
            }
            Deed::Wait => Ok(None),
        }
    }
}
