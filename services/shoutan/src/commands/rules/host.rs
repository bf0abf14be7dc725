//! What the engine needs of the world: files, chance and time.

use std::{
    io::{IsTerminal as _, Read as _},
    ops::ControlFlow,
    path::Path,
    time::Duration,
};

use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};
use rules::engine::Host;
use tokio::time::Instant;

use crate::commands::regular_file;

/// No record of any variant is longer.
pub(super) const FILE_BYTES_MAX: u64 = 4 << 20;

/// How many sequences are counted between two looks at the clock; a few milliseconds.
const COUNTED_BETWEEN_LOOKS: u64 = 1 << 14;

/// How often a person at the terminal is told how far a count has come.
const TELL_EVERY: Duration = Duration::from_secs(1);

/// Reads files, throws dice by a seed, and gives up counts that take too long.
#[derive(Debug)]
pub(super) struct FileHost {
    chance: StdRng,
    patience: Duration,
    count: Option<Count>,
}

/// A count that is going on.
#[derive(Debug)]
struct Count {
    began: Instant,
    told: Instant,
    counted: u64,
    looked_at: u64,
}

impl FileHost {
    /// A host with this seed and so much patience with a count.
    pub(super) fn new(seed: u64, patience_seconds: u64) -> FileHost {
        let patience = Duration::from_secs(patience_seconds);
        FileHost { chance: StdRng::seed_from_u64(seed), patience, count: None }
    }

    /// The bytes of a file.
    ///
    /// # Errors
    /// It cannot be read, is no regular file, or is longer than [`FILE_BYTES_MAX`].
    pub(super) fn bytes(name: &str) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        regular_file::open(Path::new(name))
            .and_then(|opened| opened.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes))
            .map_err(|error| format!("{name}: {error}"))?;
        if bytes.len() as u64 > FILE_BYTES_MAX {
            return Err(format!("{name} is longer than any record"));
        }
        Ok(bytes)
    }
}

impl Host for FileHost {
    fn counting(&mut self, counted: u64) -> ControlFlow<()> {
        // A smaller number than the last one belongs to another count.
        if self.count.as_ref().is_none_or(|count| counted < count.counted) {
            let now = Instant::now();
            self.count = Some(Count { began: now, told: now, counted, looked_at: counted });
        }
        let Some(count) = &mut self.count else { return ControlFlow::Continue(()) };
        count.counted = counted;
        if counted < count.looked_at + COUNTED_BETWEEN_LOOKS {
            return ControlFlow::Continue(());
        }
        count.looked_at = counted;
        let now = Instant::now();
        if now.duration_since(count.began) > self.patience {
            self.count = None;
            return ControlFlow::Break(());
        }
        if now.duration_since(count.told) >= TELL_EVERY {
            count.told = now;
            tell(counted);
        }
        ControlFlow::Continue(())
    }

    fn below(&mut self, bound: usize) -> usize {
        if bound == 0 { 0 } else { self.chance.random_range(0..bound) }
    }

    fn read(&mut self, name: &str) -> Result<Vec<u8>, String> {
        FileHost::bytes(name)
    }
}

#[expect(clippy::print_stderr, reason = "progress is for the person at the terminal, not for the protocol")]
fn tell(counted: u64) {
    if std::io::stderr().is_terminal() {
        eprintln!("{counted} so far");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_is_given_up_when_patience_ends() {
        let mut host = FileHost::new(0, 0);
        let steps = (0..1000).map(|n| n * COUNTED_BETWEEN_LOOKS);
        let stopped = steps.clone().any(|counted| host.counting(counted).is_break());
        assert!(stopped);
        let mut patient = FileHost::new(0, u64::from(u32::MAX));
        assert!(steps.into_iter().all(|counted| patient.counting(counted).is_continue()));
    }

    #[test]
    fn the_same_seed_throws_the_same_dice() {
        let throw = |seed| {
            let mut host = FileHost::new(seed, 1);
            (0..20).map(|_| host.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(throw(7), throw(7));
        assert_ne!(throw(7), throw(8));
        assert_eq!(FileHost::new(0, 1).below(0), 0);
    }
}
