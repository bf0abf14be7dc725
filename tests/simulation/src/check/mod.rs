//! What the platform promises, checked after a run.

mod answers;
mod clocks;
pub(crate) mod event;
mod log;
mod officials_only;
mod outages;
mod ratings;
mod sightings;
mod states;

use std::sync::Arc;

pub use clocks::ClockHistory;
pub(crate) use log::Log;

use crate::{
    event::Event,
    history::History,
    queue::{self, Queue},
    table::Table,
    world::World,
};

/// Checks everything, and writes what is wrong into the trace; how many events the logs have.
pub(crate) async fn all(
    world: &Arc<World>,
    history: &History,
    tables: &[Table],
    held: Option<&Event>,
    queue: Option<&Arc<Queue>>,
) -> usize {
    let unplayed = queue.map(|queue| queue.unplayed()).unwrap_or_default();
    let logs = match log::read(world, tables, &unplayed) {
        Ok(logs) => logs,
        Err(error) => {
            world.trace.fault(format!("the logs cannot be read: {error}"));
            return 0;
        }
    };
    let mut faults = Vec::new();
    for log in &logs {
        log.trace(&world.trace);
        faults.extend(log.check());
        faults.extend(clocks::check(log));
        faults.extend(outages::check(log, &world.downs()));
        faults.extend(officials_only::check(log));
    }
    faults.extend(answers::check(&logs, &history.entries()));
    faults.extend(sightings::check(&logs, &history.sightings()));
    faults.extend(states::check(world, &logs).await);
    faults.extend(ratings::check(world, &logs).await);
    if let Some(held) = held {
        faults.extend(event::check(world, history, held, &logs).await);
    }
    if let Some(queue) = queue {
        faults.extend(queue::check(queue).await);
    }
    for fault in faults {
        world.trace.fault(fault);
    }
    logs.iter().map(|log| log.rows.len()).sum()
}
