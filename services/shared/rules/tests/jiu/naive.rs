//! The rules once more, as slowly and plainly as the page states them: an oracle, with no bitboard, no hash and
//! no code of the crate but its points and its text.

use rules::{
    Side,
    jiu::{Board, Point},
};

pub(crate) type Grid = [[Option<Side>; 14]; 14];

/// Row and column, from 0.
pub(crate) type Place = (usize, usize);

/// A turn as numbers: paths of (row, column), what it says it jumps, what it removes.
#[derive(Clone, Debug)]
pub(crate) struct NaiveTurn {
    pub paths: Vec<Vec<Place>>,
    pub says_none: bool,
    pub removed: Vec<Place>,
}

/// What a turn leads to, if it is legal: the grid, and what was earned before the count of what is left.
pub(crate) type Result = Option<(Grid, u8)>;

pub(crate) fn grid(board: &Board) -> Grid {
    let mut grid = [[None; 14]; 14];
    for point in Point::all() {
        grid[usize::from(point.row())][usize::from(point.column())] = board.owner(point);
    }
    grid
}

pub(crate) fn place(point: Point) -> Place {
    (usize::from(point.row()), usize::from(point.column()))
}

pub(crate) fn count(grid: &Grid, side: Side) -> usize {
    grid.iter().flatten().filter(|it| **it == Some(side)).count()
}

/// The options that bear on a single turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    pub competitive: bool,
    pub cross_anywhere: bool,
}

pub(crate) fn play(grid: &Grid, side: Side, rules: Rules, turn: &NaiveTurn) -> Result {
    let enemy = side.other();
    let flies = count(grid, side) <= 14;
    let mut after = *grid;
    let earned = if let [path] = turn.paths.as_slice() {
        let jumps = travel(&mut after, side, path, flies, turn.says_none)?;
        if rules.competitive && jumps == 1 && count(grid, enemy) <= 14 {
            return None;
        }
        landing(&after, side, *path.last()?, rules.cross_anywhere)
    } else {
        together(&mut after, side, &turn.paths)?
    };
    if turn.removed.len() != usize::from(earned).min(count(&after, enemy)) {
        return None;
    }
    for (row, column) in &turn.removed {
        if after[*row][*column] != Some(enemy) {
            return None;
        }
        after[*row][*column] = None;
    }
    Some((after, earned))
}

/// Moves one stone; how many stones it jumped.
fn travel(after: &mut Grid, side: Side, path: &[Place], flies: bool, says_none: bool) -> Option<usize> {
    let (row, column) = path[0];
    if after[row][column] != Some(side) {
        return None;
    }
    after[row][column] = None;
    let mut jumps = 0;
    for leg in path.windows(2) {
        let ((r1, c1), (r2, c2)) = (leg[0], leg[1]);
        if (r1, c1) == (r2, c2) || after[r2][c2].is_some() {
            return None;
        }
        let straight = r1 == r2 || c1 == c2;
        let length = r1.abs_diff(r2) + c1.abs_diff(c2);
        let over = (usize::midpoint(r1, r2), usize::midpoint(c1, c2));
        let alone = path.len() == 2;
        let over_enemy = straight && length == 2 && after[over.0][over.1] == Some(side.other());
        if over_enemy && !(says_none && flies && alone) {
            if says_none {
                return None;
            }
            after[over.0][over.1] = None;
            jumps += 1;
        } else if !(alone && (length == 1 || flies)) {
            return None;
        }
    }
    let (row, column) = *path.last()?;
    after[row][column] = Some(side);
    Some(jumps)
}

fn landing(grid: &Grid, side: Side, (row, column): Place, cross_anywhere: bool) -> u8 {
    let squares = squares(grid, side, (row, column));
    let is_row = |row: usize| (0..14).all(|c| grid[row][c] == Some(side));
    let is_column = |column: usize| (0..14).all(|r| grid[r][column] == Some(side));
    let (row_full, column_full) = (is_row(row), is_column(column));
    let crossed = (0..14).any(|other| {
        let (row_counts, column_counts) = (cross_anywhere || other == row, cross_anywhere || other == column);
        row_full && column_counts && is_column(other) || column_full && row_counts && is_row(other)
    });
    let mut candidates = vec![squares];
    if row_full || column_full {
        candidates.extend([2, [0, 3, 4, 4, 4][usize::from(squares)]]);
    }
    if crossed {
        candidates.push([2, 4, 8, 8, 8][usize::from(squares)]);
    }
    candidates.into_iter().max().unwrap_or(0)
}

pub(crate) fn squares(grid: &Grid, side: Side, (row, column): Place) -> u8 {
    let mut count = 0;
    for top in row.saturating_sub(1)..=row.min(12) {
        for left in column.saturating_sub(1)..=column.min(12) {
            count += u8::from(square(grid, top, left).iter().all(|(r, c)| grid[*r][*c] == Some(side)));
        }
    }
    count
}

fn square(_: &Grid, top: usize, left: usize) -> [Place; 4] {
    [(top, left), (top, left + 1), (top + 1, left), (top + 1, left + 1)]
}

/// Moves two or three stones together; what they earn if they make a lan or a songran.
pub(crate) fn together(after: &mut Grid, side: Side, paths: &[Vec<Place>]) -> Option<u8> {
    let before = *after;
    for path in paths {
        let (from, to) = (path[0], path[1]);
        if after[from.0][from.1] != Some(side) || before[to.0][to.1].is_some() {
            return None;
        }
        after[from.0][from.1] = None;
    }
    for path in paths {
        if after[path[1].0][path[1].1].replace(side).is_some() {
            return None;
        }
    }
    let turned = |grid: &Grid| std::array::from_fn(|r| std::array::from_fn(|c| grid[c][r]));
    let swapped: Vec<Vec<_>> =
        paths.iter().map(|path| path.iter().map(|(r, c)| (*c, *r)).collect()).collect();
    if fills_rows(after, side, paths) || fills_rows(&turned(after), side, &swapped) {
        Some(if paths.len() == 2 { 8 } else { 12 })
    } else {
        None
    }
}

fn fills_rows(after: &Grid, side: Side, paths: &[Vec<Place>]) -> bool {
    let mut rows: Vec<usize> = paths.iter().map(|path| path[1].0).collect();
    rows.sort_unstable();
    let (low, high) = (rows[0], rows[rows.len() - 1]);
    rows == (low..=high).collect::<Vec<_>>()
        && rows.len() == paths.len()
        && (low..=high).all(|row| after[row].iter().all(|it| *it == Some(side)))
        && paths.iter().all(|path| {
            let ((r1, c1), (r2, c2)) = (path[0], path[1]);
            let off = r1 < low || r1 > high;
            if paths.len() == 3 && r2 == low + 1 {
                off && squares(after, side, (r2, c2)) == 4
            } else {
                off && r1.abs_diff(r2) + c1.abs_diff(c2) == 1 && squares(after, side, (r2, c2)) >= 2
            }
        })
}

/// Every dalian as stone, gap and whether it is double, by shuttling the stone and looking.
pub(crate) fn dalians(grid: &Grid, side: Side) -> Vec<(Place, Place, bool)> {
    let mut found = Vec::new();
    for r1 in 0_usize..14 {
        for c1 in 0_usize..14 {
            for (r2, c2) in (0..14).flat_map(|r| (0..14).map(move |c| (r, c))) {
                let near = r1.abs_diff(r2) + c1.abs_diff(c2) == 1;
                if !near || grid[r1][c1] != Some(side) || grid[r2][c2].is_some() {
                    continue;
                }
                let mut moved = *grid;
                moved[r2][c2] = moved[r1][c1].take();
                // The gap is empty before the step, and the stone's point after it: no square contains both.
                let ends = [squares(grid, side, (r1, c1)), squares(&moved, side, (r2, c2))];
                if ends.iter().all(|squares| *squares >= 1) {
                    found.push(((r1, c1), (r2, c2), ends.iter().all(|squares| *squares >= 2)));
                }
            }
        }
    }
    found
}

/// Whether a side has a square of four stones, or of three and an empty point.
pub(crate) fn has_gate(grid: &Grid, side: Side) -> bool {
    (0..13).any(|top| {
        (0..13).any(|left| {
            let own = square(grid, top, left).iter().filter(|(r, c)| grid[*r][*c] == Some(side)).count();
            let empty = square(grid, top, left).iter().filter(|(r, c)| grid[*r][*c].is_none()).count();
            own == 4 || own == 3 && empty == 1
        })
    })
}

/// Whether a side has any turn: steps, flights, chains of one jump and of two.
pub(crate) fn has_turn(grid: &Grid, side: Side, competitive: bool) -> bool {
    let all = || (0..14).flat_map(|r| (0..14).map(move |c| (r, c)));
    let near = |(r, c): Place, (s, d): Place| r.abs_diff(s) + c.abs_diff(d) <= 2;
    let flies = count(grid, side) <= 14;
    let possible = |path: Vec<Place>| {
        [true, false].into_iter().any(|says_none| {
            let mut after = *grid;
            let jumps = travel(&mut after, side, &path, flies, says_none);
            jumps.is_some_and(|jumps| !(competitive && jumps == 1 && count(grid, side.other()) <= 14))
        })
    };
    all().filter(|(r, c)| grid[*r][*c] == Some(side)).any(|from| {
        all().filter(|to| flies || near(from, *to)).any(|to| {
            possible(vec![from, to]) || all().any(|end| near(to, end) && possible(vec![from, to, end]))
        })
    })
}
