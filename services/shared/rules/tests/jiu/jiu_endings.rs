//! How games end (Articles 3.3.10 and 4, the competitive additions, and the two draws).

use rules::{
    Outcome, Reason, RuleSet, Side, Verdict,
    jiu::{Phase, Position},
};

use crate::play::{BLACK, WHITE, board, moving, moving_under, options, refusal, turn};

/// Fourteen stones without a gate, and one more to be taken.
const FOURTEEN: &str = "N1 N3 N5 N7 N9 N11 N13 L1 L3 L5 L7 L9 L11 L13";
/// The same number with a gate: N1, N2 and M1 around the empty M2.
const GATE: &str = "N1 N2 M1 N5 N7 N9 N11 N13 L3 L5 L7 L9 L11 L13";
/// A white dalian with a stone that is about to close its square, and bystanders so that White does not fly.
const DALIAN: &str = "B2 B3 C2 C4 B4 B5 C5 A14 C14 E14 G14 A10 C10 E10 G10";
/// A white square about to be closed, no dalian, and bystanders.
const NO_DALIAN: &str = "B2 B3 C2 C4 A14 C14 E14 G14 A10 C10 E10 G10 A12 C12 E12";

fn ended(position: &Position) -> Option<(Verdict, Reason)> {
    position.outcome().map(|Outcome { verdict, reason, .. }| (*verdict, *reason))
}

#[expect(clippy::unnecessary_wraps, reason = "it is compared with what a game has ended with, if it has")]
fn win(side: Side, reason: Reason) -> Option<(Verdict, Reason)> {
    Some((Verdict::Win(side), reason))
}

fn after(rule_set: &str, white: &str, black: &str, text: &str) -> Position {
    let mut position = moving_under(rule_set, board(white, black), WHITE);
    position.play(&turn(text)).expect(text);
    position
}

#[test]
fn the_verdict_at_fourteen() {
    // F and not G, not F and G, both, neither. The fifteenth black stone stands on I7.
    for (white, black, expected) in [
        (DALIAN, FOURTEEN, win(WHITE, Reason::Fourteen)),
        (NO_DALIAN, GATE, win(BLACK, Reason::Fourteen)),
        (DALIAN, GATE, None),
        (NO_DALIAN, FOURTEEN, None),
    ] {
        let position = after("aba", white, &format!("{black} I7"), "C4→C3 FC-I7");
        assert_eq!(position.board().count(BLACK), 14);
        assert_eq!(ended(&position), expected, "{white} against {black}");
        if expected.is_some() {
            assert_eq!(refusal(&position, "N1→N2"), "GAME_OVER");
        }
    }
}

#[test]
fn a_gate_is_four_stones_or_three_and_an_empty_point() {
    let with = |corner: &str, white: &str| {
        let black = format!("{} {corner} I7", "N5 N7 N9 N11 N13 L5 L7 L9 L11 L13");
        let black = black.split_whitespace().collect::<Vec<_>>();
        // Fifteen stones in all, whatever the corner.
        let rest = ["J7", "J9", "J11", "J13"];
        let black = [black.as_slice(), &rest[..15 - black.len()]].concat().join(" ");
        ended(&after("aba", &format!("{NO_DALIAN} {white}"), &black, "C4→C3 FC-I7"))
    };
    assert_eq!(with("N1 N2 M1 M2", ""), win(BLACK, Reason::Fourteen));
    assert_eq!(with("N1 N2 M1", ""), win(BLACK, Reason::Fourteen));
    assert_eq!(with("N1 N2 M1", "M2"), None);
    assert_eq!(with("N1 N2", ""), None);
}

#[test]
fn later_turns_of_the_strong_side_can_still_win() {
    // Neither at the fall; then White makes a dalian.
    let white = format!("{NO_DALIAN} B4 B5 D5");
    let mut position = after("aba", &white, &format!("{FOURTEEN} I7"), "C4→C3 FC-I7");
    assert_eq!(ended(&position), None);
    position.play(&turn("N1→M1")).expect("a step");
    assert_eq!(ended(&position), None);
    position.play(&turn("D5→C5")).expect("a step");
    assert_eq!(ended(&position), win(WHITE, Reason::Fourteen));
}

#[test]
fn later_turns_never_win_for_the_weak_side() {
    // Neither at the fall; the weak side makes a gate, the strong one still has no dalian: play goes on.
    let mut position = after("aba", NO_DALIAN, &format!("{FOURTEEN} I7"), "C4→C3 FC-I7");
    for text in ["N3→N2", "A14→B14", "L1→M1", "B14→A14"] {
        position.play(&turn(text)).expect(text);
        assert_eq!(ended(&position), None, "{text}");
    }
    assert!(position.board().has_gate(BLACK));
}

#[test]
fn a_side_that_was_low_already_has_been_judged() {
    // Set up with fourteen: no verdict for the weak side's gate on the next capture.
    let position = after("aba", NO_DALIAN, GATE, "C4→C3 FC-L13");
    assert_eq!(ended(&position), None);
    // But the loss stays possible: the last gate goes while a dalian stands.
    let gate = "N1 N2 M1 L5";
    assert_eq!(ended(&after("aba", DALIAN, gate, "C4→C3 FC-L5")), None);
    assert_eq!(ended(&after("aba", DALIAN, gate, "C4→C3 FC-M1")), win(WHITE, Reason::Fourteen));
}

#[test]
fn both_sides_may_be_judged() {
    // White is low as well and makes Black fall: the same question is asked of Black.
    let few = "B2 B3 C2 C4 A14 C14";
    assert_eq!(ended(&after("aba", few, &format!("{GATE} I7"), "C4→C3 FC-I7")), win(BLACK, Reason::Fourteen));
    assert_eq!(ended(&after("aba", few, &format!("{FOURTEEN} I7"), "C4→C3 FC-I7")), None);
}

#[test]
fn no_stones_lose() {
    assert_eq!(ended(&after("aba", NO_DALIAN, "I7", "C4→C3 FC-I7")), win(WHITE, Reason::TooFewStones));
    let position = after("aba", "A1", "A2", "A1→A3 TC-A2");
    assert_eq!(ended(&position), win(WHITE, Reason::TooFewStones));
}

#[test]
fn fewer_than_four_lose_in_competition() {
    for (rule_set, expected) in [("aba", None), ("aba-competitive", win(WHITE, Reason::TooFewStones))] {
        assert_eq!(ended(&after(rule_set, NO_DALIAN, "I7 K1 K3 K5", "C4→C3 FC-I7")), expected);
    }
    assert_eq!(ended(&after("aba-competitive", NO_DALIAN, "I7 K1 K3 K5 K7", "C4→C3 FC-I7")), None);
}

#[test]
fn who_cannot_move_loses() {
    // Fifteen white stones: row N, shut in by two black rows, and A1, shut in by two stones on both sides.
    let mut position = moving(board("A1 N", "A2 A3 B1 C1 L M H8"), BLACK);
    assert_eq!(ended(&position), None);
    position.play(&turn("H8→H7")).expect("a step");
    assert_eq!(ended(&position), win(BLACK, Reason::NoMoves));
    assert_eq!(position.displacements(), []);
    // The same side to move in a setup has lost as well.
    let setup =
        Position::from_setup(*position.board(), Phase::Move, WHITE, position.options()).expect("a setup");
    assert_eq!(ended(&setup), win(BLACK, Reason::NoMoves));
    // Fourteen stones fly, however shut in.
    let mut fewer = *position.board();
    fewer.clear("A1".parse().expect("a point"));
    let setup = Position::from_setup(fewer, Phase::Move, WHITE, position.options()).expect("a setup");
    assert_eq!(ended(&setup), None);
}

#[test]
fn a_single_jump_is_no_way_out_in_competition() {
    // White's only turn is one jump over L1 to K1; Black has fourteen stones or fewer.
    let white = "N M";
    let position = |rule_set| {
        moving_under(rule_set, board(white, "L1 L2 L3 L4 L5 L6 L7 L8 L9 L10 L11 L12 L13 L14"), WHITE)
    };
    assert_eq!(ended(&position("aba")), None);
    assert_eq!(ended(&position("aba-competitive")), win(BLACK, Reason::NoMoves));
}

#[test]
fn two_separate_dalians_against_none_win_in_competition() {
    let two = "B2 B3 C2 C3 B4 B5 C5 G2 G3 H2 H4 G4 G5 H5 A14 N14";
    let black = "L2 L4 L6 L8 L10 L12 L14 J2 J4 J6 J8 J10 J12 J14 E8 E10 E12";
    let expected = [("aba", None), ("aba-competitive", win(WHITE, Reason::Formation))];
    for (rule_set, expected) in expected {
        let position = after(rule_set, two, black, "H4→H3 FC-E8");
        assert_eq!(ended(&position), expected);
    }
    // Against a dalian they do not.
    let defended = "L2 L3 M2 M3 L4 L5 M5 J8 J10 J12 J14 E8 E10 E12 F12 G12 G9";
    assert_eq!(ended(&after("aba-competitive", two, defended, "H4→H3 FC-E8")), None);
    // Whoever gives up his own last dalian loses to them.
    let swapped = {
        let mut position = moving_under("aba-competitive", board(defended, two), WHITE);
        position.play(&turn("M5→N5")).expect("a step");
        position
    };
    assert_eq!(ended(&swapped), win(BLACK, Reason::Formation));
}

/// Plays the same quiet turns to and fro until the game ends; how many there were.
fn to_and_fro(mut position: Position) -> (usize, Option<(Verdict, Reason)>) {
    let cycle = ["A1→B1", "N1→M1", "B1→A1", "M1→N1"];
    for n in 0.. {
        if position.outcome().is_some() {
            return (n, ended(&position));
        }
        position.play(&turn(cycle[n % 4])).expect("a quiet step");
    }
    unreachable!("the cycle has no end")
}

#[test]
fn the_third_occurrence_is_a_draw() {
    let stones = board("A1 A5 A7", "N1 N5 N7");
    let draw = Some((Verdict::Draw, Reason::Repetition));
    assert_eq!(to_and_fro(moving(stones, WHITE)), (8, draw));
    let five = options(&RuleSet::named("aba").with("draw_repetitions", "5"));
    let position = Position::from_setup(stones, Phase::Move, WHITE, five).expect("a setup");
    assert_eq!(to_and_fro(position), (16, draw));
}

#[test]
fn the_other_side_to_move_is_another_position() {
    let mut position = moving(board("A1 A5 A7", "N1 N5 N7"), WHITE);
    // White takes three turns to come back, Black two: the stones recur with the other side to move.
    for text in ["A1→C2", "N1→M1", "C2→D2", "M1→N1", "D2→A1"] {
        position.play(&turn(text)).expect(text);
    }
    assert_eq!((position.to_move(), position.occurrences()), (BLACK, 1));
}

#[test]
fn quiet_turns_are_a_draw() {
    let rules = RuleSet::named("aba").with("draw_repetitions", "10").with("draw_quiet_plies", "10");
    let stones = board("A1 A5 A7", "N1 N5 N7");
    let position = Position::from_setup(stones, Phase::Move, WHITE, options(&rules)).expect("a setup");
    assert_eq!(to_and_fro(position), (10, Some((Verdict::Draw, Reason::Quiet))));
}

#[test]
fn a_capture_makes_all_new() {
    let mut position = moving(board("A1 A5 A7", "N1 N5 N7 A8"), WHITE);
    for text in ["A1→B1", "N1→M1", "B1→A1", "M1→N1"] {
        position.play(&turn(text)).expect(text);
    }
    assert_eq!((position.quiet_plies(), position.occurrences()), (4, 2));
    position.play(&turn("A7→A9 TC-A8")).expect("a jump");
    assert_eq!((position.quiet_plies(), position.occurrences()), (0, 1));
}
