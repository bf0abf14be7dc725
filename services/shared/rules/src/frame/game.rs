use alloc::{boxed::Box, format, string::String, vec::Vec};
use core::fmt::{self, Debug};

use crate::{
    Author, Count, Effects, HouseDue, Outcome, Point, Refusal, RuleSet, Score, Side, StoneColour, Variant,
    View, Viewer, write_setup,
};

/// A running game of any variant: its position, its history as far as the rules look back, its outcome.
///
/// An *act* is whatever the rules take from a player as text: a move, a pass, a proposal of dead stones, a
/// claim. Every accepted act raises [`Game::ply`] by one; a refused one changes nothing at all.
///
/// Some games want more than two players' moves, and most do not; the methods for it have defaults:
///
/// * *house acts* are made by the server itself, [`Game::house`] when [`Game::house_due`] says so;
/// * *sealed acts* are known in full only to who made them and to the server, until another act opens them:
///   [`Played::public`], [`Game::sealed`], [`Effects::revealed`];
/// * *colours* may be decided in the game: [`Game::colour`].
///
/// ```
/// use rules::{Actors, Game, RuleSet, Side, go};
/// let mut game: Box<dyn Game> = (go::VARIANT.start)(&RuleSet::named("").with("size", "5"))?;
/// assert_eq!(game.play(Side::First, "c3").unwrap().text, "C3");
/// assert!(game.play(Side::Second, "C3").is_err());
/// assert_eq!((game.ply(), game.actors()), (1, Actors::One(Side::Second)));
/// # Ok::<(), rules::OptionError>(())
/// ```
pub trait Game: Debug + Send + Sync {
    /// Which game this is.
    fn variant(&self) -> &'static Variant;

    /// The rule set it is played under, complete: every option with its value.
    fn rule_set(&self) -> &RuleSet;

    /// How many acts have been accepted since the start.
    fn ply(&self) -> u32;

    /// The name of the current phase, in lower case.
    fn phase(&self) -> &'static str;

    /// Who may act now; nobody when the game has ended or while it waits for the house alone.
    fn actors(&self) -> Actors;

    /// Whose clock runs now; `None` when no clock should.
    fn on_clock(&self) -> Option<Side>;

    /// Plays an act given in the variant's notation.
    ///
    /// # Errors
    /// A [`Refusal`] says which rule forbids it; the game is then unchanged.
    fn play(&mut self, side: Side, text: &str) -> Result<Played, Refusal>;

    /// The acts `side` may make now. Where an act also names stones or values of free choice, they are left
    /// out and counted in [`Hint::owed`].
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

    /// A 64-bit hash of everything that everybody may know of the position, side to move and phase included.
    /// What is sealed is not in it: a hash of few possible values would give them away.
    fn hash(&self) -> u64;

    /// Plays an act of the house.
    ///
    /// # Errors
    /// A [`Refusal`], `NOTHING_DUE` if the game waits for nothing of the kind; the game is then unchanged.
    fn house(&mut self, _text: &str) -> Result<Played, Refusal> {
        Err(Refusal::nothing_due())
    }

    /// What the house has to do now, if anything.
    fn house_due(&self) -> Option<HouseDue> {
        None
    }

    /// The acts that are sealed now, by ply (the first act has 1), with what others than their author may
    /// read of them.
    fn sealed(&self) -> Vec<(u32, String)> {
        Vec::new()
    }

    /// The colour a side plays; `None` until the game has decided it. Until then, what is on the board is
    /// drawn in the colours of the variant.
    fn colour(&self, side: Side) -> Option<StoneColour> {
        Some(self.variant().colours[side.index()])
    }

    /// The colour in which a side's stones are drawn: its own, or that of the variant while none is decided.
    fn colour_drawn(&self, side: Side) -> StoneColour {
        self.colour(side).unwrap_or(self.variant().colours[side.index()])
    }

    /// Plays an act of anybody, as a record names its author.
    ///
    /// # Errors
    /// As [`Game::play`] and [`Game::house`].
    fn act(&mut self, author: Author, text: &str) -> Result<Played, Refusal> {
        match author {
            Author::House => self.house(text),
            Author::Side(side) => self.play(side, text),
        }
    }

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
///
/// ```
/// use rules::{Actors, RuleSet, Side, jiu};
/// let mut game = (jiu::VARIANT.start)(&RuleSet::named(""))?;
/// assert_eq!(game.actors(), Actors::One(Side::First));
/// game.play(Side::First, "G7").unwrap();
/// assert_eq!(game.actors(), Actors::One(Side::Second));
/// # Ok::<(), rules::OptionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Actors {
    /// No player may: the game has ended, or waits for the house.
    Nobody,
    /// One side is to act.
    One(Side),
    /// Either side may act.
    Both,
}

impl Actors {
    /// Whether `side` may act.
    ///
    /// ```
    /// use rules::{Actors, Side};
    /// assert_eq!(Side::BOTH.map(|side| Actors::One(Side::Second).include(side)), [false, true]);
    /// assert!(Side::BOTH.iter().all(|side| Actors::Both.include(*side) && !Actors::Nobody.include(*side)));
    /// ```
    pub const fn include(self, side: Side) -> bool {
        match self {
            Actors::Nobody => false,
            Actors::One(one) => one.index() == side.index(),
            Actors::Both => true,
        }
    }
}

/// An act that was accepted. `Debug` shows what everybody may read of it.
///
/// ```
/// use rules::{Effects, Played};
/// let bid = Played { text: "bid 7".into(), public: Some("bid".into()), effects: Effects::default() };
/// assert!(!format!("{bid:?}").contains('7'));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Played {
    /// The act in canonical notation.
    pub text: String,
    /// What others than its author may read of it while it is sealed; `None` if it is not.
    pub public: Option<String>,
    /// What it did, which everybody may know.
    pub effects: Effects,
}

/// An act that is possible now.
///
/// ```
/// use rules::{Hint, RuleSet, Side, go};
/// let game = (go::VARIANT.start)(&RuleSet::named("").with("size", "5"))?;
/// assert!(game.hints(Side::First).contains(&Hint { text: "C3".into(), owed: 0 }));
/// assert!(game.hints(Side::Second).is_empty());
/// # Ok::<(), rules::OptionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The act in canonical notation, without the stones or values that the player still has to choose.
    pub text: String,
    /// How many stones or values the player has to name besides.
    pub owed: u8,
}

impl Debug for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Played")
            .field("text", self.public.as_ref().unwrap_or(&self.text))
            .field("sealed", &self.public.is_some())
            .field("effects", &self.effects)
            .finish()
    }
}
