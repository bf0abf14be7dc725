use alloc::vec::Vec;

use super::{Board, Options, Spears, zobrist};
use crate::{Outcome, Side};

/// A side with this many stones or fewer at the start of its turn flies (rule 14).
///
/// ```
/// use rules::{Side, jirige::{FLYING_STONES, Options, Position}};
///
/// let text = "xxxxxxxxx/".to_owned() + &"........./".repeat(6) + "o......../ooooooooo move light";
/// let position = Position::from_setup(&text.parse()?, Options::default())?;
/// assert_eq!(Side::BOTH.map(|side| position.board().count(side)), [FLYING_STONES, FLYING_STONES + 1]);
/// assert_eq!(Side::BOTH.map(|side| position.flies(side)), [true, false]);
/// # Ok::<(), rules::jirige::SetupError>(())
/// ```
pub const FLYING_STONES: u8 = 9;

/// The turns of the placement: one for every point (rule 2).
///
/// ```
/// use rules::jirige::{Options, PLACEMENT_PLIES, Phase, Position};
///
/// let mut position = Position::new(Options::default());
/// while position.phase() == Phase::Place {
///     let _ = position.act(position.actions()[0])?;
/// }
/// assert_eq!(position.ply(), PLACEMENT_PLIES);
/// # Ok::<(), rules::jirige::Illegal>(())
/// ```
pub const PLACEMENT_PLIES: u32 = 81;

/// A game of Jirige as far as its rules look back: the stones, the phase, the side to move, the removals that
/// are owed, the spears made, what repetition and quiet turns have counted so far, and the outcome once there
/// is one.
///
/// Dark is [`Side::First`] and places first; light is [`Side::Second`] and moves first. There are two ways to
/// go on: a whole turn at a time, as players do ([`Position::play`]), or one [`super::Action`] at a time and
/// back again, as a search does ([`Position::act`] and [`Position::undo`]).
///
/// ```
/// use rules::jirige::{Options, Phase, Position};
///
/// let mut position = Position::new(Options::default());
/// position.play(&"D4".parse().unwrap())?;
/// assert_eq!(position.phase(), Phase::Place);
/// let refused = position.play(&"A1".parse().unwrap()).unwrap_err();
/// assert_eq!(refused.reason(), "RING_FIRST");
/// # Ok::<(), rules::jirige::Illegal>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    pub(super) options: Options,
    pub(super) state: State,
    /// The hash after each turn of the moving phase since the last one that took a stone, and the one they
    /// began with.
    pub(super) history: Vec<u64>,
    pub(super) outcome: Option<Outcome>,
}

/// All of a position that an action changes, but for its history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub(super) board: Board,
    pub(super) phase: Phase,
    pub(super) to_move: Side,
    pub(super) ply: u32,
    /// The stones that the side to move has to remove before its turn is complete.
    pub(super) pending: u8,
    /// In the opening, the removals still to come after those pending: light, dark, light, dark.
    pub(super) script: [u8; 4],
    pub(super) spears: [Spears; 2],
    /// Turns of the moving phase since the last one that took a stone.
    pub(super) quiet: u16,
    /// Whether the turn in progress takes a stone.
    pub(super) taking: bool,
}

/// The phases of a game. Flying is no phase: it may hold for one side and not for the other.
///
/// ```
/// use rules::jirige::{Options, Phase, Position};
///
/// let mut position = Position::new(Options::default());
/// let mut phases = vec![position.phase()];
/// while position.phase() != Phase::Move {
///     let _ = position.act(position.actions()[0])?;
///     phases.push(position.phase());
/// }
/// phases.dedup();
/// assert_eq!(phases, [Phase::Place, Phase::Open, Phase::Move]);
/// # Ok::<(), rules::jirige::Illegal>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Stones are placed until the board is full (rules 5 to 9).
    Place,
    /// 开路: each side removes enemy stones from the full board (rules 10 to 12).
    Open,
    /// Stones move and capture (rules 13 to 22).
    Move,
}

impl Phase {
    /// The name in lower case: `place`, `open`, `move`.
    ///
    /// ```
    /// use rules::jirige::Phase;
    ///
    /// assert_eq!([Phase::Place, Phase::Open, Phase::Move].map(Phase::name), ["place", "open", "move"]);
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Phase::Place => "place",
            Phase::Open => "open",
            Phase::Move => "move",
        }
    }
}

impl Position {
    /// The empty board, dark to place.
    ///
    /// ```
    /// use rules::{Side, jirige::{Options, Position}};
    ///
    /// let position = Position::new(Options::default());
    /// assert_eq!((position.board().empty().len(), position.to_move()), (81, Side::First));
    /// ```
    pub fn new(options: Options) -> Position {
        let state = State {
            board: Board::default(),
            phase: Phase::Place,
            to_move: Side::First,
            ply: 0,
            pending: 0,
            script: [0; 4],
            spears: [Spears::NONE; 2],
            quiet: 0,
            taking: false,
        };
        Position { options, state, history: Vec::new(), outcome: None }
    }

    /// The options it is played under.
    ///
    /// ```
    /// use rules::jirige::{Options, Position};
    ///
    /// let position = Position::new(Options { lose_at: 2, ..Options::default() });
    /// assert_eq!(position.options().lose_at, 2);
    /// ```
    pub const fn options(&self) -> Options {
        self.options
    }

    /// The stones.
    ///
    /// ```
    /// use rules::{Side, jirige::{Options, Position}};
    ///
    /// let mut position = Position::new(Options::default());
    /// position.play(&"D4".parse().unwrap())?;
    /// assert_eq!(position.board().owner("D4".parse().unwrap()), Some(Side::First));
    /// # Ok::<(), rules::jirige::Illegal>(())
    /// ```
    pub const fn board(&self) -> &Board {
        &self.state.board
    }

    /// The phase; that in which it ended, once the game has.
    ///
    /// ```
    /// use rules::jirige::{Options, Phase, Position};
    ///
    /// let full = "xoxoxoxox/oxoxoxoxo/".repeat(4) + "xoxoxoxox open light";
    /// let mut position = Position::from_setup(&full.parse()?, Options::default())?;
    /// position.play(&"*A9".parse()?)?;
    /// assert_eq!(position.phase(), Phase::Open);
    /// position.play(&"*B9".parse()?)?;
    /// assert_eq!(position.phase(), Phase::Move);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn phase(&self) -> Phase {
        self.state.phase
    }

    /// Whose turn it is, or would be had the game not ended.
    ///
    /// ```
    /// use rules::{Side, jirige::{Options, Position}};
    ///
    /// let mut position = Position::new(Options::default());
    /// assert_eq!(position.to_move(), Side::First);
    /// position.play(&"D4".parse().unwrap())?;
    /// assert_eq!(position.to_move(), Side::Second);
    /// # Ok::<(), rules::jirige::Illegal>(())
    /// ```
    pub const fn to_move(&self) -> Side {
        self.state.to_move
    }

    /// How many turns have been played; a position that was set up counts the placements it stands for.
    ///
    /// ```
    /// use rules::jirige::{Options, Position};
    ///
    /// let text = "x.x.x.x.x/".to_owned() + &"........./".repeat(7) + "o.o.o.o.. place light";
    /// let mut position = Position::from_setup(&text.parse()?, Options::default())?;
    /// assert_eq!(position.ply(), 9);
    /// position.play(&"I1".parse()?)?;
    /// assert_eq!(position.ply(), 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn ply(&self) -> u32 {
        self.state.ply
    }

    /// How many enemy stones the side to move has to remove before its turn is complete: the removals of the
    /// opening, and those that an [`super::Action`] has earned.
    ///
    /// ```
    /// use rules::jirige::{Action, Options, Position, Way};
    ///
    /// let text = "x.x.x.x.x/".to_owned() + &"........./".repeat(6) + "oo......./o.o.o.... move light";
    /// let mut position = Position::from_setup(&text.parse()?, Options::default())?;
    /// assert_eq!(position.pending(), 0);
    /// let way = Way::Walk { from: "C1".parse()?, to: "B1".parse()? };
    /// let _ = position.act(Action::Move { way, line: None })?;
    /// assert_eq!(position.pending(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn pending(&self) -> u8 {
        self.state.pending
    }

    /// The spears a side has made.
    ///
    /// ```
    /// use rules::{Side, jirige::{Options, Position}};
    ///
    /// let text = "x......../".repeat(8) + ".xxxxxxxx place dark";
    /// let mut position = Position::from_setup(&text.parse()?, Options::default())?;
    /// position.play(&"A1".parse()?)?;
    /// assert_eq!(Side::BOTH.map(|side| position.spears(side).to_string()), ["row:1", ""]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn spears(&self, side: Side) -> Spears {
        self.state.spears[side.index()]
    }

    /// Turns of the moving phase since the last one that took a stone.
    ///
    /// ```
    /// use rules::jirige::{Options, Position};
    ///
    /// let rows = "x.x.x.x.x/".to_owned() + &"........./".repeat(6) + "o.o.o.o.o/ox.x.....";
    /// let text = rows + " move light quiet:7";
    /// let mut position = Position::from_setup(&text.parse()?, Options::default())?;
    /// let quiet = ["I2-I3", "I9-I8", "A1xC1xE1"].map(|text| {
    ///     position.play(&text.parse().unwrap()).unwrap();
    ///     position.quiet_plies()
    /// });
    /// assert_eq!(quiet, [8, 9, 0]);
    /// # Ok::<(), rules::jirige::SetupError>(())
    /// ```
    pub const fn quiet_plies(&self) -> u16 {
        self.state.quiet
    }

    /// Whether a side flies, should it be its turn now (rule 14).
    ///
    /// ```
    /// use rules::{Side, jirige::{Options, Position}};
    ///
    /// let text = "x.x.x.x.x/".to_owned() + &"........./".repeat(7) + "o.o.o.o.o move light";
    /// let position = Position::from_setup(&text.parse()?, Options::default())?;
    /// assert!(position.flies(Side::Second) && position.is_legal(&"A1-E5".parse().unwrap()));
    /// assert!(!Position::new(Options::default()).flies(Side::Second));
    /// # Ok::<(), rules::jirige::SetupError>(())
    /// ```
    pub const fn flies(&self, side: Side) -> bool {
        matches!(self.state.phase, Phase::Move) && self.state.board.count(side) <= FLYING_STONES
    }

    /// How often this position has occurred with the same side to move and the same spear rights, this time
    /// included; 0 before the moving phase and within a turn.
    ///
    /// ```
    /// use rules::jirige::{Options, Position};
    ///
    /// let text = "x.x.x.x.x/".to_owned() + &"........./".repeat(7) + "o.o.o.o.o move light";
    /// let mut position = Position::from_setup(&text.parse()?, Options::default())?;
    /// assert_eq!(position.occurrences(), 1);
    /// for text in ["A1-A2", "I9-I8", "A2-A1", "I8-I9"] {
    ///     position.play(&text.parse()?)?;
    /// }
    /// assert_eq!(position.occurrences(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn occurrences(&self) -> usize {
        let now = self.repetition_key();
        self.history.iter().filter(|key| **key == now).count()
    }

    /// How the game ended, once it has.
    ///
    /// ```
    /// use rules::{Reason, Side, Verdict, jirige::{Options, Position}};
    ///
    /// let mut position = Position::new(Options::default());
    /// assert_eq!(position.outcome(), None);
    /// position.play(&"resign".parse().unwrap())?;
    /// let outcome = position.outcome().unwrap();
    /// assert_eq!((outcome.verdict, outcome.reason), (Verdict::Win(Side::Second), Reason::Resignation));
    /// # Ok::<(), rules::jirige::Illegal>(())
    /// ```
    pub const fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// A hash of the stones, the phase, the side to move, the spear rights, the removals owed, and whether the
    /// game has ended. The part of the stones is kept up to date from action to action.
    ///
    /// ```
    /// use rules::jirige::{Options, Position};
    ///
    /// let after = |turns: [&str; 5]| {
    ///     let mut position = Position::new(Options::default());
    ///     turns.iter().for_each(|text| _ = position.play(&text.parse().unwrap()).unwrap());
    ///     position.hash()
    /// };
    /// assert_eq!(after(["D4", "E6", "A1", "I9", "B1"]), after(["D4", "E6", "B1", "I9", "A1"]));
    /// assert_ne!(after(["D4", "E6", "A1", "I9", "B1"]), after(["D4", "E6", "A1", "I9", "C1"]));
    /// ```
    pub fn hash(&self) -> u64 {
        self.key(self.outcome.is_some())
    }

    /// The key under which positions count as the same: stones, side to move and spear rights.
    pub(super) fn repetition_key(&self) -> u64 {
        self.key(false)
    }

    fn key(&self, ended: bool) -> u64 {
        let State { board, phase, to_move, pending, script, spears, .. } = &self.state;
        let [a, b, c, d] = *script;
        board.key() ^ zobrist::rest(*phase, *to_move, *spears, [*pending, a, b, c, d], ended)
    }
}
