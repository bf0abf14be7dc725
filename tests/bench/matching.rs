//! A burst of tickets.

use std::time::Duration;

use futures::future::try_join_all;
use tests::{Platform, Shape, Store, game_settings};
use tokio::time::Instant;

use crate::{moves::guests, stats::Summary};

/// Bursts one after the other, of which the median counts.
pub(crate) const BURSTS: usize = 5;

/// What became of a burst.
pub(crate) struct Matched {
    /// Until the last player knew his game.
    pub all: Duration,
    /// Pairs a second.
    pub pairs_per_s: f64,
    /// How long each player waited.
    pub waits: Summary,
}

/// Queues `tickets` players at once.
pub(crate) async fn burst(platform: &Platform, tickets: usize) -> anyhow::Result<Matched> {
    let players = guests(platform, tickets).await?;
    let settings = game_settings("go", &[], "10m", false);
    let began = Instant::now();
    let waiting = players.into_iter().map(|player| {
        let settings = settings.clone();
        tokio::spawn(async move {
            let began = Instant::now();
            player.hold_ticket(&player.ticket(settings), |_| ()).await?;
            Ok::<_, tonic::Status>(began.elapsed())
        })
    });
    let waits = try_join_all(waiting).await?.into_iter().collect::<Result<Vec<_>, _>>()?;
    let all = began.elapsed();
    let pairs_per_s = tickets as f64 / 2.0 / all.as_secs_f64();
    Ok(Matched { all, pairs_per_s, waits: Summary::new(waits, all) })
}

/// So many bursts on one platform, each by other players.
pub(crate) async fn bursts(store: Store, tickets: usize) -> anyhow::Result<Vec<Matched>> {
    let platform = Platform::start(Shape::One, store).await?;
    let mut all = Vec::new();
    for _ in 0..BURSTS {
        all.push(burst(&platform, tickets).await?);
    }
    all.sort_by(|one, other| one.pairs_per_s.total_cmp(&other.pairs_per_s));
    Ok(all)
}
