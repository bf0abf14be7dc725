use super::{Board, Options, Spears};
use crate::{Outcome, Side, prelude::*, zobrist::mix};

/// A side with this many stones or fewer at the start of its turn flies (rule 14).
pub const FLYING_STONES: u8 = 9;

/// The turns of the placement: one for every point (rule 2).
pub const PLACEMENT_PLIES: u32 = 81;

/// A game of Jirige as far as its rules look back: the stones, the phase, the side to move, the removals that
/// are owed, the spears made, what repetition and quiet turns have counted so far, and the outcome once there
/// is one.
///
/// Dark is [`Side::First`] and places first; light is [`Side::Second`] and moves first. There are two ways to
/// go on: a whole turn at a time, as players do ([`Position::play`]), or one [`super::Action`] at a time and
/// back again, as a search does ([`Position::act`] and [`Position::undo`]).
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

named! {
    /// The phases of a game. Flying is no phase: it may hold for one side and not for the other.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Phase {
        /// Stones are placed until the board is full (rules 5 to 9).
        Place => "place",
        /// 开路: each side removes enemy stones from the full board (rules 10 to 12).
        Open => "open",
        /// Stones move and capture (rules 13 to 22).
        Move => "move",
    }
}

impl Position {
    /// The empty board, dark to place.
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
    pub const fn options(&self) -> Options {
        self.options
    }

    /// The stones.
    pub const fn board(&self) -> &Board {
        &self.state.board
    }

    /// The phase; that in which it ended, once the game has.
    pub const fn phase(&self) -> Phase {
        self.state.phase
    }

    /// Whose turn it is, or would be had the game not ended.
    pub const fn to_move(&self) -> Side {
        self.state.to_move
    }

    /// How many turns have been played; a position that was set up counts the placements it stands for.
    pub const fn ply(&self) -> u32 {
        self.state.ply
    }

    /// How many enemy stones the side to move has to remove before its turn is complete: the removals of the
    /// opening, and those that an [`super::Action`] has earned.
    pub const fn pending(&self) -> u8 {
        self.state.pending
    }

    /// The spears a side has made.
    pub const fn spears(&self, side: Side) -> Spears {
        self.state.spears[side.index()]
    }

    /// Turns of the moving phase since the last one that took a stone.
    pub const fn quiet_plies(&self) -> u16 {
        self.state.quiet
    }

    /// Whether a side flies, should it be its turn now (rule 14).
    pub const fn flies(&self, side: Side) -> bool {
        matches!(self.state.phase, Phase::Move) && self.state.board.count(side) <= FLYING_STONES
    }

    /// How often this position has occurred with the same side to move and the same spear rights, this time
    /// included; 0 before the moving phase and within a turn.
    pub fn occurrences(&self) -> usize {
        let now = self.repetition_key();
        self.history.iter().filter(|key| **key == now).count()
    }

    /// How the game ended, once it has.
    pub const fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// A hash of the stones, the phase, the side to move, the spear rights, the removals owed, and whether the
    /// game has ended. The part of the stones is kept up to date from action to action.
    pub fn hash(&self) -> u64 {
        self.key(self.outcome.is_some())
    }

    /// The key under which positions count as the same: stones, side to move and spear rights.
    pub(super) fn repetition_key(&self) -> u64 {
        self.key(false)
    }

    fn key(&self, ended: bool) -> u64 {
        let State { board, phase, to_move, pending, script, spears, .. } = &self.state;
        let turn = (*phase as u64) << 2 | (to_move.index() as u64) << 1 | u64::from(ended);
        let rights = u64::from(spears[0].bits()) << 18 | u64::from(spears[1].bits());
        let owed = script.iter().fold(u64::from(*pending), |sum, part| sum << 8 | u64::from(*part));
        board.key() ^ mix(mix(mix(turn) ^ rights) ^ owed)
    }
}
