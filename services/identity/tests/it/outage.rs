//! A live state that does not answer.

use std::sync::Arc;

use async_trait::async_trait;
use live::{
    Live, LiveError,
    testing::{Call, Hook},
};

/// Fails whatever it is asked.
#[derive(Debug)]
pub(crate) enum Outage {
    /// It says so at once.
    Gone,
    /// It never says anything.
    Silent,
}

#[async_trait]
impl Hook for Outage {
    async fn reach(&self, _call: Call) -> Result<Arc<dyn Live>, LiveError> {
        match self {
            Outage::Gone => Err(LiveError::unavailable("nobody is there")),
            Outage::Silent => std::future::pending().await,
        }
    }
}
