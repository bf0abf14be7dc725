//! The table `awards`: who has which title, who was proposed for it, and what became of that. No row is deleted.

use std::collections::BTreeSet;

use chassis::{
    database::StoreError,
    id::{EventId, FederationId, MemberId},
    time::to_micros,
};
use sea_orm::{ActiveValue::Set, PaginatorTrait as _, entity::prelude::*, sea_query::OnConflict};
use time::Date;

use super::{CHUNK, code, day, moment, page};
use crate::core::title::{Award, State};

const TABLE: &str = "awards";

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "awards")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub federation_id: Uuid,
    pub title_id: Uuid,
    pub member_id: Uuid,
    pub state: i16,
    pub reason: String,
    /// The ids of events, one after the other.
    pub events: Vec<u8>,
    pub proposed_by: Uuid,
    pub proposed_us: i64,
    pub decided_by: Option<Uuid>,
    pub decided_us: Option<i64>,
    pub effective_day: Option<i32>,
    pub refusal: String,
    pub revoked_by: Option<Uuid>,
    pub revoked_us: Option<i64>,
    pub revocation: String,
}

chassis::standalone!();

/// The award of this id.
pub(crate) async fn find(on: &impl ConnectionTrait, id: Uuid) -> Result<Option<Award>, StoreError> {
    Entity::find_by_id(id).one(on).await?.map(Award::try_from).transpose()
}

/// Those of a member that are this far.
pub(crate) async fn of_member(
    on: &impl ConnectionTrait,
    member: MemberId,
    state: State,
) -> Result<Vec<Award>, StoreError> {
    let found = Entity::find().filter(Column::MemberId.eq(member.uuid()));
    let found = found.filter(Column::State.eq(code::award(state)));
    found.all(on).await?.into_iter().map(TryFrom::try_from).collect()
}

/// Which titles members have, or are proposed for, as far as they are this far.
pub(crate) async fn of_members(
    on: &impl ConnectionTrait,
    members: &[MemberId],
    states: &[State],
) -> Result<BTreeSet<(MemberId, Uuid)>, StoreError> {
    let mut found = BTreeSet::new();
    for members in members.chunks(CHUNK) {
        let ids = members.iter().map(|member| member.uuid());
        let states = states.iter().map(|state| code::award(*state));
        let of = Entity::find().filter(Column::MemberId.is_in(ids)).filter(Column::State.is_in(states));
        found.extend(of.all(on).await?.into_iter().map(|row| (row.member_id.into(), row.title_id)));
    }
    Ok(found)
}

/// How many wait in a federation.
pub(crate) async fn waiting(on: &impl ConnectionTrait, federation: FederationId) -> Result<u64, StoreError> {
    let found = Entity::find().filter(Column::FederationId.eq(federation.uuid()));
    Ok(found.filter(Column::State.eq(code::award(State::Proposed))).count(on).await?)
}

/// Those of a federation that are this far, of one member or of all: at most `count` after an id.
pub(crate) async fn list(
    on: &impl ConnectionTrait,
    (federation, member): (FederationId, Option<MemberId>),
    state: State,
    after: Option<Uuid>,
    count: u64,
) -> Result<Vec<Award>, StoreError> {
    let mut found = Entity::find().filter(Column::FederationId.eq(federation.uuid()));
    found = found.filter(Column::State.eq(code::award(state)));
    if let Some(member) = member {
        found = found.filter(Column::MemberId.eq(member.uuid()));
    }
    let rows = page(found, Column::Id, after, count).all(on).await?;
    rows.into_iter().map(TryFrom::try_from).collect()
}

/// Adds awards, each unless it is there.
pub(crate) async fn insert(on: &impl ConnectionTrait, awards: &[Award]) -> Result<(), StoreError> {
    for awards in awards.chunks(CHUNK) {
        let known = OnConflict::column(Column::Id).do_nothing().to_owned();
        Entity::insert_many(awards.iter().map(row)).on_conflict(known).exec_without_returning(on).await?;
    }
    Ok(())
}

/// Writes an award over what it was.
pub(crate) async fn update(on: &impl ConnectionTrait, award: &Award) -> Result<(), StoreError> {
    Entity::update_many().set(row(award)).filter(Column::Id.eq(award.id)).exec(on).await?;
    Ok(())
}

/// Gives what one member has to another, who is the same person.
pub(crate) async fn hand_over(
    on: &impl ConnectionTrait,
    from: MemberId,
    to: MemberId,
) -> Result<(), StoreError> {
    let moved = Entity::update_many().col_expr(Column::MemberId, Expr::value(to.uuid()));
    moved.filter(Column::MemberId.eq(from.uuid())).exec(on).await?;
    Ok(())
}

/// Forgets what was said about a member. What he had stays under his id.
pub(crate) async fn forget(on: &impl ConnectionTrait, member: MemberId) -> Result<(), StoreError> {
    Entity::update_many()
        .col_expr(Column::Reason, Expr::value(""))
        .col_expr(Column::Refusal, Expr::value(""))
        .col_expr(Column::Revocation, Expr::value(""))
        .filter(Column::MemberId.eq(member.uuid()))
        .exec(on)
        .await?;
    Ok(())
}

fn row(award: &Award) -> ActiveModel {
    ActiveModel {
        id: Set(award.id),
        federation_id: Set(award.federation.uuid()),
        title_id: Set(award.title),
        member_id: Set(award.member.uuid()),
        state: Set(code::award(award.state)),
        reason: Set(award.reason.clone()),
        events: Set(award.events.iter().flat_map(|event| event.uuid().into_bytes()).collect()),
        proposed_by: Set(award.proposed_by.uuid()),
        proposed_us: Set(to_micros(award.proposed)),
        decided_by: Set(award.decided.map(|(by, _)| by.uuid())),
        decided_us: Set(award.decided.map(|(_, at)| to_micros(at))),
        effective_day: Set(award.effective.map(Date::to_julian_day)),
        refusal: Set(award.refusal.clone()),
        revoked_by: Set(award.revoked.map(|(by, _)| by.uuid())),
        revoked_us: Set(award.revoked.map(|(_, at)| to_micros(at))),
        revocation: Set(award.revocation.clone()),
    }
}

/// The ids of events that stand one after the other.
fn events(bytes: &[u8]) -> Result<Vec<EventId>, StoreError> {
    let ids = bytes.chunks(16).map(Uuid::from_slice);
    ids.map(|id| id.map(EventId::from).map_err(|_| StoreError::Corrupt(TABLE))).collect()
}

impl TryFrom<Model> for Award {
    type Error = StoreError;

    fn try_from(row: Model) -> Result<Self, StoreError> {
        let act = |by: Option<Uuid>, us: Option<i64>| match (by, us) {
            (Some(by), Some(us)) => Ok::<_, StoreError>(Some((by.into(), moment(us, TABLE)?))),
            _ => Ok(None),
        };
        Ok(Award {
            id: row.id,
            federation: row.federation_id.into(),
            title: row.title_id,
            member: row.member_id.into(),
            state: code::to_award(row.state).ok_or(StoreError::Corrupt(TABLE))?,
            reason: row.reason,
            events: events(&row.events)?,
            proposed_by: row.proposed_by.into(),
            proposed: moment(row.proposed_us, TABLE)?,
            decided: act(row.decided_by, row.decided_us)?,
            effective: row.effective_day.map(|julian| day(julian, TABLE)).transpose()?,
            refusal: row.refusal,
            revoked: act(row.revoked_by, row.revoked_us)?,
            revocation: row.revocation,
        })
    }
}
