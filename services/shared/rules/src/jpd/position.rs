use super::{
    Act, Ending, Illegal, Move, Phase, Rules, Tally,
    faced::{Faced, digest_of},
};
use crate::{
    goban::{self, Board, Colour, Point, Setup, Size, Stone},
    prelude::*,
    zobrist::mix,
};

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
    pub(super) virtuals: [u32; 2],
    /// The turns that are paid for, and those that are not.
    pub(super) tallies: [Tally; 2],
    pub(super) faced: Faced,
    pub(super) turns: usize,
    pub(super) last: Option<Point>,
    pub(super) passed: bool,
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

    /// Whose act is awaited; in the agreement who is to answer.
    pub fn awaited(&self) -> Option<Colour> {
        match &self.phase {
            Phase::Ended(_) => None,
            Phase::Agreement(agreement) => Some(agreement.awaited(self.to_move)),
            Phase::Contest | Phase::Filling | Phase::Resolution => Some(self.to_move),
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
            [Stone { at, .. }] if self.check(Move::Play(at)) == Err(goban::Illegal::Ko.into()) => Some(at),
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
            (Phase::Ended(_), _) => Err(goban::Illegal::GameOver.into()),
            (Phase::Agreement(_), _) => Err(goban::Illegal::InAgreement.into()),
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

    /// Does what a player asks for, and returns it in canonical form: terms as [`goban::Terms::canonical`] has
    /// them, an acceptance with what it accepts.
    ///
    /// # Errors
    /// The rule that forbids it; nothing has then changed.
    pub fn act(&mut self, colour: Colour, act: &Act) -> Result<Act, Illegal> {
        let mv = match (&self.phase, act) {
            (Phase::Ended(_), _) => return Err(goban::Illegal::GameOver.into()),
            (Phase::Agreement(_), _) => return self.act_in_agreement(colour, act),
            (_, Act::Propose(_) | Act::Accept(_) | Act::Reject | Act::Fill) => {
                return Err(goban::Illegal::NotInAgreement.into());
            }
            _ if colour != self.to_move => return Err(goban::Illegal::NotYourTurn.into()),
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
}
