//! Identity: accounts, the roles of officials, sign-in, sessions, personal access tokens, and the keys that sign
//! access tokens.
//!
//! Whoever shows an access token is known to every service without asking this one: tokens are signed, and the
//! public keys are here for the asking. What this service does not know is what the accounts do: no games, no
//! ratings; and of the events and federations in which they have roles it knows no more than the ids.
//!
//! [`core`] has what is decided, `app` the steps of each call, `store` what is kept, `rpc` and `wire` what
//! crosses the wire.
//!
//! # What an attacker meets
//! - Passwords are kept as Argon2id hashes; other secrets as SHA-256 digests.
//! - Whether a name exists cannot be told from a failed sign-in: same answer, same work.
//! - Attempts are counted by secret and address, by secret, and by address; see [`core::limit`].
//! - An address or a device from which an account was signed in to lately has tries of its own, which nobody else
//!   can use up.
//! - A refresh token that is used again after some seconds ends its session; see [`core::session`].
//! - Secrets that must be kept to be used are sealed with a key that the database does not have.
//! - Addresses are those of connections, or what a gateway of the platform vouches for. Behind any other proxy
//!   all callers share one; headers that claim another are not believed.

pub mod admin;
pub mod core;

mod app;
mod error;
mod rpc;
mod store;
mod wire;

pub use crate::{
    core::{
        limit::{Limits, Rate},
        password::HashCost,
    },
    error::Error,
};

use std::{fmt, sync::Arc};

use api::identity::v1::{
    identity_internal_service_server::{self, IdentityInternalServiceServer},
    identity_service_server::{self, IdentityServiceServer},
};
use chassis::{BindError, Database, Env, Lifecycle, ServiceInfo, ServiceRoutes, Vault};
use futures::future::BoxFuture;
use live::Live;
use tonic::service::Routes;

/// What there is to know of the service.
pub const SERVICE: ServiceInfo = ServiceInfo {
    name: "identity",
    port: 7401,
    public: &[identity_service_server::SERVICE_NAME],
    internal: &[identity_internal_service_server::SERVICE_NAME],
    has_database: true,
    has_live_state: true,
    has_secrets: true,
    ..ServiceInfo::NOTHING
};

/// What the service is given.
#[derive(Clone)]
pub struct Deps {
    /// Time and chance.
    pub env: Env,
    /// Its own database. It is secret: hashes of passwords are in it.
    pub database: Database,
    /// Seals what else is secret in it.
    pub vault: Vault,
    /// Where attempts are counted.
    pub live: Arc<dyn Live>,
    /// Where its background task belongs.
    pub lifecycle: Lifecycle,
    /// What a password's hash costs.
    pub hash_cost: HashCost,
    /// How often things may be tried.
    pub limits: Limits,
}

/// How the schema of the service's database stands.
///
/// # Errors
/// When the database does not answer.
pub async fn schema(database: &chassis::Database) -> Result<chassis::schema::Schema, sea_orm::DbErr> {
    chassis::schema::Schema::read::<store::Migrator>(database).await
}

/// Takes the first of the steps of the schema, these, in a database that has none or some of them.
///
/// # Errors
/// When they are not the first of those that this build knows, or the database refuses.
pub async fn build(database: &chassis::Database, steps: &[String]) -> Result<(), sea_orm::DbErr> {
    chassis::schema::build::<store::Migrator>(database, steps).await
}

/// Brings the tables up to date, makes the first key, and puts the services together: the public one with the
/// key set over HTTP beside it, and the internal one.
///
/// # Errors
/// See [`BindError`].
pub fn bind(deps: Deps) -> BoxFuture<'static, Result<ServiceRoutes, BindError>> {
    // A boxed future is compiled here, once; another one would be wherever it is awaited, with all that it serves.
    Box::pin(put_together(deps))
}

async fn put_together(deps: Deps) -> Result<ServiceRoutes, BindError> {
    let Deps { env, database, vault, live, lifecycle, hash_cost, limits } = deps;
    database.migrate::<store::Migrator>().await?;
    app::first_key(&database, &vault, &env).await.map_err(BindError::part("the first signing key"))?;
    let derivation = app::derivation(&database, &vault, &env).await;
    let derivation = derivation.map_err(BindError::part("the service's own secret"))?;
    let memory =
        live::Config::new("memory").map_err(BindError::part("what counts attempts in this process"))?;
    let own =
        live::connect(&memory).await.map_err(BindError::part("what counts attempts in this process"))?;
    let hasher =
        app::Hasher::new(env.clone(), hash_cost).map_err(BindError::part("what hashes passwords"))?;
    let keys = app::Keys::new(env.clone(), database.clone(), vault.clone());
    let roles = app::Roles::new(env.clone(), database.clone());
    let identity = app::Identity {
        throttle: store::Throttle::new(env.clone(), limits, live, own),
        hasher,
        keys: keys.clone(),
        derivation,
        vault,
        roles: roles.clone(),
        env,
        database,
    };
    let swept = identity.clone();
    lifecycle.every(("identity", "sweep"), app::SWEEP_INTERVAL, move || {
        let swept = swept.clone();
        async move { swept.sweep().await }
    });
    let public = Routes::new(IdentityServiceServer::new(rpc::PublicApi(identity)));
    let key_set = axum::routing::get(rpc::jwks).with_state(keys.clone());
    let public = Routes::from(public.into_axum_router().route(rpc::JWKS_PATH, key_set));
    let internal = Routes::new(IdentityInternalServiceServer::new(rpc::InternalApi { keys, roles }));
    Ok(ServiceRoutes { public, internal })
}

impl fmt::Debug for Deps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deps").field("limits", &self.limits).finish_non_exhaustive()
    }
}
