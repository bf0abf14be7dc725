//! After a stop: proposals, ownership, disputes, demands.

use rules::{
    Game, RuleSet, Side,
    goban::{self, Colour},
    jpd::{HalfPoints, Illegal, JpdGame, Method, Phase, Position},
};

use crate::play::{act, acts, agree, at, by, start};

const B: Colour = Colour::Black;
const W: Colour = Colour::White;

/// A wall of either colour with a column between them, and a white stone behind Black's.
const WALLS: &str = ".x.o./.x.o./.x.o./xx.o./o.xo.";

fn stopped(setup: &str, options: &[(&str, &str)]) -> Position {
    let mut position = start(setup, options);
    acts(&mut position, "pass pass");
    assert!(position.agreement().is_some());
    position
}

fn margin(setup: &str, terms: &str) -> HalfPoints {
    let mut position = stopped(setup, &[]);
    agree(&mut position, terms);
    let ending = position.ending().expect("an end").clone();
    let settlement = position.settlement().expect("an end");
    for method in Method::ALL {
        assert_eq!(settlement.count(method).margin, ending.score.margin);
    }
    ending.score.margin
}

#[test]
fn terms_decide_what_is_dead_and_whose_a_point_is() {
    // Black 6 stones and 5 points, White 10, four points in the middle shared.
    assert_eq!(margin(WALLS, "dead A1"), HalfPoints::whole(1));
    assert_eq!(margin(WALLS, "dead A1 black C5"), margin(WALLS, "dead A1") - HalfPoints::whole(-1));
    assert_eq!(margin(WALLS, "dead A1 white C5,C4"), margin(WALLS, "dead A1") - HalfPoints::whole(2));
    assert_eq!(margin(WALLS, "dead A1 shared A5"), margin(WALLS, "dead A1") - HalfPoints::whole(1));
    // White's stone alive, the points beside it are shared.
    assert!(margin(WALLS, "dead -") < margin(WALLS, "dead A1"));
}

#[test]
fn the_suggestion_is_terms_that_both_may_propose() {
    let text = format!("to-move: B; board: {WALLS}");
    let mut game = JpdGame::from_text(&RuleSet::named("jipingdian"), &text).expect("a position");
    assert_eq!(game.suggestion(), None);
    for side in Side::BOTH {
        game.play(side, "pass").expect("a pass");
    }
    let act = game.suggestion().expect("a stone to judge");
    assert_eq!(act, "dead A1");
    for side in Side::BOTH {
        game.play(side, &act).expect("the suggestion is legal");
    }
    assert!(game.outcome().is_some() && game.suggestion().is_none());
}

#[test]
fn terms_have_one_form() {
    let mut position = stopped(WALLS, &[]);
    let mut check = |named: &str, wanted: Result<&str, Illegal>| {
        assert_eq!(by(&mut position, B, named), wanted.map(str::to_owned), "{named}");
    };
    check("dead a1 black c5", Ok("dead A1 black C5"));
    // Points that are held so anyway need not be named.
    check("dead A1 black A5,A4 white E1 shared C4,C3", Ok("dead A1"));
    check("dead - shared C3", Ok("dead -"));
    check("dead B3,B4 shared E1 white A5,E1", Err(Illegal::NamedTwice));
    check("dead B3,B4 white B5,A1,B1", Err(Illegal::StoneThere));
    check("dead B3,B4 white A3,B5", Ok("dead B5 white B5,A3"));
    check("dead A1 black C4 white C4", Err(Illegal::NamedTwice));
    check("dead A1 white B5", Err(Illegal::StoneThere));
    check("dead C3", Err(goban::Illegal::NoStone.into()));
}

#[test]
fn an_acceptance_names_what_it_accepts() {
    let mut position = stopped(WALLS, &[]);
    assert_eq!(act(&mut position, "accept"), Err(goban::Illegal::NoProposal.into()));
    by(&mut position, B, "dead A1 black C5").unwrap();
    assert_eq!(by(&mut position, B, "accept"), Err(goban::Illegal::NoProposal.into()));
    assert_eq!(by(&mut position, W, "accept dead A1"), Err(goban::Illegal::ProposalChanged.into()));
    assert_eq!(by(&mut position, W, "accept dead -"), Err(goban::Illegal::ProposalChanged.into()));
    assert_eq!(by(&mut position, W, "C5"), Err(goban::Illegal::InAgreement.into()));
    let mut same = position.clone();
    assert_eq!(by(&mut position, W, "accept black C5 dead A1"), Ok("accept dead A1 black C5".to_owned()));
    // The same proposal from the other side is an acceptance too.
    by(&mut same, W, "dead A1 black C5").unwrap();
    assert_eq!(same.ending(), position.ending());
    assert_eq!(position.removed().len(), 1);
    assert_eq!(act(&mut position, "pass"), Err(goban::Illegal::GameOver.into()));
}

#[test]
fn proposals_are_limited() {
    let mut position = stopped(WALLS, &[]);
    for nth in 0..goban::MAX_PROPOSALS {
        by(&mut position, B, if nth % 2 == 0 { "dead -" } else { "dead A1" }).unwrap();
    }
    assert_eq!(by(&mut position, B, "dead -"), Err(goban::Illegal::TooManyProposals.into()));
    assert_eq!(by(&mut position, W, "dead A1"), Ok("dead A1".to_owned()));
}

/// Article 28: who passed first moves first, and moves are no longer paid for.
#[test]
fn a_dispute_is_played_out_for_nothing() {
    let mut position = start(WALLS, &[]);
    acts(&mut position, "C5 pass pass");
    assert_eq!((position.extra(), position.to_move()), (1, W));
    by(&mut position, B, "reject").unwrap();
    assert_eq!((position.phase(), position.disputes(), position.to_move()), (&Phase::Resolution, 1, W));
    acts(&mut position, "pass B1 pass pass");
    assert_eq!((position.extra(), position.resolution().real), (1, [1, 0]));
    assert_eq!(position.board().stone(at("A1", 5)), None);
    agree(&mut position, "dead -");
    let settlement = position.settlement().expect("an end");
    let returned = settlement.count(Method::Returned);
    assert!(returned.steps.iter().any(|step| {
        step.text == "Black made more moves that are not paid for and takes one stone off its own land"
    }));
}

/// After the last dispute every stone is alive (articles 4 and 30.2).
#[test]
fn the_last_dispute_ends_the_game_without_agreement() {
    for (disputes, ends) in [("0", 1), ("1", 2), ("2", 3)] {
        let mut position = start(WALLS, &[("disputes", disputes)]);
        for stop in 1..=ends {
            acts(&mut position, "pass pass");
            assert_eq!(position.ending().is_some(), stop == ends);
            if stop < ends {
                by(&mut position, W, "reject").unwrap();
            }
        }
        let ending = position.ending().unwrap();
        assert_eq!(ending.terms, None);
        assert_eq!(position.board().stone(at("A1", 5)), Some(W));
        assert_eq!(ending.score.margin, margin(WALLS, "dead -"));
    }
}

/// Article 39, and J8: filling on demand is paid for unless the definition of the contest phase is taken to
/// the letter.
#[test]
fn neutral_points_are_filled_on_demand() {
    for (filling, extra) in [("counted", 3), ("free", 0)] {
        let mut position = stopped(WALLS, &[("filling", filling)]);
        by(&mut position, W, "fill").unwrap();
        assert_eq!((position.phase(), position.demands(W), position.disputes()), (&Phase::Filling, 1, 0));
        acts(&mut position, "C5 pass C4 pass C3 pass pass");
        assert_eq!(position.extra(), extra);
        by(&mut position, B, "dead A1").unwrap();
        let shared = position.settlement().unwrap().layout.ledger().shared;
        assert_eq!(shared, 1);
    }
}

#[test]
fn demands_end() {
    let mut position = stopped(WALLS, &[("disputes", "1")]);
    by(&mut position, B, "fill").unwrap();
    acts(&mut position, "pass pass");
    assert_eq!(by(&mut position, B, "fill"), Err(Illegal::TooManyDemands));
    by(&mut position, W, "fill").unwrap();
    acts(&mut position, "pass pass");
    assert_eq!(by(&mut position, W, "fill"), Err(Illegal::TooManyDemands));
    by(&mut position, W, "reject").unwrap();
    acts(&mut position, "pass pass");
    assert!(position.ending().is_some());
    let mut position = stopped("xxxxx/.x.x./xxxxx/ooooo/.o.o.", &[]);
    assert_eq!(by(&mut position, B, "fill"), Err(Illegal::NothingToFill));
    by(&mut position, B, "dead - shared A4").unwrap();
    assert_eq!(by(&mut position, W, "fill"), Ok("fill".to_owned()));
}
