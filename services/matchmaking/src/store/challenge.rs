//! The table `challenges`: games that somebody asks for.

use api::ProtoEnum as _;
use chassis::{
    database::{StoreError, Transaction},
    id::{AccountId, ChallengeId, GameId},
    time::{from_micros, to_micros},
};
use sea_orm::{
    ActiveValue::Set, Condition, ExprTrait as _, PaginatorTrait as _, QueryOrder as _, QuerySelect as _,
    entity::prelude::*, sea_query::CaseStatement,
};
use time::OffsetDateTime;

use super::behind;
use crate::core::{
    Addressee, Challenge, ChallengePlace as Place, ChallengeState, DeclineReason, KEPT, Party,
};

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "challenges")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub from_id: Uuid,
    pub from_name: String,
    pub from_rating: i64,
    pub from_bot: bool,
    pub allow_bots: bool,
    /// 1 to an account, 2 to whoever has a link, 3 to anybody.
    pub kind: i16,
    pub to_id: Option<Uuid>,
    pub to_name: String,
    pub secret_hash: Option<Vec<u8>>,
    pub window: i64,
    /// The variant of the settings, by which open ones are looked for.
    pub variant: String,
    /// The text form of the settings.
    pub settings: String,
    /// The side of who asks, by the numbers of the proto.
    pub side: i16,
    pub message: String,
    /// Since when it is there, in microseconds since the epoch.
    pub created_us: i64,
    /// Until when it can be accepted.
    pub expires_us: i64,
    /// When the game begins; `NULL` if when it is accepted.
    pub starts_us: Option<i64>,
    /// How often it could be accepted at first.
    pub uses: i64,
    pub uses_left: i64,
    /// Since when it is over, or will be if nothing happens, in microseconds since the epoch.
    pub over_us: i64,
    /// By the numbers of the proto; one that is open may have expired.
    pub state: i16,
    /// Why it was declined, by the numbers of the proto.
    pub declined: i16,
    /// The latest game that came of it.
    pub game_id: Option<Uuid>,
}

chassis::standalone!();

/// A challenge; `None` if there is none of this id.
pub(crate) async fn find(
    on: &impl ConnectionTrait,
    id: ChallengeId,
) -> Result<Option<Challenge>, StoreError> {
    Entity::find_by_id(id.uuid()).one(on).await?.map(TryFrom::try_from).transpose()
}

/// Those of some ids that are there.
pub(crate) async fn of_ids(
    on: &impl ConnectionTrait,
    ids: impl Iterator<Item = ChallengeId>,
) -> Result<Vec<Challenge>, StoreError> {
    let rows = Entity::find().filter(Column::Id.is_in(ids.map(ChallengeId::uuid))).all(on).await?;
    rows.into_iter().map(TryFrom::try_from).collect()
}

/// How many of an account's can be accepted at a moment, and how many of these are to another account.
pub(crate) async fn count_open(
    on: &impl ConnectionTrait,
    from: AccountId,
    to: Option<AccountId>,
    now: OffsetDateTime,
) -> Result<(u64, u64), StoreError> {
    let open = Entity::find().filter(Column::FromId.eq(from.uuid())).filter(is_open(now));
    let all = open.clone().count(on).await?;
    let same = match to {
        Some(to) => open.filter(Column::ToId.eq(to.uuid())).count(on).await?,
        None => 0,
    };
    Ok((all, same))
}

/// Writes a new one down.
///
/// # Errors
/// [`StoreError::Contended`] when there is one of its id.
pub(crate) async fn insert(on: &impl ConnectionTrait, challenge: &Challenge) -> Result<(), StoreError> {
    Entity::insert(ActiveModel::from(challenge)).exec_without_returning(on).await?;
    Ok(())
}

/// Forgets those of an account's that are over at a moment, but for the latest: whoever makes many keeps no more than others.
pub(crate) async fn trim(
    on: &impl ConnectionTrait,
    from: AccountId,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    let old: Vec<Uuid> = Entity::find()
        .select_only()
        .column(Column::Id)
        .filter(Column::FromId.eq(from.uuid()))
        .filter(is_open(now).not())
        .order_by_desc(Column::CreatedUs)
        .order_by_desc(Column::Id)
        .offset(OVER_MAX)
        .limit(TRIMMED)
        .into_tuple()
        .all(on)
        .await?;
    if !old.is_empty() {
        Entity::delete_many().filter(Column::Id.is_in(old)).exec(on).await?;
    }
    Ok(())
}

/// Uses an open one up by one game; whether it could be.
pub(crate) async fn take(
    on: &impl ConnectionTrait,
    id: ChallengeId,
    game: GameId,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let last = CaseStatement::new()
        .case(Column::UsesLeft.lte(1), code(ChallengeState::Accepted))
        .finally(code(ChallengeState::Open));
    let over =
        CaseStatement::new().case(Column::UsesLeft.lte(1), to_micros(now)).finally(Expr::col(Column::OverUs));
    let taken = Entity::update_many()
        .col_expr(Column::State, last.into())
        .col_expr(Column::OverUs, over.into())
        .col_expr(Column::UsesLeft, Expr::col(Column::UsesLeft).sub(1))
        .col_expr(Column::GameId, Expr::value(Some(game.uuid())))
        .filter(Column::Id.eq(id.uuid()))
        .filter(is_open(now))
        .exec(on)
        .await?;
    Ok(taken.rows_affected > 0)
}

/// Ends an open one without a game; whether it was open.
pub(crate) async fn end(
    on: &impl ConnectionTrait,
    id: ChallengeId,
    state: ChallengeState,
    declined: Option<DeclineReason>,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let ended = Entity::update_many()
        .col_expr(Column::State, Expr::value(code(state)))
        .col_expr(Column::OverUs, Expr::value(to_micros(now)))
        .col_expr(Column::Declined, Expr::value(small(declined.number())))
        .filter(Column::Id.eq(id.uuid()))
        .filter(is_open(now))
        .exec(on)
        .await?;
    Ok(ended.rows_affected > 0)
}

/// Those to anybody whose time is over and of which that is not written yet; at most so many as are closed at a time.
pub(crate) async fn expired(
    on: &impl ConnectionTrait,
    now: OffsetDateTime,
) -> Result<Vec<ChallengeId>, StoreError> {
    let ids: Vec<Uuid> = Entity::find()
        .select_only()
        .column(Column::Id)
        .filter(Column::State.eq(code(ChallengeState::Open)))
        .filter(Column::Kind.eq(OPEN))
        .filter(Column::ExpiresUs.lte(to_micros(now)))
        .order_by_asc(Column::ExpiresUs)
        .limit(EXPIRED)
        .into_tuple()
        .all(on)
        .await?;
    Ok(ids.into_iter().map(ChallengeId::from).collect())
}

/// Writes of these that they have expired.
pub(crate) async fn expire(on: &Transaction, now: OffsetDateTime) -> Result<(), StoreError> {
    // Other replicas look for the same.
    on.await_turn(EXPIRING).await?;
    let ids = expired(on, now).await?;
    Entity::update_many()
        .col_expr(Column::State, Expr::value(code(ChallengeState::Expired)))
        .filter(Column::Id.is_in(ids.iter().map(|id| id.uuid())))
        .exec(on)
        .await?;
    super::lobby::add(on, &ids, now).await
}

/// Those of an account and those to it, the latest first; only those that can be accepted at a moment, or all.
pub(crate) async fn of_account(
    on: &impl ConnectionTrait,
    account: AccountId,
    open_at: Option<OffsetDateTime>,
    after: Option<Place>,
    at_most: u64,
) -> Result<Vec<Challenge>, StoreError> {
    let own = Condition::any().add(Column::FromId.eq(account.uuid())).add(Column::ToId.eq(account.uuid()));
    let mut query = Entity::find().filter(own);
    if let Some(now) = open_at {
        query = query.filter(is_open(now));
    }
    page(on, query, after, at_most).await
}

/// Those that anybody may accept at a moment, the latest first; of one variant, or of all.
pub(crate) async fn open(
    on: &impl ConnectionTrait,
    variant: Option<&str>,
    now: OffsetDateTime,
    after: Option<Place>,
    at_most: u64,
) -> Result<Vec<Challenge>, StoreError> {
    let mut query = Entity::find().filter(Column::Kind.eq(OPEN)).filter(is_open(now));
    if let Some(variant) = variant {
        query = query.filter(Column::Variant.eq(variant));
    }
    page(on, query, after, at_most).await
}

/// Forgets those that were over long ago.
pub(crate) async fn forget(on: &impl ConnectionTrait, now: OffsetDateTime) -> Result<(), StoreError> {
    Entity::delete_many().filter(Column::OverUs.lt(to_micros(now - KEPT))).exec(on).await?;
    Ok(())
}

/// How many of an account's are kept that are over.
const OVER_MAX: u64 = 200;
/// How many are forgotten at a time: more than are made.
const TRIMMED: u64 = 10;

/// How many are closed at a time whose time is over.
const EXPIRED: u64 = 500;
/// What whoever closes them waits for his turn by.
const EXPIRING: Uuid = Uuid::from_u128(0x6578_7069_7265_6368_616c_6c73);

const DIRECT: i16 = 1;
const LINK: i16 = 2;
const OPEN: i16 = 3;

fn is_open(now: OffsetDateTime) -> Condition {
    Condition::all()
        .add(Column::State.eq(code(ChallengeState::Open)))
        .add(Column::ExpiresUs.gt(to_micros(now)))
        .add(Column::UsesLeft.gt(0))
}

async fn page(
    on: &impl ConnectionTrait,
    query: Select<Entity>,
    after: Option<Place>,
    at_most: u64,
) -> Result<Vec<Challenge>, StoreError> {
    let query = query
        .filter(behind(after, Column::CreatedUs, Column::Id))
        .order_by_desc(Column::CreatedUs)
        .order_by_desc(Column::Id)
        .limit(at_most);
    query.all(on).await?.into_iter().map(TryFrom::try_from).collect()
}

fn code(state: ChallengeState) -> i16 {
    small(state.number())
}

fn small(number: i32) -> i16 {
    i16::try_from(number).unwrap_or_default()
}

impl From<&Challenge> for ActiveModel {
    fn from(of: &Challenge) -> Self {
        let (kind, to, secret_hash, window) = match &of.to {
            Addressee::Direct(party) => (DIRECT, Some(party), None, 0),
            Addressee::Link(hash) => (LINK, None, Some(hash.to_vec()), 0),
            Addressee::Open(window) => (OPEN, None, None, *window),
        };
        ActiveModel {
            id: Set(of.id.uuid()),
            from_id: Set(of.from.account.uuid()),
            from_name: Set(of.from.name.clone()),
            from_rating: Set(of.rating.into()),
            from_bot: Set(of.bot),
            allow_bots: Set(of.allow_bots),
            kind: Set(kind),
            to_id: Set(to.map(|party| party.account.uuid())),
            to_name: Set(to.map(|party| party.name.clone()).unwrap_or_default()),
            secret_hash: Set(secret_hash),
            window: Set(window.into()),
            variant: Set(of.settings.variant().to_owned()),
            settings: Set(of.settings.to_string()),
            side: Set(small(of.side.number())),
            message: Set(of.message.clone()),
            created_us: Set(to_micros(of.created)),
            expires_us: Set(to_micros(of.expires)),
            starts_us: Set(of.starts.map(to_micros)),
            uses: Set(of.uses.into()),
            uses_left: Set(of.uses_left.into()),
            over_us: Set(to_micros(of.expires)),
            state: Set(code(of.state)),
            declined: Set(small(of.declined.number())),
            game_id: Set(of.game.map(GameId::uuid)),
        }
    }
}

impl TryFrom<Model> for Challenge {
    type Error = StoreError;

    fn try_from(row: Model) -> Result<Self, StoreError> {
        let read = || {
            let to = match row.kind {
                DIRECT => Addressee::Direct(Party { account: row.to_id?.into(), name: row.to_name }),
                LINK => Addressee::Link(row.secret_hash?.try_into().ok()?),
                OPEN => Addressee::Open(u32::try_from(row.window).ok()?),
                _ => return None,
            };
            Some(Challenge {
                id: row.id.into(),
                from: Party { account: row.from_id.into(), name: row.from_name },
                rating: u32::try_from(row.from_rating).ok()?,
                bot: row.from_bot,
                allow_bots: row.allow_bots,
                to,
                settings: row.settings.parse().ok()?,
                side: api::ProtoEnum::of(row.side.into())?,
                message: row.message,
                created: from_micros(row.created_us)?,
                expires: from_micros(row.expires_us)?,
                starts: match row.starts_us {
                    Some(starts) => Some(from_micros(starts)?),
                    None => None,
                },
                uses: u32::try_from(row.uses).ok()?,
                uses_left: u32::try_from(row.uses_left).ok()?,
                state: ChallengeState::of(row.state.into())?,
                declined: api::ProtoEnum::of(row.declined.into())?,
                game: row.game_id.map(GameId::from),
            })
        };
        read().ok_or(StoreError::Corrupt("challenges"))
    }
}
