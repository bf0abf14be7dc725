//! Bids, equal bids, missing bids, and the colours that come of them.

use rules::{Actors, Game, Side, StoneColour, SystemAct, Viewer, tianyi::STEP_MS};

use crate::play::{bidding, draw, parts, play, refused, system};

fn fact(game: &dyn Game, name: &str) -> Option<String> {
    let view = game.view(Viewer::Spectator);
    view.facts.into_iter().find(|(known, _)| *known == name).map(|(_, value)| value)
}

fn white(game: &dyn Game) -> Option<Side> {
    Side::BOTH.into_iter().find(|side| game.colour(*side) == Some(StoneColour::White))
}

#[test]
fn tianyi_the_higher_bid_has_white_at_its_own_bid() {
    for (first, second, side, komi) in [
        ("3.5", "2", Side::First, "3.5"),
        ("-4", "-3.5", Side::Second, "-3.5"),
        ("0", "-0.5", Side::First, "0"),
        ("-12.5", "12.5", Side::Second, "12.5"),
    ] {
        for order in [Side::First, Side::Second] {
            let mut game = bidding(&[]);
            assert_eq!((game.phase(), game.on_clock(), white(&*game)), ("bidding", None, None));
            assert_eq!(game.actors(), Actors::Both);
            let text = |side| format!("bid {}", if side == Side::First { first } else { second });
            let one = play(&mut game, order, &text(order));
            assert_eq!(one.public.as_deref(), Some("bid"));
            assert_eq!(game.actors(), Actors::One(order.other()));
            assert_eq!(game.sealed(), [(3, "bid".to_owned())]);
            assert_eq!(refused(&mut game, order, "bid 1"), "ALREADY_BID");
            let other = play(&mut game, order.other(), &text(order.other()));
            assert_eq!((other.public, &other.effects.revealed[..]), (None, &[(3, text(order))][..]));
            assert_eq!((white(&*game), fact(&*game, "komi").as_deref()), (Some(side), Some(komi)));
            assert_eq!((game.phase(), game.on_clock(), game.sealed()), ("play", Some(side), vec![]));
            // The black stone of the design belongs to who has Black now.
            let stones = game.view(Viewer::Spectator).stones;
            let black = stones.iter().find(|stone| stone.at == rules::Point { column: 1, row: 3 });
            assert_eq!(black.map(|stone| stone.owner), Some(side.other()));
            let swapped = if side == Side::First { 4 } else { 0 };
            assert_eq!(other.effects.changes.len(), swapped);
        }
    }
}

#[test]
fn tianyi_bids_have_limits_and_steps() {
    let mut game = bidding(&[]);
    for (text, reason) in [
        ("bid 13", "BID_OUT_OF_RANGE"),
        ("bid -13", "BID_OUT_OF_RANGE"),
        ("bid 0.25", "BAD_NOTATION"),
        ("bid 3pt", "BAD_NOTATION"),
        ("bid", "BAD_NOTATION"),
        ("bid 99999999999", "BAD_NOTATION"),
        ("C3", "NOT_NOW"),
        ("commit 00", "BAD_NOTATION"),
        ("choose white", "NOT_NOW"),
        ("expire", "HOUSE_ONLY"),
    ] {
        assert_eq!(refused(&mut game, Side::First, text), reason, "{text}");
    }
    let hints = game.hints(Side::First);
    // From -12 1/2 to 12 1/2 zi in halves.
    assert_eq!(hints.len(), 51);
    assert_eq!((hints[0].text.as_str(), hints[50].text.as_str()), ("bid -12.5", "bid 12.5"));
    for hint in hints {
        let same = game.clone().play(Side::First, &hint.text).map(|played| played.text);
        assert_eq!(same, Ok(hint.text));
    }
}

#[test]
fn tianyi_equal_bids_are_drawn_for() {
    let mut whites = [0, 0];
    for start in 0..32 {
        let mut game = bidding(&[]);
        play(&mut game, Side::First, "bid 2");
        play(&mut game, Side::Second, "bid 2");
        assert_eq!((game.phase(), game.system_due()), ("nigiri", Some(SystemAct::Seed)));
        assert_eq!(game.actors(), Actors::Nobody);
        assert_eq!(refused(&mut game, Side::First, &format!("commit {}", "0".repeat(64))), "HOUSE_FIRST");
        let last = draw(&mut game, parts(3 * start));
        assert_eq!(last.effects.revealed[0].0, 5);
        let side = white(&*game).expect("settled");
        assert_eq!((fact(&*game, "komi").as_deref(), game.on_clock()), (Some("2"), Some(side)));
        whites[side.index()] += 1;
    }
    assert!(whites.iter().all(|times| *times > 4), "{whites:?}");
}

#[test]
fn tianyi_a_missing_bid_gives_the_other_the_choice() {
    for bidder in Side::BOTH {
        for (text, white_side) in
            [(Some("choose white"), bidder), (Some("choose black"), bidder.other()), (None, bidder)]
        {
            let mut game = bidding(&[]);
            assert_eq!(game.system_due(), Some(SystemAct::Expire { since: 2, after_ms: STEP_MS }));
            play(&mut game, bidder, "bid 4.5");
            assert_eq!(game.system_due(), Some(SystemAct::Expire { since: 2, after_ms: STEP_MS }));
            let late = system(&mut game, "expire");
            assert_eq!(late.effects.revealed, [(3, "bid 4.5".to_owned())]);
            assert_eq!((game.phase(), game.actors()), ("choice", Actors::One(bidder)));
            assert_eq!(game.system_due(), Some(SystemAct::Expire { since: 4, after_ms: STEP_MS }));
            assert_eq!(refused(&mut game, bidder.other(), "choose white"), "NOT_YOUR_TURN");
            assert_eq!(refused(&mut game, bidder.other(), "bid 9"), "NOT_NOW");
            match text {
                Some(text) => play(&mut game, bidder, text),
                None => system(&mut game, "expire"),
            };
            assert_eq!((white(&*game), fact(&*game, "komi").as_deref()), (Some(white_side), Some("4.5")));
            assert_eq!(game.system_due(), None);
            assert_eq!(refused(&mut game, rules::Author::System, "expire"), "NOTHING_DUE");
        }
    }
}

#[test]
fn tianyi_two_missing_bids_are_nothing_and_a_lot() {
    let mut game = bidding(&[]);
    let late = system(&mut game, "expire");
    assert!(late.effects.revealed.is_empty());
    assert_eq!((game.phase(), fact(&*game, "bid").as_deref()), ("nigiri", Some("0")));
    system(&mut game, &format!("seed {}", parts(1)[0].text()));
    system(&mut game, "expire");
    assert_eq!((game.phase(), fact(&*game, "komi").as_deref()), ("play", Some("0")));
}
