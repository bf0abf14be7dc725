//! Whether those who would play at a time on which two sides agree play at another board then, in whatever event.

use chassis::{
    auth::Caller,
    database::StoreError,
    id::{AccountId, EventId},
};
use sea_orm::ConnectionTrait;
use time::OffsetDateTime;

use super::Events;
use crate::{
    core::event::{Act, BoardId, Engagement, EnteredTeam, Refusal, Unarrangeable},
    error::Result,
    store::event::engagement,
    wire::event::request::Change,
};

/// Those of the side that agrees, and those of the other.
pub(super) type Sides = [Vec<Engagement>; 2];

impl Events {
    /// Makes sure that nobody for whom somebody speaks plays elsewhere at one of these times. What he proposes binds nobody,
    /// so nothing is kept from changing meanwhile; when it is accepted both sides are asked about once more.
    pub(super) async fn is_free(
        &self,
        caller: &Caller,
        change: &Change,
        (act, board): (Act, BoardId),
        times: &[OffsetDateTime],
    ) -> Result<()> {
        // What was done is answered as then.
        if self.is_made(change).await? {
            return Ok(());
        }
        let event = self.current(change.event).await?.event;
        let asker = self.asker(&event, caller, act, change.as_number).await?;
        let leads = event.captained_by(asker.account).map(EnteredTeam::number);
        let side = match act {
            Act::LeadTeam => event.side_of(board, None, leads)?,
            _ => event.side_of(board, asker.player, None)?,
        };
        for at in times {
            let [own, _] = event.would_engage(board, side, *at)?;
            if let Some(refusal) =
                refused(self.database.read(), event.id, caller.id, &[own, Vec::new()]).await?
            {
                return Err(refusal.into());
            }
        }
        Ok(())
    }
}

/// Why somebody does not agree on a time. Of those of the other side nobody is told where they play: what they have proposed
/// does not hold any more, and that is all.
pub(super) async fn refused(
    on: &impl ConnectionTrait,
    event: EventId,
    by: AccountId,
    [own, others]: &Sides,
) -> std::result::Result<Option<Refusal>, StoreError> {
    for wanted in own {
        if let Some(place) = engagement::clash(on, event, wanted).await? {
            let place = (wanted.account == by).then_some(place);
            return Ok(Some(Unarrangeable::Engaged(wanted.number, place).into()));
        }
    }
    for wanted in others {
        if engagement::clash(on, event, wanted).await?.is_some() {
            return Ok(Some(Unarrangeable::NoProposal.into()));
        }
    }
    Ok(None)
}
