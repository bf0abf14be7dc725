//! Pools from the top, and their joining from below (section 2, steps 3 to 5).

use core::ops::ControlFlow;

use super::{
    PairingError, Progress, Tiers,
    cardinality::Largest,
    cost::{Costs, Packing, greatest},
    field::Field,
    matching::{self, Edge},
};
use crate::count;

/// Up to this size every legal pair of a pool is weighed.
const DENSE_MAX: usize = 300;
/// In larger pools, how many partners of each player are weighed at first.
const WINDOW: usize = 48;

/// Pairs of places or of indices.
type Pairs = Vec<(usize, usize)>;

/// A pool with its pairs; all numbers are indices of candidates.
#[derive(Clone, Debug)]
pub(super) struct Solved {
    pub(super) members: Vec<usize>,
    /// How many of the members, the first ones, came from above.
    pub(super) from_above: usize,
    pub(super) pairs: Vec<(usize, usize)>,
    pub(super) left_over: Vec<usize>,
    pub(super) tiers: Tiers,
    /// How many partners of each were weighed.
    window: usize,
}

/// A matching as it was put: the cheapest of those with the most pairs was asked for.
///
/// With it somebody else can be asked the same ([`super::problems`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Vertices are numbers below this one: the places of a pool, and one more for everybody who has to leave it.
    pub vertices: usize,
    /// Two vertices, and what it costs to pair them; no two vertices twice.
    pub edges: Vec<(usize, usize, i128)>,
    /// What was answered.
    pub pairs: Vec<(usize, usize)>,
}

impl Problem {
    /// The pool's matching once more.
    pub(super) fn of(field: &Field<'_>, pool: &Solved) -> Result<Problem, PairingError> {
        let costs = Costs { field, members: &pool.members };
        let left_over = pool.left_over.len();
        let (pairs, edges) = weigh(&costs, pool.window, left_over)?;
        Ok(Problem { vertices: pool.members.len() + left_over, edges, pairs })
    }
}

/// Pairs everybody. That it can be done has been shown before.
pub(super) fn solve(
    field: &Field<'_>,
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Vec<Solved>, PairingError> {
    let mut groups = score_groups(field);
    groups.reverse();
    let mut solved: Vec<Solved> = Vec::new();
    while let Some(group) = groups.pop() {
        tell(field, &solved, watch)?;
        let above = solved.last().map_or_else(Vec::new, |pool| pool.left_over.clone());
        solved.push(solve_pool(field, above, &group)?);
        if groups.is_empty() {
            while solved.len() > 1 && solved.last().is_some_and(|pool| !pool.left_over.is_empty()) {
                tell(field, &solved, watch)?;
                join_last_two(field, &mut solved)?;
            }
        }
    }
    Ok(solved)
}

/// Pairs everybody in one pool.
pub(super) fn solve_as_one(field: &Field<'_>) -> Result<Vec<Solved>, PairingError> {
    let everybody: Vec<usize> = (0..field.candidates.len()).collect();
    Ok(vec![solve_pool(field, Vec::new(), &everybody)?])
}

fn tell(
    field: &Field<'_>,
    solved: &[Solved],
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<(), PairingError> {
    let placed = count(solved.iter().map(|pool| 2 * pool.pairs.len()).sum());
    match watch(Progress { placed, players: count(field.candidates.len()) }) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(PairingError::Stopped),
    }
}

/// Candidates with equal points, from the top.
fn score_groups(field: &Field<'_>) -> Vec<Vec<usize>> {
    let order: Vec<usize> = (0..field.candidates.len()).collect();
    let equal = |a: &usize, b: &usize| field.candidates[*a].points == field.candidates[*b].points;
    order.chunk_by(equal).map(<[usize]>::to_vec).collect()
}

/// The last pool and the one above become one, with what came into that one from above.
fn join_last_two(field: &Field<'_>, solved: &mut Vec<Solved>) -> Result<(), PairingError> {
    let (Some(lower), Some(upper)) = (solved.pop(), solved.pop()) else {
        return Ok(());
    };
    let (above, group) = upper.members.split_at(upper.from_above);
    let group: Vec<usize> = group.iter().chain(&lower.members[lower.from_above..]).copied().collect();
    solved.push(solve_pool(field, above.to_vec(), &group)?);
    Ok(())
}

fn solve_pool(field: &Field<'_>, above: Vec<usize>, group: &[usize]) -> Result<Solved, PairingError> {
    let from_above = above.len();
    let members: Vec<usize> = above.into_iter().chain(group.iter().copied()).collect();
    let costs = Costs { field, members: &members };
    let (pairs, window) = cheapest_pairs(&costs)?;
    let mut paired = vec![false; members.len()];
    for (a, b) in &pairs {
        (paired[*a], paired[*b]) = (true, true);
    }
    let left_over: Vec<usize> = (0..members.len()).filter(|at| !paired[*at]).collect();
    let tiers = costs.total(&pairs, &left_over);
    let index = |at: &usize| members[*at];
    let pairs = pairs.iter().map(|(a, b)| (index(a), index(b))).collect();
    let left_over = left_over.iter().map(index).collect();
    Ok(Solved { members, from_above, pairs, left_over, tiers, window })
}

/// Pairs as places in the pool: as many as can be, and of these the cheapest among the candidates that are weighed.
fn cheapest_pairs(costs: &Costs<'_>) -> Result<(Pairs, usize), PairingError> {
    let size = costs.members.len();
    let legal = |a: usize, b: usize| costs.field.legal(costs.members[a], costs.members[b]);
    let left_over = Largest::of(size, legal).left_over();
    let mut window = if size <= DENSE_MAX { size } else { WINDOW };
    loop {
        let (mut pairs, _) = weigh(costs, window, left_over)?;
        if window >= size || 2 * pairs.len() == size + left_over {
            pairs.retain(|(_, partner)| *partner < size);
            return Ok((pairs, window));
        }
        window *= 2;
    }
}

/// The cheapest pairs of those within the window, and what was weighed.
fn weigh(costs: &Costs<'_>, window: usize, left_over: usize) -> Result<(Pairs, Vec<Edge>), PairingError> {
    let size = costs.members.len();
    let places = if window >= size { all_places(size) } else { near_places(costs, window) };
    let edges = edges(costs, &places, left_over)?;
    Ok((matching::cheapest(size + left_over, &edges)?, edges))
}

fn all_places(size: usize) -> Vec<(usize, usize)> {
    (0..size).flat_map(|a| (a + 1..size).map(move |b| (a, b))).collect()
}

/// Places that are worth weighing, about as many for each as the window is wide: half of it on each side of the ideal
/// distance, a twelfth next in rank on each side, and across a boundary of points, where it is near, a sixth.
fn near_places(costs: &Costs<'_>, window: usize) -> Vec<(usize, usize)> {
    let (size, ideal) = (costs.members.len(), costs.ideal_distance());
    let mut places = Vec::with_capacity(size * window);
    let points = |at: usize| costs.field.candidates[costs.members[at]].points;
    let boundaries: Vec<usize> = (1..size).filter(|at| points(*at) != points(at - 1)).collect();
    for a in 0..size {
        let around = (a + ideal).saturating_sub(window / 2)..=(a + ideal + window / 2);
        places.extend(around.filter(|b| *b > a && *b < size).map(|b| (a, b)));
        places.extend((a + 1..size.min(a + 1 + window / 12)).map(|b| (a, b)));
        let next = boundaries.partition_point(|at| *at <= a);
        if let Some(start) = boundaries.get(next).filter(|start| **start - a <= window / 6) {
            places.extend((*start..size.min(start + window / 6)).map(|b| (a, b)));
        }
    }
    places.sort_unstable();
    places.dedup();
    places
}

/// The legal pairs among these places; and for each player who has to leave the pool a vertex of its own, with which
/// anybody can be paired for what it costs that he leaves.
fn edges(costs: &Costs<'_>, places: &[(usize, usize)], left_over: usize) -> Result<Vec<Edge>, PairingError> {
    let size = costs.members.len();
    let legal = |&&(a, b): &&(usize, usize)| costs.field.legal(costs.members[a], costs.members[b]);
    let weighed: Vec<(usize, usize, Tiers)> =
        places.iter().filter(legal).map(|&(a, b)| (a, b, costs.pair(a, b))).collect();
    let packing = Packing::new(size, left_over, &greatest(weighed.iter().map(|(_, _, tiers)| *tiers)))?;
    let mut edges: Vec<Edge> = weighed.iter().map(|(a, b, tiers)| (*a, *b, packing.pair(tiers))).collect();
    for place in size..size + left_over {
        edges.extend((0..size).map(|at| (at, place, packing.leaving(costs.leaving(at)))));
    }
    Ok(edges)
}
