use core::ops::ControlFlow;

use crate::{ActError, Game, Hint, Side, prelude::*};

/// The deepest count that can be asked for: far beyond what can be counted, and no stack is as deep.
///
/// ```
/// use core::ops::ControlFlow;
/// use rules::{PERFT_DEPTH_MAX, PerftError, RuleSet, jiu};
/// let game = (jiu::VARIANT.start)(&RuleSet::named(""))?;
/// let count = rules::perft(&*game, PERFT_DEPTH_MAX + 1, &mut |_| ControlFlow::Continue(()));
/// assert_eq!(count, Err(PerftError::TooDeep));
/// # Ok::<(), rules::OptionError>(())
/// ```
pub const PERFT_DEPTH_MAX: u32 = 32;

/// How many sequences of `depth` steps there are from a position.
///
/// A step is the first part of an act as [`Game::hints`] lists it (a placement, a pass, the way of a stone), or
/// one of the stones of free choice it owes ([`Game::choices`]). A game that is over has no more steps, so
/// sequences that end early are not counted. Where both sides may act, the steps of both are counted.
///
/// `watch` is told now and then how many sequences have been counted so far, and may stop the count.
///
/// ```
/// use core::ops::ControlFlow;
/// use rules::{RuleSet, go};
///
/// let game = (go::VARIANT.start)(&RuleSet::named("psk").with("size", "5"))?;
/// assert_eq!(rules::perft(&*game, 2, &mut |_| ControlFlow::Continue(())), Ok(26 * 25 + 1));
/// # Ok::<(), rules::OptionError>(())
/// ```
///
/// # Errors
/// See [`PerftError`].
pub fn perft(
    game: &dyn Game,
    depth: u32,
    watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<u64, PerftError> {
    if depth == 0 {
        return Ok(1);
    }
    Ok(divide(game, depth, watch)?.iter().map(|(.., nodes)| nodes).sum())
}

/// What [`perft`] counts, by the first step: who makes it, the step, and how many sequences begin with it.
///
/// With a depth of 0 there is no first step.
///
/// ```
/// use core::ops::ControlFlow;
/// use rules::{RuleSet, go};
/// let game = (go::VARIANT.start)(&RuleSet::named("psk").with("size", "5"))?;
/// let divided = rules::divide(&*game, 2, &mut |_| ControlFlow::Continue(())).unwrap();
/// assert_eq!(divided.len(), 26);
/// // After a stone there are 24 points and the pass, after a pass 25 points and the pass.
/// assert!(divided.iter().all(|(_, hint, nodes)| *nodes == if hint.text == "pass" { 26 } else { 25 }));
/// # Ok::<(), rules::OptionError>(())
/// ```
///
/// # Errors
/// See [`PerftError`].
pub fn divide(
    game: &dyn Game,
    depth: u32,
    watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Vec<(Side, Hint, u64)>, PerftError> {
    if depth > PERFT_DEPTH_MAX {
        return Err(PerftError::TooDeep);
    }
    let mut counter = Counter { watch, counted: 0 };
    let mut divided = Vec::new();
    let Some(below) = depth.checked_sub(1) else { return Ok(divided) };
    for side in Side::BOTH {
        for hint in game.hints(side) {
            let nodes = counter.after(game, side, &hint, below)?;
            divided.push((side, hint, nodes));
        }
    }
    Ok(divided)
}

/// Why a count came to nothing.
///
/// ```
/// use core::ops::ControlFlow;
/// use rules::{PerftError, RuleSet, go};
/// let game = (go::VARIANT.start)(&RuleSet::named("psk").with("size", "5"))?;
/// let stopped = rules::perft(&*game, 9, &mut |_| ControlFlow::Break(()));
/// assert!(matches!(stopped, Err(PerftError::Stopped { .. })));
/// # Ok::<(), rules::OptionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PerftError {
    /// Deeper than [`PERFT_DEPTH_MAX`].
    #[error("a count is at most {PERFT_DEPTH_MAX} steps deep")]
    TooDeep,
    /// Whoever watched has stopped it, after so many sequences.
    #[error("stopped after {counted}")]
    Stopped {
        /// Sequences counted so far.
        counted: u64,
    },
    /// The game refuses an act that it lists.
    #[error("{act} is listed but refused: {refusal}")]
    Refused {
        /// The act.
        act: String,
        /// Why.
        refusal: Box<ActError>,
    },
}

struct Counter<'a> {
    watch: &'a mut dyn FnMut(u64) -> ControlFlow<()>,
    counted: u64,
}

impl Counter<'_> {
    /// Sequences of `depth` more steps after a step.
    fn after(&mut self, game: &dyn Game, side: Side, step: &Hint, depth: u32) -> Result<u64, PerftError> {
        match depth {
            0 => self.count(1),
            // The last step needs no play.
            1 if step.choices_left > 0 => self.count(game.choices(side, step).len()),
            _ if step.choices_left > 0 => {
                let choices = game.choices(side, step);
                choices.iter().map(|choice| self.after(game, side, choice, depth - 1)).sum()
            }
            _ => {
                let mut next = game.boxed_clone();
                next.play(side, &step.text).map_err(|refusal| PerftError::Refused {
                    act: step.text.clone(),
                    refusal: Box::new(refusal),
                })?;
                self.from(&*next, depth)
            }
        }
    }

    /// Sequences of `depth` steps from a position.
    fn from(&mut self, game: &dyn Game, depth: u32) -> Result<u64, PerftError> {
        let mut nodes = 0;
        for side in Side::BOTH {
            let hints = game.hints(side);
            if depth == 1 {
                nodes += self.count(hints.len())?;
                continue;
            }
            for hint in hints {
                nodes += self.after(game, side, &hint, depth - 1)?;
            }
        }
        Ok(nodes)
    }

    fn count(&mut self, nodes: usize) -> Result<u64, PerftError> {
        let nodes = nodes as u64;
        self.counted += nodes;
        match (self.watch)(self.counted) {
            ControlFlow::Continue(()) => Ok(nodes),
            ControlFlow::Break(()) => Err(PerftError::Stopped { counted: self.counted }),
        }
    }
}
