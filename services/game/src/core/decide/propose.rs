//! Proposals, which need the other side, and gifts that do not.

use std::time::Duration;

use rules::Side;

use super::{PendingEvent, TimeStep, adjourn};
use crate::core::{
    By, CommandError, Event, EventKind, Game, Matter, PauseReason, Proposal, RulingError, Stage, rewind,
};

/// The least and the most time that is given at once.
const GIFT: std::ops::RangeInclusive<Duration> = Duration::from_secs(1)..=Duration::from_mins(10);

/// Proposes something, or agrees to it if the other side has proposed the same.
pub(super) fn propose(
    game: &Game,
    side: Side,
    proposal: Proposal,
    log: &[Event],
) -> Result<PendingEvent, CommandError> {
    let agrees = may_propose(game, side, proposal)?;
    if let Proposal::Undo(ply) = proposal {
        let author = |played: &&crate::core::Played| played.author.side() == Some(side);
        if !agrees && !rewind::effective_acts(log).iter().skip(ply as usize).any(author) {
            return Err(CommandError::NothingToUndo);
        }
        if !rewind::is_plain_since(log, ply) {
            return Err(CommandError::CannotUndo);
        }
    }
    if agrees {
        return agree(game, side, proposal, log);
    }
    Ok(PendingEvent::new(By::Side(side), EventKind::Proposed(proposal), Vec::new()))
}

/// Whether this side agrees to what the other proposes by proposing this, and not for the first; as far as it can be
/// said without the past.
pub(super) fn may_propose(game: &Game, side: Side, proposal: Proposal) -> Result<bool, CommandError> {
    check(game, proposal)?;
    if game.progress().proposed(side.other(), proposal) == Some(proposal) {
        return Ok(true);
    }
    if game.progress().proposed(side, proposal) == Some(proposal) {
        return Err(CommandError::ProposalOpen);
    }
    game.proposal_counts.check(side, proposal.into())?;
    Ok(false)
}

/// Declines what the other side proposes, or takes back what this side has proposed.
pub(super) fn drop_proposal(
    game: &Game,
    side: Side,
    proposal: Proposal,
) -> Result<PendingEvent, CommandError> {
    let open = [side, side.other()].iter().any(|side| game.progress().proposed(*side, proposal).is_some());
    if !open {
        return Err(CommandError::NoProposal);
    }
    Ok(PendingEvent::new(By::Side(side), EventKind::ProposalDropped(proposal), Vec::new()))
}

/// Gives time to the other side.
pub(super) fn give_time(game: &Game, side: Side, span: Duration) -> Result<PendingEvent, CommandError> {
    if game.info.regulations.has_officials() {
        return Err(CommandError::OfficialsOnly);
    }
    if !GIFT.contains(&span) {
        return Err(CommandError::BadGift);
    }
    if game.clock().is_none() {
        return Err(CommandError::NoClock);
    }
    game.proposal_counts.check(side, Matter::Gift)?;
    Ok(PendingEvent::new(By::Side(side), EventKind::TimeGiven(span), vec![TimeStep::Add(side.other(), span)]))
}

fn check(game: &Game, proposal: Proposal) -> Result<(), CommandError> {
    let (progress, regulations) = (game.progress(), &game.info.regulations);
    if game.is_over() != (proposal == Proposal::Rematch) {
        return Err(if game.is_over() { CommandError::GameOver } else { RulingError::NotEnded.into() });
    }
    match proposal {
        Proposal::Undo(_) if game.info.rated || regulations.has_officials() => Err(CommandError::UndoOff),
        Proposal::Undo(_) if !progress.in_play() => Err(CommandError::NotInPlay),
        Proposal::Undo(_) => Ok(()),
        Proposal::Adjourn => adjourn::can_seal(game),
        Proposal::ResumeAt(at) => adjourn::can_resume_at(game, at),
        _ if regulations.has_officials() => Err(CommandError::OfficialsOnly),
        Proposal::Pause if !progress.in_play() => Err(CommandError::NotInPlay),
        Proposal::Resume if !progress.pauses.contains(&PauseReason::Players) => Err(CommandError::NotPaused),
        Proposal::Rematch if progress.rematch.is_some() || progress.stage < Stage::Final => {
            Err(CommandError::NoRematch)
        }
        Proposal::Pause | Proposal::Resume | Proposal::Rematch => Ok(()),
    }
}

fn agree(game: &Game, side: Side, proposal: Proposal, log: &[Event]) -> Result<PendingEvent, CommandError> {
    let (position, time_steps) = match proposal {
        Proposal::Undo(ply) => {
            let position = rewind::position_at(&game.info, log, ply).map_err(|_| CommandError::CannotUndo)?;
            let start = position.on_clock().map(TimeStep::Start);
            (Some(position), [TimeStep::Stop].into_iter().chain(start).collect())
        }
        Proposal::Pause => (None, vec![TimeStep::Pause(PauseReason::Players)]),
        Proposal::Resume => (None, vec![TimeStep::Resume(PauseReason::Players)]),
        Proposal::Rematch | Proposal::Adjourn | Proposal::ResumeAt(_) => (None, Vec::new()),
    };
    Ok(PendingEvent { by: By::Side(side), kind: EventKind::Agreed(proposal), position, time_steps })
}
