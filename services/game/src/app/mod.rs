//! What the service does: each use case reads, has `core` decide, writes what was decided, and tells.

pub mod admin;
pub(crate) mod arrival;
pub mod audit;
pub(crate) mod availability;
pub(crate) mod broadcast;
pub(crate) mod chat;
pub(crate) mod chat_limits;
mod check_in;
pub(crate) mod clocks;
pub(crate) mod commands;
mod commit;
mod create;
mod delays;
pub(crate) mod delivery;
pub(crate) mod flags;
pub(crate) mod follow_chat;
pub(crate) mod follow_event;
pub(crate) mod follow_game;
pub(crate) mod follow_own;
pub mod history;
pub(crate) mod imports;
pub(crate) mod leave;
pub mod maintenance;
pub(crate) mod measure;
pub(crate) mod packing;
pub(crate) mod presence;
pub(crate) mod queries;
pub(crate) mod readers;
pub(crate) mod registry;
mod room;
mod rooms;
pub(crate) mod rulings;
pub(crate) mod scheduler;
pub(crate) mod sealing;
pub(crate) mod unconfirmed;
pub(crate) mod unpublished;
pub(crate) mod views;

use std::sync::Arc;

use self::{
    chat::Chat, follow_own::OwnStreams, imports::Imported, presence::players::Players, queries::Queries,
    readers::Readers, registry::Registry, views::ViewCache,
};

/// The use cases of a replica.
pub(crate) struct App {
    pub registry: Arc<Registry>,
    pub queries: Arc<Queries>,
    pub chat: Chat,
    pub imported: Imported,
    pub players: Arc<Players>,
    pub readers: Arc<Readers>,
    pub own_streams: OwnStreams,
}

impl App {
    pub(crate) fn new(registry: Registry, views: ViewCache) -> Self {
        let registry = Arc::new(registry);
        let queries = Arc::new(Queries { registry: Arc::clone(&registry), views });
        let players = Arc::new(Players(Arc::clone(&registry)));
        App {
            chat: Chat {
                registry: Arc::clone(&registry),
                queries: Arc::clone(&queries),
                players: Arc::clone(&players),
            },
            imported: Imported { queries: Arc::clone(&queries) },
            readers: Arc::default(),
            own_streams: OwnStreams::default(),
            registry,
            queries,
            players,
        }
    }
}

#[cfg(test)]
mod tests;
