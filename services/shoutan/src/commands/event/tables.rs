//! The tables that follow from the log of an event, beside those that a server tells of it.

use api::federation::v1::{GetStandingsRequest, GetStandingsResponse, StandingsLine};
use federation::{
    audit,
    core::event::{Event, verify::Finding},
};
use serde_json::{Value, json};

use super::{
    print,
    session::{Session, ask},
    table::{self, criterion, value},
};

/// What a server tells otherwise than it follows from the log: in the table of each public round, as of the log's last entry.
pub(super) async fn differences(session: &Session, id: &str, event: &Event) -> anyhow::Result<Vec<Finding>> {
    let mut found = Vec::new();
    for round in &event.rounds {
        let round = round.published.round;
        let request = GetStandingsRequest {
            event_id: id.to_owned(),
            round: round.into(),
            as_of_sequence: event.sequence,
            ..GetStandingsRequest::default()
        };
        let told = ask!(session.events(), get_standings, request)?;
        found.extend(compare(&audit::table(event, round), &told));
    }
    Ok(found.into_iter().map(|detail| Finding { sequence: event.sequence, detail }).collect())
}

/// The lines in which two tables differ: the one that follows from the log, and the one that is told.
fn compare(own: &GetStandingsResponse, told: &GetStandingsResponse) -> Vec<String> {
    let after = own.round;
    if (told.round, told.sequence) != (own.round, own.sequence) {
        let (round, sequence) = (told.round, told.sequence);
        return vec![format!(
            "the table after round {after} is told as of round {round} and entry {sequence} of the log"
        )];
    }
    let mut found = Vec::new();
    if told.promoted != own.promoted {
        found.push(format!(
            "the table after round {after}: {:?} are promoted, and {:?} are told",
            own.promoted, told.promoted
        ));
    }
    for (what, own, told) in [("line", &own.lines, &told.lines), ("player", &own.players, &told.players)] {
        for at in 0..own.len().max(told.len()) {
            let [own, told] = [own, told].map(|lines| lines.get(at).map_or("none".to_owned(), shown));
            if own != told {
                found.push(format!(
                    "the table after round {after}, {what} {}: {own} follows from the log, told is {told}",
                    at + 1
                ));
            }
        }
    }
    found
}

/// All of a line that decides something. In which words a number was worked out decides nothing.
fn shown(line: &StandingsLine) -> String {
    let criteria: Vec<String> = line.criteria.iter().map(|it| format!("{} {}", it.name, value(it))).collect();
    let provisional = if line.provisional { ", provisional" } else { "" };
    let by = criteria.join(", ");
    format!("{} in place {} with {} points ({by}{provisional})", line.number, line.place, line.points)
}

/// A table for people, by numbers alone: names are not in the log.
pub(super) fn records(table: &GetStandingsResponse) -> Vec<print::Record> {
    let record = |line: &StandingsLine| {
        let place = if line.place == 0 { "-".to_owned() } else { line.place.to_string() };
        let by: Vec<String> = line.criteria.iter().filter_map(criterion).collect();
        vec![
            ("place", json!(place)),
            ("number", json!(line.number.to_string())),
            ("points", json!(line.points.to_string())),
            ("by", json!(by.join("  "))),
        ]
    };
    table.lines.iter().map(record).collect()
}

/// The same for scripts.
pub(super) fn for_scripts(table: &GetStandingsResponse) -> Value {
    let line = |line: &StandingsLine| {
        let mut fields = table::for_scripts(line, "", None);
        fields.as_object_mut().map(|fields| fields.remove("name"));
        fields
    };
    table.lines.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use api::federation::v1::Criterion;

    use super::*;

    fn line(number: u32, place: u32, points: u32, total: (i64, i64)) -> StandingsLine {
        let (numerator, denominator) = total;
        let total =
            Criterion { name: "total".to_owned(), numerator, denominator, working: "P and so on".to_owned() };
        StandingsLine { number, place, points, criteria: vec![total], provisional: false }
    }

    fn table() -> GetStandingsResponse {
        let lines = vec![line(4, 1, 6, (5, 1)), line(2, 2, 4, (11, 3))];
        GetStandingsResponse { lines, round: 3, sequence: 40, ..GetStandingsResponse::default() }
    }

    /// Tells the table otherwise, and asks what is found.
    fn found(change: impl FnOnce(&mut GetStandingsResponse)) -> Vec<String> {
        let mut told = table();
        change(&mut told);
        compare(&table(), &told)
    }

    #[test]
    fn a_wrong_number_anywhere_in_a_table_is_found() {
        assert_eq!(
            found(|told| told.lines[1].points = 5),
            [
                "the table after round 3, line 2: 2 in place 2 with 4 points (total 11/3) follows from the log, told is \
              2 in place 2 with 5 points (total 11/3)"
            ]
        );
        assert_eq!(found(|told| told.lines[0].place = 2).len(), 1);
        assert_eq!(found(|told| told.lines[0].criteria[0].numerator = 6).len(), 1);
        assert_eq!(found(|told| told.lines[0].criteria[0].denominator = 2).len(), 1);
        assert_eq!(found(|told| told.lines[0].criteria.clear()).len(), 1);
        assert_eq!(found(|told| told.lines[0].provisional = true).len(), 1);
        assert_eq!(found(|told| told.lines.swap(0, 1)).len(), 2);
        assert_eq!(found(|told| told.promoted.push(4)).len(), 1);
        let missing = found(|told| drop(told.lines.pop()));
        assert!(missing[0].ends_with("told is none"), "{missing:?}");
        let more = found(|told| told.players.push(line(1, 0, 2, (2, 1))));
        assert!(more[0].contains("player 1: none follows"), "{more:?}");
        assert_eq!(found(|told| told.round = 2).len(), 1, "of another round");
        assert_eq!(found(|told| told.sequence = 41).len(), 1, "as of another entry");
    }

    #[test]
    fn the_words_of_a_working_are_no_difference() {
        assert_eq!(found(|told| told.lines[0].criteria[0].working.clear()), [""; 0]);
    }
}
