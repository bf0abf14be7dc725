//! Knock-outs after one lost game, two, or more (`KO1`, `KO2`, `KOn`; section 1.2).
//!
//! A bracket is a list of matches, each of which says where its two sides come from. What has been decided goes in,
//! and who meets whom comes out; nothing is kept. Byes and places that a double forfeit has left empty are walked over.
//!
//! ```
//! use std::collections::BTreeMap;
//! use pairing::{Number, knockout::{Bracket, Decision, Slot}};
//! let bracket = Bracket::single(3);
//! let mut decided = BTreeMap::new();
//! let seeds = [1, 2, 3].map(Number);
//! let open = bracket.resolve(&seeds, &decided);
//! // Number 1 has a bye, and waits for the winner of 2 and 3.
//! let [free, playable, last] = open.as_slice() else { unreachable!() };
//! assert_eq!((free.winner, playable.is_due()), (Slot::Taken(Number(1)), true));
//! decided.insert(playable.id, Decision::Second);
//! let end = bracket.resolve(&seeds, &decided);
//! assert_eq!(end[2].slots, [Slot::Taken(Number(1)), Slot::Taken(Number(3))]);
//! # assert_eq!(last.id, end[2].id);
//! ```

mod build;
mod resolve;
mod stages;

pub use build::seed_order;
pub use resolve::{Decision, Resolved, Slot};
pub use stages::{Due, Knockout, Stage};

use std::collections::BTreeMap;

use crate::Number;

named! {
    /// How a knock-out after two losses ends (1.2).
    pub enum GrandFinal {
        /// A second game where the unbeaten finalist loses the first, so that everybody has two lives.
        Reset = "reset",
        /// One game.
        Simple = "simple",
    }
}

named! {
    /// The parts of a bracket.
    pub enum Part {
        /// Those without a loss; in a single knock-out everybody.
        Winners = "winners",
        /// Those with one.
        Losers = "losers",
        /// Between the two.
        Final = "final",
    }
}

/// Where a match stands in its bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MatchId {
    /// The part.
    pub part: Part,
    /// The round in that part, from 1.
    pub round: u16,
    /// The place in that round, from 0 at the top.
    pub place: u32,
}

/// Where a side of a match comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A place in the order of seeds, from 1. Beyond the last entrant it is a bye.
    Seed(u32),
    /// Who wins a match.
    Winner(MatchId),
    /// Who loses a match.
    Loser(MatchId),
}

/// A match of a bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// Which.
    pub id: MatchId,
    /// Its two sides.
    pub sources: [Source; 2],
}

/// All matches of a knock-out, each after those that its sides come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bracket {
    matches: Vec<Match>,
    second_final: Option<MatchId>,
}

impl Bracket {
    /// Out after one loss. The field is filled up to a power of two with byes for the first seeds; fewer than two
    /// entrants have no matches.
    pub fn single(entrants: u32) -> Bracket {
        Bracket { matches: build::winners(entrants), second_final: None }
    }

    /// Out after two losses.
    pub fn double(entrants: u32, grand_final: GrandFinal) -> Bracket {
        build::double(entrants, grand_final)
    }

    /// The matches in an order in which they can be played.
    pub fn matches(&self) -> &[Match] {
        &self.matches
    }

    /// Every match with who is in it, as far as that is known. `seeds` are the entrants from the first seed on.
    pub fn resolve(&self, seeds: &[Number], decided: &BTreeMap<MatchId, Decision>) -> Vec<Resolved> {
        resolve::resolve(self, seeds, decided)
    }
}
