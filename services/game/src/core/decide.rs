//! What becomes of a command: an event that waits for its clock reading, or a refusal.

use rules::{Actors, Author, Outcome, Reason, Side, Verdict};
use time::OffsetDateTime;

use super::{After, Event, Game, Kind, Played, Reading, Refusal, event::expiry};

/// Longer acts are refused unread. One that names every point of the largest board is shorter.
const ACT_BYTES_MAX: usize = 4096;
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
}

/// What the clocks are to be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeStep {
    /// Nothing.
    None,
    /// Somebody has acted, and this clock (or none) runs now.
    Turn {
        /// Who acted; none when the house did.
        author: Option<Side>,
        /// Whose clock runs next.
        next: Option<Side>,
    },
    /// Both clocks stop for good.
    Stop,
}

/// An event that lacks only its clock reading.
#[derive(Debug)]
pub struct Draft {
    author: Option<Side>,
    kind: Kind,
    after: After,
    /// The position after it, if it changes.
    pub position: Option<Box<dyn rules::Game>>,
    /// What to tell the clocks.
    pub time_step: TimeStep,
}

impl Draft {
    /// The event, now that the clocks have answered.
    pub fn finish(&self, game: &Game, time: OffsetDateTime, clock: Option<Reading>) -> Event {
        let before = game.after.expires;
        let expires = match &self.position {
            Some(position) => expiry(position.as_ref(), time, before),
            None => self.after.expires,
        };
        Event {
            sequence: game.sequence + 1,
            time,
            author: self.author,
            kind: self.kind.clone(),
            after: After { clock, expires, ..self.after.clone() },
        }
    }
}

/// Decides a command of a player.
///
/// # Errors
/// A refusal; nothing has changed.
pub fn decide(game: &Game, side: Side, command: &Command) -> Result<Draft, Refusal> {
    if game.is_over() {
        return Err(Refusal::GameOver);
    }
    match command {
        Command::Play { text, ply } => play(game, side, text, *ply),
        Command::Resign => Ok(end(game, side, Verdict::Win(side.other()), Reason::Resignation)),
        Command::Abort if game.after.ply >= ABORT_PLIES => Err(Refusal::TooLateToAbort),
        Command::Abort => Ok(end(game, side, Verdict::Void, Reason::Aborted)),
        Command::OfferDraw if game.offers.open() != Some(side.other()) => {
            { game.offers }.offer(side, game.position.actors().include(side))?;
            Ok(offer(game, side, Kind::DrawOffered))
        }
        Command::OfferDraw | Command::AcceptDraw => {
            { game.offers }.accept(side)?;
            Ok(end(game, side, Verdict::Draw, Reason::Agreement))
        }
        Command::DeclineDraw => {
            { game.offers }.decline(side)?;
            Ok(offer(game, side, Kind::DrawDeclined))
        }
    }
}

/// The event of a fallen flag.
pub fn flag_event(game: &Game, side: Side, time: OffsetDateTime, reading: Reading) -> Event {
    let after =
        ended(game, Outcome { verdict: Verdict::Win(side.other()), reason: Reason::Time, score: None });
    Event {
        sequence: game.sequence + 1,
        time,
        author: None,
        kind: Kind::Ended,
        after: After { clock: Some(reading), ..after },
    }
}

/// The event of an outage that is given back.
pub fn outage_event(
    game: &Game,
    from: OffsetDateTime,
    until: OffsetDateTime,
    time: OffsetDateTime,
    reading: Option<Reading>,
) -> Event {
    Event {
        sequence: game.sequence + 1,
        time,
        author: None,
        kind: Kind::OutageCredited { from, until },
        after: After {
            clock: reading,
            // What the rules give players to act in is no shorter for an outage.
            expires: game.after.expires.map(|expires| expires + (until - from)),
            ..game.after.clone()
        },
    }
}

/// Decides an act of the house.
///
/// # Errors
/// A refusal; nothing has changed.
pub fn decide_house(game: &Game, text: &str) -> Result<Draft, Refusal> {
    if game.is_over() {
        return Err(Refusal::GameOver);
    }
    act(game, Author::House, text)
}

fn play(game: &Game, side: Side, text: &str, ply: u32) -> Result<Draft, Refusal> {
    if text.len() > ACT_BYTES_MAX {
        return Err(Refusal::ActTooLong(ACT_BYTES_MAX));
    }
    if ply != game.after.ply {
        return Err(Refusal::StalePly { meant: ply, current: game.after.ply });
    }
    act(game, Author::Side(side), text)
}

fn act(game: &Game, author: Author, text: &str) -> Result<Draft, Refusal> {
    let mut position = game.position.clone();
    let played = position.act(author, text).map_err(Refusal::Rules)?;
    let over = position.outcome().is_some();
    let next = if over { None } else { position.on_clock() };
    let kind = Kind::Played(Played::new(author, played));
    let after = After {
        draw_offer: game.offers_after(&kind, author.side()).open().filter(|_| !over),
        ..After::of(position.as_ref(), game.updated, game.after.expires)
    };
    Ok(Draft {
        author: author.side(),
        kind,
        after,
        position: Some(position),
        time_step: TimeStep::Turn { author: author.side(), next },
    })
}

fn offer(game: &Game, side: Side, kind: Kind) -> Draft {
    let draw_offer = game.offers_after(&kind, Some(side)).open();
    let after = After { draw_offer, ..game.after.clone() };
    Draft { author: Some(side), kind, after, position: None, time_step: TimeStep::None }
}

fn end(game: &Game, side: Side, verdict: Verdict, reason: Reason) -> Draft {
    let after = ended(game, Outcome { verdict, reason, score: None });
    Draft { author: Some(side), kind: Kind::Ended, after, position: None, time_step: TimeStep::Stop }
}

fn ended(game: &Game, outcome: Outcome) -> After {
    After {
        actors: Actors::Nobody,
        draw_offer: None,
        outcome: Some(outcome),
        expires: None,
        ..game.after.clone()
    }
}
