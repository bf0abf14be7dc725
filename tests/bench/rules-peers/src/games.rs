//! The games that every engine plays.

use crate::{engine::At, ours::Superko, playout::Playout, random::Random};

/// Random games with the board of each at its end.
pub struct Games {
    /// Points a side.
    pub size: u8,
    /// The moves of each game; `None` is a pass.
    pub games: Vec<Vec<Option<At>>>,
}

impl Games {
    /// Plays so many games at random to their ends; no board comes twice in any of them.
    pub fn random(size: u8, count: usize) -> Games {
        let mut playout = Playout::new(size);
        let games = (0..count)
            .map(|seed| {
                let mut moves = Vec::new();
                playout.run::<Superko>(&mut Random::new(seed as u64), |at| moves.push(at));
                moves
            })
            .collect();
        Games { size, games }
    }

    /// How many moves all games have together, passes included.
    pub fn moves(&self) -> u64 {
        self.games.iter().map(|game| game.len() as u64).sum()
    }

    /// The first games, as text: a line a game, a move as column and row joined by a comma, or `-`.
    pub fn text(&self, count: usize) -> String {
        let point = |at: At| format!("{},{}", at.column(), at.row());
        let line = |game: &Vec<Option<At>>| {
            let moves: Vec<String> =
                game.iter().map(|at| at.map_or_else(|| String::from("-"), point)).collect();
            moves.join(" ") + "\n"
        };
        let games: String = self.games.iter().take(count).map(line).collect();
        format!("{}\n{games}", self.size)
    }
}
