//! What the clocks decide: plain types, integer microseconds, the time passed in.
//!
//! [`step`] is the whole of it: a control, the last reading, an event and its time give the next reading or
//! the side whose flag has fallen. It is deterministic and total. It is not a watch: nothing in here waits
//! for a flag, and nothing knows how readings travel or where deadlines are kept.

mod event;
mod moment;
mod offer;
mod reading;
mod side;
mod step;

pub use event::{BadStep, Event};
pub use moment::{Micros, Moment};
pub use offer::{Offer, offers};
pub use reading::{Reading, Running, SideTime};
pub use side::Side;
pub use step::{Step, step};
