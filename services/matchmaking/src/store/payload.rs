//! What matchmaking writes into live state, as JSON.

use bytes::Bytes;
use chassis::time::{from_micros, to_micros};
use live::{LiveError, Moment};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::core::{Match, Pair, Player, Settings, Ticket, Window};

/// A ticket's payload: what its own fields in live state do not say. The same for the same request, so that
/// handing a ticket in again is recognised.
#[derive(Serialize, Deserialize)]
struct TicketText {
    name: String,
    limit: u32,
}

/// A pair's or a match's payload; of a match the first player has the first side.
#[derive(Serialize, Deserialize)]
struct PairText {
    game: Uuid,
    settings: String,
    players: [PlayerText; 2],
}

#[derive(Serialize, Deserialize)]
struct PlayerText {
    account: Uuid,
    name: String,
    rating: u32,
    ticket: Uuid,
}

/// A moment as live state counts it.
pub fn moment(moment: OffsetDateTime) -> Moment {
    Moment::from_micros(to_micros(moment))
}

/// The payload of a ticket.
pub fn of_ticket(ticket: &Ticket) -> Bytes {
    json(&TicketText { name: ticket.player.name.clone(), limit: ticket.window.limit })
}

/// A ticket as live state knows it.
///
/// # Errors
/// When it is not what matchmaking writes.
pub fn ticket(ticket: &live::Ticket, pool: &Settings) -> Result<Ticket, LiveError> {
    let TicketText { name, limit } = read(&ticket.payload, "ticket")?;
    Ok(Ticket {
        player: Player {
            account: ticket.owner.into(),
            name,
            rating: Player::round(ticket.rating).unwrap_or(0),
            ticket: ticket.id.into(),
        },
        settings: pool.clone(),
        window: Window { limit },
        since: from_micros(ticket.since.as_micros()).ok_or(LiveError::Corrupt { what: "time" })?,
    })
}

/// The payload of a pair.
pub fn of_pair(pair: &Pair) -> Bytes {
    let [one, other] = &pair.players;
    json(&text(pair.game.uuid(), &pair.settings, [one, other]))
}

/// A pair from its payload.
///
/// # Errors
/// When it is not what matchmaking writes, or belongs to another game.
pub fn pair(payload: &Bytes, game: Uuid) -> Result<Pair, LiveError> {
    let text: PairText = read(payload, "match")?;
    if text.game != game {
        return Err(LiveError::Corrupt { what: "match" });
    }
    let settings = text.settings.parse().map_err(|_| LiveError::Corrupt { what: "match" })?;
    Ok(Pair { game: game.into(), settings, players: text.players.map(Player::from) })
}

/// The message that the game of a match exists.
pub fn of_match(matched: &Match) -> Bytes {
    json(&text(matched.game.uuid(), &matched.settings, [&matched.first, &matched.second]))
}

/// The match that a message tells of; `None` if it is not such a message.
pub fn matched(message: &Bytes) -> Option<Match> {
    let PairText { game, settings, players } = serde_json::from_slice(message).ok()?;
    let [first, second] = players.map(Player::from);
    Some(Match { game: game.into(), settings: settings.parse().ok()?, first, second })
}

fn text(game: Uuid, settings: &Settings, players: [&Player; 2]) -> PairText {
    PairText { game, settings: settings.to_string(), players: players.map(PlayerText::from) }
}

fn json<T: Serialize>(value: &T) -> Bytes {
    serde_json::to_vec(value).expect("plain values without maps are written as JSON").into()
}

fn read<T: DeserializeOwned>(payload: &Bytes, what: &'static str) -> Result<T, LiveError> {
    serde_json::from_slice(payload).map_err(|_| LiveError::Corrupt { what })
}

impl From<&Player> for PlayerText {
    fn from(player: &Player) -> Self {
        PlayerText {
            account: player.account.uuid(),
            name: player.name.clone(),
            rating: player.rating,
            ticket: player.ticket.uuid(),
        }
    }
}

impl From<PlayerText> for Player {
    fn from(text: PlayerText) -> Self {
        Player {
            account: text.account.into(),
            name: text.name,
            rating: text.rating,
            ticket: text.ticket.into(),
        }
    }
}
