//! The cheapest of all largest matchings.

use rustworkx_core::{max_weight_matching::max_weight_matching, petgraph::graph::UnGraph};

use super::PairingError;

/// An edge between two vertices, and what it costs.
pub(super) type Edge = (usize, usize, i128);

/// The matching calls itself as deeply as blossoms are nested.
const STACK_BYTES: usize = 64 << 20;

/// Of the matchings with the most edges one that costs least, in order.
pub(super) fn cheapest(vertices: usize, edges: &[Edge]) -> Result<Vec<(usize, usize)>, PairingError> {
    if edges.is_empty() {
        return Ok(Vec::new());
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        let run = thread.spawn_scoped(scope, || solve(vertices, edges)).map_err(|_| PairingError::Thread)?;
        run.join().unwrap_or(Err(PairingError::Thread))
    })
}

fn solve(vertices: usize, edges: &[Edge]) -> Result<Vec<(usize, usize)>, PairingError> {
    // Every perfect matching has each potential in it once, so that it is as cheap with them as without, compared with
    // the others. Where none is perfect that does not hold, and the costs are taken as they are.
    let prices = potentials(vertices, edges);
    let pairs = with_potentials(vertices, edges, &prices)?;
    if 2 * pairs.len() == vertices {
        return Ok(pairs);
    }
    with_potentials(vertices, edges, &vec![0; vertices])
}

/// What each vertex may take of the costs of its edges so that none of them falls below nought, and each vertex has one that
/// is nought: most pairs of the answer then cost nothing, which the matching finds at once.
fn potentials(vertices: usize, edges: &[Edge]) -> Vec<i128> {
    let mut around: Vec<Vec<(usize, i128)>> = vec![Vec::new(); vertices];
    for (a, b, cost) in edges {
        around[*a].push((*b, *cost));
        around[*b].push((*a, *cost));
    }
    let half = |all: &Vec<(usize, i128)>| all.iter().map(|(_, cost)| *cost).min().unwrap_or(0).div_euclid(2);
    let mut prices: Vec<i128> = around.iter().map(half).collect();
    for (at, all) in around.iter().enumerate() {
        prices[at] = all.iter().map(|(other, cost)| cost - prices[*other]).min().unwrap_or(0);
    }
    prices
}

/// The cheapest of the largest matchings by the costs less the potentials of both ends.
fn with_potentials(
    vertices: usize,
    edges: &[Edge],
    prices: &[i128],
) -> Result<Vec<(usize, usize)>, PairingError> {
    let left = |(a, b, cost): &Edge| cost - prices[*a] - prices[*b];
    let dearest = edges.iter().map(left).max().unwrap_or(0);
    let easy = free_pairs(vertices, edges, left);
    if 2 * easy.len() == vertices {
        // Nothing is cheaper than nothing.
        return Ok(easy);
    }
    let order = easy_last(vertices, &easy);
    let mut graph: UnGraph<(), i128> = UnGraph::with_capacity(vertices, edges.len());
    let nodes: Vec<_> = (0..vertices).map(|_| graph.add_node(())).collect();
    for edge in edges {
        graph.add_edge(nodes[order[edge.0]], nodes[order[edge.1]], dearest - left(edge));
    }
    let found = max_weight_matching(&graph, true, |edge| Ok::<i128, PairingError>(*edge.weight()), false)?;
    let mut back = vec![0; vertices];
    order.iter().enumerate().for_each(|(at, place)| back[*place] = at);
    // It comes as a set, whose order is by chance.
    let mut pairs: Vec<(usize, usize)> =
        found.into_iter().map(|(a, b)| (back[a].min(back[b]), back[a].max(back[b]))).collect();
    pairs.sort_unstable();
    Ok(pairs)
}

/// Pairs that cost nothing, found at once: the first of each vertex whose other end is free, in order.
fn free_pairs(vertices: usize, edges: &[Edge], left: impl Fn(&Edge) -> i128) -> Vec<(usize, usize)> {
    let mut taken = vec![false; vertices];
    let mut pairs = Vec::new();
    for edge in edges {
        if !taken[edge.0] && !taken[edge.1] && left(edge) == 0 {
            (taken[edge.0], taken[edge.1]) = (true, true);
            pairs.push((edge.0.min(edge.1), edge.0.max(edge.1)));
        }
    }
    pairs.sort_unstable();
    pairs
}

/// The place of each vertex in the graph, those of the easy pairs last. The matching begins with the last, and for every
/// pair that it finds goes once more through all that it has begun with before.
fn easy_last(vertices: usize, easy: &[(usize, usize)]) -> Vec<usize> {
    let mut is_easy = vec![false; vertices];
    for (a, b) in easy {
        (is_easy[*a], is_easy[*b]) = (true, true);
    }
    let mut place = vec![0; vertices];
    let hard = (0..vertices).filter(|at| !is_easy[*at]);
    let order = hard.chain(easy.iter().flat_map(|(a, b)| [*a, *b]));
    order.enumerate().for_each(|(at, vertex)| place[vertex] = at);
    place
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
