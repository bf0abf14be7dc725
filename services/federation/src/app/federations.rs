//! Founds federations, changes and dissolves them.

use chassis::id::FederationId;

use super::{
    Change,
    desk::Made,
    officials::dismiss_all,
    turn::{Turn, next, room},
};
use crate::{
    core::{
        federation::{Dissolve, Edit, Federation, Found},
        limits::FEDERATIONS_PER_ACCOUNT_MAX,
        official::{Conveyance, Official, Role},
        permit::Act,
        refusal::Refusal,
    },
    error::Result,
    store,
};

impl Change for Found {
    type Told = Federation;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        if turn.caller.guest {
            return Err(Refusal::Guest.into());
        }
        let (founder, now) = (turn.caller.id, turn.now());
        turn.on.await_turn(founder.uuid()).await?;
        let count = store::federation::count_of(turn.on, founder).await?;
        room(count, FEDERATIONS_PER_ACCOUNT_MAX, "federations that one account founded")?;
        let id = FederationId::from(turn.desk.env.uuid());
        is_free(turn, self, id).await?;
        let Found { name, about, open } = self.clone();
        let federation =
            Federation { id, name, about, open, founder, founded: now, dissolved: None, revision: 1 };
        store::federation::insert(turn.on, &federation).await?;
        let administrator = Official {
            id: turn.desk.env.uuid(),
            federation: id,
            account: founder,
            role: Role::Administrator,
            conveyance: Conveyance::Done,
            granted_by: founder,
            granted: now,
            revoked: None,
        };
        store::official::insert(turn.on, &administrator).await?;
        tracing::info!(federation.id = %id, account.id = %founder, "a federation was founded");
        Ok(id.uuid().into())
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Federation> {
        tell(turn, made).await
    }
}

impl Change for Edit {
    type Told = Federation;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let mut federation = turn.federation(self.id).await?;
        turn.require(self.id, Act::Govern).await?;
        federation.revision = next(self.revision, federation.revision)?;
        if let Some(name) = &self.name {
            let found = Found { name: name.clone(), about: String::new(), open: false };
            is_free(turn, &found, self.id).await?;
            federation.name = name.clone();
        }
        federation.about = self.about.clone().unwrap_or(federation.about);
        federation.open = self.open.unwrap_or(federation.open);
        store::federation::update(turn.on, &federation).await?;
        Ok(self.id.uuid().into())
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Federation> {
        tell(turn, made).await
    }
}

impl Change for Dissolve {
    type Told = Federation;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let mut federation = turn.federation(self.id).await?;
        turn.require(self.id, Act::Govern).await?;
        federation.revision = next(self.revision, federation.revision)?;
        match store::event::head::open_count(turn.on, self.id).await? {
            0 => {}
            open => return Err(Refusal::EventsOpen(open).into()),
        }
        federation.dissolved = Some(turn.now());
        store::federation::update(turn.on, &federation).await?;
        dismiss_all(turn, self.id).await?;
        tracing::info!(federation.id = %self.id, account.id = %turn.caller.id, "a federation was dissolved");
        Ok(self.id.uuid().into())
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Federation> {
        tell(turn, made).await
    }
}

/// Two that come at once meet at the unique key, and one of them comes here again.
async fn is_free(turn: &Turn<'_>, found: &Found, id: FederationId) -> Result<()> {
    let taken = store::federation::is_named(turn.on, &found.name.key(), id).await?;
    if taken { Err(Refusal::NameTaken.into()) } else { Ok(()) }
}

async fn tell(turn: &Turn<'_>, made: &Made) -> Result<Federation> {
    let found = store::federation::find(turn.on, made.id.into()).await?;
    Ok(found.ok_or(Refusal::UnknownFederation)?)
}
