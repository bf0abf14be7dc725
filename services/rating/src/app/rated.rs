//! Reads rated games with what each did.

use chassis::{Database, database::StoreError};
use rules::Side;

use crate::{
    core::{
        advantage::Advantages,
        book::Change,
        category::Category,
        game::{Game, Place},
        pool::Pool,
    },
    store,
};

/// Reads the rated games of a category behind a place, in their order, with what each did to its first side and its second; `progress` is
/// told now and then of how many more.
pub(crate) async fn each_rated(
    database: &Database,
    category: &Category,
    mut behind: Option<Place>,
    progress: &(impl Fn(u64) + Sync),
    mut each: impl FnMut(&Game, [&Change; 2]),
) -> Result<(), StoreError> {
    let on = database.read();
    loop {
        let games = store::game::page(on, Some(category), behind).await?;
        let Some(last) = games.last() else { return Ok(()) };
        behind = Some(last.place());
        let changes = store::change::of_rated(on, games.iter().map(|game| game.id).collect()).await?;
        // These come in the order of their ids.
        let found = |game: &Game| {
            let at = changes.binary_search_by_key(&game.id, |changes| changes[0].game).ok()?;
            Some(Side::BOTH.map(|side| &changes[at][side.index()]))
        };
        for game in &games {
            each(game, found(game).ok_or(StoreError::Corrupt("rating_changes"))?);
        }
        progress(games.len() as u64);
    }
}

/// Reads the games of a category behind a place as they are scrutinised.
pub(crate) async fn read_pool(
    database: &Database,
    category: &Category,
    behind: Option<Place>,
    progress: &(impl Fn(u64) + Sync),
) -> Result<Pool, StoreError> {
    let advantages = Advantages::new(store::advantage::all(database.read()).await?);
    let mut pool = Pool::default();
    let add = |game: &Game, changes: [&Change; 2]| pool.add(game, changes, &advantages);
    each_rated(database, category, behind, progress, add).await?;
    Ok(pool)
}
