//! What outlives a call: the tickets that wait (live state), and the matches, the tickets in them, the sides players had, and
//! who does not queue for a while (database).
//!
//! A row of `match_tickets` is what makes a ticket become at most one game, whatever live state believes; a row of
//! `noted_games` is what makes the end of a game count once, however often it is told.

pub(crate) mod arranged;
pub(crate) mod block;
pub(crate) mod challenge;
pub(crate) mod history;
pub(crate) mod lobby;
pub(crate) mod matches;
pub(crate) mod noted;
pub(crate) mod offer;
pub(crate) mod pause;
pub(crate) mod pause_act;
pub(crate) mod ticket;

mod migration;
mod names;
mod payload;
mod queue;

pub(crate) use migration::Migrator;
pub(crate) use payload::{decode_block, decode_status};
pub(crate) use queue::{News, Proposal, Queue, Queued};

use sea_orm::{ColumnTrait, Condition};
use uuid::Uuid;

use crate::core::Player;

/// A player as rows have him.
fn player(account: Uuid, name: String, rating: i64, ticket: Uuid) -> Player {
    let rating = u32::try_from(rating).unwrap_or(0);
    Player { account: account.into(), name, rating, ticket: ticket.into() }
}

/// What lies behind a place in a list that has the latest first: a time, and an id among those of the same time. All does where
/// there is none.
fn behind<C: ColumnTrait>(place: Option<(i64, Uuid)>, time: C, id: C) -> Condition {
    let Some((at, of)) = place else { return Condition::all() };
    let same = Condition::all().add(time.eq(at)).add(id.lt(of));
    Condition::any().add(time.lt(at)).add(same)
}
