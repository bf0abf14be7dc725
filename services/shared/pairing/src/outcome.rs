//! What came of a round for a player, and why (section 1.1).

named! {
    /// The code of a result. It alone decides the points; the [`Reason`] beside it never does.
    pub enum ResultCode {
        /// Won at the board.
        Win = "win",
        /// Lost at the board.
        Loss = "loss",
        /// Drawn at the board.
        Draw = "draw",
        /// Won because the opponent did not play: no colour, not met, no game played.
        ForfeitWin = "forfeit_win",
        /// Lost without playing.
        ForfeitLoss = "forfeit_loss",
        /// Neither played: a loss for both.
        DoubleForfeit = "double_forfeit",
        /// The bye that pairing gives to one player of an odd number.
        Pab = "pab",
        /// A bye that was asked for, with the points of a win; bars the pairing bye.
        ByeFull = "bye_full",
        /// A bye that was asked for, with the points of a draw.
        ByeHalf = "bye_half",
        /// A bye without points; absence is the same.
        ByeZero = "bye_zero",
        /// To be played on. No points yet; for the next pairing it counts as a draw for both (1.11, 9).
        Adjourned = "adjourned",
        /// To be played again. No points yet.
        ReplayOrdered = "replay_ordered",
        /// Struck out by the committee: no points, yet the two have met.
        Annulled = "annulled",
    }
}

named! {
    /// Why a result is what it is. Kept apart from the code and without influence on the points.
    pub enum Reason {
        /// The end of the game by its rules.
        Normal = "normal",
        /// A player gave up.
        Resign = "resign",
        /// A flag fell.
        Time = "time",
        /// Too late at the board (Art. 23).
        Late = "late",
        /// Too many warnings (Art. 25.2).
        Warnings = "warnings",
        /// Too many violations (Jirige).
        Violations = "violations",
        /// Decided by an arbiter.
        Arbiter = "arbiter",
        /// A draw by agreement.
        AgreedDraw = "agreed_draw",
        /// Neither side can win any more (Jirige).
        NoWinningForce = "no_winning_force",
        /// A player has left the event.
        Withdrawal = "withdrawal",
        /// The board was disturbed and cannot be set up again.
        DisturbedBoard = "disturbed_board",
        /// Without a game: a bye, an absence.
        NotPlayed = "not_played",
    }
}

/// Points of a won game.
pub const WIN_POINTS: u32 = 2;
/// Points of a drawn game.
pub const DRAW_POINTS: u32 = 1;

impl ResultCode {
    /// Points on the scale 2, 1, 0 (Art. 28.1); `pab` is what the event gives for the pairing bye.
    ///
    /// ```
    /// use pairing::ResultCode;
    /// assert_eq!([ResultCode::Win, ResultCode::Draw, ResultCode::Pab].map(|it| it.points(2)), [2, 1, 2]);
    /// assert_eq!(ResultCode::Adjourned.points(2), 0);
    /// ```
    pub const fn points(self, pab: u32) -> u32 {
        match self {
            ResultCode::Win | ResultCode::ForfeitWin | ResultCode::ByeFull => WIN_POINTS,
            ResultCode::Draw | ResultCode::ByeHalf => DRAW_POINTS,
            ResultCode::Pab => pab,
            _ => 0,
        }
    }

    /// Points by which the next round is paired: an adjourned game counts as a draw (1.11, 9).
    pub const fn pairing_points(self, pab: u32) -> u32 {
        match self {
            ResultCode::Adjourned => DRAW_POINTS,
            _ => self.points(pab),
        }
    }

    /// Whether the two have sat down together: they have met, and their colours count (1.3 H1, 1.11, 9 and 12).
    pub const fn is_met(self) -> bool {
        use ResultCode::{Adjourned, Annulled, Draw, Loss, ReplayOrdered, Win};
        matches!(self, Win | Loss | Draw | Adjourned | ReplayOrdered | Annulled)
    }

    /// Whether it is a game with a result, forfeits included; byes are none (1.7).
    pub const fn is_decided_game(self) -> bool {
        use ResultCode::{DoubleForfeit, Draw, ForfeitLoss, ForfeitWin, Loss, Win};
        matches!(self, Win | Loss | Draw | ForfeitWin | ForfeitLoss | DoubleForfeit)
    }

    /// Whether it bars the pairing bye: who had one, or a forfeit win, or a full bye gets none (1.3 H2, 1.1).
    pub const fn bars_bye(self) -> bool {
        matches!(self, ResultCode::Pab | ResultCode::ForfeitWin | ResultCode::ByeFull)
    }

    /// Whether it stands only until the game is played on or again.
    pub const fn is_provisional(self) -> bool {
        matches!(self, ResultCode::Adjourned | ResultCode::ReplayOrdered)
    }
}
