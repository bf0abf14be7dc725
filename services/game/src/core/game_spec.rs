//! A game that is to be made.

use std::collections::BTreeMap;

use api::time_control::BadTimeControl;
use chassis::id::GameId;
use rules::Variant;

use super::{InvalidRegulations, Regulations, Seat, TimeControl};

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

/// Why no such game is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidGameSpec {
    /// The rules of the variant ask for more time.
    #[error("{}", .0.detail)]
    TimeControl(BadTimeControl),
    /// Both seats are one player's.
    #[error("nobody plays against himself")]
    OpponentIsSelf,
    /// The regulations make no sense.
    #[error("{}", .0.detail)]
    Regulations(InvalidRegulations),
}

impl GameSpec {
    /// The same, if it makes sense.
    ///
    /// # Errors
    /// What does not.
    pub fn checked(self) -> Result<Self, InvalidGameSpec> {
        self.time_control.at_least(self.variant.main_time_min).map_err(InvalidGameSpec::TimeControl)?;
        if self.seats[0].account == self.seats[1].account {
            return Err(InvalidGameSpec::OpponentIsSelf);
        }
        self.regulations.check().map_err(InvalidGameSpec::Regulations)?;
        Ok(self)
    }
}
