//! How services verify tokens while identity cannot be reached.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use api::{
    error::reason,
    transport::{Transport, over},
};
use chassis::{
    Health,
    auth::{self, ClusterKey, Credential, Keeping, Verifier},
    jwt::JwtError,
};
use http::Request;
use tonic::{Code, Status, body::Body};
use tonic_types::StatusExt as _;
use tower::{ServiceExt as _, service_fn};

use super::fixture::{Fixture, fixtures};

const PART: (&str, &str) = ("game", "keys of tokens");

/// A way to identity that can be cut.
#[derive(Clone, Default)]
struct Line {
    cut: Arc<AtomicBool>,
    silent: Arc<AtomicBool>,
    calls: Arc<AtomicUsize>,
}

impl Line {
    fn transport(&self, fixture: &Fixture) -> Transport {
        let (line, transport) = (self.clone(), over(fixture.routes.clone().prepare()));
        over(service_fn(move |request: Request<Body>| {
            let (line, transport) = (line.clone(), transport.clone());
            async move {
                line.calls.fetch_add(1, Ordering::SeqCst);
                if line.silent.load(Ordering::SeqCst) {
                    std::future::pending::<()>().await;
                }
                if line.cut.load(Ordering::SeqCst) {
                    return Err(Status::unavailable("nobody is there"));
                }
                transport.oneshot(request).await.map_err(|error| Status::unknown(error.to_string()))
            }
        }))
    }

    fn verifier(&self, fixture: &Fixture, file: Option<&Path>) -> (Verifier, Health) {
        let health = Health::default();
        let keeping = Keeping { file: file.map(Path::to_owned), health: Some((health.clone(), PART)) };
        let cluster = ClusterKey::random(&fixture.env);
        (Verifier::keeping(self.transport(fixture), cluster, fixture.env.clone(), keeping), health)
    }
}

/// What a handler answers to a call with this credential.
fn answer(credential: Credential) -> Result<(), Status> {
    let mut request = tonic::Request::new(());
    request.extensions_mut().insert(credential);
    auth::caller(&request).map(drop).map_err(Status::from)
}

/// Lets a span of tokio's time pass without waiting for it.
async fn pass(span: Duration) {
    tokio::time::pause();
    tokio::time::advance(span).await;
    tokio::time::resume();
}

#[tokio::test]
async fn a_token_that_cannot_be_verified_now_is_not_called_invalid() {
    for fixture in fixtures().await {
        let (_, session) = fixture.guest().await;
        let line = Line::default();
        let (verifier, health) = line.verifier(&fixture, None);
        line.cut.store(true, Ordering::SeqCst);
        let status = answer(verifier.credential(&session.access_token).await).expect_err("nobody knows");
        assert_eq!((status.code(), reason(&status).as_str()), (Code::Unavailable, "KEYS_UNAVAILABLE"));
        assert!(status.get_details_retry_info().is_some(), "it says when to come again");
        assert!(!health.is_ready("game"));
        line.cut.store(false, Ordering::SeqCst);
        pass(Duration::from_secs(2)).await;
        assert_eq!(answer(verifier.credential(&session.access_token).await).map_err(|_| ()), Ok(()));
        assert!(health.is_ready("game"));
        let forged = session.access_token.replace('.', "x");
        assert_eq!(verifier.credential(&forged).await, Credential::Refused(JwtError::Invalid));
    }
}

#[tokio::test]
async fn keys_fetched_once_outlive_a_restart_but_not_for_ever() {
    for fixture in fixtures().await {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("keys.json");
        let (_, session) = fixture.guest().await;
        let line = Line::default();
        let (verifier, _) = line.verifier(&fixture, Some(&file));
        assert!(matches!(verifier.credential(&session.access_token).await, Credential::Account(_)));
        drop(verifier);
        line.cut.store(true, Ordering::SeqCst);
        let (verifier, health) = line.verifier(&fixture, Some(&file));
        assert!(matches!(verifier.credential(&session.access_token).await, Credential::Account(_)));
        let (_, another) = fixture.guest().await;
        assert!(matches!(verifier.credential(&another.access_token).await, Credential::Account(_)));
        assert!(health.is_ready("game"), "the old keys do");
        fixture.time.advance(Duration::from_hours(25));
        let (_, late) = fixture.guest().await;
        pass(Duration::from_secs(2)).await;
        assert_eq!(verifier.credential(&late.access_token).await, Credential::Unverified);
        assert!(!health.is_ready("game"));
    }
}

#[tokio::test]
async fn nobody_waits_for_silent_keys_while_the_old_ones_do() {
    for fixture in fixtures().await {
        let line = Line::default();
        let (verifier, _) = line.verifier(&fixture, None);
        let (_, session) = fixture.guest().await;
        assert!(matches!(verifier.credential(&session.access_token).await, Credential::Account(_)));
        let mut tokens = Vec::new();
        for _ in 0..20 {
            tokens.push(fixture.guest().await.1.access_token);
        }
        line.silent.store(true, Ordering::SeqCst);
        pass(Duration::from_mins(6)).await;
        let asked = line.calls.load(Ordering::SeqCst);
        tokio::time::pause();
        let began = tokio::time::Instant::now();
        for token in &tokens {
            assert!(matches!(verifier.credential(token).await, Credential::Account(_)));
        }
        assert!(began.elapsed() < Duration::from_millis(100), "{:?}", began.elapsed());
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert_eq!(line.calls.load(Ordering::SeqCst), asked + 1, "aged keys are asked for, once");
        tokio::time::resume();
    }
}

#[tokio::test]
async fn of_those_whose_keys_are_not_known_nobody_waits_twice() {
    for fixture in fixtures().await {
        let line = Line::default();
        let (verifier, _) = line.verifier(&fixture, None);
        let mut tokens = Vec::new();
        for _ in 0..10 {
            tokens.push(fixture.guest().await.1.access_token);
        }
        line.silent.store(true, Ordering::SeqCst);
        tokio::time::pause();
        let began = tokio::time::Instant::now();
        let checks = tokens.iter().map(|token| verifier.credential(token));
        let verdicts = futures::future::join_all(checks).await;
        assert!(verdicts.iter().all(|verdict| *verdict == Credential::Unverified), "{verdicts:?}");
        assert!(began.elapsed() <= Duration::from_millis(3100), "{:?}", began.elapsed());
        assert_eq!(line.calls.load(Ordering::SeqCst), 1);
        tokio::time::resume();
    }
}

#[tokio::test]
async fn calls_that_are_given_up_do_not_ask_for_keys_again_and_again() {
    for fixture in fixtures().await {
        let (_, session) = fixture.guest().await;
        let line = Line::default();
        line.silent.store(true, Ordering::SeqCst);
        let (verifier, _) = line.verifier(&fixture, None);
        for _ in 0..20 {
            let call = verifier.credential(&session.access_token);
            assert!(tokio::time::timeout(Duration::from_millis(10), call).await.is_err(), "nobody answers");
        }
        assert_eq!(line.calls.load(Ordering::SeqCst), 1);
    }
}
