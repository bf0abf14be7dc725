//! Leagues as they are printed.

use std::collections::BTreeMap;

use api::federation::v1::{
    AllTimeLine, DivisionOutcome, GetMemberRequest, GetTeamRequest, League, LeagueTableLine, Name,
    OutcomeLine, Season, SeasonHonours, SeasonLogEntry, Squad, TeamMember, TeamPart,
};
use serde_json::{Value, json};
use tonic::Code;

use super::{
    print::Record,
    session::{Session, ask},
};
use crate::commands::{
    event::shown::hex,
    federation::shown::{names as both, time},
};

/// What teams and members are called, by their ids.
pub(super) type Names = BTreeMap<String, String>;

/// What these are called: a person reads names, a script knows ids.
pub(super) async fn names(session: &Session, ids: impl Iterator<Item = &str>) -> anyhow::Result<Names> {
    let mut names = Names::new();
    if session.json {
        return Ok(names);
    }
    for id in ids {
        if names.contains_key(id) {
            continue;
        }
        let request = GetTeamRequest { team_id: id.to_owned() };
        let found = match ask!(session.federations(), get_team, request) {
            Ok(answer) => answer.team.and_then(|it| it.name),
            Err(status) if status.code() == Code::NotFound => {
                let request = GetMemberRequest { member_id: id.to_owned() };
                ask!(session.federations(), get_member, request)?.member.and_then(|it| it.name)
            }
            Err(status) => return Err(status.into()),
        };
        names.insert(id.to_owned(), found.map(|it| it.native).unwrap_or_default());
    }
    Ok(names)
}

fn called(names: &Names, id: &str) -> Value {
    json!(names.get(id).map_or("", String::as_str))
}

pub(super) fn league(it: &League) -> Record {
    let (native, latin) = both(it.name.as_ref());
    let rules = it.rules.as_ref();
    let divisions: Vec<&str> =
        rules.iter().flat_map(|it| &it.divisions).filter_map(|it| Some(&*it.name.as_ref()?.native)).collect();
    vec![
        ("league", json!(it.league_id)),
        ("name", native),
        ("latin", latin),
        ("rules", json!(it.rules_version)),
        ("divisions", json!(divisions)),
        ("federation", json!(it.federation_id)),
        ("revision", json!(it.revision)),
    ]
}

/// A season on one line.
pub(super) fn season_row(it: &Season) -> Record {
    let (native, latin) = both(it.name.as_ref());
    vec![
        ("season", json!(it.season_id)),
        ("number", json!(it.number)),
        ("name", native),
        ("latin", latin),
        ("state", json!(word(it.state().as_str_name(), "season_state_"))),
        ("rules", json!(it.rules_version)),
    ]
}

/// A season with its events, and how it ended.
pub(super) fn season(it: &Season) -> Record {
    let events: Vec<Value> = it
        .divisions
        .iter()
        .map(|it| json!({ "division": it.division, "name": native(it.name.as_ref()), "event": it.event_id }))
        .collect();
    let play_offs: Vec<Value> = it
        .play_offs
        .iter()
        .map(|it| {
            json!({
                "upper_division": it.upper_division, "upper": it.upper_entrant_id,
                "lower": it.lower_entrant_id, "event": it.event_id,
            })
        })
        .collect();
    let windows: Vec<String> =
        it.windows.iter().map(|it| format!("{}..{}", it.first_date, it.last_date)).collect();
    let transfers: Vec<Value> = it
        .transfer_windows
        .iter()
        .map(|it| json!({ "open": time(it.open_time.as_ref()), "close": time(it.close_time.as_ref()) }))
        .collect();
    let outcome: Vec<Value> = it.outcome.iter().flat_map(|it| &it.divisions).map(division).collect();
    let mut record = season_row(it);
    record.extend([
        ("league", json!(it.league_id)),
        ("from", json!(it.from_season_id)),
        ("windows", json!(windows)),
        ("transfers", json!(transfers)),
        ("eligible_since", json!(it.eligible_since_date)),
        ("divisions", json!(events)),
        ("play_offs", json!(play_offs)),
        ("outcome", json!(outcome)),
        ("digest", json!(hex(&it.outcome_digest))),
        ("revision", json!(it.revision)),
    ]);
    record
}

fn division(it: &DivisionOutcome) -> Value {
    let line = |it: &OutcomeLine| {
        json!({
            "entrant": it.entrant_id, "place": it.place, "points": it.points, "withdrawn": it.withdrawn,
            "move": word(it.r#move().as_str_name(), "season_move_"),
        })
    };
    json!({
        "division": it.division,
        "table": it.lines.iter().map(line).collect::<Vec<_>>(),
        "next": it.next_entrant_ids,
    })
}

pub(super) fn squad(it: &Squad, names: &Names) -> Record {
    let of = |part: TeamPart| -> Vec<&str> {
        let is_of =
            |member: &&TeamMember| (member.part() == TeamPart::Substitute) == (part == TeamPart::Substitute);
        it.members.iter().filter(is_of).map(|it| &*it.member_id).collect()
    };
    vec![
        ("division", json!(it.division)),
        ("seed", json!(it.seed)),
        ("name", called(names, &it.entrant_id)),
        ("entrant", json!(it.entrant_id)),
        ("registered", json!(it.registered)),
        ("stays_down", json!(it.stays_down)),
        ("players", json!(of(TeamPart::Player))),
        ("reserves", json!(of(TeamPart::Substitute))),
        ("revision", json!(it.revision)),
    ]
}

pub(super) fn table_line(division: u32, it: &LeagueTableLine, names: &Names) -> Record {
    let line = it.line.clone().unwrap_or_default();
    vec![
        ("division", json!(division)),
        ("place", json!(line.place)),
        ("name", called(names, &it.entrant_id)),
        ("entrant", json!(it.entrant_id)),
        ("points", json!(line.points)),
        ("provisional", json!(line.provisional)),
    ]
}

pub(super) fn entry(it: &SeasonLogEntry) -> Record {
    vec![
        ("sequence", json!(it.sequence)),
        ("time", time(it.time.as_ref())),
        ("account", json!(it.account_id)),
        ("act", json!(word(it.act().as_str_name(), "season_act_"))),
        ("entrant", json!(it.entrant_id)),
        ("division", json!(it.division)),
        ("state", json!(word(it.state().as_str_name(), "season_state_"))),
        ("members", json!(it.members.iter().map(|it| &*it.member_id).collect::<Vec<_>>())),
        ("reason", json!(it.reason)),
    ]
}

pub(super) fn honours(it: &SeasonHonours, names: &Names) -> Record {
    let firsts: Vec<Value> = it.first_entrant_ids.iter().map(|id| called(names, id)).collect();
    vec![
        ("number", json!(it.number)),
        ("season", json!(it.season_id)),
        ("name", json!(native(it.name.as_ref()))),
        ("first", json!(firsts)),
        ("entrants", json!(it.first_entrant_ids)),
    ]
}

pub(super) fn all_time(it: &AllTimeLine, names: &Names) -> Record {
    vec![
        ("rank", json!(it.rank)),
        ("name", called(names, &it.entrant_id)),
        ("entrant", json!(it.entrant_id)),
        ("titles", json!(it.titles)),
        ("points", json!(it.points)),
        ("top_seasons", json!(it.top_seasons)),
        ("seasons", json!(it.seasons)),
    ]
}

fn native(name: Option<&Name>) -> &str {
    name.map_or("", |name| &name.native)
}

/// The name of a value without that of its enum, in lower case; nothing for none.
fn word(name: &str, prefix: &str) -> String {
    let name = name.to_lowercase();
    let word = name.strip_prefix(prefix).unwrap_or(&name);
    if word == "unspecified" { String::new() } else { word.to_owned() }
}
