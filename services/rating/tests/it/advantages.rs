//! What the first move and handicap stones are worth: said before it holds, estimated from results, and told to everybody.

use std::time::Duration;

use api::{
    board::v1::Verdict,
    rating::v1::{Advantage as Told, ApplyResultRequest, GetPolicyRequest},
};
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};
use rating::{
    admin::{Found, LEAD, NotSet, Worths},
    audit::Audit,
    core::{
        advantage::{Advantage, Edition},
        category::Variant,
    },
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::fixture::{Fixture, fixtures};

fn edition(from: OffsetDateTime, first_move: f64, stone: f64) -> Edition {
    let variant = Variant::parse("go").expect("a name");
    Edition { variant, from, advantage: Advantage::new(first_move, stone).expect("in range"), games: 7 }
}

async fn worths(fixture: &Fixture) -> Worths {
    Worths::open(fixture.database(), &fixture.env).await.expect("it opens")
}

async fn told(fixture: &Fixture) -> Vec<Told> {
    let policy = fixture.replica.public.clone().get_policy(GetPolicyRequest {}).await.expect("told");
    policy.into_inner().advantages
}

/// By how much the first side rises and the second falls by a game between two newcomers that the first wins.
async fn moved(fixture: &Fixture, handicap: u32) -> [f64; 2] {
    let [one, two] = [(); 2].map(|()| fixture.env.uuid());
    let game = ApplyResultRequest { handicap, ..fixture.game(one, two, Verdict::FirstWins) };
    let after = fixture.replica.apply(game).await.expect("applied");
    [after.first, after.second].map(|rating| rating.expect("told").rating - 1500.0)
}

#[tokio::test]
async fn it_holds_for_the_games_that_end_from_its_moment_on() {
    for fixture in fixtures().await {
        let worths = worths(&fixture).await;
        assert_eq!(told(&fixture).await, [], "{}", fixture.kind());
        let [even, behind] = moved(&fixture, 0).await;
        assert!((even + behind).abs() < 1e-9, "nothing is said of the first move");
        let [with_stones, _] = moved(&fixture, 4).await;
        assert!(
            0.0 < with_stones && with_stones < even * 0.8,
            "{with_stones}: 231 points were expected to help"
        );

        let from = fixture.env.now() + LEAD;
        let early = edition(from - Duration::from_micros(1), 50.0, 70.0);
        let refused = worths.set(&early).await.expect_err("it is too soon");
        assert!(matches!(refused, NotSet::TooSoon(earliest) if earliest == from), "{refused}");
        worths.set(&edition(from, 50.0, 0.0)).await.expect("it is in time");
        let refused = worths.set(&edition(from, 60.0, 70.0)).await.expect_err("something is said");
        assert!(matches!(refused, NotSet::Said), "{refused}");
        let [held] = told(&fixture).await.try_into().expect("one is told");
        assert_eq!((held.variant.as_str(), held.first_move, held.stone, held.games), ("go", 50.0, 0.0, 7));

        assert_eq!(moved(&fixture, 0).await, [even, behind], "not yet");
        fixture.time.set(from);
        let [ahead, after] = moved(&fixture, 0).await;
        assert!(ahead < even && after > behind && (ahead + after).abs() < 1e-9, "{ahead} is expected sooner");
        assert_eq!(moved(&fixture, 4).await, [even, behind], "stones are worth nothing now");
        let unfounded = Audit::new(fixture.database().clone()).unfounded().await.expect("it is read");
        assert_eq!(unfounded, [], "{}", fixture.kind());
    }
}

/// Games of ten players of one strength, of whom the first wins three of four: without a handicap and with one of three.
async fn play(fixture: &Fixture, games: usize) {
    let mut rng = StdRng::seed_from_u64(5);
    let players: Vec<Uuid> = (0..10).map(|_| fixture.env.uuid()).collect();
    let mut told = Vec::new();
    for number in 0..games {
        fixture.time.advance(Duration::from_mins(10));
        let one = rng.random_range(0..players.len());
        let other = (one + rng.random_range(1..players.len())) % players.len();
        let verdict = if rng.random_bool(0.75) { Verdict::FirstWins } else { Verdict::SecondWins };
        let game = fixture.game(players[one], players[other], verdict);
        told.push(ApplyResultRequest { handicap: if number % 2 == 0 { 0 } else { 3 }, ..game });
    }
    for results in told.chunks(100) {
        assert_eq!(fixture.replica.apply_all(results.to_vec()).await.expect("applied"), []);
    }
}

#[tokio::test]
async fn it_is_estimated_from_the_games_of_settled_players() {
    for fixture in fixtures().await {
        let worths = worths(&fixture).await;
        assert_eq!(worths.estimate(None, |_| {}).await.expect("read"), []);
        play(&fixture, 1_200).await;
        let read = std::sync::atomic::AtomicU64::new(0);
        let progress = |games| read.store(games, std::sync::atomic::Ordering::Relaxed);
        let found = worths.estimate(None, progress).await.expect("read");
        let [Found { variant, estimate, holds }] = found.try_into().expect("one variant");
        assert_eq!((variant.as_str(), holds, read.into_inner()), ("go", Advantage::INITIAL, 1_200));
        // Three of four are 191 points; with three stones they are two and a half times what one is worth.
        let [first_move, stone] = [estimate.first_move, estimate.stone];
        assert!((first_move.points - 191.0).abs() < 3.5 * first_move.deviation, "{first_move:?}");
        assert!((stone.points - 191.0 / 2.5).abs() < 3.5 * stone.deviation, "{stone:?}");
        // The first games of each are those of somebody provisional.
        assert!((500..600).contains(&first_move.games) && (500..600).contains(&stone.games), "{estimate:?}");
        let other = Variant::parse("jiu").expect("a name");
        assert_eq!(worths.estimate(Some(&other), |_| {}).await.expect("read"), []);
    }
}

#[tokio::test]
async fn a_handicap_of_more_than_nine_is_none() {
    let fixture = fixtures().await.swap_remove(0);
    for handicap in [10, 256, u32::MAX] {
        let game = fixture.game(fixture.env.uuid(), fixture.env.uuid(), Verdict::Draw);
        let refused =
            fixture.replica.apply(ApplyResultRequest { handicap, ..game }).await.expect_err("refused");
        assert_eq!(api::error::reason(&refused), "BAD_RESULT", "{handicap}");
    }
}
