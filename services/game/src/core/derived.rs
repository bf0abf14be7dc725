//! Ids of games that follow from something else, so that the same wish never makes two games.

use chassis::id::{AccountId, GameId, RequestId, of_digest};

/// The game that follows this one. It follows from this one's id, so that the same agreement never makes two.
pub fn rematch_of(game: GameId) -> GameId {
    derived(&[b"rematch of ", game.uuid().as_bytes()])
}

/// The game of an imported record. It follows from who asked and how he named the request, so that a repetition
/// finds it.
pub fn import_of(account: AccountId, request: RequestId) -> GameId {
    derived(&[account.uuid().as_bytes(), request.uuid().as_bytes()])
}

fn derived(parts: &[&[u8]]) -> GameId {
    let digest = ring::digest::digest(&ring::digest::SHA256, &parts.concat());
    of_digest(digest.as_ref().try_into().expect("SHA-256 has 32 bytes")).into()
}
