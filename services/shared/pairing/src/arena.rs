//! The winner stays (`ARENA`, section 1.2): two ordered sides, one game at a time; who loses is out, and who wins meets the
//! next of the other side.

use crate::Colour;

/// How a game of the arena ended; who does not come has lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArenaResult {
    /// Won by the player of the first side.
    First,
    /// Won by the player of the second side.
    Second,
    /// Drawn: played again once with colours reversed; a second draw removes both.
    Draw,
    /// Lost by both, as where neither comes (Art. 23.2): both are out.
    Neither,
}

/// What is next in an arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArenaState {
    /// A game.
    Game {
        /// The player of the first side, from 0.
        first: usize,
        /// The player of the second side, from 0.
        second: usize,
        /// The colour of the first side's player.
        colour: Colour,
    },
    /// One side has nobody left.
    Won {
        /// Whether the first side has won.
        first: bool,
    },
    /// A second draw, or a game that both lost, has emptied both sides (1.11, 19).
    Drawn,
}

/// Colours that each player of a side had: first ones less second ones, and the last.
type Had = Vec<(i32, Option<Colour>)>;

/// What is next after these games between sides of so many players. The colour of game 1 is drawn; afterwards the player
/// who stayed takes the colour that he had less, and alternates where he had both as often.
///
/// ```
/// use pairing::{Colour, arena::{ArenaResult, ArenaState, state}};
/// let after = |games: &[ArenaResult]| state([2, 2], Colour::First, games);
/// let next = ArenaState::Game { first: 0, second: 1, colour: Colour::Second };
/// assert_eq!(after(&[ArenaResult::First]), next);
/// assert_eq!(after(&[ArenaResult::First, ArenaResult::First]), ArenaState::Won { first: true });
/// ```
pub fn state(players: [usize; 2], opening: Colour, games: &[ArenaResult]) -> ArenaState {
    let [mut first, mut second] = [0, 0];
    let mut had: [Had; 2] = players.map(|it| vec![(0, None); it]);
    let mut colour = opening;
    let mut drawn = false;
    for result in games {
        if first >= players[0] || second >= players[1] {
            break;
        }
        note(&mut had[0][first], colour);
        note(&mut had[1][second], colour.opposite());
        match (result, drawn) {
            (ArenaResult::Draw, false) => {
                drawn = true;
                colour = colour.opposite();
                continue;
            }
            (ArenaResult::Draw, true) | (ArenaResult::Neither, _) => {
                (first, second) = (first + 1, second + 1);
            }
            (ArenaResult::First, _) => second += 1,
            (ArenaResult::Second, _) => first += 1,
        }
        drawn = false;
        colour = match result {
            ArenaResult::First => wish(had[0].get(first)),
            ArenaResult::Second => wish(had[1].get(second)).opposite(),
            // Two new players: as at the beginning.
            ArenaResult::Draw | ArenaResult::Neither => opening,
        };
    }
    match (first < players[0], second < players[1]) {
        (true, true) => ArenaState::Game { first, second, colour },
        (false, false) => ArenaState::Drawn,
        (stands, _) => ArenaState::Won { first: stands },
    }
}

fn note(player: &mut (i32, Option<Colour>), colour: Colour) {
    player.0 += if colour == Colour::First { 1 } else { -1 };
    player.1 = Some(colour);
}

/// The colour that he had less, else the one that he did not have last.
fn wish(player: Option<&(i32, Option<Colour>)>) -> Colour {
    match player {
        Some((difference, _)) if *difference != 0 => Colour::first_if(*difference < 0),
        Some((_, Some(last))) => last.opposite(),
        _ => Colour::First,
    }
}
