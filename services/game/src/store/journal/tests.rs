//! What happens to the neighbours of an append that cannot be written.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use chassis::{
    Env, Lifecycle, Metrics,
    outbox::Outbox,
    testing::{TestDatabase, databases},
};
use futures::future::{join, join_all};
use sea_orm::{ActiveValue::Set, EntityTrait as _};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};
use uuid::Uuid;

use super::{
    super::{Migrator, entity::games},
    Append, Appended, DueTime, Journal, JournalError, NewGame,
};

/// An event over which the writer stumbles.
const STONE: &[u8] = b"a stone in the way";

/// Panics half way through a transaction if it has the stone in it.
pub(super) fn stumble_over(rows: &[&super::events::Model]) {
    assert!(!rows.iter().any(|row| row.payload == STONE), "the writer stumbles");
}

/// Appends that wait together, and so are one batch.
async fn together(test: &TestDatabase, appends: Vec<Append>) -> Vec<Result<Appended, JournalError>> {
    let outbox = Outbox::new(test.database.clone(), Env::system());
    let (journal, writer) = Journal::channel(test.database.clone(), outbox, &Metrics::default());
    let waiting = async {
        let answers = join_all(appends.into_iter().map(|append| journal.append(append))).await;
        drop(journal);
        answers
    };
    join(waiting, writer.run()).await.0
}

fn event(game: Uuid, sequence: i64) -> super::events::Model {
    let payload = format!("event {sequence} of {game}").into_bytes();
    super::events::Model { game_id: game, sequence, request_id: None, payload, sealed: None }
}

fn plain(events: Vec<super::events::Model>, new_game: Option<NewGame>) -> Append {
    let (finishes, broadcast_end_us, due, outbox) = (false, None, DueTime::Kept, Vec::new());
    Append { events, new_game, finishes, broadcast_end_us, due, outbox }
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
        packed: false,
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
        let env = Env::system();
        let (twice, neighbour) = (env.uuid(), env.uuid());
        let begin = |id| plain(vec![event(id, 1), event(id, 2)], Some(new_game(id)));
        let mut answers = together(&test, vec![begin(twice), begin(neighbour), begin(twice)]).await;
        assert_eq!(answers.remove(1), Ok(Appended::Written), "{}", test.kind);
        answers.sort_by_key(|answer| *answer != Ok(Appended::Written));
        assert_eq!(answers, [Ok(Appended::Written), Ok(Appended::Conflict)], "{}", test.kind);
    }
}

#[tokio::test]
async fn what_comes_before_the_last_event_is_in_conflict_also_where_its_number_has_no_row() {
    for test in fresh().await {
        let id = Env::system().uuid();
        // A log of six, of which the last four are one row.
        let begin = plain(vec![event(id, 1), event(id, 2), event(id, 6)], Some(new_game(id)));
        assert_eq!(together(&test, vec![begin]).await, [Ok(Appended::Written)], "{}", test.kind);
        for late in [vec![event(id, 3)], vec![event(id, 4), event(id, 5)], vec![event(id, 5), event(id, 7)]] {
            let answers = together(&test, vec![plain(late.clone(), None)]).await;
            assert_eq!(answers, [Ok(Appended::Conflict)], "{}: {late:?}", test.kind);
        }
        let next = plain(vec![event(id, 7), event(id, 8)], None);
        assert_eq!(together(&test, vec![next]).await, [Ok(Appended::Written)], "{}", test.kind);
        let rows = super::events::Entity::find().all(test.database.read()).await.expect("reads");
        let mut there: Vec<_> = rows.into_iter().map(|row| row.sequence).collect();
        there.sort_unstable();
        assert_eq!(there, [1, 2, 6, 7, 8], "{}", test.kind);
    }
}

#[tokio::test]
async fn only_the_append_that_is_refused_is_told() {
    for test in fresh().await {
        let env = Env::system();
        let (culprit, first, second) = (env.uuid(), env.uuid(), env.uuid());
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
        let env = Env::system();
        let appends = (0..400).map(|_| plain(vec![event(env.uuid(), 1)], None)).collect();
        test.database.clone().close().await;
        let answered = tokio::time::timeout(Duration::from_secs(4), together(&test, appends)).await;
        let answers = answered.expect("the answer comes before a second deadline");
        let unwritten = |answer: &_| *answer == Err(JournalError::Unwritten);
        assert!(answers.iter().all(unwritten), "{}: none is in doubt", test.kind);
        assert!(!test.database.is_writable(), "{}", test.kind);
    }
}

/// What happens to the next COMMIT on a [`Wire`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Loss {
    /// The server has carried it out; its answer is lost.
    Answer,
    /// It never gets to the server.
    Commit,
}

/// A way to a PostgreSQL that is cut at a commit.
struct Wire {
    url: String,
    loss: Arc<Mutex<Option<Loss>>>,
}

impl Wire {
    async fn to(url: &str) -> Self {
        let (rest, name) = url.rsplit_once('/').expect("a URL ends in the name of a database");
        let (user, server) = rest.rsplit_once('@').expect("a URL has a user");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let port = listener.local_addr().expect("it has an address").port();
        let loss: Arc<Mutex<Option<Loss>>> = Arc::default();
        let (server, next) = (server.to_owned(), Arc::clone(&loss));
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let far = TcpStream::connect(&server).await.expect("the server answers");
                let next = Arc::clone(&next);
                tokio::spawn(async move { carry(near, far, &next).await });
            }
        });
        Wire { url: format!("{user}@127.0.0.1:{port}/{name}"), loss }
    }

    fn lose(&self, loss: Loss) {
        *self.loss.lock().expect("nobody panics with it") = Some(loss);
    }
}

/// Carries what is said on a connection, until a commit is to be lost; then it is cut.
async fn carry(mut near: TcpStream, mut far: TcpStream, next: &Mutex<Option<Loss>>) -> std::io::Result<()> {
    let (mut said, mut answered) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    loop {
        tokio::select! {
            biased;
            length = near.read(&mut said) => {
                let said = &said[..length?];
                let commits = said.windows(7).any(|word| word == b"COMMIT\0");
                let loss = if commits { next.lock().expect("nobody panics with it").take() } else { None };
                if said.is_empty() || loss == Some(Loss::Commit) {
                    return Ok(());
                }
                far.write_all(said).await?;
                if loss == Some(Loss::Answer) {
                    // When it answers it has committed.
                    let length = far.read(&mut answered).await?;
                    assert!(length > 0, "it answers");
                    return Ok(());
                }
            }
            length = far.read(&mut answered) => match length? {
                0 => return Ok(()),
                length => near.write_all(&answered[..length]).await?,
            },
        }
    }
}

#[tokio::test]
async fn where_the_answer_to_a_commit_is_lost_the_log_is_read() {
    for test in fresh().await.into_iter().filter(|test| test.kind == "postgres") {
        let wire = Wire::to(&test.url).await;
        let database = chassis::Database::open(&wire.url).await.expect("it opens");
        let env = Env::system();
        let (journal, writer) = Journal::channel(
            database.clone(),
            Outbox::new(database.clone(), env.clone()),
            &Metrics::default(),
        );
        let lifecycle = Lifecycle::new();
        lifecycle.supervise_last(("game", "journal"), move || writer.clone().run());
        // It proves by itself that new connections are good; only then, lest what it writes be cut.
        let proved = async || {
            let keyring = Lifecycle::new();
            database.keep(&keyring, ("game", "database"));
            let proof = async {
                while !database.is_writable() {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            };
            tokio::time::timeout(Duration::from_secs(20), proof).await.expect("new connections are good");
            keyring.drain(Duration::from_secs(5)).await;
        };
        let begin = |id| plain(vec![event(id, 1), event(id, 2)], Some(new_game(id)));
        let [untouched, answer_lost, commit_lost] = [(); 3].map(|()| env.uuid());
        assert_eq!(journal.append(begin(untouched)).await, Ok(Appended::Written));

        wire.lose(Loss::Answer);
        assert_eq!(journal.append(begin(answer_lost)).await, Ok(Appended::Written), "it stands in the log");
        proved().await;
        assert_eq!(journal.append(begin(answer_lost)).await, Ok(Appended::Conflict), "it stands there once");

        wire.lose(Loss::Commit);
        assert_eq!(journal.append(begin(commit_lost)).await, Err(JournalError::Failed));
        proved().await;
        assert_eq!(journal.append(begin(commit_lost)).await, Ok(Appended::Written), "it did not stand there");

        let mut there: Vec<_> = super::events::Entity::find()
            .all(test.database.read())
            .await
            .expect("reads")
            .into_iter()
            .map(|row| (row.game_id, row.sequence))
            .collect();
        there.sort_unstable();
        let mut expected: Vec<_> =
            [untouched, answer_lost, commit_lost].into_iter().flat_map(|id| [(id, 1), (id, 2)]).collect();
        expected.sort_unstable();
        assert_eq!(there, expected);
        drop(journal);
        lifecycle.drain(Duration::from_secs(5)).await;
    }
}

#[tokio::test]
async fn a_journal_that_panics_goes_on_and_has_acknowledged_nothing_that_is_not_written() {
    for test in fresh().await {
        let (env, lifecycle) = (Env::system(), Lifecycle::new());
        let outbox = Outbox::new(test.database.clone(), env.clone());
        let (journal, writer) = Journal::channel(test.database.clone(), outbox, &Metrics::default());
        let [first, stone, beside, second] = [(); 4].map(|()| env.uuid());
        let begin = |id| plain(vec![event(id, 1)], Some(new_game(id)));
        let mut culprit = begin(stone);
        STONE.clone_into(&mut culprit.events[0].payload);
        // They wait before there is a task, and so are one batch.
        let batch = join(journal.append(culprit), journal.append(begin(beside)));
        let starting = async {
            tokio::task::yield_now().await;
            lifecycle.supervise_last(("game", "journal"), move || writer.clone().run());
        };
        let (answers, ()) = join(batch, starting).await;
        assert_eq!(answers, (Err(JournalError::Failed), Err(JournalError::Failed)), "{}", test.kind);
        for game in [first, second] {
            let answer = tokio::time::timeout(Duration::from_secs(10), journal.append(begin(game))).await;
            assert_eq!(answer.expect("somebody writes"), Ok(Appended::Written), "{}", test.kind);
        }
        assert_eq!(lifecycle.health().panics()[&("game", "journal")], 1);
        assert!(lifecycle.health().is_ready("game"), "one panic is an accident");
        let rows = super::events::Entity::find().all(test.database.read()).await.expect("reads");
        let mut there: Vec<_> = rows.into_iter().map(|row| row.game_id).collect();
        there.sort_unstable();
        let mut expected = vec![first, second];
        expected.sort_unstable();
        assert_eq!(there, expected, "{}: what was not acknowledged is not there", test.kind);
        // What was in the way can be tried again.
        assert_eq!(journal.append(begin(beside)).await, Ok(Appended::Written), "{}", test.kind);
        drop(journal);
        lifecycle.drain(Duration::from_secs(5)).await;
    }
}
