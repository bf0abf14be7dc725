//! What matchmaking writes into live state.

use api::matchmaking::v1::{MatchPayload, MatchedPlayer, TicketPayload};
use bytes::Bytes;
use chassis::{id::TicketId, time::from_micros};
use live::LiveError;
use prost::Message;
use uuid::Uuid;

use crate::core::{Match, Pair, Player, Settings, Status, Ticket, Window};

const CORRUPT_MATCH: LiveError = LiveError::Corrupt { what: "match" };

/// The payload of a ticket.
pub(super) fn of_ticket(ticket: &Ticket) -> Bytes {
    let name = ticket.player.name.clone();
    TicketPayload { name, max_rating_difference: ticket.window.limit }.encode_to_vec().into()
}

/// A ticket as live state knows it.
///
/// # Errors
/// When it is not what matchmaking writes.
pub(super) fn ticket(ticket: &live::Ticket, pool: &Settings) -> Result<Ticket, LiveError> {
    let payload = TicketPayload::decode(&*ticket.payload);
    let TicketPayload { name, max_rating_difference } =
        payload.map_err(|_| LiveError::Corrupt { what: "ticket" })?;
    Ok(Ticket {
        player: Player {
            account: ticket.owner.into(),
            name,
            rating: Player::round(ticket.rating).unwrap_or(0),
            ticket: ticket.id.into(),
        },
        settings: pool.clone(),
        window: Window { limit: max_rating_difference },
        since: from_micros(ticket.since.as_micros()).ok_or(LiveError::Corrupt { what: "time" })?,
    })
}

/// The payload of a pair.
pub(super) fn of_pair(pair: &Pair) -> Bytes {
    let [one, other] = &pair.players;
    encode(pair.game.uuid(), &pair.settings, one, other)
}

/// A pair from its payload.
///
/// # Errors
/// When it is not what matchmaking writes, or belongs to another game.
pub(super) fn pair(payload: &[u8], game: Uuid) -> Result<Pair, LiveError> {
    let Match { game: named, settings, first, second } = matched(payload).ok_or(CORRUPT_MATCH)?;
    if named.uuid() != game {
        return Err(CORRUPT_MATCH);
    }
    Ok(Pair { game: named, settings, players: [first, second] })
}

/// The message that the game of a match exists.
pub(super) fn of_match(matched: &Match) -> Bytes {
    encode(matched.game.uuid(), &matched.settings, &matched.first, &matched.second)
}

/// What a ticket has become by a message; `None` if it says nothing of it.
pub(crate) fn decode_status(message: &[u8], ticket: TicketId) -> Option<Status> {
    Status::matched(&matched(message)?, ticket)
}

/// The match that a message tells of; `None` if it is not such a message.
fn matched(message: &[u8]) -> Option<Match> {
    let MatchPayload { game_id, settings, first, second } = MatchPayload::decode(message).ok()?;
    Some(Match {
        game: game_id.parse::<Uuid>().ok()?.into(),
        settings: settings.parse().ok()?,
        first: player(first?)?,
        second: player(second?)?,
    })
}

fn encode(game: Uuid, settings: &Settings, first: &Player, second: &Player) -> Bytes {
    let (game_id, settings) = (game.to_string(), settings.to_string());
    let payload = MatchPayload { game_id, settings, first: Some(first.into()), second: Some(second.into()) };
    payload.encode_to_vec().into()
}

fn player(player: MatchedPlayer) -> Option<Player> {
    Some(Player {
        account: player.account_id.parse::<Uuid>().ok()?.into(),
        name: player.name,
        rating: player.rating,
        ticket: player.ticket_id.parse::<Uuid>().ok()?.into(),
    })
}

impl From<&Player> for MatchedPlayer {
    fn from(player: &Player) -> Self {
        MatchedPlayer {
            account_id: player.account.to_string(),
            name: player.name.clone(),
            rating: player.rating,
            ticket_id: player.ticket.to_string(),
        }
    }
}
