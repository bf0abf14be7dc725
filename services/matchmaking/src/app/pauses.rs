//! What moderators do about pauses of the queue, and who lists them.

use chassis::{
    auth::Caller,
    database::{StoreError, Transaction, retry_contended},
    id::AccountId,
    page::Page,
    time::{from_micros, to_micros},
};
use live::Cancelled;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::Tickets;
use crate::{
    core::{Cause, Pause, PauseAct},
    error::Error,
    store,
    wire::NewPause,
};

/// The shortest pause that a moderator may set, and the longest.
const LENGTHS: std::ops::RangeInclusive<Duration> = Duration::MINUTE..=Duration::days(366);

/// Where a list of pauses goes on: behind the one that begins then, of this game or act.
pub(crate) type PausePlace = (i64, Uuid);
/// Where a list of acts goes on: behind the one of then, with this id.
type ActPlace = (i64, Uuid);

impl Tickets {
    /// The pauses of an account, the latest first, and the token of the next page.
    ///
    /// # Errors
    /// When the database fails.
    pub(crate) async fn pauses(
        &self,
        account: AccountId,
        page: &Page<PausePlace>,
    ) -> Result<(Vec<Pause>, String), Error> {
        let found = store::pause::list(self.database.read(), account, page.after, page.fetch()).await?;
        Ok(page.cut(found, |pause| (to_micros(pause.begins), pause.key())))
    }

    /// Has an account pause from now on, or finds that the request has done it before. What waits of its leaves the queue. Who is
    /// about to wait at this very moment may do so once more.
    ///
    /// # Errors
    /// When it is too long or too short, there is no such account, or the request was for another; when a store or identity fails.
    pub(crate) async fn pause_account(&self, by: &Caller, new: &NewPause) -> Result<Pause, Error> {
        if !LENGTHS.contains(&new.length) {
            return Err(Error::BadLength);
        }
        self.account(new.account).await?;
        let now = self.now_as_stored();
        let act = PauseAct {
            id: new.request.uuid(),
            at: now,
            by: (by.id, by.name.clone()),
            account: new.account,
            until: Some(now + new.length),
            reason: new.reason.clone(),
        };
        let done = retry_contended(|| async {
            let transaction = self.database.begin().await?;
            let done = pause_once(&transaction, &act).await;
            transaction.finish(done).await
        })
        .await?;
        let (pause, is_new) = done.ok_or(Error::RequestReused)?;
        if is_new {
            tracing::info!(account.id = %new.account, moderator.id = %by.id, until = %pause.ends, "a moderator has an account pause");
        }
        // Also when it is asked again: the first time may have ended before this.
        if is_new || self.is_paused(new.account).await? {
            self.withdraw_ticket_of(new.account).await?;
        }
        self.touched(&[new.account]).await;
        Ok(pause)
    }

    /// Ends the pauses that an account is in; how many.
    ///
    /// # Errors
    /// When there is no such account; when a store or identity fails.
    pub(crate) async fn end_pauses(
        &self,
        by: &Caller,
        account: AccountId,
        reason: &str,
    ) -> Result<u64, Error> {
        self.account(account).await?;
        let now = self.now_as_stored();
        let act = PauseAct {
            id: self.env.uuid(),
            at: now,
            by: (by.id, by.name.clone()),
            account,
            until: None,
            reason: reason.to_owned(),
        };
        let ended = retry_contended(|| async {
            let transaction = self.database.begin().await?;
            let done = end_all(&transaction, &act).await;
            transaction.finish(done).await
        })
        .await?;
        if ended > 0 {
            tracing::info!(account.id = %account, moderator.id = %by.id, ended, "a moderator has ended pauses of an account");
            self.touched(&[account]).await;
        }
        Ok(ended)
    }

    /// What moderators have done, the latest first, and the token of the next page.
    ///
    /// # Errors
    /// When the database fails.
    pub(crate) async fn pause_acts(&self, page: &Page<ActPlace>) -> Result<(Vec<PauseAct>, String), Error> {
        let found = store::pause_act::list(self.database.read(), page.after, page.fetch()).await?;
        Ok(page.cut(found, |act| (to_micros(act.at), act.id)))
    }

    async fn is_paused(&self, account: AccountId) -> Result<bool, Error> {
        let on = self.database.read();
        Ok(!store::pause::in_force(on, std::iter::once(account), self.env.now()).await?.is_empty())
    }

    async fn withdraw_ticket_of(&self, account: AccountId) -> Result<(), Error> {
        let Some(ticket) = self.queue.ticket_of(account).await? else { return Ok(()) };
        if self.queue.cancel(ticket, account, self.env.now()).await? == Cancelled::Done {
            self.queue.call(ticket).await;
        }
        Ok(())
    }

    fn now_as_stored(&self) -> OffsetDateTime {
        let now = self.env.now();
        from_micros(to_micros(now)).unwrap_or(now)
    }
}

/// Writes an act and its pause down, unless it is there; the pause, and whether it is new. Nothing if the id was used for something
/// else.
async fn pause_once(on: &Transaction, act: &PauseAct) -> Result<Option<(Pause, bool)>, StoreError> {
    let before = store::pause_act::find(on, act.id).await?;
    if before.as_ref().is_some_and(|before| before.account != act.account) {
        return Ok(None);
    }
    let act = before.as_ref().unwrap_or(act);
    let Some(ends) = act.until else { return Ok(None) };
    let cause = Cause::Moderator { act: act.id, reason: act.reason.clone() };
    let pause = Pause { cause, begins: act.at, ends };
    if before.is_none() {
        store::pause_act::insert(on, act).await?;
        store::pause::insert(on, act.account, &pause).await?;
    }
    Ok(Some((pause, before.is_none())))
}

/// Ends pauses, and writes down that they were if there are any.
async fn end_all(on: &Transaction, act: &PauseAct) -> Result<u64, StoreError> {
    let ended = store::pause::end(on, act.account, act.at).await?;
    if ended > 0 {
        store::pause_act::insert(on, act).await?;
    }
    Ok(ended)
}
