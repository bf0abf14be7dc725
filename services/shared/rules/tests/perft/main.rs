//! The committed counts of every variant: what the fast generators list, all the way down.

mod file;

use std::{collections::BTreeSet, ops::ControlFlow};

use rules::{
    Game, Hint, Side,
    engine::{Command, Engine, Listing, NoHost},
    perft,
};

/// What a test counts in a second or two without optimisation of the tests themselves.
const COUNTED_MAX: u64 = 3_000_000;

#[test]
fn counts_are_those_of_the_golden_files() {
    for variant in rules::VARIANTS {
        for case in file::cases(variant) {
            let game = case.game(variant);
            assert!(!case.counts.is_empty(), "{case} counts nothing");
            for (depth, count) in &case.counts {
                assert!(*count <= COUNTED_MAX, "{case}: {count} is too much for a test");
                let counted = perft(&*game, *depth, &mut |_| ControlFlow::Continue(()));
                assert_eq!(counted, Ok(*count), "{case}, depth {depth}");
            }
        }
    }
}

#[test]
fn every_variant_has_counts() {
    let without: Vec<&str> =
        rules::VARIANTS.iter().filter(|it| file::cases(it).is_empty()).map(|it| it.id).collect();
    assert!(without.is_empty(), "no golden counts for {without:?}");
}

/// Every step that can follow in the positions of the files: a complete act is legal and canonical, and no two
/// steps are the same.
#[test]
fn what_is_listed_is_legal_and_listed_once() {
    for variant in rules::VARIANTS {
        for case in file::cases(variant) {
            let game = case.game(variant);
            for side in Side::BOTH {
                let hints = game.hints(side);
                assert!(hints.is_empty() || game.actors().include(side), "{case}");
                are_distinct(&hints, &case);
                // The choices of a few are looked at, there are too many for all.
                let owing = hints.iter().filter(|hint| hint.choices_left > 0).take(5);
                let chosen = owing.flat_map(|hint| all_choices(&*game, side, hint, 200));
                for act in hints.iter().filter(|hint| hint.choices_left == 0).cloned().chain(chosen) {
                    let mut next = game.boxed_clone();
                    let played = next.play(side, &act.text).unwrap_or_else(|refusal| {
                        panic!("{case}: {} is listed, but refused: {refusal}", act.text)
                    });
                    assert_eq!(played.text, act.text, "{case}");
                    assert_eq!(next.ply(), game.ply() + 1, "{case}");
                }
            }
        }
    }
}

/// A position that can be written is the same when it is read again, as far as its own text tells.
#[test]
fn positions_are_read_as_they_are_written() {
    let mut written = 0;
    for variant in rules::VARIANTS {
        for case in file::cases(variant) {
            let game = case.game(variant);
            let Some(text) = game.setup_text() else { continue };
            let again =
                (variant.position)(game.rule_set(), &text).unwrap_or_else(|error| panic!("{case}: {error}"));
            assert_eq!(again.setup_text().as_ref(), Some(&text), "{case}");
            let steps = |game: &dyn Game| Side::BOTH.map(|side| game.hints(side).len());
            assert!(!game.hints(Side::First).is_empty() || !game.hints(Side::Second).is_empty(), "{case}");
            // Without its past a ko may be taken back, so there may be more to play.
            assert!(steps(&*again).iter().zip(steps(&*game)).all(|(again, now)| *again >= now), "{case}");
            written += 1;
        }
    }
    assert!(written > 5, "only {written} positions are written");
}

/// The engine's listings are the same acts.
#[test]
fn the_engine_lists_the_same() {
    for variant in rules::VARIANTS {
        let mut engine = Engine::new(variant).expect("a default rule set");
        let all = engine.run(&Command::Moves(Listing::Complete), &mut NoHost).expect("not too many");
        let steps = engine.run(&Command::Moves(Listing::Steps), &mut NoHost).expect("a list");
        let owing = steps.to_string().contains(" owes ");
        assert!(owing || all.to_string() == steps.to_string(), "{}", variant.id);
    }
}

fn are_distinct(hints: &[Hint], case: &file::Case) {
    let texts: BTreeSet<&str> = hints.iter().map(|hint| hint.text.as_str()).collect();
    assert_eq!(texts.len(), hints.len(), "{case} lists a step twice");
}

/// Complete acts that begin with a step, about `most` of them.
fn all_choices(game: &dyn Game, side: Side, step: &Hint, most: usize) -> Vec<Hint> {
    let mut open = vec![step.clone()];
    let mut complete = Vec::new();
    while let Some(step) = open.pop().filter(|_| complete.len() < most) {
        if step.choices_left == 0 {
            complete.push(step);
            continue;
        }
        let choices = game.choices(side, &step);
        assert!(!choices.is_empty(), "{} owes {} and has no choice", step.text, step.choices_left);
        assert!(choices.iter().all(|choice| choice.choices_left + 1 == step.choices_left));
        open.extend(choices);
    }
    let texts: BTreeSet<&str> = complete.iter().map(|act| act.text.as_str()).collect();
    assert_eq!(texts.len(), complete.len(), "an act is listed twice");
    complete
}
