//! `shoutan event`: what organisers do from the terminal, in a hall whose players have no accounts here.

use std::fs;

use serde_json::Value;
use tests::{
    Platform, command,
    held::{Federation, Person},
    shapes,
};

/// Who plays in the hall.
const PLAYERS: [(&str, &str); 4] =
    [("བཀྲ་ཤིས", "Tashi"), ("ᠪᠠᠲᠤ", "Batu"), ("棋圣", "Qisheng"), ("林海", "Lin Hai")];

/// A terminal at a platform, with a folder for files.
pub(super) struct Terminal<'a> {
    platform: &'a Platform,
    folder: tempfile::TempDir,
}

impl<'a> Terminal<'a> {
    pub(super) fn new(platform: &'a Platform) -> Terminal<'a> {
        Terminal { platform, folder: tempfile::tempdir().expect("a folder") }
    }

    /// The path of a file that need not be there.
    pub(super) fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    pub(super) fn file(&self, name: &str, text: &str) -> String {
        let path = self.folder.path().join(name);
        fs::write(&path, text).expect("it is written");
        path.display().to_string()
    }

    /// What a command says, and how it ended.
    pub(super) async fn say(&self, who: Option<&Person>, words: &[&str]) -> (i32, String, String) {
        let password = who.map(|who| self.file("password", &who.password)).unwrap_or_default();
        let mut arguments = vec!["event", "--server", &self.platform.url];
        if let Some(who) = who {
            arguments.extend(["--as", &who.name, "--password-file", &password]);
        }
        arguments.extend(words);
        let output = command(&arguments).await.expect("the command runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code().expect("it ends"), text(&output.stdout), text(&output.stderr))
    }

    /// What a command says that does well.
    pub(super) async fn well(&self, who: &Person, words: &[&str]) -> String {
        let (code, said, failed) = self.say(Some(who), words).await;
        assert_eq!(code, 0, "{words:?}: {said}{failed}");
        said
    }

    /// The JSON that a command prints.
    pub(super) async fn json(&self, who: Option<&Person>, words: &[&str]) -> Value {
        let (code, said, failed) = self.say(who, &[words, &["--json"]].concat()).await;
        assert_eq!(code, 0, "{words:?}: {said}{failed}");
        serde_json::from_str(&said).expect("it is JSON")
    }

    /// Why a command is refused.
    pub(super) async fn refused(&self, who: &Person, words: &[&str]) -> String {
        let (code, said, failed) = self.say(Some(who), words).await;
        assert_eq!(code, 1, "{words:?}: {said}");
        failed
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_in_a_hall_is_run_from_the_terminal() {
    let (shape, store) = shapes().remove(0);
    let platform = Platform::start(shape, store).await.expect("the platform starts");
    let transport = platform.transport();
    let federation = Federation::new(&transport, "棋牌协会", "Board Games").await;
    let (chief, arbiter) = (Person::new(&transport).await, Person::new(&transport).await);
    for (native, latin) in PLAYERS {
        federation.enrol_account("", native, latin).await;
    }
    let at = Terminal::new(&platform);
    let event = drafted(&at, &federation, &chief, &arbiter).await;
    entered(&at, &chief, &event).await;
    first_round(&at, &chief, &arbiter, &event).await;
    incident(&at, &chief, &arbiter, &event).await;
    looked_at(&at, &event).await;
    changed(&at, &chief, &event).await;
    let cancel = ["cancel", &event, "--reason", "the hall has burnt down"];
    assert!(at.refused(&chief, &cancel).await.contains("EVENT_ROLE_MISSING"));
    at.well(&federation.founder, &cancel).await;
    let listed = at.json(None, &["list", &federation.id, "--stage", "cancelled"]).await;
    assert_eq!(listed[0]["event"], event.as_str());
}

/// An event with its officials, in registration.
async fn drafted(at: &Terminal<'_>, of: &Federation, chief: &Person, arbiter: &Person) -> String {
    let chair = &of.founder;
    let example = at.say(None, &["settings", "--example", "swiss"]).await.1;
    let settings = at.file("settings", &example.replace("\"rounds\": 7", "\"rounds\": 2"));
    let create = ["create", &of.id, "阿坝杯", "--latin", "Aba Cup", "--settings", &settings];
    let (code, said, _) = at.say(Some(chair), &[&create[..], &["--dry-run"]].concat()).await;
    assert!(code == 0 && said.contains("阿坝杯 (Aba Cup)") && said.contains("nothing is written"), "{said}");
    let bad = at.refused(chair, &[&create[..], &["--set", "m_basis=best"]].concat()).await;
    assert!(bad.contains("BAD_EVENT_SETTINGS") && bad.contains("m_basis"), "{bad}");
    let broken = at.file("broken", &example.replace("\"swiss\"", "\"swis\""));
    let bad = at.refused(chair, &["create", &of.id, "阿坝杯", "--settings", &broken]).await;
    assert!(bad.contains("swis") && bad.contains("line "), "{bad}");
    let made = at.json(Some(chair), &[&create[..], &["--set", "m_basis=theoretical"]].concat()).await;
    assert_eq!((&made["stage"], &made["readings"]["m_basis"]), (&"draft".into(), &"theoretical".into()));
    let event = made["event"].as_str().expect("an id").to_owned();

    let (code, _, hidden) = at.say(None, &["show", &event]).await;
    assert!(code == 1 && hidden.contains("UNKNOWN_EVENT"), "a draft is for its officials: {hidden}");
    at.well(chair, &["appoint", &event, &chief.name, "chief-arbiter"]).await;
    at.well(chair, &["appoint", &event, &arbiter.name, "arbiter"]).await;
    let early = at.refused(chair, &["adopt", &event]).await;
    assert!(early.contains("EVENT_INCOMPLETE") && early.contains("supplement"), "{early}");
    at.well(chief, &["check", &event, "supplement-presented"]).await;
    let stale = at.refused(chair, &["adopt", &event, "--expect", "1"]).await;
    assert!(stale.contains("SEQUENCE_MOVED"), "{stale}");
    at.well(chair, &["adopt", &event]).await;
    let supplement = at.say(None, &["supplement", &event]).await.1;
    assert!(
        supplement.contains("m_basis: theoretical") && supplement.contains("adopted; SHA-256"),
        "{supplement}"
    );
    let said = at.well(chief, &["advance", &event]).await;
    assert!(said.contains("registration") && said.contains("seed-commitment"), "{said}");
    let shown = at.well(chief, &["show", &event]).await;
    assert!(shown.contains(&format!("chief-arbiter {}", chief.name)), "{shown}");
    event
}

/// Four members, entered from a file by what they are called.
async fn entered(at: &Terminal<'_>, chief: &Person, event: &str) {
    let bad = at.file("bad", "member,rating\nTashi,2100\nNobody,1\n");
    let (code, said, _) = at.say(Some(chief), &["enter", event, "--file", &bad]).await;
    assert!(code == 1 && said.contains("no member is called Nobody"), "{said}");
    let still = at.json(None, &["entrants", event]).await;
    assert_eq!(still.as_array().map(Vec::len), Some(0), "nobody is entered while a line is bad");
    let good = at.file(
        "good",
        "\u{feff}rating,member,affiliations\n2100,Tashi,1\n,ᠪᠠᠲᠤ,\n1900,Qisheng,2\n,林海,1 2\n",
    );
    for (new, already) in [(4, 0), (0, 4)] {
        let counts = at.json(Some(chief), &["enter", event, "--file", &good]).await;
        assert_eq!((&counts["entered"], &counts["already"]), (&new.into(), &already.into()));
    }
    let table = at.say(None, &["entrants", event]).await.1;
    assert!(table.contains("བཀྲ་ཤིས (Tashi)") && table.contains("active from 1"), "{table}");
    let items = ["arbiters-briefed", "entries-checked", "venue-checked"];
    at.well(chief, &[&["check", event][..], &items[..]].concat()).await;
    at.well(chief, &["commit-seed", event]).await;
    at.well(chief, &["advance", event]).await;
}

/// The first round, changed by hand, with results that one official enters and another confirms.
async fn first_round(at: &Terminal<'_>, chief: &Person, arbiter: &Person, event: &str) {
    let looked = at.well(chief, &["pair", event, "--dry-run", "--why"]).await;
    assert!(looked.contains("round 1, draft"), "{looked}");
    let (code, _, hidden) = at.say(Some(arbiter), &["round", event, "1"]).await;
    assert!(code == 1 && hidden.contains("UNKNOWN_ROUND"), "nothing was kept: {hidden}");
    let draft = at.json(Some(chief), &["pair", event]).await;
    let table = |at: usize| -> [u64; 2] {
        let pairing = &draft["pairings"][at];
        ["first", "second"].map(|side| pairing[side].as_u64().expect("a number"))
    };
    let swap = format!("{},{}", table(0)[0], table(1)[0]);
    at.well(chief, &["edit", event, "--swap", &swap, "--reason", "brothers"]).await;
    at.well(chief, &["publish", event]).await;
    at.well(chief, &["start", event]).await;
    let public = at.say(None, &["round", event]).await.1;
    assert!(public.contains("changed places: brothers"), "{public}");

    at.well(arbiter, &["result", event, "1", "1", "first-wins", "--first-warnings", "1"]).await;
    let entered = at.say(None, &["round", event, "1"]).await.1;
    assert!(entered.contains("2–0, warnings 1:0, unconfirmed"), "{entered}");
    let ranked = at.say(None, &["standings", event]).await.1;
    assert!(ranked.contains("not confirmed: round 1, table 1"), "{ranked}");
    let tried = at.json(Some(chief), &["confirm", event, "1", "1", "--dry-run"]).await;
    assert_eq!(tried["only_checked"], true);
    let own = at.refused(arbiter, &["confirm", event, "1", "1", "--json"]).await;
    let own: Value = serde_json::from_str(&own).expect("an error is JSON, too");
    assert_eq!(own["reason"], "OWN_ENTRY");
    let own = at.refused(arbiter, &["confirm", event, "1", "1"]).await;
    assert!(own.contains("OWN_ENTRY"), "{own}");
    at.well(chief, &["confirm", event, "1", "1"]).await;
    let decide = ["result", event, "1", "2", "draw", "--reason", "agreed-draw", "--decision"];
    assert!(at.refused(arbiter, &decide).await.contains("EVENT_ROLE_MISSING"), "chiefs decide");
    at.well(chief, &decide).await;
    let round = at.json(None, &["round", event, "1"]).await;
    assert_eq!((&round["state"], &round["pairings"][0]["first"]), (&"complete".into(), &table(1)[0].into()));
    assert_eq!(round["pairings"][1]["result"]["text"], "1–1, agreed-draw, decided");
    assert_eq!(round["pairings"][0]["result"]["source"], "confirmed");
}

/// An incident at table 2, reported and ruled on; what was reported is for officials, the ruling for everybody.
async fn incident(at: &Terminal<'_>, chief: &Person, arbiter: &Person, event: &str) {
    let round = at.json(None, &["round", event, "1"]).await;
    let accused = round["pairings"][1]["second"].as_u64().expect("a number").to_string();
    let board = ["--round", "1", "--table", "2", "--accused", &accused];
    let report = ["incident", "report", event, "disturbing", "--text", "he sang"];
    at.well(arbiter, &[&report[..], &board[..]].concat()).await;
    let early =
        at.refused(chief, &["incident", "refuse", event, "1", "--reason", "nobody has appealed"]).await;
    assert!(early.contains("INCIDENT_OPEN"), "{early}");
    at.well(arbiter, &["incident", "rule", event, "1", "warning", "--reason", "Art. 15"]).await;
    let listed = at.json(None, &["incident", "list", event]).await;
    let incident = &listed[0];
    assert_eq!((&incident["incident"], &incident["state"]), (&"disturbing".into(), &"ruled".into()));
    assert_eq!((&incident["text"], &incident["rulings"][0]["sanction"]), (&"".into(), &"warning".into()));
    assert_eq!(incident["rulings"][0]["by"], arbiter.name.as_str());
    let notes = at.json(Some(chief), &["notes", event]).await;
    let texts: Vec<&str> =
        notes.as_array().expect("notes").iter().filter_map(|it| it["text"].as_str()).collect();
    assert!(texts.contains(&"he sang") && texts.contains(&"Art. 15"), "{texts:?}");
    let reported =
        notes.as_array().expect("notes").iter().find(|it| it["text"] == "he sang").expect("it is there");
    assert_eq!(reported["kind"], "incident-reported");
    assert!(reported["by"].as_str().is_some_and(|by| by.starts_with(&arbiter.name)), "{reported}");
    let (code, _, hidden) = at.say(None, &["notes", event]).await;
    assert!(code == 1 && hidden.contains("TOKEN_MISSING"), "{hidden}");
    let postponed = ["postpone", event, "1", "2", "--to", "2030-01-01T09:00:00+08:00"];
    assert!(at.refused(chief, &postponed).await.contains("BAD_POSTPONEMENT"), "it has been played");
    let amended = ["amend", event, "--result", "1,2,first-wins", "--reason", "a slip"];
    assert!(at.refused(chief, &amended).await.contains("EVENT_ROLE_MISSING"));
}

/// Tables under two readings, the log in words, in JSON and in a file, and its verification.
async fn looked_at(at: &Terminal<'_>, event: &str) {
    // M is 2 by the event's reading and by what was reached, so that nothing differs after one round.
    let tried = at.json(None, &["standings", event, "--reading", "m_basis=actual"]).await;
    let lines = tried["lines"].as_array().expect("lines");
    assert_eq!(lines.len(), 4);
    assert!(lines.iter().all(|line| line["place"] == line["own_place"]), "{tried}");
    // After one round the totals of all are equal, so that warnings decide; points alone put who has won before the others.
    let tried = at.json(None, &["standings", event, "--reading", "ranking=points_opponents"]).await;
    let first = &tried["lines"][0];
    assert_eq!((&first["points"], &first["place"], &first["own_place"]), (&2.into(), &1.into(), &3.into()));
    let (code, _, none) = at.say(None, &["standings", event, "--round", "7"]).await;
    assert!(code == 1 && none.contains("the last public round is 1"), "{none}");
    let why = at.say(None, &["standings", event, "--why"]).await.1;
    assert!(why.contains("total: P 2, ΣO 0, M 2, R 1: 2 + 0/1 − 1 = 1"), "{why}");
    let (code, said, _) = at.say(None, &["log", event]).await;
    assert!(code == 0 && said.contains("table 1: the first wins, 2–0, warnings 1:0, unconfirmed"), "{said}");
    assert!(said.contains("table 1: the first wins, 2–0, warnings 1:0, confirmed"), "{said}");
    let log = at.json(None, &["log", event]).await;
    let last = log
        .as_array()
        .and_then(|log| log.last())
        .and_then(|last| last["sequence"].as_u64())
        .expect("entries");
    let until = last.to_string();
    let (code, watched, _) = at.say(None, &["watch", event, "--until", &until]).await;
    assert_eq!((code, watched.as_str()), (0, said.as_str()), "what is followed is what is listed");
    let file = at.path("log");
    at.json(None, &["log", event, "--output", &file]).await;
    assert_eq!(at.say(None, &["log", event, "--output", &file]).await.0, 1, "it is there already");
    let judged = at.json(None, &["verify", "--file", &file]).await;
    assert_eq!(judged["stage"], "running");
    assert_eq!(
        (&judged["sound"], &judged["entries"], &judged["rounds"]),
        (&true.into(), &last.into(), &1.into())
    );
    let text = fs::read_to_string(&file).expect("a file");
    fs::write(&file, text.replacen("\"hash\":\"", "\"hash\":\"00", 1)).expect("it is written");
    assert_eq!(at.say(None, &["verify", "--file", &file]).await.0, 2);
    assert_eq!(at.say(None, &["roles"]).await.0, 0);
    let readings = at.json(None, &["readings"]).await;
    let all = readings.as_array().expect("readings");
    let basis = all.iter().find(|it| it["reading"] == "m_basis").expect("it can be chosen");
    assert_eq!(basis["outcomes"]["theoretical"], "3 4 6 1 5 9 2 8 7", "{basis}");
    assert!(all.iter().all(|it| it["outcomes"].as_object().is_some_and(|all| all.len() > 1)), "{readings}");
    let said = at.say(None, &["readings"]).await.1;
    assert!(said.contains("actual 3 4 6 1 5 2 9 8 7 theoretical 3 4 6 1 5 9 2 8 7"), "{said}");
}

/// What somebody is to an event, written row by row.
async fn changed(at: &Terminal<'_>, chief: &Person, event: &str) {
    at.well(chief, &["absent", event, "--number", "1", "--reason", "a wedding"]).await;
    at.well(chief, &["bye", event, "half", "--number", "2"]).await;
    at.well(chief, &["prohibit", event, "1", "2", "--reason", "sisters"]).await;
    at.well(chief, &["withdraw", event, "--number", "3"]).await;
    at.well(chief, &["readmit", event, "3"]).await;
    at.well(chief, &["expel", event, "4", "--reason", "a fight"]).await;
    let own = at.refused(chief, &["withdraw", event]).await;
    assert!(own.contains("EVENT_ROLE_MISSING"), "he plays here himself not: {own}");
    let entrants = at.json(None, &["entrants", event]).await;
    let status = |at: usize| entrants[at]["status"].clone();
    assert_eq!(status(0), serde_json::json!(["active from 1", "absent in 2"]));
    assert_eq!(status(1), serde_json::json!(["active from 1", "bye-half in 2"]));
    assert_eq!(status(2), serde_json::json!(["active from 1", "withdrawn after 1", "active from 2"]));
    assert_eq!(status(3), serde_json::json!(["active from 1", "expelled after 1"]));
    let settings = at.well(chief, &["settings", event]).await;
    let longer = at.file("longer", &settings.replace("\"rounds\": 2", "\"rounds\": 3"));
    let said = at.well(chief, &["update", event, "--settings", &longer, "--reason", "there is time"]).await;
    assert!(said.contains("running"), "{said}");
    assert_eq!(at.json(None, &["show", event]).await["settings"]["format"]["swiss"]["rounds"], 3);
}
