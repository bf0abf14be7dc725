use super::{Action, Orientation, Point, Way};
use crate::prelude::*;

/// The most stones a turn may name as removed: more than the 41 of dark nobody has.
pub const REMOVED_MAX: usize = 41;

/// A whole turn as a player writes it: well formed, but legal only where a [`super::Position`] says so.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// A stone is placed.
    Place {
        /// Where.
        at: Point,
        /// Which spear counts, where a row and a column fill at once (rule 27); `None` for the dearer one.
        line: Option<Orientation>,
    },
    /// The removals of the opening (rule 11), in order.
    Remove(Vec<Point>),
    /// A displacement with the removals it earns.
    Move {
        /// How the stone goes.
        way: Way,
        /// Which spear counts, as in a placement.
        line: Option<Orientation>,
        /// The stones removed for squares and the spear, in order.
        removed: Vec<Point>,
    },
    /// A draw that cannot be refused is claimed: the position has come back, or nothing has been taken, often
    /// enough.
    Claim,
    /// The side to move gives up.
    Resign,
}

impl Turn {
    /// The same turn with these stones removed; a turn that removes nothing stays as it is.
    #[must_use]
    pub fn removing(self, stones: impl IntoIterator<Item = Point>) -> Turn {
        match self {
            Turn::Remove(_) => Turn::Remove(stones.into_iter().collect()),
            Turn::Move { way, line, .. } => Turn::Move { way, line, removed: stones.into_iter().collect() },
            other => other,
        }
    }

    /// The stones it removes by choice, in order.
    pub fn removed(&self) -> &[Point] {
        match self {
            Turn::Remove(removed) | Turn::Move { removed, .. } => removed,
            Turn::Place { .. } | Turn::Claim | Turn::Resign => &[],
        }
    }
}

impl From<Action> for Turn {
    /// The turn that begins with the action, with no further stones removed.
    fn from(action: Action) -> Self {
        match action {
            Action::Place { at, line } => Turn::Place { at, line },
            Action::Move { way, line } => Turn::Move { way, line, removed: Vec::new() },
            Action::Remove(at) => Turn::Remove(Vec::from([at])),
        }
    }
}
