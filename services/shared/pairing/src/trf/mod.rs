//! Tournament reports as federations and pairing engines exchange them: TRF16, TRF26, and the codes with which JaVaFo and
//! bbpPairings have extended TRF16.
//!
//! A report is lines of fixed columns, the first three of which say what the line is. [`Report`] mirrors it: what a record
//! holds is a typed value, records that are not known are kept as they stand, and comments (`###`) are passed over.
//!
//! - Columns are counted in characters of UTF-8, as bbpPairings counts them, so that a name in any script takes as many
//!   columns as it has characters. What is not UTF-8 is refused.
//! - Lines end with CR, LF or both; [`Report::write`] ends them as it is told, by default with CR as the format wants it.
//! - A line that cannot be read is named with its line, its column and a [`TrfFault`]; nothing is guessed, and every number
//!   has a limit.
//! - A native name stands in the record of the player's own federation ([`National`]), beside its transliteration in the
//!   record `001`. [`Form::Trf16`] is ASCII and has the transliteration only: who reads it back finds the native name
//!   by the player's id ([`Report::recall_names`]).
//!
//! ```
//! use pairing::trf::{Form, Report};
//! let text = "012 Spring\r142 3\r\
//!             001    1      Dorje, Tashi                           CHN          77             0.0    1\r\
//!             CHN    1      བཀྲ་ཤིས་རྡོ་རྗེ།\r";
//! let report = Report::read(text.as_bytes())?;
//! assert_eq!((report.rounds, report.players[0].id.as_str()), (Some(3), "77"));
//! assert_eq!(report.native_name(report.players[0].number), Some("བཀྲ་ཤིས་རྡོ་རྗེ།"));
//! assert_eq!(Report::read(report.write(Form::Trf26)?.as_bytes())?, report);
//! assert!(report.write(Form::Trf16)?.is_ascii());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod columns;
mod error;
mod event;
mod export;
mod header;
mod matches;
mod model;
mod names;
mod player;
mod points;
mod read;
mod row;
mod team;
mod team_event;
mod time_control;
mod write;

pub use error::{TrfError, TrfFault, WriteError};
pub use event::{Doubt, Event, EventError, PROHIBITED_MAX};
pub use header::Header;
pub use model::{
    Acceleration, AskedByes, ByeKind, OddKind, OddPoints, PlayerAcceleration, Prohibition, Report,
};
pub use names::fit_name;
pub use player::{ByeMark, GameMark, National, PlayerRecord, Side, Slot};
pub use points::{PointCode, PointSystem, Scoring, TeamPoints, Tenths};
pub use team::{
    Against, BoardMark, BoardOrder, BoardsOfRound, ForfeitKind, ForfeitedMatch, OldTeam, Team, TeamBoards,
    TeamByes, TeamResults, TeamRound,
};
pub use time_control::{Period, TimeControl};

/// The largest file that is read, in bytes: the most players with the most rounds fit into it.
pub const FILE_BYTES_MAX: usize = 32 << 20;
/// The most lines of a file, empty ones among them: three for every player, and as many again for everything else.
pub const LINES_MAX: usize = 60_000;
/// The longest line, in characters: a player with the most rounds.
pub const LINE_CHARS_MAX: usize = 91 + 10 * ROUNDS_MAX as usize;
/// The most players: the format has four columns for their numbers.
pub const PLAYERS_MAX: u32 = 9_999;
/// The most rounds: a round robin of as many players is the longest event that anybody reports.
pub const ROUNDS_MAX: u16 = 250;
/// The most teams: the format has three columns for their numbers.
pub const TEAMS_MAX: u32 = 999;

/// The two spellings of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// TRF26 in UTF-8.
    #[default]
    Trf26,
    /// TRF16 with the extensions of JaVaFo, in ASCII: `XXR` and `XXC` stand for 142 and 152, `XXS` beside 162, for of the two
    /// JaVaFo knows the one and bbpPairings the other; the records of federations are left out.
    Trf16,
}

/// How lines end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineEnd {
    /// CR, as the format wants it.
    #[default]
    Cr,
    /// LF.
    Lf,
    /// CR and LF.
    CrLf,
}

impl LineEnd {
    const fn text(self) -> &'static str {
        match self {
            LineEnd::Cr => "\r",
            LineEnd::Lf => "\n",
            LineEnd::CrLf => "\r\n",
        }
    }
}
