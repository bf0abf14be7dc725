//! Turns, confirmations, disputes, void moves, long cycles and handicap, act by act.

use rules::go::{Act, Ending, Phase, Position};
use rules::goban::{
    Colour, HandicapBonus, Illegal, IllegalMove, LongCycle, MAX_TURNS, Move, Notice, Point, QuarterZi,
    Repetition, Rules, Score as _, Setup, Size,
};

use Colour::{Black, White};

/// Eternal life: Black to move, the four moves of a cycle are C1, E1, D1, F1.
const ETERNAL_LIFE: &str = "......../oooooo../xxxxxo../xoooxxoo/.o.x.ox.";

/// A ko that Black takes at D4 and White takes back at C4.
const KO: &str = "..xo./.xo.o/..xo./...../.....";

fn position(setup: &str, rules: Rules) -> Position {
    Position::from_setup(&setup.parse::<Setup>().expect("a board"), rules)
}

fn act(position: &mut Position, colour: Colour, text: &str) -> Result<String, Illegal> {
    let (width, height) = (position.board().columns(), position.board().rows());
    let act = Act::parse(text, width, height).expect("an act");
    position.act(colour, &act).map(|act| act.write(height))
}

fn play_all(position: &mut Position, acts: &[&str]) {
    for text in acts {
        let colour = position.to_move();
        act(position, colour, text).unwrap_or_else(|fault| panic!("{text}: {fault}"));
    }
}

#[test]
fn go_two_voluntary_confirmations_end_the_play() {
    let mut game = position("...../...../...../...../.....", Rules::default());
    play_all(&mut game, &["C3", "pass", "D3", "pass"]);
    assert!(game.is_confirmed());
    assert_eq!(game.phase(), &Phase::Play);
    play_all(&mut game, &["pass"]);
    assert!(matches!(game.phase(), Phase::Agreement(_)));
    // White confirmed first and has the turn again if the end is disputed.
    assert_eq!(game.to_move(), White);
    assert_eq!(act(&mut game, Black, "reject").as_deref(), Ok("reject"));
    assert_eq!((game.phase(), game.to_move(), game.disputes()), (&Phase::Resolution, White, 1));
    assert!(!game.is_confirmed());
    play_all(&mut game, &["C4"]);
}

#[test]
fn go_after_the_last_dispute_every_stone_is_alive() {
    let mut game = position(".x.o./.x.o./.x.o./xx.o./o.xo.", Rules::default());
    for dispute in 1..=2 {
        play_all(&mut game, &["pass", "pass"]);
        assert_eq!(act(&mut game, White, "dead a1").as_deref(), Ok("dead A1"));
        act(&mut game, Black, "reject").unwrap();
        assert_eq!(game.disputes(), dispute);
    }
    play_all(&mut game, &["pass", "pass"]);
    let score = game.score(&[]);
    assert_eq!(game.ending(), Some(&Ending::Scored(score)));
    assert_eq!(score.black, QuarterZi(46));
    assert_eq!(act(&mut game, Black, "accept"), Err(Illegal::GameOver));
    let mut at_once = position("..x../...../...../...../.....", Rules { disputes: 0, ..Rules::default() });
    play_all(&mut at_once, &["pass", "pass"]);
    assert!(at_once.ending().is_some());
}

#[test]
fn go_proposals_stand_until_replaced() {
    let start = || {
        let mut game = position("xx.o./xx.o./xx.o./xx.o./o.xo.", Rules::default());
        play_all(&mut game, &["pass", "pass"]);
        game
    };
    let standing =
        |game: &Position| game.agreement().unwrap().proposal.clone().map(|p| (p.by, p.terms.0.len()));
    let mut game = start();
    assert_eq!(act(&mut game, Black, "dead c1, A1, c1").as_deref(), Ok("dead A1,C1"));
    assert_eq!(act(&mut game, Black, "dead B5,A2").as_deref(), Ok("dead A5"));
    assert_eq!(standing(&game), Some((Black, 1)));
    assert_eq!(act(&mut game, Black, "accept A5"), Err(Illegal::NoProposal));
    assert_eq!(act(&mut game, White, "accept a1"), Err(Illegal::ProposalChanged));
    assert_eq!(act(&mut game, White, "accept e5"), Err(Illegal::ProposalChanged));
    assert_eq!(act(&mut game, White, "dead A1").as_deref(), Ok("dead A1"));
    assert_eq!(standing(&game), Some((White, 1)));
    assert_eq!(act(&mut game, White, "accept"), Err(Illegal::NoProposal));
    let mut by_name = game.clone();
    assert_eq!(act(&mut by_name, Black, "accept a1").as_deref(), Ok("accept A1"));
    assert_eq!(by_name.ending(), Some(&Ending::Scored(game.score(&[Point::new(0, 4).unwrap()]))));
    assert_eq!(by_name.removed().len(), 1);
    // Both have proposed the same: both agree.
    assert_eq!(act(&mut game, Black, "dead A1").as_deref(), Ok("dead A1"));
    assert_eq!(game.ending(), by_name.ending());
    let mut talk = start();
    for _ in 0..rules::goban::MAX_PROPOSALS {
        act(&mut talk, Black, "dead -").unwrap();
    }
    assert_eq!(act(&mut talk, Black, "dead A1"), Err(Illegal::TooManyProposals));
    assert_eq!(act(&mut talk, White, "accept -").as_deref(), Ok("accept -"));
}

#[test]
fn go_a_forbidden_move_may_be_void() {
    let rules = Rules { illegal_move: IllegalMove::VoidPass, ..Rules::default() };
    let mut game = position(KO, rules);
    play_all(&mut game, &["D4"]);
    let before = game.board().clone();
    assert_eq!(game.ko(), Point::parse("C4", Size::new(5).unwrap()));
    assert_eq!(act(&mut game, White, "void E1"), Err(Illegal::NotVoid));
    assert_eq!(act(&mut game, White, "D4"), Err(Illegal::Occupied));
    assert_eq!(act(&mut game, White, "void D4"), Err(Illegal::Occupied));
    assert_eq!(act(&mut game, White, "c4").as_deref(), Ok("void C4"));
    assert_eq!((game.board(), game.to_move(), game.turns()), (&before, Black, 2));
    // The imposed pass is no confirmation: one more is not the end, two are.
    play_all(&mut game, &["pass"]);
    assert_eq!(game.phase(), &Phase::Play);
    // Nor does it lift the ban (article 20.4).
    assert_eq!(act(&mut game, White, "C4").as_deref(), Ok("void C4"));
    assert_eq!(game.phase(), &Phase::Play);
    play_all(&mut game, &["pass", "pass"]);
    assert!(game.agreement().is_some());
    let mut strict = position(KO, Rules::default());
    play_all(&mut strict, &["D4"]);
    assert_eq!(act(&mut strict, White, "C4"), Err(Illegal::Ko));
    assert_eq!(act(&mut strict, White, "void C4"), Err(Illegal::NotVoid));
}

#[test]
fn go_passes_lift_a_ban_under_simple_ko_alone() {
    for repetition in [Repetition::Cn1988, Repetition::Psk, Repetition::Situational, Repetition::Simple] {
        let rules = Rules { repetition, illegal_move: IllegalMove::VoidPass, ..Rules::default() };
        let mut game = position(KO, rules);
        play_all(&mut game, &["D4", "C4", "pass"]);
        let wanted = if repetition == Repetition::Simple { "C4" } else { "void C4" };
        assert_eq!(act(&mut game, White, "C4").as_deref(), Ok(wanted), "{repetition:?}");
    }
}

#[test]
fn go_long_cycles_are_noticed_and_claimed() {
    let cycle = ["C1", "E1", "D1", "F1"];
    let start = |long_cycle| position(ETERNAL_LIFE, Rules { long_cycle, ..Rules::default() });
    let mut game = start(LongCycle::Draw);
    play_all(&mut game, &cycle[..3]);
    assert_eq!(act(&mut game, White, "claim"), Err(Illegal::NoLongCycle));
    play_all(&mut game, &cycle[3..]);
    assert_eq!(game.notice(), Some(Notice { occurrence: 2, arbiter_asked: false }));
    assert_eq!(act(&mut game, White, "claim"), Err(Illegal::NotYourTurn));
    let mut varied = game.clone();
    play_all(&mut varied, &["A5"]);
    assert_eq!((varied.notice(), act(&mut varied, White, "claim")), (None, Err(Illegal::NoLongCycle)));
    let mut passed = game.clone();
    play_all(&mut passed, &["pass"]);
    assert_eq!(passed.notice(), None);
    let mut claimed = game.clone();
    assert_eq!(act(&mut claimed, Black, "claim").as_deref(), Ok("claim"));
    assert_eq!(claimed.ending(), Some(&Ending::CycleDraw));
    play_all(&mut game, &cycle[..3]);
    assert_eq!(game.ending(), None);
    play_all(&mut game, &cycle[3..]);
    assert_eq!(game.ending(), Some(&Ending::CycleDraw));
    let mut replayed = start(LongCycle::Replay);
    play_all(&mut replayed, &cycle);
    play_all(&mut replayed, &["claim"]);
    assert_eq!(replayed.ending(), Some(&Ending::CycleReplay));
    let mut asked = start(LongCycle::Arbiter);
    play_all(&mut asked, &cycle);
    play_all(&mut asked, &["claim"]);
    assert_eq!(act(&mut asked, Black, "claim"), Err(Illegal::NoLongCycle));
    play_all(&mut asked, &cycle);
    assert_eq!(asked.notice(), Some(Notice { occurrence: 3, arbiter_asked: true }));
    assert_eq!(asked.ending(), None);
}

#[test]
fn go_resolution_forbids_every_repetition() {
    let mut dispute = position(ETERNAL_LIFE, Rules::default());
    play_all(&mut dispute, &["pass", "pass", "reject", "C1", "E1", "D1"]);
    assert_eq!(dispute.phase(), &Phase::Resolution);
    assert_eq!(act(&mut dispute, White, "F1"), Err(Illegal::Repetition));
}

/// A cycle that no arbiter stops is stopped by the number of turns; then only passes are left.
#[test]
fn go_endless_cycles_have_an_end() {
    let endless =
        Rules { repetition: Repetition::Simple, long_cycle: LongCycle::Arbiter, ..Rules::default() };
    let mut game = position(ETERNAL_LIFE, endless);
    let cycle = ["C1", "E1", "D1", "F1"].map(|name| Point::parse(name, Size::MIN).unwrap());
    for turn in 0..MAX_TURNS {
        game.play(Move::Play(cycle[turn % 4])).unwrap();
    }
    assert_eq!(game.play(Move::Play(cycle[0])), Err(Illegal::TurnLimit));
    assert_eq!(game.legal_moves().collect::<Vec<_>>(), [Move::Pass]);
    play_all(&mut game, &["pass", "pass"]);
    assert!(game.agreement().is_some());
}

#[test]
fn go_handicap_stones_come_first() {
    let rules = Rules { handicap: 3, handicap_bonus: HandicapBonus::N, ..Rules::default() };
    let mut game = Position::new(Size::NINE, rules);
    assert_eq!(game.phase(), &Phase::Handicap { left: 3 });
    assert_eq!(act(&mut game, White, "E5"), Err(Illegal::NotYourTurn));
    assert_eq!(act(&mut game, Black, "pass"), Err(Illegal::HandicapFirst));
    assert_eq!(game.legal_moves().count(), 81);
    for text in ["G7", "C3", "G3"] {
        assert_eq!(act(&mut game, Black, text).as_deref(), Ok(text));
    }
    assert_eq!((game.phase(), game.to_move(), game.turns()), (&Phase::Play, White, 0));
    let margin = |handicap, handicap_bonus| {
        let rules = Rules { handicap, handicap_bonus, komi: QuarterZi(0), ..Rules::default() };
        position("x..../...../...../...../.....", rules).score(&[]).margin.0
    };
    // 25 points of difference, less one point, two quarters, for each stone that counts.
    assert_eq!(margin(3, HandicapBonus::None), 50);
    assert_eq!(margin(3, HandicapBonus::N), 44);
    assert_eq!(margin(3, HandicapBonus::NMinusOne), 46);
    assert_eq!(margin(1, HandicapBonus::N), 50);
}

/// The three examples of figure 2: one, three and two stones without liberty; Black may not play at A.
#[test]
fn go_figure_two_forbidden_points() {
    for (board, stones) in [
        ("...../..o../.o.o./..o../.....", 1),
        (".ooo./.oxo./ox.o./oooo./.....", 3),
        ("..o../.oxo./.o.o./..o../.....", 2),
    ] {
        let mut game = position(board, Rules::default());
        let at = Point::new(2, 2).unwrap();
        assert_eq!(game.check(Move::Play(at)), Err(Illegal::Suicide), "{stones} stones");
        assert!(game.board().consequence(at, Black).unwrap().suicide);
        play_all(&mut game, &["pass"]);
        assert!(game.is_legal(Move::Play(at)));
    }
    // A point without liberty is free where the stone captures.
    let mut game = position(KO, Rules::default());
    play_all(&mut game, &["D4"]);
    assert_eq!(game.captures(Black), 1);
}

#[test]
fn go_an_even_count_without_komi_is_a_draw() {
    let rules = Rules { komi: QuarterZi(0), ..Rules::default() };
    let mut game = position("xx.oo/xx.oo/xx.oo/xx.oo/xx.oo", rules);
    play_all(&mut game, &["pass", "pass"]);
    act(&mut game, Black, "dead -").unwrap();
    act(&mut game, White, "accept").unwrap();
    let Some(Ending::Scored(score)) = game.ending() else { panic!("not counted") };
    assert_eq!((score.winner(), score.frame().points.as_str()), (None, "0"));
}
