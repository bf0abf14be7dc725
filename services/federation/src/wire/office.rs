//! Officials and proxies between protos and `core`.

use api::{ProtoEnum as _, federation::v1 as pb, proto_enum, reason, time::timestamp};
use chassis::{
    id::{AccountId, FederationId, MemberId},
    page::Page,
};
use uuid::Uuid;

use super::fields::{id, words};
use crate::core::{
    limits::NOTE_CHARS_MAX,
    official::{Appoint, Conveyance, Official, Revoke, Role},
    proxy::{Give, Proxy, Withdraw},
};

proto_enum!(Role = pb::OfficialRole { Administrator, Committee, ChiefArbiter, Deputy, Arbiter, Scorer });

/// The officials that are asked for.
#[derive(Clone, Debug)]
pub(crate) struct ListOfficials {
    /// Of which federation.
    pub federation: FederationId,
    /// Also dismissed ones.
    pub revoked: bool,
    /// Which part.
    pub page: Page<Uuid>,
}

/// The proxies that are asked for.
#[derive(Clone, Debug)]
pub(crate) struct ListProxies {
    /// Of whom.
    pub member: MemberId,
    /// Also withdrawn ones.
    pub withdrawn: bool,
    /// Which part.
    pub page: Page<Uuid>,
}

fn appointment(federation: &str, account: &str, role: i32) -> Result<Appoint, api::Error> {
    let bad = || api::Error::invalid(reason::BAD_ROLE, "role", "none of the roles");
    Ok(Appoint {
        federation: FederationId::parse(federation, "federation_id")?,
        account: AccountId::parse(account, "account_id")?,
        role: Role::of(role).ok_or_else(bad)?,
    })
}

impl TryFrom<pb::GrantOfficialRequest> for Appoint {
    type Error = api::Error;

    fn try_from(request: pb::GrantOfficialRequest) -> Result<Self, api::Error> {
        appointment(&request.federation_id, &request.account_id, request.role)
    }
}

impl TryFrom<pb::RevokeOfficialRequest> for Revoke {
    type Error = api::Error;

    fn try_from(request: pb::RevokeOfficialRequest) -> Result<Self, api::Error> {
        appointment(&request.federation_id, &request.account_id, request.role).map(Revoke)
    }
}

impl TryFrom<pb::ListOfficialsRequest> for ListOfficials {
    type Error = api::Error;

    fn try_from(request: pb::ListOfficialsRequest) -> Result<Self, api::Error> {
        let pb::ListOfficialsRequest { federation_id, show_revoked, page_size, page_token } = request;
        let federation = FederationId::parse(&federation_id, "federation_id")?;
        let page = Page::of(format!("officials/{federation}/{show_revoked}"), page_size, &page_token)?;
        Ok(ListOfficials { federation, revoked: show_revoked, page })
    }
}

impl TryFrom<pb::GiveProxyRequest> for Give {
    type Error = api::Error;

    fn try_from(request: pb::GiveProxyRequest) -> Result<Self, api::Error> {
        Ok(Give {
            member: MemberId::parse(&request.member_id, "member_id")?,
            account: AccountId::parse(&request.account_id, "account_id")?,
            reason: words(&request.reason, NOTE_CHARS_MAX, "reason")?,
        })
    }
}

impl TryFrom<pb::WithdrawProxyRequest> for Withdraw {
    type Error = api::Error;

    fn try_from(request: pb::WithdrawProxyRequest) -> Result<Self, api::Error> {
        Ok(Withdraw { id: id(&request.proxy_id, "proxy_id")? })
    }
}

impl TryFrom<pb::ListProxiesRequest> for ListProxies {
    type Error = api::Error;

    fn try_from(request: pb::ListProxiesRequest) -> Result<Self, api::Error> {
        let pb::ListProxiesRequest { member_id, show_withdrawn, page_size, page_token } = request;
        let member = MemberId::parse(&member_id, "member_id")?;
        let page = Page::of(format!("proxies/{member}/{show_withdrawn}"), page_size, &page_token)?;
        Ok(ListProxies { member, withdrawn: show_withdrawn, page })
    }
}

impl From<&Official> for pb::Official {
    fn from(official: &Official) -> Self {
        let (by, at) = official.revoked.unzip();
        let (conveyance, refusal) = match &official.conveyance {
            Conveyance::Pending => (pb::Conveyance::Pending, String::new()),
            Conveyance::Done => (pb::Conveyance::Done, String::new()),
            Conveyance::Refused(reason) => (pb::Conveyance::Refused, reason.clone()),
        };
        pb::Official {
            federation_id: official.federation.to_string(),
            account_id: official.account.to_string(),
            role: official.role.number(),
            conveyance: conveyance.into(),
            refusal_reason: refusal,
            granted_by: official.granted_by.to_string(),
            grant_time: Some(timestamp(official.granted)),
            revoked_by: by.map(|by| by.to_string()).unwrap_or_default(),
            revoke_time: at.map(timestamp),
        }
    }
}

impl From<&Proxy> for pb::Proxy {
    fn from(proxy: &Proxy) -> Self {
        let (by, at) = proxy.withdrawn.unzip();
        pb::Proxy {
            proxy_id: proxy.id.to_string(),
            federation_id: proxy.federation.to_string(),
            member_id: proxy.member.to_string(),
            account_id: proxy.account.to_string(),
            consented_himself: proxy.himself,
            given_by: proxy.given_by.to_string(),
            reason: proxy.reason.clone(),
            give_time: Some(timestamp(proxy.given)),
            withdrawn_by: by.map(|by| by.to_string()).unwrap_or_default(),
            withdraw_time: at.map(timestamp),
        }
    }
}
