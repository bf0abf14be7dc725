//! With what players begin who have a rating of something alike.

use std::time::Duration;

use api::{
    board::v1::Verdict,
    clock::v1::SpeedClass,
    rating::v1::{ApplyResultRequest, GetRatingRequest, ListHistoryRequest, Rating, RatingChange},
    time::timestamp,
};
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng, seq::SliceRandom as _};
use rating::audit::Audit;
use uuid::Uuid;

use crate::fixture::{Fixture, fixtures};

async fn rating(fixture: &Fixture, account: Uuid, variant: &str, speed: SpeedClass) -> Rating {
    let request = GetRatingRequest {
        account_id: account.to_string(),
        variant: variant.to_owned(),
        speed_class: speed.into(),
        without_standing: false,
    };
    let answer = fixture.replica.public.clone().get_rating(request).await.expect("told").into_inner();
    answer.rating.expect("a rating")
}

async fn changes(fixture: &Fixture, account: Uuid, variant: &str) -> Vec<RatingChange> {
    let request = ListHistoryRequest {
        account_id: account.to_string(),
        variant: variant.to_owned(),
        speed_class: SpeedClass::Blitz.into(),
        ..ListHistoryRequest::default()
    };
    fixture.replica.public.clone().list_history(request).await.expect("listed").into_inner().changes
}

fn on(variant: &str, game: ApplyResultRequest) -> ApplyResultRequest {
    ApplyResultRequest { variant: variant.to_owned(), ..game }
}

#[tokio::test]
async fn many_are_told_as_each_is_told_alone() {
    for fixture in fixtures().await {
        let players = [fixture.env.uuid(), fixture.env.uuid(), fixture.env.uuid()];
        fixture.series(players[0], players[1], 24).await;
        let begun = on("go-9", fixture.game(players[0], players[2], Verdict::SecondWins));
        fixture.replica.apply(begun).await.expect("applied");
        fixture.time.advance(Duration::from_hours(24 * 40));
        let categories = [
            ("go", SpeedClass::Blitz),
            ("go-9", SpeedClass::Blitz),
            ("go-9", SpeedClass::Rapid),
            ("jiu", SpeedClass::Blitz),
        ];
        let mut keys: Vec<(Uuid, &str, SpeedClass)> = Vec::new();
        for (variant, speed) in categories {
            keys.extend(players.iter().chain([&fixture.env.uuid()]).map(|player| (*player, variant, speed)));
        }
        // Twice the same is told twice.
        keys.push(keys[0]);
        let told = fixture.replica.look_up(&keys).await.expect("told");
        assert_eq!(told.len(), keys.len(), "{}", fixture.kind());
        for ((account, variant, speed), told) in keys.into_iter().zip(told) {
            let alone = rating(&fixture, account, variant, speed).await;
            assert_eq!(told, Rating { standing: None, ..alone }, "{} {variant}", fixture.kind());
        }
        assert_eq!(fixture.replica.look_up(&[]).await.expect("told"), [], "{}", fixture.kind());
    }
}

#[tokio::test]
async fn who_is_known_on_one_board_begins_on_another_with_what_he_is() {
    for fixture in fixtures().await {
        let (one, two, newcomer) = (fixture.env.uuid(), fixture.env.uuid(), fixture.env.uuid());
        fixture.series(one, two, 24).await;
        let known = rating(&fixture, one, "go", SpeedClass::Blitz).await;
        assert!(!known.provisional && known.rating != 1500.0, "{}", fixture.kind());
        let begins = rating(&fixture, one, "go-9", SpeedClass::Rapid).await;
        assert_eq!(
            (begins.rating, begins.deviation, begins.games),
            (known.rating, 200.0, 0),
            "{}",
            fixture.kind()
        );
        assert!(begins.provisional && begins.update_time.is_none());
        let elsewhere = rating(&fixture, one, "jiu", SpeedClass::Blitz).await;
        assert_eq!((elsewhere.rating, elsewhere.deviation), (1500.0, 350.0), "{}", fixture.kind());

        let game = on("go-9", fixture.game(one, newcomer, Verdict::SecondWins));
        fixture.replica.apply(game.clone()).await.expect("applied");
        let first = &changes(&fixture, one, "go-9").await[0];
        assert_eq!(
            (first.rating_before, first.opponent_rating),
            (known.rating, 1500.0),
            "{}",
            fixture.kind()
        );
        assert!(first.rating_after < known.rating);
        assert_eq!(
            rating(&fixture, one, "go", SpeedClass::Blitz).await.rating,
            known.rating,
            "{}",
            fixture.kind()
        );

        // What he began with stays, whatever becomes of his other rating and of the game.
        fixture.series(one, two, 3).await;
        let void = ApplyResultRequest { sequence: 9, verdict: Verdict::Void.into(), ..game };
        fixture.replica.apply(void).await.expect("annulled");
        let begins = rating(&fixture, one, "go-9", SpeedClass::Blitz).await;
        assert_eq!(
            (begins.rating, begins.deviation, begins.games),
            (known.rating, 200.0, 0),
            "{}",
            fixture.kind()
        );
        let unfounded = Audit::new(fixture.database().clone()).unfounded().await.expect("it is read");
        assert_eq!(unfounded, [], "{}", fixture.kind());
    }
}

/// Games of several boards, told in any order and corrected, follow from what is kept.
#[tokio::test]
async fn what_begins_with_seeds_follows_from_them_in_whatever_order_it_is_told() {
    for number in 0..3 {
        for fixture in fixtures().await {
            let mut rng = StdRng::seed_from_u64(number);
            let players: Vec<Uuid> = (0..4).map(|_| fixture.env.uuid()).collect();
            fixture.series(players[0], players[1], 24).await;
            fixture.series(players[2], players[3], 24).await;
            let began = fixture.env.now();
            fixture.time.advance(Duration::from_hours(24 * 50));
            let mut told = Vec::new();
            for _ in 0..60 {
                let one = rng.random_range(0..players.len());
                let other = (one + rng.random_range(1..players.len())) % players.len();
                let variant = ["go", "go-9", "go-13", "jiu"][rng.random_range(0..4)];
                let ended = began + Duration::from_hours(24) * rng.random_range(0..40);
                let verdict = [Verdict::FirstWins, Verdict::Draw, Verdict::Void][rng.random_range(0..3)];
                let game = on(variant, fixture.game(players[one], players[other], verdict));
                let game = ApplyResultRequest { end_time: Some(timestamp(ended)), sequence: 1, ..game };
                let corrected =
                    ApplyResultRequest { verdict: Verdict::SecondWins.into(), sequence: 2, ..game.clone() };
                told.push(game);
                if rng.random_bool(0.3) {
                    told.push(corrected);
                }
            }
            told.shuffle(&mut rng);
            for results in told.chunks(13) {
                let refused = fixture.replica.apply_all(results.to_vec()).await.expect("applied");
                assert_eq!(refused, [], "{}", fixture.kind());
            }
            let unfounded = Audit::new(fixture.database().clone()).unfounded().await.expect("it is read");
            assert_eq!(unfounded, [], "{}", fixture.kind());
            for player in players {
                let small = changes(&fixture, player, "go-9").await;
                let first = small.last().expect("he has played there");
                assert!(first.rating_before != 1500.0, "{}: he was known", fixture.kind());
            }
        }
    }
}

/// A seed that was found while a game was annulled holds for that game, too, when it counts after all.
#[tokio::test]
async fn what_one_began_with_holds_for_a_game_that_counts_again() {
    for fixture in fixtures().await {
        let [one, two, third] = [(); 3].map(|()| fixture.env.uuid());
        let told = |game: &ApplyResultRequest, sequence, verdict: Verdict| ApplyResultRequest {
            sequence,
            verdict: verdict.into(),
            ..game.clone()
        };
        let first = on("go-9", fixture.game(one, third, Verdict::FirstWins));
        fixture.replica.apply(told(&first, 1, Verdict::FirstWins)).await.expect("applied");
        assert_eq!(changes(&fixture, one, "go-9").await[0].rating_before, 1500.0, "{}", fixture.kind());
        fixture.series(one, two, 25).await;
        fixture.replica.apply(told(&first, 2, Verdict::Void)).await.expect("annulled");
        fixture.time.advance(Duration::from_hours(1));
        let second = on("go-9", fixture.game(one, third, Verdict::Draw));
        fixture.replica.apply(second).await.expect("applied");
        let began = changes(&fixture, one, "go-9").await[0].rating_before;
        assert!(began != 1500.0, "{}: he was known by then", fixture.kind());
        fixture.replica.apply(told(&first, 3, Verdict::SecondWins)).await.expect("it counts after all");
        let changes = changes(&fixture, one, "go-9").await;
        assert_eq!((changes.len(), changes[1].rating_before), (2, began), "{}", fixture.kind());
        let unfounded = Audit::new(fixture.database().clone()).unfounded().await.expect("it is read");
        assert_eq!(unfounded, [], "{}", fixture.kind());
    }
}
