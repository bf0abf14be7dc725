//! The open challenges are told to whoever looks on.
//!
//! Changes are numbered in the transactions that make them. Each replica reads them when it has made one, and every second while
//! somebody looks on; streams are served from what it remembers.

use std::{collections::HashMap, pin::pin, sync::Arc, time::Duration};

use chassis::{
    database::{StoreError, retry_contended},
    id::ChallengeId,
};
use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::Tickets;
use crate::{
    core::{Challenge, ChallengeState, LOBBY_MAX, Lobby, LobbyNews, Sought},
    error::Error,
    store,
};

/// How often a replica looks whether others have changed something, and what has expired.
pub(super) const PERIOD: Duration = Duration::from_secs(1);
/// How long changes are gathered before they are told: a flood of them costs a listener ten messages a second.
const GATHERED: Duration = Duration::from_millis(100);
/// Changes that are read at a time.
const READ: u64 = 1_000;

/// What a replica knows of the open challenges; clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Board {
    /// Nothing until somebody has looked on.
    lobby: Arc<Mutex<Option<Lobby>>>,
    /// Wakes who looks on when more is known.
    changed: Arc<Notify>,
    /// Held by each who looks on.
    watched: Arc<()>,
    /// Whoever reads changes holds it.
    reading: Arc<tokio::sync::Mutex<()>>,
    /// Rung when this replica has made a change.
    pub rung: Arc<Notify>,
}

/// One who looks on.
#[derive(Debug)]
pub(crate) struct LobbyWatch {
    board: Board,
    _watches: Arc<()>,
    sought: Sought,
    number: Option<u64>,
    stop: CancellationToken,
    /// Whether he was told something just now.
    told: bool,
    ended: bool,
}

impl LobbyWatch {
    /// What is open, at once or when something has changed since the number he knows, and then every change; `None` after the end.
    ///
    /// # Errors
    /// When the process is about to stop; nothing comes after that.
    pub(crate) async fn next(&mut self) -> Option<Result<LobbyNews, Error>> {
        if self.ended {
            return None;
        }
        loop {
            if self.told {
                // Whatever happens soon is told together.
                let gathered = tokio::time::sleep(GATHERED);
                if self.stop.run_until_cancelled(gathered).await.is_none() {
                    break;
                }
            }
            // From here on it hears of changes.
            let mut changed = pin!(self.board.changed.notified());
            changed.as_mut().enable();
            let news = match &*self.board.lobby.lock() {
                Some(lobby) => lobby.since(self.number, &self.sought),
                None => LobbyNews::default(),
            };
            self.number = Some(news.number);
            self.told = !news.is_empty();
            if self.told {
                return Some(Ok(news));
            }
            if self.stop.run_until_cancelled(changed).await.is_none() {
                break;
            }
        }
        self.ended = true;
        Some(Err(Error::Stopping))
    }
}

impl Tickets {
    /// Looks on: at those who seek what is sought, from what is known up to a number, or from nothing.
    ///
    /// # Errors
    /// When the process is about to stop, or the database fails.
    pub(crate) async fn watch_lobby(&self, sought: Sought, number: Option<u64>) -> Result<LobbyWatch, Error> {
        if self.stop.is_cancelled() {
            return Err(Error::Stopping);
        }
        let board = self.board.clone();
        // First, so that what happens from now on is heard.
        let watches = Arc::clone(&board.watched);
        self.read_lobby().await?;
        Ok(LobbyWatch {
            board,
            _watches: watches,
            sought,
            number,
            stop: self.stop.clone(),
            told: false,
            ended: false,
        })
    }

    /// Closes what has expired, and reads what has changed if somebody looks on.
    pub(super) async fn tend_lobby(self: Arc<Self>) -> Result<(), StoreError> {
        let now = self.env.now();
        if !store::challenge::expired(self.database.read(), now).await?.is_empty() {
            let closed = retry_contended(|| async {
                let transaction = self.database.begin().await?;
                let closed = store::challenge::expire(&transaction, now).await;
                transaction.finish(closed).await
            });
            closed.await?;
        }
        if Arc::strong_count(&self.board.watched) > 1 { self.read_lobby().await } else { Ok(()) }
    }

    /// Reads what has changed since it was last read, or all when too much has.
    async fn read_lobby(&self) -> Result<(), StoreError> {
        let _reading = self.board.reading.lock().await;
        let on = self.database.read();
        let known = self.board.lobby.lock().as_ref().map(Lobby::up_to);
        // Where nobody has looked on for long, it is cheaper to begin anew.
        let is_near = async |known| Ok::<_, StoreError>(store::lobby::last(on).await? <= known + READ);
        let mut up_to = match known {
            Some(known) if is_near(known).await? => known,
            _ => self.load_lobby().await?,
        };
        loop {
            let changes = store::lobby::after(on, up_to, READ).await?;
            let Some((first, _)) = changes.first() else { break };
            if *first != up_to + 1 {
                // Some were forgotten meanwhile.
                up_to = self.load_lobby().await?;
                break;
            }
            let found = store::challenge::of_ids(on, changes.iter().map(|(_, id)| *id)).await?;
            let found: HashMap<ChallengeId, Challenge> =
                found.into_iter().map(|challenge| (challenge.id, challenge)).collect();
            let now = self.env.now();
            let mut lobby = self.board.lobby.lock();
            let lobby = lobby.get_or_insert_default();
            for (number, id) in &changes {
                let challenge = found.get(id).cloned();
                let is_open = challenge.as_ref().is_some_and(|it| it.state_at(now) == ChallengeState::Open);
                lobby.note(*number, *id, challenge, is_open);
                up_to = *number;
            }
            if (changes.len() as u64) < READ {
                break;
            }
        }
        if known != Some(up_to) {
            self.board.changed.notify_waiters();
        }
        Ok(())
    }

    async fn load_lobby(&self) -> Result<u64, StoreError> {
        let on = self.database.read();
        // First, so that what is opened meanwhile is told again, and not missed.
        let up_to = store::lobby::last(on).await?;
        let mut open = store::challenge::open(on, None, self.env.now(), None, LOBBY_MAX as u64).await?;
        open.reverse();
        *self.board.lobby.lock() = Some(Lobby::of(open, up_to));
        Ok(up_to)
    }
}
