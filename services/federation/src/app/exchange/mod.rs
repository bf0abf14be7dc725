//! Files that come in and go out: a file a use case.

mod files;
mod roster;

pub(crate) use files::{Outgoing, PART_BYTES};
pub(crate) use roster::Told;

use chassis::Lifecycle;

use super::{Desk, event::queue::Queue};

/// Where files come in and go out.
pub(crate) struct Exchange {
    pub(crate) desk: Desk,
    lifecycle: Lifecycle,
    /// Imports and exports: each has a whole file in memory.
    turns: Queue,
}

impl Exchange {
    /// The exchange of these organisations.
    pub(crate) fn new(desk: Desk, lifecycle: Lifecycle) -> Exchange {
        let turns = Queue::of_files(&desk.env);
        Exchange { desk, lifecycle, turns }
    }
}
