//! A game that is to be made.

use std::collections::BTreeMap;

use chassis::id::GameId;
use rules::Variant;

use super::{Regulations, Seat, TimeControl};

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSpec {
    /// The id that it gets.
    pub id: GameId,
    /// The variant.
    pub variant: &'static Variant,
    /// The rule set, by name.
    pub rule_set: String,
    /// The options that are not as the rule set has them.
    pub options: BTreeMap<String, String>,
    /// The time control.
    pub time_control: TimeControl,
    /// Whether it counts for the ratings.
    pub rated: bool,
    /// The players, first side first.
    pub seats: [Seat; 2],
    /// What is agreed on beyond the rules.
    pub regulations: Regulations,
}
