//! Talking beside the board: who may, where, and what.

use super::Regulations;

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

#[cfg(test)]
mod tests {
    use super::*;

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
