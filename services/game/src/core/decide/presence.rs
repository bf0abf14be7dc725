//! Players who leave, come back, or do not.

use rules::{Reason, Side, Verdict};
use time::OffsetDateTime;

use super::{PendingEvent, end};
use crate::core::{
    By, CommandError, EventKind, Game,
    presence::{DEPARTURES_MAX, grace},
};

/// What the opponent of a player who is gone makes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AbandonmentClaim {
    /// The game is won.
    Win,
    /// The game is drawn.
    Draw,
}

impl AbandonmentClaim {
    /// The verdict for the side that claims.
    pub const fn verdict(self, side: Side) -> Verdict {
        match self {
            AbandonmentClaim::Win => Verdict::Win(side),
            AbandonmentClaim::Draw => Verdict::Draw,
        }
    }
}

/// A player has not been seen since; nothing if that makes no difference.
pub fn decide_left(
    game: &Game,
    side: Side,
    since: OffsetDateTime,
    now: OffsetDateTime,
) -> Option<PendingEvent> {
    let grace = grace(game.info.time_control)?;
    if !game.progress().expects_players() || game.progress().presence.absence(side).is_some() {
        return None;
    }
    // Where there are officials, an arbiter judges who leaves without cause: competition.md 1.9.
    let claim = (!game.info.regulations.has_officials()).then(|| (since + grace).max(now));
    Some(PendingEvent::new(By::Side(side), EventKind::Left { since, claim }, Vec::new()))
}

/// A player who was gone watches again; nothing if that makes no difference.
pub fn decide_returned(game: &Game, side: Side) -> Option<PendingEvent> {
    let presence = &game.progress().presence;
    let back = presence.absence(side).is_some() && presence.departures[side.index()] < DEPARTURES_MAX;
    back.then(|| PendingEvent::new(By::Side(side), EventKind::Returned, Vec::new()))
}

/// Ends the game because the other side has been gone for too long by `now`.
pub(super) fn claim(
    game: &Game,
    side: Side,
    claim: AbandonmentClaim,
    now: OffsetDateTime,
) -> Result<PendingEvent, CommandError> {
    if game.info.regulations.has_officials() {
        return Err(CommandError::OfficialsOnly);
    }
    let absence = game.progress().presence.absence(side.other()).ok_or(CommandError::OpponentPresent)?;
    match absence.claim {
        None => Err(CommandError::OfficialsOnly),
        Some(at) if at > now => Err(CommandError::GraceRunning(at)),
        Some(_) => Ok(end(By::Side(side), claim.verdict(side), Reason::Abandoned)),
    }
}
