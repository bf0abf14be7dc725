//! The golden counts once more, by the naive rules: every stone to every point, every chain, every set of stones of
//! choice, tried one by one.

use rules::{
    Side,
    jiu::{Board, Options, Phase, VARIANT},
};

use crate::{
    naive::{self, Grid, NaiveTurn, Place, Rules},
    perft_file,
};

/// What the naive rules count in a few seconds; a hundred thousand take a minute.
const COUNTED_MAX: u64 = 2_500;

/// A position of the naive game.
#[derive(Clone, Debug)]
struct Naive {
    grid: Grid,
    phase: Phase,
    side: Side,
    over: bool,
    rules: Rules,
}

/// The way of a turn's stones, with what it leaves to be chosen.
struct Way {
    after: Grid,
    owed: usize,
}

impl Naive {
    /// Sequences of so many steps: a stone placed, lifted or moved is one, and so is each stone named.
    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.over {
            return 0;
        }
        match self.phase {
            Phase::Place => self.placements().iter().map(|next| next.perft(depth - 1)).sum(),
            Phase::Lift => self.lifted().perft(depth - 1),
            Phase::Move => self.ways().iter().map(|way| self.name(way, way.owed, (0, 0), depth - 1)).sum(),
        }
    }

    fn placements(&self) -> Vec<Naive> {
        let empty: Vec<Place> = all().filter(|(r, c)| self.grid[*r][*c].is_none()).collect();
        let opening = empty.len() > 194;
        let mut found = Vec::new();
        for (row, column) in empty.iter().copied().filter(|at| !opening || [(6, 6), (7, 7)].contains(at)) {
            let mut next = self.clone();
            next.grid[row][column] = Some(self.side);
            next.side = self.side.other();
            if empty.len() == 1 {
                (next.phase, next.side) = (Phase::Lift, Side::Second);
            }
            found.push(next);
        }
        found
    }

    fn lifted(&self) -> Naive {
        let mut next = self.clone();
        let (row, column) = [(6, 6), (7, 7)]
            .into_iter()
            .find(|(r, c)| self.grid[*r][*c] == Some(self.side))
            .expect("each side has a centre stone");
        next.grid[row][column] = None;
        if self.side == Side::First {
            next.phase = Phase::Move;
        }
        next.side = self.side.other();
        if next.phase == Phase::Move {
            next.over = !naive::has_turn(&next.grid, next.side, self.rules.competitive);
        }
        next
    }

    /// Names the stones that a way owes, one a step, in reading order so that a set counts once.
    fn name(&self, way: &Way, owed: usize, from: Place, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if owed == 0 {
            return self.after(way.after).perft(depth);
        }
        let enemies: Vec<Place> =
            all().filter(|at| *at >= from && way.after[at.0][at.1] == Some(self.side.other())).collect();
        let enough = enemies.len().saturating_sub(owed - 1);
        let named = enemies[..enough].iter().map(|(row, column)| {
            let mut after = way.after;
            after[*row][*column] = None;
            let next = if *column == 13 { (row + 1, 0) } else { (*row, column + 1) };
            self.name(&Way { after, owed: owed - 1 }, owed - 1, next, depth - 1)
        });
        named.sum()
    }

    /// The position after a turn, over if Articles 3.3.10 or 4 say so.
    fn after(&self, grid: Grid) -> Naive {
        let weak = self.side.other();
        let (before, left) = (naive::count(&self.grid, weak), naive::count(&grid, weak));
        let least = if self.rules.competitive { 4 } else { 1 };
        let dalian = !naive::dalians(&grid, self.side).is_empty();
        let gate = naive::has_gate(&grid, weak);
        let judged = left <= 14 && (dalian && !gate || gate && !dalian && before > 14);
        let stuck = !naive::has_turn(&grid, weak, self.rules.competitive);
        Naive { grid, side: weak, over: left < least || judged || stuck, ..self.clone() }
    }

    fn ways(&self) -> Vec<Way> {
        let mut ways = Vec::new();
        let own: Vec<Place> = all().filter(|(r, c)| self.grid[*r][*c] == Some(self.side)).collect();
        for from in &own {
            for to in all() {
                ways.extend(self.way(&[vec![*from, to]], false));
                // A flight over an enemy is another way than the jump.
                if is_jump(*from, to) && self.is_over_enemy(*from, to) {
                    ways.extend(self.way(&[vec![*from, to]], true));
                }
            }
            self.chains(&[*from], &mut ways);
        }
        ways.extend(self.compounds(&own));
        ways
    }

    fn is_over_enemy(&self, from: Place, to: Place) -> bool {
        let over = (usize::midpoint(from.0, to.0), usize::midpoint(from.1, to.1));
        self.grid[over.0][over.1] == Some(self.side.other())
    }

    /// Chains of two jumps and more; those of one are among the ways of one leg.
    fn chains(&self, path: &[Place], ways: &mut Vec<Way>) {
        let (row, column) = path[path.len() - 1];
        for (down, right) in [(-2, 0), (0, -2), (0, 2), (2, 0)] {
            let to = (row.checked_add_signed(down), column.checked_add_signed(right));
            let (Some(r), Some(c)) = to else { continue };
            let mut longer = path.to_vec();
            longer.push((r, c));
            if r > 13 || c > 13 || !self.is_chain(&longer) {
                continue;
            }
            if longer.len() > 2 {
                ways.extend(self.way(std::slice::from_ref(&longer), false));
            }
            self.chains(&longer, ways);
        }
    }

    /// Whether a stone can jump along these points, whatever the rules say of the number of jumps.
    fn is_chain(&self, path: &[Place]) -> bool {
        let mut grid = self.grid;
        grid[path[0].0][path[0].1] = None;
        path.windows(2).all(|leg| {
            let over = (usize::midpoint(leg[0].0, leg[1].0), usize::midpoint(leg[0].1, leg[1].1));
            let jumped = grid[over.0][over.1].take();
            jumped == Some(self.side.other()) && grid[leg[1].0][leg[1].1].is_none()
        })
    }

    /// What a turn along these paths does before any stone is named, if it is possible: the naive rules are asked
    /// with as many enemies named as they want.
    fn way(&self, paths: &[Vec<Place>], says_none: bool) -> Option<Way> {
        let mut grid = self.grid;
        for path in paths {
            grid[path[0].0][path[0].1] = None;
        }
        for leg in paths.iter().flat_map(|path| path.windows(2)) {
            if is_jump(leg[0], leg[1]) && !says_none && self.is_over_enemy(leg[0], leg[1]) {
                let over = (usize::midpoint(leg[0].0, leg[1].0), usize::midpoint(leg[0].1, leg[1].1));
                grid[over.0][over.1] = None;
            }
        }
        for path in paths {
            let (row, column) = path[path.len() - 1];
            if grid[row][column].replace(self.side).is_some() {
                return None;
            }
        }
        let enemies: Vec<Place> = all().filter(|(r, c)| grid[*r][*c] == Some(self.side.other())).collect();
        let owed = (0..=enemies.len().min(12)).find(|owed| {
            let removed = enemies[..*owed].to_vec();
            let turn = NaiveTurn { paths: paths.to_vec(), says_none, removed };
            naive::play(&self.grid, self.side, self.rules, &turn).is_some()
        })?;
        Some(Way { after: grid, owed })
    }

    /// Lan and songran: two or three stones into two or three gaps. They need two lines of thirteen stones.
    fn compounds(&self, own: &[Place]) -> Vec<Way> {
        let nearly = |line: &dyn Fn(usize) -> usize| (0..14).filter(|n| line(*n) >= 13).count() >= 2;
        let in_row = |row: usize| own.iter().filter(|(r, _)| *r == row).count();
        let in_column = |column: usize| own.iter().filter(|(_, c)| *c == column).count();
        if !nearly(&in_row) && !nearly(&in_column) {
            return Vec::new();
        }
        let gaps: Vec<Place> = all().filter(|(r, c)| self.grid[*r][*c].is_none()).collect();
        let hops: Vec<Vec<Place>> =
            own.iter().flat_map(|from| gaps.iter().map(move |to| vec![*from, *to])).collect();
        let steps: Vec<&Vec<Place>> = hops.iter().filter(|hop| distance(hop[0], hop[1]) == 1).collect();
        let mut ways = Vec::new();
        for (n, one) in steps.iter().enumerate() {
            for two in &steps[..n] {
                let pair = [(*one).clone(), (*two).clone()];
                ways.extend(self.way(&pair, false));
                let spread = one[1].0.abs_diff(two[1].0) == 2 || one[1].1.abs_diff(two[1].1) == 2;
                for three in hops.iter().filter(|_| spread) {
                    ways.extend(self.way(&[pair[0].clone(), pair[1].clone(), three.clone()], false));
                }
            }
        }
        ways
    }
}

fn all() -> impl Iterator<Item = Place> {
    (0..14).flat_map(|row| (0..14).map(move |column| (row, column)))
}

fn distance(from: Place, to: Place) -> usize {
    from.0.abs_diff(to.0) + from.1.abs_diff(to.1)
}

fn is_jump(from: Place, to: Place) -> bool {
    distance(from, to) == 2 && (from.0 == to.0 || from.1 == to.1)
}

#[test]
fn jiu_counts_agree_with_the_naive_rules() {
    let mut checked = 0;
    for case in perft_file::cases(&VARIANT) {
        let game = case.game(&VARIANT);
        let text = game.setup_text().expect("positions of Jiu can be written");
        let (_, rows) = text.split_once("board:\n").expect("a board");
        let board: Board = rows.parse().expect("a board");
        let phases = [Phase::Place, Phase::Lift, Phase::Move];
        let phase = phases.into_iter().find(|phase| phase.name() == game.phase()).expect("a phase");
        let options = Options::from_rule_set(game.rule_set()).expect("a rule set");
        let side = game.on_clock().expect("a running game");
        let rules = Rules { competitive: options.competitive, cross_anywhere: true };
        let naive = Naive { grid: naive::grid(&board), phase, side, over: false, rules };
        for (depth, count) in case.counts.iter().filter(|(_, count)| *count <= COUNTED_MAX) {
            assert_eq!(naive.perft(*depth), *count, "{case}, depth {depth}");
            checked += 1;
        }
    }
    assert!(checked >= 15, "only {checked} counts are small enough");
}
