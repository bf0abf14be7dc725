//! Events as they are printed.

use api::{
    federation::v1::{Event, EventSchedule, EventSettings, LadderChallenge, event_format::Format},
    time_control::TimeControl,
};
use serde_json::{Value, json};

use super::{print::Record, session::Session, settings::File, words};
use crate::commands::{federation::shown::names, render::sanitize};

/// The fields of an event, in order.
pub(super) fn event(session: &Session, event: &Event) -> Record {
    let (native, latin) = names(event.name.as_ref());
    let settings = event.settings.clone().unwrap_or_default();
    let officials = event.officials.iter().map(|official| {
        let role = words::role(official.role);
        if session.json {
            json!({ "role": role, "account": official.account_id })
        } else {
            json!(format!("{role} {}", official.account_id))
        }
    });
    let list = |items: Vec<String>| Value::Array(items.into_iter().map(Value::String).collect());
    vec![
        ("event", json!(event.id)),
        ("name", native),
        ("latin", latin),
        ("stage", json!(words::stage(event.stage))),
        ("missing", list(event.missing.iter().map(|it| words::plain(it)).collect())),
        ("game", json!(game(&settings))),
        ("format", json!(format(&settings))),
        ("entered", json!(event.entrant_count)),
        ("entries_max", json!(settings.entries_max)),
        ("round", json!(event.round)),
        ("supplement", json!(event.supplement_version)),
        ("checked", list(event.checked.iter().map(|item| words::item(*item)).collect())),
        ("officials", Value::Array(officials.collect())),
        ("readings", json!(settings.readings.iter().collect::<std::collections::BTreeMap<_, _>>())),
        ("seed_head", json!(hex(&event.seed_head))),
        ("challenges", Value::Array(event.challenges.iter().map(|it| challenge(session, it)).collect())),
        ("sequence", json!(event.sequence)),
        ("zone", json!(settings.schedule.as_ref().map(|it| &it.zone))),
        ("round_times", list_of_times(session, settings.schedule.as_ref())),
        ("changed", session.time(event.update_time.as_ref())),
        ("federation", json!(event.federation_id)),
    ]
}

/// A challenge on a ladder that waits: for its answer until a time, or without one for its round.
pub(super) fn challenge(session: &Session, it: &LadderChallenge) -> Value {
    let mut shown = json!({ "challenger": it.challenger, "holder": it.holder });
    if it.answer_until_time.is_some() {
        shown["answer_until"] = session.time(it.answer_until_time.as_ref());
    }
    shown
}

/// When the rounds begin that have a time, from the first on.
fn list_of_times(session: &Session, schedule: Option<&EventSchedule>) -> Value {
    let times = schedule.into_iter().flat_map(|it| &it.round_times);
    Value::Array(times.map(|time| session.time(Some(time))).collect())
}

/// The fields of an event with all of its settings, for scripts.
pub(super) fn whole(session: &Session, it: &Event) -> anyhow::Result<Record> {
    let mut record = event(session, it);
    if let Some(settings) = it.settings.clone() {
        record.push(("settings", serde_json::to_value(File::try_from(settings)?)?));
    }
    Ok(record)
}

/// The fields of an event in a list.
pub(super) fn row(event: &Event) -> Record {
    let (native, latin) = names(event.name.as_ref());
    let settings = event.settings.clone().unwrap_or_default();
    vec![
        ("event", json!(event.id)),
        ("name", native),
        ("latin", latin),
        ("stage", json!(words::stage(event.stage))),
        ("format", json!(format(&settings))),
        ("game", json!(game(&settings))),
        ("entered", json!(event.entrant_count)),
        ("round", json!(event.round)),
    ]
}

/// What an event is called: the native name, and the Latin one where it is another.
pub(super) fn name(event: &Event) -> String {
    both(event.name.as_ref())
}

/// A name with its transliteration, where that is another.
pub(super) fn both(name: Option<&api::federation::v1::Name>) -> String {
    match name {
        Some(name) if name.latin.is_empty() || name.latin == name.native => sanitize(&name.native),
        Some(name) => sanitize(&format!("{} ({})", name.native, name.latin)),
        None => String::new(),
    }
}

/// An event in one line.
pub(super) fn line(event: &Event) -> String {
    let missing: Vec<String> = event.missing.iter().map(|it| words::plain(it)).collect();
    let missing = match missing.as_slice() {
        [] => String::new(),
        missing => format!("; missing before the next stage: {}", missing.join(", ")),
    };
    format!("{}: {}, entry {} of its log{missing}", name(event), words::stage(event.stage), event.sequence)
}

/// `go, 1h, rated`.
fn game(settings: &EventSettings) -> String {
    let Some(game) = &settings.game else { return String::new() };
    let control = game.time_control.as_ref().and_then(|control| TimeControl::try_from(control).ok());
    let control = control.map(|control| control.to_string()).unwrap_or_default();
    let rated = if game.rated { ", rated" } else { "" };
    format!("{}, {control}{rated}", game.variant)
}

/// `Swiss, 7 rounds, play-off for places 1 to 3`.
fn format(settings: &EventSettings) -> String {
    let play_off = settings.play_off.as_ref().map(|it| match it.places {
        0 | 1 => ", play-off for place 1".to_owned(),
        places => format!(", play-off for places 1 to {places}"),
    });
    format!("{}{}", format_alone(settings), play_off.unwrap_or_default())
}

fn format_alone(settings: &EventSettings) -> String {
    let Some(format) = settings.format.as_ref().and_then(|it| it.format.as_ref()) else {
        return String::new();
    };
    match format {
        Format::Swiss(it) => format!("Swiss, {}", rounds(it.rounds)),
        Format::RoundRobin(it) if it.double => "double round robin".to_owned(),
        Format::RoundRobin(_) => "round robin".to_owned(),
        Format::KnockOut(it) => {
            let third = if it.third_place { ", with a game for the third place" } else { "" };
            format!("knock-out after {} lost{third}", it.lives)
        }
        Format::Match(it) => {
            format!("match of {} {}", it.games, if it.games == 1 { "game" } else { "games" })
        }
        Format::MacMahon(it) => format!("MacMahon, {}", rounds(it.rounds)),
        Format::Grading(it) => format!("for grades, {}", rounds(it.rounds)),
        Format::Arena(_) => "arena of two teams".to_owned(),
        Format::Ladder(it) => format!("ladder, {}", rounds(it.rounds)),
    }
}

fn rounds(count: u32) -> String {
    format!("{count} {}", if count == 1 { "round" } else { "rounds" })
}

/// Bytes as hexadecimal digits.
pub(in crate::commands) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // Writing to a string never fails.
        let _ = write!(text, "{byte:02x}");
    }
    text
}
