//! Calendars at secret addresses: what is in them, who may read them, and what ends them.

use std::{collections::BTreeMap, time::Duration};

use api::{
    federation::v1::{
        self as pb, calendar_service_client::CalendarServiceClient, event_arranging::Otherwise,
    },
    time::{duration, timestamp},
    transport::Transport,
};
use http::{HeaderMap, StatusCode};
use http_body_util::BodyExt as _;
use sea_orm::{ConnectionTrait as _, QueryResult, Statement};
use tonic::{Status, body::Body};
use tower::ServiceExt as _;

use crate::{
    fixture::{Fixture, Person, fixtures, reason},
    held::{begin, board_of, change, enter, held, play, run, settings},
};

const DAY: Duration = Duration::from_hours(24);

fn client(person: &Person) -> CalendarServiceClient<Transport> {
    CalendarServiceClient::new(person.transport())
}

fn wanted(person: &Person, event_id: &str) -> pb::CreateCalendarFeedRequest {
    let (event_id, request_id) = (event_id.to_owned(), person.request());
    pb::CreateCalendarFeedRequest { event_id, request_id, language: "en".to_owned(), ..Default::default() }
}

/// The id and the address of a new calendar.
async fn made(person: &Person, request: pb::CreateCalendarFeedRequest) -> Result<(String, String), Status> {
    let answer = client(person).create_calendar_feed(request).await?.into_inner();
    Ok((answer.feed.expect("present").feed_id, answer.path))
}

async fn end(person: &Person, feed_id: &str) -> Result<(), Status> {
    let (feed_id, request_id) = (feed_id.to_owned(), person.request());
    let request = pb::DeleteCalendarFeedRequest { feed_id, request_id, validate_only: false };
    client(person).delete_calendar_feed(request).await.map(drop)
}

async fn listed(person: &Person) -> Vec<pb::CalendarFeed> {
    let answer = client(person).list_calendar_feeds(pb::ListCalendarFeedsRequest {}).await;
    answer.expect("a list").into_inner().feeds
}

/// What a GET is answered, by somebody without an account.
pub(crate) async fn get(fixture: &Fixture, path: &str, known: &str) -> (StatusCode, HeaderMap, String) {
    let request = http::Request::get(path).header("if-none-match", known);
    let request = request.body(Body::empty()).expect("a request");
    let answer = fixture.public().oneshot(request).await.expect("an answer");
    let (parts, body) = answer.into_parts();
    let body = body.collect().await.expect("a body").to_bytes();
    (parts.status, parts.headers, String::from_utf8(body.to_vec()).expect("UTF-8"))
}

/// The appointments of a calendar by their summaries, each property by its name; held to the format on the way.
async fn read(fixture: &Fixture, path: &str) -> BTreeMap<String, BTreeMap<String, String>> {
    let (status, headers, text) = get(fixture, path, "").await;
    assert_eq!(status, StatusCode::OK, "{path}: {text}");
    assert_eq!(headers["content-type"], "text/calendar; charset=utf-8");
    assert!(headers["cache-control"].to_str().expect("text").starts_with("private, "));
    assert!(text.split_terminator("\r\n").all(|line| line.len() <= 75 && !line.contains(['\r', '\n'])));
    let mut events = BTreeMap::new();
    let mut event: Option<BTreeMap<String, String>> = None;
    let unfolded = text.replace("\r\n ", "");
    let lines: Vec<&str> = unfolded.split_terminator("\r\n").collect();
    let ["BEGIN:VCALENDAR", lines @ .., "END:VCALENDAR"] = &lines[..] else { panic!("no calendar: {text}") };
    for &line in lines {
        let (name, value) = line.split_once(':').expect("a property");
        match (line, &mut event) {
            ("BEGIN:VEVENT", none @ None) => *none = Some(BTreeMap::new()),
            ("END:VEVENT", some @ Some(_)) => {
                let event = some.take().expect("it began");
                assert!(event["DTSTART"] < event["DTEND"] && event.contains_key("DTSTAMP"), "{event:?}");
                assert_eq!(events.insert(event["SUMMARY"].clone(), event), None, "each is there once");
            }
            (_, Some(event)) => assert_eq!(event.insert(name.to_owned(), value.to_owned()), None, "{line}"),
            (_, None) => {}
        }
    }
    events
}

/// `20270115T080000Z`.
fn written(at: time::OffsetDateTime) -> String {
    let (date, (hour, minute, second)) = (at.date(), at.to_hms());
    format!("{}{:02}{:02}T{hour:02}{minute:02}{second:02}Z", date.year(), u8::from(date.month()), date.day())
}

/// A Swiss of three rounds, of which the first two have times.
fn timed(fixture: &Fixture) -> pb::EventSettings {
    let times = [10, 11].map(|days| timestamp(fixture.env.now() + DAY * days));
    let mut settings = settings(3);
    let schedule = settings.schedule.as_mut().expect("a schedule");
    schedule.round_times = times.to_vec();
    settings
}

#[tokio::test]
async fn a_calendar_has_the_rounds_of_an_event_in_utc_and_says_its_zone() {
    for fixture in fixtures().await {
        let held = held(&fixture, timed(&fixture)).await;
        let somebody = fixture.person("somebody");
        let (_, path) = made(&somebody, wanted(&somebody, &held.id)).await.expect("made");
        let events = read(&fixture, &path).await;
        assert_eq!(events.len(), 2, "{}: {events:?}", fixture.kind);
        let first = &events["阿坝公开赛 (Aba Open): round 1"];
        assert_eq!(first["DTSTART"], written(fixture.env.now() + DAY * 10));
        assert_eq!(first["UID"], format!("{}-round-1@shoutan", held.id));
        assert!(first["DESCRIPTION"].ends_with("(Asia/Shanghai)"), "{first:?}");
        let (_, headers, text) = get(&fixture, &path, "").await;
        assert!(text.contains("X-WR-TIMEZONE:Asia/Shanghai\r\n"));
        // Whoever has it already is told so, and nothing else.
        let tag = headers["etag"].to_str().expect("text").to_owned();
        let (status, again, nothing) = get(&fixture, &path, &format!("\"other\", W/{tag}")).await;
        assert_eq!((status, nothing.as_str()), (StatusCode::NOT_MODIFIED, ""));
        assert_eq!(again["etag"], tag);
        let (status, ..) = get(&fixture, &path, "\"other\"").await;
        assert_eq!(status, StatusCode::OK);
        // In Chinese where nobody says anything else.
        let request =
            pb::CreateCalendarFeedRequest { language: String::new(), ..wanted(&somebody, &held.id) };
        let (_, path) = made(&somebody, request).await.expect("made");
        assert!(read(&fixture, &path).await.contains_key("阿坝公开赛 (Aba Open)：第2轮"));
    }
}

#[tokio::test]
async fn somebody_s_own_calendar_has_what_he_plays_in_and_officiates_at() {
    for fixture in fixtures().await {
        let held = held(&fixture, timed(&fixture)).await;
        let players = enter(&fixture, &held, 3).await;
        let mut paths = Vec::new();
        for person in players.iter().chain([&held.chief, &fixture.person("stranger")]) {
            paths.push(made(person, wanted(person, "")).await.expect("made").1);
        }
        for path in &paths[..4] {
            assert_eq!(read(&fixture, path).await.len(), 2, "{}", fixture.kind);
        }
        assert_eq!(read(&fixture, &paths[4]).await.len(), 0);
        run(&held).await;
        begin(&held, 1).await;
        let board = board_of(&held, 1).await;
        let seated = |number: u32| [board.first, board.second].contains(&number) || board.second == 0;
        for (path, number) in paths[..3].iter().zip(1..) {
            let events = read(&fixture, path).await;
            let at_board = events.contains_key("阿坝公开赛 (Aba Open): round 1\\, table 1");
            // Who has the bye has nothing to come for; the other round is everybody's.
            assert_eq!(at_board, seated(number), "{number}: {events:?}");
            assert_eq!(events.len(), if seated(number) { 2 } else { 1 });
        }
        let status = Some(pb::EntrantStatus { state: pb::EntrantState::Withdrawn.into(), round: 1 });
        change!(held, held.chief, change_entry, ChangeEntryRequest { number: 3, status }).expect("gone");
        assert_eq!(read(&fixture, &paths[2]).await.len(), 0, "{}", fixture.kind);
    }
}

#[tokio::test]
async fn an_arranged_board_stands_at_its_time_and_until_then_its_deadline() {
    for fixture in fixtures().await {
        let otherwise = Some(Otherwise::ByArbiter(pb::ArrangedByArbiter {}));
        let window_duration = Some(duration(DAY * 14));
        let arranging = pb::EventArranging { window_duration, otherwise, ..Default::default() };
        let held = held(&fixture, pb::EventSettings { arranging: Some(arranging), ..settings(3) }).await;
        let players = enter(&fixture, &held, 4).await;
        run(&held).await;
        begin(&held, 1).await;
        let board = board_of(&held, 1).await;
        let [one, other] = [board.first, board.second].map(|number| &players[number as usize - 1]);
        let (_, own) = made(one, wanted(one, "")).await.expect("made");
        let (_, public) = made(one, wanted(one, &held.id)).await.expect("made");
        let deadline = format!(
            "阿坝公开赛 (Aba Open): last moment to arrange the game of round 1\\, table {}",
            board.table
        );
        let agreed = format!("阿坝公开赛 (Aba Open): round 1\\, table {}", board.table);
        let events = read(&fixture, &own).await;
        let closes = fixture.env.now() + DAY * 14;
        assert_eq!(events[&deadline]["DTSTART"][..8], written(closes)[..8], "{}", fixture.kind);
        assert!(!read(&fixture, &public).await.contains_key(&deadline), "that is for the two alone");
        let at = fixture.env.now() + DAY * 5;
        let (round, table, start_times) = (1, board.table, vec![timestamp(at)]);
        change!(held, one, propose_game, ProposeGameRequest { round, table, start_times }).expect("proposed");
        let start_time = Some(timestamp(at));
        change!(held, other, accept_proposal, AcceptProposalRequest { round, table, start_time })
            .expect("agreed");
        for path in [&own, &public] {
            let events = read(&fixture, path).await;
            assert_eq!(events[&agreed]["DTSTART"], written(at), "{events:?}");
            assert!(!events.contains_key(&deadline));
        }
    }
}

#[tokio::test]
async fn nothing_that_is_held_back_is_in_a_calendar() {
    for fixture in fixtures().await {
        let broadcast_delay_duration = Some(duration(Duration::from_mins(10)));
        let settings = pb::EventSettings { broadcast_delay_duration, ..timed(&fixture) };
        let held = held(&fixture, settings).await;
        enter(&fixture, &held, 4).await;
        run(&held).await;
        begin(&held, 1).await;
        fixture.time.advance(DAY);
        // The chief arbiter sees all of it, and his address may be read by others.
        let mut paths = Vec::new();
        for event in ["", &held.id] {
            paths.push(made(&held.chief, wanted(&held.chief, event)).await.expect("made").1);
        }
        let mut before = Vec::new();
        for path in &paths {
            before.push(get(&fixture, path, "").await.2);
        }
        play(&fixture, &held, 1).await;
        for (path, before) in paths.iter().zip(&before) {
            assert_eq!(
                get(&fixture, path, "").await.2,
                *before,
                "{}: not even that there is one",
                fixture.kind
            );
        }
        fixture.time.advance(Duration::from_mins(11));
        assert_ne!(get(&fixture, &paths[1], "").await.2, before[1], "it is as new as everybody knows");
    }
}

#[tokio::test]
async fn an_address_is_told_once_and_opens_nothing_once_it_was_renewed_or_ended() {
    for fixture in fixtures().await {
        let held = held(&fixture, timed(&fixture)).await;
        let person = fixture.person("somebody");
        let request = wanted(&person, &held.id);
        let (id, first) = made(&person, request.clone()).await.expect("made");
        let (again, second) = made(&person, request.clone()).await.expect("made again");
        assert_eq!(id, again, "{}", fixture.kind);
        assert_eq!(get(&fixture, &first, "").await.0, StatusCode::NOT_FOUND);
        assert_eq!(get(&fixture, &second, "").await.0, StatusCode::OK);
        let other = pb::CreateCalendarFeedRequest { event_id: String::new(), ..request };
        assert_eq!(reason(made(&person, other).await), "REQUEST_ID_REUSED");
        // Nothing that is kept opens it.
        assert_eq!(listed(&person).await.len(), 1);
        for stored in digests(&fixture).await {
            assert_eq!(get(&fixture, &format!("/calendar/{stored}.ics"), "").await.0, StatusCode::NOT_FOUND);
        }
        let replaces = pb::CreateCalendarFeedRequest { replaces_feed_id: id.clone(), ..wanted(&person, "") };
        let (renewed, third) = made(&person, replaces).await.expect("renewed");
        assert_eq!(get(&fixture, &second, "").await.0, StatusCode::NOT_FOUND);
        assert_eq!(get(&fixture, &third, "").await.0, StatusCode::OK);
        assert_eq!(reason(end(&fixture.person("another"), &renewed).await), "UNKNOWN_CALENDAR");
        assert_eq!(reason(end(&person, &id).await), "UNKNOWN_CALENDAR");
        end(&person, &renewed).await.expect("ended");
        let (status, _, gone) = get(&fixture, &third, "").await;
        let (unknown, _, never) = get(&fixture, &format!("/calendar/{}.ics", "0".repeat(48)), "").await;
        assert_eq!((status, gone), (unknown, never), "nobody learns what was one");
        for path in ["/calendar/", "/calendar/x", "/calendar/x/y.ics"] {
            assert_eq!(get(&fixture, path, "").await.0, StatusCode::NOT_FOUND, "{path}");
        }
    }
}

#[tokio::test]
async fn an_account_has_a_few_and_what_cannot_be_is_refused() {
    for fixture in fixtures().await {
        let held = held(&fixture, timed(&fixture)).await;
        let person = fixture.person("somebody");
        let asked = pb::CreateCalendarFeedRequest { validate_only: true, ..wanted(&person, "") };
        assert_eq!(made(&person, asked).await.expect("it could be").1, "");
        let calls = (0..12).map(|_| made(&person, wanted(&person, "")));
        let made_ones = futures::future::join_all(calls).await;
        assert_eq!(made_ones.iter().filter(|it| it.is_ok()).count(), 8, "{}", fixture.kind);
        assert_eq!(listed(&person).await.len(), 8);
        assert_eq!(reason(made(&person, wanted(&person, "")).await), "FEDERATION_FULL");
        end(&person, &listed(&person).await[3].feed_id).await.expect("ended");
        made(&person, wanted(&person, "")).await.expect("there is room again");

        let guest = fixture.guest();
        assert_eq!(reason(made(&guest, wanted(&guest, "")).await), "GUEST");
        let other = fixture.person("other");
        let unknown = wanted(&other, &other.request());
        assert_eq!(reason(made(&other, unknown).await), "UNKNOWN_EVENT");
        let bad =
            pb::CreateCalendarFeedRequest { language: "Tibetan".to_owned(), ..wanted(&other, &held.id) };
        assert_eq!(reason(made(&other, bad).await), "BAD_CALENDAR");
        let replaces_feed_id = listed(&person).await[0].feed_id.clone();
        let foreign = pb::CreateCalendarFeedRequest { replaces_feed_id, ..wanted(&other, "") };
        assert_eq!(reason(made(&other, foreign).await), "UNKNOWN_CALENDAR");
        assert_eq!(listed(&person).await.len(), 8);
    }
}

#[tokio::test]
async fn who_is_forgotten_has_no_calendar_any_more() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let person = fixture.person("somebody");
        let member = federation.founder.member(&federation.id, "Tashi").await;
        federation.founder.bind(&member.member_id, &person.id()).await.expect("bound");
        let (_, path) = made(&person, wanted(&person, "")).await.expect("made");
        assert_eq!(get(&fixture, &path, "").await.0, StatusCode::OK);
        let request = pb::EraseMemberRequest {
            member_id: member.member_id,
            request_id: person.request(),
            ..Default::default()
        };
        person.federations.clone().erase_member(request).await.expect("forgotten");
        assert_eq!(get(&fixture, &path, "").await.0, StatusCode::NOT_FOUND, "{}", fixture.kind);
        assert_eq!(listed(&person).await, []);
    }
}

#[tokio::test]
async fn events_of_before_are_found_once_they_were_looked_through() {
    for mut fixture in fixtures().await {
        let held = held(&fixture, timed(&fixture)).await;
        let player = enter(&fixture, &held, 1).await.remove(0);
        let (_, path) = made(&player, wanted(&player, "")).await.expect("made");
        fixture.database().write().execute_unprepared("DELETE FROM event_people").await.expect("forgotten");
        assert_eq!(read(&fixture, &path).await.len(), 0);
        fixture.restart().await;
        let mut found = 0;
        for _ in 0..200 {
            found = read(&fixture, &path).await.len();
            if found > 0 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!(found, 2, "{}", fixture.kind);
    }
}

/// What is stored of the secrets of all calendars, as it would be written.
async fn digests(fixture: &Fixture) -> Vec<String> {
    let on = fixture.database().read();
    let statement = Statement::from_string(on.get_database_backend(), "SELECT digest FROM calendar_feeds");
    let rows = on.query_all_raw(statement).await.expect("rows");
    let digest = |row: &QueryResult| hex::encode(row.try_get::<Vec<u8>>("", "digest").expect("it"));
    rows.iter().map(digest).flat_map(|text| [text[..48].to_owned(), text]).collect()
}
