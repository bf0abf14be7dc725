//! Positions that the players make themselves.

use rules::{Game, RuleSet, Side};

use crate::play::{play, refused, start};

fn design() -> Box<dyn Game> {
    start(&RuleSet::named("design").with("size", "9"))
}

#[test]
fn tianyi_a_design_is_proposed_and_accepted() {
    let mut game = design();
    assert_eq!((game.phase(), game.on_clock(), game.system_due()), ("placement", Some(Side::First), None));
    for (text, reason) in [
        ("accept", "NO_PROPOSAL"),
        ("propose", "BAD_NOTATION"),
        ("propose B A1", "BAD_NOTATION"),
        ("propose x B A1 W -", "BAD_NOTATION"),
        ("propose B A1 W A2 B A3", "BAD_NOTATION"),
        ("propose B Z9 W -", "OFF_BOARD"),
        ("propose B K1 W -", "OFF_BOARD"),
        ("propose B A1,B2 W B2", "TWO_STONES"),
        ("propose B A1 W A2,B1", "NO_LIBERTY"),
        ("bid 1", "NOT_NOW"),
        ("dead -", "NOT_NOW"),
        ("accept A1", "NOT_NOW"),
    ] {
        assert_eq!(refused(&mut game, Side::First, text), reason, "{text}");
    }
    let one = play(&mut game, Side::First, "propose w c3, c3 b d5,A1");
    assert_eq!(one.text, "propose B D5,A1 W C3");
    assert!(one.effects.changes.is_empty());
    assert_eq!(refused(&mut game, Side::First, "accept"), "NO_PROPOSAL");
    assert_eq!(game.on_clock(), Some(Side::Second));
    play(&mut game, Side::Second, "propose B E5 W -");
    assert_eq!(refused(&mut game, Side::First, "accept B D5,A1 W C3"), "PROPOSAL_CHANGED");
    let hints: Vec<_> = game.hints(Side::First).into_iter().map(|hint| hint.text).collect();
    assert_eq!(hints, ["accept B E5 W -", "propose B - W -"]);
    // Proposing the same is accepting it.
    let agreed = play(&mut game.clone(), Side::First, "propose B E5 W -");
    let done = play(&mut game, Side::First, "accept");
    assert_eq!(done.text, "accept B E5 W -");
    assert_eq!(agreed.effects, done.effects);
    assert_eq!((done.effects.changes.len(), game.phase()), (1, "bidding"));
}

#[test]
fn tianyi_designs_come_to_an_end() {
    let mut game = design();
    for nth in 0..rules::tianyi::MAX_PROPOSALS {
        let side = if nth % 2 == 0 { Side::First } else { Side::Second };
        play(&mut game, side, if nth % 2 == 0 { "propose B E5 W -" } else { "propose B - W E5" });
    }
    assert_eq!(refused(&mut game, Side::First, "propose B C3 W -"), "TOO_MANY_PROPOSALS");
    assert_eq!(game.hints(Side::First).len(), 1);
    play(&mut game, Side::First, "accept");
}

#[test]
fn tianyi_any_number_of_stones_may_be_designed() {
    let mut game = design();
    let stones = |rows: [u8; 2]| {
        let names =
            rows.iter().flat_map(|row| "ABCDEFGHJ".chars().map(move |column| format!("{column}{row}")));
        names.collect::<Vec<_>>().join(",")
    };
    let full = format!("propose B {} W {}", stones([1, 2]), stones([4, 9]));
    play(&mut game, Side::Second, &full);
    let played = play(&mut game, Side::First, "accept");
    assert_eq!(played.effects.changes.len(), 36);
    play(&mut game, Side::First, "bid 0");
    play(&mut game, Side::Second, "bid 1");
    assert_eq!(game.hints(Side::Second).len(), 81 - 36 + 1);
}
