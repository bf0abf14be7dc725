use alloc::vec::Vec;

use super::{
    Act, Illegal, Memory, Move, Rules, Score, Tally, Terms,
    faced::{Faced, digest_of},
};
use crate::go::{self, Board, Colour, MAX_TURNS, Point, Setup, Size, Stone, zobrist::mix};

/// A game of Ji Ping Dian Go: the board, the stones beside it, what each player has faced, and how far the
/// end has been agreed on.
///
/// ```text
/// Contest, Filling, Resolution ──(two passes in a row)──> Agreement, or Ended after the last dispute
/// Agreement ──(reject)──> Resolution
/// Agreement ──(fill)──> Filling
/// Agreement ──(accept)──> Ended
/// ```
///
/// Engines use [`Position::play`] and [`Position::legal_moves`]; a referee uses [`Position::act`].
///
/// ```
/// use rules::{go::{Colour, Point, Size}, jpd::{Act, HalfPoints, Move, Position, Rules, Terms}};
/// let mut position = Position::new(Size::NINETEEN, Rules::default());
/// for mv in [Move::Play(Point::parse("Q16", Size::NINETEEN).unwrap()), Move::Pass, Move::Pass] {
///     position.play(mv)?;
/// }
/// // Black owns the board, for which one more move and the komi are given.
/// position.act(Colour::Black, &Act::Propose(Terms::default()))?;
/// position.act(Colour::White, &Act::Accept(None))?;
/// assert_eq!(position.ending().unwrap().score.margin, HalfPoints::whole(361 - 1) - Rules::KOMI);
/// # Ok::<(), rules::jpd::Illegal>(())
/// ```
#[derive(Clone, Debug)]
pub struct Position {
    pub(super) rules: Rules,
    pub(super) board: Board,
    pub(super) to_move: Colour,
    pub(super) phase: Phase,
    pub(super) disputes: u8,
    pub(super) demands: [u8; 2],
    /// What the last act took off the board.
    pub(super) removed: Vec<Stone>,
    pub(super) prisoners: [u32; 2],
    virtuals: [u32; 2],
    /// The turns that are paid for, and those that are not.
    tallies: [Tally; 2],
    faced: Faced,
    turns: usize,
    last: Option<Point>,
    passed: bool,
}

/// How far a game has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// From the start to the first two passes in a row (爭棋階段, article 27).
    Contest,
    /// Both have passed and are to agree on the end (articles 28 and 29).
    Agreement(Agreement),
    /// One side has demanded that the neutral points be filled, and play goes on (article 39).
    Filling,
    /// They did not agree, and play decides (實戰解決, article 28).
    Resolution,
    /// The game is over.
    Ended(Ending),
}

/// The state of the talk about the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// The proposal that stands, if any.
    pub proposal: Option<Proposal>,
    /// How many proposals have been made in this phase.
    pub proposals: u16,
}

/// Proposed terms, to which their proposer has agreed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// Who made it.
    pub by: Colour,
    /// What it says, in canonical form.
    pub terms: Terms,
}

/// How a game ended by its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The count.
    pub score: Score,
    /// What was agreed on; `None` if nothing was, so that every stone is alive (articles 4 and 30.2).
    pub terms: Option<Terms>,
}

impl Position {
    /// A new game on an empty square board.
    pub fn new(size: Size, rules: Rules) -> Position {
        Position::from_setup(&Setup::empty(size), rules)
    }

    /// A game from a set-up board.
    pub fn from_setup(setup: &Setup, rules: Rules) -> Position {
        let board = setup.board().clone();
        Position {
            rules,
            to_move: setup.to_move(),
            phase: Phase::Contest,
            disputes: 0,
            demands: [0; 2],
            removed: Vec::with_capacity(usize::from(board.point_count())),
            prisoners: [0; 2],
            virtuals: [0; 2],
            tallies: [Tally::default(); 2],
            faced: Faced::new(&board, [0; 2]),
            turns: 0,
            last: None,
            passed: false,
            board,
        }
    }

    /// The rules it is played under.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The stones; after the count, without the dead ones.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Whose turn it is; in the agreement, who will have the turn if play is resumed: the player who passed
    /// first (article 28).
    pub const fn to_move(&self) -> Colour {
        self.to_move
    }

    /// How far the game has come.
    pub const fn phase(&self) -> &Phase {
        &self.phase
    }

    /// How the game ended, once it has.
    pub const fn ending(&self) -> Option<&Ending> {
        match &self.phase {
            Phase::Ended(ending) => Some(ending),
            _ => None,
        }
    }

    /// How many stones of a colour play has taken off the board, suicides included and dead stones not.
    pub const fn prisoners(&self, of: Colour) -> u32 {
        self.prisoners[of.index()]
    }

    /// How many stones of a colour lie beside the board by virtual moves.
    pub const fn virtuals(&self, of: Colour) -> u32 {
        self.virtuals[of.index()]
    }

    /// The turns that count for the compensation (article 38): those before the first stop, and those that
    /// fill neutral points on demand unless [`Rules::filling`] makes them free.
    pub const fn contest(&self) -> &Tally {
        &self.tallies[0]
    }

    /// The turns that do not count for the compensation.
    pub const fn resolution(&self) -> &Tally {
        &self.tallies[1]
    }

    /// How many points Black pays for more moves; White does if it is negative (article 38).
    pub fn extra(&self) -> i32 {
        self.contest().extra(&self.rules)
    }

    /// What the last act took off the board: prisoners, or dead stones if it ended the game.
    pub fn removed(&self) -> &[Stone] {
        &self.removed
    }

    /// Where the last stone was played, unless it left the board at once or another turn came after it.
    pub const fn last(&self) -> Option<Point> {
        self.last
    }

    /// How many turns have been made since the start, virtual moves and passes included (article 20).
    pub const fn turns(&self) -> usize {
        self.turns
    }

    /// Whether the last turn was a pass, so that another one stops the play.
    pub const fn is_passed(&self) -> bool {
        self.passed
    }

    /// How many disputes have been raised.
    pub const fn disputes(&self) -> u8 {
        self.disputes
    }

    /// How often a colour has demanded that the neutral points be filled.
    pub const fn demands(&self, by: Colour) -> u8 {
        self.demands[by.index()]
    }

    /// The point where the side to move may not take back a ko (article 24).
    pub fn ko(&self) -> Option<Point> {
        match self.removed[..] {
            [Stone { at, .. }] if self.check(Move::Play(at)) == Err(go::Illegal::Ko.into()) => Some(at),
            _ => None,
        }
    }

    /// Whether the side to move may make this move.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.check(mv).is_ok()
    }

    /// Why the side to move may not make this move, if it may not.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub fn check(&self, mv: Move) -> Result<(), Illegal> {
        match (&self.phase, mv) {
            (Phase::Ended(_), _) => Err(go::Illegal::GameOver.into()),
            (Phase::Agreement(_), _) => Err(go::Illegal::InAgreement.into()),
            (_, Move::Pass) => Ok(()),
            (_, Move::Virtual) => self.check_virtual(),
            (_, Move::Play(at)) => self.check_real(at),
        }
    }

    /// Every legal move of the side to move: points in reading order, then the virtual move, the pass last.
    pub fn legal_moves(&self) -> impl Iterator<Item = Move> + '_ {
        let plays = self.board.points().map(Move::Play);
        plays.chain([Move::Virtual, Move::Pass]).filter(|mv| self.is_legal(*mv))
    }

    /// Plays a turn for the side to move.
    ///
    /// # Errors
    /// The rule that forbids the move; nothing has then changed.
    pub fn play(&mut self, mv: Move) -> Result<(), Illegal> {
        self.act(self.to_move, &mv.into()).map(drop)
    }

    /// Does what a player asks for, and returns it in canonical form: terms as [`Terms::canonical`] has
    /// them, an acceptance with what it accepts.
    ///
    /// # Errors
    /// The rule that forbids it; nothing has then changed.
    pub fn act(&mut self, colour: Colour, act: &Act) -> Result<Act, Illegal> {
        let mv = match (&self.phase, act) {
            (Phase::Ended(_), _) => return Err(go::Illegal::GameOver.into()),
            (Phase::Agreement(_), _) => return self.act_in_agreement(colour, act),
            (_, Act::Propose(_) | Act::Accept(_) | Act::Reject | Act::Fill) => {
                return Err(go::Illegal::NotInAgreement.into());
            }
            _ if colour != self.to_move => return Err(go::Illegal::NotYourTurn.into()),
            (_, Act::Play(at)) => Move::Play(*at),
            (_, Act::Virtual) => Move::Virtual,
            (_, Act::Pass) => Move::Pass,
        };
        self.check(mv)?;
        self.take_turn(mv);
        Ok(mv.into())
    }

    /// A hash of all that the rules know: stones on and beside the board, whose turn, phase, what was
    /// faced, what was played, what stands proposed. The hash of the stones alone is [`Board::hash`].
    pub fn hash(&self) -> u64 {
        let (phase, detail) = match &self.phase {
            Phase::Contest => (1, 0),
            Phase::Agreement(agreement) => (2, agreement.digest()),
            Phase::Filling => (3, 0),
            Phase::Resolution => (4, 0),
            Phase::Ended(_) => (5, 0),
        };
        let of = |tally: &Tally| [tally.real, tally.suicides, tally.virtuals, tally.passes].map(digest_of);
        let small = [u64::from(self.disputes), u64::from(self.passed), self.to_move.index() as u64];
        let counts =
            [digest_of(self.prisoners), digest_of(self.virtuals), digest_of(self.demands.map(u32::from))];
        let parts = [self.board.hash(), phase, detail].into_iter().chain(small).chain(counts);
        let parts = parts.chain(self.tallies.iter().flat_map(of));
        parts.fold(self.faced.digest(), |hash, part| mix(hash ^ part))
    }

    /// Article 32.1. Suicide is allowed; the board it leaves is judged like any other.
    fn check_real(&self, at: Point) -> Result<(), Illegal> {
        if !self.board.contains(at) {
            return Err(go::Illegal::OffBoard.into());
        }
        let after = self.board.consequence(at, self.to_move).ok_or(go::Illegal::Occupied)?;
        if self.turns >= MAX_TURNS {
            return Err(go::Illegal::TurnLimit.into());
        }
        // A board of the past is rare enough to be played out on a copy for an exact comparison.
        let changes = |change: &mut dyn FnMut(Stone)| {
            change(Stone { at, colour: self.to_move });
            self.board.clone().put(at, self.to_move, |at, colour| change(Stone { at, colour }));
        };
        match self.faced.shape_again(after.hash, self.virtuals, changes) {
            None => Ok(()),
            Some(again) if again.distance == 2 && after.captures == 1 => Err(go::Illegal::Ko.into()),
            Some(_) => Err(Illegal::ShapeAgain),
        }
    }

    /// Article 32.2.
    fn check_virtual(&self) -> Result<(), Illegal> {
        if self.turns >= MAX_TURNS {
            return Err(go::Illegal::TurnLimit.into());
        }
        match self.faced.board_again(&self.board) {
            None => Ok(()),
            Some(_) => Err(Illegal::BoardAgain),
        }
    }

    /// Makes a legal move.
    fn take_turn(&mut self, mv: Move) {
        let mover = self.to_move.index();
        let stops = mv == Move::Pass && self.passed;
        self.removed.clear();
        self.last = None;
        match mv {
            Move::Play(at) => self.put(at),
            Move::Virtual => {
                self.virtuals[mover] += 1;
                self.tally().virtuals[mover] += 1;
            }
            Move::Pass => self.tally().passes[mover] += 1,
        }
        self.turns += 1;
        self.passed = mv == Move::Pass && !stops;
        let put = match mv {
            Move::Play(at) => Some(Stone { at, colour: self.to_move }),
            Move::Virtual | Move::Pass => None,
        };
        self.faced.push(&self.board, put, &self.removed, self.virtuals);
        self.to_move = self.to_move.other();
        if stops {
            self.stop();
        }
    }

    fn put(&mut self, at: Point) {
        let mover = self.to_move;
        let Position { board, removed, prisoners, .. } = self;
        board.put(at, mover, |at, colour| {
            removed.push(Stone { at, colour });
            prisoners[colour.index()] += 1;
        });
        let stays = self.board.stone(at).is_some();
        let alone = self.removed.len() == 1;
        self.last = stays.then_some(at);
        let tally = self.tally();
        tally.real[mover.index()] += 1;
        tally.suicides[mover.index()] += u32::from(!stays && alone);
    }

    /// Where the turn now made is counted.
    fn tally(&mut self) -> &mut Tally {
        let counted = match self.phase {
            Phase::Contest => true,
            Phase::Filling => self.rules.filling == super::Filling::Counted,
            _ => false,
        };
        &mut self.tallies[usize::from(!counted)]
    }

    /// Gives the turn to a colour out of turn, with nothing counted for the turn left out; an agreement is then
    /// disputed first. Not once the game is over.
    pub(super) fn give_turn(&mut self, colour: Colour) -> bool {
        match self.phase {
            Phase::Ended(_) => return false,
            Phase::Agreement(_) => {
                self.disputes += 1;
                self.resume(Phase::Resolution);
            }
            Phase::Contest | Phase::Filling | Phase::Resolution => {}
        }
        if self.to_move != colour {
            self.faced.push(&self.board, None, &[], self.virtuals);
            (self.to_move, self.passed) = (colour, false);
        }
        true
    }

    /// Play goes on after a stop; who passed first has the turn already, both having passed (article 28).
    pub(super) fn resume(&mut self, phase: Phase) {
        self.phase = phase;
        self.removed.clear();
        if self.rules.memory == Memory::Reset {
            self.faced = Faced::new(&self.board, self.virtuals);
        }
    }
}
