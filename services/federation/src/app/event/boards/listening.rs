//! Hearing of games, again and again when the game service cannot be heard.

use std::time::Duration;

use api::{
    game::v1::{
        SeenGame, WatchGlimpsesRequest, event_games_internal_service_client::EventGamesInternalServiceClient,
    },
    transport::Transport,
};
use tokio::sync::mpsc;
use tokio_util::task::AbortOnDropHandle;
use tonic::Status;

/// How long the game service may say nothing: three of its beats.
const PATIENCE: Duration = Duration::from_secs(15);
/// How long after it was lost it is called again.
const RETRY: Duration = Duration::from_secs(1);
/// Answers that wait to be taken over.
const WAITING_MAX: usize = 16;

/// What is heard.
pub(super) enum Heard {
    /// How games stand, and whether that is all for now.
    Games(Vec<SeenGame>, bool),
    /// Nothing, from now on.
    Lost(Status),
}

/// The games of an event, as they are heard until this is dropped.
pub(super) struct Listening {
    heard: mpsc::Receiver<Heard>,
    _task: AbortOnDropHandle<()>,
}

impl Listening {
    pub(super) fn new(
        games: EventGamesInternalServiceClient<Transport>,
        request: WatchGlimpsesRequest,
    ) -> Listening {
        let (tell, heard) = mpsc::channel(WAITING_MAX);
        let task = AbortOnDropHandle::new(tokio::spawn(listen(games, request, tell)));
        Listening { heard, _task: task }
    }

    /// What is heard next. Dropping the future loses nothing.
    pub(super) async fn next(&mut self) -> Heard {
        let ended = || Heard::Lost(Status::internal("nobody listens to the games any more"));
        self.heard.recv().await.unwrap_or_else(ended)
    }
}

async fn listen(
    mut games: EventGamesInternalServiceClient<Transport>,
    request: WatchGlimpsesRequest,
    tell: mpsc::Sender<Heard>,
) {
    while let Err(lost) = listen_once(&mut games, &request, &tell).await {
        if tell.send(Heard::Lost(lost)).await.is_err() {
            return;
        }
        tokio::time::sleep(RETRY).await;
    }
}

/// Listens until the stream is lost; or nobody wants to hear of it.
async fn listen_once(
    games: &mut EventGamesInternalServiceClient<Transport>,
    request: &WatchGlimpsesRequest,
    tell: &mpsc::Sender<Heard>,
) -> Result<(), Status> {
    let silent = |_| Status::deadline_exceeded("the game service is silent");
    let stream = tokio::time::timeout(PATIENCE, games.watch_glimpses(request.clone())).await;
    let mut stream = stream.map_err(silent)??.into_inner();
    loop {
        let message = tokio::time::timeout(PATIENCE, stream.message()).await.map_err(silent)??;
        let answer = message.ok_or_else(|| Status::unavailable("the game service has ended the stream"))?;
        if tell.send(Heard::Games(answer.games, answer.caught_up)).await.is_err() {
            return Ok(());
        }
    }
}
