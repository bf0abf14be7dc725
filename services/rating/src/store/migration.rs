//! The tables.

use chassis::schema::{index, migration};
use sea_orm_migration::prelude::*;
use uuid::Uuid;

/// The migrations of this service.
#[derive(Debug)]
pub(crate) struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            migration("m0001_create_ratings", |manager| Box::pin(create_ratings(manager))),
            migration("m0002_keep_games", |manager| Box::pin(keep_games(manager))),
            migration("m0003_count_players", |manager| Box::pin(count_players(manager))),
            migration("m0004_create_seeds", |manager| Box::pin(manager.create_table(seeds()))),
            migration("m0005_weigh_advantages", |manager| Box::pin(weigh_advantages(manager))),
            migration("m0006_keep_leaderboards", |manager| Box::pin(keep_leaderboards(manager))),
            migration("m0007_keep_endings", |manager| Box::pin(keep_endings(manager))),
            migration("m0008_report_and_annul", |manager| Box::pin(report_and_annul(manager))),
            migration("m0009_lead_federations", |manager| Box::pin(lead_federations(manager))),
        ]
    }

    fn migration_table_name() -> DynIden {
        "rating_migrations".into_iden()
    }
}

async fn create_ratings(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.create_table(ratings()).await?;
    manager.create_table(changes()).await?;
    // Leaders: walked from the highest rating of a category downwards.
    let leaders = ["variant", "speed_class", "rating", "account_id"];
    manager.create_index(index("ratings_leaders", "ratings", &leaders)).await?;
    // History: walked from the last game of a rating backwards.
    let history = ["account_id", "variant", "speed_class", "games"];
    manager.create_index(index("rating_changes_history", "rating_changes", &history)).await
}

/// The games that ratings follow from, and where players stood before each.
async fn keep_games(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    // One column a statement: SQLite adds no more.
    let column = |name: &'static str| ColumnDef::new(name);
    for column in [
        column("deviation_before").double().not_null().default(350).take(),
        column("volatility_before").double().not_null().default(0.06).take(),
        column("updated_before_us").big_integer().take(),
        column("cause_id").uuid().take(),
    ] {
        manager.alter_table(Table::alter().table("rating_changes").add_column(column).to_owned()).await?;
    }
    manager.create_table(games()).await?;
    manager.create_table(corrections()).await?;
    let order = ["variant", "speed_class", "ended_us", "game_id"];
    manager.create_index(index("rating_games_order", "rating_games", &order)).await?;
    let connection = manager.get_connection();
    for statement in [BEFORE, BEFORE_VOID, GAMES] {
        connection.execute_unprepared(statement).await?;
    }
    Ok(())
}

/// What leaderboards, counts of players and games of two are read from without their rows.
async fn count_players(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.drop_index(Index::drop().name("ratings_leaders").table("ratings").to_owned()).await?;
    let leaders = ["variant", "speed_class", "rating", "account_id", "ranked_until_us"];
    manager.create_index(index("ratings_leaders", "ratings", &leaders)).await?;
    manager.create_index(index("rating_games_pairs", "rating_games", &["first_id", "second_id"])).await
}

/// What the first move and handicap stones are worth, and which handicap a game had: none did before it was told.
async fn weigh_advantages(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let handicap = ColumnDef::new("handicap").small_integer().not_null().default(0).take();
    manager.alter_table(Table::alter().table("rating_games").add_column(handicap).to_owned()).await?;
    manager.create_table(advantages()).await
}

/// How long games were, and how they ended, which of earlier ones nobody knows.
async fn keep_endings(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let column = |name: &'static str| ColumnDef::new(name);
    for column in
        [column("acts").big_integer().not_null().default(0).take(), column("ending").small_integer().take()]
    {
        manager.alter_table(Table::alter().table("rating_games").add_column(column).to_owned()).await?;
    }
    Ok(())
}

/// To which events games belong; who is reported, and what moderators do about it.
async fn report_and_annul(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for column in ["event_id", "federation_id"] {
        let column = ColumnDef::new(column).uuid().take();
        manager.alter_table(Table::alter().table("rating_games").add_column(column).to_owned()).await?;
    }
    manager.create_index(index("rating_games_event", "rating_games", &["event_id"])).await?;
    for table in [annulments(), acts(), scrutinies(), reports(), report_findings(), report_games()] {
        manager.create_table(table).await?;
    }
    let whose = ["account_id", "variant", "speed_class", "report_id"];
    manager.create_index(index("rating_reports_account", "rating_reports", &whose)).await?;
    manager.create_index(index("rating_report_games_game", "rating_report_games", &["game_id"])).await
}

/// Leaderboards of federations, beside those of everybody, which were kept before in tables without a federation in their keys. What
/// is done twice after a crash changes nothing. The old tables stay: replicas of the version before read them until they are
/// replaced.
async fn lead_federations(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.create_table(leaderboards()).await?;
    manager.create_table(leaders()).await?;
    let board = ["variant", "speed_class", "period"];
    let told = ["ranked", "kept_us"];
    copy(manager, ("rating_periods", "rating_leaderboards"), board.iter().chain(&told).copied()).await?;
    let told = ["rank", "account_id", "name", "rating", "deviation", "volatility", "games", "updated_us"];
    let board = board.iter().chain(&["position"]).chain(&told).copied();
    copy(manager, ("rating_boards", "rating_leaders"), board).await
}

/// Copies the rows of a table whose keys have no federation into one whose keys do, as those of everybody.
async fn copy(
    manager: &SchemaManager<'_>,
    (from, to): (&'static str, &'static str),
    columns: impl Iterator<Item = &'static str> + Clone,
) -> Result<(), DbErr> {
    let mut rows = Query::select();
    rows.expr(Expr::value(Uuid::nil())).columns(columns.clone()).from(from);
    // Without a condition SQLite takes what follows for one of a join.
    rows.cond_where(Expr::cust("1 = 1"));
    let mut copied = Query::insert();
    copied.into_table(to).columns(["federation_id"].into_iter().chain(columns));
    copied.select_from(rows).map_err(|error| DbErr::Migration(error.to_string()))?;
    copied.on_conflict(OnConflict::new().do_nothing().to_owned());
    manager.execute(copied).await
}

async fn keep_leaderboards(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.create_table(periods()).await?;
    manager.create_table(boards()).await
}

/// Where a player stood before a game is where he stood after the one before it.
const BEFORE: &str = "\
    UPDATE rating_changes SET \
    deviation_before = previous.deviation, \
    volatility_before = previous.volatility, \
    updated_before_us = previous.updated_us \
    FROM rating_changes AS previous \
    WHERE rating_changes.verdict <> 5 AND previous.verdict <> 5 \
    AND previous.account_id = rating_changes.account_id AND previous.variant = rating_changes.variant \
    AND previous.speed_class = rating_changes.speed_class AND previous.games = rating_changes.games - 1";

/// A void game has changed nothing.
const BEFORE_VOID: &str = "\
    UPDATE rating_changes SET \
    deviation_before = deviation, volatility_before = volatility, updated_before_us = updated_us WHERE verdict = 5";

/// The games that were told before they were kept, with what is known of them: the moment at which the first side had changed last.
const GAMES: &str = "\
    INSERT INTO rating_games \
    (game_id, variant, speed_class, first_id, first_name, second_id, second_name, verdict, ended_us, sequence) \
    SELECT one.game_id, one.variant, one.speed_class, one.account_id, one.name, other.account_id, other.name, \
    one.verdict, COALESCE(one.updated_us, 0), 0 \
    FROM rating_changes AS one JOIN rating_changes AS other ON other.game_id = one.game_id \
    WHERE one.side = 1 AND other.side = 2";

fn games() -> TableCreateStatement {
    Table::create()
        .table("rating_games")
        .col(ColumnDef::new("game_id").uuid().not_null().primary_key())
        .col(ColumnDef::new("variant").string_len(32).not_null())
        .col(ColumnDef::new("speed_class").small_integer().not_null())
        .col(ColumnDef::new("first_id").uuid().not_null())
        .col(ColumnDef::new("first_name").text().not_null())
        .col(ColumnDef::new("second_id").uuid().not_null())
        .col(ColumnDef::new("second_name").text().not_null())
        .col(ColumnDef::new("verdict").small_integer().not_null())
        .col(ColumnDef::new("ended_us").big_integer().not_null())
        .col(ColumnDef::new("sequence").big_integer().not_null())
        .to_owned()
}

fn seeds() -> TableCreateStatement {
    Table::create()
        .table("rating_seeds")
        .col(ColumnDef::new("account_id").uuid().not_null())
        .col(ColumnDef::new("variant").string_len(32).not_null())
        .col(ColumnDef::new("speed_class").small_integer().not_null())
        .col(ColumnDef::new("rating").double().not_null())
        .col(ColumnDef::new("deviation").double().not_null())
        .col(ColumnDef::new("volatility").double().not_null())
        .col(ColumnDef::new("game_id").uuid().not_null())
        .primary_key(Index::create().col("account_id").col("variant").col("speed_class"))
        .to_owned()
}

fn advantages() -> TableCreateStatement {
    Table::create()
        .table("rating_advantages")
        .col(ColumnDef::new("variant").string_len(32).not_null())
        .col(ColumnDef::new("from_us").big_integer().not_null())
        .col(ColumnDef::new("first_move").double().not_null())
        .col(ColumnDef::new("stone").double().not_null())
        .col(ColumnDef::new("games").big_integer().not_null())
        .primary_key(Index::create().col("variant").col("from_us"))
        .to_owned()
}

fn periods() -> TableCreateStatement {
    Table::create()
        .table("rating_periods")
        .col(ColumnDef::new("variant").string_len(32).not_null())
        .col(ColumnDef::new("speed_class").small_integer().not_null())
        .col(ColumnDef::new("period").small_integer().not_null())
        .col(ColumnDef::new("ranked").big_integer().not_null())
        .col(ColumnDef::new("kept_us").big_integer().not_null())
        .primary_key(Index::create().col("variant").col("speed_class").col("period"))
        .to_owned()
}

fn boards() -> TableCreateStatement {
    Table::create()
        .table("rating_boards")
        .col(ColumnDef::new("variant").string_len(32).not_null())
        .col(ColumnDef::new("speed_class").small_integer().not_null())
        .col(ColumnDef::new("period").small_integer().not_null())
        .col(ColumnDef::new("position").big_integer().not_null())
        .col(ColumnDef::new("rank").big_integer().not_null())
        .col(ColumnDef::new("account_id").uuid().not_null())
        .col(ColumnDef::new("name").text().not_null())
        .col(ColumnDef::new("rating").double().not_null())
        .col(ColumnDef::new("deviation").double().not_null())
        .col(ColumnDef::new("volatility").double().not_null())
        .col(ColumnDef::new("games").big_integer().not_null())
        .col(ColumnDef::new("updated_us").big_integer().not_null())
        .primary_key(Index::create().col("variant").col("speed_class").col("period").col("position"))
        .to_owned()
}

fn leaderboards() -> TableCreateStatement {
    Table::create()
        .table("rating_leaderboards")
        .if_not_exists()
        .col(ColumnDef::new("federation_id").uuid().not_null())
        .col(ColumnDef::new("variant").string_len(32).not_null())
        .col(ColumnDef::new("speed_class").small_integer().not_null())
        .col(ColumnDef::new("period").small_integer().not_null())
        .col(ColumnDef::new("ranked").big_integer().not_null())
        .col(ColumnDef::new("kept_us").big_integer().not_null())
        .primary_key(Index::create().col("federation_id").col("variant").col("speed_class").col("period"))
        .to_owned()
}

fn leaders() -> TableCreateStatement {
    let mut key = Index::create();
    for column in ["federation_id", "variant", "speed_class", "period", "position"] {
        key.col(column);
    }
    Table::create()
        .table("rating_leaders")
        .if_not_exists()
        .col(ColumnDef::new("federation_id").uuid().not_null())
        .col(ColumnDef::new("variant").string_len(32).not_null())
        .col(ColumnDef::new("speed_class").small_integer().not_null())
        .col(ColumnDef::new("period").small_integer().not_null())
        .col(ColumnDef::new("position").big_integer().not_null())
        .col(ColumnDef::new("rank").big_integer().not_null())
        .col(ColumnDef::new("account_id").uuid().not_null())
        .col(ColumnDef::new("name").text().not_null())
        .col(ColumnDef::new("rating").double().not_null())
        .col(ColumnDef::new("deviation").double().not_null())
        .col(ColumnDef::new("volatility").double().not_null())
        .col(ColumnDef::new("games").big_integer().not_null())
        .col(ColumnDef::new("updated_us").big_integer().not_null())
        .primary_key(&mut key)
        .to_owned()
}

fn annulments() -> TableCreateStatement {
    Table::create()
        .table("rating_annulments")
        .col(ColumnDef::new("game_id").uuid().not_null().primary_key())
        .col(ColumnDef::new("act_id").uuid().not_null())
        .to_owned()
}

fn acts() -> TableCreateStatement {
    Table::create()
        .table("rating_moderation_acts")
        .col(ColumnDef::new("act_id").uuid().not_null().primary_key())
        .col(ColumnDef::new("at_us").big_integer().not_null())
        .col(ColumnDef::new("moderator_id").uuid().not_null())
        .col(ColumnDef::new("moderator_name").text().not_null())
        .col(ColumnDef::new("kind").small_integer().not_null())
        .col(ColumnDef::new("report_id").uuid())
        .col(ColumnDef::new("game_id").uuid())
        .col(ColumnDef::new("reason").text().not_null())
        .to_owned()
}

fn scrutinies() -> TableCreateStatement {
    Table::create()
        .table("rating_scrutinies")
        .col(ColumnDef::new("variant").string_len(32).not_null())
        .col(ColumnDef::new("speed_class").small_integer().not_null())
        .col(ColumnDef::new("at_us").big_integer().not_null())
        .primary_key(Index::create().col("variant").col("speed_class"))
        .to_owned()
}

fn reports() -> TableCreateStatement {
    Table::create()
        .table("rating_reports")
        .col(ColumnDef::new("report_id").uuid().not_null().primary_key())
        .col(ColumnDef::new("variant").string_len(32).not_null())
        .col(ColumnDef::new("speed_class").small_integer().not_null())
        .col(ColumnDef::new("account_id").uuid().not_null())
        .col(ColumnDef::new("name").text().not_null())
        .col(ColumnDef::new("games").big_integer().not_null())
        .col(ColumnDef::new("lost_early").big_integer().not_null())
        .col(ColumnDef::new("others_scored").double().not_null())
        .col(ColumnDef::new("others_expected").double().not_null())
        .col(ColumnDef::new("since_us").big_integer().not_null())
        .col(ColumnDef::new("updated_us").big_integer().not_null())
        .col(ColumnDef::new("upheld").boolean())
        .col(ColumnDef::new("settled_us").big_integer())
        .col(ColumnDef::new("settled_by").uuid())
        .col(ColumnDef::new("settled_name").text())
        .col(ColumnDef::new("settled_reason").text())
        .to_owned()
}

fn report_findings() -> TableCreateStatement {
    Table::create()
        .table("rating_report_findings")
        .col(ColumnDef::new("report_id").uuid().not_null())
        .col(ColumnDef::new("suspicion").small_integer().not_null())
        .col(ColumnDef::new("score").double().not_null())
        .col(ColumnDef::new("games").big_integer().not_null())
        .primary_key(Index::create().col("report_id").col("suspicion"))
        .to_owned()
}

fn report_games() -> TableCreateStatement {
    Table::create()
        .table("rating_report_games")
        .col(ColumnDef::new("report_id").uuid().not_null())
        .col(ColumnDef::new("suspicion").small_integer().not_null())
        .col(ColumnDef::new("game_id").uuid().not_null())
        .primary_key(Index::create().col("report_id").col("suspicion").col("game_id"))
        .to_owned()
}

fn corrections() -> TableCreateStatement {
    Table::create()
        .table("rating_corrections")
        .col(ColumnDef::new("game_id").uuid().not_null())
        .col(ColumnDef::new("sequence").big_integer().not_null())
        .col(ColumnDef::new("verdict").small_integer().not_null())
        .col(ColumnDef::new("told_us").big_integer().not_null())
        .primary_key(Index::create().col("game_id").col("sequence"))
        .to_owned()
}

fn ratings() -> TableCreateStatement {
    Table::create()
        .table("ratings")
        .col(ColumnDef::new("account_id").uuid().not_null())
        .col(ColumnDef::new("variant").string_len(32).not_null())
        .col(ColumnDef::new("speed_class").small_integer().not_null())
        .col(ColumnDef::new("rating").double().not_null())
        .col(ColumnDef::new("deviation").double().not_null())
        .col(ColumnDef::new("volatility").double().not_null())
        .col(ColumnDef::new("games").big_integer().not_null())
        .col(ColumnDef::new("name").text().not_null())
        .col(ColumnDef::new("updated_us").big_integer().not_null())
        .col(ColumnDef::new("ranked_until_us").big_integer())
        .col(ColumnDef::new("revision").big_integer().not_null())
        .primary_key(Index::create().col("account_id").col("variant").col("speed_class"))
        .to_owned()
}

fn changes() -> TableCreateStatement {
    Table::create()
        .table("rating_changes")
        .col(ColumnDef::new("game_id").uuid().not_null())
        .col(ColumnDef::new("side").small_integer().not_null())
        .col(ColumnDef::new("account_id").uuid().not_null())
        .col(ColumnDef::new("variant").string_len(32).not_null())
        .col(ColumnDef::new("speed_class").small_integer().not_null())
        .col(ColumnDef::new("games").big_integer().not_null())
        .col(ColumnDef::new("verdict").small_integer().not_null())
        .col(ColumnDef::new("opponent_id").uuid().not_null())
        .col(ColumnDef::new("opponent_before").double().not_null())
        .col(ColumnDef::new("rating_before").double().not_null())
        .col(ColumnDef::new("rating").double().not_null())
        .col(ColumnDef::new("deviation").double().not_null())
        .col(ColumnDef::new("volatility").double().not_null())
        .col(ColumnDef::new("name").text().not_null())
        .col(ColumnDef::new("updated_us").big_integer())
        .primary_key(Index::create().col("game_id").col("side"))
        .to_owned()
}
