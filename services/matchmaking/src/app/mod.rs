//! What runs: the desk where tickets are handed in, the watch that tells what becomes of one, the matcher
//! that pairs, and the relay that makes games of pairs.
//!
//! It decides nothing that [`core`](crate::core) could: it brings the decisions to the stores and the other
//! services, in an order in which a crash at any point loses nothing.
//!
//! 1. The matcher takes two tickets out of the pool (live state, atomic): both are out of everybody's reach.
//! 2. The relay writes the match down (database, one transaction): from here on the tickets belong to this
//!    game for good.
//! 3. The relay has the game made, again and again until it is answered: the match's id is the game's.
//! 4. The relay notes that the game exists (database, then live state) and tells both streams.
//!
//! A crash after 1 is found in the live state, after 2 and 3 in the database. If the live state is lost, too,
//! a crash after 1 leaves two tickets that never were matched, and their streams hand them in again.

mod arrivals;
mod create_games;
mod follow_ticket;
mod matcher;
mod pace;
pub mod peers;
mod pool_stats;
mod record;
mod sweep;
mod tickets;

use std::sync::Arc;

use chassis::Lifecycle;

pub use follow_ticket::Watch;
pub use pace::Pace;
pub use pool_stats::Board;
pub use tickets::Desk;

use peers::Games;

/// Starts everything that runs beside the calls.
pub fn start(desk: &Arc<Desk>, games: Games, lifecycle: &Lifecycle) {
    let (pace, desk) = (desk.pace, Arc::clone(desk));
    let relay = create_games::Relay::new(Arc::clone(&desk), games, lifecycle.clone());
    let recovery = relay.clone();
    lifecycle.every_or_when(("matchmaking", "relay"), pace.retry, &desk.paired, move || relay.clone().run());
    lifecycle.every(("matchmaking", "recovery"), pace.retry, move || recovery.clone().recover());
    let of = Arc::clone(&desk);
    lifecycle.every_or_when(("matchmaking", "matcher"), pace.pass, &desk.arrived, move || {
        matcher::Matcher::new(Arc::clone(&of)).run()
    });
    let of = Arc::clone(&desk);
    lifecycle.every(("matchmaking", "arrivals"), pace.retry, move || arrivals::follow(Arc::clone(&of)));
    lifecycle.every(("matchmaking", "sweeper"), pace.sweep, move || sweep::sweep(Arc::clone(&desk)));
}
