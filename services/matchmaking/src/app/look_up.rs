//! What is known of those who hand tickets in. Those who come while others are being looked up share the next statements, so that
//! a flood of tickets costs few of them.

use std::collections::BTreeMap;

use chassis::{
    Database, Env, Lifecycle,
    batch::{self, Batcher},
    database::StoreError,
    id::{AccountId, TicketId},
    lifecycle::Aborted,
};

use super::record::matches_of;
use crate::{
    core::{Match, MatchState, Pause},
    error::Error,
    store::{self, history::Record},
};

/// Tickets that are looked up at once: far below SQLite's 32,766 parameters of a statement.
const TOGETHER_MAX: usize = 256;
/// Tickets that may wait to be; whoever comes then waits for a place.
const WAITING_MAX: usize = 16 * TOGETHER_MAX;

/// Where they are looked up; clones share it.
#[derive(Clone, Debug)]
pub(crate) struct LookUp(Batcher<(TicketId, AccountId), Result<Known, StoreError>>);

/// What is known of a ticket that is handed in, and of its owner.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// What it became part of.
    pub matched: Option<(Match, MatchState)>,
    /// The pause that its owner is in.
    pub pause: Option<Pause>,
    /// What its owner has played.
    pub record: Record,
}

impl LookUp {
    /// Starts the task that looks them up.
    pub(crate) fn start(env: Env, database: Database, lifecycle: &Lifecycle) -> Self {
        let (asked, batches) = batch::channel(WAITING_MAX, TOGETHER_MAX);
        lifecycle.supervise_last(("matchmaking", "look-up"), move || {
            let (env, database) = (env.clone(), database.clone());
            batches.clone().run(move |asked: Vec<(TicketId, AccountId)>| {
                let (env, database) = (env.clone(), database.clone());
                async move { each(&env, &database, &asked).await }
            })
        });
        LookUp(asked)
    }

    /// What is known of a ticket and its owner.
    ///
    /// # Errors
    /// When the database fails or the process stops.
    pub(super) async fn ask(&self, ticket: TicketId, owner: AccountId) -> Result<Known, Error> {
        Ok(self.0.ask((ticket, owner)).await.map_err(|Aborted| Error::Stopping)??)
    }
}

/// What is known of each. What cannot be read of one keeps nobody else from being looked up.
async fn each(
    env: &Env,
    database: &Database,
    asked: &[(TicketId, AccountId)],
) -> Vec<Result<Known, StoreError>> {
    match found(env, database, asked).await {
        Ok(known) => known.into_iter().map(Ok).collect(),
        Err(StoreError::Corrupt(_)) if asked.len() > 1 => {
            let mut all = Vec::with_capacity(asked.len());
            for one in asked.chunks(1) {
                let known = found(env, database, one).await;
                all.push(known.map(|known| known.into_iter().next().unwrap_or_default()));
            }
            all
        }
        Err(error) => vec![Err(error); asked.len()],
    }
}

async fn found(
    env: &Env,
    database: &Database,
    asked: &[(TicketId, AccountId)],
) -> Result<Vec<Known>, StoreError> {
    let on = database.read();
    let accounts = || asked.iter().map(|(_, account)| *account);
    let matches = matches_of(database, asked.iter().map(|(ticket, _)| *ticket)).await?;
    let pauses: BTreeMap<AccountId, Pause> = store::pause::in_force(on, accounts(), env.now()).await?;
    let records = store::history::records(on, accounts()).await?;
    let known = |(ticket, account): &(TicketId, AccountId)| Known {
        // The same ticket may be handed in twice at the same moment.
        matched: matches.get(ticket).cloned(),
        pause: pauses.get(account).cloned(),
        record: records.get(account).cloned().unwrap_or_default(),
    };
    Ok(asked.iter().map(known).collect())
}
