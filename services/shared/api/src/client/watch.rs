//! Watching a game through broken connections.

use std::time::Duration;

use tonic::{Status, Streaming};

use super::{ANSWER_BYTES_MAX, RetryPolicy, is_retryable, with_retry};
use crate::{
    clock::v1::{Maintenance, MaintenanceNotice},
    game::v1::{
        AnswerProbeRequest, Game, GameEvent, GameState, GetGameRequest, Probe, Stage, WatchRequest,
        WatchResponse, game_service_client::GameServiceClient, watch_response::Step,
    },
    transport::Transport,
};

/// How long to wait before asking again for a stream that the server ended too early; twice as long each time until
/// something is heard, up to [`PAUSE_MAX`].
const PAUSE: Duration = Duration::from_millis(100);
const PAUSE_MAX: Duration = Duration::from_secs(2);

/// How long a probe is worth an answer.
const PROBE_LIFE: Duration = Duration::from_secs(10);

/// A watched game: first the state, then every event after it, each once and in order. Probes of the
/// network are answered on the way.
#[derive(Debug)]
pub struct GameStream {
    games: GameServiceClient<Transport>,
    game_id: String,
    after: Option<u64>,
    after_end: bool,
    stream: Option<Streaming<WatchResponse>>,
    pause: Duration,
    /// The maintenance that was told of last.
    maintenance: Option<Maintenance>,
    over: bool,
}

/// One step of a watched game.
#[derive(Clone, Debug, PartialEq)]
pub enum GameUpdate {
    /// The game as it stands.
    Snapshot(Box<Game>),
    /// The next event.
    Event(Box<GameEvent>),
    /// What maintenance is planned now, where one is or was.
    Maintenance(Box<MaintenanceNotice>),
}

impl GameStream {
    /// Watches from the current state on.
    pub fn new(transport: Transport, game_id: &str) -> Self {
        let games = GameServiceClient::new(transport).max_decoding_message_size(ANSWER_BYTES_MAX);
        GameStream {
            games,
            game_id: game_id.to_owned(),
            after: None,
            after_end: false,
            stream: None,
            pause: PAUSE,
            maintenance: None,
            over: false,
        }
    }

    /// Watches from after an event on; 0 for all events.
    #[must_use]
    pub const fn after(mut self, sequence: u64) -> Self {
        self.after = Some(sequence);
        self
    }

    /// Goes on after the end of the game: a rematch may still be agreed on.
    #[must_use]
    pub const fn beyond_end(mut self) -> Self {
        self.after_end = true;
        self
    }

    /// The next step; `None` after the event that made the result final.
    ///
    /// # Errors
    /// When the server refuses, or cannot be reached for half a minute.
    pub async fn next(&mut self) -> Result<Option<GameUpdate>, Status> {
        while !self.over {
            let stream = match &mut self.stream {
                Some(stream) => stream,
                none => {
                    // Both calls on the heap: a watched game is part of large futures.
                    let opened = open(&self.games, &self.game_id, self.after, self.after_end);
                    none.insert(Box::pin(opened).await?)
                }
            };
            match stream.message().await {
                Ok(Some(WatchResponse { step: Some(step), .. })) => {
                    let (seen, sequence, over) = match step {
                        Step::Snapshot(game) => {
                            let state = game.state.clone().unwrap_or_default();
                            (GameUpdate::Snapshot(Box::new(game)), state.sequence, is_final(&state))
                        }
                        Step::Event(event) => {
                            let over = event.state.as_ref().is_some_and(is_final);
                            let sequence = event.sequence;
                            (GameUpdate::Event(Box::new(event)), sequence, over)
                        }
                        Step::Audience(_) => continue,
                        Step::Probe(Probe { nonce }) => {
                            self.answer(nonce);
                            continue;
                        }
                    };
                    (self.after, self.over) = (Some(sequence), over && !self.after_end);
                    self.pause = PAUSE;
                    return Ok(Some(seen));
                }
                Ok(Some(WatchResponse { maintenance_notice: Some(notice), .. })) => {
                    // A stream that is taken up again says once more what is planned.
                    if self.maintenance != notice.maintenance {
                        self.maintenance.clone_from(&notice.maintenance);
                        return Ok(Some(GameUpdate::Maintenance(Box::new(notice))));
                    }
                }
                Ok(Some(WatchResponse { .. })) => {}
                Ok(None) => {
                    // A stream from after the last event of a finished game has nothing to say; one that a stopping
                    // server or a proxy ended may come back.
                    self.over = Box::pin(self.has_seen_all()).await?;
                    self.wait().await;
                }
                Err(status) if is_retryable(&status) => self.wait().await,
                Err(status) => return Err(status),
            }
        }
        Ok(None)
    }
}

impl GameStream {
    /// Forgets the stream, and waits before the next.
    async fn wait(&mut self) {
        self.stream = None;
        if !self.over {
            tokio::time::sleep(self.pause).await;
            self.pause = (self.pause * 2).min(PAUSE_MAX);
        }
    }

    /// Whether the result is final and nothing of the game is left to be seen: the end of a stream does not say so.
    async fn has_seen_all(&self) -> Result<bool, Status> {
        let Some(after) = self.after.filter(|_| !self.after_end) else { return Ok(false) };
        let request = GetGameRequest { game_id: self.game_id.clone() };
        let call = || async { self.games.clone().get_game(request.clone()).await };
        let state = with_retry(RetryPolicy::default(), call).await?.game.and_then(|game| game.state);
        Ok(state.is_some_and(|state| is_final(&state) && state.sequence <= after))
    }

    /// Answers a probe, unheard: an answer that is lost costs a measurement, and waiting for it would spoil it.
    fn answer(&self, nonce: String) {
        let (mut games, game_id) = (self.games.clone(), self.game_id.clone());
        drop(tokio::spawn(async move {
            let answer = games.answer_probe(AnswerProbeRequest { game_id, nonce });
            let _too_late_or_answered = tokio::time::timeout(PROBE_LIFE, answer).await;
        }));
    }
}

/// Whether nothing more is expected in a game that stands here.
fn is_final(state: &GameState) -> bool {
    match &state.progress {
        Some(progress) => progress.stage() == Stage::Final,
        None => state.outcome.is_some(),
    }
}

async fn open(
    games: &GameServiceClient<Transport>,
    game_id: &str,
    after: Option<u64>,
    after_end: bool,
) -> Result<Streaming<WatchResponse>, Status> {
    let request = WatchRequest { game_id: game_id.to_owned(), after_sequence: after, after_end };
    with_retry(RetryPolicy::default(), || async { games.clone().watch(request.clone()).await }).await
}
