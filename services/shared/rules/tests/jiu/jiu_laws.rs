//! Laws that hold in every game.

use proptest::prelude::*;
use rules::{
    Reason, Record, RuleSet, Side,
    jiu::{Board, Options, Phase, Point, Position, VARIANT, parse_record, print_record},
};

use crate::{
    dice::Dice,
    play::{dice, faults, options},
};

/// No game is longer: the placement, two lifts, and the quiet turns before each capture and after the last.
fn plies_max(options: Options) -> u32 {
    198 + 195 * u32::from(options.draw_quiet_plies)
}

/// The hash kept from turn to turn is that of the same position made from nothing.
fn assert_hash(position: &Position) {
    let board: Board = position.board().to_string().parse().expect("its own text");
    assert_eq!(board.key(), position.board().key());
    // What has just been lost cannot be set up.
    let setup = Position::from_setup(board, position.phase(), position.to_move(), position.options());
    assert!(setup.is_ok() || position.outcome().is_some());
    assert!(setup.is_err() || setup.is_ok_and(|setup| setup.hash() == position.hash()));
}

/// Plays a whole game by chance; players who prefer captures come to every ending.
fn random_game(dice: &mut Dice, rule_set: &RuleSet) -> (Position, Vec<rules::Act>) {
    let mut position = Position::new(options(rule_set));
    let mut acts = Vec::new();
    let greed = dice.below(101);
    while position.outcome().is_none() {
        let side = position.to_move();
        let before: Vec<u8> = Side::BOTH.map(|side| position.board().count(side)).into();
        let displacements = position.displacements();
        assert!(!displacements.is_empty(), "who cannot move has lost");
        let captures: Vec<_> = displacements
            .iter()
            .filter(|it| it.choices_left > 0 || it.turn.to_string().contains("TC-"))
            .cloned()
            .collect();
        let greedy = !captures.is_empty() && dice.below(100) < greed;
        let displacement = dice.pick(if greedy { &captures } else { &displacements });
        let turn = dice.complete(&position, &displacement);
        let legal = position.play(&turn).expect("a listed turn is legal");
        assert_eq!(*legal.turn(), turn.clone().removing(legal.removed().iter().copied()));
        assert_eq!(legal.turn().to_string().parse(), Ok(legal.turn().clone()), "notation round trip");
        assert_hash(&position);
        if position.phase() == Phase::Move {
            assert!(Side::BOTH.into_iter().zip(before).all(|(side, n)| position.board().count(side) <= n));
        }
        acts.push(rules::Act::by(side, legal.turn().to_string()));
        assert!(position.ply() <= plies_max(position.options()));
    }
    assert!(position.displacements().is_empty());
    (position, acts)
}

fn rule_sets() -> impl Strategy<Value = RuleSet> {
    (prop::sample::select(vec!["aba", "aba-competitive"]), 2_u8..=4, 10_u16..=60).prop_map(
        |(id, times, quiet)| {
            RuleSet::named(id)
                .with("draw_repetitions", &times.to_string())
                .with("draw_quiet_plies", &quiet.to_string())
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_game_ends_and_its_record_replays(mut dice in dice(), rule_set in rule_sets()) {
        let (position, acts) = random_game(&mut dice, &rule_set);
        let outcome = position.outcome().cloned();
        let record = Record { variant: VARIANT.id, rule_set, headings: Vec::new(), acts, outcome };
        let text = print_record(&record);
        prop_assert_eq!(parse_record(&text), Ok(record.clone()));
        prop_assert_eq!(faults(&print_record(&record)), vec![]);
        // Play again, half of it in a copy.
        let mut again = Position::new(options(&record.rule_set));
        for (n, act) in record.acts.iter().enumerate() {
            if n % 7 == 0 {
                again = again.clone();
            }
            again.play(&act.text.parse().expect("canonical")).expect("replayed");
        }
        prop_assert_eq!(again.hash(), position.hash());
        prop_assert_eq!(again, position);
    }

    #[test]
    fn a_refused_turn_changes_nothing(mut dice in dice()) {
        let mut position = Position::new(Options::default());
        for _ in 0..230 {
            let texts = ["G7", "H8", "A1→A2", "C6→E6→E4 FC-A1", "N14→N13", "A1→A2+B1→B2", "G7→G8 TC-A1"];
            let points: Vec<Point> = Point::all().collect();
            let here = dice.pick(&points);
            let wild = [dice.pick(&texts).to_owned(), here.to_string(), format!("{here}→{}", dice.pick(&points))];
            let turn = dice.pick(&wild).parse().expect("well formed");
            let before = position.clone();
            let legal = position.is_legal(&turn);
            let played = position.play(&turn);
            prop_assert_eq!(played.is_ok(), legal);
            if played.is_err() {
                prop_assert_eq!(&position, &before);
                prop_assert_eq!(position.hash(), before.hash());
            }
            if position.outcome().is_none() {
                let displacement = dice.pick(&position.displacements());
                let turn = dice.complete(&position, &displacement);
                position.play(&turn).expect("listed");
            }
        }
    }
}

#[test]
fn games_end_in_many_ways() {
    let mut reasons = std::collections::BTreeSet::new();
    for seed in 0..60 {
        let rule_set = RuleSet::named(if seed % 2 == 0 { "aba" } else { "aba-competitive" });
        let (position, _) = random_game(&mut Dice(seed), &rule_set);
        reasons.insert(position.outcome().expect("ended").reason.name());
    }
    assert!(reasons.contains(Reason::Fourteen.name()), "{reasons:?}");
    assert!(reasons.len() >= 2, "{reasons:?}");
}
