//! Finds forgotten flags again: after a start, and whenever the live state has lost something, the running
//! clocks are read back from the game service, whose logs are the only copy that counts.

use std::time::Duration;

use api::{
    game::v1::{
        ListRunningClocksRequest, RunningClock, game_internal_service_client::GameInternalServiceClient,
    },
    transport::Transport,
};
use futures::{TryStreamExt as _, stream};
use live::LiveError;
use tokio_util::sync::CancellationToken;
use tonic::{Request, Status};

use crate::{core::ArmedClock, store::Flags};

/// How long a wiped live state may go unnoticed: as long as a player may wait for a flag that has fallen.
const INTERVAL: Duration = Duration::from_secs(15);
/// After a failure: at first soon, because at a start the services wait for each other.
const RETRY_MIN: Duration = Duration::from_millis(100);
/// After many failures: no more often than this.
const RETRY_MAX: Duration = Duration::from_secs(5);
/// A page that takes longer is asked for again.
const CALL_DEADLINE: Duration = Duration::from_secs(5);
/// Clocks of a page: the most that the game service gives.
const PAGE_SIZE: u32 = 1000;
/// Pages of a pass: ten million games. More means that the pages go in a circle.
const PAGES_MAX: u32 = 10_000;
/// Flags that are set at once.
const SETS_MAX: usize = 64;

/// Reads back the running clocks, again and again.
#[derive(Debug)]
pub struct Recovery {
    flags: Flags,
    games: GameInternalServiceClient<Transport>,
}

/// Why a pass did not come to its end.
#[derive(Debug, thiserror::Error)]
enum PassError {
    #[error("the game service does not list its clocks: {0}")]
    Games(#[from] Status),
    #[error("the game service does not answer in time")]
    Late(#[from] tokio::time::error::Elapsed),
    #[error("the live state takes no flags")]
    Live(#[from] LiveError),
    #[error("the pages of running clocks do not end")]
    Endless,
}

impl Recovery {
    /// A recovery of the games behind that client.
    pub fn new(flags: Flags, games: GameInternalServiceClient<Transport>) -> Self {
        Recovery { flags, games }
    }

    /// Runs until told to stop.
    pub async fn run(self, stop: CancellationToken) {
        // Nothing of a pass needs to be finished: the next start begins with one.
        let _stopped = stop.run_until_cancelled(self.run_on()).await;
    }

    async fn run_on(self) {
        let mut retry = RETRY_MIN;
        loop {
            let wait = match self.pass().await {
                Ok(clocks) => {
                    tracing::debug!(clocks, "the running clocks are watched");
                    retry = RETRY_MIN;
                    INTERVAL
                }
                Err(error) => {
                    let error = &error as &dyn std::error::Error;
                    tracing::warn!(
                        error,
                        retry_ms = retry.as_millis(),
                        "the running clocks cannot be read back"
                    );
                    let wait = retry;
                    retry = (retry * 2).min(RETRY_MAX);
                    wait
                }
            };
            tokio::time::sleep(wait).await;
        }
    }

    /// Has the flag of every running clock watched; how many they were.
    async fn pass(&self) -> Result<usize, PassError> {
        let mut page_token = String::new();
        let mut clocks = 0;
        for _ in 0..PAGES_MAX {
            let request = ListRunningClocksRequest { page_size: PAGE_SIZE, page_token };
            let mut games = self.games.clone();
            let page = games.list_running_clocks(with_deadline(request));
            let page = tokio::time::timeout(CALL_DEADLINE, page).await??.into_inner();
            clocks += page.clocks.len();
            let watch = page.clocks.into_iter().map(|clock| Ok(self.watch(clock)));
            stream::iter(watch).try_buffer_unordered(SETS_MAX).try_for_each(async |()| Ok(())).await?;
            if page.next_page_token.is_empty() {
                return Ok(clocks);
            }
            page_token = page.next_page_token;
        }
        Err(PassError::Endless)
    }

    /// A clock that cannot be read is no reason to forget the others.
    async fn watch(&self, clock: RunningClock) -> Result<(), PassError> {
        match ArmedClock::try_from(&clock) {
            Ok(armed) => Ok(self.flags.watch(&armed).await?),
            Err(error) => {
                tracing::error!(game.id = clock.game_id, %error, "a running clock cannot be read");
                Ok(())
            }
        }
    }
}

fn with_deadline<T>(message: T) -> Request<T> {
    let mut request = Request::new(message);
    request.set_timeout(CALL_DEADLINE);
    request
}
