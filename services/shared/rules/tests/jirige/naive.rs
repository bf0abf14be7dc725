//! The rules of Jirige once more, written for nothing but plainness: a board of characters, every question asked
//! of it anew, nothing kept up to date. Shares no code with the crate but the text of points and turns.

/// `x` dark, `o` light, `.` empty; `[rank][column]` from the bottom left.
pub(crate) type Cells = [[char; 9]; 9];

/// The options, under the names of the rules page.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub ring_plies: usize,
    pub spear_value: bool,
    pub split: bool,
    pub scope: &'static str,
    pub lose_at: usize,
    pub blocked_draws: bool,
    pub repetition: usize,
    pub quiet: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct Naive {
    pub rules: Rules,
    pub cells: Cells,
    /// `place`, `open`, `move` or `over`.
    pub phase: &'static str,
    pub turn: char,
    pub pending: usize,
    /// Whose removals follow in the opening, and how many.
    pub script: Vec<(char, usize)>,
    /// Lines used: side, `row` or `col`, index.
    pub spears: Vec<(char, &'static str, usize)>,
    pub quiet: usize,
    pub took: bool,
    pub seen: Vec<String>,
    pub result: String,
}

type Spot = (usize, usize);
const ROUND: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

impl Naive {
    pub(crate) fn new(rules: Rules) -> Naive {
        Naive {
            rules,
            cells: [['.'; 9]; 9],
            phase: "place",
            turn: 'x',
            pending: 0,
            script: Vec::new(),
            spears: Vec::new(),
            quiet: 0,
            took: false,
            seen: Vec::new(),
            result: String::new(),
        }
    }

    /// A position of the moving phase.
    pub(crate) fn moving(rules: Rules, cells: &Cells, turn: char) -> Naive {
        let mut naive = Naive { cells: *cells, turn, phase: "move", ..Naive::new(rules) };
        naive.seen.push(naive.key());
        naive.check_blocked();
        naive
    }

    /// Every action, as text: `E4`, `E4/col`, `E4-E5`, `E4xE6xG6`, `*C3`; sorted.
    pub(crate) fn actions(&self) -> Vec<String> {
        let mut found = Vec::new();
        if self.pending > 0 && self.phase != "over" {
            for spot in spots().filter(|spot| self.may_remove(*spot)) {
                found.push(format!("*{}", name(spot)));
            }
        } else if self.phase == "place" {
            for spot in spots().filter(|spot| self.may_place(*spot)) {
                let mut after = self.cells;
                after[spot.0][spot.1] = self.turn;
                self.push_with_choices(&mut found, &name(spot), &after, spot);
            }
        } else if self.phase == "move" {
            for (text, after, from, to) in self.displacements() {
                if from == to {
                    found.push(text);
                } else {
                    self.push_with_choices(&mut found, &text, &after, to);
                }
            }
        }
        found.sort();
        found
    }

    /// Plays an action that is listed.
    pub(crate) fn act(&mut self, text: &str) {
        let (way, choice) = text.split_once('/').unwrap_or((text, ""));
        if let Some(point) = way.strip_prefix('*') {
            let spot = spot(point);
            self.cells[spot.0][spot.1] = '.';
            self.pending -= 1;
        } else if self.phase == "place" {
            let spot = spot(way);
            self.cells[spot.0][spot.1] = self.turn;
            if let Some((way, index)) = self.spear(&self.cells.clone(), spot, choice) {
                self.spears.push((self.turn, way, index));
            }
        } else {
            let before = self.cells;
            let (_, after, from, to) =
                self.displacements().into_iter().find(|it| it.0 == way).expect("a listed displacement");
            self.cells = after;
            let mut earned = 0;
            if from != to {
                // New is what is complete now and was not before the turn.
                let complete = |cells: &Cells| squares(cells, self.turn).into_iter().collect::<Vec<_>>();
                let old = complete(&before);
                earned = complete(&after)
                    .iter()
                    .filter(|corner| !old.contains(corner) && touches(**corner, to))
                    .count();
                if let Some((way, index)) = self.spear(&after, to, choice) {
                    self.spears.push((self.turn, way, index));
                    earned += value(index);
                }
            }
            let enemies = count(&after, other(self.turn));
            self.pending = earned.min(enemies.saturating_sub(self.rules.lose_at));
            self.took = self.pending > 0 || enemies < count(&before, other(self.turn));
        }
        if self.pending == 0 {
            self.complete();
        }
    }

    fn complete(&mut self) {
        let mover = self.turn;
        self.turn = other(mover);
        let beaten = count(&self.cells, other(mover)) <= self.rules.lose_at;
        match self.phase {
            "place" => {
                if count(&self.cells, '.') == 0 {
                    self.begin_opening();
                }
            }
            "open" if beaten => self.over(&format!("{mover}/COUNT")),
            "open" => {
                if !self.script.is_empty() {
                    return self.next_opening();
                }
                self.phase = "move";
                self.turn = 'o';
                self.seen = vec![self.key()];
                self.check_blocked();
            }
            _ => {
                if self.took {
                    self.seen.clear();
                    self.quiet = 0;
                } else {
                    self.quiet += 1;
                }
                self.took = false;
                let key = self.key();
                self.seen.push(key.clone());
                if beaten {
                    return self.over(&format!("{mover}/COUNT"));
                }
                self.check_blocked();
                if self.phase == "over" {
                } else if self.seen.iter().filter(|seen| **seen == key).count() >= self.rules.repetition {
                    self.over("draw/REPETITION");
                } else if self.quiet >= self.rules.quiet {
                    self.over("draw/QUIET");
                }
            }
        }
    }

    fn begin_opening(&mut self) {
        self.phase = "open";
        let bonus = |side: char| {
            let lines = self.spears.iter().filter(|spear| spear.0 == side);
            let spears: usize =
                lines.map(|(_, _, index)| if self.rules.spear_value { value(*index) } else { 1 }).sum();
            squares(&self.cells, side).len() + spears
        };
        let (light, dark) = (bonus('o'), bonus('x'));
        self.script = if self.rules.split {
            vec![('o', 1), ('x', 1), ('o', light), ('x', dark)]
        } else {
            vec![('o', 1 + light), ('x', 1 + dark)]
        };
        self.script.retain(|part| part.1 > 0);
        self.next_opening();
    }

    fn next_opening(&mut self) {
        let (side, stones) = self.script.remove(0);
        self.turn = side;
        self.pending = stones.min(count(&self.cells, other(side)) - self.rules.lose_at);
    }

    fn check_blocked(&mut self) {
        if self.displacements().is_empty() {
            let winner = if self.rules.blocked_draws { "draw".into() } else { other(self.turn).to_string() };
            self.over(&format!("{winner}/BLOCKED"));
        }
    }

    fn over(&mut self, result: &str) {
        self.phase = "over";
        result.clone_into(&mut self.result);
    }

    fn key(&self) -> String {
        let mut spears = self.spears.clone();
        spears.sort_unstable();
        format!("{:?}{}{spears:?}", self.cells, self.turn)
    }

    fn may_place(&self, (rank, column): Spot) -> bool {
        let placed = 81 - count(&self.cells, '.');
        let centre = (rank, column) == (4, 4);
        let ring = !centre && rank.abs_diff(4) <= 1 && column.abs_diff(4) <= 1;
        self.cells[rank][column] == '.'
            && centre == (placed == 80)
            && (ring || placed >= self.rules.ring_plies)
    }

    fn may_remove(&self, at: Spot) -> bool {
        let enemy = other(self.turn);
        let squares = squares(&self.cells, enemy);
        let loose =
            |at: Spot| self.cells[at.0][at.1] == enemy && !squares.iter().any(|corner| touches(*corner, at));
        self.cells[at.0][at.1] == enemy && (loose(at) || !spots().any(loose))
    }

    fn flies(&self, side: char) -> bool {
        count(&self.cells, side) <= 9
    }

    /// Every displacement: its text, the board after it, its start and its end.
    fn displacements(&self) -> Vec<(String, Cells, Spot, Spot)> {
        let mut found = Vec::new();
        for from in spots().filter(|at| self.cells[at.0][at.1] == self.turn) {
            for to in spots().filter(|at| self.cells[at.0][at.1] == '.') {
                if self.flies(self.turn) || from.0.abs_diff(to.0) + from.1.abs_diff(to.1) == 1 {
                    let mut after = self.cells;
                    after[from.0][from.1] = '.';
                    after[to.0][to.1] = self.turn;
                    found.push((format!("{}-{}", name(from), name(to)), after, from, to));
                }
            }
            let mut lifted = self.cells;
            lifted[from.0][from.1] = '.';
            let mut chains = Vec::new();
            self.jumps(&lifted, &name(from), from, 1, &mut chains);
            let (own, enemy) = (self.flies(self.turn), self.flies(other(self.turn)));
            let barred = match self.rules.scope {
                "either" => own || enemy,
                "mover" => own,
                "both" => own && enemy,
                _ => enemy && !own,
            };
            for (text, mut after, to, taken) in chains {
                if taken > 1 || !barred {
                    after[to.0][to.1] = self.turn;
                    found.push((text, after, from, to));
                }
            }
        }
        found
    }

    fn jumps(
        &self,
        cells: &Cells,
        text: &str,
        at: Spot,
        taken: usize,
        found: &mut Vec<(String, Cells, Spot, usize)>,
    ) {
        for (up, right) in ROUND {
            let (Some(over), Some(to)) = (shift(at, up, right), shift(at, 2 * up, 2 * right)) else {
                continue;
            };
            if cells[over.0][over.1] == other(self.turn) && cells[to.0][to.1] == '.' {
                let mut after = *cells;
                after[over.0][over.1] = '.';
                let text = format!("{text}x{}", name(to));
                found.push((text.clone(), after, to, taken));
                self.jumps(&after, &text, to, taken + 1, found);
            }
        }
    }

    /// The lines through a point that are full on the board and that the side to move may still use.
    fn lines(&self, cells: &Cells, (rank, column): Spot) -> Vec<(&'static str, usize)> {
        let mut found = Vec::new();
        if (0..9).all(|c| cells[rank][c] == self.turn) {
            found.push(("row", rank));
        }
        if (0..9).all(|r| cells[r][column] == self.turn) {
            found.push(("col", column));
        }
        let own = || self.spears.iter().filter(|spear| spear.0 == self.turn);
        found.retain(|(way, index)| own().all(|(_, other, used)| other == way && used != index));
        found
    }

    fn spear(&self, cells: &Cells, at: Spot, choice: &str) -> Option<(&'static str, usize)> {
        let lines = self.lines(cells, at);
        if !choice.is_empty() {
            return lines.into_iter().find(|line| line.0 == choice);
        }
        let most = lines.iter().map(|line| value(line.1)).max()?;
        lines.into_iter().find(|line| value(line.1) == most)
    }

    fn push_with_choices(&self, found: &mut Vec<String>, text: &str, cells: &Cells, at: Spot) {
        found.push(text.to_owned());
        let default = self.spear(cells, at, "");
        for line in self.lines(cells, at) {
            if Some(line) != default {
                found.push(format!("{text}/{}", line.0));
            }
        }
    }
}

pub(crate) fn other(side: char) -> char {
    if side == 'x' { 'o' } else { 'x' }
}

pub(crate) fn count(cells: &Cells, sign: char) -> usize {
    cells.iter().flatten().filter(|cell| **cell == sign).count()
}

/// The lower left corners of a side's squares.
pub(crate) fn squares(cells: &Cells, side: char) -> Vec<Spot> {
    spots()
        .filter(|(rank, column)| {
            *rank < 8
                && *column < 8
                && [(0, 0), (0, 1), (1, 0), (1, 1)].iter().all(|(r, c)| cells[rank + r][column + c] == side)
        })
        .collect()
}

fn touches(corner: Spot, at: Spot) -> bool {
    (corner.0..=corner.0 + 1).contains(&at.0) && (corner.1..=corner.1 + 1).contains(&at.1)
}

fn value(index: usize) -> usize {
    [5, 6, 7, 8, 9, 8, 7, 6, 5][index]
}

fn spots() -> impl Iterator<Item = Spot> {
    (0..9).flat_map(|rank| (0..9).map(move |column| (rank, column)))
}

fn shift(at: Spot, up: i32, right: i32) -> Option<Spot> {
    let moved =
        |from: usize, by: i32| usize::try_from(i32::try_from(from).ok()? + by).ok().filter(|to| *to < 9);
    Some((moved(at.0, up)?, moved(at.1, right)?))
}

fn name((rank, column): Spot) -> String {
    format!("{}{}", char::from(b'A' + u8::try_from(column).expect("small")), rank + 1)
}

fn spot(name: &str) -> Spot {
    let bytes = name.as_bytes();
    (usize::from(bytes[1] - b'1'), usize::from(bytes[0] - b'A'))
}
