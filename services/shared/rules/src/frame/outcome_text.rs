//! The result of a game as records write it: `B+R`, `W+T`, `B+ fourteen`, `draw`, `draw repetition`.

use crate::{Outcome, Reason, Side, Variant, Verdict, prelude::*};

const DRAW: &str = "draw";
const BOTH_LOSE: &str = "both-lose";
const VOID: &str = "void";

/// Writes an outcome. No score is written: the games that use this have no count.
pub(crate) fn print(variant: &Variant, outcome: &Outcome) -> String {
    let reason = outcome.reason.name();
    match (outcome.verdict, outcome.reason) {
        (Verdict::Win(side), Reason::Resignation) => format!("{}+R", variant.letter(side)),
        (Verdict::Win(side), Reason::Time) => format!("{}+T", variant.letter(side)),
        (Verdict::Win(side), _) => format!("{}+ {reason}", variant.letter(side)),
        (Verdict::Draw, Reason::Agreement) => String::from(DRAW),
        (Verdict::Draw, _) => format!("{DRAW} {reason}"),
        (Verdict::BothLose, _) => format!("{BOTH_LOSE} {reason}"),
        (Verdict::Void, _) => format!("{VOID} {reason}"),
    }
}

/// Reads what [`print`] writes; blanks are free.
pub(crate) fn parse(variant: &Variant, text: &str) -> Option<Outcome> {
    let named = |name: &str| {
        let name = name.trim();
        Reason::named(name)
            .or_else(|| variant.reasons.iter().find(|own| **own == name).map(|own| Reason::Rule(own)))
    };
    let (verdict, reason) = if let Some((colour, reason)) = text.split_once('+') {
        let side = Side::BOTH.into_iter().find(|side| colour.trim().chars().eq([variant.letter(*side)]))?;
        let reason = match reason.trim() {
            "R" => Reason::Resignation,
            "T" => Reason::Time,
            name => named(name)?,
        };
        (Verdict::Win(side), reason)
    } else {
        let (word, name) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
        match (word, name) {
            (DRAW, "") => (Verdict::Draw, Reason::Agreement),
            (DRAW, name) => (Verdict::Draw, named(name)?),
            (BOTH_LOSE, name) => (Verdict::BothLose, named(name)?),
            (VOID, name) => (Verdict::Void, named(name)?),
            _ => return None,
        }
    };
    Some(Outcome { verdict, reason, score: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jiu::VARIANT;

    #[test]
    fn every_outcome_round_trips() {
        let verdicts = [Verdict::Draw, Verdict::BothLose, Verdict::Void];
        for verdict in verdicts.into_iter().chain(Side::BOTH.map(Verdict::Win)) {
            for reason in Reason::ALL {
                let outcome = Outcome { verdict, reason, score: None };
                assert_eq!(parse(&VARIANT, &print(&VARIANT, &outcome)), Some(outcome));
            }
        }
    }

    #[test]
    fn the_usual_spellings() {
        for (text, verdict, reason) in [
            ("B+R", Verdict::Win(Side::Second), Reason::Resignation),
            (" W + T ", Verdict::Win(Side::First), Reason::Time),
            ("B+ fourteen", Verdict::Win(Side::Second), Reason::Fourteen),
            ("draw", Verdict::Draw, Reason::Agreement),
            ("draw  quiet", Verdict::Draw, Reason::Quiet),
        ] {
            assert_eq!(parse(&VARIANT, text), Some(Outcome { verdict, reason, score: None }), "{text}");
        }
        for text in ["", "B", "B+", "X+R", "BW+R", "void", "drawn", "B+R R", "1-0"] {
            assert_eq!(parse(&VARIANT, text), None, "{text}");
        }
    }
}
