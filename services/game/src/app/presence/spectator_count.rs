//! How many watch a game, for the streams that tell it.

use std::sync::atomic::{AtomicU32, Ordering};

use tokio::sync::Notify;

/// A count and those who wait for another one. They are woken in the order in which they came (a channel of
/// tokio's `watch` draws lots), so that the simulation of a seed is the same twice.
#[derive(Debug, Default)]
pub(crate) struct SpectatorCount {
    count: AtomicU32,
    changed: Notify,
}

impl SpectatorCount {
    /// The count.
    pub(crate) fn count(&self) -> u32 {
        self.count.load(Ordering::Acquire)
    }

    pub(super) fn set(&self, count: u32) {
        if self.count.swap(count, Ordering::AcqRel) != count {
            self.changed.notify_waiters();
        }
    }

    /// Waits until the count is another than this one, or than none.
    pub(crate) async fn changed_from(&self, told: Option<u32>) {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            // Whatever changes after the look is heard.
            changed.as_mut().enable();
            if told != Some(self.count()) {
                return;
            }
            changed.await;
        }
    }
}
