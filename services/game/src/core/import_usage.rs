//! How much an account keeps.

/// How much an account has imported, or may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImportUsage {
    /// Records.
    pub records: u64,
    /// Their text, in bytes.
    pub bytes: u64,
}

impl ImportUsage {
    /// Whether one more record, of so many bytes, stays within a quota.
    pub const fn has_room(self, bytes: u64, quota: ImportUsage) -> bool {
        self.records < quota.records && self.bytes + bytes <= quota.bytes
    }
}
