//! How fast results go from the game service's outbox into committed ratings.

use std::time::Duration;

use anyhow::Context as _;
use api::{board::v1::Verdict, clock::v1::SpeedClass, rating::v1::ApplyResultRequest};
use chassis::{
    Database, Env,
    outbox::{Outbox, OutboxMessage},
};
use prost::Message as _;
use sea_orm::{ConnectionTrait as _, Statement};
use tests::{Platform, Shape, Store};
use tokio::time::Instant;

/// Results that are owed.
pub(crate) const RESULTS: usize = 50_000;
/// The same in a hurry.
pub(crate) const RESULTS_QUICK: usize = 10_000;
/// Who has played them.
const PLAYERS: usize = 2_000;
/// Entries that are written in one statement.
const CHUNK: usize = 1_000;
/// How long it may take before the measurement fails.
const PATIENCE: Duration = Duration::from_mins(5);
/// How often is looked.
const LOOK: Duration = Duration::from_millis(50);

/// Owes a platform that does not run so many results, starts it, and answers how many a second were rated from the first
/// to the last that was seen to be.
pub(crate) async fn rated(store: Store, results: usize) -> anyhow::Result<f64> {
    let mut platform = Platform::start(Shape::One, store).await?;
    anyhow::ensure!(platform.stop().await?.is_empty(), "the platform did not stop well");
    owe(&platform, results).await?;
    platform.restart("platform").await?;
    let ratings = Database::open(&platform.database_of("rating")).await?;
    let given_up = Instant::now() + PATIENCE;
    let (mut first, mut before) = (None, 0);
    loop {
        let now = rated_games(&ratings).await?;
        let at = Instant::now();
        if now > before && first.is_none() {
            first = Some((at, now));
        }
        if let (Some((began, had)), true) = (first, now == results) {
            anyhow::ensure!(had < results, "all were rated before anybody looked");
            return Ok((now - had) as f64 / (at - began).as_secs_f64());
        }
        anyhow::ensure!(at < given_up, "{now} of {results} are rated\n{}", platform.logs());
        before = now;
        tokio::time::sleep(LOOK).await;
    }
}

async fn owe(platform: &Platform, results: usize) -> anyhow::Result<()> {
    let (env, games) = (Env::system(), Database::open(&platform.game_database()).await?);
    let players: Vec<String> = (0..PLAYERS).map(|_| env.uuid().to_string()).collect();
    let outbox = Outbox::new(games.clone(), env.clone());
    let result = |number: usize| {
        let (first, second) = (number % PLAYERS, (number + 1 + number / PLAYERS) % PLAYERS);
        let verdict = if number.is_multiple_of(3) { Verdict::SecondWins } else { Verdict::FirstWins };
        let request = ApplyResultRequest {
            game_id: env.uuid().to_string(),
            variant: "go".to_owned(),
            speed_class: SpeedClass::Rapid.into(),
            first_id: players[first].clone(),
            first_name: format!("player {first}"),
            second_id: players[second].clone(),
            second_name: format!("player {second}"),
            verdict: verdict.into(),
            end_time: Some(api::time::timestamp(env.now())),
            sequence: 1,
            ..ApplyResultRequest::default()
        };
        // As the game service writes it.
        OutboxMessage::new("rating.apply-result", request.encode_to_vec())
    };
    let numbers: Vec<usize> = (0..results).collect();
    for chunk in numbers.chunks(CHUNK) {
        outbox.insert(games.write(), chunk.iter().copied().map(result).collect()).await?;
    }
    games.close().await;
    Ok(())
}

async fn rated_games(ratings: &Database) -> anyhow::Result<usize> {
    let on = ratings.read();
    let count = "SELECT COUNT(*) AS changes FROM rating_changes";
    let row = on.query_one_raw(Statement::from_string(on.get_database_backend(), count)).await?;
    let changes: i64 = row.context("a count has a row")?.try_get("", "changes")?;
    // Each game changes two ratings.
    Ok(usize::try_from(changes)? / 2)
}
