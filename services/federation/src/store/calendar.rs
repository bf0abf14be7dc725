//! The table `calendar_feeds`: calendars that are read at secret addresses. Of the secrets it has the digests alone.

use chassis::{
    database::StoreError,
    id::{AccountId, EventId},
    time::to_micros,
};
use sea_orm::{ActiveValue::Set, QueryOrder as _, entity::prelude::*};
use sea_orm_migration::prelude::{ColumnDef, DbErr, Index, SchemaManager, Table};

use super::moment;
use crate::core::calendar::{FEEDS_MAX, Feed, SecretDigest};

const TABLE: &str = "calendar_feeds";

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "calendar_feeds")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub account_id: Uuid,
    /// Which of an account's it is, from 0: no two have the same, so nobody has too many.
    pub slot: i16,
    pub event_id: Option<Uuid>,
    pub digest: Vec<u8>,
    pub language: String,
    pub made_us: i64,
}

chassis::standalone!();

/// Makes the table.
pub(crate) async fn create(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let table = Table::create()
        .table(TABLE)
        .col(ColumnDef::new("id").uuid().not_null().primary_key())
        .col(ColumnDef::new("account_id").uuid().not_null())
        .col(ColumnDef::new("slot").small_integer().not_null())
        .col(ColumnDef::new("event_id").uuid())
        .col(ColumnDef::new("digest").binary().not_null())
        .col(ColumnDef::new("language").text().not_null())
        .col(ColumnDef::new("made_us").big_integer().not_null())
        .to_owned();
    manager.create_table(table).await?;
    for (name, columns) in
        [("calendar_feeds_slot", &["account_id", "slot"][..]), ("calendar_feeds_digest", &["digest"])]
    {
        let mut index = Index::create().name(name).table(TABLE).unique().to_owned();
        for column in columns {
            index.col(*column);
        }
        manager.create_index(index).await?;
    }
    Ok(())
}

/// The calendar of this id, if it is an account's.
pub(crate) async fn find(
    on: &impl ConnectionTrait,
    account: AccountId,
    id: Uuid,
) -> Result<Option<(i16, Feed)>, StoreError> {
    let row = Entity::find_by_id(id).filter(Column::AccountId.eq(account.uuid())).one(on).await?;
    row.map(|row| Ok((row.slot, row.try_into()?))).transpose()
}

/// The calendar that a secret opens.
pub(crate) async fn of_secret(
    on: &impl ConnectionTrait,
    digest: SecretDigest,
) -> Result<Option<Feed>, StoreError> {
    let row = Entity::find().filter(Column::Digest.eq(digest.0.to_vec())).one(on).await?;
    row.map(TryFrom::try_from).transpose()
}

/// The calendars of an account, the oldest first.
pub(crate) async fn list(on: &impl ConnectionTrait, account: AccountId) -> Result<Vec<Feed>, StoreError> {
    let of_account = Entity::find().filter(Column::AccountId.eq(account.uuid()));
    of_account.order_by_asc(Column::Id).all(on).await?.into_iter().map(TryFrom::try_from).collect()
}

/// A place for one more of an account's; none where it has as many as it may.
pub(crate) async fn free_slot(
    on: &impl ConnectionTrait,
    account: AccountId,
) -> Result<Option<i16>, StoreError> {
    let taken = Entity::find().filter(Column::AccountId.eq(account.uuid())).all(on).await?;
    let most = i16::try_from(FEEDS_MAX).unwrap_or(i16::MAX);
    Ok((0..most).find(|slot| taken.iter().all(|row| row.slot != *slot)))
}

/// Writes a new one.
///
/// # Errors
/// [`StoreError::Contended`] when somebody else has taken the place meanwhile.
pub(crate) async fn insert(
    on: &impl ConnectionTrait,
    feed: &Feed,
    slot: i16,
    digest: SecretDigest,
) -> Result<(), StoreError> {
    let row = ActiveModel {
        id: Set(feed.id),
        account_id: Set(feed.account.uuid()),
        slot: Set(slot),
        event_id: Set(feed.event.map(EventId::uuid)),
        digest: Set(digest.0.to_vec()),
        language: Set(feed.language.tag().to_owned()),
        made_us: Set(to_micros(feed.made)),
    };
    Entity::insert(row).exec_without_returning(on).await?;
    Ok(())
}

/// Has a calendar be opened by another secret, and no more by the one before.
pub(crate) async fn renew(
    on: &impl ConnectionTrait,
    id: Uuid,
    digest: SecretDigest,
) -> Result<(), StoreError> {
    let row = ActiveModel { digest: Set(digest.0.to_vec()), ..Default::default() };
    Entity::update_many().set(row).filter(Column::Id.eq(id)).exec(on).await?;
    Ok(())
}

/// Ends one.
pub(crate) async fn delete(on: &impl ConnectionTrait, id: Uuid) -> Result<(), StoreError> {
    Entity::delete_by_id(id).exec(on).await?;
    Ok(())
}

/// Ends all of an account that is forgotten.
pub(crate) async fn forget(on: &impl ConnectionTrait, account: AccountId) -> Result<(), StoreError> {
    Entity::delete_many().filter(Column::AccountId.eq(account.uuid())).exec(on).await?;
    Ok(())
}

impl TryFrom<Model> for Feed {
    type Error = StoreError;

    fn try_from(row: Model) -> Result<Self, StoreError> {
        Ok(Feed {
            id: row.id,
            account: row.account_id.into(),
            event: row.event_id.map(EventId::from),
            language: row.language.parse().map_err(|_| StoreError::Corrupt(TABLE))?,
            made: moment(row.made_us, TABLE)?,
        })
    }
}
