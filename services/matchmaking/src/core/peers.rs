//! Which replica pairs in which pools.

use sha2::{Digest as _, Sha256};
use uuid::Uuid;

/// The replicas that pair, this one among them, as far as it knows.
///
/// Pools of one variant are one replica's: somebody who waits in several of them is proposed by that one alone. Each replica
/// gives every variant to the same one of them, whichever order they are in, and when one comes or goes only its own move (rendezvous
/// hashing).
#[derive(Clone, Debug, Default)]
pub struct Peers {
    own: Option<Uuid>,
    others: Vec<Uuid>,
}

impl Peers {
    /// A replica, and those that are there; whether it is named among them does not matter.
    pub fn new(own: Uuid, there: impl IntoIterator<Item = Uuid>) -> Self {
        Peers { own: Some(own), others: there.into_iter().filter(|other| *other != own).collect() }
    }

    /// Whether this replica is the one that pairs in a pool.
    pub fn is_mine(&self, pool: &str) -> bool {
        self.owner(pool).is_some_and(|owner| self.is_own(owner))
    }

    /// Whether this is the replica whose peers these are.
    pub fn is_own(&self, replica: Uuid) -> bool {
        self.own == Some(replica)
    }

    /// The replica that pairs in a pool; `None` as long as this one knows of no replica.
    pub fn owner(&self, pool: &str) -> Option<Uuid> {
        let variant = pool.split('|').next().unwrap_or_default();
        let weight = |replica: &Uuid| Sha256::new().chain_update(variant).chain_update(replica).finalize();
        let replicas = self.own.iter().chain(&self.others).copied();
        replicas.map(|replica| (weight(&replica), replica)).max().map(|(_, replica)| replica)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const VARIANTS: [&str; 5] = ["go", "jiu", "jirige", "tianyi", "jpd"];

    /// Which of some replicas pairs each variant; nobody else does.
    fn owners(replicas: &[Uuid]) -> Vec<Uuid> {
        let of = |variant: &str| {
            let pools = [format!("{variant}|a||5m|rated"), format!("{variant}|b|size=9|1h|casual")];
            let peers = replicas.iter().map(|own| (*own, Peers::new(*own, replicas.iter().copied())));
            let mine: Vec<Uuid> =
                peers.filter(|(_, peers)| peers.is_mine(&pools[0])).map(|(own, _)| own).collect();
            let [owner] = mine[..] else { panic!("one of them, not {mine:?}") };
            assert!(Peers::new(owner, replicas.iter().copied()).is_mine(&pools[1]), "all pools of a variant");
            let told = replicas.iter().map(|own| Peers::new(*own, replicas.iter().copied()).owner(&pools[0]));
            assert!(told.into_iter().all(|told| told == Some(owner)), "all say the same");
            owner
        };
        VARIANTS.iter().map(|variant| of(variant)).collect()
    }

    #[test]
    fn who_knows_nobody_pairs_nothing_and_who_is_alone_pairs_all() {
        assert!(!Peers::default().is_mine("go|"));
        assert_eq!(Peers::default().owner("go|"), None);
        assert!(VARIANTS.iter().all(|variant| Peers::new(Uuid::from_u128(1), []).is_mine(variant)));
    }

    proptest! {
        /// Every variant has one replica, and only those of who goes move.
        #[test]
        fn each_variant_is_one_replicas(replicas in prop::collection::btree_set(any::<u128>(), 1..6), gone: prop::sample::Index) {
            let replicas: Vec<Uuid> = replicas.into_iter().map(Uuid::from_u128).collect();
            let before = owners(&replicas);
            let gone = replicas[gone.index(replicas.len())];
            let left: Vec<Uuid> = replicas.iter().copied().filter(|replica| *replica != gone).collect();
            if !left.is_empty() {
                for (before, after) in before.into_iter().zip(owners(&left)) {
                    prop_assert!(before == gone || before == after);
                }
            }
        }
    }
}
