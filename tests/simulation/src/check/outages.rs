//! Time in which nobody could act is charged to nobody.

use api::game::v1::game_event::{Event, OutageCredited};
use time::{Duration, OffsetDateTime};

use super::Log;
use crate::world::Down;

/// What of an outage may be charged. Shorter gaps between two beats than a second are not told from a busy
/// machine (`services/ARCHITECTURE.md`, invariant 6). And a beat has the time at which it was begun: one of each of the
/// two replicas may be under way when an outage begins, end after it, and so cut it into three shorter gaps.
const UNNOTICED: Duration = Duration::seconds(3);

/// Holds a log to the times in which nobody could act: whatever happens after one in a game that ran before it
/// comes after the credit of it.
pub(crate) fn check(log: &Log, downs: &[Down]) -> Vec<String> {
    let mut faults = Vec::new();
    let Some(created) = log.rows.first().and_then(|row| moment(row.event.time.as_ref())) else {
        return faults;
    };
    let mut credited: Vec<(OffsetDateTime, OffsetDateTime)> = Vec::new();
    let mut flag = None;
    for row in &log.rows {
        let flag_before = flag;
        flag = row.event.state.as_ref().and_then(|state| moment(state.clock.as_ref()?.flag_time.as_ref()));
        let Some(time) = moment(row.event.time.as_ref()) else { continue };
        if let Some(Event::OutageCredited(outage)) = &row.event.event {
            match span(outage) {
                Some((from, until)) if credited.last().is_none_or(|(_, last)| from >= *last) => {
                    credited.push((from, until));
                }
                span => faults.push(format!("{} is credited twice, or wrongly: {span:?}", log.table.id)),
            }
            continue;
        }
        for down in downs {
            let Some(until) = down.until.filter(|until| *until - down.from > UNNOTICED) else { continue };
            // To a side whose flag had fallen before there is nothing to give back.
            let fallen = flag_before.is_some_and(|flag| flag <= down.from);
            let concerned = created <= down.from && time >= until && !fallen;
            let given = |&(from, to): &(OffsetDateTime, OffsetDateTime)| {
                (to.min(until) - from.max(down.from)).max(Duration::ZERO)
            };
            let back: Duration = credited.iter().map(given).sum();
            if concerned && until - down.from - back > UNNOTICED {
                faults.push(format!("event {} of {} was charged for {down:?}", row.sequence, log.table.id));
            }
        }
    }
    faults
}

fn span(outage: &OutageCredited) -> Option<(OffsetDateTime, OffsetDateTime)> {
    Some((moment(outage.from_time.as_ref())?, moment(outage.until_time.as_ref())?))
}

fn moment(time: Option<&prost_types::Timestamp>) -> Option<OffsetDateTime> {
    time.and_then(api::time::moment)
}
