//! The lag of players, as this replica measures it.
//!
//! A probe goes out on a player's stream, and the player answers it by a call; what lies between is the lag of
//! one way there and back, which is what an opponent's act and the answer to it take. The least of the last few
//! goes to the clocks with the player's next act. An answer that comes to another replica is dropped: only who
//! has sent a probe knows when, and the next one may come right. So is one that nobody waits for.
//!
//! Who answers late now and then gains nothing. Who always does has a greater lag measured; that gains him no more
//! than the clocks' quota (`lag.rs` of the clock service), which is the same whatever is measured.

use std::{collections::VecDeque, time::Duration};

use chassis::id::{AccountId, GameId};
use rules::Side;
use time::OffsetDateTime;

use super::{GamePresence, Participant, PresenceTracker};

/// Measurements of which the least counts: few enough that a new network soon does.
const MEASUREMENTS: usize = 5;
/// Probes of a side that are not answered yet, one a stream; the oldest is given up for a new one.
const PENDING_MAX: usize = 4;
/// A probe that is not answered within this time is no measurement.
const PROBE_LIFE: time::Duration = time::Duration::seconds(10);

/// What is known of the lag of a side.
#[derive(Debug, Default)]
pub(super) struct Lags {
    pending: VecDeque<(String, OffsetDateTime)>,
    measured: VecDeque<Duration>,
}

impl PresenceTracker {
    /// A new probe for a player who watches here; none if nobody of that side does.
    pub(crate) fn probe(&self, game: GameId, side: Side) -> Option<String> {
        let nonce = format!("{:032x}", u128::from_be_bytes(self.env.bytes()));
        let now = self.env.now();
        let mut games = self.games();
        let lags = &mut games.get_mut(&game)?.lags[side.index()];
        if lags.pending.len() == PENDING_MAX {
            lags.pending.pop_front();
        }
        lags.pending.push_back((nonce.clone(), now));
        Some(nonce)
    }

    /// Takes the answer of a player who watches here to a probe; each counts once, and no other counts.
    pub(crate) fn answered(&self, game: GameId, account: AccountId, nonce: &str, at: OffsetDateTime) {
        let mut games = self.games();
        let Some(present) = games.get_mut(&game) else { return };
        let Some(side) = present.side_of(account) else { return };
        let lags = &mut present.lags[side.index()];
        lags.pending.retain(|(_, sent)| at - *sent <= PROBE_LIFE);
        let Some(index) = lags.pending.iter().position(|(known, _)| known == nonce) else { return };
        let Some((_, sent)) = lags.pending.remove(index) else { return };
        if lags.measured.len() == MEASUREMENTS {
            lags.measured.pop_front();
        }
        lags.measured.push_back(Duration::try_from(at - sent).unwrap_or_default());
    }

    /// The lag of a player; none when it was not measured here.
    pub(crate) fn measured(&self, game: GameId, side: Side) -> Option<Duration> {
        let games = self.games();
        games.get(&game)?.lags[side.index()].measured.iter().min().copied()
    }
}

impl GamePresence {
    /// The side of a player who watches here.
    fn side_of(&self, account: AccountId) -> Option<Side> {
        self.streams.keys().find_map(|who| match who {
            Participant::Player(side, player, _) if *player == account => Some(*side),
            _ => None,
        })
    }
}
