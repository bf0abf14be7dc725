use core::{fmt, str::FromStr};

use super::{Line, Nine, Orientation, line::LineError};
use crate::grid::Grid as _;

/// What spears a side has made, and so which it may still make (rules 23 to 25).
///
/// As text the lines joined by `+`, `row:4+row:5`; nothing when there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Spears([u16; 2]);

/// Why a text does not name the spears of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpearsError {
    /// A part of it is not a line.
    #[error(transparent)]
    Line(LineError),
    /// The first spear fixes the orientation, and each line counts once (rules 23 and 24).
    #[error("a side's spears are all rows or all columns, each once")]
    NoRight,
}

impl Spears {
    /// No spear yet.
    pub const NONE: Spears = Spears([0; 2]);

    /// The orientation that the first spear has fixed (rule 23).
    pub fn orientation(self) -> Option<Orientation> {
        Orientation::ALL.into_iter().find(|orientation| self.0[*orientation as usize] != 0)
    }

    /// Whether a spear on this line would count: any line for the first, then those of the same orientation
    /// that have not been used (rules 23 and 24).
    pub fn allows(self, line: Line) -> bool {
        self.orientation().is_none_or(|fixed| fixed == line.orientation()) && !self.has(line)
    }

    /// The lines used, in the order of their indices.
    pub fn lines(self) -> impl Iterator<Item = Line> {
        Line::all().filter(move |line| self.has(*line))
    }

    /// The same with one line more, which must be allowed.
    #[must_use]
    pub(super) const fn with(mut self, line: Line) -> Spears {
        self.0[line.orientation() as usize] |= 1 << line.index();
        self
    }

    /// All of it in 18 bits.
    pub(super) fn bits(self) -> u32 {
        u32::from(self.0[1]) << Nine::SIDE | u32::from(self.0[0])
    }

    const fn has(self, line: Line) -> bool {
        self.0[line.orientation() as usize] >> line.index() & 1 == 1
    }
}

impl fmt::Display for Spears {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, line) in self.lines().enumerate() {
            write!(f, "{}{line}", if n == 0 { "" } else { "+" })?;
        }
        Ok(())
    }
}

impl FromStr for Spears {
    type Err = SpearsError;

    fn from_str(text: &str) -> Result<Self, SpearsError> {
        let mut spears = Spears::NONE;
        for part in text.split('+').filter(|_| !text.is_empty()) {
            let line: Line = part.parse().map_err(SpearsError::Line)?;
            if !spears.allows(line) {
                return Err(SpearsError::NoRight);
            }
            spears = spears.with(line);
        }
        Ok(spears)
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn spears_round_trip() {
        for text in ["", "row:5", "row:1+row:5+row:9", "col:A+col:I"] {
            let spears: Spears = text.parse().unwrap();
            assert_eq!(spears.to_string(), text);
        }
        assert_eq!("row:5+row:4".parse::<Spears>().unwrap().to_string(), "row:4+row:5");
        for (text, error) in [
            ("row:5+row:5", SpearsError::NoRight),
            ("row:5+col:E", SpearsError::NoRight),
            ("row:5+", SpearsError::Line(LineError)),
            ("+", SpearsError::Line(LineError)),
        ] {
            assert_eq!(text.parse::<Spears>(), Err(error), "{text}");
        }
    }

    #[test]
    fn the_orientation_is_that_of_the_first() {
        assert_eq!(Spears::NONE.orientation(), None);
        for line in Line::all() {
            assert!(Spears::NONE.allows(line));
            let spears = Spears::NONE.with(line);
            assert_eq!(spears.orientation(), Some(line.orientation()));
            for later in Line::all() {
                let allowed = later != line && later.orientation() == line.orientation();
                assert_eq!(spears.allows(later), allowed);
            }
        }
    }
}
