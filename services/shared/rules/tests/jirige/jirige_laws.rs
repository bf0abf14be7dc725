//! Laws that hold in every game.

use std::ops::ControlFlow;

use proptest::prelude::*;
use rules::{
    RuleSet, Side,
    jirige::{
        Action, Board, Illegal, Options, Orientation, Path, Phase, Point, Position, Turn, VARIANT, Way,
    },
};

use crate::{dice::Dice, play::dice};

fn options() -> impl Strategy<Value = Options> {
    let any_of = |values: &'static [&'static str]| prop::sample::select(values);
    (
        any_of(&["1", "2", "8"]),
        any_of(&["batch", "split"]),
        any_of(&["either", "mover", "both", "strong"]),
        any_of(&["2", "3"]),
        8_u16..80,
    )
        .prop_map(|(ring, order, scope, lose_at, quiet)| {
            let rule_set = RuleSet::named("")
                .with("ring_plies", ring)
                .with("opening_order", order)
                .with("flight_jump_scope", scope)
                .with("lose_at", lose_at)
                .with("quiet_auto", &quiet.to_string());
            Options::from_rule_set(&rule_set).expect("known")
        })
}

/// The hash kept from action to action is that of the same position made from nothing.
fn assert_hash(position: &Position) {
    let board: Board = position.board().to_string().parse().expect("its own text");
    assert_eq!(board.key(), position.board().key());
    if let Some(setup) = position.setup() {
        let again = Position::from_setup(&setup, position.options()).expect("a position in progress");
        assert_eq!(again.hash(), position.hash());
        assert_eq!(again.actions(), position.actions());
    }
}

/// What a displacement or a placement closes.
fn assert_bounds(position: &Position, turn: &Turn) {
    let before = position.board();
    let legal = position.legal(turn).expect("listed");
    let Turn::Move { way, .. } = turn else { return };
    let near = matches!(way, Way::Jump(_)) || way.from().is_adjacent(way.to());
    assert!(legal.squares() <= if near { 2 } else { 4 }, "{turn} closes {}", legal.squares());
    let enemy = position.to_move().other();
    assert!(legal.jumped().iter().all(|at| before.owner(*at) == Some(enemy)));
    let first = legal.jumped().first().copied();
    assert!(first.is_none_or(|at| !before.in_squares(enemy).contains(at)), "{turn} jumps into a square");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_game_ends_and_loses_no_stone_unseen(mut dice in dice(), options in options()) {
        let mut position = Position::new(options);
        let greed = dice.below(101);
        let plies_max = 81 + 4 + 81 * u32::from(options.quiet_auto);
        while position.outcome().is_none() {
            prop_assert!(!position.actions().is_empty(), "who cannot move has lost");
            let turn = dice.turn(&position, greed);
            assert_bounds(&position, &turn);
            let counts = Side::BOTH.map(|side| position.board().count(side));
            let (mover, phase) = (position.to_move(), position.phase());
            let legal = position.play(&turn).expect("listed");
            prop_assert_eq!(legal.turn(), &turn);
            prop_assert_eq!(turn.to_string().parse(), Ok(turn.clone()));
            assert_hash(&position);
            let taken = u8::try_from(legal.jumped().len() + turn.removed().len()).expect("few");
            let own = counts[mover.index()] + u8::from(phase == Phase::Place);
            prop_assert_eq!(position.board().count(mover), own);
            prop_assert_eq!(position.board().count(mover.other()), counts[mover.other().index()] - taken);
            if position.phase() != Phase::Place && phase == Phase::Place {
                prop_assert_eq!(Side::BOTH.map(|side| position.board().count(side)), [41, 40]);
            }
            prop_assert!(position.ply() <= plies_max);
        }
        prop_assert!(position.actions().is_empty());
        prop_assert_eq!(position.play(&Turn::Resign), Err(Illegal::GameOver));
    }

    /// A search goes forth and back: everything comes back with it, the history too.
    #[test]
    fn play_then_undo_restores_everything(mut dice in dice(), options in options()) {
        let mut position = Position::new(options);
        let mut path = Vec::new();
        for _ in 0..400 {
            if position.outcome().is_some() || !path.is_empty() && dice.below(4) == 0 {
                let (before, undo): (Position, _) = path.pop().expect("played");
                position.undo(undo);
                prop_assert_eq!(position.hash(), before.hash());
                prop_assert_eq!(&position, &before);
                if path.is_empty() && position.outcome().is_some() { break; }
            } else {
                let before = position.clone();
                let action = dice.pick(&position.actions());
                let undo = position.act(action).expect("listed");
                prop_assert_ne!(position.hash(), before.hash());
                path.push((before, undo));
            }
        }
    }

    /// Whatever can be said of two points and a line is legal exactly if it is listed.
    #[test]
    fn legal_is_what_is_listed(mut dice in dice(), turns in 0_usize..220, options in options()) {
        let position = dice.position(options, turns);
        let mut listed = position.actions();
        if position.actions().len() > 3000 { return Ok(()); }
        // In the middle of a turn too.
        let mut position = position;
        if !listed.is_empty() && dice.below(3) == 0 {
            let _ = position.act(dice.pick(&listed)).expect("listed");
            listed = position.actions();
        }
        let mut all = Vec::new();
        let lines = [None, Some(Orientation::Row), Some(Orientation::Column)];
        for from in Point::all() {
            all.push(Action::Remove(from));
            all.extend(lines.map(|line| Action::Place { at: from, line }));
            for to in Point::all() {
                let ways = [Some(Way::Walk { from, to }), Path::new([from, to]).map(Way::Jump)];
                all.extend(ways.into_iter().flatten().flat_map(|way| lines.map(|line| Action::Move { way, line })));
            }
        }
        let mut legal = 0;
        for action in all {
            let mut after = position.clone();
            let stated = match action {
                Action::Place { line, .. } | Action::Move { line, .. } => line,
                Action::Remove(_) => None,
            };
            let played = after.act(action);
            // A choice that changes nothing is legal too, but listed without it.
            let bare = match action {
                Action::Place { at, .. } => Action::Place { at, line: None },
                Action::Move { way, .. } => Action::Move { way, line: None },
                Action::Remove(at) => Action::Remove(at),
            };
            if played.is_err() {
                prop_assert!(!listed.contains(&action), "{:?} is listed and refused", action);
                prop_assert_eq!(&after, &position);
            } else if stated.is_none() || listed.contains(&action) {
                prop_assert!(listed.contains(&action), "{:?} is legal and not listed", action);
                legal += 1;
            } else {
                let mut same = position.clone();
                let _ = same.act(bare).expect("legal");
                prop_assert_eq!(&same, &after);
            }
        }
        let long = listed.iter().filter(|it| matches!(it, Action::Move { way: Way::Jump(path), .. } if path.jumps() > 1));
        prop_assert_eq!(legal + long.count(), listed.len());
        for action in &listed {
            prop_assert!(position.clone().act(*action).is_ok());
        }
        // The two ways to list agree.
        let mut visited = Vec::new();
        let _ = position.for_each_action::<()>(&mut |action| { visited.push(action); ControlFlow::Continue(()) });
        prop_assert_eq!(visited.len(), listed.len());
        prop_assert!(visited.iter().all(|action| listed.contains(action)));
    }

    #[test]
    fn a_refused_turn_changes_nothing(mut dice in dice(), turns in 0_usize..200) {
        let mut position = dice.position(Options::default(), turns);
        let point = |dice: &mut Dice| dice.pick(&Point::all().collect::<Vec<_>>());
        for _ in 0..60 {
            let [a, b, c, d] = [(); 4].map(|()| point(&mut dice));
            let wild = [format!("{a}"), format!("*{a}*{b}"), format!("{a}-{b}*{c}"), format!("{a}x{b}x{c}*{d}"), "claim".into()];
            let turn: Turn = dice.pick(&wild).parse().expect("well formed");
            let before = position.clone();
            let legal = position.is_legal(&turn);
            prop_assert_eq!(position.play(&turn).is_ok(), legal);
            if !legal {
                prop_assert_eq!(&position, &before);
            }
        }
    }

    /// Rule 15 and the geometry of squares: beyond a stone of a square stands its neighbour in it, or the jumper
    /// stands there itself.
    #[test]
    fn a_stone_in_a_square_is_never_jumped(mut dice in dice(), turns in 80_usize..260) {
        let position = dice.position(Options::default(), turns);
        for action in position.actions() {
            let Action::Move { way: Way::Jump(path), .. } = action else { continue };
            let mut board = *position.board();
            let enemy = position.to_move().other();
            for over in path.jumped() {
                prop_assert!(!board.in_squares(enemy).contains(over), "{:?} in {}", action, board);
                board.clear(over);
            }
        }
    }
}

#[test]
fn games_end_in_many_ways() {
    let mut reasons = std::collections::BTreeSet::new();
    for seed in 0..40 {
        let quiet = if seed % 2 == 0 { "150" } else { "12" };
        let rule_set = RuleSet::named(VARIANT.rule_sets[0].id).with("quiet_auto", quiet);
        let options = Options::from_rule_set(&rule_set).expect("known");
        let mut dice = Dice(seed);
        let position = dice.position(options, 20_000);
        reasons.insert(position.outcome().expect("every game ends").reason.name());
    }
    assert!(reasons.contains("too-few-stones") && reasons.contains("quiet"), "{reasons:?}");
}
