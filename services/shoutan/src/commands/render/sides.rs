//! What the two sides and the points of a board are called.

use api::{
    board::v1::Side,
    game::v1::{self as pb, Variant},
};
use rules::Axes;

use super::sanitize;

/// The colours of a variant's two sides, first side first, as people call them, `Black` and `White`, and how the
/// points of its board are named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sides {
    colours: [String; 2],
    axes: Option<Axes>,
}

impl Sides {
    /// The sides by the names of their colours; without axes nothing stands at the edge of a board.
    pub(crate) fn new(first: &str, second: &str, axes: Option<Axes>) -> Self {
        Sides { colours: [first.to_owned(), second.to_owned()], axes }
    }

    /// The sides of a variant as the server lists it.
    pub(crate) fn of(variant: &Variant) -> Self {
        let axes = match variant.axes() {
            pb::Axes::AcrossWithoutI => Some(Axes::AcrossWithoutI),
            pb::Axes::Across => Some(Axes::Across),
            pb::Axes::Down => Some(Axes::Down),
            pb::Axes::Unspecified => None,
        };
        Sides::new(&sanitize(&variant.first_colour), &sanitize(&variant.second_colour), axes)
    }

    /// What a side is called; `nobody` for none.
    pub(crate) fn name(&self, side: Side) -> &str {
        match side {
            Side::First => &self.colours[0],
            Side::Second => &self.colours[1],
            Side::Unspecified => "nobody",
        }
    }

    /// Whether a side's stones are light.
    pub(crate) fn is_light(&self, side: Side) -> bool {
        self.name(side).eq_ignore_ascii_case("white")
    }

    /// What stands above a column of a board.
    pub(crate) fn column(&self, column: u32) -> String {
        let named = self.axes.zip(u8::try_from(column).ok());
        named.map_or(String::new(), |(axes, column)| axes.column(column))
    }

    /// What stands beside a row of a board with so many rows.
    pub(crate) fn row(&self, row: u32, rows: u32) -> String {
        let rows = u8::try_from(rows).unwrap_or(u8::MAX);
        let named = self.axes.zip(u8::try_from(row).ok());
        named.map_or(String::new(), |(axes, row)| axes.row(row, rows))
    }
}
