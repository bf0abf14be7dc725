//! A live state that fails where a test says.

use std::sync::{
    Arc, RwLock,
    atomic::{AtomicBool, Ordering},
};

use live::{
    Live, LiveError,
    testing::{Call, Hook},
};
use tokio::sync::Notify;

/// A line to a live state, on which messages and three of its calls can be cut.
#[derive(Debug)]
pub(crate) struct Faulty {
    behind: RwLock<Arc<dyn Live>>,
    /// Whether matches that are no games yet are hidden.
    pub hide_pending: AtomicBool,
    /// Whether matches cannot be settled.
    pub refuse_settling: AtomicBool,
    /// Whether tickets cannot be withdrawn.
    pub refuse_cancelling: AtomicBool,
    /// Whether messages are lost.
    pub mute: AtomicBool,
    /// Rung whenever it fails.
    pub failed: Notify,
}

impl Faulty {
    pub(crate) fn new(behind: Arc<dyn Live>) -> Self {
        Faulty {
            behind: RwLock::new(behind),
            hide_pending: AtomicBool::new(false),
            refuse_settling: AtomicBool::new(false),
            refuse_cancelling: AtomicBool::new(false),
            mute: AtomicBool::new(false),
            failed: Notify::new(),
        }
    }

    /// Loses everything: from now on another, empty live state is behind it. Whoever listened to the old one
    /// hears nothing any more.
    pub(crate) fn forget(&self, empty: Arc<dyn Live>) {
        *self.behind.write().expect("nobody panics with it") = empty;
    }
}

#[tonic::async_trait]
impl Hook for Faulty {
    async fn reach(&self, call: Call) -> Result<Arc<dyn Live>, LiveError> {
        let cut = match call {
            Call::PendingMatches => &self.hide_pending,
            Call::CompleteMatch => &self.refuse_settling,
            Call::CancelTicket => &self.refuse_cancelling,
            Call::Publish => &self.mute,
            _ => &AtomicBool::new(false),
        };
        if cut.load(Ordering::SeqCst) {
            self.failed.notify_one();
            return Err(LiveError::unavailable("cut by the test"));
        }
        Ok(Arc::clone(&self.behind.read().expect("nobody panics with it")))
    }

    fn shared(&self) -> bool {
        self.behind.read().expect("nobody panics with it").shared()
    }
}
