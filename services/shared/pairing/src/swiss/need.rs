//! Which colour a player needs, and how much (1.4; 1.11, 14).

use crate::{Colour, Entry};

/// How much a colour is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// To alternate.
    Mild,
    /// One of the other colour more.
    Strong,
    /// Two of the other colour more, or the other colour twice running.
    Absolute,
}

/// The colours a player has had, and the one he needs.
#[derive(Clone, Debug, Default)]
pub(super) struct ColourHistory {
    /// Round and colour, in order; rounds without colour are left out.
    pub(super) had: Vec<(u16, Colour)>,
    /// First colours less second ones.
    pub(super) difference: i32,
}

impl ColourHistory {
    pub(super) fn of(history: &[Entry]) -> ColourHistory {
        let had: Vec<(u16, Colour)> =
            history.iter().filter_map(|entry| Some((entry.round, entry.colour()?))).collect();
        let difference = had.iter().map(|(_, colour)| if *colour == Colour::First { 1 } else { -1 }).sum();
        ColourHistory { had, difference }
    }

    pub(super) fn last(&self) -> Option<Colour> {
        self.had.last().map(|(_, colour)| *colour)
    }

    pub(super) fn count(&self, colour: Colour) -> usize {
        self.had.iter().filter(|(_, it)| *it == colour).count()
    }

    /// None before the first game. Where the difference and two equal colours running point in opposite ways, the
    /// difference wins (1.11, 14). That is said of the two grounds of an absolute need: a difference of two or more goes
    /// before the last two colours. A difference of one is no more than a strong need, and loses against them: who had
    /// W W B W W B B must have white.
    pub(super) fn need(&self) -> Option<(Strength, Colour)> {
        let last = self.last()?;
        let balancing = Colour::first_if(self.difference < 0);
        let twice = self.had.len() >= 2 && self.had[self.had.len() - 2].1 == last;
        Some(match self.difference.abs() {
            0 if !twice => (Strength::Mild, last.opposite()),
            1 if !twice => (Strength::Strong, balancing),
            0 | 1 => (Strength::Absolute, last.opposite()),
            _ => (Strength::Absolute, balancing),
        })
    }
}
