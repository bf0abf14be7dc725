//! Who may hear a clock.

use api::{clock::v1 as pb, reason};
use chassis::id::{AccountId, EventId, FederationId};

use crate::core::Audience;

impl TryFrom<&pb::Audience> for Audience {
    type Error = api::Error;

    fn try_from(audience: &pb::Audience) -> Result<Self, api::Error> {
        let mut players = [None; 2];
        if audience.account_ids.len() > players.len() {
            return Err(api::Error::invalid(reason::BAD_ID, "audience.account_ids", "two players at most"));
        }
        for (player, id) in players.iter_mut().zip(&audience.account_ids) {
            *player = Some(AccountId::parse(id, "audience.account_ids")?);
        }
        let text = |id: &str| Some(id.to_owned()).filter(|id| !id.is_empty());
        let event = text(&audience.event_id).map(|id| EventId::parse(&id, "audience.event_id"));
        let federation =
            text(&audience.federation_id).map(|id| FederationId::parse(&id, "audience.federation_id"));
        Ok(Audience { players, event: event.transpose()?, federation: federation.transpose()? })
    }
}

impl From<&Audience> for pb::Audience {
    fn from(audience: &Audience) -> Self {
        pb::Audience {
            account_ids: audience.players.iter().flatten().map(ToString::to_string).collect(),
            event_id: audience.event.map_or_else(String::new, |id| id.to_string()),
            federation_id: audience.federation.map_or_else(String::new, |id| id.to_string()),
        }
    }
}
