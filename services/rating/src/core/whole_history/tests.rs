//! What all games say of a category, by hand and by the laws that any order of them keeps.

use rules::{Side, Verdict};
use time::{Duration, macros::datetime};
use uuid::Uuid;

use super::*;
use crate::core::{
    advantage::{Advantage, Edition},
    category::{Category, Speed, Variant},
    game::Player,
};

const BEGAN: OffsetDateTime = datetime!(2026-01-01 12:00 UTC);

fn account(number: u128) -> AccountId {
    Uuid::from_u128(number + 1).into()
}

fn game(first: u128, second: u128, verdict: Verdict, days: i64) -> Game {
    Game {
        id: Uuid::from_u128(1).into(),
        category: Category { variant: Variant::parse("go").expect("a name"), speed: Speed::Blitz },
        players: [first, second].map(|number| Player { id: account(number), name: "p".to_owned() }),
        told: verdict,
        annulled: false,
        event: None,
        federation: None,
        ended: BEGAN + Duration::days(days),
        sequence: 0,
        handicap: 0,
        acts: 100,
        ending: None,
    }
}

fn history(games: &[Game], advantages: &Advantages) -> WholeHistory {
    let mut unsettled = Unsettled::new(games, advantages).expect("sound games");
    let mut settling = unsettled.settling();
    while settling.sweep() > 1e-9 {}
    unsettled.history(BEGAN)
}

#[test]
fn somebody_level_with_the_virtual_opponent_stands_at_1500() {
    let drawn = [game(0, 1, Verdict::Draw, 0)];
    let known = history(&drawn, &Advantages::default());
    let [point] = known.curve(account(0)) else { panic!("one day") };
    assert_eq!(point.day, BEGAN.date());
    assert!((point.rating - 1500.0).abs() < 1e-6, "{point:?}");
    // Two virtual draws and one game, of which each tells a quarter: 1 / sqrt(3 / 4) units of 173.7 points.
    assert!((point.deviation - 200.59).abs() < 0.01, "{point:?}");
    assert_eq!((known.curve(account(9)), known.now(account(9), BEGAN)), (&[][..], None));
}

#[test]
fn a_later_game_moves_earlier_days() {
    let early = [game(0, 1, Verdict::Draw, 0)];
    let then = history(&early, &Advantages::default()).curve(account(0))[0];
    // The opponent turns out to be stronger than everybody.
    let later = (0..10).map(|day| game(1, 2, Verdict::Win(Side::First), day));
    let all: Vec<Game> = early.into_iter().chain(later).collect();
    let known = history(&all, &Advantages::default());
    assert!(known.curve(account(0))[0].rating > then.rating + 50.0, "{:?}", known.curve(account(0)));
}

#[test]
fn who_is_away_is_known_less() {
    let known = history(&[game(0, 1, Verdict::Win(Side::First), 0)], &Advantages::default());
    let at = |days| known.now(account(0), BEGAN + Duration::days(days)).expect("he has played");
    let (last, year) = (at(0), at(365));
    assert_eq!(last, known.curve(account(0))[0]);
    assert_eq!(at(-3), last, "an earlier moment is no time");
    assert!((year.rating - last.rating).abs() < 1e-9);
    // (0.06 · 173.7178)² a period of 4 2/3 days.
    let grown = (year.deviation * year.deviation - last.deviation * last.deviation) / 365.0;
    assert!((grown - 23.28).abs() < 0.01, "{grown}");
}

#[test]
fn what_compares_nobody_does_not_count() {
    let sound = [game(0, 1, Verdict::Win(Side::First), 0), game(1, 2, Verdict::Draw, 3)];
    let (void, lost) = (game(2, 3, Verdict::Void, 1), game(0, 2, Verdict::BothLose, 2));
    let all = [void, sound[0].clone(), lost, sound[1].clone()];
    let [one, other] = [&sound[..], &all].map(|games| history(games, &Advantages::default()));
    for number in 0..3 {
        assert_eq!(one.curve(account(number)), other.curve(account(number)));
    }
    assert_eq!(other.curve(account(3)), []);
}

#[test]
fn who_was_ahead_has_shown_less() {
    let won = [game(0, 1, Verdict::Win(Side::First), 0)];
    let advantage = Advantage::new(100.0, 66.0).expect("in range");
    let variant = won[0].category.variant.clone();
    let said = Advantages::new([Edition { variant, from: BEGAN, advantage, games: 0 }]);
    let [level, ahead] = [Advantages::default(), said].map(|said| history(&won, &said).curve(account(0))[0]);
    assert!(1500.0 < ahead.rating && ahead.rating < level.rating - 5.0, "{ahead:?} {level:?}");
}
