//! Tables: who stands where, with the working of every number.

use std::collections::BTreeMap;

use anyhow::ensure;
use api::federation::v1::{
    Criterion, GetRoundRequest, GetStandingsRequest, GetStandingsResponse, StandingsLine,
};
use serde_json::{Map, Value, json};

use super::{
    change::event,
    events::reading,
    people::People,
    print,
    rounds::is_unconfirmed,
    session::{Session, ask},
};
use crate::commands::{render::sanitize, terminal::say};

/// Which table.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The event's id.
    event: String,
    /// After this round; the last public one when it is not said.
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    round: u32,
    /// As it was after this entry of the log.
    #[arg(long, value_name = "SEQUENCE", default_value_t = 0, hide_default_value = true)]
    as_of_sequence: u64,
    /// Tries another reading of the rules out, as m_basis=theoretical, beside the event's own; may be repeated.
    #[arg(long = "reading", value_name = "READING=VALUE", value_parser = reading)]
    readings: Vec<(String, String)>,
    /// Also prints how every number was worked out.
    #[arg(long)]
    why: bool,
}

/// Carries the command out.
pub(super) async fn run(session: &Session, args: Args) -> anyhow::Result<()> {
    let event = event(session, &args.event).await?;
    let people = People::of(session, &event).await?;
    let request = GetStandingsRequest {
        event_id: args.event,
        round: args.round,
        as_of_sequence: args.as_of_sequence,
        readings: args.readings.into_iter().collect(),
    };
    let own = if request.readings.is_empty() {
        None
    } else {
        let own = GetStandingsRequest { readings: [].into(), ..request.clone() };
        Some(ask!(session.events(), get_standings, own)?)
    };
    let table = ask!(session.events(), get_standings, request.clone())?;
    ensure!(args.round <= table.round, "there is no table after round {}: {}", args.round, last(table.round));
    print_table(session.json, &table, own.as_ref(), &people, args.why)?;
    if session.json { Ok(()) } else { tell_unconfirmed(session, &request, table.round).await }
}

/// Which table is the last.
fn last(round: u32) -> String {
    if round == 0 { "no round is public yet".to_owned() } else { format!("the last public round is {round}") }
}

/// Says which results count in a table although nobody has confirmed them.
async fn tell_unconfirmed(session: &Session, of: &GetStandingsRequest, rounds: u32) -> anyhow::Result<()> {
    for round in 1..=rounds {
        let request =
            GetRoundRequest { event_id: of.event_id.clone(), round, as_of_sequence: of.as_of_sequence };
        let round = ask!(session.events(), get_round, request)?.round.unwrap_or_default();
        let waiting = round.pairings.iter().filter(|it| it.result.as_ref().is_some_and(is_unconfirmed));
        let tables: Vec<String> = waiting.map(|it| it.table.to_string()).collect();
        if !tables.is_empty() {
            let word = if tables.len() == 1 { "table" } else { "tables" };
            say(format_args!("not confirmed: round {}, {word} {}", round.number, tables.join(", ")))?;
        }
    }
    Ok(())
}

/// Prints a table; beside it the places of the event's own readings, where others are tried out.
pub(super) fn print_table(
    json: bool,
    table: &GetStandingsResponse,
    own: Option<&GetStandingsResponse>,
    people: &People,
    why: bool,
) -> anyhow::Result<()> {
    let places: BTreeMap<u32, u32> =
        own.into_iter().flat_map(|own| own.lines.iter().map(|line| (line.number, line.place))).collect();
    if json {
        let lines = table
            .lines
            .iter()
            .map(|line| for_scripts(line, &people.ranked_name(line.number), places.get(&line.number)));
        let players = table.players.iter().map(|line| for_scripts(line, &people.name(line.number), None));
        let record = vec![
            ("round", json!(table.round)),
            ("sequence", json!(table.sequence)),
            ("delayed", json!(table.delayed)),
            ("promoted", json!(table.promoted)),
            ("lines", Value::Array(lines.collect())),
            ("players", Value::Array(players.collect())),
        ];
        return print::one(true, &record);
    }
    say(format_args!("after round {}, entry {} of the log", table.round, table.sequence))?;
    let records: Vec<print::Record> =
        table.lines.iter().map(|line| record(line, own.map(|_| &places), people)).collect();
    for (at, text) in print::table(&records).into_iter().enumerate() {
        say(text)?;
        let line = at.checked_sub(1).and_then(|at| table.lines.get(at)).filter(|_| why);
        for criterion in line
            .into_iter()
            .flat_map(|line| &line.criteria)
            .filter(|it| it.working != value(it) && it.name != "play_off")
        {
            say(format_args!("       {}: {}", sanitize(&criterion.name), sanitize(&criterion.working)))?;
        }
    }
    if !table.players.is_empty() {
        say("players")?;
        let records: Vec<print::Record> = table.players.iter().map(|line| of_player(line, people)).collect();
        print::list(false, &records)?;
    }
    if table.lines.iter().any(|line| line.provisional) {
        say("* a game is adjourned, or not over")?;
    }
    if !table.promoted.is_empty() {
        let promoted: Vec<String> = table.promoted.iter().map(|number| people.player(*number)).collect();
        say(format_args!("promoted: {}", promoted.join(", ")))?;
    }
    if table.delayed {
        say("results that are not broadcast yet are left out")?;
    }
    Ok(())
}

/// A line for people. The criteria have the columns in which they decide.
fn record(line: &StandingsLine, own: Option<&BTreeMap<u32, u32>>, people: &People) -> print::Record {
    let place = |place: u32| if place == 0 { "-".to_owned() } else { place.to_string() };
    let star = if line.provisional { "*" } else { "" };
    let mut record: print::Record = vec![("place", json!(format!("{}{star}", place(line.place))))];
    if let Some(places) = own {
        record.push(("own", json!(places.get(&line.number).map(|own| place(*own)))));
    }
    record.push((people.ranking(), json!(people.ranked(line.number))));
    record.push(("points", json!(line.points.to_string())));
    let decides: Vec<String> = line.criteria.iter().filter_map(criterion).collect();
    record.push(("by", json!(decides.join("  "))));
    record
}

/// What a player of a team has won at his boards.
fn of_player(line: &StandingsLine, people: &People) -> print::Record {
    let team = people.entrants.get(&line.number).map_or(0, |it| it.team);
    let decides: Vec<String> = line.criteria.iter().filter_map(criterion).collect();
    vec![
        ("player", json!(people.player(line.number))),
        ("team", json!(people.team(team))),
        ("points", json!(line.points.to_string())),
        ("by", json!(decides.join("  "))),
    ]
}

/// What decides, for people: that somebody stayed, or was never warned, need not be said.
pub(super) fn criterion(it: &Criterion) -> Option<String> {
    match (it.name.as_str(), it.numerator) {
        ("points", _) | ("stayed", 1) | ("warnings", 0) => None,
        ("stayed", _) => Some("left".to_owned()),
        // Fewer are better, so that they stand with a minus in the order.
        ("warnings", count) => Some(format!("warnings {}", count.abs())),
        ("play_off", _) => Some(sanitize(&it.working)),
        (name, _) => Some(format!("{} {}", sanitize(name), value(it))),
    }
}

pub(super) fn for_scripts(line: &StandingsLine, name: &str, own: Option<&u32>) -> Value {
    let criteria: Vec<Value> = line
        .criteria
        .iter()
        .map(|it| {
            json!({
                "name": it.name,
                "numerator": it.numerator,
                "denominator": it.denominator,
                "working": it.working,
            })
        })
        .collect();
    let mut fields = Map::new();
    fields.insert("place".to_owned(), json!(line.place));
    if let Some(own) = own {
        fields.insert("own_place".to_owned(), json!(own));
    }
    fields.insert("number".to_owned(), json!(line.number));
    fields.insert("name".to_owned(), json!(name));
    fields.insert("points".to_owned(), json!(line.points));
    fields.insert("provisional".to_owned(), json!(line.provisional));
    fields.insert("criteria".to_owned(), Value::Array(criteria));
    Value::Object(fields)
}

/// A fraction, as `79/7`; a whole number by itself.
pub(super) fn value(it: &Criterion) -> String {
    if it.denominator == 1 {
        it.numerator.to_string()
    } else {
        format!("{}/{}", it.numerator, it.denominator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_decides_and_no_more() {
        let told = |name: &str, numerator: i64, denominator: i64| {
            let name = name.to_owned();
            criterion(&Criterion { name, numerator, denominator, working: String::new() })
        };
        assert_eq!(told("total", 79, 7).as_deref(), Some("total 79/7"));
        assert_eq!(told("sos", 12, 1).as_deref(), Some("sos 12"));
        assert_eq!(told("warnings", -2, 1).as_deref(), Some("warnings 2"));
        assert_eq!(told("stayed", 0, 1).as_deref(), Some("left"));
        let working = "play-off 4:0".to_owned();
        let play_off = Criterion { name: "play_off".to_owned(), numerator: 4, denominator: 1, working };
        assert_eq!(criterion(&play_off).as_deref(), Some("play-off 4:0"));
        for silent in [told("points", 8, 1), told("stayed", 1, 1), told("warnings", 0, 1)] {
            assert_eq!(silent, None);
        }
    }
}
