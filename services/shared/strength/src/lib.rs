//! How strong players are: rating systems, and the lists that federations make with them.
//!
//! The crate is pure: it does no I/O, reads no clock and draws no lots. The same input gives the same list, to the last bit,
//! on every machine: what is carried from list to list is whole numbers, and the arithmetic between is exact or software.
//!
//! - [`glicko2`]: ratings with a deviation, as the platform's own ratings have them, too;
//! - [`elo`]: Elo's expected scores, and what a player's games change;
//! - [`whr`]: whole-history ratings, for pools in which few meet seldom;
//! - [`Policy`]: how a list is made: the system with its parameters, first ratings, who is listed;
//! - [`ListInput`] and [`List`]: everything that a list follows from, and what follows; [`compute`] leads from one to the other;
//! - [`bytes`]: the canonical form of both, by whose SHA-256 they are known.
//!
//! What it is not: it keeps no list, and knows no event and no name of anybody. Members and events are ids of 16 bytes.
//!
//! # How a system is added
//! [`System`] is an enum that grows: a new system is a new variant with a tag of its own in the bytes, and stored inputs and
//! lists keep theirs. Every list names the digest of its input, and every input that of the list before, so a system that
//! looks at all games that were ever played (a whole-history rating) reads them by following these. What it carries from
//! list to list beside rating, deviation and volatility it puts at the end of its own entries, behind its own tag.
//!
//! ```
//! use strength::{Elo, ListInput, Points, Policy, System, compute};
//! let policy = Policy { system: System::Elo(Elo::default()), listed_from: 0 };
//! let list = compute(&ListInput::new(1, 2_461_000, policy), None).expect("nobody has played");
//! assert!(list.entries.is_empty());
//! assert_eq!(Points::whole(1500).to_string(), "1500.00");
//! ```
#![forbid(unsafe_code)]

pub mod bytes;
mod compute;
pub mod elo;
mod first;
pub mod glicko2;
mod input;
pub mod limits;
mod list;
mod points;
mod policy;
pub mod whr;

pub use bytes::BadBytes;
pub use compute::{Fault, compute};
pub use elo::{Elo, Expectation, KRule};
pub use first::{Evidence, First, Start};
pub use input::{BadInput, EventGames, Game, Imported, ListInput, Player, Score};
pub use list::{Entry, List, Rating};
pub use points::Points;
pub use policy::{BadPolicy, Glicko2, Policy, System};

/// A member, or an event: the bytes of its UUID.
pub type Id = [u8; 16];

/// SHA-256 of canonical bytes.
pub type Digest = [u8; 32];
