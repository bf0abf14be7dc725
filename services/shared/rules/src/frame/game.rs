use alloc::borrow::Cow;
use core::fmt::{self, Debug};

use crate::{
    ActError, Author, Count, Effects, Mark, Outcome, Point, RuleSet, Score, Side, Stone, StoneColour,
    SystemAct, Variant, Verdict, View, Viewer, prelude::*, write_setup,
};

/// A running game of any variant: its position, its history as far as the rules look back, its outcome.
///
/// An *act* is whatever the rules take from a player as text: a move, a pass, a proposal of dead stones, a
/// claim. Every accepted act raises [`Game::ply`] by one; a refused one changes nothing at all.
///
/// Some games want more than two players' moves, and most do not; the methods for it have defaults:
///
/// * *system acts* are made by the server itself, [`Game::system`] when [`Game::system_due`] says so;
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
pub trait Game: CloneGame + Debug + Send + Sync {
    /// What every running game keeps besides its position.
    fn running(&self) -> &Running;

    /// Which game this is.
    ///
    /// ```
    /// let game = (rules::go::VARIANT.start)(&rules::RuleSet::named("").with("size", "5"))?;
    /// assert_eq!(game.variant().native_name(), "围棋");
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    fn variant(&self) -> &'static Variant {
        self.running().variant
    }

    /// The rule set it is played under, complete: every option with its value.
    ///
    /// ```
    /// let game = (rules::go::VARIANT.start)(&rules::RuleSet::named("").with("size", "5"))?;
    /// assert_eq!((&*game.rule_set().id, &*game.rule_set().options["komi"]), ("cn1988", "2.75"));
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    fn rule_set(&self) -> &RuleSet {
        &self.running().rule_set
    }

    /// How many acts have been accepted since the start.
    ///
    /// ```
    /// let mut game = (rules::go::VARIANT.start)(&rules::RuleSet::named("").with("size", "5"))?;
    /// game.play(rules::Side::First, "C3").unwrap();
    /// game.play(rules::Side::First, "C4").unwrap_err();
    /// assert_eq!(game.ply(), 1);
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    fn ply(&self) -> u32 {
        self.running().ply
    }

    /// The name of the current phase, in lower case.
    ///
    /// ```
    /// let game = (rules::jirige::VARIANT.start)(&rules::RuleSet::named(""))?;
    /// assert_eq!(game.phase(), "place");
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    fn phase(&self) -> &'static str;

    /// Who may act now; nobody when the game has ended or while it waits for the system alone.
    ///
    /// ```
    /// let mut game = (rules::go::VARIANT.start)(&rules::RuleSet::named("").with("size", "5"))?;
    /// game.play(rules::Side::First, "pass").unwrap();
    /// game.play(rules::Side::Second, "pass").unwrap();
    /// assert_eq!(game.actors(), rules::Actors::Both);
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    fn actors(&self) -> Actors {
        self.on_clock().map_or(Actors::Nobody, Actors::One)
    }

    /// Whose clock runs now; `None` when no clock should.
    ///
    /// ```
    /// let mut game = (rules::go::VARIANT.start)(&rules::RuleSet::named("").with("size", "5"))?;
    /// game.play(rules::Side::First, "C3").unwrap();
    /// assert_eq!(game.on_clock(), Some(rules::Side::Second));
    /// let drawn = (rules::tianyi::VARIANT.start)(&rules::RuleSet::named(""))?;
    /// assert_eq!(drawn.on_clock(), None);
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    fn on_clock(&self) -> Option<Side>;

    /// Plays an act given in the variant's notation.
    ///
    /// ```
    /// let mut game = (rules::go::VARIANT.start)(&rules::RuleSet::named("").with("size", "5"))?;
    /// assert_eq!(game.play(rules::Side::First, "c3").unwrap().text, "C3");
    /// assert_eq!(game.play(rules::Side::Second, "C3").unwrap_err().reason, "OCCUPIED");
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    ///
    /// # Errors
    /// A [`ActError`] says which rule forbids it; the game is then unchanged.
    fn play(&mut self, side: Side, text: &str) -> Result<Played, ActError>;

    /// The acts `side` may make now. Where an act also names stones or values of free choice, they are left
    /// out and counted in [`Hint::choices_left`].
    ///
    /// ```
    /// let game = (rules::go::VARIANT.start)(&rules::RuleSet::named("").with("size", "5"))?;
    /// let hints = game.hints(rules::Side::First);
    /// assert_eq!(hints.iter().filter(|hint| hint.text != "pass").count(), 25);
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    fn hints(&self, side: Side) -> Vec<Hint> {
        if self.actors().include(side) { self.hints_in_turn(side) } else { Vec::new() }
    }

    /// The [`Game::hints`] of a side that may act.
    fn hints_in_turn(&self, side: Side) -> Vec<Hint>;

    /// The act of a hint with one more of the stones it owes named, once for each stone that can come next, and
    /// with one less owed. Following them from [`Game::hints`] to where nothing is owed gives every complete act
    /// just once: where the order of the named stones means nothing, they come in reading order.
    ///
    /// Nothing when nothing is owed, or the hint is not one of this position.
    ///
    /// ```
    /// let mut game = (rules::jirige::VARIANT.start)(&rules::RuleSet::named(""))?;
    /// let hint = game.hints(rules::Side::First)[0].clone();
    /// assert_eq!(hint.choices_left, 0);
    /// assert!(game.choices(rules::Side::First, &hint).is_empty());
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    fn choices(&self, side: Side, hint: &Hint) -> Vec<Hint> {
        let _ = (side, hint);
        Vec::new()
    }

    /// How the game ended, once it has.
    ///
    /// ```
    /// let mut game = (rules::go::VARIANT.start)(&rules::RuleSet::named("").with("size", "5"))?;
    /// assert!(game.outcome().is_none());
    /// for (side, act) in [(0, "C3"), (1, "pass"), (0, "pass"), (0, "dead -"), (1, "accept")] {
    ///     game.play(rules::Side::BOTH[side], act).unwrap();
    /// }
    /// assert_eq!(game.outcome().unwrap().verdict, rules::Verdict::Win(rules::Side::First));
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    fn outcome(&self) -> Option<&Outcome> {
        self.running().outcome.as_ref()
    }

    /// What it comes to when both agree on a draw: to one, but where the event needs a winner and the rules name him.
    ///
    /// ```
    /// let game = (rules::go::VARIANT.start)(&rules::RuleSet::named(""))?;
    /// assert_eq!(game.agreed_draw(), rules::Verdict::Draw);
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    fn agreed_draw(&self) -> Verdict {
        Verdict::Draw
    }

    /// Every way of counting the finished game, or the one that would be finished if the standing proposal
    /// were accepted, step by step; they all come to the same. Empty while there is nothing to count, and in
    /// games that are not counted.
    ///
    /// ```
    /// let game = (rules::go::VARIANT.start)(&rules::RuleSet::named("").with("size", "5"))?;
    /// assert!(game.counts().is_empty());
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    fn counts(&self) -> Vec<Count> {
        Vec::new()
    }

    /// The act by which either side may propose how the game is to be settled, made up from the position alone: in
    /// Go the chains that seem dead. The same position gives the same act on every machine. It is a suggestion that
    /// players may take over or not; `None` where there is nothing to suggest.
    ///
    /// It may take tens of milliseconds, so it is asked for once, when the players come to agree, and not for
    /// every view.
    ///
    /// ```
    /// use rules::{RuleSet, Side, go};
    /// let text = "to-move: B; board: ..x.o/..xo./o.xoo/..xo./..xo.";
    /// let mut game = (go::VARIANT.position)(&RuleSet::named(""), text).unwrap();
    /// assert_eq!(game.suggestion(), None, "they still play");
    /// game.play(Side::First, "pass").unwrap();
    /// game.play(Side::Second, "pass").unwrap();
    /// assert_eq!(game.suggestion().as_deref(), Some("dead A3"));
    /// ```
    fn suggestion(&self) -> Option<String> {
        None
    }

    /// The position as `viewer` may see it.
    ///
    /// ```
    /// let mut game = (rules::go::VARIANT.start)(&rules::RuleSet::named("").with("size", "5"))?;
    /// game.play(rules::Side::First, "C3").unwrap();
    /// let view = game.view(rules::Viewer::Spectator);
    /// assert_eq!((view.columns, view.stones.len(), view.ply), (5, 1, 1));
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    fn view(&self, viewer: Viewer) -> View {
        let (columns, rows) = self.size();
        View {
            columns,
            rows,
            stones: self.stones(),
            marks: self.marks(),
            phase: self.phase(),
            actors: self.actors(),
            ply: self.ply(),
            facts: self.facts(viewer),
        }
    }

    /// Width and height of the board in points.
    fn size(&self) -> (u8, u8);

    /// Every stone, in reading order.
    fn stones(&self) -> Vec<Stone>;

    /// Everything to be drawn besides stones.
    fn marks(&self) -> Vec<Mark>;

    /// What else is worth showing to `viewer`, as name and value; what that is, each game says for itself.
    fn facts(&self, viewer: Viewer) -> Vec<(&'static str, String)>;

    /// The name of a point, `G7`; nothing for one that the board does not have.
    ///
    /// ```
    /// let game = (rules::go::VARIANT.start)(&rules::RuleSet::named("").with("size", "5"))?;
    /// assert_eq!(game.point_name(rules::Point { column: 2, row: 0 }), "C5");
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    fn point_name(&self, point: Point) -> String {
        let (columns, rows) = self.size();
        let is_on_board = point.column < columns && point.row < rows;
        if is_on_board { self.variant().axes.name(point, rows) } else { String::new() }
    }

    /// A 64-bit hash of everything that everybody may know of the position, side to move and phase included.
    /// What is sealed is not in it: a hash of few possible values would give them away.
    ///
    /// ```
    /// let mut game = (rules::go::VARIANT.start)(&rules::RuleSet::named("").with("size", "5"))?;
    /// let before = game.hash();
    /// game.play(rules::Side::First, "C3").unwrap();
    /// assert_ne!(game.hash(), before);
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    fn hash(&self) -> u64;

    /// Plays an act of the system.
    ///
    /// ```
    /// let mut game = (rules::tianyi::VARIANT.start)(&rules::RuleSet::named(""))?;
    /// let seed = rules::Opening::new([1; 32], [2; 32]);
    /// let played = game.system(&format!("seed {}", seed.text())).unwrap();
    /// assert_eq!(played.public.unwrap(), format!("commit {}", seed.commitment()));
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    ///
    /// # Errors
    /// A [`ActError`], `NOTHING_DUE` if the game waits for nothing of the kind; the game is then unchanged.
    fn system(&mut self, _text: &str) -> Result<Played, ActError> {
        Err(ActError::nothing_due())
    }

    /// What the system has to do now, if anything.
    ///
    /// ```
    /// let game = (rules::tianyi::VARIANT.start)(&rules::RuleSet::named(""))?;
    /// assert_eq!(game.system_due(), Some(rules::SystemAct::Seed));
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    fn system_due(&self) -> Option<SystemAct> {
        None
    }

    /// The acts that are sealed now, by ply (the first act has 1), with what others than their author may
    /// read of them.
    ///
    /// ```
    /// let design = rules::RuleSet::named("design").with("size", "9");
    /// let mut game = (rules::tianyi::VARIANT.start)(&design)?;
    /// for (side, act) in [(0, "propose B E5 W C3"), (1, "accept"), (0, "bid 1.5")] {
    ///     game.play(rules::Side::BOTH[side], act).unwrap();
    /// }
    /// assert_eq!(game.sealed(), [(3, "bid".to_owned())]);
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    fn sealed(&self) -> Vec<(u32, String)> {
        Vec::new()
    }

    /// The colour a side plays; `None` until the game has decided it. Until then, what is on the board is
    /// drawn in the colours of the variant.
    ///
    /// ```
    /// use rules::{RuleSet, Side, StoneColour};
    /// let jiu = (rules::jiu::VARIANT.start)(&RuleSet::named(""))?;
    /// assert_eq!(jiu.colour(Side::First), Some(StoneColour::White));
    /// let tianyi = (rules::tianyi::VARIANT.start)(&RuleSet::named(""))?;
    /// assert_eq!(tianyi.colour(Side::First), None);
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    fn colour(&self, side: Side) -> Option<StoneColour> {
        Some(self.variant().colours[side.index()])
    }

    /// The colour in which a side's stones are drawn: its own, or that of the variant while none is decided.
    ///
    /// ```
    /// let game = (rules::tianyi::VARIANT.start)(&rules::RuleSet::named(""))?;
    /// assert_eq!(game.colour_drawn(rules::Side::First), rules::StoneColour::Black);
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    fn colour_drawn(&self, side: Side) -> StoneColour {
        self.colour(side).unwrap_or(self.variant().colours[side.index()])
    }

    /// Plays an act of anybody, as a record names its author.
    ///
    /// ```
    /// use rules::{Author, Side};
    /// let mut game = (rules::go::VARIANT.start)(&rules::RuleSet::named("").with("size", "5"))?;
    /// assert!(game.act(Author::Side(Side::First), "C3").is_ok());
    /// assert_eq!(game.act(Author::System, "expire").unwrap_err().reason, "NOTHING_DUE");
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Game::play`] and [`Game::system`].
    fn act(&mut self, author: Author, text: &str) -> Result<Played, ActError> {
        match author {
            Author::System => self.system(text),
            Author::Side(side) => self.play(side, text),
        }
    }

    /// The position as text that [`Variant::position`] reads, without its past; `None` where no such text can
    /// stand for it.
    ///
    /// ```
    /// let mut game = (rules::go::VARIANT.start)(&rules::RuleSet::named("").with("size", "5"))?;
    /// game.play(rules::Side::First, "C3").unwrap();
    /// let text = game.setup_text().unwrap();
    /// let again = (rules::go::VARIANT.position)(game.rule_set(), &text).unwrap();
    /// assert_eq!(again.view(rules::Viewer::Spectator).stones, game.view(rules::Viewer::Spectator).stones);
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    fn setup_text(&self) -> Option<String> {
        write_setup(self, ['B', 'W'])
    }

    /// The count of the position as it stands, before or after the end; `None` in games that have none.
    ///
    /// ```
    /// let mut game = (rules::go::VARIANT.start)(&rules::RuleSet::named("").with("size", "5"))?;
    /// game.play(rules::Side::First, "C3").unwrap();
    /// assert_eq!(game.score().unwrap().points, "B+19.5");
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    fn score(&self) -> Option<Score> {
        self.outcome().and_then(|outcome| outcome.score.clone())
    }

    /// The count for a person to read, in as many lines as it takes; `None` in games that have none.
    ///
    /// ```
    /// let jiu = (rules::jiu::VARIANT.start)(&rules::RuleSet::named(""))?;
    /// assert_eq!(jiu.score_text().unwrap(), "stones: W 0, B 0");
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    fn score_text(&self) -> Option<String> {
        self.score().map(|score| format!("{} ({})", score.printed, score.printed_zh))
    }

    /// Lets `side` act next although it is not its turn, with no act of the other side. No rule allows it: it is
    /// for those who look on at what others refereed. `false`, with nothing changed, where the game cannot go
    /// on so.
    ///
    /// ```
    /// let mut game = (rules::go::VARIANT.start)(&rules::RuleSet::named("").with("size", "5"))?;
    /// assert!(game.give_turn(rules::Side::Second));
    /// assert!(game.play(rules::Side::Second, "C3").is_ok());
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    fn give_turn(&mut self, side: Side) -> bool {
        let _ = side;
        false
    }

    /// Plays what can be played of an act that [`Game::play`] has refused, so that the rest of a faulty record
    /// can be looked at. Returns what else is wrong with the act; `None`, with nothing changed, when nothing of
    /// it can be played.
    ///
    /// ```
    /// let mut game = (rules::go::VARIANT.start)(&rules::RuleSet::named("").with("size", "5"))?;
    /// assert!(game.salvage(rules::Side::First, "nonsense").is_none());
    /// assert_eq!(game.ply(), 0);
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    fn salvage(&mut self, side: Side, text: &str) -> Option<Vec<ActError>> {
        let _ = (side, text);
        None
    }

    /// An act of a record in the sense in which it was printed, and what the print leaves out that it must say.
    /// A player may leave more to the rules than who writes a record down.
    ///
    /// ```
    /// let game = (rules::go::VARIANT.start)(&rules::RuleSet::named("").with("size", "5"))?;
    /// assert_eq!(game.as_printed(rules::Side::First, "c3"), ("c3".into(), None));
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    fn as_printed<'a>(&self, side: Side, text: &'a str) -> (Cow<'a, str>, Option<ActError>) {
        let _ = side;
        (Cow::Borrowed(text), None)
    }
}

/// What every running game keeps besides its position.
#[derive(Clone, Debug)]
pub struct Running {
    /// Which game it is.
    pub variant: &'static Variant,
    /// The rule set it is played under, complete.
    pub rule_set: RuleSet,
    /// How many acts have been accepted since the start.
    pub ply: u32,
    /// How it ended, once it has.
    pub outcome: Option<Outcome>,
}

impl Running {
    /// A game that begins.
    pub(crate) const fn new(variant: &'static Variant, rule_set: RuleSet) -> Running {
        Running { variant, rule_set, ply: 0, outcome: None }
    }

    /// That the game is not over.
    pub(crate) fn check(&self) -> Result<(), ActError> {
        if self.outcome.is_some() { Err(ActError::game_over()) } else { Ok(()) }
    }
}

/// What boxes of games can do because games can be cloned.
pub trait CloneGame {
    /// A copy behind a new box.
    ///
    /// ```
    /// let game = (rules::go::VARIANT.start)(&rules::RuleSet::named("").with("size", "5"))?;
    /// let mut copy = game.boxed_clone();
    /// copy.play(rules::Side::First, "C3").unwrap();
    /// assert_eq!((game.ply(), copy.ply()), (0, 1));
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    fn boxed_clone(&self) -> Box<dyn Game>;
}

impl<G: Game + Clone + 'static> CloneGame for G {
    fn boxed_clone(&self) -> Box<dyn Game> {
        Box::new(self.clone())
    }
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
    /// No player may: the game has ended, or waits for the system.
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
/// assert!(game.hints(Side::First).contains(&Hint { text: "C3".into(), choices_left: 0 }));
/// assert!(game.hints(Side::Second).is_empty());
/// # Ok::<(), rules::OptionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The act in canonical notation, without the stones or values that the player still has to choose.
    pub text: String,
    /// How many stones or values the player has to name besides.
    pub choices_left: u8,
}

impl Hint {
    /// An act in which nothing is left to choose.
    pub(crate) const fn complete(text: String) -> Hint {
        Hint { text, choices_left: 0 }
    }
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
