//! Why something could not be stored or read.

use sea_orm::DbErr;

use crate::core::Corrupt;

/// A stored or received message that is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("malformed message: {0}")]
pub struct Malformed(pub &'static str);

/// Why something could not be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StoreError {
    /// The database did not answer.
    #[error("the database did not answer")]
    Driver(#[from] DbErr),
    /// The database holds something that this service never wrote.
    #[error("an event cannot be decoded")]
    Decode(#[from] prost::DecodeError),
    /// Likewise.
    #[error("what was packed cannot be unpacked")]
    Packed,
    /// Likewise.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// Likewise.
    #[error(transparent)]
    Corrupt(#[from] Corrupt),
    /// A key that was written is not there.
    #[error("there is no sealing key")]
    NoKey,
    /// A sealing key cannot be opened.
    #[error(transparent)]
    Vault(#[from] chassis::vault::VaultError),
}

/// Why an append is not known to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum JournalError {
    /// The database could not be written to. Nothing of the append is in the log, nor will be.
    #[error("the log could not be written")]
    Unwritten,
    /// The database failed while it wrote. Whether the events are in the log, or will be, is not known.
    #[error("the log could not be written")]
    Failed,
    /// The database refuses this append and no other: it would do so again. Nothing of it is written.
    #[error("the log does not take this event")]
    Refused,
}
