//! Very many clocks on one virtual time, of random controls, through random acts, pauses, corrections and
//! outages: every flag that must fall falls, at its time, once; no other does.
//!
//! There are 20,000; `tests/soak/clocks` has a million of them (the variable `CLOCKS` says how many).

use std::{cmp::Reverse, collections::BinaryHeap};

use api::time_control::TimeControl;
use clock::core::{Adjustment, Event, Lag, Micros, Moment, PauseReason, Pauses, Reading, Side, Step, step};
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};

use crate::purse::{CONTROLS, Purse, control};

const CLOCKS: usize = 20_000;
const ACTS_MAX: u32 = 24;
const SECOND: i64 = 1_000_000;

/// One game, and an account of its own of what must come of it.
struct Game {
    reading: Reading,
    purses: [Purse; 2],
    turn: Turn,
    pauses: Pauses,
    acts: u32,
    falls: u32,
    over: bool,
}

/// The turn by the account.
#[derive(Clone, Copy)]
struct Turn {
    side: Side,
    since: i64,
    charged: i64,
}

/// What happens next to a game. At the same moment flags go before acts: an act then is late.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Happening {
    Flag { revision: u64 },
    Act,
}

/// All games, and what is to happen.
struct Fixture {
    games: Vec<Game>,
    queue: BinaryHeap<Reverse<(i64, usize, Happening)>>,
    rng: StdRng,
    acts: usize,
}

#[test]
fn no_flag_falls_early_none_is_missed_none_falls_twice() {
    let clocks = std::env::var("CLOCKS").map_or(CLOCKS, |clocks| clocks.parse().expect("a number"));
    let mut fixture = Fixture::open(clocks);
    while let Some(Reverse((now, index, happening))) = fixture.queue.pop() {
        match happening {
            Happening::Flag { revision } => fixture.games[index].flag(revision, now),
            Happening::Act => fixture.act(index, now),
        }
    }
    let mut falls = 0;
    for (index, game) in fixture.games.iter().enumerate() {
        assert!(game.over || game.due().is_none(), "clock {index} missed its flag");
        assert!(game.falls <= 1, "the flag of clock {index} fell twice");
        falls += game.falls as usize;
    }
    assert!(
        falls > clocks / 5 && fixture.acts > clocks * 5,
        "{falls} falls and {} acts say little",
        fixture.acts
    );
}

impl Fixture {
    fn open(clocks: usize) -> Self {
        let rng = StdRng::seed_from_u64(0x51_0c_57);
        let mut fixture =
            Fixture { games: Vec::with_capacity(clocks), queue: BinaryHeap::new(), rng, acts: 0 };
        for index in 0..clocks {
            let now = fixture.rng.random_range(0..30 * SECOND);
            let kinds = [index % CONTROLS.len(), fixture.rng.random_range(0..CONTROLS.len())];
            let game = Game::start(kinds, now);
            fixture.games.push(game);
            fixture.watch_and_wait(index, now);
        }
        fixture
    }

    /// Watches the flag of a game as it now is, and decides when something happens to it next.
    fn watch_and_wait(&mut self, index: usize, now: i64) {
        let game = &self.games[index];
        if game.over {
            return;
        }
        let flag_time = game.reading.flag_time(game.control()).map(|flag_time| flag_time.0);
        assert_eq!(flag_time, game.due(), "clock {index} would fall at another time than it must");
        if let Some(flag_time) = flag_time {
            let flag = Happening::Flag { revision: game.reading.revision };
            self.queue.push(Reverse((flag_time, index, flag)));
        }
        let left = flag_time.map_or(30 * SECOND, |flag_time| (flag_time - now).max(0));
        // Some act at the very moment of the fall, some just before it, some too late.
        let wait = match self.rng.random_range(0..32) {
            0 => left,
            1 => left + self.rng.random_range(0..90 * SECOND),
            2 => (left - 1).max(0),
            _ => self.rng.random_range(0..=left.min(60 * SECOND)),
        };
        self.queue.push(Reverse((now + wait, index, Happening::Act)));
    }

    fn act(&mut self, index: usize, now: i64) {
        let game = &mut self.games[index];
        if game.over {
            return;
        }
        assert!(game.due().is_none_or(|due| due > now), "clock {index} missed its flag");
        self.acts += 1;
        game.acts += 1;
        let event =
            if game.acts == ACTS_MAX { Event::Stop } else { any_event(game.turn.side, now, &mut self.rng) };
        let (flagged, spared) = game.account(event, now);
        let Step { after, flagged: fell, compensated } =
            step(game.control(), Some(&game.reading), &event, Moment(now)).expect("fits");
        assert_eq!((fell, compensated), (flagged, Micros(spared.unsigned_abs())), "clock {index}: {event:?}");
        game.reading = after;
        game.falls += u32::from(fell.is_some());
        game.over = fell.is_some() || event == Event::Stop;
        if fell.is_none() {
            game.agrees(index);
        }
        self.watch_and_wait(index, now);
    }
}

impl Game {
    fn start(kinds: [usize; 2], now: i64) -> Self {
        let control = TimeControl { first: control(kinds[0]), second: control(kinds[1]) };
        let start = Event::Start { running: Side::First };
        Game {
            reading: step(control, None, &start, Moment(now)).expect("a start fits").after,
            purses: kinds.map(Purse::full),
            turn: Turn { side: Side::First, since: now, charged: 0 },
            pauses: Pauses::NONE,
            acts: 0,
            falls: 0,
            over: false,
        }
    }

    fn control(&self) -> TimeControl {
        TimeControl { first: control(self.purses[0].kind), second: control(self.purses[1].kind) }
    }

    /// When the flag must fall by the account.
    fn due(&self) -> Option<i64> {
        let total = self.purses[self.turn.side.index()].total().filter(|_| self.pauses.is_empty())?;
        Some(self.turn.since + (total - self.turn.charged).max(0))
    }

    /// The watch calls a flag.
    fn flag(&mut self, revision: u64, now: i64) {
        let current = !self.over && self.reading.revision == revision;
        if !current {
            return;
        }
        assert_eq!(self.due(), Some(now), "a flag was called at another time than it must fall");
        let watched = step(self.control(), Some(&self.reading), &Event::Watch, Moment(now)).expect("fits");
        assert_eq!(watched.flagged, Some(self.turn.side), "a flag was called that has not fallen");
        let early = step(self.control(), Some(&self.reading), &Event::Watch, Moment(now - 1)).expect("fits");
        assert_eq!(early.flagged, None, "a flag fell early");
        self.reading = watched.after;
        self.falls += 1;
        self.over = true;
    }

    /// What must come of an event: whose flag falls by it, and what is spared.
    fn account(&mut self, event: Event, now: i64) -> (Option<Side>, i64) {
        let took = self.took(now);
        match event {
            Event::Press { side, next, lag } => {
                let lag = i64::try_from(lag.counted().0).expect("small");
                let spared = self.purses[side.index()].charge(took, lag);
                self.turn = Turn { side: next.expect("somebody"), since: now, charged: 0 };
                return (None, spared);
            }
            Event::Pause { reason } => {
                if self.pauses.is_empty() {
                    let unlimited = self.purses[self.turn.side.index()].total().is_none();
                    self.turn = Turn { since: now, charged: if unlimited { 0 } else { took }, ..self.turn };
                }
                self.pauses = self.pauses.with(reason);
            }
            Event::Resume { reason } => {
                let held = !self.pauses.is_empty();
                self.pauses = self.pauses.without(reason);
                if held && self.pauses.is_empty() {
                    self.turn.since = now;
                }
            }
            Event::CreditOutage { from, until } if self.pauses.is_empty() => {
                self.turn.since += (until.0 - from.0.max(self.turn.since)).max(0);
            }
            Event::Adjust { side, by } => {
                let purse = &mut self.purses[side.index()];
                match by {
                    Adjustment::Add(_) if purse.total().is_none() => {}
                    Adjustment::Add(span) => purse.main += i64::try_from(span.0).expect("small"),
                    Adjustment::Deduct(span) => purse.take(i64::try_from(span.0).expect("small")),
                }
                let changes = self.purses[self.turn.side.index()].total().is_some_and(|total| total <= took);
                return (changes.then_some(self.turn.side), 0);
            }
            _ => {}
        }
        (None, 0)
    }

    /// What the turn has been charged by now.
    fn took(&self, now: i64) -> i64 {
        self.turn.charged + if self.pauses.is_empty() { now - self.turn.since } else { 0 }
    }

    /// The clocks show what the account has.
    fn agrees(&self, clock: usize) {
        if self.over {
            return;
        }
        for side in Side::BOTH {
            let (time, purse) = (self.reading.time(side), self.purses[side.index()]);
            let shown = [
                time.main.0,
                u64::from(time.periods),
                time.of_period.0,
                u64::from(time.moves),
                time.lag_quota.0,
            ];
            let had = [purse.main, purse.periods, purse.of_period, purse.moves, purse.quota];
            assert_eq!(shown, had.map(i64::unsigned_abs), "clock {clock}, {side:?}");
        }
        assert_eq!(self.reading.pauses, self.pauses, "clock {clock}");
    }
}

/// Something that happens to a game in which it is this side's turn.
fn any_event(side: Side, now: i64, rng: &mut StdRng) -> Event {
    let reason = PauseReason::ALL[rng.random_range(0..PauseReason::ALL.len())];
    match rng.random_range(0..16) {
        0 => Event::Pause { reason },
        1..4 => Event::Resume { reason },
        4 => {
            let from = now - rng.random_range(0..20 * SECOND);
            Event::CreditOutage { from: Moment(from), until: Moment(rng.random_range(from..=now)) }
        }
        5 => {
            let span = Micros(rng.random_range(1..20_000_000));
            let by = if rng.random() { Adjustment::Add(span) } else { Adjustment::Deduct(span) };
            Event::Adjust { side: if rng.random() { side } else { side.other() }, by }
        }
        _ => {
            let measured = Some(Micros(rng.random_range(0..800_000)));
            Event::Press { side, next: Some(side.other()), lag: Lag { measured, claimed: None } }
        }
    }
}
