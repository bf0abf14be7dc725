//! What cannot be seen from outside.

use std::sync::Arc;

use api::{clock::v1::clock_internal_service_client::ClockInternalServiceClient, transport::over};
use chassis::{Env, Lifecycle, Metrics, Vault, outbox::Outbox, testing::databases};
use tonic::service::Routes;

use super::{
    App,
    availability::{Heartbeat, Ingress},
    clocks::Clocks,
    commands::PlayerCommand,
    registry::Registry,
    sealing::SealingKeyring,
    views::ViewCache,
};
use crate::{
    core::Command,
    store::{Journal, Migrator},
};

#[tokio::test]
async fn while_nobody_can_act_no_room_is_made() {
    for test in databases().await {
        let (env, database, lifecycle) = (Env::system(), &test.database, Lifecycle::new());
        database.migrate::<Migrator>().await.expect("migrates");
        let memory = live::Config::new("memory").expect("memory is a place");
        // There are no clocks, and so no heartbeat.
        let clock = ClockInternalServiceClient::new(over(Routes::default()));
        let outbox = Outbox::new(database.clone(), env.clone());
        let heartbeat =
            Heartbeat::new(env.clone(), database.clone(), clock.clone(), lifecycle.health().clone());
        let registry = Registry::new(
            env.clone(),
            database.clone(),
            live::connect(&memory).await.expect("memory is always there"),
            lifecycle,
            Journal::channel(database.clone(), outbox, &Metrics::default()).0,
            Clocks(clock),
            Arc::new(heartbeat),
            SealingKeyring::new(env.clone(), database.clone(), Vault::open_to_all()),
        );
        let views = ViewCache::new(database.clone());
        let app = Arc::new(App::new(registry, views));
        let command = PlayerCommand {
            game: env.uuid().into(),
            account: env.uuid().into(),
            command: Command::Resign,
            request: env.uuid().into(),
            arrival: env.now().into(),
            ingress: Ingress::Direct,
        };
        let answer = app.command(command).await;
        assert!(answer.is_err_and(|error| error.is_the_platform_s()), "{}", test.kind);
        assert!(app.registry.is_empty(), "{}", test.kind);
    }
}
