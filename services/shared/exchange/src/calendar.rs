//! Calendars of rounds and boards (RFC 5545), which people subscribe to.
//!
//! Times are in UTC, which every program shows in the zone of who looks; the zone of the event is told beside them. Who changes
//! an appointment keeps its `uid` and raises its `sequence`; a cancelled one stays in the calendar and says so, for
//! what is only missing would stay in those of subscribers.

use ics::{
    Event, ICalendar,
    components::Property,
    escape_text,
    properties::{Description, DtEnd, DtStart, Location, Sequence, Status, Summary},
};
use jiff::Timestamp;

use crate::{Place, Refusal, WriteError, limits::APPOINTMENTS_MAX};

/// Who has made a calendar, as the format wants to know it.
const PRODUCT: &str = "-//Shoutan//Events//EN";

/// The longest line, in bytes, without its end (RFC 5545, 3.1).
const LINE_BYTES: usize = 75;

/// Something at a time: a round, or a board of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Appointment {
    /// What it is known by for ever, such as `EVENT-round-3@HOST`.
    pub uid: String,
    /// How often it was changed.
    pub sequence: u32,
    /// When it was changed last, in seconds from 1970 on.
    pub changed: i64,
    /// When it begins, likewise.
    pub begins: i64,
    /// When it ends at the latest, or is expected to.
    pub ends: i64,
    /// What it is, in a line.
    pub summary: String,
    /// Where it is; empty where that is not said.
    pub location: String,
    /// More about it; may have several lines.
    pub description: String,
    /// Whether it will not be.
    pub cancelled: bool,
}

/// The file of a calendar: `name` is what people see, `zone` the name of the event's time zone, or nothing. Appointments are
/// in the order of their beginnings, and of their uids where these are the same.
///
/// ```
/// use exchange::calendar::{Appointment, calendar};
/// let round = Appointment { uid: "e7-1@go.example".to_owned(), begins: 1_770_000_000, ends: 1_770_003_600,
///     summary: "Round 1; བཀྲ་ཤིས་".to_owned(), ..Appointment::default() };
/// let file = String::from_utf8(calendar("Spring", "Asia/Shanghai", &[round])?)?;
/// assert!(file.contains("\r\nDTSTART:20260202T024000Z\r\n") && file.contains("SUMMARY:Round 1\\; བཀྲ་ཤིས་"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn calendar(name: &str, zone: &str, appointments: &[Appointment]) -> Result<Vec<u8>, WriteError> {
    if appointments.len() > APPOINTMENTS_MAX {
        return Err(WriteError::new(Refusal::TooMuch, Place::Event, appointments.len().to_string()));
    }
    let mut calendar = ICalendar::new("2.0", PRODUCT);
    for (key, value) in
        [("X-WR-CALNAME", name), ("NAME", name), ("X-WR-TIMEZONE", zone), ("TIMEZONE-ID", zone)]
    {
        if !value.is_empty() {
            calendar.push(Property::new(key, text(value)));
        }
    }
    let mut sorted: Vec<&Appointment> = appointments.iter().collect();
    sorted.sort_by_key(|it| (it.begins, &it.uid));
    for it in sorted {
        calendar.add_event(event(it)?);
    }
    Ok(folded(&calendar.to_string()).into_bytes())
}

fn event(it: &Appointment) -> Result<Event<'static>, WriteError> {
    let mut event = Event::new(text(&it.uid), moment(it.changed)?);
    event.push(Sequence::new(it.sequence.to_string()));
    event.push(DtStart::new(moment(it.begins)?));
    event.push(DtEnd::new(moment(it.ends.max(it.begins))?));
    event.push(Summary::new(text(&it.summary)));
    if !it.location.is_empty() {
        event.push(Location::new(text(&it.location)));
    }
    if !it.description.is_empty() {
        event.push(Description::new(text(&it.description)));
    }
    event.push(if it.cancelled { Status::cancelled() } else { Status::confirmed() });
    Ok(event)
}

/// A text with commas, semicolons and ends of lines escaped, without other control characters.
fn text(text: &str) -> String {
    let clean: String = text.chars().filter(|it| !it.is_control() || *it == '\n' || *it == '\r').collect();
    escape_text(clean).into_owned()
}

/// A moment in UTC.
fn moment(seconds: i64) -> Result<String, WriteError> {
    let moment = Timestamp::from_second(seconds).ok().map(|it| it.strftime("%Y%m%dT%H%M%SZ").to_string());
    let four = moment.filter(|it| it.len() == "20260102T030405Z".len());
    four.ok_or_else(|| WriteError::new(Refusal::Time, Place::Event, seconds.to_string()))
}

/// The same with lines of no more than [`LINE_BYTES`], broken between characters. The library folds too late: it does not
/// count the blank with which a line goes on.
fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len() + text.len() / 16);
    for line in text.replace("\r\n ", "").split_terminator("\r\n") {
        let mut room = LINE_BYTES;
        for it in line.chars() {
            if it.len_utf8() > room {
                folded.push_str("\r\n ");
                room = LINE_BYTES - 1;
            }
            room -= it.len_utf8();
            folded.push(it);
        }
        folded.push_str("\r\n");
    }
    folded
}
