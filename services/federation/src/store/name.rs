//! The table `organisation_names`: by which names federations, clubs, members and teams are found.

use chassis::database::StoreError;
use sea_orm::{
    ActiveValue::Set,
    QuerySelect as _, QueryTrait as _,
    entity::prelude::*,
    sea_query::{OnConflict, SelectStatement},
};

use super::CHUNK;
use crate::core::name::{Name, NameKey};

/// What has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A federation; its scope is nil.
    Federation = 1,
    /// A club of a federation.
    Club = 2,
    /// A member of a federation.
    Member = 3,
    /// A team of a federation.
    Team = 4,
}

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "organisation_names")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub kind: i16,
    #[sea_orm(primary_key, auto_increment = false)]
    pub scope_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub name_key: Vec<u8>,
    #[sea_orm(primary_key, auto_increment = false)]
    pub thing_id: Uuid,
    /// Whether it is the native name: what must be of one thing alone.
    pub native: bool,
}

chassis::standalone!();

/// Has things be found by these names, and by no others that they had.
pub(crate) async fn write(
    on: &impl ConnectionTrait,
    kind: Kind,
    scope: Uuid,
    names: &[(Uuid, &Name)],
) -> Result<(), StoreError> {
    for names in names.chunks(CHUNK) {
        let things = names.iter().map(|(thing, _)| *thing);
        Entity::delete_many().filter(Column::ThingId.is_in(things)).exec(on).await?;
        let rows: Vec<ActiveModel> = names
            .iter()
            .flat_map(|(thing, name)| {
                let native = name.key();
                name.keys().into_iter().map(move |key| (*thing, key == native, key))
            })
            .map(|(thing, native, key)| ActiveModel {
                kind: Set(kind as i16),
                scope_id: Set(scope),
                name_key: Set(key.bytes().to_vec()),
                thing_id: Set(thing),
                native: Set(native),
            })
            .collect();
        if !rows.is_empty() {
            let again = OnConflict::new().do_nothing().to_owned();
            Entity::insert_many(rows).on_conflict(again).exec_without_returning(on).await?;
        }
    }
    Ok(())
}

/// The things whose native name is one of these.
pub(crate) async fn of_natives(
    on: &impl ConnectionTrait,
    kind: Kind,
    scope: Uuid,
    keys: &[NameKey],
) -> Result<Vec<Uuid>, StoreError> {
    let mut found = Vec::new();
    for keys in keys.chunks(CHUNK) {
        let rows: Vec<Uuid> = Entity::find()
            .select_only()
            .column(Column::ThingId)
            .filter(Column::Kind.eq(kind as i16))
            .filter(Column::ScopeId.eq(scope))
            .filter(Column::NameKey.is_in(keys.iter().map(|key| key.bytes().to_vec())))
            .filter(Column::Native.eq(true))
            .into_tuple()
            .all(on)
            .await?;
        found.extend(rows);
    }
    Ok(found)
}

/// A query of the ids of things whose name begins like this.
pub(crate) fn beginning(kind: Kind, scope: Uuid, prefix: &str) -> SelectStatement {
    let start = NameKey::of(prefix);
    let mut query = Entity::find()
        .select_only()
        .column(Column::ThingId)
        .filter(Column::Kind.eq(kind as i16))
        .filter(Column::ScopeId.eq(scope))
        .filter(Column::NameKey.gte(start.bytes().to_vec()));
    if let Some(end) = start.end() {
        query = query.filter(Column::NameKey.lt(end));
    }
    query.into_query()
}
