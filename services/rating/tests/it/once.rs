//! Exactly once, on any number of replicas.

use std::{collections::HashMap, time::Duration};

use api::{board::v1::Verdict, error::reason, rating::v1::ApplyResultRequest};
use futures::future::join_all;
use uuid::Uuid;

use crate::fixture::{Fixture, Replica, fixtures};

const VERDICTS: [Verdict; 4] = [Verdict::FirstWins, Verdict::SecondWins, Verdict::Draw, Verdict::BothLose];

/// Applies every request at once, each on the next replica.
async fn all_at_once(replicas: &[Replica], requests: &[ApplyResultRequest]) {
    let calls = requests.iter().zip(replicas.iter().cycle()).map(|(request, replica)| {
        let (replica, request) = (replica.clone(), request.clone());
        tokio::spawn(async move { replica.apply(request).await })
    });
    for outcome in join_all(calls.collect::<Vec<_>>()).await {
        outcome.expect("no panic").expect("applied");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_game_many_times_at_once_counts_once() {
    for fixture in fixtures().await {
        let replicas = [fixture.replica.clone(), fixture.another().await, fixture.another().await];
        let (one, two) = (fixture.env.uuid(), fixture.env.uuid());
        let request = fixture.game(one, two, Verdict::FirstWins);
        let calls = (0..21).map(|n| {
            let (replica, request) = (replicas[n % 3].clone(), request.clone());
            tokio::spawn(async move { replica.apply(request).await.expect("applied") })
        });
        let answers: Vec<_> =
            join_all(calls.collect::<Vec<_>>()).await.into_iter().map(|a| a.expect("no panic")).collect();
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{}", fixture.kind());

        fixture.time.advance(Duration::from_hours(24 * 30));
        let again = replicas[1].apply(request).await.expect("applied");
        assert_eq!(again, answers[0], "a month later: {}", fixture.kind());
        let first = again.first.expect("present");
        assert_eq!((first.games, first.account_id.as_str()), (1, one.to_string().as_str()));
        assert!((first.rating - 1662.21).abs() < 0.01, "{first:?}");
        let now = replicas[2].rating(one).await;
        assert_eq!((now.games, now.rating), (1, first.rating));
        assert!(now.deviation > first.deviation, "it grows while the player is away");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn games_at_once_come_out_like_games_in_some_order() {
    for fixture in fixtures().await {
        let replicas = [fixture.replica.clone(), fixture.another().await];
        let players: Vec<Uuid> = (0..5).map(|_| fixture.env.uuid()).collect();
        let requests: Vec<_> = (0..60)
            .map(|n| {
                fixture.time.advance(Duration::from_hours(7));
                fixture.game(players[n % 5], players[(n + 1 + n / 5 % 4) % 5], VERDICTS[n % 4])
            })
            .collect();
        all_at_once(&replicas, &requests).await;

        let alone = fixtures().await.swap_remove(0);
        alone.time.set(fixture.env.now());
        for request in in_order(&fixture, &requests).await {
            let expected = fixture.replica.apply(request.clone()).await.expect("applied");
            assert_eq!(alone.replica.apply(request.clone()).await.expect("applied"), expected);
        }
        for player in players {
            assert_eq!(fixture.replica.rating(player).await, alone.replica.rating(player).await);
        }
    }
}

/// The games in an order in which each is the next one of both its players.
async fn in_order<'a>(fixture: &Fixture, requests: &'a [ApplyResultRequest]) -> Vec<&'a ApplyResultRequest> {
    let mut left = Vec::new();
    for request in requests {
        // Applying it again tells how many games each player had played by then.
        let answer = fixture.replica.apply(request.clone()).await.expect("applied");
        left.push(([answer.first, answer.second].map(|rating| rating.expect("present").games), request));
    }
    let mut played = HashMap::<&str, u32>::new();
    let mut order = Vec::new();
    while !left.is_empty() {
        let next = left.iter().position(|(games, request)| {
            let number = |id: &str| played.get(id).unwrap_or(&0) + 1;
            *games == [number(&request.first_id), number(&request.second_id)]
        });
        let (_, request) = left.swap_remove(next.expect("both players agree on an order"));
        for id in [&request.first_id, &request.second_id] {
            *played.entry(id).or_default() += 1;
        }
        order.push(request);
    }
    order
}

#[tokio::test]
async fn a_void_game_changes_nothing_and_is_answered_alike() {
    for fixture in fixtures().await {
        let (one, two) = (fixture.env.uuid(), fixture.env.uuid());
        let void = fixture.game(one, two, Verdict::Void);
        let answer = fixture.replica.apply(void.clone()).await.expect("applied");
        let first = answer.first.clone().expect("present");
        assert_eq!((first.rating, first.games, first.update_time), (1500.0, 0, None));
        assert_eq!(fixture.replica.rating(one).await, first);

        fixture.series(one, two, 3).await;
        let before = fixture.replica.rating(one).await;
        fixture.replica.apply(fixture.game(one, two, Verdict::Void)).await.expect("applied");
        assert_eq!(fixture.replica.rating(one).await, before);
        assert_eq!(fixture.replica.apply(void).await.expect("applied"), answer);
    }
}

/// A server's calls are tasks of the process, and its writer is dropped after them.
#[tokio::test]
async fn what_was_taken_is_finished_when_the_service_stops() {
    for fixture in fixtures().await {
        let (one, two) = (fixture.env.uuid(), fixture.env.uuid());
        let lifecycle = &fixture.replica.lifecycle;
        let under_way: Vec<_> = VERDICTS
            .map(|verdict| {
                let (replica, game) = (fixture.replica.clone(), fixture.game(one, two, verdict));
                lifecycle.run_detached(async move { replica.apply(game).await })
            })
            .into();
        lifecycle.drain(Duration::from_mins(5)).await;
        for outcome in join_all(under_way).await {
            outcome.expect("it is waited for").expect("it was taken before the stop");
        }
        let stored = fixture.another().await.rating(one).await.games;
        assert_eq!(usize::try_from(stored), Ok(VERDICTS.len()), "{}", fixture.kind());
        let late = fixture.replica.apply(fixture.game(one, two, Verdict::Draw)).await.expect_err("stopped");
        assert_eq!((late.code(), reason(&late).as_str()), (tonic::Code::Unavailable, "STOPPING"));
    }
}

/// Wherever the writer is cut off: what was answered is stored, and what was not is entered once when it comes again.
#[tokio::test]
async fn what_is_cut_off_is_stored_if_it_was_answered_and_can_come_again_if_it_was_not() {
    for fixture in fixtures().await {
        let (one, two) = (fixture.env.uuid(), fixture.env.uuid());
        let games = VERDICTS.map(|verdict| fixture.game(one, two, verdict));
        let calls = join_all(games.iter().map(|game| fixture.replica.apply(game.clone())));
        let (outcomes, ()) = futures::join!(calls, async {
            tokio::task::yield_now().await;
            fixture.replica.lifecycle.abort();
        });
        let other = fixture.another().await;
        let stored = usize::try_from(other.rating(one).await.games).expect("it fits");
        let answered = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
        assert!(answered <= stored, "{answered} were answered and {stored} are stored: {}", fixture.kind());
        for (game, outcome) in games.iter().zip(outcomes) {
            let again = other.apply(game.clone()).await.expect("applied");
            match outcome {
                Ok(answer) => assert_eq!(answer, again, "{}", fixture.kind()),
                Err(cut) => assert_eq!(reason(&cut), "STOPPING", "{cut:?}"),
            }
        }
        let stored = other.rating(one).await.games;
        assert_eq!(usize::try_from(stored), Ok(games.len()), "each once: {}", fixture.kind());
    }
}

/// Many in one call come out as each by itself, in their order; what is wrong with some touches no other.
#[tokio::test]
async fn many_results_at_once_come_out_as_one_by_one() {
    for fixture in fixtures().await {
        let players: Vec<Uuid> = (0..4).map(|_| fixture.env.uuid()).collect();
        let mut results: Vec<_> = (0..100)
            .map(|n| {
                fixture.time.advance(Duration::from_hours(5));
                fixture.game(players[n % 4], players[(n + 1 + n / 4 % 3) % 4], VERDICTS[n % 4])
            })
            .collect();
        let otherwise = ApplyResultRequest { verdict: Verdict::Void.into(), ..results[7].clone() };
        let again = results[3].clone();
        results[40].game_id.clear();
        results.insert(20, again);
        results.insert(60, otherwise);
        let refusals = fixture.replica.apply_all(results.clone()).await.expect("applied");
        let refused: Vec<_> = refusals.iter().map(|it| (it.index, it.reason.as_str())).collect();
        assert_eq!(refused, [(41, "BAD_ID"), (60, "BAD_RESULT")], "{refusals:?}");
        assert!(refusals[1].message.contains("already rated"), "{refusals:?}");

        let alone = fixtures().await.swap_remove(0);
        alone.time.set(fixture.env.now());
        for result in &results {
            let _refused_or_not = alone.replica.apply(result.clone()).await;
        }
        for player in &players {
            assert_eq!(fixture.replica.rating(*player).await, alone.replica.rating(*player).await);
        }
        // The same once more, by another replica, changes nothing.
        let stands = fixture.replica.rating(players[0]).await;
        assert_eq!(fixture.another().await.apply_all(results).await.expect("applied"), refusals);
        assert_eq!(fixture.replica.rating(players[0]).await, stands);
        assert_eq!(fixture.replica.apply_all(Vec::new()).await.expect("nothing is to be done"), []);
    }
}
