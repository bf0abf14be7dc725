//! Square boards on which stones of two sides stand and move: what Jiu and Jirige are played on.
//!
//! A game says by a [`Grid`] how large its board is and how its points are named; [`Point`], [`PointSet`] and
//! [`Board`] are the same for all. Rows are counted from where their names begin: from the top on a grid whose
//! letters go down, else from the bottom.
//!
//! ```
//! use rules::{Side, jirige, jiu};
//!
//! assert_eq!(jiu::Point::new(2, 9).unwrap().to_string(), "C10");
//! assert_eq!(jirige::Point::new(6, 2).unwrap().to_string(), "C7");
//! let mut board = jirige::Board::default();
//! board.put(jirige::Point::CENTRE, Side::First);
//! assert_eq!(board.to_string().parse(), Ok(board));
//! ```

mod board;
mod direction;
mod point;
mod point_set;
pub(crate) mod record;

use crate::prelude::*;

pub use board::{Board, BoardError};
pub use direction::Direction;

pub use point::{Point, PointError};
pub use point_set::PointSet;

/// What a view says of the sides that fly.
pub(crate) fn flying(flies: [bool; 2]) -> Option<(&'static str, String)> {
    let who = match flies {
        [false, false] => return None,
        [true, false] => "first",
        [false, true] => "second",
        [true, true] => "both",
    };
    Some(("flying", String::from(who)))
}

/// The shape of a board, as a type without values.
pub trait Grid: Copy + Ord + core::hash::Hash + core::fmt::Debug + Send + Sync + 'static {
    /// Points on a side, at most 15.
    const SIDE: u8;
    /// How points are named.
    const AXES: crate::Axes;
    /// The signs of the sides' stones in the text of a board, those of the first side first.
    const SIGNS: [char; 2];
}
