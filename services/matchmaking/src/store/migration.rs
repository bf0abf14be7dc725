//! The tables.

use chassis::{
    outbox,
    schema::{index, migration},
};
use sea_orm_migration::prelude::*;

/// The migrations of this service.
#[derive(Debug)]
pub(crate) struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            migration("m0001_create_matches", |manager| Box::pin(create_matches(manager))),
            migration("m0002_note_games", |manager| Box::pin(note_games(manager))),
            migration("m0003_create_offers", |manager| Box::pin(create_offers(manager))),
            migration("m0004_create_blocked_accounts", |manager| {
                Box::pin(manager.create_table(blocked_accounts()))
            }),
            migration("m0005_create_challenges", |manager| Box::pin(create_challenges(manager))),
            migration("m0006_create_lobby_changes", |manager| Box::pin(create_lobby_changes(manager))),
            migration("m0007_mark_bots", |manager| Box::pin(mark_bots(manager))),
            migration("m0008_create_arranged_games", |manager| Box::pin(create_arranged_games(manager))),
            migration("m0009_moderate_pauses", |manager| Box::pin(moderate_pauses(manager))),
            migration("m0010_trace_what_is_owed", |manager| Box::pin(outbox::add_trace(manager))),
        ]
    }

    fn migration_table_name() -> DynIden {
        "matchmaking_migrations".into_iden()
    }
}

async fn create_matches(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.create_table(matches()).await?;
    manager.create_table(tickets()).await?;
    manager.create_table(sides()).await?;
    // What the creator of games looks for: the pending ones, oldest first.
    let pending = index("matches_pending", "matches", &["state", "matched_us"]);
    manager.create_index(pending).await
}

/// What is known of games that are over.
async fn note_games(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    // One column a statement: SQLite adds no more.
    let column = |name: &'static str| ColumnDef::new(name);
    for (table, column) in [
        ("matches", column("first_told").boolean().not_null().default(false).take()),
        ("matches", column("second_told").boolean().not_null().default(false).take()),
        ("sides_played", column("bound").small_integer().not_null().default(0).take()),
        ("sides_played", column("opponent_id").uuid().take()),
        ("sides_played", column("ended_us").big_integer().take()),
    ] {
        manager.alter_table(Table::alter().table(table).add_column(column).to_owned()).await?;
    }
    manager.create_table(noted_games()).await?;
    manager.create_table(pauses()).await
}

/// Pauses that moderators set, and what they have done about them.
async fn moderate_pauses(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let reason = ColumnDef::new("reason").text().take();
    manager.alter_table(Table::alter().table("pauses").add_column(reason).to_owned()).await?;
    manager.create_table(pause_acts()).await?;
    manager.create_index(index("pause_acts_latest", "pause_acts", &["at_us", "act_id"])).await
}

/// Long games that two may accept.
async fn create_offers(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.create_table(offers()).await?;
    manager.create_index(index("offers_one_ticket", "offers", &["one_ticket"])).await?;
    manager.create_index(index("offers_other_ticket", "offers", &["other_ticket"])).await?;
    manager.create_index(index("offers_due", "offers", &["state", "until_us"])).await
}

fn offers() -> TableCreateStatement {
    let mut table = Table::create();
    table
        .table("offers")
        .col(ColumnDef::new("game_id").uuid().not_null().primary_key())
        .col(ColumnDef::new("settings").text().not_null());
    for [id, name, rating, ticket, accepted] in [
        ["one_id", "one_name", "one_rating", "one_ticket", "one_accepted"],
        ["other_id", "other_name", "other_rating", "other_ticket", "other_accepted"],
    ] {
        table
            .col(ColumnDef::new(id).uuid().not_null())
            .col(ColumnDef::new(name).text().not_null())
            .col(ColumnDef::new(rating).big_integer().not_null())
            .col(ColumnDef::new(ticket).uuid().not_null())
            .col(ColumnDef::new(accepted).boolean().not_null());
    }
    table
        .col(ColumnDef::new("state").small_integer().not_null())
        .col(ColumnDef::new("until_us").big_integer().not_null())
        .to_owned()
}

/// Whom accounts do not want to meet.
fn blocked_accounts() -> TableCreateStatement {
    Table::create()
        .table("blocked_accounts")
        .col(ColumnDef::new("owner_id").uuid().not_null())
        .col(ColumnDef::new("account_id").uuid().not_null())
        .col(ColumnDef::new("name").text().not_null())
        .col(ColumnDef::new("since_us").big_integer().not_null())
        .primary_key(Index::create().col("owner_id").col("account_id"))
        .to_owned()
}

/// Games that somebody asks for.
async fn create_challenges(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let challenge = ColumnDef::new("challenge_id").uuid().take();
    manager.alter_table(Table::alter().table("matches").add_column(challenge).to_owned()).await?;
    manager.create_table(challenges()).await?;
    for (name, column) in [("challenges_from", "from_id"), ("challenges_to", "to_id")] {
        manager.create_index(index(name, "challenges", &[column, "created_us"])).await?;
    }
    // What anybody may accept, the latest first.
    let open = index("challenges_open", "challenges", &["state", "kind", "created_us"]);
    manager.create_index(open).await?;
    // What is forgotten.
    manager.create_index(index("challenges_over", "challenges", &["over_us"])).await
}

/// That open challenges were opened, or are over.
async fn create_lobby_changes(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let changes = Table::create()
        .table("lobby_changes")
        .col(ColumnDef::new("number").big_integer().not_null().primary_key())
        .col(ColumnDef::new("challenge_id").uuid().not_null())
        .col(ColumnDef::new("at_us").big_integer().not_null())
        .to_owned();
    manager.create_table(changes).await?;
    // Those whose time is over.
    manager.create_index(index("challenges_due", "challenges", &["state", "kind", "expires_us"])).await
}

/// Older replicas write challenges down without saying so.
async fn mark_bots(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for column in ["from_bot", "allow_bots"] {
        let column = ColumnDef::new(column).boolean().not_null().default(false).take();
        manager.alter_table(Table::alter().table("challenges").add_column(column).to_owned()).await?;
    }
    Ok(())
}

/// Games that begin at a time, and what is owed to those who play them.
async fn create_arranged_games(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    outbox::create_table(manager).await?;
    outbox::create_dead_table(manager).await?;
    let starts = ColumnDef::new("starts_us").big_integer().take();
    manager.alter_table(Table::alter().table("challenges").add_column(starts).to_owned()).await?;
    manager.create_table(arranged_games()).await?;
    for (name, column) in [
        ("arranged_games_asked", "asked_id"),
        ("arranged_games_accepted", "accepted_id"),
        // Those whose time has come.
        ("arranged_games_due", "state"),
    ] {
        manager.create_index(index(name, "arranged_games", &[column, "starts_us"])).await?;
    }
    // Whoever accepts twice with one ticket has one game.
    let mut once = index("arranged_games_ticket", "arranged_games", &["accepted_ticket"]);
    manager.create_index(once.unique().to_owned()).await
}

fn arranged_games() -> TableCreateStatement {
    Table::create()
        .table("arranged_games")
        .col(ColumnDef::new("game_id").uuid().not_null().primary_key())
        .col(ColumnDef::new("challenge_id").uuid().not_null())
        .col(ColumnDef::new("settings").text().not_null())
        .col(ColumnDef::new("asked_id").uuid().not_null())
        .col(ColumnDef::new("asked_name").text().not_null())
        .col(ColumnDef::new("asked_rating").big_integer().not_null())
        .col(ColumnDef::new("asked_ticket").uuid().not_null())
        .col(ColumnDef::new("accepted_id").uuid().not_null())
        .col(ColumnDef::new("accepted_name").text().not_null())
        .col(ColumnDef::new("accepted_rating").big_integer().not_null())
        .col(ColumnDef::new("accepted_ticket").uuid().not_null())
        .col(ColumnDef::new("side").small_integer().not_null())
        .col(ColumnDef::new("starts_us").big_integer().not_null())
        .col(ColumnDef::new("since_us").big_integer().not_null())
        .col(ColumnDef::new("state").small_integer().not_null())
        .col(ColumnDef::new("called_off_by").uuid())
        .to_owned()
}

fn challenges() -> TableCreateStatement {
    Table::create()
        .table("challenges")
        .col(ColumnDef::new("id").uuid().not_null().primary_key())
        .col(ColumnDef::new("from_id").uuid().not_null())
        .col(ColumnDef::new("from_name").text().not_null())
        .col(ColumnDef::new("from_rating").big_integer().not_null())
        .col(ColumnDef::new("kind").small_integer().not_null())
        .col(ColumnDef::new("to_id").uuid())
        .col(ColumnDef::new("to_name").text().not_null())
        .col(ColumnDef::new("secret_hash").binary())
        .col(ColumnDef::new("window").big_integer().not_null())
        .col(ColumnDef::new("variant").string_len(32).not_null())
        .col(ColumnDef::new("settings").text().not_null())
        .col(ColumnDef::new("side").small_integer().not_null())
        .col(ColumnDef::new("message").text().not_null())
        .col(ColumnDef::new("created_us").big_integer().not_null())
        .col(ColumnDef::new("expires_us").big_integer().not_null())
        .col(ColumnDef::new("uses").big_integer().not_null())
        .col(ColumnDef::new("uses_left").big_integer().not_null())
        .col(ColumnDef::new("over_us").big_integer().not_null())
        .col(ColumnDef::new("state").small_integer().not_null())
        .col(ColumnDef::new("declined").small_integer().not_null())
        .col(ColumnDef::new("game_id").uuid())
        .to_owned()
}

fn noted_games() -> TableCreateStatement {
    Table::create()
        .table("noted_games")
        .col(ColumnDef::new("game_id").uuid().not_null().primary_key())
        .col(ColumnDef::new("noted_us").big_integer().not_null())
        .to_owned()
}

fn pauses() -> TableCreateStatement {
    Table::create()
        .table("pauses")
        .col(ColumnDef::new("account_id").uuid().not_null())
        .col(ColumnDef::new("begins_us").big_integer().not_null())
        .col(ColumnDef::new("game_id").uuid().not_null())
        .col(ColumnDef::new("ends_us").big_integer().not_null())
        .col(ColumnDef::new("conduct").integer().not_null())
        .col(ColumnDef::new("step").small_integer().not_null())
        .primary_key(Index::create().col("account_id").col("begins_us").col("game_id"))
        .to_owned()
}

fn pause_acts() -> TableCreateStatement {
    Table::create()
        .table("pause_acts")
        .col(ColumnDef::new("act_id").uuid().not_null().primary_key())
        .col(ColumnDef::new("at_us").big_integer().not_null())
        .col(ColumnDef::new("moderator_id").uuid().not_null())
        .col(ColumnDef::new("moderator_name").text().not_null())
        .col(ColumnDef::new("account_id").uuid().not_null())
        .col(ColumnDef::new("until_us").big_integer())
        .col(ColumnDef::new("reason").text().not_null())
        .to_owned()
}

fn matches() -> TableCreateStatement {
    Table::create()
        .table("matches")
        .col(ColumnDef::new("game_id").uuid().not_null().primary_key())
        .col(ColumnDef::new("settings").text().not_null())
        .col(ColumnDef::new("first_id").uuid().not_null())
        .col(ColumnDef::new("first_name").text().not_null())
        .col(ColumnDef::new("first_rating").big_integer().not_null())
        .col(ColumnDef::new("first_ticket").uuid().not_null())
        .col(ColumnDef::new("second_id").uuid().not_null())
        .col(ColumnDef::new("second_name").text().not_null())
        .col(ColumnDef::new("second_rating").big_integer().not_null())
        .col(ColumnDef::new("second_ticket").uuid().not_null())
        .col(ColumnDef::new("state").small_integer().not_null())
        .col(ColumnDef::new("matched_us").big_integer().not_null())
        .col(ColumnDef::new("settled_us").big_integer())
        .to_owned()
}

fn tickets() -> TableCreateStatement {
    Table::create()
        .table("match_tickets")
        .col(ColumnDef::new("ticket_id").uuid().not_null().primary_key())
        .col(ColumnDef::new("game_id").uuid().not_null())
        .col(ColumnDef::new("owner_id").uuid().not_null())
        .foreign_key(
            ForeignKey::create()
                .name("match_tickets_match")
                .from("match_tickets", "game_id")
                .to("matches", "game_id"),
        )
        .to_owned()
}

fn sides() -> TableCreateStatement {
    Table::create()
        .table("sides_played")
        .col(ColumnDef::new("account_id").uuid().not_null())
        .col(ColumnDef::new("variant").string_len(32).not_null())
        .col(ColumnDef::new("firsts").big_integer().not_null())
        .col(ColumnDef::new("seconds").big_integer().not_null())
        .col(ColumnDef::new("last").small_integer().not_null())
        .primary_key(Index::create().col("account_id").col("variant"))
        .to_owned()
}
