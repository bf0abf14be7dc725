//! The two sides of a game.

use api::time_control::{Control, TimeControl};

/// A side, named by who acts first at the start of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The side that acts first at the start.
    First,
    /// The other one.
    Second,
}

impl Side {
    /// Both sides.
    pub const ALL: [Side; 2] = [Side::First, Side::Second];

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// The control of this side.
    pub const fn control(self, control: TimeControl) -> Control {
        match self {
            Side::First => control.first,
            Side::Second => control.second,
        }
    }
}
