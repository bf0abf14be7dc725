//! What a given turn does, and whether it may be played: never by listing other turns.

use super::{
    Board, Entitlement, Illegal, Move, Path, Phase, Point, PointSet, Position, Turn,
    board::{COLUMNS, ROWS},
};
use crate::{Side, prelude::*};

/// A turn that a position allows, in canonical form, with all it does.
///
/// Only [`Position::legal`] and [`Position::play`] make one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegalTurn {
    turn: Turn,
    side: Side,
    kind: Kind,
    entitlement: Entitlement,
    jumped: Vec<Point>,
    board: Board,
}

/// What kind of turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A stone was placed.
    Placement,
    /// The centre stone was lifted.
    Lift,
    /// One point orthogonally.
    Step,
    /// One jump or more.
    Chain,
    /// To any empty point, with fourteen stones or fewer.
    Flight,
    /// Two stones that fill two adjacent lines.
    Lan,
    /// Three stones that fill three adjacent lines.
    Songran,
}

/// The way of a turn's stones, before any stone of choice is removed.
#[derive(Clone, Debug)]
pub(super) struct Travel {
    pub(super) kind: Kind,
    pub(super) paths: Vec<Path>,
    pub(super) jumped: Vec<Point>,
    /// Whether the turn must say that it jumps nothing, because its path could also be a jump.
    pub(super) says_none: bool,
    pub(super) entitlement: Entitlement,
    /// The stones after it.
    pub(super) board: Board,
}

impl LegalTurn {
    /// The turn in canonical form: jumped stones named, stones of choice in reading order.
    pub const fn turn(&self) -> &Turn {
        &self.turn
    }

    /// Who plays it.
    pub const fn side(&self) -> Side {
        self.side
    }

    /// What kind of turn it is.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// What it earned; how many stones it removes is in [`LegalTurn::removed`].
    pub const fn entitlement(&self) -> Entitlement {
        self.entitlement
    }

    /// The enemy stones it jumps, in order.
    pub fn jumped(&self) -> &[Point] {
        &self.jumped
    }

    /// The enemy stones it removes by choice, in reading order.
    pub fn removed(&self) -> &[Point] {
        match &self.turn {
            Turn::Point(_) => &[],
            Turn::Move(it) => it.removed(),
        }
    }

    /// The stones after it.
    pub const fn board(&self) -> &Board {
        &self.board
    }
}

impl Position {
    /// What a turn does here.
    ///
    /// The work is bounded by the length of the turn.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub fn legal(&self, turn: &Turn) -> Result<LegalTurn, Illegal> {
        if self.outcome.is_some() {
            return Err(Illegal::GameOver);
        }
        match (self.phase, turn) {
            (Phase::Place, Turn::Point(at)) => self.placement(*at),
            (Phase::Lift, Turn::Point(at)) => self.lift(*at),
            (Phase::Move, Turn::Move(it)) => self.movement(it),
            (phase, _) => Err(Illegal::WrongPhase(phase)),
        }
    }

    /// Whether a turn may be played here.
    pub fn is_legal(&self, turn: &Turn) -> bool {
        self.legal(turn).is_ok()
    }

    /// The way of a turn's stones and what it earns.
    ///
    /// `said` is what the turn says of jumped stones.
    pub(super) fn travel(&self, paths: Vec<Path>, said: Option<&[Point]>) -> Result<Travel, Illegal> {
        match &paths[..] {
            [path] if path.legs().len() == 1 => self.one_leg(paths, said),
            [_] => self.chain(paths),
            _ => self.together(paths),
        }
    }

    /// The move with its stones of choice taken off, whatever it says of jumped ones.
    pub(super) fn finish(&self, travel: Travel, mut removed: Vec<Point>) -> LegalTurn {
        removed.sort_unstable();
        let mut board = travel.board;
        for at in &removed {
            board.clear(*at);
        }
        let jumped = travel.said_jumped();
        let turn = Turn::Move(Move { paths: travel.paths, jumped, removed });
        let (kind, entitlement, jumped) = (travel.kind, travel.entitlement, travel.jumped);
        LegalTurn { turn, side: self.to_move, kind, entitlement, jumped, board }
    }

    /// How many stones of choice a move must remove: what it earned, or all there are.
    pub(super) fn owed(&self, travel: &Travel) -> u8 {
        let left = travel.board.count(self.to_move.other());
        left.min(travel.entitlement.stones)
    }

    fn placement(&self, at: Point) -> Result<LegalTurn, Illegal> {
        if self.board.owner(at).is_some() {
            return Err(Illegal::Occupied(at));
        }
        if self.ply < 2 && at != Point::G7 && at != Point::H8 {
            return Err(Illegal::OpeningPoint);
        }
        let mut board = self.board;
        board.put(at, self.to_move);
        Ok(self.of_one_point(at, Kind::Placement, board))
    }

    fn lift(&self, at: Point) -> Result<LegalTurn, Illegal> {
        let own = self.centre_stone(self.to_move).ok_or(Illegal::NotYourStone(at))?;
        if own != at {
            return Err(Illegal::LiftPoint(own));
        }
        let mut board = self.board;
        board.clear(at);
        Ok(self.of_one_point(at, Kind::Lift, board))
    }

    fn of_one_point(&self, at: Point, kind: Kind, board: Board) -> LegalTurn {
        let (entitlement, jumped) = (Entitlement::default(), Vec::new());
        LegalTurn { turn: Turn::Point(at), side: self.to_move, kind, entitlement, jumped, board }
    }

    fn movement(&self, it: &Move) -> Result<LegalTurn, Illegal> {
        let travel = self.travel(it.paths().to_vec(), it.jumped())?;
        if let Some(said) = it.jumped()
            && (said.len() != travel.jumped.len()
                || said.iter().copied().collect::<PointSet>() != travel.jumped.iter().copied().collect())
        {
            return Err(Illegal::JumpMismatch { jumped: travel.jumped });
        }
        let owed = self.owed(&travel);
        if it.removed().len() != usize::from(owed) {
            return Err(Illegal::MustRemove { owed, named: it.removed().len() });
        }
        let mut chosen = PointSet::EMPTY;
        for at in it.removed() {
            if travel.board.owner(*at) != Some(self.to_move.other()) {
                return Err(Illegal::NotEnemy(*at));
            }
            if !chosen.insert(*at) {
                return Err(Illegal::RemovedTwice(*at));
            }
        }
        Ok(self.finish(travel, it.removed().to_vec()))
    }

    /// A step, a jump or a flight. Where a flying stone's way could be a jump it is one, unless the turn says
    /// that it jumps nothing.
    fn one_leg(&self, paths: Vec<Path>, said: Option<&[Point]>) -> Result<Travel, Illegal> {
        let (from, to) = (paths[0].start(), paths[0].end());
        let mut board = self.picked_up(from)?;
        if to == from {
            return Err(Illegal::NotAdjacent { from, to });
        }
        if board.owner(to).is_some() {
            return Err(Illegal::Occupied(to));
        }
        let flies = self.flies(self.to_move);
        let jumps = from.between(to).is_some_and(|over| board.owner(over) == Some(self.to_move.other()));
        let kind = if from.is_adjacent(to) {
            Kind::Step
        } else if jumps && !(flies && said.is_some_and(<[Point]>::is_empty)) {
            return self.chain(paths);
        } else if flies {
            Kind::Flight
        } else if from.between(to).is_some() {
            return Err(Illegal::NoJump { from, to });
        } else {
            return Err(Illegal::NotAdjacent { from, to });
        };
        board.put(to, self.to_move);
        let entitlement = self.earned(&board, to);
        Ok(Travel { kind, paths, jumped: Vec::new(), says_none: jumps, entitlement, board })
    }

    fn chain(&self, paths: Vec<Path>) -> Result<Travel, Illegal> {
        let path = &paths[0];
        let mut board = self.picked_up(path.start())?;
        let mut jumped = Vec::with_capacity(path.legs().len());
        for (from, to) in path.legs() {
            let over = from.between(to).ok_or(Illegal::NoJump { from, to })?;
            if board.owner(to).is_some() {
                return Err(Illegal::Occupied(to));
            }
            if board.owner(over) != Some(self.to_move.other()) {
                return Err(Illegal::NoJump { from, to });
            }
            board.clear(over);
            jumped.push(over);
        }
        if jumped.len() == 1 && self.one_jump_forbidden() {
            return Err(Illegal::OneJumpForbidden);
        }
        board.put(path.end(), self.to_move);
        let entitlement = self.earned(&board, path.end());
        Ok(Travel { kind: Kind::Chain, paths, jumped, says_none: false, entitlement, board })
    }

    /// What a single stone earns that has come to rest on this point of the board.
    fn earned(&self, board: &Board, landing: Point) -> Entitlement {
        Entitlement::of_landing(board, self.to_move, landing, self.options.crossing)
    }

    /// Competitive: whether a chain of one jump is not allowed, because the opponent flies.
    pub(super) fn one_jump_forbidden(&self) -> bool {
        self.options.competitive && self.flies(self.to_move.other())
    }

    /// Two or three stones that move together (Articles 3.3.6 and 3.3.8).
    fn together(&self, mut paths: Vec<Path>) -> Result<Travel, Illegal> {
        let mut board = self.board;
        for path in &paths {
            if board.owner(path.start()) != Some(self.to_move) {
                return Err(Illegal::NotYourStone(path.start()));
            }
            board.clear(path.start());
        }
        for path in &paths {
            // The points the others leave are no gaps of lines, so they do not count as empty.
            if self.board.owner(path.end()).is_some() || board.owner(path.end()).is_some() {
                return Err(Illegal::Occupied(path.end()));
            }
            board.put(path.end(), self.to_move);
        }
        paths.sort_by_key(Path::end);
        let (kind, entitlement, failure) = match paths.len() {
            2 => (Kind::Lan, Entitlement::LAN, Illegal::NotLan),
            _ => (Kind::Songran, Entitlement::SONGRAN, Illegal::NotSongran),
        };
        let rows = |at: Point| at.row();
        let columns = |at: Point| at.column();
        if fills(&board, self.to_move, &paths, &ROWS, rows)
            || fills(&board, self.to_move, &paths, &COLUMNS, columns)
        {
            Ok(Travel { kind, paths, jumped: Vec::new(), says_none: false, entitlement, board })
        } else {
            Err(failure)
        }
    }

    /// The board without the mover's stone on this point.
    fn picked_up(&self, from: Point) -> Result<Board, Illegal> {
        let mut board = self.board;
        match board.owner(from) {
            Some(side) if side == self.to_move => {
                board.clear(from);
                Ok(board)
            }
            _ => Err(Illegal::NotYourStone(from)),
        }
    }
}

impl Travel {
    /// What the canonical turn says of jumped stones.
    pub(super) fn said_jumped(&self) -> Option<Vec<Point>> {
        self.says_jumped().then(|| self.jumped.clone())
    }

    /// Whether the canonical turn says anything of jumped stones.
    pub(super) fn says_jumped(&self) -> bool {
        self.kind == Kind::Chain || self.says_none
    }
}

/// Whether stones that moved together have filled adjacent parallel lines, one gap in each: the outer gaps by
/// a step from beyond the lines and closing two squares or more, the middle one of three from anywhere off
/// the lines and closing four.
fn fills(
    board: &Board,
    side: Side,
    paths: &[Path],
    lines: &[PointSet],
    line_of: impl Fn(Point) -> u8,
) -> bool {
    let mut paths: Vec<&Path> = paths.iter().collect();
    paths.sort_by_key(|path| line_of(path.end()));
    let adjacent = paths.windows(2).all(|two| line_of(two[0].end()) + 1 == line_of(two[1].end()));
    let filled =
        paths.iter().fold(PointSet::EMPTY, |filled, path| filled | lines[usize::from(line_of(path.end()))]);
    let last = paths.len() - 1;
    adjacent
        && board.stones(side).contains_all(filled)
        && paths.iter().enumerate().all(|(n, path)| {
            let squares = board.squares_at(side, path.end());
            let outer = n == 0 || n == last;
            !filled.contains(path.start())
                && if outer { path.start().is_adjacent(path.end()) && squares >= 2 } else { squares == 4 }
        })
}
