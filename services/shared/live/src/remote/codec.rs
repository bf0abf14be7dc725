//! How values are written in Redis: fixed-width text for what scripts read, then bytes that only Rust reads.

use bytes::Bytes;
use uuid::Uuid;

use crate::{Change, Cursor, Deadline, LiveError, Moment, PendingMatch, Ticket, TicketState};

/// The body of a ticket: owner (36), since (16), held until (16), length of the pools (4), the pools, each between two
/// new lines, length of the standing (4), the standing, payload.
pub(super) fn body(ticket: &Ticket) -> Vec<u8> {
    let Ticket { owner, pools, standing, payload, since, expires_at, .. } = ticket;
    let pools = format!("\n{}\n", pools.join("\n"));
    let mut body =
        format!("{owner}{since}{expires_at}{:04}{pools}{:04}", pools.len(), standing.len()).into_bytes();
    body.extend_from_slice(standing);
    body.extend_from_slice(payload);
    body
}

/// The ticket with this id and body.
pub(super) fn ticket(id: Uuid, body: Vec<u8>) -> Result<Ticket, LiveError> {
    let mut read = Reader::new("ticket", body);
    let (owner, since, expires_at) = (read.uuid()?, read.moment()?, read.moment()?);
    let len: usize = read.text(4)?;
    let pools: String = read.text(len)?;
    let pools = pools.trim_matches('\n').split('\n').map(str::to_owned).collect();
    let len: usize = read.text(4)?;
    let (standing, payload) = (read.take(len)?, read.rest);
    Ok(Ticket { id, owner, pools, standing, payload, since, expires_at })
}

/// Where a ticket stands.
pub(super) fn state(ticket: Ticket, end: Vec<u8>) -> Result<TicketState, LiveError> {
    Ok(self::end(end)?.unwrap_or(TicketState::Waiting(ticket)))
}

/// How a ticket ended: C for cancelled, E for expired, M (1) and the match (36); empty if it waits.
pub(super) fn end(end: Vec<u8>) -> Result<Option<TicketState>, LiveError> {
    if end.is_empty() {
        return Ok(None);
    }
    let mut read = Reader::new("state of a ticket", end);
    Ok(Some(match read.take(1)?.as_ref() {
        b"C" => TicketState::Cancelled,
        b"E" => TicketState::Expired,
        b"M" => TicketState::Matched { match_id: read.uuid()? },
        _ => return Err(read.corrupt()),
    }))
}

/// A change of a ticket: it waits if there is a body; else how it ended (1), as [`end`] has it, and when (16).
pub(super) fn change(id: Uuid, body: &[u8]) -> Result<Change, LiveError> {
    if body.len() != 17 {
        return Ok(Change::Waits(ticket(id, body.to_vec())?));
    }
    let mut read = Reader::new("change", body.to_vec());
    let is_matched = read.take(1)?.as_ref() == b"M";
    Ok(Change::Left { id, at: read.moment()?, is_matched })
}

/// The place after a change, from its id.
pub(super) fn cursor(id: &[u8]) -> Result<Cursor, LiveError> {
    let read = || {
        let (life, number) = std::str::from_utf8(id).ok()?.split_once('-')?;
        Some(Cursor { life: life.parse().ok()?, number: number.parse().ok()? })
    };
    read().ok_or(LiveError::Corrupt { what: "id of a change" })
}

/// A pending match from what stands under its id: first (36), second (36), length of the pool's name (3), the name, length of
/// the first's body (5), the bodies.
pub(super) fn pending(id: &[u8], value: Vec<u8>, leased_until: Moment) -> Result<PendingMatch, LiveError> {
    let mut read = Reader::new("match", value);
    let [first, second] = [read.uuid()?, read.uuid()?];
    let len: usize = read.text(3)?;
    let pool = read.text(len)?;
    let len: usize = read.text(5)?;
    let tickets = [ticket(first, read.take(len)?.into())?, ticket(second, read.rest.into())?];
    Ok(PendingMatch { match_id: uuid(id)?, pool, tickets, leased_until })
}

/// The entry of a deadline: revision (20), due (16), payload.
pub(super) fn entry(deadline: &Deadline) -> Vec<u8> {
    let mut entry = format!("{}{}", revision(deadline.revision), deadline.due).into_bytes();
    entry.extend_from_slice(&deadline.payload);
    entry
}

/// The deadline of this key with this entry.
pub(super) fn deadline(queue: &str, key: &[u8], entry: Vec<u8>) -> Result<Deadline, LiveError> {
    let mut read = Reader::new("deadline", entry);
    let (revision, due) = (read.text(20)?, read.moment()?);
    Ok(Deadline { queue: queue.to_owned(), key: uuid(key)?, revision, due, payload: read.rest })
}

/// A revision as twenty digits.
pub(super) fn revision(revision: u64) -> String {
    format!("{revision:020}")
}

/// An id that stands alone.
pub(super) fn uuid(text: &[u8]) -> Result<Uuid, LiveError> {
    Uuid::try_parse_ascii(text).map_err(|_| LiveError::Corrupt { what: "id" })
}

/// Reads a value from its beginning.
struct Reader {
    what: &'static str,
    rest: Bytes,
}

impl Reader {
    fn new(what: &'static str, value: Vec<u8>) -> Self {
        Self { what, rest: value.into() }
    }

    fn take(&mut self, len: usize) -> Result<Bytes, LiveError> {
        if len > self.rest.len() { Err(self.corrupt()) } else { Ok(self.rest.split_to(len)) }
    }

    fn text<T: std::str::FromStr>(&mut self, len: usize) -> Result<T, LiveError> {
        let taken = self.take(len)?;
        std::str::from_utf8(&taken).ok().and_then(|text| text.parse().ok()).ok_or_else(|| self.corrupt())
    }

    fn uuid(&mut self) -> Result<Uuid, LiveError> {
        uuid(&self.take(36)?)
    }

    fn moment(&mut self) -> Result<Moment, LiveError> {
        self.text(16).map(Moment::from_micros)
    }

    fn corrupt(&self) -> LiveError {
        LiveError::Corrupt { what: self.what }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bytes() -> impl Strategy<Value = Vec<u8>> {
        proptest::collection::vec(any::<u8>(), 0..200)
    }

    proptest! {
        #[test]
        fn tickets_survive(
            ids in any::<[u128; 2]>(), times in any::<[i64; 2]>(),
            pools in proptest::collection::vec("[^\\p{Cc}]{1,40}", 1..17), standing in bytes(), payload in bytes(),
        ) {
            let [since, expires_at] = times.map(Moment::from_micros);
            let [id, owner] = ids.map(Uuid::from_u128);
            let (standing, payload) = (standing.into(), payload.into());
            let written = Ticket { id, owner, pools, standing, payload, since, expires_at };
            prop_assert_eq!(ticket(id, body(&written)).unwrap(), written);
        }

        #[test]
        fn deadlines_survive(key in any::<u128>(), revision: u64, due: i64, payload in bytes()) {
            let key = Uuid::from_u128(key);
            let due = Moment::from_micros(due);
            let written = Deadline { queue: "q".to_owned(), key, revision, due, payload: payload.into() };
            let read = deadline("q", key.to_string().as_bytes(), entry(&written)).unwrap();
            prop_assert_eq!(read, written);
        }

        #[test]
        fn foreign_values_are_errors_not_panics(value in bytes()) {
            let _ = ticket(Uuid::nil(), value.clone()).map(|ticket| state(ticket, value.clone()));
            let _ = pending(&value, value.clone(), Moment::MIN);
            let _ = change(Uuid::nil(), &value);
            let _ = cursor(&value);
            let _ = deadline("q", &value, value.clone());
        }
    }
}
