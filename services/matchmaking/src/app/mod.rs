//! What each call does and what runs beside: tickets are handed in, watched and swept out; the matcher pairs them,
//! and the creator makes games of pairs.
//!
//! It decides nothing that [`core`](crate::core) could: it brings the decisions to the stores and the other
//! services, in an order in which a crash at any point loses nothing.
//!
//! Every replica has a mirror of who waits, which it keeps by what live state tells of every ticket; it may be wrong, for
//! who is taken is decided by live state alone.
//!
//! 1. The matcher takes two tickets out of all their pools (live state, atomic): both are out of everybody's reach. Which replica
//!    pairs in which pools follows from which are there; that two may do it for a while costs only a proposal.
//!    A long game is offered first, and goes on only when both have accepted it ([`offers`]).
//! 2. The creator writes the match down (database, one transaction): from here on the tickets belong to this
//!    game for good.
//! 3. The creator has the game made, again and again until it is answered: the match's id is the game's.
//! 4. The creator notes that the game exists (database, then live state) and tells both streams.
//!
//! A crash after 1 is found in the live state, after 2 and 3 in the database. If the live state is lost, too,
//! a crash after 1 leaves two tickets that never were matched, and their streams hand them in again.

mod arranged;
mod arrivals;
mod blocks;
mod challenges;
mod create_games;
mod follow;
mod follow_queue;
mod follow_ticket;
mod hold;
mod lobby;
mod look_up;
mod matcher;
pub(crate) mod measure;
mod note_game;
mod note_told;
mod offers;
mod pauses;
pub(crate) mod peers;
mod record;
mod sweep;
mod tickets;
mod timings;

use std::{convert::Infallible, sync::Arc, time::Duration};

use chassis::{Lifecycle, time::to_micros};
use time::OffsetDateTime;

pub(crate) use arrivals::Arrivals;
pub(crate) use blocks::BlockPlace;
pub(crate) use challenges::{Accepted, Challenges};
pub(crate) use follow::{FOLLOWS_MAX, Follows, News, Part, Told};
pub(crate) use follow_ticket::Watch;
pub(crate) use hold::Holder;
pub(crate) use lobby::{Board, LobbyWatch};
pub(crate) use look_up::LookUp;
pub(crate) use matcher::Proposals;
pub(crate) use note_told::ToldGames;
pub(crate) use pauses::PausePlace;
pub(crate) use tickets::Tickets;
pub use timings::Timings;

use crate::wire::NOTICES;
use create_games::GameCreator;
use peers::{Federations, Games};

/// How often it is looked whether others are to hear of arrivals when nobody has said so.
const ANNOUNCED: Duration = Duration::from_mins(1);

/// How often offers of long ago are forgotten.
const FORGOTTEN: Duration = Duration::from_mins(10);

/// Starts everything that runs beside the calls; gives what makes games.
pub(crate) fn start(
    tickets: &Arc<Tickets>,
    games: Games,
    federations: Federations,
    lifecycle: &Lifecycle,
) -> GameCreator {
    let (timings, tickets) = (tickets.timings, Arc::clone(tickets));
    let planning = games.clone();
    let creator = GameCreator::new(Arc::clone(&tickets), games, lifecycle.clone());
    let (recovery, answers, for_others) = (creator.clone(), creator.clone(), creator.clone());
    lifecycle.every_or_when(("matchmaking", "creator"), timings.retry, &tickets.paired, move || {
        creator.clone().run()
    });
    lifecycle.every(("matchmaking", "recovery"), timings.retry, move || recovery.clone().recover());
    let of = answers;
    lifecycle.every_or_when(("matchmaking", "offers"), timings.retry, &tickets.answered, move || {
        of.clone().settle_offers()
    });
    let of = Arc::clone(&tickets);
    lifecycle.every(("matchmaking", "old offers"), FORGOTTEN, move || {
        let tickets = Arc::clone(&of);
        async move { tickets.forget().await }
    });
    let matcher = matcher::Matcher::new(Arc::clone(&tickets));
    lifecycle.every_or_when(("matchmaking", "matcher"), timings.pass, &tickets.arrivals.here, move || {
        matcher.clone().run()
    });
    let of = Arc::clone(&tickets);
    lifecycle.every(("matchmaking", "told"), timings.retry, move || note_told::note_told(Arc::clone(&of)));
    let of = Arc::clone(&tickets);
    lifecycle.every(("matchmaking", "arrivals"), timings.retry, move || arrivals::follow(Arc::clone(&of)));
    let of = Arc::clone(&tickets);
    lifecycle
        .every(("matchmaking", "blocks"), timings.retry, move || arrivals::follow_blocks(Arc::clone(&of)));
    let of = Arc::clone(&tickets);
    lifecycle.every_or_when(
        ("matchmaking", "announcer"),
        ANNOUNCED,
        &tickets.arrivals.elsewhere,
        move || arrivals::announce(Arc::clone(&of)),
    );
    let of = Arc::clone(&tickets);
    lifecycle.every_or_when(("matchmaking", "lobby"), lobby::PERIOD, &tickets.board.rung, move || {
        Arc::clone(&of).tend_lobby()
    });
    let arranged = for_others.clone();
    lifecycle
        .every(("matchmaking", "arranged games"), timings.retry, move || arranged.clone().begin_arranged());
    let of = Arc::clone(&tickets);
    lifecycle.every(("matchmaking", "who plays soon"), timings.retry * arranged::LEARNS_EVERY, move || {
        let tickets = Arc::clone(&of);
        async move { tickets.learn_soon().await }
    });
    let (of, asked) = (Arc::clone(&tickets), federations.clone());
    lifecycle.every(
        ("matchmaking", "who plays in events soon"),
        timings.retry * arranged::ASKS_EVERY,
        move || {
            let (tickets, federations) = (Arc::clone(&of), asked.clone());
            async move { tickets.learn_soon_of_events(federations).await }
        },
    );
    let of = Arc::clone(&tickets);
    lifecycle.every(("matchmaking", "maintenance"), timings.retry * arranged::LEARNS_EVERY, move || {
        let (tickets, games) = (Arc::clone(&of), planning.clone());
        async move { tickets.learn_maintenance(games).await }
    });
    tickets.outbox.start_parcels(lifecycle, ("matchmaking", "outbox"), NOTICES, move |entries| {
        federations.clone().put(entries)
    });
    let of = Arc::clone(&tickets);
    lifecycle.every(("matchmaking", "proposals"), matcher::SAID, move || {
        of.proposals.say();
        async { Ok::<(), Infallible>(()) }
    });
    let of = Arc::clone(&tickets);
    lifecycle.spawn("parting", async move { matcher::part(&of).await });
    lifecycle.every(("matchmaking", "sweeper"), timings.sweep, move || sweep::sweep(Arc::clone(&tickets)));
    for_others
}

/// A moment as the mirror counts.
fn micros(moment: OffsetDateTime) -> u64 {
    u64::try_from(to_micros(moment)).unwrap_or_default()
}
