use alloc::string::String;

use crate::Side;

/// How a game ended.
///
/// ```
/// use rules::{Outcome, Reason, Side, Verdict, jiu};
/// let record = (jiu::VARIANT.parse_record)("# result: B+R\n").unwrap();
/// let resigned = Outcome { verdict: Verdict::Win(Side::Second), reason: Reason::Resignation, score: None };
/// assert_eq!(record.outcome, Some(resigned));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Who won, if anybody did.
    pub verdict: Verdict,
    /// Why. The reason never decides the points.
    pub reason: Reason,
    /// The count, in games that are decided by one.
    pub score: Option<Score>,
}

/// Who won.
///
/// ```
/// use rules::{Side, Verdict};
/// let points = |verdict, side| match verdict {
///     Verdict::Win(winner) => if winner == side { 2 } else { 0 },
///     Verdict::Draw => 1,
///     Verdict::BothLose | Verdict::Void => 0,
/// };
/// assert_eq!(Side::BOTH.map(|side| points(Verdict::Win(Side::Second), side)), [0, 2]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// This side won.
    Win(Side),
    /// Neither won.
    Draw,
    /// Both lost.
    BothLose,
    /// The game counts for nothing: aborted, annulled, or to be replayed.
    Void,
}

/// Why a game ended.
///
/// ```
/// use rules::{Reason, RuleSet, Side, go};
/// let mut game = (go::VARIANT.start)(&RuleSet::named("").with("size", "5"))?;
/// for (side, act) in [(Side::First, "C3"), (Side::Second, "pass"), (Side::First, "pass")] {
///     game.play(side, act).unwrap();
/// }
/// game.play(Side::First, "dead -").unwrap();
/// game.play(Side::Second, "accept").unwrap();
/// assert_eq!(game.outcome().unwrap().reason, Reason::Score);
/// # Ok::<(), rules::OptionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The loser resigned.
    Resignation,
    /// The loser's time ran out.
    Time,
    /// Both agreed to a draw.
    Agreement,
    /// The game was aborted before it had really begun.
    Aborted,
    /// The final position was counted.
    Score,
    /// The loser could not move.
    NoMoves,
    /// The loser had too few stones left.
    TooFewStones,
    /// Article 4 of the Jiu rules decided at fourteen stones.
    Fourteen,
    /// A formation that wins at once was reached.
    Formation,
    /// The same position came back too often.
    Repetition,
    /// Nothing was captured for too long.
    Quiet,
    /// The event orders the game to be replayed.
    Replay,
    /// An arbiter decided.
    Arbiter,
}

impl Reason {
    /// The reason as a word for records and logs: `resignation`, `too-few-stones`.
    ///
    /// ```
    /// assert_eq!(rules::Reason::TooFewStones.name(), "too-few-stones");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Reason::Resignation => "resignation",
            Reason::Time => "time",
            Reason::Agreement => "agreement",
            Reason::Aborted => "aborted",
            Reason::Score => "score",
            Reason::NoMoves => "no-moves",
            Reason::TooFewStones => "too-few-stones",
            Reason::Fourteen => "fourteen",
            Reason::Formation => "formation",
            Reason::Repetition => "repetition",
            Reason::Quiet => "quiet",
            Reason::Replay => "replay",
            Reason::Arbiter => "arbiter",
        }
    }
}

/// The count of a finished game, in the forms in which people write it.
///
/// ```
/// use rules::{RuleSet, Side, go};
/// let mut game = (go::VARIANT.start)(&RuleSet::named("").with("size", "5"))?;
/// game.play(Side::First, "C3").unwrap();
/// game.play(Side::Second, "pass").unwrap();
/// game.play(Side::First, "pass").unwrap();
/// let score = game.score().unwrap();
/// assert!(score.printed.starts_with("B+") && score.printed_zh.starts_with("黑"));
/// # Ok::<(), rules::OptionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    /// As printed in the rules, in Latin letters: `B+1/4 zi`.
    pub printed: String,
    /// As printed in the rules, in Chinese: `黑胜 1/4 子`.
    pub printed_zh: String,
    /// In points, as SGF writes it: `B+0.5`.
    pub points: String,
}
