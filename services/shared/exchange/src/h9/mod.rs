//! The table of results of the European Go Database, which programs call H9.
//!
//! A line of ASCII for each player: place, name, first name, grade, country, club, columns of scores that nobody reads, a
//! result for each round, and, behind a bar, his European pin. Everything behind a semicolon is passed over by the
//! database; programs write lines there that say what the event is, and they are read and written.
//!
//! | result | meaning |
//! | --- | --- |
//! | `12+`, `12-`, `12=` | won, lost or drawn against the player of place 12 |
//! | `12+/w`, `12+/b3` | with white; with black and three stones |
//! | `12+!w0` | won by default, as OpenGotha shows it |
//! | `0+`, `0=`, `0-` | no game: a win, half of one, nothing |
//!
//! | line | meaning |
//! | --- | --- |
//! | `; CL[B]` | the class, from the time: A from 75 minutes of adjusted time (60 of basic time), B from 50 (40), C from 30 (25) |
//! | `; EV[…]`, `; PC[country, place]`, `; DT[first,last]` | name, place and days |
//! | `; HA[h1]` | the reduction of handicaps; `h9` for none |
//! | `; KM[6.5]`, `; TM[75]` | komi; the adjusted time in minutes, which some write as `TA` |
//!
//! - Names are in Latin letters, from which marks are taken; a blank within a name is `_`. A player who has a native name only
//!   is refused by it. The database knows people by name and first name: of two who have the same the second has a number.
//! - The place of a player is his number: whoever wants the order of the table numbers players by it first
//!   ([`crate::Tournament::renumbered`]).
//! - A game that was not played must not be rated, and is told by its points alone; so is one that was struck out or is not
//!   over, as a round without a game. Byes are told by what they are worth.

mod read;
mod write;

pub(crate) use read::{is_line, read};
pub(crate) use write::write;

/// A field without text.
const NOTHING: &str = "-";

/// A text as a field of the table: blanks are `_`, and what ends a line or a field is left out.
pub(crate) fn word(text: &str) -> String {
    let left = text.replace([';', '|'], " ");
    let joined = left.split_whitespace().collect::<Vec<_>>().join("_");
    match joined.as_str() {
        "" => NOTHING.to_owned(),
        // A club that is called like a result would be read as one.
        like if read::is_result(like) => format!("_{like}"),
        _ => joined,
    }
}

/// A field of the table as text.
pub(crate) fn from_word(word: &str) -> String {
    if word == NOTHING { String::new() } else { word.replace('_', " ").trim().to_owned() }
}

/// A text between the brackets of a line of the head.
pub(crate) fn head_text(text: &str) -> String {
    text.replace('[', "(").replace(']', ")").trim().to_owned()
}
