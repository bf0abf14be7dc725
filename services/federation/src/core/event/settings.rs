//! What an event is: its game, its format and its readings. Adopted by the committee, it is the supplement (31.1).

use std::{collections::BTreeMap, time::Duration};

use api::time_control::TimeControl;
use pairing::{ColourLaw, FirstRound, grading::GradeBy, standings::Cycles};
use rules::{RuleSet, Variant};
use time::OffsetDateTime;

use super::{
    TeamSettings, arranging::Arranging, handicap, leave::LeaveSettings, play_off::PlayOffSettings,
    readings::Readings, zone,
};
use crate::core::document::{self, LANGUAGES_RULE};

/// Events of a federation that are not over: more than any federation runs, few enough to be listed.
pub const EVENTS_OPEN_MAX: u64 = 200;
/// The most rounds of an event.
pub const ROUNDS_MAX: u16 = 100;
/// The most who can enter: the most that can be paired.
pub const ENTRIES_MAX: u32 = 16_384;
/// The most who can enter where all meet all: 100 rounds twice would be more than anybody plays.
pub const ROBIN_MAX: u32 = 100;
/// The most games of a match of two.
pub const GAMES_MAX: u32 = 50;
/// The longest text that an event adds to its supplement, in characters.
pub const TEXT_CHARS_MAX: usize = 20_000;
/// The longest delay of a broadcast: as long as a game's.
pub const DELAY_MAX: Duration = Duration::from_hours(1);
/// The longest time for an appeal.
pub const APPEAL_MAX: Duration = Duration::from_hours(7 * 24);
/// How long after a ruling, not after the game, it can be appealed against, if nobody says otherwise (1.10, 33).
pub const APPEAL: Duration = Duration::from_mins(30);
/// The most losses after which a player is out: more is a league.
pub const LIVES_MAX: u8 = 5;
/// The most losses for which there is a bracket.
pub const BRACKET_LIVES_MAX: u8 = 2;
/// The most who can enter where there is no bracket: where nothing less than rematches helps, everybody is paired with
/// everybody in one pool.
pub const LIVES_ENTRIES_MAX: u32 = 128;
/// How far a challenge goes on a ladder if nobody says otherwise.
pub const REACH: u32 = 3;
/// The furthest that a challenge goes.
pub const REACH_MAX: u32 = 100;
/// How long a challenge waits for its answer if nobody says otherwise.
pub const ANSWER: Duration = Duration::from_hours(7 * 24);
/// The shortest time for an answer: how long is fair is for the event to say, and one that is tried out takes no days.
pub const ANSWER_MIN: Duration = Duration::from_secs(1);
/// The longest time for an answer: whoever does not answer keeps two places of the ladder from moving.
pub const ANSWER_MAX: Duration = Duration::from_hours(30 * 24);
/// How late a player may be at most.
pub const LATENESS_MAX: Duration = Duration::from_hours(24);

/// What an event is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The game that is played.
    pub game: GameSettings,
    /// Who meets whom.
    pub format: Format,
    /// How the printed rules are read.
    pub readings: Readings,
    /// Who can enter.
    pub entries: EntrySettings,
    /// When rounds begin.
    pub schedule: Schedule,
    /// How much later than the players everybody else sees games and results.
    pub broadcast_delay: Duration,
    /// Whether a player may watch other games of the event while his own runs (1.10, 30); off.
    pub watch_while_playing: bool,
    /// How long after a ruling it can be appealed against.
    pub appeal_within: Duration,
    /// What else the supplement says.
    pub text: String,
    /// What it asks of teams; none where players enter for themselves.
    pub teams: Option<TeamSettings>,
    /// How shared places are played for; none where they are not.
    pub play_off: Option<PlayOffSettings>,
    /// How its games are arranged by their players; none where the boards of a round are played when it begins.
    pub arranging: Option<Arranging>,
    /// Which leave can be taken in it; none where none can.
    pub leave: Option<LeaveSettings>,
    /// The languages of its papers, as tags; none for those that papers have of which nobody says any.
    pub languages: Vec<String>,
}

/// The game that is played at every board.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a regulation that an event has or has not")]
pub struct GameSettings {
    /// The variant.
    pub variant: &'static Variant,
    /// The rule set.
    pub rule_set: String,
    /// Every option with its value.
    pub options: BTreeMap<String, String>,
    /// The time of both sides.
    pub time_control: TimeControl,
    /// Whether games count for the ratings.
    pub rated: bool,
    /// How late a player may be (Art. 23).
    pub lateness: Duration,
    /// Whether a result is final only once an arbiter has confirmed it, too.
    pub arbiter_confirms: bool,
    /// How many warnings lose a game; none for as many as the variant's rules say.
    pub warnings_max: Option<u32>,
    /// Whether games can be adjourned with a sealed move.
    pub adjournable: bool,
    /// Whether forbidden acts happen as on a board, and the printed rules say what follows.
    pub illegal_as_on_board: bool,
    /// Whether the players can write to each other.
    pub player_chat: bool,
}

/// Who meets whom (1.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// 积分编排.
    Swiss {
        /// How many rounds.
        rounds: u16,
    },
    /// 循环制, 双循环.
    RoundRobin {
        /// Once or twice.
        cycles: Cycles,
    },
    /// 单败, 双败, 多败淘汰.
    KnockOut {
        /// How many losses put a player out.
        lives: u8,
        /// Whether the losers of the half-finals play for the third place.
        third_place: bool,
    },
    /// 多局决胜制 and 十局制.
    Match {
        /// Best of so many.
        games: u32,
        /// Whether all are played, decided or not.
        play_all: bool,
    },
    /// MacMahon.
    MacMahon {
        /// How many rounds.
        rounds: u16,
        /// The grade from which all begin alike.
        bar: i32,
        /// The grade below which all begin alike.
        floor: i32,
        /// By how much the handicap is less than the difference.
        reduction: u32,
        /// The greatest handicap.
        handicap_max: u32,
    },
    /// 段、级位比赛.
    Grading {
        /// How many rounds.
        rounds: u16,
        /// What is counted.
        by: GradeBy,
        /// How much of it promotes.
        needed: u32,
    },
    /// 擂台赛, of two teams.
    Arena,
    /// A challenge ladder.
    Ladder {
        /// How many rounds.
        rounds: u16,
        /// How many places upwards a challenge may go.
        reach: u32,
        /// How long who is challenged has to answer; none where every challenge is accepted as it is made, as in events
        /// that began before there were answers.
        answer_within: Option<Duration>,
    },
}

/// Who can enter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntrySettings {
    /// How many.
    pub max: u32,
    /// Until when, with the offset in which that is told; none for until the first round.
    pub until: Option<OffsetDateTime>,
    /// The last round before which somebody can still come in (1.7); 0 for nobody.
    pub late_until_round: u16,
}

/// When rounds begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The zone in which the event thinks, by its IANA name; times are shown to players in theirs.
    pub zone: String,
    /// What begins a round.
    pub starts: Starts,
    /// When the rounds begin that have a time, from the first on; with the offset in which they are told.
    pub rounds: Vec<OffsetDateTime>,
    /// Whether players say before each round that they are there.
    pub check_in: bool,
    /// The rest between the end of a round and the next.
    pub rest: Duration,
}

/// What begins a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Starts {
    /// The chief arbiter says so.
    ByHand,
    /// Its time.
    BySchedule,
    /// The end of the round before, after the rest.
    WhenComplete,
}

/// Settings that make no sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub struct BadSettings {
    /// The field at fault.
    pub field: &'static str,
    /// One sentence for a person.
    pub detail: String,
}

impl Settings {
    /// Makes sure that they make sense together and keep the limits.
    ///
    /// # Errors
    /// The first that does not.
    pub fn check(&self, now: OffsetDateTime) -> Result<(), BadSettings> {
        self.game.check()?;
        self.format.check()?;
        self.schedule.check(self.format.rounds(), now)?;
        if let Format::MacMahon { handicap_max, .. } = self.format {
            ensure(handicap::is_possible(&self.game, handicap_max), "format.handicap_max", || {
                "the game has no such handicap".to_owned()
            })?;
        }
        ensure(!self.schedule.check_in || self.format.leaves_out(), "schedule.check_in", || {
            "only where a round can be played without somebody".to_owned()
        })?;
        let most = match self.format {
            // Every round opens a link of the chain of seeds, and twice as many meet all others twice.
            Format::RoundRobin { cycles: Cycles::Double } => ROBIN_MAX / 2,
            Format::RoundRobin { .. } => ROBIN_MAX,
            Format::Match { .. } | Format::Arena => 2,
            Format::KnockOut { lives, .. } if lives > BRACKET_LIVES_MAX => LIVES_ENTRIES_MAX,
            _ => ENTRIES_MAX,
        };
        ensure((2..=most).contains(&self.entries.max), "entries.max", || format!("2 to {most} can enter"))?;
        match &self.teams {
            Some(teams) => teams.check(&self.format, self.entries.max)?,
            None => ensure(self.format != Format::Arena, "teams", || "an arena is of teams".to_owned())?,
        }
        self.play_off.as_ref().map_or(Ok(()), |it| it.check(self))?;
        self.arranging.as_ref().map_or(Ok(()), |it| it.check(self))?;
        self.leave.as_ref().map_or(Ok(()), |it| it.check(self))?;
        let until = self.entries.until.is_none_or(|until| until > now);
        ensure(until, "entries.until_time", || "the time to enter is over already".to_owned())?;
        ensure(self.broadcast_delay <= DELAY_MAX, "broadcast_delay_duration", || "at most 1 h".to_owned())?;
        let appeal = (Duration::from_mins(1)..=APPEAL_MAX).contains(&self.appeal_within);
        ensure(appeal, "appeal_duration", || "a minute to 7 days".to_owned())?;
        let languages = document::are_languages(&self.languages);
        ensure(languages, "languages", || LANGUAGES_RULE.to_owned())?;
        let chars = self.text.chars().count();
        ensure(chars <= TEXT_CHARS_MAX, "text", || format!("{chars} characters, at most {TEXT_CHARS_MAX}"))
    }

    /// The same with its times told in its zone, as the supplement has them.
    #[must_use]
    pub fn in_zone(mut self) -> Settings {
        let zone = &self.schedule.zone;
        for time in self.schedule.rounds.iter_mut().chain(&mut self.entries.until) {
            *time = zone::local(*time, zone);
        }
        self
    }

    /// What a Swiss of this game is by the game's own rules (1.4): colours by need in Go and Jiu, by parity in Jirige, by
    /// the game itself where it is decided there who moves first.
    pub fn colours_of_game(&self) -> (ColourLaw, FirstRound) {
        match self.game.variant.moves_first {
            None => (ColourLaw::Open, FirstRound::Draw),
            Some(_) if self.game.variant.id == "jirige" => (ColourLaw::Parity, FirstRound::OddEven),
            Some(_) => (ColourLaw::Balance, FirstRound::Draw),
        }
    }

    /// Whether anything of the event is drawn by lot, so that its seed must be committed to before it begins.
    pub fn draws_lots(&self) -> bool {
        let swiss = self.readings.swiss(self.colours_of_game());
        match self.format {
            _ if self.format.leaves_out() => {
                swiss.first_round == FirstRound::Draw || swiss.colours != ColourLaw::Open
            }
            _ => true,
        }
    }
}

impl GameSettings {
    pub(super) fn check(&self) -> Result<(), BadSettings> {
        let asked =
            RuleSet { id: self.rule_set.clone(), options: self.options.clone().into_iter().collect() };
        if let Err(error) = (self.variant.start)(&asked) {
            return Err(BadSettings { field: "game.options", detail: error.to_string() });
        }
        if let Err(bad) = self.time_control.at_least(self.variant.main_time_min) {
            return Err(BadSettings { field: "game.time_control", detail: bad.to_string() });
        }
        ensure(self.lateness <= LATENESS_MAX, "game.lateness_duration", || "at most 24 h".to_owned())?;
        let warnings = self.warnings_max.is_none_or(|max| (1..=100).contains(&max));
        ensure(warnings, "game.warnings_max", || "1 to 100".to_owned())
    }
}

impl Format {
    /// Whether a round can be played without somebody, and somebody can come in later.
    pub const fn leaves_out(&self) -> bool {
        matches!(self, Format::Swiss { .. } | Format::MacMahon { .. } | Format::Grading { .. })
    }

    /// How many rounds it has where that is declared beforehand.
    pub const fn rounds(&self) -> Option<u16> {
        match self {
            Format::Swiss { rounds }
            | Format::MacMahon { rounds, .. }
            | Format::Grading { rounds, .. }
            | Format::Ladder { rounds, .. } => Some(*rounds),
            _ => None,
        }
    }

    /// The same with a time for the answers to challenges where none is said: what it was `before`, or the usual one.
    #[must_use]
    pub fn with_answers(self, before: Option<&Format>) -> Format {
        match (self, before) {
            (Format::Ladder { rounds, reach, answer_within: None }, before) => {
                let answer_within = match before {
                    Some(Format::Ladder { answer_within, .. }) => *answer_within,
                    _ => Some(ANSWER),
                };
                Format::Ladder { rounds, reach, answer_within }
            }
            (other, _) => other,
        }
    }

    /// How many rounds it can have with so many who enter, where that follows from their number.
    pub(super) fn rounds_at_most(&self, entrants: u32) -> u32 {
        match self {
            Format::RoundRobin { cycles } => {
                cycles.count() * (entrants.next_multiple_of(2).saturating_sub(1))
            }
            _ => self.rounds().map_or(0, u32::from),
        }
    }

    fn check(&self) -> Result<(), BadSettings> {
        if let Some(rounds) = self.rounds() {
            let known = (1..=ROUNDS_MAX).contains(&rounds);
            ensure(known, "format.rounds", || format!("1 to {ROUNDS_MAX} rounds"))?;
        }
        match *self {
            Format::KnockOut { lives, third_place } => {
                ensure((1..=LIVES_MAX).contains(&lives), "format.lives", || {
                    format!("1 to {LIVES_MAX} losses")
                })?;
                ensure(lives == 1 || !third_place, "format.third_place", || "only after one loss".to_owned())
            }
            Format::Ladder { reach, answer_within, .. } => {
                let known = (1..=REACH_MAX).contains(&reach);
                ensure(known, "format.reach", || format!("1 to {REACH_MAX} places upwards"))?;
                let answered = answer_within.is_none_or(|it| (ANSWER_MIN..=ANSWER_MAX).contains(&it));
                ensure(answered, "format.answer_duration", || "a second to 30 days".to_owned())
            }
            Format::Match { games, .. } => {
                ensure((1..=GAMES_MAX).contains(&games), "format.games", || format!("1 to {GAMES_MAX} games"))
            }
            Format::MacMahon { bar, floor, .. } => {
                ensure(floor < bar, "format.floor", || "the floor is below the bar".to_owned())
            }
            Format::Grading { needed, .. } => {
                ensure(needed > 0, "format.needed", || "nobody is promoted for nothing".to_owned())
            }
            _ => Ok(()),
        }
    }
}

impl Schedule {
    fn check(&self, rounds: Option<u16>, now: OffsetDateTime) -> Result<(), BadSettings> {
        let most = usize::from(rounds.unwrap_or(ROUNDS_MAX));
        ensure(self.rounds.len() <= most, "schedule.round_times", || format!("at most {most} rounds"))?;
        let rising = self.rounds.windows(2).all(|pair| pair[0] < pair[1]);
        ensure(rising, "schedule.round_times", || "each round begins after the one before".to_owned())?;
        let ahead = self.rounds.first().is_none_or(|first| *first > now);
        ensure(ahead, "schedule.round_times", || "the first round would begin in the past".to_owned())?;
        ensure(zone::is_known(&self.zone), "schedule.zone", || {
            format!("the zone {:?} is not known; say \"Asia/Shanghai\"", self.zone)
        })?;
        let timed = self.starts != Starts::BySchedule || !self.rounds.is_empty();
        ensure(timed, "schedule.round_times", || "a schedule has times".to_owned())?;
        ensure(self.rest <= Duration::from_hours(24 * 30), "schedule.rest_duration", || {
            "at most 30 days".to_owned()
        })
    }
}

pub(super) fn ensure(
    holds: bool,
    field: &'static str,
    detail: impl FnOnce() -> String,
) -> Result<(), BadSettings> {
    if holds { Ok(()) } else { Err(BadSettings { field, detail: detail() }) }
}
