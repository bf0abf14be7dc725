//! Durable moves in running games.

use std::time::Duration;

use api::{client::RetryPolicy, transport::Transport};
use futures::{StreamExt as _, TryStreamExt as _, future::try_join_all};
use tests::{Bot, Pairing, Platform, game_settings, guest, pair_up, point};
use tokio::time::Instant;
use tonic::Status;

use crate::{
    floor::{offset, transports},
    stats::Summary,
};

/// Players that sign in at the same time.
const SIGN_IN_PARALLEL: usize = 64;
/// A benchmark does not go on waiting for a server that is gone.
const RETRY: RetryPolicy = RetryPolicy(Duration::from_secs(10));

/// Guests on a few connections.
pub(crate) async fn guests(platform: &Platform, count: usize) -> anyhow::Result<Vec<Bot>> {
    let transports: Vec<Transport> = transports(&platform.url)?;
    futures::stream::iter(0..count)
        .map(|index| {
            let transport = transports[index % transports.len()].clone();
            async move { guest(&transport).await }
        })
        .buffer_unordered(SIGN_IN_PARALLEL)
        .try_collect()
        .await
}

/// Games in which a player moves as soon as the other's move is answered.
pub(crate) async fn closed(platform: &Platform, games: usize, rounds: usize) -> anyhow::Result<Summary> {
    let pairings = pairings(platform, games).await?;
    let began = Instant::now();
    let playing = pairings.into_iter().map(|pairing| {
        tokio::spawn(async move {
            let mut latencies = Vec::with_capacity(rounds);
            for ply in 0..rounds {
                latencies.push(timed(&pairing, ply).await?);
            }
            Ok::<_, Status>((pairing, latencies))
        })
    });
    let played = try_join_all(playing).await?.into_iter().collect::<Result<Vec<_>, _>>()?;
    let summary =
        Summary::new(played.iter().flat_map(|(_, latencies)| latencies.clone()).collect(), began.elapsed());
    for (pairing, _) in played {
        pairing.players[0].resign(&pairing.game_id, RETRY).await?;
    }
    Ok(summary)
}

/// Games with a move a second each; how many of them still run afterwards.
pub(crate) async fn paced(
    platform: &Platform,
    games: usize,
    seconds: u64,
) -> anyhow::Result<(Summary, usize)> {
    let pairings = pairings(platform, games).await?;
    let began = Instant::now();
    let latencies = paced_in(&pairings, seconds, 0).await?;
    Ok((Summary::new(latencies, began.elapsed()), games))
}

/// A move a second in each of these games, in each of which so many were made before.
pub(crate) async fn paced_in(pairings: &[Pairing], seconds: u64, made: u64) -> anyhow::Result<Vec<Duration>> {
    let (began, games) = (Instant::now(), pairings.len());
    let playing = pairings.iter().cloned().enumerate().map(|(caller, pairing)| {
        tokio::spawn(async move {
            let mut latencies = Vec::new();
            for second in 0..seconds {
                tokio::time::sleep_until(began + offset(caller, games, second)).await;
                latencies.push(timed(&pairing, usize::try_from(made + second).unwrap_or(0)).await?);
            }
            Ok::<_, Status>(latencies)
        })
    });
    Ok(try_join_all(playing).await?.into_iter().collect::<Result<Vec<_>, _>>()?.concat())
}

pub(crate) async fn pairings(platform: &Platform, games: usize) -> anyhow::Result<Vec<Pairing>> {
    let players = guests(platform, 2 * games).await?;
    pair_up(players, &game_settings("go", &[], "1h", false)).await
}

async fn timed(pairing: &Pairing, ply: usize) -> Result<Duration, Status> {
    let act = point(ply);
    let began = Instant::now();
    pairing.players[ply % 2]
        .play(&pairing.game_id, &act, u32::try_from(ply).unwrap_or(u32::MAX), RETRY)
        .await?;
    Ok(began.elapsed())
}
