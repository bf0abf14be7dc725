//! A live state that can be made to fail, and that says whether it is shared as a test wants it.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use futures::FutureExt as _;
use live::{
    Live, LiveError,
    testing::{Call, Hook, Intercept},
};

/// A line to a memory store that may break. Deadlines and topics are all that a clock may ask of it.
#[derive(Debug)]
pub(crate) struct FrailLine {
    inner: Arc<dyn Live>,
    broken: AtomicBool,
    shared: AtomicBool,
    deaf: AtomicBool,
}

/// The store behind such a line.
pub(crate) type FrailLive = Intercept<FrailLine>;

impl FrailLine {
    /// One that works, to an empty store that is not shared.
    pub(crate) fn new() -> Self {
        FrailLine {
            inner: memory(),
            broken: AtomicBool::new(false),
            shared: AtomicBool::new(false),
            deaf: AtomicBool::new(false),
        }
    }

    /// Breaks the line, or mends it.
    pub(crate) fn set_broken(&self, broken: bool) {
        self.broken.store(broken, Ordering::SeqCst);
    }

    /// Makes it say that other processes share it.
    pub(crate) fn set_shared(&self) {
        self.shared.store(true, Ordering::SeqCst);
    }

    /// Makes it lose every message, or carry them again.
    pub(crate) fn set_deaf(&self, deaf: bool) {
        self.deaf.store(deaf, Ordering::SeqCst);
    }
}

#[tonic::async_trait]
impl Hook for FrailLine {
    async fn reach(&self, call: Call) -> Result<Arc<dyn Live>, LiveError> {
        use Call::{ClearDeadline, Deadline, NextDue, Prove, Publish, SetDeadline, Subscribe, TakeDue};
        if self.broken.load(Ordering::SeqCst) {
            return Err(LiveError::unavailable("the line is broken"));
        }
        match call {
            // Nobody listens there.
            Publish if self.deaf.load(Ordering::SeqCst) => Ok(memory()),
            SetDeadline | Deadline | TakeDue | ClearDeadline | NextDue | Publish | Subscribe | Prove => {
                Ok(Arc::clone(&self.inner))
            }
            _ => Err(LiveError::Config("that is no business of a clock's".to_owned())),
        }
    }

    fn shared(&self) -> bool {
        self.shared.load(Ordering::SeqCst)
    }
}

fn memory() -> Arc<dyn Live> {
    let config = live::Config::new("memory").expect("memory is a place");
    let memory = live::connect(&config).now_or_never().expect("memory is there at once");
    memory.expect("memory cannot fail")
}
