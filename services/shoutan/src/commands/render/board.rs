//! The board.

use std::collections::BTreeMap;

use anstyle::{AnsiColor, Color, Style};
use anyhow::{Context as _, bail, ensure};
use api::board::v1::{Board, Change, Mark, Point, Side, change::Change as Kind};

use super::{FAINT, Sides, paint};

/// No board that fits a terminal has longer sides.
const SIDE_MAX: u32 = 64;

/// The wood, and what is drawn on it.
const BOARD: Option<Color> = Some(Color::Ansi(AnsiColor::Yellow));
const WOOD: Style = on_board(AnsiColor::Black);
const DARK: Style = on_board(AnsiColor::Black);
const LIGHT: Style = on_board(AnsiColor::BrightWhite);
const BRACKET: Style = on_board(AnsiColor::Red).bold();

const fn on_board(colour: AnsiColor) -> Style {
    Style::new().fg_color(Some(Color::Ansi(colour))).bg_color(BOARD)
}

/// How a kind of mark is drawn: what stands on an empty point, what stands left and right of it, and the
/// colours, empty ones for those of the point.
struct MarkStyle {
    kind: &'static str,
    empty: Option<char>,
    around: Option<(char, char)>,
    style: Style,
}

/// The marks that are drawn in their own way; of two on a point the later one here is on top. A kind that is not
/// here is drawn as a dot on an empty point, and not at all on a stone.
const MARK_STYLES: &[MarkStyle] = &[
    MarkStyle { kind: "line", empty: None, around: None, style: on_board(AnsiColor::Cyan).bold() },
    MarkStyle { kind: "gate", empty: None, around: None, style: on_board(AnsiColor::Magenta).bold() },
    MarkStyle { kind: "dalian", empty: None, around: Some(('<', '>')), style: Style::new() },
    MarkStyle { kind: "double-dalian", empty: None, around: Some(('«', '»')), style: Style::new() },
    MarkStyle { kind: "dalian-gap", empty: Some('◇'), around: None, style: Style::new() },
    MarkStyle { kind: "square", empty: None, around: None, style: Style::new() },
    MarkStyle { kind: "spear", empty: None, around: None, style: Style::new() },
    MarkStyle { kind: "seki", empty: None, around: None, style: Style::new() },
    MarkStyle { kind: "fill", empty: Some('∘'), around: None, style: Style::new() },
    MarkStyle { kind: "shared", empty: Some('∘'), around: None, style: Style::new() },
    MarkStyle { kind: "territory-first", empty: None, around: None, style: Style::new() },
    MarkStyle { kind: "territory-second", empty: None, around: None, style: Style::new() },
    MarkStyle { kind: "ko", empty: Some('□'), around: None, style: on_board(AnsiColor::Red).bold() },
    MarkStyle { kind: "long-cycle", empty: None, around: None, style: on_board(AnsiColor::Red).bold() },
    MarkStyle {
        kind: "dead",
        empty: None,
        around: Some(('[', ']')),
        style: on_board(AnsiColor::BrightBlack),
    },
    MarkStyle { kind: "last", empty: Some('∘'), around: Some(('(', ')')), style: Style::new() },
];

/// A board, kept up to date by what the server says happened.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BoardView {
    columns: u32,
    rows: u32,
    /// Owners by row and column.
    stones: BTreeMap<(u32, u32), Side>,
    marks: Vec<Mark>,
    sides: Sides,
}

/// A point of the drawing.
#[derive(Clone, Copy)]
struct Cell {
    glyph: char,
    style: Style,
}

impl BoardView {
    /// The picture of a board.
    ///
    /// # Errors
    /// A board without points, or with sides of more than 64, or a stone beside the board.
    pub(crate) fn new(board: &Board, sides: Sides) -> anyhow::Result<Self> {
        let fits = 1..=SIDE_MAX;
        ensure!(
            fits.contains(&board.columns) && fits.contains(&board.rows),
            "a board of {} x {} cannot be drawn",
            board.columns,
            board.rows
        );
        let mut picture = BoardView {
            columns: board.columns,
            rows: board.rows,
            stones: BTreeMap::new(),
            marks: Vec::new(),
            sides,
        };
        for stone in &board.stones {
            picture.place(stone.at.as_ref(), stone.owner)?;
        }
        picture.mark(&board.marks);
        Ok(picture)
    }

    /// Draws what an act did.
    ///
    /// # Errors
    /// When it cannot have happened on this board: a stone was placed on another, or one moved that is not there.
    /// The picture is then no longer to be relied on.
    pub(crate) fn apply(&mut self, changes: &[Change], marks: &[Mark]) -> anyhow::Result<()> {
        for change in changes {
            match change.change.as_ref().context("a change without content")? {
                Kind::Placed(placed) => self.place(placed.at.as_ref(), placed.owner)?,
                Kind::Moved(moved) => {
                    let (from, to) = (moved.path.first(), moved.path.last());
                    let owner = self.take(from)?;
                    self.place(to, owner as i32)?;
                }
                Kind::Removed(removed) => {
                    let owner = self.take(removed.at.as_ref())?;
                    ensure!(owner as i32 == removed.owner, "a stone was removed that is not its owner's");
                }
            }
        }
        self.mark(marks);
        Ok(())
    }

    /// What the server's board has that this one has not, or the other way round.
    pub(crate) fn difference(&self, board: &Board) -> Option<String> {
        let theirs = match BoardView::new(board, self.sides.clone()) {
            Ok(picture) => picture,
            Err(error) => return Some(error.to_string()),
        };
        if (theirs.columns, theirs.rows) != (self.columns, self.rows) {
            return Some("the size".to_owned());
        }
        let at = |(row, column): &(u32, u32)| format!("column {}, row {}", column + 1, row + 1);
        let mut points = self.stones.keys().chain(theirs.stones.keys());
        if let Some(point) = points.find(|point| self.stones.get(point) != theirs.stones.get(point)) {
            return Some(format!("the stone at {}", at(point)));
        }
        (self.marks != theirs.marks).then(|| "the marks".to_owned())
    }

    /// The board as lines of text, with coordinates on all four sides.
    pub(crate) fn lines(&self) -> Vec<String> {
        let columns: Vec<String> = (0..self.columns).map(|column| self.sides.column(column)).collect();
        let rows: Vec<String> = (0..self.rows).map(|row| self.sides.row(row, self.rows)).collect();
        let width = rows.iter().map(String::len).max().unwrap_or(0);
        let pitch = columns.iter().map(String::len).max().unwrap_or(0).max(1) + 1;
        let mut heading = " ".repeat(width + 1);
        for name in &columns {
            heading.push_str(&" ".repeat(pitch.saturating_sub(name.len())));
            heading.push_str(name);
        }
        let heading = paint(FAINT, &heading);
        let mut lines = vec![heading.clone()];
        for (row, name) in (0..).zip(&rows) {
            let label = paint(FAINT, &format!("{name:>width$}"));
            let after = paint(FAINT, name);
            lines.push(format!("{label} {} {after}", self.row(row, pitch)));
        }
        lines.push(heading);
        lines
    }

    fn row(&self, row: u32, pitch: usize) -> String {
        let blank = Cell { glyph: ' ', style: WOOD };
        let mut cells = vec![blank; self.columns as usize * pitch + 1];
        for column in 0..self.columns {
            let index = (column as usize + 1) * pitch - 1;
            let (cell, around) = self.cell((row, column));
            cells[index] = cell;
            if let Some((left, right)) = around {
                cells[index - 1] = Cell { glyph: left, style: BRACKET };
                cells[index + 1] = Cell { glyph: right, style: BRACKET };
            }
        }
        let runs = cells.chunk_by(|one, next| one.style == next.style);
        runs.map(|run| paint(run[0].style, &run.iter().map(|cell| cell.glyph).collect::<String>())).collect()
    }

    /// What stands on a point, and around it.
    fn cell(&self, at: (u32, u32)) -> (Cell, Option<(char, char)>) {
        let owner = self.stones.get(&at).copied();
        let mut cell = match owner {
            Some(owner) if self.sides.is_light(owner) => Cell { glyph: '○', style: LIGHT },
            Some(_) => Cell { glyph: '●', style: DARK },
            None => Cell { glyph: '·', style: WOOD },
        };
        let mut around = None;
        let kinds: Vec<&str> = self.kinds_at(at).collect();
        for mark in MARK_STYLES.iter().filter(|mark| kinds.contains(&mark.kind)) {
            if let (None, Some(glyph)) = (owner, mark.empty.or_else(|| self.territory(mark.kind))) {
                cell.glyph = glyph;
            }
            if mark.style != Style::new() {
                cell.style = mark.style;
            }
            around = mark.around.filter(|_| owner.is_some()).or(around);
        }
        if owner.is_none() && !kinds.is_empty() && !kinds.iter().any(|kind| is_known(kind)) {
            cell.glyph = '∘';
        }
        (cell, around)
    }

    /// How an enclosed point is drawn: as a small stone of its owner's.
    fn territory(&self, kind: &str) -> Option<char> {
        let owner = match kind {
            "territory-first" => Side::First,
            "territory-second" => Side::Second,
            _ => return None,
        };
        Some(if self.sides.is_light(owner) { '▫' } else { '▪' })
    }

    fn kinds_at(&self, at: (u32, u32)) -> impl Iterator<Item = &str> {
        let here = move |mark: &&Mark| mark.at.as_ref().is_some_and(|point| (point.row, point.column) == at);
        self.marks.iter().filter(here).map(|mark| mark.kind.as_str())
    }

    fn place(&mut self, at: Option<&Point>, owner: i32) -> anyhow::Result<()> {
        let at = self.on_board(at)?;
        let Ok(owner @ (Side::First | Side::Second)) = Side::try_from(owner) else {
            bail!("a stone that is nobody's");
        };
        ensure!(self.stones.insert(at, owner).is_none(), "a stone was placed on another");
        Ok(())
    }

    fn take(&mut self, at: Option<&Point>) -> anyhow::Result<Side> {
        let at = self.on_board(at)?;
        self.stones.remove(&at).context("a stone moved or left that was not there")
    }

    fn on_board(&self, at: Option<&Point>) -> anyhow::Result<(u32, u32)> {
        let at = at.context("a change without a point")?;
        ensure!(at.column < self.columns && at.row < self.rows, "a point beside the board");
        Ok((at.row, at.column))
    }

    fn mark(&mut self, marks: &[Mark]) {
        self.marks = marks.to_vec();
    }
}

fn is_known(kind: &str) -> bool {
    MARK_STYLES.iter().any(|mark| mark.kind == kind)
}

#[cfg(test)]
#[path = "board_tests.rs"]
mod tests;
