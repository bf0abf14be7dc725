//! What can go wrong with the live state.

use std::{error::Error, sync::Arc};

/// An error of this crate. That something is absent is never an error.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LiveError {
    /// An argument is longer than its limit in [`limits`](crate::limits). Nothing was changed.
    #[error("{what} has length {len}, at most {max} is taken")]
    TooLarge {
        /// The argument, in words.
        what: &'static str,
        /// Its length: bytes, or entries of a list.
        len: usize,
        /// The longest that is taken.
        max: usize,
    },
    /// An argument makes no sense. Nothing was changed.
    #[error("{what} {why}")]
    Invalid {
        /// The argument, in words.
        what: &'static str,
        /// What it must be and is not.
        why: &'static str,
    },
    /// A limit on how much is kept is reached. Nothing was changed.
    #[error("no room for more {what}")]
    Full {
        /// What there is too much of, in words.
        what: &'static str,
    },
    /// The store does not answer. Whether a change was made is unknown: read before doing it again.
    #[error("the live store does not answer")]
    Unavailable(#[source] Arc<dyn Error + Send + Sync>),
    /// The store answers, and refuses (no memory, wrong password, read only). Nothing was changed.
    #[error("the live store refuses")]
    Refused(#[source] Arc<dyn Error + Send + Sync>),
    /// What stands in the store is not what this crate writes: another program uses the same keys.
    #[error("the live store holds a {what} that cannot be read")]
    Corrupt {
        /// What was read, in words.
        what: &'static str,
    },
    /// The configuration cannot be used.
    #[error("live state configuration: {0}")]
    Config(String),
    /// The Redis server of this process could not be started, or ended.
    #[error("own Redis server: {0}")]
    Child(String),
}

impl LiveError {
    /// The store does not answer, because of this.
    pub fn unavailable(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Unavailable(cause.into().into())
    }
}

impl From<redis::RedisError> for LiveError {
    fn from(error: redis::RedisError) -> Self {
        use redis::ErrorKind::{AuthenticationFailed, Extension, Parse, Server, UnexpectedReturnType};
        use redis::ServerErrorKind::{Ask, BusyLoading, ClusterDown, MasterDown, Moved, TryAgain};
        match error.kind() {
            // Keys that move, as in a failover, are followed only for a while.
            Server(Ask | BusyLoading | ClusterDown | MasterDown | Moved | TryAgain) => {
                Self::unavailable(error)
            }
            Server(_) | Extension | AuthenticationFailed => Self::Refused(Arc::new(error)),
            Parse | UnexpectedReturnType => Self::Corrupt { what: "reply" },
            _ => Self::unavailable(error),
        }
    }
}
