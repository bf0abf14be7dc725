//! What accounts are told: written with what it tells of, read, marked and followed.

mod follow;
mod mailing;
mod sweeping;

use std::sync::Arc;

use chassis::{Database, Env, Lifecycle, auth::Caller, database::StoreError, streams::AccountStreams};
use live::Live;
use tokio::sync::Semaphore;

pub(crate) use follow::watch;
pub(crate) use mailing::Written;
pub(crate) use sweeping::INTERVAL;

use crate::{
    core::notice::{Muted, Notice, Telling},
    error::Result,
    store::{notice, notice_box},
    wire::notice::{List, Mark},
};

/// Streams that read at once, so that thousands which missed something at the same time leave the database to others.
const READS_AT_ONCE: usize = 4;

/// The notices of the database.
pub(crate) struct Notices {
    env: Env,
    database: Database,
    live: Arc<dyn Live>,
    lifecycle: Lifecycle,
    reads: Semaphore,
    streams: AccountStreams,
}

impl Notices {
    /// Those of this database.
    pub(crate) fn new(
        env: Env,
        database: Database,
        live: Arc<dyn Live>,
        lifecycle: Lifecycle,
    ) -> Arc<Notices> {
        let (reads, streams) = (Semaphore::new(READS_AT_ONCE), AccountStreams::default());
        Arc::new(Notices { env, database, live, lifecycle, reads, streams })
    }

    /// A page of what an account was told, the token of the next, and how many it has not read.
    pub(crate) async fn list(&self, caller: &Caller, list: &List) -> Result<(Vec<Notice>, String, u64)> {
        let (on, page) = (self.database.read(), &list.page);
        let found = notice::list(on, caller.id, list.unread, page.after, page.fetch()).await?;
        let (notices, next) = page.cut(found, |last| last.number);
        Ok((notices, next, notice::unread(on, caller.id).await?))
    }

    /// Marks notices as read; how many are not.
    pub(crate) async fn mark(&self, caller: &Caller, mark: &Mark) -> Result<u64> {
        let on = self.database.write();
        notice::mark(on, caller.id, mark.up_to, &mark.numbers).await?;
        Ok(notice::unread(on, caller.id).await?)
    }

    /// The kinds that an account does not want.
    pub(crate) async fn muted(&self, caller: &Caller) -> Result<Muted> {
        Ok(notice_box::muted(self.database.read(), caller.id).await?)
    }

    /// Sets them.
    pub(crate) async fn mute(&self, caller: &Caller, muted: &Muted) -> Result<()> {
        Ok(notice_box::mute(self.database.write(), caller.id, muted).await?)
    }

    /// Writes what another service has accounts be told; how many were told something.
    pub(crate) async fn put(&self, tellings: &[Telling]) -> Result<usize> {
        let written = chassis::database::retry_contended(|| async {
            let transaction = self.database.begin().await?;
            let written = self.write(&transaction, tellings.to_vec()).await;
            transaction.finish::<_, StoreError>(written).await
        })
        .await?;
        let count = written.count();
        self.tell(written).await;
        Ok(count)
    }
}
