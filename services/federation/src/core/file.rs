//! Files that are sent in parts.

use std::time::Duration;

use chassis::{
    id::{FederationId, FileId},
    limit::{Amount, Limit},
};

use super::refusal::Refusal;

/// The largest file: a report of a tournament with as many players and rounds as there may be.
pub const FILE_BYTES_MAX: u64 = 32 << 20;
/// The largest part of a file: a quarter of what a message may have.
pub const PART_BYTES_MAX: usize = 1 << 20;
/// Files of an account that wait to be imported.
pub const FILES_PER_ACCOUNT_MAX: u64 = 8;
/// Files that wait to be imported.
pub const FILES_MAX: u64 = 10_000;
/// Bytes of all files that wait to be imported.
pub const FILES_BYTES_MAX: u64 = 2 << 30;
/// How long a file is kept.
pub const FILES_KEPT: Duration = Duration::from_hours(24);

/// What is taken of files, and no more.
pub const LIMITS: &[Limit] = &[
    Limit {
        name: "bytes of a file that is sent in parts",
        amount: Amount::Bytes(FILE_BYTES_MAX),
        setting: None,
        reason: "a report of ten thousand players over a hundred rounds has less; it is imported in memory",
    },
    Limit {
        name: "bytes of a part of a file",
        amount: Amount::Bytes(PART_BYTES_MAX as u64),
        setting: None,
        reason: "a quarter of what a message may have; a line that breaks costs no more than that",
    },
    Limit {
        name: "files of an account that wait to be imported",
        amount: Amount::Count(FILES_PER_ACCOUNT_MAX),
        setting: None,
        reason: "a few events at once; they are in the database",
    },
    Limit {
        name: "files that wait to be imported",
        amount: Amount::Count(FILES_MAX),
        setting: None,
        reason: "they are counted for each that begins",
    },
    Limit {
        name: "bytes of all files that wait to be imported",
        amount: Amount::Bytes(FILES_BYTES_MAX),
        setting: None,
        reason: "whoever founds federations to fill the disk gets no further",
    },
    Limit {
        name: "time for which a file that was sent is kept",
        amount: Amount::Time(FILES_KEPT),
        setting: None,
        reason: "whoever looks through a preview takes it in the same day",
    },
];

/// What was said of a file with its first part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// For which federation.
    pub federation: FederationId,
    /// Its size in bytes.
    pub size: u64,
    /// SHA-256 of all of it.
    pub sha256: [u8; 32],
}

/// A part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Of which file of the caller's.
    pub file: FileId,
    /// What is said of the file.
    pub of: Sent,
    /// How many bytes are before it.
    pub offset: u64,
    /// Its bytes.
    pub data: Vec<u8>,
}

impl Part {
    /// What of it is new: the bytes after those that are there already. `known` is what was said of the file before, and
    /// how much of it is there.
    ///
    /// # Errors
    /// When it contradicts what was said before, leaves a gap, or goes beyond the end.
    pub fn news(&self, known: Option<(&Sent, u64)>) -> Result<&[u8], Refusal> {
        let received = known.map_or(0, |(_, received)| received);
        if !(1..=FILE_BYTES_MAX).contains(&self.of.size) {
            return Err(Refusal::BadFile("a file has a byte at least, and 32 MiB at most"));
        }
        if known.is_some_and(|(sent, _)| *sent != self.of) {
            return Err(Refusal::BadFile("its federation, size or hash is not what was said first"));
        }
        if self.data.len() > PART_BYTES_MAX {
            return Err(Refusal::BadFile("a part has 1 MiB at most"));
        }
        let end = self.offset.checked_add(self.data.len() as u64).filter(|end| *end <= self.of.size);
        let end = end.ok_or(Refusal::BadFile("the part goes beyond the end of the file"))?;
        if self.data.is_empty() || end <= received {
            return Ok(&[]);
        }
        if self.offset > received {
            return Err(Refusal::BadOffset(received));
        }
        // It fits: the offset is not beyond what is there, and the end is.
        let there = usize::try_from(received - self.offset).unwrap_or(self.data.len());
        Ok(self.data.get(there..).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    fn part(size: u64, offset: u64, data: &[u8]) -> Part {
        let of = Sent { federation: Uuid::from_u128(1).into(), size, sha256: [0; 32] };
        Part { file: Uuid::from_u128(2).into(), of, offset, data: data.to_vec() }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let of = |part: &Part| part.of.clone();
        for (size, offset, bytes) in [(0, 0, 0), (FILE_BYTES_MAX + 1, 0, 1), (4, 3, 2), (4, u64::MAX, 1)] {
            let bad = part(size, offset, &vec![0; bytes]);
            assert!(matches!(bad.news(None), Err(Refusal::BadFile(_))), "{size} {offset} {bytes}");
        }
        let large = part(FILE_BYTES_MAX, 0, &vec![0; PART_BYTES_MAX + 1]);
        assert!(matches!(large.news(None), Err(Refusal::BadFile(_))));
        let later = part(9, 4, &[1]);
        assert_eq!(later.news(Some((&of(&later), 3))), Err(Refusal::BadOffset(3)));
        let other = Sent { size: 8, ..of(&later) };
        assert!(matches!(later.news(Some((&other, 4))), Err(Refusal::BadFile(_))));
    }

    proptest! {
        #[test]
        fn parts_in_any_order_make_the_file_or_ask_for_what_is_missing(
            file in prop::collection::vec(any::<u8>(), 1..40),
            cuts in prop::collection::vec((0_usize..40, 0_usize..40), 0..60),
        ) {
            let mut there: Vec<u8> = Vec::new();
            for (one, other) in cuts.into_iter().chain([(0, file.len())]) {
                let (from, to) = (one.min(other).min(file.len()), one.max(other).min(file.len()));
                let part = part(file.len() as u64, from as u64, &file[from..to]);
                let sent = part.of.clone();
                match part.news(Some((&sent, there.len() as u64))) {
                    Ok(news) => there.extend_from_slice(news),
                    Err(refusal) => prop_assert_eq!(refusal, Refusal::BadOffset(there.len() as u64)),
                }
                prop_assert!(file.starts_with(&there));
            }
            prop_assert_eq!(there, file);
        }
    }
}
