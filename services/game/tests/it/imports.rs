//! Imported records: whose they are, how many there may be, who finds them, and what becomes of the names in them.

use api::game::v1::{
    ChatRoom, DeleteImportRequest, Game, GameStatus, GetGameRequest, ImportRecordRequest, ListGamesRequest,
    ListImportsRequest, ListImportsResponse, ListMessagesRequest, PublishImportRequest, SendMessageRequest,
    WatchRequest, chat_service_client::ChatServiceClient,
};
use chassis::{
    auth::Caller,
    testing::{as_account, player},
};
use sea_orm::{ConnectionTrait as _, Statement};
use tonic::Status;

use super::{
    fixture::{Fixture, Replica, refused},
    long::long_record,
};

const SHORT: &str = "(;GM[1]FF[4]SZ[9];B[ee];W[cc])";

async fn import(replica: &Replica, who: &Caller, text: &str, request_id: String) -> Result<Game, Status> {
    let request = ImportRecordRequest { variant: "go".to_owned(), text: text.to_owned(), request_id };
    Ok(replica.caller(who).import_record(request).await?.into_inner().game.expect("a game"))
}

fn id_of(game: &Game) -> String {
    game.info.as_ref().expect("an info").id.clone()
}

async fn imports(replica: &Replica, who: &Caller) -> ListImportsResponse {
    let request = ListImportsRequest::default();
    replica.caller(who).list_imports(request).await.expect("listed").into_inner()
}

async fn delete(replica: &Replica, who: &Caller, game_id: &str) -> Result<(), Status> {
    let request = DeleteImportRequest { game_id: game_id.to_owned() };
    replica.caller(who).delete_import(request).await.map(drop)
}

async fn publish(replica: &Replica, who: &Caller, game_id: &str, published: bool) -> Result<(), Status> {
    let request = PublishImportRequest { game_id: game_id.to_owned(), published };
    replica.caller(who).publish_import(request).await.map(drop)
}

/// The imports in public lists.
async fn listed(replica: &Replica) -> Vec<String> {
    let mut ids = Vec::new();
    for status in [GameStatus::Unspecified, GameStatus::Finished, GameStatus::Running] {
        let request = ListGamesRequest { status: status as i32, ..ListGamesRequest::default() };
        let games = replica.anybody().list_games(request).await.expect("listed").into_inner().games;
        ids.extend(games.iter().map(id_of));
    }
    ids
}

#[tokio::test]
async fn an_account_keeps_so_many_records_and_no_more() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let guest = Caller { guest: true, ..player(&fixture.env, "guest") };
        let mut kept = Vec::new();
        for _ in 0..20 {
            kept.push(id_of(&import(&replica, &guest, SHORT, fixture.id()).await.expect("imported")));
        }
        assert_eq!(refused(import(&replica, &guest, SHORT, fixture.id()).await), "IMPORT_QUOTA");
        let unread = import(&replica, &guest, "no record at all", fixture.id()).await;
        assert_eq!(refused(unread), "IMPORT_QUOTA", "what has no room is not played through");
        import(&replica, &fixture.players[0], SHORT, fixture.id())
            .await
            .expect("others have their own quota");
        delete(&replica, &guest, &kept[3]).await.expect("deleted");
        import(&replica, &guest, SHORT, fixture.id()).await.expect("there is room again");
        let used = imports(&replica, &guest).await.used.expect("an amount");
        assert_eq!((used.records, used.bytes), (20, 20 * SHORT.len() as u64));
    }
}

#[tokio::test]
async fn an_account_keeps_so_many_bytes_and_no_more() {
    let long = format!("{}{}", " ".repeat(600 * 1024), SHORT);
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let guest = Caller { guest: true, ..player(&fixture.env, "guest") };
        import(&replica, &guest, &long, fixture.id()).await.expect("imported");
        assert_eq!(refused(import(&replica, &guest, &long, fixture.id()).await), "IMPORT_QUOTA");
        import(&replica, &guest, SHORT, fixture.id()).await.expect("a short one has room");
    }
}

#[tokio::test]
async fn imports_are_listed_to_their_owner_and_to_nobody_else_until_published() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let [owner, other] = &fixture.players;
        let mut ids = Vec::new();
        for _ in 0..3 {
            fixture.time.advance(std::time::Duration::from_millis(5));
            ids.insert(0, id_of(&import(&replica, owner, SHORT, fixture.id()).await.expect("imported")));
        }
        let mut found = Vec::new();
        let mut page_token = String::new();
        loop {
            let request = ListImportsRequest { page_size: 2, page_token };
            let page = replica.caller(owner).list_imports(request).await.expect("listed").into_inner();
            found.extend(page.imports.into_iter().map(|import| import.game_id));
            page_token = page.next_page_token;
            if page_token.is_empty() {
                break;
            }
        }
        assert_eq!(found, ids);
        assert!(imports(&replica, other).await.imports.is_empty());
        assert!(listed(&replica).await.is_empty());
        assert_eq!(replica.look(&ids[0]).await.acts.len(), 2, "who knows its id can read it");
        assert_eq!(refused(publish(&replica, other, &ids[1], true).await), "NOT_YOUR_IMPORT");
        for _ in 0..2 {
            publish(&replica, owner, &ids[1], true).await.expect("published");
            assert_eq!(listed(&replica).await, [ids[1].clone(), ids[1].clone()]);
        }
        assert_eq!(
            imports(&replica, owner).await.imports.iter().filter(|import| import.published).count(),
            1
        );
        publish(&replica, owner, &ids[1], false).await.expect("withdrawn");
        assert!(listed(&replica).await.is_empty());
    }
}

#[tokio::test]
async fn what_its_owner_deletes_is_gone_everywhere() {
    for fixture in Fixture::all().await {
        let (one, two) = (fixture.replica().await, fixture.replica().await);
        let [owner, other] = &fixture.players;
        let request = fixture.id();
        let id = id_of(&import(&one, owner, SHORT, request.clone()).await.expect("imported"));
        publish(&one, owner, &id, true).await.expect("published");
        for replica in [&one, &two] {
            assert_eq!(replica.look(&id).await.acts.len(), 2);
        }
        assert_eq!(refused(delete(&two, other, &id).await), "NOT_YOUR_IMPORT");
        delete(&one, owner, &id).await.expect("deleted");
        delete(&one, owner, &id).await.expect("deleted already");
        for replica in [&one, &two] {
            let get = GetGameRequest { game_id: id.clone() };
            assert_eq!(refused(replica.anybody().get_game(get).await), "UNKNOWN_GAME");
            let watch = WatchRequest { game_id: id.clone(), after_sequence: Some(0), after_end: false };
            assert_eq!(refused(replica.anybody().watch(watch).await.map(drop)), "UNKNOWN_GAME");
            assert!(listed(replica).await.is_empty());
        }
        assert!(imports(&two, owner).await.imports.is_empty());
        let again = import(&two, owner, SHORT, request).await.expect("imported anew");
        assert_eq!(id_of(&again), id);
        let played = one.new_game(&fixture).await;
        assert_eq!(refused(delete(&one, owner, &played).await), "NOT_YOUR_IMPORT");
    }
}

#[tokio::test]
async fn what_was_said_about_an_import_is_deleted_with_it() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let (owner, request) = (&fixture.players[0], fixture.id());
        let game_id = id_of(&import(&replica, owner, SHORT, request.clone()).await.expect("imported"));
        let mut chat = ChatServiceClient::new(as_account(replica.public_transport(), owner.clone()));
        let room = ChatRoom::Spectators as i32;
        let message = SendMessageRequest {
            game_id: game_id.clone(),
            room,
            text: "a fine game".to_owned(),
            request_id: fixture.id(),
        };
        chat.send_message(message).await.expect("sent");
        let list = ListMessagesRequest { game_id: game_id.clone(), room, ..ListMessagesRequest::default() };
        let said = chat.list_messages(list.clone()).await.expect("listed").into_inner().messages;
        assert_eq!(said.len(), 1);
        delete(&replica, owner, &game_id).await.expect("deleted");
        assert_eq!(refused(chat.list_messages(list.clone()).await), "UNKNOWN_GAME");
        import(&replica, owner, SHORT, request).await.expect("imported anew");
        let said = chat.list_messages(list).await.expect("listed").into_inner().messages;
        assert_eq!(said, [], "nothing is left of it");
    }
}

#[tokio::test]
async fn a_request_id_that_was_another_record_is_refused() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let (owner, request) = (&fixture.players[0], fixture.id());
        let game = import(&replica, owner, SHORT, request.clone()).await.expect("imported");
        let again = import(&replica, owner, SHORT, request.clone()).await.expect("known");
        assert_eq!(game, again);
        for other in ["(;GM[1]FF[4]SZ[9];B[ee];W[cd])", "(;GM[1]FF[4]SZ[9];B[ee];W[cc] )"] {
            assert_eq!(refused(import(&replica, owner, other, request.clone()).await), "REQUEST_ID_REUSED");
        }
        let elsewhere = import(&fixture.replica().await, &fixture.players[1], SHORT, request).await;
        assert_ne!(id_of(&elsewhere.expect("another's request")), id_of(&game));
    }
}

#[tokio::test]
async fn names_of_records_are_cleaned_and_cannot_be_those_of_accounts() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let names = [
            ("first", "“first”"),
            ("a\u{202e}b\u{200b} \n\t c\u{7}", "“ab c”"),
            ("“first”", "“first”"),
            ("\u{2066}\u{feff}", "Black"),
            ("阿旺", "“阿旺”"),
        ];
        for (written, shown) in names {
            let text = format!("(;GM[1]FF[4]SZ[9]PB[{written}];B[ee];W[cc])");
            let game = import(&replica, &fixture.players[0], &text, fixture.id()).await.expect("imported");
            let first = game.info.clone().and_then(|info| info.first).expect("a seat");
            assert_eq!((first.name.as_str(), first.account_id.as_str()), (shown, ""));
            let export = api::game::v1::ExportRecordRequest { game_id: id_of(&game) };
            let text = replica.anybody().export_record(export).await.expect("exported").into_inner().text;
            assert!(!text.contains('“'), "{text}");
        }
        let long = format!("(;GM[1]FF[4]SZ[9]PB[{}];B[ee])", "x".repeat(5000));
        let game = import(&replica, &fixture.players[0], &long, fixture.id()).await.expect("imported");
        let first = game.info.and_then(|info| info.first).expect("a seat");
        assert_eq!(first.name.chars().count(), 66);
    }
}

#[tokio::test]
async fn a_record_takes_little_more_than_its_text() {
    let text = long_record(2000);
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let game = import(&replica, &fixture.players[0], &text, fixture.id()).await.expect("imported");
        assert_eq!(game.acts.len(), 2000);
        let database = fixture.database.database.read();
        let size = "SELECT CAST(SUM(LENGTH(payload)) AS bigint) AS size FROM events";
        let row = database.query_one_raw(Statement::from_string(database.get_database_backend(), size)).await;
        let size: i64 = row.expect("answered").expect("a row").try_get("", "size").expect("a sum");
        let size = usize::try_from(size).expect("no sum of lengths is negative");
        assert!(size < 5 * text.len(), "{size} bytes for a text of {}", text.len());
    }
}

#[tokio::test]
async fn records_from_before_they_were_packed_are_read_as_ever() {
    let text = long_record(600);
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let (owner, request) = (&fixture.players[0], fixture.id());
        let game = import(&replica, owner, &text, request.clone()).await.expect("imported");
        let shown = replica.look(&id_of(&game)).await;
        // As it was written then: a row an event, and nobody's.
        let database = fixture.database.database.write();
        let backend = database.get_database_backend();
        let query = Statement::from_string(backend, "SELECT game_id, payload FROM events ORDER BY sequence");
        let mut events = Vec::new();
        let mut id = None;
        for row in database.query_all_raw(query).await.expect("read") {
            id = Some(row.try_get::<uuid::Uuid>("", "game_id").expect("an id"));
            let payload: Vec<u8> = row.try_get("", "payload").expect("bytes");
            events.extend(game::history::events_of_row(&payload).expect("ours"));
        }
        for table in ["events", "imports", "summaries"] {
            database.execute_unprepared(&format!("DELETE FROM {table}")).await.expect("deleted");
        }
        let insert = match backend {
            sea_orm::DbBackend::Postgres => {
                "INSERT INTO events (game_id, sequence, payload) VALUES ($1, $2, $3)"
            }
            _ => "INSERT INTO events (game_id, sequence, payload) VALUES (?, ?, ?)",
        };
        for event in events {
            let values = [
                id.expect("a game").into(),
                i64::try_from(event.sequence).expect("small").into(),
                prost::Message::encode_to_vec(&event).into(),
            ];
            let row = Statement::from_sql_and_values(backend, insert, values);
            database.execute_raw(row).await.expect("inserted");
        }
        let replica = fixture.replica().await;
        assert!(replica.look(&id_of(&game)).await == shown);
        let again = import(&replica, owner, &text, request.clone()).await.expect("known");
        assert!(again == game);
        assert_eq!(refused(import(&replica, owner, SHORT, request).await), "REQUEST_ID_REUSED");
        assert_eq!(refused(delete(&replica, owner, &id_of(&game)).await), "NOT_YOUR_IMPORT");
    }
}
