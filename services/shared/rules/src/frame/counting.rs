use alloc::{string::String, vec::Vec};

use crate::{Mark, Score, Stone};

/// One way of counting a finished game, as people do it: step by step, with the board after each.
///
/// ```
/// use rules::{RuleSet, Side, go};
/// let mut game = (go::VARIANT.start)(&RuleSet::named("").with("size", "5"))?;
/// for (side, act) in [(Side::First, "C3"), (Side::Second, "pass"), (Side::First, "pass")] {
///     game.play(side, act).unwrap();
/// }
/// assert!(game.counts().is_empty());
/// game.play(Side::First, "dead -").unwrap();
/// game.play(Side::Second, "accept").unwrap();
/// let counts = game.counts();
/// assert_eq!((counts[0].method, &*counts[0].result.printed), ("area", "B+9 3/4 zi"));
/// # Ok::<(), rules::OptionError>(())
/// ```
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
///
/// ```
/// use rules::{RuleSet, Side, go};
/// let mut game = (go::VARIANT.start)(&RuleSet::named("").with("size", "5"))?;
/// for (side, act) in [(Side::First, "C3"), (Side::Second, "pass"), (Side::First, "pass")] {
///     game.play(side, act).unwrap();
/// }
/// game.play(Side::First, "dead -").unwrap();
/// let steps = game.counts().remove(0).steps;
/// assert!(!steps.is_empty() && steps.iter().all(|step| !step.text.ends_with('.')));
/// # Ok::<(), rules::OptionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountStep {
    /// What is done and what it comes to: one sentence for a person, lower case and without a full stop.
    pub text: String,
    /// The board after the step, if the step has one. It is book-keeping, not a position: chains may stand on
    /// it without liberty.
    pub board: Option<CountBoard>,
}

/// A board as it is laid out for counting.
///
/// ```
/// use rules::{RuleSet, Side, go};
/// let mut game = (go::VARIANT.start)(&RuleSet::named("").with("size", "5"))?;
/// for (side, act) in [(Side::First, "C3"), (Side::Second, "pass"), (Side::First, "pass")] {
///     game.play(side, act).unwrap();
/// }
/// game.play(Side::First, "dead -").unwrap();
/// let steps = game.counts().remove(0).steps;
/// let board = steps.iter().find_map(|step| step.board.as_ref()).unwrap();
/// assert_eq!((board.stones.len(), board.stones[0].owner), (1, Side::First));
/// # Ok::<(), rules::OptionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountBoard {
    /// The stones, in reading order.
    pub stones: Vec<Stone>,
    /// What else is to be drawn: `dead` on stones that are to leave, and on empty points `territory-first`,
    /// `territory-second` and `shared`.
    pub marks: Vec<Mark>,
}
