//! Where changes are carried out: each once, each whole, and those of one federation one after the other.

use std::sync::Arc;

use chassis::{
    Database, Env,
    auth::Caller,
    database::{Transaction, retry_contended},
    outbox::Outbox,
    time::to_micros,
};
use live::Live;
use sea_orm::ConnectionTrait;
use uuid::Uuid;

use super::{
    Accounts,
    notices::{Notices, Written},
    turn::Turn,
};
use crate::{
    core::{file::FILES_KEPT, limits::REQUESTS_KEPT, refusal::Refusal},
    error::{Error, Result},
    store::{self, request},
    wire::attempt::Attempt,
};

/// The organisations of the database.
#[derive(Clone)]
pub(crate) struct Desk {
    pub env: Env,
    pub database: Database,
    pub live: Arc<dyn Live>,
    pub outbox: Outbox,
    pub accounts: Accounts,
    pub notices: Arc<Notices>,
}

/// What a change made: the thing, and what else is answered.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    pub id: Uuid,
    pub counts: String,
}

impl From<Uuid> for Made {
    fn from(id: Uuid) -> Self {
        Made { id, counts: String::new() }
    }
}

/// Something that is done to organisations.
pub(crate) trait Change: Sync {
    /// What is answered.
    type Told: Send;

    /// What must be asked of others before the transaction: it would keep the database waiting.
    fn prepare(&self, _desk: &Desk, _caller: &Caller) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }

    /// Does it, and says what it made or changed.
    fn make(&self, turn: &Turn<'_>) -> impl Future<Output = Result<Made>> + Send;

    /// What is answered then, and whenever it is asked for again.
    fn tell(&self, turn: &Turn<'_>, made: &Made) -> impl Future<Output = Result<Self::Told>> + Send;
}

impl Desk {
    /// Carries a change out, unless it was carried out before, and answers it.
    pub(crate) async fn carry_out<C: Change>(&self, attempt: &Attempt, change: &C) -> Result<C::Told> {
        change.prepare(self, &attempt.caller).await?;
        let (told, written) = retry_contended(|| async {
            let transaction = self.database.begin().await?;
            let outcome = self.once(&transaction, attempt, change).await;
            if attempt.validate_only {
                transaction.rollback().await?;
                return outcome;
            }
            transaction.finish(outcome).await
        })
        .await?;
        self.outbox.call();
        self.notices.tell(written).await;
        Ok(told)
    }

    async fn once<C: Change>(
        &self,
        on: &Transaction,
        attempt: &Attempt,
        change: &C,
    ) -> Result<(C::Told, Written)> {
        let turn = Turn::new(self, on, &attempt.caller);
        if let Some(made) = known(on, attempt).await? {
            return Ok((change.tell(&turn, &made).await?, Written::default()));
        }
        let made = match change.make(&turn).await {
            // Whoever waited for the same request under way is refused what that has done.
            Err(Error::Refused(refusal)) => match known(on, attempt).await? {
                Some(made) => return Ok((change.tell(&turn, &made).await?, Written::default())),
                None => return Err(refusal.into()),
            },
            made => made?,
        };
        if !attempt.validate_only {
            let row = request::Model {
                account_id: attempt.caller.id.uuid(),
                request_id: attempt.request.uuid(),
                digest: attempt.digest.clone(),
                made_id: made.id,
                counts: made.counts.clone(),
                made_us: to_micros(self.env.now()),
            };
            request::insert(on, row).await?;
        }
        let told = change.tell(&turn, &made).await?;
        // Last: whoever tells the same accounts something waits from here on.
        let written = self.notices.write(on, turn.tellings()).await?;
        Ok((told, written))
    }

    /// What a request made before, where nothing is locked for it.
    ///
    /// # Errors
    /// When it asked for something else then.
    pub(crate) async fn made_before(&self, attempt: &Attempt) -> Result<Option<Made>> {
        known(self.database.read(), attempt).await
    }

    /// Forgets the requests and the files of yesterday.
    pub(crate) async fn sweep(&self) -> Result<()> {
        store::request::prune(self.database.write(), self.env.now(), REQUESTS_KEPT).await?;
        store::file::prune(self.database.write(), self.env.now(), FILES_KEPT).await?;
        Ok(())
    }
}

/// What this request made, if it was carried out.
async fn known(on: &impl ConnectionTrait, attempt: &Attempt) -> Result<Option<Made>> {
    match request::find(on, attempt.caller.id, attempt.request).await? {
        Some(known) if known.digest != attempt.digest => Err(Refusal::RequestIdReused.into()),
        known => Ok(known.map(|known| Made { id: known.made_id, counts: known.counts })),
    }
}
