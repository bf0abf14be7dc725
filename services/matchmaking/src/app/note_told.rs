//! Who was told of his game: only he can be blamed who does not come to it.

use std::{mem, sync::Arc};

use chassis::id::GameId;
use parking_lot::Mutex;
use rules::Side;

use super::Tickets;
use crate::{error::Error, store};

/// How many wait to be noted at most. Who is too many is not noted, and not blamed.
const QUEUED_MAX: usize = 10_000;
/// How many are noted in one statement.
const BATCH: usize = 500;

/// Those who were told and are not noted yet.
#[derive(Debug, Default)]
pub(crate) struct ToldGames(Mutex<Vec<(GameId, Side)>>);

impl ToldGames {
    /// Who has this side of a game was told of it.
    pub(super) fn note(&self, game: GameId, side: Side) {
        let mut told = self.0.lock();
        if told.len() < QUEUED_MAX {
            told.push((game, side));
        }
    }
}

/// Writes down who was told since it last did.
pub(super) async fn note_told(tickets: Arc<Tickets>) -> Result<(), Error> {
    let told = mem::take(&mut *tickets.told.0.lock());
    for side in Side::BOTH {
        let mut games: Vec<GameId> =
            told.iter().filter(|(_, of)| *of == side).map(|(game, _)| *game).collect();
        // Sorted: two statements lock in the same order.
        games.sort_unstable();
        for games in games.chunks(BATCH) {
            store::matches::note_told(tickets.database.write(), side, games).await?;
        }
    }
    Ok(())
}
