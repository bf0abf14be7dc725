//! Rating lists: how they are made, published, read and verified.

mod import;
mod look;
mod policy;
mod publish;
mod read;
mod verify;

use std::sync::Arc;

use tokio::sync::Semaphore;

use super::{
    Desk,
    event::{Events, queue::Queue},
};

/// Lists that are made at once: each takes a core for a second, and reads events.
const MADE_AT_ONCE: usize = 1;
/// Lists that wait to be made.
const MADE_WAITING: usize = 4;
/// Lists that are verified at once: strangers may ask for it.
const VERIFIED_AT_ONCE: usize = 1;
/// Lists that wait to be verified.
const VERIFIED_WAITING: usize = 8;

/// The rating lists of the database.
#[derive(Clone)]
pub(crate) struct RatingLists {
    pub desk: Desk,
    events: Arc<Events>,
    /// For the list that is made.
    turns: Arc<Semaphore>,
    /// For who waits, and for whom it is made.
    places: Arc<Semaphore>,
    verified: Arc<Queue>,
}

impl RatingLists {
    /// The lists of federations at this desk, of these events.
    pub(crate) fn new(desk: Desk, events: Arc<Events>) -> RatingLists {
        let verified = Queue::new(&desk.env, VERIFIED_AT_ONCE, VERIFIED_WAITING);
        RatingLists {
            desk,
            events,
            turns: Arc::new(Semaphore::new(MADE_AT_ONCE)),
            places: Arc::new(Semaphore::new(MADE_AT_ONCE + MADE_WAITING)),
            verified: Arc::new(verified),
        }
    }
}
