//! The table `sessions`.

use chassis::{
    database::StoreError,
    id::{AccountId, RequestId},
    time::to_micros,
};
use sea_orm::{ActiveValue::Set, ConnectionTrait, QueryOrder as _, entity::prelude::*};
use time::OffsetDateTime;

use super::{batch, moment};
use crate::core::{
    secret::Digest,
    session::{Session, Use},
};

const TABLE: &str = "sessions";

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "sessions")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub account_id: Uuid,
    pub good_digest: Vec<u8>,
    pub used_digest: Option<Vec<u8>>,
    pub used_request_id: Option<Uuid>,
    pub used_us: Option<i64>,
    pub expires_us: i64,
    pub revision: i64,
}

chassis::standalone!();

/// The session of this id.
pub(crate) async fn find(on: &impl ConnectionTrait, id: Uuid) -> Result<Option<Session>, StoreError> {
    Entity::find_by_id(id).one(on).await?.map(Session::try_from).transpose()
}

/// Adds a session, and drops those of the same account that are unused for longest above `max`.
pub(crate) async fn insert(on: &impl ConnectionTrait, session: &Session, max: u64) -> Result<(), StoreError> {
    Entity::insert(row(session)).exec_without_returning(on).await?;
    let sessions = Entity::find()
        .filter(Column::AccountId.eq(session.account.uuid()))
        // All live equally long after their last use.
        .order_by_desc(Column::ExpiresUs)
        .order_by_desc(Column::Id);
    batch::delete_surplus(on, sessions, Column::Id, max).await
}

/// Replaces a session by its next state; false when it is no longer what it was.
pub(crate) async fn swap(on: &impl ConnectionTrait, next: &Session) -> Result<bool, StoreError> {
    let swapped = Entity::update_many()
        .set(row(next))
        .filter(Column::Id.eq(next.id))
        .filter(Column::Revision.eq(next.revision - 1))
        .exec(on)
        .await?;
    Ok(swapped.rows_affected == 1)
}

/// Ends a session, if there is one.
pub(crate) async fn delete(on: &impl ConnectionTrait, id: Uuid) -> Result<(), StoreError> {
    Entity::delete_by_id(id).exec(on).await?;
    Ok(())
}

/// Ends all sessions of an account; how many.
pub(crate) async fn delete_all(on: &impl ConnectionTrait, account: AccountId) -> Result<u64, StoreError> {
    let deleted = Entity::delete_many().filter(Column::AccountId.eq(account.uuid())).exec(on).await?;
    Ok(deleted.rows_affected)
}

/// Forgets the sessions that have expired; how many.
pub(crate) async fn sweep(on: &impl ConnectionTrait, now: OffsetDateTime) -> Result<u64, StoreError> {
    let expired = Column::ExpiresUs.lte(to_micros(now));
    batch::delete::<Entity>(on, Column::Id, expired).await
}

fn row(session: &Session) -> ActiveModel {
    let last = session.last_use.as_ref();
    ActiveModel {
        id: Set(session.id),
        account_id: Set(session.account.uuid()),
        good_digest: Set(session.good.to_vec()),
        used_digest: Set(last.map(|last| last.token.to_vec())),
        used_request_id: Set(last.map(|last| last.request.uuid())),
        used_us: Set(last.map(|last| to_micros(last.at))),
        expires_us: Set(to_micros(session.expires)),
        revision: Set(session.revision),
    }
}

impl TryFrom<Model> for Session {
    type Error = StoreError;

    fn try_from(row: Model) -> Result<Self, StoreError> {
        let digest = |bytes: &[u8]| Digest::from_stored(bytes).ok_or(StoreError::Corrupt(TABLE));
        let last_use = match (row.used_digest, row.used_request_id, row.used_us) {
            (Some(token), Some(request), Some(at)) => Some(Use {
                token: digest(&token)?,
                request: RequestId::from(request),
                at: moment(at, TABLE)?,
            }),
            (None, None, None) => None,
            _ => return Err(StoreError::Corrupt(TABLE)),
        };
        Ok(Session {
            id: row.id,
            account: row.account_id.into(),
            good: digest(&row.good_digest)?,
            last_use,
            expires: moment(row.expires_us, TABLE)?,
            revision: row.revision,
        })
    }
}
