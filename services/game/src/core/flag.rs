//! Fallen flags.

use chassis::id::GameId;
use rules::Side;
use time::OffsetDateTime;

use super::Reading;

/// What the clock service saw.
#[derive(Clone, Debug)]
pub struct FlagFall {
    /// The game.
    pub game: GameId,
    /// The revision of its clock.
    pub revision: u64,
    /// Whose flag fell.
    pub side: Side,
    /// When.
    pub time: OffsetDateTime,
    /// The clock then.
    pub reading: Reading,
}

impl FlagFall {
    /// Whether the flag that fell is that of this clock. The revision alone does not tell: when an act could not be
    /// written and was sent again, two clocks have had the same one, and only the later is in the log. The reading
    /// at the fall of another would not follow from the log.
    pub fn is_of(&self, clock: &Reading) -> bool {
        clock.revision == self.revision
            && clock.running.map(|(side, _)| side) == Some(self.side)
            && clock.flag == Some(self.time)
    }
}
