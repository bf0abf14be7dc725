//! `shoutan event`: what captains do from the terminal, and what everybody sees of teams there.

use api::federation::v1 as pb;
use serde_json::{Value, json};
use tests::{
    Platform, change,
    held::{Federation, Held, Person},
    shapes,
};

use super::{
    teams::{NAMES, form, of_teams},
    terminal::Terminal,
};

/// A captain with his team.
struct Captain {
    person: Person,
    members: Vec<pb::Member>,
}

/// A team whose captain alone has an account.
async fn captain(platform: &Platform, federation: &Federation, named: (&str, &str)) -> Captain {
    let person = Person::new(&platform.transport()).await;
    let mut members = Vec::new();
    for at in 1..=3 {
        let account = if at == 1 { person.id() } else { String::new() };
        let latin = format!("{} {at}", named.1);
        members.push(federation.enrol_account(&account, &format!("{}{at}", named.0), &latin).await);
    }
    form(federation, named, &members, 2).await;
    Captain { person, members }
}

#[tokio::test(flavor = "multi_thread")]
async fn captains_lead_their_teams_from_the_terminal() {
    let (shape, store) = shapes().remove(0);
    let platform = Platform::start(shape, store).await.expect("the platform starts");
    let transport = platform.transport();
    let federation = Federation::new(&transport, "棋牌协会", "Board Games").await;
    let held = Held::new(&federation, of_teams(2)).await;
    let lions = captain(&platform, &federation, NAMES[0]).await;
    let tigers = captain(&platform, &federation, NAMES[1]).await;
    let at = Terminal::new(&platform);
    entered(&at, &held.id, &lions, &tigers).await;
    held.run().await;
    held.pair(1).await;
    held.publish(1).await;
    declared(&at, &held.id, &lions.person, &tigers.person).await;
    change!(held, held.chief.player, start_round(StartRoundRequest { round: 1 })).expect("started");
    played(&at, &held.id, &held.chief).await;
    left(&at, &held.id, &lions.person).await;
}

/// By the team's name, and by those of its players.
async fn entered(at: &Terminal<'_>, event: &str, lions: &Captain, tigers: &Captain) {
    let unknown = at.refused(&lions.person, &["enter-team", event, "Lion"]).await;
    assert!(unknown.contains("no team of the federation is called Lion"), "{unknown}");
    let foreign = at.refused(&tigers.person, &["enter-team", event, NAMES[0].0]).await;
    assert!(foreign.contains("NOT_THE_CAPTAIN"), "{foreign}");
    let checked = at.well(&lions.person, &["enter-team", event, NAMES[0].0, "--dry-run"]).await;
    assert!(checked.contains("nothing is written"), "{checked}");
    at.well(&lions.person, &["enter-team", event, NAMES[0].0]).await;
    let named = [&*tigers.members[0].member_id, "Tigers 3"].join(",");
    let enter = ["enter-team", event, NAMES[1].1, "--players", &named, "--reserves", "Tigers 2"];
    at.well(&tigers.person, &enter).await;
    let teams = at.json(None, &["teams", event]).await;
    assert_eq!(teams[0]["name"], "雪狮 (Snow Lions)");
    assert_eq!((&teams[0]["players"], &teams[0]["reserves"]), (&json!([1, 2]), &json!([3])));
    assert_eq!((&teams[1]["captain"], &teams[1]["players"]), (&json!(tigers.person.name), &json!([4, 5])));
    let table = at.say(None, &["teams", event]).await.1;
    assert!(table.contains("4 སྟག1 (Tigers 1), 5 སྟག3 (Tigers 3)"), "{table}");
}

/// A line-up is sealed until both are in.
async fn declared(at: &Terminal<'_>, event: &str, lions: &Person, tigers: &Person) {
    let (kept, other) = (at.path("kept"), at.path("other"));
    let strange = ["declare", event, "1", "2", "--team", "1", "--keep", &other];
    assert!(at.refused(tigers, &strange).await.contains("NOT_THE_CAPTAIN"));
    assert!(!std::path::Path::new(&other).exists(), "what was not declared is not kept");
    at.well(lions, &["declare", event, "3", "1", "--keep", &kept]).await;
    let early = at.refused(lions, &["declare", event, "1", "3", "--keep", &kept]).await;
    assert!(early.contains("kept"), "what opens the first is not lost: {early}");
    at.well(lions, &["reveal", event, "--kept", &kept]).await;
    let line_up = async |who: Option<&Person>| -> Value {
        let found = at.json(who, &["match", event, "1", "1"]).await;
        let side = if found["first"] == 1 { "first_line_up" } else { "second_line_up" };
        found[side].clone()
    };
    for who in [None, Some(tigers)] {
        let seen = line_up(who).await;
        assert_eq!((&seen["state"], &seen["players"]), (&json!("handed-in"), &json!([])));
    }
    assert_eq!(line_up(Some(lions)).await["players"], json!([3, 1]));
    let own = at.well(lions, &["match", event, "1", "1"]).await;
    assert!(own.contains("handed-in, seen by its captain alone: 3 雪狮3 (Snow Lions 3), 1 "), "{own}");
    at.well(tigers, &["declare", event, "4", "6", "--round", "1", "--keep", &other]).await;
    at.well(tigers, &["reveal", event, "--kept", &other]).await;
    assert_eq!(line_up(None).await["state"], "public");
    let listed = at.say(None, &["matches", event]).await.1;
    assert!(listed.contains("雪狮 (Snow Lions)") && listed.contains("public"), "{listed}");
    let log = at.say(None, &["log", event]).await.1;
    assert!(log.contains("is public: 3 雪狮3 (Snow Lions 3), 1 雪狮1 (Snow Lions 1)"), "{log}");
    let round = at.say(None, &["round", event]).await.1;
    assert!(round.contains("སྟག (Tigers)") && !round.contains("none"), "teams meet: {round}");
}

/// The table is one of teams, with their players below.
async fn played(at: &Terminal<'_>, event: &str, chief: &Person) {
    for table in ["1", "2"] {
        at.well(chief, &["result", event, "1", table, "draw", "--decision"]).await;
    }
    let shown = at.say(None, &["match", event, "1", "1"]).await.1;
    assert!(shown.contains("points  ") && shown.contains("2:2") && shown.contains("1–1"), "{shown}");
    let table = at.say(None, &["standings", event]).await.1;
    assert!(table.contains("TEAM") && table.contains("1 雪狮 (Snow Lions)"), "{table}");
    assert!(table.contains("PLAYER") && table.contains("6 སྟག2 (Tigers 2)"), "{table}");
    let table = at.json(None, &["standings", event]).await;
    assert_eq!(table["lines"][0]["points"], 1);
    assert_eq!(table["players"].as_array().map(Vec::len), Some(6));
}

/// A captain leaves with his team, whose number he need not know.
async fn left(at: &Terminal<'_>, event: &str, captain: &Person) {
    at.well(captain, &["team", "withdraw", event, "--reason", "the bus leaves"]).await;
    let teams = at.json(None, &["teams", event]).await;
    assert_eq!(teams[0]["status"], json!(["active from 1", "withdrawn after 1"]));
    let back = at.refused(captain, &["team", "readmit", event, "1"]).await;
    assert!(back.contains("EVENT_ROLE_MISSING"), "{back}");
}
