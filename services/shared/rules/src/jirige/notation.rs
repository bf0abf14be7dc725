//! The notation of turns: `E4`, `*C3*D4`, `E4-E5*C3`, `E4xE6xG6*A1`, `E4-E5/col*C3`, `claim`, `resign`.

use core::{fmt, str::FromStr};

use super::{Orientation, Path, Point, PointError, Turn, Way, turn::REMOVED_MAX};
use crate::prelude::*;

/// No turn is longer: a path of 41 points, a line and 41 removed stones.
pub const TURN_BYTES_MAX: usize = 256;

const CLAIM: &str = "claim";
const RESIGN: &str = "resign";

reasons! {
    /// Why a text is not a turn.
    #[non_exhaustive]
    pub enum TurnError {
        /// Longer than [`TURN_BYTES_MAX`], or with more points or removals than any turn has.
        TooLong => "BAD_NOTATION" as Syntax ("no turn is as long as this"),
        /// It is not built like a turn.
        Shape => "BAD_NOTATION" as Syntax ("a turn is written like E4, *C3, E4-E5*C3 or E4xE6xG6"),
        /// It names a point that the board does not have.
        OffBoard(String) => "OFF_BOARD" as Forbidden ("{0} is not on the board"),
        /// A placement takes nothing (rule 8).
        PlacementRemoves => "TOO_MANY_REMOVALS" as Forbidden ("no stone is removed while placing"),
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let choice = |f: &mut fmt::Formatter<'_>, line: &Option<Orientation>| match line {
            Some(orientation) => write!(f, "/{}", orientation.name()),
            None => Ok(()),
        };
        match self {
            Turn::Place { at, line } => {
                write!(f, "{at}")?;
                choice(f, line)?;
            }
            Turn::Move { way, line, .. } => {
                write!(f, "{way}")?;
                choice(f, line)?;
            }
            Turn::Remove(_) => {}
            Turn::Claim => f.write_str(CLAIM)?,
            Turn::Resign => f.write_str(RESIGN)?,
        }
        self.removed().iter().try_for_each(|at| write!(f, "*{at}"))
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Way::Walk { from, to } => write!(f, "{from}-{to}"),
            Way::Jump(path) => {
                let (first, rest) = (path.points()[0], &path.points()[1..]);
                write!(f, "{first}")?;
                rest.iter().try_for_each(|at| write!(f, "x{at}"))
            }
        }
    }
}

impl FromStr for Turn {
    type Err = TurnError;

    /// Reads a turn. Blanks round it are free, and the letters of points may be lower case.
    fn from_str(text: &str) -> Result<Self, TurnError> {
        let text = text.trim();
        if text.len() > TURN_BYTES_MAX {
            return Err(TurnError::TooLong);
        }
        match text {
            CLAIM => return Ok(Turn::Claim),
            RESIGN => return Ok(Turn::Resign),
            _ => {}
        }
        let (head, tail) = match text.split_once('*') {
            Some((head, tail)) => (head, Some(tail)),
            None => (text, None),
        };
        let removed = tail.map_or(Ok(Vec::new()), |tail| tail.split('*').map(point).collect());
        if head.is_empty() && tail.is_some() {
            return within_limit(removed?).map(Turn::Remove);
        }
        let (places, line) = match head.split_once('/') {
            Some((places, name)) => (places, Some(Orientation::named(name).ok_or(TurnError::Shape)?)),
            None => (head, None),
        };
        let Some(way) = way(places)? else {
            let at = point(places)?;
            return match tail {
                Some(_) => removed.and(Err(TurnError::PlacementRemoves)),
                None => Ok(Turn::Place { at, line }),
            };
        };
        Ok(Turn::Move { way, line, removed: within_limit(removed?)? })
    }
}

/// A walk or a chain; `None` where the text has neither sign of one.
fn way(text: &str) -> Result<Option<Way>, TurnError> {
    if let Some((from, to)) = text.split_once('-') {
        return Ok(Some(Way::Walk { from: point(from)?, to: point(to)? }));
    }
    if !text.contains('x') {
        return Ok(None);
    }
    let points = text.split('x').map(point).collect::<Result<Vec<_>, _>>()?;
    Path::new(points).map(|path| Some(Way::Jump(path))).ok_or(TurnError::TooLong)
}

fn within_limit(removed: Vec<Point>) -> Result<Vec<Point>, TurnError> {
    if removed.len() > REMOVED_MAX { Err(TurnError::TooLong) } else { Ok(removed) }
}

fn point(text: &str) -> Result<Point, TurnError> {
    text.parse().map_err(|error| match error {
        PointError::OffBoard => TurnError::OffBoard(text.chars().take(8).collect()),
        PointError::NotAPoint => TurnError::Shape,
    })
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_spelling_reads_as_the_canonical_one() {
        for (text, canonical) in [
            (" E4 ", "E4"),
            ("e4", "E4"),
            ("E5/row", "E5/row"),
            ("*c3*d4", "*C3*D4"),
            ("a1-i9", "A1-I9"),
            ("e4xe6xg6/col*a1*b2", "E4xE6xG6/col*A1*B2"),
            ("E4xE6xE4", "E4xE6xE4"),
            ("claim", "claim"),
            ("resign\n", "resign"),
        ] {
            let turn: Turn = text.parse().expect(text);
            assert_eq!(turn.to_string(), canonical);
            assert_eq!(turn.to_string().parse(), Ok(turn));
        }
    }

    #[test]
    fn faults_are_named() {
        let off = |text: &str| TurnError::OffBoard(String::from(text));
        for (text, error) in [
            ("", TurnError::Shape),
            ("E5E6", TurnError::Shape),
            ("E5-", TurnError::Shape),
            ("E5-E6-E7", TurnError::Shape),
            ("E5-E6xE8", TurnError::Shape),
            ("E5 - E6", TurnError::Shape),
            ("xE5", TurnError::Shape),
            ("E5/diag", TurnError::Shape),
            ("E5/col/row", TurnError::Shape),
            ("*", TurnError::Shape),
            ("**C3", TurnError::Shape),
            ("/col*C3", TurnError::Shape),
            ("*C3/col", TurnError::Shape),
            ("Claim", TurnError::Shape),
            ("pass", TurnError::Shape),
            ("J5", off("J5")),
            ("A10", off("A10")),
            ("A0-A1", off("A0")),
            ("A1-A2*K3", off("K3")),
            ("E4*C3", TurnError::PlacementRemoves),
            (&"A1x".repeat(42), TurnError::Shape),
            (&("A1x".repeat(42) + "A1"), TurnError::TooLong),
            (&"*A1".repeat(42), TurnError::TooLong),
            (&"*".repeat(TURN_BYTES_MAX + 1), TurnError::TooLong),
        ] {
            assert_eq!(text.parse::<Turn>(), Err(error), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused_without_panic(text in "([A-Ka-i][0-9]{0,2}|-|x|\\*|/row|/col|claim|\\PC){0,40}") {
            if let Ok(turn) = text.parse::<Turn>() {
                prop_assert_eq!(turn.to_string().parse(), Ok(turn));
            }
        }
    }
}
