//! Tournaments in the formats in which everybody else wants them.
//!
//! Every format is read into one neutral [`Tournament`], and written from it:
//!
//! - [`trf`]: TRF16 and TRF26, as federations of chess and their engines exchange events;
//! - [`gotha`]: the XML of OpenGotha, with which most Go events of Europe are paired;
//! - [`h9`]: tables of results for the European Go Database;
//! - [`csv`]: tables for spreadsheets: players, crosstable, results, standings;
//! - [`calendar`]: rounds and boards with their times, written only;
//! - [`archive`] and [`games`]: the games of a round or season in one file, with a table of them, written only.
//!
//! The crate is pure: bytes in, an event and what is doubtful in it out, or an error with a stable name, a line and a column; an
//! event in, bytes out and what the format could not carry. It does no I/O, reads no clock, keeps nothing, and guesses
//! nothing: what is not understood is refused or told as a [`Doubt`]. Everything has a limit ([`limits`]).
//!
//! What a format carries is [`Tournament::as_carried_by`]: what was written and is read again is this, field by field.
//!
//! ```
//! use exchange::{Format, Game, Outcome, PersonName, Player, Round, Tournament};
//! use pairing::Number;
//! let mut event = Tournament::default();
//! event.header.name.native = "春季赛".to_owned();
//! for (number, native, last, first) in [(1, "བཀྲ་ཤིས་", "Tashi", ""), (2, "王伟", "Wang", "Wei")] {
//!     event.players.push(Player { name: PersonName::new(native, last, first), ..Player::new(number) });
//! }
//! event.rounds.push(Round::default());
//! event.rounds[0].games.push(Game::new(1, Number(2), Number(1), Outcome::BlackWins));
//! for format in Format::ALL {
//!     let (bytes, losses) = format.write(&event)?;
//!     assert_eq!(Format::detect(&bytes)?, format);
//!     let (read, doubts) = format.read(&bytes)?;
//!     assert_eq!((read, doubts.len()), (event.as_carried_by(format)?, 0));
//!     assert!(losses.iter().any(|it| it.what.name() == "event_native_name") || format == Format::Trf26 || format == Format::OpenGotha);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

#[macro_use]
mod names;
pub mod archive;
pub mod calendar;
mod carried;
pub mod csv;
mod day;
mod doubt;
mod error;
mod format;
pub mod games;
pub mod gotha;
pub mod h9;
mod histories;
pub mod limits;
mod loss;
mod model;
mod place;
mod text;
pub mod trf;

pub use doubt::{Doubt, DoubtKind};
pub use error::{AnyFault, Fault, ReadError, Refusal, WriteError};
pub use format::{Format, collect, foreign};
pub use loss::{Loss, Lost};
pub use model::{
    Bye, Date, ForfeitedMatch, Game, Grade, Halves, HandicapRule, Header, Ids, Inconsistency, LineUp,
    MacMahon, MatchForfeit, Name, Outcome, Overtime, PersonName, Player, Prohibition, Round, Team, TeamBye,
    TimeClass, TimeControl, Tournament,
};
pub use place::Place;
pub use text::{ascii, is_latin};
