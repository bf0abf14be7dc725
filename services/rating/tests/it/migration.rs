//! A database of before the games were kept.

use std::time::Duration;

use api::{
    board::v1::Verdict,
    clock::v1::SpeedClass,
    rating::v1::{ApplyResultRequest, ListLeadersRequest},
};
use rating::audit::Audit;
use sea_orm::{ConnectionTrait as _, FromQueryResult, Statement, sea_query::Query};
use uuid::Uuid;

use crate::fixture::{Fixture, fixtures};

/// What a game did to a side, with where its player stood before.
#[derive(Clone, Debug, PartialEq, FromQueryResult)]
struct Change {
    game_id: Uuid,
    side: i16,
    rating_before: f64,
    deviation_before: f64,
    volatility_before: f64,
    updated_before_us: Option<i64>,
    rating: f64,
}

/// A game as it is kept.
#[derive(Clone, Debug, PartialEq, FromQueryResult)]
struct Kept {
    game_id: Uuid,
    variant: String,
    speed_class: i16,
    first_id: Uuid,
    first_name: String,
    second_id: Uuid,
    second_name: String,
    verdict: i16,
    ended_us: i64,
}

async fn read<T: FromQueryResult>(fixture: &Fixture, query: &str) -> Vec<T> {
    let on = fixture.database().read();
    let rows = on.query_all_raw(Statement::from_string(on.get_database_backend(), query)).await;
    let rows = rows.expect("it is read");
    rows.iter().map(|row| T::from_query_result(row, "").expect("a row")).collect()
}

async fn changes(fixture: &Fixture) -> Vec<Change> {
    read(fixture, "SELECT * FROM rating_changes ORDER BY game_id, side").await
}

async fn games(fixture: &Fixture) -> Vec<Kept> {
    read(fixture, "SELECT * FROM rating_games ORDER BY game_id").await
}

/// Has the database be as it was before the games were kept.
async fn turn_back(fixture: &Fixture) {
    let mut statements = vec![
        "DROP TABLE rating_games".to_owned(),
        "DROP TABLE rating_annulments".to_owned(),
        "DROP TABLE rating_moderation_acts".to_owned(),
        "DROP TABLE rating_scrutinies".to_owned(),
        "DROP TABLE rating_reports".to_owned(),
        "DROP TABLE rating_report_findings".to_owned(),
        "DROP TABLE rating_report_games".to_owned(),
        "DROP TABLE rating_corrections".to_owned(),
        "DROP TABLE rating_seeds".to_owned(),
        "DROP TABLE rating_advantages".to_owned(),
        "DROP TABLE rating_periods".to_owned(),
        "DROP TABLE rating_boards".to_owned(),
        "DROP TABLE rating_leaderboards".to_owned(),
        "DROP TABLE rating_leaders".to_owned(),
        "DELETE FROM rating_migrations WHERE version <> 'm0001_create_ratings'".to_owned(),
    ];
    for column in ["deviation_before", "volatility_before", "updated_before_us", "cause_id"] {
        statements.push(format!("ALTER TABLE rating_changes DROP COLUMN {column}"));
    }
    for statement in statements {
        fixture.database().write().execute_unprepared(&statement).await.expect(&statement);
    }
}

#[tokio::test]
async fn what_games_did_before_they_were_kept_is_known_from_their_changes() {
    for fixture in fixtures().await {
        let players: Vec<Uuid> = (0..4).map(|_| fixture.env.uuid()).collect();
        let verdicts =
            [Verdict::FirstWins, Verdict::Void, Verdict::Draw, Verdict::SecondWins, Verdict::BothLose];
        for (number, verdict) in verdicts.into_iter().cycle().take(30).enumerate() {
            fixture.time.advance(Duration::from_hours(30));
            let (one, other) = (number % 4, (number + 1 + number / 4 % 3) % 4);
            let game = fixture.game(players[one], players[other], verdict);
            fixture.replica.apply(ApplyResultRequest { sequence: 0, ..game }).await.expect("applied");
        }
        let (told, kept) = (changes(&fixture).await, games(&fixture).await);
        assert_eq!((told.len(), kept.len()), (60, 30), "{}", fixture.kind());
        turn_back(&fixture).await;
        // A replica that starts brings the database up to date.
        let replica = fixture.another().await;
        assert_eq!(changes(&fixture).await, told, "{}: to the last bit", fixture.kind());
        // A void game has left nobody a moment of its own: it is as old as what its first side had done before.
        let is_rated = |game: &Kept| game.verdict != 5;
        let rated = |games: Vec<Kept>| games.into_iter().filter(is_rated).collect::<Vec<Kept>>();
        let found = games(&fixture).await;
        assert_eq!(found.len(), kept.len(), "{}", fixture.kind());
        assert_eq!(rated(found), rated(kept), "{}", fixture.kind());
        let unfounded = Audit::new(fixture.database().clone()).unfounded().await.expect("it is read");
        assert_eq!(unfounded, [], "{}", fixture.kind());
        // And it goes on.
        fixture.time.advance(Duration::from_hours(1));
        replica.apply(fixture.game(players[0], players[1], Verdict::FirstWins)).await.expect("applied");
    }
}

/// What the version before kept: one leaderboard with one place.
async fn keep_as_before(fixture: &Fixture, leader: Uuid) {
    let on = fixture.database().write();
    let period = 2027 * 12 + 2;
    let mut periods = Query::insert();
    periods.into_table("rating_periods").columns(["variant", "speed_class", "period", "ranked", "kept_us"]);
    periods.values_panic([
        "go".into(),
        1.into(),
        period.into(),
        1_i64.into(),
        1_800_000_000_000_000_i64.into(),
    ]);
    on.execute(&periods).await.expect("written");
    let mut boards = Query::insert();
    boards.into_table("rating_boards").columns([
        "variant",
        "speed_class",
        "period",
        "position",
        "rank",
        "account_id",
        "name",
        "rating",
        "deviation",
        "volatility",
        "games",
        "updated_us",
    ]);
    boards.values_panic([
        "go".into(),
        1.into(),
        period.into(),
        1_i64.into(),
        1_i64.into(),
        leader.into(),
        "Shusaku".into(),
        1_912.5.into(),
        61.0.into(),
        0.06.into(),
        77_i64.into(),
        1_800_000_000_000_000_i64.into(),
    ]);
    on.execute(&boards).await.expect("written");
}

#[tokio::test]
async fn leaderboards_that_were_kept_before_those_of_federations_are_everybodys() {
    for fixture in fixtures().await {
        let leader = fixture.env.uuid();
        keep_as_before(&fixture, leader).await;
        for statement in ["DROP TABLE rating_leaderboards", "DROP TABLE rating_leaders"] {
            fixture.database().write().execute_unprepared(statement).await.expect(statement);
        }
        // The second time as after a crash before it was noted that it was done.
        for _ in 0..2 {
            let undone = "DELETE FROM rating_migrations WHERE version = 'm0009_lead_federations'";
            fixture.database().write().execute_unprepared(undone).await.expect(undone);
            let replica = fixture.another().await;
            let request = ListLeadersRequest {
                variant: "go".to_owned(),
                speed_class: SpeedClass::Blitz.into(),
                period: "2027-03".to_owned(),
                ..ListLeadersRequest::default()
            };
            let kept = replica.public.clone().list_leaders(request).await.expect("kept").into_inner().leaders;
            assert_eq!(kept.len(), 1, "{}", fixture.kind());
            let found = (kept[0].account_id.as_str(), kept[0].rating, kept[0].games, kept[0].name.as_str());
            assert_eq!(found, (leader.to_string().as_str(), 1_912.5, 77, "Shusaku"), "{}", fixture.kind());
        }
    }
}
