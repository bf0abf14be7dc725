//! The largest matching of a graph, and who blocks a larger one (Edmonds' blossom algorithm without weights).
//!
//! Quick where almost everybody may meet almost everybody, because a greedy start leaves little to do; exact always.

use std::collections::VecDeque;

const NONE: usize = usize::MAX;

/// A largest matching of `size` vertices between which `legal` says whether there is an edge.
pub(super) struct Largest<F> {
    size: usize,
    legal: F,
    mate: Vec<usize>,
    parent: Vec<usize>,
    base: Vec<usize>,
    outer: Vec<bool>,
    queue: VecDeque<usize>,
}

impl<F: Fn(usize, usize) -> bool> Largest<F> {
    pub(super) fn of(size: usize, legal: F) -> Largest<F> {
        let mut found = Largest {
            size,
            legal,
            mate: vec![NONE; size],
            parent: vec![NONE; size],
            base: (0..size).collect(),
            outer: vec![false; size],
            queue: VecDeque::new(),
        };
        found.greedy();
        let mut left = found.left_over();
        for root in 0..size {
            // One vertex of an odd number is always left, and looking for more would be in vain.
            if left <= 1 {
                break;
            }
            if found.mate[root] == NONE {
                found.clear();
                if let Some(end) = found.search(&[root]) {
                    found.augment(end);
                    left -= 2;
                }
            }
        }
        found
    }

    /// Vertices without a mate.
    pub(super) fn left_over(&self) -> usize {
        self.mate.iter().filter(|mate| **mate == NONE).count()
    }

    /// Which vertices are left over in some largest matching (the set D of Gallai and Edmonds).
    pub(super) fn replaceable(&mut self) -> &[bool] {
        let roots: Vec<usize> = (0..self.size).filter(|it| self.mate[*it] == NONE).collect();
        self.clear();
        // The matching is a largest one, so that the search ends without a path.
        self.search(&roots);
        &self.outer
    }

    fn greedy(&mut self) {
        for a in 0..self.size {
            if self.mate[a] == NONE {
                let free = (a + 1..self.size).find(|b| self.mate[*b] == NONE && (self.legal)(a, *b));
                if let Some(b) = free {
                    (self.mate[a], self.mate[b]) = (b, a);
                }
            }
        }
    }

    fn clear(&mut self) {
        self.parent.fill(NONE);
        self.outer.fill(false);
        self.base.iter_mut().enumerate().for_each(|(at, base)| *base = at);
        self.queue.clear();
    }

    /// Grows alternating trees from the roots; the end of a path by which the matching grows, if there is one. Several
    /// roots are only given where no such path can be.
    fn search(&mut self, roots: &[usize]) -> Option<usize> {
        for root in roots {
            self.outer[*root] = true;
            self.queue.push_back(*root);
        }
        while let Some(v) = self.queue.pop_front() {
            for to in 0..self.size {
                if self.base[v] == self.base[to] || self.mate[v] == to || !(self.legal)(v, to) {
                    continue;
                }
                if self.outer[to] {
                    self.contract(v, to);
                } else if self.parent[to] == NONE {
                    self.parent[to] = v;
                    let Some(next) = Some(self.mate[to]).filter(|mate| *mate != NONE) else {
                        return Some(to);
                    };
                    self.outer[next] = true;
                    self.queue.push_back(next);
                }
            }
        }
        None
    }

    /// Two outer vertices of one tree with an edge between them close an odd circle: all of it becomes outer.
    fn contract(&mut self, v: usize, to: usize) {
        let stem = self.common_base(v, to);
        let mut blossom = vec![false; self.size];
        self.mark(v, stem, to, &mut blossom);
        self.mark(to, stem, v, &mut blossom);
        for at in 0..self.size {
            if blossom[self.base[at]] {
                self.base[at] = stem;
                if !self.outer[at] {
                    self.outer[at] = true;
                    self.queue.push_back(at);
                }
            }
        }
    }

    fn common_base(&self, a: usize, b: usize) -> usize {
        let mut seen = vec![false; self.size];
        let mut at = a;
        loop {
            at = self.base[at];
            seen[at] = true;
            if self.mate[at] == NONE {
                break;
            }
            at = self.parent[self.mate[at]];
        }
        let mut at = self.base[b];
        while !seen[at] {
            at = self.base[self.parent[self.mate[at]]];
        }
        at
    }

    fn mark(&mut self, from: usize, stem: usize, child: usize, blossom: &mut [bool]) {
        let (mut at, mut child) = (from, child);
        while self.base[at] != stem {
            let mate = self.mate[at];
            blossom[self.base[at]] = true;
            blossom[self.base[mate]] = true;
            self.parent[at] = child;
            child = mate;
            at = self.parent[mate];
        }
    }

    fn augment(&mut self, end: usize) {
        let mut at = end;
        while at != NONE {
            let before = self.parent[at];
            let next = self.mate[before];
            (self.mate[at], self.mate[before]) = (before, at);
            at = next;
        }
    }
}
