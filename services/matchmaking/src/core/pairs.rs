//! Who plays whom.

use std::time::Duration;

use chassis::id::AccountId;
use time::OffsetDateTime;

use super::Window;

mod band;
#[cfg(test)]
mod tests;

/// What a second of waiting is worth, in rating points: whoever has waited longer is left over only if
/// that makes the games so much more even.
const POINTS_A_SECOND: u64 = 10;
/// The most that waiting is worth, reached after a minute, when the window is open anyway.
const POINTS_MAX: u64 = 600;

/// A ticket, as far as it matters to pairing.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// Whose it is. Nobody plays himself.
    pub owner: AccountId,
    /// His rating, rounded.
    pub rating: i32,
    /// Since when he waits.
    pub since: OffsetDateTime,
    /// What he accepts.
    pub window: Window,
}

/// A candidate at a moment: everything that does not depend on the opponent is worked out.
#[derive(Clone, Copy, Debug)]
struct Seeker {
    owner: AccountId,
    rating: i32,
    /// The difference he accepts now.
    window: u32,
    /// What his waiting is worth, in rating points.
    urgency: u32,
    index: usize,
}

/// Pairs candidates at a moment and gives the pairs as indices into `candidates`.
///
/// Two candidates are paired only if the difference of their ratings lies within both their windows and they
/// are not the same player. Nobody is paired twice, and no two candidates are left over who accept each
/// other. Among near neighbours in rating as many as possible are paired, and among such pairings the
/// one with the least sum of differences, less what the waiting of the paired is worth.
///
/// It sorts by rating and looks at each candidate's three next neighbours only, so that its time is
/// proportional to the number of candidates, their sorting aside.
pub fn pairs(candidates: &[Candidate], now: OffsetDateTime) -> Vec<(usize, usize)> {
    let seekers = by_rating(candidates, now);
    let mut paired = vec![false; seekers.len()];
    let mut found = band::best(&seekers);
    for &(one, other) in &found {
        paired[one] = true;
        paired[other] = true;
    }
    pair_leftovers(&seekers, &paired, &mut found);
    found.into_iter().map(|(one, other)| (seekers[one].index, seekers[other].index)).collect()
}

impl Seeker {
    fn accepts(&self, other: &Seeker) -> bool {
        let difference = self.rating.abs_diff(other.rating);
        difference <= self.window && difference <= other.window && self.owner != other.owner
    }
}

fn by_rating(candidates: &[Candidate], now: OffsetDateTime) -> Vec<Seeker> {
    let mut order: Vec<(i32, usize)> =
        candidates.iter().enumerate().map(|(index, candidate)| (candidate.rating, index)).collect();
    order.sort_unstable();
    let seeker = |(rating, index): (i32, usize)| {
        let candidate = &candidates[index];
        let waited = Duration::try_from(now - candidate.since).unwrap_or_default();
        Seeker {
            owner: candidate.owner,
            rating,
            window: candidate.window.after(waited),
            urgency: urgency(waited),
            index,
        }
    };
    order.into_iter().map(seeker).collect()
}

fn urgency(waited: Duration) -> u32 {
    let waited_ms = u64::try_from(waited.as_millis()).unwrap_or(u64::MAX);
    let points = (waited_ms.saturating_mul(POINTS_A_SECOND) / 1000).min(POINTS_MAX);
    u32::try_from(points).expect("at most POINTS_MAX")
}

/// Pairs whoever is left over with the nearest lower one that is left over, too.
///
/// What it keeps unpaired never accept each other, so they are at least the narrowest window apart and it
/// has few to look back at.
fn pair_leftovers(seekers: &[Seeker], paired: &[bool], found: &mut Vec<(usize, usize)>) {
    let mut kept: Vec<usize> = Vec::new();
    for (place, seeker) in seekers.iter().enumerate().filter(|(place, _)| !paired[*place]) {
        let in_reach = |lower: &usize| seekers[*lower].rating.abs_diff(seeker.rating) <= seeker.window;
        let lower = kept.iter().enumerate().rev().take_while(|(_, lower)| in_reach(lower));
        match lower.map(|(slot, lower)| (slot, *lower)).find(|(_, lower)| seekers[*lower].accepts(seeker)) {
            Some((slot, lower)) => {
                kept.remove(slot);
                found.push((lower, place));
            }
            None => kept.push(place),
        }
    }
}
