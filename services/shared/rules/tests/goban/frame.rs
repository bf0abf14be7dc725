//! Games on a Go board behind the frame: laws that hold whatever is played, refusals, and options.

use proptest::prelude::*;
use rules::{
    ActErrorKind::{self, Forbidden, Illegal, Occupied, Syntax, Turn},
    Actors, Change, Game, Played, Reason, RemovalCause, RuleSet,
    Side::{self, First, Second},
    Variant, Viewer, go, jpd,
};

use crate::{dice::Dice, follow::follow};

fn start(variant: &'static Variant, options: &[(&str, &str)]) -> Box<dyn Game> {
    let small = RuleSet::named("").with("size", "5");
    let rule_set = options.iter().fold(small, |set, (name, value)| set.with(name, value));
    (variant.start)(&rule_set).expect("the rule set is right")
}

/// What the acts of some game look like, and texts that are none of any.
const TEXTS: [&str; 13] =
    ["A1", "C3", "E5", "virtual", "pass", "claim", "fill", "accept", "reject", "dead -", "Z30", "x y", ""];

/// What is listed is legal, what is not is refused and leaves everything as it was.
fn check_hints(game: &dyn Game, side: Side) {
    let hints = game.hints(side);
    assert_eq!(hints.is_empty(), !game.actors().include(side));
    for text in TEXTS {
        let listed = hints.iter().any(|hint| hint.text == text);
        let mut after = game.boxed_clone();
        if let Ok(played) = after.play(side, text) {
            let same = played.text == text || played.text.starts_with("void ") || text == "accept";
            assert!(same, "{text} became {}", played.text);
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

/// Every way of counting, once there is something to count, comes to the same, which is the outcome.
fn check_counts(game: &dyn Game, methods: usize) {
    let counts = game.counts();
    let proposed = game.view(Viewer::Spectator).facts.iter().any(|(name, _)| *name == "proposal");
    let scored = game.outcome().filter(|outcome| outcome.reason == Reason::Score);
    assert_eq!(counts.len(), if proposed || scored.is_some() { methods } else { 0 });
    for count in &counts {
        assert_eq!(count.result, counts[0].result);
    }
    if let (Some(outcome), Some(count)) = (scored, counts.first()) {
        assert_eq!(outcome.score.as_ref(), Some(&count.result));
    }
}

/// Plays hints that the dice choose, and as often as not wanted a pass, so that the end comes.
fn play_by_the_laws(mut game: Box<dyn Game>, mut dice: Dice, turns: u32, passes: bool, methods: usize) {
    let mut stones = Vec::new();
    for ply in 0..turns {
        assert_eq!(game.ply(), ply);
        assert_eq!(game.outcome().is_some(), game.actors() == Actors::Nobody);
        assert_eq!(game.outcome().is_some(), game.on_clock().is_none());
        for side in Side::BOTH {
            check_hints(&*game, side);
        }
        let Some(side) = game.on_clock() else { break };
        assert!(game.actors().include(side));
        let hints = game.hints(side);
        let pass = passes && hints.iter().any(|hint| hint.text == "pass") && dice.below(4) == 0;
        let text = if pass { "pass".to_owned() } else { hints[dice.below(hints.len())].text.clone() };
        let played = game.play(side, &text).expect("a hint is legal");
        follow(&mut stones, &played.effects.changes);
        let view = game.view(Viewer::Spectator);
        let seen: Vec<_> = view.stones.iter().map(|stone| (stone.at, stone.owner)).collect();
        assert_eq!(seen, stones);
        assert_eq!(view, game.view(Viewer::Seat(side)));
        assert_eq!(view.marks, played.effects.marks);
        check_counts(&*game, methods);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn go_frame_laws(seed: u64, turns in 1u32..150, void: bool, handicap in 0u8..3) {
        let illegal_move = if void { "void_pass" } else { "reject" };
        let options = [("illegal_move", illegal_move), ("handicap", &handicap.to_string())];
        play_by_the_laws(start(&go::VARIANT, &options), Dice(seed), turns, false, 1);
    }

    #[test]
    fn jpd_frame_laws(seed: u64, turns in 1u32..150) {
        play_by_the_laws(start(&jpd::VARIANT, &[("komi", "0.5")]), Dice(seed), turns, true, 5);
    }
}

/// An act, and as what it is played, or its kind and reason where it is refused.
type Step<'a> = (Side, &'a str, Result<&'a str, (ActErrorKind, &'a str)>);

/// Goes through the steps and tells the last act that was played.
fn go_through(game: &mut Box<dyn Game>, steps: &[Step<'_>]) -> Option<Played> {
    let mut last = None;
    for (side, text, wanted) in steps {
        let played = game.play(*side, text);
        let found = played.as_ref().map(|played| &*played.text);
        assert_eq!(found.map_err(|refusal| (refusal.kind, refusal.reason)), *wanted, "{text}");
        last = played.ok().or(last);
    }
    last
}

#[test]
fn go_refusals_have_stable_reasons() {
    let mut game = start(&go::VARIANT, &[("setup", ".x.../xo.../.x.../...../..... w")]);
    let end = go_through(
        &mut game,
        &[
            (Second, "Q", Err((Syntax, "BAD_NOTATION"))),
            (Second, &"dead A1,".repeat(2000), Err((Syntax, "BAD_NOTATION"))),
            (Second, "F1", Err((Illegal, "OFF_BOARD"))),
            (Second, "A4", Err((Occupied, "OCCUPIED"))),
            (Second, "A5", Err((Forbidden, "SUICIDE"))),
            (Second, "claim", Err((Illegal, "NO_LONG_CYCLE"))),
            (Second, "accept", Err((Illegal, "NOT_IN_AGREEMENT"))),
            (Second, "void A5", Err((Illegal, "NOT_VOID"))),
            (First, "E5", Err((Turn, "NOT_YOUR_TURN"))),
            (Second, "pass", Ok("pass")),
            (First, "pass", Ok("pass")),
            (Second, "E5", Err((Illegal, "IN_AGREEMENT"))),
            (Second, "accept", Err((Illegal, "NO_PROPOSAL"))),
            (Second, "dead E5", Err((Illegal, "NO_STONE"))),
            (Second, "dead b4", Ok("dead B4")),
            (Second, "accept", Err((Illegal, "NO_PROPOSAL"))),
            (First, "accept -", Err((Illegal, "PROPOSAL_CHANGED"))),
            (First, "accept", Ok("accept B4")),
            (First, "E5", Err((Turn, "GAME_OVER"))),
        ],
    );
    let effects = end.expect("it was accepted").effects;
    let at = rules::Point { column: 1, row: 1 };
    assert_eq!(effects.changes, [Change::Removed { at, owner: Second, cause: RemovalCause::Dead }]);
    assert_eq!(effects.marks.iter().filter(|mark| mark.kind == "territory-first").count(), 22);
    assert_eq!(game.score().expect("it is counted").printed, "B+9 3/4 zi");
}

#[test]
fn jpd_refusals_have_stable_reasons() {
    let mut game = start(&jpd::VARIANT, &[("setup", ".xo../xo.o./.xo../...../....."), ("disputes", "1")]);
    let before = [
        (First, "Q", Err((Syntax, "BAD_NOTATION"))),
        (First, "virtual A1", Err((Syntax, "BAD_NOTATION"))),
        (First, &"dead A1,".repeat(2000), Err((Syntax, "BAD_NOTATION"))),
        (First, "dead - black", Err((Syntax, "BAD_NOTATION"))),
        (First, "dead - black A1 black A2", Err((Syntax, "BAD_NOTATION"))),
        (First, "F1", Err((Illegal, "OFF_BOARD"))),
        (First, "dead - black F1", Err((Illegal, "OFF_BOARD"))),
        (First, "A4", Err((Occupied, "OCCUPIED"))),
        (First, "fill", Err((Illegal, "NOT_IN_AGREEMENT"))),
        (Second, "virtual", Err((Turn, "NOT_YOUR_TURN"))),
        (First, "C4", Ok("C4")),
        (Second, "B4", Err((Forbidden, "KO"))),
    ];
    let taken = go_through(&mut game, &before).expect("a ko was taken").effects;
    assert_eq!(taken.marks.iter().filter(|mark| mark.kind == "ko").count(), 1);
    let virtual_move = go_through(&mut game, &[(Second, "virtual", Ok("virtual"))]);
    assert_eq!(virtual_move.expect("it is played").effects.changes, []);
    let end = go_through(
        &mut game,
        &[
            (First, "virtual", Err((Forbidden, "BOARD_AGAIN"))),
            (First, "pass", Ok("pass")),
            (Second, "pass", Ok("pass")),
            (First, "virtual", Err((Illegal, "IN_AGREEMENT"))),
            (First, "dead - black C4", Err((Illegal, "STONE_THERE"))),
            (First, "dead - black E1 white E1", Err((Illegal, "NAMED_TWICE"))),
            (First, "fill", Ok("fill")),
            (First, "pass", Ok("pass")),
            (Second, "pass", Ok("pass")),
            (First, "fill", Err((Illegal, "TOO_MANY_DEMANDS"))),
            (Second, "dead C4", Ok("dead C4")),
            (First, "accept", Ok("accept dead C4")),
            (First, "E5", Err((Turn, "GAME_OVER"))),
        ],
    );
    let [Change::Removed { owner: First, cause: RemovalCause::Dead, .. }] =
        end.expect("it was accepted").effects.changes[..]
    else {
        panic!("one black stone is dead");
    };
}

#[test]
fn jpd_suicide_is_told_stone_by_stone() {
    let mut game = start(&jpd::VARIANT, &[("setup", ".xo../oo.../...../...../.....")]);
    let played = game.play(First, "A5").unwrap();
    let removed = |change: &&Change| {
        matches!(change, Change::Removed { owner: First, cause: RemovalCause::Captured, .. })
    };
    assert!(matches!(played.effects.changes[0], Change::Placed { owner: First, .. }));
    assert_eq!(played.effects.changes.iter().filter(removed).count(), 2);
    let view = game.view(Viewer::Spectator);
    assert_eq!(view.facts.iter().find(|(name, _)| *name == "prisoners-first").unwrap().1, "2");
}

/// A variant with its first rule set, a komi and how it is written, its name, and values that are refused.
struct Options {
    variant: &'static Variant,
    rule_set: &'static str,
    komi: (&'static str, &'static str),
    native_name: &'static str,
    refused: &'static [(&'static str, &'static str)],
}

const OPTIONS: [Options; 2] = [
    Options {
        variant: &go::VARIANT,
        rule_set: "cn1988",
        komi: ("7.5pt", "3.75"),
        native_name: "围棋",
        refused: &[
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
        ],
    },
    Options {
        variant: &jpd::VARIANT,
        rule_set: "jipingdian",
        komi: ("+7.50", "7.5"),
        native_name: "計枰點圍棋",
        refused: &[
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
        ],
    },
];

#[test]
fn rule_sets_are_complete_and_checked() {
    for Options { variant, rule_set, komi, native_name, refused } in OPTIONS {
        let game = start(variant, &[("komi", komi.0)]);
        assert_eq!(game.rule_set().id, rule_set);
        assert_eq!(game.rule_set().options["komi"], komi.1);
        assert_eq!(game.rule_set().options.len(), variant.options.len());
        let again = (variant.start)(game.rule_set()).expect("a complete rule set is right");
        assert_eq!(again.rule_set(), game.rule_set());
        for info in variant.rule_sets {
            assert!((variant.start)(&RuleSet::named(info.id)).is_ok(), "{}", info.id);
        }
        for (name, value) in refused {
            let fault = (variant.start)(&RuleSet::named("").with("size", "5").with(name, value)).err();
            assert_eq!(fault.map(|fault| fault.option).as_deref(), Some(*name), "{value}");
        }
        assert!((variant.start)(&RuleSet::named("jp")).is_err());
        assert!(rules::variant(variant.id).is_some_and(|known| known.native_name() == native_name));
    }
}
