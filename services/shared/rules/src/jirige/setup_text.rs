//! Arrangements as one line of words, and as every variant writes a position.

use core::{fmt, str::FromStr};

use super::{Board, Phase, Setup, SetupError, Spears, VARIANT};
use crate::{SetupText, Side, prelude::*};

/// The words of the sides, dark first.
pub(super) const SIDES: [&str; 2] = ["dark", "light"];

/// No arrangement is longer: 89 bytes of board, and the other words with all eighteen lines.
const SETUP_BYTES_MAX: usize = 512;

/// An arrangement written as every variant writes a position: the keys `phase`, `dark`, `light`, `quiet` and `owed`.
/// Without a phase stones are placed.
pub(super) fn of(text: &SetupText<'_>) -> Result<Setup, crate::SetupError> {
    const KEYS: [&str; 4] = ["dark", "light", "quiet", "owed"];
    let bad = |error: SetupError| crate::SetupError::new(error.to_string());
    text.only(&["phase", "dark", "light", "quiet", "owed"])?;
    let side = VARIANT.side_of(text.to_move()?);
    let board = Board::of_setup(text, &VARIANT)?.ok_or_else(|| bad(SetupError::Text))?;
    let phase = text.key("phase").map_or(Ok(Phase::Place), phase).map_err(bad)?;
    let mut setup = Setup { board, phase, to_move: side, ..Setup::empty() };
    for (name, value) in KEYS.into_iter().filter_map(|name| Some((name, text.key(name)?))) {
        setup.set(name, value).map_err(bad)?;
    }
    Ok(setup)
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.board, self.phase.name(), SIDES[self.to_move.index()])?;
        for side in Side::BOTH {
            let spears = self.spears[side.index()];
            if spears != Spears::NONE {
                write!(f, " {}:{spears}", SIDES[side.index()])?;
            }
        }
        if self.quiet > 0 {
            write!(f, " quiet:{}", self.quiet)?;
        }
        if let Some([a, b, c, d]) = self.owed {
            write!(f, " owed:{a}+{b}+{c}+{d}")?;
        }
        Ok(())
    }
}

impl FromStr for Setup {
    type Err = SetupError;

    fn from_str(text: &str) -> Result<Self, SetupError> {
        if text.len() > SETUP_BYTES_MAX {
            return Err(SetupError::Text);
        }
        let mut words = text.split_whitespace();
        let mut word = || words.next().ok_or(SetupError::Text);
        let board = word()?.parse().map_err(|_| SetupError::Text)?;
        let (phase, to_move) = (phase(word()?)?, side(word()?)?);
        let mut setup = Setup { board, phase, to_move, ..Setup::empty() };
        for word in words {
            let (name, value) = word.split_once(':').ok_or(SetupError::Text)?;
            setup.set(name, value)?;
        }
        Ok(setup)
    }
}

/// The letters of the sides, dark first.
const LETTERS: [&str; 2] = ["B", "W"];

impl Setup {
    /// The arrangement as every variant writes a position, the board last.
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

    /// Sets one of the values that may be left out.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<(), SetupError> {
        match name {
            "quiet" => self.quiet = value.parse().map_err(|_| SetupError::Text)?,
            "owed" => {
                let parts = value.split('+').take(5).map(str::parse).collect::<Result<Vec<u8>, _>>();
                self.owed = Some(
                    parts.ok().and_then(|parts| <[u8; 4]>::try_from(parts).ok()).ok_or(SetupError::Text)?,
                );
            }
            _ => {
                let side = side(name)?;
                self.spears[side.index()] = value.parse().map_err(|_| SetupError::Text)?;
            }
        }
        Ok(())
    }
}

pub(super) fn phase(word: &str) -> Result<Phase, SetupError> {
    Phase::named(word).ok_or(SetupError::Text)
}

pub(super) fn side(word: &str) -> Result<Side, SetupError> {
    Side::BOTH.into_iter().find(|side| SIDES[side.index()] == word).ok_or(SetupError::Text)
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::ToString};

    use super::*;

    #[test]
    fn texts_round_trip() {
        let board = Setup::empty().board;
        for words in [
            "place dark",
            "place light dark:col:E",
            "open light owed:3+1+0+0",
            "move dark dark:row:1+row:9 light:col:C quiet:99",
        ] {
            let text = format!("{board} {words}");
            assert_eq!(text.parse::<Setup>().unwrap().to_string(), text);
        }
        for words in [
            "",
            "place",
            "fly dark",
            "place red",
            "place dark row:5",
            "place dark quiet:70000",
            "open light owed:1",
            "open light owed:1+1+1+1+1",
            "open light owed:1+1+1+256",
            "move dark dark:row:1+col:A",
        ] {
            assert_eq!(format!("{board} {words}").parse::<Setup>(), Err(SetupError::Text), "{words}");
        }
        assert_eq!("x".repeat(600).parse::<Setup>(), Err(SetupError::Text));
    }

    #[test]
    fn blocks_round_trip() {
        let board =
            "x.x.x.x.x/.o.o.o.o./x.x.x.x.x/........./....ox.../........./........./........./o.o.o.o.o";
        for words in ["place dark", "open light owed:3+1+0+2", "move dark dark:row:5 light:col:A quiet:7"] {
            let setup: Setup = format!("{board} {words}").parse().unwrap();
            let block = setup.to_block();
            assert_eq!(SetupText::read(&block).and_then(|text| of(&text)), Ok(setup));
        }
    }
}
