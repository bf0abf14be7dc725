//! Asks what a process depends on how it does, again and again, so that its health is known before a player meets it.

use std::{sync::Arc, time::Duration};

use api::transport::Transport;
use axum::body::Body;
use chassis::{
    Health, Lifecycle,
    health::{Page, PartName, READY_PATH},
    limit::{Amount, Limit},
};
use http::{Request, StatusCode};
use live::{Live, LiveError};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

use crate::{live_state, platform::Service};

/// The time between two questions.
const INTERVAL: Duration = Duration::from_secs(1);
/// How long an answer may take.
const ANSWER_MAX: Duration = Duration::from_secs(3);
/// The longest page that is read.
const PAGE_BYTES_MAX: usize = 64 * 1024;

/// The limits of the probes.
pub const LIMITS: &[Limit] = &[
    Limit {
        name: "time for a dependency to say how it does",
        amount: Amount::Time(ANSWER_MAX),
        setting: None,
        reason: "a move that waits for as long is refused, so what takes longer counts as failing",
    },
    Limit {
        name: "bytes of what a service says of its health",
        amount: Amount::Bytes(PAGE_BYTES_MAX as u64),
        setting: None,
        reason: "a page has some hundred bytes for each part of a service, and there are a few dozen",
    },
];

/// Asks live state whether it takes what a move writes, and says so of each service that needs it.
pub fn live_state(lifecycle: &Lifecycle, live: &Arc<dyn Live>, services: &[Service]) {
    let parts: Vec<PartName> = services
        .iter()
        .filter(|service| service.info().has_live_state)
        .map(|service| (service.name(), "live state"))
        .collect();
    live_state::measure(lifecycle.metrics(), live);
    let (live, health, stop) = (Arc::clone(live), lifecycle.health().clone(), lifecycle.stopping());
    for part in &parts {
        health.awaited(*part);
    }
    lifecycle.supervise(("process", "probe of live state"), move || {
        let (live, health, parts) = (Arc::clone(&live), health.clone(), parts.clone());
        again_and_again(stop.clone(), async move || {
            let proof = tokio::time::timeout(ANSWER_MAX, live.prove()).await;
            let state = proof.map_err(|_| "it does not answer in time".to_owned());
            let state = state.and_then(|proof| proof.map_err(|error| told(&error)));
            for part in &parts {
                report(&health, *part, state.clone());
            }
        })
    });
}

/// Asks a service in another process how it does, and says so: of `part`, when it is that service on which the part
/// depends; with `whole` also when it answers and says that it is not ready.
pub fn service(lifecycle: &Lifecycle, part: PartName, transport: Transport, whole: bool) {
    let (health, stop) = (lifecycle.health().clone(), lifecycle.stopping());
    health.awaited(part);
    lifecycle.supervise(("process", "probe of a service"), move || {
        let (transport, health) = (transport.clone(), health.clone());
        again_and_again(stop.clone(), async move || {
            let asked = tokio::time::timeout(ANSWER_MAX, ask(transport.clone())).await;
            let page = asked.unwrap_or_else(|_| Err("it does not answer in time".to_owned()));
            report(&health, part, page.and_then(|page| if whole { ready(&page) } else { Ok(()) }));
        })
    });
}

async fn again_and_again(stop: CancellationToken, ask: impl AsyncFn()) {
    while !stop.is_cancelled() {
        ask().await;
        let _stopped = stop.run_until_cancelled(tokio::time::sleep(INTERVAL)).await;
    }
}

fn report(health: &Health, part: PartName, state: Result<(), String>) {
    match state {
        Ok(()) => health.working(part),
        Err(why) => health.failing(part, why),
    }
}

/// What live state says of itself: with the cause, which is Redis's own word (`OOM`, `READONLY`).
fn told(error: &LiveError) -> String {
    let cause = std::error::Error::source(error);
    cause.map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}"))
}

async fn ask(transport: Transport) -> Result<Page, String> {
    let request =
        Request::get(READY_PATH).body(tonic::body::Body::empty()).map_err(|error| error.to_string())?;
    let answer =
        transport.oneshot(request).await.map_err(|error| format!("it cannot be reached: {error}"))?;
    let code = answer.status();
    if code != StatusCode::OK && code != StatusCode::SERVICE_UNAVAILABLE {
        return Err(format!("it answers {code}"));
    }
    let body = axum::body::to_bytes(Body::new(answer.into_body()), PAGE_BYTES_MAX).await;
    let body = body.map_err(|error| format!("its answer broke off: {error}"))?;
    serde_json::from_slice(&body).map_err(|_| "its answer cannot be read".to_owned())
}

/// What of a service does not work.
fn ready(page: &Page) -> Result<(), String> {
    if page.ready {
        return Ok(());
    }
    if page.stopping {
        return Err("it is stopping".to_owned());
    }
    let failing = page.parts.iter().filter(|part| !part.working);
    let reasons =
        failing.map(|part| format!("{}: {}", part.part, part.reason.as_deref().unwrap_or("it fails")));
    Err(reasons.collect::<Vec<_>>().join("; "))
}

#[cfg(test)]
mod tests {
    use chassis::health::PartPage;

    use super::*;

    fn part(name: &str, reason: Option<&str>) -> PartPage {
        PartPage {
            service: "game".to_owned(),
            part: name.to_owned(),
            working: reason.is_none(),
            reason: reason.map(str::to_owned),
            since: String::new(),
        }
    }

    #[test]
    fn what_fails_in_a_service_is_told_by_its_parts() {
        let parts = vec![part("clocks", None), part("database", Some("the disk is full"))];
        let page = Page { ready: false, stopping: false, parts, panics: std::collections::BTreeMap::new() };
        assert_eq!(ready(&page), Err("database: the disk is full".to_owned()));
        assert_eq!(ready(&Page { ready: true, ..page.clone() }), Ok(()));
        assert_eq!(ready(&Page { stopping: true, ..page }), Err("it is stopping".to_owned()));
    }
}
