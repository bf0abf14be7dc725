//! What live state calls the things of this service.

use chassis::id::{AccountId, EventId, GameId};
use rules::Side;

use crate::core::chat::Room;

/// The topic on which the events of a game are published.
pub(crate) fn events(game: GameId) -> String {
    format!("game/events/{game}")
}

/// The topic on which it is published how the games of an event stand.
pub(crate) fn games_of(event: EventId) -> String {
    format!("game/of-event/{event}")
}

/// The topic on which it is said that a game of an account has begun.
pub(crate) fn games_of_account(account: AccountId) -> String {
    format!("game/of-account/{account}")
}

/// The topic on which the messages of a room are published.
pub(crate) fn messages(game: GameId, room: Room) -> String {
    format!("game/messages/{game}/{}", room as i16)
}

/// The quota of all spectators of a game together.
pub(crate) fn chat_crowd(game: GameId) -> String {
    format!("game/chat-crowd/{game}")
}

/// The quota of whoever writes.
pub(crate) fn chat_writer(account: AccountId) -> String {
    format!("game/chat-writer/{account}")
}

/// The quota of whoever reports messages.
pub(crate) fn chat_reporter(account: AccountId) -> String {
    format!("game/chat-reporter/{account}")
}

/// Where the players of a game are said to be there.
pub(crate) fn players(game: GameId) -> String {
    format!("game/players/{game}")
}

/// Where those who watch a game are counted.
pub(crate) fn audience(game: GameId) -> String {
    format!("game/audience/{game}")
}

/// The queue of deadlines by which the players of a side are missed; the key is the game.
pub(crate) const fn missed(side: Side) -> &'static str {
    match side {
        Side::First => "game/missed/first",
        Side::Second => "game/missed/second",
    }
}
