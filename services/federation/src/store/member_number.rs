//! The table `member_numbers`: the numbers of members in other lists. A number is one member's.

use std::collections::BTreeMap;

use chassis::{
    database::StoreError,
    id::{FederationId, MemberId},
};
use sea_orm::{ActiveValue::Set, QueryOrder as _, QuerySelect as _, entity::prelude::*};

use super::CHUNK;
use crate::core::member::Member;

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "member_numbers")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub federation_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub list: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub number: String,
    pub member_id: Uuid,
}

chassis::standalone!();

/// The numbers of members.
pub(crate) async fn of(on: &impl ConnectionTrait, members: &[Uuid]) -> Result<Vec<Model>, StoreError> {
    Ok(Entity::find().filter(Column::MemberId.is_in(members.iter().copied())).all(on).await?)
}

/// The lists in which members of a federation have numbers, in the order of their names.
pub(crate) async fn lists(
    on: &impl ConnectionTrait,
    federation: FederationId,
) -> Result<Vec<String>, StoreError> {
    let lists = Entity::find().select_only().column(Column::List).distinct();
    let lists = lists.filter(Column::FederationId.eq(federation.uuid())).order_by_asc(Column::List);
    Ok(lists.into_tuple().all(on).await?)
}

/// Whose numbers of a federation these are: number and member.
pub(crate) async fn holders(
    on: &impl ConnectionTrait,
    federation: FederationId,
    numbers: &[(String, String)],
) -> Result<Vec<(String, MemberId)>, StoreError> {
    // List by list: so many conditions of two columns each would be looked through for every row.
    let mut by_list: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (list, number) in numbers {
        by_list.entry(list).or_default().push(number);
    }
    let mut found = Vec::new();
    for (list, numbers) in by_list {
        let of_list =
            Entity::find().filter(Column::FederationId.eq(federation.uuid())).filter(Column::List.eq(list));
        for numbers in numbers.chunks(CHUNK) {
            let these = of_list.clone().filter(Column::Number.is_in(numbers.iter().copied()));
            let rows = these.all(on).await?;
            found.extend(rows.into_iter().map(|row| (row.number, row.member_id.into())));
        }
    }
    Ok(found)
}

/// Gives members these numbers, and no others.
pub(super) async fn write(on: &impl ConnectionTrait, members: &[&Member]) -> Result<(), StoreError> {
    let ids = members.iter().map(|member| member.id.uuid());
    Entity::delete_many().filter(Column::MemberId.is_in(ids)).exec(on).await?;
    let rows: Vec<ActiveModel> = members
        .iter()
        .flat_map(|member| member.person.numbers.iter().map(move |number| (member, number)))
        .map(|(member, (list, number))| ActiveModel {
            federation_id: Set(member.federation.uuid()),
            list: Set(list.clone()),
            number: Set(number.clone()),
            member_id: Set(member.id.uuid()),
        })
        .collect();
    for rows in rows.chunks(CHUNK) {
        Entity::insert_many(rows.to_vec()).exec_without_returning(on).await?;
    }
    Ok(())
}
