//! Fallen flags.

use std::{ops::ControlFlow, sync::Arc};

use super::{App, availability::Ingress, room::Room, rooms::Intent};
use crate::{
    core::{ClockUpdate, FlagFall, Reading, flag_event},
    error::Result,
    store::Outage,
};
use api::{
    ProtoEnum as _,
    clock::v1::{ClockEntry, WatchFlag, clock_entry},
};

impl App {
    /// Ends a game by a fallen flag, if its clock is still the one that fell. Answers with the clock as it
    /// is then, and whether the game has ended. It goes to its end even if the clocks wait no longer.
    ///
    /// # Errors
    /// When there is no such game, or it cannot be written now.
    pub(crate) async fn call_flag(&self, fall: FlagFall) -> Result<(Option<Reading>, bool)> {
        let registry = Arc::clone(&self.registry);
        let work = async move { registry.settle(fall.game, Ingress::Internal, &fall).await };
        self.registry.to_its_end(work).await
    }
}

impl Intent for FlagFall {
    type Answer = (Option<Reading>, bool);

    async fn attempt(&self, room: &mut Room<'_>) -> Result<ControlFlow<Self::Answer>> {
        room.refresh_if_shared().await?;
        let fallen = room.clock().is_some_and(|clock| self.is_of(clock));
        if room.is_over() || !fallen {
            return Ok(ControlFlow::Break((room.clock().cloned(), room.is_over())));
        }
        let now = room.registry.env.now();
        if let Some(refund) = room.refund_for_delays(None, now) {
            // It would not have fallen yet. What is found later to have been an outage may have begun before now,
            // so it is said up to when this was: what comes after it is given back then.
            let given = Outage { from: now - refund.length, until: now };
            let until = refund.until.max(room.credited_until);
            let told = Outage { from: (until - refund.length).max(room.credited_until), until };
            let player = room.on_clock();
            if room.credit(told, given).await? {
                room.settle_delays(player, None, refund.until);
            }
            return Ok(ControlFlow::Continue(()));
        }
        let event = flag_event(room, self.side, self.time.max(room.updated), fell(self));
        let written = room.append(&event, None, None).await?;
        Ok(match written {
            Some(_) => {
                room.registry.measures.flag(self.time, room.registry.env.now());
                ControlFlow::Break((event.state.clock, true))
            }
            None => ControlFlow::Continue(()),
        })
    }
}

/// What the clocks saw, as the log keeps it: they were looked at when the flag fell.
fn fell(fall: &FlagFall) -> ClockUpdate {
    let entry = ClockEntry {
        event_time: Some(api::time::timestamp(fall.time)),
        event: Some(clock_entry::Event::Watch(WatchFlag {})),
        flagged: fall.side.number(),
        ..ClockEntry::default()
    };
    ClockUpdate {
        reading: Some(fall.reading.clone()),
        entries: vec![(&entry).into()],
        fallen: Some(fall.side),
    }
}
