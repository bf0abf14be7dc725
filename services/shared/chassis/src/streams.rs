//! How many streams of one kind each account has at this process.

use std::{collections::HashMap, sync::Arc};

use parking_lot::Mutex;

use crate::id::AccountId;

/// The streams of one kind; clones count the same ones.
#[derive(Clone, Debug, Default)]
pub struct AccountStreams(Arc<Mutex<HashMap<AccountId, usize>>>);

/// One stream of an account, counted until it is dropped.
#[derive(Debug)]
pub struct StreamPlace {
    streams: AccountStreams,
    account: AccountId,
}

impl AccountStreams {
    /// A place for one more stream of an account; none where it has so many.
    pub fn take(&self, account: AccountId, at_most: usize) -> Option<StreamPlace> {
        let mut streams = self.0.lock();
        let taken = streams.get(&account).copied().unwrap_or_default();
        if taken >= at_most {
            return None;
        }
        streams.insert(account, taken + 1);
        drop(streams);
        Some(StreamPlace { streams: self.clone(), account })
    }
}

impl StreamPlace {
    /// Whose it is.
    pub const fn account(&self) -> AccountId {
        self.account
    }
}

impl Drop for StreamPlace {
    fn drop(&mut self) {
        let mut streams = self.streams.0.lock();
        if let Some(taken) = streams.get_mut(&self.account) {
            *taken -= 1;
            if *taken == 0 {
                streams.remove(&self.account);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_account_has_so_many_and_those_that_ended_do_not_count() {
        let streams = AccountStreams::default();
        let [one, other] = [1, 2].map(|id| AccountId::from(uuid::Uuid::from_u128(id)));
        let first = streams.take(one, 2).expect("there is room");
        let second = streams.clone().take(one, 2).expect("there is room");
        assert!(streams.take(one, 2).is_none());
        assert_eq!(streams.take(other, 2).expect("another's").account(), other);
        drop(first);
        let third = streams.take(one, 2).expect("there is room again");
        assert!(streams.take(one, 2).is_none());
        drop((second, third));
        assert!(streams.0.lock().is_empty(), "nothing is kept of who has no stream");
    }
}
