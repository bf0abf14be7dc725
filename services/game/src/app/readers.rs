//! Streams whose readers have stopped reading.
//!
//! A stream is asked for its next message when there is room for it on the way to its reader. One that has given a message,
//! or has said that it could give one, and is not asked again for long has a reader who does not read: what it holds is given back, and when the
//! reader goes on it is told where to come back.

use std::{
    collections::BTreeMap,
    pin::Pin,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, Weak,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
    time::Duration,
};

use chassis::limit::{Amount, Limit};
use futures::{Stream, StreamExt as _, stream::BoxStream};
use tokio::time::Instant;
use tonic::Status;

use crate::error::Error;

/// How long a reader may stop reading.
const PATIENCE: Duration = Duration::from_mins(1);
/// How often it is looked who has.
pub(crate) const LOOK: Duration = Duration::from_secs(15);

/// The limits of streams.
pub(crate) const LIMITS: &[Limit] = &[Limit {
    name: "time for which a watcher may stop reading",
    amount: Amount::Time(PATIENCE),
    setting: None,
    reason: "a network that comes back does so within it; the stream ends with the number of the last event to go on after",
}];

/// The streams that are being read, or should be.
#[derive(Default)]
pub(crate) struct Readers {
    streams: Mutex<BTreeMap<u64, Weak<dyn Stalling>>>,
    next: AtomicU64,
}

/// A stream that can be ended from outside.
trait Stalling: Send + Sync {
    /// Ends the stream if nobody has read it since then.
    fn end_if_unread_since(&self, then: Instant);
}

/// A stream and whether it is read.
struct Watched<T> {
    state: Mutex<State<T>>,
    /// The number of the last event that the stream has given.
    cursor: Arc<AtomicU64>,
    bell: Arc<Bell>,
}

/// Wakes whoever has asked for a message, and remembers since when it could be had.
#[derive(Default)]
struct Bell(Mutex<Rung>);

#[derive(Default)]
struct Rung {
    waker: Option<Waker>,
    since: Option<Instant>,
}

impl Bell {
    fn rung(&self) -> MutexGuard<'_, Rung> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        let mut rung = self.rung();
        rung.since.get_or_insert_with(Instant::now);
        let waker = rung.waker.take();
        drop(rung);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

struct State<T> {
    stream: Option<BoxStream<'static, Result<T, Status>>>,
    /// When the last message was given, while the next one is not asked for.
    given: Option<Instant>,
    last_word: Option<Status>,
}

/// The reader's end of a stream.
struct Reading<T>(Arc<Watched<T>>);

impl Readers {
    /// The same stream, ended when its reader stalls. `cursor` is where he can go on.
    pub(crate) fn follow<T: Send + 'static>(
        &self,
        stream: impl Stream<Item = Result<T, Status>> + Send + 'static,
        cursor: Arc<AtomicU64>,
    ) -> Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>> {
        let state = State { stream: Some(stream.boxed()), given: None, last_word: None };
        let watched = Arc::new(Watched { state: Mutex::new(state), cursor, bell: Arc::default() });
        let stalling: Weak<dyn Stalling> = Arc::downgrade(&(Arc::clone(&watched) as Arc<dyn Stalling>));
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.table().insert(number, stalling);
        Box::pin(Reading(watched))
    }

    /// Ends streams that nobody reads.
    pub(crate) fn look(&self) {
        let Some(then) = Instant::now().checked_sub(PATIENCE) else { return };
        let mut open = Vec::new();
        self.table().retain(|_, stream| match stream.upgrade() {
            Some(stream) => {
                open.push(stream);
                true
            }
            None => false,
        });
        for stream in open {
            stream.end_if_unread_since(then);
        }
    }

    /// How many there are, those among them that have ended since it was last looked.
    pub(super) fn count(&self) -> usize {
        self.table().len()
    }

    fn table(&self) -> MutexGuard<'_, BTreeMap<u64, Weak<dyn Stalling>>> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Watched<T> {
    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Send> Stalling for Watched<T> {
    fn end_if_unread_since(&self, then: Instant) {
        let mut state = self.state();
        let ready = state.given.or_else(|| self.bell.rung().since);
        if state.stream.is_some() && ready.is_some_and(|ready| ready <= then) {
            let ended = state.stream.take();
            state.given = None;
            state.last_word = Some(Error::ReaderStalled(self.cursor.load(Ordering::Relaxed)).into());
            drop(state);
            drop(ended);
        }
    }
}

impl<T> Stream for Reading<T> {
    type Item = Result<T, Status>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut state = self.0.state();
        state.given = None;
        *self.0.bell.rung() = Rung { waker: Some(context.waker().clone()), since: None };
        let Some(stream) = &mut state.stream else {
            return Poll::Ready(state.last_word.take().map(Err));
        };
        let bell = Waker::from(Arc::clone(&self.0.bell));
        let next = stream.poll_next_unpin(&mut Context::from_waker(&bell));
        if let Poll::Ready(message) = &next {
            match message {
                Some(_) => state.given = Some(Instant::now()),
                None => state.stream = None,
            }
        }
        next
    }
}
