//! Roles between protos and `core`.

use api::{
    ProtoEnum as _,
    identity::v1::{self as pb, role_scope::Place},
    reason,
    time::timestamp,
};
use chassis::{
    auth::{Role, RoleGrant, RoleScope},
    id::{AccountId, EventId, FederationId},
};

use crate::core::role::{GrantRole, RevokeRole, RoleFilter, RoleRecord};

impl TryFrom<&pb::GrantRoleRequest> for GrantRole {
    type Error = api::Error;

    fn try_from(request: &pb::GrantRoleRequest) -> Result<Self, api::Error> {
        let account = AccountId::parse(&request.account_id, "account_id")?;
        let grant = grant(request.role, request.scope.as_ref())?;
        let granted_by = match request.granted_by.as_str() {
            "" => None,
            id => Some(AccountId::parse(id, "granted_by")?),
        };
        Ok(GrantRole { account, grant, granted_by })
    }
}

impl TryFrom<&pb::RevokeRoleRequest> for RevokeRole {
    type Error = api::Error;

    fn try_from(request: &pb::RevokeRoleRequest) -> Result<Self, api::Error> {
        let account = AccountId::parse(&request.account_id, "account_id")?;
        Ok(RevokeRole { account, grant: grant(request.role, request.scope.as_ref())? })
    }
}

impl TryFrom<&pb::ListRolesRequest> for RoleFilter {
    type Error = api::Error;

    fn try_from(request: &pb::ListRolesRequest) -> Result<Self, api::Error> {
        use pb::list_roles_request::Of as Asked;
        match &request.of {
            Some(Asked::AccountId(id)) => AccountId::parse(id, "account_id").map(RoleFilter::Account),
            Some(Asked::Scope(asked)) => scope(Some(asked)).map(RoleFilter::In),
            None => Err(api::Error::invalid(reason::BAD_ID, "of", "neither an account nor a scope is named")),
        }
    }
}

impl From<RoleRecord> for pb::RoleGrant {
    fn from(RoleRecord { held, name }: RoleRecord) -> Self {
        let place = match held.grant.scope {
            RoleScope::Event(id) => Place::EventId(id.to_string()),
            RoleScope::Federation(id) => Place::FederationId(id.to_string()),
            RoleScope::Platform => Place::Platform(true),
        };
        pb::RoleGrant {
            account_id: held.account.to_string(),
            account_name: name,
            role: held.grant.role.number(),
            scope: Some(pb::RoleScope { place: Some(place) }),
            granted_by: held.granted_by.map(|account| account.to_string()).unwrap_or_default(),
            grant_time: Some(timestamp(held.granted)),
        }
    }
}

fn scope(scope: Option<&pb::RoleScope>) -> Result<RoleScope, api::Error> {
    match scope.and_then(|scope| scope.place.as_ref()) {
        Some(Place::EventId(id)) => EventId::parse(id, "scope.event_id").map(RoleScope::Event),
        Some(Place::FederationId(id)) => {
            FederationId::parse(id, "scope.federation_id").map(RoleScope::Federation)
        }
        Some(Place::Platform(true)) => Ok(RoleScope::Platform),
        Some(Place::Platform(false)) | None => {
            Err(api::Error::invalid(reason::BAD_ID, "scope", "neither an event nor a federation is named"))
        }
    }
}

/// What a service may grant and revoke: what holds on the whole platform is for its operator.
fn grant(role: i32, place: Option<&pb::RoleScope>) -> Result<RoleGrant, api::Error> {
    let bad = |message: &str| api::Error::invalid(reason::BAD_ROLE, "role", message.to_owned());
    let role = Role::of(role).ok_or_else(|| bad("none of the roles"))?;
    let scope = scope(place)?;
    if scope == RoleScope::Platform || !role.holds_in(scope) {
        return Err(bad("only the platform's operator makes moderators, and of the whole platform"));
    }
    Ok(RoleGrant { role, scope })
}
