//! Games as somebody sees them: now, or with the delay of a broadcast, or once and for all.

use std::sync::Arc;

use api::game::v1 as pb;
use chassis::{
    auth::Caller,
    id::{AccountId, GameId},
};
use rules::{Side, Viewer};
use time::OffsetDateTime;

use super::{Rooms, delay, is_known};
use crate::{
    app::sights::{Finished, Listed, shown},
    core::{Course, Game, Header, Info, Origin},
    error::CallError,
    store::{Place, StoreError, summary},
};

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
    pub(crate) fn info(&self) -> &Info {
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

    pub(crate) fn course(&self) -> &Course {
        match self {
            Sight::Now(game) | Sight::Then(game) => game.course(),
            Sight::Finished(finished) => finished.header.course(),
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

impl Rooms {
    /// The game as somebody sees it now.
    ///
    /// # Errors
    /// When there is none, or none yet for him, or it cannot be read.
    pub(crate) async fn sight(&self, id: GameId, caller: Option<&Caller>) -> Result<Sight, CallError> {
        if self.is_open(id) {
            let game = self.look(id).await?;
            return self.with_delay(Sight::Now(Box::new(game)), caller).await;
        }
        let sight = self.first_sight(id).await?;
        self.with_delay(sight, caller).await
    }

    /// A game that nobody has open. What nobody can go on with does not stay in memory either.
    async fn first_sight(&self, id: GameId) -> Result<Sight, CallError> {
        if let Some(finished) = self.sights.finished(id).await? {
            return Ok(Sight::Finished(finished));
        }
        // Nobody waits for a game that is not there.
        let last = summary::last_sequence(self.reader.database(), id).await.map_err(StoreError::from)?;
        let last = last.ok_or(CallError::UnknownGame)?;
        let game = {
            let _turn = self.sights.turn_for(last).await?;
            self.look(id).await?
        };
        let settled = self.sights.settle(&game).await?;
        if settled.is_some() || game.info.origin == Origin::Import {
            self.leave(id);
        }
        Ok(settled.map_or_else(|| Sight::Now(Box::new(game)), Sight::Finished))
    }

    /// Refuses whoever has no seat in a game that nobody has open, without going through its log for him.
    ///
    /// # Errors
    /// When there is no such game, or none for him, or he does not play in it; when it cannot be read.
    pub(super) async fn ensure_seated(&self, id: GameId, account: AccountId) -> Result<(), CallError> {
        if self.is_open(id) || self.reader.seated(id).await?.contains(&account) {
            return Ok(());
        }
        let sight = self.first_sight(id).await?;
        sight.side_of(account).map(drop).ok_or_else(|| self.not_seated(sight.info()))
    }

    /// What whoever has no seat in a game is told: nothing of one that is not broadcast yet.
    pub(super) fn not_seated(&self, info: &Info) -> CallError {
        let known = is_known(info, None, self.ambient.now());
        if known { CallError::NotAPlayer } else { CallError::UnknownGame }
    }

    async fn with_delay(&self, sight: Sight, caller: Option<&Caller>) -> Result<Sight, CallError> {
        let Some(delay) = delay(sight.info(), caller) else { return Ok(sight) };
        let moment = self.ambient.now() - delay;
        match &sight {
            Sight::Finished(finished) if finished.header.updated <= moment => Ok(sight),
            _ => Ok(Sight::Then(Box::new(self.sights.game_at(sight.info().id, moment).await?))),
        }
    }

    /// A player who calls about a game that he sees as it stands is there: until when, if that matters in it.
    pub(crate) fn heard_in(self: &Arc<Self>, sight: &Sight, side: Side) -> Option<OffsetDateTime> {
        match sight {
            Sight::Now(game) => self.heard(game, side),
            Sight::Then(_) | Sight::Finished(_) => None,
        }
    }

    /// A game with its board and acts, as `viewer` may see it.
    ///
    /// # Errors
    /// When its log cannot be read.
    pub(crate) async fn whole(&self, sight: &Sight, viewer: Viewer) -> Result<pb::Game, CallError> {
        match sight {
            Sight::Finished(finished) => Ok(finished.shown.clone()),
            Sight::Now(game) | Sight::Then(game) => self.whole_game(game, viewer).await,
        }
    }

    /// The same of a game at hand.
    ///
    /// # Errors
    /// When its log cannot be read.
    pub(crate) async fn whole_game(&self, game: &Game, viewer: Viewer) -> Result<pb::Game, CallError> {
        let acts = self.sights.acts(game.info.id, game.sequence).await?;
        Ok(shown(game, viewer, acts))
    }

    /// The header of a game, without opening its room; none if there is no such game.
    ///
    /// # Errors
    /// When its log cannot be read.
    pub(crate) async fn header(&self, id: GameId) -> Result<Option<Arc<Listed>>, CallError> {
        let entries = self.reader.ends(vec![Place(0, id.uuid())]).await?;
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
    ) -> Result<Option<Arc<Listed>>, CallError> {
        let Some(delay) = delay(&header.info, caller) else { return Ok(Some(header)) };
        let moment = self.ambient.now() - delay;
        if header.updated <= moment {
            return Ok(Some(header));
        }
        match self.sights.game_at(header.info.id, moment).await {
            Ok(game) => Ok(Some(Arc::new(Header::from(&game).into()))),
            Err(CallError::UnknownGame) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
