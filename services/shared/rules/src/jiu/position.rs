use super::{Board, Dalian, Illegal, LegalTurn, Options, Point, Turn};
use crate::{Outcome, Side, prelude::*, zobrist::mix};

/// A side with this many stones or fewer flies (怎儿, Article 3.3.9), and Article 4 judges it.
pub const FLYING_STONES: u8 = 14;

/// The turns of the placement: one for every point (Article 3.1).
pub const PLACEMENT_PLIES: u32 = 196;

/// A game of Jiu as far as its rules look back: the stones, the phase, the side to move, what repetition and
/// quiet turns have counted so far, and the outcome once there is one.
///
/// White is [`Side::First`] and places first; Black is [`Side::Second`] and moves first. A copy is cheap: but
/// for the history since the last capture it owns no memory.
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
    /// Boxed, so that copies of a running game, which are many, carry nothing of it.
    pub(super) outcome: Option<Box<Outcome>>,
}

named! {
    /// The phases of a game. Flying is no phase: it may hold for one side and not for the other.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Phase {
        /// Stones are placed until the board is full (Article 3.1).
        Place => "place",
        /// Each side lifts its own centre stone (Article 3.2).
        Lift => "lift",
        /// Stones move and capture (Article 3.3).
        Move => "move",
    }
}

impl Position {
    /// The empty board, White to place.
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
    /// # Errors
    /// The rule that forbids it; the position is then unchanged.
    pub fn play(&mut self, turn: &Turn) -> Result<LegalTurn, Illegal> {
        let legal = self.legal(turn)?;
        self.accept(&legal);
        Ok(legal)
    }

    /// The options it is played under.
    pub const fn options(&self) -> Options {
        self.options
    }

    /// The stones.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The phase.
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// Whose turn it is, or would be had the game not ended.
    pub const fn to_move(&self) -> Side {
        self.to_move
    }

    /// How many turns have been played; a position that was set up counts those it stands for.
    pub const fn ply(&self) -> u32 {
        self.ply
    }

    /// Turns of the movement since the last lift or capture.
    pub const fn quiet_plies(&self) -> u16 {
        self.quiet
    }

    /// How often this position has occurred with the same side to move, this time included; 0 before the
    /// movement, where nothing can occur twice.
    pub fn occurrences(&self) -> usize {
        let now = self.hash();
        self.history.iter().filter(|hash| **hash == now).count()
    }

    /// How the game ended by its rules, once it has.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_deref()
    }

    /// The Zobrist hash of stones, phase and side to move.
    pub const fn hash(&self) -> u64 {
        self.board.key() ^ mix((self.phase as u64) << 1 | self.to_move.index() as u64)
    }

    /// Whether a side may move any stone to any empty point: with fourteen stones or fewer (Article 3.3.9).
    ///
    /// Because no side ever gains a stone, this is also the memory of Article 4: a side that once fell so low
    /// stays judged.
    pub const fn flies(&self, side: Side) -> bool {
        matches!(self.phase, Phase::Move) && self.board.count(side) <= FLYING_STONES
    }

    /// The dalians of a side, single and double; none before the movement.
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
        let outcome = match self.phase {
            Phase::Place if self.board.empty().is_empty() => {
                self.phase = Phase::Lift;
                self.to_move = Side::Second;
                None
            }
            Phase::Lift if mover == Side::First => {
                self.phase = Phase::Move;
                self.to_move = Side::Second;
                self.remember(true);
                self.stuck()
            }
            Phase::Place | Phase::Lift => None,
            Phase::Move => {
                self.remember(self.board.count(mover.other()) < enemies_before);
                self.adjudicate(mover, enemies_before)
            }
        };
        self.outcome = outcome.map(Box::new);
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
