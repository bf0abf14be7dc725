//! Who may hear a clock.

use api::{clock::v1 as pb, fault::Fault, reason};
use chassis::id::{AccountId, EventId, FederationId};

use crate::core::Listeners;

/// Those who alone may hear a clock.
///
/// # Errors
/// BAD_ID.
pub fn listeners(listeners: &pb::Listeners) -> Result<Listeners, Fault> {
    let mut players = [None; 2];
    if listeners.account_ids.len() > players.len() {
        return Err(Fault::invalid(reason::BAD_ID, "listeners.account_ids", "two players at most"));
    }
    for (player, id) in players.iter_mut().zip(&listeners.account_ids) {
        *player = Some(AccountId::parse(id, "listeners.account_ids")?);
    }
    let text = |id: &str| Some(id.to_owned()).filter(|id| !id.is_empty());
    let event = text(&listeners.event_id).map(|id| EventId::parse(&id, "listeners.event_id"));
    let federation =
        text(&listeners.federation_id).map(|id| FederationId::parse(&id, "listeners.federation_id"));
    Ok(Listeners { players, event: event.transpose()?, federation: federation.transpose()? })
}

/// The same as a proto.
pub fn listeners_proto(listeners: &Listeners) -> pb::Listeners {
    pb::Listeners {
        account_ids: listeners.players.iter().flatten().map(ToString::to_string).collect(),
        event_id: listeners.event.map_or_else(String::new, |id| id.to_string()),
        federation_id: listeners.federation.map_or_else(String::new, |id| id.to_string()),
    }
}
