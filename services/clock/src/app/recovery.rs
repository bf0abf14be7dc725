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
pub(crate) const INTERVAL: Duration = Duration::from_secs(15);
/// A page that takes longer is asked for again.
const CALL_DEADLINE: Duration = Duration::from_secs(5);
/// Clocks of a page: the most that the game service gives.
const PAGE_SIZE: u32 = 1000;
/// Pages of a pass: ten million games. More means that the pages go in a circle.
const PAGES_MAX: u32 = 10_000;
/// Flags that are set at once.
const SETS_MAX: usize = 64;

/// Reads back the running clocks, again and again.
#[derive(Clone, Debug)]
pub(crate) struct Recovery {
    flags: Flags,
    games: GameInternalServiceClient<Transport>,
}

/// Why a pass did not come to its end.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PassError {
    /// The game service refuses.
    #[error("the game service does not list its clocks: {0}")]
    Games(#[from] Status),
    /// The game service is silent.
    #[error("the game service does not answer in time")]
    Late(#[from] tokio::time::error::Elapsed),
    /// The live state fails.
    #[error("the live state takes no flags")]
    Live(#[from] LiveError),
    /// There are more pages than there can be.
    #[error("the pages of running clocks do not end")]
    Endless,
}

impl Recovery {
    /// A recovery of the games behind that client.
    pub(crate) fn new(flags: Flags, games: GameInternalServiceClient<Transport>) -> Self {
        Recovery { flags, games }
    }

    /// Has the flag of every running clock watched. Nothing of it needs to be finished: the next start begins with it.
    pub(crate) async fn pass_until(self, stop: CancellationToken) -> Result<(), PassError> {
        if let Some(clocks) = stop.run_until_cancelled(self.pass()).await.transpose()? {
            tracing::debug!(clocks, "the running clocks are watched");
        }
        Ok(())
    }

    /// How many clocks there were.
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
