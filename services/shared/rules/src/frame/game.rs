use alloc::{boxed::Box, format, string::String, vec::Vec};
use core::fmt::Debug;

use crate::{Effects, Outcome, Point, Refusal, RuleSet, Score, Side, Variant, View, Viewer, write_setup};

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

    /// The act of a hint with one more of the stones it owes named, once for each stone that can come next, and
    /// with one less owed. Following them from [`Game::hints`] to where nothing is owed gives every complete act
    /// just once: where the order of the named stones means nothing, they come in reading order.
    ///
    /// Nothing when nothing is owed, or the hint is not one of this position.
    fn choices(&self, side: Side, hint: &Hint) -> Vec<Hint> {
        let _ = (side, hint);
        Vec::new()
    }

    /// How the game ended, once it has.
    fn outcome(&self) -> Option<&Outcome>;

    /// The position as `viewer` may see it.
    fn view(&self, viewer: Viewer) -> View;

    /// The name of a point, `G7`.
    fn point_name(&self, point: Point) -> String;

    /// A 64-bit hash of everything the rules know of the position, side to move and phase included.
    fn hash(&self) -> u64;

    /// The position as text that [`Variant::position`] reads, without its past; `None` where no such text can
    /// stand for it.
    fn setup_text(&self) -> Option<String> {
        write_setup(self, ['B', 'W'])
    }

    /// The count of the position as it stands, before or after the end; `None` in games that have none.
    fn score(&self) -> Option<Score> {
        self.outcome().and_then(|outcome| outcome.score.clone())
    }

    /// The count for a person to read, in as many lines as it takes; `None` in games that have none.
    fn score_text(&self) -> Option<String> {
        self.score().map(|score| format!("{} ({})", score.printed, score.printed_zh))
    }

    /// Lets `side` act next although it is not its turn, with no act of the other side. No rule allows it: it is
    /// for those who look on at what others refereed. `false`, with nothing changed, where the game cannot go
    /// on so.
    fn give_turn(&mut self, side: Side) -> bool {
        let _ = side;
        false
    }

    /// Plays what can be played of an act that [`Game::play`] has refused, so that the rest of a faulty record
    /// can be looked at. Returns what else is wrong with the act; `None`, with nothing changed, when nothing of
    /// it can be played.
    fn salvage(&mut self, side: Side, text: &str) -> Option<Vec<Refusal>> {
        let _ = (side, text);
        None
    }

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
