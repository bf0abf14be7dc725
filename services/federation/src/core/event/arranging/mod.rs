//! Games that players arrange among themselves: a round is open for days or weeks, and a board is played when its two
//! players, or the captains of their teams, have agreed on a time.
//!
//! A board that is to be arranged has no game. A side proposes times, at one of which the other has it postponed by
//! accepting; from there on it is a postponed board as any other. What nobody has agreed on when the time for it is over
//! becomes what the settings say, by the server.

mod decide;
mod due;
mod engaged;
mod fold;
pub(super) mod verify;

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use chassis::id::EventId;
use pairing::Number;
use time::OffsetDateTime;

pub use engaged::{Engagement, Engagements};

use super::{
    BadSettings, BoardId, Format, Settings,
    leave::{self, Span},
    round::BoardState,
    settings::{ANSWER_MAX, ANSWER_MIN, ensure},
};

/// The shortest time for which a round is open: the server looks once a second, and an evening among friends or a trial of
/// the settings takes no days.
pub const WINDOW_MIN: Duration = Duration::from_secs(1);
/// The longest: a board can be postponed no further.
pub const WINDOW_MAX: Duration = super::schedule::POSTPONED_MAX;
/// How far ahead a time is proposed at least if nobody says otherwise.
pub const LEAD: Duration = Duration::from_hours(24);
/// The most that can be asked of it: two weeks are longer than anybody plans.
pub const LEAD_MAX: Duration = Duration::from_hours(14 * 24);
/// How long a proposal waits for its answer if nobody says otherwise.
pub const ANSWER: Duration = Duration::from_hours(48);
/// How many times are proposed at once if nobody says otherwise.
pub const TIMES: u32 = 3;
/// The most that are proposed at once: more is a calendar, and each stays in the log for good.
pub const TIMES_MAX: u32 = 10;
/// How many times who has tried has proposed if nobody says otherwise.
pub const TRIED: u32 = 3;
/// The most that can be asked of who has tried: as often as a side can propose, and once each.
pub const TRIED_MAX: u32 = super::schedule::ASKS_MAX;
/// The most reminders of a board: each is an entry of the log.
pub const REMINDERS_MAX: usize = 5;
/// The shortest time before the deadline for which there is a reminder: what comes later is read after it.
pub const REMINDER_MIN: Duration = Duration::from_secs(1);

/// How the games of an event are arranged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arranging {
    /// How long after it has begun a round is open for its games to begin.
    pub window: Duration,
    /// How far ahead a proposed time is at least.
    pub lead: Duration,
    /// How long a proposal waits for its answer.
    pub answer_within: Duration,
    /// How many times a side proposes at once.
    pub times_max: u32,
    /// How long before the deadline players are reminded, the longest first.
    pub reminders: Vec<Duration>,
    /// Whether later rounds do not wait for its boards.
    pub overlaps: bool,
    /// Whether a match of teams is played at one time, on which its captains agree.
    pub by_match: bool,
    /// What becomes of what nobody has arranged.
    pub otherwise: Otherwise,
}

/// What becomes of a board that nobody has arranged in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Otherwise {
    /// It goes to the side that has tried, if the other has not.
    Effort {
        /// Who has proposed so many times has tried.
        times: u32,
        /// Whether it is void where both have tried or neither has; else both lose by forfeit.
        void: bool,
    },
    /// It begins at a set time, so long after the round.
    Default {
        /// How long.
        after: Duration,
    },
    /// An arbiter decides.
    Arbiter,
}

/// What happened about the time of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArrangingFact {
    /// A side proposes times, in the place of what it has proposed before.
    Proposed {
        /// For which board.
        board: BoardId,
        /// Which side: its player at the board.
        number: Number,
        /// When, the earliest first.
        times: Vec<OffsetDateTime>,
        /// Until when it can be answered.
        until: OffsetDateTime,
    },
    /// What became of a proposal. Where it is accepted, that the boards are postponed to the time follows.
    Answered {
        /// For which board it was.
        board: BoardId,
        /// Whose it was.
        number: Number,
        /// What became of it.
        answer: ProposalAnswer,
    },
    /// The players are reminded to arrange their board.
    Reminded {
        /// Which.
        board: BoardId,
        /// Until when they can.
        deadline: OffsetDateTime,
    },
    /// Nobody has arranged it, and an arbiter is to decide.
    LeftToArbiter {
        /// Which.
        board: BoardId,
    },
}

/// What became of a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProposalAnswer {
    /// One of its times is accepted.
    Accepted,
    /// All of them are declined.
    Declined,
    /// Nobody has answered in time.
    Lapsed,
    /// It is taken back.
    Withdrawn,
}

/// What one side proposes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// When, the earliest first.
    pub times: Vec<OffsetDateTime>,
    /// Until when it can be answered.
    pub until: OffsetDateTime,
    /// Whether the other side has the whole time for its answer that the settings say.
    pub(super) is_whole: bool,
    /// Since when it waits.
    made: OffsetDateTime,
}

/// How the arranging of a board stands; where a match is played at one time, that of its first board counts for all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrangement {
    /// The table whose arrangement counts for this board.
    pub agreed_at: u32,
    /// Until when the game can begin by agreement.
    pub closes: OffsetDateTime,
    /// When the server does what the settings say.
    pub deadline: OffsetDateTime,
    /// What is proposed and not answered, by the player of each side.
    pub proposals: BTreeMap<Number, Proposal>,
    /// Whether it waits for an arbiter.
    pub left_to_arbiter: bool,
    /// Since when it is open.
    opened: OffsetDateTime,
    /// Whether later rounds do not wait for the board.
    overlaps: bool,
    /// What each side has proposed in vain.
    tried: BTreeMap<Number, BTreeSet<OffsetDateTime>>,
    /// How often each side has proposed.
    asks: BTreeMap<Number, u32>,
    /// Up to when reminders are given.
    reminded: OffsetDateTime,
}

/// Why a board is not arranged so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unarrangeable {
    /// Games of the event are not arranged.
    #[error("the games of this event are played when their round begins")]
    NotArranged,
    /// The board has a result, its game has begun, or its round has not.
    #[error("there is nothing to arrange: the board has a result or its game, or its round has not begun")]
    NotOpen,
    /// He has no part in the board.
    #[error("the two players of the board arrange it, and the captains of their teams for them")]
    NotAtBoard,
    /// The captains agree for all boards of a match.
    #[error("the match is played at one time, on which the captains of the two teams agree")]
    ByCaptains,
    /// The time is over.
    #[error("that time has passed")]
    Past,
    /// The time is too near.
    #[error("a time is proposed at least {} ahead", super::supplement::span(*.0))]
    TooSoon(Duration),
    /// One of the two sides is on leave then.
    #[error("one of the two sides is on leave until {0}")]
    OnLeave(OffsetDateTime),
    /// The time is after the round is closed.
    #[error("the round is open for games that begin until {0}; another time is for an arbiter to allow")]
    Outside(OffsetDateTime),
    /// Too many times at once.
    #[error("at most {0} times are proposed at once")]
    TooMany(u32),
    /// Somebody of the side plays at another board then; where, if it is he himself who asks.
    #[error("number {0} plays at another board then{where}", where = elsewhere(*.1))]
    Engaged(Number, Option<(EventId, BoardId)>),
    /// Nobody has proposed that.
    #[error("there is no such proposal, or none any more")]
    NoProposal,
}

fn elsewhere(place: Option<(EventId, BoardId)>) -> String {
    let said = |(event, board): (EventId, BoardId)| {
        format!(": round {}, table {} of the event {event}", board.round, board.table)
    };
    place.map(said).unwrap_or_default()
}

impl Arranging {
    /// Makes sure that it makes sense with the rest of the settings.
    pub(super) fn check(&self, settings: &Settings) -> Result<(), BadSettings> {
        use Format::{Arena, Grading, MacMahon, RoundRobin, Swiss};
        let window = (WINDOW_MIN..=WINDOW_MAX).contains(&self.window);
        ensure(window, "arranging.window_duration", || "a second to 90 days".to_owned())?;
        let lead = self.lead <= LEAD_MAX && self.lead < self.window;
        ensure(lead, "arranging.lead_duration", || "at most 14 days, and less than the window".to_owned())?;
        let answered = (ANSWER_MIN..=ANSWER_MAX).contains(&self.answer_within);
        ensure(answered, "arranging.answer_duration", || "a second to 30 days".to_owned())?;
        let times = (1..=TIMES_MAX).contains(&self.times_max);
        ensure(times, "arranging.times_max", || format!("1 to {TIMES_MAX} times"))?;
        let few = self.reminders.len() <= REMINDERS_MAX;
        ensure(few, "arranging.reminder_durations", || format!("at most {REMINDERS_MAX}"))?;
        let falling = self.reminders.is_sorted_by(|one, next| one > next);
        let known = falling && self.reminders.iter().all(|it| (REMINDER_MIN..self.window).contains(it));
        ensure(known, "arranging.reminder_durations", || {
            "the longest first, each of a second at least and less than the window".to_owned()
        })?;
        // What is played elsewhere follows from every result of the round before.
        let can_overlap =
            matches!(settings.format, Swiss { .. } | RoundRobin { .. } | MacMahon { .. } | Grading { .. });
        ensure(!self.overlaps || can_overlap, "arranging.overlaps", || {
            "in this format each round follows from what came of the one before".to_owned()
        })?;
        let apart = settings.format != Arena;
        ensure(apart, "arranging", || "in an arena each game waits for the one before it".to_owned())?;
        let meets = settings.teams.as_ref().is_some_and(super::TeamSettings::meet);
        ensure(!self.by_match || meets, "arranging.by_match", || "only where teams meet teams".to_owned())?;
        match self.otherwise {
            Otherwise::Effort { times, .. } => {
                let known = (1..=TRIED_MAX).contains(&times);
                ensure(known, "arranging.by_effort.times", || format!("1 to {TRIED_MAX} times"))
            }
            Otherwise::Default { after } => {
                let known = !after.is_zero() && after <= self.window;
                ensure(known, "arranging.by_default.after_duration", || "within the window".to_owned())
            }
            Otherwise::Arbiter => Ok(()),
        }
    }
}

impl Arrangement {
    /// As it is when a board opens.
    fn opened(settings: &Arranging, agreed_at: u32, at: OffsetDateTime) -> Arrangement {
        let deadline = match settings.otherwise {
            Otherwise::Default { after } => at + after,
            Otherwise::Effort { .. } | Otherwise::Arbiter => at + settings.window,
        };
        Arrangement {
            agreed_at,
            closes: at + settings.window,
            deadline,
            proposals: BTreeMap::new(),
            left_to_arbiter: false,
            opened: at,
            overlaps: settings.overlaps,
            tried: BTreeMap::new(),
            asks: BTreeMap::new(),
            reminded: at,
        }
    }

    /// As it is when it opens at another time; what was proposed in vain stays known.
    pub(super) fn open_anew(&mut self, settings: &Arranging, at: OffsetDateTime) {
        let (tried, asks) = (std::mem::take(&mut self.tried), std::mem::take(&mut self.asks));
        *self = Arrangement { tried, asks, ..Arrangement::opened(settings, self.agreed_at, at) };
    }

    /// The same with so much more time as its sides are away within it.
    fn moved(&self, away: &[Span]) -> Arrangement {
        let later = |from, until| leave::moved(from, until, away).min(until + leave::MOVED_MAX);
        let mut moved = self.clone();
        moved.closes = later(self.opened, self.closes);
        moved.deadline = later(self.opened, self.deadline);
        for proposal in moved.proposals.values_mut() {
            let last = proposal.times.last().copied().unwrap_or(proposal.until);
            proposal.until = later(proposal.made, proposal.until).min(last.max(proposal.until));
        }
        moved
    }

    /// How many different times a side has proposed in vain.
    fn tried(&self, side: Number) -> usize {
        self.tried.get(&side).map_or(0, BTreeSet::len)
    }
}

impl BoardState {
    /// Whether its players can still agree on when it is played: it has no game yet, and nothing came of it.
    pub fn is_to_be_arranged(&self) -> bool {
        let is_open = self.result.is_none() || self.postponed.is_some();
        self.arrangement.is_some() && self.started.is_none() && is_open
    }

    /// Whether later rounds do not wait for it, however it stands.
    pub(super) fn is_overlapped(&self) -> bool {
        self.arrangement.as_ref().is_some_and(|it| it.overlaps)
    }
}
