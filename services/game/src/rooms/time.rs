//! What rooms ask of the clocks.

use api::clock::v1 as pb;
use rules::Side;
use time::OffsetDateTime;

use super::Rooms;
use crate::{
    convert::{control_to_pb, optional_side_to_pb, reading_from_pb, reading_to_pb, side_from_pb, side_to_pb},
    core::{Game, Info, Reading, TimeStep, flag_event, outage_event},
    fault::CallError,
    store::StoreError,
};

/// The clocks after a step, and whose flag had fallen before it.
pub(super) struct Stepped {
    pub reading: Reading,
    pub flagged: Option<Side>,
}

impl Rooms {
    /// Sets the clock of a new game running.
    pub(super) async fn start_clock(
        &self,
        info: &Info,
        running: Side,
        at: OffsetDateTime,
    ) -> Result<Reading, CallError> {
        let start = pb::StartClock { running: side_to_pb(running) };
        let event = pb::step_request::Event::Start(start);
        Ok(self.step_clock(info, None, event, at).await?.reading)
    }

    /// Tells the clocks what a command does to them. `None` when they are not concerned.
    pub(super) async fn step(
        &self,
        game: &Game,
        step: TimeStep,
        at: OffsetDateTime,
    ) -> Result<Option<Stepped>, CallError> {
        let event = match step {
            TimeStep::None => return Ok(None),
            // Before the first turn on the clock there is nothing to stop.
            TimeStep::Stop if game.clock().is_none() => return Ok(None),
            TimeStep::Stop => pb::step_request::Event::Stop(pb::StopClock {}),
            TimeStep::Turn { author, next } => match (author, game.clock(), next) {
                // The first turn on the clock: until now nobody's ran.
                (_, None, Some(side)) => {
                    pb::step_request::Event::Start(pb::StartClock { running: side_to_pb(side) })
                }
                (Some(side), Some(_), _) => pb::step_request::Event::Press(pb::PressClock {
                    side: side_to_pb(side),
                    next: optional_side_to_pb(next),
                    ..pb::PressClock::default()
                }),
                // The house has acted: whoever's clock runs next has not acted before.
                (None, Some(_), Some(side)) => pb::step_request::Event::Press(pb::PressClock {
                    side: side_to_pb(side.other()),
                    next: side_to_pb(side),
                    ..pb::PressClock::default()
                }),
                (None, Some(_), None) => pb::step_request::Event::Stop(pb::StopClock {}),
                (_, None, None) => return Ok(None),
            },
        };
        match game.clock() {
            None if game.info.time_control.is_none() => Ok(None),
            before => self.step_clock(&game.info, before, event, at).await.map(Some),
        }
    }

    /// Has the flag of a running game watched. The game does not depend on it, so a failure is only logged:
    /// the clocks ask for running games themselves.
    pub(super) async fn watch_flag(&self, game: &Game) {
        let Some(clock) = game.clock().filter(|clock| clock.running.is_some()) else { return };
        let event = pb::step_request::Event::Watch(pb::WatchFlag {});
        if let Err(error) = self.step_clock(&game.info, Some(clock), event, self.ambient.now()).await {
            tracing::debug!(game.id = %game.info.id, %error, "a flag is not watched yet");
        }
    }

    /// Gives back every outage that the game has not been credited with.
    pub(super) async fn credit_outages(&self, slot: &mut Option<Game>) -> Result<(), CallError> {
        loop {
            let Some(game) = slot.as_mut().filter(|game| !game.is_over()) else { return Ok(()) };
            let Some(outage) = self.beat.outages_after(game.credited_until).first().copied() else {
                return Ok(());
            };
            // Looked at when it ended: a flag that would have fallen since may be held up by the next outage.
            let at = outage.until.max(game.updated);
            let stepped = match game.clock() {
                None => None,
                before => {
                    let event = pb::step_request::Event::Credit(pb::CreditOutage {
                        from_time: Some(api::time::timestamp(outage.from)),
                        until_time: Some(api::time::timestamp(outage.until)),
                    });
                    Some(self.step_clock(&game.info, before, event, at).await?)
                }
            };
            let event = match stepped {
                // The flag had fallen before the outage began: there is nothing to give back.
                Some(Stepped { reading, flagged: Some(side) }) => flag_event(game, side, at, reading),
                stepped => {
                    let reading = stepped.map(|stepped| stepped.reading);
                    outage_event(game, outage.from, outage.until, at, reading)
                }
            };
            // Written or written by another replica: either way the room has moved on.
            self.append(slot, &event, None, None).await?;
        }
    }

    async fn step_clock(
        &self,
        info: &Info,
        before: Option<&Reading>,
        event: pb::step_request::Event,
        at: OffsetDateTime,
    ) -> Result<Stepped, CallError> {
        let request = pb::StepRequest {
            game_id: info.id.to_string(),
            time_control: info.time_control.map(control_to_pb),
            before: before.map(reading_to_pb),
            event_time: Some(api::time::timestamp(at)),
            event: Some(event),
        };
        let answer = self.clock.clone().step(request).await.map_err(CallError::Clock)?.into_inner();
        let after = answer.after.as_ref().ok_or(crate::convert::Malformed("a reading"));
        let reading = after.and_then(reading_from_pb).map_err(StoreError::from)?;
        Ok(Stepped { reading, flagged: side_from_pb(answer.flagged) })
    }
}
