//! Logs that are stored compactly: many events in one row, deflated. Imported records are from the beginning, games once they are
//! over (see [`super::finished`]).
//!
//! The row has the number of its last event. A packed payload begins with a zero byte, which no event does: fields of
//! protocol buffers count from one. The first event of a log is never packed with others, so that both ends of a log
//! are found by their numbers.

use api::{DecodeError, game::v1::GameEvent};
use chassis::background::breathe;
use miniz_oxide::{
    deflate::core::{CompressorOxide, TDEFLFlush, compress_to_output, create_comp_flags_from_zip_params},
    inflate,
};
use prost::{
    Message as _,
    encoding::{decode_varint, encode_varint},
};

use crate::error::Result;

/// What a packed payload begins with.
const MARK: u8 = 0;
/// Events of a row: enough to find repetitions in, few enough to be read at a time.
pub(crate) const PACK_EVENTS: usize = 256;
/// How hard the repetitions are looked for: the usual.
const LEVEL: i32 = 6;
/// Bytes that are deflated between two breaths.
const BYTES_A_BREATH: usize = 16 * 1024;
/// What a row, or the summary of a game, is at most when it is inflated. Who wrote it, wrote less.
const INFLATED_BYTES_MAX: usize = 64 * 1024 * 1024;

/// A payload for these events.
pub(crate) fn pack(events: &[GameEvent]) -> Vec<u8> {
    pack_payloads(events.iter().map(GameEvent::encode_to_vec))
}

/// The same of events as they are written, of which nothing is read: also what a later version has written stays as it is.
pub(super) fn pack_payloads(payloads: impl Iterator<Item = Vec<u8>>) -> Vec<u8> {
    let mut plain = Vec::new();
    for payload in payloads {
        encode_varint(payload.len() as u64, &mut plain);
        plain.extend_from_slice(&payload);
    }
    let mut packed = vec![MARK];
    packed.append(&mut deflated(&plain));
    packed
}

/// The events of a payload as they were written, in order.
pub(super) fn payloads(payload: &[u8]) -> Result<Vec<Vec<u8>>> {
    let Some((&MARK, packed)) = payload.split_first() else { return Ok(vec![payload.to_vec()]) };
    let plain = inflated(packed)?;
    let (mut rest, mut payloads) = (plain.as_slice(), Vec::with_capacity(PACK_EVENTS));
    while !rest.is_empty() {
        let length = decode_varint(&mut rest)?;
        let length = usize::try_from(length).map_err(|_| DecodeError("the length of an event"))?;
        let (payload, after) = rest.split_at_checked(length).ok_or(DecodeError("the length of an event"))?;
        payloads.push(payload.to_vec());
        rest = after;
    }
    Ok(payloads)
}

/// Whether a payload has one event, and is it.
pub(super) fn is_single(payload: &[u8]) -> bool {
    payload.first() != Some(&MARK)
}

/// The events of a payload, in order: one, or those that are packed in it.
pub(crate) fn unpack(payload: &[u8]) -> Result<Vec<GameEvent>> {
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
    let flags = create_comp_flags_from_zip_params(LEVEL, 0, 0);
    let mut compressor = Box::new(CompressorOxide::new(flags));
    let mut packed = Vec::new();
    let mut add = |plain: &[u8], flush| {
        breathe();
        compress_to_output(&mut compressor, plain, flush, |bytes| {
            packed.extend_from_slice(bytes);
            true
        });
    };
    plain.chunks(BYTES_A_BREATH).for_each(|piece| add(piece, TDEFLFlush::None));
    add(&[], TDEFLFlush::Finish);
    packed
}

/// What was deflated.
pub(super) fn inflated(packed: &[u8]) -> Result<Vec<u8>, DecodeError> {
    inflate::decompress_to_vec_with_limit(packed, INFLATED_BYTES_MAX).map_err(|_| DecodeError("packed bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_deflated_in_pieces_is_inflated_whole() {
        for length in [0, 1, BYTES_A_BREATH, BYTES_A_BREATH + 1, 40 * BYTES_A_BREATH + 7] {
            let plain: Vec<u8> = (0..=250_u8).flat_map(|byte| [byte; 5]).cycle().take(length).collect();
            let packed = deflated(&plain);
            assert!(packed.len() < length / 4 + 64, "{length} bytes become {}", packed.len());
            assert_eq!(inflated(&packed).expect("it was deflated here"), plain);
        }
    }
}
