//! No line-up is seen before both of its match are in, or the round has begun.

use std::collections::{BTreeMap, BTreeSet};

use api::federation::v1::event_log_body::Fact;
use pairing::Number;

use super::Row;
use crate::history::Peek;

/// What is wrong with when line-ups became public, and who saw them before.
pub(super) fn check(rows: &[Row], peeks: &[Peek]) -> Vec<String> {
    let mut faults = public_too_early(rows);
    for peek in peeks {
        let is_public = |row: &Row| {
            let shown = row.written.is_some_and(|written| written <= peek.at);
            shown
                && matches!(&row.body.fact, Some(Fact::LineUpRevealed(it))
                    if (it.round, it.team, &it.players) == (peek.round, peek.team, &peek.players))
        };
        if !rows.iter().any(is_public) {
            faults.push(format!("a line-up was seen before it was public: {peek:?}"));
        }
    }
    faults
}

/// Line-ups that became public before both of their match were in and before the round began, or were not what was declared.
fn public_too_early(rows: &[Row]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut matches: BTreeMap<u32, Vec<[u32; 2]>> = BTreeMap::new();
    let mut declared: BTreeMap<(u32, u32), Vec<u8>> = BTreeMap::new();
    let mut handed_in: BTreeSet<(u32, u32)> = BTreeSet::new();
    for Row { body, .. } in rows {
        match &body.fact {
            Some(Fact::RoundPublished(it)) => {
                let round = it.round.clone().unwrap_or_default();
                let teams = round.matches.iter().map(|it| [it.first, it.second]).collect();
                matches.insert(round.number, teams);
            }
            Some(Fact::RoundRetracted(it)) => {
                declared.retain(|(round, _), _| *round != it.round);
                handed_in.retain(|(round, _)| *round != it.round);
            }
            Some(Fact::LineUpDeclared(it)) => {
                declared.insert((it.round, it.team), it.commitment.clone());
            }
            Some(Fact::LineUpHandedIn(it)) => {
                handed_in.insert((it.round, it.team));
            }
            Some(Fact::LineUpRevealed(it)) => {
                let met = matches.get(&it.round).into_iter().flatten().find(|teams| teams.contains(&it.team));
                let both =
                    met.is_some_and(|teams| teams.iter().all(|team| handed_in.contains(&(it.round, *team))));
                // What is written at once is of one request and one time.
                let begins = |row: &Row| {
                    let at_once = (&row.body.time, &row.body.request_id) == (&body.time, &body.request_id);
                    at_once
                        && matches!(&row.body.fact, Some(Fact::RoundStarted(begun)) if begun.round == it.round)
                };
                if !both && !rows.iter().any(begins) {
                    faults.push(format!("entry {}: a line-up is public too early", body.sequence));
                }
                let numbers: Vec<Number> = it.players.iter().copied().map(Number).collect();
                let opens = <[u8; 32]>::try_from(it.salt.as_slice()).is_ok_and(|salt| {
                    let hash = pairing::lineup::commitment(&salt, &numbers);
                    declared.get(&(it.round, it.team)).is_some_and(|known| *known == hash)
                });
                if !opens {
                    faults.push(format!("entry {}: a line-up is not what was declared", body.sequence));
                }
            }
            _ => {}
        }
    }
    faults
}
