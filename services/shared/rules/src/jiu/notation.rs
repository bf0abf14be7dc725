//! The printed notation of turns: `C6→E6→E4→G4 TC-D6,E5,F4 FC-L1`.

use alloc::borrow::Cow;
use core::{fmt, str::FromStr};

use super::{Move, Path, Point, Turn, turn};
use crate::{ActError, prelude::*};

/// No turn is longer: a path of 99 points, 98 jumped and 98 removed stones, with room for blanks.
pub const TURN_BYTES_MAX: usize = 2048;

/// Why a text is not a turn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TurnError {
    /// Longer than [`TURN_BYTES_MAX`].
    #[error("a turn has at most {TURN_BYTES_MAX} bytes")]
    TooLong,
    /// Nothing but blanks.
    #[error("the turn is empty")]
    Empty,
    /// What stands where a point should.
    #[error("{0:?} is not a point")]
    NotAPoint(String),
    /// More than [`turn::PATHS_MAX`] paths or [`turn::PATH_POINTS_MAX`] points in a path.
    #[error("the turn moves too many stones or one of them too far")]
    PathTooLong,
    /// Several stones move together, and one of them makes more than one leg.
    #[error("stones that move together go from one point to another")]
    BentTogether,
    /// A list names no stone, or more than [`turn::NAMED_MAX`].
    #[error("{0} must name 1 to {max} points", max = turn::NAMED_MAX)]
    BadList(&'static str),
    /// A list stands twice.
    #[error("{0} stands twice")]
    Twice(&'static str),
    /// A single point removes nothing.
    #[error("a turn of one point removes nothing")]
    PointWithList,
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Turn::Point(at) => write!(f, "{at}"),
            Turn::Move(it) => write!(f, "{it}"),
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, path) in self.paths.iter().enumerate() {
            f.write_str(if n == 0 { "" } else { "+" })?;
            joined(f, path.points(), "→")?;
        }
        match self.jumped.as_deref() {
            Some([]) => f.write_str(" TC-none")?,
            Some(jumped) => {
                f.write_str(" TC-")?;
                joined(f, jumped, ",")?;
            }
            None => {}
        }
        if !self.removed.is_empty() {
            f.write_str(" FC-")?;
            joined(f, &self.removed, ",")?;
        }
        Ok(())
    }
}

impl FromStr for Turn {
    type Err = TurnError;

    /// Reads a turn. Blanks are free around lists and their commas, a colon may stand before `TC` and `FC` as
    /// in the source's own explanation, and the two lists may come in either order.
    fn from_str(text: &str) -> Result<Self, TurnError> {
        if text.len() > TURN_BYTES_MAX {
            return Err(TurnError::TooLong);
        }
        let lists = list_marks(text);
        let first = lists.first().map_or(text.len(), |(at, _)| *at);
        let paths = paths(trimmed(&text[..first]))?;
        let (mut jumped, mut removed) = (None, None);
        for (n, (at, name)) in lists.iter().enumerate() {
            let end = lists.get(n + 1).map_or(text.len(), |(next, _)| *next);
            let body = trimmed(&text[at + MARK_BYTES..end]);
            let place = if *name == JUMPED { &mut jumped } else { &mut removed };
            if place.replace(points(name, body)?).is_some() {
                return Err(TurnError::Twice(name));
            }
        }
        match paths {
            Paths::Point(_) if jumped.is_some() || removed.is_some() => Err(TurnError::PointWithList),
            Paths::Point(at) => Ok(Turn::Point(at)),
            Paths::Moved(paths) => {
                Ok(Turn::Move(Move { paths, jumped, removed: removed.unwrap_or_default() }))
            }
        }
    }
}

impl From<TurnError> for ActError {
    fn from(error: TurnError) -> Self {
        ActError::syntax(Cow::Owned(format!("{error}")))
    }
}

/// The mark of jumped stones (跳吃).
const JUMPED: &str = "TC";
/// The mark of stones removed by choice (成方吃).
const REMOVED: &str = "FC";
/// The bytes of a mark with its hyphen.
const MARK_BYTES: usize = 3;

enum Paths {
    Point(Point),
    Moved(Vec<Path>),
}

/// Where the lists begin, and which they are.
fn list_marks(text: &str) -> Vec<(usize, &'static str)> {
    let mark = |three: &[u8]| match three {
        [b'T' | b't', b'C' | b'c', b'-'] => Some(JUMPED),
        [b'F' | b'f', b'C' | b'c', b'-'] => Some(REMOVED),
        _ => None,
    };
    let windows = text.as_bytes().windows(MARK_BYTES).enumerate();
    windows.filter_map(|(at, three)| Some((at, mark(three)?))).collect()
}

fn paths(text: &str) -> Result<Paths, TurnError> {
    let mut found = Vec::new();
    for path in text.split('+') {
        let mut points = Vec::new();
        for name in path.split('→').flat_map(|part| part.split("->")) {
            points.push(point(name)?);
            if points.len() > turn::PATH_POINTS_MAX {
                return Err(TurnError::PathTooLong);
            }
        }
        found.push(points);
        if found.len() > turn::PATHS_MAX {
            return Err(TurnError::PathTooLong);
        }
    }
    if let [points] = found.as_slice()
        && let [at] = points.as_slice()
    {
        return Ok(Paths::Point(*at));
    }
    if found.len() > 1 && found.iter().any(|points| points.len() != 2) {
        return Err(TurnError::BentTogether);
    }
    Ok(Paths::Moved(found.into_iter().filter_map(Path::new).collect()))
}

fn points(name: &'static str, text: &str) -> Result<Vec<Point>, TurnError> {
    if name == JUMPED && text.eq_ignore_ascii_case("none") {
        return Ok(Vec::new());
    }
    let points = text.split(',').map(point).take(turn::NAMED_MAX + 1).collect::<Result<Vec<_>, _>>()?;
    if points.len() > turn::NAMED_MAX { Err(TurnError::BadList(name)) } else { Ok(points) }
}

fn point(text: &str) -> Result<Point, TurnError> {
    let text = text.trim();
    text.parse().map_err(|_| {
        if text.is_empty() { TurnError::Empty } else { TurnError::NotAPoint(text.chars().take(16).collect()) }
    })
}

/// Without blanks and without the colon that may end a part.
fn trimmed(text: &str) -> &str {
    let text = text.trim();
    text.strip_suffix(':').unwrap_or(text).trim_end()
}

fn joined(f: &mut fmt::Formatter<'_>, points: &[Point], by: &str) -> fmt::Result {
    for (n, point) in points.iter().enumerate() {
        f.write_str(if n == 0 { "" } else { by })?;
        write!(f, "{point}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_spelling_reads_as_the_canonical_one() {
        for (text, canonical) in [
            ("H8", "H8"),
            (" g7 ", "G7"),
            ("H7→H8 FC-F7", "H7→H8 FC-F7"),
            ("h7->h8 fc-f7", "H7→H8 FC-F7"),
            ("C6→E6→E4→G4: TC-D6, E5, F4: FC-L1", "C6→E6→E4→G4 TC-D6,E5,F4 FC-L1"),
            ("C6 → E6->E4→G4 FC-L1 TC-D6,E5 , F4", "C6→E6→E4→G4 TC-D6,E5,F4 FC-L1"),
            ("B4→C4+E5→D5 FC-A1,A2", "B4→C4+E5→D5 FC-A1,A2"),
            ("L9 →L7 TC- L8", "L9→L7 TC-L8"),
            ("A1→A3 tc-NONE", "A1→A3 TC-none"),
        ] {
            let turn: Turn = text.parse().expect(text);
            assert_eq!(turn.to_string(), canonical);
            assert_eq!(turn.to_string().parse(), Ok(turn));
        }
    }

    #[test]
    fn faults_are_named() {
        let not_a_point = |text: &str| TurnError::NotAPoint(String::from(text));
        for (text, error) in [
            ("", TurnError::Empty),
            ("G7→", TurnError::Empty),
            ("G7 H8", not_a_point("G7 H8")),
            ("C4→E4 TC-D440", not_a_point("D440")),
            ("J6→N6 TC-16", not_a_point("16")),
            ("A1→A2 FC-", TurnError::Empty),
            ("A1→A2 FC-none", not_a_point("none")),
            ("A1→A2 FC-B1 FC-B2", TurnError::Twice("FC")),
            ("A1 FC-B1", TurnError::PointWithList),
            ("A1→A2→A3+B1→B2", TurnError::BentTogether),
            ("A1+B1→B2", TurnError::BentTogether),
            ("A1→A2+B1→B2+C1→C2+D1→D2", TurnError::PathTooLong),
            (&"A1→".repeat(100), TurnError::PathTooLong),
            (&(String::from("A1→A2 FC-A1") + &",A1".repeat(98)), TurnError::BadList("FC")),
            (&" ".repeat(TURN_BYTES_MAX + 1), TurnError::TooLong),
        ] {
            assert_eq!(text.parse::<Turn>(), Err(error), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused_without_panic(text in "(TC-|FC-|→|->|[A-P]|[0-9]|,|\\+|:| |\\PC){0,60}") {
            if let Ok(turn) = text.parse::<Turn>() {
                prop_assert_eq!(turn.to_string().parse(), Ok(turn));
            }
        }
    }
}
