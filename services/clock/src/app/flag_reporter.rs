//! The report of a fallen flag, and what follows from its answer.

use std::time::Duration;

use api::{
    clock::v1::watch_calls_response::Step,
    fault,
    game::v1::{CallFlagRequest, CallFlagResponse, game_internal_service_client::GameInternalServiceClient},
    reason,
    transport::Transport,
};
use live::LiveError;
use tonic::{Request, Status};

use crate::{
    core::{self, Event, step},
    error::BadField,
    store::{ArmedClock, Flags},
    wire,
};

/// A report that takes longer is given up. Shorter than the lease on a fallen flag.
const REPORT_DEADLINE: Duration = Duration::from_secs(3);

/// Tells the game service of fallen flags.
#[derive(Clone, Debug)]
pub struct FlagReporter {
    flags: Flags,
    games: GameInternalServiceClient<Transport>,
}

/// Why a report came to nothing. The flag stays leased, so that whoever lives reports it again.
#[derive(Debug, thiserror::Error)]
enum ReportError {
    #[error("the game service refuses: {0}")]
    Games(#[from] Status),
    #[error("the game service does not answer in time")]
    Late(#[from] tokio::time::error::Elapsed),
    #[error("the game service tells a clock that cannot be read: {0}")]
    Clock(#[from] BadField),
    #[error("the live state fails")]
    Live(#[from] LiveError),
}

impl FlagReporter {
    /// A reporter of the flags that are watched there.
    pub fn new(flags: Flags, games: GameInternalServiceClient<Transport>) -> Self {
        FlagReporter { flags, games }
    }

    /// Reports a flag that has fallen.
    pub async fn report(&self, watched: &ArmedClock) {
        let Some(request) = request(watched) else {
            return;
        };
        if let Err(error) = self.deliver(watched, request).await {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(error, "a flag of game {} could not be called; it will be again", watched.game);
        }
    }

    async fn deliver(&self, watched: &ArmedClock, message: CallFlagRequest) -> Result<(), ReportError> {
        let mut request = Request::new(message);
        request.set_timeout(REPORT_DEADLINE);
        let called = tokio::time::timeout(REPORT_DEADLINE, self.games.clone().call_flag(request)).await?;
        match called {
            Ok(answer) => self.on_response(watched, &answer.into_inner()).await,
            // Its log is the only copy that counts: a game that it does not know has no flag.
            Err(status) if fault::reason(&status) == reason::UNKNOWN_GAME => {
                tracing::warn!("a flag fell in the game {}, which does not exist", watched.game);
                Ok(self.flags.forget(watched.game, watched.reading.revision).await?)
            }
            Err(status) => Err(status.into()),
        }
    }

    /// A game that goes on is watched by its own clock, whatever we thought it was: after a lost append it may
    /// be an older one than ours, so ours must go first.
    async fn on_response(&self, watched: &ArmedClock, answer: &CallFlagResponse) -> Result<(), ReportError> {
        let ArmedClock { game, reading: ours, .. } = *watched;
        if answer.ended {
            tracing::info!("the flag of game {game} has been called");
            self.flags.forget(game, ours.revision).await?;
            if let Ok(reading) = wire::required(answer.clock.as_ref()) {
                let end = wire::state(&ArmedClock { reading, ..*watched });
                self.flags.tell(game, &Step::Clock(end)).await;
            }
            return Ok(());
        }
        let reading = wire::required(answer.clock.as_ref())?;
        if reading == ours {
            // By the game's time it has not fallen yet; it is reported again when the lease ends.
            return Ok(());
        }
        self.flags.forget(game, ours.revision).await?;
        Ok(self.flags.watch(&ArmedClock { reading, ..*watched }).await?)
    }
}

/// What to tell of a fallen flag; none if no clock runs.
fn request(watched: &ArmedClock) -> Option<CallFlagRequest> {
    let ArmedClock { game, control, reading, .. } = *watched;
    let fall = reading.flag_time(control)?;
    let Ok(core::Step { after, flagged: Some(side), .. }) =
        step(control, Some(&reading), &Event::Watch, fall)
    else {
        tracing::error!("the clock of game {game} does not fit its control");
        return None;
    };
    Some(CallFlagRequest {
        game_id: game.to_string(),
        revision: reading.revision,
        side: wire::side_proto(Some(side)).into(),
        fall_time: Some(wire::timestamp(fall)),
        reading: Some(wire::reading_proto(&after, control)),
    })
}
