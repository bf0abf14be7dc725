//! Games that are over: by those that counted the sides of the next are given, and who has spoiled one does not queue for a
//! while.

use chassis::{
    database::{StoreError, Transaction, retry_contended},
    id::AccountId,
};
use time::OffsetDateTime;

use super::Tickets;
use crate::{
    core::{Conduct, Finished, Match, Pause},
    error::Error,
    store::{self, matches::Origin},
};

impl Tickets {
    /// Notes a game that is over, once: telling it again changes nothing.
    ///
    /// # Errors
    /// When the database fails; nothing is noted then.
    pub(crate) async fn note_game(&self, game: &Finished) -> Result<(), Error> {
        self.note_games(std::slice::from_ref(game)).await
    }

    /// Notes that there will never be the games of these matches.
    pub(super) async fn note_failed(&self, matches: &[&Match]) -> Result<(), Error> {
        let games: Vec<Finished> = matches.iter().map(|matched| Finished::never(matched)).collect();
        if games.is_empty() { Ok(()) } else { self.note_games(&games).await }
    }

    async fn note_games(&self, games: &[Finished]) -> Result<(), Error> {
        let noted = retry_contended(|| async {
            let transaction = self.database.begin().await?;
            let noted = self.note_within(&transaction, games).await;
            transaction.finish(noted).await
        });
        for (account, pause) in noted.await? {
            tracing::info!(account.id = %account, cause = ?pause.cause, until = %pause.ends, "an account does not queue for a while");
            self.touched(&[account]).await;
        }
        Ok(())
    }

    async fn note_within(
        &self,
        on: &Transaction,
        games: &[Finished],
    ) -> Result<Vec<(AccountId, Pause)>, StoreError> {
        let mut pauses = Vec::new();
        for game in games {
            pauses.extend(self.note(on, game).await?);
        }
        Ok(pauses)
    }

    async fn note(&self, on: &Transaction, game: &Finished) -> Result<Vec<(AccountId, Pause)>, StoreError> {
        if !store::noted::insert(on, game.game, self.env.now()).await? {
            return Ok(Vec::new());
        }
        let origin = store::matches::origin(on, game.game).await?;
        let mut sides = game.sides();
        // Sorted: two transactions lock in the same order.
        sides.sort_unstable_by_key(|(_, account, _)| *account);
        let [(_, one, _), (_, other, _)] = sides;
        if origin.is_none() && game.counted {
            store::history::add_finished(on, game).await?;
        }
        for (side, account, conduct) in sides {
            if game.counted {
                store::history::pay(on, account, game.variant, side).await?;
            } else if origin.is_some() {
                let spoiled = conduct.is_some();
                store::history::take_back(on, account, game.variant, side, spoiled).await?;
            }
        }
        for (account, opponent) in [(one, other), (other, one)] {
            store::history::note_end(on, account, game.variant, opponent, game.ended).await?;
        }
        match (origin, game.ended) {
            (Some(Origin::Queue(told)), Some(ended)) => pause(on, game, told, ended).await,
            // What happens in games that the queue has not made is between those who play them.
            _ => Ok(Vec::new()),
        }
    }
}

/// Has those pause who have spoiled a game.
async fn pause(
    on: &Transaction,
    game: &Finished,
    told: [bool; 2],
    ended: OffsetDateTime,
) -> Result<Vec<(AccountId, Pause)>, StoreError> {
    let mut pauses = Vec::new();
    for (side, account, conduct) in game.sides() {
        let Some(conduct) = conduct else { continue };
        // Who has not heard of his game could not come to it.
        if conduct == Conduct::NoShow && !told[side.index()] {
            continue;
        }
        let before = store::pause::latest(on, account).await?;
        let pause = Pause::following(game.game, conduct, ended, before.as_ref());
        store::pause::insert(on, account, &pause).await?;
        pauses.push((account, pause));
    }
    Ok(pauses)
}
