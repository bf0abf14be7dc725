//! What is kept of a person: given to him whole, and forgotten whole.

use api::{federation::v1 as pb, game::v1::IncidentKind};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use tonic::Status;

use crate::{
    fixture::{Fixture, Person, enrolment, fixtures, name, reason},
    held::{Held, begin, change, enter, held, play, run, settings},
    joining::apply,
};

/// What nobody else is called.
const NATIVE: &str = "རྡོ་རྗེ་སྒྲོན་མེད";
const LATIN: &str = "Zzyzx Canary";

async fn exported(person: &Person, request: pb::ExportPersonRequest) -> Result<Vec<u8>, Status> {
    let mut parts = person.exchange().export_person(request).await?.into_inner();
    let mut bytes = Vec::new();
    while let Some(answer) = parts.message().await? {
        bytes.extend_from_slice(&answer.part.expect("a part").data);
    }
    Ok(bytes)
}

async fn document(person: &Person, member_id: &str) -> Result<Value, Status> {
    let request = pb::ExportPersonRequest { member_id: member_id.to_owned(), ..Default::default() };
    Ok(serde_json::from_slice(&exported(person, request).await?).expect("it is JSON"))
}

async fn post(person: &Person, request: pb::CreateDocumentRequest) -> pb::Document {
    let request = pb::CreateDocumentRequest { request_id: person.request(), ..request };
    let posted = person.documents().create_document(request).await.expect("posted");
    posted.into_inner().document.expect("present")
}

async fn paper(person: &Person, posted: &pb::Document) -> (pb::Document, String) {
    let request = pb::GetDocumentRequest { document_id: posted.document_id.clone() };
    let answer = person.documents().get_document(request).await.expect("it hangs").into_inner();
    let (document, page) = (answer.document.expect("present"), answer.html);
    assert_eq!((document.size as usize, &document.digest[..]), (page.len(), &Sha256::digest(&page)[..]));
    (document, String::from_utf8(page).expect("a page is UTF-8"))
}

async fn log(person: &Person, held: &Held) -> Vec<pb::EventLogEntry> {
    let request = pb::ListLogRequest { event_id: held.id.clone(), page_size: 200, ..Default::default() };
    person.events.clone().list_log(request).await.expect("a log").into_inner().entries
}

async fn notes(held: &Held) -> Vec<String> {
    let request = pb::ListNotesRequest { event_id: held.id.clone(), page_size: 200, ..Default::default() };
    let notes = held.chief.events.clone().list_notes(request).await.expect("read").into_inner().notes;
    notes.into_iter().map(|note| note.text).collect()
}

/// An event in which somebody plays who is called like nobody else, and a namesake of his native name; a round is played,
/// and he has said something.
struct Played {
    held: Held,
    himself: Person,
    member_id: String,
    others: Vec<Person>,
}

async fn played(fixture: &Fixture) -> Played {
    let held = held(fixture, settings(3)).await;
    let federation = &held.federation;
    let others = enter(fixture, &held, 2).await;
    let mut called = enrolment(&federation.id, NATIVE);
    let member = called.member.as_mut().expect("present");
    member.name = name(NATIVE, LATIN);
    member.note = format!("{LATIN}@example.org");
    "1991-01-31".clone_into(&mut member.birth_date);
    let himself = fixture.person("canary");
    let member_id = federation.founder.enrol(called).await.expect("a member").member_id;
    federation.founder.bind(&member_id, &himself.id()).await.expect("bound");
    change!(held, himself, enter_event, EnterEventRequest { supplement_version: 1 }).expect("entered");
    let namesake = fixture.person("namesake");
    let mut other = enrolment(&federation.id, NATIVE);
    other.namesake = true;
    let other = federation.founder.enrol(other).await.expect("a namesake").member_id;
    federation.founder.bind(&other, &namesake.id()).await.expect("bound");
    change!(held, namesake, enter_event, EnterEventRequest { supplement_version: 1 }).expect("entered");
    run(&held).await;
    begin(&held, 1).await;
    play(fixture, &held, 1).await;
    let text = format!("I, {LATIN}, was ill");
    change!(held, himself, file_statement, FileStatementRequest { text }).expect("filed");
    let text = "he has played well".to_owned();
    change!(held, others[0], file_statement, FileStatementRequest { text }).expect("filed");
    let (kind, text) = (IncidentKind::Talking.into(), format!("{LATIN} talks"));
    change!(held, held.chief, report_incident, ReportIncidentRequest { kind, accused: 3, text })
        .expect("noted");
    let ruling = pb::EventRuling { sanction: pb::EventSanction::Warning.into(), ..Default::default() };
    let reason = format!("{LATIN} was heard");
    change!(
        held,
        held.chief,
        rule_on_incident,
        RuleOnIncidentRequest { number: 1, ruling: Some(ruling), reason }
    )
    .expect("ruled");
    Played { held, himself, member_id, others }
}

#[tokio::test]
async fn who_is_erased_is_blacked_out_of_papers_and_in_no_table_any_more_while_the_log_stays() {
    for fixture in fixtures().await {
        let Played { held, himself, member_id, others } = played(&fixture).await;
        let founder = held.federation.founder.clone();
        let of_event = |kind: pb::DocumentKind| pb::CreateDocumentRequest {
            event_id: held.id.clone(),
            kind: kind.into(),
            ..Default::default()
        };
        let written = |title: &str, text: String| pb::CreateDocumentRequest {
            federation_id: held.federation.id.clone(),
            kind: pb::DocumentKind::Notice.into(),
            title: title.to_owned(),
            text,
            ..Default::default()
        };
        let roster = post(&held.chief, of_event(pb::DocumentKind::Roster)).await;
        let table = post(&held.chief, of_event(pb::DocumentKind::Standings)).await;
        let schedule = post(&held.chief, of_event(pb::DocumentKind::Schedule)).await;
        let notice =
            post(&founder, written(&format!("To {LATIN}"), format!("{NATIVE} has won.\n\nBravo!"))).await;
        let elsewhere = post(&founder, written("Rules", format!("As always: Un{LATIN}s"))).await;
        // A file that nobody has imported, and an application that was refused before he was a member of anything.
        let csv = format!("name\n{LATIN}\n");
        let part = pb::PutFilePartRequest {
            file_id: founder.request(),
            federation_id: held.federation.id.clone(),
            size: csv.len() as u64,
            sha256: Sha256::digest(&csv).to_vec(),
            data: csv.into_bytes(),
            ..Default::default()
        };
        founder.exchange().put_file_part(part).await.expect("taken");
        let before = log(&founder, &held).await;
        assert!(fixture.has_stored(LATIN).await && fixture.has_stored(NATIVE).await, "{}", fixture.kind);
        let (_, unchanged) = paper(&himself, &schedule).await;
        assert_eq!(paper(&himself, &roster).await.1.matches(NATIVE).count(), 2);

        let erase = pb::EraseMemberRequest {
            member_id: member_id.clone(),
            request_id: himself.request(),
            ..Default::default()
        };
        let only_asked = pb::EraseMemberRequest { validate_only: true, ..erase.clone() };
        himself.federations.clone().erase_member(only_asked).await.expect("he could be");
        assert!(paper(&himself, &roster).await.1.contains(LATIN), "{}: nothing was written", fixture.kind);
        himself.federations.clone().erase_member(erase.clone()).await.expect("forgotten");
        himself.federations.clone().erase_member(erase).await.expect("once, however often it is asked");

        let anybody = fixture.person("anybody");
        for posted in [&roster, &table] {
            let (document, page) = paper(&anybody, posted).await;
            assert!(!page.contains(LATIN) && page.contains("███"), "{}", fixture.kind);
            assert_eq!(page.matches(NATIVE).count(), 1, "the namesake stays");
            assert!(document.redact_time.is_some() && document.digest != posted.digest);
        }
        let (document, page) = paper(&anybody, &notice).await;
        assert_eq!(document.title, "To ███");
        assert!(!page.contains(LATIN) && !page.contains(NATIVE) && page.contains("Bravo!"));
        for (posted, words) in [(&schedule, &*unchanged), (&elsewhere, "Rules")] {
            let (document, page) = paper(&anybody, posted).await;
            assert!(document == *posted && page.contains(words), "{}: it is as it was", fixture.kind);
        }
        // The namesake's native name stays, and so does a word that only has the name in it.
        assert!(!fixture.has_stored(LATIN).await, "{}: his name is stored", fixture.kind);
        let left = notes(&held).await;
        assert!(left.iter().all(|text| !text.contains(LATIN)), "{left:?}");
        assert!(
            left.contains(&"he has played well".to_owned()),
            "what others said of others stays: {left:?}"
        );
        let incidents = pb::ListEventIncidentsRequest { event_id: held.id.clone(), ..Default::default() };
        let incidents = held.chief.events.clone().list_event_incidents(incidents).await.expect("a list");
        assert_eq!(incidents.into_inner().incidents.len(), 1, "that there was one stays");
        assert_eq!(log(&founder, &held).await, before, "{}: not a byte of the log has changed", fixture.kind);
        // What is posted from now on lacks him from the beginning.
        let again = post(&held.chief, of_event(pb::DocumentKind::Roster)).await;
        assert!(!paper(&others[0], &again).await.1.contains(LATIN) && again.redact_time.is_none());
    }
}

#[tokio::test]
async fn a_person_is_given_what_is_kept_of_him_and_nobody_else_is() {
    for fixture in fixtures().await {
        let Played { held, himself, member_id, others } = played(&fixture).await;
        let founder = held.federation.founder.clone();
        let other = fixture.federation().await;
        apply(&himself, &other.id, LATIN).await.expect("he applies elsewhere");
        founder
            .appoint(&held.federation.id, &himself.id(), pb::OfficialRole::Scorer)
            .await
            .expect("an office");
        let posting = pb::CreateDocumentRequest {
            event_id: held.id.clone(),
            kind: pb::DocumentKind::Roster.into(),
            ..Default::default()
        };
        let roster = post(&held.chief, posting).await;

        let own = document(&himself, "").await.expect("his own");
        assert_eq!(own["account_id"], himself.id(), "{}", fixture.kind);
        assert_eq!(own["applications"][0]["name"]["native"], LATIN);
        assert_eq!(own["offices"][0]["role"], "scorer");
        assert!(own["notices"].as_array().is_some_and(|it| !it.is_empty()));
        let membership = &own["memberships"][0];
        assert_eq!(membership["member"]["name"]["native"], NATIVE);
        assert_eq!(membership["member"]["birth_date"], "1991-01-31");
        assert_eq!(membership["documents"][0]["document_id"], roster.document_id);
        let event = &membership["events"][0];
        let entry = &event["entries"][0];
        assert_eq!((&event["event_id"], &entry["number"]), (&held.id.clone().into(), &3.into()));
        let round = &entry["rounds"][0];
        assert!(["win", "loss"].iter().any(|it| round["result"] == *it), "{round}");
        assert_eq!(round["game_ids"].as_array().map(Vec::len), Some(1));
        let texts: Vec<&str> =
            event["texts"].as_array().expect("texts").iter().filter_map(|it| it["text"].as_str()).collect();
        assert_eq!(texts, [format!("I, {LATIN}, was ill"), format!("{LATIN} was heard")], "none of others'");
        let text = own.to_string();
        assert!(!text.contains("Player 1") && !text.contains("he has played well"), "{text}");

        let one = document(&himself, &member_id).await.expect("the same, of one membership");
        assert_eq!(one["memberships"][0], *membership);
        assert_eq!(reason(document(&others[0], &member_id).await), "NOT_AN_OFFICIAL");
        assert_eq!(reason(document(&founder, &member_id).await), "ACCOUNT_BOUND");
        assert_eq!(reason(document(&founder, &founder.request()).await), "UNKNOWN_MEMBER");
        let without = founder.member(&held.federation.id, "Without Account").await.member_id;
        let told = document(&founder, &without).await.expect("of one who cannot ask");
        assert_eq!(told["memberships"][0]["member"]["name"]["native"], "Without Account");

        // It is the same document until something changes: the rest of it can be asked for.
        let whole = exported(&himself, pb::ExportPersonRequest::default()).await.expect("whole");
        let rest = pb::ExportPersonRequest {
            offset: 100,
            sha256: Sha256::digest(&whole).to_vec(),
            ..Default::default()
        };
        assert_eq!(exported(&himself, rest.clone()).await.expect("the rest"), whole[100..]);
        founder
            .appoint(&held.federation.id, &himself.id(), pb::OfficialRole::Arbiter)
            .await
            .expect("an office");
        assert_eq!(reason(exported(&himself, rest).await), "FILE_CHANGED", "{}", fixture.kind);
    }
}
