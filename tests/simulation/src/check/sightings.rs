//! Every spectator saw just what the log has: in order, nothing twice, nothing left out.

use super::Log;
use crate::history::Sighting;

/// Holds what was seen to the logs.
pub(crate) fn check(logs: &[Log], sightings: &[Sighting]) -> Vec<String> {
    let mut faults = Vec::new();
    for sighting in sightings {
        let Some(log) = logs.iter().find(|log| log.table.id == sighting.game) else {
            faults.push(format!("a game that is not there was seen: {}", sighting.game));
            continue;
        };
        let after = log.rows.iter().filter(|row| row.event.sequence > sighting.from);
        // The stream ends when the result is final; what comes after is seen by who happens to come then.
        let ending = log.final_row().map_or(0, |row| row.event.sequence);
        let least = after.clone().filter(|row| row.event.sequence <= ending).count();
        let seen = after.map(|row| &row.event).take(sighting.events.len());
        if sighting.events.len() < least || !seen.eq(&sighting.events) {
            let seen: Vec<u64> = sighting.events.iter().map(|event| event.sequence).collect();
            let rows = log.rows.len();
            faults.push(format!(
                "of the {rows} events of {} a spectator saw after {}: {seen:?}",
                log.table.id, sighting.from
            ));
        }
    }
    faults
}
