//! A list: who is rated how.

use std::cmp::Reverse;

use crate::{Digest, Id, Points, first::Evidence};

/// A list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// Which, from 1.
    pub number: u32,
    /// Its day, as a Julian day number.
    pub day: i32,
    /// The digest of its input.
    pub input: Digest,
    /// Everybody of whom anything is known, in the order of ids; with a place only who is listed.
    pub entries: Vec<Entry>,
}

/// What a list says of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Who.
    pub member: Id,
    /// His rating; none as long as his games are too few for one.
    pub rating: Option<Rating>,
    /// By how much the games of this list have moved it: from where it was in the list before, where he began, or what was
    /// imported; 0 of a first rating by performance.
    pub change: i32,
    /// How many games he has played that count for him, in all.
    pub games: u32,
    /// And since the list before.
    pub new_games: u32,
    /// Whether the rating is provisional.
    pub provisional: bool,
    /// His place; equal ratings share one. None where he is not listed.
    pub place: Option<u32>,
    /// What is known of him as long as he has no rating.
    pub evidence: Evidence,
}

/// A rating, with what the system knows beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rating {
    /// The rating.
    pub points: Points,
    /// The deviation in hundredths of a point; 0 in a system that has none.
    pub deviation: u32,
    /// The volatility in millionths; 0 in a system that has none.
    pub volatility: u32,
}

impl Entry {
    /// Somebody of whom nothing is known yet.
    pub(crate) fn new(member: Id) -> Entry {
        Entry {
            member,
            rating: None,
            change: 0,
            games: 0,
            new_games: 0,
            provisional: true,
            place: None,
            evidence: Evidence::default(),
        }
    }
}

impl List {
    /// What it says of a member.
    pub fn find(&self, member: &Id) -> Option<&Entry> {
        let at = self.entries.binary_search_by_key(member, |entry| entry.member).ok()?;
        self.entries.get(at)
    }

    /// Who is listed, in the order of places; those who share one in the order of ids.
    pub fn ranked(&self) -> Vec<&Entry> {
        let mut listed: Vec<&Entry> = self.entries.iter().filter(|entry| entry.place.is_some()).collect();
        listed.sort_unstable_by_key(|entry| (entry.place, entry.member));
        listed
    }

    /// Gives places to those who have a rating and have played enough games.
    pub(crate) fn rank(&mut self, listed_from: u32) {
        let mut order: Vec<(Reverse<Points>, usize)> = Vec::new();
        for (at, entry) in self.entries.iter_mut().enumerate() {
            entry.place = None;
            if let Some(rating) = entry.rating.filter(|_| entry.games >= listed_from) {
                order.push((Reverse(rating.points), at));
            }
        }
        order.sort_unstable();
        let (mut place, mut last) = (0, None);
        for (ordinal, (points, at)) in (1..).zip(order) {
            if last != Some(points) {
                (place, last) = (ordinal, Some(points));
            }
            self.entries[at].place = Some(place);
        }
    }
}
