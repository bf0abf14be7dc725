//! Short ways to write down what the tests are about.

use bytes::Bytes;
use live::{Deadline, Moment, NewTicket, PairProposal, Ticket, TicketState};
use uuid::Uuid;

/// This many microseconds after the beginning of the test, which is some time in 2026: real sizes matter, since
/// they don't fit into 32 bits.
pub(crate) fn at(micros: i64) -> Moment {
    Moment::from_micros(1_790_000_000_000_000 + micros)
}

pub(crate) fn id(number: u128) -> Uuid {
    Uuid::from_u128((0x0190_0000_0000_7000 << 64) | number)
}

/// Owners have other ids than tickets.
pub(crate) fn owner(number: u128) -> Uuid {
    id(1_000_000 + number)
}

/// So have matches.
pub(crate) fn game(number: u128) -> Uuid {
    id(2_000_000 + number)
}

/// The ticket of this number, of the owner of this number, held until 1,000.
pub(crate) fn ticket(number: u128, pool: &str) -> NewTicket {
    NewTicket {
        id: id(number),
        owner: owner(number),
        pools: vec![pool.to_owned()],
        standing: Bytes::from_static(b"standing \0"),
        payload: Bytes::from(format!("payload \0 {number}")),
        expires_at: at(1_000),
    }
}

/// That ticket, waiting.
pub(crate) fn waiting(new: NewTicket, since: Moment) -> Ticket {
    let NewTicket { id, owner, pools, standing, payload, expires_at } = new;
    Ticket { id, owner, pools, standing, payload, since, expires_at }
}

pub(crate) fn pair(first: u128, second: u128, number: u128) -> PairProposal {
    PairProposal { pool: "go".to_owned(), first: id(first), second: id(second), match_id: game(number) }
}

/// What a ticket of that pair becomes.
pub(crate) fn matched(number: u128) -> TicketState {
    TicketState::Matched { match_id: game(number) }
}

pub(crate) fn deadline(queue: &str, key: u128, revision: u64, due: i64) -> Deadline {
    let payload = Bytes::from(format!("deadline \0 {key} {revision}"));
    Deadline { queue: queue.to_owned(), key: id(key), revision, due: at(due), payload }
}
