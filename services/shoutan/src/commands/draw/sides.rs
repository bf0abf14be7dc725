//! What the two sides are called.

use api::{board::v1::Side, game::v1::Variant};

use super::plain;

/// The colours of a variant's two sides, first side first, as people call them: `Black`, `White`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sides([String; 2]);

impl Sides {
    /// The sides by the names of their colours.
    pub fn new(first: &str, second: &str) -> Self {
        Sides([first.to_owned(), second.to_owned()])
    }

    /// The sides of a variant as the server lists it.
    pub fn of(variant: &Variant) -> Self {
        Sides::new(&plain(&variant.first_colour), &plain(&variant.second_colour))
    }

    /// What a side is called; `nobody` for none.
    pub fn name(&self, side: Side) -> &str {
        match side {
            Side::First => &self.0[0],
            Side::Second => &self.0[1],
            Side::Unspecified => "nobody",
        }
    }

    /// Whether a side's stones are light.
    pub fn is_light(&self, side: Side) -> bool {
        self.name(side).eq_ignore_ascii_case("white")
    }
}
