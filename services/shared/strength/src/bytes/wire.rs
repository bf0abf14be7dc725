//! Numbers as bytes, and back.

use super::BadBytes;
use crate::Id;

/// Writes one thing after the other.
pub(super) struct Writer(pub(super) Vec<u8>);

/// Reads one thing after the other.
pub(super) struct Reader<'a>(&'a [u8]);

/// What has a fixed number of bytes.
pub(super) trait Fixed: Sized {
    /// Its bytes.
    fn put(&self, out: &mut Vec<u8>);
    /// It from the next bytes.
    fn take(bytes: &mut &[u8]) -> Option<Self>;
}

macro_rules! numbers {
    ($($number:ty),+) => {
        $(impl Fixed for $number {
            fn put(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_be_bytes());
            }

            fn take(bytes: &mut &[u8]) -> Option<Self> {
                Some(<$number>::from_be_bytes(*bytes.split_off(..size_of::<$number>())?.first_chunk()?))
            }
        })+
    };
}

numbers!(u8, u16, u32, u64, i32, i64);

impl<const N: usize> Fixed for [u8; N] {
    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        bytes.split_off(..N)?.first_chunk().copied()
    }
}

impl Fixed for bool {
    fn put(&self, out: &mut Vec<u8>) {
        u8::from(*self).put(out);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        match u8::take(bytes)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl<T: Fixed> Fixed for Option<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.is_some().put(out);
        if let Some(value) = self {
            value.put(out);
        }
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        if bool::take(bytes)? { Some(Some(T::take(bytes)?)) } else { Some(None) }
    }
}

impl<A: Fixed, B: Fixed> Fixed for (A, B) {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        Some((A::take(bytes)?, B::take(bytes)?))
    }
}

impl Writer {
    /// Begins with what it is, and in which version.
    pub(super) fn new(what: &[u8], version: u16) -> Writer {
        let mut out = Writer(what.to_vec());
        out.put(&version);
        out
    }

    /// The next thing.
    pub(super) fn put(&mut self, value: &impl Fixed) {
        value.put(&mut self.0);
    }

    /// Rows, after how many there are.
    pub(super) fn rows<T>(&mut self, rows: &[T], mut write: impl FnMut(&mut Writer, &T)) {
        self.put(&u32::try_from(rows.len()).unwrap_or(u32::MAX));
        for row in rows {
            write(self, row);
        }
    }
}

impl<'a> Reader<'a> {
    /// Begins after what it is.
    pub(super) fn new(bytes: &'a [u8], what: &[u8], version: u16) -> Result<Reader<'a>, BadBytes> {
        let rest = bytes.strip_prefix(what).ok_or(BadBytes("something else"))?;
        let mut reader = Reader(rest);
        if reader.take::<u16>()? == version { Ok(reader) } else { Err(BadBytes("of a later version")) }
    }

    /// The next thing.
    pub(super) fn take<T: Fixed>(&mut self) -> Result<T, BadBytes> {
        T::take(&mut self.0).ok_or(BadBytes("it ends too soon, or says what it cannot"))
    }

    /// Rows. Only as many are expected as the bytes that are left can hold.
    pub(super) fn rows<T>(
        &mut self,
        read: impl Fn(&mut Reader<'a>) -> Result<T, BadBytes>,
    ) -> Result<Vec<T>, BadBytes> {
        let count: u32 = self.take()?;
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let mut rows = Vec::with_capacity(count.min(self.0.len() / size_of::<Id>()));
        for _ in 0..count {
            rows.push(read(self)?);
        }
        Ok(rows)
    }
}
