//! What is wrong with a file, and where.

use crate::Number;

named! {
    /// What is wrong with a line, by a name that stays.
    pub enum TrfFault {
        /// More bytes than [`super::FILE_BYTES_MAX`].
        FileTooLarge = "file_too_large",
        /// More lines than [`super::LINES_MAX`].
        TooManyLines = "too_many_lines",
        /// More characters than [`super::LINE_CHARS_MAX`].
        LineTooLong = "line_too_long",
        /// Bytes that are not UTF-8.
        NotUtf8 = "not_utf8",
        /// A control character where there is text.
        Control = "control_character",
        /// The line does not begin with the three characters of a record.
        Tag = "tag",
        /// A record of this kind, or for this player, was there before and says something else.
        Repeated = "repeated",
        /// A field that must be there is blank.
        Missing = "missing",
        /// Something stands in the columns between two fields, or behind the last one.
        Between = "between_fields",
        /// Not a whole number.
        Number = "number",
        /// A number that is too small or too great for the field.
        Range = "range",
        /// Not points of the form `11.5`.
        Points = "points",
        /// Not a letter, word or sign that this field may have.
        Code = "code",
        /// A result without an opponent that needs one, or a bye with an opponent.
        Opponent = "opponent",
        /// A colour without an opponent, or a played game without a colour.
        Colour = "colour",
        /// A player against himself.
        Himself = "himself",
        /// Not an encoded time control.
        TimeControl = "time_control",
        /// The file has no player.
        NoPlayers = "no_players",
    }
}

impl TrfFault {
    /// What it means, as a sentence begins.
    pub const fn meaning(self) -> &'static str {
        match self {
            TrfFault::FileTooLarge => "the file is too large",
            TrfFault::TooManyLines => "the file has too many lines",
            TrfFault::LineTooLong => "the line is too long",
            TrfFault::NotUtf8 => "this is not UTF-8",
            TrfFault::Control => "a control character",
            TrfFault::Tag => "a line begins with the three characters of its record",
            TrfFault::Repeated => "this was said before, and differently",
            TrfFault::Missing => "a field that must be there is blank",
            TrfFault::Between => "something stands between two fields",
            TrfFault::Number => "this is not a whole number",
            TrfFault::Range => "the number is out of range",
            TrfFault::Points => "points have the form 11.5",
            TrfFault::Code => "this field has no such code",
            TrfFault::Opponent => "a game has an opponent, and a bye has none",
            TrfFault::Colour => "a played game has a colour, and a bye has none",
            TrfFault::Himself => "nobody plays against himself",
            TrfFault::TimeControl => "this is not an encoded time control",
            TrfFault::NoPlayers => "there is no player",
        }
    }
}

/// Why a file was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {}", .fault.meaning())]
pub struct TrfError {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: u32,
    /// What is wrong there.
    pub fault: TrfFault,
}

/// Why a report was not written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// Longer than its field. Names are cut by [`super::fit_name`].
    #[error("record {record}: {text:?} has more characters than the {width} columns of its field")]
    TooLong {
        /// The record.
        record: String,
        /// What was to be written.
        text: String,
        /// The columns there are.
        width: usize,
    },
    /// Text with control characters, or with blanks at its ends.
    #[error("record {record}: {text:?} cannot stand in a field")]
    Text {
        /// The record.
        record: String,
        /// What was to be written.
        text: String,
    },
    /// TRF16 is ASCII.
    #[error("record {record}: {text:?} is not ASCII; TRF16 takes a transliteration")]
    NotAscii {
        /// The record.
        record: String,
        /// What was to be written.
        text: String,
    },
    /// TRF16 leaves the native name out, and without an id nobody finds it again.
    #[error("player {0} has a native name and no id by which it is found again")]
    NoId(Number),
    /// What was written would not be read back as it was.
    #[error("the report would be read differently: {0}")]
    Unreadable(TrfError),
    /// It would be read, and say something else.
    #[error("record {0} would be read as something else")]
    Ambiguous(String),
}
