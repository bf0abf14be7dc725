//! Finding an opponent: matches players one on one.
//!
//! A player hands in a ticket, which waits in the pool of those who want the same game. Two tickets within each
//! other's rating window become a match when waiting has cost them what lies between them ([`matching`]), and the match
//! becomes a game. Tickets wait in live state, which may
//! be lost; matches are in the database, which is why a ticket never becomes two games.
//!
//! What it is not: it does not know how strong a player is (it asks the ratings), what the rules are (it asks
//! `rules`), or what happens in a game (it has the game service make it).

mod app;
pub mod core;
mod error;
mod rpc;
mod store;
mod wire;

use std::{sync::Arc, time::Duration};

use api::{
    matchmaking::v1::{
        challenge_service_server::{self, ChallengeServiceServer},
        follow_service_server::{self, FollowServiceServer},
        matchmaking_internal_service_server::{self, MatchmakingInternalServiceServer},
        matchmaking_service_server::{self, MatchmakingServiceServer},
        pause_service_server::{self, PauseServiceServer},
    },
    transport::Transport,
};
use chassis::{
    BindError, Database, Env, Lifecycle, ServiceInfo, ServiceRoutes,
    limit::{Amount, Limit},
    maintenance::PlannedMaintenance,
    metrics::Metric,
    outbox::Outbox,
};
use futures::future::BoxFuture;
use live::Live;
use parking_lot::Mutex;
use tonic::service::Routes;

pub use app::Timings;

/// How long the players of a match are waited for when nobody says otherwise.
pub const ARRIVAL: Duration = Duration::from_mins(1);

/// The limits of matchmaking.
pub const LIMITS: &[Limit] = &[
    Limit {
        name: "waiting for the players of a matched game",
        amount: Amount::Time(ARRIVAL),
        setting: Some("--arrival-within"),
        reason: "twice as long as a ticket lives whose stream broke: who still holds his hears of the game in that time, and \
                 who has come is not kept by who has not",
    },
    Limit {
        name: "streams of all that concerns an account at a server",
        amount: Amount::Count(app::FOLLOWS_MAX as u64),
        setting: None,
        reason: "a person's devices",
    },
];

/// What is measured of matchmaking.
pub const METRICS: &[Metric] = app::measure::METRICS;

/// What there is to know of the service.
pub const SERVICE: ServiceInfo = ServiceInfo {
    name: "matchmaking",
    port: 7404,
    public: &[
        matchmaking_service_server::SERVICE_NAME,
        challenge_service_server::SERVICE_NAME,
        follow_service_server::SERVICE_NAME,
        pause_service_server::SERVICE_NAME,
    ],
    internal: &[matchmaking_internal_service_server::SERVICE_NAME],
    needs: &["game", "rating", "identity", "federation"],
    has_database: true,
    has_live_state: true,
    ..ServiceInfo::NOTHING
};

/// What the service is given.
#[derive(Clone)]
pub struct Deps {
    /// Time and chance.
    pub env: Env,
    /// Its own database.
    pub database: Database,
    /// The live state.
    pub live: Arc<dyn Live>,
    /// Where its background tasks belong.
    pub lifecycle: Lifecycle,
    /// The way to the game service, calling as a service of the platform.
    pub game: Transport,
    /// The way to the rating service.
    pub rating: Transport,
    /// The way to the identity service.
    pub identity: Transport,
    /// The way to the federation service, calling as a service of the platform.
    pub federation: Transport,
    /// How long the players of a match are waited for.
    pub arrival: Duration,
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

/// Brings the tables up to date, starts matching, and puts the service together.
///
/// # Errors
/// When the database refuses.
pub fn bind(deps: Deps) -> BoxFuture<'static, Result<ServiceRoutes, BindError>> {
    bind_at(deps, Timings::default())
}

/// The same with other timings, for tests that do not want to wait.
///
/// # Errors
/// As [`bind`].
pub fn bind_at(deps: Deps, timings: Timings) -> BoxFuture<'static, Result<ServiceRoutes, BindError>> {
    // A boxed future is compiled here, once; another one would be wherever it is awaited, with all that it serves.
    Box::pin(put_together(deps, timings))
}

async fn put_together(deps: Deps, timings: Timings) -> Result<ServiceRoutes, BindError> {
    deps.database.migrate::<store::Migrator>().await?;
    let queue = store::Queue::new(deps.live, deps.env.uuid());
    let tickets = Arc::new(app::Tickets {
        holder: app::Holder::start(deps.env.clone(), queue.clone(), timings, &deps.lifecycle),
        queue,
        look_up: app::LookUp::start(deps.env.clone(), deps.database.clone(), &deps.lifecycle),
        ratings: app::peers::Ratings::start(deps.rating, &deps.lifecycle),
        accounts: app::peers::Accounts::new(deps.identity),
        mirror: Mutex::default(),
        arrivals: app::Arrivals::default(),
        paired: Arc::default(),
        answered: Arc::default(),
        board: app::Board::default(),
        told: app::ToldGames::default(),
        followers: Arc::default(),
        proposals: app::Proposals::default(),
        measures: app::measure::Measures::new(deps.lifecycle.metrics()),
        soon: Mutex::default(),
        maintenance: PlannedMaintenance::new(deps.env.clone()),
        outbox: Outbox::new(deps.database.clone(), deps.env.clone()),
        database: deps.database,
        timings,
        stop: deps.lifecycle.stopping(),
        env: deps.env,
    });
    app::measure::measure(deps.lifecycle.metrics(), &tickets);
    let games = app::peers::Games::new(deps.game, deps.arrival);
    let federations = app::peers::Federations::new(deps.federation);
    let follows = app::Follows::new(Arc::clone(&tickets), games.clone(), federations.clone());
    let creator = app::start(&tickets, games, federations.clone(), &deps.lifecycle);
    let challenges = app::Challenges::new(Arc::clone(&tickets), creator, federations);
    Ok(ServiceRoutes {
        internal: Routes::new(MatchmakingInternalServiceServer::new(rpc::InternalApi(Arc::clone(&tickets)))),
        public: Routes::new(MatchmakingServiceServer::new(rpc::PublicApi(Arc::clone(&tickets))))
            .add_service(FollowServiceServer::new(rpc::FollowApi(follows)))
            .add_service(PauseServiceServer::new(rpc::PauseApi(tickets)))
            .add_service(ChallengeServiceServer::new(rpc::ChallengeApi(challenges))),
    })
}
