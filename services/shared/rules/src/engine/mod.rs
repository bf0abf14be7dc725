//! One engine protocol for people, bots and tests: commands in, answers out, for every variant.
//!
//! * [`Engine`] holds a game and carries out a [`Command`], with an [`Answer`] or a [`Failure`];
//! * [`Session`] frames the same as lines of text, as GTP frames them, and takes any bytes; with [`Gtp`] it
//!   speaks version 2 of the Go Text Protocol itself;
//! * [`check`] referees the records in a file, position by position.
//!
//! The README of the crate describes the protocol with examples.
//!
//! What it is not: it does no I/O. Whoever runs it brings the bytes, and a [`Host`] that reads files, throws
//! dice and stops what takes too long.
//!
//! ```
//! use rules::engine::{NoHost, Session};
//!
//! let mut session = Session::new(&rules::go::VARIANT);
//! let mut out = String::new();
//! session.feed(b"7 new size=5\n8 play Z9\nplay C3 # the centre\n", &mut NoHost, &mut out);
//! assert_eq!(out, "=7\n\n?8 OFF_BOARD the board has no such point\n\n= C3\n\n");
//! ```

mod answer;
mod check;
mod command;
mod failure;
mod gtp;
mod host;
mod line;
mod machine;
mod moves;
mod plies;
mod render;
mod report;
mod segment;
mod session;
mod status;

pub use answer::{Answer, PerftAnswer};
pub use check::check;
pub use command::{COMMANDS, Command, CommandInfo, Listing, author_named, side_named};
pub use failure::Failure;
pub use gtp::Gtp;
pub use host::{Host, NoHost};
pub use line::{LINE_BYTES_MAX, Line, Lines};
pub use machine::{ACTS_MAX, Engine};
pub use moves::MOVES_LISTED_MAX;
pub use render::render;
pub use report::{FAULTS_MAX, Fault, Report};
pub use session::Session;
pub use status::{Status, outcome_text, rules_text, system_text};
