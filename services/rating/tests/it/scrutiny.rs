//! Who is reported for losing on purpose, and by which games.

use std::time::Duration;

use api::{
    board::v1::Verdict,
    rating::v1::{ApplyResultRequest, GameEnding},
};
use rating::{
    admin::{Scrutiny, Suspicion},
    core::category::Variant,
};
use uuid::Uuid;

use crate::fixture::{Fixture, fixtures};

/// How many players of a pool are honest.
const HONEST: usize = 20;

/// A game of usual length, won in turn.
fn usual(fixture: &Fixture, first: Uuid, second: Uuid, number: usize) -> ApplyResultRequest {
    let verdict = if number.is_multiple_of(2) { Verdict::FirstWins } else { Verdict::SecondWins };
    let game = fixture.game(first, second, verdict);
    ApplyResultRequest { acts: 200, ending: GameEnding::Played.into(), ..game }
}

/// A game that the first gives up early.
pub(crate) fn given_up(fixture: &Fixture, first: Uuid, second: Uuid) -> ApplyResultRequest {
    let game = fixture.game(first, second, Verdict::SecondWins);
    ApplyResultRequest {
        first_name: "Sandy".to_owned(),
        acts: 20,
        ending: GameEnding::Resigned.into(),
        ..game
    }
}

pub(crate) async fn apply(fixture: &Fixture, games: Vec<ApplyResultRequest>) {
    for games in games.chunks(100) {
        assert_eq!(fixture.replica.apply_all(games.to_vec()).await.expect("applied"), []);
    }
}

/// Honest players who have played each other, and one who gives up a third of his games against them; which these are.
pub(crate) async fn pool(fixture: &Fixture) -> (Uuid, Vec<String>) {
    pool_with(fixture, Uuid::nil(), 0).await
}

/// The same, of whose games the first that he gives up are of an event.
pub(crate) async fn pool_with(fixture: &Fixture, event: Uuid, of_event: usize) -> (Uuid, Vec<String>) {
    let players: Vec<Uuid> = (0..HONEST).map(|_| fixture.env.uuid()).collect();
    let sandbagger = fixture.env.uuid();
    let (mut games, mut number) = (Vec::new(), 0);
    for round in 1..=16 {
        for one in 0..HONEST {
            fixture.time.advance(Duration::from_mins(1));
            number += 1;
            let (first, second) = (players[one], players[(one + round) % HONEST]);
            // Each of them gives up once.
            let gives_up = round == 7;
            games.push(if gives_up {
                given_up(fixture, first, second)
            } else {
                usual(fixture, first, second, number)
            });
        }
    }
    let mut thrown = Vec::new();
    for number in 0..60 {
        fixture.time.advance(Duration::from_mins(1));
        let other = players[number % HONEST];
        if number % 3 == 1 {
            let mut game = given_up(fixture, sandbagger, other);
            if thrown.len() < of_event {
                game.event_id = event.to_string();
            }
            thrown.push(game.game_id.clone());
            games.push(game);
        } else {
            games.push(usual(fixture, sandbagger, other, 0));
        }
    }
    apply(fixture, games).await;
    (sandbagger, thrown)
}

#[tokio::test]
async fn who_gives_up_game_after_game_is_reported_with_these_games() {
    for fixture in fixtures().await {
        let before = fixture.env.now();
        let (sandbagger, thrown) = pool(&fixture).await;
        let scrutiny = Scrutiny::open(fixture.database()).await.expect("it opens");
        let read = std::sync::atomic::AtomicU64::new(0);
        let progress = |games| {
            read.fetch_add(games, std::sync::atomic::Ordering::Relaxed);
        };
        let reported = scrutiny.reported(None, before, progress).await.expect("read");
        assert_eq!(read.into_inner(), 380, "{}", fixture.kind());
        let [only] = reported.try_into().expect("nobody else");
        assert_eq!(
            (only.account.uuid(), only.name.as_str()),
            (sandbagger, "Shusaku"),
            "as he was called last"
        );
        assert_eq!((only.scrutinised.games, only.scrutinised.lost_early), (60, 20));
        let (scored, expected) = only.scrutinised.others;
        assert!(scored == 40.0 && (10.0..40.0).contains(&expected), "{scored} of {expected}");
        let [(finding, evidence)] = &only.evidence[..] else { panic!("{:?}", only.evidence) };
        assert_eq!(finding.suspicion, Suspicion::Alone);
        assert_eq!(evidence.iter().map(ToString::to_string).collect::<Vec<_>>(), thrown);

        let none = async |variant: Option<&Variant>, since| {
            scrutiny.reported(variant, since, |_| {}).await.expect("read").is_empty()
        };
        let jiu = Variant::parse("jiu").expect("a name");
        assert!(none(Some(&jiu), before).await, "he has only played Go");
        assert!(none(None, fixture.env.now()).await, "that was before");
    }
}

#[tokio::test]
async fn games_of_which_it_was_not_told_how_they_ended_say_nothing() {
    for fixture in fixtures().await {
        let before = fixture.env.now();
        let (one, two) = (fixture.env.uuid(), fixture.env.uuid());
        let games = (0..50).map(|number| {
            fixture.time.advance(Duration::from_mins(1));
            let ending = if number < 25 { GameEnding::Unspecified } else { GameEnding::Resigned };
            ApplyResultRequest { ending: ending.into(), ..given_up(&fixture, one, two) }
        });
        let games = games.collect();
        apply(&fixture, games).await;
        let scrutiny = Scrutiny::open(fixture.database()).await.expect("it opens");
        let reported = scrutiny.reported(None, before, |_| {}).await.expect("read");
        assert_eq!(reported, [], "{}: twenty-five are too few", fixture.kind());
    }
}
