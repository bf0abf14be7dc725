//! The table `officials`: every tenure, also those that are over.

use chassis::{
    database::StoreError,
    id::{AccountId, FederationId},
    time::to_micros,
};
use sea_orm::{ActiveValue::Set, Condition, PaginatorTrait as _, QueryOrder as _, entity::prelude::*};

use super::{code, moment, page};
use crate::core::official::{Appoint, Conveyance, Official, Role};

const TABLE: &str = "officials";
const PENDING: i16 = 1;
const DONE: i16 = 2;
const REFUSED: i16 = 3;

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "officials")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub federation_id: Uuid,
    pub account_id: Uuid,
    pub role: i16,
    pub conveyance: i16,
    pub refusal: String,
    pub granted_by: Uuid,
    pub granted_us: i64,
    pub revoked_by: Option<Uuid>,
    pub revoked_us: Option<i64>,
}

chassis::standalone!();

/// The tenure of this id.
pub(crate) async fn find(on: &impl ConnectionTrait, id: Uuid) -> Result<Option<Official>, StoreError> {
    Entity::find_by_id(id).one(on).await?.map(Official::try_from).transpose()
}

/// What an account is in a federation.
pub(crate) async fn roles(
    on: &impl ConnectionTrait,
    federation: FederationId,
    account: AccountId,
) -> Result<Vec<Role>, StoreError> {
    let query = Entity::find().filter(current(federation)).filter(Column::AccountId.eq(account.uuid()));
    let rows: Vec<Official> =
        query.all(on).await?.into_iter().map(Official::try_from).collect::<Result<_, _>>()?;
    Ok(rows.into_iter().filter(Official::holds).map(|official| official.role).collect())
}

/// The tenure of an account in a role that was not revoked.
pub(crate) async fn current_of(
    on: &impl ConnectionTrait,
    Appoint { federation, account, role }: Appoint,
) -> Result<Option<Official>, StoreError> {
    let query = Entity::find().filter(current(federation)).filter(Column::AccountId.eq(account.uuid()));
    let found = query.filter(Column::Role.eq(code::role(role))).one(on).await?;
    found.map(Official::try_from).transpose()
}

/// How many hold roles in a federation, or this role alone.
pub(crate) async fn count(
    on: &impl ConnectionTrait,
    federation: FederationId,
    role: Option<Role>,
) -> Result<u64, StoreError> {
    let mut query = Entity::find().filter(current(federation));
    if let Some(role) = role {
        query = query.filter(Column::Role.eq(code::role(role)));
    }
    Ok(query.count(on).await?)
}

/// Officials, the oldest tenures first: at most `count` after an id.
pub(crate) async fn list(
    on: &impl ConnectionTrait,
    federation: FederationId,
    revoked: bool,
    after: Option<Uuid>,
    count: u64,
) -> Result<Vec<Official>, StoreError> {
    let mut query = Entity::find().filter(Column::FederationId.eq(federation.uuid()));
    if !revoked {
        query = query.filter(Column::RevokedUs.is_null());
    }
    let rows = page(query, Column::Id, after, count).all(on).await?;
    rows.into_iter().map(TryFrom::try_from).collect()
}

/// Every tenure of an account in whatever federation, the oldest first.
pub(crate) async fn all_of(
    on: &impl ConnectionTrait,
    account: AccountId,
) -> Result<Vec<Official>, StoreError> {
    let tenures = Entity::find().filter(Column::AccountId.eq(account.uuid())).order_by_asc(Column::Id);
    tenures.all(on).await?.into_iter().map(TryFrom::try_from).collect()
}

/// The accounts that hold one of these roles in a federation, the first role first and the oldest tenures first.
pub(crate) async fn holders(
    on: &impl ConnectionTrait,
    federation: FederationId,
    roles: &[Role],
) -> Result<Vec<AccountId>, StoreError> {
    let codes = roles.iter().map(|role| code::role(*role));
    let query = Entity::find().filter(current(federation)).filter(Column::Role.is_in(codes));
    let rows = query.order_by_asc(Column::Id).all(on).await?;
    let mut found: Vec<Official> = rows.into_iter().map(Official::try_from).collect::<Result<_, _>>()?;
    found.retain(Official::holds);
    found.sort_by_key(|official| roles.iter().position(|role| *role == official.role));
    Ok(found.into_iter().map(|official| official.account).collect())
}

/// Adds a tenure.
pub(crate) async fn insert(on: &impl ConnectionTrait, official: &Official) -> Result<(), StoreError> {
    Entity::insert(row(official)).exec_without_returning(on).await?;
    Ok(())
}

/// Writes a tenure over what it was.
pub(crate) async fn update(on: &impl ConnectionTrait, official: &Official) -> Result<(), StoreError> {
    Entity::update_many().set(row(official)).filter(Column::Id.eq(official.id)).exec(on).await?;
    Ok(())
}

/// Notes what identity said to a tenure.
pub(crate) async fn convey(
    on: &impl ConnectionTrait,
    id: Uuid,
    conveyance: &Conveyance,
) -> Result<(), StoreError> {
    let (number, refusal) = columns(conveyance);
    let row = ActiveModel { conveyance: Set(number), refusal: Set(refusal), ..Default::default() };
    Entity::update_many().set(row).filter(Column::Id.eq(id)).exec(on).await?;
    Ok(())
}

fn current(federation: FederationId) -> Condition {
    Condition::all().add(Column::FederationId.eq(federation.uuid())).add(Column::RevokedUs.is_null())
}

fn columns(conveyance: &Conveyance) -> (i16, String) {
    match conveyance {
        Conveyance::Pending => (PENDING, String::new()),
        Conveyance::Done => (DONE, String::new()),
        Conveyance::Refused(reason) => (REFUSED, reason.clone()),
    }
}

fn row(official: &Official) -> ActiveModel {
    let (conveyance, refusal) = columns(&official.conveyance);
    ActiveModel {
        id: Set(official.id),
        federation_id: Set(official.federation.uuid()),
        account_id: Set(official.account.uuid()),
        role: Set(code::role(official.role)),
        conveyance: Set(conveyance),
        refusal: Set(refusal),
        granted_by: Set(official.granted_by.uuid()),
        granted_us: Set(to_micros(official.granted)),
        revoked_by: Set(official.revoked.map(|(by, _)| by.uuid())),
        revoked_us: Set(official.revoked.map(|(_, at)| to_micros(at))),
    }
}

impl TryFrom<Model> for Official {
    type Error = StoreError;

    fn try_from(row: Model) -> Result<Self, StoreError> {
        let corrupt = || StoreError::Corrupt(TABLE);
        Ok(Official {
            id: row.id,
            federation: row.federation_id.into(),
            account: row.account_id.into(),
            role: code::to_role(row.role).ok_or_else(corrupt)?,
            conveyance: match row.conveyance {
                PENDING => Conveyance::Pending,
                DONE => Conveyance::Done,
                REFUSED => Conveyance::Refused(row.refusal),
                _ => return Err(corrupt()),
            },
            granted_by: row.granted_by.into(),
            granted: moment(row.granted_us, TABLE)?,
            revoked: match (row.revoked_by, row.revoked_us) {
                (Some(by), Some(us)) => Some((by.into(), moment(us, TABLE)?)),
                _ => None,
            },
        })
    }
}
