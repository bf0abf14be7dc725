//! How long a page of the leaderboard takes, and where a player stands, among so many players, on each database: a million, if
//! nothing else is said, of whom two of five are provisional or have been away for too long. It ends with an error where that takes
//! longer than it may.
//!
//! ```text
//! cargo run --release -p rating --example leaders [PLAYERS]
//! ```
#![expect(clippy::print_stdout, reason = "it prints what it measures")]
#![expect(clippy::disallowed_methods, reason = "it measures real time, outside of every service")]

use std::{
    error::Error,
    fmt::Write as _,
    time::{Duration, Instant},
};

use api::{
    clock::v1::SpeedClass,
    rating::v1::{
        GetRatingRequest, ListLeadersRequest, ListRatingsRequest, rating_service_client::RatingServiceClient,
    },
    transport::{Loopback, Transport, over},
};
use chassis::{Database, Env, Lifecycle, testing::databases, time::to_micros};
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};
use sea_orm::{ConnectionTrait as _, DbBackend};
use uuid::Uuid;

/// What may be waited for.
const LIMIT: Duration = Duration::from_millis(5);
/// Calls of each kind.
const CALLS: usize = 300;
/// Rows of one statement.
const ROWS: usize = 1_000;

type Outcome<T> = Result<T, Box<dyn Error>>;

#[tokio::main]
async fn main() -> Outcome<()> {
    let players = std::env::args().nth(1).map_or(Ok(1_000_000), |number| number.parse())?;
    let mut slowest = Duration::ZERO;
    for database in databases().await {
        let (kind, database) = (database.kind, database.database.clone());
        let env = Env::system();
        let (lifecycle, federation) = (Lifecycle::new(), Loopback::new().transport());
        let deps = rating::Deps { env: env.clone(), database: database.clone(), lifecycle, federation };
        let routes = rating::bind(deps).await?;
        let client = RatingServiceClient::new(over(routes.public.prepare()));
        let begun = Instant::now();
        let accounts = fill(&database, &env, players).await?;
        println!("{kind}: {players} players written in {:.1?}", begun.elapsed());
        slowest = slowest.max(measure(kind, &client, &accounts).await?);
    }
    if slowest > LIMIT {
        Err(format!("a page takes {slowest:.2?}, and may take {LIMIT:?}").into())
    } else {
        Ok(())
    }
}

/// Prints what each kind of call takes; the median of the slowest of those that page.
async fn measure(
    kind: &str,
    client: &RatingServiceClient<Transport>,
    accounts: &[Uuid],
) -> Outcome<Duration> {
    let begun = Instant::now();
    leaders(client, "", false).await?;
    println!("{kind}: the first call, which counts all of them: {:.1?}", begun.elapsed());
    let mut first = Vec::new();
    let mut on = Vec::new();
    let mut provisional = Vec::new();
    let mut token = String::new();
    for _ in 0..CALLS {
        let begun = Instant::now();
        leaders(client, "", false).await?;
        first.push(begun.elapsed());
        let begun = Instant::now();
        token = leaders(client, &token, false).await?;
        on.push(begun.elapsed());
        let begun = Instant::now();
        leaders(client, "", true).await?;
        provisional.push(begun.elapsed());
    }
    let (mut standing, mut all) = (Vec::new(), Vec::new());
    for account in accounts.iter().take(CALLS) {
        let begun = Instant::now();
        let request = GetRatingRequest {
            account_id: account.to_string(),
            variant: "go".to_owned(),
            speed_class: SpeedClass::Rapid.into(),
            without_standing: false,
        };
        client.clone().get_rating(request).await?;
        standing.push(begun.elapsed());
        let begun = Instant::now();
        client.clone().list_ratings(ListRatingsRequest { account_id: account.to_string() }).await?;
        all.push(begun.elapsed());
    }
    let mut slowest = Duration::ZERO;
    for (what, mut took) in [
        ("the first page", first),
        ("each next page", on),
        ("the provisional", provisional),
        ("where one stands", standing),
        ("all ratings of one", all),
    ] {
        took.sort();
        let (median, late) = (took[took.len() / 2], took[took.len() * 99 / 100]);
        println!("{kind}: {what:20} p50 {median:9.2?}  p99 {late:9.2?}");
        slowest = slowest.max(median);
    }
    Ok(slowest)
}

/// A page of the leaderboard; the token of the next.
async fn leaders(client: &RatingServiceClient<Transport>, token: &str, provisional: bool) -> Outcome<String> {
    let request = ListLeadersRequest {
        variant: "go".to_owned(),
        speed_class: SpeedClass::Rapid.into(),
        page_size: 50,
        page_token: token.to_owned(),
        provisional,
        ..ListLeadersRequest::default()
    };
    let page = client.clone().list_leaders(request).await?.into_inner();
    assert_eq!(page.leaders.len(), 50, "there are more");
    Ok(page.next_page_token)
}

/// Writes so many players down; their accounts.
async fn fill(database: &Database, env: &Env, players: usize) -> Outcome<Vec<Uuid>> {
    let mut rng = StdRng::seed_from_u64(1);
    let now = to_micros(env.now());
    let accounts: Vec<Uuid> = (0..players).map(|_| Uuid::from_u128(rng.random())).collect();
    for chunk in accounts.chunks(ROWS) {
        let mut statement = "INSERT INTO ratings (account_id, variant, speed_class, rating, deviation, volatility, games, name, \
            updated_us, ranked_until_us, revision) VALUES "
            .to_owned();
        for (number, account) in chunk.iter().enumerate() {
            let account = match database.backend() {
                DbBackend::Sqlite => format!("X'{}'", account.simple()),
                _ => format!("'{account}'"),
            };
            // The sum of twelve even ones is about a normal one.
            let normal: f64 = (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0;
            let rating = (1500.0 + 300.0 * normal).clamp(100.0, 4000.0);
            let until = match rng.random_range(0..5) {
                0 => "null".to_owned(),
                1 => (now - 1_000_000).to_string(),
                _ => (now + 86_400_000_000_i64).to_string(),
            };
            let comma = if number == 0 { "" } else { ", " };
            let deviation = if until == "null" { 200 } else { 60 };
            write!(
                statement,
                "{comma}({account}, 'go', 2, {rating}, {deviation}, 0.06, 30, 'n', {now}, {until}, 1)"
            )?;
        }
        database.write().execute_unprepared(&statement).await?;
    }
    if database.backend() == DbBackend::Postgres {
        // As it does by itself after a while.
        database.write().execute_unprepared("VACUUM ANALYZE ratings").await?;
    }
    Ok(accounts)
}
