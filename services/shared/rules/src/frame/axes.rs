use crate::{Point, prelude::*};

/// How the points of a board are named: by a letter and a number.
///
/// ```
/// use rules::{Axes, Point, go};
/// let (axes, point) = (go::VARIANT.axes, Point { column: 15, row: 3 });
/// assert_eq!((axes.column(15).as_str(), axes.row(3, 19).as_str()), ("Q", "16"));
/// assert_eq!(axes.name(point, 19), "Q16");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axes {
    /// Letters across without I, numbers from the bottom up: Go.
    AcrossWithoutI,
    /// Letters across, numbers from the bottom up: chess and most others.
    Across,
    /// Letters from the top down, numbers across: Jiu.
    Down,
}

impl Axes {
    /// Every way.
    pub const ALL: [Axes; 3] = [Axes::AcrossWithoutI, Axes::Across, Axes::Down];

    /// What stands above a column of a board. There are 26 letters; nothing stands above the columns after.
    pub fn column(self, column: u8) -> String {
        match self {
            Axes::AcrossWithoutI if column >= 8 => letter(column.saturating_add(1)),
            Axes::AcrossWithoutI | Axes::Across => letter(column),
            Axes::Down => number(column),
        }
    }

    /// What stands beside a row of a board with so many rows.
    pub fn row(self, row: u8, rows: u8) -> String {
        match self {
            Axes::AcrossWithoutI | Axes::Across => rows.saturating_sub(row).to_string(),
            Axes::Down => letter(row),
        }
    }

    /// The name of a point on a board with so many rows, the letter first.
    pub fn name(self, point: Point, rows: u8) -> String {
        let (column, row) = (self.column(point.column), self.row(point.row, rows));
        match self {
            Axes::AcrossWithoutI | Axes::Across => format!("{column}{row}"),
            Axes::Down => format!("{row}{column}"),
        }
    }
}

/// The number with this index.
fn number(index: u8) -> String {
    (u16::from(index) + 1).to_string()
}

/// The letter with this index; nothing after Z.
fn letter(index: u8) -> String {
    if index < 26 { char::from(b'A' + index).to_string() } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_twenty_six_letters() {
        assert_eq!((Axes::Across.column(25).as_str(), Axes::Across.column(26).as_str()), ("Z", ""));
        assert_eq!(
            (Axes::AcrossWithoutI.column(24).as_str(), Axes::AcrossWithoutI.column(25).as_str()),
            ("Z", "")
        );
        assert_eq!(Axes::AcrossWithoutI.row(30, 19), "0");
        assert_eq!(Axes::Down.column(u8::MAX), "256");
    }
}
