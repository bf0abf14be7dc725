//! A sealed move is nowhere to be found before it is opened: in no answer, no log line, no table.

use std::{
    io::Write,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use api::game::v1::{
    CreateGameRequest, ExportRecordRequest, GetGameRequest, GetSealingKeyRequest, ListCountsRequest,
    ListGamesRequest, ListHintsRequest, WatchRequest, adjournment_step::Step, watch_response,
};
use prost::Message as _;
use sea_orm::{ConnectionTrait as _, Statement};

use super::{
    fixture::{Fixture, Replica},
    meeting::{adjournable, steps},
};

/// What is sealed; it stands nowhere else.
const SECRET: &str = "sesame-7351";
const SEALING: Duration = Duration::from_secs(9);
const PAUSE: Duration = Duration::from_secs(18);

/// All lines of the log.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// All that the public methods tell about a game, to its players and to anybody.
async fn everything(replica: &Replica, fixture: &Fixture, id: &str) -> Vec<u8> {
    let mut seen = Vec::new();
    let callers =
        [replica.caller(&fixture.players[0]), replica.caller(&fixture.players[1]), replica.anybody()];
    for mut games in callers {
        let game_id = id.to_owned();
        let request = GetGameRequest { game_id: game_id.clone() };
        seen.extend(games.get_game(request).await.expect("a game").into_inner().encode_to_vec());
        let listed = games.list_games(ListGamesRequest::default()).await.expect("games");
        seen.extend(listed.into_inner().encode_to_vec());
        let request = ExportRecordRequest { game_id: game_id.clone() };
        seen.extend(games.export_record(request).await.expect("a record").into_inner().encode_to_vec());
        let request = ListCountsRequest { game_id: game_id.clone() };
        seen.extend(games.list_counts(request).await.expect("counts").into_inner().encode_to_vec());
        let request = ListHintsRequest { game_id: game_id.clone(), side: 1 };
        seen.extend(games.list_hints(request).await.expect("hints").into_inner().encode_to_vec());
        let key = games.get_sealing_key(GetSealingKeyRequest {}).await.expect("a key");
        seen.extend(key.into_inner().encode_to_vec());
        for after_sequence in [None, Some(0)] {
            let request = WatchRequest { game_id: game_id.clone(), after_sequence, after_end: false };
            let mut stream = games.watch(request).await.expect("a stream").into_inner();
            let last = replica.look(id).await.state.expect("a state").sequence;
            loop {
                let step = stream.message().await.expect("a step").expect("a step").step.expect("a step");
                let number = match &step {
                    watch_response::Step::Snapshot(_) => last,
                    watch_response::Step::Event(event) => event.sequence,
                    watch_response::Step::Audience(_) | watch_response::Step::Probe(_) => 0,
                };
                seen.extend(
                    api::game::v1::WatchResponse { step: Some(step), ..Default::default() }.encode_to_vec(),
                );
                if number == last {
                    break;
                }
            }
        }
    }
    seen
}

/// The tables of events, as they are.
async fn tables(fixture: &Fixture) -> Vec<u8> {
    let database = fixture.database.database.write();
    let query = Statement::from_string(database.get_database_backend(), "SELECT payload, sealed FROM events");
    let rows = database.query_all_raw(query).await.expect("rows");
    let row = |row: &sea_orm::QueryResult| {
        let payload: Vec<u8> = row.try_get("", "payload").expect("a payload");
        let sealed: Option<String> = row.try_get("", "sealed").expect("a column");
        [payload, sealed.unwrap_or_default().into_bytes()].concat()
    };
    rows.iter().flat_map(row).collect()
}

fn holds(seen: &[u8], secret: &[u8]) -> bool {
    seen.windows(secret.len()).any(|window| window == secret)
}

#[tokio::test]
async fn a_sealed_move_is_nowhere_to_be_found() {
    for fixture in Fixture::all_with_clocks().await {
        let lines = Lines::default();
        let writer = lines.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
            .with_writer(move || writer.clone())
            .finish();
        let _guard = tracing::subscriber::set_default(subscriber);
        let replica = fixture.replica().await;
        let regulate = |request: &mut CreateGameRequest| {
            request.regulations = Some(adjournable(&fixture, SEALING, Some(SEALING + PAUSE)));
        };
        let id = replica.new_game_with(&fixture, regulate).await;
        replica.pass(&fixture, &id, SEALING).await;
        let sealed = replica.sealed(&fixture, &id, SECRET).await;
        let ciphertext = sealed.ciphertext.clone();
        let event = replica.send_sealed(&fixture, &id, 0, sealed).await.expect("sealed");
        replica.pass(&fixture, &id, PAUSE / 2).await;
        let again = fixture.replica().await;
        let mut before = event.encode_to_vec();
        for replica in [&replica, &again] {
            before.extend(everything(replica, &fixture, &id).await);
        }
        let kept = tables(&fixture).await;
        let logged = |lines: &Lines| lines.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let lines_before = logged(&lines);
        assert!(!lines_before.is_empty());
        replica.pass(&fixture, &id, PAUSE / 2).await;
        let log = replica.log(&id).await;
        let Some(Step::MoveOpened(opened)) = steps(&log).into_iter().rev().nth(1) else {
            panic!("it is open")
        };
        assert_eq!(opened.act, SECRET);
        for secret in [SECRET.as_bytes(), &opened.salt] {
            assert!(!holds(&before, secret), "an answer has told it");
            assert!(!holds(&lines_before, secret), "a log line has told it");
            assert!(!holds(&kept, secret), "a table has held it");
            assert!(holds(&everything(&replica, &fixture, &id).await, secret), "now everybody can read it");
        }
        // Nor does the ciphertext go out, which says how long the move is.
        assert!(!holds(&before, &ciphertext[..16]));
    }
}
