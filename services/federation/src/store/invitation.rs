//! The table `invitations`. Of codes it has the digests alone.

use chassis::{
    database::StoreError,
    id::{AccountId, FederationId, MemberId},
    time::to_micros,
};
use sea_orm::{ActiveValue::Set, PaginatorTrait as _, entity::prelude::*};
use time::OffsetDateTime;

use super::{code, moment, page};
use crate::core::{
    application::Answer,
    invitation::{CodeDigest, Invitation},
};

const TABLE: &str = "invitations";

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "invitations")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub federation_id: Uuid,
    pub account_id: Option<Uuid>,
    pub code_digest: Option<Vec<u8>>,
    pub member_id: Option<Uuid>,
    pub answer: i16,
    pub made_by: Uuid,
    pub made_us: i64,
    pub expires_us: i64,
    pub answered_by: Option<Uuid>,
}

chassis::standalone!();

/// The invitation of this id.
pub(crate) async fn find(on: &impl ConnectionTrait, id: Uuid) -> Result<Option<Invitation>, StoreError> {
    Entity::find_by_id(id).one(on).await?.map(Invitation::try_from).transpose()
}

/// The invitation that a code opens.
pub(crate) async fn of_code(
    on: &impl ConnectionTrait,
    code: CodeDigest,
) -> Result<Option<Invitation>, StoreError> {
    let found = Entity::find().filter(Column::CodeDigest.eq(code.0.to_vec())).one(on).await?;
    found.map(Invitation::try_from).transpose()
}

/// How many wait for an answer in a federation, or of an account, and have not expired.
pub(crate) async fn count(
    on: &impl ConnectionTrait,
    of: Result<FederationId, AccountId>,
    now: OffsetDateTime,
) -> Result<u64, StoreError> {
    let whose = match of {
        Ok(federation) => Column::FederationId.eq(federation.uuid()),
        Err(account) => Column::AccountId.eq(account.uuid()),
    };
    let waiting = Entity::find().filter(Column::Answer.eq(code::answer(Answer::Pending))).filter(whose);
    Ok(waiting.filter(Column::ExpiresUs.gt(to_micros(now))).count(on).await?)
}

/// Invitations of a federation or for an account, the oldest first: at most `count` after an id.
pub(crate) async fn list(
    on: &impl ConnectionTrait,
    of: Result<FederationId, AccountId>,
    answer: Answer,
    after: Option<Uuid>,
    count: u64,
) -> Result<Vec<Invitation>, StoreError> {
    let whose = match of {
        Ok(federation) => Column::FederationId.eq(federation.uuid()),
        Err(account) => Column::AccountId.eq(account.uuid()),
    };
    let query = Entity::find().filter(whose).filter(Column::Answer.eq(code::answer(answer)));
    let rows = page(query, Column::Id, after, count).all(on).await?;
    rows.into_iter().map(TryFrom::try_from).collect()
}

/// Adds an invitation.
pub(crate) async fn insert(on: &impl ConnectionTrait, invitation: &Invitation) -> Result<(), StoreError> {
    Entity::insert(row(invitation)).exec_without_returning(on).await?;
    Ok(())
}

/// Writes an invitation over what it was.
pub(crate) async fn update(on: &impl ConnectionTrait, invitation: &Invitation) -> Result<(), StoreError> {
    Entity::update_many().set(row(invitation)).filter(Column::Id.eq(invitation.id)).exec(on).await?;
    Ok(())
}

fn row(invitation: &Invitation) -> ActiveModel {
    ActiveModel {
        id: Set(invitation.id),
        federation_id: Set(invitation.federation.uuid()),
        account_id: Set(invitation.account.map(AccountId::uuid)),
        code_digest: Set(invitation.code.map(|code| code.0.to_vec())),
        member_id: Set(invitation.member.map(MemberId::uuid)),
        answer: Set(code::answer(invitation.answer)),
        made_by: Set(invitation.made_by.uuid()),
        made_us: Set(to_micros(invitation.made)),
        expires_us: Set(to_micros(invitation.expires)),
        answered_by: Set(invitation.answered_by.map(AccountId::uuid)),
    }
}

impl TryFrom<Model> for Invitation {
    type Error = StoreError;

    fn try_from(row: Model) -> Result<Self, StoreError> {
        let corrupt = || StoreError::Corrupt(TABLE);
        let digest = |bytes: Vec<u8>| bytes.try_into().map(CodeDigest).map_err(|_| corrupt());
        Ok(Invitation {
            id: row.id,
            federation: row.federation_id.into(),
            account: row.account_id.map(AccountId::from),
            code: row.code_digest.map(digest).transpose()?,
            member: row.member_id.map(MemberId::from),
            answer: code::to_answer(row.answer).ok_or_else(corrupt)?,
            made_by: row.made_by.into(),
            made: moment(row.made_us, TABLE)?,
            expires: moment(row.expires_us, TABLE)?,
            answered_by: row.answered_by.map(AccountId::from),
        })
    }
}
