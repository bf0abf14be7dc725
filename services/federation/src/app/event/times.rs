//! When somebody plays, in all events in which he does.

use std::ops::RangeBounds;

use chassis::id::{AccountId, EventId};
use time::OffsetDateTime;

use super::Events;
use crate::{
    core::{
        calendar::EVENTS_MAX,
        event::{
            Event,
            times::{PlayingTime, TIMES_MAX, collides, span_around},
        },
    },
    error::Result,
    store::event::person,
};

/// Times, each with its event, the earliest first.
pub(crate) type Times = Vec<(EventId, PlayingTime)>;

impl Events {
    /// When an account plays, as everybody sees it.
    pub(crate) async fn times_of(
        &self,
        account: AccountId,
        within: impl RangeBounds<OffsetDateTime>,
    ) -> Result<Times> {
        let mut times = self.all_times_of(account, &within).await?;
        times.truncate(TIMES_MAX);
        Ok(times)
    }

    /// When it plays in other events less than an hour before or after it does in one.
    pub(super) async fn conflicts(&self, account: AccountId, event: &Event) -> Result<Times> {
        let own = event.times_of(account, &(self.env.now()..));
        let Some(around) = span_around(&own) else { return Ok(Vec::new()) };
        let mut times = self.all_times_of(account, &around).await?;
        times.retain(|(id, time)| *id != event.id && collides(time.starts, &own));
        times.truncate(TIMES_MAX);
        Ok(times)
    }

    async fn all_times_of(
        &self,
        account: AccountId,
        within: &impl RangeBounds<OffsetDateTime>,
    ) -> Result<Times> {
        let ids = person::events_of(self.database.read(), account, self.env.now(), EVENTS_MAX).await?;
        let mut times = Vec::new();
        for id in ids {
            let seen = self.seen_by_everybody(id).await?;
            let of_event = seen.into_iter().flat_map(|seen| seen.times_of(account, within));
            times.extend(of_event.map(|time| (id, time)));
        }
        times.sort_by_key(|(id, time)| (time.starts, *id, time.board));
        Ok(times)
    }
}
