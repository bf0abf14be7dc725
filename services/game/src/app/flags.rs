//! Fallen flags.

use std::sync::Arc;

use api::clock::v1::{WatchFlag, clock_entry};
use chassis::id::GameId;
use rules::Side;
use time::OffsetDateTime;

use super::{ATTEMPTS, Rooms, on_clock};
use crate::{
    app::availability::Reached,
    core::{ClockEntry, Clocked, Reading, flag_event},
    error::CallError,
    store::Outage,
    wire::side_to_pb,
};

/// What the clock service saw.
#[derive(Clone, Debug)]
pub(crate) struct FlagFall {
    pub game: GameId,
    pub revision: u64,
    pub side: Side,
    pub time: OffsetDateTime,
    pub reading: Reading,
}

impl Rooms {
    /// Ends a game by a fallen flag, if its clock is still the one that fell. Answers with the clock as it
    /// is then, and whether the game has ended. It goes to its end even if the clocks wait no longer: what is
    /// written is also told.
    ///
    /// # Errors
    /// When there is no such game, or it cannot be written now.
    pub(crate) async fn call_flag(
        self: &Arc<Self>,
        fall: &FlagFall,
    ) -> Result<(Option<Reading>, bool), CallError> {
        let (rooms, fall) = (Arc::clone(self), fall.clone());
        let work = async move { rooms.end_by_flag(&fall).await };
        self.lifecycle.run(work).await.map_err(|_| CallError::Contended)?
    }

    async fn end_by_flag(&self, fall: &FlagFall) -> Result<(Option<Reading>, bool), CallError> {
        let room = self.room(fall.game);
        let mut slot = room.game.lock().await;
        for _ in 0..ATTEMPTS {
            let game = self.entered(&mut slot, fall.game, Reached::Assumed).await?;
            self.refresh_if_shared(game).await?;
            let fallen = game.clock().is_some_and(|clock| fits(fall, clock));
            if game.is_over() || !fallen {
                return Ok((game.clock().cloned(), game.is_over()));
            }
            let now = self.ambient.now();
            if let Some(owed) = self.owed_for_delays(game, None, now) {
                // It would not have fallen yet. What is found later to have been an outage may have begun before now,
                // so it is said up to when this was: what comes after it is given back then.
                let given = Outage { from: now - owed.length, until: now };
                let until = owed.until.max(game.credited_until);
                let told = Outage { from: (until - owed.length).max(game.credited_until), until };
                let player = on_clock(game);
                if self.credit(&mut slot, told, given).await? {
                    self.settle_delays(fall.game, player, None, owed.until);
                }
                continue;
            }
            let event = flag_event(game, fall.side, fall.time.max(game.updated), fell(fall));
            if self.append(&mut slot, &event, None, None).await?.is_some() {
                return Ok((event.after.clock, true));
            }
        }
        Err(CallError::Contended)
    }
}

/// What the clocks saw, as the log keeps it: they were looked at when the flag fell.
fn fell(fall: &FlagFall) -> Clocked {
    let entry = ClockEntry {
        event_time: Some(api::time::timestamp(fall.time)),
        event: Some(clock_entry::Event::Watch(WatchFlag {})),
        flagged: side_to_pb(fall.side),
        ..ClockEntry::default()
    };
    Clocked { reading: Some(fall.reading.clone()), entries: vec![entry], fallen: Some(fall.side) }
}

/// Whether a flag that fell is that of this clock. The revision alone does not tell: when an act could not be
/// written and was sent again, two clocks have had the same one, and only the later is in the log. The reading
/// at the fall of another would not follow from the log.
fn fits(fall: &FlagFall, clock: &Reading) -> bool {
    clock.revision == fall.revision
        && clock.running.map(|(side, _)| side) == Some(fall.side)
        && clock.flag == Some(fall.time)
}
