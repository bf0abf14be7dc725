//! Tells identity who has which role, until it has acknowledged.
//!
//! What is delivered is not what was done but how it is: whether the account holds the role now. So grants and revocations
//! that overtake each other come to the same, and whoever was told while it changed is told again.

use api::{
    ProtoEnum as _, error,
    identity::v1::{
        GrantRoleRequest, RevokeRoleRequest, RoleScope,
        identity_internal_service_client::IdentityInternalServiceClient, role_scope::Place,
    },
    reason,
    transport::Transport,
};
use chassis::{
    Database, Throttle,
    database::StoreError,
    outbox::{Delivery, Entry},
};
use tonic::{Code, Status};
use uuid::Uuid;

use crate::{
    core::official::{Appoint, Conveyance, Official},
    store,
};

/// What is owed when a role was granted.
pub(super) const GRANT: &str = "identity.grant";
/// What is owed when a role was revoked.
pub(super) const REVOKE: &str = "identity.revoke";
/// What is delivered here.
pub(crate) const KINDS: &[&str] = &[GRANT, REVOKE];

/// Reasons for which identity refuses a grant for good.
const FINAL: [reason::Reason; 5] =
    [reason::BAD_ROLE, reason::BAD_ID, reason::UNKNOWN_ACCOUNT, reason::GUEST, reason::ROLES_FULL];

/// Delivers an entry.
pub(crate) async fn deliver(
    identity: IdentityInternalServiceClient<Transport>,
    database: Database,
    entry: Entry,
) -> Delivery {
    let Ok(id) = Uuid::from_slice(&entry.payload) else {
        return Delivery::Never("it names no official".to_owned());
    };
    match convey(identity, &database, id).await {
        Ok(()) => Delivery::Done,
        Err(failure) => {
            static COMPLAINTS: Throttle = Throttle::new();
            if let Some(held_back) = COMPLAINTS.admit() {
                tracing::warn!(official.id = %id, kind = entry.kind, failure, held_back, "identity was not told of a role; it is tried again");
            }
            Delivery::Later
        }
    }
}

/// Tells identity how it is until it has not changed meanwhile.
async fn convey(
    mut identity: IdentityInternalServiceClient<Transport>,
    database: &Database,
    id: Uuid,
) -> Result<(), String> {
    let stored = |error: StoreError| error.to_string();
    let Some(official) = store::official::find(database.read(), id).await.map_err(stored)? else {
        return Ok(());
    };
    let appointment =
        Appoint { federation: official.federation, account: official.account, role: official.role };
    loop {
        let before = store::official::current_of(database.read(), appointment).await.map_err(stored)?;
        let answered = match &before {
            Some(current) => grant(&mut identity, current).await?,
            None => revoke(&mut identity, &official).await?,
        };
        if let Some(current) = &before {
            store::official::convey(database.write(), current.id, &answered).await.map_err(stored)?;
        }
        let after = store::official::current_of(database.read(), appointment).await.map_err(stored)?;
        if after.map(|official| official.id) == before.map(|official| official.id) {
            return Ok(());
        }
    }
}

async fn grant(
    identity: &mut IdentityInternalServiceClient<Transport>,
    official: &Official,
) -> Result<Conveyance, String> {
    let request = GrantRoleRequest {
        account_id: official.account.to_string(),
        role: official.role.in_tokens().map_or(0, chassis::auth::Role::number),
        scope: Some(scope(official)),
        granted_by: official.granted_by.to_string(),
    };
    match identity.grant_role(request).await {
        Ok(_) => Ok(Conveyance::Done),
        Err(status) => refused(&status).map(Conveyance::Refused).ok_or_else(|| status.to_string()),
    }
}

async fn revoke(
    identity: &mut IdentityInternalServiceClient<Transport>,
    official: &Official,
) -> Result<Conveyance, String> {
    let request = RevokeRoleRequest {
        account_id: official.account.to_string(),
        role: official.role.in_tokens().map_or(0, chassis::auth::Role::number),
        scope: Some(scope(official)),
    };
    match identity.revoke_role(request).await {
        Ok(_) => Ok(Conveyance::Done),
        // Whoever is not there has no role either.
        Err(status) => refused(&status).map(|_| Conveyance::Done).ok_or_else(|| status.to_string()),
    }
}

/// The reason, if identity would answer so for ever.
fn refused(status: &Status) -> Option<String> {
    let reason = error::reason(status);
    let known = FINAL.iter().any(|known| reason == *known);
    (known || status.code() == Code::InvalidArgument).then_some(reason)
}

fn scope(official: &Official) -> RoleScope {
    RoleScope { place: Some(Place::FederationId(official.federation.to_string())) }
}
