//! Time in which nobody could act is charged to nobody.
//!
//! What can be charged is a clock that runs, and a deadline that does. While a game is played both may run; once it
//! has ended (is settled), its deadlines alone: those for contesting, for confirming, for appealing. Once its result
//! is final nothing runs any more, so nothing can be charged and nothing is credited, however late the committee
//! annuls the game. That nothing runs then is checked here, too: otherwise this would be a way to charge somebody.

use api::{
    clock::v1::{ClockEntry, clock_entry},
    game::v1::{
        GameEvent, GameState, Stage,
        game_event::{Event, OutageCredited},
    },
};
use time::{Duration, OffsetDateTime};

use super::Log;
use crate::{player::stage_of, world::Down};

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
    let (mut flag, mut settled) = (None, false);
    for row in &log.rows {
        let (flag_before, settled_before) = (flag, settled);
        let state = row.event.state.as_ref();
        flag = state.and_then(|state| moment(state.clock.as_ref()?.flag_time.as_ref()));
        settled = stage_of(state) == Stage::Final;
        if settled && state.is_some_and(runs) {
            faults.push(format!(
                "event {} of {} is final, and time runs: {state:?}",
                row.sequence, log.table.id
            ));
        }
        let Some(time) = moment(row.event.time.as_ref()) else { continue };
        if let Some(Event::OutageCredited(outage)) = &row.event.event {
            if settled_before {
                faults.push(format!("event {} of {} credits where nothing ran", row.sequence, log.table.id));
            }
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
            // To a side whose flag had fallen before there is nothing to give back: before the outage began as far as the platform
            // knows, for an act that was under way when it did, and was taken, shows that there was none until then.
            let begun = begun(&row.event, down.from, until);
            let fallen = flag_before.is_some_and(|flag| flag <= begun);
            let concerned = created <= down.from && time >= until && !fallen && !settled_before;
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

/// When the platform believes that an outage began by which the clocks were set back with an event; the moment itself if it does not
/// say, or the two are too far apart.
fn begun(event: &GameEvent, from: OffsetDateTime, until: OffsetDateTime) -> OffsetDateTime {
    let credit = |entry: &ClockEntry| match &entry.event {
        Some(clock_entry::Event::Credit(credit)) => moment(credit.from_time.as_ref()),
        _ => None,
    };
    let believed = event.clock_entries.iter().filter_map(credit);
    believed.filter(|at| (from..until.min(from + UNNOTICED)).contains(at)).min().unwrap_or(from)
}

/// Whether anything runs in a game that stands so.
fn runs(state: &GameState) -> bool {
    let clock = state.clock.as_ref().is_some_and(|clock| clock.flag_time.is_some());
    let arbitration = state.progress.as_ref().and_then(|progress| progress.arbitration.as_ref());
    let contested = arbitration.is_some_and(|arbitration| {
        let appeal = arbitration.claims.iter().any(|claim| claim.appeal_deadline_time.is_some());
        arbitration.contest_deadline_time.is_some() || appeal
    });
    let due = state.progress.as_ref().is_some_and(|progress| progress.due_time.is_some());
    clock || contested || due || state.expire_time.is_some()
}

fn span(outage: &OutageCredited) -> Option<(OffsetDateTime, OffsetDateTime)> {
    Some((moment(outage.from_time.as_ref())?, moment(outage.until_time.as_ref())?))
}

fn moment(time: Option<&prost_types::Timestamp>) -> Option<OffsetDateTime> {
    time.and_then(api::time::moment)
}
