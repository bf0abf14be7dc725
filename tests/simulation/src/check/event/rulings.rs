//! What was decided holds against what a game says, and appeals are heard in their order and in time.

use std::collections::{BTreeMap, BTreeSet};

use api::federation::v1::{board_result::Source, event_log_body::Fact};
use time::OffsetDateTime;

use super::Row;

/// An incident as far as its log has come.
#[derive(Debug, Default)]
struct Case {
    ruled: Option<OffsetDateTime>,
    is_appealed: bool,
    /// Whether a round has become public since the last ruling.
    is_late: bool,
}

/// What is wrong with what was decided.
pub(super) fn check(rows: &[Row]) -> Vec<String> {
    let mut faults = overridden(rows);
    let mut cases: BTreeMap<u32, Case> = BTreeMap::new();
    let mut within = None;
    for Row { body, .. } in rows {
        let at = body.time.as_ref().and_then(api::time::moment);
        match &body.fact {
            Some(Fact::Created(it)) => {
                within = it.settings.as_ref().and_then(|settings| settings.appeal_duration);
            }
            Some(Fact::RoundPublished(_)) => cases.values_mut().for_each(|case| case.is_late = true),
            Some(Fact::IncidentReported(it)) => {
                let known = cases.insert(it.number, Case::default());
                faults.extend(known.map(|_| format!("incident {} is reported twice", it.number)));
            }
            Some(Fact::IncidentRuled(it)) => {
                let case = cases.remove(&it.number);
                if case.is_none_or(|case| case.ruled.is_some() && !case.is_appealed) {
                    faults.push(format!("incident {} is ruled on unasked", it.number));
                }
                cases.insert(it.number, Case { ruled: at, ..Case::default() });
            }
            Some(Fact::RulingAppealed(it)) => {
                let within = within.and_then(|within| api::time::span(&within));
                let case = cases.entry(it.number).or_default();
                let in_time =
                    case.ruled.zip(at).zip(within).is_some_and(|((ruled, at), within)| at < ruled + within);
                if !in_time || case.is_late || case.is_appealed {
                    faults.push(format!("an appeal on incident {} was too late: {case:?}", it.number));
                }
                case.is_appealed = true;
            }
            _ => {}
        }
    }
    faults
}

/// Boards whose game has overruled an official.
fn overridden(rows: &[Row]) -> Vec<String> {
    let (mut decided, mut faults): (BTreeSet<(u32, u32)>, Vec<String>) = Default::default();
    for Row { body, .. } in rows {
        match &body.fact {
            Some(Fact::ResultEntered(it)) => {
                let board = (it.round, it.table);
                let source = it.result.as_ref().and_then(|result| result.source.as_ref());
                let of_game = matches!(source, Some(Source::Game(_)));
                if of_game && body.request_id.is_empty() && decided.contains(&board) {
                    faults.push(format!("entry {}: a game overrules what was decided", body.sequence));
                }
                // What was lost because somebody left may have been played out before.
                if matches!(source, Some(Source::Decision(_) | Source::OverTheBoard(_))) {
                    decided.insert(board);
                } else {
                    decided.remove(&board);
                }
            }
            Some(Fact::ReplayStarted(it)) => {
                decided.remove(&(it.round, it.table));
            }
            Some(Fact::RoundRetracted(it)) => decided.retain(|(round, _)| *round != it.round),
            _ => {}
        }
    }
    faults
}
