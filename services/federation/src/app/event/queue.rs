//! Work of some length that strangers or many can ask for at once: little of it is done at a time, and little waits.

use std::sync::Arc;

use chassis::{
    Env, background,
    limit::{Amount, Limit},
};
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::{
    core::{
        document::{DOCUMENT_BYTES_MAX, DOCUMENTS_MAX},
        event::limits::{DRAFT_EDITS_MAX, EVENT_OFFICIALS_MAX},
    },
    error::{Error, Result},
    wire::report::REPORT_BYTES_MAX,
};

/// Rounds that are paired at once: on a machine of two cores the other one is left for everybody else.
const PAIRINGS_AT_ONCE: usize = 1;
/// Rounds that wait to be paired: as many of ten thousand players are paired within the time that a call has.
const PAIRINGS_WAITING: usize = 8;
/// Tables that are worked out at once.
const TABLES_AT_ONCE: usize = 2;
/// Tables that wait: of ten thousand players each takes some 20 ms.
const TABLES_WAITING: usize = 256;
/// Reports that are judged at once.
const REPORTS_AT_ONCE: usize = 1;
/// Reports that wait: each has all its bytes in memory.
const REPORTS_WAITING: usize = 8;
/// Files that are imported or made at once: each is in memory, and what is imported holds the database.
const FILES_AT_ONCE: usize = 1;
/// Files that wait: none is in memory yet.
const FILES_WAITING: usize = 8;

/// Papers that are made at once.
const PAPERS_AT_ONCE: usize = 1;
/// Papers that wait.
const PAPERS_WAITING: usize = 16;
/// Papers of which the names are in memory: those that are made, and those that wait.
pub(crate) const PAPERS_KEPT: usize = PAPERS_AT_ONCE + PAPERS_WAITING;

/// What events keep no more of, and do no more of at once.
pub(crate) const LIMITS: &[Limit] = &[
    count(
        "changes of a round that is not public yet",
        DRAFT_EDITS_MAX as u64,
        "each has its reason in the entry of the log that the round becomes, which is read and sent whole",
    ),
    count(
        "officials of an event",
        EVENT_OFFICIALS_MAX as u64,
        "as many as a federation has; all are told with the event",
    ),
    count(
        "rounds that are paired at once in a process",
        PAIRINGS_AT_ONCE as u64,
        "one of ten thousand players takes a core for seconds",
    ),
    count(
        "rounds that wait to be paired",
        PAIRINGS_WAITING as u64,
        "the last of them is paired within the 30 s of a call, also where all are of ten thousand players",
    ),
    count(
        "tables that are worked out at once in a process",
        TABLES_AT_ONCE as u64,
        "one of ten thousand players takes a core for some 20 ms, also when who asked for it has gone",
    ),
    count("tables that wait to be worked out", TABLES_WAITING as u64, "they are done within seconds"),
    count(
        "reports that are judged at once in a process",
        REPORTS_AT_ONCE as u64,
        "strangers may ask for it, and nobody else waits for them",
    ),
    count(
        "files that are imported or made at once in a process",
        FILES_AT_ONCE as u64,
        "each is in memory, and what is imported is one transaction",
    ),
    count(
        "files that wait to be imported or made by a process",
        FILES_WAITING as u64,
        "each takes seconds at most; who waits longer comes again",
    ),
    count("reports that wait to be judged", REPORTS_WAITING as u64, "each is kept in memory while it waits"),
    count(
        "papers that are made at once in a process",
        PAPERS_AT_ONCE as u64,
        "one of ten thousand players takes a core for some 200 ms",
    ),
    count(
        "papers that wait to be made",
        PAPERS_WAITING as u64,
        "each has the names of its event in memory while it waits",
    ),
    count(
        "papers on a notice board",
        DOCUMENTS_MAX,
        "ten of each round of a long event; those that are withdrawn count, for they stay in the list",
    ),
    Limit {
        name: "bytes of a paper",
        amount: Amount::Bytes(DOCUMENT_BYTES_MAX as u64),
        setting: None,
        reason: "within what a message may have; the crosstable of a thousand players has less than one MiB",
    },
    Limit {
        name: "bytes of a report",
        amount: Amount::Bytes(REPORT_BYTES_MAX as u64),
        setting: None,
        reason: "ten thousand players with nine rounds, within what a message may have",
    },
];

const fn count(name: &'static str, count: u64, reason: &'static str) -> Limit {
    Limit { name, amount: Amount::Count(count), setting: None, reason }
}

/// Work of one kind.
pub(crate) struct Queue {
    env: Env,
    /// For what is being done.
    turns: Arc<Semaphore>,
    /// For who waits, and for whom it is being done.
    places: Semaphore,
}

/// A turn that is held.
pub(crate) struct QueueTurn<'a> {
    _place: SemaphorePermit<'a>,
    _turn: SemaphorePermit<'a>,
}

impl Queue {
    /// Where rounds are paired.
    pub(super) fn of_pairings(env: &Env) -> Queue {
        Queue::new(env, PAIRINGS_AT_ONCE, PAIRINGS_WAITING)
    }

    /// Where tables are worked out.
    pub(super) fn of_tables(env: &Env) -> Queue {
        Queue::new(env, TABLES_AT_ONCE, TABLES_WAITING)
    }

    /// Where papers are made.
    pub(crate) fn of_papers(env: &Env) -> Queue {
        Queue::new(env, PAPERS_AT_ONCE, PAPERS_WAITING)
    }

    /// Where reports are judged.
    pub(super) fn of_reports(env: &Env) -> Queue {
        Queue::new(env, REPORTS_AT_ONCE, REPORTS_WAITING)
    }

    /// Where files are imported and made.
    pub(crate) fn of_files(env: &Env) -> Queue {
        Queue::new(env, FILES_AT_ONCE, FILES_WAITING)
    }

    /// A turn at what is not only worked out: as long as it is held, nobody else has it.
    ///
    /// # Errors
    /// [`Error::Busy`] when too many wait.
    pub(crate) async fn turn(&self) -> Result<QueueTurn<'_>> {
        let place = self.places.try_acquire().map_err(|_| Error::Busy)?;
        let turn = self.turns.acquire().await.map_err(|_| Error::Stopping)?;
        Ok(QueueTurn { _place: place, _turn: turn })
    }

    /// Where so many are done at once, and so many wait.
    pub(crate) fn new(env: &Env, at_once: usize, waiting: usize) -> Queue {
        let turns = Arc::new(Semaphore::new(at_once));
        Queue { env: env.clone(), turns, places: Semaphore::new(at_once + waiting) }
    }

    /// Does work aside when its turn comes. Who goes away gives his place up, and not the turn of what was begun for him:
    /// that is over when the work is.
    ///
    /// # Errors
    /// [`Error::Busy`] when too many wait.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        let _place = self.places.try_acquire().map_err(|_| Error::Busy)?;
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(|_| Error::Stopping)?;
        let in_turn = move || {
            let _until_it_is_done = turn;
            work()
        };
        background::aside(&self.env, in_turn).await.map_err(|_| Error::Stopping)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use futures::FutureExt as _;

    use super::*;

    /// Work that goes on until it is told to end, and says when it began.
    fn held() -> (mpsc::Sender<()>, tokio::sync::oneshot::Receiver<()>, impl FnOnce() + Send + 'static) {
        let (end, ended) = mpsc::channel();
        let (begin, has_begun) = tokio::sync::oneshot::channel();
        let work = move || {
            let _ = begin.send(());
            let _ = ended.recv();
        };
        (end, has_begun, work)
    }

    #[tokio::test]
    async fn who_goes_away_leaves_no_work_behind_that_does_not_count() {
        let queue = Queue::new(&Env::system(), 1, 1);
        let (end, has_begun, work) = held();
        let mut first = Box::pin(queue.work(work));
        assert!(first.as_mut().now_or_never().is_none());
        has_begun.await.expect("it has begun");
        drop(first);
        assert_eq!(queue.turns.available_permits(), 0, "it goes on, whoever has gone");
        let second = queue.work(|| 2);
        end.send(()).expect("it waits for that");
        assert_eq!(second.await.expect("its turn has come"), 2);
    }

    #[tokio::test]
    async fn who_is_one_too_many_is_told_so_at_once() {
        let queue = Queue::new(&Env::system(), 1, 1);
        let (end, has_begun, work) = held();
        let mut first = Box::pin(queue.work(work));
        assert!(first.as_mut().now_or_never().is_none());
        has_begun.await.expect("it has begun");
        let mut second = Box::pin(queue.work(|| 2));
        assert!(second.as_mut().now_or_never().is_none());
        assert!(matches!(queue.work(|| 3).await, Err(Error::Busy)));
        drop(second);
        let third = queue.work(|| 3);
        end.send(()).expect("it waits for that");
        assert_eq!(third.await.expect("there is a place again"), 3);
        first.await.expect("it has ended");
    }
}
