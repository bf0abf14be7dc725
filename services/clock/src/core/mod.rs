//! What the clocks decide: plain types, integer microseconds, the time passed in.
//!
//! [`step`] is the heart of it: a control, the last reading, an event and its time give the next reading or
//! the side whose flag has fallen. [`announcements_after`] tells what is to be announced,
//! [`first_difference`] whether a log is what follows from it. All of it is deterministic and total. It is not a watch:
//! nothing in here waits for a flag, and nothing knows how readings travel or where deadlines are kept.

mod announcement;
mod armed_clock;
mod audience;
mod event;
mod history;
mod lag;
mod moment;
mod offer;
mod pause;
mod reading;
mod side;
mod side_time;
mod step;

pub use announcement::{
    Announcement, DueAnnouncement, REPEATED_MAX, announcements_after, announcements_between,
    announcements_to_repeat, next_announcements,
};
pub use armed_clock::ArmedClock;
pub use audience::Audience;
pub use event::{Adjustment, Event, InvalidStep};
pub use history::{Difference, Entry, HistoryError, first_difference, replay};
pub use lag::{LIMITS as LAG_LIMITS, Lag, UNMEASURED_MAX, gain, quota_max};
pub use moment::{Micros, Moment};
pub use offer::offers;
pub use pause::{PauseReason, Pauses};
pub use reading::{Reading, RemainingTimes, Turn};
pub use rules::Side;
pub use side::control_of;
pub use side_time::{MAIN_REMAINING_MAX, Remaining, SideTime};
pub use step::{Step, StepRequest, step};
