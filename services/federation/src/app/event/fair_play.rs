//! Statements of players, private notes of officials, and arbiters at boards.

use chassis::{auth::Caller, id::AccountId};

use super::{Events, command::Decided, registry::Current};
use crate::{
    core::event::{Act, BoardId, Role, fair_play::Statement},
    error::Result,
    wire::event::{fair_play::About, request::Change},
};

impl Events {
    /// Files what a player states, or an official notes for himself and his colleagues.
    pub(crate) async fn file_statement(
        &self,
        caller: &Caller,
        change: &Change,
        (board, incident): About,
        text: String,
    ) -> Result<Current> {
        let note = self.note(text);
        self.carry_out(caller, Act::State, change, |event, asker| {
            let number = if asker.role == Role::Player { Some(asker.number()?) } else { None };
            let statement = Statement { number, board, incident, text: note.sealed() };
            let facts = event.file_statement(statement, self.env.now())?;
            Ok(Decided::noted(facts, [&note]))
        })
        .await
    }

    /// Has arbiters sit at a board.
    pub(crate) async fn seat_arbiters(
        &self,
        caller: &Caller,
        change: &Change,
        (board, arbiters): (BoardId, Vec<AccountId>),
    ) -> Result<Current> {
        let event = self.current(change.event).await?.event;
        let mut seated = Vec::with_capacity(arbiters.len());
        for account in arbiters {
            seated.push(self.official(&event, account).await?);
        }
        self.carry_out(caller, Act::SeatArbiters, change, |event, _| {
            Ok(event.seat_arbiters(board, &seated)?.into())
        })
        .await
    }
}
