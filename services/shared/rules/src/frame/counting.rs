use crate::{Mark, Score, Stone, prelude::*};

/// One way of counting a finished game, as people do it: step by step, with the board after each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// Stable identifier of the method within its variant, in lower case.
    pub method: &'static str,
    /// Name of the method in English.
    pub name: &'static str,
    /// Name of the method in the script of the rules.
    pub native_name: &'static str,
    /// The steps, in order.
    pub steps: Vec<CountStep>,
    /// What the method comes to.
    pub result: Score,
}

/// One step of a count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountStep {
    /// What is done and what it comes to: one sentence for a person, lower case and without a full stop.
    pub text: String,
    /// The board after the step, if the step has one. It is book-keeping, not a position: chains may stand on
    /// it without liberty.
    pub board: Option<CountBoard>,
}

/// A board as it is laid out for counting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountBoard {
    /// The stones, in reading order.
    pub stones: Vec<Stone>,
    /// What else is to be drawn: `dead` on stones that are to leave, and on empty points `territory-first`,
    /// `territory-second` and `shared`.
    pub marks: Vec<Mark>,
}
