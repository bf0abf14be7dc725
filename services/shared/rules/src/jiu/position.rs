use alloc::vec::Vec;

use super::{Board, Dalian, Illegal, LegalTurn, Options, Point, Turn, zobrist};
use crate::{Outcome, Side};

/// A side with this many stones or fewer flies (怎儿, Article 3.3.9), and Article 4 judges it.
///
/// ```
/// use rules::{Side, jiu::{Board, FLYING_STONES, Options, Phase, Point, Position}};
///
/// let mut board = Board::default();
/// Point::all().take(FLYING_STONES as usize).for_each(|at| board.put(at, Side::First));
/// Point::all().rev().take(FLYING_STONES as usize + 1).for_each(|at| board.put(at, Side::Second));
/// let position = Position::from_setup(board, Phase::Move, Side::First, Options::default())?;
/// assert!(position.flies(Side::First) && !position.flies(Side::Second));
/// # Ok::<(), rules::jiu::SetupError>(())
/// ```
pub const FLYING_STONES: u32 = 14;

/// The turns of the placement: one for every point (Article 3.1).
///
/// ```
/// use rules::jiu::{Options, PLACEMENT_PLIES, Phase, Point, Position, Turn};
///
/// let mut position = Position::new(Options::default());
/// let outside = Point::all().filter(|at| ![Point::G7, Point::H8].contains(at));
/// for at in [Point::G7, Point::H8].into_iter().chain(outside) {
///     assert_eq!(position.phase(), Phase::Place);
///     position.play(&Turn::Point(at))?;
/// }
/// assert_eq!((position.phase(), position.ply()), (Phase::Lift, PLACEMENT_PLIES));
/// # Ok::<(), rules::jiu::Illegal>(())
/// ```
pub const PLACEMENT_PLIES: u32 = 196;

/// A game of Jiu as far as its rules look back: the stones, the phase, the side to move, what repetition and
/// quiet turns have counted so far, and the outcome once there is one.
///
/// White is [`Side::First`] and places first; Black is [`Side::Second`] and moves first. A copy is cheap: but
/// for the history since the last capture it owns no memory.
///
/// ```
/// use rules::jiu::{Options, Phase, Position};
///
/// let mut position = Position::new(Options::default());
/// position.play(&"H8".parse().unwrap())?;
/// position.play(&"G7".parse().unwrap())?;
/// assert_eq!(position.phase(), Phase::Place);
/// let refused = position.play(&"G7".parse().unwrap()).unwrap_err();
/// assert_eq!(refused.reason(), "OCCUPIED");
/// # Ok::<(), rules::jiu::Illegal>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    pub(super) options: Options,
    pub(super) board: Board,
    pub(super) phase: Phase,
    pub(super) to_move: Side,
    pub(super) ply: u32,
    /// Turns of the movement since the last one that took a stone from the board.
    pub(super) quiet: u16,
    /// The hash after each of those turns, and the one they began with.
    pub(super) history: Vec<u64>,
    pub(super) outcome: Option<Outcome>,
}

/// The phases of a game. Flying is no phase: it may hold for one side and not for the other.
///
/// ```
/// use rules::{Side, jiu::{Board, Options, Phase, Point, Position, Turn}};
///
/// let mut board = Board::default();
/// Point::all().for_each(|at| board.put(at, Side::BOTH[at.index() % 2]));
/// let mut position = Position::from_setup(board, Phase::Lift, Side::Second, Options::default())?;
/// position.play(&Turn::Point(Point::H8))?;
/// position.play(&Turn::Point(Point::G7))?;
/// assert_eq!(position.phase(), Phase::Move);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Stones are placed until the board is full (Article 3.1).
    Place,
    /// Each side lifts its own centre stone (Article 3.2).
    Lift,
    /// Stones move and capture (Article 3.3).
    Move,
}

impl Phase {
    /// The name in lower case: `place`, `lift`, `move`.
    ///
    /// ```
    /// assert_eq!(rules::jiu::Phase::Lift.name(), "lift");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Phase::Place => "place",
            Phase::Lift => "lift",
            Phase::Move => "move",
        }
    }
}

impl Position {
    /// The empty board, White to place.
    ///
    /// ```
    /// use rules::{Side, jiu::{Options, Position}};
    ///
    /// let start = Position::new(Options::default());
    /// assert_eq!((start.board().empty().len(), start.to_move()), (196, Side::First));
    /// ```
    pub fn new(options: Options) -> Position {
        Position {
            options,
            board: Board::default(),
            phase: Phase::Place,
            to_move: Side::First,
            ply: 0,
            quiet: 0,
            history: Vec::new(),
            outcome: None,
        }
    }

    /// Plays a turn and says what it did.
    ///
    /// ```
    /// use rules::jiu::{Illegal, Kind, Options, Point, Position, Turn};
    ///
    /// let mut position = Position::new(Options::default());
    /// assert_eq!(position.play(&Turn::Point(Point::H8))?.kind(), Kind::Placement);
    /// let before = position.clone();
    /// assert_eq!(position.play(&Turn::Point(Point::H8)), Err(Illegal::Occupied(Point::H8)));
    /// assert_eq!(position, before);
    /// # Ok::<(), rules::jiu::Illegal>(())
    /// ```
    ///
    /// # Errors
    /// The rule that forbids it; the position is then unchanged.
    pub fn play(&mut self, turn: &Turn) -> Result<LegalTurn, Illegal> {
        let legal = self.legal(turn)?;
        self.accept(&legal);
        Ok(legal)
    }

    /// The options it is played under.
    ///
    /// ```
    /// use rules::{RuleSet, jiu::{Options, Position}};
    ///
    /// let options = Options::from_rule_set(&RuleSet::named("aba-competitive"))?;
    /// assert!(Position::new(options).options().competitive());
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    pub const fn options(&self) -> Options {
        self.options
    }

    /// The stones.
    ///
    /// ```
    /// use rules::{Side, jiu::{Options, Point, Position, Turn}};
    ///
    /// let mut position = Position::new(Options::default());
    /// position.play(&Turn::Point(Point::H8))?;
    /// assert_eq!(position.board().owner(Point::H8), Some(Side::First));
    /// # Ok::<(), rules::jiu::Illegal>(())
    /// ```
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The phase.
    ///
    /// ```
    /// use rules::jiu::{Options, Phase, Position};
    ///
    /// assert_eq!(Position::new(Options::default()).phase(), Phase::Place);
    /// ```
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// Whose turn it is, or would be had the game not ended.
    ///
    /// ```
    /// use rules::{Side, jiu::{Options, Point, Position, Turn}};
    ///
    /// let mut position = Position::new(Options::default());
    /// position.play(&Turn::Point(Point::H8))?;
    /// assert_eq!(position.to_move(), Side::Second);
    /// # Ok::<(), rules::jiu::Illegal>(())
    /// ```
    pub const fn to_move(&self) -> Side {
        self.to_move
    }

    /// How many turns have been played; a position that was set up counts those it stands for.
    ///
    /// ```
    /// use rules::jiu::{Options, Point, Position, Turn};
    ///
    /// let mut position = Position::new(Options::default());
    /// position.play(&Turn::Point(Point::H8))?;
    /// position.play(&Turn::Point(Point::H8)).unwrap_err();
    /// assert_eq!(position.ply(), 1);
    /// # Ok::<(), rules::jiu::Illegal>(())
    /// ```
    pub const fn ply(&self) -> u32 {
        self.ply
    }

    /// Turns of the movement since the last lift or capture.
    ///
    /// ```
    /// use rules::{Side, jiu::{Board, Options, Phase, Position}};
    ///
    /// let mut board = Board::default();
    /// board.put("A1".parse()?, Side::First);
    /// board.put("C2".parse()?, Side::Second);
    /// board.put("N14".parse()?, Side::Second);
    /// let mut position = Position::from_setup(board, Phase::Move, Side::First, Options::default())?;
    /// position.play(&"A1→A2".parse()?)?;
    /// position.play(&"C2→B2".parse()?)?;
    /// assert_eq!(position.quiet_plies(), 2);
    /// position.play(&"A2→C2 TC-B2".parse()?)?;
    /// assert_eq!(position.quiet_plies(), 0);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub const fn quiet_plies(&self) -> u16 {
        self.quiet
    }

    /// How often this position has occurred with the same side to move, this time included; 0 before the
    /// movement, where nothing can occur twice.
    ///
    /// ```
    /// use rules::{Side, jiu::{Board, Options, Phase, Position}};
    ///
    /// let mut board = Board::default();
    /// board.put("A1".parse()?, Side::First);
    /// board.put("N14".parse()?, Side::Second);
    /// let mut position = Position::from_setup(board, Phase::Move, Side::First, Options::default())?;
    /// for turn in ["A1→A2", "N14→N13", "A2→A1", "N13→N14"] {
    ///     assert_eq!(position.occurrences(), 1);
    ///     position.play(&turn.parse()?)?;
    /// }
    /// assert_eq!(position.occurrences(), 2);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn occurrences(&self) -> usize {
        let now = self.hash();
        self.history.iter().filter(|hash| **hash == now).count()
    }

    /// How the game ended by its rules, once it has.
    ///
    /// ```
    /// use rules::{Reason, Side, Verdict, jiu::{Board, Options, Phase, Position}};
    ///
    /// let mut board = Board::default();
    /// board.put("A1".parse()?, Side::First);
    /// board.put("A2".parse()?, Side::Second);
    /// let mut position = Position::from_setup(board, Phase::Move, Side::First, Options::default())?;
    /// assert_eq!(position.outcome(), None);
    /// position.play(&"A1→A3 TC-A2".parse()?)?;
    /// let outcome = position.outcome().unwrap();
    /// assert_eq!((outcome.verdict, outcome.reason), (Verdict::Win(Side::First), Reason::TooFewStones));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub const fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// The Zobrist hash of stones, phase and side to move.
    ///
    /// ```
    /// use rules::jiu::{Options, Position};
    ///
    /// let after = |points: [&str; 5]| {
    ///     let mut position = Position::new(Options::default());
    ///     points.map(|at| position.play(&at.parse().unwrap()).unwrap());
    ///     position.hash()
    /// };
    /// assert_eq!(after(["H8", "G7", "A1", "B1", "C1"]), after(["H8", "G7", "C1", "B1", "A1"]));
    /// assert_ne!(after(["H8", "G7", "A1", "B1", "C1"]), after(["G7", "H8", "A1", "B1", "C1"]));
    /// ```
    pub const fn hash(&self) -> u64 {
        self.board.key() ^ zobrist::turn(self.phase, self.to_move)
    }

    /// Whether a side may move any stone to any empty point: with fourteen stones or fewer (Article 3.3.9).
    ///
    /// Because no side ever gains a stone, this is also the memory of Article 4: a side that once fell so low
    /// stays judged.
    ///
    /// ```
    /// use rules::{Side, jiu::{Board, Options, Phase, Position}};
    ///
    /// let mut board = Board::default();
    /// board.put("A1".parse()?, Side::First);
    /// board.put("N14".parse()?, Side::Second);
    /// let position = Position::from_setup(board, Phase::Move, Side::First, Options::default())?;
    /// assert!(position.flies(Side::First) && position.is_legal(&"A1→G9".parse()?));
    /// assert!(!Position::new(Options::default()).flies(Side::First));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub const fn flies(&self, side: Side) -> bool {
        matches!(self.phase, Phase::Move) && self.board.count(side) <= FLYING_STONES
    }

    /// The dalians of a side, single and double; none before the movement.
    ///
    /// ```
    /// use rules::{Side, jiu::{Board, Options, Phase, Position}};
    ///
    /// let mut board = Board::default();
    /// for at in ["B2", "B3", "B4", "B5", "C2", "C3", "C5"] {
    ///     board.put(at.parse()?, Side::First);
    /// }
    /// board.put("N14".parse()?, Side::Second);
    /// let position = Position::from_setup(board, Phase::Move, Side::First, Options::default())?;
    /// assert!(position.dalians(Side::First).iter().map(|it| it.gap.to_string()).eq(["C4"]));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn dalians(&self, side: Side) -> Vec<Dalian> {
        if self.phase == Phase::Move { self.board.dalians(side) } else { Vec::new() }
    }

    /// The centre point on which a side's own stone stands, if one does.
    pub(super) fn centre_stone(&self, side: Side) -> Option<Point> {
        [Point::G7, Point::H8].into_iter().find(|at| self.board.owner(*at) == Some(side))
    }

    /// Plays a turn that is legal here.
    pub(super) fn accept(&mut self, legal: &LegalTurn) {
        let mover = self.to_move;
        let enemies_before = self.board.count(mover.other());
        self.board = *legal.board();
        self.ply += 1;
        self.to_move = mover.other();
        match self.phase {
            Phase::Place if self.board.empty().is_empty() => {
                self.phase = Phase::Lift;
                self.to_move = Side::Second;
            }
            Phase::Lift if mover == Side::First => {
                self.phase = Phase::Move;
                self.to_move = Side::Second;
                self.remember(true);
                self.outcome = self.stuck();
            }
            Phase::Place | Phase::Lift => {}
            Phase::Move => {
                self.remember(self.board.count(mover.other()) < enemies_before);
                self.outcome = self.adjudicate(mover, enemies_before);
            }
        }
    }

    /// Counts a turn of the movement for repetition and quiet; what came before a capture cannot come back.
    pub(super) fn remember(&mut self, captured: bool) {
        if captured {
            self.history.clear();
            self.quiet = 0;
        } else {
            self.quiet += 1;
        }
        self.history.push(self.hash());
    }
}
