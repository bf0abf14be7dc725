//! Every possibility tried: the last word on small events.

use std::collections::BTreeMap;

use super::{Fault, facts::Facts, tally};
use crate::{
    Number, Relaxed, ResultCode,
    swiss::{Input, Round, Tiers},
};

/// Up to so many players a round is audited; ten have 945 pairings.
pub const AUDIT_MAX: usize = 10;

/// The faults that only show when every pairing is tried: a bye that was due to somebody else, and pools that can be
/// paired better. Events and pools of more than [`AUDIT_MAX`] players are passed over.
pub fn audit(input: &Input, round: &Round) -> Vec<Fault> {
    let facts = Facts::of(input);
    if facts.known.len() > AUDIT_MAX {
        return Vec::new();
    }
    let free = round.out.iter().find(|out| out.code == ResultCode::Pab).map(|out| out.number);
    let mut faults: Vec<Fault> = match first_bye(&facts) {
        Some(due) if facts.known.len() % 2 == 1 && free != Some(due) => vec![Fault::ByeDue(due)],
        _ => Vec::new(),
    };
    for (at, pool) in round.pools.iter().enumerate() {
        let mut best = None;
        each_pairing(&facts, &pool.members, &mut Vec::new(), &mut Vec::new(), &mut |pairs, left| {
            let cost = tally::totals(&facts, &pool.members, pairs, left);
            best = Some(best.map_or(cost, |best: Tiers| best.min(cost)));
        });
        if let Some(best) = best.filter(|best| *best < pool.tiers) {
            faults.push(Fault::NotBest { pool: at, best });
        }
    }
    faults
}

/// Whether a round of no more than [`AUDIT_MAX`] players was refused although it can be paired.
pub fn audit_refusal(input: &Input) -> Option<Fault> {
    let facts = Facts::of(input);
    let everybody: Vec<Number> = facts.known.keys().copied().collect();
    if everybody.len() > AUDIT_MAX || everybody.len() < 2 {
        return None;
    }
    let feasible = if everybody.len() % 2 == 1 {
        first_bye(&facts).is_some()
    } else {
        can_be_paired(&facts, &everybody)
    };
    feasible.then_some(Fault::Feasible)
}

/// To whom the bye is due: the lowest score, then the most games, then the highest number of those without whom the
/// others can be paired.
fn first_bye(facts: &Facts<'_>) -> Option<Number> {
    let mut order: BTreeMap<(u32, i64, i64), Number> = BTreeMap::new();
    for (number, known) in &facts.known {
        if !known.past.bye_barred || facts.input.settings.relaxed >= Relaxed::SecondByes {
            let games = i64::try_from(known.past.games).unwrap_or(i64::MAX);
            order.insert((known.score, -games, -i64::from(number.0)), *number);
        }
    }
    order.into_values().find(|free| {
        let others: Vec<Number> = facts.known.keys().filter(|it| *it != free).copied().collect();
        can_be_paired(facts, &others)
    })
}

fn can_be_paired(facts: &Facts<'_>, players: &[Number]) -> bool {
    let Some((first, others)) = players.split_first() else {
        return true;
    };
    others.iter().enumerate().any(|(at, partner)| {
        let rest: Vec<Number> =
            others.iter().enumerate().filter(|(it, _)| *it != at).map(|(_, it)| *it).collect();
        facts.broken(&facts.known[first], &facts.known[partner]).is_none() && can_be_paired(facts, &rest)
    })
}

/// Is told the pairs of a pairing, and who is left over.
type Tell<'a> = dyn FnMut(&[[Number; 2]], &[Number]) + 'a;

/// Every way to pair some of these and to leave the others over.
fn each_pairing(
    facts: &Facts<'_>,
    players: &[Number],
    pairs: &mut Vec<[Number; 2]>,
    left: &mut Vec<Number>,
    tell: &mut Tell<'_>,
) {
    let Some((first, others)) = players.split_first() else {
        return tell(pairs, left);
    };
    left.push(*first);
    each_pairing(facts, others, pairs, left, tell);
    left.pop();
    for (at, partner) in others.iter().enumerate() {
        if facts.broken(&facts.known[first], &facts.known[partner]).is_none() {
            let rest: Vec<Number> =
                others.iter().enumerate().filter(|(it, _)| *it != at).map(|(_, it)| *it).collect();
            pairs.push([*first, *partner]);
            each_pairing(facts, &rest, pairs, left, tell);
            pairs.pop();
        }
    }
}
