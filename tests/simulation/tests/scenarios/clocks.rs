//! The history of the clocks in the log, and what scenarios of time need.

use std::time::Duration;

use api::{
    board::v1::Side,
    client::{GameStream, GameUpdate},
    clock::v1::{
        ClockEntry, ClockReading, PauseReason, SideTime, TimeLeft, clock_entry::Event,
        clock_service_client::ClockServiceClient,
    },
    game::v1::{
        GameEvent,
        ruling::{Act, AddTime, DeductTime, Pause, Resume, VoidMoves},
    },
    transport::Transport,
};
use simulation::{Stage, in_every_shape};
use time::OffsetDateTime;

use super::table::{ONCE, Officials, Table, go, rule};

/// How late a flag or a call may be, and what the ways of messages may cost a player.
pub(crate) const LATE: Duration = Duration::from_millis(50);

/// Acts that never take anything, in the order in which they are played.
pub(crate) const ACTS: &[&str] = &["C3", "G7", "C7", "G3", "E5", "E2", "E8", "B5", "H5", "A1"];

impl Table {
    /// The clocks as they stand in the game.
    pub(crate) async fn reading(&self) -> ClockReading {
        self.state().await.clock.expect("a clock")
    }

    /// Has the side whose clock runs think so long on this turn, and play.
    pub(crate) async fn think(&self, thought: Duration) -> GameEvent {
        let state = self.state().await;
        let (act, reading) = (ACTS[state.ply as usize], state.clock.expect("a clock"));
        let act_at = since(&reading) + thought;
        // Nothing but the act itself comes in between then.
        self.stage.wait_until(act_at - Duration::from_secs(1)).await;
        let player = self.player(index(reading.running())).await;
        self.stage.wait_until(act_at).await;
        player.play(&self.id, act, state.ply, ONCE).await.expect("the act is legal")
    }
}

/// What [`Stage`] does for scenarios of time.
pub(crate) trait Waiting {
    /// Waits until a moment, if it is not past.
    async fn wait_until(&self, moment: OffsetDateTime);
}

impl Waiting for Stage {
    async fn wait_until(&self, moment: OffsetDateTime) {
        tokio::time::sleep(Duration::try_from(moment - self.now()).unwrap_or_default()).await;
    }
}

/// The clock service, as somebody reaches it.
pub(crate) fn clocks(transport: Transport) -> ClockServiceClient<Transport> {
    ClockServiceClient::new(transport)
}

/// The place of a side among the players.
pub(crate) fn index(side: Side) -> usize {
    match side {
        Side::First => 0,
        Side::Second => 1,
        Side::Unspecified => panic!("no clock runs"),
    }
}

/// Since when the running side is charged.
pub(crate) fn since(reading: &ClockReading) -> OffsetDateTime {
    reading.running_since_time.as_ref().and_then(api::time::moment).expect("a clock runs")
}

/// When the flag of the running side falls.
pub(crate) fn flag(reading: &ClockReading) -> OffsetDateTime {
    reading.flag_time.as_ref().and_then(api::time::moment).expect("a flag can fall")
}

/// The clocks after an event.
pub(crate) fn reading_after(event: &GameEvent) -> ClockReading {
    event.state.as_ref().and_then(|state| state.clock.clone()).expect("a clock")
}

/// What a side has, when its turn began.
pub(crate) fn side_time(reading: &ClockReading, side: Side) -> SideTime {
    [reading.first, reading.second][index(side)].expect("a time")
}

/// A span of a proto, nothing if there is none.
pub(crate) fn span(duration: Option<prost_types::Duration>) -> Duration {
    duration.as_ref().map_or(Some(Duration::ZERO), api::time::span).expect("no negative span")
}

/// The main time that is left.
pub(crate) fn main_left(left: Option<TimeLeft>) -> Duration {
    span(left.expect("a time").main_duration)
}

/// Makes sure that a span is as long as expected, but for the ways of messages, which can only make it shorter.
#[track_caller]
pub(crate) fn assert_left(shown: Duration, expected: Duration, what: &str) {
    let close = expected.checked_sub(shown).is_some_and(|short| short < LATE);
    assert!(close, "{what}: {shown:?} of {expected:?}");
}

/// One change to an entry of a log; `None` where it would change nothing.
type Alteration = fn(&ClockEntry) -> Option<ClockEntry>;

/// Whatever somebody might change in an entry.
const ALTERATIONS: &[(&str, Alteration)] = &[
    ("a main time", |entry| {
        altered(entry, |reading| {
            let first = reading.first.as_mut()?;
            let more = span(first.main_duration) + Duration::from_micros(1);
            first.main_duration = Some(api::time::duration(more));
            Some(())
        })
    }),
    ("a period", |entry| {
        altered(entry, |reading| {
            let second = reading.second.as_mut()?;
            second.periods = second.periods.checked_sub(1)?;
            Some(())
        })
    }),
    ("a quota", |entry| {
        altered(entry, |reading| {
            let first = reading.first.as_mut()?;
            first.lag_quota_duration = Some(api::time::duration(Duration::from_millis(499)));
            Some(())
        })
    }),
    ("a revision", |entry| {
        altered(entry, |reading| {
            reading.revision += 1;
            Some(())
        })
    }),
    ("whose clock runs", |entry| {
        altered(entry, |reading| {
            let other = match reading.running() {
                Side::First => Side::Second,
                Side::Second => Side::First,
                Side::Unspecified => return None,
            };
            reading.set_running(other);
            Some(())
        })
    }),
    ("a flag", |entry| {
        let flagged = if entry.flagged() == Side::First { Side::Unspecified } else { Side::First };
        Some(ClockEntry { flagged: flagged as i32, ..entry.clone() })
    }),
    ("a compensation", |entry| {
        let more = span(entry.compensated_duration) + Duration::from_millis(1);
        Some(ClockEntry { compensated_duration: Some(api::time::duration(more)), ..entry.clone() })
    }),
    ("a time", |entry| {
        // When a credit is made, a correction, or the look at a flag that has fallen, does not matter.
        let matters = !matches!(entry.event?, Event::Credit(_) | Event::Adjust(_) | Event::Watch(_));
        let time = api::time::moment(entry.event_time.as_ref()?)? + Duration::from_millis(1);
        matters.then(|| ClockEntry { event_time: Some(api::time::timestamp(time)), ..entry.clone() })
    }),
];

fn altered(entry: &ClockEntry, change: impl FnOnce(&mut ClockReading) -> Option<()>) -> Option<ClockEntry> {
    let mut entry = entry.clone();
    change(entry.after.as_mut()?)?;
    Some(entry)
}

/// What happened by an entry, in a word.
fn word(entry: &ClockEntry) -> &'static str {
    match entry.event.as_ref().expect("an event") {
        Event::Start(_) => "start",
        Event::Press(_) => "press",
        Event::Stop(_) => "stop",
        Event::Credit(_) => "credit",
        Event::Watch(_) => "watch",
        Event::Pause(_) => "pause",
        Event::Resume(_) => "resume",
        Event::Adjust(_) => "adjust",
    }
}

/// Everything that can happen to a clock happens to the clocks of a game of an event.
async fn eventful(officials: &Officials, table: &Table) {
    let seconds = Duration::from_secs;
    let chief = async |act| rule(&officials.chief, table, act).await.expect("the chief may");
    let span = |span| Some(api::time::duration(span));
    table.think(seconds(3)).await;
    table.think(seconds(2)).await;
    table.think(seconds(1)).await;
    chief(Act::VoidMoves(VoidMoves { ply: 2 })).await;
    chief(Act::AddTime(AddTime { side: Side::First as i32, added_duration: span(seconds(7)) })).await;
    chief(Act::DeductTime(DeductTime { side: Side::Second as i32, deducted_duration: span(seconds(4)) }))
        .await;
    let reason = PauseReason::Arbiter as i32;
    chief(Act::Pause(Pause { reason })).await;
    tokio::time::sleep(seconds(10)).await;
    chief(Act::Resume(Resume { reason })).await;
    table.stage.crash(seconds(5)).await;
    table.think(seconds(8)).await;
    table.stage.wait_until(flag(&table.reading().await) + LATE).await;
}

/// The log as somebody sees it who does not say who he is.
async fn seen_by_anybody(table: &Table) -> Vec<GameEvent> {
    let mut watched = GameStream::new(table.stage.public(), &table.id).after(0);
    let mut events = Vec::new();
    while let Some(GameUpdate::Event(event)) = watched.next().await.expect("the log is there") {
        events.push(*event);
    }
    events
}

#[test]
fn the_log_tells_the_whole_history_and_any_change_to_it_is_found() {
    in_every_shape(async |stage| {
        let officials = Officials::new(&stage).await;
        let table = Table::arranged(&stage, go("20s+2x5s"), officials.regulations()).await;
        eventful(&officials, &table).await;
        table.clocks_add_up().await;
        assert_eq!(seen_by_anybody(&table).await, table.log().await, "everybody has the same log");
        let (history, control) = (table.clock_history().await, table.control().await);
        let words: Vec<&str> = history.entries.iter().map(word).collect();
        assert_eq!(
            words,
            [
                "start", "press", "press", "press", "stop", "start", "adjust", "adjust", "pause", "resume",
                "credit", "press", "watch"
            ]
        );
        let place = |log: &[ClockEntry]| {
            clock::history::first_difference(control, log).expect("it can be read").map(|it| it.index)
        };
        for (index, entry) in history.entries.iter().enumerate() {
            for (what, alter) in ALTERATIONS {
                let Some(other) = alter(entry) else { continue };
                let mut log = history.entries.clone();
                log[index] = other;
                assert_eq!(place(&log), Some(index), "{what} of the entry {index}, a {}", words[index]);
            }
            let mut log = history.entries.clone();
            log.remove(index);
            let left_out = place(&log);
            let last = index + 1 == history.entries.len();
            assert_eq!(left_out, (!last).then_some(index), "without the entry {index}, a {}", words[index]);
        }
    });
}
