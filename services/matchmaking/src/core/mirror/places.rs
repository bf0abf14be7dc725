//! Where tickets stand, in as little memory as can be: a hundred thousand may wait, and every replica knows of all.

use std::hash::{BuildHasher as _, RandomState};

use chassis::id::TicketId;
use hashbrown::HashTable;
use matching::{Crowd, Meeting, Promise, Seeker};

use super::super::block::Apart;

/// What names a pool.
pub(super) type PoolNumber = u32;
/// What names a place, as long as a ticket has it.
pub(super) type Slot = u32;

/// Where a ticket stands that is not known to have left.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub ticket: TicketId,
    /// Whose it is, by [`Seeker::who`].
    pub owner: u64,
    /// What it was told, and since when it waits.
    pub promise: Promise,
    pub choices: Choices,
    window: u32,
    /// By which of its choices it was told how long it will take.
    pub home: u8,
    /// Whether it may be paired: it is not part of a pair that was proposed.
    pub is_free: bool,
    is_bot: bool,
    plays_bots: bool,
}

/// What a ticket waits for: most wait for one game.
#[derive(Clone, Debug)]
pub(super) enum Choices {
    One(Choice),
    Several(Box<[Choice]>),
}

/// A pool of a ticket, and what its owner stands for there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub pool: PoolNumber,
    pub rating: i32,
    deviation: u16,
    dislike: u16,
    surplus: i16,
    has_met: bool,
    /// Whom he has met, if that was lately, and until which second the two are not to meet again.
    met: (u32, u32),
}

const SECOND: u64 = 1_000_000;

impl Choice {
    /// What somebody stands for in a pool. Numbers beyond what they ever are become the last that fits.
    pub(super) fn new(pool: PoolNumber, seeker: &Seeker) -> Self {
        let met = seeker.met.map(|Meeting { whom, rest_until }| {
            (whom, u32::try_from(rest_until.div_ceil(SECOND)).unwrap_or(u32::MAX))
        });
        let surplus = seeker.surplus.clamp(i16::MIN.into(), i16::MAX.into());
        Choice {
            pool,
            rating: seeker.rating,
            deviation: u16::try_from(seeker.deviation).unwrap_or(u16::MAX),
            dislike: u16::try_from(seeker.dislike).unwrap_or(u16::MAX),
            surplus: i16::try_from(surplus).unwrap_or_default(),
            has_met: met.is_some(),
            met: met.unwrap_or_default(),
        }
    }
}

impl Choices {
    pub(super) fn as_slice(&self) -> &[Choice] {
        match self {
            Choices::One(choice) => std::slice::from_ref(choice),
            Choices::Several(choices) => choices,
        }
    }
}

impl From<Vec<Choice>> for Choices {
    fn from(choices: Vec<Choice>) -> Self {
        match choices[..] {
            [choice] => Choices::One(choice),
            _ => Choices::Several(choices.into()),
        }
    }
}

impl Place {
    /// The place of a ticket with these choices, one at least; what is the same in all of them is that of `seeker`.
    pub(super) fn new(ticket: TicketId, seeker: &Seeker, choices: Choices, told: (u8, Promise)) -> Self {
        let Seeker { who: owner, window, is_bot, plays_bots, .. } = *seeker;
        let (home, promise) = told;
        Place { ticket, owner, promise, choices, window, home, is_free: true, is_bot, plays_bots }
    }

    /// The owner as who waits in a pool; none if he does not wait there.
    fn seeker(&self, pool: PoolNumber) -> Option<Seeker> {
        let choice = self.choices.as_slice().iter().find(|choice| choice.pool == pool)?;
        let (whom, second) = choice.met;
        let meeting = Meeting { whom, rest_until: u64::from(second) * SECOND };
        Some(Seeker {
            who: self.owner,
            rating: choice.rating,
            deviation: choice.deviation.into(),
            window: self.window,
            since: self.promise.since(),
            surplus: choice.surplus.into(),
            met: choice.has_met.then_some(meeting),
            dislike: choice.dislike.into(),
            is_bot: self.is_bot,
            plays_bots: self.plays_bots,
        })
    }

    /// The pool by which it was told how long it will take.
    pub(super) fn home(&self) -> Option<PoolNumber> {
        self.choices.as_slice().get(usize::from(self.home)).map(|choice| choice.pool)
    }
}

/// All tickets that are not known to have left.
#[derive(Debug, Default)]
pub(super) struct Places {
    slots: Vec<Option<Place>>,
    vacant: Vec<Slot>,
    by_ticket: HashTable<Slot>,
    hasher: RandomState,
}

impl Places {
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.by_ticket.len()
    }

    /// Where a ticket stands.
    pub(super) fn slot(&self, ticket: &TicketId) -> Option<Slot> {
        let hash = self.hasher.hash_one(ticket);
        self.by_ticket
            .find(hash, |slot| self.get(*slot).is_some_and(|place| place.ticket == *ticket))
            .copied()
    }

    pub(super) fn get(&self, slot: Slot) -> Option<&Place> {
        self.slots.get(slot as usize)?.as_ref()
    }

    pub(super) fn get_mut(&mut self, slot: Slot) -> Option<&mut Place> {
        self.slots.get_mut(slot as usize)?.as_mut()
    }

    /// Where a ticket stands.
    pub(super) fn of(&self, ticket: &TicketId) -> Option<&Place> {
        self.slot(ticket).and_then(|slot| self.get(slot))
    }

    /// All of them, in the order of their slots.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Place> {
        self.slots.iter().flatten()
    }

    /// Gives a ticket a place that has none.
    pub(super) fn insert(&mut self, place: Place) -> Slot {
        let hash = self.hasher.hash_one(place.ticket);
        let slot = self.vacant.pop().unwrap_or_else(|| {
            self.slots.push(None);
            Slot::try_from(self.slots.len() - 1).expect("fewer tickets wait than there are numbers")
        });
        self.slots[slot as usize] = Some(place);
        let Places { slots, by_ticket, hasher, .. } = self;
        let hash_of =
            |slot: &Slot| slots[*slot as usize].as_ref().map_or(0, |place| hasher.hash_one(place.ticket));
        by_ticket.insert_unique(hash, slot, hash_of);
        slot
    }

    /// Takes a ticket's place away.
    pub(super) fn remove(&mut self, ticket: &TicketId) -> Option<(Slot, Place)> {
        let hash = self.hasher.hash_one(ticket);
        let slot = self.slot(ticket)?;
        self.by_ticket.find_entry(hash, |own| *own == slot).ok()?.remove();
        let place = self.slots[slot as usize].take()?;
        self.vacant.push(slot);
        Some((slot, place))
    }
}

/// Those who wait in a pool.
pub(super) struct Those<'a> {
    pub places: &'a Places,
    pub pool: PoolNumber,
    pub apart: &'a Apart,
}

impl Crowd<Slot> for Those<'_> {
    fn seeker(&self, slot: Slot) -> Option<Seeker> {
        self.places.get(slot)?.seeker(self.pool)
    }

    fn cost(&self, one: &Seeker, other: &Seeker) -> Option<u32> {
        self.apart.cost(one, other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Beside it a ticket takes what an entry of its pool does, and what finds it.
    #[test]
    fn a_place_is_small() {
        assert!(size_of::<Option<Place>>() <= 80, "{} bytes", size_of::<Option<Place>>());
    }
}
