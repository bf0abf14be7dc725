//! The table `proxies`: who acts and acted for whom.

use chassis::{
    database::StoreError,
    id::{AccountId, FederationId, MemberId},
    time::to_micros,
};
use sea_orm::{ActiveValue::Set, QueryOrder as _, entity::prelude::*, sea_query::Expr};

use super::{CHUNK, moment, page};
use crate::core::proxy::Proxy;

const TABLE: &str = "proxies";

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "proxies")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub federation_id: Uuid,
    pub member_id: Uuid,
    pub account_id: Uuid,
    pub himself: bool,
    pub given_by: Uuid,
    pub reason: String,
    pub given_us: i64,
    pub withdrawn_by: Option<Uuid>,
    pub withdrawn_us: Option<i64>,
}

chassis::standalone!();

/// The proxy of this id.
pub(crate) async fn find(on: &impl ConnectionTrait, id: Uuid) -> Result<Option<Proxy>, StoreError> {
    Entity::find_by_id(id).one(on).await?.map(Proxy::try_from).transpose()
}

/// The proxies of a member, the oldest first: at most `count` after an id.
pub(crate) async fn list(
    on: &impl ConnectionTrait,
    member: MemberId,
    withdrawn: bool,
    after: Option<Uuid>,
    count: u64,
) -> Result<Vec<Proxy>, StoreError> {
    let mut query = Entity::find().filter(Column::MemberId.eq(member.uuid()));
    if !withdrawn {
        query = query.filter(Column::WithdrawnUs.is_null());
    }
    let rows = page(query, Column::Id, after, count).all(on).await?;
    rows.into_iter().map(TryFrom::try_from).collect()
}

/// Those for whom an account acts in a federation.
pub(crate) async fn represented(
    on: &impl ConnectionTrait,
    federation: FederationId,
    account: AccountId,
) -> Result<Vec<MemberId>, StoreError> {
    let held = Entity::find().filter(Column::FederationId.eq(federation.uuid()));
    let held = held.filter(Column::AccountId.eq(account.uuid())).filter(Column::WithdrawnUs.is_null());
    Ok(held.all(on).await?.into_iter().map(|row| row.member_id.into()).collect())
}

/// The accounts that act for members now, each with the member.
pub(crate) async fn of_members(
    on: &impl ConnectionTrait,
    members: &[MemberId],
) -> Result<Vec<(MemberId, AccountId)>, StoreError> {
    let mut found = Vec::new();
    for members in members.chunks(CHUNK) {
        let ids = members.iter().map(|member| member.uuid());
        let current =
            Entity::find().filter(Column::MemberId.is_in(ids)).filter(Column::WithdrawnUs.is_null());
        found.extend(
            current.all(on).await?.into_iter().map(|row| (row.member_id.into(), row.account_id.into())),
        );
    }
    Ok(found)
}

/// Every proxy that an account holds or held, in whatever federation, the oldest first.
pub(crate) async fn all_of(on: &impl ConnectionTrait, account: AccountId) -> Result<Vec<Proxy>, StoreError> {
    let held = Entity::find().filter(Column::AccountId.eq(account.uuid())).order_by_asc(Column::Id);
    held.all(on).await?.into_iter().map(TryFrom::try_from).collect()
}

/// Adds a proxy.
pub(crate) async fn insert(on: &impl ConnectionTrait, proxy: &Proxy) -> Result<(), StoreError> {
    Entity::insert(row(proxy)).exec_without_returning(on).await?;
    Ok(())
}

/// Writes a proxy over what it was.
pub(crate) async fn update(on: &impl ConnectionTrait, proxy: &Proxy) -> Result<(), StoreError> {
    Entity::update_many().set(row(proxy)).filter(Column::Id.eq(proxy.id)).exec(on).await?;
    Ok(())
}

/// Forgets why somebody acted for a member.
pub(crate) async fn forget(on: &impl ConnectionTrait, member: MemberId) -> Result<(), StoreError> {
    let emptied = Entity::update_many().col_expr(Column::Reason, Expr::value(""));
    emptied.filter(Column::MemberId.eq(member.uuid())).exec(on).await?;
    Ok(())
}

/// Has those who acted for one member have acted for another, who is the same person.
pub(crate) async fn hand_over(
    on: &impl ConnectionTrait,
    from: MemberId,
    to: MemberId,
) -> Result<(), StoreError> {
    let moved = Entity::update_many().col_expr(Column::MemberId, Expr::value(to.uuid()));
    moved.filter(Column::MemberId.eq(from.uuid())).exec(on).await?;
    Ok(())
}

fn row(proxy: &Proxy) -> ActiveModel {
    ActiveModel {
        id: Set(proxy.id),
        federation_id: Set(proxy.federation.uuid()),
        member_id: Set(proxy.member.uuid()),
        account_id: Set(proxy.account.uuid()),
        himself: Set(proxy.himself),
        given_by: Set(proxy.given_by.uuid()),
        reason: Set(proxy.reason.clone()),
        given_us: Set(to_micros(proxy.given)),
        withdrawn_by: Set(proxy.withdrawn.map(|(by, _)| by.uuid())),
        withdrawn_us: Set(proxy.withdrawn.map(|(_, at)| to_micros(at))),
    }
}

impl TryFrom<Model> for Proxy {
    type Error = StoreError;

    fn try_from(row: Model) -> Result<Self, StoreError> {
        Ok(Proxy {
            id: row.id,
            federation: row.federation_id.into(),
            member: row.member_id.into(),
            account: row.account_id.into(),
            himself: row.himself,
            given_by: row.given_by.into(),
            reason: row.reason,
            given: moment(row.given_us, TABLE)?,
            withdrawn: match (row.withdrawn_by, row.withdrawn_us) {
                (Some(by), Some(us)) => Some((by.into(), moment(us, TABLE)?)),
                _ => None,
            },
        })
    }
}
