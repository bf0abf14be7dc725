//! The end of a game: agreement, disputes, draws and who wins them.

use rules::{Game, Reason, RemovalCause, Side, Verdict, Viewer};

use crate::play::{bidding, play, refused, start};

/// Black, the first side, owns two columns, White three with its stones, and a black stone is dead in them.
fn agreeing(options: &[(&str, &str)], second_bids: &str) -> Box<dyn Game> {
    let rule_set = options
        .iter()
        .fold(rules::RuleSet::named("design").with("size", "5"), |set, (name, value)| set.with(name, value));
    let mut game = start(&rule_set);
    play(&mut game, Side::First, "propose B B1,B2,B3,B4,B5,E3 W C1,C2,C3,C4,C5");
    play(&mut game, Side::Second, "accept");
    play(&mut game, Side::First, "bid -3");
    play(&mut game, Side::Second, &format!("bid {second_bids}"));
    play(&mut game, Side::Second, "pass");
    play(&mut game, Side::First, "pass");
    game
}

fn finish(game: &mut Box<dyn Game>) -> rules::Outcome {
    play(game, Side::First, "dead E3");
    play(game, Side::Second, "accept E3");
    game.outcome().cloned().expect("over")
}

#[test]
fn tianyi_agreement_with_dead_stones_and_blocks() {
    let mut game = agreeing(&[], "1");
    assert_eq!(game.phase(), "agreement");
    let facts = game.view(Viewer::Spectator).facts;
    assert!(facts.contains(&("suggestion", "dead - seki C5,E3".to_owned())), "{facts:?}");
    for (text, reason) in [
        ("A1", "IN_AGREEMENT"),
        ("accept", "NO_PROPOSAL"),
        ("dead D4", "NO_STONE"),
        ("dead F9", "OFF_BOARD"),
        ("dead - seki D4", "NO_BLOCK"),
        ("dead - fill A1", "NOT_FILLABLE"),
        ("dead - seki B1 fill B1", "NOT_FILLABLE"),
        ("dead", "BAD_NOTATION"),
        ("dead - seki A1 seki A2", "BAD_NOTATION"),
        ("accept B A1 W -", "NOT_NOW"),
    ] {
        assert_eq!(refused(&mut game, Side::First, text), reason, "{text}");
    }
    let proposed = play(&mut game, Side::First, "dead e3 seki B5, a1 fill a2");
    assert_eq!(proposed.text, "dead E3 seki A5 fill A2");
    let marks = |kind| proposed.effects.marks.iter().filter(|mark| mark.kind == kind).count();
    assert_eq!((marks("dead"), marks("seki"), marks("fill")), (1, 10, 1));
    assert_eq!(game.on_clock(), Some(Side::Second));
    play(&mut game, Side::Second, "dead E3");
    assert_eq!(refused(&mut game, Side::First, "accept E3 seki A5"), "PROPOSAL_CHANGED");
    let end = play(&mut game, Side::First, "accept");
    assert_eq!(end.text, "accept E3");
    assert!(matches!(end.effects.changes[..], [rules::Change::Removed { cause: RemovalCause::Dead, .. }]));
    // 10 - 2 against 15 - 2 stones, and White pays 2 points.
    let outcome = game.outcome().expect("over");
    assert_eq!((outcome.verdict, outcome.reason), (Verdict::Win(Side::Second), Reason::Score));
    assert_eq!(outcome.score.as_ref().map(|score| &*score.points), Some("W+3"));
    assert_eq!(outcome.score.as_ref().map(|score| &*score.printed_zh), Some("白胜 1 1/2 子"));
    assert_eq!(refused(&mut game, Side::First, "A1"), "GAME_OVER");
}

#[test]
fn tianyi_the_suggestion_names_the_dead_and_the_seki() {
    let mut game = agreeing(&[], "1");
    let act = game.suggestion().expect("there is a stone to judge");
    assert_eq!(act, "dead E3");
    play(&mut game, Side::Second, &act);
    assert_eq!(game.suggestion().as_deref(), Some("dead E3"), "what stands does not change it");
    play(&mut game, Side::First, &act);
    assert_eq!((game.phase(), game.suggestion()), ("ended", None));
}

#[test]
fn tianyi_equal_counts_are_a_draw_which_white_may_win() {
    let even = "2.5";
    let outcome = finish(&mut agreeing(&[], even));
    assert_eq!((outcome.verdict, outcome.reason), (Verdict::Draw, Reason::Score));
    for (stage, final_only, white_wins) in [
        ("league", "false", false),
        ("league", "true", false),
        ("knockout", "false", true),
        ("knockout", "true", false),
        ("final", "false", true),
        ("final", "true", true),
    ] {
        let mut game = agreeing(&[("stage", stage), ("final_only", final_only)], even);
        let wanted = if white_wins { Verdict::Win(Side::Second) } else { Verdict::Draw };
        assert_eq!(game.agreed_draw(), wanted, "{stage} {final_only}");
        let outcome = finish(&mut game);
        assert_eq!((outcome.verdict, outcome.reason), (wanted, Reason::Score), "{stage} {final_only}");
        assert_eq!(outcome.score.expect("counted").printed_zh, if white_wins { "白和棋胜" } else { "和棋" });
    }
}

#[test]
fn tianyi_a_dispute_is_played_out() {
    let mut game = agreeing(&[("disputes", "1")], "1");
    play(&mut game, Side::First, "dead -");
    play(&mut game, Side::Second, "reject");
    // White confirmed first and moves first.
    assert_eq!((game.phase(), game.on_clock()), ("resolution", Some(Side::Second)));
    let capture: [(Side, &str); 6] = [
        (Side::Second, "E4"),
        (Side::First, "pass"),
        (Side::Second, "E2"),
        (Side::First, "pass"),
        (Side::Second, "D3"),
        (Side::First, "pass"),
    ];
    for (side, text) in capture {
        play(&mut game, side, text);
    }
    play(&mut game, Side::Second, "pass");
    // Nothing is left to agree on: 8 against 13 stones and 2 points.
    let outcome = game.outcome().expect("counted at once");
    assert_eq!(outcome.score.as_ref().map(|score| &*score.points), Some("W+3"));
}

#[test]
fn tianyi_without_agreement_every_stone_lives_and_every_block_is_taxed() {
    let mut game = bidding(&[("disputes", "0")]);
    play(&mut game, Side::First, "bid 0");
    play(&mut game, Side::Second, "bid -1");
    play(&mut game, Side::First, "pass");
    play(&mut game, Side::Second, "pass");
    let facts = game.view(Viewer::Spectator).facts;
    for name in ["stones-first", "stones-second"] {
        assert!(facts.contains(&(name, "-1".to_owned())), "{facts:?}");
    }
    assert_eq!(game.outcome().map(|outcome| outcome.verdict), Some(Verdict::Draw));
}

/// The last of these acts after a design, the first of which is White's: why it is refused under a base, or under that
/// which holds if none is named.
fn refusal(base: Option<&str>, size: &str, design: &str, acts: &[&str]) -> Option<&'static str> {
    let small = rules::RuleSet::named("design").with("size", size);
    let mut game = start(&base.into_iter().fold(small, |set, base| set.with("base", base)));
    play(&mut game, Side::First, &format!("propose {design}"));
    play(&mut game, Side::Second, "accept");
    play(&mut game, Side::First, "bid 0");
    play(&mut game, Side::Second, "bid 1");
    let (last, before) = acts.split_last().expect("an act to judge");
    let mut sides = [Side::Second, Side::First].into_iter().cycle();
    for (act, side) in before.iter().zip(&mut sides) {
        play(&mut game, side, act);
    }
    game.play(sides.next().expect("they take turns"), last).err().map(|refusal| refusal.reason)
}

/// The base decides about repetition: no base allows a ko to be taken back at once; of the board that comes back with the
/// other side to move (two stones are sent, one returns), and of that which comes back with the same (eternal life), each
/// base forbids others.
#[test]
fn tianyi_the_base_says_what_may_repeat() {
    let ko = |base| refusal(base, "5", "B B5,A4,B3 W C5,D4,C3,B4", &["pass", "C4", "B4"]);
    let sent_two = |base| refusal(base, "5", "B B5,C4,D5 W A4,B4", &["E1", "A5", "C5", "B5"]);
    let eternal = "B A3,B3,C3,D3,E3,A2,E2,F2,D1,G1 W A4,B4,C4,D4,E4,F4,F3,B2,C2,D2,G2,H2,B1,F1";
    let eternal_life = |base| refusal(base, "8", eternal, &["H8", "C1", "E1", "D1", "F1"]);
    let forbidden = Some("REPETITION");
    for (base, wanted) in [
        (None, [forbidden, None]),
        (Some("cn1988"), [forbidden, None]),
        (Some("psk"), [forbidden, forbidden]),
        (Some("cn2002"), [None, forbidden]),
        (Some("simple"), [None, None]),
    ] {
        assert_eq!(ko(base), Some("KO"), "{base:?}");
        assert_eq!([sent_two(base), eternal_life(base)], wanted, "{base:?}");
    }
}
