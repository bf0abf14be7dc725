//! What calls cost that do nothing.

use std::time::Duration;

use api::{
    clock::v1::{GetTimeRequest, clock_service_client::ClockServiceClient},
    transport::Transport,
};
use futures::future::try_join_all;
use tests::echo::Echo;
use tokio::time::Instant;
use tonic::Status;

use crate::stats::Summary;

/// Connections that the callers share, as many as in the measurement of moves.
pub(crate) const CONNECTIONS: usize = 8;

/// Callers that call again as soon as they are answered.
pub(crate) async fn closed(echo: &Echo, callers: usize, rounds: usize) -> anyhow::Result<Summary> {
    let transports = transports(&echo.url)?;
    let began = Instant::now();
    let calls = (0..callers).map(|caller| {
        let clock = ClockServiceClient::new(transports[caller % CONNECTIONS].clone());
        tokio::spawn(async move {
            let mut latencies = Vec::with_capacity(rounds);
            for _ in 0..rounds {
                latencies.push(timed(&clock).await?);
            }
            Ok::<_, Status>(latencies)
        })
    });
    let latencies = try_join_all(calls).await?.into_iter().collect::<Result<Vec<_>, _>>()?;
    Ok(Summary::new(latencies.concat(), began.elapsed()))
}

/// Callers that call once a second, spread over the second.
pub(crate) async fn paced(echo: &Echo, callers: usize, seconds: u64) -> anyhow::Result<Summary> {
    let transports = transports(&echo.url)?;
    let began = Instant::now();
    let calls = (0..callers).map(|caller| {
        let clock = ClockServiceClient::new(transports[caller % CONNECTIONS].clone());
        tokio::spawn(async move {
            let mut latencies = Vec::new();
            for second in 0..seconds {
                tokio::time::sleep_until(began + offset(caller, callers, second)).await;
                latencies.push(timed(&clock).await?);
            }
            Ok::<_, Status>(latencies)
        })
    });
    let latencies = try_join_all(calls).await?.into_iter().collect::<Result<Vec<_>, _>>()?;
    Ok(Summary::new(latencies.concat(), began.elapsed()))
}

/// A few connections to a server.
pub(crate) fn transports(url: &str) -> anyhow::Result<Vec<Transport>> {
    (0..CONNECTIONS).map(|_| Ok(api::client::connect(url)?)).collect()
}

/// When a caller's call of a second is due, from the beginning.
pub(crate) fn offset(caller: usize, callers: usize, second: u64) -> Duration {
    let spread = Duration::from_secs(1) * u32::try_from(caller).unwrap_or(0);
    Duration::from_secs(second) + spread / u32::try_from(callers.max(1)).unwrap_or(1)
}

async fn timed(clock: &ClockServiceClient<Transport>) -> Result<Duration, Status> {
    let began = Instant::now();
    clock.clone().get_time(GetTimeRequest {}).await?;
    Ok(began.elapsed())
}
