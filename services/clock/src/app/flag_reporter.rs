//! The report of a fallen flag, and what follows from its answer.

use std::time::Duration;

use api::{
    clock::v1::watch_announcements_response::Step,
    error,
    game::v1::{CallFlagRequest, CallFlagResponse, game_internal_service_client::GameInternalServiceClient},
    reason,
    transport::Transport,
};
use live::LiveError;
use tonic::{Request, Status};

use crate::{
    core::{self, ArmedClock, Event, step},
    error::InvalidField,
    store::Flags,
    wire,
};

/// A report that takes longer is given up. Shorter than the lease on a fallen flag.
const REPORT_DEADLINE: Duration = Duration::from_secs(3);

/// Tells the game service of fallen flags.
#[derive(Clone, Debug)]
pub(super) struct FlagReporter {
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
    Clock(#[from] InvalidField),
    #[error("the live state fails")]
    Live(#[from] LiveError),
}

impl FlagReporter {
    /// A reporter of the flags that are watched there.
    pub(super) fn new(flags: Flags, games: GameInternalServiceClient<Transport>) -> Self {
        FlagReporter { flags, games }
    }

    /// Reports a flag that has fallen.
    pub(super) async fn report(&self, clock: &ArmedClock) {
        let Some(request) = request(clock) else {
            return;
        };
        if let Err(error) = self.deliver(clock, request).await {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(error, "a flag of game {} could not be called; it will be again", clock.game);
        }
    }

    async fn deliver(&self, clock: &ArmedClock, message: CallFlagRequest) -> Result<(), ReportError> {
        let mut request = Request::new(message);
        request.set_timeout(REPORT_DEADLINE);
        let called = tokio::time::timeout(REPORT_DEADLINE, self.games.clone().call_flag(request)).await?;
        match called {
            Ok(answer) => self.on_response(clock, &answer.into_inner()).await,
            // Its log is the only copy that counts: a game that it does not know has no flag.
            Err(status) if error::reason(&status) == reason::UNKNOWN_GAME => {
                tracing::warn!("a flag fell in the game {}, which does not exist", clock.game);
                Ok(self.flags.forget(clock.game, clock.reading.revision).await?)
            }
            Err(status) => Err(status.into()),
        }
    }

    /// A game that goes on is watched by its own clock, whatever we thought it was: after a lost append it may
    /// be an older one than ours, so ours must go first.
    async fn on_response(&self, clock: &ArmedClock, answer: &CallFlagResponse) -> Result<(), ReportError> {
        let ArmedClock { game, reading: ours, .. } = *clock;
        if answer.ended {
            tracing::info!("the flag of game {game} has been called");
            self.flags.forget(game, ours.revision).await?;
            if let Ok(reading) = wire::required_reading(answer.clock.as_ref()) {
                let end = ArmedClock { reading, ..*clock };
                self.flags.publish(game, &Step::Clock((&end).into())).await;
            }
            return Ok(());
        }
        let reading = wire::required_reading(answer.clock.as_ref())?;
        if reading == ours {
            // By the game's time it has not fallen yet; it is reported again when the lease ends.
            return Ok(());
        }
        self.flags.forget(game, ours.revision).await?;
        Ok(self.flags.watch(&ArmedClock { reading, ..*clock }).await?)
    }
}

/// What to tell of a fallen flag; none if no clock runs.
fn request(clock: &ArmedClock) -> Option<CallFlagRequest> {
    let ArmedClock { game, control, reading, .. } = *clock;
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
        fall_time: Some(fall.into()),
        reading: Some(wire::clock_reading(&after, control)),
    })
}
