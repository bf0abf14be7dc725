//! Logs that are stored compactly: many events in one row, deflated.
//!
//! The row has the number of its last event. A packed payload begins with a zero byte, which no event does: fields of
//! protocol buffers count from one. The first event of a log is never packed with others, so that both ends of a log
//! are found by their numbers.

use api::game::v1::GameEvent;
use miniz_oxide::{deflate, inflate};
use prost::Message as _;

use super::StoreError;

/// What a packed payload begins with.
const MARK: u8 = 0;
/// Events of a row: enough to find repetitions in, few enough to be read at a time.
pub(crate) const PACK_EVENTS: usize = 256;
/// How hard the repetitions are looked for: the usual.
const LEVEL: u8 = 6;
/// What a row, or the summary of a game, is at most when it is inflated. Who wrote it, wrote less.
const INFLATED_BYTES_MAX: usize = 64 * 1024 * 1024;

/// A payload for these events.
pub(crate) fn pack(events: &[GameEvent]) -> Vec<u8> {
    let mut plain = Vec::new();
    for event in events {
        event.encode_length_delimited(&mut plain).expect("a vector grows");
    }
    let mut payload = vec![MARK];
    payload.append(&mut deflated(&plain));
    payload
}

/// The events of a payload, in order: one, or those that are packed in it.
pub(crate) fn unpack(payload: &[u8]) -> Result<Vec<GameEvent>, StoreError> {
    let Some((&MARK, packed)) = payload.split_first() else { return Ok(vec![GameEvent::decode(payload)?]) };
    let plain = inflated(packed)?;
    let (mut rest, mut events) = (plain.as_slice(), Vec::with_capacity(PACK_EVENTS));
    while !rest.is_empty() {
        events.push(GameEvent::decode_length_delimited(&mut rest)?);
    }
    Ok(events)
}

/// Fewer bytes that say the same.
pub(super) fn deflated(plain: &[u8]) -> Vec<u8> {
    deflate::compress_to_vec(plain, LEVEL)
}

/// What was deflated.
pub(super) fn inflated(packed: &[u8]) -> Result<Vec<u8>, StoreError> {
    inflate::decompress_to_vec_with_limit(packed, INFLATED_BYTES_MAX).map_err(|_| StoreError::Packed)
}
