//! Roles between protos and `core`.

use api::{identity::v1 as pb, reason, time::timestamp};
use chassis::{
    auth::{Role, RoleGrant, RoleScope},
    id::{AccountId, EventId, FederationId},
};

use crate::core::role::{GrantRole, RevokeRole, RoleFilter, RoleRecord};

impl TryFrom<&pb::GrantRoleRequest> for GrantRole {
    type Error = api::Error;

    fn try_from(request: &pb::GrantRoleRequest) -> Result<Self, api::Error> {
        use pb::grant_role_request::Scope as Asked;
        let account = AccountId::parse(&request.account_id, "account_id")?;
        let role = role(request.role)?;
        let scope = match &request.scope {
            Some(Asked::EventId(id)) => event(id)?,
            Some(Asked::FederationId(id)) => federation(id)?,
            None => return Err(nowhere()),
        };
        let granted_by = match request.granted_by.as_str() {
            "" => None,
            id => Some(AccountId::parse(id, "granted_by")?),
        };
        Ok(GrantRole { account, grant: RoleGrant { role, scope }, granted_by })
    }
}

impl TryFrom<&pb::RevokeRoleRequest> for RevokeRole {
    type Error = api::Error;

    fn try_from(request: &pb::RevokeRoleRequest) -> Result<Self, api::Error> {
        use pb::revoke_role_request::Scope as Asked;
        let account = AccountId::parse(&request.account_id, "account_id")?;
        let role = role(request.role)?;
        let scope = match &request.scope {
            Some(Asked::EventId(id)) => event(id)?,
            Some(Asked::FederationId(id)) => federation(id)?,
            None => return Err(nowhere()),
        };
        Ok(RevokeRole { account, grant: RoleGrant { role, scope } })
    }
}

impl TryFrom<&pb::ListRolesRequest> for RoleFilter {
    type Error = api::Error;

    fn try_from(request: &pb::ListRolesRequest) -> Result<Self, api::Error> {
        use pb::list_roles_request::Of as Asked;
        match &request.of {
            Some(Asked::AccountId(id)) => AccountId::parse(id, "account_id").map(RoleFilter::Account),
            Some(Asked::EventId(id)) => event(id).map(RoleFilter::In),
            Some(Asked::FederationId(id)) => federation(id).map(RoleFilter::In),
            None => {
                Err(api::Error::invalid(reason::BAD_ID, "of", "no account, event or federation is named"))
            }
        }
    }
}

impl From<RoleRecord> for pb::RoleGrant {
    fn from(RoleRecord { held, name }: RoleRecord) -> Self {
        use pb::role_grant::Scope as Told;
        let scope = match held.grant.scope {
            RoleScope::Event(id) => Told::EventId(id.to_string()),
            RoleScope::Federation(id) => Told::FederationId(id.to_string()),
        };
        pb::RoleGrant {
            account_id: held.account.to_string(),
            account_name: name,
            role: told(held.grant.role).into(),
            scope: Some(scope),
            granted_by: held.granted_by.map(|account| account.to_string()).unwrap_or_default(),
            grant_time: Some(timestamp(held.granted)),
        }
    }
}

fn event(id: &str) -> Result<RoleScope, api::Error> {
    EventId::parse(id, "event_id").map(RoleScope::Event)
}

fn federation(id: &str) -> Result<RoleScope, api::Error> {
    FederationId::parse(id, "federation_id").map(RoleScope::Federation)
}

fn nowhere() -> api::Error {
    api::Error::invalid(reason::BAD_ID, "scope", "neither an event nor a federation is named")
}

fn role(number: i32) -> Result<Role, api::Error> {
    let asked = Role::ALL.into_iter().find(|role| told(*role) as i32 == number);
    asked.ok_or_else(|| api::Error::invalid(reason::BAD_ROLE, "role", "none of the roles"))
}

const fn told(role: Role) -> pb::Role {
    match role {
        Role::ChiefArbiter => pb::Role::ChiefArbiter,
        Role::Deputy => pb::Role::Deputy,
        Role::Arbiter => pb::Role::Arbiter,
        Role::Committee => pb::Role::Committee,
        Role::Scorer => pb::Role::Scorer,
    }
}
