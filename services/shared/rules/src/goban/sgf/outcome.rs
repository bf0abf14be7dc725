//! Results of games as SGF writes them.

use crate::{
    Outcome, Reason, Score, Side, Verdict,
    goban::{Colour, QuarterZi, score::written},
    prelude::*,
};

const BOTH_LOSE: &str = "both-lose";

/// Reads `RE`, corrected by `SHO` if there is one; `None` if the result is not known.
pub(crate) fn read(result: &str, private: &[String]) -> Option<Outcome> {
    let plain = read_plain(result.trim());
    let Some(reason) = private.first().and_then(|name| Reason::named(name)) else {
        return plain;
    };
    if private.get(1).is_some_and(|word| word == BOTH_LOSE) {
        return Some(Outcome { verdict: Verdict::BothLose, reason, score: None });
    }
    let Outcome { verdict, score, .. } = plain?;
    Some(Outcome { verdict, reason, score: score.filter(|_| reason == Reason::Score) })
}

/// The outcome with its score written otherwise: the games of the family count in units of their own, while
/// `RE` is in points always. `written` takes half points of difference, positive for Black.
pub(crate) fn rescored(outcome: Outcome, written: fn(QuarterZi) -> Score) -> Outcome {
    let score = outcome.score.map(|score| margin(&score.points).map_or(score, written));
    Outcome { score, ..outcome }
}

/// Writes `RE`.
pub(crate) fn write(outcome: &Outcome) -> String {
    match outcome.verdict {
        Verdict::Draw => "0".to_owned(),
        Verdict::Void => "Void".to_owned(),
        Verdict::BothLose => "?".to_owned(),
        Verdict::Win(side) => {
            let how = match (outcome.reason, &outcome.score) {
                (Reason::Resignation, _) => "R",
                (Reason::Time, _) => "T",
                (forfeit, _) if forfeit.is_forfeit() => "F",
                (Reason::Score, Some(score)) => score.points.split_once('+').map_or("", |(_, margin)| margin),
                _ => "",
            };
            format!("{}+{how}", Colour::of(side).letter())
        }
    }
}

/// Writes `SHO`, if `RE` alone would be read otherwise.
pub(crate) fn write_private(outcome: &Outcome) -> Option<[&'static str; 2]> {
    if read_plain(&write(outcome)).as_ref() == Some(outcome) {
        return None;
    }
    let verdict = if outcome.verdict == Verdict::BothLose { BOTH_LOSE } else { "" };
    Some([outcome.reason.name(), verdict])
}

fn read_plain(result: &str) -> Option<Outcome> {
    let lower = result.to_ascii_lowercase();
    let (verdict, reason, score) = match lower.as_str() {
        "" | "?" => return None,
        "0" | "draw" => (Verdict::Draw, Reason::Score, Some(written(QuarterZi(0)))),
        "void" => (Verdict::Void, Reason::Aborted, None),
        _ => {
            let (winner, how) = lower.split_once('+')?;
            let (winner, sign) = match winner {
                "b" | "black" => (Side::First, 1),
                "w" | "white" => (Side::Second, -1),
                _ => return None,
            };
            let margin = QuarterZi::parse_margin(how).filter(|margin| margin.0 > 0);
            let (reason, score) = match how {
                "r" | "resign" => (Reason::Resignation, None),
                "t" | "time" => (Reason::Time, None),
                _ if how.starts_with(|char: char| char.is_ascii_digit()) => {
                    (Reason::Score, margin.map(|margin| written(QuarterZi(sign * margin.0))))
                }
                // A forfeit, or a win for which the file gives no reason that we know.
                _ => (Reason::Arbiter, None),
            };
            (Verdict::Win(winner), reason, score)
        }
    };
    Some(Outcome { verdict, reason, score })
}

/// The difference that the points of a score tell.
fn margin(points: &str) -> Option<QuarterZi> {
    match points.split_once('+') {
        Some(("B", size)) => QuarterZi::parse_margin(size),
        Some(("W", size)) => QuarterZi::parse_margin(size).map(|size| QuarterZi(-size.0)),
        _ => (points == "0").then_some(QuarterZi(0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_as_files_write_them() {
        let check = |text, verdict, reason, points: Option<&str>| {
            let outcome = read(text, &[]).expect("a result");
            assert_eq!((outcome.verdict, outcome.reason), (verdict, reason), "{text}");
            assert_eq!(outcome.score.map(|score| score.points).as_deref(), points, "{text}");
        };
        check("B+3.5", Verdict::Win(Side::First), Reason::Score, Some("B+3.5"));
        check("W+79.50", Verdict::Win(Side::Second), Reason::Score, Some("W+79.5"));
        check("B+16.0", Verdict::Win(Side::First), Reason::Score, Some("B+16"));
        check("B+R", Verdict::Win(Side::First), Reason::Resignation, None);
        check("w+Resign", Verdict::Win(Side::Second), Reason::Resignation, None);
        check("W+T", Verdict::Win(Side::Second), Reason::Time, None);
        check("W+F", Verdict::Win(Side::Second), Reason::Arbiter, None);
        check("W+AW", Verdict::Win(Side::Second), Reason::Arbiter, None);
        check("0", Verdict::Draw, Reason::Score, Some("0"));
        check("Void", Verdict::Void, Reason::Aborted, None);
        for unknown in ["", "?", "中盘胜", "+", "B", "x+1"] {
            assert_eq!(read(unknown, &[]), None, "{unknown}");
        }
    }

    #[test]
    fn every_outcome_reads_back() {
        let verdicts = [
            Verdict::Win(Side::First),
            Verdict::Win(Side::Second),
            Verdict::Draw,
            Verdict::Void,
            Verdict::BothLose,
        ];
        for verdict in verdicts {
            for reason in Reason::ALL {
                let margin = match verdict {
                    Verdict::Win(Side::First) => Some(7),
                    Verdict::Win(Side::Second) => Some(-1),
                    Verdict::Draw => Some(0),
                    Verdict::Void | Verdict::BothLose => None,
                };
                let score =
                    margin.filter(|_| reason == Reason::Score).map(|margin| written(QuarterZi(margin)));
                let outcome = Outcome { verdict, reason, score };
                let private = write_private(&outcome).map(|words| words.map(String::from));
                let private = private.as_ref().map_or(&[][..], |words| words);
                assert_eq!(read(&write(&outcome), private), Some(outcome));
            }
        }
    }
}
