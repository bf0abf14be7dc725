//! Placement, lift, steps, chains, flights, and how wrong turns are refused.

use rules::{
    Side,
    jiu::{CHAINS_LISTED_MAX, Kind, Options, Phase, Point, Position, SetupError, Turn},
};

use crate::play::{BLACK, WHITE, at, board, moving, moving_under, points, refusal, turn};

/// Stones enough not to fly, out of the way.
const MANY: &str = "M1 M3 M5 M7 M9 M11 M13 N2 N4 N6 N8 N10 N12 N14 L14";

#[test]
fn the_placement_begins_in_the_centre() {
    let mut position = Position::new(Options::default());
    assert_eq!(position.displacements().len(), 2);
    assert_eq!(refusal(&position, "A1"), "OPENING_POINT");
    assert_eq!(refusal(&position, "G7→G8"), "WRONG_PHASE");
    position.play(&turn("G7")).expect("White may choose");
    assert_eq!(position.displacements().len(), 1);
    assert_eq!(refusal(&position, "A1"), "OPENING_POINT");
    assert_eq!(refusal(&position, "G7"), "OCCUPIED");
    position.play(&turn("H8")).expect("the other one");
    assert_eq!(position.displacements().len(), 194);
}

#[test]
fn each_side_lifts_its_own_centre_stone() {
    for (white, black) in [("G7", "H8"), ("H8", "G7")] {
        let mut position = Position::new(Options::default());
        position.play(&turn(white)).expect("legal");
        position.play(&turn(black)).expect("legal");
        for point in position.board().empty().iter() {
            position.play(&Turn::Point(point)).expect("an empty point");
        }
        assert_eq!((position.phase(), position.to_move(), position.ply()), (Phase::Lift, BLACK, 196));
        assert_eq!(refusal(&position, white), "LIFT_POINT");
        assert_eq!(refusal(&position, "A1"), "LIFT_POINT");
        assert_eq!(refusal(&position, "A1→A2"), "WRONG_PHASE");
        position.play(&turn(black)).expect("legal");
        assert_eq!((position.phase(), position.to_move()), (Phase::Lift, WHITE));
        assert_eq!(refusal(&position, black), "LIFT_POINT");
        position.play(&turn(white)).expect("legal");
        assert_eq!((position.phase(), position.to_move()), (Phase::Move, BLACK));
        assert_eq!(position.board().empty(), points("G7 H8"));
        assert_eq!((position.quiet_plies(), position.occurrences()), (0, 1));
    }
}

#[test]
fn steps_go_one_point_orthogonally() {
    let position = moving(board(&format!("C3 {MANY}"), "C4 A1"), WHITE);
    assert_eq!(position.legal(&turn("C3→B3")).expect("a step").kind(), Kind::Step);
    for (text, reason) in [
        ("C3→C4", "OCCUPIED"),
        ("C3→B2", "NOT_ADJACENT"),
        ("C3→C3", "NOT_ADJACENT"),
        ("C3→C6", "NOT_ADJACENT"),
        ("C3→A3", "NO_JUMP"),
        ("C4→C5", "NOT_YOUR_STONE"),
        ("E5→E6", "NOT_YOUR_STONE"),
        ("C3→B3→B4", "NO_JUMP"),
        ("C3→C5→C6", "NO_JUMP"),
        ("C3→B3 TC-C4", "JUMP_MISMATCH"),
        ("C3→B3 FC-A1", "MUST_REMOVE"),
        ("C3", "WRONG_PHASE"),
    ] {
        assert_eq!(refusal(&position, text), reason, "{text}");
    }
}

#[test]
fn chains_turn_stop_and_come_back() {
    let stones = board(&format!("C3 {MANY}"), "C4 D5 E4 D3 A1");
    let position = moving(stones, WHITE);
    let round = position.legal(&turn("C3→C5→E5→E3→C3")).expect("a round trip");
    assert_eq!(round.turn().to_string(), "C3→C5→E5→E3→C3 TC-C4,D5,E4,D3");
    assert_eq!(round.board().stones(BLACK), points("A1"));
    assert_eq!(round.board().owner(at("C3")), Some(WHITE));
    for stop in ["C3→C5", "C3→C5→E5", "C3→C5→E5→E3", "C3→E3→E5→C5→C3"] {
        assert!(position.is_legal(&turn(stop)), "{stop}");
    }
    // Back over a stone that has left; the same way twice round.
    assert_eq!(refusal(&position, "C3→C5→C3"), "NO_JUMP");
    assert_eq!(refusal(&position, "C3→C5→E5→E3→C3→C5"), "NO_JUMP");
    // Over an own stone, onto a stone.
    assert_eq!(refusal(&moving(board(&format!("C3 C4 {MANY}"), "A1"), WHITE), "C3→C5"), "NO_JUMP");
    assert_eq!(refusal(&moving(board(&format!("C3 {MANY}"), "C4 C5"), WHITE), "C3→C5"), "OCCUPIED");
}

#[test]
fn coming_back_closes_the_square_again() {
    let position = moving(board(&format!("C3 B2 B3 C2 {MANY}"), "C4 D5 E4 D3 A1"), WHITE);
    assert_eq!(refusal(&position, "C3→C5→E5→E3→C3"), "MUST_REMOVE");
    assert!(position.is_legal(&turn("C3→C5→E5→E3→C3 FC-A1")));
}

#[test]
fn a_chain_may_pass_its_start() {
    let position = moving(board(&format!("C3 {MANY}"), "C4 D5 E4 D3 C2"), WHITE);
    let legal = position.legal(&turn("C3→C5→E5→E3→C3→C1")).expect("a chain");
    assert_eq!((legal.jumped().len(), legal.board().count(BLACK)), (5, 0));
}

#[test]
fn jumped_stones_must_be_named_rightly_if_at_all() {
    let position = moving(board(&format!("C3 {MANY}"), "C4 D5 A1"), WHITE);
    for text in ["C3→C5→E5", "C3→C5→E5 TC-C4,D5", "C3→C5→E5 TC-D5,C4"] {
        assert_eq!(position.legal(&turn(text)).expect(text).turn().to_string(), "C3→C5→E5 TC-C4,D5");
    }
    for text in ["C3→C5→E5 TC-C4", "C3→C5→E5 TC-C4,A1", "C3→C5→E5 TC-C4,D5,D5", "C3→C5 TC-none"]
    {
        assert_eq!(refusal(&position, text), "JUMP_MISMATCH", "{text}");
    }
}

#[test]
fn stones_of_choice_are_enemies_left_on_the_board() {
    let position = moving(board(&format!("C3 C6 D5 D6 {MANY}"), "C4 A1 A3 A5"), WHITE);
    assert!(position.is_legal(&turn("C3→C5 FC-A3")));
    for (text, reason) in [
        ("C3→C5", "MUST_REMOVE"),
        ("C3→C5 FC-A1,A3", "MUST_REMOVE"),
        ("C3→C5 FC-C4", "NOT_ENEMY_STONE"),
        ("C3→C5 FC-C6", "NOT_ENEMY_STONE"),
        ("C3→C5 FC-H8", "NOT_ENEMY_STONE"),
    ] {
        assert_eq!(refusal(&position, text), reason, "{text}");
    }
    let double = moving(board(&format!("C3 C4 D2 D4 E2 E3 E4 {MANY}"), "A1 A3"), WHITE);
    assert_eq!(refusal(&double, "C3→D3 FC-A1,A1"), "REMOVED_TWICE");
    // Stones standing in squares may be removed too.
    let squares = moving(board(&format!("C3 C6 D5 D6 {MANY}"), "C4 A1 A2 B1 B2"), WHITE);
    assert!(squares.is_legal(&turn("C3→C5 FC-A1")));
}

#[test]
fn fourteen_stones_fly_and_fifteen_do_not() {
    let fourteen = "C3 M1 M3 M5 M7 M9 M11 M13 N2 N4 N6 N8 N10 N12";
    let position =
        moving(board(fourteen, &format!("C4 {}", MANY.replace('M', "K").replace('N', "I"))), WHITE);
    assert!(position.flies(WHITE) && !position.flies(BLACK));
    assert_eq!(position.legal(&turn("C3→A14")).expect("a flight").kind(), Kind::Flight);
    assert_eq!(position.legal(&turn("C3→C2")).expect("a step").kind(), Kind::Step);
    // Over an enemy stone it is a jump unless the turn says otherwise; either is canonical as it is.
    for (text, kind, canonical) in [
        ("C3→C5", Kind::Chain, "C3→C5 TC-C4"),
        ("C3→C5 TC-C4", Kind::Chain, "C3→C5 TC-C4"),
        ("C3→C5 TC-none", Kind::Flight, "C3→C5 TC-none"),
        ("C3→A3 TC-none", Kind::Flight, "C3→A3"),
        ("C3→A3", Kind::Flight, "C3→A3"),
    ] {
        let legal = position.legal(&turn(text)).expect(text);
        assert_eq!((legal.kind(), legal.turn().to_string().as_str()), (kind, canonical));
    }
    let listed: Vec<String> = position.displacements().iter().map(|it| it.turn.to_string()).collect();
    assert!(listed.contains(&"C3→C5 TC-none".into()) && listed.contains(&"C3→C5 TC-C4".into()));
    assert_eq!(refusal(&position, "C3→M1"), "OCCUPIED");
    assert_eq!(refusal(&position, "C3→A14→A12"), "NO_JUMP");
    let fifteen = moving(board(&format!("{fourteen} N14"), "C4 A1"), WHITE);
    assert_eq!(refusal(&fifteen, "C3→A14"), "NOT_ADJACENT");
}

#[test]
fn one_jump_is_forbidden_against_a_flying_side_in_competition() {
    let flying = board(&format!("C3 {MANY}"), "C4 D5 A1 A3");
    assert!(moving(flying, WHITE).is_legal(&turn("C3→C5")));
    let position = moving_under("aba-competitive", flying, WHITE);
    assert_eq!(refusal(&position, "C3→C5"), "ONE_JUMP_FORBIDDEN");
    assert!(position.is_legal(&turn("C3→C5→E5")));
    assert!(position.displacements().iter().all(|it| it.turn.to_string() != "C3→C5 TC-C4"));
    // The flying side itself may jump once against one that does not fly.
    let position = moving_under("aba-competitive", board("C3 A1 A5 A7", &format!("C4 {MANY}")), WHITE);
    assert!(position.is_legal(&turn("C3→C5")));
}

#[test]
fn a_hostile_board_lists_a_bounded_number_of_chains() {
    // A lattice of black stones in which chains branch at every landing, and a white stone at its corner.
    let mut lattice = board("A1 N", "");
    for point in Point::all().filter(|point| point.row() < 13 && point.column() < 13) {
        if point.row() % 2 != point.column() % 2 {
            lattice.put(point, BLACK);
        }
    }
    let position = moving(lattice, WHITE);
    let displacements = position.displacements();
    let chains = displacements.iter().filter(|it| it.turn.to_string().contains("TC-")).count();
    assert_eq!(chains, CHAINS_LISTED_MAX);
    // A chain longer than any listed is legal all the same: through every landing, row by row.
    let row = |n: u8| {
        let there = (0..7).map(move |column| 2 * column);
        let columns: Vec<u8> = if n.is_multiple_of(2) { there.collect() } else { there.rev().collect() };
        columns.into_iter().filter_map(move |column| Point::new(2 * n, column))
    };
    let path: Vec<String> = (0..7).flat_map(row).map(|point| point.to_string()).collect();
    let legal = position.legal(&turn(&path.join("→"))).expect("a chain through the whole lattice");
    assert_eq!(legal.jumped().len(), 48);
}

#[test]
fn setups_that_no_game_reaches_are_refused() {
    let setup = |white: &str, black: &str, phase, side| {
        Position::from_setup(board(white, black), phase, side, Options::default()).map(|it| it.ply())
    };
    assert_eq!(setup("", "", Phase::Place, WHITE), Ok(0));
    assert_eq!(setup("", "", Phase::Place, BLACK), Err(SetupError::OutOfTurn));
    assert_eq!(setup("G7", "", Phase::Place, BLACK), Ok(1));
    assert_eq!(setup("A1", "", Phase::Place, BLACK), Err(SetupError::Centre));
    assert_eq!(setup("G7", "H8", Phase::Place, WHITE), Ok(2));
    assert_eq!(setup("G7", "A1", Phase::Place, WHITE), Err(SetupError::Centre));
    assert_eq!(setup("G7 A1 A2", "H8", Phase::Place, BLACK), Err(SetupError::OutOfTurn));
    let (a_to_g, h_to_n) = ("A B C D E F G", "H I J K L M N");
    assert_eq!(setup(a_to_g, h_to_n, Phase::Place, WHITE), Err(SetupError::PhaseIsOver));
    assert_eq!(setup(a_to_g, h_to_n, Phase::Lift, BLACK), Ok(196));
    assert_eq!(setup(a_to_g, h_to_n, Phase::Lift, WHITE), Err(SetupError::OutOfTurn));
    assert_eq!(setup("A B", "C D", Phase::Lift, BLACK), Err(SetupError::PhaseIsOver));
    assert_eq!(setup(a_to_g, h_to_n, Phase::Move, BLACK), Err(SetupError::TooManyStones(Side::First)));
    assert_eq!(setup("A1", "", Phase::Move, WHITE), Err(SetupError::TooFewStones(Side::Second)));
    assert_eq!(setup("A1", "B1", Phase::Move, WHITE), Ok(198));
}
