//! Many boards at a glance: how each stands last, for those who see it at once and for those who see it later.
//!
//! Nobody is kept a queue. Each change of a board has a number, and who has seen everything up to a number is told those
//! boards whose last change has a greater one, however many changes there were in between.

use std::{
    collections::{BTreeMap, VecDeque},
    time::Duration,
};

use time::OffsetDateTime;

/// For so many moments of the delay it is remembered how a board stood: who sees it later sees it at most so much of the
/// delay too late.
const MOMENTS: u32 = 16;

/// Boards by their tables.
#[derive(Clone, Debug)]
pub struct Overview<S> {
    /// How much later most people see a board.
    delay: Duration,
    at_once: Boards<S>,
    later: Boards<S>,
    /// How boards stood, which is not to be seen yet; the earliest first.
    waiting: BTreeMap<u32, VecDeque<(OffsetDateTime, S)>>,
}

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sees {
    /// Whoever sees boards as they stand.
    AtOnce,
    /// Whoever sees them as they stood.
    Later,
}

/// Boards as they are shown, with the number of the last change of each.
#[derive(Clone, Debug)]
struct Boards<S> {
    shown: BTreeMap<u32, (u64, S)>,
    by_change: BTreeMap<u64, u32>,
    last: u64,
}

impl<S: Clone + PartialEq> Overview<S> {
    /// No boards yet.
    pub fn new(delay: Duration) -> Self {
        Overview { delay, at_once: Boards::default(), later: Boards::default(), waiting: BTreeMap::new() }
    }

    /// A board stands so since `at`.
    pub fn set(&mut self, table: u32, state: &S, at: OffsetDateTime) {
        if !self.at_once.set(table, state) || self.delay.is_zero() {
            return;
        }
        let waiting = self.waiting.entry(table).or_default();
        let slot = (self.delay / MOMENTS).as_nanos().cast_signed().max(1);
        let moment = |at: OffsetDateTime| at.unix_timestamp_nanos().div_euclid(slot);
        // Time goes forward, whatever a clock says.
        let at = waiting.back().map_or(at, |(last, _)| at.max(*last));
        if waiting.back().is_some_and(|(last, _)| moment(*last) == moment(at)) {
            waiting.pop_back();
        }
        waiting.push_back((at, state.clone()));
    }

    /// Shows to everybody what is old enough by now.
    pub fn ripen(&mut self, now: OffsetDateTime) {
        let (delay, later) = (self.delay, &mut self.later);
        self.waiting.retain(|table, waiting| {
            while let Some((_, state)) = waiting.pop_front_if(|(at, _)| *at + delay <= now) {
                later.set(*table, &state);
            }
            !waiting.is_empty()
        });
    }

    /// When the next of it is old enough; none when everybody sees everything.
    pub fn ripens(&self) -> Option<OffsetDateTime> {
        let firsts = self.waiting.values().filter_map(|waiting| waiting.front());
        firsts.map(|(at, _)| *at + self.delay).min()
    }

    /// The boards that have changed after a change, those that did first first, so many at most; and the change up to which
    /// that tells everything.
    pub fn changes(&self, sees: Sees, after: u64, at_most: usize) -> (Vec<S>, u64) {
        let boards = self.boards(sees);
        let mut upto = after;
        let changed = boards.by_change.range(after + 1..).take(at_most).filter_map(|(change, table)| {
            upto = *change;
            boards.shown.get(table).map(|(_, state)| state.clone())
        });
        (changed.collect(), upto)
    }

    /// The number of the last change.
    pub fn last(&self, sees: Sees) -> u64 {
        self.boards(sees).last
    }

    fn boards(&self, sees: Sees) -> &Boards<S> {
        match sees {
            Sees::Later if !self.delay.is_zero() => &self.later,
            Sees::AtOnce | Sees::Later => &self.at_once,
        }
    }
}

impl<S> Default for Boards<S> {
    fn default() -> Self {
        Boards { shown: BTreeMap::new(), by_change: BTreeMap::new(), last: 0 }
    }
}

impl<S: Clone + PartialEq> Boards<S> {
    /// Shows a board so; whether that is a change.
    fn set(&mut self, table: u32, state: &S) -> bool {
        match self.shown.get(&table) {
            Some((_, shown)) if shown == state => return false,
            Some((change, _)) => {
                self.by_change.remove(change);
            }
            None => {}
        }
        self.last += 1;
        self.by_change.insert(self.last, table);
        self.shown.insert(table, (self.last, state.clone()));
        true
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn moment(second: i64) -> OffsetDateTime {
        OffsetDateTime::UNIX_EPOCH + time::Duration::seconds(second)
    }

    proptest! {
        /// Whoever asks now and then, a few boards at a time, sees in the end how every board stands; and whoever sees it
        /// later never sees what is younger than the delay, nor misses what is older than it by a sixteenth.
        #[test]
        fn who_reads_slowly_misses_nothing_that_lasts(
            delay in 0_u64..600,
            acts in prop::collection::vec((1_u32..6, 0_u8..4, 0_i64..40, 1_usize..4, any::<bool>()), 1..120),
        ) {
            let delay = Duration::from_secs(delay);
            let mut overview = Overview::new(delay);
            let mut log: Vec<(OffsetDateTime, u32, u8)> = Vec::new();
            let mut seen = [BTreeMap::new(), BTreeMap::new()];
            let mut upto = [0, 0];
            let mut now = moment(1_000_000);
            for (table, value, passes, at_most, reads) in acts {
                now += time::Duration::seconds(passes);
                overview.set(table, &(table, value), now);
                log.push((now, table, value));
                overview.ripen(now);
                for (at, sees) in [Sees::AtOnce, Sees::Later].into_iter().enumerate().filter(|_| reads) {
                    let (changed, next) = overview.changes(sees, upto[at], at_most);
                    prop_assert!(changed.len() <= at_most && next >= upto[at]);
                    upto[at] = next;
                    seen[at].extend(changed);
                    if next < overview.last(sees) {
                        continue;
                    }
                    let held_back = if sees == Sees::Later { delay } else { Duration::ZERO };
                    for (table, value) in &seen[at] {
                        let of_table = |it: &&(OffsetDateTime, u32, u8)| it.1 == *table;
                        let then = |moment| log.iter().filter(of_table).rfind(move |it| it.0 <= moment);
                        let newest = now - held_back;
                        let oldest = newest - held_back / MOMENTS;
                        let may_be = log.iter().filter(of_table).filter(|it| it.0 > oldest && it.0 <= newest);
                        prop_assert!(
                            then(oldest).into_iter().chain(may_be).any(|it| it.2 == *value),
                            "{sees:?} at {now}: table {table} is seen as {value}"
                        );
                    }
                }
            }
            let latest = now + delay;
            prop_assert!(overview.ripens().is_none_or(|at| at <= latest));
            overview.ripen(latest);
            prop_assert_eq!(overview.ripens(), None);
            for (at, sees) in [Sees::AtOnce, Sees::Later].into_iter().enumerate() {
                seen[at].extend(overview.changes(sees, upto[at], usize::MAX).0);
                let last: BTreeMap<u32, u8> = log.iter().map(|(_, table, value)| (*table, *value)).collect();
                prop_assert_eq!(&seen[at], &last);
            }
        }

        /// What waits to be seen later is bounded, however often boards change.
        #[test]
        fn what_waits_is_bounded(delay in 1_u64..3600, changes in 1_u32..2000) {
            let mut overview = Overview::new(Duration::from_secs(delay));
            for change in 0..changes {
                let now = OffsetDateTime::UNIX_EPOCH + Duration::from_millis(u64::from(change) * 1700);
                overview.set(1, &change, now);
                overview.ripen(now);
                prop_assert!(overview.waiting.values().map(VecDeque::len).sum::<usize>() <= MOMENTS as usize + 2);
            }
        }
    }
}
