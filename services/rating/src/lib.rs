//! Ratings: how strong a player is, by variant and speed class; how that moved; and who leads.
//!
//! The service takes the results of finished rated games from other services and enters each of them once. It
//! does not know games: not their rules, not which variants exist, not who may play whom.
//!
//! What it decides is in [`core`]; the rest carries it: `app` does what each call asks for, `rpc` and `wire` take it
//! from protos and give it back, `store` keeps it.

pub mod admin;
pub mod audit;
pub mod core;

mod app;
mod error;
mod rpc;
mod store;
mod wire;

use api::{
    rating::v1::{
        moderation_service_server::{self, ModerationServiceServer},
        rating_internal_service_server::{self, RatingInternalServiceServer},
        rating_service_server::{self, RatingServiceServer},
    },
    transport::Transport,
};
use chassis::{
    BindError, Database, Env, Lifecycle, ServiceInfo, ServiceRoutes,
    limit::{Amount, Limit},
};
use futures::future::BoxFuture;
use tonic::service::Routes;

/// The limits of the ratings.
pub const LIMITS: &[Limit] = &[
    Limit {
        name: "federations whose members the ratings remember",
        amount: Amount::Count(app::FEDERATIONS as u64),
        setting: None,
        reason: "a minute each; of one with 100,000 members 1.6 MB",
    },
    Limit {
        name: "leaderboards of federations that the ratings remember",
        amount: Amount::Count(app::BOARDS as u64),
        setting: None,
        reason: "a minute each; 1,000 players, some 150 kB",
    },
];

/// What there is to know of the service.
pub const SERVICE: ServiceInfo = ServiceInfo {
    name: "rating",
    port: 7405,
    public: &[rating_service_server::SERVICE_NAME, moderation_service_server::SERVICE_NAME],
    internal: &[rating_internal_service_server::SERVICE_NAME],
    has_database: true,
    ..ServiceInfo::NOTHING
};

/// What the service is given.
#[derive(Clone, Debug)]
pub struct Deps {
    /// The time.
    pub env: Env,
    /// Its own database.
    pub database: Database,
    /// Where its background task belongs.
    pub lifecycle: Lifecycle,
    /// The way to the federation service, calling as a service of the platform.
    pub federation: Transport,
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

/// Brings the tables up to date, starts the writer, and puts the services together: the public ones, of which one reads and one is
/// for moderators, and the internal one, which takes results.
///
/// # Errors
/// When the database refuses.
pub fn bind(deps: Deps) -> BoxFuture<'static, Result<ServiceRoutes, BindError>> {
    // A boxed future is compiled here, once; another one would be wherever it is awaited, with all that it serves.
    Box::pin(put_together(deps))
}

async fn put_together(deps: Deps) -> Result<ServiceRoutes, BindError> {
    let Deps { env, database, lifecycle, federation } = deps;
    database.migrate::<store::Migrator>().await?;
    let standings = app::Standings::new(env.clone(), database.clone());
    let counted = standings.clone();
    lifecycle.every(("rating", "standings"), app::COUNTED, move || counted.clone().count_anew());
    let federations = app::Federations::new(env.clone(), database.clone(), federation);
    let boards = app::Boards::new(env.clone(), database.clone(), federations.clone(), lifecycle.stopping());
    lifecycle.every(("rating", "leaderboards"), app::KEPT, move || boards.clone().keep_due());
    let histories = app::WholeHistories::new(env.clone(), database.clone(), lifecycle.stopping());
    let worked_out = histories.clone();
    lifecycle.every(("rating", "whole-histories"), app::WORKED_OUT, move || worked_out.clone().work_out());
    let reports = app::Reports::new(env.clone(), database.clone(), lifecycle.stopping());
    lifecycle.every(("rating", "reports"), app::DUE, move || reports.clone().look());
    let moderation = app::Moderation::new(env.clone(), database.clone());
    let ratings =
        app::Ratings { env: env.clone(), database: database.clone(), standings, histories, federations };
    let results = app::Results::start(env, database, &lifecycle);
    Ok(ServiceRoutes {
        internal: Routes::new(RatingInternalServiceServer::new(rpc::InternalApi {
            results,
            ratings: ratings.clone(),
        })),
        public: Routes::new(RatingServiceServer::new(rpc::PublicApi(ratings)))
            .add_service(ModerationServiceServer::new(rpc::ModerationApi(moderation))),
    })
}
