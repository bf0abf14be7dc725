//! The cheapest of all largest matchings.

use rustworkx_core::{max_weight_matching::max_weight_matching, petgraph::graph::UnGraph};

use super::PairingError;

/// An edge between two vertices, and what it costs.
pub(super) type Edge = (usize, usize, i128);

/// The matching calls itself as deeply as blossoms are nested.
const STACK_BYTES: usize = 64 << 20;

/// Of the matchings with the most edges one that costs least, in order.
pub(super) fn cheapest(vertices: usize, edges: &[Edge]) -> Result<Vec<(usize, usize)>, PairingError> {
    let Some(dearest) = edges.iter().map(|(_, _, cost)| *cost).max() else {
        return Ok(Vec::new());
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        let run = thread
            .spawn_scoped(scope, || solve(vertices, edges, dearest))
            .map_err(|_| PairingError::Thread)?;
        run.join().unwrap_or(Err(PairingError::Thread))
    })
}

fn solve(vertices: usize, edges: &[Edge], dearest: i128) -> Result<Vec<(usize, usize)>, PairingError> {
    let mut graph: UnGraph<(), i128> = UnGraph::with_capacity(vertices, edges.len());
    let nodes: Vec<_> = (0..vertices).map(|_| graph.add_node(())).collect();
    for (a, b, cost) in edges {
        graph.add_edge(nodes[*a], nodes[*b], dearest - cost);
    }
    let found = max_weight_matching(&graph, true, |edge| Ok::<i128, PairingError>(*edge.weight()), false)?;
    // It comes as a set, whose order is by chance.
    let mut pairs: Vec<(usize, usize)> = found.into_iter().map(|(a, b)| (a.min(b), a.max(b))).collect();
    pairs.sort_unstable();
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::{super::cardinality::Largest, Edge, cheapest};

    /// A generator for tests (SplitMix64).
    struct Chance(u64);

    impl Chance {
        fn below(&mut self, n: u64) -> u64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = self.0;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            (z ^ (z >> 31)) % n
        }
    }

    fn random_graph(chance: &mut Chance) -> (usize, Vec<Edge>) {
        let size = 2 + usize::try_from(chance.below(24)).unwrap();
        let (density, scale) = (1 + chance.below(10), if chance.below(2) == 0 { 6 } else { 1 << 40 });
        let mut edges = Vec::new();
        for (a, b) in (0..size).flat_map(|a| (a + 1..size).map(move |b| (a, b))) {
            if chance.below(10) < density {
                edges.push((a, b, i128::from(chance.below(scale)) << chance.below(2)));
            }
        }
        (size, edges)
    }

    /// The same question to another library: an edge is worth more than all costs together, so that most edges win.
    fn second_opinion(size: usize, edges: &[Edge]) -> (usize, i128) {
        let above_all: i128 = 1 << 50;
        let mut weight = vec![0_i128; size * size];
        for (a, b, cost) in edges {
            weight[a * size + b] = (above_all << 8) - cost;
        }
        let mates = integer_blossom::max_weight_matching(&weight, size);
        let pairs = mates.iter().enumerate().filter_map(|(a, b)| b.filter(|b| *b > a).map(|b| (a, b)));
        let cost = |a: usize, b: usize| edges.iter().find(|it| (it.0, it.1) == (a, b)).unwrap().2;
        pairs.fold((0, 0), |(count, sum), (a, b)| (count + 1, sum + cost(a, b)))
    }

    #[test]
    fn two_libraries_agree_on_random_graphs() {
        let mut chance = Chance(7);
        for round in 0..600 {
            let (size, edges) = random_graph(&mut chance);
            let pairs = cheapest(size, &edges).unwrap();
            let cost = |pair: &(usize, usize)| edges.iter().find(|it| (it.0, it.1) == *pair).unwrap().2;
            let found = (pairs.len(), pairs.iter().map(cost).sum());
            assert_eq!(found, second_opinion(size, &edges), "graph {round}");
        }
    }

    #[test]
    fn a_largest_matching_is_as_large_and_knows_who_can_be_spared() {
        let mut chance = Chance(11);
        for round in 0..600 {
            let (size, edges) = random_graph(&mut chance);
            let joined = |a: usize, b: usize| edges.iter().any(|it| (it.0, it.1) == (a.min(b), a.max(b)));
            let mut largest = Largest::of(size, joined);
            let left = largest.left_over();
            assert_eq!((size - left) / 2, cheapest(size, &edges).unwrap().len(), "graph {round}");
            let spared = largest.replaceable().to_vec();
            for (without, can_be_spared) in spared.iter().enumerate() {
                let rest: Vec<Edge> =
                    edges.iter().filter(|it| it.0 != without && it.1 != without).copied().collect();
                let as_many = cheapest(size, &rest).unwrap().len() == (size - left) / 2;
                assert_eq!(*can_be_spared, as_many, "graph {round}, vertex {without}");
            }
        }
    }
}
