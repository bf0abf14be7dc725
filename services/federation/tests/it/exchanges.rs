//! Events as files: taken over from elsewhere, and given out.

use std::path::Path;

use api::federation::v1 as pb;
use chassis::id::{EventId, FileId};
use sha2::{Digest as _, Sha256};
use tonic::Status;

use crate::{
    fixture::{Fixture, Person, fixtures, reason},
    held::{Held, begin, change, enter, held, play, run, settings},
    team_events::{nothing_is_found, two_teams_paired},
};

/// Sends a file, whole.
pub(crate) async fn sent(fixture: &Fixture, person: &Person, federation: &str, bytes: &[u8]) -> String {
    let id = FileId::from(fixture.env.uuid()).to_string();
    for (at, data) in bytes.chunks(1 << 20).enumerate() {
        let part = pb::PutFilePartRequest {
            file_id: id.clone(),
            federation_id: federation.to_owned(),
            size: bytes.len() as u64,
            sha256: Sha256::digest(bytes).to_vec(),
            offset: (at as u64) << 20,
            data: data.to_vec(),
        };
        person.exchange().put_file_part(part).await.expect("taken");
    }
    id
}

pub(crate) fn request(fixture: &Fixture, federation: &str, file_id: String) -> pb::ImportEventRequest {
    pb::ImportEventRequest {
        federation_id: federation.to_owned(),
        file_id,
        event_id: EventId::from(fixture.env.uuid()).to_string(),
        statement: "I was its chief arbiter".to_owned(),
        game: Some(pb::EventGame { variant: "go".to_owned(), ..pb::EventGame::default() }),
        ..pb::ImportEventRequest::default()
    }
}

pub(crate) async fn import(
    person: &Person,
    request: pb::ImportEventRequest,
) -> Result<pb::ImportedEvent, Status> {
    use pb::import_event_response::Told;
    let mut answers = person.exchange().import_event(request).await?.into_inner();
    while let Some(answer) = answers.message().await? {
        if let Some(Told::Outcome(outcome)) = answer.told {
            return Ok(outcome);
        }
    }
    Err(Status::internal("it ended without a word"))
}

pub(crate) async fn export(
    person: &Person,
    request: pb::ExportEventRequest,
) -> Result<(Vec<u8>, Vec<pb::FileLoss>), Status> {
    let mut answers = person.exchange().export_event(request).await?.into_inner();
    let (mut bytes, mut losses) = (Vec::new(), Vec::new());
    while let Some(answer) = answers.message().await? {
        let part = answer.part.expect("a part");
        assert_eq!(part.offset, bytes.len() as u64);
        bytes.extend_from_slice(&part.data);
        losses.extend(answer.losses);
    }
    Ok((bytes, losses))
}

pub(crate) fn of(event: &str, format: &str) -> pb::ExportEventRequest {
    pb::ExportEventRequest {
        event_id: event.to_owned(),
        format: format.to_owned(),
        ..pb::ExportEventRequest::default()
    }
}

async fn table(person: &Person, event: &str) -> Vec<(u32, u32, u32)> {
    let request = pb::GetStandingsRequest { event_id: event.to_owned(), ..Default::default() };
    let answer = person.events.clone().get_standings(request).await.expect("a table").into_inner();
    answer.lines.into_iter().map(|line| (line.number, line.place, line.points)).collect()
}

async fn entrants(person: &Person, event: &str) -> Vec<pb::Entrant> {
    let request = pb::ListEntrantsRequest { event_id: event.to_owned(), ..Default::default() };
    person.events.clone().list_entrants(request).await.expect("a list").into_inner().entrants
}

#[tokio::test]
async fn our_event_comes_back_from_every_format_with_the_same_people_and_the_same_table() {
    for fixture in fixtures().await {
        let held = held(&fixture, settings(3)).await;
        enter(&fixture, &held, 7).await;
        run(&held).await;
        for round in 1..=3 {
            begin(&held, round).await;
            play(&fixture, &held, round).await;
        }
        let (founder, id, federation) = (&held.federation.founder, &held.id, &held.federation.id);
        let ours = table(founder, id).await;
        let members = entrants(founder, id).await;
        for format in ["trf26", "trf16", "opengotha", "csv"] {
            let (bytes, losses) = export(founder, of(id, format)).await.expect("a file");
            assert!(losses.iter().all(|it| !it.what.is_empty()), "{format}");
            let file = sent(&fixture, founder, federation, &bytes).await;
            let asked = pb::ImportEventRequest {
                name: crate::fixture::name("Once more", ""),
                ..request(&fixture, federation, file)
            };
            let preview = pb::ImportEventRequest { validate_only: true, ..asked.clone() };
            let preview = import(founder, preview).await.expect("a preview");
            assert_eq!(preview.format, format);
            let known = |it: &pb::ImportedPlayer| it.known() != pb::imported_player::Known::New;
            assert!(preview.players.iter().all(known), "{format}: {:?}", preview.players);
            let imported = import(founder, asked.clone()).await.expect("taken over");
            let event = imported.event.expect("an event");
            assert_eq!(event.stage(), pb::EventStage::Final, "{format}");
            let origin = event.origin.expect("it says where it comes from");
            assert_eq!(
                (origin.format.as_str(), &origin.file_sha256[..]),
                (format, &Sha256::digest(&bytes)[..])
            );
            let theirs = entrants(founder, &event.id).await;
            let ids = |all: &[pb::Entrant]| all.iter().map(|it| it.member_id.clone()).collect::<Vec<_>>();
            assert_eq!(ids(&theirs), ids(&members), "{format}");
            assert_eq!(table(founder, &event.id).await, ours, "{format} on {}", fixture.kind);
            let again = import(founder, asked).await.expect("it is there");
            assert_eq!(again.event.map(|it| it.sequence), Some(event.sequence), "and nothing was done twice");
        }
        for content in [
            pb::export_event_request::Content::Players,
            pb::export_event_request::Content::Results,
            pb::export_event_request::Content::Standings,
        ] {
            let wanted = pb::ExportEventRequest { content: content.into(), ..of(id, "") };
            let (bytes, _) = export(founder, wanted).await.expect("a table");
            assert!(bytes.split(|byte| *byte == b'\n').count() > 7, "{content:?}");
        }
    }
}

#[tokio::test]
async fn strangers_of_a_file_become_persons_who_are_no_members_and_are_known_the_next_time() {
    let line = |number: u32, name: &str, id: u32, points: &str, game: &str| {
        format!(
            "001 {number:>4}      {name:<33} 1900 CHN {id:>11}            {points:>4} {number:>4}  {game}\r"
        )
    };
    let first = line(1, "Dorje, Tashi", 8_600, "2.0", "   2 w 1");
    let second = line(2, "Nie, Weiping", 8_601, "0.0", "   1 b 0");
    let report = format!("012 Spring\r142 1\r{first}{second}");
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let (founder, id) = (&federation.founder, &federation.id);
        let known = founder.member(id, "Nie Weiping").await.member_id;
        let file = sent(&fixture, founder, id, report.as_bytes()).await;
        let first = import(founder, request(&fixture, id, file.clone())).await.expect("taken over");
        let [tashi, nie] = &first.players[..] else { panic!("two: {:?}", first.players) };
        assert_eq!(tashi.known(), pb::imported_player::Known::New);
        assert_eq!((nie.known(), &nie.member_id), (pb::imported_player::Known::ByName, &known));
        let person = founder.get(&tashi.member_id).await;
        assert_eq!(person.state(), pb::MemberState::Left, "{}", fixture.kind);
        assert_eq!((person.join_date == person.leave_date, person.numbers["fide"].as_str()), (true, "8600"));
        let second = import(founder, request(&fixture, id, file.clone())).await.expect("taken over");
        let Some(again) = second.players.first() else { panic!("nobody") };
        assert_eq!(again.known(), pb::imported_player::Known::ByNumber);
        assert_eq!(again.member_id, tashi.member_id);
        let nobody = pb::ImportMatch { number: 2, member_id: String::new() };
        let said = pb::ImportEventRequest { matches: vec![nobody], ..request(&fixture, id, file) };
        let third = import(founder, said).await.expect("taken over");
        assert_ne!(third.players[1].member_id, known, "he is somebody else of that name");
    }
}

#[tokio::test]
async fn what_cannot_be_taken_over_says_why_and_where_and_changes_nothing() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let (founder, id) = (&federation.founder, &federation.id);
        let bomb =
            "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY b \"c\"><!ENTITY d \"&b;&b;&b;\">]><a>&d;</a>";
        let bad: [(&[u8], &str); 5] = [
            (b"nothing that anybody knows", "unknown_format"),
            (b"PK\x03\x04zip", "packed"),
            (b"\xFF\xFEu\0t\0f\0", "utf16"),
            (b"001    x      Nobody\r", ""),
            (bomb.as_bytes(), ""),
        ];
        for (bytes, what) in bad {
            let file = sent(&fixture, founder, id, bytes).await;
            let status = import(founder, request(&fixture, id, file)).await.expect_err("refused");
            assert_eq!(api::error::reason(&status), "BAD_EVENT_FILE", "{status:?}");
            let details = tonic_types::StatusExt::get_details_error_info(&status).expect("details");
            assert!(details.metadata.contains_key("line") && details.metadata.contains_key("column"));
            assert!(what.is_empty() || details.metadata["what"] == what, "{:?}", details.metadata);
        }
        let list = pb::ListEventsRequest { federation_id: id.clone(), ..Default::default() };
        let events = founder.events.clone().list_events(list).await.expect("a list").into_inner().events;
        assert_eq!(events, [], "{}", fixture.kind);
        let file = sent(&fixture, founder, id, b"x").await;
        let silent =
            pb::ImportEventRequest { statement: " ".to_owned(), ..request(&fixture, id, file.clone()) };
        assert_eq!(reason(import(founder, silent).await), "BAD_TEXT");
        let stranger = fixture.person("stranger");
        assert_eq!(reason(import(&stranger, request(&fixture, id, file)).await), "NOT_AN_OFFICIAL");
    }
}

/// Every public report at hand is taken over, or refused for a reason with a name.
#[tokio::test]
async fn reports_of_others_are_taken_over_or_refused_by_name() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance/trf");
    let Ok(files) = std::fs::read_dir(&folder) else {
        assert!(std::env::var("CI").is_err(), "in CI the reports of others must be at hand");
        println!("the reports of others are absent: {}", folder.display());
        return;
    };
    let Some(fixture) = fixtures().await.into_iter().next() else { panic!("there is a database") };
    let mut taken = 0;
    for entry in files {
        let path = entry.expect("an entry").path();
        let is_small = path.metadata().expect("a file").len() < 20_000;
        if path.extension().is_none_or(|it| it != "trf") || !is_small {
            continue;
        }
        let bytes = std::fs::read(&path).expect("it can be read");
        // An account of its own for each: one has only so many files waiting.
        let federation = fixture.federation().await;
        let (founder, id) = (&federation.founder, &federation.id);
        let file = sent(&fixture, founder, id, &bytes).await;
        let asked = pb::ImportEventRequest { validate_only: true, ..request(&fixture, id, file) };
        match import(founder, asked).await {
            Ok(imported) => {
                taken += 1;
                assert!(imported.event.is_some_and(|it| it.round > 0), "{}", path.display());
            }
            Err(status) => {
                assert_eq!(api::error::reason(&status), "BAD_EVENT_FILE", "{}: {status:?}", path.display());
            }
        }
    }
    assert!(taken > 5, "{taken}");
}

fn named(request: pb::ImportEventRequest) -> pb::ImportEventRequest {
    pb::ImportEventRequest { name: crate::fixture::name("Once more", ""), ..request }
}

/// The table of the teams of an event: the team, its place and its points.
async fn team_table(person: &Person, event: &str) -> Vec<(String, u32, u32)> {
    let asked = pb::ListEventTeamsRequest { event_id: event.to_owned(), ..Default::default() };
    let teams = person.events.clone().list_event_teams(asked).await.expect("teams").into_inner().teams;
    let team = |number: u32| teams.iter().find(|it| it.number == number).expect("it entered").team_id.clone();
    let lines = table(person, event).await.into_iter();
    lines.map(|(number, place, points)| (team(number), place, points)).collect()
}

#[tokio::test]
async fn an_event_of_teams_comes_back_with_its_teams_and_new_ones_are_written_down() {
    for fixture in fixtures().await {
        let held = two_teams_paired(&fixture).await;
        change!(held, held.chief, start_round, StartRoundRequest { round: 1 }).expect("started");
        play(&fixture, &held, 1).await;
        let (founder, id, federation) = (&held.federation.founder, &held.id, &held.federation.id);
        let ours = team_table(founder, id).await;
        for format in ["trf26", "opengotha"] {
            let (bytes, _) = export(founder, of(id, format)).await.expect("a file");
            let file = sent(&fixture, founder, federation, &bytes).await;
            let asked = named(request(&fixture, federation, file));
            let imported = import(founder, asked.clone()).await.expect("taken over");
            assert!(imported.teams.iter().all(|it| it.is_known), "{format}: {:?}", imported.teams);
            let event = imported.event.expect("an event");
            assert_eq!((event.team_count, event.round, imported.games), (2, 1, 2), "{format}");
            assert_eq!(team_table(founder, &event.id).await, ours, "{format} on {}", fixture.kind);
            nothing_is_found(&held.chief, &Held { id: event.id, ..held.clone() }).await;
            // The same file without its teams is an event of players.
            let alone = pb::ImportEventRequest {
                without_teams: true,
                event_id: EventId::from(fixture.env.uuid()).to_string(),
                ..asked
            };
            let alone = import(founder, alone).await.expect("taken over");
            assert!(alone.teams.is_empty() && alone.event.is_some_and(|it| it.team_count == 0), "{format}");
        }
        // A team that nobody knows is written down, plays nowhere else, and is known the next time.
        let (bytes, _) = export(founder, of(id, "trf26")).await.expect("a file");
        let text = String::from_utf8(bytes).expect("text").replace("Lions ", "Wolves");
        let file = sent(&fixture, founder, federation, text.as_bytes()).await;
        let asked = named(request(&fixture, federation, file));
        let preview = pb::ImportEventRequest { validate_only: true, ..asked.clone() };
        let preview = import(founder, preview).await.expect("a preview");
        let new =
            |it: &pb::ImportedEvent| it.teams.iter().find(|it| it.name == "Wolves").expect("there").clone();
        assert_eq!((new(&preview).is_known, new(&preview).team_id.as_str()), (false, ""));
        let imported = import(founder, asked).await.expect("taken over");
        let wolves = new(&imported);
        assert!(!wolves.is_known && !wolves.team_id.is_empty());
        let file = sent(&fixture, founder, federation, format!("{text}\r").as_bytes()).await;
        let again = import(founder, named(request(&fixture, federation, file))).await.expect("taken over");
        assert_eq!(new(&again), pb::ImportedTeam { is_known: true, ..wolves.clone() });
        let get = pb::GetTeamRequest { team_id: wolves.team_id };
        let team = founder.federations.clone().get_team(get).await.expect("a team").into_inner().team;
        assert!(team.expect("present").disband_time.is_some(), "{}", fixture.kind);
        let asked = pb::RenderDocumentRequest {
            event_id: imported.event.expect("an event").id,
            kind: pb::DocumentKind::Standings.into(),
            ..Default::default()
        };
        let page = founder.documents().render_document(asked).await.expect("a paper").into_inner().html;
        assert!(String::from_utf8(page).expect("UTF-8").contains(">Wolves<"), "{}", fixture.kind);
    }
}

#[tokio::test]
async fn a_list_of_results_of_h9_is_taken_over_with_everybody_s_points() {
    for fixture in fixtures().await {
        let held = held(&fixture, settings(3)).await;
        enter(&fixture, &held, 6).await;
        run(&held).await;
        for round in 1..=3 {
            begin(&held, round).await;
            play(&fixture, &held, round).await;
        }
        let (founder, id, federation) = (&held.federation.founder, &held.id, &held.federation.id);
        let (bytes, losses) = export(founder, of(id, "h9")).await.expect("a file");
        assert!(!losses.is_empty(), "it carries no more than the results");
        let file = sent(&fixture, founder, federation, &bytes).await;
        let imported = import(founder, named(request(&fixture, federation, file))).await.expect("taken over");
        assert_eq!((imported.format.as_str(), imported.games), ("h9", 9), "{}", fixture.kind);
        let points = async |event: &str| {
            let members = entrants(founder, event).await;
            let member = |number: u32| members.iter().find(|it| it.number == number).expect("there");
            let lines = table(founder, event).await.into_iter();
            let mut points: Vec<(String, u32)> =
                lines.map(|(number, _, points)| (member(number).member_id.clone(), points)).collect();
            points.sort();
            points
        };
        let event = imported.event.expect("an event");
        assert_eq!(points(&event.id).await, points(id).await, "{}", fixture.kind);
    }
}
