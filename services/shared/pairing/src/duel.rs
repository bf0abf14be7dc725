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
    /// How it stands after these results of the first player: won with more points than there are games (1.10, 28: two
    /// points for a win), so that two wins are enough of three, and more than ten points of ten.
    ///
    /// ```
    /// use pairing::{Colour, Duel, DuelState, ResultCode::{Draw, Loss, Win}};
    /// let best_of_three = Duel { games: 3, play_all: false, opening_colour: Colour::First };
    /// assert_eq!(best_of_three.state(&[Win, Win]), DuelState::Won { first: true });
    /// assert_eq!(best_of_three.state(&[Win, Draw]), DuelState::Running { game: 3, colour: Colour::First });
    /// assert_eq!(best_of_three.state(&[Win, Draw, Loss]), DuelState::Level);
    /// ```
    pub fn state(&self, results: &[ResultCode]) -> DuelState {
        let points = points(results);
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

/// Points of both players by the results of the first.
fn points(results: &[ResultCode]) -> [u32; 2] {
    let second = |code: &ResultCode| match code {
        ResultCode::Loss | ResultCode::ForfeitLoss => crate::WIN_POINTS,
        ResultCode::Draw => crate::DRAW_POINTS,
        _ => 0,
    };
    [results.iter().map(|it| it.points(0)).sum(), results.iter().map(second).sum()]
}
