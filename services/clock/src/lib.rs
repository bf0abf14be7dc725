//! Authoritative clocks: what an event does to the clocks of a game, and the watch over every flag.
//!
//! The service keeps no clock. A game's log holds the only copy that counts; [`core`] says what an event
//! does to it. What the service does keep is, in the live state, when each flag falls: whichever replica is
//! awake then tells the game service, which ends the game by an append to its log that can succeed once.
//! Losing the live state loses nothing: the running clocks are read back from the game service.
//!
//! Rooms: [`core`] decides; `app` has what each call does, the watch that reports fallen flags, the recovery that finds
//! forgotten ones again, the streams of what is announced, and [`history`], which holds the log of a game's clocks to
//! what follows from it; `store` keeps the watched flags in the live state; `rpc` is proto in, proto out, and `wire`
//! what lies between protos and plain types.

mod app;
pub mod core;
mod error;
mod rpc;
mod store;
mod wire;

pub use crate::app::history;

use std::sync::Arc;

use api::{
    clock::v1::{
        clock_internal_service_server::{self, ClockInternalServiceServer},
        clock_service_server::{self, ClockServiceServer},
    },
    game::v1::game_internal_service_client::GameInternalServiceClient,
    transport::Transport,
};
use chassis::{Env, Lifecycle, ServiceInfo, ServiceRoutes};
use live::Live;
use tonic::service::Routes;

use crate::{
    app::{
        Clocks,
        recovery::{self, Recovery},
        watcher::Watcher,
    },
    rpc::{InternalApi, PublicApi},
    store::Flags,
};

/// What there is to know of the service.
pub const SERVICE: ServiceInfo = ServiceInfo {
    name: "clock",
    port: 7403,
    public: &[clock_service_server::SERVICE_NAME],
    internal: &[clock_internal_service_server::SERVICE_NAME],
    needs: &["game"],
    has_live_state: true,
    ..ServiceInfo::NOTHING
};

/// What the clocks need.
pub struct Deps {
    /// The time. Sleeps are tokio's, their lengths come from here: a test that pauses tokio's time must move
    /// both together.
    pub env: Env,
    /// Where the watched flags are kept.
    pub live: Arc<dyn Live>,
    /// Where the watch and the recovery run, and how they are stopped.
    pub lifecycle: Lifecycle,
    /// The way to the game service, on which this service is known as one.
    pub game: Transport,
}

/// Puts the service together and starts its watch. Nothing of it can fail: a live state or a game service
/// that does not answer yet is waited for.
///
/// Must be called within a tokio runtime.
pub fn bind(deps: Deps) -> ServiceRoutes {
    let Deps { env, live, lifecycle, game } = deps;
    let flags = Flags::new(live);
    let games = GameInternalServiceClient::new(game);
    let clocks = Clocks::new(env, flags.clone());
    let (watched, reported, stop) = (clocks.clone(), games.clone(), lifecycle.stopping());
    lifecycle.supervise(("clock", "watch"), move || {
        Watcher::new(watched.clone(), reported.clone()).run(stop.clone())
    });
    clocks.maintenance.follow(&lifecycle, "clock", games.clone());
    let (recovery, stop) = (Recovery::new(flags, games), lifecycle.stopping());
    lifecycle
        .every(("clock", "recovery"), recovery::INTERVAL, move || recovery.clone().pass_until(stop.clone()));
    let stop = lifecycle.stopping();
    ServiceRoutes {
        public: Routes::new(ClockServiceServer::new(PublicApi { clocks: clocks.clone(), stop })),
        internal: Routes::new(ClockInternalServiceServer::new(InternalApi(clocks))),
    }
}
