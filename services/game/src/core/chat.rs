//! Talking beside the board: who may, where, and what.

use std::ops::RangeInclusive;

use super::Regulations;

/// The longest message and the longest reason of a report, in characters: a few sentences.
pub const TEXT_CHARS_MAX: usize = 500;
/// The most messages of a room: a long game with a crowd that talks all the time; the database is not theirs.
pub const MESSAGES_MAX: u64 = 10_000;

/// A room of a game, as the tables number it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Room {
    /// The players'.
    Players = 1,
    /// The spectators'.
    Spectators = 2,
}

/// As whom somebody comes to a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChatRole {
    /// As its player.
    Player,
    /// As an official of its event.
    Official,
    /// As somebody with an account.
    Spectator,
    /// As a guest, or without a token.
    Stranger,
}

/// Why somebody may not write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChatError {
    /// It is not his room.
    #[error("this room is for others")]
    WrongRoom,
    /// He has no name to lose.
    #[error("guests read here, and write only to their opponents")]
    GuestsReadOnly,
    /// Nobody does.
    #[error("the regulations of the event have no chat here")]
    Off,
}

/// Whether somebody may read a room. `over` is whether the result is final, as far as he may know.
pub fn may_read(room: Room, role: ChatRole, over: bool) -> bool {
    over || match role {
        ChatRole::Official => true,
        ChatRole::Player => room == Room::Players,
        ChatRole::Spectator | ChatRole::Stranger => room == Room::Spectators,
    }
}

/// Makes sure that somebody may write in a room. Players do in theirs and nowhere else.
///
/// # Errors
/// Why not.
pub fn may_write(room: Room, role: ChatRole) -> Result<(), ChatError> {
    match (room, role) {
        (Room::Players, ChatRole::Player) | (Room::Spectators, ChatRole::Official | ChatRole::Spectator) => {
            Ok(())
        }
        (Room::Spectators, ChatRole::Stranger) => Err(ChatError::GuestsReadOnly),
        (Room::Players, _) | (Room::Spectators, ChatRole::Player) => Err(ChatError::WrongRoom),
    }
}

/// Whether a room is there at all.
pub const fn is_on(room: Room, regulations: &Regulations) -> bool {
    match room {
        Room::Players => regulations.player_chat,
        Room::Spectators => regulations.spectator_chat,
    }
}

/// Characters of which a reader sees nothing, beside white space (Unicode's `Default_Ignorable_Code_Point`, and the
/// blank braille pattern).
const UNSEEN: &[RangeInclusive<char>] = &[
    '\u{ad}'..='\u{ad}',
    '\u{34f}'..='\u{34f}',
    '\u{61c}'..='\u{61c}',
    '\u{115f}'..='\u{1160}',
    '\u{17b4}'..='\u{17b5}',
    '\u{180b}'..='\u{180f}',
    '\u{200b}'..='\u{200f}',
    '\u{202a}'..='\u{202e}',
    '\u{2060}'..='\u{206f}',
    '\u{2800}'..='\u{2800}',
    '\u{3164}'..='\u{3164}',
    '\u{fe00}'..='\u{fe0f}',
    '\u{feff}'..='\u{feff}',
    '\u{ffa0}'..='\u{ffa0}',
    '\u{fff0}'..='\u{fff8}',
    '\u{1bca0}'..='\u{1bca3}',
    '\u{1d173}'..='\u{1d17a}',
    '\u{e0000}'..='\u{e0fff}',
];

/// Whether a text can be shown in one line as it is: it says something that can be seen, is not too long, and holds
/// nothing that moves the cursor or turns the direction of what stands around it.
pub fn is_plain(text: &str) -> bool {
    let moves = |c: char| {
        c.is_control()
            || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let is_seen = |c: char| !c.is_whitespace() && !UNSEEN.iter().any(|unseen| unseen.contains(&c));
    text.chars().any(is_seen) && text.chars().count() <= TEXT_CHARS_MAX && !text.chars().any(moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_plain_or_refused() {
        for text in ["好棋", "a", "ཨེ་མ་", "\u{1f600}", &"棋".repeat(500)] {
            assert!(is_plain(text), "{text}");
        }
        for text in ["", " ", "a\nb", "\u{1b}[2J", "a\u{0}", "a\u{85}", "\u{202e}abc", &"棋".repeat(501)] {
            assert!(!is_plain(text), "{text:?}");
        }
    }

    #[test]
    fn nobody_reads_the_other_room_before_the_end() {
        use ChatRole::{Official, Player, Spectator, Stranger};
        for (role, players, spectators) in
            [(Player, true, false), (Official, true, true), (Spectator, false, true), (Stranger, false, true)]
        {
            assert_eq!(may_read(Room::Players, role, false), players);
            assert_eq!(may_read(Room::Spectators, role, false), spectators);
            assert!(may_read(Room::Players, role, true) && may_read(Room::Spectators, role, true));
        }
        assert_eq!(may_write(Room::Spectators, Player), Err(ChatError::WrongRoom));
        assert_eq!(may_write(Room::Players, Official), Err(ChatError::WrongRoom));
    }
}
