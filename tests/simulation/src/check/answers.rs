//! What was acknowledged is in the log as it was acknowledged; what was in it already is not refused.

use std::collections::BTreeMap;

use super::{Log, log::Row};
use crate::history::{Answer, Entry};

/// Holds every answer to the logs.
pub(crate) fn check(logs: &[Log], entries: &[Entry]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut written: BTreeMap<(&str, &str), &Row> = BTreeMap::new();
    for log in logs {
        for row in &log.rows {
            let Some(request) = &row.request else { continue };
            if written.insert((&log.table.id, request), row).is_some() {
                faults.push(format!("request {request} is in {} twice", log.table.id));
            }
        }
    }
    for entry in entries {
        let row = written.get(&(entry.game.as_str(), entry.request.as_str()));
        for (sent, answer) in &entry.answers {
            match (answer, row) {
                (Answer::Event(event), Some(row)) if **event == row.event => {}
                (Answer::Event(_), _) => {
                    faults.push(format!("acknowledged, but not so in the log: {entry:?}, {row:?}"));
                }
                (Answer::Refused(_), Some(row)) if row.written.is_none_or(|written| written < *sent) => {
                    faults.push(format!("refused, but in the log already: {entry:?}, {row:?}"));
                }
                (Answer::Refused(_) | Answer::Unknown, _) => {}
            }
        }
    }
    faults
}
