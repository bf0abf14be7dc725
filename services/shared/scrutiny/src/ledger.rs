//! What each player has played.

use std::collections::BTreeMap;

use crate::{Ending, Game, Player};

/// A game is early until this part of a usual one.
const EARLY: f64 = 0.25;
/// Whoever has lost twice in a row is hot for so many games: then the impatient give up more easily.
const HOT: usize = 3;

/// What somebody has played, in the order of the ends.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger {
    pub(crate) seats: Vec<Seat>,
    /// How many of them he has lost early.
    pub(crate) early: usize,
    /// With whom.
    pub(crate) met: BTreeMap<Player, Met>,
}

/// A game as he has played it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seat {
    /// Which.
    pub(crate) game: usize,
    pub(crate) lost: bool,
    /// Whether he has lost it early.
    pub(crate) early: bool,
    /// Whether he had just lost twice in a row, or not long ago.
    pub(crate) hot: bool,
}

/// The games with one other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Met {
    pub(crate) games: Vec<usize>,
    /// How many he has lost early.
    pub(crate) lost_early: usize,
    /// How many the other has.
    pub(crate) won_early: usize,
}

impl Met {
    /// How many were lost early by either.
    pub(crate) fn early(&self) -> usize {
        self.lost_early + self.won_early
    }
}

impl Ledger {
    /// The games before which he had not just lost, and how many of them he has lost early.
    pub(crate) fn cold(&self) -> (usize, usize) {
        let cold = self.seats.iter().filter(|seat| !seat.hot);
        (cold.clone().count(), cold.filter(|seat| seat.early).count())
    }

    fn add(&mut self, game: usize, place: usize, other: Player, (lost, early): (bool, [bool; 2])) {
        let lost_twice = |back: usize| {
            let at = self.seats.len().checked_sub(back + 1)?;
            Some(self.seats[at].lost && self.seats.get(at.checked_sub(1)?)?.lost)
        };
        let hot = (0..HOT).any(|back| lost_twice(back) == Some(true));
        self.seats.push(Seat { game, lost, early: early[place], hot });
        self.early += usize::from(early[place]);
        let met = self.met.entry(other).or_default();
        met.games.push(game);
        met.lost_early += usize::from(early[place]);
        met.won_early += usize::from(early[1 - place]);
    }
}

/// What each player has played of these games.
pub(crate) fn of(games: &[Game]) -> BTreeMap<Player, Ledger> {
    let short = EARLY * usual(games);
    let mut ledgers: BTreeMap<Player, Ledger> = BTreeMap::new();
    for (number, game) in games.iter().enumerate() {
        let is_short = game.ending == Ending::Resigned && f64::from(game.acts) < short;
        let early = [0, 1].map(|place| is_short && game.is_lost(place));
        for place in 0..2 {
            let other = game.players[1 - place];
            let ledger = ledgers.entry(game.players[place]).or_default();
            ledger.add(number, place, other, (game.is_lost(place), early));
        }
    }
    ledgers
}

/// How many acts a usual game has: half of those that were played to their end have more.
fn usual(games: &[Game]) -> f64 {
    let mut acts: Vec<u32> =
        games.iter().filter(|game| game.ending == Ending::Played).map(|game| game.acts).collect();
    acts.sort_unstable();
    acts.get(acts.len() / 2).copied().map_or(0.0, f64::from)
}
