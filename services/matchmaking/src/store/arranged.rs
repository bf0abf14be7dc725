//! The table `arranged_games`: games that begin at a time on which two have agreed.

use api::ProtoEnum as _;
use chassis::{
    database::StoreError,
    id::{AccountId, GameId, TicketId},
    time::{from_micros, to_micros},
};
use sea_orm::{
    ActiveValue::Set, Condition, PaginatorTrait as _, QueryOrder as _, QuerySelect as _, entity::prelude::*,
};
use time::OffsetDateTime;

use super::{behind, player};
use crate::core::{Appointment, Arranged, ArrangedPlace, ArrangedState, KEPT, Occasion, SAME_HOUR};

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "arranged_games")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub game_id: Uuid,
    pub challenge_id: Uuid,
    /// The text form of the settings.
    pub settings: String,
    pub asked_id: Uuid,
    pub asked_name: String,
    pub asked_rating: i64,
    pub asked_ticket: Uuid,
    pub accepted_id: Uuid,
    pub accepted_name: String,
    pub accepted_rating: i64,
    /// The ticket with which it was accepted; of one game at most.
    pub accepted_ticket: Uuid,
    /// The side of who asked, by the numbers of the proto.
    pub side: i16,
    /// When it begins, in microseconds since the epoch.
    pub starts_us: i64,
    /// Since when it is arranged.
    pub since_us: i64,
    /// By the numbers of the proto.
    pub state: i16,
    pub called_off_by: Option<Uuid>,
}

chassis::standalone!();

/// How many of an account's are kept that are over: more than it plays in a month.
const OVER_MAX: u64 = 200;
/// How many are forgotten at a time.
const TRIMMED: u64 = 10;

/// An arranged game; `None` if there is none of this id.
pub(crate) async fn find(on: &impl ConnectionTrait, game: GameId) -> Result<Option<Arranged>, StoreError> {
    Entity::find_by_id(game.uuid()).one(on).await?.map(TryFrom::try_from).transpose()
}

/// The game that was arranged with a ticket.
pub(crate) async fn of_ticket(
    on: &impl ConnectionTrait,
    ticket: TicketId,
) -> Result<Option<Arranged>, StoreError> {
    let found = Entity::find().filter(Column::AcceptedTicket.eq(ticket.uuid())).one(on).await?;
    found.map(TryFrom::try_from).transpose()
}

/// Writes a new one down.
///
/// # Errors
/// [`StoreError::Contended`] when its ticket has another.
pub(crate) async fn insert(on: &impl ConnectionTrait, arranged: &Arranged) -> Result<(), StoreError> {
    Entity::insert(ActiveModel::from(arranged)).exec_without_returning(on).await?;
    Ok(())
}

/// Forgets those of an account's that are over, but for those that began last: whoever arranges and calls off keeps no more than
/// others.
pub(crate) async fn trim(on: &impl ConnectionTrait, account: AccountId) -> Result<(), StoreError> {
    let old: Vec<Uuid> = Entity::find()
        .select_only()
        .column(Column::GameId)
        .filter(is_of(account))
        .filter(Column::State.ne(code(ArrangedState::Coming)))
        .order_by_desc(Column::StartsUs)
        .order_by_desc(Column::GameId)
        .offset(OVER_MAX)
        .limit(TRIMMED)
        .into_tuple()
        .all(on)
        .await?;
    if !old.is_empty() {
        Entity::delete_many().filter(Column::GameId.is_in(old)).exec(on).await?;
    }
    Ok(())
}

/// How many games an account has before it.
pub(crate) async fn count_coming(on: &impl ConnectionTrait, account: AccountId) -> Result<u64, StoreError> {
    let coming = Column::State.eq(code(ArrangedState::Coming));
    Ok(Entity::find().filter(is_of(account)).filter(coming).count(on).await?)
}

/// The games of an account, those that begin last first; perhaps only those that it has before it.
pub(crate) async fn of_account(
    on: &impl ConnectionTrait,
    account: AccountId,
    only_coming: bool,
    after: Option<ArrangedPlace>,
    at_most: u64,
) -> Result<Vec<Arranged>, StoreError> {
    let mut query = Entity::find().filter(is_of(account));
    if only_coming {
        query = query.filter(Column::State.eq(code(ArrangedState::Coming)));
    }
    let rows = query
        .filter(behind(after, Column::StartsUs, Column::GameId))
        .order_by_desc(Column::StartsUs)
        .order_by_desc(Column::GameId)
        .limit(at_most)
        .all(on)
        .await?;
    rows.into_iter().map(TryFrom::try_from).collect()
}

/// The games that an account has within an hour of a moment, but for one.
pub(crate) async fn beside(
    on: &impl ConnectionTrait,
    account: AccountId,
    moment: OffsetDateTime,
    but: Option<GameId>,
) -> Result<Vec<Arranged>, StoreError> {
    let (from, to) = (to_micros(moment - SAME_HOUR), to_micros(moment + SAME_HOUR));
    let mut query = Entity::find()
        .filter(is_of(account))
        .filter(Column::State.eq(code(ArrangedState::Coming)))
        // Those that begin just an hour apart have an hour each.
        .filter(Column::StartsUs.gt(from))
        .filter(Column::StartsUs.lt(to));
    if let Some(but) = but {
        query = query.filter(Column::GameId.ne(but.uuid()));
    }
    let rows = query.order_by_asc(Column::StartsUs).all(on).await?;
    rows.into_iter().map(TryFrom::try_from).collect()
}

/// Those whose time has come, the earliest first; at most so many.
pub(crate) async fn due(
    on: &impl ConnectionTrait,
    now: OffsetDateTime,
    at_most: u64,
) -> Result<Vec<Arranged>, StoreError> {
    let rows = before(now).limit(at_most).all(on).await?;
    rows.into_iter().map(TryFrom::try_from).collect()
}

/// Who plays when before a moment, the earliest first; of so many games at most.
pub(crate) async fn appointments(
    on: &impl ConnectionTrait,
    moment: OffsetDateTime,
    at_most: u64,
) -> Result<Vec<(AccountId, Appointment)>, StoreError> {
    let rows: Vec<(Uuid, Uuid, Uuid, i64)> = before(moment)
        .select_only()
        .columns([Column::AcceptedId, Column::AskedId, Column::GameId, Column::StartsUs])
        .limit(at_most)
        .into_tuple()
        .all(on)
        .await?;
    let mut appointments = Vec::with_capacity(2 * rows.len());
    for (one, other, game, starts) in rows {
        let starts = from_micros(starts).ok_or(StoreError::Corrupt("arranged_games"))?;
        let appointment = Appointment { starts, occasion: Occasion::Arranged(game.into()) };
        appointments.extend([one, other].map(|account| (account.into(), appointment)));
    }
    Ok(appointments)
}

/// What an account plays next before a moment.
pub(crate) async fn next_of(
    on: &impl ConnectionTrait,
    account: AccountId,
    moment: OffsetDateTime,
) -> Result<Option<Appointment>, StoreError> {
    let row = before(moment).filter(is_of(account)).one(on).await?;
    let arranged = row.map(Arranged::try_from).transpose()?;
    Ok(arranged.map(|next| Appointment { starts: next.starts, occasion: Occasion::Arranged(next.game) }))
}

/// Says what has become of one that is coming; whether it was.
pub(crate) async fn end(
    on: &impl ConnectionTrait,
    game: GameId,
    state: ArrangedState,
    by: Option<AccountId>,
) -> Result<bool, StoreError> {
    let ended = Entity::update_many()
        .col_expr(Column::State, Expr::value(code(state)))
        .col_expr(Column::CalledOffBy, Expr::value(by.map(AccountId::uuid)))
        .filter(Column::GameId.eq(game.uuid()))
        .filter(Column::State.eq(code(ArrangedState::Coming)))
        .exec(on)
        .await?;
    Ok(ended.rows_affected == 1)
}

/// Forgets those that were over a month ago.
pub(crate) async fn forget(on: &impl ConnectionTrait, now: OffsetDateTime) -> Result<(), StoreError> {
    for state in [ArrangedState::Begun, ArrangedState::CalledOff] {
        Entity::delete_many()
            .filter(Column::State.eq(code(state)))
            .filter(Column::StartsUs.lt(to_micros(now - KEPT)))
            .exec(on)
            .await?;
    }
    Ok(())
}

/// Those that begin until a moment, the earliest first.
fn before(moment: OffsetDateTime) -> Select<Entity> {
    Entity::find()
        .filter(Column::State.eq(code(ArrangedState::Coming)))
        .filter(Column::StartsUs.lte(to_micros(moment)))
        .order_by_asc(Column::StartsUs)
}

fn is_of(account: AccountId) -> Condition {
    Condition::any().add(Column::AskedId.eq(account.uuid())).add(Column::AcceptedId.eq(account.uuid()))
}

fn code(state: ArrangedState) -> i16 {
    small(state.number())
}

fn small(number: i32) -> i16 {
    i16::try_from(number).unwrap_or_default()
}

impl From<&Arranged> for ActiveModel {
    fn from(of: &Arranged) -> Self {
        let [asked, accepted] = of.players.clone();
        ActiveModel {
            game_id: Set(of.game.uuid()),
            challenge_id: Set(of.challenge.uuid()),
            settings: Set(of.settings.to_string()),
            asked_id: Set(asked.account.uuid()),
            asked_name: Set(asked.name),
            asked_rating: Set(asked.rating.into()),
            asked_ticket: Set(asked.ticket.uuid()),
            accepted_id: Set(accepted.account.uuid()),
            accepted_name: Set(accepted.name),
            accepted_rating: Set(accepted.rating.into()),
            accepted_ticket: Set(accepted.ticket.uuid()),
            side: Set(small(of.side.number())),
            starts_us: Set(to_micros(of.starts)),
            since_us: Set(to_micros(of.since)),
            state: Set(code(of.state)),
            called_off_by: Set(of.called_off_by.map(AccountId::uuid)),
        }
    }
}

impl TryFrom<Model> for Arranged {
    type Error = StoreError;

    fn try_from(row: Model) -> Result<Self, StoreError> {
        let asked = player(row.asked_id, row.asked_name, row.asked_rating, row.asked_ticket);
        let accepted = player(row.accepted_id, row.accepted_name, row.accepted_rating, row.accepted_ticket);
        let read = || {
            Some(Arranged {
                game: row.game_id.into(),
                challenge: row.challenge_id.into(),
                settings: row.settings.parse().ok()?,
                players: [asked, accepted],
                side: api::ProtoEnum::of(row.side.into())?,
                starts: from_micros(row.starts_us)?,
                since: from_micros(row.since_us)?,
                state: ArrangedState::of(row.state.into())?,
                called_off_by: row.called_off_by.map(AccountId::from),
            })
        };
        read().ok_or(StoreError::Corrupt("arranged_games"))
    }
}
