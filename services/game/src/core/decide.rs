//! What becomes of a command: an event that waits for its clock reading, or a refusal.

mod adjourn;
mod forbidden;
mod leave;
mod maintenance;
mod petition;
mod presence;
mod propose;
mod ruling;
mod start;

pub use leave::decide_leave;
pub use maintenance::decide_maintenance;
pub use presence::{AbandonmentClaim, decide_left, decide_returned};

use std::time::Duration;

pub use adjourn::{begin_sealing, rule_on_sealed, set_resumption};
use rules::{Author, DrawOfferError, Outcome, Reason, Side, Verdict};
pub use ruling::{ActingOfficial, decide_ruling};
use time::OffsetDateTime;

use super::{
    By, ClaimKind, ClockEntry, CommandError, Event, EventKind, Game, IllegalInput, Matter, Opening,
    PauseReason, Petition, Played, Proposal, Reading, SealedMove, Stage, Task,
    game::{Transition, fallen, time_loss},
};

/// Longer acts are not looked at. One that names every point of the largest board is shorter.
pub const ACT_BYTES_MAX: usize = 4096;
/// A game in which this many acts have been played cannot be aborted.
const ABORT_PLIES: u32 = 2;

/// What a player wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Play an act at a ply.
    Play {
        /// The act.
        text: String,
        /// The ply it is meant for.
        ply: u32,
    },
    /// Resign.
    Resign,
    /// Offer a draw, or accept the one that is offered.
    OfferDraw,
    /// Accept a draw.
    AcceptDraw,
    /// Decline a draw.
    DeclineDraw,
    /// Abort the game.
    Abort,
    /// Propose something, or accept it if the other side has proposed it.
    Propose(Proposal),
    /// Decline what the other side proposes, or take back what this side has proposed.
    DropProposal(Proposal),
    /// Give time to the other side.
    GiveTime(Duration),
    /// Ask something of the officials, or confirm the result.
    Petition(Petition),
    /// End the game because the other side is gone.
    ClaimAbandonment(AbandonmentClaim),
    /// Say that he is there.
    CheckIn,
    /// Seal the move of a game that is to be adjourned.
    SealMove(SealedMove),
}

impl Command {
    /// Whether the log before must be known to decide on it.
    pub fn looks_back(&self, game: &Game, side: Side) -> bool {
        match self {
            // Unless it is refused whatever has been played.
            Command::Propose(undo @ Proposal::Undo(_)) => propose::may_propose(game, side, *undo).is_ok(),
            // What a forbidden act is depends on who acted last.
            Command::Play { .. } => game.info.regulations.illegal_input == IllegalInput::Source,
            // Whether the claimant has acted since.
            Command::Petition(Petition::FileClaim(filed)) => filed.kind == ClaimKind::Conduct,
            _ => false,
        }
    }
}

/// What the clocks are to be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeStep {
    /// Somebody has acted, and this clock (or none) runs now.
    Turn {
        /// Who acted; none when the house did.
        author: Option<Side>,
        /// Whose clock runs next.
        next: Option<Side>,
    },
    /// This side's clock runs.
    Start(Side),
    /// Both clocks stop.
    Stop,
    /// Both are held for a reason.
    Pause(PauseReason),
    /// A reason to hold them has gone.
    Resume(PauseReason),
    /// A side gets time.
    Add(Side, Duration),
    /// A side loses time. Its flag may fall by it.
    Deduct(Side, Duration),
    /// What the platform itself took of the turn that runs is given back.
    GiveBack(Duration),
}

/// An event that lacks only its clock reading.
#[derive(Debug)]
pub struct PendingEvent {
    by: By,
    kind: EventKind,
    /// The position after it, if it changes.
    pub position: Option<Box<dyn rules::Game>>,
    /// What to tell the clocks, in order.
    pub time_steps: Vec<TimeStep>,
}

/// What the clocks have answered to the steps of a pending event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClockUpdate {
    /// The reading after them.
    pub reading: Option<Reading>,
    /// The steps, for the log.
    pub entries: Vec<ClockEntry>,
    /// Whose flag has fallen by the last of them.
    pub fallen: Option<Side>,
}

impl PendingEvent {
    /// The event, now that the clocks have answered.
    pub fn finish(&self, game: &Game, time: OffsetDateTime, update: ClockUpdate) -> Event {
        let transition = Transition {
            kind: &self.kind,
            by: &self.by,
            time,
            position: self.position.as_deref(),
            clock: update.reading,
            fallen: fallen(&update.entries),
        };
        Event {
            sequence: game.sequence + 1,
            time,
            by: self.by.clone(),
            state: game.state_after(&transition),
            kind: self.kind.clone(),
            clock_entries: update.entries,
        }
    }

    fn new(by: By, kind: EventKind, time_steps: Vec<TimeStep>) -> Self {
        PendingEvent { by, kind, position: None, time_steps }
    }

    /// Whether a running game ends by what officials, or the table of incidents, have decided in it.
    fn ends(&self, game: &Game) -> bool {
        let arbitration = &game.progress().arbitration;
        let outcome = arbitration.outcome(&game.info, &self.kind, &self.by);
        !game.is_over() && outcome.is_some()
    }
}

/// Decides a command of a player that came at a time. `log` is the log so far, if the command looks back.
///
/// # Errors
/// A refusal; nothing has changed.
pub fn decide(
    game: &Game,
    side: Side,
    command: &Command,
    at: OffsetDateTime,
    log: &[Event],
) -> Result<PendingEvent, CommandError> {
    let after_end = matches!(command, Command::Propose(_) | Command::DropProposal(_) | Command::Petition(_));
    if game.is_over() && !after_end {
        return Err(CommandError::GameOver);
    }
    if game.progress().stage == Stage::Waiting && !is_for_waiting(game, command) {
        return Err(CommandError::NotInPlay);
    }
    match command {
        Command::Play { text, ply } => play(game, side, text, *ply, log),
        Command::Resign => Ok(end(By::Side(side), Verdict::Win(side.other()), Reason::Resignation)),
        Command::Abort if game.info.regulations.has_officials() => Err(CommandError::OfficialsOnly),
        Command::Abort if game.state.ply >= ABORT_PLIES => Err(CommandError::TooLateToAbort),
        Command::Abort => Ok(end(By::Side(side), Verdict::Void, Reason::Aborted)),
        Command::OfferDraw if game.offers.open() != Some(side.other()) => {
            match { game.offers }.offer(side, game.position.actors().include(side)) {
                Ok(()) => {
                    game.proposal_counts.check(side, Matter::Draw)?;
                    Ok(PendingEvent::new(By::Side(side), EventKind::DrawOffered, Vec::new()))
                }
                Err(fault @ DrawOfferError::Repeated) => {
                    forbidden::offered_again(game, side, fault).ok_or(fault.into())
                }
                Err(fault) => Err(fault.into()),
            }
        }
        Command::OfferDraw | Command::AcceptDraw => {
            { game.offers }.accept(side)?;
            Ok(end(By::Side(side), game.position.agreed_draw(), Reason::Agreement))
        }
        Command::DeclineDraw => {
            { game.offers }.decline(side)?;
            Ok(PendingEvent::new(By::Side(side), EventKind::DrawDeclined, Vec::new()))
        }
        Command::Propose(proposal) => propose::propose(game, side, *proposal, log),
        Command::DropProposal(proposal) => propose::drop_proposal(game, side, *proposal),
        Command::GiveTime(span) => propose::give_time(game, side, *span),
        Command::Petition(petition) => petition::petition(game, side, petition, log),
        Command::ClaimAbandonment(claim) => presence::claim(game, side, *claim, at),
        Command::CheckIn => start::check_in(game, side),
        Command::SealMove(sealed) => adjourn::seal(game, side, sealed),
    }
}

/// Whether a command is taken in a game that waits for its players. Nobody has to wait for whoever may never come.
const fn is_for_waiting(game: &Game, command: &Command) -> bool {
    match command {
        Command::CheckIn | Command::Resign | Command::Petition(_) => true,
        Command::Abort => game.info.regulations.arrival.is_some(),
        _ => false,
    }
}

/// The event of a flag that has fallen.
pub fn flag_event(game: &Game, side: Side, time: OffsetDateTime, update: ClockUpdate) -> Event {
    let kind = EventKind::Ended(time_loss(side));
    PendingEvent::new(By::Platform, kind, Vec::new()).finish(game, time, update)
}

/// The event of an outage that is given back.
pub fn outage_event(
    game: &Game,
    from: OffsetDateTime,
    until: OffsetDateTime,
    time: OffsetDateTime,
    update: ClockUpdate,
) -> Event {
    PendingEvent::new(By::Platform, EventKind::OutageCredited { from, until }, Vec::new())
        .finish(game, time, update)
}

/// Decides an act of the house.
///
/// # Errors
/// A refusal; nothing has changed.
pub fn decide_house(game: &Game, text: &str) -> Result<PendingEvent, CommandError> {
    if game.is_over() {
        return Err(CommandError::GameOver);
    }
    act(game, Author::System, text)
}

/// Decides what happens by itself, but for acts of the house. `opening` is what was under seal, if the task is to
/// open it and it can be opened.
pub fn decide_task(game: &Game, task: Task, opening: Option<Opening>) -> Option<PendingEvent> {
    match task {
        Task::House(_) => None,
        Task::EndPause => {
            let steps = vec![TimeStep::Resume(PauseReason::Players)];
            Some(PendingEvent::new(By::Platform, EventKind::Agreed(Proposal::Resume), steps))
        }
        Task::Expiry(expiry) => Some(PendingEvent::new(By::Platform, EventKind::Expired(expiry), Vec::new())),
        Task::Begin | Task::Forfeit => start::task(game, task),
        Task::Seal | Task::AnnounceResumption | Task::OpenSealed | Task::PlaySealed => {
            adjourn::task(game, task, opening)
        }
    }
}

fn play(game: &Game, side: Side, text: &str, ply: u32, log: &[Event]) -> Result<PendingEvent, CommandError> {
    if text.len() > ACT_BYTES_MAX {
        return Err(CommandError::ActTooLong(ACT_BYTES_MAX));
    }
    if !game.progress().in_play() {
        return Err(CommandError::NotInPlay);
    }
    if ply != game.state.ply {
        return Err(CommandError::StalePly { meant: ply, current: game.state.ply });
    }
    match act(game, Author::Side(side), text) {
        Ok(pending) => Ok(forbidden::made_void(game, side, text, &pending).unwrap_or(pending)),
        Err(CommandError::Rules(refusal)) => {
            forbidden::happened(game, side, text, &refusal, log).ok_or(CommandError::Rules(refusal))
        }
        Err(refusal) => Err(refusal),
    }
}

fn act(game: &Game, author: Author, text: &str) -> Result<PendingEvent, CommandError> {
    let mut position = game.position.clone();
    let played = position.act(author, text).map_err(CommandError::Rules)?;
    let next = if position.outcome().is_some() { None } else { position.on_clock() };
    Ok(PendingEvent {
        by: author.side().map_or(By::Platform, By::Side),
        kind: EventKind::Played(Played::new(author, played)),
        position: Some(position),
        time_steps: vec![TimeStep::Turn { author: author.side(), next }],
    })
}

fn end(by: By, verdict: Verdict, reason: Reason) -> PendingEvent {
    PendingEvent::new(by, EventKind::Ended(Outcome { verdict, reason, score: None }), vec![TimeStep::Stop])
}
