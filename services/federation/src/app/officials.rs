//! Makes accounts officials of a federation, and dismisses them.

use chassis::{auth::Caller, id::FederationId, outbox::OutboxMessage};

use super::{
    Change, Desk,
    delivery::{GRANT, REVOKE},
    desk::Made,
    turn::{Turn, room},
};
use crate::{
    core::{
        limits::OFFICIALS_MAX,
        notice::{About, Detail, Kind, To},
        official::{Appoint, Conveyance, Official, Revoke, Role},
        permit::Act,
        refusal::Refusal,
    },
    error::Result,
    store,
};

impl Change for Appoint {
    type Told = Official;

    async fn prepare(&self, desk: &Desk, _caller: &Caller) -> Result<()> {
        desk.accounts.require(self.account).await
    }

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        turn.federation(self.federation).await?;
        turn.require(self.federation, Act::Appoint).await?;
        let known = store::official::current_of(turn.on, *self).await?;
        if let Some(known) = known {
            if !known.holds() {
                let again = Official { conveyance: Conveyance::Pending, ..known.clone() };
                store::official::update(turn.on, &again).await?;
                owe(turn, &again, GRANT).await?;
            }
            return Ok(known.id.into());
        }
        let count = store::official::count(turn.on, self.federation, None).await?;
        room(count, OFFICIALS_MAX, "officials of a federation")?;
        let in_tokens = self.role.in_tokens().is_some();
        let official = Official {
            id: turn.desk.env.uuid(),
            federation: self.federation,
            account: self.account,
            role: self.role,
            conveyance: if in_tokens { Conveyance::Pending } else { Conveyance::Done },
            granted_by: turn.caller.id,
            granted: turn.now(),
            revoked: None,
        };
        store::official::insert(turn.on, &official).await?;
        owe(turn, &official, GRANT).await?;
        Ok(official.id.into())
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Official> {
        Ok(store::official::find(turn.on, made.id).await?.ok_or(Refusal::UnknownOfficial)?)
    }
}

impl Change for Revoke {
    type Told = Official;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let Revoke(appointment) = *self;
        let Appoint { federation, account, role } = appointment;
        turn.federation(federation).await?;
        if account != turn.caller.id {
            turn.require(federation, Act::Appoint).await?;
        }
        let found = store::official::current_of(turn.on, appointment).await?;
        let mut official = found.ok_or(Refusal::UnknownOfficial)?;
        if role == Role::Administrator && store::official::count(turn.on, federation, Some(role)).await? <= 1
        {
            return Err(Refusal::LastAdministrator.into());
        }
        official.revoked = Some((turn.caller.id, turn.now()));
        store::official::update(turn.on, &official).await?;
        owe(turn, &official, REVOKE).await?;
        Ok(official.id.into())
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Official> {
        Ok(store::official::find(turn.on, made.id).await?.ok_or(Refusal::UnknownOfficial)?)
    }
}

/// Dismisses everybody whom tokens name: of a federation that is dissolved nobody is an arbiter.
pub(super) async fn dismiss_all(turn: &Turn<'_>, federation: FederationId) -> Result<()> {
    for mut official in store::official::list(turn.on, federation, false, None, OFFICIALS_MAX).await? {
        if official.role != Role::Administrator {
            official.revoked = Some((turn.caller.id, turn.now()));
            store::official::update(turn.on, &official).await?;
            owe(turn, &official, REVOKE).await?;
        }
    }
    Ok(())
}

/// Has the official be told of his tenure, and identity, if its tokens name the role.
async fn owe(turn: &Turn<'_>, official: &Official, kind: &'static str) -> Result<()> {
    let told = if kind == GRANT { Kind::OfficeGranted } else { Kind::OfficeRevoked };
    let (federation, detail) = (Some(official.federation), Some(Detail::Office(official.role)));
    let about = About { federation, detail, ..About::default() };
    turn.inform(To::Account(official.account), told, about, &[official.id]);
    if official.role.in_tokens().is_some() {
        let payload = official.id.as_bytes().to_vec();
        turn.desk.outbox.insert(turn.on, vec![OutboxMessage::new(kind, payload)]).await?;
    }
    Ok(())
}
