//! What happens in a game, as its log keeps it.

use std::collections::BTreeMap;

pub use api::time_control::TimeControl;
use chassis::id::{AccountId, GameId};
use rules::{Actors, Change, Mark, Outcome, Side};
use time::OffsetDateTime;

/// What does not change about a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// Its id.
    pub id: GameId,
    /// The variant.
    pub variant: &'static str,
    /// The rule set, by name.
    pub rule_set: String,
    /// Every option with its value.
    pub options: BTreeMap<String, String>,
    /// The time control; none in an imported record.
    pub time_control: Option<TimeControl>,
    /// Whether it counts for the ratings.
    pub rated: bool,
    /// The players, first side first.
    pub seats: [Seat; 2],
    /// Where it came from.
    pub origin: Origin,
    /// When it was made.
    pub created: OffsetDateTime,
}

/// A player's place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seat {
    /// The account; none in an imported record.
    pub account: Option<AccountId>,
    /// The player's name.
    pub name: String,
    /// The player's rating when the game was made; 0 when not known.
    pub rating: u32,
}

/// Where a game came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Two players were matched.
    Match,
    /// A record was imported.
    Import,
}

/// One entry of a game's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its number, from 1.
    pub sequence: u64,
    /// When it happened.
    pub time: OffsetDateTime,
    /// Who brought it about; none when the platform did.
    pub author: Option<Side>,
    /// What happened.
    pub kind: Kind,
    /// Where the game stands after it.
    pub after: After,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The game was made.
    Created(Info),
    /// A side acted.
    Played(Played),
    /// The author offered a draw.
    DrawOffered,
    /// The author declined a draw.
    DrawDeclined,
    /// The platform was down; that time was given back.
    OutageCredited {
        /// When it went down.
        from: OffsetDateTime,
        /// When it was up again.
        until: OffsetDateTime,
    },
    /// The game ended without an act.
    Ended,
}

/// An act that the rules accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Who acted.
    pub side: Side,
    /// The act in canonical notation.
    pub text: String,
    /// What it did to the board.
    pub changes: Vec<Change>,
    /// The marks that hold from now on.
    pub marks: Vec<Mark>,
}

/// Where a game stands after an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct After {
    /// How many acts the rules have accepted.
    pub ply: u32,
    /// The name of the phase.
    pub phase: String,
    /// Who may act.
    pub actors: Actors,
    /// Both clocks; none in an imported record.
    pub clock: Option<Reading>,
    /// Whose draw offer is open.
    pub draw_offer: Option<Side>,
    /// How the game ended.
    pub outcome: Option<Outcome>,
}

/// A reading of both clocks. The game service stores and shows it; only the clock service computes with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The time of each side when its turn began, first side first.
    pub sides: [SideTime; 2],
    /// Whose clock runs, and since when.
    pub running: Option<(Side, OffsetDateTime)>,
    /// When the running side's flag falls.
    pub flag: Option<OffsetDateTime>,
    /// Grows with every change.
    pub revision: u64,
}

/// The time of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideTime {
    /// Main time left.
    pub main: std::time::Duration,
    /// Periods left.
    pub periods: u32,
}
