//! Ratings by all games of a small pool, worked out in the background.

use std::time::Duration;

use api::{
    board::v1::Verdict,
    clock::v1::SpeedClass,
    rating::v1::{
        ApplyResultRequest, GetGraphRequest, GetRatingRequest, HistoryPoint, HistoryRating,
        ListLeadersRequest, Rating,
    },
    time::timestamp,
};
use strength::{
    Score,
    whr::{Game, History, Parameters},
};
use uuid::Uuid;

use crate::fixture::{Fixture, Replica, fixtures};

async fn rating(replica: &Replica, account: Uuid, variant: &str) -> Rating {
    let request = GetRatingRequest {
        account_id: account.to_string(),
        variant: variant.to_owned(),
        speed_class: SpeedClass::Blitz.into(),
        without_standing: false,
    };
    replica.public.clone().get_rating(request).await.expect("told").into_inner().rating.expect("present")
}

/// Where somebody stands by the history as a replica that has just started works it out.
async fn worked_out(replica: &Replica, account: Uuid, variant: &str) -> HistoryRating {
    let found = async {
        loop {
            if let Some(found) = rating(replica, account, variant).await.by_history {
                return found;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), found).await.expect("it is worked out at the start")
}

async fn curve(replica: &Replica, account: Uuid, steps: u32) -> Vec<HistoryPoint> {
    let request = GetGraphRequest {
        account_id: account.to_string(),
        variant: "go".to_owned(),
        speed_class: SpeedClass::Blitz.into(),
        steps,
        ..GetGraphRequest::default()
    };
    replica.public.clone().get_graph(request).await.expect("told").into_inner().by_history
}

/// Two games a day between three players, the first of whom beats the second, and he the third, until one of these is drawn.
async fn play(fixture: &Fixture, days: u32) -> [Uuid; 3] {
    let players = [(); 3].map(|()| fixture.env.uuid());
    for day in 0..days {
        fixture.time.advance(Duration::from_hours(24));
        let verdict = if day + 1 == days { Verdict::Draw } else { Verdict::FirstWins };
        for game in
            [(players[0], players[1], Verdict::FirstWins), (players[2], players[1], Verdict::SecondWins)]
        {
            let verdict = if verdict == Verdict::Draw { Verdict::Draw } else { game.2 };
            fixture.replica.apply(fixture.game(game.0, game.1, verdict)).await.expect("applied");
        }
    }
    players
}

#[tokio::test]
async fn a_small_pool_is_told_by_all_of_its_games() {
    for fixture in fixtures().await {
        let players = play(&fixture, 10).await;
        let replica = fixture.another().await;
        let told = worked_out(&replica, players[0], "go").await;

        // The same by hand: squared points a day as Glicko-2 has it with the volatility of the beginning.
        let game = |first, second, score, day| Game { first, second, day, score, advantage: 0.0 };
        let games: Vec<Game> = (0..10)
            .flat_map(|day| {
                let [won, lost] =
                    if day == 9 { [Score::Draw, Score::Draw] } else { [Score::Win, Score::Loss] };
                [game(0, 1, won, day), game(2, 1, lost, day)]
            })
            .collect();
        let a_day = (0.06_f64 * 173.7178).powi(2) / (4.0 + 2.0 / 3.0);
        let parameters = Parameters { variance_a_day: a_day, ..Parameters::default() };
        let mut history = History::new(3, &games, parameters).expect("sound");
        history.settle(1e-9, 100_000);
        let expected = history.curve(0);
        let last = expected.last().expect("ten days");
        assert!((told.rating - 1500.0 - last.rating).abs() < 0.1, "{told:?} is not {last:?}");
        assert!((told.deviation - last.deviation).abs() < 0.1, "{told:?} is not {last:?}");
        assert_eq!(told.read_time, Some(timestamp(fixture.env.now())));
        assert!(told.grade.is_some_and(|grade| (-6..=9).contains(&grade)), "{told:?}");

        let all = curve(&replica, players[0], 500).await;
        assert_eq!(all.len(), 10, "{}", fixture.kind());
        for (point, expected) in all.iter().zip(&expected) {
            assert!((point.rating - 1500.0 - expected.rating).abs() < 0.1, "{point:?} is not {expected:?}");
        }
        let few = curve(&replica, players[0], 4).await;
        assert_eq!((few.len(), few.last()), (4, all.last()), "evenly, the newest among them");
        fixture.time.advance(Duration::from_hours(24 * 365));
        let later = worked_out(&replica, players[0], "go").await;
        assert!(later.rating == told.rating && later.deviation > told.deviation, "he was away");
        let request = ListLeadersRequest {
            variant: "go".to_owned(),
            speed_class: SpeedClass::Blitz.into(),
            provisional: true,
            ..ListLeadersRequest::default()
        };
        let leaders = replica.public.clone().list_leaders(request).await.expect("told").into_inner().leaders;
        assert!(leaders.len() == 3 && leaders.iter().all(|it| it.by_history.is_some()), "{leaders:?}");
    }
}

#[tokio::test]
async fn a_correction_changes_it_and_a_large_pool_has_none() {
    for fixture in fixtures().await {
        let players = play(&fixture, 3).await;
        let before = worked_out(&fixture.another().await, players[0], "go").await;
        let game = fixture.game(players[0], players[1], Verdict::FirstWins);
        fixture.replica.apply(game.clone()).await.expect("applied");
        let won = worked_out(&fixture.another().await, players[0], "go").await;
        assert!(won.rating > before.rating);
        let corrected = ApplyResultRequest { verdict: Verdict::Void.into(), sequence: 2, ..game };
        fixture.replica.apply(corrected).await.expect("applied");
        let after = worked_out(&fixture.another().await, players[0], "go").await;
        assert!((after.rating - before.rating).abs() < 0.01, "{after:?} is not {before:?}");

        let mut games = Vec::new();
        for _ in 0..250 {
            games.push(fixture.game(fixture.env.uuid(), fixture.env.uuid(), Verdict::Draw));
        }
        let small = fixture.game(players[0], players[1], Verdict::Draw);
        games.push(ApplyResultRequest { variant: "jiu".to_owned(), ..small });
        for games in games.chunks(100) {
            assert_eq!(fixture.replica.apply_all(games.to_vec()).await.expect("applied"), []);
        }
        let replica = fixture.another().await;
        let jiu = worked_out(&replica, players[0], "jiu").await;
        assert!((jiu.rating - 1500.0).abs() < 0.01 && jiu.grade.is_none(), "{jiu:?}");
        assert_eq!(rating(&replica, players[0], "go").await.by_history, None, "503 have a rating");
        assert_eq!(curve(&replica, players[0], 500).await, []);
    }
}
