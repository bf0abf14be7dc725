//! The table `members`, with what belongs to them.

use std::collections::{BTreeSet, HashMap};

use chassis::{
    database::StoreError,
    id::{AccountId, FederationId, MemberId},
};
use sea_orm::{
    ActiveValue::Set, Condition, PaginatorTrait as _, QuerySelect as _, Select, entity::prelude::*,
};
use time::Date;

use super::{CHUNK, code, day, federation as federations, member_number, name, page, stay};
use crate::core::{
    member::{Filter, Member, Person, State, StateKind},
    name::{Name, NameKey},
};

const TABLE: &str = "members";

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "members")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub federation_id: Uuid,
    pub native: String,
    pub latin: String,
    pub sex: Option<i16>,
    pub born_day: Option<i32>,
    pub grade: String,
    pub note: String,
    pub account_id: Option<Uuid>,
    pub state: i16,
    pub left_day: Option<i32>,
    pub merged_into: Option<Uuid>,
    pub joined_day: i32,
    pub revision: i64,
}

chassis::standalone!();

/// The member of this id.
pub(crate) async fn find(on: &impl ConnectionTrait, id: MemberId) -> Result<Option<Member>, StoreError> {
    Ok(read(on, Entity::find_by_id(id.uuid())).await?.pop())
}

/// The members of these ids, in no order; unknown ones are left out.
pub(crate) async fn find_all(on: &impl ConnectionTrait, ids: &[Uuid]) -> Result<Vec<Member>, StoreError> {
    let mut found = Vec::new();
    for ids in ids.chunks(CHUNK) {
        found.extend(read(on, Entity::find().filter(Column::Id.is_in(ids.iter().copied()))).await?);
    }
    Ok(found)
}

/// The member of a federation with this account.
pub(crate) async fn of_account(
    on: &impl ConnectionTrait,
    federation: FederationId,
    account: AccountId,
) -> Result<Option<Member>, StoreError> {
    let query = Entity::find().filter(Column::FederationId.eq(federation.uuid()));
    Ok(read(on, query.filter(Column::AccountId.eq(account.uuid()))).await?.pop())
}

/// The accounts of members who have one, each with the member.
pub(crate) async fn accounts(
    on: &impl ConnectionTrait,
    members: &[MemberId],
) -> Result<Vec<(MemberId, AccountId)>, StoreError> {
    let mut found: Vec<(Uuid, Uuid)> = Vec::new();
    for members in members.chunks(CHUNK) {
        let ids = members.iter().map(|member| member.uuid());
        let with = Entity::find().filter(Column::Id.is_in(ids)).filter(Column::AccountId.is_not_null());
        let columns = with.select_only().columns([Column::Id, Column::AccountId]);
        found.extend(columns.into_tuple::<(Uuid, Uuid)>().all(on).await?);
    }
    Ok(found.into_iter().map(|(member, account)| (member.into(), account.into())).collect())
}

/// The accounts of those who were members on a day, of one federation or of all that are not dissolved, each behind the member: at
/// most `count` after an id, in the order of ids.
pub(crate) async fn accounts_on(
    on: &impl ConnectionTrait,
    federation: Option<FederationId>,
    day: Date,
    after: Option<Uuid>,
    count: u64,
) -> Result<Vec<(Uuid, FederationId, AccountId)>, StoreError> {
    let day = day.to_julian_day();
    let there = [StateKind::Active, StateKind::Left].map(code::state);
    let query = Entity::find()
        .filter(Column::State.is_in(there))
        .filter(Column::AccountId.is_not_null())
        .filter(Column::JoinedDay.lte(day))
        .filter(Condition::any().add(Column::LeftDay.is_null()).add(Column::LeftDay.gt(day)));
    let query = query.filter(match federation {
        Some(federation) => Column::FederationId.eq(federation.uuid()),
        None => Column::FederationId.not_in_subquery(federations::dissolved()),
    });
    let columns = [Column::Id, Column::FederationId, Column::AccountId];
    let query = page(query, Column::Id, after, count).select_only().columns(columns);
    let rows: Vec<(Uuid, Uuid, Uuid)> = query.into_tuple().all(on).await?;
    Ok(rows.into_iter().map(|(id, federation, account)| (id, federation.into(), account.into())).collect())
}

/// Who an account is, everywhere: at most `count` after an id.
pub(crate) async fn mine(
    on: &impl ConnectionTrait,
    account: AccountId,
    after: Option<Uuid>,
    count: u64,
) -> Result<Vec<Member>, StoreError> {
    let query = Entity::find().filter(Column::AccountId.eq(account.uuid()));
    read(on, page(query, Column::Id, after, count)).await
}

/// Members or former ones of this native name and day of birth.
pub(crate) async fn namesakes(
    on: &impl ConnectionTrait,
    federation: FederationId,
    key: NameKey,
    born: Option<Date>,
) -> Result<Vec<Member>, StoreError> {
    let named = name::of_natives(on, name::Kind::Member, federation.uuid(), &[key]).await?;
    let born = match born {
        Some(born) => Column::BornDay.eq(born.to_julian_day()),
        None => Column::BornDay.is_null(),
    };
    let there = [StateKind::Active, StateKind::Left].map(code::state);
    let query = Entity::find().filter(Column::Id.is_in(named)).filter(born);
    read(on, query.filter(Column::State.is_in(there))).await
}

/// Those who were merged into a member.
pub(crate) async fn doubles(on: &impl ConnectionTrait, of: &Member) -> Result<Vec<Member>, StoreError> {
    let query = Entity::find()
        .filter(Column::FederationId.eq(of.federation.uuid()))
        .filter(Column::State.eq(code::state(StateKind::Merged)));
    read(on, query.filter(Column::MergedInto.eq(of.id.uuid()))).await
}

/// Whether somebody of these is forgotten.
pub(crate) async fn has_erased(on: &impl ConnectionTrait, members: &[MemberId]) -> Result<bool, StoreError> {
    for members in members.chunks(CHUNK) {
        let erased = Entity::find().filter(Column::State.eq(code::state(StateKind::Erased)));
        let erased = erased.filter(Column::Id.is_in(members.iter().map(|member| member.uuid())));
        if erased.count(on).await? > 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The ids of those who were merged into one of these members.
pub(crate) async fn ids_of_doubles(
    on: &impl ConnectionTrait,
    federation: FederationId,
    of: &BTreeSet<MemberId>,
) -> Result<Vec<MemberId>, StoreError> {
    if of.is_empty() {
        return Ok(Vec::new());
    }
    let query = Entity::find()
        .filter(Column::FederationId.eq(federation.uuid()))
        .filter(Column::State.eq(code::state(StateKind::Merged)))
        .filter(Column::MergedInto.is_in(of.iter().map(|member| member.uuid())));
    let ids: Vec<Uuid> = query.select_only().column(Column::Id).into_tuple().all(on).await?;
    Ok(ids.into_iter().map(MemberId::from).collect())
}

/// Every double of a federation, with the one into whom he was merged.
pub(crate) async fn merged(
    on: &impl ConnectionTrait,
    federation: FederationId,
) -> Result<Vec<(Uuid, Uuid)>, StoreError> {
    let query = Entity::find()
        .filter(Column::FederationId.eq(federation.uuid()))
        .filter(Column::State.eq(code::state(StateKind::Merged)));
    let query = query.filter(Column::MergedInto.is_not_null()).select_only();
    Ok(query.column(Column::Id).column(Column::MergedInto).into_tuple().all(on).await?)
}

/// The grades of members, and their names, without all else that is known of them.
pub(crate) async fn graded(
    on: &impl ConnectionTrait,
    ids: &[Uuid],
) -> Result<Vec<(Uuid, Name, String)>, StoreError> {
    let mut found = Vec::new();
    for ids in ids.chunks(CHUNK) {
        let query = Entity::find().filter(Column::Id.is_in(ids.iter().copied())).select_only();
        let query =
            query.column(Column::Id).column(Column::Native).column(Column::Latin).column(Column::Grade);
        let rows: Vec<(Uuid, String, String, String)> = query.into_tuple().all(on).await?;
        let read = |(id, native, latin, grade)| (id, Name { native, latin }, grade);
        found.extend(rows.into_iter().map(read));
    }
    Ok(found)
}

/// How many members a federation has and had.
pub(crate) async fn count(on: &impl ConnectionTrait, federation: FederationId) -> Result<u64, StoreError> {
    Ok(Entity::find().filter(Column::FederationId.eq(federation.uuid())).count(on).await?)
}

/// Members, those known longest first: at most `count` after an id.
pub(crate) async fn list(
    on: &impl ConnectionTrait,
    filter: &Filter,
    today: Date,
    after: Option<Uuid>,
    count: u64,
) -> Result<Vec<Member>, StoreError> {
    let scope = filter.federation.uuid();
    let mut which =
        Condition::all().add(Column::FederationId.eq(scope)).add(Column::State.eq(code::state(filter.state)));
    if let Some((club, on)) = filter.club {
        which = which.add(Column::Id.in_subquery(stay::in_club(club, on.unwrap_or(today))));
    }
    if !filter.prefix.is_empty() {
        which = which.add(Column::Id.in_subquery(name::beginning(name::Kind::Member, scope, &filter.prefix)));
    }
    if let Some(account) = filter.account {
        which = which.add(Column::AccountId.eq(account.uuid()));
    }
    read(on, page(Entity::find().filter(which), Column::Id, after, count)).await
}

/// Adds members.
pub(crate) async fn insert(on: &impl ConnectionTrait, members: &[Member]) -> Result<(), StoreError> {
    for members in members.chunks(CHUNK) {
        Entity::insert_many(members.iter().map(row)).exec_without_returning(on).await?;
    }
    belongings(on, members).await
}

/// Writes members over what they were.
pub(crate) async fn update(on: &impl ConnectionTrait, members: &[Member]) -> Result<(), StoreError> {
    for member in members {
        Entity::update_many().set(row(member)).filter(Column::Id.eq(member.id.uuid())).exec(on).await?;
    }
    belongings(on, members).await
}

async fn belongings(on: &impl ConnectionTrait, members: &[Member]) -> Result<(), StoreError> {
    for members in members.chunks(CHUNK) {
        let members: Vec<&Member> = members.iter().collect();
        member_number::write(on, &members).await?;
        stay::write(on, &members).await?;
        if let Some(first) = members.first() {
            let names: Vec<(Uuid, &Name)> =
                members.iter().map(|member| (member.id.uuid(), &member.person.name)).collect();
            name::write(on, name::Kind::Member, first.federation.uuid(), &names).await?;
        }
    }
    Ok(())
}

/// The members of a query, with their numbers and stays.
async fn read(on: &impl ConnectionTrait, query: Select<Entity>) -> Result<Vec<Member>, StoreError> {
    let rows = query.all(on).await?;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let mut members: Vec<Member> = rows.into_iter().map(Member::try_from).collect::<Result<_, _>>()?;
    let places: HashMap<Uuid, usize> = ids.iter().enumerate().map(|(place, id)| (*id, place)).collect();
    for number in member_number::of(on, &ids).await? {
        if let Some(place) = places.get(&number.member_id) {
            members[*place].person.numbers.insert(number.list, number.number);
        }
    }
    for (member, stay) in stay::of(on, &ids).await? {
        if let Some(place) = places.get(&member) {
            members[*place].stays.push(stay);
        }
    }
    Ok(members)
}

fn row(member: &Member) -> ActiveModel {
    let Person { name, sex, born, grade, numbers: _, note } = &member.person;
    let (left, merged) = match member.state {
        State::Left(day) => (Some(day.to_julian_day()), None),
        State::Merged(into) => (None, Some(into.uuid())),
        State::Active | State::Erased => (None, None),
    };
    ActiveModel {
        id: Set(member.id.uuid()),
        federation_id: Set(member.federation.uuid()),
        native: Set(name.native.clone()),
        latin: Set(name.latin.clone()),
        sex: Set(sex.map(code::sex)),
        born_day: Set(born.map(Date::to_julian_day)),
        grade: Set(grade.clone()),
        note: Set(note.clone()),
        account_id: Set(member.account.map(AccountId::uuid)),
        state: Set(code::state(member.state.kind())),
        left_day: Set(left),
        merged_into: Set(merged),
        joined_day: Set(member.joined.to_julian_day()),
        revision: Set(member.revision),
    }
}

impl TryFrom<Model> for Member {
    type Error = StoreError;

    fn try_from(row: Model) -> Result<Self, StoreError> {
        let corrupt = || StoreError::Corrupt(TABLE);
        let state = match code::to_state(row.state).ok_or_else(corrupt)? {
            StateKind::Active => State::Active,
            StateKind::Left => State::Left(day(row.left_day.ok_or_else(corrupt)?, TABLE)?),
            StateKind::Merged => State::Merged(row.merged_into.ok_or_else(corrupt)?.into()),
            StateKind::Erased => State::Erased,
        };
        let person = Person {
            name: Name { native: row.native, latin: row.latin },
            sex: row.sex.map(|sex| code::to_sex(sex).ok_or_else(corrupt)).transpose()?,
            born: row.born_day.map(|born| day(born, TABLE)).transpose()?,
            grade: row.grade,
            note: row.note,
            ..Person::default()
        };
        Ok(Member {
            id: row.id.into(),
            federation: row.federation_id.into(),
            person,
            account: row.account_id.map(AccountId::from),
            state,
            joined: day(row.joined_day, TABLE)?,
            revision: row.revision,
            stays: Vec::new(),
        })
    }
}
