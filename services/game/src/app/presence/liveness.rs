//! Signs of life of players: deadlines in the live state, which every sign puts off.

use chassis::id::GameId;
use live::{Deadline, LiveError, Moment};
use rules::Side;
use time::OffsetDateTime;

use super::PresenceTracker;
use crate::{
    core::presence::{LEFT_AFTER, SEEN_FOR},
    store::{from_micros, micros, names},
};

/// What was seen of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LivenessSignal {
    /// He was there.
    Alive(OffsetDateTime),
    /// His last stream has ended.
    Gone(OffsetDateTime),
    /// Nothing, but he is expected from now on; any other sign counts more.
    Expected(OffsetDateTime),
}

impl LivenessSignal {
    /// When he was last seen, when he counts as gone, and which of two signs is the later one. At the same
    /// moment an end counts more than a life: it came after.
    fn reading(self) -> (OffsetDateTime, OffsetDateTime, u64) {
        let number = |time| u64::try_from(micros(time)).unwrap_or(0);
        match self {
            LivenessSignal::Alive(at) => (at, at + SEEN_FOR + LEFT_AFTER, 2 * number(at)),
            LivenessSignal::Gone(at) => (at, at + LEFT_AFTER, 2 * number(at) + 1),
            LivenessSignal::Expected(at) => (at, at + SEEN_FOR + LEFT_AFTER, 1),
        }
    }
}

impl PresenceTracker {
    /// Remembers a sign of life.
    ///
    /// # Errors
    /// When the live state does not answer.
    pub(crate) async fn signal(
        &self,
        game: GameId,
        side: Side,
        signal: LivenessSignal,
    ) -> Result<(), LiveError> {
        let (seen, due, revision) = signal.reading();
        self.await_until(game, side, seen, due, revision).await
    }

    /// Waits for a player, last seen then, until another time.
    ///
    /// # Errors
    /// When the live state does not answer.
    pub(crate) async fn await_until(
        &self,
        game: GameId,
        side: Side,
        seen: OffsetDateTime,
        due: OffsetDateTime,
        revision: u64,
    ) -> Result<(), LiveError> {
        let deadline = Deadline {
            queue: names::missed(side).to_owned(),
            key: game.uuid(),
            revision,
            due: live_moment(due),
            payload: micros(seen).to_le_bytes().to_vec().into(),
        };
        self.live.set_deadline(deadline).await.map(drop)
    }
}

/// Since when the player of a deadline that is due has been missed.
pub(crate) fn absent_since(deadline: &Deadline) -> OffsetDateTime {
    let bytes = <[u8; 8]>::try_from(&deadline.payload[..]).ok();
    from_micros(bytes.map_or_else(|| deadline.due.as_micros(), i64::from_le_bytes))
}

/// A time as the live state has it.
pub(crate) fn live_moment(time: OffsetDateTime) -> Moment {
    Moment::from_micros(micros(time))
}
