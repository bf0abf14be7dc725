//! What is said of an event as a whole.

use core::fmt;

use super::{Date, Grade};
use crate::text::is_latin;

/// A name in its own script and in Latin letters; one of the two is enough.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Name {
    /// In its own script.
    pub native: String,
    /// In Latin letters.
    pub latin: String,
}

impl Name {
    /// A name of which the script says which of the two it is.
    pub fn of(text: &str) -> Name {
        let text = text.trim().to_owned();
        let (native, latin) = if is_latin(&text) { (String::new(), text) } else { (text, String::new()) };
        Name { native, latin }
    }

    /// The native name where there is one, else the other.
    pub fn shown(&self) -> &str {
        if self.native.is_empty() { &self.latin } else { &self.native }
    }
}

/// A number in halves, as komi is: 13 is 6.5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Halves(pub i32);

/// More than any komi, in halves.
const HALVES_MAX: i32 = 2_000;

impl Halves {
    /// `6.5`, `-3` or `0`.
    ///
    /// ```
    /// use exchange::Halves;
    /// assert_eq!(["6.5", "-3", "7.25", ""].map(Halves::parse), [Some(Halves(13)), Some(Halves(-6)), None, None]);
    /// assert_eq!(Halves(-1).to_string(), "-0.5");
    /// ```
    pub fn parse(text: &str) -> Option<Halves> {
        let (sign, digits) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
        let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
        let half = match part {
            "0" => 0,
            "5" => 1,
            _ => return None,
        };
        let is_number = !whole.is_empty() && whole.bytes().all(|it| it.is_ascii_digit());
        let whole: i32 = whole.parse().ok().filter(|_| is_number)?;
        let halves = whole.checked_mul(2)?.checked_add(half)?;
        (halves <= HALVES_MAX).then_some(Halves(sign * halves))
    }

    pub(crate) fn is_sound(self) -> bool {
        self.0.unsigned_abs() <= HALVES_MAX.unsigned_abs()
    }
}

impl fmt::Display for Halves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, all) = (if self.0 < 0 { "-" } else { "" }, self.0.unsigned_abs());
        write!(f, "{sign}{}", all / 2)?;
        if all % 2 == 1 { f.write_str(".5") } else { Ok(()) }
    }
}

/// What follows when the basic time is over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overtime {
    /// The end.
    #[default]
    None,
    /// So many seconds for every move.
    ByoYomi {
        /// For each.
        seconds: u32,
    },
    /// So many seconds for so many moves.
    Canadian {
        /// How many moves.
        moves: u32,
        /// For all of them.
        seconds: u32,
    },
    /// So many seconds more for every move from the first on.
    Fischer {
        /// For each.
        seconds: u32,
    },
}

/// How much time players have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeControl {
    /// For each of them.
    pub basic_seconds: u32,
    /// And then.
    pub overtime: Overtime,
}

/// The classes of the European rating system: how much a game of an event weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TimeClass {
    /// Adjusted time of 75 minutes, basic time of 60.
    A,
    /// 50 and 40.
    B,
    /// 30 and 25.
    C,
}

impl TimeClass {
    /// The letter of the class.
    pub const fn name(self) -> &'static str {
        match self {
            TimeClass::A => "A",
            TimeClass::B => "B",
            TimeClass::C => "C",
        }
    }
}

impl TimeControl {
    /// The longest time of any part, in seconds: a hundred hours.
    pub const SECONDS_MAX: u32 = 360_000;
    /// The most moves of a period.
    pub const MOVES_MAX: u32 = 1_000;

    /// The adjusted time: the basic time and that of 45 moves in byo-yomi, or of 60 in the Canadian one; of 120 in
    /// Fischer time, as tournament programs count it.
    ///
    /// ```
    /// use exchange::{Overtime, TimeClass, TimeControl};
    /// let time = TimeControl { basic_seconds: 3_600, overtime: Overtime::ByoYomi { seconds: 20 } };
    /// assert_eq!((time.adjusted_seconds(), time.class()), (4_500, Some(TimeClass::A)));
    /// assert_eq!(TimeControl { basic_seconds: 600, ..time }.class(), None);
    /// ```
    pub fn adjusted_seconds(self) -> u32 {
        let more = match self.overtime {
            Overtime::None => 0,
            Overtime::ByoYomi { seconds } => seconds.saturating_mul(45),
            Overtime::Canadian { moves, seconds } => seconds.saturating_mul(60) / moves.max(1),
            Overtime::Fischer { seconds } => seconds.saturating_mul(120),
        };
        self.basic_seconds.saturating_add(more)
    }

    /// The class of an event with these times; none where they are too short for any.
    pub fn class(self) -> Option<TimeClass> {
        let (adjusted, basic) = (self.adjusted_seconds() / 60, self.basic_seconds / 60);
        let classes = [(TimeClass::A, 75, 60), (TimeClass::B, 50, 40), (TimeClass::C, 30, 25)];
        classes.into_iter().find(|(_, all, least)| adjusted >= *all && basic >= *least).map(|it| it.0)
    }

    pub(crate) fn is_sound(self) -> bool {
        let short = |seconds: u32| seconds <= TimeControl::SECONDS_MAX;
        let overtime = match self.overtime {
            Overtime::None => true,
            Overtime::ByoYomi { seconds } | Overtime::Fischer { seconds } => seconds > 0 && short(seconds),
            Overtime::Canadian { moves, seconds } => {
                seconds > 0 && short(seconds) && (1..=TimeControl::MOVES_MAX).contains(&moves)
            }
        };
        overtime && short(self.basic_seconds)
    }
}

/// How handicaps follow from the strength of two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandicapRule {
    /// By the scores of a MacMahon event, and not by grades.
    pub by_score: bool,
    /// How many stones fewer than the difference.
    pub reduction: u8,
    /// How many at most; 0 for none.
    pub most: u8,
    /// Who has this grade or a higher one gives and takes none.
    pub none_from: Option<Grade>,
}

/// Where players begin in a MacMahon event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MacMahon {
    /// Everybody below begins as if he had this grade.
    pub floor: Grade,
    /// Everybody above likewise.
    pub bar: Grade,
    /// The grade that begins with nothing.
    pub zero: Grade,
}

/// What is said of an event as a whole. Texts are empty where nothing is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Its name.
    pub name: Name,
    /// Where it is held.
    pub place: String,
    /// The code of the country, or of the federation.
    pub country: String,
    /// The first day.
    pub start: Option<Date>,
    /// The last day.
    pub end: Option<Date>,
    /// The name of the time zone, such as `Asia/Shanghai`.
    pub zone: String,
    /// The chief arbiter.
    pub arbiter: String,
    /// The game, by the name of its variant.
    pub variant: String,
    /// The size of the board.
    pub board_size: Option<u8>,
    /// How much time players have.
    pub time: Option<TimeControl>,
    /// Komi.
    pub komi: Option<Halves>,
    /// How handicaps are given.
    pub handicaps: Option<HandicapRule>,
    /// Where players begin.
    pub macmahon: Option<MacMahon>,
    /// What the pairing bye is worth on the scale of 2 for a win and 1 for a draw.
    pub pab_points: u32,
    /// In an event of teams, for each board whether the team with white on the first has white on it, too; as many as
    /// there are boards.
    pub white_boards: Vec<bool>,
}

impl Default for Header {
    fn default() -> Header {
        Header {
            name: Name::default(),
            place: String::new(),
            country: String::new(),
            start: None,
            end: None,
            zone: String::new(),
            arbiter: String::new(),
            variant: String::new(),
            board_size: None,
            time: None,
            komi: None,
            handicaps: None,
            macmahon: None,
            pab_points: pairing::WIN_POINTS,
            white_boards: Vec::new(),
        }
    }
}
