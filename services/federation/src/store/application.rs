//! The table `applications`.

use chassis::{
    database::StoreError,
    id::{AccountId, ClubId, FederationId, MemberId},
    time::to_micros,
};
use sea_orm::{ActiveValue::Set, Condition, PaginatorTrait as _, entity::prelude::*};

use super::{code, moment, page};
use crate::core::{
    application::{Answer, Application},
    name::Name,
};

const TABLE: &str = "applications";

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "applications")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub federation_id: Uuid,
    pub account_id: Uuid,
    pub native: String,
    pub latin: String,
    pub club_id: Option<Uuid>,
    pub note: String,
    pub answer: i16,
    pub reply: String,
    pub answered_by: Option<Uuid>,
    pub answered_us: Option<i64>,
    pub member_id: Option<Uuid>,
    pub made_us: i64,
}

chassis::standalone!();

/// The application of this id.
pub(crate) async fn find(on: &impl ConnectionTrait, id: Uuid) -> Result<Option<Application>, StoreError> {
    Entity::find_by_id(id).one(on).await?.map(Application::try_from).transpose()
}

/// How many wait for an answer in a federation.
pub(crate) async fn count_in(on: &impl ConnectionTrait, federation: FederationId) -> Result<u64, StoreError> {
    let waiting = Entity::find().filter(Column::Answer.eq(code::answer(Answer::Pending)));
    Ok(waiting.filter(Column::FederationId.eq(federation.uuid())).count(on).await?)
}

/// Those of an account that wait for an answer.
pub(crate) async fn waiting(
    on: &impl ConnectionTrait,
    account: AccountId,
) -> Result<Vec<Application>, StoreError> {
    let waiting = Entity::find().filter(Column::Answer.eq(code::answer(Answer::Pending)));
    let rows = waiting.filter(Column::AccountId.eq(account.uuid())).all(on).await?;
    rows.into_iter().map(TryFrom::try_from).collect()
}

/// Applications to a federation or of an account, the oldest first: at most `count` after an id.
pub(crate) async fn list(
    on: &impl ConnectionTrait,
    of: Result<FederationId, AccountId>,
    answer: Answer,
    after: Option<Uuid>,
    count: u64,
) -> Result<Vec<Application>, StoreError> {
    let whose = match of {
        Ok(federation) => Column::FederationId.eq(federation.uuid()),
        Err(account) => Column::AccountId.eq(account.uuid()),
    };
    let query = Entity::find().filter(whose).filter(Column::Answer.eq(code::answer(answer)));
    let rows = page(query, Column::Id, after, count).all(on).await?;
    rows.into_iter().map(TryFrom::try_from).collect()
}

/// Adds an application.
pub(crate) async fn insert(on: &impl ConnectionTrait, application: &Application) -> Result<(), StoreError> {
    Entity::insert(row(application)).exec_without_returning(on).await?;
    Ok(())
}

/// Writes an application over what it was.
pub(crate) async fn update(on: &impl ConnectionTrait, application: &Application) -> Result<(), StoreError> {
    Entity::update_many().set(row(application)).filter(Column::Id.eq(application.id)).exec(on).await?;
    Ok(())
}

/// Empties what the applications to a federation say of a person: those by which he became a member, and all of his account.
pub(crate) async fn forget(
    on: &impl ConnectionTrait,
    federation: FederationId,
    (member, account): (MemberId, Option<AccountId>),
) -> Result<(), StoreError> {
    let empty = || Set(String::new());
    let row =
        ActiveModel { native: empty(), latin: empty(), note: empty(), reply: empty(), ..Default::default() };
    let mut his = Condition::any().add(Column::MemberId.eq(member.uuid()));
    if let Some(account) = account {
        his = his.add(Column::AccountId.eq(account.uuid()));
    }
    let his = Entity::update_many().set(row).filter(his).filter(Column::FederationId.eq(federation.uuid()));
    his.exec(on).await?;
    Ok(())
}

fn row(application: &Application) -> ActiveModel {
    ActiveModel {
        id: Set(application.id),
        federation_id: Set(application.federation.uuid()),
        account_id: Set(application.account.uuid()),
        native: Set(application.name.native.clone()),
        latin: Set(application.name.latin.clone()),
        club_id: Set(application.club.map(ClubId::uuid)),
        note: Set(application.note.clone()),
        answer: Set(code::answer(application.answer)),
        reply: Set(application.reply.clone()),
        answered_by: Set(application.answered.map(|(by, _)| by.uuid())),
        answered_us: Set(application.answered.map(|(_, at)| to_micros(at))),
        member_id: Set(application.member.map(MemberId::uuid)),
        made_us: Set(to_micros(application.made)),
    }
}

impl TryFrom<Model> for Application {
    type Error = StoreError;

    fn try_from(row: Model) -> Result<Self, StoreError> {
        Ok(Application {
            id: row.id,
            federation: row.federation_id.into(),
            account: row.account_id.into(),
            name: Name { native: row.native, latin: row.latin },
            club: row.club_id.map(ClubId::from),
            note: row.note,
            answer: code::to_answer(row.answer).ok_or(StoreError::Corrupt(TABLE))?,
            reply: row.reply,
            answered: match (row.answered_by, row.answered_us) {
                (Some(by), Some(us)) => Some((by.into(), moment(us, TABLE)?)),
                _ => None,
            },
            member: row.member_id.map(MemberId::from),
            made: moment(row.made_us, TABLE)?,
        })
    }
}
