//! Every formation that captures by choice, each with its edges (Article 3.3).

use rules::{
    RuleSet,
    jiu::{Board, Crossing, Dalian, Entitlement, Formation, Kind, Phase, Position},
};

use crate::play::{BLACK, WHITE, at, board, moving, options, points, refusal, turn};

/// Black stones that touch nothing of white and are enough to be taken.
const PREY: &str = "N1 N3 N5 N7 N9 N11 N13 L1 L3 L5 L7 L9 L11 L13 J1 J3";

/// What a white move earns, whatever it removes.
fn earned(white: &str, black: &str, text: &str) -> (u8, Option<&'static str>) {
    let position = moving(board(white, black), WHITE);
    let legal = legal(&position, text);
    (legal.stones, legal.formation.map(Formation::name))
}

/// Plays a turn with as many stones of choice as the rules want, and checks that no other number will do.
fn legal(position: &Position, text: &str) -> Entitlement {
    let bare = turn(text);
    let enemies: Vec<_> = position.board().stones(position.to_move().other()).iter().collect();
    let found: Vec<Entitlement> = (0..=enemies.len().min(14))
        .filter_map(|owed| {
            position.legal(&bare.clone().removing(enemies[enemies.len() - owed..].iter().copied())).ok()
        })
        .map(|legal| legal.entitlement())
        .collect();
    assert_eq!(found.len(), 1, "exactly one number of stones may be removed: {text}");
    found[0]
}

#[test]
fn single_and_double_gates() {
    assert_eq!(earned("A1 A2 B1 C2", PREY, "C2→B2"), (1, Some("gate")));
    assert_eq!(earned("A1 A2 A3 B1 B3 C2", PREY, "C2→B2"), (2, Some("gate")));
    assert_eq!(earned("A1 A2 B1 D2", PREY, "D2→C2"), (0, None));
}

#[test]
fn a_flight_closes_up_to_four_squares() {
    let ring = "A1 A2 A3 B1 B3 C1 C2 C3 H13";
    assert_eq!(earned(ring, PREY, "H13→B2"), (4, Some("gate")));
    assert_eq!(earned("A1 A2 A3 B1 B3 C1 C2 H13", PREY, "H13→B2"), (3, Some("gate")));
}

#[test]
fn a_full_line_is_wu_and_with_squares_sha() {
    // Row D but for D7; the stone enters from E7.
    let row = "D1 D2 D3 D4 D5 D6 D8 D9 D10 D11 D12 D13 D14 E7";
    assert_eq!(earned(row, PREY, "E7→D7"), (2, Some("wu")));
    assert_eq!(earned(&format!("{row} C6"), PREY, "E7→D7"), (2, Some("wu")));
    assert_eq!(earned(&format!("{row} C6 C7"), PREY, "E7→D7"), (3, Some("sha")));
    assert_eq!(earned(&format!("{row} C6 C7 C8"), PREY, "E7→D7"), (4, Some("sha")));
    // A line with an enemy or a gap in it is none.
    assert_eq!(earned(&row.replace("D14 ", ""), PREY, "E7→D7"), (0, None));
    assert_eq!(earned(&row.replace("D14 ", ""), &format!("{PREY} D14"), "E7→D7"), (0, None));
    // At the edge, and along a column.
    let column = "A14 B14 C14 D14 E14 F14 H14 I14 J14 K14 L14 M14 N14 G13";
    assert_eq!(earned(column, "A1 A3 A5 A7", "G13→G14"), (2, Some("wu")));
    // On an edge both squares contain the point the stone has left.
    assert_eq!(earned(&format!("{column} F13 H13"), "A1 A3 A5 A7", "G13→G14"), (2, Some("wu")));
}

#[test]
fn a_full_line_that_crosses_another_is_qia() {
    // Row D but for D7, and all of column 3.
    let cross = "D1 D2 D3 D4 D5 D6 D8 D9 D10 D11 D12 D13 D14 E7 A3 B3 C3 E3 F3 G3 H3 I3 J3 K3 L3 M3 N3";
    let prey = "N1 N5 N7 N9 N11 N13 L1 L5 L7 L9 L11 L13";
    assert_eq!(earned(cross, prey, "E7→D7"), (2, Some("qia")));
    assert_eq!(earned(&format!("{cross} C6 C7"), prey, "E7→D7"), (4, Some("qia")));
    assert_eq!(earned(&format!("{cross} C6 C7 C8"), prey, "E7→D7"), (8, Some("qia")));
    // A parallel line does not cross; nor does one with a gap.
    let parallel = "D1 D2 D3 D4 D5 D6 D8 D9 D10 D11 D12 D13 D14 E7 C6 C7 H";
    assert_eq!(earned(parallel, prey, "E7→D7"), (3, Some("sha")));
    assert_eq!(earned(&format!("{} C6 C7", cross.replace(" N3", "")), prey, "E7→D7"), (3, Some("sha")));
    // A cross that stands already is not completed again.
    assert_eq!(earned("D A3 B3 C3 E3 F3 G3 H3 I3 J3 K3 L3 M3 N3 F7", prey, "F7→F8"), (0, None));
    // Under the option, only a cross at the landing counts.
    let rules = options(&RuleSet::named("aba").with("qia_crossing", "landing"));
    let stones = board(&format!("{cross} C6 C7 C8"), prey);
    let position = Position::from_setup(stones, Phase::Move, WHITE, rules).expect("a setup");
    assert_eq!(legal(&position, "E7→D7"), Entitlement { stones: 4, formation: Some(Formation::Sha) });
}

/// No turn leads to two full lines that cross at the landing, so this asks the landing itself.
#[test]
fn lines_that_cross_at_the_landing() {
    for crossing in [Crossing::Anywhere, Crossing::Landing] {
        let earned = |more: &str| {
            let mut it = board("D", "");
            for point in (points("7") | points(more)).iter() {
                it.put(point, WHITE);
            }
            let earned = Entitlement::of_landing(&it, WHITE, at("D7"), crossing);
            (earned.stones, earned.formation)
        };
        assert_eq!(earned(""), (2, Some(Formation::Qia)));
        assert_eq!(earned("C6"), (4, Some(Formation::Qia)));
        assert_eq!(earned("C6 E8"), (8, Some(Formation::Qia)));
        assert_eq!(earned("C6 C8 E6 E8"), (8, Some(Formation::Qia)));
    }
}

#[test]
fn only_what_goes_through_the_final_point_counts() {
    // A full line and a square elsewhere earn nothing.
    assert_eq!(earned("A H1 H2 I1 I2 E7", PREY.replace("J1", "J5").as_str(), "E7→F7"), (0, None));
    // The chain passes E4, where it would close a square, and goes on.
    let white = "C4 E3 F3 F4";
    assert_eq!(earned(white, "D4 E5 N1", "C4→E4 TC-D4"), (1, Some("gate")));
    assert_eq!(earned(white, "D4 E5 N1", "C4→E4→E6 TC-D4,E5"), (0, None));
}

#[test]
fn the_largest_entitlement_is_taken_never_a_sum() {
    // A line and a double gate: four, not two and two and two.
    let row = "D1 D2 D3 D4 D5 D6 D8 D9 D10 D11 D12 D13 D14 E7 C6 C7 C8";
    let position = moving(board(row, PREY), WHITE);
    assert_eq!(refusal(&position, "E7→D7 FC-N1,N3"), "MUST_REMOVE");
    assert_eq!(refusal(&position, "E7→D7 FC-N1,N3,N5,N7,N9,N11"), "MUST_REMOVE");
    assert!(position.is_legal(&turn("E7→D7 FC-N1,N3,N5,N7")));
}

#[test]
fn fewer_stones_than_owed_are_all_taken() {
    let row = "D1 D2 D3 D4 D5 D6 D8 D9 D10 D11 D12 D13 D14 E7 C6 C7 C8";
    let mut position = moving(board(row, "N1 N3 N5"), WHITE);
    assert_eq!(refusal(&position, "E7→D7 FC-N1,N3"), "MUST_REMOVE");
    assert_eq!(refusal(&position, "E7→D7 FC-N1,N3,N5,N7"), "MUST_REMOVE");
    let displacements = position.displacements();
    let listed = displacements.iter().find(|it| it.turn == turn("E7→D7")).expect("listed");
    assert_eq!((listed.choices_left, listed.entitlement.stones), (3, 4));
    assert!(position.play(&turn("E7→D7 FC-N1,N3,N5")).is_ok());
    assert_eq!(position.board().count(BLACK), 0);
}

/// Rows F and G but for F4 and G9; E4 and H9 stand ready.
fn lan_rows() -> Board {
    let mut it = board("F G E4 H9", PREY);
    it.clear(at("F4"));
    it.clear(at("G9"));
    it
}

/// The same board with rows and columns exchanged.
fn transposed(board: &Board) -> Board {
    let mut turned = Board::default();
    for point in rules::jiu::Point::all() {
        if let Some(owner) = board.owner(point) {
            turned.put(rules::jiu::Point::new(point.column(), point.row()).expect("a square board"), owner);
        }
    }
    turned
}

#[test]
fn lan_fills_two_adjacent_lines() {
    let position = moving(lan_rows(), WHITE);
    let lan = Entitlement { stones: 8, formation: Some(Formation::Lan) };
    assert_eq!(legal(&position, "E4→F4+H9→G9"), lan);
    assert_eq!(legal(&position, "H9→G9+E4→F4"), lan);
    let played = position.legal(&turn("H9→G9+E4→F4 FC-N1,L1,N3,N5,N7,N9,N11,N13")).expect("a lan");
    assert_eq!(played.turn().to_string(), "E4→F4+H9→G9 FC-L1,N1,N3,N5,N7,N9,N11,N13");
    assert_eq!((played.kind(), played.removed().len()), (Kind::Lan, 8));
    let listed: Vec<_> = position.displacements().into_iter().filter(|it| it.entitlement == lan).collect();
    assert_eq!(listed.iter().map(|it| it.turn.to_string()).collect::<Vec<_>>(), ["E4→F4+H9→G9"]);
    assert_eq!(legal(&moving(transposed(&lan_rows()), WHITE), "D5→D6+I8→I7"), lan);
}

#[test]
fn what_is_almost_a_lan_is_refused() {
    let lan = moving(lan_rows(), WHITE);
    // A stone from elsewhere, a stone of the lines, an enemy, one stone twice, a filled gap, no gap.
    let mut afar = lan_rows();
    afar.put(at("D4"), WHITE);
    assert_eq!(refusal(&moving(afar, WHITE), "D4→F4+H9→G9"), "NOT_LAN");
    assert_eq!(refusal(&lan, "F3→F4+H9→G9"), "NOT_LAN");
    assert_eq!(refusal(&lan, "N1→F4+H9→G9"), "NOT_YOUR_STONE");
    assert_eq!(refusal(&lan, "E4→F4+E4→G9"), "NOT_YOUR_STONE");
    assert_eq!(refusal(&lan, "E4→F4+H9→F4"), "OCCUPIED");
    assert_eq!(refusal(&lan, "E4→F4+H9→G8"), "OCCUPIED");
    assert_eq!(refusal(&lan, "E4→F4+F4→G4"), "NOT_YOUR_STONE");
    assert_eq!(refusal(&lan, "E4→E5+H9→G9"), "NOT_LAN");
    // Both lines must become full.
    let mut torn = lan_rows();
    torn.clear(at("G14"));
    assert_eq!(refusal(&moving(torn, WHITE), "E4→F4+H9→G9"), "NOT_LAN");
    // Lines with a line between them are not adjacent.
    let mut apart = board("F H E4 I9", PREY);
    apart.clear(at("F4"));
    apart.clear(at("H9"));
    assert_eq!(refusal(&moving(apart, WHITE), "E4→F4+I9→H9"), "NOT_LAN");
    // A gap on the edge lies in one square only.
    let mut edge = board("F G E1 H9", "N3 N5 N7 N9 N11 N13 L3 L5 L7");
    edge.clear(at("F1"));
    edge.clear(at("G9"));
    let edge = moving(edge, WHITE);
    assert_eq!(refusal(&edge, "E1→F1+H9→G9"), "NOT_LAN");
    assert!(edge.displacements().iter().all(|it| it.entitlement.formation != Some(Formation::Lan)));
    // Eight stones are owed.
    assert_eq!(refusal(&lan, "E4→F4+H9→G9 FC-N1,N3"), "MUST_REMOVE");
    assert_eq!(refusal(&lan, "E4→F4+H9→G9 TC-N1 FC-N1,N3,N5,N7,N9,N11,N13,L1"), "JUMP_MISMATCH");
}

/// Rows F, G and H but for F4, G7 and H9; E4 and I9 stand ready, and D13 may fly in.
fn songran_rows() -> Board {
    let mut it = board("F G H E4 I9 D13", PREY);
    for gap in ["F4", "G7", "H9"] {
        it.clear(at(gap));
    }
    it
}

#[test]
fn songran_fills_three_adjacent_lines() {
    let position = moving(songran_rows(), WHITE);
    let songran = Entitlement { stones: 12, formation: Some(Formation::Songran) };
    assert_eq!(legal(&position, "E4→F4+D13→G7+I9→H9"), songran);
    assert_eq!(legal(&position, "D13→G7+I9→H9+E4→F4"), songran);
    let listed = position.displacements().into_iter().filter(|it| it.entitlement == songran);
    assert_eq!(listed.map(|it| it.turn.to_string()).collect::<Vec<_>>(), ["E4→F4+D13→G7+I9→H9"]);
    assert_eq!(legal(&moving(transposed(&songran_rows()), WHITE), "D5→D6+M4→G7+I9→I8"), songran);
}

#[test]
fn what_is_almost_a_songran_is_refused() {
    let position = moving(songran_rows(), WHITE);
    assert_eq!(refusal(&position, "E4→F4+F5→G7+I9→H9"), "NOT_SONGRAN");
    assert_eq!(refusal(&position, "D13→F4+E4→G7+I9→H9"), "NOT_SONGRAN");
    assert_eq!(refusal(&position, "E4→F4+D13→G7"), "NOT_LAN");
    assert_eq!(refusal(&position, "E4→F4+I9→H9"), "NOT_LAN");
    // The middle gap on the edge lies in two squares only.
    let mut edge = songran_rows();
    edge.put(at("G7"), WHITE);
    edge.clear(at("G1"));
    assert_eq!(refusal(&moving(edge, WHITE), "E4→F4+D13→G1+I9→H9"), "NOT_SONGRAN");
}

#[test]
fn dalians_single_and_double() {
    let found = |white: &str, black: &str| {
        let mut found = moving(board(white, black), WHITE).dalians(WHITE);
        found.sort_by_key(|it| (it.stone, it.gap));
        found
    };
    let dalian = |stone: &str, gap: &str, double| Dalian { stone: at(stone), gap: at(gap), double };
    // C3 closes a square with B2 B3 C2 and, at C4, one with B4 B5 C5.
    assert_eq!(found("B2 B3 C2 C3 B4 B5 C5", "N1"), [dalian("C3", "C4", false)]);
    assert_eq!(found("B2 B3 C2 C3 D2 D3 B4 B5 C5 D4 D5", "N1"), [dalian("C3", "C4", true)]);
    assert_eq!(found("B2 B3 C2 C3 D2 D3 B4 B5 C5", "N1"), [dalian("C3", "C4", false)]);
    // On one side up, on the other down.
    assert_eq!(found("B2 B3 C2 C3 C5 D4 D5", "N1"), [dalian("C3", "C4", false)]);
    // The gap is taken; a stone of a square is missing; the square of the gap needs the shuttle itself.
    assert_eq!(found("B2 B3 C2 C3 B4 B5 C5", "C4"), []);
    assert_eq!(found("B2 B3 C2 C3 B4 C5", "N1"), []);
    assert_eq!(found("B3 B4 C3", "N1"), []);
    // In the corner, down a column.
    assert_eq!(found("A1 A2 B1 B2 D1 D2 C2", "N1"), [dalian("B1", "C1", false)]);
}

#[test]
fn a_dalian_captures_every_turn() {
    let mut position =
        moving(board("B2 B3 C2 C3 D2 D3 B4 B5 C5 D4 D5 N14", &format!("{PREY} J5 J7 J9")), WHITE);
    position.play(&turn("C3→C4 FC-N1,N3")).expect("a double gate");
    position.play(&turn("J1→I1")).expect("a step");
    position.play(&turn("C4→C3 FC-N5,N7")).expect("a double gate");
}

#[test]
fn separate_dalians_share_no_point() {
    let separate = |white: &str| board(white, "N1").has_separate_dalians(WHITE);
    let one = "B2 B3 C2 C3 B4 B5 C5";
    assert!(!separate(one));
    assert!(separate(&format!("{one} G2 G3 H2 H3 G4 G5 H5")));
    // One shuttle with two gaps.
    let two_gaps = "B2 B3 C2 C3 B4 B5 C5 E3 E2 D2";
    assert_eq!(board(two_gaps, "N1").dalians(WHITE).len(), 2);
    assert!(!separate(two_gaps));
    // B5 and C5 close the squares of both.
    let shared = "B2 B3 C2 C3 B4 B5 C5 B6 B7 B8 C7 C8";
    assert!(board(shared, "N1").dalians(WHITE).len() >= 2);
    assert!(!separate(shared));
}

#[test]
fn names_of_the_source() {
    for (formation, name, native) in [
        (Formation::Gate, "gate", "棋门"),
        (Formation::Wu, "wu", "武"),
        (Formation::Sha, "sha", "煞"),
        (Formation::Qia, "qia", "恰"),
        (Formation::Lan, "lan", "岚"),
        (Formation::Songran, "songran", "颂然"),
    ] {
        assert_eq!((formation.name(), formation.native_name()), (name, native));
    }
}
