//! The floor: a bare tonic server that does nothing.

use std::{net::Ipv4Addr, time::Duration};

use api::{
    clock::v1::{
        DescribeTimeControlRequest, DescribeTimeControlResponse, GetRemainingTimeRequest,
        GetRemainingTimeResponse, GetTimeRequest, GetTimeResponse, ListTimeControlsRequest,
        ListTimeControlsResponse, WatchAnnouncementsRequest, WatchAnnouncementsResponse,
        clock_service_client::ClockServiceClient,
        clock_service_server::{ClockService, ClockServiceServer},
    },
    transport::Transport,
};
use futures::future::try_join_all;
use tokio::{process::Child, time::Instant};
use tonic::{Request, Response, Status};

use crate::stats::Summary;

/// Connections that the callers share, as many as in the measurement of moves.
pub(crate) const CONNECTIONS: usize = 8;

struct Nothing;

#[tonic::async_trait]
impl ClockService for Nothing {
    async fn get_time(&self, _: Request<GetTimeRequest>) -> Result<Response<GetTimeResponse>, Status> {
        Ok(Response::new(GetTimeResponse { server_time: None }))
    }

    async fn list_time_controls(
        &self,
        _: Request<ListTimeControlsRequest>,
    ) -> Result<Response<ListTimeControlsResponse>, Status> {
        Ok(Response::new(ListTimeControlsResponse::default()))
    }

    async fn get_remaining_time(
        &self,
        _: Request<GetRemainingTimeRequest>,
    ) -> Result<Response<GetRemainingTimeResponse>, Status> {
        Ok(Response::new(GetRemainingTimeResponse::default()))
    }

    type WatchAnnouncementsStream = futures::stream::Empty<Result<WatchAnnouncementsResponse, Status>>;

    async fn watch_announcements(
        &self,
        _: Request<WatchAnnouncementsRequest>,
    ) -> Result<Response<Self::WatchAnnouncementsStream>, Status> {
        Ok(Response::new(futures::stream::empty()))
    }

    async fn describe_time_control(
        &self,
        _: Request<DescribeTimeControlRequest>,
    ) -> Result<Response<DescribeTimeControlResponse>, Status> {
        Ok(Response::new(DescribeTimeControlResponse::default()))
    }
}

/// Serves on a port until the process is killed.
pub(crate) async fn serve(port: u16) -> anyhow::Result<()> {
    tonic::transport::Server::builder()
        .tcp_nodelay(true)
        .add_service(ClockServiceServer::new(Nothing))
        .serve((Ipv4Addr::LOCALHOST, port).into())
        .await?;
    Ok(())
}

/// The echo as a child process.
pub(crate) struct Echo {
    _child: Child,
    url: String,
}

impl Echo {
    /// Starts it, and waits until it answers.
    pub(crate) async fn start() -> anyhow::Result<Self> {
        let port = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
        let child = tokio::process::Command::new(std::env::current_exe()?)
            .args(["--echo", &port.to_string()])
            .kill_on_drop(true)
            .spawn()?;
        let url = format!("http://127.0.0.1:{port}");
        let clock = ClockServiceClient::new(api::client::connect(&url)?);
        let policy = api::client::RetryPolicy::default();
        api::client::with_retry(policy, || async { clock.clone().get_time(GetTimeRequest {}).await }).await?;
        Ok(Echo { _child: child, url })
    }

    /// Callers that call again as soon as they are answered.
    pub(crate) async fn closed(&self, callers: usize, rounds: usize) -> anyhow::Result<Summary> {
        let transports = transports(&self.url)?;
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
    pub(crate) async fn paced(&self, callers: usize, seconds: u64) -> anyhow::Result<Summary> {
        let transports = transports(&self.url)?;
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
