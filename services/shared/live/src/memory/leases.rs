//! Leases in memory.

use std::collections::HashMap;

use async_trait::async_trait;
use uuid::Uuid;

use super::Memory;
use crate::limits::{self, LEASES_MAX};
use crate::{LeaseStore, LiveError, Moment};

#[async_trait]
impl LeaseStore for Memory {
    async fn lease(&self, name: &str, owner: Uuid, now: Moment, until: Moment) -> Result<bool, LiveError> {
        limits::name("lease", name)?;
        self.leases.lock().take(name, owner, now, until)
    }

    async fn release(&self, name: &str, owner: Uuid) -> Result<bool, LiveError> {
        limits::name("lease", name)?;
        Ok(self.leases.lock().release(name, owner))
    }
}

/// Who holds what until when.
#[derive(Debug, Default)]
pub(super) struct Leases(HashMap<String, (Uuid, Moment)>);

impl Leases {
    fn take(&mut self, name: &str, owner: Uuid, now: Moment, until: Moment) -> Result<bool, LiveError> {
        if let Some(lease) = self.0.get_mut(name) {
            let (holder, held_until) = *lease;
            if holder != owner && held_until > now {
                return Ok(false);
            }
            *lease = (owner, if holder == owner { until.max(held_until) } else { until });
            return Ok(true);
        }
        if self.0.len() >= LEASES_MAX {
            self.0.retain(|_, (_, held_until)| *held_until > now);
        }
        if self.0.len() >= LEASES_MAX {
            return Err(LiveError::Full { what: "leases" });
        }
        self.0.insert(name.to_owned(), (owner, until));
        Ok(true)
    }

    fn release(&mut self, name: &str, owner: Uuid) -> bool {
        let held = self.0.get(name).is_some_and(|(holder, _)| *holder == owner);
        if held {
            self.0.remove(name);
        }
        held
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lapsed_leases_make_room_and_live_ones_do_not() {
        let mut leases = Leases::default();
        let (owner, now, until) = (Uuid::nil(), Moment::from_micros(1), Moment::from_micros(2));
        for number in 0..LEASES_MAX {
            assert!(leases.take(&number.to_string(), owner, now, until).unwrap());
        }
        assert!(matches!(leases.take("more", owner, now, until), Err(LiveError::Full { .. })));
        assert!(leases.take("more", owner, until, until.plus(std::time::Duration::from_secs(1))).unwrap());
        assert_eq!(leases.0.len(), 1);
    }
}
