//! Laws that hold whatever is played.

use proptest::prelude::*;
use rules::{
    Actors, Author, Game, RuleSet, Side, Viewer,
    goban::Size,
    tianyi::{Act, VARIANT},
};

use crate::{
    dice::Dice,
    follow::follow,
    play::{Table, start},
};

const TEXTS: [&str; 20] = [
    "A1",
    "C3",
    "E5",
    "pass",
    "claim",
    "accept",
    "accept -",
    "reject",
    "dead -",
    "dead A1 seki C3",
    "bid 1",
    "bid 13",
    "choose white",
    "choose black",
    "propose B - W -",
    "propose B A1 W B2",
    "expire",
    "Z30",
    "x y",
    "",
];

fn check_texts(game: &dyn Game) -> Result<(), TestCaseError> {
    for side in Side::BOTH {
        let hints = game.hints(side);
        prop_assert_eq!(hints.is_empty(), !game.actors().include(side));
        for text in TEXTS {
            let listed = hints.iter().any(|hint| hint.text == text);
            let mut after = game.boxed_clone();
            if let Ok(played) = after.play(side, text) {
                let free =
                    text.starts_with("propose") || text.starts_with("dead") || text.starts_with("accept");
                prop_assert!(listed || free || played.text.starts_with("void "), "{} is not listed", text);
                prop_assert_eq!(after.ply(), game.ply() + 1);
                prop_assert_ne!(after.hash(), game.hash());
                // What is canonical stays so.
                let again = game.boxed_clone().play(side, &played.text).map(|again| again.text);
                prop_assert_eq!(again, Ok(played.text));
            } else {
                prop_assert!(!listed, "{} is listed and refused", text);
                prop_assert_eq!(format!("{after:?}"), format!("{game:?}"));
                prop_assert_eq!(after.hash(), game.hash());
            }
        }
        for hint in hints.iter().filter(|hint| hint.choices_left == 0).step_by(7) {
            let played = game.boxed_clone().play(side, &hint.text).map(|played| played.text);
            prop_assert_eq!(played.as_ref(), Ok(&hint.text));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn tianyi_frame_laws(seed: u64, rules in 0usize..4, void: bool, base in 0usize..4) {
        let base = ["cn1988", "cn2002", "psk", "simple"][base];
        let rule_set = RuleSet::named(VARIANT.rule_sets[rules].id)
            .with("size", "5")
            .with("base", base)
            .with("illegal_move", if void { "void_pass" } else { "reject" });
        let mut table = Table::new(&rule_set);
        let mut dice = Dice(seed);
        let mut stones = Vec::new();
        let mut ply = 0;
        loop {
            let game = &table.game;
            prop_assert_eq!(game.ply(), ply);
            let over = game.outcome().is_some();
            prop_assert_eq!(over, game.actors() == Actors::Nobody && game.system_due().is_none());
            prop_assert!(!over || game.on_clock().is_none());
            prop_assert!(game.on_clock().is_none_or(|side| game.actors().include(side)));
            // Somebody's time always runs: a clock's, or the house's.
            prop_assert_eq!(over, game.on_clock().is_none() && game.system_due().is_none());
            if ply < 60 {
                check_texts(&**game)?;
            }
            if !table.step(&mut dice) || ply > 400 {
                break;
            }
            ply += 1;
            let played = table.played.last().expect("played");
            follow(&mut stones, &played.effects.changes);
            let view = table.game.view(Viewer::Spectator);
            let seen: Vec<_> = view.stones.iter().map(|stone| (stone.at, stone.owner)).collect();
            prop_assert_eq!(&seen, &stones);
            prop_assert_eq!(&view.marks, &played.effects.marks);
            let colours = Side::BOTH.map(|side| table.game.colour(side));
            prop_assert_eq!(colours[0].is_some(), colours[1].is_some());
            prop_assert!(colours[0].is_none() || colours[0] != colours[1]);
        }
    }

    /// Any text is an act or none, and what is written is read as the same.
    #[test]
    fn tianyi_any_text_is_read_or_refused(text in prop_oneof![
        any::<String>(),
        "(propose|accept|dead|bid|commit|reveal|seed|choose|void) ?(B|W|seki|fill|-|[a-e][1-5]|,| |[0-9.-]|é){0,12}",
    ]) {
        let five = Size::MIN;
        if let Ok(act) = Act::parse(&text, five) {
            prop_assert_eq!(Act::parse(&act.write(five), five), Ok(act));
        }
        // Nothing a player or the house writes breaks a game, in any phase.
        for phase in ["tianyi2014", "design"] {
            let mut game = start(&RuleSet::named(phase).with("size", "5"));
            for author in Author::ALL {
                let before = game.ply();
                let done = game.act(author, &text).is_ok();
                prop_assert_eq!(game.ply(), before + u32::from(done));
            }
        }
    }

    /// Whoever plays by the hints, and moves while he can, comes to an end.
    #[test]
    fn tianyi_every_game_ends(seed: u64) {
        let mut table = Table::new(&RuleSet::named("tianyi2014").with("size", "5").with("base", "psk"));
        let mut dice = Dice(seed);
        let mut acts = 0;
        while table.step(&mut dice) {
            acts += 1;
            prop_assert!(acts < 20_000);
        }
        prop_assert!(table.game.outcome().is_some());
    }

    /// The same acts make the same game, and its hash does not depend on how it was held.
    #[test]
    fn tianyi_a_game_can_be_replayed(seed: u64, acts in 0usize..80) {
        let rule_set = RuleSet::named("eight").with("size", "7");
        let mut table = Table::new(&rule_set);
        let mut dice = Dice(seed);
        let mut hashes = vec![table.game.hash()];
        for _ in 0..acts {
            if !table.step(&mut dice) {
                break;
            }
            hashes.push(table.game.hash());
        }
        let mut again = start(&rule_set);
        prop_assert_eq!(again.hash(), hashes[0]);
        for ((act, played), hash) in table.acts.iter().zip(&table.played).zip(&hashes[1..]) {
            let replayed = again.act(act.author, &act.text);
            prop_assert_eq!(replayed.as_ref(), Ok(played));
            prop_assert_eq!(again.hash(), *hash);
        }
        prop_assert_eq!(format!("{:?}", table.game), format!("{again:?}"));
    }
}

#[test]
fn tianyi_rule_sets_are_complete_and_checked() {
    for info in VARIANT.rule_sets {
        let game = start(&RuleSet::named(info.id));
        assert_eq!(game.rule_set().options.len(), VARIANT.options.len());
        let again = start(game.rule_set());
        assert_eq!(again.rule_set(), game.rule_set());
    }
    for (name, value) in [
        ("size", "4"),
        ("size", "26"),
        ("placement", "self"),
        ("stones", "6"),
        ("quadrants", "ne nw sw"),
        ("quadrants", "ne nw sw sw"),
        ("base", "jp"),
        ("long_cycle", ""),
        ("illegal_move", "void"),
        ("disputes", "10"),
        ("stage", "semifinal"),
        ("final_only", "yes"),
        ("komi", "3.75"),
    ] {
        let fault = (VARIANT.start)(&RuleSet::named("").with(name, value)).err();
        assert_eq!(fault.map(|fault| fault.option).as_deref(), Some(name), "{value}");
    }
    assert!(rules::variant("tianyi").is_some_and(|variant| variant.native_name() == "天弈围棋"));
}
