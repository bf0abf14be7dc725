//! The id of a game follows from where it is played, so that a round made twice is one round.

use chassis::id::{EventId, GameId, of_digest};
use sha2::{Digest as _, Sha256};

use super::BoardId;

/// The game of a board: the first 16 bytes of the SHA-256 of a label, the event's id, the round, the table and the attempt
/// (from 1), as a UUID of version 8 (RFC 9562). The numbers are of 4 bytes, most significant first.
pub fn game_id(event: EventId, board: BoardId, attempt: u32) -> GameId {
    let mut hash = Sha256::new_with_prefix(b"shoutan/event-game\0");
    hash.update(event.uuid().as_bytes());
    hash.update(u32::from(board.round).to_be_bytes());
    hash.update(board.table.to_be_bytes());
    hash.update(attempt.to_be_bytes());
    of_digest(hash.finalize().into()).into()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use uuid::Uuid;

    use super::*;

    /// Worked out elsewhere, by what is said above: other servers, and other releases, must come to the same id.
    #[test]
    fn what_a_game_is_called_follows_from_the_printed_rule_alone() {
        let event = EventId::from(Uuid::from_u128(0x0189_0a5d_ac96_774b_bcce_b302_099a_8057));
        let id = game_id(event, BoardId { round: 7, table: 12 }, 2);
        assert_eq!(id.to_string(), "be098b1b-9ff4-8e5b-bd0a-bea6ce54cf2c");
    }

    #[test]
    fn every_game_of_every_event_has_an_id_of_its_own() {
        let events = [1, 2].map(|id| EventId::from(Uuid::from_u128(id)));
        let mut seen = BTreeSet::new();
        for event in events {
            for (round, table) in (1..=20).flat_map(|round| (1..=20).map(move |table| (round, table))) {
                for attempt in 1..=3 {
                    let id = game_id(event, BoardId { round, table }, attempt);
                    assert!(seen.insert(id), "{id}");
                }
            }
        }
        assert!(seen.iter().all(|id| id.uuid().get_version_num() == 8));
    }
}
