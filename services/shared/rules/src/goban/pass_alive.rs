use super::{Board, Colour, Point, point::CELLS};
use crate::prelude::*;

/// What is alive for certain: chains that no play of the opponent can capture though their owner passes for
/// ever, and the land in which nothing of the opponent can live (D. B. Benson, "Life in the Game of Go", 1976).
///
/// A chain is alive when two regions are *vital* to it, that is when each of their empty points is a liberty of
/// the chain, and those regions are enclosed by chains that are alive as well. Where several stones may be played
/// to suicide, points under the opponent's stones count as empty, as they can become so.
#[derive(Clone, Debug)]
pub struct PassAlive {
    owner: Box<[Option<Colour>]>,
}

/// A region of points without stones of a colour, enclosed by chains of that colour.
struct Region {
    points: Vec<Point>,
    /// The heads of the chains around it.
    around: Vec<Point>,
    /// The heads of those to which it is vital.
    vital: Vec<Point>,
}

impl PassAlive {
    /// Looks at a board. `suicide` says whether several stones may be played to suicide.
    pub fn of(board: &Board, suicide: bool) -> PassAlive {
        let mut found = PassAlive { owner: vec![None; CELLS].into_boxed_slice() };
        for colour in Colour::BOTH {
            let regions = regions(board, colour, suicide);
            let alive = alive(board, colour, &regions);
            for at in board.points().filter(|at| board.stone(*at) == Some(colour)) {
                if board.chain_head(at).is_some_and(|head| alive[head.index()]) {
                    found.owner[at.index()] = Some(colour);
                }
            }
            let enclosed = |region: &&Region| {
                let by_alive = region.around.iter().all(|head| alive[head.index()]);
                by_alive && !region.around.is_empty() && !region.has_room(board, colour)
            };
            for at in regions.iter().filter(enclosed).flat_map(|region| &region.points) {
                found.owner[at.index()] = Some(colour);
            }
        }
        found
    }

    /// The colour whose living stone stands on a point, or in whose land the point lies, whatever stands there;
    /// `None` where nothing is certain.
    pub fn owner(&self, at: Point) -> Option<Colour> {
        self.owner[at.index()]
    }
}

impl Region {
    /// Whether the opponent has room for two eyes: two points apart, each out of touch with the enclosing chains.
    /// A point beside them is never his eye, for it can be played on without danger.
    fn has_room(&self, board: &Board, colour: Colour) -> bool {
        let inner = |at: &&Point| board.neighbours(**at).all(|beside| board.stone(beside) != Some(colour));
        let inner: Vec<Point> = self.points.iter().filter(inner).copied().collect();
        match inner[..] {
            [] | [_] => false,
            [one, other] => !one.around().contains(&other),
            // Of three points two are always apart.
            _ => true,
        }
    }
}

/// Every region of points without a stone of this colour.
fn regions(board: &Board, colour: Colour, suicide: bool) -> Vec<Region> {
    let mut seen = vec![false; CELLS];
    let mut found = Vec::new();
    for start in board.points().filter(|at| board.stone(*at) != Some(colour)) {
        if core::mem::replace(&mut seen[start.index()], true) {
            continue;
        }
        let mut region = Region { points: vec![start], around: Vec::new(), vital: Vec::new() };
        let mut first = true;
        let mut nth = 0;
        while let Some(at) = region.points.get(nth).copied() {
            nth += 1;
            let mut heads: Vec<Point> = Vec::with_capacity(4);
            for beside in board.neighbours(at) {
                if board.stone(beside) == Some(colour) {
                    heads.extend(board.chain_head(beside));
                } else if !core::mem::replace(&mut seen[beside.index()], true) {
                    region.points.push(beside);
                }
            }
            if board.stone(at).is_none() || suicide {
                if core::mem::take(&mut first) {
                    region.vital.clone_from(&heads);
                } else {
                    region.vital.retain(|head| heads.contains(head));
                }
            }
            region.around.extend(heads);
        }
        for list in [&mut region.around, &mut region.vital] {
            list.sort_unstable();
            list.dedup();
        }
        found.push(region);
    }
    found
}

/// By head, which chains are alive: what is left when chains with fewer than two vital regions, and regions
/// around which such a chain stands, are taken away until nothing changes.
fn alive(board: &Board, colour: Colour, regions: &[Region]) -> Vec<bool> {
    let is_head = |at: &Point| board.stone(*at) == Some(colour) && board.chain_head(*at) == Some(*at);
    let mut heads: Vec<Point> = board.points().filter(is_head).collect();
    let mut alive = vec![false; CELLS];
    for head in &heads {
        alive[head.index()] = true;
    }
    loop {
        let mut eyes = vec![0u16; CELLS];
        let whole = |region: &&Region| region.around.iter().all(|head| alive[head.index()]);
        for head in regions.iter().filter(whole).flat_map(|region| &region.vital) {
            eyes[head.index()] += 1;
        }
        let before = heads.len();
        heads.retain(|head| eyes[head.index()] >= 2);
        if heads.len() == before {
            return alive;
        }
        alive.fill(false);
        for head in &heads {
            alive[head.index()] = true;
        }
    }
}
