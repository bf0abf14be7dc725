//! The table `accounts`.

use std::fmt;

use chassis::{
    database::{StoreError, is_conflict},
    id::{AccountId, RequestId},
    time::to_micros,
};
use sea_orm::{
    ActiveValue::Set,
    ConnectionTrait, QuerySelect as _,
    entity::prelude::*,
    sea_query::{Expr, ExprTrait as _},
};

use super::moment;
use crate::core::{
    account::{Account, Public},
    name::{Look, NameKey},
    password::PasswordHash,
};

const TABLE: &str = "accounts";

/// A row.
#[derive(Clone, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "accounts")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub name: String,
    pub name_key: String,
    pub guest: bool,
    pub bot: bool,
    pub created_us: i64,
    pub password_hash: Option<String>,
    pub request_id: Option<Uuid>,
    pub requested_us: Option<i64>,
    pub revision: i64,
    /// What the name looks like; none in accounts of before looks were kept that look like an older one.
    pub name_look: Option<String>,
}

chassis::standalone!();

/// The account of this id.
pub(crate) async fn find(on: &impl ConnectionTrait, id: AccountId) -> Result<Option<Account>, StoreError> {
    Entity::find_by_id(id.uuid()).one(on).await?.map(Account::try_from).transpose()
}

/// The account of this name.
pub(crate) async fn find_by_name(
    on: &impl ConnectionTrait,
    name: &NameKey,
) -> Result<Option<Account>, StoreError> {
    let found = Entity::find().filter(Column::NameKey.eq(name.as_str())).one(on).await?;
    found.map(Account::try_from).transpose()
}

/// What anybody may know of the accounts of these ids and names, each once.
pub(crate) async fn look_up(
    on: &impl ConnectionTrait,
    ids: &[AccountId],
    names: &[NameKey],
) -> Result<Vec<Public>, StoreError> {
    let ids = Column::Id.is_in(ids.iter().map(|id| id.uuid()));
    let names = Column::NameKey.is_in(names.iter().map(NameKey::as_str));
    // In the order of their names, in which the databases of simulations count columns.
    let rows: Vec<(bool, bool, Uuid, String)> = Entity::find()
        .select_only()
        .columns([Column::Bot, Column::Guest, Column::Id, Column::Name])
        .filter(ids.or(names))
        .into_tuple()
        .all(on)
        .await?;
    Ok(rows.into_iter().map(|(bot, guest, id, name)| Public { id: id.into(), name, guest, bot }).collect())
}

/// Adds an account; false when its name is taken, or looks like one that is.
pub(crate) async fn insert(on: &impl ConnectionTrait, account: &Account) -> Result<bool, StoreError> {
    unless_taken(Entity::insert(row(account)?).exec_without_returning(on).await)
}

/// Gives an account another name and password; `None` when its name or its look is taken, `Some(false)` when the account
/// is no longer what it was.
pub(crate) async fn upgrade(
    on: &impl ConnectionTrait,
    account: &Account,
) -> Result<Option<bool>, StoreError> {
    let mut next = row(account)?;
    next.revision = Set(account.revision + 1);
    let updated = Entity::update_many()
        .set(next)
        .filter(Column::Id.eq(account.id.uuid()))
        .filter(Column::Revision.eq(account.revision))
        .exec(on)
        .await;
    match updated {
        Ok(updated) => Ok(Some(updated.rows_affected == 1)),
        Err(error) if is_conflict(&error) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Changes a password; false when the account is no longer what it was.
pub(crate) async fn set_password(
    on: &impl ConnectionTrait,
    account: &Account,
    hash: &PasswordHash,
) -> Result<bool, StoreError> {
    write_password(on, account, hash, account.revision + 1).await
}

/// Stores another hash of the same password; does nothing when the account is no longer what it was.
pub(crate) async fn rehash(
    on: &impl ConnectionTrait,
    account: &Account,
    hash: &PasswordHash,
) -> Result<(), StoreError> {
    write_password(on, account, hash, account.revision).await.map(drop)
}

/// Makes sure that an account is still what it was, and that it stays so until the end of the transaction.
pub(crate) async fn hold(on: &impl ConnectionTrait, account: &Account) -> Result<bool, StoreError> {
    let held = Entity::update_many()
        .col_expr(Column::Revision, Expr::value(account.revision))
        .filter(Column::Id.eq(account.id.uuid()))
        .filter(Column::Revision.eq(account.revision))
        .exec(on)
        .await?;
    Ok(held.rows_affected == 1)
}

/// Makes other transactions that lock or hold the same account wait for this one; false when there is none.
pub(crate) async fn lock(on: &impl ConnectionTrait, id: AccountId) -> Result<bool, StoreError> {
    let locked = Entity::update_many()
        .col_expr(Column::Revision, Expr::col(Column::Revision))
        .filter(Column::Id.eq(id.uuid()))
        .exec(on)
        .await?;
    Ok(locked.rows_affected == 1)
}

async fn write_password(
    on: &impl ConnectionTrait,
    account: &Account,
    hash: &PasswordHash,
    revision: i64,
) -> Result<bool, StoreError> {
    let updated = Entity::update_many()
        .col_expr(Column::PasswordHash, Expr::value(hash.expose()))
        .col_expr(Column::Revision, Expr::value(revision))
        .filter(Column::Id.eq(account.id.uuid()))
        .filter(Column::Revision.eq(account.revision))
        .exec(on)
        .await?;
    Ok(updated.rows_affected == 1)
}

fn unless_taken<T>(outcome: Result<T, DbErr>) -> Result<bool, StoreError> {
    match outcome {
        Ok(_) => Ok(true),
        Err(error) if is_conflict(&error) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

fn row(account: &Account) -> Result<ActiveModel, StoreError> {
    let name_key = NameKey::of(&account.name).ok_or(StoreError::Corrupt(TABLE))?;
    Ok(ActiveModel {
        id: Set(account.id.uuid()),
        name: Set(account.name.clone()),
        name_key: Set(name_key.as_str().to_owned()),
        guest: Set(account.guest),
        bot: Set(account.bot),
        created_us: Set(to_micros(account.created)),
        password_hash: Set(account.password.as_ref().map(|hash| hash.expose().to_owned())),
        request_id: Set(account.made_by.map(|(request, _)| request.uuid())),
        requested_us: Set(account.made_by.map(|(_, at)| to_micros(at))),
        revision: Set(account.revision),
        name_look: Set(Some(Look::of(&account.name).as_str().to_owned())),
    })
}

impl TryFrom<Model> for Account {
    type Error = StoreError;

    fn try_from(row: Model) -> Result<Self, StoreError> {
        let made_by = match (row.request_id, row.requested_us) {
            (Some(request), Some(at)) => Some((RequestId::from(request), moment(at, TABLE)?)),
            (None, None) => None,
            _ => return Err(StoreError::Corrupt(TABLE)),
        };
        Ok(Account {
            id: row.id.into(),
            name: row.name,
            guest: row.guest,
            bot: row.bot,
            created: moment(row.created_us, TABLE)?,
            password: row.password_hash.map(PasswordHash::from_stored),
            made_by,
            revision: row.revision,
        })
    }
}

/// Written by hand, because the derived one would show the hash of the password.
impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model").field("id", &self.id).finish_non_exhaustive()
    }
}
