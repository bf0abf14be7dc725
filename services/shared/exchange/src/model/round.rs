//! Rounds, games and byes.

use pairing::{Number, Reason, ResultCode};

use super::{Date, ForfeitedMatch, LineUp, TeamBye};

/// What came of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// White won at the board.
    WhiteWins,
    /// Black won at the board.
    BlackWins,
    /// A draw.
    Draw,
    /// Both were given a win.
    BothWin,
    /// Both were given a loss.
    BothLose,
    /// Black did not play.
    WhiteByForfeit,
    /// White did not play.
    BlackByForfeit,
    /// It was not played, and both were given a win.
    BothByForfeit,
    /// Neither played.
    DoubleForfeit,
    /// To be played on.
    Adjourned,
    /// To be played again.
    ReplayOrdered,
    /// Struck out.
    Annulled,
}

/// Outcomes and what they are for white and for black.
const CODES: [(Outcome, [ResultCode; 2]); 12] = {
    use ResultCode as R;
    [
        (Outcome::WhiteWins, [R::Win, R::Loss]),
        (Outcome::BlackWins, [R::Loss, R::Win]),
        (Outcome::Draw, [R::Draw, R::Draw]),
        (Outcome::BothWin, [R::Win, R::Win]),
        (Outcome::BothLose, [R::Loss, R::Loss]),
        (Outcome::WhiteByForfeit, [R::ForfeitWin, R::ForfeitLoss]),
        (Outcome::BlackByForfeit, [R::ForfeitLoss, R::ForfeitWin]),
        (Outcome::BothByForfeit, [R::ForfeitWin, R::ForfeitWin]),
        (Outcome::DoubleForfeit, [R::DoubleForfeit, R::DoubleForfeit]),
        (Outcome::Adjourned, [R::Adjourned, R::Adjourned]),
        (Outcome::ReplayOrdered, [R::ReplayOrdered, R::ReplayOrdered]),
        (Outcome::Annulled, [R::Annulled, R::Annulled]),
    ]
};

impl Outcome {
    /// What it is for white and for black.
    pub fn codes(self) -> [ResultCode; 2] {
        CODES.iter().find(|it| it.0 == self).map_or([ResultCode::Annulled; 2], |it| it.1)
    }

    /// What came of it, from what it is for white and for black; none where the two do not go together.
    pub fn of(codes: [ResultCode; 2]) -> Option<Outcome> {
        let codes =
            if codes == [ResultCode::ForfeitLoss; 2] { [ResultCode::DoubleForfeit; 2] } else { codes };
        CODES.iter().find(|it| it.1 == codes).map(|it| it.0)
    }

    /// The same with black and white exchanged.
    #[must_use]
    pub fn turned(self) -> Outcome {
        let [white, black] = self.codes();
        Outcome::of([black, white]).unwrap_or(self)
    }

    /// Whether somebody did not play.
    pub const fn is_forfeit(self) -> bool {
        use Outcome::{BlackByForfeit, BothByForfeit, DoubleForfeit, WhiteByForfeit};
        matches!(self, WhiteByForfeit | BlackByForfeit | BothByForfeit | DoubleForfeit)
    }

    /// Whether it stands only until the game is played on, or again.
    pub const fn is_open(self) -> bool {
        matches!(self, Outcome::Adjourned | Outcome::ReplayOrdered)
    }
}

/// A game of two players.
///
/// Colours are those of the stones. Which of the two moves first the rules of the game say, and formats do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Game {
    /// The number of the board or table, from 1.
    pub board: u32,
    /// Who has white, or, where that is not known, the lower number.
    pub white: Number,
    /// Who has black.
    pub black: Number,
    /// Whether it is known who has which colour.
    pub coloured: bool,
    /// Stones of handicap.
    pub handicap: u8,
    /// What came of it.
    pub outcome: Outcome,
    /// Why.
    pub reason: Reason,
}

impl Game {
    /// A game that ended at the board, as most do.
    pub fn new(board: u32, white: Number, black: Number, outcome: Outcome) -> Game {
        let reason = if outcome.is_forfeit() { Reason::Late } else { Reason::Normal };
        Game { board, white, black, coloured: true, handicap: 0, outcome, reason }
    }

    /// The reason that a game with this outcome has where nothing is said.
    pub(crate) fn usual_reason(&self) -> Reason {
        Game::new(1, self.white, self.black, self.outcome).reason
    }

    /// The same game, of which it is not known who had which colour.
    pub(crate) fn uncoloured(self) -> Game {
        if self.white < self.black {
            return Game { coloured: false, ..self };
        }
        Game { white: self.black, black: self.white, coloured: false, outcome: self.outcome.turned(), ..self }
    }
}

/// What a player has in a round in which he has no game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bye {
    /// Who.
    pub player: Number,
    /// [`ResultCode::Pab`], [`ResultCode::ByeFull`], [`ResultCode::ByeHalf`], [`ResultCode::ByeZero`], or a forfeit that names
    /// no opponent: [`ResultCode::ForfeitWin`], [`ResultCode::ForfeitLoss`].
    pub code: ResultCode,
}

impl Bye {
    /// Whether it was asked for, and not made by the pairing.
    pub const fn is_asked(self) -> bool {
        matches!(self.code, ResultCode::ByeFull | ResultCode::ByeHalf | ResultCode::ByeZero)
    }

    pub(crate) const fn is_sound(self) -> bool {
        self.is_asked()
            || matches!(self.code, ResultCode::Pab | ResultCode::ForfeitWin | ResultCode::ForfeitLoss)
    }
}

/// A round. Who has neither a game nor a bye in a round that was paired was not there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// The day.
    pub date: Option<Date>,
    /// Games, in the order of their boards.
    pub games: Vec<Game>,
    /// Byes, in the order of players.
    pub byes: Vec<Bye>,
    /// Teams that play in another order than their own.
    pub line_ups: Vec<LineUp>,
    /// Byes of teams.
    pub team_byes: Vec<TeamBye>,
    /// Matches that were not played.
    pub forfeited: Vec<ForfeitedMatch>,
}

impl Round {
    /// Whether anybody was paired in it: a game, a pairing bye, a forfeit.
    pub fn is_paired(&self) -> bool {
        let byes = self.byes.iter().any(|it| !it.is_asked());
        let teams = self.team_byes.iter().any(|it| it.code == ResultCode::Pab);
        !self.games.is_empty() || byes || teams || !self.forfeited.is_empty()
    }

    /// What each player has of it.
    pub fn codes(&self) -> impl Iterator<Item = (Number, ResultCode)> {
        let games = self.games.iter().flat_map(|it| {
            let [white, black] = it.outcome.codes();
            [(it.white, white), (it.black, black)]
        });
        games.chain(self.byes.iter().map(|it| (it.player, it.code)))
    }

    /// Puts games and byes into their order.
    pub(crate) fn tidy(&mut self) {
        self.games.sort_by_key(|it| (it.board, it.white));
        self.byes.sort();
        self.line_ups.sort_by_key(|it| it.team);
        self.team_byes.sort_by_key(|it| it.team);
        self.forfeited.sort_by_key(|it| it.white);
    }

    /// Numbers the boards from 1 in the order of the lower number at each.
    pub(crate) fn number_boards(&mut self) {
        self.games.sort_by_key(|it| it.white.min(it.black));
        for (board, game) in (1..).zip(&mut self.games) {
            game.board = board;
        }
    }
}
