//! A match of two players over several games (`MATCH`, section 1.2).

use crate::{Colour, ResultCode};

/// How many games, and when it stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Duel {
    /// Games: 3, 5 or 7 for the best of them, 10 for the ten-game match.
    pub games: u32,
    /// Whether all are played although one side cannot be reached any more.
    pub play_all: bool,
    /// The colour of the first player in game 1, which is drawn.
    pub opening_colour: Colour,
}

/// How a match stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DuelState {
    /// Another game is to be played.
    Running {
        /// Its number, from 1.
        game: u32,
        /// The colour of the first player: colours alternate.
        colour: Colour,
    },
    /// The first or the second player has won.
    Won {
        /// Whether it is the first.
        first: bool,
    },
    /// Level after all games: more of them as the regulations say.
    Level,
}

impl Duel {
    /// How it stands after these results, the first player's first: won with more points than there are games (1.10, 28:
    /// two points for a win), so that two wins are enough of three, and more than ten points of ten. A game that both have
    /// lost is a point for nobody.
    ///
    /// ```
    /// use pairing::{Colour, Duel, DuelState, ResultCode::{Draw, Loss, Win}};
    /// let best_of_three = Duel { games: 3, play_all: false, opening_colour: Colour::First };
    /// let [won, drawn, lost, by_both] = [[Win, Loss], [Draw, Draw], [Loss, Win], [Loss, Loss]];
    /// assert_eq!(best_of_three.state(&[won, won]), DuelState::Won { first: true });
    /// assert_eq!(best_of_three.state(&[won, drawn]), DuelState::Running { game: 3, colour: Colour::First });
    /// assert_eq!(best_of_three.state(&[won, drawn, lost]), DuelState::Level);
    /// assert_eq!(best_of_three.state(&[won, by_both, by_both]), DuelState::Won { first: true });
    /// ```
    pub fn state(&self, results: &[[ResultCode; 2]]) -> DuelState {
        let points = [0, 1].map(|side| results.iter().map(|codes| codes[side].points(0)).sum::<u32>());
        let played = crate::count(results.len());
        let decided = points.iter().any(|it| *it > self.games);
        if played < self.games && (self.play_all || !decided) {
            let colour =
                if played.is_multiple_of(2) { self.opening_colour } else { self.opening_colour.opposite() };
            return DuelState::Running { game: played + 1, colour };
        }
        match points[0].cmp(&points[1]) {
            core::cmp::Ordering::Equal => DuelState::Level,
            order => DuelState::Won { first: order.is_gt() },
        }
    }
}
