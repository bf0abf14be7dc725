use crate::{Side, VARIANTS, prelude::*};

/// How a game ended.
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

named! {
    /// Why a game ended.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Reason {
        /// The loser resigned.
        Resignation => "resignation",
        /// The loser's time ran out.
        Time => "time",
        /// Both agreed to a draw.
        Agreement => "agreement",
        /// The game was aborted before it had really begun.
        Aborted => "aborted",
        /// The final position was counted.
        Score => "score",
        /// The loser could not move.
        NoMoves => "no-moves",
        /// The loser had too few stones left.
        TooFewStones => "too-few-stones",
        /// Article 4 of the Jiu rules decided at fourteen stones.
        Fourteen => "fourteen",
        /// A formation that wins at once was reached.
        Formation => "formation",
        /// The same position came back too often.
        Repetition => "repetition",
        /// Nothing was captured for too long.
        Quiet => "quiet",
        /// The event orders the game to be replayed.
        Replay => "replay",
        /// An arbiter decided.
        Arbiter => "arbiter",
        /// The loser was not there in time: Go article 23, Jirige section 四(一)5. Both lose when both were late.
        Late => "late",
        /// The loser was warned too often: Go article 25.2, two warnings.
        Warnings => "warnings",
        /// The loser broke the rules of conduct too often: Jirige section 四(一)4, three violations.
        Violations => "violations",
        /// The loser left and did not come back.
        Abandoned => "abandoned",
        /// Neither side has the force left to win: a draw in Jirige that cannot be refused.
        NoWinningForce => "no-winning-force",
        /// The committee annulled the game, or decided it, after its end.
        Committee => "committee",
        /// Somebody never came to the game, which he may not even have heard of: it counts for nothing.
        NotAppeared => "not-appeared",
        ..
        /// A rule of this game alone decided, by its name in [`crate::Variant::reasons`].
        Rule(&'static str),
    }
}

impl Reason {
    /// The reason with this name among those that are some game's own.
    pub fn of_rule(name: &str) -> Option<Reason> {
        let mut reasons = VARIANTS.iter().flat_map(|variant| variant.reasons);
        reasons.find(|known| **known == name).map(|known| Reason::Rule(known))
    }

    /// Whether the loser forfeited the game: people decided it, not the board, the clock or the loser.
    pub const fn is_forfeit(self) -> bool {
        matches!(
            self,
            Reason::Arbiter
                | Reason::Late
                | Reason::Warnings
                | Reason::Violations
                | Reason::Abandoned
                | Reason::Committee
        )
    }
}

/// The count of a finished game, in the forms in which people write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    /// As printed in the rules, in Latin letters: `B+1/4 zi`.
    pub printed: String,
    /// As printed in the rules, in Chinese: `黑胜 1/4 子`.
    pub printed_zh: String,
    /// In points, as SGF writes it: `B+0.5`.
    pub points: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_has_a_name_of_its_own() {
        for reason in Reason::ALL {
            assert_eq!(Reason::named(reason.name()), Some(reason));
        }
        for variant in crate::VARIANTS {
            for name in variant.reasons {
                assert_eq!(Reason::named(name), None, "{name} is a reason of every game");
                assert_eq!(Reason::of_rule(name), Some(Reason::Rule(name)));
            }
        }
    }
}
