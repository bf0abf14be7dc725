//! `shoutan clocks`: the clocks of a game, computed anew from its log.

use std::{fmt::Write as _, process::ExitCode};

use anyhow::Context as _;
use api::{
    board::v1::Side,
    client::{GameStream, GameUpdate},
    clock::v1::{ClockEntry, ClockReading, SideTime, clock_entry},
    game::v1::{GameEvent, GetGameRequest},
    time_control::TimeControl,
};

use super::{server::GameArgs, terminal::say};

/// Computes the clocks of a game anew from its log, prints every step, and says where the log differs. Exits
/// with 1 if it does.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Print only whether the log is right.
    #[arg(long)]
    quiet: bool,
}

/// A step of the clocks, and the event of the game whose it is.
#[derive(Clone, Debug, PartialEq)]
struct Logged {
    sequence: u64,
    entry: ClockEntry,
}

/// Carries the command out.
pub(crate) async fn run(args: Args) -> anyhow::Result<ExitCode> {
    let server = args.game.server.reach().await?;
    let request = GetGameRequest { game_id: args.game.game_id.clone() };
    let game = server.games().get_game(request).await?.into_inner().game.context("no game in the answer")?;
    let (info, state) = (game.info.unwrap_or_default(), game.state.unwrap_or_default());
    let control = info.time_control.as_ref().context("the game is a record: it has no clocks")?;
    let control = TimeControl::try_from(control).context("the time control cannot be read")?;
    let log = log(GameStream::new(server.transport(), &args.game.game_id).after(0), state.sequence).await?;
    let logged = steps(&log);
    if !args.quiet {
        for step in &logged {
            say(line(step))?;
        }
    }
    let entries: Vec<ClockEntry> = logged.iter().map(|step| step.entry.clone()).collect();
    let difference = clock::history::first_difference(control, &entries)?;
    let Some(difference) = difference else {
        say(format_args!("{} steps of the clocks: each follows from those before it", logged.len()))?;
        return Ok(ExitCode::SUCCESS);
    };
    say(format_args!("event {}: the log differs from what follows", logged[difference.index].sequence))?;
    say(format_args!("  logged:   {:?}", difference.logged))?;
    match difference.computed {
        Ok(computed) => say(format_args!("  computed: {computed:?}"))?,
        Err(bad) => say(format_args!("  computed: it does not fit: {bad}"))?,
    }
    Ok(ExitCode::FAILURE)
}

/// The log of a game up to an event.
async fn log(mut watched: GameStream, last: u64) -> anyhow::Result<Vec<GameEvent>> {
    let mut log = Vec::new();
    while log.last().is_none_or(|event: &GameEvent| event.sequence < last) {
        match watched.next().await? {
            Some(GameUpdate::Event(event)) => log.push(*event),
            Some(GameUpdate::Snapshot(_) | GameUpdate::Maintenance(_)) => {}
            None => break,
        }
    }
    Ok(log)
}

/// What the clocks did in a log. The reading of an event's last step stands in its state.
fn steps(log: &[GameEvent]) -> Vec<Logged> {
    let of_event = |event: &GameEvent| {
        let reading = event.state.as_ref().and_then(|state| state.clock.clone());
        let entries = event.clock_entries.clone().into_iter();
        let whole =
            entries.map(move |entry| ClockEntry { after: entry.after.or_else(|| reading.clone()), ..entry });
        let sequence = event.sequence;
        whole.map(move |entry| Logged { sequence, entry }).collect::<Vec<_>>()
    };
    log.iter().flat_map(of_event).collect()
}

/// `12 press by the first side, 0.250 s of lag: first 4:59.8, second 5:00.0`.
fn line(step: &Logged) -> String {
    let entry = &step.entry;
    let mut line = format!("{:>4} {}", step.sequence, what(entry));
    if let Some(span) =
        entry.compensated_duration.as_ref().and_then(api::time::span).filter(|it| !it.is_zero())
    {
        let _infallible = write!(line, ", {:.3} s of lag not charged", span.as_secs_f64());
    }
    if let Some(reading) = &entry.after {
        let _infallible = write!(line, ": {}", shown(reading));
    }
    match entry.flagged() {
        Side::Unspecified => {}
        side => {
            let _infallible = write!(line, "; the flag of {} has fallen", name(side));
        }
    }
    line
}

fn what(entry: &ClockEntry) -> String {
    use clock_entry::Event;
    match &entry.event {
        Some(Event::Start(start)) => format!("start of {}", name(start.running())),
        Some(Event::Press(press)) => format!("press by {}", name(press.side())),
        Some(Event::Stop(_)) => "stop".to_owned(),
        Some(Event::Credit(_)) => "outage given back".to_owned(),
        Some(Event::Watch(_)) => "look".to_owned(),
        Some(Event::Pause(pause)) => format!("pause ({})", pause.reason().as_str_name()),
        Some(Event::Resume(resume)) => format!("end of a pause ({})", resume.reason().as_str_name()),
        Some(Event::Adjust(adjust)) => format!("correction for {}", name(adjust.side())),
        None => "nothing".to_owned(),
    }
}

const fn name(side: Side) -> &'static str {
    match side {
        Side::First => "the first side",
        Side::Second => "the second side",
        Side::Unspecified => "nobody",
    }
}

fn shown(reading: &ClockReading) -> String {
    format!("first {}, second {}", time(reading.first.as_ref()), time(reading.second.as_ref()))
}

fn time(side: Option<&SideTime>) -> String {
    let Some(side) = side else { return "-".to_owned() };
    let main = side.main_duration.as_ref().and_then(api::time::span).unwrap_or_default();
    let periods = if side.periods > 0 { format!(" and {} periods", side.periods) } else { String::new() };
    let (minutes, seconds) = (main.as_secs() / 60, main.as_secs() % 60);
    format!("{minutes}:{seconds:02}.{:03}{periods}", main.subsec_millis())
}

#[cfg(test)]
mod tests {
    use api::{
        clock::v1::{PressClock, StartClock},
        game::v1::GameState,
        time::{duration, timestamp},
    };
    use std::time::Duration;
    use time::OffsetDateTime;

    use super::*;

    fn side(main_ms: u64, quota_ms: u64) -> SideTime {
        SideTime {
            main_duration: Some(duration(Duration::from_millis(main_ms))),
            lag_quota_duration: Some(duration(Duration::from_millis(quota_ms))),
            ..SideTime::default()
        }
    }

    /// A minute for each side: the first starts, acts after two seconds, and the second side's clock runs.
    fn game() -> Vec<GameEvent> {
        let at = |s: u64| Some(timestamp(OffsetDateTime::UNIX_EPOCH + Duration::from_secs(1000 + s)));
        let event = |sequence: u64, event, seconds: u64, clock: ClockReading| GameEvent {
            sequence,
            clock_entries: vec![ClockEntry {
                event_time: at(seconds),
                event: Some(event),
                ..ClockEntry::default()
            }],
            state: Some(GameState { clock: Some(clock), ..GameState::default() }),
            ..GameEvent::default()
        };
        let start = clock_entry::Event::Start(StartClock { running: Side::First as i32 });
        let press = clock_entry::Event::Press(PressClock {
            side: Side::First as i32,
            next: Side::Second as i32,
            ..PressClock::default()
        });
        let started = ClockReading {
            first: Some(side(60_000, 375)),
            second: Some(side(60_000, 375)),
            running: Side::First as i32,
            running_since_time: at(0),
            flag_time: at(60),
            revision: 1,
            ..ClockReading::default()
        };
        let pressed = ClockReading {
            first: Some(side(58_000, 500)),
            running: Side::Second as i32,
            running_since_time: at(2),
            flag_time: at(62),
            revision: 2,
            ..started.clone()
        };
        vec![event(1, start, 0, started), event(2, press, 2, pressed)]
    }

    fn difference(log: &[GameEvent]) -> Option<usize> {
        let control = "1m".parse().expect("a control");
        let entries: Vec<_> = steps(log).into_iter().map(|step| step.entry).collect();
        clock::history::first_difference(control, &entries).expect("readable").map(|found| found.index)
    }

    #[test]
    fn a_right_log_is_told_from_one_that_was_changed() {
        assert_eq!(difference(&game()), None);
        let mut changed = game();
        let clock = changed[1].state.as_mut().and_then(|state| state.clock.as_mut()).expect("a clock");
        clock.first = Some(side(58_001, 500));
        assert_eq!(difference(&changed), Some(1), "a millisecond is seen");
    }

    #[test]
    fn steps_are_told_with_what_they_did() {
        let lines: Vec<_> = steps(&game()).iter().map(line).collect();
        assert_eq!(lines[1], "   2 press by the first side: first 0:58.000, second 1:00.000");
    }
}
