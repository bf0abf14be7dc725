//! Who goes up and who goes down: a function of how the divisions ended and of nothing else.
//!
//! Between a division and the one below it, as many go down by their places as the rules say, or as many as have withdrawn,
//! if those are more: who withdraws is last. As many come up, the first of the lower who want to and are not in danger of
//! going down themselves; where the upper is not full, more do. Where too few want to go up, fewer go down, the best of
//! them staying. Then whoever stands next above and next below play for the place.

use std::collections::{BTreeMap, BTreeSet};

use super::EntrantId;

/// What is exchanged between a division and the one below it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Border {
    /// How many go down and up by their places.
    pub direct: u32,
    /// How many play for it.
    pub play_offs: u32,
}

/// One in the table of a division.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranked {
    /// Who.
    pub entrant: EntrantId,
    /// Whether he has withdrawn.
    pub withdrawn: bool,
}

/// Two who play for a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tie {
    /// The upper of the two divisions, from 0.
    pub upper_division: usize,
    /// Who comes from it.
    pub upper: EntrantId,
    /// Who comes from the one below.
    pub lower: EntrantId,
}

/// Where somebody plays next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Where he is.
    Stays,
    /// In the division above.
    Up,
    /// In the division below.
    Down,
}

/// How the divisions of a season ended, from the top.
#[derive(Clone, Debug)]
pub struct Tables<'a> {
    /// The tables, the first first.
    pub divisions: &'a [Vec<Ranked>],
    /// How many each division has room for.
    pub sizes: &'a [u32],
    /// What is exchanged between neighbours: one fewer than there are divisions.
    pub borders: &'a [Border],
    /// Who does not want to go up.
    pub stay_down: &'a BTreeSet<EntrantId>,
}

/// What happens between a division and the one below it.
#[derive(Clone, Debug, Default)]
struct Exchange {
    down: Vec<EntrantId>,
    up: Vec<EntrantId>,
    ties: Vec<Tie>,
}

/// A division with who withdrew at its end.
struct Order {
    entrants: Vec<Ranked>,
    /// How many at its end go down by their places.
    direct: usize,
    /// How many at its end go down, or may.
    endangered: usize,
}

impl Order {
    fn of(table: &[Ranked], below: Option<&Border>) -> Order {
        let mut entrants = table.to_vec();
        entrants.sort_by_key(|it| it.withdrawn);
        let withdrawn = entrants.iter().filter(|it| it.withdrawn).count();
        let Some(below) = below else { return Order { entrants, direct: 0, endangered: 0 } };
        let direct = withdrawn.max(below.direct as usize).min(entrants.len());
        let endangered = (direct + below.play_offs as usize).min(entrants.len());
        Order { entrants, direct, endangered }
    }

    /// Who could go up, the first first.
    fn candidates(&self, stay_down: &BTreeSet<EntrantId>) -> Vec<EntrantId> {
        let safe = &self.entrants[..self.entrants.len() - self.endangered];
        let willing = safe.iter().filter(|it| !it.withdrawn && !stay_down.contains(&it.entrant));
        willing.map(|it| it.entrant).collect()
    }

    /// Those of a set, in the order of this table.
    fn sorted(&self, which: &BTreeSet<EntrantId>) -> Vec<EntrantId> {
        self.entrants.iter().map(|it| it.entrant).filter(|it| which.contains(it)).collect()
    }
}

impl Tables<'_> {
    /// Who play for a place, from the top.
    pub fn ties(&self) -> Vec<Tie> {
        self.exchanges(&self.orders()).into_iter().flat_map(|it| it.ties).collect()
    }

    /// Who plays in which division next: first those who come from above, then those who stay, then those who come from
    /// below, each in the order of the table that they come from. A play-off that is not named leaves both where they are.
    pub fn next(&self, lower_wins: &BTreeSet<Tie>) -> Vec<Vec<EntrantId>> {
        let orders = self.orders();
        let exchanged = self.exchanges(&orders).into_iter().map(|mut exchange| {
            for tie in exchange.ties.iter().filter(|tie| lower_wins.contains(tie)) {
                exchange.down.push(tie.upper);
                exchange.up.push(tie.lower);
            }
            (exchange.down.into_iter().collect(), exchange.up.into_iter().collect())
        });
        let exchanged: Vec<(BTreeSet<EntrantId>, BTreeSet<EntrantId>)> = exchanged.collect();
        let next = |(at, order): (usize, &Order)| {
            let above = at.checked_sub(1).and_then(|above| Some((orders.get(above)?, exchanged.get(above)?)));
            let below = exchanged.get(at).and_then(|below| Some((orders.get(at + 1)?, below)));
            let come_down = above.map(|(order, (down, _))| order.sorted(down)).unwrap_or_default();
            let come_up = below.map(|(order, (_, up))| order.sorted(up)).unwrap_or_default();
            let leaves = |it: &EntrantId| {
                above.is_some_and(|(_, (_, up))| up.contains(it))
                    || below.is_some_and(|(_, (down, _))| down.contains(it))
            };
            let stay = order.entrants.iter().map(|it| it.entrant).filter(|it| !leaves(it));
            come_down.into_iter().chain(stay).chain(come_up).collect()
        };
        orders.iter().enumerate().map(next).collect()
    }

    /// Where everybody plays next, seen from where he has played.
    pub fn moves(&self, next: &[Vec<EntrantId>]) -> BTreeMap<EntrantId, Move> {
        let place = |(at, division): (usize, &Vec<EntrantId>)| {
            division.iter().map(move |it| (*it, at)).collect::<Vec<_>>()
        };
        let places: BTreeMap<EntrantId, usize> = next.iter().enumerate().flat_map(place).collect();
        let moved = |(at, table): (usize, &Vec<Ranked>)| {
            let whither = |it: &Ranked| match places.get(&it.entrant) {
                Some(to) if *to < at => Move::Up,
                Some(to) if *to > at => Move::Down,
                _ => Move::Stays,
            };
            table.iter().map(|it| (it.entrant, whither(it))).collect::<Vec<_>>()
        };
        self.divisions.iter().enumerate().flat_map(moved).collect()
    }

    fn orders(&self) -> Vec<Order> {
        let order = |(at, table): (usize, &Vec<Ranked>)| {
            let below = self.borders.get(at).filter(|_| at + 1 < self.divisions.len());
            Order::of(table, below)
        };
        self.divisions.iter().enumerate().map(order).collect()
    }

    fn exchanges(&self, orders: &[Order]) -> Vec<Exchange> {
        // How many more have gone up from a division than have come down to it.
        let mut lost = 0;
        let mut exchanges = Vec::new();
        for (at, pair) in orders.windows(2).enumerate() {
            let [upper, lower] = pair else { break };
            let room = self.sizes.get(at).map_or(0, |size| *size as usize);
            let vacant = (room + lost).saturating_sub(upper.entrants.len());
            let exchange = exchange(at, (upper, lower), vacant, self);
            lost = exchange.up.len() - exchange.down.len();
            exchanges.push(exchange);
        }
        exchanges
    }
}

fn exchange(at: usize, (upper, lower): (&Order, &Order), vacant: usize, tables: &Tables<'_>) -> Exchange {
    let candidates = lower.candidates(tables.stay_down);
    let wanted = upper.direct + vacant;
    let up = wanted.min(candidates.len());
    let down = upper.direct.saturating_sub(wanted - up);
    let goes_down = &upper.entrants[upper.entrants.len() - down..];
    let play_offs = upper.endangered - upper.direct;
    let uppers = upper.entrants.iter().rev().skip(upper.direct).take(play_offs);
    let ties = uppers.zip(&candidates[up..]);
    Exchange {
        down: goes_down.iter().map(|it| it.entrant).collect(),
        up: candidates[..up].to_vec(),
        ties: ties
            .map(|(upper, lower)| Tie { upper_division: at, upper: upper.entrant, lower: *lower })
            .collect(),
    }
}

#[cfg(test)]
mod tests;
