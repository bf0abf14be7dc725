//! Every name that this service uses in the live state.

use chassis::id::GameId;

/// The queue of the deadlines of flags.
pub(super) const FLAGS: &str = "clock/flags";

/// The topic of a game's clocks.
pub(super) fn announcements(game: GameId) -> String {
    format!("clock/announcements/{game}")
}
