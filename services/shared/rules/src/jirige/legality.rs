//! What one action does here, and whether it may be played: never by listing other actions.

use super::{
    Action, Board, Illegal, Line, Orientation, Path, Phase, Point, PointSet, Position, Way, position::State,
};

/// An action that is legal here, with what it leads to before the end of a turn is looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Advance {
    /// The action in canonical form: a choice of line only where it differs from what would count anyway.
    pub(super) action: Action,
    /// What the rules know after it, the removals it earns pending.
    pub(super) state: State,
    /// The squares closed.
    pub(super) squares: u8,
    /// The spear that counts.
    pub(super) spear: Option<Line>,
}

/// The spear that counts for a stone that has come to rest.
#[derive(Clone, Copy)]
struct Spear {
    line: Option<Line>,
    /// The choice of line in canonical form.
    choice: Option<Orientation>,
}

impl Position {
    /// What an action does here.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub(super) fn advance(&self, action: Action) -> Result<Advance, Illegal> {
        if self.outcome.is_some() {
            return Err(Illegal::GameOver);
        }
        let state = &self.state;
        match (action, state.phase) {
            (Action::Place { at, line }, Phase::Place) => self.placement(at, line),
            (Action::Remove(at), Phase::Open | Phase::Move) => self.removal(at),
            (Action::Move { .. } | Action::Place { .. }, Phase::Move) if state.pending > 0 => {
                Err(Illegal::RemovalPending(state.pending))
            }
            (Action::Move { way, line }, Phase::Move) => self.displacement(way, line),
            (_, phase) => Err(Illegal::WrongPhase(phase)),
        }
    }

    /// Rules 5 to 9.
    fn placement(&self, at: Point, line: Option<Orientation>) -> Result<Advance, Illegal> {
        let State { board, to_move, .. } = self.state;
        if board.owner(at).is_some() {
            return Err(Illegal::Occupied(at));
        }
        if !self.placeable().contains(at) {
            return Err(if at == Point::CENTRE { Illegal::CentreReserved } else { Illegal::RingFirst });
        }
        let mut state = self.state;
        state.board.put(at, to_move);
        let spear = self.spear_at(&state.board, at, line)?;
        if let Some(line) = spear.line {
            state.spears[to_move.index()] = state.spears[to_move.index()].with(line);
        }
        Ok(Advance {
            action: Action::Place { at, line: spear.choice },
            squares: state.board.squares_at(to_move, at),
            spear: spear.line,
            state,
        })
    }

    /// The points on which a stone may be placed: the centre only as the last one, the first ones round it
    /// (rules 6 and 7).
    pub(super) fn placeable(&self) -> PointSet {
        let empty = self.state.board.empty();
        let centre = PointSet::of(Point::CENTRE);
        if empty == centre {
            empty
        } else if self.state.ply < u32::from(self.options.ring_plies) {
            empty & PointSet::RING
        } else {
            empty - centre
        }
    }

    /// Rules 21 and 22.
    fn removal(&self, at: Point) -> Result<Advance, Illegal> {
        let mut state = self.state;
        if state.pending == 0 {
            return Err(Illegal::NoRemovalDue(None));
        }
        if state.board.owner(at) != Some(state.to_move.other()) {
            return Err(Illegal::NotEnemyStone(at));
        }
        if !self.removable().contains(at) {
            return Err(Illegal::ProtectedSquare(at));
        }
        state.board.clear(at);
        state.pending -= 1;
        Ok(Advance { action: Action::Remove(at), state, squares: 0, spear: None })
    }

    /// The enemy stones a removal may take: the loose ones, or all where there is none (rule 21).
    pub(super) fn removable(&self) -> PointSet {
        let State { board, to_move, .. } = &self.state;
        let enemies = board.stones(to_move.other());
        let loose = enemies - board.in_squares(to_move.other());
        if loose.is_empty() { enemies } else { loose }
    }

    /// Rules 13 to 20.
    fn displacement(&self, way: Way, line: Option<Orientation>) -> Result<Advance, Illegal> {
        let (mover, enemy) = (self.state.to_move, self.state.to_move.other());
        let mut state = self.state;
        let from = way.from();
        if state.board.owner(from) != Some(mover) {
            return Err(Illegal::NotYourStone(from));
        }
        state.board.clear(from);
        match way {
            Way::Walk { from, to } => self.check_walk(from, to)?,
            Way::Jump(path) => self.jump(&mut state.board, &path)?,
        }
        let to = way.to();
        state.board.put(to, mover);
        // A chain may come back to its start: what it completes there was complete before (rule 18).
        let (squares, spear) = match line {
            None if to == from => (0, Spear { line: None, choice: None }),
            Some(_) if to == from => return Err(Illegal::NoRemovalDue(line)),
            _ => (state.board.squares_at(mover, to), self.spear_at(&state.board, to, line)?),
        };
        if let Some(line) = spear.line {
            state.spears[mover.index()] = state.spears[mover.index()].with(line);
        }
        let earned = squares + spear.line.map_or(0, Line::value);
        state.pending = earned.min(self.enemies_above_losing(&state.board));
        state.taking = state.pending > 0 || state.board.count(enemy) < self.state.board.count(enemy);
        Ok(Advance { action: Action::Move { way, line: spear.choice }, state, squares, spear: spear.line })
    }

    /// How many enemy stones may be removed before the enemy is down to the losing count (rule 20).
    pub(super) fn enemies_above_losing(&self, board: &Board) -> u8 {
        board.count(self.state.to_move.other()).saturating_sub(self.options.lose_at)
    }

    /// Rules 13 and 14.
    fn check_walk(&self, from: Point, to: Point) -> Result<(), Illegal> {
        if to == from {
            Err(Illegal::NoDisplacement(from))
        } else if self.state.board.owner(to).is_some() {
            Err(Illegal::Occupied(to))
        } else if !from.is_adjacent(to) && !self.flies(self.state.to_move) {
            Err(Illegal::NotAdjacent { from, to })
        } else {
            Ok(())
        }
    }

    /// Takes the stones a chain jumps from a board on which its own stone has been picked up (rules 15 and 17).
    fn jump(&self, board: &mut Board, path: &Path) -> Result<(), Illegal> {
        let enemy = self.state.to_move.other();
        for (from, to) in path.legs() {
            let over = from.between(to).filter(|over| board.owner(*over) == Some(enemy));
            let over = over.ok_or(Illegal::BadJump { from, to })?;
            if board.owner(to).is_some() {
                return Err(Illegal::Occupied(to));
            }
            board.clear(over);
        }
        if path.jumps() == 1 && self.single_jump_barred() {
            return Err(Illegal::SingleJumpInFlight);
        }
        Ok(())
    }

    /// Whether a chain of the side to move must take two stones (rule 17).
    pub(super) fn single_jump_barred(&self) -> bool {
        let flies = crate::Side::BOTH.map(|side| self.flies(side));
        self.options.single_jump_barred(self.state.to_move, flies)
    }

    /// The spear that counts for the stone of the side to move that has come to this point of the board: the
    /// one chosen, or the dearer, or the row (rules 23 to 27).
    fn spear_at(&self, board: &Board, at: Point, choice: Option<Orientation>) -> Result<Spear, Illegal> {
        let mover = self.state.to_move;
        let rights = self.spears(mover);
        let counts = |orientation| {
            let line = Line::through(at, orientation);
            (board.is_full(mover, line) && rights.allows(line)).then_some(line)
        };
        let [row, column] = Orientation::ALL.map(counts);
        let dearer = match (row, column) {
            (Some(row), Some(column)) if column.value() > row.value() => Some(column),
            (row, column) => row.or(column),
        };
        let line = match choice {
            None => dearer,
            Some(Orientation::Row) => Some(row.ok_or(Illegal::NoRemovalDue(choice))?),
            Some(Orientation::Column) => Some(column.ok_or(Illegal::NoRemovalDue(choice))?),
        };
        Ok(Spear { line, choice: choice.filter(|_| line != dearer) })
    }

    /// The orientation in which another spear counts than without a choice, for the stone that goes to this
    /// point of the board.
    pub(super) fn other_spear(&self, board: &Board, to: Point) -> Option<Orientation> {
        let choices = Orientation::ALL.into_iter();
        let mut others = choices
            .filter_map(|it| self.spear_at(board, to, Some(it)).ok().filter(|spear| spear.choice.is_some()));
        others.next().and_then(|spear| spear.choice)
    }
}
