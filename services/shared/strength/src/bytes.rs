//! The canonical form of inputs and lists, by whose SHA-256 they are known.
//!
//! All numbers are of fixed width, the most significant byte first; signed ones in two's complement. `option` is a byte, 0 or
//! 1, and the value if it is 1. `rows` is a u32, their number, and the rows. Every input and every list has one form.
//!
//! An **input**, version 1:
//! - the text `shoutan/rating-input`, a zero byte, u16 version;
//! - u32 number of the list; i32 its Julian day number; option of 32 bytes, the digest of the list before;
//! - the policy: u32 games to be listed; u8 system, 1 Elo or 2 Glicko-2.
//!   - Elo: u8 expectation (1 table, 2 logistic); option u16 greatest difference; rows of K rules (option u32 games below,
//!     option i32 rating below, option i32 grade from, option i32 grade below, u16 K); u16 K otherwise; option u32 the most that K
//!     times games come to; u8 first rating (1 start: a start; 2 performance: u32 games, option of i32 rating and u8 count of
//!     added draws, option i32 highest); option i32 floor; u8 whether points are whole; u32 games until which it is provisional.
//!   - Glicko-2: a start; u32 deviation; u32 volatility; u32 imported deviation; u16 days of a period; u32 provisional above.
//!   - A start: rows of i32 grade and i32 points; i32 points of everybody else.
//! - rows of players by id: 16 bytes id, option i32 grade;
//! - rows of doubles by id: 16 bytes id, 16 bytes id of who stays;
//! - rows of imported ratings by player: u32 player (its row, from 0), i32 rating, u32 games, i32 Julian day number;
//! - rows of events by id: 16 bytes id, u64 number of the log's last entry that was read, rows of games by round and table: u16
//!   round, u32 table, u32 and u32 players (their rows), u8 and u8 their scores in half points.
//!
//! A **list**, version 1:
//! - the text `shoutan/rating-list`, a zero byte, u16 version;
//! - u32 number; i32 Julian day number; 32 bytes, the digest of its input;
//! - rows of entries by id: 16 bytes id; option of the rating (i32 hundredths of a point, u32 deviation in hundredths, u32
//!   volatility in millionths); i32 change in hundredths; u32 games; u32 games since the list before; u8 whether it is
//!   provisional; option u32 place; of who has no rating u32 games, u32 half points and i64 sum of ratings of his opponents.

use sha2::{Digest as _, Sha256};

use crate::{Digest, List, ListInput};

mod input;
mod list;
mod policy;
mod wire;

/// The version of both forms.
const VERSION: u16 = 1;
const INPUT: &[u8] = b"shoutan/rating-input\0";
const LIST: &[u8] = b"shoutan/rating-list\0";

/// Bytes that are no canonical form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadBytes(pub(crate) &'static str);

/// The canonical bytes of an input whose rows are in their order.
pub fn of_input(input: &ListInput) -> Vec<u8> {
    let mut out = wire::Writer::new(INPUT, VERSION);
    input::write(&mut out, input);
    out.0
}

/// The canonical bytes of a list.
pub fn of_list(list: &List) -> Vec<u8> {
    let mut out = wire::Writer::new(LIST, VERSION);
    list::write(&mut out, list);
    out.0
}

/// An input from its canonical bytes.
///
/// # Errors
/// When they are none.
pub fn to_input(bytes: &[u8]) -> Result<ListInput, BadBytes> {
    let mut reader = wire::Reader::new(bytes, INPUT, VERSION)?;
    let input = input::read(&mut reader)?;
    // What is written otherwise than it would be written anew has another digest than what it says.
    if input.check().is_ok() && of_input(&input) == bytes {
        Ok(input)
    } else {
        Err(BadBytes("not the one form of what it says"))
    }
}

/// A list from its canonical bytes.
///
/// # Errors
/// When they are none.
pub fn to_list(bytes: &[u8]) -> Result<List, BadBytes> {
    let mut reader = wire::Reader::new(bytes, LIST, VERSION)?;
    let list = list::read(&mut reader)?;
    let is_ordered = list.entries.is_sorted_by(|one, next| one.member < next.member);
    if is_ordered && of_list(&list) == bytes {
        Ok(list)
    } else {
        Err(BadBytes("not the one form of what it says"))
    }
}

/// SHA-256 of bytes.
pub fn digest(bytes: &[u8]) -> Digest {
    Sha256::digest(bytes).into()
}

/// The digest of an input.
pub fn digest_of_input(input: &ListInput) -> Digest {
    digest(&of_input(input))
}

/// The digest of a list.
pub fn digest_of_list(list: &List) -> Digest {
    digest(&of_list(list))
}

#[cfg(test)]
mod tests;
