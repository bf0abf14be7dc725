//! The table `season_squads`: who plays in which division, with his squad once it is registered.

use chassis::{database::StoreError, id::SeasonId, time::to_micros};
use sea_orm::{
    ActiveValue::Set, Condition, QueryOrder as _, QuerySelect as _, entity::prelude::*,
    sea_query::ExprTrait as _,
};

use super::squad_member;
use crate::{
    core::league::{EntrantId, Squad},
    store::moment,
};

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "season_squads")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub season_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub entrant_id: Uuid,
    pub division: i32,
    pub seed: i32,
    pub registered: bool,
    pub stays_down: bool,
    pub updated_us: i64,
    pub revision: i64,
}

chassis::standalone!();

/// The place of a squad in the list of its season.
pub(crate) type Place = (u32, u32, Uuid);

/// A squad of a season.
pub(crate) async fn find(
    on: &impl ConnectionTrait,
    season: SeasonId,
    entrant: EntrantId,
) -> Result<Option<Squad>, StoreError> {
    let rows = Entity::find_by_id((season.uuid(), entrant.0)).all(on).await?;
    Ok(read(on, season, rows).await?.pop())
}

/// Squads of a season by division and seed: at most `count` after a place.
pub(crate) async fn list(
    on: &impl ConnectionTrait,
    season: SeasonId,
    after: Option<Place>,
    count: u64,
) -> Result<Vec<Squad>, StoreError> {
    let mut query = Entity::find().filter(Column::SeasonId.eq(season.uuid()));
    if let Some((division, seed, entrant)) = after {
        let (division, seed) = (division.cast_signed(), seed.cast_signed());
        let same_division = Condition::all().add(Column::Division.eq(division));
        let later = Condition::any()
            .add(Column::Division.gt(division))
            .add(same_division.clone().add(Column::Seed.gt(seed)))
            .add(same_division.add(Column::Seed.eq(seed)).add(Column::EntrantId.gt(entrant)));
        query = query.filter(later);
    }
    let ordered =
        query.order_by_asc(Column::Division).order_by_asc(Column::Seed).order_by_asc(Column::EntrantId);
    let rows = ordered.limit(count).all(on).await?;
    read(on, season, rows).await
}

/// Adds squads, or rights to register one.
pub(crate) async fn insert(on: &impl ConnectionTrait, squads: &[Squad]) -> Result<(), StoreError> {
    if !squads.is_empty() {
        Entity::insert_many(squads.iter().map(row)).exec_without_returning(on).await?;
    }
    Ok(())
}

/// Writes a squad over what it was.
pub(crate) async fn update(on: &impl ConnectionTrait, squad: &Squad) -> Result<(), StoreError> {
    let own = Column::SeasonId.eq(squad.season.uuid()).and(Column::EntrantId.eq(squad.entrant.0));
    Entity::update_many().set(row(squad)).filter(own).exec(on).await?;
    squad_member::write(on, squad).await
}

/// Takes a squad out of its season.
pub(crate) async fn delete(on: &impl ConnectionTrait, squad: &Squad) -> Result<(), StoreError> {
    let nobody = Squad { members: Vec::new(), ..squad.clone() };
    squad_member::write(on, &nobody).await?;
    Entity::delete_by_id((squad.season.uuid(), squad.entrant.0)).exec(on).await?;
    Ok(())
}

async fn read(
    on: &impl ConnectionTrait,
    season: SeasonId,
    rows: Vec<Model>,
) -> Result<Vec<Squad>, StoreError> {
    let entrants: Vec<Uuid> = rows.iter().map(|row| row.entrant_id).collect();
    let mut members = squad_member::of(on, season, &entrants).await?;
    let squad = |row: Model| {
        Ok(Squad {
            season: row.season_id.into(),
            entrant: EntrantId(row.entrant_id),
            division: row.division.cast_unsigned(),
            seed: row.seed.cast_unsigned(),
            registered: row.registered,
            members: members.remove(&row.entrant_id).unwrap_or_default(),
            stays_down: row.stays_down,
            updated: moment(row.updated_us, "season_squads")?,
            revision: row.revision,
        })
    };
    rows.into_iter().map(squad).collect()
}

fn row(squad: &Squad) -> ActiveModel {
    ActiveModel {
        season_id: Set(squad.season.uuid()),
        entrant_id: Set(squad.entrant.0),
        division: Set(squad.division.cast_signed()),
        seed: Set(squad.seed.cast_signed()),
        registered: Set(squad.registered),
        stays_down: Set(squad.stays_down),
        updated_us: Set(to_micros(squad.updated)),
        revision: Set(squad.revision),
    }
}
