//! What is secret in the database is sealed with a key that is not in it.

use chassis::{
    BindError, Lifecycle, Vault,
    vault::{KEY_BYTES, key_text},
};
use identity::HashCost;
use sea_orm::{ConnectionTrait as _, Statement};

use crate::fixture::{Fixture, PASSWORD, WIDE, fixtures, memory};

/// The seeds and the service's own secrets as they are stored.
async fn stored(fixture: &Fixture) -> Vec<Vec<u8>> {
    let on = fixture.database().read();
    let all = "SELECT seed AS stored FROM signing_keys UNION ALL SELECT sealed FROM server_secrets";
    let rows = on.query_all_raw(Statement::from_string(on.get_database_backend(), all)).await.expect("reads");
    rows.iter().map(|row| row.try_get("", "stored").expect("bytes")).collect()
}

async fn start(fixture: &Fixture, vault: Vault) -> Result<chassis::ServiceRoutes, BindError> {
    let deps = identity::Deps {
        env: fixture.env.clone(),
        database: fixture.database().clone(),
        vault,
        live: memory().await,
        lifecycle: Lifecycle::new(),
        hash_cost: HashCost::LEAST,
        limits: WIDE,
    };
    identity::bind(deps).await
}

fn vault(keys: &[u8]) -> Vault {
    let keys: Vec<String> = keys.iter().map(|key| key_text(&[*key; KEY_BYTES])).collect();
    Vault::of_text(&keys.join("\n")).expect("good keys")
}

#[tokio::test]
async fn no_seed_stands_open_in_the_database() {
    for fixture in fixtures().await {
        fixture.register("anna").await;
        let stored = stored(&fixture).await;
        assert_eq!(stored.len(), 2, "{}", fixture.kind);
        for secret in stored {
            assert!(
                Vault::is_sealed(&secret) && Vault::open_to_all().is_current(&secret),
                "{}",
                fixture.kind
            );
        }
    }
}

#[tokio::test]
async fn a_seed_of_before_is_sealed_at_the_next_start_and_goes_on_signing() {
    for fixture in fixtures().await {
        let seed = [7_u8; 32];
        let kid = chassis::jwt::SigningKey::from_seed(&seed).kid().to_owned();
        let bare = if fixture.kind == "sqlite" { "x'" } else { "'\\x" };
        let bare = format!("UPDATE signing_keys SET seed = {bare}{}'", "07".repeat(32));
        fixture.database().write().execute_unprepared(&bare).await.expect("writes");
        start(&fixture, Vault::open_to_all()).await.expect("starts");
        assert!(stored(&fixture).await.iter().all(|secret| Vault::is_sealed(secret)), "{}", fixture.kind);
        fixture.register("anna").await;
        let session = fixture.sign_in("anna", PASSWORD).await.expect("signs in");
        let head = session.access_token.split('.').next().expect("a header").to_owned();
        let head = base64::Engine::decode(&base64::engine::general_purpose::URL_SAFE_NO_PAD, head);
        assert!(String::from_utf8(head.expect("Base64")).expect("text").contains(&kid), "{}", fixture.kind);
    }
}

#[tokio::test]
async fn secrets_are_sealed_anew_and_the_old_key_can_go() {
    for fixture in fixtures().await {
        let database = fixture.database();
        for table in ["signing_keys", "server_secrets"] {
            database.write().execute_unprepared(&format!("DELETE FROM {table}")).await.expect("forgets");
        }
        start(&fixture, vault(&[1])).await.expect("starts with the first key");
        assert_eq!(identity::admin::reseal(database, &vault(&[2, 1])).await.expect("seals"), 2);
        assert_eq!(identity::admin::reseal(database, &vault(&[2, 1])).await.expect("seals"), 0);
        start(&fixture, vault(&[2])).await.expect("starts with the second alone");
        let refused =
            start(&fixture, vault(&[1])).await.map(drop).expect_err("the first opens nothing any more");
        let mut why: &dyn std::error::Error = &refused;
        while let Some(cause) = why.source() {
            why = cause;
        }
        assert!(why.to_string().contains(&vault(&[2]).key_id()), "{why}");
    }
}
