//! What every service is bolted to: time and chance, ids, tokens, the database, the outbox, the server,
//! start and stop.
//!
//! It knows no service. What a service decides is in the service's own `core`.

pub mod ambient;
pub mod auth;
pub mod background;
pub mod database;
pub mod fault;
pub mod health;
pub mod id;
pub mod jwt;
pub mod lifecycle;
pub mod limit;
pub mod outbox;
pub mod page;
pub mod schema;
pub mod server;
pub mod supervise;
pub mod task;
pub mod telemetry;
pub mod testing;
pub mod throttle;
pub mod time;
pub mod tls;
pub mod vault;

pub use ambient::{Ambient, MockTime};
pub use database::Database;
pub use health::Health;
pub use lifecycle::Lifecycle;
pub use throttle::Throttle;
pub use vault::Vault;

use sea_orm::DbErr;
use tonic::service::Routes;

/// A service that has been put together: what it answers to everybody, and what only to its sisters.
pub struct Bound {
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
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// Chooses the process's cryptography: ring for TLS, and Ed25519 on ring for tokens.
///
/// Call it first in every main and test; calling it again does nothing.
pub fn install_crypto() {
    let _already_installed = rustls::crypto::ring::default_provider().install_default();
    jwt::install();
}
