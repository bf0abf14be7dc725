//! The game behind the frame: laws that hold whatever is played.

use proptest::prelude::*;
use rules::{ActErrorKind, Actors, Change, Game, RemovalCause, RuleSet, Side, Viewer, jpd::VARIANT};

use crate::{dice::Dice, follow::follow};

fn start(options: &[(&str, &str)]) -> Box<dyn Game> {
    let rule_set =
        options.iter().fold(RuleSet::named("").with("size", "5"), |set, (name, value)| set.with(name, value));
    (VARIANT.start)(&rule_set).expect("the rule set is right")
}

/// What is listed is legal, what is not is refused and leaves everything as it was.
fn check_hints(game: &dyn Game, side: Side) {
    let hints = game.hints(side);
    assert_eq!(hints.is_empty(), !game.actors().include(side));
    let fixed = ["A1", "C3", "E5", "virtual", "pass", "fill", "accept", "reject", "dead -", "Z30", "x y", ""];
    for text in fixed {
        let listed = hints.iter().any(|hint| hint.text == text);
        let mut after = game.boxed_clone();
        if let Ok(played) = after.play(side, text) {
            assert!(played.text == text || text == "accept", "{text} became {}", played.text);
            assert!(listed || played.text != text, "{text} is played and not listed");
            assert_eq!(after.ply(), game.ply() + 1);
            assert_ne!(after.hash(), game.hash());
        } else {
            assert!(!listed, "{text} is listed and refused");
            assert_eq!(format!("{after:?}"), format!("{game:?}"));
        }
    }
    for hint in hints {
        let played = game.boxed_clone().play(side, &hint.text);
        assert_eq!(played.map(|played| played.text), Ok(hint.text));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn jpd_frame_laws(seed: u64, turns in 1usize..150) {
        let mut game = start(&[("komi", "0.5")]);
        let mut dice = Dice(seed);
        let mut stones = Vec::new();
        for ply in 0..turns {
            prop_assert_eq!(usize::try_from(game.ply()).expect("small"), ply);
            prop_assert_eq!(game.outcome().is_some(), game.actors() == Actors::Nobody);
            prop_assert_eq!(game.outcome().is_some(), game.on_clock().is_none());
            for side in Side::BOTH {
                check_hints(&*game, side);
            }
            let Some(side) = game.on_clock() else { break };
            prop_assert!(game.actors().include(side));
            let hints = game.hints(side);
            let pass = hints.iter().any(|hint| hint.text == "pass") && dice.below(4) == 0;
            let text = if pass { "pass".to_owned() } else { hints[dice.below(hints.len())].text.clone() };
            let played = game.play(side, &text).expect("a hint is legal");
            follow(&mut stones, &played.effects.changes);
            let view = game.view(Viewer::Spectator);
            let seen: Vec<_> = view.stones.iter().map(|stone| (stone.at, stone.owner)).collect();
            prop_assert_eq!(&seen, &stones);
            prop_assert_eq!(&view, &game.view(Viewer::Seat(side)));
            prop_assert_eq!(view.marks, played.effects.marks);
            let counts = game.counts();
            let proposed = view.facts.iter().any(|(name, _)| *name == "proposal");
            prop_assert_eq!(counts.len(), if proposed || game.outcome().is_some() { 5 } else { 0 });
            for count in &counts {
                prop_assert_eq!(&count.result, &counts[0].result);
            }
            if let (Some(outcome), Some(count)) = (game.outcome(), counts.first()) {
                prop_assert_eq!(outcome.score.as_ref(), Some(&count.result));
            }
        }
    }
}

#[test]
fn jpd_refusals_have_stable_reasons() {
    use ActErrorKind::{Forbidden, Illegal, Occupied, Syntax, Turn};

    let mut game = start(&[("setup", ".xo../xo.o./.xo../...../....."), ("disputes", "1")]);
    let check = |game: &mut Box<dyn Game>, side, text: &str, kind, reason| {
        let refusal = game.play(side, text).expect_err(text);
        assert_eq!((refusal.kind, refusal.reason), (kind, reason), "{text}");
    };
    check(&mut game, Side::First, "Q", Syntax, "BAD_NOTATION");
    check(&mut game, Side::First, "virtual A1", Syntax, "BAD_NOTATION");
    check(&mut game, Side::First, &"dead A1,".repeat(2000), Syntax, "BAD_NOTATION");
    check(&mut game, Side::First, "dead - black", Syntax, "BAD_NOTATION");
    check(&mut game, Side::First, "dead - black A1 black A2", Syntax, "BAD_NOTATION");
    check(&mut game, Side::First, "F1", Illegal, "OFF_BOARD");
    check(&mut game, Side::First, "dead - black F1", Illegal, "OFF_BOARD");
    check(&mut game, Side::First, "A4", Occupied, "OCCUPIED");
    check(&mut game, Side::First, "fill", Illegal, "NOT_IN_AGREEMENT");
    check(&mut game, Side::Second, "virtual", Turn, "NOT_YOUR_TURN");
    let taken = game.play(Side::First, "C4").unwrap();
    assert_eq!(taken.effects.marks.iter().filter(|mark| mark.kind == "ko").count(), 1);
    check(&mut game, Side::Second, "B4", Forbidden, "KO");
    let virtual_move = game.play(Side::Second, "virtual").unwrap();
    assert_eq!((virtual_move.text.as_str(), virtual_move.effects.changes.len()), ("virtual", 0));
    check(&mut game, Side::First, "virtual", Forbidden, "BOARD_AGAIN");
    game.play(Side::First, "pass").unwrap();
    game.play(Side::Second, "pass").unwrap();
    check(&mut game, Side::First, "virtual", Illegal, "IN_AGREEMENT");
    check(&mut game, Side::First, "dead - black C4", Illegal, "STONE_THERE");
    check(&mut game, Side::First, "dead - black E1 white E1", Illegal, "NAMED_TWICE");
    game.play(Side::First, "fill").unwrap();
    for side in Side::BOTH {
        game.play(side, "pass").unwrap();
    }
    check(&mut game, Side::First, "fill", Illegal, "TOO_MANY_DEMANDS");
    game.play(Side::Second, "dead C4").unwrap();
    let end = game.play(Side::First, "accept").unwrap();
    assert_eq!(end.text, "accept dead C4");
    let [Change::Removed { owner: Side::First, cause: RemovalCause::Dead, .. }] = end.effects.changes[..]
    else {
        panic!("{:?}", end.effects.changes);
    };
    check(&mut game, Side::First, "E5", Turn, "GAME_OVER");
}

#[test]
fn jpd_suicide_is_told_stone_by_stone() {
    let mut game = start(&[("setup", ".xo../oo.../...../...../.....")]);
    let played = game.play(Side::First, "A5").unwrap();
    let removed = |change: &&Change| {
        matches!(change, Change::Removed { owner: Side::First, cause: RemovalCause::Captured, .. })
    };
    assert!(matches!(played.effects.changes[0], Change::Placed { owner: Side::First, .. }));
    assert_eq!(played.effects.changes.iter().filter(removed).count(), 2);
    let view = game.view(Viewer::Spectator);
    assert_eq!(view.facts.iter().find(|(name, _)| *name == "prisoners-first").unwrap().1, "2");
}

#[test]
fn jpd_rule_sets_are_complete_and_checked() {
    let game = start(&[("komi", "+7.50")]);
    assert_eq!(game.rule_set().id, "jipingdian");
    assert_eq!(game.rule_set().options["komi"], "7.5");
    assert_eq!(game.rule_set().options.len(), VARIANT.options.len());
    let again = (VARIANT.start)(game.rule_set()).expect("a complete rule set is right");
    assert_eq!(again.rule_set(), game.rule_set());
    for info in VARIANT.rule_sets {
        assert!((VARIANT.start)(&RuleSet::named(info.id)).is_ok(), "{}", info.id);
    }
    for (name, value) in [
        ("size", "4"),
        ("size", "26"),
        ("komi", "6.25"),
        ("komi", "Standard"),
        ("compensation", "turns"),
        ("virtual_counts", "true"),
        ("suicide_counts", ""),
        ("memory", "lost"),
        ("filling", "paid"),
        ("natural_end", "none"),
        ("disputes", "10"),
        ("setup", "....."),
        ("handicap", "2"),
    ] {
        let fault = (VARIANT.start)(&RuleSet::named("").with("size", "5").with(name, value)).err();
        assert_eq!(fault.map(|fault| fault.option).as_deref(), Some(name), "{value}");
    }
    assert!(rules::variant("jpd").is_some_and(|variant| variant.native_name() == "計枰點圍棋"));
}
