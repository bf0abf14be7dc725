//! What a platform holds: memory and descriptors.

use anyhow::Context as _;
use tests::Platform;

/// What more memory may be held than before: what the allocator keeps of a busy minute.
const MEMORY_SLACK_KIB: i64 = 24 * 1024;
/// What more descriptors may be held than before: connections of a pool that come and go.
const HANDLES_SLACK: i64 = 16;

/// What the processes of a platform hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Remains {
    /// Resident memory.
    pub memory_kib: i64,
    /// Open descriptors.
    pub handles: i64,
}

impl Remains {
    /// What they hold now.
    pub(crate) fn of(platform: &Platform) -> anyhow::Result<Self> {
        let mut remains = Remains { memory_kib: 0, handles: 0 };
        for id in platform.process_ids() {
            let status = std::fs::read_to_string(format!("/proc/{id}/status"))?;
            let line = status.lines().find(|line| line.starts_with("VmRSS:")).context("no VmRSS")?;
            remains.memory_kib += line.split_whitespace().nth(1).context("no number")?.parse::<i64>()?;
            remains.handles += i64::try_from(std::fs::read_dir(format!("/proc/{id}/fd"))?.count())?;
        }
        Ok(remains)
    }

    /// Whether it is what it was before, but for what is not worth a word.
    pub(crate) const fn is_back_to(&self, before: &Remains) -> bool {
        self.memory_kib <= before.memory_kib + MEMORY_SLACK_KIB
            && self.handles <= before.handles + HANDLES_SLACK
    }
}
