//! What players ask of the officials, and what they say to the result.

use rules::{Author, Side};

use super::{PendingEvent, ruling::TEXT_CHARS_MAX};
use crate::core::{
    By, ClaimKind, ClaimState, CommandError, Event, EventKind, Game, NewClaim, Petition, RulingError, Stage,
    rewind,
};

/// How often a side can call an arbiter in a game: who is answered sixteen times has had his say.
const CALLS_PER_SIDE: u32 = 16;
/// How many claims a side can file in a game.
const CLAIMS_PER_SIDE: usize = 8;

/// Decides a petition of a player.
pub(super) fn petition(
    game: &Game,
    side: Side,
    petition: &Petition,
    log: &[Event],
) -> Result<PendingEvent, CommandError> {
    match petition {
        Petition::Confirm => confirm(game, side)?,
        Petition::CallArbiter(text) => {
            answered_by_officials(game, text)?;
            call(game, side)?;
        }
        Petition::FileClaim(filed) => {
            answered_by_officials(game, &filed.text)?;
            claim(game, side, filed, log)?;
        }
        Petition::Appeal { claim, text } => {
            answered_by_officials(game, text)?;
            let claim = game.progress().arbitration.claim(*claim).ok_or(RulingError::NoSuchClaim)?;
            if claim.state != ClaimState::Decided {
                return Err(RulingError::ClaimNotDecided.into());
            }
        }
    }
    Ok(PendingEvent::new(By::Side(side), EventKind::Petitioned(petition.clone()), Vec::new()))
}

fn answered_by_officials(game: &Game, text: &str) -> Result<(), RulingError> {
    match () {
        () if !(1..=TEXT_CHARS_MAX).contains(&text.chars().count()) => Err(RulingError::BadText),
        () if !game.info.regulations.has_officials() => Err(RulingError::NotAnEventGame),
        () if game.progress().stage == Stage::Final => Err(RulingError::ResultFinal),
        () => Ok(()),
    }
}

fn confirm(game: &Game, side: Side) -> Result<(), RulingError> {
    match game.progress().stage {
        Stage::Ended if game.progress().arbitration.confirmed[side.index()] => Err(RulingError::Confirmed),
        Stage::Ended => Ok(()),
        Stage::Final => Err(RulingError::ResultFinal),
        _ => Err(RulingError::NotEnded),
    }
}

fn call(game: &Game, side: Side) -> Result<(), RulingError> {
    let arbitration = &game.progress().arbitration;
    match () {
        () if arbitration.calls.iter().any(|call| call.side == side) => Err(RulingError::CallOpen),
        () if arbitration.calls_made[side.index()] >= CALLS_PER_SIDE => Err(RulingError::TooManyCalls),
        () => Ok(()),
    }
}

fn claim(game: &Game, side: Side, filed: &NewClaim, log: &[Event]) -> Result<(), CommandError> {
    let (arbitration, stage) = (&game.progress().arbitration, game.progress().stage);
    let claims = game.variant().conduct.claims;
    if filed.incident.is_some() != (filed.kind == ClaimKind::Decision) {
        return Err(RulingError::BadPetition.into());
    }
    if arbitration.claims.iter().filter(|claim| claim.side == side).count() >= CLAIMS_PER_SIDE {
        return Err(RulingError::TooManyClaims.into());
    }
    if stage == Stage::Ended {
        if arbitration.confirmed[side.index()] {
            return Err(RulingError::Confirmed.into());
        }
        if arbitration.contest_deadline.is_none() {
            return Err(RulingError::ClaimLate.into());
        }
    }
    let error = match filed.kind {
        ClaimKind::Count if stage != Stage::Ended => RulingError::NotEnded,
        ClaimKind::NoWinningForce if !claims.no_winning_force => RulingError::NotInThisVariant,
        ClaimKind::NoWinningForce if game.is_over() => return Err(CommandError::GameOver),
        ClaimKind::Decision
            if !filed.incident.is_some_and(|it| (1..=arbitration.incidents).contains(&it)) =>
        {
            RulingError::NoSuchIncident
        }
        ClaimKind::Conduct if filed.ply > game.state.ply => RulingError::BadPly,
        ClaimKind::Conduct if claims.lapse_with_act && has_acted_since(log, side, filed.ply) => {
            RulingError::ClaimLate
        }
        _ if claims.in_own_time
            && stage == Stage::Playing
            && !filed.urgent
            && !game.position.actors().include(side) =>
        {
            RulingError::NotYourTime
        }
        _ => return Ok(()),
    };
    Err(error.into())
}

/// Whether an act that still stands is this side's and was played at this ply or later.
fn has_acted_since(log: &[Event], side: Side, ply: u32) -> bool {
    let since = rewind::effective_acts(log).into_iter().skip(usize::try_from(ply).unwrap_or(usize::MAX));
    { since }.any(|played| played.author == Author::Side(side))
}
