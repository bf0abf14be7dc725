//! The readings an event may choose: each stored with it and shown with its tables (1.10, 1.11). The first value of
//! each is the default.

use crate::{Colour, WIN_POINTS, standings::TieBreak};

named! {
    /// How the colours of a Swiss are given (1.4).
    pub enum ColourLaw {
        /// By need and balance: Go (the initial colour is drawn), and Jiu.
        Balance = "balance",
        /// By the parity of numbers in round 1, then alternating, drawn in the last round: Jirige.
        Parity = "parity",
        /// By the game itself, unknown when paired: Tianyi Go. Neither H3 nor S6 then applies.
        Open = "open",
    }
}

named! {
    /// How round 1 is made (1.3).
    pub enum FirstRound {
        /// By lot, verifiable from the seed (Art. 31.4).
        Draw = "draw",
        /// The upper half against the lower half by number.
        Fold = "fold",
        /// 1–2, 3–4 and so on, odd numbers against even ones as far as the counts allow (1.11, 17).
        OddEven = "odd_even",
    }
}

named! {
    /// Virtual points for the upper part of the list in early rounds.
    pub enum Acceleration {
        /// None.
        None = "none",
        /// The Baku acceleration (FIDE C.04.5.1): the upper half, rounded up to an even number, has the points of a win
        /// more in the first half of the accelerated rounds and those of a draw in the second; the accelerated rounds are
        /// the first half of all. Halves of rounds are rounded up.
        Baku = "baku",
    }
}

named! {
    /// What the Chief Arbiter has lifted because no legal pairing was left. Each value includes those before it: the
    /// order is that of section 1.3, and nothing is ever lifted by the pairing itself.
    pub enum Relaxed {
        /// Everything holds.
        Nothing = "nothing",
        /// H3: absolute colours.
        AbsoluteColours = "absolute_colours",
        /// H4 too: prohibited pairs.
        Prohibitions = "prohibitions",
        /// H2 too: a second pairing bye.
        SecondByes = "second_byes",
        /// H1 too: rematches.
        Rematches = "rematches",
    }
}

named! {
    /// 1.10, 1: what M of the Swiss total is.
    pub enum MBasis {
        /// The highest score that anybody has reached.
        Actual = "actual",
        /// Two points for every round so far.
        Theoretical = "theoretical",
    }
}

named! {
    /// 1.10, 2: what R of the Swiss total is.
    pub enum RBasis {
        /// Rounds in which the player had an opponent.
        OwnOpponents = "own_opponents",
        /// All rounds so far.
        Literal = "literal",
    }
}

named! {
    /// 1.10, 7 and 23: of what half is taken in a round robin that somebody leaves.
    pub enum WithdrawalHalf {
        /// Of the rounds (Art. 29.2 as printed).
        Rounds = "rounds",
        /// Of the games.
        Games = "games",
    }
}

named! {
    /// 1.10, 24: what a Swiss is ranked by.
    pub enum Ranking {
        /// The total T of Art. 28.1.2.
        Total = "total",
        /// Points, then the points of the opponents, as a later edition allows.
        PointsOpponents = "points_opponents",
    }
}

named! {
    /// 1.11, 1: the points in the numerator of the adjusted score of one who left.
    pub enum AdjustPoints {
        /// All of them.
        All = "all",
        /// Those of games only.
        Games = "games",
    }
}

named! {
    /// 1.11, 4: whether an opponent who forfeited counts in the sum of opponents' points, and in R.
    pub enum ForfeitOpponent {
        /// He does.
        Counts = "counts",
        /// The round is one without an opponent.
        Ignored = "ignored",
    }
}

named! {
    /// 1.11, 5: what a round without an opponent adds to the opponents' points under [`Ranking::PointsOpponents`].
    pub enum PoBye {
        /// Half of the highest score.
        Neutral = "neutral",
        /// Nothing.
        Raw = "raw",
    }
}

named! {
    /// 1.10, 29: whether points won by forfeit from one who left count in A of a round robin.
    pub enum ForfeitPoints {
        /// They do.
        Count = "count",
        /// They do not.
        Ignore = "ignore",
    }
}

named! {
    /// 1.10, 25: what becomes of a whole team that leaves, on which Art. 29.4 is silent.
    pub enum TeamLeaves {
        /// As a player who leaves: by Art. 29.2 in a round robin, by Art. 29.3 on match points in a Swiss.
        AsPlayer = "as_player",
        /// As a match that somebody leaves (Art. 29.4): what it played stands as it is, however little that was, and the
        /// rest of a round robin is won by the others.
        AsMatch = "as_match",
    }
}

named! {
    /// 1.11, 10: what is added up where a team is the sum of its members.
    pub enum SumOf {
        /// Their points.
        Points = "points",
        /// Their totals T (Art. 28.1.2), in a Swiss; elsewhere nobody has one, and points are added up.
        Total = "total",
    }
}

named! {
    /// 1.6, D: what is done with players who are equal in everything.
    pub enum Ties {
        /// They share the place.
        Shared = "shared",
        /// The order is drawn from the seed of the event.
        Lot = "lot",
    }
}

named! {
    /// 1.10, 27: how a double round robin runs.
    pub enum DoubleOrder {
        /// The second cycle after the first.
        Cycles = "cycles",
        /// The two games of each pair one after the other.
        BackToBack = "back_to_back",
    }
}

/// How a Swiss is paired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwissSettings {
    /// The law of colours.
    pub colours: ColourLaw,
    /// Under [`ColourLaw::Parity`], what odd numbers have in round 1: black, which in Jirige does not move first.
    pub odd_has: Colour,
    /// Under [`ColourLaw::Parity`], whether absolute needs go before alternation (`jirige_absolute_first`); off.
    pub absolute_first: bool,
    /// Round 1.
    pub first_round: FirstRound,
    /// Rounds from the first in which players who share an affiliation are kept apart (S3, c).
    pub apart_rounds: u16,
    /// Points of the pairing bye, 0 to 2.
    pub pab_points: u32,
    /// Whether a half bye is a downfloat (1.11, 13); off.
    pub half_bye_is_downfloat: bool,
    /// Virtual points.
    pub acceleration: Acceleration,
    /// What has been lifted for this round.
    pub relaxed: Relaxed,
}

impl Default for SwissSettings {
    fn default() -> SwissSettings {
        SwissSettings {
            colours: ColourLaw::default(),
            odd_has: Colour::Second,
            absolute_first: false,
            first_round: FirstRound::default(),
            apart_rounds: 2,
            pab_points: WIN_POINTS,
            half_bye_is_downfloat: false,
            acceleration: Acceleration::default(),
            relaxed: Relaxed::default(),
        }
    }
}

/// How tables are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StandingsSettings {
    /// What a Swiss is ranked by.
    pub ranking: Ranking,
    /// M.
    pub m_basis: MBasis,
    /// R.
    pub r_basis: RBasis,
    /// The half of a round robin.
    pub withdrawal_half: WithdrawalHalf,
    /// The adjusted points of one who left.
    pub adjust_points: AdjustPoints,
    /// Opponents who forfeited.
    pub forfeit_opponent: ForfeitOpponent,
    /// Rounds without an opponent under [`Ranking::PointsOpponents`].
    pub po_bye: PoBye,
    /// Forfeits in A.
    pub forfeit_points: ForfeitPoints,
    /// Players who are equal in everything.
    pub ties: Ties,
    /// Points of the pairing bye.
    pub pab_points: u32,
    /// Game points a board that a team's bye is worth (`team_pab_game_points`, 1.11, 10).
    pub team_pab_game_points: u32,
    /// Whole teams that leave.
    pub team_leaves: TeamLeaves,
    /// Teams that are the sum of their members.
    pub sum_of: SumOf,
    /// What decides after points, instead of the order of Art. 28, where an event names it (Go and FIDE events).
    pub tie_breaks: Vec<TieBreak>,
}

impl Default for StandingsSettings {
    fn default() -> StandingsSettings {
        StandingsSettings {
            ranking: Ranking::default(),
            m_basis: MBasis::default(),
            r_basis: RBasis::default(),
            withdrawal_half: WithdrawalHalf::default(),
            adjust_points: AdjustPoints::default(),
            forfeit_opponent: ForfeitOpponent::default(),
            po_bye: PoBye::default(),
            forfeit_points: ForfeitPoints::default(),
            ties: Ties::default(),
            pab_points: WIN_POINTS,
            team_pab_game_points: 1,
            team_leaves: TeamLeaves::default(),
            sum_of: SumOf::default(),
            tie_breaks: Vec::new(),
        }
    }
}
