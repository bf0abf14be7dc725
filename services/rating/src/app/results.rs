//! Takes results: each is entered into the book once, and those that arrive while a transaction is under way share
//! the next one.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chassis::{
    Database, Env, Lifecycle,
    batch::{self, Batcher},
    database::{StoreError, Transaction, retry_contended},
    id::{AccountId, GameId},
    lifecycle::Aborted,
    outbox::PARCEL,
};
use rules::Verdict;
use time::OffsetDateTime;
use uuid::Uuid;

use super::replay::{Late, replay};
use crate::{
    core::{
        advantage::Advantages,
        book::{Book, Changes},
        category::Category,
        game::{Game, Place},
        glicko2::Rating,
        player_rating::{Key, PlayerRating},
        seed::seed,
        telling::{Contradiction, Telling},
    },
    error::Error,
    store,
};

/// What whoever rates games waits for his turn by.
pub(super) const RATING: Uuid = Uuid::from_u128(0x7261_7465_5f67_616d_6573);
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
        let (games, batches) = batch::channel(WAITING_MAX, PARCEL);
        let clock = env.clone();
        lifecycle.supervise_last(("rating", "writer"), move || {
            let (database, clock) = (database.clone(), clock.clone());
            batches.clone().run(move |games| commit(database.clone(), clock.clone(), games))
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

async fn commit(database: Database, env: Env, games: Vec<Game>) -> Vec<Result<Changes, Error>> {
    match enter(&database, &games, env.now()).await {
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

/// Enters tellings of games, all in one transaction; nothing is written unless all is.
async fn enter(database: &Database, told: &[Game], now: OffsetDateTime) -> Result<Answers, StoreError> {
    retry_contended(|| async {
        let transaction = database.begin().await?;
        let answers = enter_within(&transaction, told, now).await;
        transaction.finish(answers).await
    })
    .await
}

/// A few statements whatever the number of games, unless some come late or are corrected. Ratings follow from all games in
/// their order: whoever rates makes the others wait, so that no game is missed that is being entered.
async fn enter_within(on: &Transaction, told: &[Game], now: OffsetDateTime) -> Result<Answers, StoreError> {
    on.await_turn(RATING).await?;
    let news = News::of(told, store::game::known(on, told.iter().map(|game| game.id)).await?);
    store::game::insert(on, news.first.values()).await?;
    store::correction::insert(on, &news.corrected.values().collect::<Vec<_>>(), now).await?;
    let advantages = Advantages::new(store::advantage::all(on).await?);
    let (mut did, late) = rate_next(on, &news, &advantages).await?;
    if !late.is_empty() {
        replay(on, &late, &advantages).await?;
        // What was just done may have been done anew.
        did.clear();
    }
    let others: BTreeSet<GameId> =
        told.iter().map(|game| game.id).filter(|game| !did.contains_key(game)).collect();
    if !others.is_empty() {
        let others = store::change::of_rated(on, others).await?;
        did.extend(others.into_iter().map(|changes| (changes[0].game, changes)));
    }
    let answer = |(game, heard): (&Game, Result<(), Contradiction>)| match heard {
        Ok(()) => did.get(&game.id).cloned().map(Ok).ok_or(StoreError::Corrupt("rating_changes")),
        Err(contradiction) => Ok(Err(contradiction)),
    };
    told.iter().zip(news.heard).map(answer).collect()
}

/// Rates those games that are the next of both their players, in their order, and says what they did; the others come late.
async fn rate_next(
    on: &Transaction,
    news: &News,
    advantages: &Advantages,
) -> Result<(HashMap<GameId, Changes>, Late), StoreError> {
    let players: BTreeSet<AccountId> =
        news.first.values().flat_map(|game| &game.players).map(|player| player.id).collect();
    let (mut book, mut revisions) = (Book::new(advantages.clone()), HashMap::new());
    let mut begun = Begun::default();
    for (key, rating) in store::seed::of_players(on, players.clone()).await? {
        book.seed(key, rating);
    }
    for (key, player, revision) in store::rating::of_players(on, players).await? {
        revisions.insert(key.clone(), revision);
        begun.note(&key);
        book.set(key, player);
    }
    let (mut did, mut moved, mut late) = (HashMap::new(), BTreeSet::new(), Late::new());
    let mut put_aside = |game: &Game| {
        late.entry(game.category.clone()).or_default().insert(game.place(), game.clone());
    };
    for game in news.first.values() {
        let keys = game.keys();
        begun.with(game, &mut book);
        if keys.iter().any(|key| book.rating(key).updated.is_some_and(|last| last >= game.ended)) {
            put_aside(game);
            continue;
        }
        did.insert(game.id, book.rate(game));
        if game.verdict() != Verdict::Void {
            moved.extend(keys);
        }
    }
    news.corrected.values().for_each(put_aside);
    store::seed::insert(on, &begun.new).await?;
    let stand = moved.iter().map(|key| (key.clone(), book.rating(key))).collect::<Vec<_>>();
    let ratings = stand.iter().map(|(key, player)| (key, player, revisions.get(key).unwrap_or(&0) + 1));
    store::rating::write(on, ratings).await?;
    store::change::write(on, did.values().flatten()).await?;
    Ok((did, late))
}

/// Who has begun where, and with what.
#[derive(Default)]
struct Begun {
    /// The categories in which players have ratings.
    played: HashMap<AccountId, BTreeSet<Category>>,
    /// With what they begin by these games.
    new: Vec<(Key, Rating, GameId)>,
}

impl Begun {
    fn note(&mut self, key: &Key) {
        self.played.entry(key.account).or_default().insert(key.category.clone());
    }

    /// Has those of a game's players begin who have not: with what they have of something alike.
    fn with(&mut self, game: &Game, book: &mut Book) {
        for key in game.keys() {
            if book.knows(&key) || book.is_seeded(&key) {
                continue;
            }
            let played = self.played.get(&key.account).into_iter().flatten();
            let has: Vec<(&Category, PlayerRating)> = played
                .map(|category| (category, book.rating(&Key { category: category.clone(), ..key.clone() })))
                .collect();
            let has = has.iter().map(|(category, player)| (*category, player));
            if let Some(rating) = seed(&key.category, has, game.ended) {
                book.seed(key.clone(), rating);
                self.new.push((key.clone(), rating, game.id));
            }
            self.note(&key);
        }
    }
}

/// What tellings add to what is known.
struct News {
    /// Games that are told for the first time, in their order.
    first: BTreeMap<Place, Game>,
    /// Games that are corrected, as they are from now on.
    corrected: BTreeMap<Place, Game>,
    /// What each telling is.
    heard: Vec<Result<(), Contradiction>>,
}

impl News {
    fn of(told: &[Game], mut known: HashMap<GameId, Game>) -> News {
        let mut news = News { first: BTreeMap::new(), corrected: BTreeMap::new(), heard: Vec::new() };
        for game in told {
            let heard = Telling::of(game, known.get(&game.id)).map(|telling| {
                let game = match telling {
                    Telling::Repeats => return,
                    Telling::First => game.clone(),
                    Telling::Corrects(game) => game,
                };
                // Told and corrected at once it is told for the first time, as it is from now on.
                let place = game.place();
                let is_new = !known.contains_key(&game.id) || news.first.contains_key(&place);
                known.insert(game.id, game.clone());
                let of = if is_new { &mut news.first } else { &mut news.corrected };
                of.insert(place, game);
            });
            news.heard.push(heard);
        }
        news
    }
}
