//! The chain of seeds that an event draws its lots from.
//!
//! Whoever runs an event commits to the head of the chain before it begins; every round opens one link. A link's SHA-256
//! is the link before it, and that of the first round's is the head. So nobody can choose a draw after he has seen who
//! entered, and nobody can work out a draw of a round before that round is paired.

use pairing::lots::Seed;
use sha2::{Digest as _, Sha256};

use super::{fact::Digest, settings::ROUNDS_MAX};

/// What the head of a chain is to everybody, made from its secret end.
pub fn head(secret: &Seed) -> Digest {
    link(secret, 0)
}

/// The link that a round opens; 0 is the head.
pub fn link(secret: &Seed, round: u16) -> Seed {
    hashed(*secret, ROUNDS_MAX.saturating_sub(round))
}

/// Whether a link of a round belongs to the link of an earlier round, of which 0 is the head.
pub fn follows(link: &Seed, round: u16, earlier: &Digest, earlier_round: u16) -> bool {
    round > earlier_round && round <= ROUNDS_MAX && hashed(*link, round - earlier_round) == *earlier
}

fn hashed(from: Seed, times: u16) -> Seed {
    (0..times).fold(from, |link, _| Sha256::digest(link).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_link_leads_to_the_head_and_none_to_the_next() {
        let secret = [7; 32];
        let head = head(&secret);
        for round in 1..=ROUNDS_MAX {
            let opened = link(&secret, round);
            assert!(follows(&opened, round, &head, 0), "{round}");
            assert!(!follows(&opened, round, &head, 1), "{round}: another place in the chain");
            let before = link(&secret, round - 1);
            assert!(
                follows(&opened, round, &before, round - 1) && !follows(&before, round, &opened, round - 1)
            );
        }
        let other = link(&[8; 32], 3);
        assert!(!follows(&other, 3, &head, 0));
        assert!(!follows(&secret, ROUNDS_MAX + 1, &head, 0));
    }
}
