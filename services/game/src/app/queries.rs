//! Games as somebody sees them: now, or with the delay of a broadcast, or once and for all.

use std::sync::Arc;

use api::game::v1 as pb;
use chassis::{
    auth::Caller,
    id::{AccountId, GameId},
};
use rules::{Side, Viewer};

use super::{
    broadcast::{delay, not_seated},
    registry::Registry,
    sights::Sights,
};
use crate::{
    app::sights::{Finished, Listed, shown},
    core::{Game, GameInfo, Header, Origin, Progress},
    error::{Error, Result},
    store::{Entry, Place, Visibility, summary},
};

pub(crate) use crate::store::GameFilter;

/// A game as somebody sees it.
pub(crate) enum Sight {
    /// As it stands.
    Now(Box<Game>),
    /// As it stood a while ago.
    Then(Box<Game>),
    /// As it stands for good.
    Finished(Arc<Finished>),
}

impl Sight {
    pub(crate) fn info(&self) -> &GameInfo {
        match self {
            Sight::Now(game) | Sight::Then(game) => &game.info,
            Sight::Finished(finished) => &finished.header.info,
        }
    }

    pub(crate) fn sequence(&self) -> u64 {
        match self {
            Sight::Now(game) | Sight::Then(game) => game.sequence,
            Sight::Finished(finished) => finished.header.sequence,
        }
    }

    pub(crate) fn ply(&self) -> u32 {
        match self {
            Sight::Now(game) | Sight::Then(game) => game.after.ply,
            Sight::Finished(finished) => finished.header.after.ply,
        }
    }

    pub(crate) fn progress(&self) -> &Progress {
        match self {
            Sight::Now(game) | Sight::Then(game) => game.progress(),
            Sight::Finished(finished) => finished.header.progress(),
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        match self {
            Sight::Now(game) | Sight::Then(game) => game.is_over(),
            Sight::Finished(finished) => finished.header.is_over(),
        }
    }

    pub(crate) fn side_of(&self, account: AccountId) -> Option<Side> {
        match self {
            Sight::Now(game) | Sight::Then(game) => game.side_of(account),
            Sight::Finished(finished) => finished.header.side_of(account),
        }
    }
}

/// What is read of games for those who only look.
pub(crate) struct Queries {
    pub registry: Arc<Registry>,
    pub sights: Sights,
}

impl Queries {
    /// The game as somebody sees it now.
    ///
    /// # Errors
    /// When there is none, or none yet for him, or it cannot be read.
    pub(crate) async fn sight(&self, id: GameId, caller: Option<&Caller>) -> Result<Sight> {
        if self.registry.is_open(id) {
            let game = self.registry.get(id).await?;
            return self.with_delay(Sight::Now(Box::new(game)), caller).await;
        }
        let sight = self.first_sight(id).await?;
        self.with_delay(sight, caller).await
    }

    /// A game that nobody has open. What nobody can go on with does not stay in memory either.
    async fn first_sight(&self, id: GameId) -> Result<Sight> {
        if let Some(finished) = self.sights.finished(id).await? {
            return Ok(Sight::Finished(finished));
        }
        // Nobody waits for a game that is not there.
        let last = summary::last_sequence(self.registry.reader.database(), id).await?;
        let last = last.ok_or(Error::UnknownGame)?;
        let game = {
            let _turn = self.sights.turn_for(last).await?;
            self.registry.get(id).await?
        };
        let settled = self.sights.settle(&game).await?;
        if settled.is_some() || game.info.origin == Origin::Import {
            self.registry.leave(id);
        }
        Ok(settled.map_or_else(|| Sight::Now(Box::new(game)), Sight::Finished))
    }

    /// Refuses whoever has no seat in a game that nobody has open, without going through its log for him.
    ///
    /// # Errors
    /// When there is no such game, or none for him, or he does not play in it; when it cannot be read.
    pub(super) async fn ensure_seated(&self, id: GameId, account: AccountId) -> Result<()> {
        if self.registry.is_open(id) || self.registry.reader.seated(id).await?.contains(&account) {
            return Ok(());
        }
        let sight = self.first_sight(id).await?;
        sight.side_of(account).map(drop).ok_or_else(|| not_seated(sight.info(), self.registry.env.now()))
    }

    async fn with_delay(&self, sight: Sight, caller: Option<&Caller>) -> Result<Sight> {
        let Some(delay) = delay(sight.info(), caller) else { return Ok(sight) };
        let moment = self.registry.env.now() - delay;
        match &sight {
            Sight::Finished(finished) if finished.header.updated <= moment => Ok(sight),
            _ => Ok(Sight::Then(Box::new(self.sights.game_at(sight.info().id, moment).await?))),
        }
    }

    /// A game with its board and acts, as `viewer` may see it.
    ///
    /// # Errors
    /// When its log cannot be read.
    pub(crate) async fn whole(&self, sight: &Sight, viewer: Viewer) -> Result<pb::Game> {
        match sight {
            Sight::Finished(finished) => Ok(finished.shown.clone()),
            Sight::Now(game) | Sight::Then(game) => self.whole_game(game, viewer).await,
        }
    }

    /// The same of a game at hand.
    ///
    /// # Errors
    /// When its log cannot be read.
    pub(crate) async fn whole_game(&self, game: &Game, viewer: Viewer) -> Result<pb::Game> {
        let acts = self.sights.acts(game.info.id, game.sequence).await?;
        Ok(shown(game, viewer, acts))
    }

    /// The games that somebody sees now, newest first, before a place in that order.
    ///
    /// # Errors
    /// When they cannot be read.
    pub(crate) async fn list(
        &self,
        filter: GameFilter,
        caller: Option<&Caller>,
        before: Option<Place>,
        max: u64,
    ) -> Result<Vec<Entry>> {
        let visibility = Some(Visibility::of(caller, self.registry.env.now()));
        self.registry.reader.list(&GameFilter { visibility, ..filter }, before, max).await
    }

    /// The header of a game, without opening its room; none if there is no such game.
    ///
    /// # Errors
    /// When its log cannot be read.
    pub(crate) async fn header(&self, id: GameId) -> Result<Option<Arc<Listed>>> {
        let entries = self.registry.reader.ends(vec![Place(0, id.uuid())]).await?;
        Ok(self.sights.headers(&entries).await?.pop())
    }

    /// A header as somebody sees it now; none if he does not see the game yet.
    ///
    /// # Errors
    /// When its log cannot be read.
    pub(crate) async fn header_as(
        &self,
        header: Arc<Listed>,
        caller: Option<&Caller>,
    ) -> Result<Option<Arc<Listed>>> {
        let Some(delay) = delay(&header.info, caller) else { return Ok(Some(header)) };
        let moment = self.registry.env.now() - delay;
        if header.updated <= moment {
            return Ok(Some(header));
        }
        match self.sights.game_at(header.info.id, moment).await {
            Ok(game) => Ok(Some(Arc::new(Header::from(&game).into()))),
            Err(Error::UnknownGame) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
