//! Tells identity which offices somebody has in an event, until it has acknowledged. What is told is how it is when it is
//! told, so that appointments and dismissals that overtake each other come to the same.

use std::sync::Arc;

use api::{
    ProtoEnum as _,
    federation::v1::EventRoleToConvey,
    identity::v1::{
        GrantRoleRequest, RevokeRoleRequest, RoleScope,
        identity_internal_service_client::IdentityInternalServiceClient, role_scope::Place,
    },
    transport::Transport,
};
use chassis::{
    auth,
    id::{AccountId, EventId},
    outbox::Delivery,
};
use prost::Message as _;
use tonic::{Code, Status};

use super::Events;
use crate::{
    core::event::Role,
    error::{Error, Result},
};

/// Every office that tokens name.
const OFFICES: [(Role, auth::Role); 5] = [
    (Role::ChiefArbiter, auth::Role::ChiefArbiter),
    (Role::Deputy, auth::Role::Deputy),
    (Role::Arbiter, auth::Role::Arbiter),
    (Role::Committee, auth::Role::Committee),
    (Role::Scorer, auth::Role::Scorer),
];

/// An office as tokens name it; none of what is no office.
pub(super) fn in_tokens(role: Role) -> Option<auth::Role> {
    OFFICES.iter().find(|(own, _)| *own == role).map(|(_, named)| *named)
}

/// Tells identity of somebody's offices.
pub(crate) async fn convey(
    mut identity: IdentityInternalServiceClient<Transport>,
    events: Arc<Events>,
    payload: Vec<u8>,
) -> Delivery {
    let Ok(owed) = EventRoleToConvey::decode(&*payload) else {
        return Delivery::Never("it names nobody".to_owned());
    };
    let event = EventId::parse(&owed.event_id, "event_id");
    let (Ok(event), Ok(account)) = (event, AccountId::parse(&owed.account_id, "account_id")) else {
        return Delivery::Never("it names nobody".to_owned());
    };
    match tell(&mut identity, &events, event, account).await {
        Ok(()) => Delivery::Done,
        Err(Error::Call(refused)) => Delivery::Never(refused.message),
        Err(_) => Delivery::Later,
    }
}

async fn tell(
    identity: &mut IdentityInternalServiceClient<Transport>,
    events: &Events,
    event: EventId,
    account: AccountId,
) -> Result<()> {
    loop {
        let now = events.current(event).await?.event;
        let roles = now.officials.get(&account).cloned().unwrap_or_default();
        for (role, in_tokens) in OFFICES {
            let scope = Some(RoleScope { place: Some(Place::EventId(event.to_string())) });
            let (account_id, role_number) = (account.to_string(), in_tokens.number());
            let told = if roles.contains(&role) {
                let granted_by = String::new();
                let request = GrantRoleRequest { account_id, role: role_number, scope, granted_by };
                identity.grant_role(request).await.map(drop)
            } else {
                let request = RevokeRoleRequest { account_id, role: role_number, scope };
                identity.revoke_role(request).await.map(drop)
            };
            told.or_else(|status| settled(&status))?;
        }
        let after = events.current(event).await?.event;
        if after.officials.get(&account) == now.officials.get(&account) {
            return Ok(());
        }
    }
}

/// What identity refuses for good is an error of the call; what it could not answer is tried again.
fn settled(status: &Status) -> Result<()> {
    match status.code() {
        // Who is not there, or is a guest, has no offices in tokens; the event itself knows him all the same.
        Code::NotFound | Code::FailedPrecondition => Ok(()),
        Code::InvalidArgument | Code::ResourceExhausted => {
            Err(api::Error::new(status.code(), api::reason::BAD_ROLE, status.message()).into())
        }
        _ => Err(Error::Stopping),
    }
}
