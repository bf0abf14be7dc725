//! What is called, against the printed rules and against a count of every second.

use api::time_control::TimeControl;
use clock::core::{
    Announcement, Event, Lag, Micros, Moment, PauseReason, Reading, Side, announcements_after,
    announcements_between, announcements_to_repeat, next_announcements, step,
};
use proptest::prelude::*;

use crate::laws::any_control;

const SECOND: i64 = 1_000_000;

fn started(control: TimeControl) -> Reading {
    let start = Event::Start { running: Side::First };
    step(control, None, &start, Moment(0)).expect("a start fits").after
}

fn word(announcement: Announcement) -> String {
    match announcement {
        Announcement::Seconds(seconds) => format!("{seconds}s"),
        Announcement::PeriodsLeft(periods) => format!("{periods} left"),
        Announcement::Count(number) => number.to_string(),
        Announcement::Time => "10, time".to_owned(),
    }
}

/// All that is called in the first turn of a game, as `second:call`.
fn script(control: &str) -> String {
    let control = control.parse().expect("a control");
    let calls = announcements_after(control, &started(control), Moment(0));
    let said: Vec<String> = calls
        .map(|due| {
            assert_eq!((due.at.0 % SECOND, due.side), (0, Side::First));
            format!("{}:{}", due.at.0 / SECOND, word(due.announcement))
        })
        .collect();
    said.join(" ")
}

#[test]
fn the_calls_of_the_printed_rules() {
    let last = |begins: i64| {
        let seconds = [30, 40, 50].map(|second| format!("{}:{second}s", begins + second)).join(" ");
        let count: Vec<String> = (1..10).map(|number| format!("{}:{number}", begins + 50 + number)).collect();
        format!("{seconds} {} {}:10, time", count.join(" "), begins + 60)
    };
    let minute = |begins: i64, left: i64| {
        let seconds =
            [30, 40, 50, 55, 58, 60].map(|second| format!("{}:{second}s", begins + second)).join(" ");
        format!("{seconds} {}:{left} left", begins + 60)
    };
    assert_eq!(
        script("10m-keep3m"),
        format!("420:3 left {} {} {}", minute(420, 2), minute(480, 1), last(540))
    );
    assert_eq!(script("10m-keep1m"), format!("540:1 left {}", last(540)));
    assert_eq!(script("9m+1x60s"), script("10m-keep1m"));
    // Who begins in byo-yomi is not told what he has been told.
    assert_eq!(script("2m-keep2m"), format!("{} {}", minute(0, 1), last(60)));
    assert_eq!(script("1m/move"), last(0));
    assert_eq!(script("1m+25in1m"), last(60));
    assert_eq!(
        script("0s+2x20s"),
        "10:10s 15:15s 18:18s 20:20s 20:1 left 30:10s 31:1 32:2 33:3 34:4 35:5 36:6 37:7 38:8 39:9 40:10, time"
    );
    for silent in ["1h", "5m+3s", "5m+d3s", "5m+b3s", "1d/move", "none"] {
        assert_eq!(script(silent), "", "{silent}");
    }
}

#[test]
fn a_pause_interrupts_the_count_and_repeats_nothing() {
    let control: TimeControl = "1m-keep1m".parse().expect("a control");
    let take = |reading: &Reading, event, now: i64| {
        step(control, Some(reading), &event, Moment(now * SECOND)).expect("fits").after
    };
    let reason = PauseReason::Arbiter;
    let paused = take(&started(control), Event::Pause { reason }, 53);
    assert_eq!(next_announcements(control, &paused, Moment(0)), []);
    let resumed = take(&paused, Event::Resume { reason }, 100);
    let said: Vec<(i64, Announcement)> = announcements_after(control, &resumed, Moment(0))
        .map(|due| (due.at.0 / SECOND, due.announcement))
        .collect();
    assert_eq!(said[0], (101, Announcement::Count(4)));
    assert_eq!(said.last(), Some(&(107, Announcement::Time)));
    assert_eq!(resumed.flag_time(control), Some(Moment(107 * SECOND)));
}

#[test]
fn what_was_called_can_be_repeated() {
    let control: TimeControl = "3m-keep3m".parse().expect("a control");
    let reading = started(control);
    let repeated = |from: Option<i64>, now: i64| -> Vec<String> {
        let from = from.map(|from| Moment(from * SECOND));
        let calls = announcements_to_repeat(control, &reading, from, Moment(now * SECOND));
        calls.into_iter().map(|due| word(due.announcement)).collect()
    };
    assert_eq!(repeated(None, 29), Vec::<String>::new());
    assert_eq!(repeated(None, 45), ["40s"]);
    assert_eq!(repeated(None, 60), ["60s", "2 left"]);
    assert_eq!(repeated(Some(173), 175), ["3", "4", "5"]);
    assert_eq!(repeated(Some(176), 175), Vec::<String>::new());
    assert_eq!(repeated(Some(0), 180).len(), 16, "no more than somebody can listen to");
    let press = Event::Press { side: Side::First, next: Some(Side::Second), lag: Lag::default() };
    let pressed = step(control, Some(&reading), &press, Moment(45 * SECOND)).expect("fits").after;
    assert_eq!(announcements_to_repeat(control, &pressed, None, Moment(46 * SECOND)), []);
}

#[test]
fn what_was_called_before_a_pause_can_be_repeated_in_it_and_after_it() {
    let control: TimeControl = "1m-keep1m".parse().expect("a control");
    let take = |reading: &Reading, event, now: i64| {
        step(control, Some(reading), &event, Moment(now * SECOND)).expect("fits").after
    };
    let repeated = |reading: &Reading, from: Option<i64>, now: i64| -> Vec<String> {
        let from = from.map(|from| Moment(from * SECOND));
        let calls = announcements_to_repeat(control, reading, from, Moment(now * SECOND));
        calls.into_iter().map(|due| word(due.announcement)).collect()
    };
    let reason = PauseReason::Arbiter;
    let paused = take(&started(control), Event::Pause { reason }, 53);
    assert_eq!(repeated(&paused, None, 90), ["3"]);
    assert_eq!(repeated(&paused, Some(52), 90), ["2", "3"]);
    assert_eq!(repeated(&paused, Some(54), 90), Vec::<String>::new());
    let resumed = take(&paused, Event::Resume { reason }, 100);
    assert_eq!(repeated(&resumed, None, 100), ["3"]);
    assert_eq!(repeated(&resumed, None, 102), ["5"]);
    assert_eq!(repeated(&resumed, Some(101), 102), ["4", "5"]);
    let before = repeated(&resumed, Some(52), 102);
    assert_eq!(before[before.len() - 4..], ["2", "3", "4", "5"]);
    let stopped = take(&resumed, Event::Stop, 103);
    assert_eq!(repeated(&stopped, None, 104), Vec::<String>::new());
}

proptest! {
    #[test]
    fn calls_come_in_order_and_end_with_the_flag(control in any_control(), from in 0..200_000_000_i64) {
        let control = TimeControl::same(control);
        let reading = started(control);
        let all: Vec<_> = announcements_after(control, &reading, Moment(-1)).collect();
        prop_assert!(all.is_sorted_by_key(|due| due.at));
        if let Some(last) = all.last() {
            prop_assert_eq!((Some(last.at), last.announcement), (reading.flag_time(control), Announcement::Time));
            prop_assert_eq!(all.iter().filter(|due| due.announcement == Announcement::Time).count(), 1);
        }
        // Wherever one begins to listen, the rest is the same, and pieces make the whole.
        let rest: Vec<_> = all.iter().filter(|due| due.at > Moment(from)).copied().collect();
        prop_assert_eq!(announcements_after(control, &reading, Moment(from)).collect::<Vec<_>>(), rest.clone());
        let next = next_announcements(control, &reading, Moment(from));
        prop_assert_eq!(next.first(), rest.first());
        let pieces = announcements_between(control, &reading, Moment(-1), Moment(from)).chain(rest);
        prop_assert_eq!(pieces.collect::<Vec<_>>(), all);
    }

    #[test]
    fn a_count_of_every_second_says_the_same(
        (main_s, period_s, periods) in (0..30_u64, 1..70_u64, 1..4_u32),
    ) {
        let control: TimeControl = format!("{main_s}s+{periods}x{period_s}s").parse().expect("a control");
        let mut said = Vec::new();
        let mut second = main_s;
        if main_s > 0 {
            said.push((second, Announcement::PeriodsLeft(periods)));
        }
        for left in (0..periods).rev() {
            for used in 1..=period_s {
                second += 1;
                let spoken = Announcement::Seconds(u32::try_from(used).expect("small"));
                match period_s - used {
                    30 | 20 | 10 => said.push((second, spoken)),
                    0 if left == 0 => said.push((second, Announcement::Time)),
                    5 | 2 | 0 if left > 0 => said.push((second, spoken)),
                    rest @ 1..10 if left == 0 => {
                        said.push((second, Announcement::Count(u32::try_from(10 - rest).expect("small"))));
                    }
                    _ => {}
                }
                if used == period_s && left > 0 {
                    said.push((second, Announcement::PeriodsLeft(left)));
                }
            }
        }
        let calls = announcements_after(control, &started(control), Moment(0));
        let calls: Vec<_> = calls.map(|due| (due.at.since(Moment(0)), due.announcement)).collect();
        let said: Vec<_> = said.into_iter().map(|(second, call)| (Micros(second * 1_000_000), call)).collect();
        prop_assert_eq!(calls, said);
    }
}
