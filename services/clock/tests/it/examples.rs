//! Worked examples, written as a script: `control: event@seconds … = reading`.

use api::time_control::TimeControl;
use clock::core::{BadStep, Event, Micros, Moment, Reading, Running, Side, SideTime, Step, step};

/// Plays a script and compares what the clocks show at its end.
///
/// Events: `start1` (the first side's clock starts), `1` (the first side acts, the second's clock runs next),
/// `1>1` (and its own runs on), `1>-` (and none runs), `stop`, `out4-9` (an outage is credited), `watch`.
/// A reading: `1:main/periods 2:main/periods`, then `>side since` or `-`, then `#revision`; in front of it
/// `flag1` when that side's flag had fallen. All times in seconds.
fn check(script: &str, expect: &str) {
    let (control, events) = script.split_once(": ").expect("a control, then events");
    let control: TimeControl = control.parse().expect("a control");
    let mut last: Option<Step> = None;
    for event in events.split(' ') {
        let (event, now_s) = event.split_once('@').expect("an event and its time");
        let before = last.map(|step| step.after);
        last = Some(step(control, before.as_ref(), &parse(event), at(now_s)).expect("the event fits"));
    }
    assert_eq!(print(last.expect("at least one event")), expect, "{script}");
}

#[test]
fn absolute_time_is_charged_to_the_side_that_thinks() {
    check("10m: start1@0", "1:600/0 2:600/0 >1 0 #1");
    check("10m: start1@0 1@10", "1:590/0 2:600/0 >2 10 #2");
    check("10m: start1@0 1@10 2@40", "1:590/0 2:570/0 >1 40 #3");
    check("10m: start2@0 2@600.5", "flag2 1:600/0 2:0/0 - #2");
    check("10m: start1@0 1>1@10 1@15", "1:585/0 2:600/0 >2 15 #3");
}

#[test]
fn a_flag_falls_at_its_time_exactly() {
    check("10m: start1@0 1@599.999999", "1:0.000001/0 2:600/0 >2 599.999999 #2");
    check("10m: start1@0 1@600", "flag1 1:0/0 2:600/0 - #2");
    check("10m: start1@0 watch@599.999999", "1:600/0 2:600/0 >1 0 #1");
    check("10m: start1@0 watch@600", "flag1 1:0/0 2:600/0 - #2");
    check("10m: start1@0 stop@600", "flag1 1:0/0 2:600/0 - #2");
}

#[test]
fn fischer_adds_after_the_move_and_no_further_than_the_cap() {
    check("5m+3s: start1@0 1@10", "1:293/0 2:300/0 >2 10 #2");
    check("5m+3s: start1@0 1@1 2@2 1@3", "1:304/0 2:302/0 >2 3 #4");
    check("5m+3s<5m: start1@0 1@1", "1:300/0 2:300/0 >2 1 #2");
    check("5m+3s: start1@0 1@300", "flag1 1:0/0 2:300/0 - #2");
    // Without main time the first increment comes at once.
    check("0s+5s: start1@0 1@2", "1:8/0 2:5/0 >2 2 #2");
    check("0s+5s: start1@0 1@5", "flag1 1:0/0 2:5/0 - #2");
}

#[test]
fn the_cap_never_takes_away_what_a_side_has() {
    let control: TimeControl = "5m+3s<10m".parse().expect("a control");
    let before = Reading {
        first: SideTime { main: Micros(700_000_000), periods: 0 },
        second: SideTime { main: Micros(599_000_000), periods: 0 },
        running: Some(Running { side: Side::First, since: Moment(0) }),
        revision: 5,
    };
    let press = |side: Side| Event::Press { side, next: Some(side.other()) };
    let first = step(control, Some(&before), &press(Side::First), at("40")).expect("fits");
    assert_eq!(print(first), "1:660/0 2:599/0 >2 40 #6");
    let second = step(control, Some(&first.after), &press(Side::Second), at("41")).expect("fits");
    assert_eq!(print(second), "1:660/0 2:600/0 >1 41 #7");
}

#[test]
fn a_period_that_is_not_used_up_is_given_back_whole() {
    check("1m+3x30s: start1@0 1@60", "1:0/3 2:60/3 >2 60 #2");
    check("1m+3x30s: start1@0 1@89.999999", "1:0/3 2:60/3 >2 89.999999 #2");
    check("1m+3x30s: start1@0 1@90", "1:0/2 2:60/3 >2 90 #2");
    check("1m+3x30s: start1@0 1@149.999999", "1:0/1 2:60/3 >2 149.999999 #2");
    check("1m+3x30s: start1@0 1@150", "flag1 1:0/0 2:60/3 - #2");
    check("0s+1x30s: start1@0 1@29 2@58 1@87", "1:0/1 2:0/1 >2 87 #4");
}

#[test]
fn the_reserved_minutes_of_go() {
    // go.md 1.5: an hour of which five minutes are counted aloud. A move under a minute costs nothing, a
    // full minute costs one, the last may not be used up.
    check("55m+5x60s: start1@0 1@3359", "1:0/5 2:3300/5 >2 3359 #2");
    check("55m+5x60s: start1@0 1@3360", "1:0/4 2:3300/5 >2 3360 #2");
    check("55m+5x60s: start1@0 1@3599", "1:0/1 2:3300/5 >2 3599 #2");
    check("55m+5x60s: start1@0 1@3600", "flag1 1:0/0 2:3300/5 - #2");
}

#[test]
fn an_act_of_the_side_whose_clock_does_not_run_is_charged_to_nobody() {
    check("10m: start1@0 2>1@10", "1:600/0 2:600/0 >1 0 #2");
    check("10m: start1@0 2>2@10", "1:600/0 2:600/0 >2 10 #2");
    check("10m: start1@0 2>-@10", "1:600/0 2:600/0 - #2");
    check("10m: start1@0 1>-@10 2>1@20", "1:590/0 2:600/0 >1 20 #3");
    // But it comes too late if the running flag has fallen.
    check("10m: start1@0 2>2@600", "flag1 1:0/0 2:600/0 - #2");
}

#[test]
fn stopping_charges_and_adds_nothing() {
    check("5m+3s: start1@0 stop@10", "1:290/0 2:300/0 - #2");
    check("1m+3x30s: start1@0 stop@100", "1:0/2 2:60/3 - #2");
    check("5m+3s: start1@0 stop@10 stop@20", "1:290/0 2:300/0 - #3");
}

#[test]
fn an_outage_gives_back_what_was_charged_in_it() {
    check("10m: start1@0 out10-40@40 1@50", "1:580/0 2:600/0 >2 50 #3");
    // The part before the turn was charged to nobody.
    check("10m: start1@0 1@20 out10-40@40", "1:580/0 2:600/0 >2 40 #3");
    check("10m: start1@0 1@20 out10-20@40", "1:580/0 2:600/0 >2 20 #2");
    check("10m: start1@0 1>-@20 out10-40@40", "1:580/0 2:600/0 - #2");
    // Nobody has been charged for what is still to come.
    check("10m: start1@0 out10-90@40", "1:600/0 2:600/0 >1 30 #2");
    check("10m: start1@0 out50-90@40", "1:600/0 2:600/0 >1 0 #1");
}

#[test]
fn an_outage_raises_only_the_flags_that_fell_in_it() {
    check("10m: start1@0 out599-700@700", "1:600/0 2:600/0 >1 101 #2");
    check("10m: start1@0 out600-700@700", "flag1 1:0/0 2:600/0 - #2");
    check("10m: start1@0 out599-700@701", "flag1 1:0/0 2:600/0 - #2");
}

#[test]
fn time_that_goes_backwards_is_charged_to_nobody() {
    check("10m: start1@100 1@90", "1:600/0 2:600/0 >2 100 #2");
    check("10m: start1@100 1@90 2@95", "1:600/0 2:600/0 >1 100 #3");
    check("10m: start1@100 stop@90", "1:600/0 2:600/0 - #2");
}

#[test]
fn events_that_do_not_fit_are_refused() {
    let control: TimeControl = "10m".parse().expect("a control");
    let start = Event::Start { running: Side::First };
    let started = step(control, None, &start, at("0")).expect("a start fits").after;
    for event in ["stop", "watch", "1", "out1-2"] {
        assert_eq!(step(control, None, &parse(event), at("0")), Err(BadStep::NotStarted));
    }
    let refused = |reading: &Reading, event: &str| step(control, Some(reading), &parse(event), at("0"));
    assert_eq!(refused(&started, "start1"), Err(BadStep::AlreadyStarted));
    assert_eq!(refused(&started, "out2-1"), Err(BadStep::OutageBackwards));
    let periods = started.with_time(Side::Second, SideTime { main: Micros::ZERO, periods: 1 });
    assert_eq!(refused(&periods, "watch"), Err(BadStep::TooManyPeriods));
}

fn parse(event: &str) -> Event {
    if let Some(running) = event.strip_prefix("start") {
        return Event::Start { running: side(running).expect("a side") };
    }
    if let Some((from, until)) = event.strip_prefix("out").and_then(|span| span.split_once('-')) {
        return Event::CreditOutage { from: at(from), until: at(until) };
    }
    match event {
        "stop" => Event::Stop,
        "watch" => Event::Watch,
        _ => {
            let (actor, next) = event.split_once('>').unwrap_or((event, ""));
            let actor = side(actor).expect("a side");
            Event::Press { side: actor, next: if next.is_empty() { Some(actor.other()) } else { side(next) } }
        }
    }
}

fn side(text: &str) -> Option<Side> {
    match text {
        "1" => Some(Side::First),
        "2" => Some(Side::Second),
        _ => None,
    }
}

fn at(seconds: &str) -> Moment {
    let (whole, part) = seconds.split_once('.').unwrap_or((seconds, "0"));
    let micros: i64 = format!("{part:0<6}").parse().expect("a fraction");
    Moment(whole.parse::<i64>().expect("seconds") * 1_000_000 + micros)
}

fn print(step: Step) -> String {
    let time = |time: SideTime| format!("{}/{}", seconds(time.main.0), time.periods);
    let side = |side| if side == Side::First { 1 } else { 2 };
    let Reading { first, second, running, revision } = step.after;
    let flagged = step.flagged.map(|flagged| format!("flag{} ", side(flagged))).unwrap_or_default();
    let running = running.map_or("-".to_owned(), |running| {
        format!(">{} {}", side(running.side), seconds(running.since.0.unsigned_abs()))
    });
    format!("{flagged}1:{} 2:{} {running} #{revision}", time(first), time(second))
}

fn seconds(micros: u64) -> String {
    let text = format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
