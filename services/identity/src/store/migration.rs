//! The making of the tables.

use std::collections::HashSet;

use chassis::schema::{index, migration};
use sea_orm::{ConnectionTrait, FromQueryResult, Statement};
use sea_orm_migration::prelude::*;
use uuid::Uuid;

use crate::core::name::Look;

/// The migrations of this service.
#[derive(Debug)]
pub(crate) struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            migration("m0001_create_identity", |manager| Box::pin(create_identity(manager))),
            migration("m0002_create_roles", |manager| Box::pin(create_roles(manager))),
            migration("m0003_create_safeguards", |manager| Box::pin(create_safeguards(manager))),
            migration("m0004_mark_bots", |manager| Box::pin(mark_bots(manager))),
        ]
    }

    fn migration_table_name() -> DynIden {
        "identity_migrations".into_iden()
    }
}

async fn create_identity(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for table in [accounts(), sessions(), access_tokens(), signing_keys()] {
        manager.create_table(table).await?;
    }
    // Ending all sessions of an account, and dropping the one unused for longest.
    let by_account = ["account_id", "expires_us"];
    manager.create_index(index("sessions_account", "sessions", &by_account)).await?;
    manager.create_index(index("sessions_expires", "sessions", &["expires_us"])).await?;
    // Lists are walked from the newest token of an account backwards.
    manager.create_index(index("access_tokens_account", "access_tokens", &["account_id", "id"])).await?;
    manager.create_index(index("access_tokens_expires", "access_tokens", &["expires_us"])).await
}

async fn create_roles(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.create_table(role_grants()).await?;
    // An account has a role in one place once. The same index finds all roles of an account.
    let mut once =
        index("role_grants_once", "role_grants", &["account_id", "role", "bound_kind", "bound_id"]);
    manager.create_index(once.unique().to_owned()).await?;
    // Lists are walked from the newest role of an event or a federation backwards.
    let by_bound = ["bound_kind", "bound_id", "id"];
    manager.create_index(index("role_grants_bound", "role_grants", &by_bound)).await
}

/// Older replicas make accounts without saying what they are.
async fn mark_bots(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let bot = ColumnDef::new("bot").boolean().not_null().default(false).take();
    manager.alter_table(Table::alter().table("accounts").add_column(bot).to_owned()).await
}

async fn create_safeguards(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for table in [known_places(), guest_requests(), server_secrets()] {
        manager.create_table(table).await?;
    }
    let by_account = ["account_id", "seen_us"];
    manager.create_index(index("known_places_account", "known_places", &by_account)).await?;
    manager.create_index(index("known_places_seen", "known_places", &["seen_us"])).await?;
    manager.create_index(index("guest_requests_made", "guest_requests", &["made_us"])).await?;
    let look = ColumnDef::new("name_look").text().take();
    manager.alter_table(Table::alter().table("accounts").add_column(look).to_owned()).await?;
    write_looks(manager.get_connection()).await?;
    // Of names that look alike already the oldest has the look; the others have none, and stay.
    let mut unique = index("accounts_name_look", "accounts", &["name_look"]);
    manager.create_index(unique.unique().to_owned()).await
}

/// A name that has no look yet.
#[derive(FromQueryResult)]
struct Unlooked {
    id: Uuid,
    name: String,
}

/// Gives the accounts that exist their looks, the oldest first.
async fn write_looks(on: &SchemaManagerConnection<'_>) -> Result<(), DbErr> {
    let backend = on.get_database_backend();
    let all = Query::select()
        .columns(["id", "name"])
        .from("accounts")
        .order_by("created_us", Order::Asc)
        .order_by("id", Order::Asc)
        .to_owned();
    let rows: Vec<Unlooked> = Unlooked::find_by_statement(backend.build(&all)).all(on).await?;
    let mut seen = HashSet::new();
    for Unlooked { id, name } in rows {
        let look = Look::of(&name).as_str().to_owned();
        if seen.insert(look.clone()) {
            let given = Query::update()
                .table("accounts")
                .value("name_look", look)
                .and_where(Expr::col("id").eq(id))
                .to_owned();
            let given: Statement = backend.build(&given);
            on.execute_raw(given).await?;
        }
    }
    Ok(())
}

fn known_places() -> TableCreateStatement {
    Table::create()
        .table("known_places")
        .col(ColumnDef::new("place").binary().not_null().primary_key())
        .col(ColumnDef::new("account_id").uuid().not_null())
        .col(ColumnDef::new("seen_us").big_integer().not_null())
        .to_owned()
}

fn guest_requests() -> TableCreateStatement {
    Table::create()
        .table("guest_requests")
        // Two calls with one request at once make one guest: one of them fails.
        .col(ColumnDef::new("request").binary().not_null().primary_key())
        .col(ColumnDef::new("account_id").uuid().not_null())
        .col(ColumnDef::new("made_us").big_integer().not_null())
        .to_owned()
}

fn server_secrets() -> TableCreateStatement {
    Table::create()
        .table("server_secrets")
        .col(ColumnDef::new("name").text().not_null().primary_key())
        .col(ColumnDef::new("sealed").binary().not_null())
        .to_owned()
}

fn accounts() -> TableCreateStatement {
    Table::create()
        .table("accounts")
        .col(ColumnDef::new("id").uuid().not_null().primary_key())
        .col(ColumnDef::new("name").text().not_null())
        .col(ColumnDef::new("name_key").text().not_null().unique_key())
        .col(ColumnDef::new("guest").boolean().not_null())
        .col(ColumnDef::new("created_us").big_integer().not_null())
        .col(ColumnDef::new("password_hash").text())
        .col(ColumnDef::new("request_id").uuid())
        .col(ColumnDef::new("requested_us").big_integer())
        .col(ColumnDef::new("revision").big_integer().not_null())
        .to_owned()
}

fn sessions() -> TableCreateStatement {
    Table::create()
        .table("sessions")
        .col(ColumnDef::new("id").uuid().not_null().primary_key())
        .col(ColumnDef::new("account_id").uuid().not_null())
        .col(ColumnDef::new("good_digest").binary().not_null())
        .col(ColumnDef::new("used_digest").binary())
        .col(ColumnDef::new("used_request_id").uuid())
        .col(ColumnDef::new("used_us").big_integer())
        .col(ColumnDef::new("expires_us").big_integer().not_null())
        .col(ColumnDef::new("revision").big_integer().not_null())
        .to_owned()
}

fn access_tokens() -> TableCreateStatement {
    Table::create()
        .table("access_tokens")
        .col(ColumnDef::new("id").uuid().not_null().primary_key())
        .col(ColumnDef::new("account_id").uuid().not_null())
        .col(ColumnDef::new("label").text().not_null())
        .col(ColumnDef::new("scopes").text().not_null())
        .col(ColumnDef::new("digest").binary().not_null().unique_key())
        .col(ColumnDef::new("created_us").big_integer().not_null())
        .col(ColumnDef::new("expires_us").big_integer().not_null())
        .col(ColumnDef::new("last_use_us").big_integer())
        .col(ColumnDef::new("revoked_us").big_integer())
        .col(ColumnDef::new("request_id").uuid().not_null())
        .to_owned()
}

fn role_grants() -> TableCreateStatement {
    Table::create()
        .table("role_grants")
        .col(ColumnDef::new("id").uuid().not_null().primary_key())
        .col(ColumnDef::new("account_id").uuid().not_null())
        .col(ColumnDef::new("role").text().not_null())
        .col(ColumnDef::new("bound_kind").text().not_null())
        .col(ColumnDef::new("bound_id").uuid().not_null())
        .col(ColumnDef::new("granted_by").uuid())
        .col(ColumnDef::new("granted_us").big_integer().not_null())
        .to_owned()
}

fn signing_keys() -> TableCreateStatement {
    Table::create()
        .table("signing_keys")
        // Two replicas that make a key at once take the same number, and one of them fails.
        .col(ColumnDef::new("number").big_integer().not_null().primary_key())
        .col(ColumnDef::new("seed").binary().not_null())
        .col(ColumnDef::new("created_us").big_integer().not_null())
        .to_owned()
}

#[cfg(test)]
mod tests {
    use chassis::{
        auth::{Role, RoleGrant, RoleScope},
        testing::databases,
    };
    use time::OffsetDateTime;
    use uuid::Uuid;

    use super::*;
    use crate::{
        core::{account::Account, name::Name, role::Held},
        store::{account, role},
    };

    #[tokio::test]
    async fn tables_of_before_are_brought_up_to_date() {
        for test in databases().await {
            let on = test.database.write();
            let plain = sea_orm::Database::connect(&test.url).await.expect("connects");
            Migrator::up(&plain, Some(1)).await.expect("makes the first tables");
            let (id, now) = (Uuid::from_u128(7).into(), OffsetDateTime::UNIX_EPOCH);
            let anna = Account::guest(id, &Name::parse("anna").expect("a good name"), now);
            let rows = [(7, "annal", 0), (5, "Bert", 1), (6, "anna1", 1)];
            for (number, name, created_us) in rows {
                let insert = Query::insert()
                    .into_table("accounts")
                    .columns(["id", "name", "name_key", "guest", "created_us", "revision"])
                    .values_panic([
                        Uuid::from_u128(number).into(),
                        name.into(),
                        name.to_lowercase().into(),
                        false.into(),
                        created_us.into(),
                        0.into(),
                    ])
                    .to_owned();
                on.execute_raw(on.get_database_backend().build(&insert)).await.expect("inserts");
            }
            assert!(role::grants(on, id).await.is_err(), "there is no table yet");
            test.database.migrate::<Migrator>().await.expect("brings them up to date");
            for (number, ..) in rows {
                let id = Uuid::from_u128(number).into();
                assert!(account::find(on, id).await.expect("finds").is_some());
            }
            // Who looked like another already stays; nobody new looks like either.
            let guest = |number, name| {
                Account::guest(Uuid::from_u128(number).into(), &Name::parse(name).expect("a good name"), now)
            };
            assert!(!account::insert(on, &guest(20, "annaI")).await.expect("inserts"));
            assert!(account::insert(on, &guest(21, "Carl")).await.expect("inserts"));
            assert!(!account::insert(on, &guest(22, "Car1")).await.expect("inserts"));
            let grant = RoleGrant { role: Role::Deputy, scope: RoleScope::Event(Uuid::from_u128(8).into()) };
            let held = |id| Held { id, account: anna.id, grant, granted_by: None, granted: now };
            role::insert(on, &held(Uuid::from_u128(1))).await.expect("inserts");
            assert!(role::insert(on, &held(Uuid::from_u128(2))).await.is_err(), "no role twice");
            assert_eq!(role::grants(on, id).await.expect("reads"), [grant]);
        }
    }
}
