//! The live state of the platform: waiting tickets, deadlines, leases, fan-out, throttles, and who is where.
//!
//! Behind one trait, [`Live`], and behind those it is the sum of, lie two stores: this process's memory, for a platform
//! in one process, and Redis or Valkey, for any number of processes. One suite of tests holds both to the same model.
//! [`connect`] gives one of them; [`ChildRedis`] runs a server of this process's own.
//!
//! What it is not: a database. Nothing here is the only copy of anything; whoever uses it can rebuild what is
//! lost from event logs and open streams. It decides nothing either: which tickets make a pair, what a deadline
//! means and what a message says is opaque bytes to it. It knows no other crate of the platform, and no clock:
//! every `now` is an argument.
#![forbid(unsafe_code)]

mod change;
mod child;
mod config;
mod deadline;
mod error;
mod fanout;
mod lease;
pub mod limits;
mod live;
mod memory;
mod moment;
mod observer;
mod pair;
mod presence;
mod remote;
pub mod testing;
mod throttle;
mod ticket;

pub use change::{Change, Changes, Cursor};
pub use child::{ChildRedis, Pulse};
pub use config::{Config, connect};
pub use deadline::{Deadline, DeadlineStore};
pub use error::LiveError;
pub use fanout::{FanOut, PubSub, Received, Subscription};
pub use lease::LeaseStore;
pub use limits::Limits;
pub use live::Live;
pub use moment::Moment;
pub use observer::{Command, Observer};
pub use pair::{PairProposal, PendingMatch};
pub use presence::PresenceStore;
pub use throttle::{Quota, Throttle, ThrottleStore};
pub use ticket::{Cancelled, NewTicket, Opened, Ticket, TicketState, TicketStore};
