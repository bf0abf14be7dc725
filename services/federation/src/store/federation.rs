//! The table `federations`.

use chassis::{
    database::StoreError,
    id::{AccountId, FederationId},
    time::to_micros,
};
use sea_orm::{
    ActiveValue::Set,
    PaginatorTrait as _, QueryOrder as _, QuerySelect as _, QueryTrait as _,
    entity::prelude::*,
    sea_query::{Expr, SelectStatement},
};

use super::{moment, name};
use crate::core::{
    federation::Federation,
    name::{Name, NameKey},
};

const TABLE: &str = "federations";

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "federations")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub native: String,
    pub latin: String,
    pub name_key: Vec<u8>,
    pub about: String,
    pub open: bool,
    pub founder_id: Uuid,
    pub made_us: i64,
    pub ended_us: Option<i64>,
    pub revision: i64,
}

chassis::standalone!();

/// The federation of this id.
pub(crate) async fn find(
    on: &impl ConnectionTrait,
    id: FederationId,
) -> Result<Option<Federation>, StoreError> {
    Entity::find_by_id(id.uuid()).one(on).await?.map(Federation::try_from).transpose()
}

/// Makes other transactions that lock the same federation wait for this one; false when there is none.
pub(crate) async fn lock(on: &impl ConnectionTrait, id: FederationId) -> Result<bool, StoreError> {
    let locked = Entity::update_many()
        .col_expr(Column::Revision, Expr::col(Column::Revision))
        .filter(Column::Id.eq(id.uuid()))
        .exec(on)
        .await?;
    Ok(locked.rows_affected == 1)
}

/// Whether another federation has this name.
pub(crate) async fn is_named(
    on: &impl ConnectionTrait,
    key: &NameKey,
    but: FederationId,
) -> Result<bool, StoreError> {
    let named = Entity::find().filter(Column::NameKey.eq(key.bytes().to_vec()));
    Ok(named.filter(Column::Id.ne(but.uuid())).count(on).await? > 0)
}

/// How many an account founded that are not dissolved.
pub(crate) async fn count_of(on: &impl ConnectionTrait, founder: AccountId) -> Result<u64, StoreError> {
    let mine = Entity::find().filter(Column::FounderId.eq(founder.uuid()));
    Ok(mine.filter(Column::EndedUs.is_null()).count(on).await?)
}

/// Federations, the oldest first: at most `count` after an id.
pub(crate) async fn list(
    on: &impl ConnectionTrait,
    prefix: &str,
    ended: bool,
    after: Option<Uuid>,
    count: u64,
) -> Result<Vec<Federation>, StoreError> {
    let mut query = Entity::find();
    if !prefix.is_empty() {
        query = query.filter(Column::Id.in_subquery(name::beginning(
            name::Kind::Federation,
            Uuid::nil(),
            prefix,
        )));
    }
    if !ended {
        query = query.filter(Column::EndedUs.is_null());
    }
    if let Some(after) = after {
        query = query.filter(Column::Id.gt(after));
    }
    let rows = query.order_by_asc(Column::Id).limit(count).all(on).await?;
    rows.into_iter().map(TryFrom::try_from).collect()
}

/// The ids of those that are dissolved.
pub(super) fn dissolved() -> SelectStatement {
    Entity::find().filter(Column::EndedUs.is_not_null()).select_only().column(Column::Id).into_query()
}

/// Adds a federation.
pub(crate) async fn insert(on: &impl ConnectionTrait, federation: &Federation) -> Result<(), StoreError> {
    Entity::insert(row(federation)).exec_without_returning(on).await?;
    index(on, federation).await
}

/// Writes a federation over what it was.
pub(crate) async fn update(on: &impl ConnectionTrait, federation: &Federation) -> Result<(), StoreError> {
    let this = Column::Id.eq(federation.id.uuid());
    Entity::update_many().set(row(federation)).filter(this).exec(on).await?;
    index(on, federation).await
}

async fn index(on: &impl ConnectionTrait, federation: &Federation) -> Result<(), StoreError> {
    let names = [(federation.id.uuid(), &federation.name)];
    name::write(on, name::Kind::Federation, Uuid::nil(), &names).await
}

fn row(federation: &Federation) -> ActiveModel {
    ActiveModel {
        id: Set(federation.id.uuid()),
        native: Set(federation.name.native.clone()),
        latin: Set(federation.name.latin.clone()),
        name_key: Set(federation.name.key().bytes().to_vec()),
        about: Set(federation.about.clone()),
        open: Set(federation.open),
        founder_id: Set(federation.founder.uuid()),
        made_us: Set(to_micros(federation.founded)),
        ended_us: Set(federation.dissolved.map(to_micros)),
        revision: Set(federation.revision),
    }
}

impl TryFrom<Model> for Federation {
    type Error = StoreError;

    fn try_from(row: Model) -> Result<Self, StoreError> {
        Ok(Federation {
            id: row.id.into(),
            name: Name { native: row.native, latin: row.latin },
            about: row.about,
            open: row.open,
            founder: row.founder_id.into(),
            founded: moment(row.made_us, TABLE)?,
            dissolved: row.ended_us.map(|us| moment(us, TABLE)).transpose()?,
            revision: row.revision,
        })
    }
}
