//! Leave: a time for which a player, or a team, has said ahead that it does not play.
//!
//! What was to be arranged or answered at a board has so much more time as either of its sides is on leave within it; that
//! follows from the leave that the log has, whenever it is asked for, and is written nowhere. Correspondence games rest: that
//! leave has begun, or is over, is an entry, by which their own logs are told.

mod decide;
mod due;
mod fold;
mod span;
pub(super) mod verify;

use std::{collections::BTreeMap, time::Duration};

use api::time_control::{Control, TimeControl};
use chassis::id::RequestId;
use pairing::Number;
use time::OffsetDateTime;

pub use self::{
    decide::NewLeave,
    span::{Span, counted, moved, united},
};
use super::{BadSettings, BoardId, Sealed, Settings, settings::ensure};

/// The most leave that can be given to somebody in an event: a leap year.
pub const BUDGET_MAX: Duration = Duration::from_hours(366 * 24);
/// How far ahead it is announced if nobody says otherwise.
pub const NOTICE: Duration = Duration::from_hours(24);
/// The furthest that can be asked for: as long as the longest window.
pub const NOTICE_MAX: Duration = super::arranging::WINDOW_MAX;
/// The shortest leave if nobody says otherwise.
pub const SHORTEST: Duration = Duration::from_hours(24);
/// The shortest that can be: the server looks once a second, and a trial of the settings takes no days.
pub const SHORTEST_MIN: Duration = Duration::from_secs(1);
/// The longest leave at once: who is away for longer has left.
pub const LONGEST_MAX: Duration = super::arranging::WINDOW_MAX;
/// How often it is taken if nobody says otherwise.
pub const SPANS: u32 = 4;
/// The most often: each moves deadlines of others.
pub const SPANS_MAX: u32 = 50;
/// How often somebody can take leave and take it back: all of it stays in the log for good.
pub const TAKEN_MAX: usize = 100;
/// How far ahead it can be taken: no season is longer.
pub const AHEAD_MAX: Duration = Duration::from_hours(366 * 24);
/// How much later something is by leave at most: as much as a board can be postponed. Who takes more holds up others.
pub const MOVED_MAX: Duration = super::arranging::WINDOW_MAX;

/// Which leave can be taken in an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaveSettings {
    /// How much a player takes.
    pub player: Duration,
    /// How much a team takes besides.
    pub team: Duration,
    /// How far ahead it is announced at least.
    pub notice: Duration,
    /// The shortest.
    pub shortest: Duration,
    /// The longest at once.
    pub longest: Duration,
    /// How often.
    pub spans_max: u32,
}

/// Whose leave it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Whose {
    /// A player's.
    Player(Number),
    /// A team's: of all its players.
    Team(Number),
}

/// What happened about leave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeaveFact {
    /// It is taken, or granted.
    Taken {
        /// Its number, from 1 in order.
        leave: u32,
        /// Whose.
        whose: Whose,
        /// When.
        span: Span,
        /// Why the chief arbiter grants it, beside the log; none where it is taken.
        reason: Option<Sealed>,
    },
    /// It is ended early, or taken back.
    Ended {
        /// Which.
        leave: u32,
        /// From when on it does not hold; its beginning where it had not begun.
        until: OffsetDateTime,
        /// Why the chief arbiter ends it, beside the log; none where it is one's own.
        reason: Option<Sealed>,
    },
    /// It begins, and games rest.
    Begun {
        /// Which.
        leave: u32,
    },
    /// It is over, and games go on.
    Over {
        /// Which.
        leave: u32,
    },
}

/// Leave that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leave {
    /// Its number.
    pub number: u32,
    /// Whose.
    pub whose: Whose,
    /// When; of what was ended early as long as it was.
    pub span: Span,
    /// Whether the chief arbiter has granted it: then it takes nothing of the budget.
    pub granted: bool,
    /// Whether it was ended before its time.
    pub ended: bool,
    /// By which request it was taken.
    pub request: Option<RequestId>,
    /// The entry by which games rest; none where none do.
    begun: Option<u64>,
    /// The entry by which they go on.
    over: Option<u64>,
}

/// How far leave has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaveState {
    /// It has not begun.
    Announced,
    /// It holds.
    On,
    /// It is over.
    Over,
    /// It was taken back before it began.
    Cancelled,
}

/// The leave of an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Leaves {
    /// All that was taken, in the order of numbers.
    pub all: Vec<Leave>,
    /// Whose it is, by its place.
    of: BTreeMap<Whose, Vec<usize>>,
}

/// What somebody can still take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeaveLeft {
    /// How much.
    pub time: Duration,
    /// How often.
    pub spans: u32,
}

/// Why leave is not taken or ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Leaveless {
    /// The event has none for him.
    #[error("the event has no leave for {0}")]
    None(&'static str),
    /// It would begin, or be over, in the past.
    #[error("leave does not begin or end in the past")]
    Past,
    /// It is announced too late.
    #[error("leave is announced at least {} ahead", super::supplement::span(*.0))]
    TooLate(Duration),
    /// It is too far ahead.
    #[error("leave is taken at most a year ahead")]
    TooFar,
    /// It is too short or too long.
    #[error(
        "leave is of {} at least and of {} at most",
        super::supplement::span(.0[0]),
        super::supplement::span(.0[1])
    )]
    Length([Duration; 2]),
    /// More than is left.
    #[error("{} of leave are left", super::supplement::span(*.0))]
    OverBudget(Duration),
    /// It was taken as often as it may be.
    #[error("leave was taken {0} times, as often as it may be")]
    TooOften(u32),
    /// There is leave already.
    #[error("it overlaps with leave {0}")]
    Overlaps(u32),
    /// A time that was agreed on falls into it.
    #[error("round {}, table {} is to begin within it, at {at}: agree on another time first", .board.round, .board.table)]
    OverAgreedTime {
        /// Of which board.
        board: BoardId,
        /// When it is to begin.
        at: OffsetDateTime,
    },
    /// There is none of this number.
    #[error("there is no such leave")]
    Unknown,
    /// It is over.
    #[error("it is over")]
    Over,
    /// It is somebody else's.
    #[error("only who has taken it, and the chief arbiter with a reason, ends it")]
    NotOwn,
}

impl LeaveSettings {
    /// Makes sure that it makes sense with the rest of the settings.
    pub(super) fn check(&self, settings: &Settings) -> Result<(), BadSettings> {
        let used = settings.arranging.is_some() || settings.has_correspondence();
        ensure(used, "leave", || "only where games are arranged, or played by correspondence".to_owned())?;
        let budgets = [
            (self.player, "leave.player_budget_duration", true),
            (self.team, "leave.team_budget_duration", settings.teams.is_some()),
        ];
        for (budget, field, is_possible) in budgets {
            ensure(budget.is_zero() || is_possible, field, || "only where there are teams".to_owned())?;
            let known = budget.is_zero() || (self.shortest..=BUDGET_MAX).contains(&budget);
            ensure(known, field, || "no less than the shortest leave, and at most 366 days".to_owned())?;
        }
        let some = !(self.player.is_zero() && self.team.is_zero());
        ensure(some, "leave.player_budget_duration", || "somebody must be able to take leave".to_owned())?;
        let ahead = self.notice <= NOTICE_MAX;
        ensure(ahead, "leave.notice_duration", || "at most 90 days".to_owned())?;
        let short = self.shortest >= SHORTEST_MIN;
        ensure(short, "leave.shortest_duration", || "at least a second".to_owned())?;
        let long = (self.shortest..=LONGEST_MAX).contains(&self.longest);
        ensure(long, "leave.longest_duration", || {
            "no less than the shortest, and at most 90 days".to_owned()
        })?;
        let spans = (1..=SPANS_MAX).contains(&self.spans_max);
        ensure(spans, "leave.spans_max", || format!("1 to {SPANS_MAX} times"))
    }

    /// The budget of somebody.
    const fn budget(&self, whose: Whose) -> Duration {
        match whose {
            Whose::Player(_) => self.player,
            Whose::Team(_) => self.team,
        }
    }
}

impl Settings {
    /// Whether games of it can be by correspondence, and rest while a player is on leave.
    pub fn has_correspondence(&self) -> bool {
        let play_off = self.play_off.as_ref().is_some_and(|it| by_correspondence(it.time_control));
        play_off || by_correspondence(self.game.time_control)
    }
}

/// Whether a side has days for a move.
pub(super) fn by_correspondence(control: TimeControl) -> bool {
    let days = |control: Control| matches!(control, Control::Correspondence { .. });
    days(control.first) || days(control.second)
}

impl Leave {
    /// How far it has come.
    pub fn state(&self, now: OffsetDateTime) -> LeaveState {
        match () {
            () if self.span.from == self.span.until => LeaveState::Cancelled,
            () if self.span.until <= now => LeaveState::Over,
            () if self.span.from <= now => LeaveState::On,
            () => LeaveState::Announced,
        }
    }

    /// Whether games rest for it.
    const fn holds_games(&self) -> bool {
        self.begun.is_some() && self.over.is_none()
    }
}

impl Leaves {
    /// The leave of somebody, in the order in which it was taken.
    pub fn of(&self, whose: Whose) -> impl Iterator<Item = &Leave> {
        self.of.get(&whose).into_iter().flatten().filter_map(|place| self.all.get(*place))
    }

    /// The leave of a number.
    pub fn find(&self, number: u32) -> Option<&Leave> {
        self.all.get((number as usize).wrapping_sub(1))
    }
}
