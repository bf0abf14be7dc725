//! Somebody without a token who watches a replayed game, and draws it from nothing but its events.

use anyhow::{Context as _, bail, ensure};
use api::{
    board::v1::Outcome,
    client::{GameStream, GameUpdate},
    game::v1::{Game, GameInfo, game_event::Event},
};
use indicatif::{ProgressBar, ProgressStyle};

use crate::commands::{
    render::{BoardView, Sides, tell},
    server::Server,
    terminal::Canvas,
};

/// A spectator who has seen the game as it stood when he came.
pub(super) struct Spectator {
    watched: GameStream,
    info: GameInfo,
    picture: BoardView,
    sides: Sides,
}

/// What a spectator saw at the end.
pub(super) struct End {
    /// The board.
    pub picture: BoardView,
    /// How the game ended.
    pub outcome: Outcome,
    /// Whether the board stands on the terminal already.
    pub shown: bool,
}

impl Spectator {
    /// Comes to a game that has just begun.
    ///
    /// # Errors
    /// What the server says, or that the game cannot be drawn.
    pub(super) async fn enter(server: &Server, game_id: &str) -> anyhow::Result<Self> {
        let mut watched = GameStream::new(server.transport(), game_id);
        let Some(GameUpdate::Snapshot(game)) = watched.next().await.context("coming to watch the game")?
        else {
            bail!("the server does not show the game as it stands");
        };
        let Game { info, board, .. } = *game;
        let (info, board) = info.zip(board).context("the server's answer lacks a part of the game")?;
        let sides = server.sides(&info.variant).await?;
        let picture = BoardView::new(&board, sides.clone())?;
        Ok(Spectator { watched, info, picture, sides })
    }

    /// What does not change about the game.
    pub(super) const fn info(&self) -> &GameInfo {
        &self.info
    }

    /// Watches to the end; with a number of expected acts, board and progress are shown as it goes on.
    ///
    /// # Errors
    /// The stream breaks for good, misses an event, or tells what cannot have happened on the board.
    pub(super) async fn watch(mut self, show: Option<usize>) -> anyhow::Result<End> {
        let bar = show.map_or_else(ProgressBar::hidden, progress);
        let mut canvas = Canvas::default();
        let mut sequence = None;
        while let Some(seen) = self.watched.next().await? {
            let event = match seen {
                GameUpdate::Event(event) => event,
                GameUpdate::Maintenance(_) => continue,
                GameUpdate::Snapshot(_) => bail!("the stream began anew"),
            };
            if let Some(before) = sequence.replace(event.sequence) {
                ensure!(event.sequence == before + 1, "event {} came after {before}", event.sequence);
            }
            if let Some(Event::Played(played)) = &event.event {
                self.picture.apply(&played.changes, &played.marks).with_context(|| {
                    let act = played.act.as_ref().map_or("", |act| act.text.as_str());
                    format!("drawing {act}, event {}", event.sequence)
                })?;
                bar.inc(1);
            }
            if show.is_some() {
                let mut lines = self.picture.lines();
                lines.extend(tell(&event, &self.sides));
                bar.suspend(|| canvas.draw(&lines))?;
            }
            if let Some(outcome) = event.state.and_then(|state| state.outcome) {
                bar.finish_and_clear();
                return Ok(End { picture: self.picture, outcome, shown: canvas.is_drawn() });
            }
        }
        bail!("the stream ended before the game");
    }
}

fn progress(acts: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} acts, {elapsed}, {per_sec}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(acts as u64).with_style(style)
}
