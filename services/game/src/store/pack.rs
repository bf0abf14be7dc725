//! Logs that are stored compactly: many events in one row, deflated. Imported records are from the beginning, games once they are
//! over (see [`super::finished`]).
//!
//! The row has the number of its last event. A packed payload begins with a byte below eight, which no event does:
//! fields of protocol buffers count from one. The first event of a log is never packed with others, so that both ends of a log
//! are found by their numbers.

use api::{DecodeError, game::v1::GameEvent};
use chassis::background::breathe;
use miniz_oxide::{
    deflate::core::{CompressorOxide, TDEFLFlush, compress_to_output, create_comp_flags_from_zip_params},
    inflate,
};
use prost::Message as _;

use super::columns::{self, framed, parts};
use crate::error::Result;

/// What a packed payload begins with that has its events one after the other, each after its length.
const ONE_BY_ONE: u8 = 0;
/// What one begins with that has them in columns.
const IN_COLUMNS: u8 = 1;
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
    let payloads: Vec<_> = events.iter().map(GameEvent::encode_to_vec).collect();
    pack_payloads(payloads.iter().map(Vec::as_slice))
}

/// The same of events as they are written, of which nothing is read: also what a later version has written stays as it is.
pub(super) fn pack_payloads<'a>(payloads: impl Iterator<Item = &'a [u8]> + Clone) -> Vec<u8> {
    let (mark, plain) = match columns::split(payloads.clone()) {
        Some(columns) => (IN_COLUMNS, framed(columns.iter().map(Vec::as_slice))),
        None => (ONE_BY_ONE, framed(payloads)),
    };
    let mut packed = vec![mark];
    packed.append(&mut deflated(&plain));
    packed
}

/// The events of a payload as they were written, in order: one, or those that are packed in it.
pub(super) fn payloads(payload: &[u8]) -> Result<Vec<Vec<u8>>> {
    match payload.split_first() {
        Some((&IN_COLUMNS, packed)) => Ok(columns::join(parts(&inflated(packed)?)?)?),
        Some((&ONE_BY_ONE, packed)) => {
            Ok(parts(&inflated(packed)?)?.into_iter().map(<[u8]>::to_vec).collect())
        }
        _ => Ok(vec![payload.to_vec()]),
    }
}

/// Whether a payload has one event, and is it.
pub(super) fn is_single(payload: &[u8]) -> bool {
    !matches!(payload.first(), Some(&(ONE_BY_ONE | IN_COLUMNS)))
}

/// The events of a payload, in order.
pub(crate) fn unpack(payload: &[u8]) -> Result<Vec<GameEvent>> {
    if is_single(payload) {
        return Ok(vec![GameEvent::decode(payload)?]);
    }
    payloads(payload)?.iter().map(|payload| Ok(GameEvent::decode(payload.as_slice())?)).collect()
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
    fn events_are_read_whichever_way_they_were_packed() {
        let events = [[8, 2].as_slice(), &[8, 3, 10, 1, 65]];
        let before = [&[ONE_BY_ONE], deflated(&framed(events.into_iter())).as_slice()].concat();
        let now = pack_payloads(events.into_iter());
        assert_eq!(now.first(), Some(&IN_COLUMNS));
        assert_eq!(payloads(&before).expect("it was packed"), events);
        assert_eq!(payloads(&now).expect("it was packed"), events);
        // What cannot be said in columns is packed as before.
        let other = [[8, 0x82, 0].as_slice()];
        let packed = pack_payloads(other.into_iter());
        assert_eq!(packed.first(), Some(&ONE_BY_ONE));
        assert_eq!(payloads(&packed).expect("it was packed"), other);
    }

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
