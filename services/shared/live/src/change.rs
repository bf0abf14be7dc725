//! Changes of tickets, in the order in which they happened.

use uuid::Uuid;

use crate::{Moment, Ticket};

/// A place between two changes. Places of one store are in order; after a store has lost everything, later ones follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cursor {
    /// Which life of the store it is: it begins anew when the store has lost everything.
    pub(crate) life: u64,
    /// How many changes lie before it.
    pub(crate) number: u64,
}

impl Cursor {
    /// The place before the first change.
    pub const START: Self = Self { life: 0, number: 0 };
}

/// What happened to a ticket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// It waits from now on: it was opened, or its match has failed.
    Waits(Ticket),
    /// It waits no more.
    Left {
        /// Which.
        id: Uuid,
        /// Since when.
        at: Moment,
        /// Whether it has an opponent; else it was cancelled or expired.
        is_matched: bool,
    },
}

/// What happened to tickets since a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changes {
    /// This, oldest first, and the place after it.
    Known(Vec<Change>, Cursor),
    /// Some of it is kept no more. Whoever reads what waits now, and then goes on from this place, misses nothing; he may be
    /// told again of what he has read.
    Lost(Cursor),
}
