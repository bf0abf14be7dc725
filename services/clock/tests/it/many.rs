//! Very many clocks on one virtual time: every flag that must fall falls, at its time, once; no other does.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, VecDeque},
};

use api::time_control::TimeControl;
use clock::core::{Event, Moment, Reading, Side, step};
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};

const CLOCKS: usize = 100_000;
const TURNS_MAX: u32 = 12;
const SECOND: i64 = 1_000_000;
/// Outages as (beginning, length), in microseconds.
const OUTAGES: [(i64, i64); 3] =
    [(40 * SECOND, 25 * SECOND), (130 * SECOND, SECOND / 3), (300 * SECOND, 70 * SECOND)];

/// One game: two players who think for random times, and its own account of what they have left.
struct Game {
    control: TimeControl,
    reading: Reading,
    turns: u32,
    /// Whether the running side will act in time, by the account.
    in_time: bool,
    /// What both sides have left by the account: main time in microseconds, and periods.
    left: [(i64, u32); 2],
    falls: u32,
    over: bool,
}

/// What happens next to a game. At the same moment flags go before presses: a press then is late.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Happening {
    Flag { revision: u64 },
    Press { late_by: i64 },
}

type Queue = BinaryHeap<Reverse<(i64, usize, Happening)>>;

#[test]
fn no_flag_falls_early_none_is_missed_none_falls_twice() {
    let mut rng = StdRng::seed_from_u64(0x51_0c_57);
    let mut queue = Queue::new();
    let mut games: Vec<Game> = (0..CLOCKS).map(|index| open(index, &mut queue, &mut rng)).collect();
    let mut outages = VecDeque::from(OUTAGES);
    let (mut falls, mut presses) = (0, 0);
    while let Some(Reverse((now, index, happening))) = queue.pop() {
        if let Some(&(from, length)) = outages.front()
            && now >= from
        {
            queue.push(Reverse((now, index, happening)));
            outages.pop_front();
            queue = outage(&mut games, queue, from, length);
            continue;
        }
        let game = &mut games[index];
        match happening {
            Happening::Flag { revision } => falls += u32::from(flag(game, revision, now)),
            Happening::Press { late_by } if game.over => {
                assert!(late_by >= 0, "only a late press meets the end");
            }
            Happening::Press { late_by } => {
                assert!(late_by < 0, "clock {index} missed a flag that fell {late_by} us before");
                presses += 1;
                press(game, index, now, &mut queue, &mut rng);
            }
        }
    }
    for (index, game) in games.iter().enumerate() {
        assert_eq!(game.falls, u32::from(!game.in_time), "clock {index}");
    }
    assert!(
        falls > 10_000 && presses > 200_000,
        "{falls} falls and {presses} presses are too few to say much"
    );
}

fn open(index: usize, queue: &mut Queue, rng: &mut StdRng) -> Game {
    const CONTROLS: [&str; 6] = ["1m", "20s+2s", "10s+5s<12s", "0s+6s", "15s+3x5s", "0s+1x10s"];
    let control: TimeControl = CONTROLS[index % CONTROLS.len()].parse().expect("a control");
    let now = rng.random_range(0..30 * SECOND);
    let start = Event::Start { running: Side::First };
    let reading = step(control, None, &start, Moment(now)).expect("a start fits").after;
    let full = match control {
        TimeControl::Absolute { main } => (micros(main), 0),
        TimeControl::Fischer { main, increment, .. } => {
            (micros(if main.is_zero() { increment } else { main }), 0)
        }
        TimeControl::ByoYomi { main, periods, .. } => (micros(main), periods),
    };
    let mut game = Game { control, reading, turns: 0, in_time: true, left: [full; 2], falls: 0, over: false };
    think(&mut game, index, now, queue, rng);
    game
}

/// The running side begins to think: decides when it will act, and keeps the account of that.
fn think(game: &mut Game, index: usize, now: i64, queue: &mut Queue, rng: &mut StdRng) {
    let side = usize::from(game.reading.running.expect("runs").side == Side::Second);
    let (main, periods) = game.left[side];
    let (period, increment, cap) = match game.control {
        TimeControl::Absolute { .. } => (0, 0, None),
        TimeControl::Fischer { increment, cap, .. } => (0, micros(increment), cap.map(micros)),
        TimeControl::ByoYomi { period, .. } => (micros(period), 0, None),
    };
    let total = main + period * i64::from(periods);
    // One in eight thinks too long; some of them act at the very moment of the fall.
    let takes = match rng.random_range(0..16) {
        0 => total,
        1 => total + rng.random_range(0..90 * SECOND),
        2 => total - 1,
        _ => rng.random_range(0..=total / 2),
    };
    game.in_time = takes < total;
    let (mut main, mut periods) = (main - takes, periods);
    while main <= -period && period > 0 {
        main += period;
        periods = periods.saturating_sub(1);
    }
    let main = main.max(0);
    let grown = cap.map_or(main + increment, |cap| (main + increment).min(cap.max(main)));
    game.left[side] = (grown, periods);
    let flag_time = game.reading.flag_time(game.control).expect("a clock runs").0;
    assert_eq!(flag_time, now + total);
    queue.push(Reverse((flag_time, index, Happening::Flag { revision: game.reading.revision })));
    queue.push(Reverse((now + takes, index, Happening::Press { late_by: takes - total })));
}

/// The watch calls a flag; whether it has fallen.
fn flag(game: &mut Game, revision: u64, now: i64) -> bool {
    let watched = step(game.control, Some(&game.reading), &Event::Watch, Moment(now)).expect("fits");
    let current = game.reading.revision == revision;
    assert!(!current || watched.flagged.is_some(), "a flag was called before its time");
    if current {
        game.falls += 1;
        game.over = true;
        game.reading = watched.after;
    }
    current
}

fn press(game: &mut Game, index: usize, now: i64, queue: &mut Queue, rng: &mut StdRng) {
    let side = game.reading.running.expect("a clock runs").side;
    let event = Event::Press { side, next: Some(side.other()) };
    let pressed = step(game.control, Some(&game.reading), &event, Moment(now)).expect("fits");
    assert_eq!(pressed.flagged, None, "clock {index} fell early");
    game.reading = pressed.after;
    game.turns += 1;
    if game.turns == TURNS_MAX {
        let stopped = step(game.control, Some(&game.reading), &Event::Stop, Moment(now)).expect("fits");
        assert_eq!(stopped.flagged, None);
        game.reading = stopped.after;
    } else {
        think(game, index, now, queue, rng);
    }
}

/// Nothing happens for a while, then every running clock is credited: all that is to come comes so much later.
fn outage(games: &mut [Game], queue: Queue, from: i64, length: i64) -> Queue {
    let credit = Event::CreditOutage { from: Moment(from), until: Moment(from + length) };
    for game in games.iter_mut().filter(|game| !game.over) {
        let before = game.reading;
        let credited = step(game.control, Some(&before), &credit, Moment(from + length)).expect("fits");
        assert_eq!(credited.flagged, None, "an outage must not cost a game");
        let moved = before.flag_time(game.control).map(|flag_time| Moment(flag_time.0 + length));
        assert_eq!(credited.after.flag_time(game.control), moved);
        game.reading = credited.after;
    }
    queue
        .into_iter()
        .map(|Reverse((when, index, happening))| {
            let game = &games[index];
            match happening {
                Happening::Flag { revision } => {
                    // A credited clock has a new revision: its flag is set anew.
                    let due = game.reading.flag_time(game.control).map_or(when, |flag_time| flag_time.0);
                    let current = game.reading.running.is_some() && revision + 1 >= game.reading.revision;
                    let revision = if current { game.reading.revision } else { revision };
                    Reverse((due, index, Happening::Flag { revision }))
                }
                Happening::Press { .. } => Reverse((when + length, index, happening)),
            }
        })
        .collect()
}

fn micros(span: std::time::Duration) -> i64 {
    i64::try_from(span.as_micros()).expect("small")
}
