//! Stepping the clocks of a game.

use super::Clocks;
use crate::{
    core::{Event, Step, StepRequest, step},
    error::Result,
};

impl Clocks {
    /// Takes one event of a game, and has the flag watched by what comes of it.
    pub(crate) async fn step(&self, request: &StepRequest) -> Result<Step> {
        let step = step(request.control, request.before.as_ref(), &request.event, request.now)?;
        if request.event == Event::Watch {
            // Whoever asks to watch again has just read the log. A flag of a higher revision can then only come
            // from an append that was lost, and must give way.
            self.flags.forget(request.game, u64::MAX).await?;
        }
        self.flags.follow(request, &step).await?;
        Ok(step)
    }
}
