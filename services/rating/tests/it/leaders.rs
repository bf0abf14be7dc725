//! The leaderboard: order, pages, and who is left out.

use std::{collections::BTreeSet, time::Duration};

use api::{
    board::v1::Verdict,
    clock::v1::SpeedClass,
    rating::v1::{
        GetPolicyRequest, ListLeadersRequest, ListLeadersResponse, ListRatingsRequest, PolicyCase, Rating,
    },
};
use futures::future::join_all;
use uuid::Uuid;

use crate::fixture::{Fixture, fixtures, without_history};

async fn page(fixture: &Fixture, page_token: String, provisional: bool) -> ListLeadersResponse {
    let request = ListLeadersRequest {
        variant: "go".to_owned(),
        speed_class: SpeedClass::Blitz.into(),
        page_size: 3,
        page_token,
        provisional,
        ..ListLeadersRequest::default()
    };
    fixture.replica.public.clone().list_leaders(request).await.expect("listed").into_inner()
}

/// Every page after another, with something done after each.
async fn all<F: AsyncFn()>(fixture: &Fixture, between: F) -> Vec<Rating> {
    let mut leaders = Vec::new();
    let mut token = String::new();
    loop {
        let answer = page(fixture, token, false).await;
        leaders.extend(answer.leaders);
        token = answer.next_page_token;
        if token.is_empty() {
            return leaders;
        }
        between().await;
    }
}

/// Pairs of settled players. Both of a pair end with nearly the same rating; pairs of equal history have
/// exactly the same ones, so that the account decides.
async fn settled(fixture: &Fixture, pairs: usize) -> Vec<Uuid> {
    let mut players = Vec::new();
    for _ in 0..pairs {
        let (one, two) = (fixture.env.uuid(), fixture.env.uuid());
        let start = fixture.env.now();
        fixture.series(one, two, 24).await;
        fixture.time.set(start);
        players.extend([one, two]);
    }
    fixture.time.advance(Duration::from_hours(24));
    players
}

#[tokio::test]
async fn leaders_come_highest_first_once_each_and_settled() {
    for fixture in fixtures().await {
        let players = settled(&fixture, 4).await;
        let (newcomer, victim) = (fixture.env.uuid(), fixture.env.uuid());
        fixture.replica.apply(fixture.game(newcomer, victim, Verdict::FirstWins)).await.expect("applied");
        assert!(fixture.replica.rating(newcomer).await.provisional);

        let leaders = all(&fixture, async || {}).await;
        let ids: Vec<Uuid> =
            leaders.iter().map(|leader| leader.account_id.parse().expect("an account")).collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>(), players.iter().collect(), "{}", fixture.kind());
        assert!(leaders.iter().all(|leader| !leader.provisional && leader.deviation <= 110.0));
        let places: Vec<_> = leaders.iter().zip(&ids).map(|(leader, id)| (leader.rating, *id)).collect();
        assert!(places.is_sorted_by(|higher, lower| higher > lower), "{places:?}");
        assert!(places.windows(2).any(|two| two[0].0 == two[1].0), "equal ratings are met");
        // By walking and by counting everybody stands at the same rank, also those who stand level.
        let ranks: Vec<u32> = leaders.iter().map(|it| it.standing.as_ref().expect("ranked").rank).collect();
        let higher = |rating: f64| places.iter().filter(|(other, _)| *other > rating).count();
        let expected: Vec<u32> =
            places.iter().map(|(rating, _)| u32::try_from(higher(*rating) + 1).expect("few")).collect();
        assert_eq!(ranks, expected, "{}", fixture.kind());
        for (leader, id) in leaders.iter().zip(&ids) {
            assert_eq!(
                without_history(leader.clone()),
                fixture.replica.rating(*id).await,
                "{}",
                fixture.kind()
            );
            assert_eq!(leader.standing.as_ref().expect("ranked").ranked, 8);
            assert!(leader.estimated_grade.is_some(), "{}", leader.rating);
        }
        // Those who are provisional stand apart, without a rank or a grade.
        let apart = page(&fixture, String::new(), true).await.leaders;
        let of: Vec<_> = apart.iter().map(|it| it.account_id.clone()).collect();
        assert_eq!(of, [newcomer.to_string(), victim.to_string()], "{}", fixture.kind());
        assert!(apart.iter().all(|it| it.standing.is_none() && it.estimated_grade.is_none()));
        assert_eq!(fixture.replica.rating(newcomer).await, without_history(apart[0].clone()));
    }
}

#[tokio::test]
async fn who_does_not_move_is_met_once_whatever_else_moves() {
    for fixture in fixtures().await {
        let players = settled(&fixture, 4).await;
        let (restless, still) = players.split_at(2);
        let leaders = all(&fixture, async || fixture.series(restless[0], restless[1], 1).await).await;
        for player in still {
            let met = leaders.iter().filter(|leader| leader.account_id == player.to_string()).count();
            assert_eq!(met, 1, "{}", fixture.kind());
        }
    }
}

#[tokio::test]
async fn who_stays_away_is_no_longer_ranked() {
    for fixture in fixtures().await {
        let players = settled(&fixture, 2).await;
        fixture.time.advance(Duration::from_hours(24 * 30));
        fixture.series(players[0], players[1], 2).await;
        let mut numbers = BTreeSet::new();
        for _ in 0..50 {
            fixture.time.advance(Duration::from_hours(24 * 8));
            let ranked: BTreeSet<String> =
                all(&fixture, async || {}).await.into_iter().map(|leader| leader.account_id).collect();
            let ratings = join_all(players.iter().map(|player| fixture.replica.rating(*player))).await;
            let settled = ratings.into_iter().filter(|rating| !rating.provisional);
            assert_eq!(ranked, settled.map(|rating| rating.account_id).collect(), "{}", fixture.kind());
            numbers.insert(ranked.len());
        }
        assert_eq!(numbers, BTreeSet::from([0, 2, 4]), "first one pair drops out, then the other");
    }
}

#[tokio::test]
async fn all_ratings_of_a_player_are_listed_by_variant_and_speed() {
    for fixture in fixtures().await {
        let (one, two) = (fixture.env.uuid(), fixture.env.uuid());
        for (variant, speed) in [
            ("go9", SpeedClass::Rapid),
            ("go-19", SpeedClass::Rapid),
            ("go", SpeedClass::Classical),
            ("go", SpeedClass::Blitz),
        ] {
            let mut game = fixture.game(one, two, Verdict::FirstWins);
            (game.variant, game.speed_class) = (variant.to_owned(), speed.into());
            fixture.replica.apply(game).await.expect("applied");
        }
        let request = ListRatingsRequest { account_id: one.to_string() };
        let answer = fixture.replica.public.clone().list_ratings(request).await.expect("listed").into_inner();
        let found: Vec<_> =
            answer.ratings.iter().map(|rating| (rating.variant.as_str(), rating.speed_class())).collect();
        assert_eq!(
            found,
            [
                ("go", SpeedClass::Blitz),
                ("go", SpeedClass::Classical),
                ("go-19", SpeedClass::Rapid),
                ("go9", SpeedClass::Rapid)
            ]
        );
        assert!(answer.ratings.iter().all(|rating| rating.games == 1 && rating.name == "Shusaku"));
        assert_eq!(without_history(answer.ratings[0].clone()), fixture.replica.rating(one).await);
    }
}

#[tokio::test]
async fn players_are_counted_anew_when_the_count_is_old() {
    for fixture in fixtures().await {
        let players = settled(&fixture, 2).await;
        let standing = async |player| fixture.replica.rating(player).await.standing.expect("ranked");
        let first = standing(players[0]).await;
        assert_eq!((first.ranked, first.percentile > 0.0), (4, true), "{}", fixture.kind());
        // Who has come since is not among the others yet, and ranks move with him at once where he stands.
        let more = settled(&fixture, 1).await;
        assert_eq!(standing(more[0]).await.ranked, 6, "{}: a day is long", fixture.kind());
        assert_eq!(standing(players[0]).await.ranked, 6, "{}", fixture.kind());
        fixture.time.advance(Duration::from_secs(10));
        let again = standing(more[0]).await;
        assert_eq!(again.count_time, standing(players[0]).await.count_time, "{}: it is kept", fixture.kind());
    }
}

#[tokio::test]
async fn what_is_rated_is_said_of_every_case() {
    let fixture = fixtures().await.remove(0);
    let policy =
        fixture.replica.public.clone().get_policy(GetPolicyRequest {}).await.expect("told").into_inner();
    let cases: BTreeSet<i32> = policy.rules.iter().map(|rule| rule.case).collect();
    let every: BTreeSet<i32> =
        (1..1_000).take_while(|number| PolicyCase::try_from(*number).is_ok()).collect();
    assert_eq!((cases, policy.rules.len()), (every.clone(), every.len()));
    let parameters = policy.parameters.expect("they are told");
    let nobody = fixture.replica.rating(fixture.env.uuid()).await;
    assert_eq!((parameters.initial_rating, parameters.initial_deviation), (nobody.rating, nobody.deviation));
}
