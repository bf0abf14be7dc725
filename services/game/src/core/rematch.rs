//! Which game follows a game.

use chassis::id::GameId;

/// The id of the game that follows this one. It follows from this one's, so that the same agreement never makes
/// two games.
pub fn rematch_of(game: GameId) -> GameId {
    let mut context = ring::digest::Context::new(&ring::digest::SHA256);
    context.update(b"rematch of ");
    context.update(game.uuid().as_bytes());
    let digest = context.finish();
    let bytes = <[u8; 16]>::try_from(&digest.as_ref()[..16]).expect("SHA-256 has 32 bytes");
    GameId::from(uuid::Builder::from_custom_bytes(bytes).into_uuid())
}
