//! Latencies and memory.

use std::time::Duration;

use anyhow::Context as _;
use tests::Platform;

/// What a series of calls took.
#[derive(Clone, Debug)]
pub(crate) struct Summary {
    sorted: Vec<Duration>,
    /// Calls a second, all callers together.
    pub per_s: f64,
}

impl Summary {
    /// The summary of latencies that were measured within a time.
    pub(crate) fn new(mut latencies: Vec<Duration>, within: Duration) -> Self {
        latencies.sort_unstable();
        let per_s = latencies.len() as f64 / within.as_secs_f64();
        Summary { sorted: latencies, per_s }
    }

    /// The median.
    pub(crate) fn p50_ms(&self) -> f64 {
        self.percentile_ms(50)
    }

    /// What 99 of 100 stay under.
    pub(crate) fn p99_ms(&self) -> f64 {
        self.percentile_ms(99)
    }

    /// The longest.
    pub(crate) fn longest_ms(&self) -> f64 {
        self.percentile_ms(100)
    }

    fn percentile_ms(&self, percent: usize) -> f64 {
        let index = (self.sorted.len() * percent / 100).min(self.sorted.len().saturating_sub(1));
        self.sorted.get(index).map_or(f64::NAN, |latency| latency.as_secs_f64() * 1000.0)
    }
}

/// The resident memory of a platform's processes, in KiB.
pub(crate) fn memory_kib(platform: &Platform) -> anyhow::Result<u64> {
    platform
        .process_ids()
        .into_iter()
        .map(|id| {
            let status = std::fs::read_to_string(format!("/proc/{id}/status"))?;
            let line = status.lines().find(|line| line.starts_with("VmRSS:")).context("no VmRSS")?;
            let number = line.split_whitespace().nth(1).context("no number")?;
            Ok(number.parse::<u64>()?)
        })
        .sum()
}
