//! How a game ended, in words.

use api::board::v1::{Outcome, Reason, Verdict};

use super::sanitize;

/// The result in short, why, and the count as it is printed: `B+3.5 (score; B+1 3/4 zi; 黑胜 1又3/4子)`.
pub(crate) fn outcome_line(outcome: &Outcome) -> String {
    let mut words = vec![reason_name(outcome)];
    if let Some(score) = &outcome.score {
        for form in [&score.printed, &score.printed_zh, &score.points] {
            if !form.is_empty() && *form != outcome.short && !words.contains(form) {
                words.push(form.clone());
            }
        }
    }
    // Records have no short form for a loss of both.
    let short = if outcome.verdict() == Verdict::BothLose { "both lose" } else { &outcome.short };
    sanitize(&format!("{short} ({})", words.join("; ")))
}

/// The reason as a word: `resignation`, `too-few-stones`, or what a rule of the game is called.
pub(crate) fn reason_name(outcome: &Outcome) -> String {
    match outcome.reason() {
        Reason::Rule => outcome.rule.clone(),
        reason => reason.as_str_name().trim_start_matches("REASON_").to_ascii_lowercase().replace('_', "-"),
    }
}

#[cfg(test)]
mod tests {
    use api::board::v1::Score;

    use super::*;

    fn outcome(reason: Reason, short: &str, score: Option<Score>) -> Outcome {
        Outcome {
            verdict: Verdict::FirstWins as i32,
            reason: reason as i32,
            score,
            short: short.to_owned(),
            ..Outcome::default()
        }
    }

    #[test]
    fn outcomes_say_why_and_by_how_much() {
        let score = Score {
            printed: "B+1/4 zi".to_owned(),
            printed_zh: "黑胜 1/4 子".to_owned(),
            points: "B+0.5".to_owned(),
        };
        let scored = outcome(Reason::Score, "B+0.5", Some(score));
        assert_eq!(outcome_line(&scored), "B+0.5 (score; B+1/4 zi; 黑胜 1/4 子)");
        assert_eq!(outcome_line(&outcome(Reason::Resignation, "W+R", None)), "W+R (resignation)");
        assert_eq!(
            outcome_line(&outcome(Reason::TooFewStones, "B+ too-few-stones", None)),
            "B+ too-few-stones (too-few-stones)"
        );
        let rule = Outcome { rule: "three".to_owned(), ..outcome(Reason::Rule, "B+ three", None) };
        assert_eq!(outcome_line(&rule), "B+ three (three)");
        let both = Outcome { verdict: Verdict::BothLose as i32, ..outcome(Reason::Late, "Void", None) };
        assert_eq!(outcome_line(&both), "both lose (late)");
    }
}
