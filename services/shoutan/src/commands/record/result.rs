//! The result that a record states, and whether it is the one that was reached.

use api::board::v1::{self as pb, Outcome as Reached};
use rules::{Outcome, Reason, Variant, Verdict};

use crate::commands::render::{outcome_line, reason_name};

/// The result in the short form of records: `B+3.5`, `W+R`, `draw (agreement)`.
pub(super) fn stated_line(outcome: &Outcome, variant: &Variant) -> String {
    let reason = outcome.reason.name();
    match (outcome.verdict, outcome.reason, &outcome.score) {
        (Verdict::Win(side), Reason::Resignation, _) => format!("{}+R", variant.letter(side)),
        (Verdict::Win(side), Reason::Time, _) => format!("{}+T", variant.letter(side)),
        (Verdict::Win(_), Reason::Score, Some(score)) => score.points.clone(),
        (Verdict::Win(side), ..) => format!("{}+ ({reason})", variant.letter(side)),
        (Verdict::Draw, ..) => format!("draw ({reason})"),
        (Verdict::BothLose, ..) => format!("both lose ({reason})"),
        (Verdict::Void, ..) => format!("void ({reason})"),
    }
}

/// Compares the result that a record states with the one that a server reached. When `loosely`, only who won
/// counts: the reason could not be brought about.
///
/// # Errors
/// What differs.
pub(super) fn compare(
    stated: &Outcome,
    reached: &Reached,
    variant: &Variant,
    loosely: bool,
) -> Result<(), String> {
    let same_score = match (&stated.score, &reached.score) {
        (Some(stated), Some(reached)) => stated.points == reached.points,
        // A record may leave the count out; a server does not.
        (None, _) => true,
        (Some(_), None) => false,
    };
    let same_way = stated.reason.name() == reason_name(reached) && same_score;
    if pb::Verdict::from(stated.verdict) == reached.verdict() && (loosely || same_way) {
        return Ok(());
    }
    Err(format!(
        "the record says {}, the server says {}",
        stated_line(stated, variant),
        outcome_line(reached)
    ))
}

#[cfg(test)]
mod tests {
    use rules::{Score, Side, go};

    use super::*;

    fn stated(verdict: Verdict, reason: Reason, points: Option<&str>) -> Outcome {
        let score = points.map(|points| Score {
            printed: String::new(),
            printed_zh: String::new(),
            points: points.to_owned(),
        });
        Outcome { verdict, reason, score }
    }

    fn reached(verdict: pb::Verdict, reason: pb::Reason, points: Option<&str>) -> Reached {
        let score = points.map(|points| pb::Score { points: points.to_owned(), ..pb::Score::default() });
        Reached {
            verdict: verdict as i32,
            reason: reason as i32,
            score,
            short: "short".to_owned(),
            ..Reached::default()
        }
    }

    #[test]
    fn results_are_the_same_in_winner_reason_and_count() {
        let first = Verdict::Win(Side::First);
        let by_score = stated(first, Reason::Score, Some("B+3.5"));
        let same =
            |stated: &Outcome, reached: &Reached| compare(stated, reached, &go::VARIANT, false).is_ok();
        let score = |points| reached(pb::Verdict::FirstWins, pb::Reason::Score, points);
        assert!(same(&by_score, &score(Some("B+3.5"))));
        assert!(!same(&by_score, &score(Some("B+4.5"))));
        assert!(!same(&by_score, &score(None)));
        assert!(same(&stated(first, Reason::Score, None), &score(Some("B+4.5"))));
        assert!(!same(&by_score, &reached(pb::Verdict::SecondWins, pb::Reason::Score, Some("B+3.5"))));
        let resigned = reached(pb::Verdict::FirstWins, pb::Reason::Resignation, None);
        assert!(!same(&stated(first, Reason::Score, None), &resigned));
        assert!(same(&stated(first, Reason::Resignation, None), &resigned));
        assert!(!same(&stated(Verdict::Draw, Reason::Resignation, None), &resigned));
        let few = reached(pb::Verdict::SecondWins, pb::Reason::TooFewStones, None);
        assert!(same(&stated(Verdict::Win(Side::Second), Reason::TooFewStones, None), &few));
    }

    #[test]
    fn loosely_only_the_winner_counts() {
        let by_time = stated(Verdict::Win(Side::Second), Reason::Time, None);
        let resigned = |verdict| reached(verdict, pb::Reason::Resignation, None);
        assert!(compare(&by_time, &resigned(pb::Verdict::SecondWins), &go::VARIANT, true).is_ok());
        assert!(compare(&by_time, &resigned(pb::Verdict::SecondWins), &go::VARIANT, false).is_err());
        let other = compare(&by_time, &resigned(pb::Verdict::FirstWins), &go::VARIANT, true);
        assert_eq!(other, Err("the record says W+T, the server says short (resignation)".to_owned()));
    }
}
