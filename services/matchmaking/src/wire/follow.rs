//! All that concerns an account, on the wire.

use std::collections::BTreeSet;

use api::{matchmaking::v1 as pb, reason};
use chassis::id::GameId;
use time::OffsetDateTime;
use tonic::Code;

use super::{arranged, challenge};
use crate::core::{OwnQueue, OwnTicket, OwnTicketState};

/// Games that a call may name.
const NAMED_MAX: usize = 200;

/// Where notices go on, and the games that are believed to be under way.
///
/// # Errors
/// When the cursor is none, the games are too many, or an id is none.
pub(crate) fn follow(request: &pb::FollowRequest) -> Result<(u64, BTreeSet<GameId>), api::Error> {
    if request.known_game_ids.len() > NAMED_MAX {
        let message = format!("at most {NAMED_MAX} games");
        return Err(api::Error::invalid(reason::BAD_BATCH, "known_game_ids", message));
    }
    let games = request.known_game_ids.iter().map(|id| GameId::parse(id, "known_game_ids"));
    let number = match request.cursor.strip_prefix(CURSOR) {
        Some(number) => number.parse().map_err(|_| bad_cursor())?,
        None if request.cursor.is_empty() => 0,
        None => return Err(bad_cursor()),
    };
    Ok((number, games.collect::<Result<_, _>>()?))
}

/// With what a cursor begins: the rest is the number of the last notice.
const CURSOR: &str = "n";

/// The cursor after a notice.
pub(crate) fn cursor(number: u64) -> String {
    format!("{CURSOR}{number}")
}

fn bad_cursor() -> api::Error {
    api::Error::new(Code::OutOfRange, reason::BAD_CURSOR, "the cursor is none that this stream has told")
}

/// How an account stands in the queue and beside it.
pub(crate) fn own_queue(queue: &OwnQueue, now: OffsetDateTime) -> pb::OwnQueue {
    pb::OwnQueue {
        ticket: queue.ticket.as_ref().map(own_ticket),
        challenges: queue.challenges.iter().map(|it| challenge(it, now)).collect(),
        arranged_games: queue.arranged.iter().map(arranged).collect(),
        pause: queue.pause.as_ref().map(Into::into),
    }
}

fn own_ticket(ticket: &OwnTicket) -> pb::OwnTicket {
    let (since, offered) = match ticket.state {
        OwnTicketState::Waits { since } => (Some(since), None),
        OwnTicketState::Offered { until, accepted } => {
            let offered = pb::enqueue_response::Offered {
                settings: ticket.settings.first().map(Into::into),
                until_time: Some(api::time::timestamp(until)),
                accepted,
            };
            (None, Some(offered))
        }
    };
    pb::OwnTicket {
        ticket_id: ticket.ticket.to_string(),
        settings: ticket.settings.iter().map(Into::into).collect(),
        since_time: since.map(api::time::timestamp),
        offered,
    }
}
