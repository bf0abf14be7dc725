//! Adjourning a game, sealing a move, opening it.

use rules::{ActErrorKind, Actors, Author, Side};
use time::OffsetDateTime;

use super::{PendingEvent, TimeStep, act};
use crate::core::{
    AdjournmentStep, By, CommandError, EventKind, Game, Opening, PauseReason, RESUMPTION_MAX, SealRuling,
    SealedMove, Stage, Task,
};

/// The reason of a sealed move that cannot be read.
const UNREADABLE: &str = api::reason::UNREADABLE.name();

/// Has the side whose turn it is seal its move, because the time for it has come or an arbiter says so.
///
/// # Errors
/// When the game cannot be adjourned, or not now: no side alone has the turn.
pub fn begin_sealing(game: &Game, by: By) -> Result<PendingEvent, CommandError> {
    can_seal(game)?;
    Ok(step(by, AdjournmentStep::SealingBegun, Vec::new()))
}

/// Sets when an adjourned game goes on, because an arbiter says so.
///
/// # Errors
/// When no move is under seal, or the time is too far ahead.
pub fn set_resumption(game: &Game, by: By, at: OffsetDateTime) -> Result<PendingEvent, CommandError> {
    can_resume_at(game, at)?;
    Ok(step(by, AdjournmentStep::ResumptionSet(at), Vec::new()))
}

/// Decides what happens in the place of a sealed move that cannot be played.
///
/// # Errors
/// When there is none, or the rules refuse the act in its place.
pub fn rule_on_sealed(
    game: &Game,
    by: By,
    ruling: SealRuling,
    reason: String,
) -> Result<PendingEvent, CommandError> {
    let sealer = sealer(game).filter(|_| game.progress().adjournment.undecided);
    let sealer = sealer.ok_or(CommandError::NothingHeld)?;
    let mut time_steps = vec![TimeStep::Resume(PauseReason::Arbiter)];
    match &ruling {
        SealRuling::Act(text) => drop(act(game, Author::Side(sealer), text)?),
        SealRuling::TurnBack => time_steps.push(TimeStep::Start(sealer)),
    }
    Ok(step(by, AdjournmentStep::Ruled { ruling, reason }, time_steps))
}

/// Whether one side alone has the turn in a game that may be adjourned.
pub(super) fn can_seal(game: &Game) -> Result<(), CommandError> {
    match game.position.actors() {
        _ if !game.info.regulations.adjournable => Err(CommandError::NotAdjournable),
        Actors::One(_) if game.progress().in_play() => Ok(()),
        _ => Err(CommandError::NotInPlay),
    }
}

/// Whether an adjourned game can be made to go on at a time.
pub(super) fn can_resume_at(game: &Game, at: OffsetDateTime) -> Result<(), CommandError> {
    match () {
        () if game.progress().stage != Stage::Adjourned => Err(CommandError::NotAdjourned),
        () if !game.progress().adjournment.is_sealed() => Err(CommandError::NotAdjourned),
        () if at > game.updated + RESUMPTION_MAX => Err(CommandError::BadResumption),
        () => Ok(()),
    }
}

/// Takes a sealed move. That it holds what it is committed to, whoever has the key has to find out.
pub(super) fn seal(game: &Game, side: Side, sealed: &SealedMove) -> Result<PendingEvent, CommandError> {
    let progress = game.progress();
    match () {
        () if progress.stage != Stage::Sealing => Err(CommandError::NotSealing),
        () if !progress.pauses.is_empty() => Err(CommandError::NotInPlay),
        () if sealer(game) != Some(side) => Err(CommandError::Rules(rules::ActError::not_your_turn())),
        () => {
            let pressed = TimeStep::Turn { author: Some(side), next: None };
            Ok(step(By::Side(side), AdjournmentStep::Sealed(sealed.clone()), vec![pressed]))
        }
    }
}

/// What of an adjournment happens by itself; none if the task is another's. `opening` is what was under seal, if it
/// is to be opened and can be.
pub(super) fn task(game: &Game, task: Task, opening: Option<Opening>) -> Option<PendingEvent> {
    let adjournment = &game.progress().adjournment;
    let platform = |of: AdjournmentStep| step(By::Platform, of, Vec::new());
    match task {
        Task::Seal => Some(platform(AdjournmentStep::SealingBegun)),
        Task::AnnounceResumption => {
            Some(platform(AdjournmentStep::ResumptionAnnounced(adjournment.resumption?)))
        }
        Task::OpenSealed => Some(match opening {
            Some(Opening { salt, act }) => platform(AdjournmentStep::Opened { salt, act }),
            None => held(UNREADABLE),
        }),
        Task::PlaySealed => Some(play_sealed(game, adjournment.sealer?, adjournment.act.as_ref()?)),
        _ => None,
    }
}

/// Plays an opened move; on an occupied point it is a pass, if the game has one.
fn play_sealed(game: &Game, sealer: Side, text: &str) -> PendingEvent {
    let author = Author::Side(sealer);
    match act(game, author, text) {
        Ok(pending) => pending,
        Err(CommandError::Rules(refusal)) if refusal.kind == ActErrorKind::Occupied => {
            let passed = game.variant().pass.and_then(|pass| act(game, author, pass).ok());
            passed.unwrap_or_else(|| held(refusal.reason))
        }
        Err(refusal) => held(refusal.reason().name()),
    }
}

fn held(reason: &str) -> PendingEvent {
    let held = AdjournmentStep::Held { reason: reason.to_owned() };
    step(By::Platform, held, vec![TimeStep::Pause(PauseReason::Arbiter)])
}

fn step(by: By, step: AdjournmentStep, time_steps: Vec<TimeStep>) -> PendingEvent {
    PendingEvent::new(by, EventKind::Adjournment(step), time_steps)
}

fn sealer(game: &Game) -> Option<Side> {
    game.progress().adjournment.sealer
}
