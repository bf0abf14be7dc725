//! The making of the tables.

use sea_orm_migration::prelude::*;

/// The migrations of this service.
#[derive(Debug)]
pub struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(CreateIdentity)]
    }

    fn migration_table_name() -> DynIden {
        "identity_migrations".into_iden()
    }
}

struct CreateIdentity;

impl MigrationName for CreateIdentity {
    fn name(&self) -> &'static str {
        "m0001_create_identity"
    }
}

#[expect(
    elided_lifetimes_in_paths,
    reason = "async_trait's signature must be that of the trait, letter by letter"
)]
#[async_trait::async_trait]
impl MigrationTrait for CreateIdentity {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
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

fn signing_keys() -> TableCreateStatement {
    Table::create()
        .table("signing_keys")
        // Two replicas that make a key at once take the same number, and one of them fails.
        .col(ColumnDef::new("number").big_integer().not_null().primary_key())
        .col(ColumnDef::new("seed").binary().not_null())
        .col(ColumnDef::new("created_us").big_integer().not_null())
        .to_owned()
}

fn index(name: &str, table: &str, columns: &[&str]) -> IndexCreateStatement {
    let mut index = Index::create();
    index.name(name.to_owned()).table(table.to_owned());
    for column in columns {
        index.col((*column).to_owned());
    }
    index
}
