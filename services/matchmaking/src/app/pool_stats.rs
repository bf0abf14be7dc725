//! What a process knows of its pools by watching them: how full they are and how long one waits in them.

use std::{collections::HashMap, time::Duration};

use parking_lot::Mutex;

use crate::core::{RecentWaits, Settings};

/// For how many pools waits are remembered. Beyond it the pools without anybody are forgotten.
const POOLS_MAX: usize = 10_000;

/// What is known of the pools. It is nobody's truth: everything on it only serves to tell players what to expect.
#[derive(Debug, Default)]
pub(crate) struct PoolStats(Mutex<HashMap<String, Pool>>);

#[derive(Debug, Default)]
struct Pool {
    size: u32,
    waits: RecentWaits,
}

impl PoolStats {
    /// Notes how many wait in each pool; in any other nobody does.
    pub(crate) fn note_sizes(&self, sizes: &[(String, u32)]) {
        let mut pools = self.0.lock();
        pools.values_mut().for_each(|pool| pool.size = 0);
        for (pool, size) in sizes {
            pools.entry(pool.clone()).or_default().size = *size;
        }
        if pools.len() > POOLS_MAX {
            pools.retain(|_, pool| pool.size > 0);
        }
    }

    /// Notes how long players of a pool waited until they were matched.
    pub(crate) fn note_waits(&self, pool: &str, waits: impl IntoIterator<Item = Duration>) {
        let mut pools = self.0.lock();
        let pool = pools.entry(pool.to_owned()).or_default();
        waits.into_iter().for_each(|waited| pool.waits.add(waited));
    }

    /// How many wait in a pool in which at least one does, and how long one who has waited so long will
    /// still wait.
    pub(crate) fn estimate(&self, settings: &Settings, waited: Duration) -> (u32, Option<Duration>) {
        let pools = self.0.lock();
        let pool = pools.get(&settings.to_string());
        (pool.map_or(1, |pool| pool.size.max(1)), pool.and_then(|pool| pool.waits.remaining(waited)))
    }
}
