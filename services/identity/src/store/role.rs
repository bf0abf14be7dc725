//! The table `role_grants`.

use chassis::{
    auth::{Role, RoleGrant, RoleScope},
    database::StoreError,
    id::AccountId,
    time::to_micros,
};
use sea_orm::{
    ActiveValue::Set, Condition, ConnectionTrait, QueryOrder as _, QuerySelect as _, Select,
    entity::prelude::*,
};

use super::moment;
use crate::core::role::{Held, ROLES_MAX, RoleFilter};

const TABLE: &str = "role_grants";
const EVENT: &str = "event";
const FEDERATION: &str = "federation";
const PLATFORM: &str = "platform";

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "role_grants")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub account_id: Uuid,
    pub role: String,
    pub bound_kind: String,
    pub bound_id: Uuid,
    pub granted_by: Option<Uuid>,
    pub granted_us: i64,
}

chassis::standalone!();

/// Adds a role that its account does not have.
pub(crate) async fn insert(on: &impl ConnectionTrait, held: &Held) -> Result<(), StoreError> {
    let (kind, scope) = columns(held.grant.scope);
    let row = ActiveModel {
        id: Set(held.id),
        account_id: Set(held.account.uuid()),
        role: Set(held.grant.role.as_str().to_owned()),
        bound_kind: Set(kind.to_owned()),
        bound_id: Set(scope),
        granted_by: Set(held.granted_by.map(AccountId::uuid)),
        granted_us: Set(to_micros(held.granted)),
    };
    Entity::insert(row).exec_without_returning(on).await?;
    Ok(())
}

/// A role of an account, if it has it.
pub(crate) async fn find(
    on: &impl ConnectionTrait,
    account: AccountId,
    grant: RoleGrant,
) -> Result<Option<Held>, StoreError> {
    let found = of(RoleFilter::Account(account)).filter(is(grant)).one(on).await?;
    found.map(Held::try_from).transpose()
}

/// How many roles an account has.
pub(crate) async fn count(on: &impl ConnectionTrait, account: AccountId) -> Result<u64, StoreError> {
    Ok(of(RoleFilter::Account(account)).count(on).await?)
}

/// Takes a role from an account; whether it had it.
pub(crate) async fn delete(
    on: &impl ConnectionTrait,
    account: AccountId,
    grant: RoleGrant,
) -> Result<bool, StoreError> {
    let mine = Column::AccountId.eq(account.uuid());
    let deleted = Entity::delete_many().filter(mine).filter(is(grant)).exec(on).await?;
    Ok(deleted.rows_affected == 1)
}

/// What an account's tokens say of its roles, in order; never more than there is room for, whatever the table
/// says.
pub(crate) async fn grants(
    on: &impl ConnectionTrait,
    account: AccountId,
) -> Result<Vec<RoleGrant>, StoreError> {
    let held = page(on, RoleFilter::Account(account), None, ROLES_MAX).await?;
    let mut grants: Vec<RoleGrant> = held.into_iter().map(|held| held.grant).collect();
    grants.sort_unstable();
    Ok(grants)
}

/// Roles, newest first: at most `count` of those granted before the one with the id `before`.
pub(crate) async fn page(
    on: &impl ConnectionTrait,
    whose: RoleFilter,
    before: Option<Uuid>,
    count: u64,
) -> Result<Vec<Held>, StoreError> {
    let mut query = of(whose);
    if let Some(before) = before {
        query = query.filter(Column::Id.lt(before));
    }
    // Ids sort by the time of their making.
    let rows = query.order_by_desc(Column::Id).limit(count).all(on).await?;
    rows.into_iter().map(Held::try_from).collect()
}

fn of(whose: RoleFilter) -> Select<Entity> {
    match whose {
        RoleFilter::Account(account) => Entity::find().filter(Column::AccountId.eq(account.uuid())),
        RoleFilter::In(scope) => Entity::find().filter(is_in(scope)),
    }
}

fn is(grant: RoleGrant) -> Condition {
    is_in(grant.scope).add(Column::Role.eq(grant.role.as_str()))
}

fn is_in(scope: RoleScope) -> Condition {
    let (kind, id) = columns(scope);
    Condition::all().add(Column::BoundKind.eq(kind)).add(Column::BoundId.eq(id))
}

const fn columns(scope: RoleScope) -> (&'static str, Uuid) {
    match scope {
        RoleScope::Event(id) => (EVENT, id.uuid()),
        RoleScope::Federation(id) => (FEDERATION, id.uuid()),
        RoleScope::Platform => (PLATFORM, Uuid::nil()),
    }
}

impl TryFrom<Model> for Held {
    type Error = StoreError;

    fn try_from(row: Model) -> Result<Self, StoreError> {
        let scope = match row.bound_kind.as_str() {
            EVENT => RoleScope::Event(row.bound_id.into()),
            FEDERATION => RoleScope::Federation(row.bound_id.into()),
            PLATFORM => RoleScope::Platform,
            _ => return Err(StoreError::Corrupt(TABLE)),
        };
        let role = Role::parse(&row.role).ok_or(StoreError::Corrupt(TABLE))?;
        Ok(Held {
            id: row.id,
            account: row.account_id.into(),
            grant: RoleGrant { role, scope },
            granted_by: row.granted_by.map(AccountId::from),
            granted: moment(row.granted_us, TABLE)?,
        })
    }
}
