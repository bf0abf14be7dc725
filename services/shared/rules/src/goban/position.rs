use super::{
    Act, Board, Colour, Count, Ending, Illegal, IllegalMove, LongCycle, MAX_TURNS, Move, Notice, Phase,
    Point, Repetition, Rules, Setup, Size, Stone, history::History, repetition::Verdict,
};
use crate::{prelude::*, zobrist::mix};

/// A game on a Go board under the Chinese rules of play: the board, whose turn it is, every earlier board, and how
/// far the end has been agreed on. By what terms it is counted, each game says for itself.
///
/// ```text
/// Handicap ──(last handicap stone)──> Play
/// Play, Resolution ──(two confirmations in a row)──> Agreement, or Ended after the last dispute
/// Play ──(a long cycle claimed, or a board for the third time)──> Ended
/// Agreement ──(reject)──> Resolution
/// Agreement ──(accept)──> Ended
/// ```
///
/// Engines use [`Position::play`] and [`Position::legal_moves`]; a referee uses [`Position::act`].
#[derive(Clone, Debug)]
pub struct Position<T: Count> {
    pub(super) rules: Rules,
    pub(super) board: Board,
    pub(super) to_move: Colour,
    pub(super) phase: Phase<T>,
    pub(super) history: History,
    pub(super) disputes: u8,
    /// What the last act took off the board.
    pub(super) removed: Vec<Stone>,
    captures: [u32; 2],
    last: Option<Point>,
    confirmed: bool,
    notice: Option<Notice>,
}

/// How often a position occurs in a long cycle before the preset applies unasked.
const CYCLE_OCCURRENCES: u32 = 3;

impl<T: Count> Position<T> {
    /// A new game on an empty square board.
    pub fn new(size: Size, rules: Rules) -> Position<T> {
        Position::from_setup(&Setup::empty(size), rules)
    }

    /// A game from a set-up board. Handicap stones are placed on an empty board only; on any other the
    /// handicap counts in the score alone.
    pub fn from_setup(setup: &Setup, rules: Rules) -> Position<T> {
        let board = setup.board().clone();
        let empty = board.count(Colour::Black) + board.count(Colour::White) == 0;
        let places = rules.handicap >= 2 && empty;
        let phase = if places { Phase::Handicap { left: rules.handicap } } else { Phase::Play };
        Position {
            rules,
            to_move: if places { Colour::Black } else { setup.to_move() },
            phase,
            history: History::new(&board),
            disputes: 0,
            removed: Vec::with_capacity(usize::from(board.point_count())),
            captures: [0; 2],
            last: None,
            confirmed: false,
            notice: None,
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

    /// Whose turn it is; in the agreement, who will have the turn if play is resumed: the player who
    /// confirmed the end first (article 21.1).
    pub const fn to_move(&self) -> Colour {
        self.to_move
    }

    /// How far the game has come.
    pub const fn phase(&self) -> &Phase<T> {
        &self.phase
    }

    /// How the game ended, once it has.
    pub const fn ending(&self) -> Option<&Ending<T::Score>> {
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
            Phase::Handicap { .. } | Phase::Play | Phase::Resolution => Some(self.to_move),
        }
    }

    /// How many stones a colour has captured in play; dead stones are not counted.
    pub const fn captures(&self, by: Colour) -> u32 {
        self.captures[by.index()]
    }

    /// What the last act took off the board: captured stones, or dead ones if it ended the game.
    pub fn removed(&self) -> &[Stone] {
        &self.removed
    }

    /// Where the last stone was played, unless a pass came after it.
    pub const fn last(&self) -> Option<Point> {
        self.last
    }

    /// How many turns have been made since the start, passes included and handicap stones not.
    pub fn turns(&self) -> usize {
        self.history.turns()
    }

    /// Whether the last turn was a voluntary pass, so that another one ends the play.
    pub const fn is_confirmed(&self) -> bool {
        self.confirmed
    }

    /// How many disputes have been raised.
    pub const fn disputes(&self) -> u8 {
        self.disputes
    }

    /// The long cycle that the last move was part of, if it was; it may be claimed.
    pub const fn notice(&self) -> Option<Notice> {
        self.notice
    }

    /// The point where the side to move may not take back a ko.
    pub fn ko(&self) -> Option<Point> {
        match self.removed[..] {
            [Stone { at, .. }] if self.check(Move::Play(at)) == Err(Illegal::Ko) => Some(at),
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
            (Phase::Ended(_), _) => Err(Illegal::GameOver),
            (Phase::Agreement(_), _) => Err(Illegal::InAgreement),
            (Phase::Handicap { .. }, Move::Pass) => Err(Illegal::HandicapFirst),
            (Phase::Handicap { .. }, Move::Play(at)) => self.check_empty(at),
            (Phase::Play | Phase::Resolution, Move::Pass) => Ok(()),
            (Phase::Play | Phase::Resolution, Move::Play(at)) => self.examine(at).map(drop),
        }
    }

    /// Every legal move of the side to move: points in reading order, the pass last.
    pub fn legal_moves(&self) -> impl Iterator<Item = Move> + '_ {
        let plays = self.board.points().map(Move::Play);
        plays.chain([Move::Pass]).filter(|mv| self.is_legal(*mv))
    }

    /// Whatever the side to move may do: its moves, and a claim where one is possible.
    pub(crate) fn choices(&self) -> impl Iterator<Item = Act<T>> + '_ {
        let claim = matches!(self.notice, Some(Notice { arbiter_asked: false, .. }));
        self.legal_moves().map(Act::from).chain(claim.then_some(Act::Claim))
    }

    /// Plays a turn for the side to move. Where the rules make forbidden moves void, such a move is void
    /// here too.
    ///
    /// # Errors
    /// The rule that forbids the move; nothing has then changed.
    pub fn play(&mut self, mv: Move) -> Result<(), T::Illegal> {
        match (&self.phase, mv) {
            // The way of nearly every move, which need not be an act first.
            (Phase::Play | Phase::Resolution, Move::Play(at)) => Ok(self.turn_at(at).map(drop)?),
            _ => self.act(self.to_move, &mv.into()).map(drop),
        }
    }

    /// Does what a player asks for, and returns it in canonical form: dead chains by their first stones, an
    /// acceptance with what it accepts, a forbidden move as void.
    ///
    /// # Errors
    /// The rule that forbids it; nothing has then changed.
    pub fn act(&mut self, colour: Colour, act: &Act<T>) -> Result<Act<T>, T::Illegal> {
        if let Phase::Agreement(_) = self.phase {
            self.act_in_agreement(colour, act)
        } else {
            Ok(self.act_in_play(colour, act)?)
        }
    }

    fn act_in_play(&mut self, colour: Colour, act: &Act<T>) -> Result<Act<T>, Illegal> {
        match (&self.phase, act) {
            (Phase::Ended(_), _) => Err(Illegal::GameOver),
            (_, Act::Propose(_) | Act::Accept(_) | Act::Reject) => Err(Illegal::NotInAgreement),
            _ if colour != self.to_move => Err(Illegal::NotYourTurn),
            (Phase::Handicap { left }, Act::Play(at)) => self.place(*at, *left),
            (Phase::Handicap { .. }, _) => Err(Illegal::HandicapFirst),
            (_, Act::Play(at)) => self.play_at(*at),
            (_, Act::Void(at)) => self.void_at(*at),
            (_, Act::Pass) => Ok(self.confirm()),
            (_, Act::Claim) => self.claim(),
        }
    }

    /// A hash of all that the rules know: stones, whose turn, phase, every earlier board, what stands
    /// proposed. The hash of the stones alone is [`Board::hash`].
    pub fn hash(&self) -> u64 {
        let (phase, detail) = match &self.phase {
            Phase::Handicap { left } => (1, u64::from(*left)),
            Phase::Play => (2, 0),
            Phase::Agreement(agreement) => (3, agreement.digest()),
            Phase::Resolution => (4, 0),
            Phase::Ended(_) => (5, 0),
        };
        let notice = self
            .notice
            .map_or(0, |notice| 2 * u64::from(notice.occurrence) + u64::from(notice.arbiter_asked));
        let small = [u64::from(self.disputes), u64::from(self.confirmed), self.to_move.index() as u64];
        let parts = [self.board.hash(), phase, detail, notice];
        parts.into_iter().chain(small).fold(self.history.digest(), |hash, part| mix(hash ^ part))
    }

    /// Looks at a play of the side to move; `Some(n)` if it makes a board for the n-th time in a long cycle.
    fn examine(&self, at: Point) -> Result<Option<u32>, Illegal> {
        let Some(after) = self.board.consequence(at, self.to_move) else {
            return Err(if self.board.contains(at) { Illegal::Occupied } else { Illegal::OffBoard });
        };
        if self.history.turns() >= MAX_TURNS {
            return Err(Illegal::TurnLimit);
        }
        if after.suicide {
            return Err(Illegal::Suicide);
        }
        // A board of the past is rare enough to be played out on a copy for an exact comparison.
        let changes = |change: &mut dyn FnMut(Stone)| {
            change(Stone { at, colour: self.to_move });
            self.board.clone().put(at, self.to_move, |at, colour| change(Stone { at, colour }));
        };
        let Some(recurrence) = self.history.recurrence(after.hash, changes) else { return Ok(None) };
        match self.repetition().judge(&recurrence) {
            Verdict::Legal => Ok(None),
            Verdict::LongCycle { occurrence } => Ok(Some(occurrence)),
            Verdict::Ko => Err(Illegal::Ko),
            Verdict::Forbidden => Err(Illegal::Repetition),
        }
    }

    fn check_empty(&self, at: Point) -> Result<(), Illegal> {
        if !self.board.contains(at) {
            Err(Illegal::OffBoard)
        } else if self.board.stone(at).is_some() {
            Err(Illegal::Occupied)
        } else {
            Ok(())
        }
    }

    /// Article 20.2: what lives by repetition alone is not alive at the end, so nothing may repeat then.
    fn repetition(&self) -> Repetition {
        if self.phase == Phase::Resolution { Repetition::Psk } else { self.rules.repetition }
    }

    fn place(&mut self, at: Point, left: u8) -> Result<Act<T>, Illegal> {
        self.check_empty(at)?;
        self.put(at);
        self.phase = Phase::Handicap { left: left - 1 };
        if left == 1 {
            self.phase = Phase::Play;
            self.to_move = Colour::White;
            self.history = History::new(&self.board);
        }
        Ok(Act::Play(at))
    }

    fn play_at(&mut self, at: Point) -> Result<Act<T>, Illegal> {
        self.turn_at(at).map(|stands| if stands { Act::Play(at) } else { Act::Void(at) })
    }

    /// Plays a stone and says whether it stands; it does not where a forbidden move is void.
    fn turn_at(&mut self, at: Point) -> Result<bool, Illegal> {
        match self.examine(at) {
            Ok(occurrence) => {
                self.put(at);
                let put = Stone { at, colour: self.to_move };
                self.history.push(&self.board, Some(put), &self.removed);
                self.to_move = self.to_move.other();
                self.confirmed = false;
                self.note_cycle(occurrence);
                Ok(true)
            }
            Err(fault) if self.is_void(fault) => {
                self.impose_pass(at);
                Ok(false)
            }
            Err(fault) => Err(fault),
        }
    }

    fn void_at(&mut self, at: Point) -> Result<Act<T>, Illegal> {
        match self.examine(at) {
            Err(fault) if self.is_void(fault) => Ok(self.impose_pass(at)),
            Err(fault @ (Illegal::Occupied | Illegal::OffBoard)) => Err(fault),
            _ => Err(Illegal::NotVoid),
        }
    }

    /// Whether a fault makes a move void instead of refused: articles 19 and 20.1 speak of forbidden points
    /// and retakes, not of what is no move at all.
    fn is_void(&self, fault: Illegal) -> bool {
        self.rules.illegal_move == IllegalMove::VoidPass
            && matches!(fault, Illegal::Suicide | Illegal::Ko | Illegal::Repetition)
    }

    fn put(&mut self, at: Point) {
        let removed = &mut self.removed;
        removed.clear();
        self.board.put(at, self.to_move, |at, colour| removed.push(Stone { at, colour }));
        let captured = u32::try_from(self.removed.len()).expect("a board has at most 625 stones");
        self.captures[self.to_move.index()] += captured;
        self.last = Some(at);
    }

    /// An imposed pass: a turn like a pass, but no agreement to end (article 21 asks for one expressed).
    fn impose_pass(&mut self, at: Point) -> Act<T> {
        self.skip_turn();
        Act::Void(at)
    }

    /// A turn without an act.
    pub(super) fn skip_turn(&mut self) {
        self.give_up_turn();
        self.confirmed = false;
    }

    fn confirm(&mut self) -> Act<T> {
        let both = self.confirmed;
        self.give_up_turn();
        self.confirmed = !both;
        if both {
            self.stop();
        }
        Act::Pass
    }

    fn give_up_turn(&mut self) {
        self.history.push_pass(&self.board);
        self.to_move = self.to_move.other();
        self.removed.clear();
        self.last = None;
        self.notice = None;
    }

    /// Article 20.3: the first recurrence is only noticed; with the third occurrence nobody has left the
    /// cycle.
    fn note_cycle(&mut self, occurrence: Option<u32>) {
        let asked = self.notice.is_some_and(|notice| notice.arbiter_asked);
        self.notice = occurrence.map(|occurrence| Notice { occurrence, arbiter_asked: asked });
        if occurrence.is_some_and(|times| times >= CYCLE_OCCURRENCES) {
            self.settle_cycle();
        }
    }

    fn claim(&mut self) -> Result<Act<T>, Illegal> {
        match self.notice {
            Some(Notice { arbiter_asked: false, .. }) => {
                self.removed.clear();
                self.settle_cycle();
                Ok(Act::Claim)
            }
            _ => Err(Illegal::NoLongCycle),
        }
    }

    fn settle_cycle(&mut self) {
        match self.rules.long_cycle {
            LongCycle::Draw => self.phase = Phase::Ended(Ending::CycleDraw),
            LongCycle::Replay => self.phase = Phase::Ended(Ending::CycleReplay),
            LongCycle::Arbiter => {
                if let Some(notice) = &mut self.notice {
                    notice.arbiter_asked = true;
                }
            }
        }
    }
}
