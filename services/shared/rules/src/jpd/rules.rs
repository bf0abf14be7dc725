use super::HalfPoints;
use crate::goban::Size;

/// Every choice the text leaves open; the default is the reading that its own examples bear out.
///
/// The size of the board and the stones it starts with are in [`crate::goban::Setup`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// What Black gives White for the first move (article 37).
    pub komi: HalfPoints,
    /// What "n more moves" are counted by (article 38).
    pub compensation: Compensation,
    /// Whether a virtual move is one of the moves that are paid for; articles 4 and 19 call it one.
    pub virtual_counts: bool,
    /// Whether a stone that takes its own last liberty alone is one of the moves that are paid for.
    pub suicide_counts: bool,
    /// What has been faced once play is resumed after a stop (articles 28 and 32).
    pub memory: Memory,
    /// Whether the moves after a demand to fill neutral points are paid for (articles 38 and 39).
    pub filling: Filling,
    /// Whose the empty points are when the players come to no agreement (articles 4, 10 and 30).
    pub natural_end: NaturalEnd,
    /// How often a dispute is played out (article 28); when the players stop after the last of them, every
    /// stone on the board is alive. With 0 there is no agreement at all.
    pub disputes: u8,
}

named! {
    /// What "n more moves" are counted by; see [`super::Tally::extra`].
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Compensation {
        /// The moves made; all five examples of article 38 come out so.
        Plays => "plays",
        /// The other side's passes, as the parenthesis of article 38 has it; three of its examples do not.
        Passes => "passes",
    }
}

named! {
    /// What is remembered when play is resumed after a stop.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Memory {
        /// Everything since the start; "facing again" knows no phases.
        Kept => "kept",
        /// Nothing before the resumption.
        Reset => "reset",
    }
}

named! {
    /// What kind of play a demand to fill the neutral points leads to.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Filling {
        /// Its moves are paid for as those before the first stop; otherwise a demand would win neutral points for
        /// nothing.
        Counted => "counted",
        /// Its moves are free, as the definition of the contest phase in article 27 says to the letter.
        Free => "free",
    }
}

named! {
    /// Whose the empty points are when nothing is agreed on.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum NaturalEnd {
        /// An empty region belongs to the colour that alone borders on it: all points are always land (article
        /// 10).
        Area => "area",
        /// A point belongs to the colour that alone stands beside it, and to nobody if no stone does: "stones and
        /// liberties" to the letter (article 30).
        Adjacent => "adjacent",
    }
}

impl Rules {
    /// The most disputes that may be asked for.
    pub const DISPUTES_MAX: u8 = 9;

    /// The komi of article 37, which the text gives for 19 lines.
    pub const KOMI: HalfPoints = HalfPoints(13);

    /// The rules on 19 lines.
    pub const STANDARD: Rules = Rules {
        komi: Rules::KOMI,
        compensation: Compensation::Plays,
        virtual_counts: true,
        suicide_counts: true,
        memory: Memory::Kept,
        filling: Filling::Counted,
        natural_end: NaturalEnd::Area,
        disputes: 2,
    };

    /// The komi when nobody says otherwise: that of article 37 from 19 lines on and none on smaller boards,
    /// as in the author's example on 7 lines.
    pub fn standard_komi(size: Size) -> HalfPoints {
        if size >= Size::NINETEEN { Rules::KOMI } else { HalfPoints(0) }
    }
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::STANDARD
    }
}
