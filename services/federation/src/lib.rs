//! Federations: their clubs, members and teams, and the events that they hold.
//!
//! An event is an append-only log of what its organisers, arbiters and players did; everything else that there is to
//! know of it is a fold of that log. Organisations are rows of tables, with the dates from which they hold.
//!
//! What it is not: it plays no game (it has the game service make them, and hears what came of them), it rates nobody,
//! and it decides no pairing and no place by itself: `pairing` does, as a function of what the log says.

pub mod admin;
mod app;
pub mod audit;
pub mod core;
mod error;
mod rpc;
mod store;
mod wire;

use std::{sync::Arc, time::Duration};

use api::{
    federation::v1::{
        calendar_service_server::{self, CalendarServiceServer},
        document_service_server::{self, DocumentServiceServer},
        event_service_server::{self, EventServiceServer},
        exchange_service_server::{self, ExchangeServiceServer},
        federation_internal_service_server::{self, FederationInternalServiceServer},
        federation_service_server::{self, FederationServiceServer},
        language_service_server::{self, LanguageServiceServer},
        league_service_server::{self, LeagueServiceServer},
        membership_service_server::{self, MembershipServiceServer},
        notice_service_server::{self, NoticeServiceServer},
        pairing_service_server::{self, PairingServiceServer},
        rating_list_service_server::{self, RatingListServiceServer},
        title_service_server::{self, TitleServiceServer},
    },
    game::v1::game_internal_service_client::GameInternalServiceClient,
    identity::v1::{
        identity_internal_service_client::IdentityInternalServiceClient,
        identity_service_client::IdentityServiceClient,
    },
    transport::Transport,
};
use chassis::{BindError, Database, Env, Lifecycle, ServiceInfo, ServiceRoutes, Vault, outbox::Outbox};
use futures::future::BoxFuture;
use live::Live;
use tonic::service::Routes;

/// What there is to know of the service.
pub const SERVICE: ServiceInfo = ServiceInfo {
    name: "federation",
    port: 7406,
    public: &[
        federation_service_server::SERVICE_NAME,
        membership_service_server::SERVICE_NAME,
        document_service_server::SERVICE_NAME,
        calendar_service_server::SERVICE_NAME,
        language_service_server::SERVICE_NAME,
        event_service_server::SERVICE_NAME,
        notice_service_server::SERVICE_NAME,
        league_service_server::SERVICE_NAME,
        title_service_server::SERVICE_NAME,
        pairing_service_server::SERVICE_NAME,
        exchange_service_server::SERVICE_NAME,
        rating_list_service_server::SERVICE_NAME,
    ],
    internal: &[federation_internal_service_server::SERVICE_NAME],
    needs: &["game", "identity"],
    has_database: true,
    has_live_state: true,
    has_secrets: true,
    ..ServiceInfo::NOTHING
};

/// The limits of events.
pub const EVENT_LIMITS: &[chassis::limit::Limit] = app::event::queue::LIMITS;
/// The limits of watching boards.
pub const BOARD_LIMITS: &[chassis::limit::Limit] = app::event::boards::LIMITS;

/// What is measured of events.
pub const METRICS: &[chassis::metrics::Metric] = app::event::measure::METRICS;

/// How often requests are forgotten that are older than a day.
const SWEEP_INTERVAL: Duration = Duration::from_mins(10);

/// What the service is given.
#[derive(Clone)]
pub struct Deps {
    /// Time and chance.
    pub env: Env,
    /// Its own database.
    pub database: Database,
    /// Seals the seeds of draws in it.
    pub vault: Vault,
    /// The live state.
    pub live: Arc<dyn Live>,
    /// Where its background tasks belong.
    pub lifecycle: Lifecycle,
    /// The way to the game service, calling as a service of the platform.
    pub game: Transport,
    /// The way to identity, calling as a service of the platform.
    pub identity: Transport,
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

/// Brings the tables up to date, starts what runs by itself, and puts the service together.
///
/// # Errors
/// When the database refuses.
pub fn bind(deps: Deps) -> BoxFuture<'static, Result<ServiceRoutes, BindError>> {
    // A boxed future is compiled here, once; another one would be wherever it is awaited, with all that it serves.
    Box::pin(put_together(deps))
}

async fn put_together(deps: Deps) -> Result<ServiceRoutes, BindError> {
    deps.database.migrate::<store::Migrator>().await?;
    let notices = notices(&deps);
    let office = rpc::Office { desk: desk(&deps, &notices) };
    let events = events(&deps, &office.desk.outbox, &notices);
    let persons = Arc::new(app::persons::Persons::new(office.desk.clone(), Arc::clone(&events)));
    let exchange = Arc::new(app::exchange::Exchange::new(
        office.desk.clone(),
        deps.lifecycle.clone(),
        Arc::clone(&events),
        Arc::clone(&persons),
    ));
    let lists = app::RatingLists::new(office.desk.clone(), Arc::clone(&events));
    let documents = app::documents::Documents::new(office.desk.clone(), Arc::clone(&events), lists.clone());
    let calendars = app::calendars::Calendars::new(office.desk.clone(), Arc::clone(&events));
    let calendars = Arc::new(calendars);
    let languages = Arc::new(app::languages::Languages::new(office.desk.clone()));
    let public_notices =
        rpc::PublicNotices { notices: Arc::clone(&notices), maintenance: events.maintenance.clone() };
    let leagues = app::league::Leagues { desk: office.desk.clone(), events: Arc::clone(&events) };
    let lists = rpc::RatingListApi { office: office.clone(), lists };
    let federations = rpc::FederationApi(office.clone(), persons);
    let public = Routes::new(FederationServiceServer::new(federations))
        .add_service(LeagueServiceServer::new(rpc::LeagueApi(office.clone(), leagues)))
        .add_service(DocumentServiceServer::new(rpc::DocumentApi(Arc::new(documents))))
        .add_service(CalendarServiceServer::new(rpc::CalendarApi(Arc::clone(&calendars))))
        .add_service(LanguageServiceServer::new(rpc::LanguageApi(languages)))
        .add_service(MembershipServiceServer::new(rpc::MembershipApi(office.clone())))
        .add_service(TitleServiceServer::new(rpc::TitleApi(office)))
        .add_service(EventServiceServer::new(rpc::PublicEvents(Arc::clone(&events))))
        .add_service(NoticeServiceServer::new(public_notices))
        .add_service(PairingServiceServer::new(rpc::PublicPairing(Arc::clone(&events))))
        .add_service(ExchangeServiceServer::new(rpc::ExchangeApi(exchange)))
        .add_service(RatingListServiceServer::new(lists));
    let public = Routes::from(public.into_axum_router().merge(rpc::calendar_route(calendars)));
    let internal = Routes::new(FederationInternalServiceServer::new(rpc::InternalEvents(
        events,
        notices,
        deps.database,
    )));
    Ok(ServiceRoutes { public, internal })
}

/// Where accounts are told what concerns them, with what forgets it.
fn notices(deps: &Deps) -> Arc<app::notices::Notices> {
    let Deps { env, database, live, lifecycle, .. } = deps;
    let notices =
        app::notices::Notices::new(env.clone(), database.clone(), Arc::clone(live), lifecycle.clone());
    let swept = Arc::clone(&notices);
    lifecycle.every(("federation", "notices"), app::notices::INTERVAL, move || {
        let swept = Arc::clone(&swept);
        async move { swept.sweep().await }
    });
    notices
}

/// Where events are run, with what runs by itself: who has their games made, and tells identity of their officials.
fn events(deps: &Deps, outbox: &Outbox, notices: &Arc<app::notices::Notices>) -> Arc<app::event::Events> {
    let Deps { env, database, vault, live, lifecycle, game, identity } = deps;
    let stores = (env.clone(), database.clone(), vault.clone());
    let (live, notices) = (Arc::clone(live), Arc::clone(notices));
    let events =
        app::event::Events::new(stores, live, lifecycle.clone(), (outbox.clone(), notices), game.clone());
    let (games, identity) =
        (GameInternalServiceClient::new(game.clone()), IdentityInternalServiceClient::new(identity.clone()));
    events.maintenance.follow(lifecycle, "federation", games.clone());
    let scheduled = Arc::clone(&events);
    lifecycle.every(("federation", "schedule"), app::event::schedule::INTERVAL, move || {
        let scheduled = Arc::clone(&scheduled);
        async move { scheduled.do_what_is_due().await }
    });
    let counted = Arc::clone(&events);
    lifecycle.every(("federation", "people"), app::event::people::INTERVAL, move || {
        let counted = Arc::clone(&counted);
        async move { counted.know_people().await }
    });
    let owed = Arc::clone(&events);
    outbox.start(lifecycle, ("federation", "games"), app::event::delivery::KINDS, move |entry| {
        app::event::delivery::deliver((games.clone(), identity.clone()), Arc::clone(&owed), entry)
    });
    events
}

/// Where organisations are changed, with what runs by itself: who tells identity of roles, and who forgets requests.
fn desk(deps: &Deps, notices: &Arc<app::notices::Notices>) -> app::Desk {
    let Deps { env, database, live, lifecycle, identity, .. } = deps;
    let outbox = Outbox::new(database.clone(), env.clone());
    let (internal, own) = (IdentityInternalServiceClient::new(identity.clone()), database.clone());
    outbox.start(lifecycle, ("federation", "outbox"), app::KINDS, move |entry| {
        app::deliver(internal.clone(), own.clone(), entry)
    });
    let desk = app::Desk {
        env: env.clone(),
        database: database.clone(),
        live: Arc::clone(live),
        outbox,
        notices: Arc::clone(notices),
        accounts: app::Accounts(IdentityServiceClient::new(identity.clone())),
    };
    let swept = desk.clone();
    lifecycle.every(("federation", "requests"), SWEEP_INTERVAL, move || {
        let swept = swept.clone();
        async move { swept.sweep().await }
    });
    desk
}
