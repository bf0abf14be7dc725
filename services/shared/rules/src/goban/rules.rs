use super::{QuarterZi, Repetition};

/// Every choice the text leaves to an event or leaves open; the default is the text of 1988.
///
/// The size of the board and the stones it starts with are not here but in [`super::Setup`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// What Black gives White in the count (article 11).
    pub komi: QuarterZi,
    /// How many stones Black places before White's first move; 0 and 1 place none. The text has no
    /// handicap.
    pub handicap: u8,
    /// What White is given for the handicap stones.
    pub handicap_bonus: HandicapBonus,
    /// Which repetitions are forbidden (articles 6 and 20).
    pub repetition: Repetition,
    /// What becomes of a long cycle that nobody leaves (article 20.3).
    pub long_cycle: LongCycle,
    /// What becomes of a forbidden move (articles 19 and 20.1).
    pub illegal_move: IllegalMove,
    /// How often a dispute about dead stones is played out (article 21.3); when the players stop after the
    /// last of them, every stone on the board is alive. With 0 there is no agreement at all.
    pub disputes: u8,
}

named! {
    /// What White is given for N handicap stones, in points of difference; nothing for fewer than two.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum HandicapBonus {
        /// Nothing.
        None => "none",
        /// A point for each stone.
        N => "n",
        /// A point for each stone but one.
        NMinusOne => "n_minus_1",
    }
}

named! {
    /// What becomes of a long cycle: on a claim, or when a position occurs for the third time.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum LongCycle {
        /// The game is a draw.
        Draw => "draw",
        /// The game is void, to be played again.
        Replay => "replay",
        /// An arbiter is asked; until one decides, the game goes on.
        Arbiter => "arbiter",
    }
}

named! {
    /// What becomes of a move on a forbidden point or one that repeats the board. A move on an occupied point or
    /// off the board is none and is always refused.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum IllegalMove {
        /// It is refused; the turn and the clock run on.
        Reject => "reject",
        /// It is void and costs the turn, as articles 19 and 20.1 say: an imposed pass, which is no
        /// confirmation of the end.
        VoidPass => "void_pass",
    }
}

impl Rules {
    /// The most handicap stones.
    pub const HANDICAP_MAX: u8 = 9;
    /// The most disputes that may be asked for.
    pub const DISPUTES_MAX: u8 = 9;

    /// The rules of the later text: komi 3 3/4 and repetition worded for the player who faces it.
    pub const CN2002: Rules =
        Rules { komi: QuarterZi(15), repetition: Repetition::Situational, ..Rules::CN1988 };

    /// The rules of 1988.
    pub const CN1988: Rules = Rules {
        komi: QuarterZi(11),
        handicap: 0,
        handicap_bonus: HandicapBonus::None,
        repetition: Repetition::Cn1988,
        long_cycle: LongCycle::Draw,
        illegal_move: IllegalMove::Reject,
        disputes: 2,
    };

    /// What Black gives White altogether: the komi and the bonus for the handicap.
    pub const fn compensation(&self) -> QuarterZi {
        let points = match self.handicap_bonus {
            HandicapBonus::N if self.handicap >= 2 => self.handicap,
            HandicapBonus::NMinusOne if self.handicap >= 2 => self.handicap - 1,
            _ => 0,
        };
        QuarterZi(self.komi.0 + 2 * points as i32)
    }
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::CN1988
    }
}
