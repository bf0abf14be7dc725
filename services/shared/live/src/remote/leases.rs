//! Leases in Redis.

use async_trait::async_trait;
use uuid::Uuid;

use super::{Remote, keep_ms};
use crate::{LeaseStore, LiveError, Moment, limits};

#[async_trait]
impl LeaseStore for Remote {
    async fn lease(&self, name: &str, owner: Uuid, now: Moment, until: Moment) -> Result<bool, LiveError> {
        limits::name("lease", name)?;
        Ok(self
            .scripts
            .lease
            .key(self.keys.lease(name))
            .arg(owner.to_string())
            .arg(now.to_string())
            .arg(until.to_string())
            .arg(keep_ms(until.since(now)))
            .invoke_async(&mut self.connection())
            .await?)
    }

    async fn release(&self, name: &str, owner: Uuid) -> Result<bool, LiveError> {
        limits::name("lease", name)?;
        Ok(self
            .scripts
            .release
            .key(self.keys.lease(name))
            .arg(owner.to_string())
            .invoke_async(&mut self.connection())
            .await?)
    }
}
