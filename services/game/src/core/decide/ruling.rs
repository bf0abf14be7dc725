//! Acts of officials.

use std::{collections::BTreeSet, ops::RangeInclusive, time::Duration};

use chassis::id::AccountId;
use rules::{Outcome, Sanction};

use super::{PendingEvent, TimeStep, adjourn};
use crate::core::{
    By, Claim, ClaimDecision, ClaimState, CommandError, Event, EventKind, Game, Official, OfficialAct,
    PauseReason, Permission, Report, Role, Ruling, RulingError, Stage, rewind,
};

/// The most characters of a reason or another text that people write.
pub(super) const TEXT_CHARS_MAX: usize = 1000;
/// The least and the most time that is given or taken at once: what the clocks take.
const ADJUSTMENT: RangeInclusive<Duration> = Duration::from_secs(1)..=Duration::from_hours(24);

/// Somebody who acts as an official.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActingOfficial {
    /// The account.
    pub account: AccountId,
    /// The name.
    pub name: String,
    /// The roles that he has in the event or the federation of the game.
    pub roles: BTreeSet<Role>,
}

/// Decides an act of an official. `log` is the log so far, if the act goes back in it.
///
/// # Errors
/// A refusal; nothing has changed.
pub fn decide_ruling(
    game: &Game,
    official: &ActingOfficial,
    ruling: &Ruling,
    log: &[Event],
) -> Result<PendingEvent, CommandError> {
    if !(1..=TEXT_CHARS_MAX).contains(&ruling.reason.chars().count()) {
        return Err(RulingError::BadReason.into());
    }
    if !game.info.regulations.has_officials() {
        return Err(RulingError::NotAnEventGame.into());
    }
    if official.roles.is_empty() {
        return Err(RulingError::NoRole.into());
    }
    if game.side_of(official.account).is_some() {
        return Err(RulingError::IsPlayer.into());
    }
    let role = permission(game, &ruling.act).held_by(&official.roles).ok_or(RulingError::RoleMayNot)?;
    let (act, position, time_steps) = match &ruling.act {
        OfficialAct::RecordIncident(report) => {
            let report = judged(game, report, official)?;
            (OfficialAct::RecordIncident(report), None, Vec::new())
        }
        OfficialAct::VoidMoves(ply) => {
            let (position, steps) = go_back(game, *ply, log)?;
            (ruling.act.clone(), Some(position), steps)
        }
        act => {
            check(game, act, &official.roles)?;
            (act.clone(), None, time_steps(act))
        }
    };
    let by = By::Official(Official { account: official.account, name: official.name.clone(), role });
    let time_steps = adjourned(game, &by, ruling)?.unwrap_or(time_steps);
    let kind = EventKind::Ruled(Box::new(Ruling { reason: ruling.reason.clone(), act }));
    let mut pending = PendingEvent { by, kind, position, time_steps };
    if pending.ends(game) {
        pending.time_steps = vec![TimeStep::Stop];
    }
    Ok(pending)
}

/// What is needed for an act.
fn permission(game: &Game, act: &OfficialAct) -> Permission {
    match act {
        OfficialAct::AnswerCall(_) => Permission::AnswerCall,
        OfficialAct::RecordIncident(_) => Permission::RecordIncident,
        OfficialAct::AddTime(..) | OfficialAct::DeductTime(..) => Permission::AdjustTime,
        OfficialAct::Pause(_) | OfficialAct::Resume(_) => Permission::Pause,
        OfficialAct::VoidMoves(_) => Permission::VoidMoves,
        OfficialAct::CorrectColours | OfficialAct::NoteColours => Permission::Colours,
        OfficialAct::RepeatAnnouncement(_) => Permission::RepeatAnnouncement,
        OfficialAct::Confirm => Permission::Confirm,
        OfficialAct::Declare(_) => Permission::Declare,
        OfficialAct::Annul => Permission::Annul,
        OfficialAct::BeginSealing | OfficialAct::SetResumption(_) | OfficialAct::RuleOnSealed(_) => {
            Permission::Adjourn
        }
        // A result that no rule names is not for every arbiter to declare, not by way of a claim either.
        OfficialAct::DecideClaim(answer) if answer.result.is_some() => Permission::Declare,
        OfficialAct::DecideClaim(_) => Permission::DecideClaim,
        OfficialAct::DecideAppeal(answer) => game
            .progress()
            .arbitration
            .claim(answer.claim)
            .map_or(Permission::DecideAppeal, Claim::appeal_permission),
    }
}

/// The incident with its number and what is decided about it.
fn judged(game: &Game, report: &Report, official: &ActingOfficial) -> Result<Report, CommandError> {
    let arbitration = &game.progress().arbitration;
    let mut incident = report.incident.clone();
    if game.progress().stage == Stage::Final {
        return Err(RulingError::ResultFinal.into());
    }
    if incident.ply > game.state.ply {
        return Err(RulingError::BadPly.into());
    }
    if let Some(number) = incident.appeal_of {
        let amended = |claim: &Claim| claim.upheld && claim.incident.is_some();
        arbitration.claim(number).filter(|claim| amended(claim)).ok_or(RulingError::NoSuchClaim)?;
    }
    let conduct = game.variant().conduct;
    let chief = Permission::DecideAsChief.held_by(&official.roles).is_some();
    let lines: Vec<_> = conduct
        .allowed(incident.kind, &incident.circumstances)
        .filter(|line| report.decision.is_none_or(|decision| decision == line.decision))
        .collect();
    let first = lines.first().ok_or(RulingError::DecisionNotAllowed)?;
    let line = if report.decision.is_none() {
        Some(first).filter(|line| chief || !line.chief_only)
    } else {
        lines.iter().find(|line| chief || !line.chief_only)
    };
    incident.decision = line.ok_or(RulingError::RoleMayNot)?.decision;
    if incident.decision.sanction != Sanction::Nothing && incident.accused.is_none() {
        return Err(RulingError::BadRuling.into());
    }
    incident.number = arbitration.incidents + 1;
    Ok(Report { decision: Some(incident.decision), incident })
}

/// The position at an earlier ply, and what the clocks are told: whoever's turn it was has it again. Stopping
/// forgets pauses, so they are set again.
fn go_back(
    game: &Game,
    ply: u32,
    log: &[Event],
) -> Result<(Box<dyn rules::Game>, Vec<TimeStep>), CommandError> {
    in_play(game)?;
    if ply >= game.state.ply {
        return Err(RulingError::BadPly.into());
    }
    if !rewind::is_plain_since(log, ply) {
        return Err(CommandError::CannotUndo);
    }
    let position = rewind::position_at(&game.info, log, ply).map_err(|_| CommandError::CannotUndo)?;
    let mut steps = vec![TimeStep::Stop];
    steps.extend(game.progress().pauses.iter().copied().map(TimeStep::Pause));
    steps.extend(position.on_clock().map(TimeStep::Start));
    Ok((position, steps))
}

fn check(game: &Game, act: &OfficialAct, roles: &BTreeSet<Role>) -> Result<(), CommandError> {
    let arbitration = &game.progress().arbitration;
    let error = match act {
        OfficialAct::AnswerCall(number) => {
            (!arbitration.calls.iter().any(|call| call.number == *number)).then_some(RulingError::NoSuchCall)
        }
        OfficialAct::AddTime(_, span) | OfficialAct::DeductTime(_, span) => {
            return adjustable(game, *span);
        }
        OfficialAct::Pause(reason) | OfficialAct::Resume(reason) => {
            return pausable(game, *reason, matches!(act, OfficialAct::Pause(_)));
        }
        OfficialAct::CorrectColours | OfficialAct::NoteColours => {
            return colours(game, matches!(act, OfficialAct::CorrectColours));
        }
        OfficialAct::RepeatAnnouncement(_) => {
            in_play(game)?;
            return game.clock().map(drop).ok_or(CommandError::NoClock);
        }
        OfficialAct::Confirm => match game.progress().stage {
            Stage::Ended if arbitration.officials_confirmed => Some(RulingError::Confirmed),
            Stage::Ended => None,
            Stage::Final => Some(RulingError::ResultFinal),
            _ => Some(RulingError::NotEnded),
        },
        OfficialAct::Declare(_) => {
            (game.progress().stage == Stage::Final).then_some(RulingError::ResultFinal)
        }
        OfficialAct::Annul => arbitration.annulled.then_some(RulingError::Annulled),
        OfficialAct::DecideClaim(answer) => {
            let needs = Permission::DecideClaim.held_by(roles).is_none();
            answerable(game, *answer, ClaimState::Open).err().or(needs.then_some(RulingError::RoleMayNot))
        }
        OfficialAct::DecideAppeal(answer) => answerable(game, *answer, ClaimState::Appealed).err(),
        OfficialAct::RecordIncident(_)
        | OfficialAct::VoidMoves(_)
        | OfficialAct::BeginSealing
        | OfficialAct::SetResumption(_)
        | OfficialAct::RuleOnSealed(_) => None,
    };
    error.map_or(Ok(()), |error| Err(error.into()))
}

/// What the clocks are told of an act about an adjournment; none if the act is about something else.
fn adjourned(game: &Game, by: &By, ruling: &Ruling) -> Result<Option<Vec<TimeStep>>, CommandError> {
    let pending = match &ruling.act {
        OfficialAct::BeginSealing => adjourn::begin_sealing(game, by.clone())?,
        OfficialAct::SetResumption(at) => adjourn::set_resumption(game, by.clone(), *at)?,
        OfficialAct::RuleOnSealed(seal) => {
            adjourn::rule_on_sealed(game, by.clone(), seal.clone(), ruling.reason.clone())?
        }
        _ => return Ok(None),
    };
    Ok(Some(pending.time_steps))
}

fn in_play(game: &Game) -> Result<(), CommandError> {
    match game.progress().stage {
        _ if game.is_over() => Err(CommandError::GameOver),
        Stage::Playing => Ok(()),
        _ => Err(CommandError::NotInPlay),
    }
}

fn adjustable(game: &Game, span: Duration) -> Result<(), CommandError> {
    match () {
        () if !ADJUSTMENT.contains(&span) => Err(RulingError::BadRuling.into()),
        () if game.is_over() => Err(CommandError::GameOver),
        () if game.clock().is_none() => Err(CommandError::NoClock),
        () => Ok(()),
    }
}

fn pausable(game: &Game, reason: PauseReason, pause: bool) -> Result<(), CommandError> {
    // Players agree on theirs, leave begins and ends by the log of the event, and a maintenance as it was planned.
    if matches!(reason, PauseReason::Players | PauseReason::Leave | PauseReason::Maintenance) {
        return Err(RulingError::BadRuling.into());
    }
    in_play(game)?;
    match (pause, game.progress().pauses.contains(&reason)) {
        (true, true) => Err(RulingError::AlreadyPaused.into()),
        (false, false) => Err(CommandError::NotPaused),
        _ => Ok(()),
    }
}

fn colours(game: &Game, correct: bool) -> Result<(), CommandError> {
    let until = game.variant().conduct.colours_until;
    let early = until.is_some_and(|until| game.state.ply <= until);
    let error = match () {
        () if until.is_none() => RulingError::NotInThisVariant,
        () if game.progress().arbitration.assigned_swapped => RulingError::ColoursNoted,
        () if correct && !early => RulingError::TooLateForColours,
        () if correct => return in_play(game),
        () if early => RulingError::TooEarlyToNote,
        () if game.progress().stage == Stage::Final => RulingError::ResultFinal,
        () => return Ok(()),
    };
    Err(error.into())
}

/// Whether a claim in this state can be answered so.
fn answerable(game: &Game, answer: ClaimDecision, state: ClaimState) -> Result<(), RulingError> {
    let claim = game.progress().arbitration.claim(answer.claim).ok_or(RulingError::NoSuchClaim)?;
    if claim.state != state {
        return Err(match state {
            ClaimState::Appealed => RulingError::ClaimNotAppealed,
            _ => RulingError::ClaimNotOpen,
        });
    }
    if answer.result.is_none() && undoes_result(game, claim, answer.upheld) {
        return Err(RulingError::ResultNeeded);
    }
    Ok(())
}

/// Whether an answer to a claim takes away what the result rests on.
fn undoes_result(game: &Game, claim: &Claim, upheld: bool) -> bool {
    let arbitration = &game.progress().arbitration;
    if claim.upheld && claim.changed_result && !upheld {
        return true;
    }
    let Some(outcome) = game.state.outcome.as_ref().filter(|_| upheld && !claim.upheld) else { return false };
    let decisive = claim.incident.is_some() && claim.incident == arbitration.decisive;
    decisive || (arbitration.decisive.is_some() && is_penalty_of_loser(game, claim, outcome))
}

/// Whether a claim is about one of the warnings by which a game was lost.
fn is_penalty_of_loser(game: &Game, claim: &Claim, outcome: &Outcome) -> bool {
    let rules::Verdict::Win(winner) = outcome.verdict else { return false };
    outcome.reason == game.variant().conduct.too_many
        && game
            .progress()
            .arbitration
            .penalties()
            .any(|penalty| Some(penalty.incident) == claim.incident && penalty.side == winner.other())
}

fn time_steps(act: &OfficialAct) -> Vec<TimeStep> {
    match act {
        OfficialAct::AddTime(side, span) => vec![TimeStep::Add(*side, *span)],
        OfficialAct::DeductTime(side, span) => vec![TimeStep::Deduct(*side, *span)],
        OfficialAct::Pause(reason) => vec![TimeStep::Pause(*reason)],
        OfficialAct::Resume(reason) => vec![TimeStep::Resume(*reason)],
        _ => Vec::new(),
    }
}
