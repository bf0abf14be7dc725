//! Who hears what becomes of commands to a Redis.

use std::{fmt, sync::Arc, time::Duration};

use redis::RedisResult;
use tokio::time::Instant;

/// What becomes of a command, or of several that are sent together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// It is about to be sent.
    Sent,
    /// It was answered, so long after.
    Answered(Duration),
    /// It was refused, or not answered in time, so long after.
    Failed(Duration),
    /// Whoever sent it has ceased to wait.
    Abandoned,
}

/// Hears of every command; it is called where the command is, and must be quick.
#[derive(Clone)]
pub struct Observer(Arc<dyn Fn(Command) + Send + Sync>);

impl Observer {
    /// One to whom this is done.
    pub fn new(hear: impl Fn(Command) + Send + Sync + 'static) -> Self {
        Observer(Arc::new(hear))
    }

    /// What is answered to a command that is sent when this is awaited.
    pub(crate) async fn watch<T>(self, command: impl Future<Output = RedisResult<T>>) -> RedisResult<T> {
        (self.0)(Command::Sent);
        let mut waiting = Waiting { observer: self, since: Instant::now(), told: Command::Abandoned };
        let answer = command.await;
        let took = waiting.since.elapsed();
        waiting.told = if answer.is_ok() { Command::Answered(took) } else { Command::Failed(took) };
        answer
    }
}

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Observer")
    }
}

/// A command that is under way; what has become of it is told when this is dropped.
struct Waiting {
    observer: Observer,
    since: Instant,
    told: Command,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        (self.observer.0)(self.told);
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use futures::FutureExt as _;
    use parking_lot::Mutex;
    use redis::{ErrorKind, RedisError};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn whatever_becomes_of_a_command_is_heard_once() {
        let heard: Arc<Mutex<Vec<Command>>> = Arc::default();
        let told = Arc::clone(&heard);
        let observer = Observer::new(move |command| told.lock().push(command));
        let slow = async {
            tokio::time::sleep(Duration::from_secs(2)).await;
            Ok::<_, RedisError>(1)
        };
        assert_eq!(observer.clone().watch(slow).await, Ok(1));
        let refused = RedisError::from((ErrorKind::Io, "gone"));
        assert!(observer.clone().watch(ready(Err::<u8, _>(refused))).await.is_err());
        assert!(observer.clone().watch(pending::<RedisResult<u8>>()).now_or_never().is_none());
        let sent = Command::Sent;
        let answered = Command::Answered(Duration::from_secs(2));
        let failed = Command::Failed(Duration::ZERO);
        assert_eq!(*heard.lock(), [sent, answered, sent, failed, sent, Command::Abandoned]);
    }
}
