//! Who may hear a clock.

use api::{clock::v1 as pb, fault::Fault, reason};
use chassis::id::{AccountId, EventId, FederationId};

use crate::core::Audience;

/// Those who alone may hear a clock.
///
/// # Errors
/// BAD_ID.
pub fn audience(audience: &pb::Listeners) -> Result<Audience, Fault> {
    let mut players = [None; 2];
    if audience.account_ids.len() > players.len() {
        return Err(Fault::invalid(reason::BAD_ID, "listeners.account_ids", "two players at most"));
    }
    for (player, id) in players.iter_mut().zip(&audience.account_ids) {
        *player = Some(AccountId::parse(id, "listeners.account_ids")?);
    }
    let text = |id: &str| Some(id.to_owned()).filter(|id| !id.is_empty());
    let event = text(&audience.event_id).map(|id| EventId::parse(&id, "listeners.event_id"));
    let federation =
        text(&audience.federation_id).map(|id| FederationId::parse(&id, "listeners.federation_id"));
    Ok(Audience { players, event: event.transpose()?, federation: federation.transpose()? })
}

/// The same as a proto.
pub fn audience_proto(audience: &Audience) -> pb::Listeners {
    pb::Listeners {
        account_ids: audience.players.iter().flatten().map(ToString::to_string).collect(),
        event_id: audience.event.map_or_else(String::new, |id| id.to_string()),
        federation_id: audience.federation.map_or_else(String::new, |id| id.to_string()),
    }
}
