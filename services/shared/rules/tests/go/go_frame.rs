//! Go behind the frame: laws that hold whatever is played.

use proptest::prelude::*;
use rules::{ActErrorKind, Actors, Change, Game, RemovalCause, RuleSet, Side, Viewer, go::VARIANT};

use crate::{dice::Dice, follow::follow};

fn start(options: &[(&str, &str)]) -> Box<dyn Game> {
    let rule_set =
        options.iter().fold(RuleSet::named("").with("size", "5"), |set, (name, value)| set.with(name, value));
    (VARIANT.start)(&rule_set).expect("the rule set is right")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn go_frame_laws(seed: u64, turns in 1usize..150, void: bool, handicap in 0u8..3) {
        let mut game = start(&[
            ("illegal_move", if void { "void_pass" } else { "reject" }),
            ("handicap", &handicap.to_string()),
        ]);
        let mut dice = Dice(seed);
        let mut stones = Vec::new();
        for ply in 0..turns {
            prop_assert_eq!(usize::try_from(game.ply()).expect("small"), ply);
            prop_assert_eq!(game.outcome().is_some(), game.actors() == Actors::Nobody);
            prop_assert_eq!(game.outcome().is_some(), game.on_clock().is_none());
            for side in Side::BOTH {
                let hints = game.hints(side);
                prop_assert_eq!(hints.is_empty(), !game.actors().include(side));
                for text in ["A1", "C3", "E5", "pass", "claim", "accept", "reject", "dead -", "Z30", "x y", ""] {
                    let listed = hints.iter().any(|hint| hint.text == text);
                    let mut after = game.clone();
                    if let Ok(played) = after.play(side, text) {
                        let same = played.text == text || played.text.starts_with("void ") || text == "accept";
                        prop_assert!(same, "{} became {}", text, played.text);
                        prop_assert!(listed || played.text != text);
                        prop_assert_eq!(after.ply(), game.ply() + 1);
                        prop_assert_ne!(after.hash(), game.hash());
                    } else {
                        prop_assert!(!listed, "{} is listed and refused", text);
                        prop_assert_eq!(format!("{after:?}"), format!("{game:?}"));
                    }
                }
                for hint in hints {
                    let played = game.clone().play(side, &hint.text);
                    prop_assert_eq!(played.map(|played| played.text), Ok(hint.text));
                }
            }
            let Some(side) = game.on_clock() else { break };
            prop_assert!(game.actors().include(side));
            let hints = game.hints(side);
            let text = hints[dice.below(hints.len())].text.clone();
            let played = game.play(side, &text).expect("a hint is legal");
            follow(&mut stones, &played.effects.changes);
            let view = game.view(Viewer::Spectator);
            let seen: Vec<_> = view.stones.iter().map(|stone| (stone.at, stone.owner)).collect();
            prop_assert_eq!(&seen, &stones);
            prop_assert_eq!(&view, &game.view(Viewer::Seat(side)));
            prop_assert_eq!(view.marks, played.effects.marks);
        }
    }
}

#[test]
fn go_refusals_have_stable_reasons() {
    use ActErrorKind::{Forbidden, Illegal, Occupied, Syntax, Turn};

    let mut game = start(&[("setup", ".x.../xo.../.x.../...../..... w")]);
    let check = |game: &mut Box<dyn Game>, side, text: &str, kind, reason| {
        let refusal = game.play(side, text).expect_err(text);
        assert_eq!((refusal.kind, refusal.reason), (kind, reason), "{text}");
    };
    check(&mut game, Side::Second, "Q", Syntax, "BAD_NOTATION");
    check(&mut game, Side::Second, &"dead A1,".repeat(2000), Syntax, "BAD_NOTATION");
    check(&mut game, Side::Second, "F1", Illegal, "OFF_BOARD");
    check(&mut game, Side::Second, "A4", Occupied, "OCCUPIED");
    check(&mut game, Side::Second, "A5", Forbidden, "SUICIDE");
    check(&mut game, Side::Second, "claim", Illegal, "NO_LONG_CYCLE");
    check(&mut game, Side::Second, "accept", Illegal, "NOT_IN_AGREEMENT");
    check(&mut game, Side::Second, "void A5", Illegal, "NOT_VOID");
    check(&mut game, Side::First, "E5", Turn, "NOT_YOUR_TURN");
    game.play(Side::Second, "pass").unwrap();
    game.play(Side::First, "pass").unwrap();
    check(&mut game, Side::Second, "E5", Illegal, "IN_AGREEMENT");
    check(&mut game, Side::Second, "accept", Illegal, "NO_PROPOSAL");
    check(&mut game, Side::Second, "dead E5", Illegal, "NO_STONE");
    game.play(Side::Second, "dead b4").unwrap();
    check(&mut game, Side::Second, "accept", Illegal, "NO_PROPOSAL");
    check(&mut game, Side::First, "accept -", Illegal, "PROPOSAL_CHANGED");
    let end = game.play(Side::First, "accept").unwrap();
    assert_eq!(end.text, "accept B4");
    let removed = Change::Removed {
        at: rules::Point { column: 1, row: 1 },
        owner: Side::Second,
        cause: RemovalCause::Dead,
    };
    assert_eq!(end.effects.changes, [removed]);
    assert_eq!(end.effects.marks.iter().filter(|mark| mark.kind == "territory-first").count(), 22);
    check(&mut game, Side::First, "E5", Turn, "GAME_OVER");
    let outcome = game.outcome().unwrap();
    assert_eq!(outcome.score.as_ref().unwrap().printed, "B+9 3/4 zi");
}

#[test]
fn go_rule_sets_are_complete_and_checked() {
    let game = start(&[("komi", "7.5pt")]);
    assert_eq!(game.rule_set().id, "cn1988");
    assert_eq!(game.rule_set().options["komi"], "3.75");
    assert_eq!(game.rule_set().options.len(), VARIANT.options.len());
    let again = (VARIANT.start)(game.rule_set()).expect("a complete rule set is right");
    assert_eq!(again.rule_set(), game.rule_set());
    for info in VARIANT.rule_sets {
        assert!((VARIANT.start)(&RuleSet::named(info.id)).is_ok(), "{}", info.id);
    }
    for (name, value) in [
        ("size", "4"),
        ("size", "26"),
        ("size", "nine"),
        ("komi", "2.8"),
        ("handicap", "10"),
        ("handicap_bonus", "2"),
        ("repetition", "ssk"),
        ("long_cycle", ""),
        ("illegal_move", "void"),
        ("disputes", "-1"),
        ("setup", "....."),
        ("setup", "....../....../....../....../....../......"),
        ("colour", "red"),
    ] {
        let fault = (VARIANT.start)(&RuleSet::named("").with("size", "5").with(name, value)).err();
        assert_eq!(fault.map(|fault| fault.option).as_deref(), Some(name), "{value}");
    }
    assert!((VARIANT.start)(&RuleSet::named("jp")).is_err());
    assert!(rules::variant("go").is_some_and(|variant| variant.native_name() == "围棋"));
}
