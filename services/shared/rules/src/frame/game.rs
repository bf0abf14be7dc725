use alloc::{boxed::Box, string::String, vec::Vec};
use core::fmt::Debug;

use crate::{Count, Effects, Outcome, Point, Refusal, RuleSet, Side, Variant, View, Viewer};

/// A running game of any variant: its position, its history as far as the rules look back, its outcome.
///
/// An *act* is whatever the rules take from a player as text: a move, a pass, a proposal of dead stones, a
/// claim. Every accepted act raises [`Game::ply`] by one; a refused one changes nothing at all.
pub trait Game: Debug + Send + Sync {
    /// Which game this is.
    fn variant(&self) -> &'static Variant;

    /// The rule set it is played under, complete: every option with its value.
    fn rule_set(&self) -> &RuleSet;

    /// How many acts have been accepted since the start.
    fn ply(&self) -> u32;

    /// The name of the current phase, in lower case.
    fn phase(&self) -> &'static str;

    /// Who may act now; nobody when the game has ended.
    fn actors(&self) -> Actors;

    /// Whose clock runs now; `None` when no clock should.
    fn on_clock(&self) -> Option<Side>;

    /// Plays an act given in the variant's notation.
    ///
    /// # Errors
    /// A [`Refusal`] says which rule forbids it; the game is then unchanged.
    fn play(&mut self, side: Side, text: &str) -> Result<Played, Refusal>;

    /// The acts `side` may make now. Where an act also names stones of free choice, they are left out and
    /// counted in [`Hint::owed`].
    fn hints(&self, side: Side) -> Vec<Hint>;

    /// How the game ended, once it has.
    fn outcome(&self) -> Option<&Outcome>;

    /// Every way of counting the finished game, or the one that would be finished if the standing proposal
    /// were accepted, step by step; they all come to the same. Empty while there is nothing to count, and in
    /// games that are not counted.
    fn counts(&self) -> Vec<Count> {
        Vec::new()
    }

    /// The position as `viewer` may see it.
    fn view(&self, viewer: Viewer) -> View;

    /// The name of a point, `G7`.
    fn point_name(&self, point: Point) -> String;

    /// A 64-bit hash of everything the rules know of the position, side to move and phase included.
    fn hash(&self) -> u64;

    /// A copy behind a new box.
    fn boxed_clone(&self) -> Box<dyn Game>;
}

impl Clone for Box<dyn Game> {
    fn clone(&self) -> Self {
        self.boxed_clone()
    }
}

/// Who may act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Actors {
    /// The game has ended.
    Nobody,
    /// One side is to act.
    One(Side),
    /// Either side may act.
    Both,
}

impl Actors {
    /// Whether `side` may act.
    pub const fn include(self, side: Side) -> bool {
        match self {
            Actors::Nobody => false,
            Actors::One(one) => one.index() == side.index(),
            Actors::Both => true,
        }
    }
}

/// An act that was accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The act in canonical notation.
    pub text: String,
    /// What it did.
    pub effects: Effects,
}

/// An act that is possible now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The act in canonical notation, without the stones that the player still has to choose.
    pub text: String,
    /// How many stones the player has to name besides.
    pub owed: u8,
}
