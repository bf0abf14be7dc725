//! What is kept, and how: on SQLite or PostgreSQL: the games that were told, which never change, and what follows from
//! them.
//!
//! Nothing is decided here. Writes are compare-and-swapped, so that any number of replicas may share the tables.

pub(crate) mod advantage;
pub(crate) mod board;
pub(crate) mod change;
pub(crate) mod correction;
pub(crate) mod game;
pub(crate) mod moderation;
pub(crate) mod rating;
pub(crate) mod report;
pub(crate) mod seed;

mod code;
mod migration;

pub(crate) use migration::Migrator;

use sea_orm::{ColumnTrait, Condition, ExprTrait as _, sea_query::Expr};
use uuid::Uuid;

use crate::core::player_rating::Key;

/// The primary key of a row that stands for a key.
fn id(Key { account, category }: &Key) -> (Uuid, String, i16) {
    (account.uuid(), category.variant.to_string(), code::speed(category.speed))
}

/// What lies behind a key by these columns of it, in the order that the database has; all does where there is none.
fn behind<C: ColumnTrait>(after: Option<&Key>, columns: [C; 3]) -> Condition {
    let Some(after) = after else { return Condition::all() };
    let (account, variant, speed) = id(after);
    // Compared as one, so that the index is entered in the right place.
    let place = [Expr::value(account), Expr::value(variant), Expr::value(speed)];
    Condition::all().add(Expr::tuple(columns.map(ColumnTrait::into_expr)).gt(Expr::tuple(place)))
}
