//! Signing keys: listing, rotation, and what becomes of old ones.

use std::{collections::BTreeSet, time::Duration};

use api::{
    identity::v1::{ListKeysRequest, RotateKeyRequest},
    transport::over,
};
use chassis::jwt::{JwtError, VerifyingKeys};
use futures::future::join_all;
use http_body_util::BodyExt as _;
use identity::HashCost;
use sea_orm::ConnectionTrait as _;
use tonic::{Code, body::Body};
use tower::ServiceExt as _;

use crate::fixture::{Client, Fixture, PASSWORD, fixtures, plain, refused, sign_in};

async fn rotate(fixture: &Fixture) -> String {
    let answer = fixture.as_service().rotate_key(plain::<RotateKeyRequest>()).await.expect("rotates");
    answer.into_inner().kid
}

async fn listed(fixture: &Fixture) -> BTreeSet<String> {
    let answer = fixture.client().list_keys(plain::<ListKeysRequest>()).await.expect("lists").into_inner();
    answer.keys.into_iter().map(|key| key.kid).collect()
}

/// Which of the listed keys signed a token.
async fn signed_by(fixture: &Fixture, token: &str) -> Option<String> {
    fixture.claims(token).await.ok()?;
    let answer = fixture.client().list_keys(plain::<ListKeysRequest>()).await.expect("lists").into_inner();
    answer.keys.into_iter().find_map(|key| {
        let mut alone = VerifyingKeys::new();
        alone.insert_encoded(&key.kid, &key.x).expect("a good key");
        let now = fixture.env.now();
        chassis::jwt::verify(token, &alone, chassis::auth::PLAYERS, now).is_ok().then_some(key.kid)
    })
}

#[tokio::test]
async fn a_retired_key_verifies_until_its_tokens_have_expired() {
    for fixture in fixtures().await {
        let old = listed(&fixture).await;
        let (_, session) = fixture.register("anna").await;
        let kid = rotate(&fixture).await;
        assert!(!old.contains(&kid));
        assert_eq!(listed(&fixture).await, old.iter().cloned().chain([kid.clone()]).collect());
        let after = fixture.sign_in("anna", PASSWORD).await.expect("signs in");
        assert_eq!(signed_by(&fixture, &after.access_token).await, Some(kid.clone()));
        assert_eq!(signed_by(&fixture, &session.access_token).await, old.first().cloned());

        fixture.time.advance(Duration::from_secs(15 * 60 - 1));
        assert!(fixture.claims(&session.access_token).await.is_ok());
        fixture.time.advance(Duration::from_secs(1));
        assert_eq!(fixture.claims(&session.access_token).await, Err(JwtError::Expired));
        fixture.time.advance(Duration::from_mins(5));
        assert_eq!(listed(&fixture).await, BTreeSet::from([kid]));
        assert_eq!(fixture.claims(&session.access_token).await, Err(JwtError::UnknownKey));
    }
}

#[tokio::test]
async fn replicas_sign_with_a_new_key_within_seconds_and_list_it_at_once() {
    for fixture in fixtures().await {
        fixture.register("anna").await;
        let mut replica = Client::new(over(fixture.replica(HashCost::LEAST).await.prepare()));
        assert_eq!(listed(&fixture).await.len(), 1, "a second replica finds the first key");
        let mut sign_in_there = async || {
            let answer = replica.sign_in(sign_in("anna", PASSWORD)).await.expect("signs in");
            answer.into_inner().session.expect("a session").access_token
        };
        let before = sign_in_there().await;
        let kid = rotate(&fixture).await;
        fixture.time.advance(Duration::from_secs(4));
        assert_eq!(signed_by(&fixture, &sign_in_there().await).await, signed_by(&fixture, &before).await);
        fixture.time.advance(Duration::from_secs(1));
        assert_eq!(signed_by(&fixture, &sign_in_there().await).await, Some(kid.clone()));
        assert!(listed(&fixture).await.contains(&kid));
    }
}

#[tokio::test]
async fn the_command_rotates_in_the_database() {
    for fixture in fixtures().await {
        fixture.register("anna").await;
        let vault = chassis::Vault::open_to_all();
        let kid = identity::admin::rotate(fixture.database(), &vault, &fixture.env);
        let kid = kid.await.expect("rotates");
        fixture.time.advance(Duration::from_secs(5));
        let session = fixture.sign_in("anna", PASSWORD).await.expect("signs in");
        assert_eq!(signed_by(&fixture, &session.access_token).await, Some(kid));
    }
}

#[tokio::test]
async fn only_services_rotate_and_not_too_often() {
    for fixture in fixtures().await {
        let outcome = fixture.intruder().rotate_key(plain::<RotateKeyRequest>()).await;
        refused(outcome, Code::PermissionDenied, "SERVICES_ONLY");
        assert_eq!(listed(&fixture).await.len(), 1);
        for _ in 1..16 {
            rotate(&fixture).await;
        }
        let outcome = fixture.as_service().rotate_key(plain::<RotateKeyRequest>()).await;
        refused(outcome, Code::ResourceExhausted, "TOO_MANY_KEYS");
        assert_eq!(listed(&fixture).await.len(), 16);
        fixture.time.advance(Duration::from_mins(20));
        rotate(&fixture).await;
        assert_eq!(listed(&fixture).await.len(), 2);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn replicas_that_start_at_once_share_the_first_key() {
    for fixture in fixtures().await {
        fixture.register("anna").await;
        let forget = "DELETE FROM signing_keys";
        fixture.database().write().execute_unprepared(forget).await.expect("forgets");
        let replicas = join_all((0..4).map(|_| fixture.replica(HashCost::LEAST))).await;
        assert_eq!(listed(&fixture).await.len(), 1, "{}", fixture.kind);
        for replica in replicas {
            let answer = Client::new(over(replica.prepare())).sign_in(sign_in("anna", PASSWORD)).await;
            let session = answer.expect("signs in").into_inner().session.expect("a session");
            assert!(signed_by(&fixture, &session.access_token).await.is_some(), "{}", fixture.kind);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rotations_at_once_make_a_key_each() {
    for fixture in fixtures().await {
        let kids: BTreeSet<String> = join_all((0..4).map(|_| rotate(&fixture))).await.into_iter().collect();
        assert_eq!(kids.len(), 4, "{}", fixture.kind);
        assert_eq!(listed(&fixture).await.len(), 5, "{}", fixture.kind);
    }
}

#[tokio::test]
async fn the_key_set_over_http_is_the_list() {
    for fixture in fixtures().await {
        rotate(&fixture).await;
        let request = http::Request::get("/.well-known/jwks.json").body(Body::empty()).expect("a request");
        let answer =
            fixture.routes.clone().into_axum_router().oneshot(request.map(axum::body::Body::new)).await;
        let answer = answer.expect("answers");
        assert_eq!(answer.status(), http::StatusCode::OK);
        assert_eq!(answer.headers()["content-type"], "application/jwk-set+json");
        assert_eq!(answer.headers()["cache-control"], "public, max-age=60");
        let body = answer.into_body().collect().await.expect("a body").to_bytes();
        let listed =
            fixture.client().list_keys(plain::<ListKeysRequest>()).await.expect("lists").into_inner();
        assert_eq!(body, listed.jwks_json.as_bytes());

        let document: serde_json::Value = serde_json::from_slice(&body).expect("a key set");
        let mut keys = VerifyingKeys::new();
        for key in document["keys"].as_array().expect("keys") {
            let text = |field: &str| key[field].as_str().unwrap_or_default();
            assert_eq!(["kty", "crv", "alg", "use"].map(text), ["OKP", "Ed25519", "EdDSA", "sig"]);
            keys.insert_encoded(text("kid"), text("x")).expect("a good key");
        }
        assert_eq!(keys, fixture.keys().await, "both of them");
    }
}
