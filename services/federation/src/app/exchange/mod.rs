//! Files that come in and go out: a file a use case.

mod events;
mod files;
mod games;
mod persons;
mod roster;

pub(crate) use events::ImportedEvent;
pub(crate) use files::{Outgoing, PART_BYTES};
pub(crate) use games::OutgoingGames;
pub(crate) use roster::Told;

use std::sync::Arc;

use chassis::Lifecycle;

use super::{
    Desk,
    event::{Events, queue::Queue},
    persons::Persons,
};

/// Where files come in and go out.
pub(crate) struct Exchange {
    pub(crate) desk: Desk,
    lifecycle: Lifecycle,
    events: Arc<Events>,
    persons: Arc<Persons>,
    /// What officials import and have made: each has a whole file in memory.
    turns: Queue,
    /// What anybody has made: strangers do not keep officials waiting.
    exports: Queue,
}

impl Exchange {
    /// The exchange of these organisations.
    pub(crate) fn new(
        desk: Desk,
        lifecycle: Lifecycle,
        events: Arc<Events>,
        persons: Arc<Persons>,
    ) -> Exchange {
        let [turns, exports] = [(); 2].map(|()| Queue::of_files(&desk.env));
        Exchange { desk, lifecycle, events, persons, turns, exports }
    }
}
