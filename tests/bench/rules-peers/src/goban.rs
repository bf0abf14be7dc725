//! The crate `goban`: simple ko, or superko against the boards of the game.

use goban::rules::{CHINESE, GobanSizes, Move, game::Game};

use crate::engine::{At, Engine};

/// A game in it.
pub struct Goban(pub Game);

impl Engine for Goban {
    const NAME: &'static str = "goban 0.20, superko";

    fn new(size: u8) -> Self {
        Goban(Game::new(GobanSizes::from(usize::from(size)), CHINESE))
    }

    fn apply(&mut self, at: Option<At>) {
        self.0.play(at.map_or(Move::Pass, |at| Move::Play(at.row(), at.column())));
    }

    fn try_play(&mut self, at: At) -> Option<bool> {
        let before = self.0.prisoners();
        self.0.try_play(Move::Play(at.row(), at.column())).ok()?;
        Some(self.0.prisoners() != before)
    }

    fn pass(&mut self) {
        self.0.play(Move::Pass);
    }

    fn stones(&self) -> u32 {
        let (black, white) = self.0.goban().number_of_stones();
        black + white
    }
}
