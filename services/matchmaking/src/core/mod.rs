//! What matchmaking decides: who plays whom, who is first, and how long it will take.
//!
//! Everything here is a function of its arguments. It knows no network, no database and no live state;
//! time and chance are passed in.

mod matched;
mod pairs;
mod rateable;
mod settings;
mod sides;
mod status;
mod ticket;
mod waits;
mod window;

pub use matched::{Match, MatchState, Pair, Player};
pub use pairs::{Candidate, pairs};
pub use settings::{BadSettings, Settings};
pub use sides::{History, side_of_one};
pub use status::Status;
pub use ticket::Ticket;
pub use waits::RecentWaits;
pub use window::{DIFFERENCE_MAX, DIFFERENCE_MIN, NO_LIMIT, Window};
