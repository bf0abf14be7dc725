//! Takes results: each is entered into the book once, and those that arrive while a transaction is under way share
//! the next one.

use std::collections::{BTreeSet, HashMap};

use chassis::{
    Database, Env, Lifecycle,
    batch::{self, Batcher},
    database::{StoreError, Transaction, retry_contended},
    id::AccountId,
    lifecycle::Aborted,
};

use crate::{
    core::{
        book::{Book, Changes, Contradiction},
        game::Game,
        player_rating::Key,
    },
    error::Error,
    store,
};

/// Games of one transaction at most: enough that the commit no longer counts, few enough that the statements
/// stay below SQLite's 32,766 parameters (2 × 15 a game) and nobody waits long.
const BATCH_MAX: usize = 128;
/// Games that may wait for the next transaction; whoever comes then waits for a place.
const WAITING_MAX: usize = 1024;

/// Where results are handed in; clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Results {
    env: Env,
    games: Batcher<Game, Result<Changes, Error>>,
}

impl Results {
    /// Starts the task that enters them.
    pub(crate) fn start(env: Env, database: Database, lifecycle: &Lifecycle) -> Self {
        let (games, batches) = batch::channel(WAITING_MAX, BATCH_MAX);
        lifecycle.supervise_last(("rating", "writer"), move || {
            let database = database.clone();
            batches.clone().run(move |games| commit(database.clone(), games))
        });
        Results { env, games }
    }

    /// Enters a game, and says what it did. An end in the future (by the clock of another machine) becomes now.
    ///
    /// The game is entered even if the caller no longer waits for the answer.
    ///
    /// # Errors
    /// See [`Error`].
    pub(crate) async fn apply(&self, game: Game) -> Result<Changes, Error> {
        let game = Game { ended: game.ended.min(self.env.now()), ..game };
        self.games.ask(game).await.map_err(|Aborted| StoreError::Stopped)?
    }
}

async fn commit(database: Database, games: Vec<Game>) -> Vec<Result<Changes, Error>> {
    match enter(&database, &games).await {
        Ok(answers) => answers.into_iter().map(|answer| answer.map_err(Error::from)).collect(),
        Err(error) => {
            tracing::error!(
                games = games.len(),
                error = &error as &dyn std::error::Error,
                "rating games failed"
            );
            games.iter().map(|_| Err(error.clone().into())).collect()
        }
    }
}

/// What became of each game.
type Answers = Vec<Result<Changes, Contradiction>>;

/// Enters games, in this order, all in one transaction; nothing is written unless all is.
async fn enter(database: &Database, games: &[Game]) -> Result<Answers, StoreError> {
    retry_contended(|| async {
        let transaction = database.begin().await?;
        let answers = enter_within(&transaction, games).await;
        transaction.finish(answers).await
    })
    .await
}

/// Four statements whatever the number of games: read where the players stand and which games are known, write where
/// they stand now and what the games did. Every transaction locks rows in the same order (ratings before changes, each
/// by key), so that two never wait for each other.
async fn enter_within(on: &Transaction, games: &[Game]) -> Result<Answers, StoreError> {
    let players: BTreeSet<AccountId> =
        games.iter().flat_map(|game| &game.players).map(|player| player.id).collect();
    let mut revisions: HashMap<Key, i64> = HashMap::new();
    let mut ratings = Vec::new();
    for (key, player, revision) in store::rating::of_players(on, players).await? {
        revisions.insert(key.clone(), revision);
        ratings.push((key, player));
    }
    let known = store::change::of_rated(on, games.iter().map(|game| game.id).collect()).await?;
    let mut book = Book::open(known, ratings);
    let answers = games.iter().map(|game| book.enter(game)).collect();
    let moved = book.moved().map(|(key, after)| (key, after, revisions.get(key).unwrap_or(&0) + 1));
    store::rating::write(on, moved).await?;
    store::change::insert(on, book.entered()).await?;
    Ok(answers)
}
