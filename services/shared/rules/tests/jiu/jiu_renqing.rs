//! The game Awang Bianba v Renqing Quda, printed with the rules.

use rules::{
    Reason, Record, Side, Verdict,
    jiu::{
        Board, Formation, Kind, Options, Phase, Position, Turn, join_placement, label, lacks_placement,
        parse_record, print_record,
    },
};

use crate::play::faults;

const GOLDEN: &str = include_str!("../golden/jiu/awang-renqing.txt");
const PLACEMENT: &str = include_str!("../golden/jiu/jiu-awang-renqing-placement.txt");
const MOVEMENT: &str = include_str!("../golden/jiu/jiu-awang-renqing.txt");
const START: &str = include_str!("../golden/jiu/jiu-awang-renqing-start.txt");

fn golden() -> Record {
    parse_record(GOLDEN).expect("the golden file is a record")
}

#[test]
fn the_golden_file_is_canonical() {
    assert_eq!(print_record(&golden()), GOLDEN);
}

#[test]
fn the_golden_file_is_the_raw_files_joined() {
    let placement = parse_record(PLACEMENT).expect("readable");
    let movement = parse_record(MOVEMENT).expect("readable");
    assert!(!lacks_placement(&placement) && lacks_placement(&movement));
    assert_eq!((placement.acts.len(), movement.acts.len()), (196, 57));
    let whole = join_placement(&placement, &movement).expect("two halves");
    assert_eq!(whole.acts, golden().acts);
    assert!(join_placement(&movement, &placement).is_err());
    assert!(join_placement(&whole, &movement).is_err());
    assert!(join_placement(&placement, &placement).is_err());
}

#[test]
fn the_game_replays_whole() {
    let record = golden();
    assert_eq!(faults(GOLDEN), []);
    let mut position = Position::new(Options::default());
    for (index, act) in record.acts.iter().enumerate() {
        if index == 196 {
            assert_eq!(position.phase(), Phase::Lift);
            assert_eq!(*position.board(), START.parse::<Board>().expect("a board"));
        }
        assert_eq!(Some(position.to_move()), act.side());
        let turn: Turn = act.text.parse().expect("readable");
        let legal = position.play(&turn).expect("legal");
        // The record names whatever the rules would, and nothing else.
        assert_eq!(*legal.turn(), turn);
        let squares = legal.entitlement().formation.map(|it| {
            assert_eq!(it, Formation::Gate);
            legal.entitlement().stones
        });
        let expected = act.text.contains("FC-").then_some(1);
        assert_eq!(squares, expected, "{}", label(&record.acts, index));
        let expected = match index {
            0..196 => Kind::Placement,
            196 | 197 => Kind::Lift,
            _ if act.text.contains("TC-") => Kind::Chain,
            _ => Kind::Step,
        };
        assert_eq!(legal.kind(), expected);
    }
    assert_eq!(position.board().count(Side::First), 63);
    assert_eq!(position.board().count(Side::Second), 77);
    assert_eq!(position.outcome(), None);
    let outcome = record.outcome.expect("stated");
    assert_eq!((outcome.verdict, outcome.reason), (Verdict::Win(Side::Second), Reason::Resignation));
}

#[test]
fn the_dalian_of_the_commentary_is_there() {
    let record = golden();
    let mut position = Position::new(Options::default());
    let shuttle = |position: &Position| {
        let dalians = position.dalians(Side::Second);
        dalians.iter().any(|it| (it.stone.to_string(), it.gap.to_string()) == ("G8".into(), "G7".into()))
    };
    for (index, act) in record.acts.iter().enumerate() {
        let before = shuttle(&position);
        position.play(&act.text.parse().expect("readable")).expect("legal");
        // B53 E7→F7: "the dalian has appeared".
        if label(&record.acts, index) == "B53" {
            assert!(!before && shuttle(&position));
        }
    }
}

#[test]
fn the_movement_alone_is_refereed_from_its_start() {
    assert_eq!(faults(MOVEMENT), [("B1".to_owned(), "NO_POSITION")]);
    assert_eq!(faults(&format!("to-move: B\nphase: lift\nboard:\n{START}{MOVEMENT}")), []);
}

#[test]
fn the_misprints_of_the_source_are_found_and_nothing_else() {
    // As the source prints them, before correction.
    let printed = GOLDEN
        .replace("W16: C4→E4 TC-D4\n", "W16: C4→E4 TC-D440\n")
        .replace("B45: I8→H8 FC-K6\n", "B45: I8→H8 FC-K5\n")
        .replace("W38: D9→D7 TC-D8\n", "W38: D9→D7 TC-D9\n");
    let expected = [("W16", "BAD_NOTATION"), ("W38", "JUMP_MISMATCH"), ("B45", "NOT_ENEMY_STONE")];
    assert_eq!(faults(&printed), expected.map(|(label, reason)| (label.to_owned(), reason)));
}
