//! What calls to the floors cost: that do nothing, or no more than to be durable.

use std::time::Duration;

use api::{
    clock::v1::{GetTimeRequest, clock_service_client::ClockServiceClient},
    transport::Transport,
};
use futures::future::try_join_all;
use tests::floor::Server;
use tokio::time::Instant;
use tonic::{
    Request, Status,
    metadata::{Ascii, MetadataValue},
};

use crate::stats::Summary;

/// Connections that the callers share, as many as in the measurement of moves.
pub(crate) const CONNECTIONS: usize = 8;

/// Callers that call again as soon as they are answered.
pub(crate) async fn closed(floor: &Server, callers: usize, rounds: usize) -> anyhow::Result<Summary> {
    let transports = transports(&floor.url)?;
    let token = token(floor)?;
    let began = Instant::now();
    let calls = (0..callers).map(|caller| {
        let clock = ClockServiceClient::new(transports[caller % CONNECTIONS].clone());
        let token = token.clone();
        tokio::spawn(async move {
            let mut latencies = Vec::with_capacity(rounds);
            for _ in 0..rounds {
                latencies.push(timed(&clock, token.as_ref()).await?);
            }
            Ok::<_, Status>(latencies)
        })
    });
    let latencies = try_join_all(calls).await?.into_iter().collect::<Result<Vec<_>, _>>()?;
    Ok(Summary::new(latencies.concat(), began.elapsed()))
}

/// Callers that call once a second, spread over the second.
pub(crate) async fn paced(floor: &Server, callers: usize, seconds: u64) -> anyhow::Result<Summary> {
    let transports = transports(&floor.url)?;
    let token = token(floor)?;
    let began = Instant::now();
    let calls = (0..callers).map(|caller| {
        let clock = ClockServiceClient::new(transports[caller % CONNECTIONS].clone());
        let token = token.clone();
        tokio::spawn(async move {
            let mut latencies = Vec::new();
            for second in 0..seconds {
                tokio::time::sleep_until(began + offset(caller, callers, second)).await;
                latencies.push(timed(&clock, token.as_ref()).await?);
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

/// What the floor wants to see of who calls.
fn token(floor: &Server) -> anyhow::Result<Option<MetadataValue<Ascii>>> {
    Ok(floor.token.as_ref().map(|token| format!("Bearer {token}").parse()).transpose()?)
}

async fn timed(
    clock: &ClockServiceClient<Transport>,
    token: Option<&MetadataValue<Ascii>>,
) -> Result<Duration, Status> {
    let began = Instant::now();
    let mut request = Request::new(GetTimeRequest {});
    if let Some(token) = token {
        request.metadata_mut().insert("authorization", token.clone());
    }
    clock.clone().get_time(request).await?;
    Ok(began.elapsed())
}
