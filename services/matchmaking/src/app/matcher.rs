//! Passes over the pools.

use std::{collections::HashSet, sync::Arc, time::Duration};

use chassis::id::TicketId;

use super::Tickets;
use crate::{
    core::{Pair, Settings, Ticket, pairs},
    error::Error,
};

/// How long a replica keeps a pool to itself unless it passes over it again. Nothing rests on it but that
/// replicas do not propose the same pairs.
const LEASE: Duration = Duration::from_secs(2);

/// Pairs tickets, and leaves the pairs to the creator of games.
pub(super) struct Matcher {
    tickets: Arc<Tickets>,
}

impl Matcher {
    /// A matcher of these tickets.
    pub(super) const fn new(tickets: Arc<Tickets>) -> Self {
        Matcher { tickets }
    }

    /// Passes over the pools.
    pub(super) async fn run(self) -> Result<(), Error> {
        let passed = self.pass_over_pools().await;
        // Arrivals in the pause are paired together: better games, and fewer rounds in a flood.
        tokio::time::sleep(self.tickets.timings.pause).await;
        passed
    }

    async fn pass_over_pools(&self) -> Result<(), Error> {
        let pools = self.tickets.queue.pools().await?;
        self.tickets.pool_stats.note_sizes(&pools);
        for (pool, _) in pools.iter().filter(|(_, size)| *size >= 2) {
            let Ok(settings) = pool.parse::<Settings>() else {
                tracing::warn!(pool, "a pool of games that this version does not know is left alone");
                continue;
            };
            // What fails in one pool must not keep the others waiting.
            if let Err(error) = self.pass_in_turn(&settings).await {
                tracing::warn!(pool, error = &error as &dyn std::error::Error, "a pass over a pool failed");
            }
        }
        Ok(())
    }

    async fn pass_in_turn(&self, settings: &Settings) -> Result<(), Error> {
        if self.tickets.queue.lease_pool(settings, self.tickets.env.now(), LEASE).await? {
            self.pass(settings).await?;
        }
        Ok(())
    }

    async fn pass(&self, settings: &Settings) -> Result<(), Error> {
        let now = self.tickets.env.now();
        let tickets = self.tickets.queue.waiting(settings, now).await?;
        let candidates: Vec<_> = tickets.iter().map(Ticket::candidate).collect();
        let found = pairs(&candidates, now);
        if found.is_empty() {
            return Ok(());
        }
        let proposals = found.into_iter().map(|(one, other)| Pair {
            game: self.tickets.env.uuid().into(),
            settings: settings.clone(),
            players: [tickets[one].player.clone(), tickets[other].player.clone()],
        });
        let taken = self.tickets.queue.take(settings, proposals.collect(), now).await?;
        if taken.is_empty() {
            return Ok(());
        }
        self.tickets.paired.notify_one();
        let matched: HashSet<TicketId> =
            taken.iter().flat_map(|pair| &pair.players).map(|player| player.ticket).collect();
        let waits = tickets
            .iter()
            .filter(|ticket| matched.contains(&ticket.player.ticket))
            .map(|ticket| Duration::try_from(now - ticket.since).unwrap_or_default());
        self.tickets.pool_stats.note_waits(settings, waits);
        Ok(())
    }
}
