//! The file of an event's settings: JSON in which lines that begin with # are comments.

use std::{collections::BTreeMap, io::Read as _, path::Path, time::Duration};

use anyhow::{Context as _, anyhow};
use api::{
    federation::v1::{self as pb, event_format as wire},
    time::{duration, moment, timestamp},
    time_control::TimeControl,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

use super::{arranging_settings::Arranging, leave_settings::Leave, play_off::PlayOff, team_settings::Teams};
use crate::{commands::regular_file, edge};

/// Longer files hold something else: the longest text of a supplement is 80 kB.
const FILE_BYTES_MAX: u64 = 1024 * 1024;

/// A file of settings.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(in crate::commands) struct File {
    game: Game,
    format: Format,
    entries: Entries,
    schedule: Schedule,
    #[serde(default)]
    readings: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    appeal_within: Option<Span>,
    #[serde(default)]
    broadcast_delay: Span,
    #[serde(default)]
    watch_while_playing: bool,
    #[serde(default)]
    text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    teams: Option<Teams>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    play_off: Option<PlayOff>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    arranging: Option<Arranging>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    leave: Option<Leave>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    languages: Vec<String>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a regulation that an event has or has not")]
struct Game {
    variant: String,
    #[serde(default)]
    rule_set: String,
    #[serde(default)]
    options: BTreeMap<String, String>,
    time: Control,
    #[serde(default)]
    rated: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lateness: Option<Span>,
    #[serde(default)]
    arbiter_confirms: bool,
    #[serde(default)]
    warnings_max: u32,
    #[serde(default)]
    adjournable: bool,
    #[serde(default)]
    illegal_as_on_board: bool,
    #[serde(default)]
    player_chat_off: bool,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Format {
    Swiss {
        rounds: u32,
    },
    RoundRobin {
        #[serde(default)]
        double: bool,
    },
    KnockOut {
        lives: u32,
        #[serde(default)]
        third_place: bool,
    },
    Match {
        games: u32,
        #[serde(default)]
        play_all: bool,
    },
    MacMahon {
        rounds: u32,
        bar: i32,
        floor: i32,
        #[serde(default)]
        reduction: u32,
        #[serde(default)]
        handicap_max: u32,
    },
    Grading {
        rounds: u32,
        #[serde(default)]
        by_points: bool,
        needed: u32,
    },
    Arena {},
    Ladder {
        rounds: u32,
        #[serde(default)]
        reach: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answer_within: Option<Span>,
    },
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Entries {
    max: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    until: Option<Moment>,
    #[serde(default)]
    late_until_round: u32,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(in crate::commands) struct Schedule {
    zone: String,
    #[serde(default)]
    start: Start,
    #[serde(default)]
    round_times: Vec<Moment>,
    #[serde(default)]
    rest: Span,
    #[serde(default)]
    check_in: bool,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum Start {
    #[default]
    ByHand,
    BySchedule,
    WhenComplete,
}

/// A span of time as text: `15m`; `0s` for none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub(super) struct Span(pub(super) Duration);

/// A moment as text: `2026-11-21T09:00:00+08:00`.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
struct Moment(OffsetDateTime);

/// The time of both sides as text: `40m+3x60s`.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub(super) struct Control(pub(super) TimeControl);

impl TryFrom<String> for Span {
    type Error = String;

    fn try_from(text: String) -> Result<Span, String> {
        if text == NO_TIME { Ok(Span::default()) } else { edge::span(&text).map(Span) }
    }
}

/// How a span of nothing is written.
const NO_TIME: &str = "0s";

impl From<Span> for String {
    fn from(Span(span): Span) -> String {
        let (millis, seconds) = (span.as_millis(), span.as_secs());
        match () {
            () if millis % 1000 > 0 => format!("{millis}ms"),
            () if seconds > 0 && seconds.is_multiple_of(3600) => format!("{}h", seconds / 3600),
            () if seconds > 0 && seconds.is_multiple_of(60) => format!("{}m", seconds / 60),
            () => format!("{seconds}s"),
        }
    }
}

impl TryFrom<String> for Moment {
    type Error = String;

    fn try_from(text: String) -> Result<Moment, String> {
        let read = OffsetDateTime::parse(&text, &Rfc3339);
        read.map(Moment).map_err(|_| "write moments as 2026-11-21T09:00:00+08:00".to_owned())
    }
}

impl From<Moment> for String {
    fn from(Moment(moment): Moment) -> String {
        moment.format(&Rfc3339).unwrap_or_default()
    }
}

impl TryFrom<String> for Control {
    type Error = String;

    fn try_from(text: String) -> Result<Control, String> {
        text.parse().map(Control).map_err(|error: api::time_control::BadTimeControl| error.to_string())
    }
}

impl From<Control> for String {
    fn from(Control(control): Control) -> String {
        control.to_string()
    }
}

/// Reads a file of JSON in which lines that begin with # are comments.
///
/// # Errors
/// When it cannot be read, or is not what is asked for: with the line.
pub(in crate::commands) fn read<T: DeserializeOwned>(path: &Path) -> anyhow::Result<T> {
    let reading = || format!("reading {}", path.display());
    let mut text = String::new();
    let file = regular_file::open(path).with_context(reading)?;
    file.take(FILE_BYTES_MAX).read_to_string(&mut text).with_context(reading)?;
    serde_json::from_str(&without_comments(&text)).with_context(|| path.display().to_string())
}

/// A comment leaves an empty line behind, so that the numbers of lines stay what they are.
pub(in crate::commands) fn without_comments(text: &str) -> String {
    let code =
        |line: &'_ str| if line.trim_start().starts_with('#') { String::new() } else { line.to_owned() };
    text.lines().map(code).collect::<Vec<_>>().join("\n")
}

impl File {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, or is not of settings: with the line.
    pub(super) fn read(path: &Path) -> anyhow::Result<File> {
        read(path)
    }

    /// Reads settings.
    ///
    /// # Errors
    /// What is wrong, and in which line.
    pub(super) fn parse(text: &str) -> serde_json::Result<File> {
        serde_json::from_str(&without_comments(text))
    }

    /// Chooses readings besides those that it has.
    pub(super) fn choose(&mut self, chosen: &[(String, String)]) {
        self.readings.extend(chosen.iter().cloned());
    }
}

impl From<File> for pb::EventSettings {
    fn from(it: File) -> pb::EventSettings {
        pb::EventSettings {
            game: Some(it.game.into()),
            format: Some(pb::EventFormat { format: Some(it.format.into()) }),
            readings: it.readings.into_iter().collect(),
            entries_max: it.entries.max,
            entries_until_time: it.entries.until.map(|Moment(until)| timestamp(until)),
            late_until_round: it.entries.late_until_round,
            schedule: Some(it.schedule.into()),
            broadcast_delay_duration: Some(duration(it.broadcast_delay.0)),
            watch_while_playing: it.watch_while_playing,
            appeal_duration: it.appeal_within.map(|Span(span)| duration(span)),
            text: it.text,
            teams: it.teams.map(Into::into),
            play_off: it.play_off.map(Into::into),
            arranging: it.arranging.map(Into::into),
            leave: it.leave.map(Into::into),
            languages: it.languages,
        }
    }
}

impl From<Game> for pb::EventGame {
    fn from(it: Game) -> pb::EventGame {
        pb::EventGame {
            variant: it.variant,
            rule_set: it.rule_set,
            options: it.options.into_iter().collect(),
            time_control: Some(it.time.0.into()),
            rated: it.rated,
            lateness_duration: it.lateness.map(|Span(span)| duration(span)),
            arbiter_confirms: it.arbiter_confirms,
            warnings_max: it.warnings_max,
            adjournable: it.adjournable,
            illegal_as_on_board: it.illegal_as_on_board,
            player_chat_off: it.player_chat_off,
        }
    }
}

impl From<Format> for wire::Format {
    fn from(it: Format) -> wire::Format {
        match it {
            Format::Swiss { rounds } => wire::Format::Swiss(wire::Swiss { rounds }),
            Format::RoundRobin { double } => wire::Format::RoundRobin(wire::RoundRobin { double }),
            Format::KnockOut { lives, third_place } => {
                wire::Format::KnockOut(wire::KnockOut { lives, third_place })
            }
            Format::Match { games, play_all } => wire::Format::Match(wire::Match { games, play_all }),
            Format::MacMahon { rounds, bar, floor, reduction, handicap_max } => {
                wire::Format::MacMahon(wire::MacMahon { rounds, bar, floor, reduction, handicap_max })
            }
            Format::Grading { rounds, by_points, needed } => {
                wire::Format::Grading(wire::Grading { rounds, by_points, needed })
            }
            Format::Arena {} => wire::Format::Arena(pb::ArenaFormat {}),
            Format::Ladder { rounds, reach, answer_within } => wire::Format::Ladder(pb::LadderFormat {
                rounds,
                reach,
                answer_duration: answer_within.map(|Span(span)| duration(span)),
            }),
        }
    }
}

impl From<Schedule> for pb::EventSchedule {
    fn from(it: Schedule) -> pb::EventSchedule {
        let start = match it.start {
            Start::ByHand => pb::RoundStart::ByHand,
            Start::BySchedule => pb::RoundStart::BySchedule,
            Start::WhenComplete => pb::RoundStart::WhenComplete,
        };
        pb::EventSchedule {
            zone: it.zone,
            start: start.into(),
            round_times: it.round_times.into_iter().map(|Moment(time)| timestamp(time)).collect(),
            rest_duration: Some(duration(it.rest.0)),
            check_in: it.check_in,
            // The server works the offsets of the zone out.
            ..Default::default()
        }
    }
}

impl TryFrom<pb::EventSettings> for File {
    type Error = anyhow::Error;

    fn try_from(it: pb::EventSettings) -> anyhow::Result<File> {
        let lacks = |part: &'static str| anyhow!("the server's answer lacks the {part}");
        let format = it.format.and_then(|it| it.format).ok_or_else(|| lacks("format"))?;
        Ok(File {
            game: it.game.ok_or_else(|| lacks("game"))?.try_into()?,
            format: format.into(),
            entries: Entries {
                max: it.entries_max,
                until: it.entries_until_time.as_ref().and_then(moment).map(Moment),
                late_until_round: it.late_until_round,
            },
            schedule: it.schedule.ok_or_else(|| lacks("schedule"))?.into(),
            readings: it.readings.into_iter().collect(),
            appeal_within: span(it.appeal_duration.as_ref()),
            broadcast_delay: span(it.broadcast_delay_duration.as_ref()).unwrap_or_default(),
            watch_while_playing: it.watch_while_playing,
            text: it.text,
            teams: it.teams.map(TryInto::try_into).transpose()?,
            play_off: it.play_off.map(TryInto::try_into).transpose()?,
            arranging: it.arranging.map(TryInto::try_into).transpose()?,
            leave: it.leave.map(Into::into),
            languages: it.languages,
        })
    }
}

impl TryFrom<pb::EventGame> for Game {
    type Error = anyhow::Error;

    fn try_from(it: pb::EventGame) -> anyhow::Result<Game> {
        let control = it.time_control.as_ref().context("the server's answer lacks the time control")?;
        Ok(Game {
            time: Control(TimeControl::try_from(control).context("the time control of the server's answer")?),
            variant: it.variant,
            rule_set: it.rule_set,
            options: it.options.into_iter().collect(),
            rated: it.rated,
            lateness: span(it.lateness_duration.as_ref()),
            arbiter_confirms: it.arbiter_confirms,
            warnings_max: it.warnings_max,
            adjournable: it.adjournable,
            illegal_as_on_board: it.illegal_as_on_board,
            player_chat_off: it.player_chat_off,
        })
    }
}

impl From<wire::Format> for Format {
    fn from(it: wire::Format) -> Format {
        match it {
            wire::Format::Swiss(it) => Format::Swiss { rounds: it.rounds },
            wire::Format::RoundRobin(it) => Format::RoundRobin { double: it.double },
            wire::Format::KnockOut(it) => Format::KnockOut { lives: it.lives, third_place: it.third_place },
            wire::Format::Match(it) => Format::Match { games: it.games, play_all: it.play_all },
            wire::Format::MacMahon(it) => Format::MacMahon {
                rounds: it.rounds,
                bar: it.bar,
                floor: it.floor,
                reduction: it.reduction,
                handicap_max: it.handicap_max,
            },
            wire::Format::Grading(it) => {
                Format::Grading { rounds: it.rounds, by_points: it.by_points, needed: it.needed }
            }
            wire::Format::Arena(_) => Format::Arena {},
            wire::Format::Ladder(it) => Format::Ladder {
                rounds: it.rounds,
                reach: it.reach,
                answer_within: span(it.answer_duration.as_ref()),
            },
        }
    }
}

impl From<pb::EventSchedule> for Schedule {
    fn from(it: pb::EventSchedule) -> Schedule {
        let start = match it.start() {
            pb::RoundStart::BySchedule => Start::BySchedule,
            pb::RoundStart::WhenComplete => Start::WhenComplete,
            pb::RoundStart::ByHand | pb::RoundStart::Unspecified => Start::ByHand,
        };
        Schedule {
            start,
            round_times: it.round_times.iter().filter_map(moment).map(Moment).collect(),
            rest: span(it.rest_duration.as_ref()).unwrap_or_default(),
            check_in: it.check_in,
            zone: it.zone,
        }
    }
}

pub(super) fn span(it: Option<&prost_types::Duration>) -> Option<Span> {
    it.and_then(api::time::span).map(Span)
}

#[cfg(test)]
mod tests {
    use super::{super::example, *};

    #[test]
    fn what_an_example_leaves_out_holds_without_its_mark() {
        for format in example::FORMATS {
            let text = example::text(format);
            let file = File::parse(&text.replace("#\"", "\"")).expect(format);
            assert!(file.entries.until.is_some(), "{format}");
            let of_teams = ["swiss", "round_robin", "arena"].contains(&format);
            assert_eq!(file.teams.is_some(), of_teams, "{format}");
            let left_out = File::parse(&text).expect(format);
            assert_eq!(
                (left_out.entries.until.is_some(), left_out.teams.is_some()),
                (false, format == "arena")
            );
        }
    }

    #[test]
    fn every_example_is_read_and_comes_back_as_it_was() {
        for format in example::FORMATS {
            let file = File::parse(&example::text(format)).expect(format);
            let wire = pb::EventSettings::from(file);
            let again = File::try_from(wire.clone()).expect(format);
            let written = serde_json::to_string_pretty(&again).expect("it can be written");
            let read = File::parse(&written).expect(format);
            assert_eq!(pb::EventSettings::from(read), wire, "{format}");
        }
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let example = example::text("swiss");
        let lines =
            example.lines().position(|line| line.contains("\"variant\"")).expect("there is a variant") + 1;
        for (bad, word) in [
            (example.replace("\"variant\"", "\"varient\""), "varient"),
            (example.replace("\"1h\"", "\"1 hour\""), "write it as"),
            (example.replace("\"swiss\"", "\"swis\""), "swis"),
        ] {
            let error = File::parse(&bad).expect_err(word).to_string();
            assert!(error.contains(word) && error.contains("line "), "{error}");
        }
        let error = File::parse(&example.replace("\"variant\"", "\"varient\"")).expect_err("no such field");
        assert_eq!(error.line(), lines, "comments count as lines");
    }

    #[test]
    fn spans_are_written_as_they_are_read() {
        for text in ["0s", "90s", "15m", "2h", "500ms"] {
            let span = Span::try_from(text.to_owned()).expect(text);
            assert_eq!(String::from(span), text);
        }
        assert!(Span::try_from("soon".to_owned()).is_err());
    }
}
