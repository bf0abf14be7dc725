//! The tables `files` and `file_parts`: files that were sent and wait to be imported.

use std::time::Duration;

use chassis::{
    database::StoreError,
    id::{AccountId, FederationId, FileId},
    time::to_micros,
};
use sea_orm::{ActiveValue::Set, PaginatorTrait as _, QueryOrder as _, QuerySelect as _, entity::prelude::*};
use sea_orm_migration::prelude::{ColumnDef, DbErr, Index, SchemaManager, Table};
use time::OffsetDateTime;

use crate::core::file::Sent;

const TABLE: &str = "files";

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "files")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub file_id: Uuid,
    pub federation_id: Uuid,
    pub size: i64,
    pub sha256: Vec<u8>,
    /// How many bytes are there.
    pub received: i64,
    pub made_us: i64,
}

chassis::standalone!();

/// The table `file_parts`.
mod part {
    use sea_orm::entity::prelude::*;

    /// A row.
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "file_parts")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub account_id: Uuid,
        #[sea_orm(primary_key, auto_increment = false)]
        pub file_id: Uuid,
        #[sea_orm(primary_key, auto_increment = false)]
        pub offset: i64,
        pub body: Vec<u8>,
    }

    chassis::standalone!();
}

/// Makes the tables.
pub(crate) async fn create(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let files = Table::create()
        .table("files")
        .col(ColumnDef::new("account_id").uuid().not_null())
        .col(ColumnDef::new("file_id").uuid().not_null())
        .col(ColumnDef::new("federation_id").uuid().not_null())
        .col(ColumnDef::new("size").big_integer().not_null())
        .col(ColumnDef::new("sha256").binary().not_null())
        .col(ColumnDef::new("received").big_integer().not_null())
        .col(ColumnDef::new("made_us").big_integer().not_null())
        .primary_key(Index::create().col("account_id").col("file_id"))
        .to_owned();
    let parts = Table::create()
        .table("file_parts")
        .col(ColumnDef::new("account_id").uuid().not_null())
        .col(ColumnDef::new("file_id").uuid().not_null())
        .col(ColumnDef::new("offset").big_integer().not_null())
        .col(ColumnDef::new("body").binary().not_null())
        .primary_key(Index::create().col("account_id").col("file_id").col("offset"))
        .to_owned();
    manager.create_table(files).await?;
    manager.create_table(parts).await
}

/// What is known of a file of an account, and how much of it is there.
pub(crate) async fn find(
    on: &impl ConnectionTrait,
    account: AccountId,
    file: FileId,
) -> Result<Option<(Sent, u64)>, StoreError> {
    let Some(row) = Entity::find_by_id((account.uuid(), file.uuid())).one(on).await? else {
        return Ok(None);
    };
    let sha256 = row.sha256.try_into().map_err(|_| StoreError::Corrupt(TABLE))?;
    let size = row.size.cast_unsigned();
    Ok(Some((Sent { federation: row.federation_id.into(), size, sha256 }, row.received.cast_unsigned())))
}

/// How many files an account has.
pub(crate) async fn count(on: &impl ConnectionTrait, account: AccountId) -> Result<u64, StoreError> {
    Ok(Entity::find().filter(Column::AccountId.eq(account.uuid())).count(on).await?)
}

/// How many files there are, up to so many, and how many bytes those have or will have.
pub(crate) async fn all(on: &impl ConnectionTrait, count: u64) -> Result<(u64, u64), StoreError> {
    let sizes = Entity::find().select_only().column(Column::Size).limit(count);
    let sizes: Vec<i64> = sizes.into_tuple().all(on).await?;
    Ok((sizes.len() as u64, sizes.into_iter().map(i64::cast_unsigned).sum()))
}

/// Begins a file.
pub(crate) async fn insert(
    on: &impl ConnectionTrait,
    (account, file): (AccountId, FileId),
    sent: &Sent,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    let row = ActiveModel {
        account_id: Set(account.uuid()),
        file_id: Set(file.uuid()),
        federation_id: Set(sent.federation.uuid()),
        size: Set(sent.size.cast_signed()),
        sha256: Set(sent.sha256.to_vec()),
        received: Set(0),
        made_us: Set(to_micros(now)),
    };
    Entity::insert(row).exec_without_returning(on).await?;
    Ok(())
}

/// Adds bytes to the end of a file, of which so many are there.
///
/// # Errors
/// [`StoreError::Contended`] when somebody else has added some meanwhile.
pub(crate) async fn append(
    on: &impl ConnectionTrait,
    (account, file): (AccountId, FileId),
    received: u64,
    body: &[u8],
) -> Result<(), StoreError> {
    let there = received.cast_signed();
    let row = part::ActiveModel {
        account_id: Set(account.uuid()),
        file_id: Set(file.uuid()),
        offset: Set(there),
        body: Set(body.to_vec()),
    };
    part::Entity::insert(row).exec_without_returning(on).await?;
    let longer = Entity::update_many()
        .col_expr(Column::Received, Expr::value((received + body.len() as u64).cast_signed()))
        .filter(Column::AccountId.eq(account.uuid()))
        .filter(Column::FileId.eq(file.uuid()))
        .filter(Column::Received.eq(there));
    if longer.exec(on).await?.rows_affected == 1 { Ok(()) } else { Err(StoreError::Contended) }
}

/// All bytes of a file.
pub(crate) async fn read(
    on: &impl ConnectionTrait,
    account: AccountId,
    file: FileId,
) -> Result<Vec<u8>, StoreError> {
    let parts = part::Entity::find()
        .filter(part::Column::AccountId.eq(account.uuid()))
        .filter(part::Column::FileId.eq(file.uuid()))
        .order_by_asc(part::Column::Offset);
    Ok(parts.all(on).await?.into_iter().flat_map(|part| part.body).collect())
}

/// Forgets what is older than this.
pub(crate) async fn prune(
    on: &impl ConnectionTrait,
    now: OffsetDateTime,
    kept: Duration,
) -> Result<(), StoreError> {
    drop_all(on, Entity::find().filter(Column::MadeUs.lt(to_micros(now - kept)))).await
}

/// Throws away what waits to be imported into a federation: whoever wants it imported sends it again.
pub(crate) async fn drop_of(on: &impl ConnectionTrait, federation: FederationId) -> Result<(), StoreError> {
    drop_all(on, Entity::find().filter(Column::FederationId.eq(federation.uuid()))).await
}

async fn drop_all(on: &impl ConnectionTrait, files: Select<Entity>) -> Result<(), StoreError> {
    for row in files.all(on).await? {
        // The parts first: what is left behind by a crash between the two is found again by the file.
        part::Entity::delete_many()
            .filter(part::Column::AccountId.eq(row.account_id))
            .filter(part::Column::FileId.eq(row.file_id))
            .exec(on)
            .await?;
        Entity::delete_by_id((row.account_id, row.file_id)).exec(on).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use chassis::{Env, testing};

    use super::*;
    use crate::store::Migrator;

    #[tokio::test]
    async fn what_is_old_is_forgotten_with_its_parts_and_nothing_else_is() {
        for it in testing::databases().await {
            it.database.migrate::<Migrator>().await.expect("the tables are made");
            let (env, on) = (Env::system(), it.database.write());
            let now = OffsetDateTime::from_unix_timestamp(1_800_000_000).expect("in range");
            let sent = Sent { federation: env.uuid().into(), size: 4, sha256: [7; 32] };
            let account = AccountId::from(env.uuid());
            let [old, young] = [25, 1].map(|hours| (FileId::from(env.uuid()), Duration::from_hours(hours)));
            for (file, age) in [old, young] {
                insert(on, (account, file), &sent, now - age).await.expect("begun");
                append(on, (account, file), 0, b"ab").await.expect("longer");
                append(on, (account, file), 2, b"cd").await.expect("longer");
                let late = append(on, (account, file), 2, b"cd").await;
                assert!(matches!(late, Err(StoreError::Contended)), "{}", it.kind);
            }
            prune(on, now, Duration::from_hours(24)).await.expect("pruned");
            assert_eq!(find(on, account, old.0).await.expect("asked"), None);
            assert_eq!(read(on, account, old.0).await.expect("asked"), b"");
            assert_eq!(find(on, account, young.0).await.expect("asked"), Some((sent, 4)));
            assert_eq!(read(on, account, young.0).await.expect("asked"), b"abcd");
            assert_eq!(all(on, 10).await.expect("asked"), (1, 4));
        }
    }
}
