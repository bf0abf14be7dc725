//! The totals of the pools, worked out anew.

use std::collections::BTreeSet;

use super::{
    Fault,
    facts::{Facts, Known},
};
use crate::{
    FirstRound, Number, Relaxed,
    swiss::{PoolReport, Round, Tiers},
};

/// How the pools hang together, and what they cost.
pub(super) fn pools(facts: &Facts<'_>, round: &Round, faults: &mut Vec<Fault>) {
    let mut above: Vec<Number> = Vec::new();
    let mut placed = BTreeSet::new();
    for (at, pool) in round.pools.iter().enumerate() {
        let from_above = pool.from_above as usize;
        let pairs: Vec<[Number; 2]> =
            round.pairs.iter().filter(|pair| pair.pool as usize == at).map(|pair| pair.players).collect();
        let mut parts: Vec<Number> = pairs.iter().flatten().chain(&pool.left_over).copied().collect();
        let mut members = pool.members.clone();
        parts.sort_unstable();
        members.sort_unstable();
        let fits = pool.members.get(..from_above) == Some(above.as_slice()) && parts == members;
        let fresh = pool.members.iter().skip(from_above).all(|it| placed.insert(*it));
        if !fits || !fresh || !in_order(facts, pool) {
            faults.push(Fault::Pool(at));
        } else {
            let found = totals(facts, &pool.members, &pairs, &pool.left_over);
            if found != pool.tiers {
                faults.push(Fault::Totals { pool: at, found });
            }
        }
        above.clone_from(&pool.left_over);
    }
    if !above.is_empty() {
        faults.push(Fault::Pool(round.pools.len()));
    }
}

/// From above to below by score, and by number where it is not the lot that decides.
fn in_order(facts: &Facts<'_>, pool: &PoolReport) -> bool {
    let by_lot = facts.input.round == 1 && facts.input.settings.first_round == FirstRound::Draw;
    let scores: Option<Vec<u32>> =
        pool.members.iter().map(|it| facts.known.get(it).map(|known| known.score)).collect();
    scores.is_some_and(|scores| {
        pool.members.windows(2).zip(scores.windows(2)).all(|(numbers, scores)| {
            scores[0] > scores[1] || (scores[0] == scores[1] && (by_lot || numbers[0] < numbers[1]))
        })
    })
}

/// What a way to pair a pool costs.
pub(super) fn totals(facts: &Facts<'_>, members: &[Number], pairs: &[[Number; 2]], left: &[Number]) -> Tiers {
    let mut sum = Tiers { left_over: left.len() as u64, ..Tiers::default() };
    let place = |number: &Number| members.iter().position(|it| it == number).unwrap_or(0);
    let size = members.len();
    for [a, b] in pairs {
        let (high, low) = (place(a).min(place(b)), place(a).max(place(b)));
        add_pair(facts, &mut sum, &facts.known[&members[high]], &facts.known[&members[low]]);
        let opening = if facts.input.round == 1 { Some(facts.input.settings.first_round) } else { None };
        let wanted = if opening == Some(FirstRound::OddEven) { 1 } else { size / 2 };
        let off = (low - high).abs_diff(wanted) as u64;
        sum.fold += if opening == Some(FirstRound::Draw) { 0 } else { off * off };
    }
    for number in left {
        let below = size - place(number) - 1;
        let again = if facts.known[number].floated[0] == 0 { 0 } else { size };
        sum.gap += (below + again) as u64;
    }
    sum
}

fn add_pair(facts: &Facts<'_>, sum: &mut Tiers, high: &Known<'_>, low: &Known<'_>) {
    let settings = &facts.input.settings;
    if settings.relaxed == Relaxed::Rematches && high.past.has_met(low.player.number) {
        sum.rematches += 1;
    }
    let both_odd_or_even = (high.player.number.0 ^ low.player.number.0).is_multiple_of(2);
    if facts.input.round == 1 && settings.first_round == FirstRound::OddEven && both_odd_or_even {
        sum.same_parity += 1;
    }
    let shared = high.player.affiliations.iter().any(|it| low.player.affiliations.contains(it));
    if facts.input.round <= settings.apart_rounds && shared {
        sum.same_affiliation += 1;
    }
    let apart = u64::from(high.score.max(low.score) - high.score.min(low.score));
    sum.gap += apart * apart;
    if apart > 0 {
        for (back, weight) in [(0, 2), (1, 1)] {
            sum.floats += if high.floated[back] == -1 { weight } else { 0 };
            sum.floats += if low.floated[back] == 1 { weight } else { 0 };
        }
    }
    let clash = high.wants.is_some() && high.wants == low.wants && settings.colours != crate::ColourLaw::Open;
    match clash.then_some(high.urgency.min(low.urgency)) {
        Some(2 | 3) => sum.strong_colour += 1,
        Some(_) => sum.mild_colour += 1,
        None => {}
    }
}
