//! `grpc.health.v1`: the empty name is liveness, each service's name is its readiness.

use std::{collections::BTreeMap, pin::pin};

use async_trait::async_trait;
use futures::{Stream, stream};
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status, codegen::BoxStream};
use tonic_health::pb::{
    HealthCheckRequest, HealthCheckResponse, health_check_response::ServingStatus, health_server::Health,
};

use crate::Lifecycle;

/// Answers how a process and its services do.
#[derive(Clone, Debug)]
pub(crate) struct HealthApi {
    parts: crate::Health,
    stop: CancellationToken,
    /// The gRPC services, and the service of the platform that each belongs to.
    services: BTreeMap<&'static str, &'static str>,
}

impl HealthApi {
    /// The health of these gRPC services, each with the service of the platform that it belongs to.
    pub(crate) fn new(lifecycle: &Lifecycle, services: &[(&'static str, &'static str)]) -> Self {
        HealthApi {
            parts: lifecycle.health().clone(),
            stop: lifecycle.stopping(),
            services: services.iter().copied().collect(),
        }
    }

    /// How a name does; a name that nobody has does not.
    fn status(&self, name: &str) -> ServingStatus {
        match self.services.get(name) {
            // Who answers is alive; whether it is of use is what the other names say.
            None if name.is_empty() => ServingStatus::Serving,
            None => ServingStatus::ServiceUnknown,
            Some(service) if self.parts.is_ready(service) && !self.stop.is_cancelled() => {
                ServingStatus::Serving
            }
            Some(_) => ServingStatus::NotServing,
        }
    }

    /// What is to be told of a name after `told`; none when the process stops and that has been told.
    async fn next(&self, name: &str, told: Option<ServingStatus>) -> Option<ServingStatus> {
        loop {
            let mut changed = pin!(self.parts.changed());
            changed.as_mut().enable();
            let stopping = self.stop.is_cancelled();
            let status = self.status(name);
            if told != Some(status) {
                return Some(status);
            }
            if stopping {
                return None;
            }
            tokio::select! {
                biased;
                () = self.stop.cancelled() => {}
                () = changed => {}
            }
        }
    }

    /// How a name does, and then each change.
    fn changes(self, name: String) -> impl Stream<Item = Result<HealthCheckResponse, Status>> + Send {
        stream::unfold((self, name, None), |(health, name, told)| async move {
            let status = health.next(&name, told).await?;
            Some((Ok(answer(status)), (health, name, Some(status))))
        })
    }
}

#[async_trait]
impl Health for HealthApi {
    type WatchStream = BoxStream<HealthCheckResponse>;

    async fn check(
        &self,
        request: Request<HealthCheckRequest>,
    ) -> Result<Response<HealthCheckResponse>, Status> {
        match self.status(&request.get_ref().service) {
            ServingStatus::ServiceUnknown => Err(Status::not_found("there is no such service")),
            status => Ok(Response::new(answer(status))),
        }
    }

    async fn watch(
        &self,
        request: Request<HealthCheckRequest>,
    ) -> Result<Response<Self::WatchStream>, Status> {
        Ok(Response::new(Box::pin(self.clone().changes(request.into_inner().service))))
    }
}

fn answer(status: ServingStatus) -> HealthCheckResponse {
    HealthCheckResponse { status: status.into() }
}

#[cfg(test)]
mod tests {
    use futures::StreamExt as _;

    use super::*;

    fn ask(service: &str) -> Request<HealthCheckRequest> {
        Request::new(HealthCheckRequest { service: service.to_owned() })
    }

    #[tokio::test]
    async fn the_empty_name_is_liveness_and_each_service_s_name_its_readiness() {
        let lifecycle = Lifecycle::new();
        let api = HealthApi::new(&lifecycle, &[("a.Game", "game"), ("a.Rating", "rating")]);
        let check = async |name: &str| api.check(ask(name)).await.map(|answer| answer.into_inner().status());
        for name in ["", "a.Game", "a.Rating"] {
            assert_eq!(check(name).await.expect("it is known"), ServingStatus::Serving, "{name}");
        }
        lifecycle.health().failing(("game", "database"), "the disk is full");
        assert_eq!(check("a.Game").await.expect("it is known"), ServingStatus::NotServing);
        for name in ["", "a.Rating"] {
            assert_eq!(check(name).await.expect("it is known"), ServingStatus::Serving, "{name}");
        }
        let unknown = check("a.Chess").await.expect_err("nobody has this name");
        assert_eq!(unknown.code(), tonic::Code::NotFound);
    }

    #[tokio::test]
    async fn who_watches_is_told_of_each_change_and_of_the_stop() {
        let lifecycle = Lifecycle::new();
        let health = lifecycle.health();
        let api = HealthApi::new(&lifecycle, &[("a.Game", "game")]);
        let mut watched = api.watch(ask("a.Game")).await.expect("it is watched").into_inner();
        let mut next = async || watched.next().await.map(|answer| answer.expect("no error").status());
        assert_eq!(next().await, Some(ServingStatus::Serving));
        health.failing(("game", "database"), "the disk is full");
        assert_eq!(next().await, Some(ServingStatus::NotServing));
        health.failing(("rating", "database"), "the disk is full");
        health.working(("game", "database"));
        assert_eq!(next().await, Some(ServingStatus::Serving));
        lifecycle.drain(std::time::Duration::ZERO).await;
        assert_eq!(next().await, Some(ServingStatus::NotServing));
        assert_eq!(next().await, None);
    }
}
