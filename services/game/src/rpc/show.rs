//! Imports as protos.

use api::game::v1 as pb;

use crate::{app::imports::Import, core::ImportUsage};

/// An import as its owner sees it.
pub(super) fn import(import: &Import) -> pb::Import {
    let Import { game, kept } = import;
    pb::Import {
        game_id: kept.game_id.to_string(),
        game: game.as_ref().map(|game| game.shown()),
        bytes: u64::try_from(kept.bytes).unwrap_or_default(),
        published: kept.published,
    }
}

/// How much an account has imported, or may.
pub(super) fn usage(usage: ImportUsage) -> pb::ImportUsage {
    pb::ImportUsage { records: usage.records, bytes: usage.bytes }
}
