//! Time controls, their flags and their calls.

use std::time::Duration;

use api::board::v1::{Reason, Verdict};
use simulation::in_every_shape;

use super::table::{Table, go, time_of};

/// How late a flag may be called.
const LATE: time::Duration = time::Duration::milliseconds(50);

const SECOND: time::Duration = time::Duration::SECOND;

/// What a time control gives somebody who does nothing after his first move.
const CONTROLS: &[(&str, Duration)] =
    &[("20s", Duration::from_secs(20)), ("10s+5s", Duration::from_secs(15))];

#[test]
fn flags_fall_on_time_with_nobody_connected() {
    in_every_shape(async |stage| {
        for (control, left) in CONTROLS {
            let table = Table::matched(&stage, go(control), false).await;
            table.play(&["C3", "G7"]).await;
            let moved = table.log().await.pop().expect("an event");
            let reading = moved.state.as_ref().and_then(|state| state.clock.as_ref()).expect("a clock");
            let flag = reading.flag_time.as_ref().and_then(api::time::moment).expect("a clock runs");
            // The first move has taken no more than the way of a message.
            let used = time_of(&moved) + *left - flag;
            assert!((time::Duration::ZERO..SECOND).contains(&used), "{control}: {used} used");
            tokio::time::sleep(*left + Duration::from_secs(1)).await;
            let (outcome, at) = table.ended().await;
            assert_eq!(
                (outcome.verdict(), outcome.reason()),
                (Verdict::SecondWins, Reason::Time),
                "{control}"
            );
            assert!(
                (flag..flag + LATE).contains(&at),
                "{control}: the flag fell at {flag} and is called at {at}"
            );
        }
    });
}
