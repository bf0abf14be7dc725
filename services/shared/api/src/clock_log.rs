//! The history of a game's clocks as its log keeps it: one [`ClockEntry`] for each step that changed something.

use crate::clock::v1::{ClockEntry, StepRequest, StepResponse, clock_entry, step_request};

/// The entry of a step that was asked for and answered, for the log of the game.
pub fn entry(request: &StepRequest, response: &StepResponse) -> ClockEntry {
    ClockEntry {
        event_time: request.event_time,
        event: request.event.map(to_entry),
        after: response.after.clone(),
        flagged: response.flagged,
        compensated_duration: response.compensated_duration,
    }
}

/// What happened by an entry, as it was asked of the clocks.
pub fn event(entry: &ClockEntry) -> Option<step_request::Event> {
    entry.event.map(from_entry)
}

fn to_entry(event: step_request::Event) -> clock_entry::Event {
    use clock_entry::Event as Entry;
    use step_request::Event;
    match event {
        Event::Start(event) => Entry::Start(event),
        Event::Press(event) => Entry::Press(event),
        Event::Stop(event) => Entry::Stop(event),
        Event::Credit(event) => Entry::Credit(event),
        Event::Watch(event) => Entry::Watch(event),
        Event::Pause(event) => Entry::Pause(event),
        Event::Resume(event) => Entry::Resume(event),
        Event::Adjust(event) => Entry::Adjust(event),
    }
}

fn from_entry(entry: clock_entry::Event) -> step_request::Event {
    use clock_entry::Event as Entry;
    use step_request::Event;
    match entry {
        Entry::Start(event) => Event::Start(event),
        Entry::Press(event) => Event::Press(event),
        Entry::Stop(event) => Event::Stop(event),
        Entry::Credit(event) => Event::Credit(event),
        Entry::Watch(event) => Event::Watch(event),
        Entry::Pause(event) => Event::Pause(event),
        Entry::Resume(event) => Event::Resume(event),
        Entry::Adjust(event) => Event::Adjust(event),
    }
}
