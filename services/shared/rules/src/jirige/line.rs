use core::{fmt, str::FromStr};

use super::{Point, PointSet, SIZE};

/// Which way a line runs.
///
/// ```
/// use rules::jirige::{Line, Orientation, Point};
///
/// let corner: Point = "A1".parse()?;
/// assert_eq!(Line::through(corner, Orientation::Row).to_string(), "row:1");
/// assert_eq!(Line::through(corner, Orientation::Column).to_string(), "col:A");
/// # Ok::<(), rules::jirige::PointError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Orientation {
    /// Along a rank.
    Row,
    /// Along a column.
    Column,
}

/// One of the eighteen lines from edge to edge, nine rows and nine columns (rule 4).
///
/// ```
/// use rules::jirige::Line;
///
/// let line: Line = "row:5".parse().unwrap();
/// assert_eq!((line.value(), line.points().len()), (9, 9));
/// assert_eq!("col:H".parse::<Line>().unwrap().value(), 6);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Line {
    orientation: Orientation,
    index: u8,
}

/// The text is not a line.
///
/// ```
/// use rules::jirige::{Line, LineError};
///
/// assert_eq!("row:0".parse::<Line>(), Err(LineError));
/// assert_eq!(LineError.to_string(), "a line is row:1 to row:9 or col:A to col:I");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineError;

impl Orientation {
    /// Both, rows first.
    ///
    /// ```
    /// use rules::jirige::{Line, Orientation, Point};
    ///
    /// let values = Orientation::ALL.map(|orientation| Line::through(Point::CENTRE, orientation).value());
    /// assert_eq!(values, [9, 9]);
    /// ```
    pub const ALL: [Orientation; 2] = [Orientation::Row, Orientation::Column];

    /// `row` or `col`.
    ///
    /// ```
    /// use rules::jirige::Orientation;
    ///
    /// assert_eq!(Orientation::ALL.map(Orientation::name), ["row", "col"]);
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Orientation::Row => "row",
            Orientation::Column => "col",
        }
    }

    /// The orientation of this name.
    ///
    /// ```
    /// use rules::jirige::Orientation;
    ///
    /// assert_eq!(Orientation::of_name("col"), Some(Orientation::Column));
    /// assert_eq!(Orientation::of_name("column"), None);
    /// ```
    pub fn of_name(name: &str) -> Option<Orientation> {
        Orientation::ALL.into_iter().find(|orientation| orientation.name() == name)
    }
}

impl Line {
    /// The line with this index, from 0: rows from the bottom, columns from the left.
    ///
    /// ```
    /// use rules::jirige::{Line, Orientation};
    ///
    /// assert_eq!(Line::new(Orientation::Column, 1), "col:B".parse().ok());
    /// assert_eq!(Line::new(Orientation::Column, 9), None);
    /// ```
    pub const fn new(orientation: Orientation, index: u8) -> Option<Line> {
        if index < SIZE { Some(Line { orientation, index }) } else { None }
    }

    /// The row or column through a point.
    ///
    /// ```
    /// use rules::jirige::{Line, Orientation, Point};
    ///
    /// let point: Point = "C7".parse()?;
    /// let lines = Orientation::ALL.map(|orientation| Line::through(point, orientation).to_string());
    /// assert_eq!(lines, ["row:7", "col:C"]);
    /// # Ok::<(), rules::jirige::PointError>(())
    /// ```
    pub const fn through(at: Point, orientation: Orientation) -> Line {
        let index = match orientation {
            Orientation::Row => at.rank(),
            Orientation::Column => at.column(),
        };
        Line { orientation, index }
    }

    /// Every line: the rows from the bottom, then the columns from the left.
    ///
    /// ```
    /// use rules::jirige::{Line, Orientation};
    ///
    /// assert_eq!(Line::all().count(), 18);
    /// assert!(Line::all().take(9).all(|line| line.orientation() == Orientation::Row));
    /// assert_eq!(Line::all().filter(|line| line.value() == 9).count(), 2);
    /// ```
    pub fn all() -> impl Iterator<Item = Line> {
        Orientation::ALL
            .into_iter()
            .flat_map(|orientation| (0..SIZE).map(move |index| Line { orientation, index }))
    }

    /// Which way it runs.
    ///
    /// ```
    /// use rules::jirige::{Line, Orientation};
    ///
    /// let line: Line = "col:H".parse()?;
    /// assert_eq!(line.orientation(), Orientation::Column);
    /// # Ok::<(), rules::jirige::LineError>(())
    /// ```
    pub const fn orientation(self) -> Orientation {
        self.orientation
    }

    /// Its index, from 0: rows from the bottom, columns from the left.
    ///
    /// ```
    /// use rules::jirige::Line;
    ///
    /// let indices = ["row:1", "row:9", "col:C"].map(|name| name.parse::<Line>().unwrap().index());
    /// assert_eq!(indices, [0, 8, 2]);
    /// ```
    pub const fn index(self) -> u8 {
        self.index
    }

    /// Its nine points.
    ///
    /// ```
    /// use rules::jirige::Line;
    ///
    /// let line: Line = "col:C".parse()?;
    /// assert_eq!(line.points().len(), 9);
    /// assert!(line.points().iter().all(|at| at.column() == 2));
    /// # Ok::<(), rules::jirige::LineError>(())
    /// ```
    pub const fn points(self) -> PointSet {
        match self.orientation {
            Orientation::Row => PointSet::row(self.index),
            Orientation::Column => PointSet::column(self.index),
        }
    }

    /// How many stones a spear on it takes: 9 on the centre line, one less for each line away from it, 5 on
    /// the edge (rule 4).
    ///
    /// ```
    /// use rules::jirige::Line;
    ///
    /// let values = ["row:1", "row:2", "row:5", "col:H"].map(|name| name.parse::<Line>().unwrap().value());
    /// assert_eq!(values, [5, 6, 9, 6]);
    /// ```
    pub const fn value(self) -> u8 {
        SIZE - self.index.abs_diff(SIZE / 2)
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.orientation {
            Orientation::Row => write!(f, "row:{}", self.index + 1),
            Orientation::Column => write!(f, "col:{}", char::from(b'A' + self.index)),
        }
    }
}

impl FromStr for Line {
    type Err = LineError;

    fn from_str(text: &str) -> Result<Self, LineError> {
        Line::all().find(|line| LineText(*line) == *text).ok_or(LineError)
    }
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a line is row:1 to row:9 or col:A to col:I")
    }
}

impl core::error::Error for LineError {}

/// Compares the text of a line with another one without building it.
struct LineText(Line);

impl PartialEq<str> for LineText {
    fn eq(&self, text: &str) -> bool {
        let (name, first) = match self.0.orientation {
            Orientation::Row => ("row:", b'1'),
            Orientation::Column => ("col:", b'A'),
        };
        text.strip_prefix(name).is_some_and(|rest| rest.as_bytes() == [first + self.0.index])
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn lines_round_trip_and_have_the_values_of_rule_4() {
        let values = [5, 6, 7, 8, 9, 8, 7, 6, 5];
        for line in Line::all() {
            assert_eq!(line.to_string().parse(), Ok(line));
            assert_eq!(line.value(), values[usize::from(line.index())]);
            assert!(line.points().iter().all(|at| Line::through(at, line.orientation()) == line));
        }
        assert_eq!(Line::all().count(), 18);
        for text in ["", "row", "row:", "row:0", "row:10", "col:J", "col:5", "row:A", "Row:1"] {
            assert_eq!(text.parse::<Line>(), Err(LineError), "{text}");
        }
    }
}
