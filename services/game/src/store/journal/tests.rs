//! What happens to the neighbours of an append that cannot be written.

use std::time::Duration;

use chassis::{
    Ambient,
    outbox::Outbox,
    testing::{TestDatabase, databases},
};
use futures::future::{join, join_all};
use sea_orm::{ActiveValue::Set, EntityTrait as _};
use uuid::Uuid;

use super::{
    super::{Migrator, entity::games},
    Append, Appended, DueTime, Journal, JournalError, NewGame,
};

/// Appends that wait together, and so are one batch.
async fn together(test: &TestDatabase, appends: Vec<Append>) -> Vec<Result<Appended, JournalError>> {
    let outbox = Outbox::new(test.database.clone(), Ambient::system());
    let (journal, write) = Journal::channel(test.database.clone(), outbox);
    let waiting = async {
        let answers = join_all(appends.into_iter().map(|append| journal.append(append))).await;
        drop(journal);
        answers
    };
    join(waiting, write).await.0
}

fn event(game: Uuid, sequence: i64) -> super::events::Model {
    let payload = format!("event {sequence} of {game}").into_bytes();
    super::events::Model { game_id: game, sequence, request_id: None, payload, sealed: None }
}

fn plain(events: Vec<super::events::Model>, new_game: Option<NewGame>) -> Append {
    let (finishes, broadcast_end_us, due, owed) = (false, None, DueTime::Kept, Vec::new());
    Append { events, new_game, finishes, broadcast_end_us, due, owed }
}

fn new_game(id: Uuid) -> NewGame {
    games::Model {
        id,
        variant: "go".to_owned(),
        first_account: None,
        second_account: None,
        finished: false,
        created_us: 1,
        due_us: None,
        delay_us: 0,
        ended_us: None,
        event_id: None,
        federation_id: None,
    }
}

async fn fresh() -> Vec<TestDatabase> {
    let fresh = databases().await;
    for test in &fresh {
        test.database.migrate::<Migrator>().await.expect("the tables are made");
    }
    fresh
}

#[tokio::test]
async fn a_game_that_is_made_twice_in_one_batch_is_made_once_and_its_neighbours_are_written() {
    for test in fresh().await {
        let ambient = Ambient::system();
        let (twice, neighbour) = (ambient.uuid(), ambient.uuid());
        let begin = |id| plain(vec![event(id, 1), event(id, 2)], Some(new_game(id)));
        let mut answers = together(&test, vec![begin(twice), begin(neighbour), begin(twice)]).await;
        assert_eq!(answers.remove(1), Ok(Appended::Written), "{}", test.kind);
        answers.sort_by_key(|answer| *answer != Ok(Appended::Written));
        assert_eq!(answers, [Ok(Appended::Written), Ok(Appended::Conflict)], "{}", test.kind);
    }
}

#[tokio::test]
async fn only_the_append_that_is_refused_is_told() {
    for test in fresh().await {
        let ambient = Ambient::system();
        let (culprit, first, second) = (ambient.uuid(), ambient.uuid(), ambient.uuid());
        // A game without a log: its row is in the way of the new one.
        let row = games::ActiveModel { id: Set(culprit), ..new_game(culprit).into() };
        games::Entity::insert(row).exec_without_returning(test.database.write()).await.expect("inserts");
        let begin = |id| plain(vec![event(id, 1)], Some(new_game(id)));
        let answers = together(&test, vec![begin(first), begin(culprit), begin(second)]).await;
        assert!(answers[1].is_err(), "{}: {answers:?}", test.kind);
        assert_eq!(answers[0], Ok(Appended::Written), "{}", test.kind);
        assert_eq!(answers[2], Ok(Appended::Written), "{}", test.kind);
        assert!(test.database.is_writable(), "{}: a refusal says nothing of the database", test.kind);
    }
}

#[tokio::test]
async fn a_database_that_fails_is_not_asked_for_each_append() {
    for test in fresh().await {
        let ambient = Ambient::system();
        let appends = (0..400).map(|_| plain(vec![event(ambient.uuid(), 1)], None)).collect();
        test.database.clone().close().await;
        let answered = tokio::time::timeout(Duration::from_secs(4), together(&test, appends)).await;
        let answers = answered.expect("the answer comes before a second deadline");
        assert!(answers.iter().all(Result::is_err), "{}", test.kind);
        assert!(!test.database.is_writable(), "{}", test.kind);
    }
}
