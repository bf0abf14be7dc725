//! Identity knows of the offices that the event has given, and of no others.

use std::collections::BTreeSet;

use chassis::{auth::Role as TokenRole, id::AccountId};
use federation::core::event::{Event as Fold, Role};
use rusqlite::types::Value as Cell;

use crate::{topology::Service, world::World};

/// An office of somebody, as tokens name it.
pub(super) type Office = (AccountId, String);

/// Offices of the event of which identity was not told, or of others.
pub(super) fn check(world: &World, event: &Fold) -> Option<String> {
    let disk = world.disk(Service::Identity)?;
    let sql = "SELECT account_id, role FROM role_grants WHERE bound_kind = 'event'";
    let Ok(rows) = disk.inspect(sql) else { return Some("the roles of identity cannot be read".to_owned()) };
    let told = rows.into_iter().filter_map(|cells| match cells.as_slice() {
        [Cell::Blob(account), Cell::Text(role)] => {
            Some((uuid::Uuid::from_slice(account).ok()?.into(), role.clone()))
        }
        _ => None,
    });
    differ(&told.collect(), &held(event))
}

/// The offices that an event has given.
fn held(event: &Fold) -> BTreeSet<Office> {
    let named = |role: &Role| match role {
        Role::ChiefArbiter => Some(TokenRole::ChiefArbiter),
        Role::Arbiter => Some(TokenRole::Arbiter),
        Role::Committee => Some(TokenRole::Committee),
        Role::Scorer => Some(TokenRole::Scorer),
        _ => None,
    };
    let offices = event.officials.iter().flat_map(|(account, roles)| {
        roles.iter().filter_map(named).map(move |role| (*account, role.as_str().to_owned()))
    });
    offices.collect()
}

/// What identity was told that is not so, and what it was not told.
pub(super) fn differ(told: &BTreeSet<Office>, held: &BTreeSet<Office>) -> Option<String> {
    (told != held).then(|| format!("identity knows of other offices than the event: {told:?}, {held:?}"))
}
