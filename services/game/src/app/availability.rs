//! The heartbeat: keeps the record of when players could act, and finds the outages in it.

use std::{
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering},
    },
    time::Duration,
};

use api::{
    clock::v1::{PingRequest, clock_internal_service_client::ClockInternalServiceClient},
    transport::Transport,
};
use chassis::{Database, Env, Health, Throttle, health::PartName};
use time::OffsetDateTime;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::{
    app::unpublished::Unpublished,
    error::{Error, Result},
    store::{GAP_MIN, Outage, availability, from_micros, micros},
};

/// Time between two heartbeats. What was played after the last one before an outage is given back too much, a quarter of a
/// second at most: this, and what it takes to write one on a busy machine.
const INTERVAL: Duration = Duration::from_millis(200);
/// A player is charged without a new heartbeat if the last one is not older.
const FRESH: Duration = GAP_MIN.checked_div(2).expect("two is not zero");
/// A clock that is set back by less than this is being adjusted, not set.
const JUMP_MIN: time::Duration = time::Duration::milliseconds(500);
/// Outages are remembered this long; no game sleeps in memory longer without being told.
const MEMORY: time::Duration = time::Duration::days(2);

/// How the clocks do, for the game service.
const CLOCKS: PartName = ("game", "clocks");

/// How it is known that players can reach the platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ingress {
    /// From the gateways, where there are any.
    Internal,
    /// A player has, through a gateway.
    Gateway,
    /// A player has, without one.
    Direct,
}

impl Ingress {
    /// How a request of somebody's did.
    pub(crate) fn of(extensions: &tonic::Extensions) -> Self {
        if chassis::auth::through_gateway(extensions) { Ingress::Gateway } else { Ingress::Direct }
    }
}

/// Whether players can act, and when they could not.
pub(crate) struct Heartbeat {
    env: Env,
    database: Database,
    clock: ClockInternalServiceClient<Transport>,
    health: Health,
    /// Up to when it is known that players could act.
    last: RwLock<Option<OffsetDateTime>>,
    /// When an act was last taken here, in microseconds.
    taken_us: AtomicI64,
    /// What could not be told.
    pub(crate) unpublished: Unpublished,
    /// Held by whoever writes one.
    turn: tokio::sync::Mutex<()>,
    /// Whether a gateway was known at the last heartbeat.
    gateways: AtomicBool,
    outages: RwLock<Vec<Outage>>,
    /// How many were found, and how long they were together, in microseconds.
    found: (AtomicU64, AtomicU64),
}

/// Compares the machine's clock with time that only goes on.
struct ClockWatch {
    clock: OffsetDateTime,
    since: Instant,
}

impl ClockWatch {
    fn new(now: OffsetDateTime) -> Self {
        ClockWatch { clock: now, since: Instant::now() }
    }

    /// By how much the clock has jumped back since it was last looked at, if by so much that somebody should know.
    fn jump_back(&mut self, now: OffsetDateTime) -> Option<time::Duration> {
        let expected = self.clock + self.since.elapsed();
        *self = ClockWatch::new(now);
        Some(expected - now).filter(|back| *back > JUMP_MIN)
    }
}

impl Heartbeat {
    pub(crate) fn new(
        env: Env,
        database: Database,
        clock: ClockInternalServiceClient<Transport>,
        health: Health,
    ) -> Self {
        let unpublished = Unpublished::new(env.clone(), database.clone());
        Heartbeat {
            env,
            database,
            clock,
            health,
            last: RwLock::default(),
            taken_us: AtomicI64::default(),
            unpublished,
            turn: tokio::sync::Mutex::default(),
            gateways: AtomicBool::default(),
            outages: RwLock::default(),
            found: Default::default(),
        }
    }

    /// How many outages were found since the start, and how long they were together.
    pub(super) fn found(&self) -> (u64, Duration) {
        let (count, together_us) = &self.found;
        (count.load(Ordering::Relaxed), Duration::from_micros(together_us.load(Ordering::Relaxed)))
    }

    /// Makes sure that no outage up to now is unknown. Whoever is about to charge a player must ask first:
    /// the first call after an outage must not be charged for it.
    ///
    /// # Errors
    /// When the clocks or the database do not answer, or no gateway is up: players cannot act now.
    pub(crate) async fn ensure_current(&self, ingress: Ingress) -> Result<()> {
        if ingress == Ingress::Direct && self.gateways.load(Ordering::Relaxed) {
            availability::forget_gateway(self.database.write()).await?;
            self.gateways.store(false, Ordering::Relaxed);
        }
        self.ensure_younger(FRESH, ingress).await
    }

    /// A gateway is up and reaches this replica, which writes a heartbeat for it. It has its word only if a move of a player who
    /// comes through there could be taken here: that another replica still could is of no use to him.
    ///
    /// # Errors
    /// When the clocks or the database do not answer.
    pub(crate) async fn gateway(&self) -> Result<()> {
        let _turn = self.turn.lock().await;
        self.prove().await?;
        let now = self.env.now();
        availability::gateway(self.database.write(), now).await?;
        self.gateways.store(true, Ordering::Relaxed);
        self.heartbeat(now).await
    }

    /// The outages that ended after a moment and are not long past, in order.
    pub(crate) fn outages_after(&self, moment: OffsetDateTime) -> Vec<Outage> {
        let outages = self.outages.read().unwrap_or_else(PoisonError::into_inner);
        let first = outages.partition_point(|outage| outage.until <= moment);
        outages[first..].to_vec()
    }

    /// Writes heartbeats until `stop`, and hands every new outage to `found`.
    pub(crate) async fn run<F, D>(self: Arc<Self>, stop: CancellationToken, found: F)
    where
        F: Fn(Outage) -> D,
        D: Future<Output = ()>,
    {
        let mut known = None;
        let mut watch = ClockWatch::new(self.env.now());
        while !stop.is_cancelled() {
            if let Some(back) = watch.jump_back(self.env.now()) {
                tracing::warn!(
                    back_ms = back.whole_milliseconds(),
                    "the clock of this machine jumped back; until it is where it was, clocks of games may stand still"
                );
            }
            match self.ensure_younger(INTERVAL, Ingress::Internal).await {
                Ok(()) => {
                    let outage = self.newest();
                    if let Some(outage) = outage.filter(|_| outage != known) {
                        known = Some(outage);
                        found(outage).await;
                    }
                }
                Err(error) => {
                    static COMPLAINTS: Throttle = Throttle::new();
                    if let Some(held_back) = COMPLAINTS.admit() {
                        tracing::warn!(%error, held_back, "players cannot act now; the time is not charged");
                    }
                }
            }
            // Nobody who acts waits for this.
            if let Err(error) = self.unpublished.exchange().await {
                tracing::debug!(%error, "what could not be published is not known for now");
            }
            tokio::select! {
                biased;
                () = stop.cancelled() => {}
                () = tokio::time::sleep(INTERVAL) => {}
            }
        }
    }

    /// Writes a heartbeat unless the last is younger.
    async fn ensure_younger(&self, age: Duration, ingress: Ingress) -> Result<()> {
        let asked = self.env.now();
        let is_younger = |now: OffsetDateTime| {
            let last = *self.last.read().unwrap_or_else(PoisonError::into_inner);
            last.is_some_and(|last| last <= now && asked - last < age)
        };
        if is_younger(asked) {
            return Ok(());
        }
        let _turn = self.turn.lock().await;
        // Somebody else may have written one meanwhile. It is enough if that was so when it was asked for: where a heartbeat takes
        // long, those who wait for it do not wait for another one each.
        if is_younger(self.env.now()) { Ok(()) } else { self.renew(ingress).await }
    }

    /// An act was taken: no time up to now is an outage.
    pub(crate) fn taken(&self) {
        self.taken_us.fetch_max(micros(self.env.now()), Ordering::Relaxed);
    }

    /// Writes a heartbeat, as far as it is known that players can reach the platform.
    async fn renew(&self, ingress: Ingress) -> Result<()> {
        // Side by side: who acts waits for it, and a slow database must not make that twice as long. What is proven is
        // so of when it was begun.
        let now = self.env.now();
        let (proven, gateway) = tokio::join!(self.prove(), availability::last_gateway(self.database.read()));
        proven?;
        let gateway = gateway?;
        self.gateways.store(gateway.is_some(), Ordering::Relaxed);
        let until = match ingress {
            Ingress::Internal => gateway.map_or(now, |gateway| gateway.min(now)),
            Ingress::Gateway | Ingress::Direct => now,
        };
        self.heartbeat(until).await?;
        if now - until > GAP_MIN { Err(Error::Unreachable) } else { Ok(()) }
    }

    fn newest(&self) -> Option<Outage> {
        self.outages.read().unwrap_or_else(PoisonError::into_inner).last().copied()
    }

    /// Makes sure that the clocks would take what a move brings them, on the way that a move takes to them and to
    /// live state behind them: a heartbeat that no move could have followed would charge the players for the time.
    async fn prove(&self) -> Result<()> {
        match self.clock.clone().ping(PingRequest {}).await {
            Ok(_) => {
                self.health.working(CLOCKS);
                Ok(())
            }
            Err(status) => {
                self.health.failing(CLOCKS, status.message());
                Err(Error::Clock(status))
            }
        }
    }

    /// Players could act until now.
    async fn heartbeat(&self, now: OffsetDateTime) -> Result<()> {
        let taken = from_micros(self.taken_us.load(Ordering::Relaxed));
        availability::heartbeat(&self.database, now, taken).await?;
        let known_until = self.newest().map_or(now - MEMORY, |outage| outage.until);
        let new = availability::outages_after(self.database.read(), known_until).await?;
        if !new.is_empty() {
            for outage in &new {
                let length_us = (outage.until - outage.from).whole_microseconds();
                self.found.0.fetch_add(1, Ordering::Relaxed);
                self.found.1.fetch_add(u64::try_from(length_us).unwrap_or_default(), Ordering::Relaxed);
                tracing::warn!(
                    outage_ms = (outage.until - outage.from).whole_milliseconds(),
                    "players could not act for a while; their clocks are not charged"
                );
            }
            let mut outages = self.outages.write().unwrap_or_else(PoisonError::into_inner);
            remember(&mut outages, new, now);
        }
        *self.last.write().unwrap_or_else(PoisonError::into_inner) = Some(now);
        Ok(())
    }
}

/// Takes new outages to those that are remembered, and forgets what is long past.
fn remember(outages: &mut Vec<Outage>, new: Vec<Outage>, now: OffsetDateTime) {
    outages.retain(|outage| now - outage.until <= MEMORY);
    outages.extend(new);
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use time::OffsetDateTime;

    use super::{ClockWatch, Outage, remember};

    #[test]
    fn outages_that_are_long_past_are_forgotten() {
        let mut outages = Vec::new();
        for day in 0..100 {
            let until = OffsetDateTime::UNIX_EPOCH + Duration::from_hours(24 * day);
            remember(&mut outages, vec![Outage { from: until - Duration::from_secs(9), until }], until);
            assert!(outages.len() <= 3, "those of the last two days");
            assert_eq!(outages.last().map(|outage| outage.until), Some(until));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_clock_that_is_set_back_is_noticed_once() {
        let start = OffsetDateTime::UNIX_EPOCH + Duration::from_hours(1);
        let mut watch = ClockWatch::new(start);
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(watch.jump_back(start + Duration::from_secs(1)), None);
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(watch.jump_back(start - Duration::from_secs(58)), Some(time::Duration::minutes(1)));
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(watch.jump_back(start - Duration::from_secs(57)), None);
    }
}
