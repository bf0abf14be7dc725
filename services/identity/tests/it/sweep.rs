//! What has expired is forgotten, and nothing else is.

use std::time::Duration;

use api::identity::v1::{CreateAccessTokenRequest, RevokeAccessTokenRequest, RotateKeyRequest};
use identity::HashCost;
use sea_orm::{ConnectionTrait as _, Statement};

use crate::fixture::{Fixture, PASSWORD, fixtures, plain};

async fn rows(fixture: &Fixture, table: &str) -> i64 {
    let on = fixture.database().read();
    let count =
        Statement::from_string(on.get_database_backend(), format!("SELECT count(*) AS n FROM {table}"));
    let row = on.query_one_raw(count).await.expect("counts").expect("one row");
    row.try_get("", "n").expect("a number")
}

#[tokio::test]
async fn however_many_have_expired_all_are_forgotten_and_nobody_else() {
    const MANY: u32 = 2500;
    for fixture in fixtures().await {
        let (_, session) = fixture.register("anna").await;
        let on = fixture.database().write();
        // Copies of her session that have expired, made by the database itself.
        let (numbers, id) = match fixture.kind {
            "sqlite" => (
                format!("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {MANY})"),
                "randomblob(16)",
            ),
            _ => (format!("WITH n(i) AS (SELECT generate_series(1, {MANY}))"), "gen_random_uuid()"),
        };
        let copies = format!(
            "{numbers} INSERT INTO sessions (id, account_id, good_digest, expires_us, revision) \
             SELECT {id}, account_id, good_digest, 1, 0 FROM sessions, n"
        );
        on.execute_unprepared(&copies).await.expect("copies");
        assert_eq!(rows(&fixture, "sessions").await, i64::from(MANY) + 1);
        sweep(&fixture).await;
        assert_eq!(rows(&fixture, "sessions").await, 1, "{}", fixture.kind);
        fixture.signed_in(&session).await;
    }
}

/// Accounts, sessions, tokens and keys.
async fn counts(fixture: &Fixture) -> [i64; 4] {
    [
        rows(fixture, "accounts").await,
        rows(fixture, "sessions").await,
        rows(fixture, "access_tokens").await,
        rows(fixture, "signing_keys").await,
    ]
}

#[tokio::test]
async fn only_what_has_expired_is_forgotten() {
    for fixture in fixtures().await {
        let (_, session) = fixture.register("anna").await;
        fixture.guest().await;
        let mut owner = fixture.signed_in(&session).await;
        for hours in [2, 366 * 24, 366 * 24] {
            let order = CreateAccessTokenRequest {
                label: "bot".to_owned(),
                scopes: vec!["play".to_owned()],
                lifetime_duration: Some(prost_types::Duration { seconds: hours * 3600, nanos: 0 }),
                request_id: fixture.request_id(),
            };
            let made = owner.create_access_token(order).await.expect("creates").into_inner();
            if hours == 2 {
                continue;
            }
            // One of the two that last is revoked.
            let id = made.access_token.expect("a token").id;
            if rows(&fixture, "access_tokens").await == 2 {
                owner.revoke_access_token(RevokeAccessTokenRequest { id }).await.expect("revokes");
            }
        }
        fixture.as_service().rotate_key(plain::<RotateKeyRequest>()).await.expect("rotates");
        fixture.time.advance(Duration::from_mins(19));
        fixture.as_service().rotate_key(plain::<RotateKeyRequest>()).await.expect("rotates");
        fixture.time.advance(Duration::from_mins(1));
        assert_eq!(counts(&fixture).await, [2, 2, 3, 3]);

        // A replica sweeps when it starts. The first key is forgotten; the second, retired a minute ago, is not.
        sweep(&fixture).await;
        assert_eq!(counts(&fixture).await, [2, 2, 3, 2], "{}", fixture.kind);
        fixture.time.advance(Duration::from_hours(29 * 24));
        fixture.sign_in("anna", PASSWORD).await.expect("signs in");
        fixture.time.advance(Duration::from_hours(24));
        sweep(&fixture).await;
        assert_eq!(counts(&fixture).await, [2, 1, 3, 1], "{}", fixture.kind);
        fixture.time.advance(Duration::from_hours(61 * 24));
        sweep(&fixture).await;
        assert_eq!(counts(&fixture).await, [2, 0, 1, 1], "{}", fixture.kind);
    }
}

/// Starts another replica and stops it, which lets its sweep end first.
async fn sweep(fixture: &Fixture) {
    let lifecycle = chassis::Lifecycle::new();
    fixture.replica_within(HashCost::LEAST, &lifecycle).await;
    lifecycle.drain(Duration::from_mins(1)).await;
}
