//! Who is told that somebody has arrived: the replica that pairs him. The others hear of it when they look by themselves.

use std::{collections::BTreeSet, mem, sync::Arc};

use live::{LiveError, Received, Subscription};
use parking_lot::Mutex;
use tokio::sync::Notify;
use uuid::Uuid;

use super::{Tickets, blocks};
use crate::core::Peers;

/// Which replica pairs where, as this one knows it, and which of them are to hear of arrivals.
#[derive(Debug, Default)]
pub(crate) struct Arrivals {
    peers: Mutex<Arc<Peers>>,
    unheard: Mutex<BTreeSet<Uuid>>,
    /// Rung when somebody arrives whom this replica pairs.
    pub here: Arc<Notify>,
    /// Rung when others are to hear of arrivals.
    pub elsewhere: Arc<Notify>,
}

impl Arrivals {
    /// Who pairs where.
    pub(super) fn peers(&self) -> Arc<Peers> {
        Arc::clone(&self.peers.lock())
    }

    /// These pair from now on.
    pub(super) fn meet(&self, peers: Peers) {
        *self.peers.lock() = Arc::new(peers);
    }

    /// Somebody has arrived in these pools: has every replica look that pairs in one of them.
    pub(super) fn note(&self, pools: impl Iterator<Item = String>) {
        let peers = self.peers();
        let mut others = BTreeSet::new();
        for pool in pools {
            match peers.owner(&pool) {
                Some(owner) if !peers.is_own(owner) => {
                    others.insert(owner);
                }
                _ => self.here.notify_one(),
            }
        }
        if !others.is_empty() {
            self.unheard.lock().append(&mut others);
            self.elsewhere.notify_one();
        }
    }
}

/// Has the pools passed over when somebody arrives at another replica whom this one pairs, until that is heard no more or the
/// process stops.
pub(super) async fn follow(tickets: Arc<Tickets>) -> Result<(), LiveError> {
    let Some(mut arrivals) = tickets.queue.arrivals().await? else { return Ok(()) };
    while hear(&tickets, &mut arrivals).await.is_some() {
        tickets.arrivals.here.notify_one();
    }
    Ok(())
}

/// Takes note of blocks that other replicas tell of, until they are heard no more or the process stops.
pub(super) async fn follow_blocks(tickets: Arc<Tickets>) -> Result<(), LiveError> {
    let Some(mut told) = tickets.queue.blocks().await? else { return Ok(()) };
    while let Some(received) = hear(&tickets, &mut told).await {
        match received {
            Received::Message(message) if !message.is_empty() => blocks::note(&tickets, &message),
            // A replica of the version before says so that somebody has arrived; and who has missed something looks.
            _ => tickets.arrivals.here.notify_one(),
        }
    }
    Ok(())
}

/// What comes next; `None` when nothing does any more.
async fn hear(tickets: &Tickets, told: &mut Subscription) -> Option<Received> {
    let received = tickets.stop.run_until_cancelled(told.recv()).await?;
    (received != Received::Closed).then_some(received)
}

/// Tells other replicas that somebody has arrived here whom they pair. Those who arrive while that is being said are told of by the
/// next.
pub(super) async fn announce(tickets: Arc<Tickets>) -> Result<(), LiveError> {
    let unheard = mem::take(&mut *tickets.arrivals.unheard.lock());
    for replica in unheard {
        tickets.queue.announce_to(replica).await;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    fn rung(bell: &Notify) -> bool {
        bell.notified().now_or_never().is_some()
    }

    fn pools(variants: &[&str]) -> impl Iterator<Item = String> {
        variants.iter().map(|variant| format!("{variant}|a||5m|rated")).collect::<Vec<_>>().into_iter()
    }

    #[test]
    fn only_those_look_who_pair_whoever_has_arrived() {
        let arrivals = Arrivals::default();
        arrivals.note(pools(&["go"]));
        assert!(rung(&arrivals.here) && !rung(&arrivals.elsewhere), "nobody else is known yet");
        let replicas = [1, 2, 3].map(Uuid::from_u128);
        let owner = |variant: &str| Peers::new(replicas[0], replicas).owner(variant).expect("one of them");
        let named = |is_mine: bool| {
            let variants = (0..).map(|number| format!("variant{number}"));
            variants.filter(|variant| (owner(variant) == replicas[0]) == is_mine).take(9).collect::<Vec<_>>()
        };
        let (own, foreign) = (named(true), named(false));
        arrivals.meet(Peers::new(replicas[0], replicas));
        arrivals.note(pools(&[&own[0], &own[1]]));
        assert!(rung(&arrivals.here) && !rung(&arrivals.elsewhere));
        arrivals.note(pools(&[&foreign[0]]));
        assert!(!rung(&arrivals.here) && rung(&arrivals.elsewhere));
        assert_eq!(*arrivals.unheard.lock(), BTreeSet::from([owner(&foreign[0])]));
        let all: Vec<&str> = own.iter().chain(&foreign).map(String::as_str).collect();
        arrivals.note(pools(&all));
        assert!(rung(&arrivals.here) && rung(&arrivals.elsewhere));
        let others: BTreeSet<Uuid> = foreign.iter().map(|variant| owner(variant)).collect();
        assert_eq!(*arrivals.unheard.lock(), others, "each of them once");
    }
}
