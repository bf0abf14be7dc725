//! The live state in Redis (or Valkey): for any number of processes, survives theirs.
//!
//! Each method is one Lua script or one command, so one round trip. Commands share one connection that comes
//! back by itself; pub/sub has its own (see [`link`]). Redis must not evict keys (`maxmemory-policy
//! noeviction`, its default): a key that is missing among others would make tickets unreadable.

mod codec;
mod deadlines;
mod keys;
mod link;
mod presence;
mod scripts;
mod speaker;
mod tickets;

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{Client, ConnectionInfo};
use tokio::task::JoinHandle;
use uuid::Uuid;

use self::speaker::Speaker;
use crate::fanout::Topics;
use crate::limits::{self, ATTEND_MAX, Limits, MESSAGE_MAX};
use crate::{
    Cancelled, Deadline, Live, LiveError, Moment, NewTicket, Opened, PairProposal, PendingMatch, Quota,
    Subscription, Throttle, Ticket, TicketState, pair,
};

/// How long a command may take before the store counts as not answering; the slowest takes some milliseconds.
const RESPONSE_MAX: Duration = Duration::from_secs(3);
/// How long one attempt to connect may take. The system's second try comes after a second.
const CONNECT_MAX: Duration = Duration::from_secs(2);
/// The longest pause between two attempts to connect.
const RETRY_MAX: Duration = Duration::from_secs(1);
/// Attempts to connect before commands that wait for them fail. The next command starts over.
const RETRIES: usize = 5;

/// The live state in Redis.
pub(crate) struct Remote {
    limits: Limits,
    client: Client,
    connection: RwLock<ConnectionManager>,
    keys: Arc<keys::Keys>,
    scripts: scripts::Scripts,
    topics: Arc<Topics>,
    /// As whom this process publishes.
    speaker: Speaker,
    /// Whether what was last published was not taken in time.
    unheard: AtomicBool,
    link: JoinHandle<()>,
}

impl Remote {
    /// Connects; fails if the server does not answer within some seconds.
    pub(crate) async fn connect(
        info: ConnectionInfo,
        prefix: &str,
        limits: Limits,
    ) -> Result<Self, LiveError> {
        let client = Client::open(info)?;
        let connection = ConnectionManager::new_with_config(client.clone(), managing()).await?;
        let keys = Arc::new(keys::Keys::new(prefix));
        let topics = Topics::linked();
        let speaker = Speaker::new();
        let link = tokio::spawn(link::run(client.clone(), keys.clone(), topics.clone(), speaker));
        Ok(Self {
            limits,
            client,
            connection: RwLock::new(connection),
            keys,
            scripts: scripts::Scripts::new(),
            topics,
            speaker,
            unheard: AtomicBool::default(),
            link,
        })
    }
}

impl Remote {
    /// The connection of all commands.
    fn connection(&self) -> ConnectionManager {
        self.connection.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Gives the connection up. The next command makes another: the manager by itself does so only when the system
    /// tells it that the connection has ended, which of one that died without a word it does not.
    fn connect_anew(&self) {
        match ConnectionManager::new_lazy_with_config(self.client.clone(), managing()) {
            Ok(connection) => {
                *self.connection.write().unwrap_or_else(PoisonError::into_inner) = connection;
            }
            Err(error) => tracing::warn!(%error, "a silent connection to the live state is kept"),
        }
    }
}

/// How connections are made and how long they are waited for.
fn managing() -> ConnectionManagerConfig {
    ConnectionManagerConfig::new()
        .set_response_timeout(Some(RESPONSE_MAX))
        .set_connection_timeout(Some(CONNECT_MAX))
        .set_number_of_retries(RETRIES)
        .set_min_delay(Duration::from_millis(20))
        .set_max_delay(RETRY_MAX)
}

impl Drop for Remote {
    fn drop(&mut self) {
        self.link.abort();
    }
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remote").field("keys", &self.keys).finish_non_exhaustive()
    }
}

#[async_trait]
impl Live for Remote {
    async fn open_ticket(&self, ticket: NewTicket, now: Moment) -> Result<Opened, LiveError> {
        ticket.check()?;
        self.open(ticket.waiting(now)).await
    }

    async fn hold_ticket(&self, id: Uuid, held_until: Moment) -> Result<Option<TicketState>, LiveError> {
        self.hold(id, Some(held_until)).await
    }

    async fn ticket(&self, id: Uuid) -> Result<Option<TicketState>, LiveError> {
        self.hold(id, None).await
    }

    async fn cancel_ticket(&self, id: Uuid, owner: Uuid, now: Moment) -> Result<Cancelled, LiveError> {
        self.cancel(id, owner, now).await
    }

    async fn pools(&self) -> Result<Vec<(String, u32)>, LiveError> {
        self.count_pools().await
    }

    async fn waiting(&self, pool: &str, max: u32) -> Result<Vec<Ticket>, LiveError> {
        limits::name("pool", pool)?;
        self.list_waiting(pool, limits::batch(max)).await
    }

    async fn expire_tickets(&self, now: Moment, max: u32) -> Result<Vec<Uuid>, LiveError> {
        self.expire(now, limits::batch(max)).await
    }

    async fn take_pairs(
        &self,
        pool: &str,
        pairs: &[PairProposal],
        now: Moment,
    ) -> Result<Vec<bool>, LiveError> {
        limits::name("pool", pool)?;
        pair::check(pairs)?;
        self.pair(pool, pairs, now).await
    }

    async fn pending_matches(
        &self,
        now: Moment,
        lease_until: Moment,
        max: u32,
    ) -> Result<Vec<PendingMatch>, LiveError> {
        self.pending(now, lease_until, limits::batch(max)).await
    }

    async fn settle_match(&self, match_id: Uuid) -> Result<bool, LiveError> {
        self.settle(match_id).await
    }

    async fn dissolve_match(&self, match_id: Uuid, refused: &[Uuid], now: Moment) -> Result<bool, LiveError> {
        self.dissolve(match_id, refused, now).await
    }

    async fn set_deadline(&self, deadline: Deadline) -> Result<bool, LiveError> {
        deadline.check()?;
        self.set(&deadline).await
    }

    async fn deadline(&self, queue: &str, key: Uuid) -> Result<Option<Deadline>, LiveError> {
        limits::name("queue", queue)?;
        self.get(queue, key).await
    }

    async fn take_due(
        &self,
        queue: &str,
        now: Moment,
        lease_until: Moment,
        max: u32,
    ) -> Result<Vec<Deadline>, LiveError> {
        limits::name("queue", queue)?;
        self.take(queue, now, lease_until, limits::batch(max)).await
    }

    async fn clear_deadline(&self, queue: &str, key: Uuid, revision: u64) -> Result<bool, LiveError> {
        limits::name("queue", queue)?;
        self.clear(queue, key, revision).await
    }

    async fn next_due(&self, queue: &str) -> Result<Option<Moment>, LiveError> {
        limits::name("queue", queue)?;
        self.next(queue).await
    }

    async fn lease(&self, name: &str, owner: Uuid, now: Moment, until: Moment) -> Result<bool, LiveError> {
        limits::name("lease", name)?;
        self.take_lease(name, owner, now, until).await
    }

    async fn release(&self, name: &str, owner: Uuid) -> Result<bool, LiveError> {
        limits::name("lease", name)?;
        self.give_back(name, owner).await
    }

    async fn publish(&self, topic: &str, message: Bytes) -> Result<(), LiveError> {
        limits::name("topic", topic)?;
        limits::size("message", message.len(), MESSAGE_MAX)?;
        self.topics.send(topic, message.clone());
        self.send(topic, &message).await
    }

    async fn subscribe(&self, topic: &str) -> Result<Subscription, LiveError> {
        limits::name("topic", topic)?;
        self.listen(topic).await
    }

    async fn count(&self, key: &str, quota: Quota, now: Moment) -> Result<Throttle, LiveError> {
        limits::name("throttle", key)?;
        quota.check()?;
        self.count_try(key, quota, now).await
    }

    async fn forgive(&self, key: &str) -> Result<(), LiveError> {
        limits::name("throttle", key)?;
        self.forget_tries(key).await
    }

    async fn attend(
        &self,
        place: &str,
        witness: Uuid,
        members: &[Uuid],
        now: Moment,
        until: Moment,
    ) -> Result<(), LiveError> {
        limits::name("place", place)?;
        limits::size("members", members.len(), ATTEND_MAX)?;
        self.come(place, witness, members, (now, until)).await
    }

    async fn leave(&self, place: &str, witness: Uuid, member: Uuid) -> Result<(), LiveError> {
        limits::name("place", place)?;
        self.go(place, witness, member).await
    }

    async fn attendance(&self, place: &str, now: Moment) -> Result<u32, LiveError> {
        limits::name("place", place)?;
        self.there(place, None, now).await
    }

    async fn attends(&self, place: &str, member: Uuid, now: Moment) -> Result<bool, LiveError> {
        limits::name("place", place)?;
        Ok(self.there(place, Some(member), now).await? > 0)
    }

    async fn prove(&self) -> Result<(), LiveError> {
        self.try_out().await
    }

    fn shared(&self) -> bool {
        true
    }
}
