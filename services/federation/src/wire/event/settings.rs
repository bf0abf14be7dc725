//! Settings of events.

use std::time::Duration;

use api::{
    ProtoEnum as _,
    federation::v1 as pb,
    time::{duration, moment, span, timestamp},
    time_control::TimeControl,
};
use pairing::{grading::GradeBy, standings::Cycles};
use rules::RuleSet;
use time::OffsetDateTime;

use crate::core::event::{
    BadSettings, EntrySettings, Format, GameSettings, PlayOffSettings, Readings, Schedule, Settings, Starts,
    play_off, settings, zone,
};

/// How late a player may be if nobody says otherwise (001, 1.7).
const LATENESS: Duration = Duration::from_mins(15);

pub(super) fn bad(field: &'static str, detail: impl Into<String>) -> BadSettings {
    BadSettings { field, detail: detail.into() }
}

impl TryFrom<pb::EventSettings> for Settings {
    type Error = BadSettings;

    fn try_from(it: pb::EventSettings) -> Result<Settings, BadSettings> {
        let chosen = it.readings.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let readings = Readings::new(chosen).map_err(|error| bad("readings", error.to_string()))?;
        let until_minutes = it.schedule.as_ref().map_or(0, |it| it.entries_until_offset_minutes);
        let until = it.entries_until_time.as_ref();
        let until = until.map(|time| local("entries_until_time", time, until_minutes));
        let late = u16::try_from(it.late_until_round).map_err(|_| bad("late_until_round", "no round"))?;
        let game: GameSettings = it.game.ok_or_else(|| bad("game", "required"))?.try_into()?;
        Ok(Settings {
            play_off: it.play_off.map(|it| play_off(it, &game)).transpose()?,
            game,
            format: it
                .format
                .and_then(|it| it.format)
                .ok_or_else(|| bad("format", "required"))?
                .try_into()?,
            readings,
            entries: EntrySettings { max: it.entries_max, until: until.transpose()?, late_until_round: late },
            schedule: it.schedule.ok_or_else(|| bad("schedule", "required"))?.try_into()?,
            broadcast_delay: time_span(
                "broadcast_delay_duration",
                it.broadcast_delay_duration,
                Duration::ZERO,
            )?,
            watch_while_playing: it.watch_while_playing,
            appeal_within: time_span("appeal_duration", it.appeal_duration, settings::APPEAL)?,
            text: it.text,
            teams: it.teams.map(TryInto::try_into).transpose()?,
            arranging: it.arranging.map(TryInto::try_into).transpose()?,
            leave: it.leave.map(TryInto::try_into).transpose()?,
            languages: it.languages,
        })
    }
}

/// A play-off; what it does not say of its games is as in those of the event.
fn play_off(it: pb::EventPlayOff, of: &GameSettings) -> Result<PlayOffSettings, BadSettings> {
    let (rule_set, options) = if it.rule_set.is_empty() {
        let changed = of.options.clone().into_iter().chain(it.options);
        (of.rule_set.clone(), changed.collect())
    } else {
        (it.rule_set, it.options.into_iter().collect())
    };
    let asked = RuleSet { id: rule_set, options };
    let game = (of.variant.start)(&asked).map_err(|error| bad("play_off.options", error.to_string()))?;
    let rule_set = game.rule_set().clone();
    let control = it.time_control.as_ref().ok_or_else(|| bad("play_off.time_control", "required"))?;
    Ok(PlayOffSettings {
        places: if it.places == 0 { play_off::PLACES } else { it.places },
        games: it.games,
        time_control: TimeControl::try_from(control)
            .map_err(|error| bad("play_off.time_control", error.to_string()))?,
        rule_set: rule_set.id,
        options: rule_set.options.into_iter().collect(),
    })
}

pub(super) fn time_span(
    field: &'static str,
    it: Option<prost_types::Duration>,
    default: Duration,
) -> Result<Duration, BadSettings> {
    it.map_or(Ok(default), |it| span(&it).ok_or_else(|| bad(field, "no span of time")))
}

impl TryFrom<pb::EventGame> for GameSettings {
    type Error = BadSettings;

    fn try_from(it: pb::EventGame) -> Result<GameSettings, BadSettings> {
        let variant =
            rules::variant(&it.variant).ok_or_else(|| bad("game.variant", "there is no such variant"))?;
        let asked = RuleSet { id: it.rule_set.clone(), options: it.options.clone().into_iter().collect() };
        // The game itself says what its rules are: it knows that two spellings of a value mean the same.
        let game = (variant.start)(&asked).map_err(|error| bad("game.options", error.to_string()))?;
        let rule_set = game.rule_set().clone();
        let control = it.time_control.as_ref().ok_or_else(|| bad("game.time_control", "required"))?;
        let time_control =
            TimeControl::try_from(control).map_err(|error| bad("game.time_control", error.to_string()))?;
        Ok(GameSettings {
            variant,
            rule_set: rule_set.id,
            options: rule_set.options.into_iter().collect(),
            time_control,
            rated: it.rated,
            lateness: time_span("game.lateness_duration", it.lateness_duration, LATENESS)?,
            arbiter_confirms: it.arbiter_confirms,
            warnings_max: (it.warnings_max > 0).then_some(it.warnings_max),
            adjournable: it.adjournable,
            illegal_as_on_board: it.illegal_as_on_board,
            player_chat: !it.player_chat_off,
        })
    }
}

impl TryFrom<pb::event_format::Format> for Format {
    type Error = BadSettings;

    fn try_from(it: pb::event_format::Format) -> Result<Format, BadSettings> {
        use pb::event_format::Format as Wire;
        let rounds = |rounds: u32| u16::try_from(rounds).map_err(|_| bad("format.rounds", "too many rounds"));
        Ok(match it {
            Wire::Swiss(it) => Format::Swiss { rounds: rounds(it.rounds)? },
            Wire::RoundRobin(it) => {
                Format::RoundRobin { cycles: if it.double { Cycles::Double } else { Cycles::Single } }
            }
            Wire::KnockOut(it) => {
                let lives = u8::try_from(it.lives).map_err(|_| bad("format.lives", "too many losses"))?;
                Format::KnockOut { lives, third_place: it.third_place }
            }
            Wire::Match(it) => Format::Match { games: it.games, play_all: it.play_all },
            Wire::MacMahon(it) => Format::MacMahon {
                rounds: rounds(it.rounds)?,
                bar: it.bar,
                floor: it.floor,
                reduction: it.reduction,
                handicap_max: it.handicap_max,
            },
            Wire::Arena(_) => Format::Arena,
            Wire::Ladder(it) => Format::Ladder {
                rounds: rounds(it.rounds)?,
                reach: if it.reach == 0 { settings::REACH } else { it.reach },
                answer_within: match it.answer_duration {
                    None => None,
                    it => Some(time_span("format.answer_duration", it, settings::ANSWER)?),
                },
            },
            Wire::Grading(it) => Format::Grading {
                rounds: rounds(it.rounds)?,
                by: if it.by_points { GradeBy::Points } else { GradeBy::Wins },
                needed: it.needed,
            },
        })
    }
}

impl TryFrom<pb::EventSchedule> for Schedule {
    type Error = BadSettings;

    fn try_from(it: pb::EventSchedule) -> Result<Schedule, BadSettings> {
        let starts = if it.start == 0 { Some(Starts::ByHand) } else { Starts::of(it.start) };
        let minutes = it.round_offsets_minutes.iter().copied().chain(std::iter::repeat(0));
        let rounds = it.round_times.iter().zip(minutes);
        let rounds = rounds.map(|(time, minutes)| local("schedule.round_times", time, minutes));
        Ok(Schedule {
            starts: starts.ok_or_else(|| bad("schedule.start", "there is no such start"))?,
            rounds: rounds.collect::<Result<Vec<OffsetDateTime>, BadSettings>>()?,
            rest: time_span("schedule.rest_duration", it.rest_duration, Duration::ZERO)?,
            zone: it.zone,
            check_in: it.check_in,
        })
    }
}

/// A moment with the offset in which it is told.
fn local(
    field: &'static str,
    time: &prost_types::Timestamp,
    minutes: i32,
) -> Result<OffsetDateTime, BadSettings> {
    let told = moment(time).zip(zone::of_minutes(minutes));
    told.map(|(time, offset)| time.to_offset(offset)).ok_or_else(|| bad(field, "no moment"))
}

/// In which offset a moment is told, in minutes east of UTC.
fn offset_minutes(time: OffsetDateTime) -> i32 {
    time.offset().whole_seconds() / 60
}

impl From<&Settings> for pb::EventSettings {
    fn from(it: &Settings) -> pb::EventSettings {
        let mut schedule = pb::EventSchedule::from(&it.schedule);
        schedule.entries_until_offset_minutes = it.entries.until.map_or(0, offset_minutes);
        pb::EventSettings {
            game: Some((&it.game).into()),
            format: Some(pb::EventFormat { format: Some(it.format.into()) }),
            readings: it.readings.chosen().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            entries_max: it.entries.max,
            entries_until_time: it.entries.until.map(timestamp),
            late_until_round: it.entries.late_until_round.into(),
            schedule: Some(schedule),
            broadcast_delay_duration: Some(duration(it.broadcast_delay)),
            watch_while_playing: it.watch_while_playing,
            appeal_duration: Some(duration(it.appeal_within)),
            text: it.text.clone(),
            teams: it.teams.as_ref().map(Into::into),
            play_off: it.play_off.as_ref().map(Into::into),
            arranging: it.arranging.as_ref().map(Into::into),
            leave: it.leave.as_ref().map(Into::into),
            languages: it.languages.clone(),
        }
    }
}

impl From<&PlayOffSettings> for pb::EventPlayOff {
    fn from(it: &PlayOffSettings) -> pb::EventPlayOff {
        pb::EventPlayOff {
            places: it.places,
            games: it.games,
            time_control: Some(it.time_control.into()),
            rule_set: it.rule_set.clone(),
            options: it.options.clone(),
        }
    }
}

impl From<&GameSettings> for pb::EventGame {
    fn from(it: &GameSettings) -> pb::EventGame {
        pb::EventGame {
            variant: it.variant.id.to_owned(),
            rule_set: it.rule_set.clone(),
            options: it.options.clone(),
            time_control: Some(it.time_control.into()),
            rated: it.rated,
            lateness_duration: Some(duration(it.lateness)),
            arbiter_confirms: it.arbiter_confirms,
            warnings_max: it.warnings_max.unwrap_or(0),
            adjournable: it.adjournable,
            illegal_as_on_board: it.illegal_as_on_board,
            player_chat_off: !it.player_chat,
        }
    }
}

impl From<Format> for pb::event_format::Format {
    fn from(it: Format) -> pb::event_format::Format {
        use pb::event_format::{self as wire, Format as Wire};
        match it {
            Format::Swiss { rounds } => Wire::Swiss(wire::Swiss { rounds: rounds.into() }),
            Format::RoundRobin { cycles } => {
                Wire::RoundRobin(wire::RoundRobin { double: cycles == Cycles::Double })
            }
            Format::KnockOut { lives, third_place } => {
                Wire::KnockOut(wire::KnockOut { lives: lives.into(), third_place })
            }
            Format::Match { games, play_all } => Wire::Match(wire::Match { games, play_all }),
            Format::MacMahon { rounds, bar, floor, reduction, handicap_max } => {
                Wire::MacMahon(wire::MacMahon { rounds: rounds.into(), bar, floor, reduction, handicap_max })
            }
            Format::Arena => Wire::Arena(pb::ArenaFormat {}),
            Format::Ladder { rounds, reach, answer_within } => Wire::Ladder(pb::LadderFormat {
                rounds: rounds.into(),
                reach,
                answer_duration: answer_within.map(duration),
            }),
            Format::Grading { rounds, by, needed } => {
                let by_points = by == GradeBy::Points;
                Wire::Grading(wire::Grading { rounds: rounds.into(), by_points, needed })
            }
        }
    }
}

impl From<&Schedule> for pb::EventSchedule {
    fn from(it: &Schedule) -> pb::EventSchedule {
        let mut offsets: Vec<i32> = it.rounds.iter().copied().map(offset_minutes).collect();
        if offsets.iter().all(|minutes| *minutes == 0) {
            offsets.clear();
        }
        pb::EventSchedule {
            zone: it.zone.clone(),
            start: it.starts.number(),
            round_times: it.rounds.iter().copied().map(timestamp).collect(),
            rest_duration: Some(duration(it.rest)),
            check_in: it.check_in,
            round_offsets_minutes: offsets,
            entries_until_offset_minutes: 0,
        }
    }
}
