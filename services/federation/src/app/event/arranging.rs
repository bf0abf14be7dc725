//! Games that players arrange: times are proposed, accepted and declined.

use chassis::auth::Caller;
use pairing::Number;
use time::OffsetDateTime;

use super::{Events, command::Decided, registry::Current};
use crate::{
    core::event::{Act, BoardId, EnteredTeam, Event},
    error::Result,
    wire::event::request::Change,
};

impl Events {
    /// Proposes times for a board, or takes that back.
    pub(crate) async fn propose_game(
        &self,
        caller: &Caller,
        change: &Change,
        board: BoardId,
        times: &[OffsetDateTime],
    ) -> Result<Current> {
        self.arrange(caller, change, (board, times), |event, side, now| {
            Ok(event.propose_game(board, side, times.to_vec(), now)?.into())
        })
        .await
    }

    /// Accepts a time that the other side proposes.
    pub(crate) async fn accept_proposal(
        &self,
        caller: &Caller,
        change: &Change,
        board: BoardId,
        at: OffsetDateTime,
    ) -> Result<Current> {
        self.arrange(caller, change, (board, &[at]), |event, side, now| {
            let facts = event.accept_proposal(board, side, at, now)?;
            Ok(Decided { engages: Some(event.would_engage(board, side, at)?), ..facts.into() })
        })
        .await
    }

    /// Declines what the other side proposes.
    pub(crate) async fn decline_proposal(
        &self,
        caller: &Caller,
        change: &Change,
        board: BoardId,
    ) -> Result<Current> {
        self.arrange(caller, change, (board, &[]), |event, side, now| {
            Ok(event.decline_proposal(board, side, now)?.into())
        })
        .await
    }

    /// Says something for a side of a board: as its player, or as the captain of his team. At these times nobody of the side
    /// plays elsewhere.
    async fn arrange(
        &self,
        caller: &Caller,
        change: &Change,
        (board, times): (BoardId, &[OffsetDateTime]),
        decide: impl Fn(&Event, Number, OffsetDateTime) -> Result<Decided> + Send + Sync,
    ) -> Result<Current> {
        let event = self.current(change.event).await?.event;
        let leads = event.captained_by(caller.id).map(EnteredTeam::number);
        let speaks_for = event.side_of(board, None, leads).is_ok();
        let act = if leads.is_some() && speaks_for { Act::LeadTeam } else { Act::Arrange };
        self.is_free(caller, change, (act, board), times).await?;
        self.carry_out(caller, act, change, |event, asker| {
            let leads = event.captained_by(asker.account).map(EnteredTeam::number);
            let side = match act {
                Act::LeadTeam => event.side_of(board, None, leads)?,
                _ => event.side_of(board, asker.player, None)?,
            };
            decide(event, side, self.env.now())
        })
        .await
    }
}
