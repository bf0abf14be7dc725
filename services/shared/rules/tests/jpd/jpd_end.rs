//! Ends: by agreement or without, drawn, and always.

use proptest::prelude::*;
use rules::{
    Actors, Game, RuleSet, Side,
    goban::{self, Colour, Score as _},
    jpd::{HalfPoints, Illegal, JpdGame, Method, Move, Phase, Position, Rules, VARIANT},
};

use crate::{
    dice::Dice,
    play::{acts, agree, start},
};

/// J7: without agreement, enclosed regions or liberties alone.
#[test]
fn an_end_without_agreement_to_the_letter() {
    let setup = "...x./...x./xxxx./oooo./...o.";
    for (natural_end, black, white, nobody) in [("area", "14.5", "10.5", 0), ("adjacent", "13", "10", 2)] {
        let mut position = start(setup, &[("natural_end", natural_end), ("disputes", "0")]);
        acts(&mut position, "pass pass");
        let score = position.ending().expect("an end").score;
        assert_eq!((score.black.to_string().as_str(), score.white.to_string().as_str()), (black, white));
        let cells = position.settlement().unwrap().layout.cells().to_vec();
        let count = cells.iter().filter(|cell| **cell == rules::jpd::Cell::Nobody).count();
        assert_eq!(count, nobody, "{natural_end}");
        for method in Method::ALL {
            assert_eq!(position.settlement().unwrap().count(method).margin, score.margin);
        }
        // What both agree on is counted by regions always.
        let mut position = start(setup, &[("natural_end", natural_end)]);
        acts(&mut position, "pass pass");
        agree(&mut position, "dead -");
        assert_eq!(position.ending().unwrap().score.black.to_string(), "14.5");
    }
}

/// J10 and J11: equal totals are a draw; komi is 6.5 from 19 lines on and none below.
#[test]
fn draws_and_komi() {
    let mut position = start("...../...../...../...../.....", &[]);
    acts(&mut position, "pass pass");
    agree(&mut position, "dead -");
    assert_eq!(position.ending().unwrap().score.winner(), None);
    assert_eq!(position.ending().unwrap().score.frame().printed_zh, "和棋");
    for (size, komi) in [(5, "0"), (7, "0"), (9, "0"), (18, "0"), (19, "6.5"), (21, "6.5"), (25, "6.5")] {
        let game = JpdGame::new(&RuleSet::named("").with("size", &size.to_string())).unwrap();
        assert_eq!(game.position().rules().komi.to_string(), komi);
        // The same komi, told in points, is the same rule set.
        let told = RuleSet::named("").with("size", &size.to_string()).with("komi", komi);
        assert_eq!(JpdGame::new(&told).unwrap().rule_set(), game.rule_set());
        assert_eq!(game.rule_set().options["komi"], "standard");
    }
    let mut position = start("...../...../...../...../.....", &[("komi", "6.5")]);
    acts(&mut position, "pass pass");
    agree(&mut position, "dead -");
    assert_eq!(position.ending().unwrap().score.margin, HalfPoints(-13));
}

/// A game of nothing but moves ends too: in thousands of turns no stone can be put down any more.
#[test]
fn turns_are_limited() {
    let mut position = Position::new(goban::Size::MIN, Rules::default());
    let mut dice = Dice(3);
    let points: Vec<_> = position.board().points().map(Move::Play).collect();
    while position.turns() < goban::MAX_TURNS {
        let mv = if dice.below(8) == 0 { Move::Virtual } else { dice.pick(&points) };
        if position.play(mv).is_err() && dice.below(60) == 0 {
            // Any other move; a pass only if there is none, which does not happen twice in a row here.
            let first = position.legal_moves().next().expect("a pass at least");
            position.play(first).unwrap();
            assert_eq!(position.phase(), &Phase::Contest);
        }
    }
    assert_eq!(position.legal_moves().collect::<Vec<_>>(), [Move::Pass]);
    assert_eq!(position.check(Move::Virtual), Err(Illegal::Go(goban::Illegal::TurnLimit)));
    assert!(position.virtuals(Colour::Black) > 100);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// However two sides act, passing a third of the time, the game is over before long.
    #[test]
    fn jpd_every_game_ends(seed: u64, named in 0usize..2) {
        let rule_set = RuleSet::named(VARIANT.rule_sets[named].id).with("size", "5");
        let mut game = (VARIANT.start)(&rule_set).unwrap();
        let mut dice = Dice(seed);
        while game.actors() != Actors::Nobody {
            prop_assert!(game.ply() < 5000);
            let side = game.on_clock().expect("somebody is to act");
            let hints = game.hints(side);
            let text = match dice.below(3) {
                0 if hints.iter().any(|hint| hint.text == "pass") => "pass",
                _ => &hints[dice.below(hints.len())].text,
            };
            game.play(side, text).expect("a hint is legal");
        }
        prop_assert!(game.outcome().is_some_and(|outcome| outcome.score.is_some()));
        prop_assert!(Side::BOTH.iter().all(|side| game.hints(*side).is_empty()));
    }
}
