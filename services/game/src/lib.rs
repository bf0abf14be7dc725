//! Games: the authority on every position. It validates an act by the rules, has the clocks read, writes the
//! event to the game's log, and only then acknowledges and tells everybody.
//!
//! It does not know what time means (the clock service does), who plays whom (matchmaking does) or what a
//! result is worth (rating does).

mod app;
pub mod core;
mod error;
mod rpc;
mod store;
mod wire;

pub use app::{admin, audit, history, maintenance, packing::pack_logs};
pub use error::MaintenanceFailure;
pub use store::finished::Packed;

use std::{convert::Infallible, sync::Arc, time::Duration};

use api::{
    clock::v1::clock_internal_service_client::ClockInternalServiceClient,
    federation::v1::federation_internal_service_client::FederationInternalServiceClient,
    game::v1::{
        arbiter_service_server::{self, ArbiterServiceServer},
        chat_service_server::{self, ChatServiceServer},
        event_games_internal_service_server::{self, EventGamesInternalServiceServer},
        game_internal_service_server::{self, GameInternalServiceServer},
        game_service_server::{self, GameServiceServer},
    },
    matchmaking::v1::matchmaking_internal_service_client::MatchmakingInternalServiceClient,
    rating::v1::rating_internal_service_client::RatingInternalServiceClient,
    transport::Transport,
};
use chassis::{BindError, Database, Env, Lifecycle, ServiceInfo, ServiceRoutes, Vault, outbox::Outbox};
use futures::future::BoxFuture;
use live::Live;
use tonic::service::Routes;

use crate::{
    app::{
        App,
        availability::Heartbeat,
        clocks::Clocks,
        delivery::{Receivers, deliver},
        packing::{self, Packing},
        presence::players,
        readers,
        registry::{self, Registry},
        scheduler,
        sealing::SealingKeyring,
        views::ViewCache,
    },
    rpc::{ArbiterApi, ChatApi, EventGamesApi, InternalApi, PublicApi},
    store::{Journal, Migrator},
};

/// What there is to know of the service.
pub const SERVICE: ServiceInfo = ServiceInfo {
    name: "game",
    port: 7402,
    public: &[
        game_service_server::SERVICE_NAME,
        arbiter_service_server::SERVICE_NAME,
        chat_service_server::SERVICE_NAME,
    ],
    internal: &[
        game_internal_service_server::SERVICE_NAME,
        event_games_internal_service_server::SERVICE_NAME,
    ],
    needs: &["clock"],
    has_database: true,
    has_live_state: true,
    has_secrets: true,
    // For the log of games, and for the record of outages.
    own_connections: 2,
};

/// The largest request: a record of a mebibyte and its envelope.
const REQUEST_BYTES_MAX: usize = 1024 * 1024 + 64 * 1024;

/// The largest request to the chat: the longest text and its envelope.
const CHAT_BYTES_MAX: usize = 16 * 1024;

/// The limits of looking at games.
pub const VIEW_LIMITS: &[chassis::limit::Limit] = app::views::LIMITS;
/// The limits of streams.
pub const STREAM_LIMITS: &[chassis::limit::Limit] = app::readers::LIMITS;
/// The limits of following one's own games.
pub const OWN_GAMES_LIMITS: &[chassis::limit::Limit] = app::follow_own::LIMITS;
/// The limits of chat.
pub const CHAT_LIMITS: &[chassis::limit::Limit] = app::chat_limits::LIMITS;
/// What is measured of games.
pub const METRICS: &[&[chassis::metrics::Metric]] = &[app::measure::METRICS, store::JOURNAL_METRICS];

/// The limits of imported records.
pub const IMPORT_LIMITS: &[chassis::limit::Limit] = app::imports::LIMITS;
/// The limits of the logs of games that are over.
pub const LOG_LIMITS: &[chassis::limit::Limit] = store::finished::LIMITS;

/// What the game service needs.
pub struct Deps {
    /// Time and chance.
    pub env: Env,
    /// Its own database.
    pub database: Database,
    /// Seals the keys of sealed moves in it.
    pub vault: Vault,
    /// Live state, for fan-out.
    pub live: Arc<dyn Live>,
    /// The process's tasks.
    pub lifecycle: Lifecycle,
    /// The way to the clock service.
    pub clock: Transport,
    /// The way to the rating service.
    pub rating: Transport,
    /// The way to the federation service.
    pub federation: Transport,
    /// The way to the matchmaking service.
    pub matchmaking: Transport,
}

/// Puts the game service together and starts its tasks: the journal, the heartbeat, the outbox, the sweep,
/// what is due, who is there.
///
/// # Errors
/// When the tables cannot be brought up to date.
pub fn bind(deps: Deps) -> BoxFuture<'static, Result<ServiceRoutes, BindError>> {
    // A boxed future is compiled here, once; another one would be wherever it is awaited, with all that it serves.
    Box::pin(put_together(deps))
}

async fn put_together(deps: Deps) -> Result<ServiceRoutes, BindError> {
    let Deps { env, database, vault, live, lifecycle, clock, rating, federation, matchmaking } = deps;
    database.migrate::<Migrator>().await?;
    app::sealing::ready(&database, &vault).await?;
    let outbox = Outbox::new(database.clone(), env.clone());
    // Neither the log nor the record of outages waits for anybody else's connection.
    let (journal, writer) = Journal::channel(database.apart().await?, outbox.clone(), lifecycle.metrics());
    lifecycle.supervise_last(("game", "journal"), move || writer.clone().run());
    let receivers = Receivers {
        rating: RatingInternalServiceClient::new(rating),
        federation: FederationInternalServiceClient::new(federation),
        matchmaking: MatchmakingInternalServiceClient::new(matchmaking),
    };
    let clock = ClockInternalServiceClient::new(clock);
    let health = lifecycle.health().clone();
    let heartbeat = Arc::new(Heartbeat::new(env.clone(), database.apart().await?, clock.clone(), health));
    let packing = Arc::new(Packing {
        env: env.clone(),
        database: database.clone(),
        measures: packing::Measures::new(lifecycle.metrics()),
        stop: lifecycle.stopping(),
    });
    lifecycle.every(("game", "packing"), packing::LOOK, move || {
        let packing = Arc::clone(&packing);
        async move { packing.pack_all().await }
    });
    let registry = Registry::new(
        env.clone(),
        database.clone(),
        live,
        lifecycle.clone(),
        journal,
        Clocks(clock),
        Arc::clone(&heartbeat),
        SealingKeyring::new(env, database.clone(), vault),
    );
    let views = ViewCache::new(database);
    let app = Arc::new(App::new(registry, views));
    app::measure::measure(lifecycle.metrics(), &app);
    let making = Arc::clone(&app);
    let delivered = move |entry| deliver(receivers.clone(), Arc::clone(&making), entry);
    outbox.start_parcels(&lifecycle, ("game", "outbox"), wire::OUTBOX_KINDS, delivered);
    every(&lifecycle, "sweep", registry::SWEEP, &app.registry, |it| async move { it.sweep() });
    every(&lifecycle, "readers", readers::LOOK, &app.readers, |it| async move { it.look() });
    every(&lifecycle, "unconfirmed", scheduler::LOOK, &app.registry, |it| async move {
        it.check_unconfirmed().await;
    });
    every(&lifecycle, "absences", players::LOOK, &app.players, |it| async move { it.poll_absences().await });
    every(&lifecycle, "maintenance", maintenance::LOOK, &app.registry, |it| async move {
        it.look_at_maintenance().await;
    });
    let presence = Arc::clone(&app.registry.presence);
    lifecycle.every_or_when(("game", "presence"), players::LOOK, &app.registry.presence.changed, move || {
        let presence = Arc::clone(&presence);
        async move {
            presence.look().await;
            Ok::<(), Infallible>(())
        }
    });
    let kept = Arc::clone(&app.registry);
    lifecycle.supervise(("game", "due"), move || Arc::clone(&kept).visit_due());
    let crediting = Arc::clone(&app.registry);
    let credit = move |_outage| {
        let registry = Arc::clone(&crediting);
        async move {
            registry.touch_all().await;
        }
    };
    let stop = lifecycle.stopping();
    lifecycle
        .supervise(("game", "heartbeat"), move || Arc::clone(&heartbeat).run(stop.clone(), credit.clone()));
    let public =
        GameServiceServer::new(PublicApi(Arc::clone(&app))).max_decoding_message_size(REQUEST_BYTES_MAX);
    let arbiter = ArbiterServiceServer::new(ArbiterApi(Arc::clone(&app)));
    let chat = ChatServiceServer::new(ChatApi(Arc::clone(&app))).max_decoding_message_size(CHAT_BYTES_MAX);
    let of_events = EventGamesInternalServiceServer::new(EventGamesApi(Arc::clone(&app)));
    let internal = GameInternalServiceServer::new(InternalApi(app));
    let public = Routes::new(public).add_service(arbiter).add_service(chat);
    Ok(ServiceRoutes { public, internal: Routes::new(internal).add_service(of_events) })
}

/// Does what cannot fail, or says by itself how it does, once a period.
fn every<T, F>(
    lifecycle: &Lifecycle,
    task: &'static str,
    period: Duration,
    on: &Arc<T>,
    work: fn(Arc<T>) -> F,
) where
    T: Send + Sync + 'static,
    F: Future<Output = ()> + Send + 'static,
{
    let on = Arc::clone(on);
    lifecycle.every(("game", task), period, move || {
        let work = work(Arc::clone(&on));
        async move {
            work.await;
            Ok::<(), Infallible>(())
        }
    });
}
