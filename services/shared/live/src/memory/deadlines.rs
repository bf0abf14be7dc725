//! Deadlines in memory.

use std::collections::{BTreeSet, HashMap};

use async_trait::async_trait;
use uuid::Uuid;

use super::Memory;
use crate::{Deadline, DeadlineStore, LiveError, Moment, limits};

#[async_trait]
impl DeadlineStore for Memory {
    async fn set_deadline(&self, deadline: Deadline) -> Result<bool, LiveError> {
        deadline.check()?;
        self.deadlines.lock().set(deadline, self.limits.queue_deadlines)
    }

    async fn deadline(&self, queue: &str, key: Uuid) -> Result<Option<Deadline>, LiveError> {
        limits::name("queue", queue)?;
        Ok(self.deadlines.lock().get(queue, key))
    }

    async fn take_due(
        &self,
        queue: &str,
        now: Moment,
        lease_until: Moment,
        max: u32,
    ) -> Result<Vec<Deadline>, LiveError> {
        limits::name("queue", queue)?;
        Ok(self.deadlines.lock().take(queue, now, lease_until, limits::batch(max)))
    }

    async fn clear_deadline(&self, queue: &str, key: Uuid, revision: u64) -> Result<bool, LiveError> {
        limits::name("queue", queue)?;
        Ok(self.deadlines.lock().clear(queue, key, revision))
    }

    async fn next_due(&self, queue: &str) -> Result<Option<Moment>, LiveError> {
        limits::name("queue", queue)?;
        Ok(self.deadlines.lock().next(queue))
    }
}

/// The queues; none is empty.
#[derive(Debug, Default)]
pub(super) struct Deadlines(HashMap<String, Queue>);

#[derive(Debug, Default)]
struct Queue {
    /// Each deadline, and from when on it is handed out.
    entries: HashMap<Uuid, (Deadline, Moment)>,
    /// The same moments, in order.
    free: BTreeSet<(Moment, Uuid)>,
}

impl Deadlines {
    fn set(&mut self, deadline: Deadline, queue_max: u32) -> Result<bool, LiveError> {
        let queue = match self.0.get_mut(&deadline.queue) {
            Some(queue) => queue,
            None => self.0.entry(deadline.queue.clone()).or_default(),
        };
        match queue.entries.get(&deadline.key) {
            Some((old, _)) if old.revision >= deadline.revision => return Ok(false),
            Some(&(_, free)) => queue.free.remove(&(free, deadline.key)),
            None if queue.entries.len() >= queue_max as usize => {
                return Err(LiveError::Full { what: "deadlines" });
            }
            None => false,
        };
        let (key, due) = (deadline.key, deadline.due);
        queue.free.insert((due, key));
        queue.entries.insert(key, (deadline, due));
        Ok(true)
    }

    fn get(&self, queue: &str, key: Uuid) -> Option<Deadline> {
        self.0.get(queue)?.entries.get(&key).map(|(deadline, _)| deadline.clone())
    }

    fn take(&mut self, queue: &str, now: Moment, until: Moment, max: usize) -> Vec<Deadline> {
        let Some(queue) = self.0.get_mut(queue) else { return Vec::new() };
        let due: Vec<_> = queue.free.range(..=(now, Uuid::max())).take(max).copied().collect();
        let lease = |(at, key): (Moment, Uuid)| {
            let (deadline, free) = queue.entries.get_mut(&key)?;
            queue.free.remove(&(at, key));
            queue.free.insert((until, key));
            *free = until;
            Some(deadline.clone())
        };
        due.into_iter().filter_map(lease).collect()
    }

    fn clear(&mut self, name: &str, key: Uuid, revision: u64) -> bool {
        let Some(queue) = self.0.get_mut(name) else { return false };
        match queue.entries.get(&key) {
            Some(&(ref deadline, free)) if deadline.revision <= revision => {
                queue.free.remove(&(free, key));
                queue.entries.remove(&key);
            }
            _ => return false,
        }
        if queue.entries.is_empty() {
            self.0.remove(name);
        }
        true
    }

    fn next(&self, queue: &str) -> Option<Moment> {
        self.0.get(queue)?.free.first().map(|(free, _)| *free)
    }
}
