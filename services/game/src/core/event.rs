//! What happens in a game, as its log keeps it.

use std::{collections::BTreeMap, fmt, time::Duration};

pub use api::time_control::TimeControl;
pub use chassis::auth::Role;
use chassis::id::{AccountId, GameId};
use rules::{Actors, Author, Change, Mark, Outcome, Side, StoneColour, Variant};
use time::OffsetDateTime;

use super::{
    AdjournmentStep, ClockUpdate, Expiry, Incident, Maintenance, OfficialAct, Petition, Progress, Proposal,
    Regulations, Ruling, Stage, due::expiry,
};

/// What does not change about a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameInfo {
    /// Its id.
    pub id: GameId,
    /// The variant.
    pub variant: &'static Variant,
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
    /// What is agreed on beyond the rules.
    pub regulations: Regulations,
}

impl GameInfo {
    /// Who plays each side, first side first, in a game that has come this far: players whose colours were mixed
    /// up have changed sides.
    pub fn seats_in(&self, progress: &Progress) -> [&Seat; 2] {
        let [first, second] = &self.seats;
        if progress.arbitration.seats_swapped { [second, first] } else { [first, second] }
    }
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
    /// Who brought it about.
    pub by: By,
    /// What happened.
    pub kind: EventKind,
    /// What it did to the clocks, in order; the reading of the last one is that of `state`.
    pub clock_entries: Vec<ClockEntry>,
    /// Where the game stands after it.
    pub state: GameState,
}

/// Who brings something about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum By {
    /// The platform.
    Platform,
    /// A player.
    Side(Side),
    /// An official of the event.
    Official(Official),
}

/// Somebody who holds an office.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Official {
    /// The account.
    pub account: AccountId,
    /// The name.
    pub name: String,
    /// The office in which he acts.
    pub role: Role,
}

impl By {
    /// The player, if it was one.
    pub const fn side(&self) -> Option<Side> {
        match self {
            By::Side(side) => Some(*side),
            By::Platform | By::Official(_) => None,
        }
    }
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// The game was made.
    Created(Box<GameInfo>),
    /// A side or the house acted.
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
    Ended(Outcome),
    /// The author proposes something to the other side.
    Proposed(Proposal),
    /// A proposal is declined or taken back.
    ProposalDropped(Proposal),
    /// Both sides agree to it, or enough time has passed.
    Agreed(Proposal),
    /// The author has given time to the other side.
    TimeGiven(Duration),
    /// The author asks something of the officials, or confirms the result.
    Petitioned(Petition),
    /// An official has acted.
    Ruled(Box<Ruling>),
    /// The author has done what the rules forbid.
    ForbiddenPlayed(Box<Forbidden>),
    /// The time of something is over.
    Expired(Expiry),
    /// The author has not been seen since.
    Left {
        /// When he was last seen.
        since: OffsetDateTime,
        /// From when on the opponent may claim; none where officials decide.
        claim: Option<OffsetDateTime>,
    },
    /// The author watches again.
    Returned,
    /// The author has come to a game that waits for its start.
    CheckedIn,
    /// Play has begun at its time.
    Started,
    /// An adjournment has gone a step on.
    Adjournment(AdjournmentStep),
    /// A player is on leave, and the game rests; or none is any more.
    LeaveChanged {
        /// Whether one is.
        on_leave: bool,
        /// The entry of the event's log that this follows from.
        event_sequence: u64,
    },
    /// The platform is being worked on, and the game rests.
    MaintenanceBegun(Box<Maintenance>),
    /// It is not any more.
    MaintenanceEnded {
        /// From when on the game rested for it.
        from: OffsetDateTime,
    },
}

impl EventKind {
    /// Whether it is about who is there, and not about the game.
    pub const fn is_presence(&self) -> bool {
        matches!(self, EventKind::Left { .. } | EventKind::Returned)
    }

    /// The ply that the game goes back to, if it does.
    pub const fn goes_back_to(&self) -> Option<u32> {
        match self {
            EventKind::Agreed(Proposal::Undo(ply)) => Some(*ply),
            EventKind::Ruled(ruling) => match ruling.act {
                OfficialAct::VoidMoves(ply) => Some(ply),
                _ => None,
            },
            _ => None,
        }
    }

    /// The incident that it records, if it records one.
    pub fn incident(&self) -> Option<&Incident> {
        match self {
            EventKind::ForbiddenPlayed(forbidden) => Some(&forbidden.incident),
            EventKind::Ruled(ruling) => match &ruling.act {
                OfficialAct::RecordIncident(report) => Some(&report.incident),
                _ => None,
            },
            _ => None,
        }
    }

    /// The act that the rules have taken, if one has been played.
    pub fn played(&self) -> Option<&Played> {
        match self {
            EventKind::Played(played) => Some(played),
            EventKind::ForbiddenPlayed(forbidden) => forbidden.counts_as.as_ref(),
            _ => None,
        }
    }
}

/// An act that the rules forbid, in a game in which it has happened all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forbidden {
    /// The act as it was sent.
    pub text: String,
    /// The rule that forbids it.
    pub rule: String,
    /// What follows from it.
    pub incident: Incident,
    /// The act that it counts as, a pass or a void move.
    pub counts_as: Option<Played>,
}

impl EventKind {
    /// What is sealed in it, and kept beside it.
    pub const fn sealed(&self) -> Option<&Sealed> {
        match self {
            EventKind::Played(played) => played.sealed.as_ref(),
            EventKind::Adjournment(AdjournmentStep::Sealed(sealed)) => sealed.sealed.as_ref(),
            _ => None,
        }
    }
}

/// An act that the rules accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Who acted.
    pub author: Author,
    /// The act in canonical notation; of a sealed act what everybody may read of it.
    pub text: String,
    /// The whole of a sealed act. It is kept beside the event and never sent.
    pub sealed: Option<Sealed>,
    /// What it did to the board.
    pub changes: Vec<Change>,
    /// The marks that hold from now on.
    pub marks: Vec<Mark>,
    /// Acts that were sealed until now, by ply and in full.
    pub revealed: Vec<(u32, String)>,
}

/// The text of a sealed act, which no log line shows.
#[derive(Clone, PartialEq, Eq)]
pub struct Sealed(pub String);

impl fmt::Debug for Sealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sealed(..)")
    }
}

impl Played {
    /// What the rules answered to an act of `author`.
    pub fn new(author: Author, played: rules::Played) -> Self {
        let rules::Played { text, public, effects } = played;
        let rules::Effects { changes, marks, revealed } = effects;
        let (text, sealed) = match public {
            None => (text, None),
            Some(public) => (public, Some(Sealed(text))),
        };
        Played { author, text, sealed, changes, marks, revealed }
    }

    /// The whole act, as the rules take it.
    pub fn whole(&self) -> &str {
        self.sealed.as_ref().map_or(&self.text, |sealed| &sealed.0)
    }
}

/// Where a game stands after an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameState {
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
    /// The colour of each side, first side first; none while the game has not decided it.
    pub colours: [Option<StoneColour>; 2],
    /// When the house acts in the place of whoever has not.
    pub expires: Option<OffsetDateTime>,
    /// What is under way around the board.
    pub progress: Progress,
    /// The hash of the position; none in an imported record, and in what was written before it was kept.
    pub position_hash: Option<u64>,
}

impl GameState {
    /// Where a game stands that begins with this position, or a record that has come to it.
    pub fn of(position: &dyn rules::Game, stage: Stage, expires: Option<OffsetDateTime>) -> Self {
        GameState {
            ply: position.ply(),
            phase: position.phase().to_owned(),
            actors: position.actors(),
            clock: None,
            draw_offer: None,
            outcome: position.outcome().cloned(),
            colours: Side::BOTH.map(|side| position.colour(side)),
            expires,
            progress: Progress::new(stage),
            position_hash: None,
        }
    }

    /// Whether this is what a log says that may be from before hashes were kept.
    pub(super) fn is_said_by(&self, written: &GameState) -> bool {
        match written.position_hash {
            Some(_) => self == written,
            None => GameState { position_hash: None, ..self.clone() } == *written,
        }
    }
}

/// The event that makes a game.
pub fn creation(info: &GameInfo, position: &dyn rules::Game, update: ClockUpdate) -> Event {
    let progress = Progress::begin(info);
    let state = GameState::of(position, progress.stage, expiry(position, info.created, None));
    let state = match progress.stage {
        Stage::Waiting => GameState { actors: Actors::Nobody, expires: None, ..state },
        _ => state,
    };
    Event {
        sequence: 1,
        time: info.created,
        by: By::Platform,
        kind: EventKind::Created(Box::new(info.clone())),
        clock_entries: update.entries,
        state: GameState { clock: update.reading, progress, position_hash: Some(position.hash()), ..state },
    }
}

/// A step of the clocks and what it did. The game service stores and shows it; only the clock service computes with
/// it, and knows how it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockEntry {
    /// Whose flag has fallen by it.
    pub fallen: Option<Side>,
    /// The whole of it.
    pub written: Vec<u8>,
}

/// A reading of both clocks. The game service stores and shows it; only the clock service computes with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The time of each side when its turn began, first side first.
    pub sides: [SideTime; 2],
    /// Whose clock runs, and since when.
    pub running: Option<(Side, OffsetDateTime)>,
    /// Why the clocks are paused, by the numbers of the clock service.
    pub pauses: Vec<i32>,
    /// Whose clock runs when the last pause ends, and since when it is held.
    pub held: Option<(Side, OffsetDateTime)>,
    /// What the turn had been charged before its clock last began to run.
    pub used: std::time::Duration,
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
    /// What is left of a period in which several moves are due.
    pub of_period: std::time::Duration,
    /// How many moves are due in it.
    pub moves: u32,
    /// How much network lag may still be compensated.
    pub lag_quota: std::time::Duration,
}
