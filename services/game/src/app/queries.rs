//! Games as somebody sees them: now, or with the delay of a broadcast, or once and for all.

use std::sync::Arc;

use api::game::v1 as pb;
use chassis::{
    auth::Caller,
    id::{AccountId, GameId},
    page::Page,
};
use rules::Viewer;

use super::{
    broadcast::{delay, is_official, not_seated},
    registry::Registry,
    views::{GameView, Listed, ViewCache, shown},
};
use crate::{
    core::{Game, GameFilter, Header, Origin, Stage},
    error::{Error, Result},
    store::{Visibility, lists, summary},
    wire::Place,
};

/// What is read of games for those who only look.
pub(crate) struct Queries {
    pub registry: Arc<Registry>,
    pub views: ViewCache,
}

impl Queries {
    /// The game as somebody sees it now.
    ///
    /// # Errors
    /// When there is none, or none yet for him, or it cannot be read.
    pub(crate) async fn view(&self, id: GameId, caller: Option<&Caller>) -> Result<GameView> {
        if self.registry.is_open(id) {
            let game = self.registry.get(id).await?;
            return self.with_delay(GameView::Current(Box::new(game)), caller).await;
        }
        let view = self.load_view(id).await?;
        self.with_delay(view, caller).await
    }

    /// A game that nobody has open. What nobody can go on with does not stay in memory either.
    async fn load_view(&self, id: GameId) -> Result<GameView> {
        if let Some(finished) = self.views.finished(id).await? {
            return Ok(GameView::Finished(finished));
        }
        // Nobody waits for a game that is not there.
        let last = summary::last_sequence(self.registry.database.read(), id).await?;
        let last = last.ok_or(Error::UnknownGame)?;
        let game = {
            let _turn = self.views.turn_for(last).await?;
            self.registry.get(id).await?
        };
        let settled = self.views.settle(&game).await?;
        if settled.is_some() || game.info.origin == Origin::Import {
            self.registry.leave(id);
        }
        Ok(settled.map_or_else(|| GameView::Current(Box::new(game)), GameView::Finished))
    }

    /// Refuses whoever has no seat in a game that nobody has open, without going through its log for him.
    ///
    /// # Errors
    /// When there is no such game, or none for him, or he does not play in it; when it cannot be read.
    pub(super) async fn ensure_seated(&self, id: GameId, account: AccountId) -> Result<()> {
        if self.registry.is_open(id)
            || lists::seated(self.registry.database.read(), id).await?.contains(&account)
        {
            return Ok(());
        }
        let view = self.load_view(id).await?;
        view.side_of(account).map(drop).ok_or_else(|| not_seated(view.info(), self.registry.env.now()))
    }

    async fn with_delay(&self, view: GameView, caller: Option<&Caller>) -> Result<GameView> {
        self.ensure_may_watch(&view, caller).await?;
        let Some(delay) = delay(view.info(), caller) else { return Ok(view) };
        let moment = self.registry.env.now() - delay;
        match &view {
            GameView::Finished(finished) if finished.header.updated <= moment => Ok(view),
            _ => Ok(GameView::Delayed(Box::new(self.views.game_at(view.info().id, moment).await?))),
        }
    }

    /// Refuses whoever plays in the event of a game that he would watch, until his own game is over (Art. 15.4).
    async fn ensure_may_watch(&self, view: &GameView, caller: Option<&Caller>) -> Result<()> {
        let info = view.info();
        let (Some(event), Some(caller)) = (info.regulations.event, caller) else { return Ok(()) };
        let is_open = info.regulations.watch_while_playing || view.is_over();
        if is_open || is_official(info, caller) || view.side_of(caller.id).is_some() {
            return Ok(());
        }
        let own = lists::unfinished_in(self.registry.database.read(), event, caller.id).await?;
        let plays = |game: &Arc<Listed>| !game.is_over() && game.progress().stage != Stage::Adjourned;
        if self.headers(&own).await?.iter().any(plays) { Err(Error::PlaysInEvent) } else { Ok(()) }
    }

    /// A game with its board and acts, as `viewer` may see it.
    ///
    /// # Errors
    /// When its log cannot be read.
    pub(crate) async fn whole(&self, view: &GameView, viewer: Viewer) -> Result<pb::Game> {
        match view {
            GameView::Finished(finished) => Ok(finished.shown.clone()),
            GameView::Current(game) | GameView::Delayed(game) => self.whole_game(game, viewer).await,
        }
    }

    /// The same of a game at hand.
    ///
    /// # Errors
    /// When its log cannot be read.
    pub(crate) async fn whole_game(&self, game: &Game, viewer: Viewer) -> Result<pb::Game> {
        let acts = self.views.acts(game.info.id, game.sequence).await?;
        Ok(shown(game, viewer, acts))
    }

    /// The same with how many watch, if that is known: it is live state, and the game is not.
    ///
    /// # Errors
    /// When its log cannot be read.
    pub(crate) async fn with_audience(&self, view: &GameView, viewer: Viewer) -> Result<pb::Game> {
        let audience = self.registry.presence.audience(view.info().id).await;
        let audience =
            audience.inspect_err(|error| tracing::debug!(%error, "the audience is not known")).ok();
        let audience = audience.map(|count| pb::Audience { count });
        Ok(pb::Game { audience, ..self.whole(view, viewer).await? })
    }

    /// The games that somebody sees now, newest first, and the token of the next page.
    ///
    /// # Errors
    /// When they cannot be read.
    pub(crate) async fn list(
        &self,
        filter: &GameFilter,
        caller: Option<&Caller>,
        page: &Page<Place>,
    ) -> Result<(Vec<Arc<Listed>>, String)> {
        let visibility = Visibility::of(caller, self.registry.env.now());
        let found =
            lists::list(self.registry.database.read(), filter, &visibility, page.after, page.fetch()).await?;
        let (entries, next_page_token) = page.cut(found, |last| last.place);
        let mut games = Vec::with_capacity(entries.len());
        for header in self.views.headers(&entries).await? {
            games.extend(self.header_as(header, caller).await?);
        }
        Ok((games, next_page_token))
    }

    /// The games that run, oldest first, and the token of the next page. They are read from the ends of their logs:
    /// nobody has asked for the games themselves.
    ///
    /// # Errors
    /// When they cannot be read.
    pub(crate) async fn running(&self, page: &Page<Place>) -> Result<(Vec<Arc<Listed>>, String)> {
        let found = lists::running(self.registry.database.read(), page.after, page.fetch()).await?;
        let (entries, next_page_token) = page.cut(found, |last| last.place);
        Ok((self.views.headers(&entries).await?, next_page_token))
    }

    /// The header of a game, without opening its room; none if there is no such game.
    ///
    /// # Errors
    /// When its log cannot be read.
    pub(crate) async fn header(&self, id: GameId) -> Result<Option<Arc<Listed>>> {
        Ok(self.headers(&[id]).await?.pop())
    }

    /// The headers of those games of these that there are.
    ///
    /// # Errors
    /// When they cannot be read.
    pub(crate) async fn headers(&self, ids: &[GameId]) -> Result<Vec<Arc<Listed>>> {
        let places = ids.iter().map(|id| Place(0, id.uuid())).collect();
        let entries = lists::ends(self.registry.database.read(), places).await?;
        self.views.headers(&entries).await
    }

    /// A header as somebody sees it now; none if he does not see the game yet.
    ///
    /// # Errors
    /// When its log cannot be read.
    async fn header_as(&self, header: Arc<Listed>, caller: Option<&Caller>) -> Result<Option<Arc<Listed>>> {
        let Some(delay) = delay(&header.info, caller) else { return Ok(Some(header)) };
        let moment = self.registry.env.now() - delay;
        if header.updated <= moment {
            return Ok(Some(header));
        }
        match self.views.game_at(header.info.id, moment).await {
            Ok(game) => Ok(Some(Arc::new(Header::from(&game).into()))),
            Err(Error::UnknownGame) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
