//! Worked examples, written as a script: `control: event@seconds … = reading`.

use api::time_control::TimeControl;
use clock::core::{
    Adjustment, Event, InvalidStep, Lag, Micros, Moment, PauseReason, Reading, Side, SideTime, Step, Turn,
    step,
};

/// Plays a script and compares what the clocks show at its end.
///
/// Events: `start1` (the first side's clock starts), `1` (the first side acts, the second's clock runs next),
/// `1>1` (and its own runs on), `1>-` (and none runs), `stop`, `out4-9` (an outage is credited), `watch`,
/// `pauseA` and `resumeA` (for reason P, A, E or S), `add1:30` and `cut1:30` (a time is corrected).
///
/// A reading: `1:main/periods 2:main/periods` (and `/period/moves` when moves are due), then `>side since` when
/// it runs, `=side since` when it is held or `-`, with `+used` if the turn was interrupted, then the letters of
/// the pauses, then `#revision`; in front of it `flag1` when that side's flag had fallen. All times in seconds.
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
        first: SideTime { main: Micros(700_000_000), ..SideTime::default() },
        second: SideTime { main: Micros(599_000_000), ..SideTime::default() },
        turn: Some(Turn::new(Side::First, Moment(0))),
        revision: 5,
        ..Reading::full(control)
    };
    let press = |side: Side| Event::Press { side, next: Some(side.other()), lag: Lag::default() };
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
    // Put as it is printed, it is the same.
    check("1h-keep5m: start1@0 1@3359", "1:0/5 2:3300/5 >2 3359 #2");
    check("1h-keep5m: start1@0 1@3360", "1:0/4 2:3300/5 >2 3360 #2");
    check("1h-keep5m: start1@0 1@3599.999999", "1:0/1 2:3300/5 >2 3599.999999 #2");
    check("1h-keep5m: start1@0 1@3600", "flag1 1:0/0 2:3300/5 - #2");
    check("5m-keep5m: start1@0 1@59 2@119", "1:0/5 2:0/4 >1 119 #3");
}

#[test]
fn a_delay_is_free_in_every_turn() {
    check("1m+d5s: start1@0 1@4", "1:60/0 2:60/0 >2 4 #2");
    check("1m+d5s: start1@0 1@15", "1:50/0 2:60/0 >2 15 #2");
    check("1m+d5s: start1@0 1@64.999999", "1:0.000001/0 2:60/0 >2 64.999999 #2");
    check("1m+d5s: start1@0 1@65", "flag1 1:0/0 2:60/0 - #2");
    check("1m+d5s: start1@0 stop@4", "1:60/0 2:60/0 - #2");
    // A Bronstein clock has the first delay on it from the start, and gets back what was used of it.
    check("1m+b5s: start1@0 1@4", "1:65/0 2:65/0 >2 4 #2");
    check("1m+b5s: start1@0 1@15", "1:55/0 2:65/0 >2 15 #2");
    check("1m+b5s: start1@0 1@65", "flag1 1:0/0 2:65/0 - #2");
    check("1m+b5s: start1@0 stop@4", "1:61/0 2:65/0 - #2");
}

#[test]
fn canadian_periods_ask_for_a_number_of_moves() {
    check("1m+3in30s: start1@0 1@50", "1:10/0/30/3 2:60/0/30/3 >2 50 #2");
    check("1m+3in30s: start1@0 1@70", "1:0/0/20/2 2:60/0/30/3 >2 70 #2");
    check("0s+3in30s: start1@0 1>1@9 1>1@18 1>1@29", "1:0/0/30/3 2:0/0/30/3 >1 29 #4");
    check("0s+3in30s: start1@0 1>1@9 1>1@18 1>1@30", "flag1 1:0/0 2:0/0/30/3 - #4");
    // A move counts once the main time is used up.
    check("1m+3in30s: start1@0 1@59.999999", "1:0.000001/0/30/3 2:60/0/30/3 >2 59.999999 #2");
    check("1m+3in30s: start1@0 1@60", "1:0/0/30/2 2:60/0/30/3 >2 60 #2");
    check("1m+3in30s: start1@0 1@90", "flag1 1:0/0 2:60/0/30/3 - #2");
    check("1m+3in30s: start1@0 stop@70", "1:0/0/20/3 2:60/0/30/3 - #2");
}

#[test]
fn a_time_for_every_move_is_whole_again_after_it() {
    check("30s/move: start1@0 1@29.999999 2@31", "1:30/0 2:30/0 >1 31 #3");
    check("30s/move: start1@0 1@30", "flag1 1:0/0 2:30/0 - #2");
    check("2d/move: start1@0 1@172799", "1:172800/0 2:172800/0 >2 172799 #2");
    check("2d/move: start1@0 1@172800", "flag1 1:0/0 2:172800/0 - #2");
}

#[test]
fn without_a_limit_no_flag_falls() {
    check("none: start1@0 1@4000000000", "1:0/0 2:0/0 >2 4000000000 #2");
    check("none: start1@0 watch@4000000000", "1:0/0 2:0/0 >1 0 #1");
    check("none: start1@0 cut1:30@1", "1:0/0 2:0/0 >1 0 #1");
    check("none: start1@0 pauseA@5 resumeA@6 1@7", "1:0/0 2:0/0 >2 7 #4");
}

#[test]
fn each_side_may_have_its_own_control() {
    check("5m+3s:1m: start1@0 1@10 2@20", "1:293/0 2:50/0 >1 20 #3");
    check("5m:none: start1@0 1@10 2@4000 1@4289", "1:1/0 2:0/0 >2 4289 #4");
    check("none:10s+2x5s: start1@0 1@10 2@26", "1:0/0 2:0/1 >1 26 #3");
    check("none:10s+2x5s: start1@0 1@10 2@30", "flag2 1:0/0 2:0/0 - #3");
}

#[test]
fn a_pause_holds_the_turn() {
    check("10m: start1@0 pauseA@10", "1:600/0 2:600/0 =1 10+10 A #2");
    check("10m: start1@0 pauseA@10 resumeA@100", "1:600/0 2:600/0 >1 100+10 #3");
    check("10m: start1@0 pauseA@10 resumeA@100 1@105", "1:585/0 2:600/0 >2 105 #4");
    check("10m: start1@0 pauseA@10 watch@9999", "1:600/0 2:600/0 =1 10+10 A #2");
    check("10m: start1@0 pauseA@10 resumeA@9999 1@10589", "flag1 1:0/0 2:600/0 - #4");
    check("10m: start1@0 pauseA@600", "flag1 1:0/0 2:600/0 - #2");
    // The period is not begun anew by it.
    check("0s+2x30s: start1@0 pauseA@20 resumeA@50 1@60", "1:0/1 2:0/2 >2 60 #4");
    check("1m+d5s: start1@0 pauseA@3 resumeA@50 1@53", "1:59/0 2:60/0 >2 53 #4");
    // An act in the pause ends the turn; the next one is held, too.
    check("10m: start1@0 pauseA@10 1@50", "1:590/0 2:600/0 =2 50 A #3");
    check("10m: start1@0 pauseA@10 stop@50", "1:590/0 2:600/0 - #3");
}

#[test]
fn pauses_stack_with_their_reasons() {
    check("10m: start1@0 pauseE@10 pauseA@20 resumeE@30", "1:600/0 2:600/0 =1 10+10 A #4");
    check("10m: start1@0 pauseE@10 pauseA@20 resumeE@30 resumeA@40", "1:600/0 2:600/0 >1 40+10 #5");
    check("10m: start1@0 pauseS@10 pauseP@10 pauseE@10 pauseA@10", "1:600/0 2:600/0 =1 10+10 PAES #5");
    check("10m: start1@0 pauseA@10 pauseA@20", "1:600/0 2:600/0 =1 10+10 A #2");
    check("10m: start1@0 resumeA@10", "1:600/0 2:600/0 >1 0 #1");
    check("10m: pauseE@0 start1@10", "1:600/0 2:600/0 =1 10 E #2");
    check("10m: pauseE@0 start1@10 resumeE@60 1@70", "1:590/0 2:600/0 >2 70 #4");
}

#[test]
fn an_outage_is_credited_only_where_the_clock_ran() {
    check("10m: start1@0 pauseA@10 out0-50@50", "1:600/0 2:600/0 =1 10+10 A #2");
    check("10m: start1@0 pauseA@10 resumeA@40 out20-50@50", "1:600/0 2:600/0 >1 50+10 #4");
    check("10m: start1@0 pauseA@10 resumeA@5 1@11", "1:589/0 2:600/0 >2 11 #4");
}

#[test]
fn times_are_corrected() {
    check("10m: start1@0 add1:30@10 1@20", "1:610/0 2:600/0 >2 20 #3");
    check("10m: start1@0 cut2:30@10", "1:600/0 2:570/0 >1 0 #2");
    check("10m: start1@0 cut1:590@10", "flag1 1:0/0 2:600/0 - #2");
    check("10m: start1@0 cut1:589.999999@10", "1:10.000001/0 2:600/0 >1 0 #2");
    check(
        "10m: start1@0 cut2:9999@10 1@20 watch@20",
        "flag2 1:0/0 2:0/0 - #4".replace("1:0", "1:580").as_str(),
    );
    // Before the start each is charged the minutes by which he is late.
    check("10m: cut1:120@0 cut2:60@0 start1@1", "1:480/0 2:540/0 >1 1 #3");
    // A part of a period costs nothing, as in a turn.
    check("1m+3x30s: start1@0 cut2:89@0", "1:60/3 2:0/3 >1 0 #2");
    check("1m+3x30s: start1@0 cut2:90@0", "1:60/3 2:0/2 >1 0 #2");
    check("1m+3in30s: start1@0 cut2:70@0", "1:60/0/30/3 2:0/0/20/3 >1 0 #2");
    // No delay protects from it.
    check("1m+d5s: start1@0 cut1:10@1 1@2", "1:50/0 2:60/0 >2 2 #3");
    // It holds for the move that is made, or comes next.
    check("30s/move: start1@0 add1:10@1 1@35 2@36", "1:30/0 2:30/0 >1 36 #4");
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
    // After a stop the clocks may be started again, as when a count has failed.
    check("5m+3s: start1@0 stop@10 start2@50 2@60", "1:290/0 2:293/0 >1 60 #4");
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
    for event in ["stop", "watch", "1", "out1-2", "resumeA"] {
        assert_eq!(step(control, None, &parse(event), at("0")), Err(InvalidStep::NotStarted));
    }
    let refused = |reading: &Reading, event: &str| step(control, Some(reading), &parse(event), at("0"));
    assert_eq!(refused(&started, "start1"), Err(InvalidStep::AlreadyStarted));
    assert_eq!(refused(&started, "out2-1"), Err(InvalidStep::OutageBackwards));
    for strange in [
        SideTime { periods: 1, ..SideTime::default() },
        SideTime { of_period: Micros(1), ..SideTime::default() },
        SideTime { moves: 1, ..SideTime::default() },
    ] {
        let strange = started.with_time(Side::Second, strange);
        assert_eq!(refused(&strange, "watch"), Err(InvalidStep::TooManyPeriods));
    }
}

fn parse(event: &str) -> Event {
    if let Some(running) = event.strip_prefix("start") {
        return Event::Start { running: side(running).expect("a side") };
    }
    if let Some((from, until)) = event.strip_prefix("out").and_then(|span| span.split_once('-')) {
        return Event::CreditOutage { from: at(from), until: at(until) };
    }
    if let Some(letter) = event.strip_prefix("pause") {
        return Event::Pause { reason: reason(letter) };
    }
    if let Some(letter) = event.strip_prefix("resume") {
        return Event::Resume { reason: reason(letter) };
    }
    let corrected = |text: &str| {
        let (corrected, span) = text.split_once(':').expect("a side and a span");
        (side(corrected).expect("a side"), Micros(at(span).0.unsigned_abs()))
    };
    if let Some((side, span)) = event.strip_prefix("add").map(corrected) {
        return Event::Adjust { side, by: Adjustment::Add(span) };
    }
    if let Some((side, span)) = event.strip_prefix("cut").map(corrected) {
        return Event::Adjust { side, by: Adjustment::Deduct(span) };
    }
    match event {
        "stop" => Event::Stop,
        "watch" => Event::Watch,
        _ => {
            let (actor, next) = event.split_once('>').unwrap_or((event, ""));
            let actor = side(actor).expect("a side");
            let next = if next.is_empty() { Some(actor.other()) } else { side(next) };
            Event::Press { side: actor, next, lag: Lag::default() }
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

fn reason(letter: &str) -> PauseReason {
    PauseReason::ALL["PAES".find(letter).expect("a reason")]
}

fn at(seconds: &str) -> Moment {
    let (whole, part) = seconds.split_once('.').unwrap_or((seconds, "0"));
    let micros: i64 = format!("{part:0<6}").parse().expect("a fraction");
    Moment(whole.parse::<i64>().expect("seconds") * 1_000_000 + micros)
}

fn print(step: Step) -> String {
    let time = |time: SideTime| {
        let due = format!("/{}/{}", seconds(time.of_period.0), time.moves);
        let due = if time.moves > 0 { due.as_str() } else { "" };
        format!("{}/{}{due}", seconds(time.main.0), time.periods)
    };
    let side = |side| if side == Side::First { 1 } else { 2 };
    let Reading { first, second, turn, pauses, revision } = step.after;
    let flagged = step.flagged.map(|flagged| format!("flag{} ", side(flagged))).unwrap_or_default();
    let turn = turn.map_or("-".to_owned(), |turn| {
        let sign = if pauses.is_empty() { '>' } else { '=' };
        let used = if turn.used.0 > 0 { format!("+{}", seconds(turn.used.0)) } else { String::new() };
        format!("{sign}{} {}{used}", side(turn.side), seconds(turn.since.0.unsigned_abs()))
    });
    let letters: String = pauses.iter().map(|reason| ['P', 'A', 'E', 'S'][reason as usize]).collect();
    let pauses = if letters.is_empty() { letters } else { format!("{letters} ") };
    format!("{flagged}1:{} 2:{} {turn} {pauses}#{revision}", time(first), time(second))
}

fn seconds(micros: u64) -> String {
    let text = format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
