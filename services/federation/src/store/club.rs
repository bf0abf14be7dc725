//! The table `clubs`.

use chassis::{
    database::StoreError,
    id::{ClubId, FederationId},
    time::to_micros,
};
use sea_orm::{ActiveValue::Set, PaginatorTrait as _, entity::prelude::*};

use super::{CHUNK, moment, name, page};
use crate::core::{
    club::Club,
    name::{Name, NameKey},
};

const TABLE: &str = "clubs";

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "clubs")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub federation_id: Uuid,
    pub native: String,
    pub latin: String,
    pub place: String,
    pub made_us: i64,
    pub ended_us: Option<i64>,
    pub revision: i64,
}

chassis::standalone!();

/// The club of this id.
pub(crate) async fn find(on: &impl ConnectionTrait, id: ClubId) -> Result<Option<Club>, StoreError> {
    Entity::find_by_id(id.uuid()).one(on).await?.map(Club::try_from).transpose()
}

/// The clubs of these ids, in no order; unknown ones are left out.
pub(crate) async fn find_all(on: &impl ConnectionTrait, ids: &[ClubId]) -> Result<Vec<Club>, StoreError> {
    let mut found = Vec::new();
    for ids in ids.chunks(CHUNK) {
        let rows = Entity::find().filter(Column::Id.is_in(ids.iter().map(|id| id.uuid()))).all(on).await?;
        for row in rows {
            found.push(Club::try_from(row)?);
        }
    }
    Ok(found)
}

/// The names of clubs.
pub(crate) async fn names(
    on: &impl ConnectionTrait,
    ids: &[Uuid],
) -> Result<Vec<(Uuid, String)>, StoreError> {
    let mut found = Vec::new();
    for ids in ids.chunks(super::CHUNK) {
        let rows = Entity::find().filter(Column::Id.is_in(ids.iter().copied())).all(on).await?;
        found.extend(rows.into_iter().map(|row| (row.id, row.native)));
    }
    Ok(found)
}

/// Whether another club of the federation that is not closed has this name.
pub(crate) async fn is_named(
    on: &impl ConnectionTrait,
    federation: FederationId,
    key: NameKey,
    but: ClubId,
) -> Result<bool, StoreError> {
    let named = name::of_natives(on, name::Kind::Club, federation.uuid(), &[key]).await?;
    let open = Entity::find().filter(Column::Id.is_in(named)).filter(Column::EndedUs.is_null());
    Ok(open.filter(Column::Id.ne(but.uuid())).count(on).await? > 0)
}

/// How many clubs of a federation are not closed.
pub(crate) async fn count(on: &impl ConnectionTrait, federation: FederationId) -> Result<u64, StoreError> {
    let open = Entity::find().filter(Column::FederationId.eq(federation.uuid()));
    Ok(open.filter(Column::EndedUs.is_null()).count(on).await?)
}

/// Clubs of a federation, the oldest first: at most `count` after an id.
pub(crate) async fn list(
    on: &impl ConnectionTrait,
    federation: FederationId,
    prefix: &str,
    ended: bool,
    after: Option<Uuid>,
    count: u64,
) -> Result<Vec<Club>, StoreError> {
    let mut query = Entity::find().filter(Column::FederationId.eq(federation.uuid()));
    if !prefix.is_empty() {
        let beginning = name::beginning(name::Kind::Club, federation.uuid(), prefix);
        query = query.filter(Column::Id.in_subquery(beginning));
    }
    if !ended {
        query = query.filter(Column::EndedUs.is_null());
    }
    let rows = page(query, Column::Id, after, count).all(on).await?;
    rows.into_iter().map(TryFrom::try_from).collect()
}

/// Adds a club.
pub(crate) async fn insert(on: &impl ConnectionTrait, club: &Club) -> Result<(), StoreError> {
    Entity::insert(row(club)).exec_without_returning(on).await?;
    name::write(on, name::Kind::Club, club.federation.uuid(), &[(club.id.uuid(), &club.name)]).await
}

/// Writes a club over what it was.
pub(crate) async fn update(on: &impl ConnectionTrait, club: &Club) -> Result<(), StoreError> {
    Entity::update_many().set(row(club)).filter(Column::Id.eq(club.id.uuid())).exec(on).await?;
    name::write(on, name::Kind::Club, club.federation.uuid(), &[(club.id.uuid(), &club.name)]).await
}

fn row(club: &Club) -> ActiveModel {
    ActiveModel {
        id: Set(club.id.uuid()),
        federation_id: Set(club.federation.uuid()),
        native: Set(club.name.native.clone()),
        latin: Set(club.name.latin.clone()),
        place: Set(club.place.clone()),
        made_us: Set(to_micros(club.made)),
        ended_us: Set(club.closed.map(to_micros)),
        revision: Set(club.revision),
    }
}

impl TryFrom<Model> for Club {
    type Error = StoreError;

    fn try_from(row: Model) -> Result<Self, StoreError> {
        Ok(Club {
            id: row.id.into(),
            federation: row.federation_id.into(),
            name: Name { native: row.native, latin: row.latin },
            place: row.place,
            made: moment(row.made_us, TABLE)?,
            closed: row.ended_us.map(|us| moment(us, TABLE)).transpose()?,
            revision: row.revision,
        })
    }
}
