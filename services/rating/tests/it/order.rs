//! Ratings follow from the games in their order, in whatever order these are told and by whichever replica.

use std::{collections::BTreeMap, time::Duration};

use api::{
    board::v1::Verdict,
    clock::v1::SpeedClass,
    rating::v1::{ApplyResultRequest, ListHistoryRequest, RatingChange},
    time::timestamp,
};
use futures::future::join_all;
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng, seq::SliceRandom as _};
use rating::{
    admin::Worths,
    audit::Audit,
    core::{
        advantage::{Advantage, Edition},
        category::Variant,
    },
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::fixture::{Fixture, Replica, fixtures};

const VERDICTS: [Verdict; 5] =
    [Verdict::FirstWins, Verdict::SecondWins, Verdict::Draw, Verdict::BothLose, Verdict::Void];

/// How a rating moved, newest first.
async fn history(replica: &Replica, account: Uuid) -> Vec<RatingChange> {
    let request = ListHistoryRequest {
        account_id: account.to_string(),
        variant: "go".to_owned(),
        speed_class: SpeedClass::Blitz.into(),
        page_size: 200,
        page_token: String::new(),
    };
    replica.public.clone().list_history(request).await.expect("listed").into_inner().changes
}

/// The same without why it was reckoned anew.
async fn moves(replica: &Replica, account: Uuid) -> Vec<RatingChange> {
    let history = history(replica, account).await;
    history.into_iter().map(|change| RatingChange { cause_game_id: String::new(), ..change }).collect()
}

pub(crate) async fn assert_founded(fixture: &Fixture) {
    let unfounded = Audit::new(fixture.database().clone()).unfounded().await.expect("it is read");
    assert_eq!(unfounded, [], "{}", fixture.kind());
}

async fn set_advantage(fixture: &Fixture, from: OffsetDateTime) {
    let worths = Worths::open(fixture.database(), &fixture.env).await.expect("it opens");
    let advantage = Advantage::new(35.0, 80.0).expect("in range");
    let variant = Variant::parse("go").expect("a name");
    worths.set(&Edition { variant, from, advantage, games: 0 }).await.expect("it is said in time");
}

/// A world of games whose ends are close, with corrections of some, in their order.
fn games(fixture: &Fixture, players: &[Uuid], rng: &mut StdRng) -> Vec<Vec<ApplyResultRequest>> {
    let began = fixture.env.now();
    (0..60)
        .map(|_| {
            let one = rng.random_range(0..players.len());
            let other = (one + rng.random_range(1..players.len())) % players.len();
            let ended = began + Duration::from_hours(24) * rng.random_range(0..40);
            let handicap = rng.random_range(0..18_u32).saturating_sub(8);
            let telling = |sequence, verdict| ApplyResultRequest {
                end_time: Some(timestamp(ended)),
                sequence,
                handicap,
                ..fixture.game(players[one], players[other], verdict)
            };
            let verdict = |rng: &mut StdRng| VERDICTS[rng.random_range(0..VERDICTS.len())];
            let first = telling(7, verdict(rng));
            let corrections = (0..rng.random_range(0..6_u64) / 4).map(|n| ApplyResultRequest {
                verdict: verdict(rng).into(),
                sequence: 9 + n,
                ..first.clone()
            });
            let corrections: Vec<_> = corrections.collect();
            [vec![first], corrections].concat()
        })
        .collect()
}

/// Told in any order, by two replicas at once, some of them twice, they come to the same as told in their order.
#[tokio::test(flavor = "multi_thread")]
async fn whatever_the_order_in_which_games_are_told_the_ratings_are_the_same_to_the_last_bit() {
    for seed in 0..4 {
        for fixture in fixtures().await {
            let mut rng = StdRng::seed_from_u64(seed);
            let players: Vec<Uuid> = (0..5).map(|_| fixture.env.uuid()).collect();
            let games = games(&fixture, &players, &mut rng);
            // What holds from a moment on in the middle of them.
            let from = fixture.env.now() + Duration::from_hours(24 * 20);
            set_advantage(&fixture, from).await;
            fixture.time.advance(Duration::from_hours(24 * 50));

            let mut told: Vec<ApplyResultRequest> = games.concat();
            told.extend(games.iter().filter_map(|tellings| tellings.first().cloned()).take(10));
            told.shuffle(&mut rng);
            let replicas = [fixture.replica.clone(), fixture.another().await];
            let calls = told.chunks(7).zip(replicas.iter().cycle()).map(|(results, replica)| {
                let (replica, results) = (replica.clone(), results.to_vec());
                tokio::spawn(async move { replica.apply_all(results).await })
            });
            for refusals in join_all(calls.collect::<Vec<_>>()).await {
                assert_eq!(refusals.expect("no panic").expect("applied"), [], "seed {seed}");
            }

            let alone = fixtures().await.swap_remove(0);
            set_advantage(&alone, from).await;
            alone.time.set(fixture.env.now());
            // What each came to in the end, in the order of the ends and then of the ids.
            let mut last: Vec<&ApplyResultRequest> =
                games.iter().filter_map(|tellings| tellings.last()).collect();
            let place = |it: &&ApplyResultRequest| {
                let end = it.end_time.expect("ours");
                (end.seconds, end.nanos, it.game_id.parse::<Uuid>().expect("ours"))
            };
            last.sort_by_key(place);
            for result in last {
                alone.replica.apply(result.clone()).await.expect("applied");
            }
            for player in &players {
                let (ours, theirs) = (&fixture.replica, &alone.replica);
                assert_eq!(ours.rating(*player).await, theirs.rating(*player).await, "seed {seed}");
                assert_eq!(moves(ours, *player).await, moves(theirs, *player).await, "seed {seed}");
            }
            assert_founded(&fixture).await;
            assert_founded(&alone).await;
        }
    }
}

#[tokio::test]
async fn who_is_rated_anew_is_told_for_the_sake_of_which_game() {
    for fixture in fixtures().await {
        let [one, two, three, four] = [(); 4].map(|()| fixture.env.uuid());
        let late = fixture.game(one, two, Verdict::FirstWins);
        fixture.time.advance(Duration::from_hours(1));
        let games = [
            fixture.game(two, three, Verdict::Draw),
            fixture.game(three, four, Verdict::FirstWins),
            fixture.game(four, one, Verdict::BothLose),
        ];
        let mut told = Vec::new();
        for game in &games {
            fixture.time.advance(Duration::from_hours(1));
            let game = ApplyResultRequest { end_time: Some(timestamp(fixture.env.now())), ..game.clone() };
            told.push(fixture.replica.apply(game).await.expect("applied"));
        }
        let before = fixture.replica.rating(four).await;
        fixture.replica.apply(late.clone()).await.expect("applied");
        assert_ne!(fixture.replica.rating(four).await.rating, before.rating, "it has come down to him");
        let causes = async |player: Uuid| -> BTreeMap<String, String> {
            let history = history(&fixture.replica, player).await;
            history.into_iter().map(|change| (change.game_id, change.cause_game_id)).collect()
        };
        let [first, second, third] = games.each_ref().map(|game| game.game_id.clone());
        let (anew, not) = (late.game_id.clone(), String::new());
        assert_eq!(causes(one).await, [(late.game_id.clone(), not), (third.clone(), anew.clone())].into());
        assert_eq!(causes(three).await, [(first, anew.clone()), (second.clone(), anew.clone())].into());
        assert_eq!(causes(four).await, [(second, anew.clone()), (third, anew)].into());
        assert_founded(&fixture).await;
    }
}

/// Who has played nothing but what came to nothing after all has not played, and is in no list.
#[tokio::test]
async fn a_game_that_is_annulled_leaves_no_trace_in_the_ratings() {
    for fixture in fixtures().await {
        let [one, two] = [(); 2].map(|()| fixture.env.uuid());
        let game = fixture.game(one, two, Verdict::FirstWins);
        fixture.replica.apply(game.clone()).await.expect("applied");
        let annulled = ApplyResultRequest { verdict: Verdict::Void.into(), sequence: 3, ..game.clone() };
        fixture.replica.apply(annulled.clone()).await.expect("applied");
        for player in [one, two] {
            let rating = fixture.replica.rating(player).await;
            assert_eq!((rating.rating, rating.games, rating.update_time), (1500.0, 0, None));
            assert_eq!(history(&fixture.replica, player).await, []);
        }
        // The first telling, once more, is old.
        fixture.replica.apply(game.clone()).await.expect("applied");
        assert_eq!(fixture.replica.rating(one).await.games, 0);
        let upheld = ApplyResultRequest { sequence: 5, ..game };
        fixture.replica.apply(upheld).await.expect("applied");
        assert_eq!(fixture.replica.rating(one).await.games, 1, "the committee has thought again");
        assert_founded(&fixture).await;
    }
}
