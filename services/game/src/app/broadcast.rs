//! Who sees a game later than it happens.

use std::time::Duration;

use chassis::auth::Caller;
use time::OffsetDateTime;

use crate::{
    core::{GameInfo, Origin},
    error::Error,
};

/// How much later somebody sees a game; not at all later if he plays in it or is an official of its event.
pub(crate) fn delay(info: &GameInfo, caller: Option<&Caller>) -> Option<Duration> {
    let delay = info.regulations.broadcast_delay;
    let plays = |caller: &Caller| info.seats.iter().any(|seat| seat.account == Some(caller.id));
    let exempt = caller.is_some_and(|caller| plays(caller) || is_official(info, caller));
    (!delay.is_zero() && !exempt && info.origin == Origin::Match).then_some(delay)
}

/// Whether somebody has an office in the event of a game, or in its federation.
pub(crate) fn is_official(info: &GameInfo, caller: &Caller) -> bool {
    !caller.roles_in(info.regulations.event, info.regulations.federation).is_empty()
}

/// Whether somebody may know of a game: a delayed broadcast begins later for all who see it so.
pub(crate) fn is_known(info: &GameInfo, caller: Option<&Caller>, now: OffsetDateTime) -> bool {
    delay(info, caller).is_none_or(|delay| info.created + delay <= now)
}

/// What whoever has no seat in a game is told: nothing of one that is not broadcast yet.
pub(super) fn not_seated(info: &GameInfo, now: OffsetDateTime) -> Error {
    if is_known(info, None, now) { Error::NotAPlayer } else { Error::UnknownGame }
}
