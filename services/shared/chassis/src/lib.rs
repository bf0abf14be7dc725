//! What every service is bolted to: time and chance, ids, tokens, the database, the outbox, the server,
//! start and stop.
//!
//! It knows no service. What a service decides is in the service's own `core`.

pub mod affinity;
pub mod auth;
pub mod background;
pub mod batch;
pub mod database;
pub mod env;
pub mod error;
pub mod follow;
pub mod health;
pub mod id;
pub mod jwt;
pub mod lifecycle;
pub mod limit;
pub mod maintenance;
pub mod metrics;
pub mod outbox;
pub mod page;
pub mod schema;
pub mod server;
pub mod streams;
pub mod supervise;
pub mod task;
pub mod telemetry;
pub mod testing;
pub mod text;
pub mod throttle;
pub mod time;
pub mod tls;
pub mod trace;
pub mod vault;

pub use database::Database;
pub use env::{Env, MockClock};
pub use health::Health;
pub use lifecycle::Lifecycle;
pub use metrics::Metrics;
pub use throttle::Throttle;
pub use vault::Vault;

use std::error::Error;

use sea_orm::DbErr;
use tonic::service::Routes;

/// What there is to know of a service before it is put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServiceInfo {
    /// Its name.
    pub name: &'static str,
    /// The port it listens on when nobody says otherwise.
    pub port: u16,
    /// Its public gRPC services.
    pub public: &'static [&'static str],
    /// Those that only other services may call.
    pub internal: &'static [&'static str],
    /// The names of the services without which it can do nothing for players.
    pub needs: &'static [&'static str],
    /// Whether it keeps anything in a database.
    pub has_database: bool,
    /// Whether it keeps anything in live state.
    pub has_live_state: bool,
    /// Whether it has secrets to seal, and must be trusted with the key.
    pub has_secrets: bool,
    /// Connections to its database that are for one purpose each.
    pub own_connections: u32,
}

impl ServiceInfo {
    /// A service that keeps nothing, needs nobody and is called by nobody, for others to begin from.
    pub const NOTHING: ServiceInfo = ServiceInfo {
        name: "",
        port: 0,
        public: &[],
        internal: &[],
        needs: &[],
        has_database: false,
        has_live_state: false,
        has_secrets: false,
        own_connections: 0,
    };
}

/// A service that has been put together: what it answers to everybody, and what only to other services.
pub struct ServiceRoutes {
    /// The public services.
    pub public: Routes,
    /// The internal ones. Their handlers check that a service of the platform is calling.
    pub internal: Routes,
}

/// Why a service could not be put together.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// Its tables could not be brought up to date.
    #[error("the tables could not be brought up to date")]
    Migration(#[from] DbErr),
    /// A part of it could not be made.
    #[error("{part} could not be made ready")]
    Part {
        /// What it is, in a few words.
        part: &'static str,
        /// Why.
        source: Box<dyn Error + Send + Sync>,
    },
}

impl BindError {
    /// For what makes a part of a service and may fail.
    pub fn part<E: Error + Send + Sync + 'static>(part: &'static str) -> impl FnOnce(E) -> Self {
        move |error| BindError::Part { part, source: Box::new(error) }
    }
}

/// Chooses the process's cryptography: ring for TLS, and Ed25519 on ring for tokens.
///
/// Call it first in every main and test; calling it again does nothing.
pub fn install_crypto() {
    let _already_installed = rustls::crypto::ring::default_provider().install_default();
    jwt::install();
}
