//! Work that is done many at a time: what comes while a batch is under way shares the next one.
//!
//! A commit waits for the disk; a transaction for each job would be limited by that, not by the work.

use std::{fmt, sync::Arc};

use tokio::sync::{Mutex, mpsc, oneshot};

use crate::lifecycle::Aborted;

/// A job, and who waits for its answer.
type Waiting<J, A> = (J, oneshot::Sender<A>);

/// Where jobs are handed in; clones share it.
pub struct Batcher<J, A> {
    queue: mpsc::Sender<Waiting<J, A>>,
}

/// The other end, from which batches are taken. One clone works at a time: the one that is made after a panic goes on
/// with what still waits.
pub struct Batches<J, A> {
    waiting: Arc<Mutex<mpsc::Receiver<Waiting<J, A>>>>,
    size: usize,
}

/// A queue in which `queue` jobs may wait (whoever comes then waits for a place), and from which at most `size` are
/// taken at a time. For a task that is [supervised to the last](crate::Lifecycle::supervise_last).
pub fn channel<J, A>(queue: usize, size: usize) -> (Batcher<J, A>, Batches<J, A>) {
    let (queue, waiting) = mpsc::channel(queue);
    (Batcher { queue }, Batches { waiting: Arc::new(Mutex::new(waiting)), size })
}

impl<J, A> Batcher<J, A> {
    /// Has a job done, and waits for its answer. A job that has a place in the queue is done even if nobody waits for
    /// it any more.
    ///
    /// # Errors
    /// When there is no answer: the process stops, or the work panicked. What became of the job is not known.
    pub async fn ask(&self, job: J) -> Result<A, Aborted> {
        let (reply, answer) = oneshot::channel();
        self.queue.send((job, reply)).await.map_err(|_| Aborted)?;
        answer.await.map_err(|_| Aborted)
    }
}

impl<J, A> Batches<J, A> {
    /// Works until every [`Batcher`] is gone. `work` answers each job of a batch, in their order.
    pub async fn run<F, W>(self, work: F)
    where
        F: Fn(Vec<J>) -> W,
        W: Future<Output = Vec<A>>,
    {
        let mut waiting = self.waiting.lock().await;
        let mut batch = Vec::with_capacity(self.size);
        while waiting.recv_many(&mut batch, self.size).await > 0 {
            let (jobs, replies): (Vec<_>, Vec<_>) = batch.drain(..).unzip();
            for (reply, answer) in replies.into_iter().zip(work(jobs).await) {
                let _the_caller_may_be_gone = reply.send(answer);
            }
        }
    }
}

impl<J, A> Clone for Batcher<J, A> {
    fn clone(&self) -> Self {
        Batcher { queue: self.queue.clone() }
    }
}

impl<J, A> Clone for Batches<J, A> {
    fn clone(&self) -> Self {
        Batches { waiting: Arc::clone(&self.waiting), size: self.size }
    }
}

impl<J, A> fmt::Debug for Batcher<J, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batcher").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures::future::{join, join_all};

    use super::*;
    use crate::Lifecycle;

    #[tokio::test]
    async fn jobs_that_wait_together_are_one_batch_and_each_has_its_answer() {
        let (handle, batches) = channel::<u32, (u32, usize)>(8, 4);
        let asked = async {
            let answers = join_all((0..6).map(|job| handle.ask(job))).await;
            drop(handle);
            answers
        };
        let work = batches.run(async |jobs| jobs.iter().map(|job| (*job, jobs.len())).collect());
        let (answers, ()) = join(asked, work).await;
        let expected = [(0, 4), (1, 4), (2, 4), (3, 4), (4, 2), (5, 2)];
        assert_eq!(answers, expected.map(Ok));
    }

    #[tokio::test(start_paused = true)]
    async fn a_panic_takes_its_own_batch_along_and_no_other() {
        let (handle, batches) = channel::<u32, u32>(8, 1);
        let lifecycle = Lifecycle::new();
        lifecycle.supervise_last(("test", "batches"), move || {
            batches.clone().run(async |jobs| {
                assert_ne!(jobs, [13], "a stone in the way");
                jobs
            })
        });
        let answers = join_all([1, 13, 2].map(|job| handle.ask(job))).await;
        assert_eq!(answers, [Ok(1), Err(Aborted), Ok(2)]);
        lifecycle.drain(Duration::from_secs(1)).await;
        assert_eq!(handle.ask(3).await, Err(Aborted));
    }
}
