//! What is dear to answer is worked out once, and long logs are read in pages.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use api::game::v1::{
    ChatRoom, ExportRecordRequest, ImportRecordRequest, ListCountsRequest, ListGamesRequest,
    ListMessagesRequest, ListRunningClocksRequest, PlayRequest, Regulations, ResignRequest,
    SuggestActRequest, WatchRequest, chat_service_client::ChatServiceClient,
};
use futures::future::join_all;
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};

use super::{
    fixture::{Fixture, Replica, refused},
    long::long_record,
    statements::Statements,
    streams::pass,
};

/// Moves of a long game: some pages of its log.
const MOVES: usize = 1500;

async fn imported(fixture: &Fixture, replica: &Replica, moves: usize) -> String {
    let request =
        ImportRecordRequest { variant: "go".to_owned(), text: long_record(moves), request_id: fixture.id() };
    let answer = replica.caller(&fixture.players[0]).import_record(request).await.expect("imported");
    answer.into_inner().game.and_then(|game| game.info).expect("a game").id
}

async fn fixtures() -> Vec<(Fixture, Statements)> {
    let mut fixtures = Vec::new();
    for mut fixture in Fixture::all().await {
        let statements = Statements::of(&mut fixture).await;
        fixtures.push((fixture, statements));
    }
    fixtures
}

#[tokio::test]
async fn a_finished_game_is_read_from_its_log_once_and_then_never_again() {
    for (fixture, statements) in fixtures().await {
        let (maker, reader) = (fixture.replica().await, fixture.replica().await);
        let id = imported(&fixture, &maker, MOVES).await;
        for replica in [&maker, &reader] {
            statements.take();
            let first = replica.look(&id).await;
            assert_eq!(first.acts.len(), MOVES);
            for _ in 0..3 {
                for again in join_all((0..24).map(|_| replica.look(&id))).await {
                    assert!(again == first);
                }
            }
            assert_eq!(statements.of_logs(), 0, "it was shown when it was imported");
        }
        let mut games = reader.anybody();
        for _ in 0..3 {
            let counts = ListCountsRequest { game_id: id.clone() };
            games.list_counts(counts).await.expect("counted");
            let export = ExportRecordRequest { game_id: id.clone() };
            let text = games.export_record(export).await.expect("exported").into_inner().text;
            assert!(text.len() > 6 * MOVES);
        }
        let pages = MOVES / 256 + 1;
        let read = statements.of_logs();
        assert!(read <= 3 * pages, "{read} pages of the log were read for one count and one record");
    }
}

#[tokio::test]
async fn a_running_game_is_shown_from_what_has_happened_since() {
    for (fixture, statements) in fixtures().await {
        let replica = fixture.replica().await;
        let id = replica.new_game(&fixture).await;
        replica.play_all_as_player(&fixture, &id, &["C3", "G7", "C7", "G3"]).await;
        let seen = replica.look(&id).await;
        statements.take();
        for again in join_all((0..24).map(|_| replica.look(&id))).await {
            assert_eq!(again, seen);
        }
        assert_eq!(statements.of_logs(), 0, "nothing has happened");
        replica.play(&fixture, &id, 0, "E5", 4, &fixture.id()).await.expect("accepted");
        statements.take();
        for again in join_all((0..24).map(|_| replica.look(&id))).await {
            assert_eq!(again.acts.len(), 5);
        }
        assert_eq!(statements.of_logs(), 1, "one reads what is new, for all");
    }
}

#[tokio::test]
async fn a_list_of_games_costs_one_statement_once_they_are_known() {
    for (fixture, statements) in fixtures().await {
        let replica = fixture.replica().await;
        for _ in 0..30 {
            replica.new_game(&fixture).await;
        }
        let list = || async {
            let request = ListGamesRequest { page_size: 200, ..ListGamesRequest::default() };
            replica.anybody().list_games(request).await.expect("listed").into_inner().games
        };
        statements.take();
        let first = list().await;
        assert_eq!(first.len(), 30);
        assert!(statements.take().len() <= 2);
        for _ in 0..5 {
            assert_eq!(list().await, first);
        }
        assert_eq!(statements.take().len(), 5);
        // Whatever happens in one of them is seen.
        let id = first[7].info.clone().expect("an info").id;
        let resign = ResignRequest { game_id: id, request_id: fixture.id() };
        replica.caller(&fixture.players[0]).resign(resign).await.expect("resigned");
        assert!(list().await[7].state.as_ref().is_some_and(|state| state.outcome.is_some()));
    }
}

#[test]
fn memory_stays_flat_over_running_games_that_nobody_touches() {
    const GAMES: u8 = 120;
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime is built");
    for (fixture, statements) in runtime.block_on(fixtures()) {
        // The maker goes, and its memory with it.
        runtime.block_on(async {
            let maker = fixture.replica().await;
            for _ in 0..GAMES {
                maker.new_game(&fixture).await;
            }
            maker.lifecycle.drain(Duration::from_secs(10)).await;
        });
        let list = |replica: &Replica, page_size: u32| {
            let request = ListRunningClocksRequest { page_size, page_token: String::new() };
            let clocks = runtime.block_on(async {
                replica.internal().list_running_clocks(request).await.expect("listed").into_inner().clocks
            });
            assert_eq!(clocks.len(), page_size.min(GAMES.into()) as usize);
        };
        // A connection that is opened meanwhile takes its room once, and is no game's: the least of the readers counts.
        let (mut held, mut more) = (i64::MAX, i64::MAX);
        for _ in 0..4 {
            let replica = runtime.block_on(fixture.replica());
            // Connections and statements are prepared with the first call, and are no game's.
            list(&replica, 1);
            statements.take();
            let first = allocation_counter::measure(|| list(&replica, 1000));
            assert!(statements.take().len() <= 2, "one for the games, one for the ends of their logs");
            held = held.min(first.bytes_current / i64::from(GAMES - 1));
            let again = allocation_counter::measure(|| (0..3).for_each(|_| list(&replica, 1000)));
            assert_eq!(statements.take().len(), 3, "what has not changed is not read again");
            more = more.min(again.bytes_current);
        }
        assert!(more < 64 * 1024, "{more} more bytes with three passes, whoever reads");
        assert!(held < 4096, "{held} bytes of each game stay in memory");
    }
}

/// Counts suggestions that were worked out.
#[derive(Clone, Default)]
struct Thoughts(Arc<AtomicUsize>);

impl<S: tracing::Subscriber> Layer<S> for Thoughts {
    fn on_event(&self, event: &tracing::Event<'_>, _context: Context<'_, S>) {
        if event.metadata().fields().field("thought").is_some() {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
}

#[tokio::test]
async fn a_suggestion_is_worked_out_once_for_a_position() {
    let thoughts = Thoughts::default();
    let _until_the_end =
        tracing::subscriber::set_default(tracing_subscriber::registry().with(thoughts.clone()));
    for (fixture, _) in fixtures().await {
        let replica = fixture.replica().await;
        let id = replica.new_game(&fixture).await;
        replica.play_all_as_player(&fixture, &id, &["C3", "G7", "pass", "pass"]).await;
        let before = thoughts.0.load(Ordering::SeqCst);
        let suggest = |who: usize| {
            let (request, mut games) =
                (SuggestActRequest { game_id: id.clone() }, replica.caller(&fixture.players[who]));
            async move { games.suggest_act(request).await.expect("suggested").into_inner() }
        };
        let suggested = join_all((0..40).map(|number| suggest(number % 2))).await;
        assert!(suggested.iter().all(|act| *act == suggested[0]));
        assert_eq!(thoughts.0.load(Ordering::SeqCst) - before, 1);
    }
}

#[tokio::test]
async fn a_broadcast_with_a_delay_is_replayed_once_and_then_followed() {
    const DELAY: Duration = Duration::from_secs(30);
    for (fixture, statements) in fixtures().await {
        let replica = fixture.replica().await;
        let event_id = fixture.env.uuid().to_string();
        let id = replica
            .new_game_with(&fixture, |request| {
                request.regulations = Some(Regulations {
                    event_id,
                    broadcast_delay_duration: Some(api::time::duration(DELAY)),
                    ..Regulations::default()
                });
            })
            .await;
        replica.play_all_as_player(&fixture, &id, &["C3", "G7", "C7"]).await;
        pass(&fixture, &[&replica], DELAY + Duration::from_secs(1)).await;
        let seen = replica.look(&id).await;
        assert_eq!(seen.acts.len(), 3);
        replica.play(&fixture, &id, 1, "G3", 3, &fixture.id()).await.expect("accepted");
        replica.look(&id).await;
        statements.take();
        for again in join_all((0..24).map(|_| replica.look(&id))).await {
            assert_eq!(again, seen);
        }
        assert_eq!(statements.of_logs(), 0, "what comes next is known to be too young");
    }
}

#[tokio::test]
async fn a_stream_from_the_start_reads_the_log_as_its_reader_takes_it() {
    for (fixture, statements) in fixtures().await {
        let replica = fixture.replica().await;
        let id = imported(&fixture, &replica, MOVES).await;
        statements.take();
        let request = WatchRequest { game_id: id, after_sequence: Some(0), after_end: false };
        let mut stream = replica.anybody().watch(request).await.expect("watched").into_inner();
        stream.message().await.expect("read").expect("an event");
        let first = statements.of_logs();
        assert!(first <= 2, "a page, and one more while the first is on its way");
        let mut last = 1;
        while let Some(message) = stream.message().await.expect("the stream goes on") {
            let Some(api::game::v1::watch_response::Step::Event(event)) = message.step else {
                panic!("with a cursor there are events only")
            };
            last += 1;
            assert_eq!(event.sequence, last);
        }
        assert_eq!(last, MOVES as u64 + 1);
        assert!(first + statements.of_logs() > MOVES / 256, "page by page");
    }
}

#[tokio::test]
async fn a_stream_begins_after_any_event_of_a_log_that_is_packed() {
    for (fixture, _) in fixtures().await {
        let replica = fixture.replica().await;
        let game_id = imported(&fixture, &replica, MOVES).await;
        let end = MOVES as u64 + 1;
        for after in [0, 1, 2, 255, 256, 257, 258, 511, 512, 513, 514, 1000, end - 1, end] {
            let request =
                WatchRequest { game_id: game_id.clone(), after_sequence: Some(after), after_end: false };
            let mut stream = replica.anybody().watch(request).await.expect("watched").into_inner();
            let mut last = after;
            while let Some(message) = stream.message().await.expect("the stream goes on") {
                if let Some(api::game::v1::watch_response::Step::Event(event)) = message.step {
                    last += 1;
                    assert_eq!(event.sequence, last);
                }
            }
            assert_eq!(last, end, "after {after}");
        }
    }
}

#[tokio::test]
async fn who_does_not_play_in_a_long_game_has_its_log_read_neither_by_acts_nor_by_talk() {
    for (fixture, statements) in fixtures().await {
        let (maker, replica) = (fixture.replica().await, fixture.replica().await);
        let id = imported(&fixture, &maker, MOVES).await;
        statements.take();
        let mut chat = ChatServiceClient::new(replica.public_transport());
        for _ in 0..3 {
            let play =
                PlayRequest { game_id: id.clone(), request_id: fixture.id(), ..PlayRequest::default() };
            assert_eq!(refused(replica.caller(&fixture.players[1]).play(play).await), "NOT_A_PLAYER");
            let room = ChatRoom::Spectators as i32;
            let list = ListMessagesRequest { game_id: id.clone(), room, ..ListMessagesRequest::default() };
            chat.list_messages(list).await.expect("listed");
        }
        assert_eq!(statements.of_logs(), 0, "its summary says all that is asked");
    }
}

#[tokio::test]
async fn a_reader_who_stops_reading_is_told_where_to_come_back() {
    for (fixture, _) in fixtures().await {
        let replica = fixture.replica().await;
        let id = imported(&fixture, &replica, MOVES).await;
        let request = WatchRequest { game_id: id, after_sequence: Some(0), after_end: false };
        let mut stream = replica.anybody().watch(request.clone()).await.expect("watched").into_inner();
        stream.message().await.expect("read").expect("an event");
        // As much is on its way as may be: time that leaps would miss the deadline of a statement that is under way.
        tokio::time::sleep(Duration::from_secs(1)).await;
        tokio::time::pause();
        tokio::time::sleep(Duration::from_secs(90)).await;
        tokio::time::resume();
        let mut last = 0;
        let status = loop {
            match stream.message().await {
                Ok(message) => match message.expect("it ends with a word").step {
                    Some(api::game::v1::watch_response::Step::Event(event)) => last = event.sequence,
                    _ => panic!("with a cursor there are events only"),
                },
                Err(status) => break status,
            }
        };
        assert!(last < MOVES as u64, "what was on its way still comes, and no more");
        assert_eq!(api::error::metadata(&status, "sequence"), Some(last.to_string()));
        assert_eq!(refused(Err::<(), _>(status)), "READER_STALLED");
        let again = WatchRequest { after_sequence: Some(last), ..request };
        let mut stream = replica.anybody().watch(again).await.expect("watched").into_inner();
        let step = stream.message().await.expect("read").and_then(|message| message.step);
        let Some(api::game::v1::watch_response::Step::Event(event)) = step else { panic!("an event") };
        assert_eq!(event.sequence, last + 1);
    }
}
