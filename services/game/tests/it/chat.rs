//! Talking beside the board.

use std::time::Duration;

use api::{
    error,
    game::v1::{
        ChatMessage, ChatRoom, CreateGameRequest, ListMessagesRequest, ListReportsRequest, Regulations,
        ReportMessageRequest, ResignRequest, SendMessageRequest, WatchMessagesRequest,
        chat_service_client::ChatServiceClient,
    },
    transport::Transport,
};
use chassis::{
    auth::{Caller, Role},
    testing::{arbiter, as_account, moderator, player},
};
use tonic::{Status, Streaming};

use super::fixture::{Fixture, Replica, refused};

const PLAYERS: i32 = ChatRoom::Players as i32;
const SPECTATORS: i32 = ChatRoom::Spectators as i32;

fn chat(replica: &Replica, caller: Option<&Caller>) -> ChatServiceClient<Transport> {
    let transport = replica.public_transport();
    ChatServiceClient::new(match caller {
        Some(caller) => as_account(transport, caller.clone()),
        None => transport,
    })
}

struct Talk<'a> {
    fixture: &'a Fixture,
    replica: &'a Replica,
    id: String,
}

impl Talk<'_> {
    async fn say(&self, who: &Caller, room: i32, text: &str) -> Result<ChatMessage, Status> {
        self.say_by(who, room, text, &self.fixture.id()).await
    }

    async fn say_by(
        &self,
        who: &Caller,
        room: i32,
        text: &str,
        request: &str,
    ) -> Result<ChatMessage, Status> {
        let request = SendMessageRequest {
            game_id: self.id.clone(),
            room,
            text: text.to_owned(),
            request_id: request.to_owned(),
        };
        let answer = chat(self.replica, Some(who)).send_message(request).await?.into_inner();
        Ok(answer.message.expect("a message"))
    }

    /// All messages, page by page.
    async fn all(&self, who: Option<&Caller>, room: i32) -> Result<Vec<ChatMessage>, Status> {
        let (mut all, mut page_token) = (Vec::new(), String::new());
        loop {
            let request = ListMessagesRequest { game_id: self.id.clone(), room, page_size: 3, page_token };
            let page = chat(self.replica, who).list_messages(request).await?.into_inner();
            all.extend(page.messages);
            page_token = page.next_page_token;
            if page_token.is_empty() {
                return Ok(all);
            }
        }
    }

    async fn follow(
        &self,
        who: Option<&Caller>,
        room: i32,
        after_sequence: u64,
    ) -> Result<Streaming<api::game::v1::WatchMessagesResponse>, Status> {
        let request = WatchMessagesRequest { game_id: self.id.clone(), room, after_sequence };
        Ok(chat(self.replica, who).watch_messages(request).await?.into_inner())
    }
}

async fn next(stream: &mut Streaming<api::game::v1::WatchMessagesResponse>) -> ChatMessage {
    let message = tokio::time::timeout(Duration::from_secs(20), stream.message()).await.expect("in time");
    message.expect("the stream goes on").and_then(|message| message.message).expect("a message")
}

#[tokio::test]
async fn each_room_is_for_its_own_until_the_end() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = replica.new_game(&fixture).await;
        let talk = Talk { fixture: &fixture, replica: &replica, id: id.clone() };
        let [first, second] = &fixture.players;
        let spectator = player(&fixture.env, "spectator");
        let guest = Caller { guest: true, ..player(&fixture.env, "guest") };
        let hello = talk.say(first, PLAYERS, "你好").await.expect("said");
        assert_eq!((hello.sequence, hello.name.as_str()), (1, "first"));
        assert_eq!(talk.say(second, PLAYERS, "hello").await.expect("said").sequence, 2);
        assert_eq!(talk.say(&spectator, SPECTATORS, "who wins?").await.expect("said").sequence, 1);
        for (who, room, reason) in [
            (first, SPECTATORS, "WRONG_ROOM"),
            (&spectator, PLAYERS, "WRONG_ROOM"),
            (&guest, PLAYERS, "WRONG_ROOM"),
            (&guest, SPECTATORS, "GUESTS_READ_ONLY"),
            (&spectator, 0, "BAD_ROOM"),
        ] {
            assert_eq!(refused(talk.say(who, room, "hm").await), reason);
        }
        for (who, room) in [(Some(first), SPECTATORS), (Some(&spectator), PLAYERS), (None, PLAYERS)] {
            assert_eq!(refused(talk.all(who, room).await), "WRONG_ROOM");
            assert_eq!(refused(talk.follow(who, room, 0).await.map(drop)), "WRONG_ROOM");
        }
        assert_eq!(talk.all(None, SPECTATORS).await.expect("open to all").len(), 1);
        assert_eq!(talk.all(Some(second), PLAYERS).await.expect("his own").len(), 2);
        let resign = ResignRequest { game_id: id, request_id: fixture.id() };
        replica.caller(first).resign(resign).await.expect("resigned");
        assert_eq!(talk.all(None, PLAYERS).await.expect("open now").len(), 2);
        assert_eq!(talk.all(Some(first), SPECTATORS).await.expect("open now").len(), 1);
        talk.say(second, PLAYERS, "thank you").await.expect("after the game one still talks");
    }
}

#[tokio::test]
async fn messages_are_plain_short_and_few() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = replica.new_game(&fixture).await;
        let talk = Talk { fixture: &fixture, replica: &replica, id };
        let [first, second] = &fixture.players;
        for text in ["", "   ", "\u{200b}\u{3164}", "a\nb", "\u{1b}[31m", "\u{202e}x", &"x".repeat(501)] {
            assert_eq!(refused(talk.say(first, PLAYERS, text).await), "BAD_TEXT", "{text:?}");
        }
        let request = fixture.id();
        let long = "棋".repeat(500);
        let once = talk.say_by(first, PLAYERS, &long, &request).await.expect("said");
        assert_eq!(talk.say_by(first, PLAYERS, &long, &request).await.expect("said before"), once);
        assert_eq!(refused(talk.say_by(first, PLAYERS, "other", &request).await), "REQUEST_ID_REUSED");
        talk.say_by(second, PLAYERS, "mine", &request).await.expect("another's request");
        let mut said = 0;
        let refusal = loop {
            match talk.say(first, PLAYERS, "again").await {
                Ok(_) => said += 1,
                Err(status) => break status,
            }
        };
        assert_eq!((error::reason(&refusal).as_str(), said), ("CHAT_TOO_FAST", 9));
        // What has been written is answered however often it is asked for, and counts once.
        for _ in 0..20 {
            assert_eq!(talk.say_by(first, PLAYERS, &long, &request).await.expect("said before"), once);
        }
        fixture.time.advance(Duration::from_secs(3));
        talk.say(first, PLAYERS, "slowly").await.expect("said");
        talk.say(second, PLAYERS, "me too").await.expect("each has his own quota");
    }
}

#[tokio::test]
async fn streams_resume_and_numbers_have_no_gaps() {
    for fixture in Fixture::all().await {
        let (one, two) = (fixture.replica().await, fixture.replica().await);
        let id = one.new_game(&fixture).await;
        let here = Talk { fixture: &fixture, replica: &one, id: id.clone() };
        let there = Talk { fixture: &fixture, replica: &two, id };
        let crowd: Vec<Caller> =
            (0..6).map(|number| player(&fixture.env, &format!("spectator {number}"))).collect();
        let mut stream = there.follow(None, SPECTATORS, 0).await.expect("open to all");
        let talks = crowd.iter().enumerate().map(|(number, who)| {
            let talk = if number % 2 == 0 { &here } else { &there };
            async move {
                for text in ["one", "two", "three"] {
                    talk.say(who, SPECTATORS, text).await.expect("said");
                }
            }
        });
        futures::future::join_all(talks).await;
        let all = here.all(None, SPECTATORS).await.expect("listed");
        let numbers: Vec<u64> = all.iter().map(|message| message.sequence).collect();
        assert_eq!(numbers, (1..=18).collect::<Vec<_>>());
        for message in &all {
            assert_eq!(next(&mut stream).await, *message);
        }
        let mut resumed = here.follow(Some(&crowd[0]), SPECTATORS, 16).await.expect("resumed");
        assert_eq!((next(&mut resumed).await, next(&mut resumed).await), (all[16].clone(), all[17].clone()));
        let news = there.say(&crowd[1], SPECTATORS, "news").await.expect("said");
        assert_eq!((next(&mut resumed).await, next(&mut stream).await), (news.clone(), news));
    }
}

#[tokio::test]
async fn an_event_may_have_no_chat_and_hears_of_reports() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let event = fixture.env.uuid();
        let regulate = |request: &mut CreateGameRequest| {
            let event_id = event.to_string();
            let regulations = Regulations { event_id, player_chat_off: true, ..Regulations::default() };
            request.regulations = Some(regulations);
        };
        let id = replica.new_game_with(&fixture, regulate).await;
        let talk = Talk { fixture: &fixture, replica: &replica, id: id.clone() };
        let official = arbiter(&fixture.env, "arbiter", Role::Arbiter, event.into());
        let elsewhere = arbiter(&fixture.env, "other", Role::Arbiter, fixture.env.uuid().into());
        let [rude, shocked] = ["rude", "shocked"].map(|name| player(&fixture.env, name));
        assert_eq!(refused(talk.say(&fixture.players[0], PLAYERS, "hello").await), "CHAT_OFF");
        assert!(talk.all(Some(&official), PLAYERS).await.expect("officials read both").is_empty());
        let bad = talk.say(&rude, SPECTATORS, "!!!").await.expect("said");
        talk.say(&official, SPECTATORS, "be polite").await.expect("officials write there");
        let report = async |who: Option<&Caller>, sequence, reason: &str| {
            let reason = reason.to_owned();
            let request = ReportMessageRequest { game_id: id.clone(), room: SPECTATORS, sequence, reason };
            chat(&replica, who).report_message(request).await
        };
        assert_eq!(refused(report(None, 1, "rude").await), "TOKEN_MISSING");
        assert_eq!(refused(report(Some(&shocked), 1, "").await), "BAD_TEXT");
        assert_eq!(refused(report(Some(&shocked), 9, "rude").await), "UNKNOWN_MESSAGE");
        assert_eq!(refused(report(Some(&fixture.players[0]), 1, "rude").await), "WRONG_ROOM");
        for _ in 0..2 {
            report(Some(&shocked), 1, "rude").await.expect("kept once");
        }
        fixture.time.advance(Duration::from_millis(10));
        report(Some(&official), 1, "indeed").await.expect("kept");
        let reports = async |who: &Caller| {
            let (mut all, mut page_token) = (Vec::new(), String::new());
            loop {
                let event_id = event.to_string();
                let request =
                    ListReportsRequest { event_id, federation_id: String::new(), page_size: 1, page_token };
                let page = chat(&replica, Some(who)).list_reports(request).await?.into_inner();
                all.extend(page.reports);
                page_token = page.next_page_token;
                if page_token.is_empty() {
                    return Ok::<_, Status>(all);
                }
            }
        };
        let found = reports(&official).await.expect("listed");
        let reasons: Vec<&str> = found.iter().map(|report| report.reason.as_str()).collect();
        assert_eq!(reasons, ["indeed", "rude"]);
        assert!(found.iter().all(|report| report.message.as_ref() == Some(&bad) && report.game_id == id));
        assert_eq!(found[1].reporter_name, "shocked");
        let judge = moderator(&fixture.env, "judge");
        for who in [&elsewhere, &shocked, &judge] {
            assert_eq!(refused(reports(who).await), "NOT_AN_OFFICIAL");
        }
        // What is said in games of no event is for moderators of the platform.
        let id = replica.new_game(&fixture).await;
        let talk = Talk { fixture: &fixture, replica: &replica, id: id.clone() };
        let bad = talk.say(&rude, SPECTATORS, "!!!").await.expect("said");
        let request = ReportMessageRequest {
            game_id: id,
            room: SPECTATORS,
            sequence: bad.sequence,
            reason: "rude".to_owned(),
        };
        chat(&replica, Some(&shocked)).report_message(request).await.expect("kept");
        let of_none = ListReportsRequest::default();
        let found = chat(&replica, Some(&judge)).list_reports(of_none.clone()).await.expect("listed");
        let [report] = &found.into_inner().reports[..] else { panic!("one report") };
        assert_eq!(report.message.as_ref(), Some(&bad));
        assert_eq!(refused(chat(&replica, Some(&official)).list_reports(of_none).await), "NOT_AN_OFFICIAL");
    }
}

#[tokio::test]
async fn a_room_of_spectators_takes_no_more_from_a_crowd_than_people_can_read() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = replica.new_game(&fixture).await;
        let talk = Talk { fixture: &fixture, replica: &replica, id };
        let mut said = 0;
        for number in 0..12 {
            let one_of_many = player(&fixture.env, &format!("one of many {number}"));
            for _ in 0..10 {
                match talk.say(&one_of_many, SPECTATORS, "!").await {
                    Ok(_) => said += 1,
                    Err(status) => assert_eq!(error::reason(&status), "CHAT_TOO_FAST"),
                }
            }
        }
        assert_eq!(said, 60, "in half a minute");
        talk.say(&fixture.players[0], PLAYERS, "they are loud")
            .await
            .expect("the players have a room of their own");
        fixture.time.advance(Duration::from_secs(30));
        talk.say(&player(&fixture.env, "patient"), SPECTATORS, "now").await.expect("said");
    }
}

#[tokio::test]
async fn a_place_in_one_room_is_none_in_another() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let [id, other] = [replica.new_game(&fixture).await, replica.new_game(&fixture).await];
        let talk = Talk { fixture: &fixture, replica: &replica, id: id.clone() };
        for text in ["one", "two"] {
            talk.say(&fixture.players[0], PLAYERS, text).await.expect("said");
        }
        let list = async |game_id: &str, page_token: String| {
            let request =
                ListMessagesRequest { game_id: game_id.to_owned(), room: PLAYERS, page_size: 1, page_token };
            Ok::<_, Status>(
                chat(&replica, Some(&fixture.players[0])).list_messages(request).await?.into_inner(),
            )
        };
        let token = list(&id, String::new()).await.expect("listed").next_page_token;
        assert_eq!(list(&id, token.clone()).await.expect("the second page").messages[0].text, "two");
        assert_eq!(refused(list(&other, token).await), "BAD_PAGE_TOKEN");
        let ahead = talk.follow(Some(&fixture.players[0]), PLAYERS, 3).await;
        assert_eq!(refused(ahead.map(drop)), "BAD_CURSOR");
        talk.follow(Some(&fixture.players[0]), PLAYERS, 2).await.expect("up to the end");
    }
}
