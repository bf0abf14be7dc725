//! The table `teams`.

use chassis::{
    database::StoreError,
    id::{ClubId, FederationId, MemberId, TeamId},
    time::to_micros,
};
use sea_orm::{ActiveValue::Set, Condition, PaginatorTrait as _, Select, entity::prelude::*};

use super::{CHUNK, moment, name, page, team_member};
use crate::core::{
    name::{Name, NameKey},
    team::{Filter, Team},
};

const TABLE: &str = "teams";

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "teams")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub federation_id: Uuid,
    pub native: String,
    pub latin: String,
    pub club_id: Option<Uuid>,
    pub captain_id: Option<Uuid>,
    pub made_us: i64,
    pub ended_us: Option<i64>,
    pub revision: i64,
}

chassis::standalone!();

/// The team of this id.
pub(crate) async fn find(on: &impl ConnectionTrait, id: TeamId) -> Result<Option<Team>, StoreError> {
    Ok(read(on, Entity::find_by_id(id.uuid())).await?.pop())
}

/// The teams of these ids, in no order; unknown ones are left out.
pub(crate) async fn find_all(on: &impl ConnectionTrait, ids: &[TeamId]) -> Result<Vec<Team>, StoreError> {
    let mut found = Vec::new();
    for ids in ids.chunks(CHUNK) {
        found
            .extend(read(on, Entity::find().filter(Column::Id.is_in(ids.iter().map(|id| id.uuid())))).await?);
    }
    Ok(found)
}

/// The teams that a member is in and that are not disbanded.
pub(crate) async fn with(on: &impl ConnectionTrait, member: MemberId) -> Result<Vec<Team>, StoreError> {
    let query = Entity::find().filter(Column::Id.in_subquery(team_member::with(member)));
    read(on, query.filter(Column::EndedUs.is_null())).await
}

/// Whether another team of the federation that is not disbanded has this name.
pub(crate) async fn is_named(
    on: &impl ConnectionTrait,
    federation: FederationId,
    key: NameKey,
    but: TeamId,
) -> Result<bool, StoreError> {
    let named = name::of_natives(on, name::Kind::Team, federation.uuid(), &[key]).await?;
    let there = Entity::find().filter(Column::Id.is_in(named)).filter(Column::EndedUs.is_null());
    Ok(there.filter(Column::Id.ne(but.uuid())).count(on).await? > 0)
}

/// How many teams of a federation are not disbanded.
pub(crate) async fn count(on: &impl ConnectionTrait, federation: FederationId) -> Result<u64, StoreError> {
    let there = Entity::find().filter(Column::FederationId.eq(federation.uuid()));
    Ok(there.filter(Column::EndedUs.is_null()).count(on).await?)
}

/// Teams, the oldest first: at most `count` after an id.
pub(crate) async fn list(
    on: &impl ConnectionTrait,
    filter: &Filter,
    after: Option<Uuid>,
    count: u64,
) -> Result<Vec<Team>, StoreError> {
    let scope = filter.federation.uuid();
    let mut which = Condition::all().add(Column::FederationId.eq(scope));
    if let Some(club) = filter.club {
        which = which.add(Column::ClubId.eq(club.uuid()));
    }
    if let Some(member) = filter.member {
        which = which.add(Column::Id.in_subquery(team_member::with(member)));
    }
    if !filter.prefix.is_empty() {
        which = which.add(Column::Id.in_subquery(name::beginning(name::Kind::Team, scope, &filter.prefix)));
    }
    if !filter.disbanded {
        which = which.add(Column::EndedUs.is_null());
    }
    read(on, page(Entity::find().filter(which), Column::Id, after, count)).await
}

/// Adds a team.
pub(crate) async fn insert(on: &impl ConnectionTrait, team: &Team) -> Result<(), StoreError> {
    Entity::insert(row(team)).exec_without_returning(on).await?;
    belongings(on, team).await
}

/// Writes a team over what it was.
pub(crate) async fn update(on: &impl ConnectionTrait, team: &Team) -> Result<(), StoreError> {
    Entity::update_many().set(row(team)).filter(Column::Id.eq(team.id.uuid())).exec(on).await?;
    belongings(on, team).await
}

async fn belongings(on: &impl ConnectionTrait, team: &Team) -> Result<(), StoreError> {
    team_member::write(on, team).await?;
    name::write(on, name::Kind::Team, team.federation.uuid(), &[(team.id.uuid(), &team.name)]).await
}

async fn read(on: &impl ConnectionTrait, query: Select<Entity>) -> Result<Vec<Team>, StoreError> {
    let rows = query.all(on).await?;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let mut teams: Vec<Team> = rows.into_iter().map(Team::try_from).collect::<Result<_, _>>()?;
    for (id, member, part) in team_member::of(on, &ids).await? {
        if let Some(team) = teams.iter_mut().find(|team| team.id == id) {
            team.members.push((member, part));
        }
    }
    Ok(teams)
}

fn row(team: &Team) -> ActiveModel {
    ActiveModel {
        id: Set(team.id.uuid()),
        federation_id: Set(team.federation.uuid()),
        native: Set(team.name.native.clone()),
        latin: Set(team.name.latin.clone()),
        club_id: Set(team.club.map(ClubId::uuid)),
        captain_id: Set(team.captain.map(MemberId::uuid)),
        made_us: Set(to_micros(team.made)),
        ended_us: Set(team.disbanded.map(to_micros)),
        revision: Set(team.revision),
    }
}

impl TryFrom<Model> for Team {
    type Error = StoreError;

    fn try_from(row: Model) -> Result<Self, StoreError> {
        Ok(Team {
            id: row.id.into(),
            federation: row.federation_id.into(),
            name: Name { native: row.native, latin: row.latin },
            club: row.club_id.map(ClubId::from),
            captain: row.captain_id.map(MemberId::from),
            members: Vec::new(),
            made: moment(row.made_us, TABLE)?,
            disbanded: row.ended_us.map(|us| moment(us, TABLE)).transpose()?,
            revision: row.revision,
        })
    }
}
