//! Listing what may be played, stones of free choice included.

use super::{Failure, Listing};
use crate::{Game, Hint, Side, prelude::*};

/// The most acts a listing holds. With stones of choice there can be more of them than any memory holds.
///
/// ```
/// use rules::engine::{Command, Engine, Listing, MOVES_LISTED_MAX, NoHost};
///
/// // A stone from C7 fills row B and closes two squares: it takes any 4 of 42.
/// let white = ".....WWW....../WWWWWW.WWWWWWW/......W.......";
/// let rows = format!("{white}{}{}", "/BBBBBBBBBBBBBB".repeat(3), "/..............".repeat(8));
/// let mut engine = Engine::new(&rules::jiu::VARIANT)?;
/// engine.start(engine.rule_set().clone(), Some(format!("to-move: W; board: {rows}"))).unwrap();
/// let failure = engine.run(&Command::Moves(Listing::Complete), &mut NoHost).unwrap_err();
/// assert_eq!(failure.to_string(), format!("TOO_MANY there are more than {MOVES_LISTED_MAX} complete acts"));
/// # Ok::<(), rules::OptionError>(())
/// ```
pub const MOVES_LISTED_MAX: usize = 10_000;

/// What may be played, with who may play it.
pub(super) fn list(game: &dyn Game, listing: &Listing) -> Result<Vec<(Side, Hint)>, Failure> {
    match listing {
        Listing::Steps => Ok(steps(game)),
        Listing::After(text) => after(game, text),
        Listing::Complete => complete(game),
    }
}

fn steps(game: &dyn Game) -> Vec<(Side, Hint)> {
    Side::BOTH
        .into_iter()
        .flat_map(|side| game.hints(side).into_iter().map(move |hint| (side, hint)))
        .collect()
}

fn after(game: &dyn Game, text: &str) -> Result<Vec<(Side, Hint)>, Failure> {
    for side in Side::BOTH {
        if let Some(step) = find(game, side, game.hints(side), text) {
            return Ok(game.choices(side, &step).into_iter().map(|choice| (side, choice)).collect());
        }
    }
    Err(Failure::new("NOT_LISTED", "these steps are not among those that are listed"))
}

/// The step with this text, among these steps and those that follow them.
fn find(game: &dyn Game, side: Side, steps: Vec<Hint>, text: &str) -> Option<Hint> {
    for step in steps {
        if step.text == text {
            return Some(step);
        }
        if step.choices_left > 0 && text.starts_with(&step.text) {
            let found = find(game, side, game.choices(side, &step), text);
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

fn complete(game: &dyn Game) -> Result<Vec<(Side, Hint)>, Failure> {
    let mut open = steps(game);
    open.reverse();
    let mut listed = Vec::new();
    while let Some((side, step)) = open.pop() {
        if step.choices_left > 0 {
            let choices = game.choices(side, &step);
            open.extend(choices.into_iter().rev().map(|choice| (side, choice)));
        } else if listed.len() < MOVES_LISTED_MAX {
            listed.push((side, step));
        } else {
            let detail = format!("there are more than {MOVES_LISTED_MAX} complete acts");
            return Err(Failure::new("TOO_MANY", detail));
        }
    }
    Ok(listed)
}
