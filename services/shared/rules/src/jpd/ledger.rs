use super::HalfPoints;
use crate::goban::Colour;

/// What each colour has on a board that is being counted: stones (子), spaces (空, 目) and shared points.
///
/// The numbers may be negative where a method gives back more stones than there are spaces (article 42 B
/// 9), or where compensation takes more stones than there are: the arithmetic holds all the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ledger {
    /// Stones on the board, Black's first.
    pub stones: [i32; 2],
    /// Empty points held, Black's first.
    pub spaces: [i32; 2],
    /// Points held by both, half each.
    pub shared: i32,
}

impl Ledger {
    /// Stones, spaces and half of the shared points of a colour: its land (article 33).
    pub const fn land(&self, colour: Colour) -> HalfPoints {
        HalfPoints(2 * self.own(colour) + self.shared)
    }

    /// Stones and spaces of a colour, without the shared points.
    pub const fn own(&self, colour: Colour) -> i32 {
        self.stones[colour.index()] + self.spaces[colour.index()]
    }

    /// Class A negative moves (article 34.1): stones off the border, whose points are then shared.
    pub(super) fn take_border(&mut self, colour: Colour, stones: i32) {
        self.stones[colour.index()] -= stones;
        self.shared += stones;
    }

    /// Own spaces filled with own stones; fewer than none are class B negative moves, stones off the own land
    /// (articles 34.2 and 35). The land stays as it is.
    pub(super) fn fill(&mut self, colour: Colour, stones: i32) {
        self.stones[colour.index()] += stones;
        self.spaces[colour.index()] -= stones;
    }

    /// As many stones of each colour as fit on the shared points (article 43.4); one point may be left.
    pub(super) fn fill_shared(&mut self) -> i32 {
        let each = self.shared / 2;
        self.stones = self.stones.map(|stones| stones + each);
        self.shared -= 2 * each;
        each
    }
}
