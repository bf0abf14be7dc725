//! The sixth game: what a variant must stand, and that nothing but its folder and a line makes it known.

use std::{collections::BTreeMap, ops::ControlFlow};

use api::{board::v1::Reason, matchmaking::v1::GameSettings, time_control::TimeControl};
use rules::{RuleSet, toy::VARIANT};
use tests::{Platform, Shape, Store, run_binary, variants};

async fn platform() -> Platform {
    run_binary(env!("CARGO_BIN_EXE_shoutan-toy"));
    Platform::start(Shape::One, Store::Embedded).await.expect("the platform starts")
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_named_where_somebody_looks_for_it() {
    variants::find(&platform().await, &VARIANT).await.expect("it is found");
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_played_to_an_end_of_its_own_and_its_record_comes_back_as_it_was() {
    let settings = GameSettings {
        variant: VARIANT.id.to_owned(),
        rule_set: String::new(),
        options: BTreeMap::new(),
        time_control: Some("3m".parse::<TimeControl>().expect("a time control").into()),
        rated: true,
    };
    let acts =
        [(0, "B2"), (1, "A1"), (0, "A3"), (1, "C1"), (0, "B1"), (1, "B3"), (0, "A2"), (1, "C2"), (0, "C3")];
    let drawn = variants::play(&platform().await, &settings, &acts).await.expect("it is played");
    let reason = |game: api::game::v1::Game| {
        let outcome = game.state.and_then(|state| state.outcome).expect("it has ended");
        (outcome.reason(), outcome.rule)
    };
    assert_eq!(reason(drawn), (Reason::NoMoves, String::new()));
    let acts = [(0, "B2"), (1, "A1"), (0, "A2"), (1, "C1"), (0, "C2")];
    let won = variants::play(&platform().await, &settings, &acts).await.expect("it is played");
    assert_eq!(reason(won), (Reason::Rule, "three".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_played_at_two_terminals() {
    variants::sit_down(&platform().await, &VARIANT).await.expect("they play");
}

/// The numbers of Three in a Row are known everywhere.
#[test]
fn its_games_are_counted_right() {
    let game = (VARIANT.start)(&RuleSet::named("")).expect("a game");
    let counted: Vec<u64> = (1..=6)
        .map(|depth| rules::perft(&*game, depth, &mut |_| ControlFlow::Continue(())).expect("counted"))
        .collect();
    assert_eq!(counted, [9, 72, 504, 3024, 15120, 54720]);
}
