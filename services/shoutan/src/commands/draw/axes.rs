//! What stands beside a board: letters and numbers.

use api::board::v1::Point;

/// A way of naming points by a letter and a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axes {
    /// Letters across without I, numbers from the bottom up: Go.
    AcrossWithoutI,
    /// Letters from the top down, numbers across: Jiu.
    Down,
    /// Letters across, numbers from the bottom up: chess and most others.
    Across,
}

impl Axes {
    /// Every way, the one that is usual for a variant first.
    pub fn all(variant: &str) -> Vec<Axes> {
        match variant {
            "jiu" => vec![Axes::Down, Axes::AcrossWithoutI, Axes::Across],
            _ => vec![Axes::AcrossWithoutI, Axes::Across, Axes::Down],
        }
    }

    /// What stands above a column of a board.
    pub fn column(self, column: u32) -> String {
        match self {
            Axes::AcrossWithoutI => letter(if column < 8 { column } else { column + 1 }),
            Axes::Across => letter(column),
            Axes::Down => (column + 1).to_string(),
        }
    }

    /// What stands beside a row of a board with so many rows.
    pub fn row(self, row: u32, rows: u32) -> String {
        match self {
            Axes::AcrossWithoutI | Axes::Across => rows.saturating_sub(row).to_string(),
            Axes::Down => letter(row),
        }
    }

    /// Whether it gives this point the name that the server gives it.
    pub fn agrees(self, point: &Point, rows: u32) -> bool {
        let (column, row) = (self.column(point.column), self.row(point.row, rows));
        match self {
            Axes::AcrossWithoutI | Axes::Across => point.name == format!("{column}{row}"),
            Axes::Down => point.name == format!("{row}{column}"),
        }
    }
}

/// The letter with this index; nothing after Z.
fn letter(index: u32) -> String {
    u8::try_from(index)
        .ok()
        .filter(|index| *index < 26)
        .map_or(String::new(), |index| char::from(b'A' + index).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(column: u32, row: u32, name: &str) -> Point {
        Point { column, row, name: name.to_owned() }
    }

    #[test]
    fn points_have_the_names_their_players_use() {
        assert!(Axes::AcrossWithoutI.agrees(&point(15, 3, "Q16"), 19));
        assert!(!Axes::Across.agrees(&point(15, 3, "Q16"), 19));
        assert!(Axes::Down.agrees(&point(6, 7, "H7"), 14));
        assert!(!Axes::AcrossWithoutI.agrees(&point(6, 7, "H7"), 14));
        assert!(Axes::Across.agrees(&point(8, 0, "I8"), 8));
    }

    #[test]
    fn there_are_twenty_six_letters() {
        assert_eq!(Axes::Across.column(25), "Z");
        assert_eq!(Axes::Across.column(26), "");
        assert_eq!(Axes::AcrossWithoutI.column(24), "Z");
        assert_eq!(Axes::AcrossWithoutI.row(30, 19), "0");
    }
}
