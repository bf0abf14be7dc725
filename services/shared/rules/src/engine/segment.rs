//! A file of records taken apart: positions, and what was played from each.

use crate::{is_setup_line, prelude::*};

/// A position, if one stands before it, and a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Segment {
    /// The text of the position; empty if there is none.
    pub setup: String,
    /// The line where the position begins, from 1.
    pub setup_line: u32,
    /// The lines of the record with their numbers, from 1.
    pub record: Vec<(u32, String)>,
    /// Whether the board of the position has begun.
    on_board: bool,
    /// Whether the record has more than remarks.
    has_acts: bool,
}

/// Where in an SGF tree the reader is.
#[derive(Clone, Copy, Debug, Default)]
struct Tree {
    depth: u32,
    in_value: bool,
    escaped: bool,
}

/// The segments of a file. A new one begins with the first key of a position after a board or an act, with a
/// game tree after another, or with a line of `=`.
pub(super) fn segments(text: &str) -> Vec<Segment> {
    let mut splitter = Splitter::default();
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    for (line, number) in text.lines().zip(1..) {
        splitter.line(line, number);
    }
    splitter.close();
    splitter.done
}

impl Segment {
    /// The record as one text, in which line `n` is `record[n - 1]`.
    pub(super) fn text(&self) -> String {
        self.record.iter().flat_map(|(_, line)| [line, "\n"]).collect()
    }

    /// Whether the record is SGF.
    pub(super) fn is_tree(&self) -> bool {
        let mut lines = self.record.iter().map(|(_, line)| line.trim_start());
        let first = lines.find(|line| !line.is_empty() && !line.starts_with('#'));
        first.is_some_and(|line| line.starts_with('('))
    }

    fn is_empty(&self) -> bool {
        self.setup.is_empty() && !self.has_acts
    }
}

#[derive(Default)]
struct Splitter {
    done: Vec<Segment>,
    open: Segment,
    tree: Tree,
}

impl Splitter {
    fn line(&mut self, line: &str, number: u32) {
        let trimmed = line.trim();
        if self.tree.depth > 0 {
            self.tree_line(line, number);
        } else if !trimmed.is_empty() && trimmed.bytes().all(|byte| byte == b'=') {
            self.close();
        } else if is_setup_line(trimmed) {
            if self.open.has_acts || self.open.on_board {
                self.close();
            }
            self.open.on_board = trimmed.starts_with("board");
            self.setup_line(trimmed, number);
        } else if self.open.on_board && !self.open.has_acts && is_row(trimmed) {
            self.setup_line(trimmed, number);
        } else if trimmed.starts_with('(') {
            self.tree_line(line, number);
        } else {
            self.open.has_acts |= !trimmed.is_empty() && !trimmed.starts_with('#');
            self.open.record.push((number, line.into()));
        }
    }

    fn setup_line(&mut self, line: &str, number: u32) {
        if self.open.setup.is_empty() {
            self.open.setup_line = number;
        }
        self.open.setup.push_str(line);
        self.open.setup.push('\n');
    }

    /// A line of SGF, in which a tree may end and another one begin.
    fn tree_line(&mut self, line: &str, number: u32) {
        let mut start = 0;
        for (at, byte) in line.bytes().enumerate() {
            if byte == b'(' && self.tree.depth == 0 && self.open.has_acts {
                self.open.record.push((number, line[start..at].into()));
                start = at;
                self.close();
            }
            self.tree.step(byte);
            self.open.has_acts = true;
        }
        self.open.record.push((number, line[start..].into()));
        // A line's end is no backslash's affair here: what it escapes is the end itself.
        self.tree.escaped = false;
    }

    fn close(&mut self) {
        let open = core::mem::take(&mut self.open);
        self.tree = Tree::default();
        if !open.is_empty() {
            self.done.push(open);
        }
    }
}

impl Tree {
    fn step(&mut self, byte: u8) {
        match byte {
            _ if self.escaped => self.escaped = false,
            b'\\' if self.in_value => self.escaped = true,
            b']' => self.in_value = false,
            b'[' => self.in_value = true,
            b'(' if !self.in_value => self.depth = self.depth.saturating_add(1),
            b')' if !self.in_value => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }
}

/// Whether a line can be a row of a board: signs and blanks, and a remark behind them.
fn is_row(line: &str) -> bool {
    let signs = line.split_once('#').map_or(line, |(signs, _)| signs);
    !signs.is_empty() && signs.chars().all(|sign| " \t.+BbWwXxOo".contains(sign))
}

#[cfg(test)]
mod tests {
    use alloc::{borrow::ToOwned, vec};

    use super::*;

    fn parts(text: &str) -> Vec<(String, String)> {
        segments(text)
            .into_iter()
            .map(|it| (it.setup.trim().to_owned(), it.text().trim().to_owned()))
            .collect()
    }

    fn pair(setup: &str, record: &str) -> (String, String) {
        (setup.to_owned(), record.to_owned())
    }

    #[test]
    fn positions_begin_segments() {
        let text =
            "# a\nto-move: B\nphase: move\nboard:\n. x\n\no .\nB1: A1\nW2: A2\nto-move: W\nboard: ../..\n";
        let wanted = vec![
            pair("to-move: B\nphase: move\nboard:\n. x\no .", "# a\n\nB1: A1\nW2: A2"),
            pair("to-move: W\nboard: ../..", ""),
        ];
        assert_eq!(parts(text), wanted);
        assert_eq!(segments(text)[1].setup_line, 10);
        assert_eq!(segments(text)[0].record[2], (8, "B1: A1".to_owned()));
    }

    #[test]
    fn trees_are_told_apart_whatever_they_hold() {
        let first = "(;B[aa]C[to-move: B\n\\](;\nboard:]\n(;W[bb])(;W[cc]))";
        let both = alloc::format!("{first}(;B[cc]\n;W[dd])\n");
        assert_eq!(parts(&both), vec![pair("", first), pair("", "(;B[cc]\n;W[dd])")]);
        assert!(segments(&both).iter().all(Segment::is_tree));
        let placed = alloc::format!("to-move: B\nboard: ...\n{first}\nto-move: W\n");
        let wanted = vec![pair("to-move: B\nboard: ...", first), pair("to-move: W", "")];
        assert_eq!(parts(&placed), wanted);
    }

    #[test]
    fn what_holds_nothing_is_no_segment() {
        assert_eq!(parts(""), vec![]);
        assert_eq!(parts("# only\n\n===\n# remarks\n"), vec![]);
        assert_eq!(parts("E5\n====\nG7"), vec![pair("", "E5"), pair("", "G7")]);
    }
}
