//! The audit of a database: every log, listed or not, and what is stored beside it.

use api::game::v1::{CreateGameRequest, ImportRecordRequest, PublishImportRequest, Regulations};
use chassis::id::GameId;
use game::audit::Audit;
use sea_orm::ConnectionTrait as _;

use super::fixture::{Fixture, Replica};

/// What an audit finds, by game.
async fn differences(fixture: &Fixture) -> Vec<(String, Vec<String>)> {
    let audit = Audit::new(fixture.database.database.clone());
    let (mut found, mut last) = (Vec::new(), None::<GameId>);
    loop {
        let games = audit.games_after(last).await.expect("read");
        let Some(newest) = games.last() else { return found };
        last = Some(*newest);
        for game in games {
            let audited = audit.game(game).await.expect("read");
            found.push((game.to_string(), audited.differences));
        }
    }
}

/// An id as a database writes it.
fn key(fixture: &Fixture, id: &str) -> String {
    let bytes = fixture.database.kind == "sqlite";
    if bytes { format!("x'{}'", id.replace('-', "")) } else { format!("'{id}'") }
}

/// Spoils a database, and says what an audit finds of a game then.
async fn spoilt(fixture: &Fixture, id: &str, sql: &str) -> String {
    let sql = sql.replace("ID", &key(fixture, id));
    fixture.database.database.write().execute_unprepared(&sql).await.expect("spoilt");
    let found = differences(fixture).await;
    let (_, differences) = found.into_iter().find(|(game, _)| game == id).expect("it is looked at");
    differences.join("; ")
}

async fn import(fixture: &Fixture, replica: &Replica, result: &str) -> String {
    let text = format!("(;GM[1]FF[4]SZ[9]{result};B[cc];W[gg])");
    let request = ImportRecordRequest { variant: "go".to_owned(), text, request_id: fixture.id() };
    let answer = replica.caller(&fixture.players[0]).import_record(request).await.expect("imported");
    answer.into_inner().game.and_then(|game| game.info).expect("a game").id
}

#[tokio::test]
async fn every_log_is_audited_and_what_stands_beside_it_is_held_to_it() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let delayed = |request: &mut CreateGameRequest| {
            let broadcast_delay_duration = Some(api::time::duration(std::time::Duration::from_mins(5)));
            let event_id = fixture.id();
            request.regulations =
                Some(Regulations { event_id, broadcast_delay_duration, ..Regulations::default() });
        };
        let plain = replica.new_game(&fixture).await;
        let broadcast = replica.new_game_with(&fixture, delayed).await;
        let request = api::game::v1::ResignRequest { game_id: broadcast.clone(), request_id: fixture.id() };
        replica.caller(&fixture.players[0]).resign(request).await.expect("resigned");
        let unpublished = import(&fixture, &replica, "").await;
        let published = import(&fixture, &replica, "RE[B+R]").await;
        let won = import(&fixture, &replica, "RE[W+R]").await;
        let publish = PublishImportRequest { game_id: published.clone(), published: true };
        replica.caller(&fixture.players[0]).publish_import(publish).await.expect("published");
        let found = differences(&fixture).await;
        let mut looked_at: Vec<_> = found.iter().map(|(game, _)| game.clone()).collect();
        looked_at.sort();
        let mut all =
            vec![plain.clone(), broadcast.clone(), unpublished.clone(), published.clone(), won.clone()];
        all.sort();
        assert_eq!(looked_at, all, "{}", fixture.database.kind);
        assert!(found.iter().all(|(_, differences)| differences.is_empty()), "{found:?}");

        let cases = [
            (&broadcast, "UPDATE games SET ended_us = ended_us + 1 WHERE id = ID", "its broadcast ended"),
            (&broadcast, "UPDATE games SET delay_us = 7 WHERE id = ID", "the delay of its broadcast"),
            (&plain, "UPDATE games SET event_id = id WHERE id = ID", "its event is stored"),
            (&plain, "UPDATE games SET federation_id = id WHERE id = ID", "its federation is stored"),
            (&published, "UPDATE games SET created_us = 7 WHERE id = ID", "when it was made"),
            (&published, "DELETE FROM games WHERE id = ID", "not among the games"),
            (&plain, "DELETE FROM games WHERE id = ID", "not among the games"),
            (&unpublished, "DELETE FROM imports WHERE game_id = ID", "not among the games"),
            (&broadcast, "DELETE FROM events WHERE game_id = ID", "the log is empty"),
        ];
        // What is shown of one record is now shown of the other.
        let other = format!("SELECT payload FROM summaries WHERE game_id = {}", key(&fixture, &won));
        let swap = format!("UPDATE summaries SET payload = ({other}) WHERE game_id = ID");
        let found = spoilt(&fixture, &published, &swap).await;
        assert!(found.contains("its summary shows something else"), "{}: {found}", fixture.database.kind);
        for (game, sql, expected) in cases {
            let found = spoilt(&fixture, game, sql).await;
            assert!(found.contains(expected), "{}: {sql}: {found}", fixture.database.kind);
        }
    }
}
