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

/// A game of an arena: who sat at it, with which colours, and how it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArenaGame {
    /// The player of the first side and that of the second, from 0 in the order of each.
    pub players: [usize; 2],
    /// The colour of the first side's player.
    pub colour: Colour,
    /// How it ended.
    pub result: ArenaResult,
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

/// What is next after these games between sides of so many players: who has lost is out, and the first of each side who is
/// not meet. Each game is that of those who sat at it, so that what is decided late of one puts nobody else out. The colour of
/// game 1 is drawn; afterwards the player who stayed takes the colour that he had less, and alternates where he had both as
/// often.
///
/// ```
/// use pairing::{Colour, arena::{ArenaGame, ArenaResult::First, ArenaState, state}};
/// let after = |games: &[ArenaGame]| state([2, 2], Colour::First, games);
/// let won = ArenaGame { players: [0, 0], colour: Colour::First, result: First };
/// let next = ArenaState::Game { first: 0, second: 1, colour: Colour::Second };
/// assert_eq!(after(&[won]), next);
/// let again = ArenaGame { players: [0, 1], colour: Colour::Second, result: First };
/// assert_eq!(after(&[won, again]), ArenaState::Won { first: true });
/// ```
pub fn state(players: [usize; 2], opening: Colour, games: &[ArenaGame]) -> ArenaState {
    let mut out: [Vec<bool>; 2] = players.map(|it| vec![false; it]);
    for (at, game) in games.iter().enumerate() {
        let drew = |it: &ArenaGame| it.players == game.players && it.result == ArenaResult::Draw;
        let loses = match game.result {
            ArenaResult::First => [false, true],
            ArenaResult::Second => [true, false],
            ArenaResult::Neither => [true, true],
            ArenaResult::Draw => [games[..at].iter().any(drew); 2],
        };
        for side in 0..2 {
            if let Some(is_out) = out[side].get_mut(game.players[side]) {
                *is_out |= loses[side];
            }
        }
    }
    match out.map(|side| side.iter().position(|is_out| !is_out)) {
        [Some(first), Some(second)] => {
            ArenaState::Game { first, second, colour: colour_of([first, second], opening, games) }
        }
        [None, None] => ArenaState::Drawn,
        [first, _] => ArenaState::Won { first: first.is_some() },
    }
}

/// The colour of the first side's player in the next game.
fn colour_of(next: [usize; 2], opening: Colour, games: &[ArenaGame]) -> Colour {
    let Some(last) = games.last() else { return opening };
    match [0, 1].map(|side| last.players[side] == next[side]) {
        // It was drawn: once more, the other way round.
        [true, true] => last.colour.opposite(),
        [true, false] => wish(0, next[0], games),
        [false, true] => wish(1, next[1], games).opposite(),
        // Two new players: as at the beginning.
        [false, false] => opening,
    }
}

/// The colour that a player of a side had less, else the one that he did not have last.
fn wish(side: usize, player: usize, games: &[ArenaGame]) -> Colour {
    let own = games.iter().filter(|game| game.players[side] == player);
    let colour = |game: &ArenaGame| if side == 0 { game.colour } else { game.colour.opposite() };
    let had: Vec<Colour> = own.map(colour).collect();
    let firsts = had.iter().filter(|it| **it == Colour::First).count();
    match (2 * firsts).cmp(&had.len()) {
        core::cmp::Ordering::Less => Colour::First,
        core::cmp::Ordering::Greater => Colour::Second,
        core::cmp::Ordering::Equal => had.last().map_or(Colour::First, |last| last.opposite()),
    }
}
