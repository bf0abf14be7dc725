//! What a side has of a game's time control.

use api::time_control::{Control, TimeControl};
use rules::Side;

/// The control of a side.
pub const fn control_of(control: TimeControl, side: Side) -> Control {
    match side {
        Side::First => control.first,
        Side::Second => control.second,
    }
}
