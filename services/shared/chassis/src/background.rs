//! Work of some length in threads of its own, which leave the processors to those who answer calls.
//!
//! A password is hashed, a record played through, a position thought about: whoever asked for it can wait, whoever makes
//! a move beside it cannot.

use std::cell::Cell;

use tokio::task::{JoinError, JoinHandle};

use crate::Env;

/// How far such a thread steps back: on a busy machine it gets about a tenth of what a thread that answers calls gets.
const NICENESS: i32 = 10;

thread_local! {
    static HAS_STEPPED_BACK: Cell<bool> = const { Cell::new(false) };
}

/// Does work in a thread that steps back for those who answer calls.
pub fn spawn<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    tokio::task::spawn_blocking(move || {
        step_back();
        work()
    })
}

/// Does work in a thread of its own that has the priority of any other, for somebody who waits for it. In a simulation it is
/// done right here: when another thread would be ready is chance, and no seed decides it.
///
/// # Errors
/// When the work has panicked, or the process is about to end.
pub async fn aside<T: Send + 'static>(
    env: &Env,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, JoinError> {
    if env.is_simulated() { Ok(work()) } else { tokio::task::spawn_blocking(work).await }
}

/// Lets whoever waits for the processor have it: work of some length does so between its steps. A thread that has stepped
/// back keeps the processor for its slice of some milliseconds otherwise, which is as long as a move takes.
pub fn breathe() {
    std::thread::yield_now();
}

/// Such threads do nothing else, so once is enough.
fn step_back() {
    if !HAS_STEPPED_BACK.replace(true)
        && let Err(error) = rustix::process::setpriority_process(Some(rustix::thread::gettid()), NICENESS)
    {
        tracing::debug!(%error, "a thread with work that can wait has the priority of any other");
    }
}

#[cfg(test)]
mod tests {
    use rustix::{process::getpriority_process, thread::gettid};

    use super::*;

    #[tokio::test]
    async fn work_that_can_wait_steps_back_and_nothing_else_does() {
        let usual = getpriority_process(Some(gettid())).expect("it can be asked");
        let nice = spawn(|| getpriority_process(Some(gettid()))).await.expect("it ends");
        let nice = nice.expect("it can be asked");
        assert!(nice >= NICENESS, "{nice}");
        assert_eq!(getpriority_process(Some(gettid())).expect("it can be asked"), usual);
    }

    #[tokio::test]
    async fn a_simulation_has_one_thread() {
        let here = || std::thread::current().id();
        let simulated = Env::simulated(time::OffsetDateTime::UNIX_EPOCH, 1);
        assert_eq!(aside(&simulated, here).await.expect("it ends"), here());
        assert_ne!(aside(&Env::system(), here).await.expect("it ends"), here());
    }
}
