//! Turns at what is dear: a few at once, some who wait, and nobody beyond.

use tokio::sync::{Semaphore, SemaphorePermit};

use crate::fault::CallError;

/// Who may, and who may wait for it.
pub(super) struct Turns {
    places: Semaphore,
    room: Semaphore,
}

/// A turn; it ends when this is dropped.
pub(crate) struct Turn<'a> {
    _place: SemaphorePermit<'a>,
    _room: SemaphorePermit<'a>,
}

impl Turns {
    pub(super) fn new(places: usize, waiting: usize) -> Self {
        Turns { places: Semaphore::new(places), room: Semaphore::new(places + waiting) }
    }

    /// Waits for the next turn.
    pub(super) async fn next(&self) -> Result<Turn<'_>, CallError> {
        let room = self.room.try_acquire().map_err(|_| CallError::Busy)?;
        let place = self.places.acquire().await.map_err(|_| CallError::Busy)?;
        Ok(Turn { _place: place, _room: room })
    }
}
