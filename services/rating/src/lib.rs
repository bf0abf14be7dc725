//! Ratings: how strong a player is, by variant and speed class; how that moved; and who leads.
//!
//! The service takes the results of finished rated games from its sisters and enters each of them once. It
//! does not know games: not their rules, not which variants exist, not who may play whom.
//!
//! What it decides is in [`core`]; the rest carries it: `rpc` and `wire` to and from protos, `store` to and
//! from the database.

pub mod audit;
pub mod core;

mod app;
mod error;
mod rpc;
mod store;
mod wire;

use api::rating::v1::{
    rating_internal_service_server::RatingInternalServiceServer, rating_service_server::RatingServiceServer,
};
use chassis::{Ambient, BindError, Bound, Database, Lifecycle};
use tonic::service::Routes;

/// What the service is given.
#[derive(Clone, Debug)]
pub struct Deps {
    /// The time.
    pub ambient: Ambient,
    /// Its own database.
    pub database: Database,
    /// Where its background task belongs.
    pub lifecycle: Lifecycle,
}

/// How the schema of the service's database stands.
///
/// # Errors
/// When the database does not answer.
pub async fn schema(database: &chassis::Database) -> Result<chassis::schema::Schema, sea_orm::DbErr> {
    chassis::schema::Schema::read::<store::Migrator>(database).await
}

/// Brings the tables up to date, starts the writer, and puts the two services together: the public one, which
/// reads, and the internal one, which takes results.
///
/// # Errors
/// When the database refuses.
pub async fn bind(deps: Deps) -> Result<Bound, BindError> {
    deps.database.migrate::<store::Migrator>().await?;
    let public = rpc::Public { ambient: deps.ambient.clone(), database: deps.database.clone() };
    let writer = app::Writer::start(deps.database, &deps.lifecycle);
    let internal = rpc::Internal { ambient: deps.ambient, writer };
    Ok(Bound {
        public: Routes::new(RatingServiceServer::new(public)),
        internal: Routes::new(RatingInternalServiceServer::new(internal)),
    })
}
