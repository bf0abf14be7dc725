//! `shoutan record check`: a record by the rules, without a server.

use anyhow::bail;
use rules::{Actors, Record, Variant, jiu};

use super::{
    file::{Loaded, RecordFile},
    result::stated_line,
};
use crate::commands::terminal::say;

/// Checks a record by the rules, without a server.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    file: RecordFile,
}

/// Carries the command out.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let name = args.file.name();
    let Loaded { variant, record, placement, .. } = args.file.load()?;
    if let Some(placement) = placement {
        say(format_args!("the placement is that of {}", placement.display()))?;
    }
    let faults = faults(variant, &record)?;
    for fault in &faults {
        say(fault)?;
    }
    if !faults.is_empty() {
        bail!("{name} disagrees with the rules of {} in {} places", variant.name, faults.len());
    }
    let result =
        record.outcome.as_ref().map_or("no result".to_owned(), |outcome| stated_line(outcome, variant));
    say(format_args!("{name}: {}, {} acts, all legal; {result}", variant.name, record.acts.len()))
}

/// Where a record and the rules disagree, a line each.
fn faults(variant: &'static Variant, record: &Record) -> anyhow::Result<Vec<String>> {
    if variant.id == jiu::VARIANT.id {
        let found = jiu::check(record);
        return Ok(found.into_iter().map(|it| format!("{}: {}", it.label, it.refusal)).collect());
    }
    let mut game = (variant.start)(&record.rule_set)?;
    let mut found = Vec::new();
    for (index, act) in record.acts.iter().enumerate() {
        let Err(refusal) = game.act(act.author, &act.text) else { continue };
        let number = index + 1;
        let who = act.side().map_or("house".to_owned(), |side| variant.letter(side).to_string());
        found.push(format!("act {number}, {who} {}: {refusal}", act.text));
        // A refused move costs its side the turn, so that the rest can still be looked at.
        let passed = act.side().is_some_and(|side| {
            game.actors() == Actors::One(side) && game.play(side, "pass").is_ok() && game.outcome().is_none()
        });
        if !passed {
            let left = record.acts.len() - number;
            if left > 0 {
                found.push(format!("after act {number} nothing can be checked: {left} acts are left"));
            }
            return Ok(found);
        }
    }
    if let (Some(stated), Some(reached)) = (&record.outcome, game.outcome())
        && stated != reached
    {
        let (stated, reached) = (stated_line(stated, variant), stated_line(reached, variant));
        found.push(format!("the record says {stated}, by the rules it is {reached}"));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use rules::{RuleSet, go};

    use super::*;

    fn go_faults(acts: &str) -> Vec<String> {
        let record = (go::VARIANT.parse_record)(&format!("(;SZ[9]{acts})")).expect("a record");
        faults(&go::VARIANT, &record).expect("a rule set")
    }

    #[test]
    fn legal_records_have_no_faults() {
        assert_eq!(go_faults(";B[ee];W[gc];B[];W[]"), Vec::<String>::new());
    }

    #[test]
    fn every_illegal_act_has_a_line() {
        let found = go_faults(";B[ee];W[ee];B[ef];W[ef];B[gg]");
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("act 2, W E5: OCCUPIED"), "{found:?}");
        assert!(found[1].starts_with("act 4, W E4: OCCUPIED"), "{found:?}");
    }

    #[test]
    fn a_check_that_cannot_go_on_says_so() {
        let found = go_faults(";B[ee];B[ff];W[gc]");
        assert!(found[0].starts_with("act 2, B F4: NOT_YOUR_TURN"), "{found:?}");
        assert_eq!(found[1], "after act 2 nothing can be checked: 1 acts are left");
    }

    #[test]
    fn a_game_whose_end_is_recorded_must_have_its_result() {
        let acts = ";B[ee];W[];B[];SHA[W dead -];SHA[B accept]";
        let faults_of = |result| go_faults(&format!("KM[0]RE[{result}]{acts}"));
        assert_eq!(faults_of("B+81"), Vec::<String>::new());
        assert_eq!(faults_of("B+80").len(), 1);
    }

    #[test]
    fn jiu_is_refereed_by_its_own_check() {
        let record = jiu::parse_record("W1: H8\nB2: G7\nW3: G7\nB4: A1\n").expect("a record");
        assert_eq!(record.rule_set, RuleSet::named(""));
        let found = faults(&jiu::VARIANT, &record).expect("a rule set");
        assert!(found[0].starts_with("W3: OCCUPIED"), "{found:?}");
    }
}
