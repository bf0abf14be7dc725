//! Jirige as a server sees it.

use std::collections::BTreeMap;

use proptest::prelude::*;
use rules::{
    ActErrorKind, Actors, Change, Game, Reason, RemovalCause, RuleSet, Side, Verdict, Viewer, jirige::VARIANT,
};

use crate::{dice::Dice, play::dice};

fn start(options: &[(&str, &str)]) -> Box<dyn Game> {
    let rule_set = options.iter().fold(RuleSet::named(""), |set, (name, value)| set.with(name, value));
    (VARIANT.start)(&rule_set).expect("the rules")
}

/// Fills a hint with stones, each the first the game takes.
fn complete(game: &dyn Game, dice: &mut Dice) -> String {
    let side = game.on_clock().expect("running");
    let hint = dice.pick(&game.hints(side));
    let points: Vec<String> =
        game.view(Viewer::Spectator).stones.iter().map(|it| game.point_name(it.at)).collect();
    let mut text = hint.text;
    for left in (0..hint.choices_left).rev() {
        let fits = |point: &&String| match game.boxed_clone().play(side, &format!("{text}*{point}")) {
            Ok(_) => left == 0,
            Err(refusal) => left > 0 && refusal.reason == "TOO_FEW_REMOVALS",
        };
        let point = points.iter().find(fits).expect("a stone that may be removed");
        text = format!("{text}*{point}");
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn jirige_frame_laws(mut dice in dice(), turns in 1_u32..260) {
        let mut game = start(&[("quiet_claim", "2")]);
        let mut drawn = BTreeMap::new();
        for ply in 0..turns {
            prop_assert_eq!(game.ply(), ply);
            let Some(side) = game.on_clock() else { break };
            prop_assert_eq!(game.actors(), Actors::One(side));
            prop_assert!(game.hints(side.other()).is_empty());
            let mut text = complete(&*game, &mut dice);
            if text == "claim" {
                prop_assert_eq!(game.boxed_clone().play(side, "claim").map(|it| it.effects.changes.len()), Ok(0));
                text = complete(&*game, &mut Dice(0));
                if text == "claim" { break; }
            }
            let before = game.hash();
            let played = game.play(side, &text).expect("a hint with its stones is legal");
            prop_assert_eq!(&played.text, &text);
            prop_assert_ne!(before, game.hash());
            for change in &played.effects.changes {
                match change {
                    Change::Placed { at, owner } => prop_assert_eq!(drawn.insert(*at, *owner), None),
                    Change::Moved { path } => {
                        let owner = drawn.remove(&path[0]).expect("a stone moves");
                        prop_assert_eq!(drawn.insert(path[path.len() - 1], owner), None);
                    }
                    Change::Removed { at, owner, cause } => {
                        prop_assert_eq!(drawn.remove(at), Some(*owner));
                        prop_assert_eq!(*owner, side.other());
                        let chosen = text.contains(&format!("*{}", game.point_name(*at)));
                        prop_assert_eq!(*cause == RemovalCause::Chosen, chosen);
                    }
                }
            }
            let view = game.view(Viewer::Spectator);
            prop_assert_eq!(view.stones.len(), drawn.len());
            prop_assert!(view.stones.iter().all(|it| drawn.get(&it.at) == Some(&it.owner)));
            prop_assert!(view.stones.is_sorted_by_key(|it| (it.at.row, it.at.column)));
            prop_assert_eq!(&view, &game.view(Viewer::Seat(side)));
            prop_assert_eq!(view.marks, played.effects.marks);
        }
    }
}

#[test]
fn the_variant_is_found_and_complete() {
    let variant = rules::variant("jirige").expect("known");
    assert_eq!((variant.letter(Side::First), variant.letter(Side::Second)), ('B', 'W'));
    let game = start(&[("lose_at", "2")]);
    assert_eq!(game.rule_set().id, "2020");
    assert_eq!(game.rule_set().options.len(), variant.options.len());
    assert_eq!((VARIANT.start)(game.rule_set()).expect("complete").rule_set(), game.rule_set());
    for (name, value) in [("komi", "7"), ("setup", "x"), ("lose_at", "4")] {
        let fault = (VARIANT.start)(&RuleSet::named("").with(name, value)).err().map(|fault| fault.option);
        assert_eq!(fault.as_deref(), Some(name));
    }
}

#[test]
fn refusals_have_the_codes_of_the_examples_and_change_nothing() {
    let mut game = start(&[]);
    for (side, text, kind, reason) in [
        (Side::Second, "D4", ActErrorKind::Turn, "NOT_YOUR_TURN"),
        (Side::First, "pass", ActErrorKind::Syntax, "BAD_NOTATION"),
        (Side::First, "", ActErrorKind::Syntax, "BAD_NOTATION"),
        (Side::First, "K5", ActErrorKind::Forbidden, "OFF_BOARD"),
        (Side::First, "E5", ActErrorKind::Forbidden, "CENTRE_RESERVED"),
        (Side::First, "E4/row", ActErrorKind::Forbidden, "NO_REMOVAL_DUE"),
        (Side::First, "E4*E5", ActErrorKind::Forbidden, "TOO_MANY_REMOVALS"),
        (Side::First, "*E5", ActErrorKind::Forbidden, "WRONG_PHASE"),
        (Side::First, "claim", ActErrorKind::Illegal, "NOT_CLAIMABLE"),
    ] {
        let before = format!("{game:?}");
        let refusal = game.play(side, text).expect_err(text);
        assert_eq!((refusal.kind, refusal.reason), (kind, reason), "{text}");
        assert_eq!(format!("{game:?}"), before);
    }
    game.play(Side::First, "resign").expect("always");
    let outcome = game.outcome().expect("ended");
    assert_eq!((outcome.verdict, outcome.reason), (Verdict::Win(Side::Second), Reason::Resignation));
    assert_eq!(game.play(Side::Second, "E4").map_err(|refusal| refusal.reason), Err("GAME_OVER"));
    assert_eq!((game.actors(), game.on_clock()), (Actors::Nobody, None));
}

#[test]
fn a_spear_is_drawn_and_told() {
    let setup = "x.x.x.x.x/........./x.x.x.x.x/........./oooo.oooo/....o..../x.x...x.x/........./o.......o move light";
    let mut game = start(&[("setup", setup)]);
    let hints = game.hints(Side::Second);
    assert_eq!(hints.iter().find(|hint| hint.text == "E4-E5").map(|hint| hint.choices_left), Some(9));
    assert!(hints.iter().filter(|hint| hint.choices_left > 0).count() == 1);
    let played = game.play(Side::Second, "e4-e5*A9*C9*E9*G9*I9*A7*C7*E7*G7").expect("legal");
    let marks = |kind: &str| played.effects.marks.iter().filter(|mark| mark.kind == kind).count();
    assert_eq!((marks("last"), marks("spear"), marks("square")), (1, 9, 0));
    let facts = game.view(Viewer::Spectator).facts;
    for fact in
        [("stones-first", "5"), ("spears-second", "row:5"), ("flying", "first"), ("quiet-plies", "0/150")]
    {
        assert!(facts.contains(&(fact.0, fact.1.to_owned())), "{fact:?} in {facts:?}");
    }
}
