//! Messages of protocol buffers in columns: what stands in the same field of many stands together, so that it deflates to half of
//! what it does message by message.
//!
//! Nothing but the bytes is read: which numbers of fields there are, and which of their bytes are messages again, is found where it is
//! written and said in the columns, so that also what a later version has written comes back to the bit.
//!
//! Each field of each message has a column, numbered in the order in which they are first met; the first is the message itself. The
//! column of a message has, for each one, the keys of its fields in order, doubled, and one more if the field is a message with a column
//! of its own kind, or a number in thousands; zero ends it. The column of any other field has its values as they are written.
//!
//! Numbers in thousands are what is left of a second, which is written in nanoseconds and known in microseconds: nothing else of a log
//! takes as much room as these do, as no two are alike.

use std::collections::HashMap;

use api::DecodeError;
use prost::encoding::{WireType, decode_varint, encode_varint, encoded_len_varint};

/// What ends a message: no field has the number zero.
const END: u64 = 0;
/// How deep messages are that are looked into. What is deeper is bytes.
const DEPTH_MAX: usize = 16;

/// What a number in thousands is divided by.
const THOUSAND: u64 = 1000;

/// The columns of some messages; none if one of them is written otherwise than it would be written from columns, or is no message.
pub(super) fn split<'a>(messages: impl Iterator<Item = &'a [u8]>) -> Option<Vec<Vec<u8>>> {
    let mut writer = Writer { columns: vec![Vec::new()], ..Writer::default() };
    for message in messages {
        writer.message(ROOT, &fields(message)?, 0);
    }
    Some(writer.columns)
}

/// The messages of some columns, in order.
pub(super) fn join(columns: Vec<&[u8]>) -> Result<Vec<Vec<u8>>, DecodeError> {
    let mut reader = Reader { names: Names::default(), columns };
    let mut messages = Vec::new();
    while reader.columns.first().is_some_and(|column| !column.is_empty()) {
        let mut message = Vec::new();
        reader.message(ROOT, &mut message, 0)?;
        messages.push(message);
    }
    Ok(messages)
}

/// The column of the messages themselves.
const ROOT: usize = 0;

/// Which column a field has: by the column of its message and the word for it there.
#[derive(Default)]
struct Names(HashMap<(usize, u64), usize>);

impl Names {
    fn column(&mut self, message: usize, word: u64) -> usize {
        let next = self.0.len() + 1;
        *self.0.entry((message, word)).or_insert(next)
    }
}

/// What a field has.
#[derive(Clone, Copy)]
enum Value<'a> {
    Number(u64),
    Fixed(&'a [u8]),
    Bytes(&'a [u8]),
}

#[derive(Default)]
struct Writer {
    names: Names,
    columns: Vec<Vec<u8>>,
}

impl Writer {
    fn message(&mut self, at: usize, fields_of_it: &[(u64, Value<'_>)], depth: usize) {
        for &(key, value) in fields_of_it {
            let inner = match value {
                Value::Bytes(bytes) if depth < DEPTH_MAX && !is_text(bytes) => fields(bytes),
                _ => None,
            };
            let thousands = match value {
                Value::Number(number) if number > 0 && number % THOUSAND == 0 => Some(number / THOUSAND),
                _ => None,
            };
            let word = key << 1 | u64::from(inner.is_some() || thousands.is_some());
            encode_varint(word, &mut self.columns[at]);
            let column = self.names.column(at, word);
            if column == self.columns.len() {
                self.columns.push(Vec::new());
            }
            match (inner, value) {
                (Some(inner), _) => self.message(column, &inner, depth + 1),
                (None, Value::Number(number)) => {
                    encode_varint(thousands.unwrap_or(number), &mut self.columns[column]);
                }
                (None, Value::Fixed(bytes)) => self.columns[column].extend_from_slice(bytes),
                (None, Value::Bytes(bytes)) => frame(bytes, &mut self.columns[column]),
            }
        }
        encode_varint(END, &mut self.columns[at]);
    }
}

/// Most texts could be read as messages of fields that nobody has.
fn is_text(bytes: &[u8]) -> bool {
    str::from_utf8(bytes).is_ok_and(|text| !text.is_empty() && !text.chars().any(char::is_control))
}

/// The fields of a message with their keys, as they follow each other; none where it would be written in other bytes.
fn fields(mut message: &[u8]) -> Option<Vec<(u64, Value<'_>)>> {
    let mut fields = Vec::new();
    while !message.is_empty() {
        let key = shortest(&mut message)?;
        if key >> 3 == 0 {
            return None;
        }
        let value = match wire_type(key).ok()? {
            WireType::Varint => Value::Number(shortest(&mut message)?),
            WireType::SixtyFourBit => Value::Fixed(message.split_off(..8)?),
            WireType::ThirtyTwoBit => Value::Fixed(message.split_off(..4)?),
            WireType::LengthDelimited => {
                let length = usize::try_from(shortest(&mut message)?).ok()?;
                Value::Bytes(message.split_off(..length)?)
            }
            WireType::StartGroup | WireType::EndGroup => return None,
        };
        fields.push((key, value));
    }
    Some(fields)
}

/// A number that is written in as few bytes as it can be.
fn shortest(from: &mut &[u8]) -> Option<u64> {
    let before = from.len();
    let number = decode_varint(from).ok()?;
    (encoded_len_varint(number) == before - from.len()).then_some(number)
}

fn wire_type(key: u64) -> Result<WireType, DecodeError> {
    // A key is 32 bits, and one more in the word for it.
    WireType::try_from(key & 7).ok().filter(|_| u32::try_from(key).is_ok()).ok_or(BROKEN)
}

const BROKEN: DecodeError = DecodeError("the columns of a packed log");

/// Some bytes one after the other, each after their length.
pub(super) fn framed<'a>(parts: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut whole = Vec::new();
    parts.for_each(|part| frame(part, &mut whole));
    whole
}

/// The parts of which such a whole was made.
pub(super) fn parts(mut whole: &[u8]) -> Result<Vec<&[u8]>, DecodeError> {
    let mut parts = Vec::new();
    while !whole.is_empty() {
        parts.push(unframed(&mut whole)?);
    }
    Ok(parts)
}

fn frame(bytes: &[u8], into: &mut Vec<u8>) {
    encode_varint(bytes.len() as u64, into);
    into.extend_from_slice(bytes);
}

fn unframed<'a>(from: &mut &'a [u8]) -> Result<&'a [u8], DecodeError> {
    let length = decode_varint(from).ok().and_then(|length| usize::try_from(length).ok()).ok_or(BROKEN)?;
    from.split_off(..length).ok_or(BROKEN)
}

struct Reader<'a> {
    names: Names,
    /// What is left of each.
    columns: Vec<&'a [u8]>,
}

impl<'a> Reader<'a> {
    fn column(&mut self, column: usize) -> Result<&mut &'a [u8], DecodeError> {
        self.columns.get_mut(column).ok_or(BROKEN)
    }

    fn number(&mut self, column: usize) -> Result<u64, DecodeError> {
        decode_varint(self.column(column)?).map_err(|_| BROKEN)
    }

    fn fixed(&mut self, column: usize, length: usize) -> Result<&'a [u8], DecodeError> {
        self.column(column)?.split_off(..length).ok_or(BROKEN)
    }

    fn message(&mut self, at: usize, into: &mut Vec<u8>, depth: usize) -> Result<(), DecodeError> {
        loop {
            let word = self.number(at)?;
            if word == END {
                return Ok(());
            }
            let (key, is_marked) = (word >> 1, word & 1 == 1);
            let column = self.names.column(at, word);
            encode_varint(key, into);
            match wire_type(key)? {
                WireType::LengthDelimited if is_marked && depth < DEPTH_MAX => {
                    let mut inner = Vec::new();
                    self.message(column, &mut inner, depth + 1)?;
                    frame(&inner, into);
                }
                WireType::Varint if is_marked => {
                    let number = self.number(column)?.checked_mul(THOUSAND).ok_or(BROKEN)?;
                    encode_varint(number, into);
                }
                _ if is_marked => return Err(BROKEN),
                WireType::Varint => encode_varint(self.number(column)?, into),
                WireType::SixtyFourBit => into.extend_from_slice(self.fixed(column, 8)?),
                WireType::ThirtyTwoBit => into.extend_from_slice(self.fixed(column, 4)?),
                WireType::LengthDelimited => frame(unframed(self.column(column)?)?, into),
                WireType::StartGroup | WireType::EndGroup => return Err(BROKEN),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn varint(number: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        encode_varint(number, &mut bytes);
        bytes
    }

    fn delimited(bytes: &[u8]) -> Vec<u8> {
        [&varint(bytes.len() as u64), bytes].concat()
    }

    /// A field of any number with one of these values.
    fn field(wire: u64, value: impl Strategy<Value = Vec<u8>> + 'static) -> BoxedStrategy<Vec<u8>> {
        let key = (1_u64..40).prop_map(move |number| varint(number << 3 | wire));
        (key, value).prop_map(|(key, value)| [key, value].concat()).boxed()
    }

    /// Messages of any shape, as they are written.
    fn messages() -> impl Strategy<Value = Vec<u8>> {
        let leaf = prop_oneof![
            field(0, any::<u64>().prop_map(varint)),
            field(0, (0..1_u64 << 20).prop_map(|number| varint(number * THOUSAND))),
            field(1, any::<[u8; 8]>().prop_map(Vec::from)),
            field(5, any::<[u8; 4]>().prop_map(Vec::from)),
            field(2, any::<Vec<u8>>().prop_map(|bytes| delimited(&bytes))),
            field(2, any::<String>().prop_map(|text| delimited(text.as_bytes()))),
        ];
        let of = |fields: BoxedStrategy<Vec<u8>>| {
            prop::collection::vec(fields, 0..5).prop_map(|fields| fields.concat())
        };
        of(leaf.boxed()).prop_recursive(4, 40, 5, move |inner| {
            of(field(2, inner.prop_map(|message| delimited(&message))))
        })
    }

    fn there_and_back(messages: &[Vec<u8>]) -> Option<Vec<Vec<u8>>> {
        let columns = split(messages.iter().map(Vec::as_slice))?;
        Some(join(columns.iter().map(Vec::as_slice).collect()).expect("it was written here"))
    }

    proptest! {
        #[test]
        fn messages_come_back_to_the_bit(messages in prop::collection::vec(messages(), 0..8)) {
            prop_assert_eq!(there_and_back(&messages), Some(messages));
        }

        #[test]
        fn other_bytes_are_refused_or_come_back(messages in prop::collection::vec(any::<Vec<u8>>(), 0..8)) {
            if let Some(back) = there_and_back(&messages) {
                prop_assert_eq!(back, messages);
            }
        }

        #[test]
        fn columns_that_are_broken_are_an_error_and_no_end(
            messages in prop::collection::vec(messages(), 1..8), at: prop::sample::Index, other: u8,
        ) {
            let columns = split(messages.iter().map(Vec::as_slice)).expect("they are messages");
            let mut whole = framed(columns.iter().map(Vec::as_slice));
            let at = at.index(whole.len());
            whole[at] = other;
            let _either = parts(&whole).and_then(join);
            let _either = parts(&whole[..at]).and_then(join);
        }
    }

    #[test]
    fn what_is_deeper_than_is_looked_comes_back() {
        let deep = (0..3 * DEPTH_MAX).fold(vec![8, 1], |inner, _| {
            let mut outer = vec![10];
            encode_varint(inner.len() as u64, &mut outer);
            outer.extend(inner);
            outer
        });
        assert_eq!(there_and_back(std::slice::from_ref(&deep)), Some(vec![deep]));
    }

    #[test]
    fn a_number_in_more_bytes_than_it_takes_is_left_as_it_is() {
        assert_eq!(split(std::iter::once([8, 0x81, 0].as_slice())), None);
        // The same inside of another is bytes to it.
        let outer = vec![10, 3, 8, 0x81, 0];
        assert_eq!(there_and_back(std::slice::from_ref(&outer)), Some(vec![outer]));
    }
}
