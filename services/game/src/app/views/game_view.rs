//! A game as somebody sees it: now, or with the delay of a broadcast, or once and for all.

use std::sync::Arc;

use chassis::id::AccountId;
use rules::Side;

use super::Finished;
use crate::core::{Game, GameInfo, Progress};

/// A game as somebody sees it.
pub(crate) enum GameView {
    /// As it stands.
    Current(Box<Game>),
    /// As it stood a while ago.
    Delayed(Box<Game>),
    /// As it stands for good.
    Finished(Arc<Finished>),
}

impl GameView {
    pub(crate) fn info(&self) -> &GameInfo {
        match self {
            GameView::Current(game) | GameView::Delayed(game) => &game.info,
            GameView::Finished(finished) => &finished.header.info,
        }
    }

    pub(crate) fn sequence(&self) -> u64 {
        match self {
            GameView::Current(game) | GameView::Delayed(game) => game.sequence,
            GameView::Finished(finished) => finished.header.sequence,
        }
    }

    pub(crate) fn ply(&self) -> u32 {
        match self {
            GameView::Current(game) | GameView::Delayed(game) => game.state.ply,
            GameView::Finished(finished) => finished.header.state.ply,
        }
    }

    pub(crate) fn progress(&self) -> &Progress {
        match self {
            GameView::Current(game) | GameView::Delayed(game) => game.progress(),
            GameView::Finished(finished) => finished.header.progress(),
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        match self {
            GameView::Current(game) | GameView::Delayed(game) => game.is_over(),
            GameView::Finished(finished) => finished.header.is_over(),
        }
    }

    pub(crate) fn side_of(&self, account: AccountId) -> Option<Side> {
        match self {
            GameView::Current(game) | GameView::Delayed(game) => game.side_of(account),
            GameView::Finished(finished) => finished.header.side_of(account),
        }
    }
}
