//! Jiu as a server sees it.

use rules::{
    ActErrorKind, Actors, Change, Game, RemovalCause, RuleSet, Side, Viewer,
    jiu::{VARIANT, label, parse_record},
};

const GOLDEN: &str = include_str!("../golden/jiu/awang-renqing.txt");

fn start() -> Box<dyn Game> {
    (VARIANT.start)(&RuleSet::named("")).expect("the default rules")
}

#[test]
fn the_variant_is_found_and_complete() {
    let variant = rules::variant("jiu").expect("known");
    assert_eq!((variant.letter(Side::First), variant.letter(Side::Second)), ('W', 'B'));
    let game = start();
    assert_eq!(game.rule_set().id, "aba");
    assert_eq!(game.rule_set().options.len(), variant.options.len());
    let competitive = (variant.start)(&RuleSet::named("aba-competitive")).expect("known");
    assert_eq!(competitive.rule_set().options["competitive"], "true");
    assert!((variant.start)(&RuleSet::named("aba").with("komi", "7")).is_err());
}

#[test]
fn refusals_leave_the_game_as_it_was() {
    let mut game = start();
    for (side, text, kind, reason) in [
        (Side::Second, "G7", ActErrorKind::Turn, "NOT_YOUR_TURN"),
        (Side::First, "pass", ActErrorKind::Syntax, "BAD_NOTATION"),
        (Side::First, "", ActErrorKind::Syntax, "BAD_NOTATION"),
        (Side::First, "A1", ActErrorKind::Illegal, "OPENING_POINT"),
        (Side::First, "G7→G8", ActErrorKind::Illegal, "WRONG_PHASE"),
    ] {
        let before = format!("{game:?}");
        let refusal = game.play(side, text).expect_err(text);
        assert_eq!((refusal.kind, refusal.reason), (kind, reason));
        assert_eq!(format!("{game:?}"), before);
    }
}

/// The effects are enough to redraw the board.
#[test]
fn effects_redraw_the_board() {
    let record = parse_record(GOLDEN).expect("readable");
    let mut game = start();
    let mut drawn = std::collections::BTreeMap::new();
    for act in &record.acts {
        let side = act.side().expect("a player's act");
        assert_eq!(game.actors(), Actors::One(side));
        assert_eq!(game.on_clock(), Some(side));
        assert!(game.hints(side.other()).is_empty());
        let hints = game.hints(side);
        let played = game.act(act.author, &act.text).expect("legal");
        assert_eq!(played.text, act.text);
        let (bare, owed) = match act.text.split_once(" FC-") {
            Some((bare, _)) => (bare, 1),
            None => (act.text.as_str(), 0),
        };
        assert!(hints.iter().any(|hint| hint.text == bare && hint.choices_left == owed), "{bare}");
        for change in &played.effects.changes {
            match change {
                Change::Placed { at, owner } => assert_eq!(drawn.insert(*at, *owner), None),
                Change::Moved { path } => {
                    let owner = drawn.remove(&path[0]).expect("a stone moves");
                    assert_eq!(drawn.insert(path[path.len() - 1], owner), None);
                }
                Change::Removed { at, owner, cause } => {
                    assert_eq!(drawn.remove(at), Some(*owner));
                    assert_eq!(*cause == RemovalCause::Lifted, game.phase() != "move" || game.ply() == 198);
                }
            }
        }
        let view = game.view(Viewer::Spectator);
        assert_eq!(view.stones.iter().map(|it| (it.at, it.owner)).collect::<Vec<_>>().len(), drawn.len());
        assert!(view.stones.iter().all(|it| drawn.get(&it.at) == Some(&it.owner)));
        assert_eq!(view.marks, played.effects.marks);
        assert!(view.marks.iter().any(|mark| mark.kind == "last"));
        assert_eq!(view.marks.iter().filter(|mark| mark.kind == "gate").count(), 4 * usize::from(owed));
    }
    assert_eq!((game.ply(), game.phase()), (253, "move"));
    let view = game.view(Viewer::Seat(Side::First));
    assert!(view.marks.iter().any(|mark| mark.kind == "dalian"));
    assert!(view.facts.contains(&("stones-first", "63".to_owned())));
    assert!(view.facts.contains(&("movement-ply", "57".to_owned())));
    assert_eq!(label(&record.acts, 252), "B57");
}

#[test]
fn the_order_of_effects_is_that_of_events() {
    let record = parse_record(GOLDEN).expect("readable");
    let mut game = start();
    // Up to W8; B9 is the example of the notation.
    for act in &record.acts[..204] {
        game.act(act.author, &act.text).expect("legal");
    }
    let mut copy = game.clone();
    let played = copy.play(Side::Second, "c6->e6->e4->g4 FC-L1").expect("legal");
    assert_eq!(played.text, "C6→E6→E4→G4 TC-D6,E5,F4 FC-L1");
    let seen: Vec<String> = played
        .effects
        .changes
        .iter()
        .map(|change| match change {
            Change::Moved { path } => {
                path.iter().map(|at| game.point_name(*at)).collect::<Vec<_>>().join("→")
            }
            Change::Removed { at, owner, cause } => {
                assert_eq!(*owner, Side::First);
                format!("{cause:?} {}", game.point_name(*at))
            }
            Change::Placed { .. } => "placed".into(),
        })
        .collect();
    assert_eq!(seen, ["C6→E6→E4→G4", "Captured D6", "Captured E5", "Captured F4", "Chosen L1"]);
    assert_ne!(copy.hash(), game.hash());
    assert_eq!(game.ply(), 204);
    assert_eq!(game.point_name(rules::Point { column: 14, row: 0 }), "");
}
