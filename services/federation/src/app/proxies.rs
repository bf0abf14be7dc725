//! Lets accounts act for members who have no device, and ends it.

use chassis::auth::Caller;

use super::{
    Change, Desk,
    desk::Made,
    turn::{Turn, room},
};
use crate::{
    core::{
        limits::PROXIES_MAX,
        notice::{About, Kind, To},
        permit::{Act, Standing},
        proxy::{Give, Proxy, Withdraw},
        refusal::Refusal,
    },
    error::Result,
    store,
};

impl Change for Give {
    type Told = Proxy;

    async fn prepare(&self, desk: &Desk, _caller: &Caller) -> Result<()> {
        desk.accounts.require(self.account).await
    }

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let member = turn.active(self.member).await?;
        let himself = turn.oneself(&member).is_some();
        if !himself {
            turn.require(member.federation, Act::KeepPersons).await?;
            if self.reason.is_empty() {
                return Err(Refusal::BadProxy("say how the member consented").into());
            }
        }
        if member.account == Some(self.account) {
            return Err(Refusal::BadProxy("nobody acts for himself as another").into());
        }
        let current = store::proxy::list(turn.on, member.id, false, None, PROXIES_MAX + 1).await?;
        if current.iter().any(|proxy| proxy.account == self.account) {
            return Err(Refusal::AlreadyProxy.into());
        }
        room(current.len() as u64, PROXIES_MAX, "accounts that may act for a member at a time")?;
        let proxy = Proxy {
            id: turn.desk.env.uuid(),
            federation: member.federation,
            member: member.id,
            account: self.account,
            himself,
            given_by: turn.caller.id,
            reason: self.reason.clone(),
            given: turn.now(),
            withdrawn: None,
        };
        store::proxy::insert(turn.on, &proxy).await?;
        let (federation, member_id) = (Some(member.federation), Some(member.id));
        let about = About { federation, member: member_id, ..About::default() };
        turn.inform(To::Account(self.account), Kind::ProxyGiven, about, &[proxy.id]);
        tracing::info!(member.id = %member.id, account.id = %self.account, given_by = %turn.caller.id, "an account may act for a member");
        Ok(proxy.id.into())
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Proxy> {
        tell(turn, made).await
    }
}

impl Change for Withdraw {
    type Told = Proxy;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let found = store::proxy::find(turn.on, self.id).await?.ok_or(Refusal::UnknownProxy)?;
        let member = turn.member(found.member).await?;
        let mut proxy = store::proxy::find(turn.on, self.id).await?.ok_or(Refusal::UnknownProxy)?;
        let concerned = turn.oneself(&member).is_some() || proxy.account == turn.caller.id;
        if concerned {
            turn.require_as(member.federation, Act::ActForOneself, Some(Standing::Oneself)).await?;
        } else {
            turn.require(member.federation, Act::KeepPersons).await?;
        }
        if proxy.withdrawn.is_some() {
            return Err(Refusal::AlreadyAnswered.into());
        }
        proxy.withdrawn = Some((turn.caller.id, turn.now()));
        store::proxy::update(turn.on, &proxy).await?;
        tracing::info!(member.id = %member.id, account.id = %proxy.account, withdrawn_by = %turn.caller.id, "an account may act for a member no more");
        Ok(self.id.into())
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Proxy> {
        tell(turn, made).await
    }
}

async fn tell(turn: &Turn<'_>, made: &Made) -> Result<Proxy> {
    Ok(store::proxy::find(turn.on, made.id).await?.ok_or(Refusal::UnknownProxy)?)
}
