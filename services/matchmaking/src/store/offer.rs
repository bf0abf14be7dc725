//! The table `offers`: long games that two may accept.

use chassis::{
    database::StoreError,
    id::{AccountId, GameId, TicketId},
    time::{from_micros, to_micros},
};
use sea_orm::{
    ActiveValue::Set,
    Condition, QueryOrder as _, QuerySelect as _,
    entity::prelude::*,
    sea_query::{Expr, OnConflict},
};
use time::{Duration, OffsetDateTime};

use super::player;
use crate::core::{Offer, OfferState, Pair};

/// How long an offer is kept after its time, so that whoever asks learns what became of it: as long as an ended ticket.
const KEPT: Duration = Duration::hours(1);

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "offers")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub game_id: Uuid,
    /// The text form of the settings.
    pub settings: String,
    pub one_id: Uuid,
    pub one_name: String,
    pub one_rating: i64,
    pub one_ticket: Uuid,
    pub one_accepted: bool,
    pub other_id: Uuid,
    pub other_name: String,
    pub other_rating: i64,
    pub other_ticket: Uuid,
    pub other_accepted: bool,
    /// 0 open, 1 accepted, 2 closed.
    pub state: i16,
    /// Until when it may be answered, in microseconds since the epoch.
    pub until_us: i64,
}

chassis::standalone!();

/// Writes offers of pairs down; those that are there already stay as they are.
pub(crate) async fn insert(
    on: &impl ConnectionTrait,
    pairs: &[&Pair],
    until: OffsetDateTime,
) -> Result<(), StoreError> {
    let rows = pairs.iter().map(|pair| row(pair, until));
    let known = OnConflict::column(Column::GameId).do_nothing().to_owned();
    Entity::insert_many(rows).on_conflict(known).exec_without_returning(on).await?;
    Ok(())
}

/// Those of some offers that are there.
pub(crate) async fn of_games(
    on: &impl ConnectionTrait,
    games: impl Iterator<Item = GameId>,
) -> Result<Vec<Offer>, StoreError> {
    read(Entity::find().filter(Column::GameId.is_in(games.map(GameId::uuid))).all(on).await?)
}

/// The latest offer that was made to a ticket.
pub(crate) async fn of_ticket(
    on: &impl ConnectionTrait,
    ticket: TicketId,
) -> Result<Option<Offer>, StoreError> {
    let of_ticket = |column: Column| Entity::find().filter(column.eq(ticket.uuid()));
    let mut latest: Option<Model> = None;
    // Each has an index of its own.
    for column in [Column::OneTicket, Column::OtherTicket] {
        let row = of_ticket(column).order_by_desc(Column::UntilUs).one(on).await?;
        latest = latest.into_iter().chain(row).max_by_key(|row| row.until_us);
    }
    latest.map(TryFrom::try_from).transpose()
}

/// The offer to an account that is not closed, if there is one: few are at a time.
pub(crate) async fn of_account(
    on: &impl ConnectionTrait,
    account: AccountId,
) -> Result<Option<Offer>, StoreError> {
    let own = Condition::any().add(Column::OneId.eq(account.uuid())).add(Column::OtherId.eq(account.uuid()));
    let standing = [OfferState::Open, OfferState::Accepted].map(code);
    let row = Entity::find().filter(Column::State.is_in(standing)).filter(own).one(on).await?;
    row.map(TryFrom::try_from).transpose()
}

/// The offers that both have accepted, and those that are open though their time was over before a moment; at most so many.
pub(crate) async fn due(
    on: &impl ConnectionTrait,
    before: OffsetDateTime,
    at_most: u64,
) -> Result<Vec<Offer>, StoreError> {
    let over = Condition::all()
        .add(Column::State.eq(code(OfferState::Open)))
        .add(Column::UntilUs.lte(to_micros(before)));
    let due = Condition::any().add(over).add(Column::State.eq(code(OfferState::Accepted)));
    read(Entity::find().filter(due).order_by_asc(Column::UntilUs).limit(at_most).all(on).await?)
}

/// Notes that the owner of a ticket accepts an offer; nothing happens if it is not open any more, or its time is over. Whether
/// both have accepted it by that.
pub(crate) async fn accept(
    on: &impl ConnectionTrait,
    offer: &Offer,
    ticket: TicketId,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let is_one = offer.pair.players[0].ticket == ticket;
    let own = if is_one { Column::OneAccepted } else { Column::OtherAccepted };
    open(offer.pair.game)
        .col_expr(own, Expr::value(true))
        .filter(Column::UntilUs.gt(to_micros(now)))
        .exec(on)
        .await?;
    let both = open(offer.pair.game)
        .col_expr(Column::State, Expr::value(code(OfferState::Accepted)))
        .filter(Column::OneAccepted.eq(true))
        .filter(Column::OtherAccepted.eq(true))
        .exec(on)
        .await?;
    Ok(both.rows_affected > 0)
}

/// Closes an open offer: the owner of one of its tickets declines it, also if he had accepted it, or nobody, and its time is over.
/// Whether it was open.
pub(crate) async fn fail(
    on: &impl ConnectionTrait,
    offer: &Offer,
    declined_by: Option<TicketId>,
) -> Result<bool, StoreError> {
    let mut close = open(offer.pair.game).col_expr(Column::State, Expr::value(code(OfferState::Closed)));
    if let Some(ticket) = declined_by {
        let [own, others] = if offer.pair.players[0].ticket == ticket {
            [Column::OneAccepted, Column::OtherAccepted]
        } else {
            [Column::OtherAccepted, Column::OneAccepted]
        };
        // The other is not to blame, whether he has answered yet or not.
        close = close.col_expr(own, Expr::value(false)).col_expr(others, Expr::value(true));
    }
    Ok(close.exec(on).await?.rows_affected > 0)
}

/// Notes that there is a match of each of these accepted offers, or never will be one.
pub(crate) async fn close(on: &impl ConnectionTrait, games: &[GameId]) -> Result<(), StoreError> {
    Entity::update_many()
        .col_expr(Column::State, Expr::value(code(OfferState::Closed)))
        .filter(Column::GameId.is_in(games.iter().map(|game| game.uuid())))
        .filter(Column::State.eq(code(OfferState::Accepted)))
        .exec(on)
        .await?;
    Ok(())
}

/// Forgets those that were closed long ago.
pub(crate) async fn forget(on: &impl ConnectionTrait, now: OffsetDateTime) -> Result<(), StoreError> {
    Entity::delete_many()
        .filter(Column::State.eq(code(OfferState::Closed)))
        .filter(Column::UntilUs.lt(to_micros(now - KEPT)))
        .exec(on)
        .await?;
    Ok(())
}

/// A change of an offer that holds only while it is open.
fn open(game: GameId) -> sea_orm::UpdateMany<Entity> {
    Entity::update_many()
        .filter(Column::GameId.eq(game.uuid()))
        .filter(Column::State.eq(code(OfferState::Open)))
}

fn read(rows: Vec<Model>) -> Result<Vec<Offer>, StoreError> {
    rows.into_iter().map(TryFrom::try_from).collect()
}

impl TryFrom<Model> for Offer {
    type Error = StoreError;

    fn try_from(row: Model) -> Result<Self, StoreError> {
        let corrupt = StoreError::Corrupt("offers");
        let state = match row.state {
            0 => OfferState::Open,
            1 => OfferState::Accepted,
            2 => OfferState::Closed,
            _ => return Err(corrupt),
        };
        let players = [
            player(row.one_id, row.one_name, row.one_rating, row.one_ticket),
            player(row.other_id, row.other_name, row.other_rating, row.other_ticket),
        ];
        let settings = row.settings.parse().map_err(|_| corrupt.clone())?;
        Ok(Offer {
            pair: Pair { game: row.game_id.into(), settings, players },
            until: from_micros(row.until_us).ok_or(corrupt)?,
            accepted: [row.one_accepted, row.other_accepted],
            state,
        })
    }
}

fn row(pair: &Pair, until: OffsetDateTime) -> ActiveModel {
    let [one, other] = &pair.players;
    ActiveModel {
        game_id: Set(pair.game.uuid()),
        settings: Set(pair.settings.to_string()),
        one_id: Set(one.account.uuid()),
        one_name: Set(one.name.clone()),
        one_rating: Set(one.rating.into()),
        one_ticket: Set(one.ticket.uuid()),
        one_accepted: Set(false),
        other_id: Set(other.account.uuid()),
        other_name: Set(other.name.clone()),
        other_rating: Set(other.rating.into()),
        other_ticket: Set(other.ticket.uuid()),
        other_accepted: Set(false),
        state: Set(code(OfferState::Open)),
        until_us: Set(to_micros(until)),
    }
}

const fn code(state: OfferState) -> i16 {
    match state {
        OfferState::Open => 0,
        OfferState::Accepted => 1,
        OfferState::Closed => 2,
    }
}
