//! Arrangements as a block of lines, as people draw them:
//!
//! ```text
//! phase: move
//! to-move: W
//! light: row:5+row:4
//! quiet: 12
//! board:
//! x . x . x . x . x
//! …
//! ```

use alloc::{format, string::String, vec::Vec};

use super::{Nine, Phase, Setup, SetupError, setup_text};
use crate::{Side, grid::Grid as _};

/// The letters of the sides, dark first.
const LETTERS: [&str; 2] = ["B", "W"];

/// No block is longer: a drawn board and five short lines, with room for remarks.
const BLOCK_BYTES_MAX: usize = 4096;

impl Setup {
    /// Reads a block of lines `key: value`; lines that are empty or begin with `#` are left out.
    ///
    /// The keys are `phase`, `to-move` (`B` or `W`, or `dark` or `light`), `dark` and `light` for spears, `quiet`,
    /// `owed`, and `board` with its nine rows on the lines after it. Without a board it is empty, without a phase
    /// stones are placed, and without a side dark places and light does all else.
    ///
    /// # Errors
    /// [`SetupError::Text`] when it is not built like that.
    pub fn from_block(text: &str) -> Result<Setup, SetupError> {
        if text.len() > BLOCK_BYTES_MAX {
            return Err(SetupError::Text);
        }
        let mut setup = Setup::empty();
        let mut to_move = None;
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        while let Some(line) = lines.next() {
            let (key, value) = line.split_once(':').ok_or(SetupError::Text)?;
            match (key.trim(), value.trim()) {
                ("board", "") => {
                    let rows: Vec<&str> = lines.by_ref().take(usize::from(Nine::SIDE)).collect();
                    setup.board = rows.join("/").parse().map_err(|_| SetupError::Text)?;
                }
                ("board", _) => return Err(SetupError::Text),
                ("phase", word) => setup.phase = setup_text::phase(word)?,
                ("to-move", word) => {
                    let lettered = Side::BOTH.into_iter().find(|side| LETTERS[side.index()] == word);
                    to_move = Some(lettered.map_or_else(|| setup_text::side(word), Ok)?);
                }
                (key, value) => setup.set(key, value)?,
            }
        }
        let first = if setup.phase == Phase::Place { Side::First } else { Side::Second };
        setup.to_move = to_move.unwrap_or(first);
        Ok(setup)
    }

    /// Writes what [`Setup::from_block`] reads, the board last.
    pub fn to_block(&self) -> String {
        let line = format!("{self}");
        let mut words = line.split_whitespace();
        let board = words.next().unwrap_or_default();
        let to_move = LETTERS[self.to_move.index()];
        let mut lines = Vec::from([format!("phase: {}", self.phase.name()), format!("to-move: {to_move}")]);
        // After the phase and the side, every word of the one line is a key and a value too.
        lines.extend(words.skip(2).map(|word| word.replacen(':', ": ", 1)));
        lines.push(String::from("board:"));
        lines.extend(board.split('/').map(|row| row.chars().map(String::from).collect::<Vec<_>>().join(" ")));
        lines.join("\n") + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_round_trip() {
        let board =
            "x.x.x.x.x/.o.o.o.o./x.x.x.x.x/........./....ox.../........./........./........./o.o.o.o.o";
        for words in ["place dark", "open light owed:3+1+0+2", "move dark dark:row:5 light:col:A quiet:7"] {
            let setup: Setup = format!("{board} {words}").parse().unwrap();
            assert_eq!(Setup::from_block(&setup.to_block()), Ok(setup));
        }
        assert_eq!(Setup::from_block(""), Ok(Setup::empty()));
        assert_eq!(Setup::from_block("# nothing\n\nphase: open").map(|it| it.to_move), Ok(Side::Second));
        for bad in ["board", "board: x", "board:\nx", "phase: fly", "to-move: x", "moon: full", "quiet: -1"] {
            assert_eq!(Setup::from_block(bad), Err(SetupError::Text), "{bad}");
        }
    }
}
