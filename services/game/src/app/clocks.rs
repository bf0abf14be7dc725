//! What is asked of the clocks.

use api::{
    DecodeError, ProtoEnum as _,
    clock::v1::{self as pb, clock_internal_service_client::ClockInternalServiceClient},
    clock_log,
    transport::Transport,
};
use chassis::id::GameId;
use rules::Side;
use time::OffsetDateTime;
use tonic::Code;

use super::arrival::Arrival;
use crate::{
    core::{ClockUpdate, CommandError, Game, GameInfo, Reading, RulingError, TimeStep},
    error::{Error, Result},
    store::Outage,
    wire::audience,
};

/// What became of the steps of a pending event.
pub(super) enum ClockResult {
    /// All were taken.
    All(ClockUpdate),
    /// The flag of this side had fallen before one of them: what was to happen has not.
    FlagFellFirst(Side, ClockUpdate),
}

/// The clocks, as rooms ask them.
#[derive(Clone)]
pub(crate) struct Clocks(pub ClockInternalServiceClient<Transport>);

impl Clocks {
    /// Sets the clock of a new game running.
    pub(super) async fn start(
        &self,
        info: &GameInfo,
        running: Side,
        at: OffsetDateTime,
    ) -> Result<ClockUpdate> {
        let mut update = ClockUpdate::default();
        self.step_clock(info, &mut update, start(running), at).await?;
        Ok(last_without_reading(update))
    }

    /// Tells the clocks what a command does to them, step by step.
    pub(super) async fn step_all(
        &self,
        game: &Game,
        steps: &[TimeStep],
        arrival: Arrival,
    ) -> Result<ClockResult> {
        let mut update = ClockUpdate { reading: game.clock().cloned(), ..ClockUpdate::default() };
        if game.info.time_control.is_none() {
            return Ok(ClockResult::All(update));
        }
        let mut fallen = None;
        for step in steps {
            let deduction = matches!(step, TimeStep::Deduct(..));
            // After a flag nothing is started any more; but the other side may owe time, too.
            if fallen.is_some() && !deduction {
                continue;
            }
            let Some(event) = event(*step, update.reading.is_some(), arrival) else { continue };
            self.step_clock(&game.info, &mut update, event, arrival.received).await?;
            if let TimeStep::Deduct(side, _) = step {
                self.see_whether_fallen(&game.info, &mut update, *side, arrival.received).await?;
            }
            match update.fallen {
                // A deduction has happened also if it has made a flag fall.
                Some(side) if deduction => fallen = Some(side),
                Some(side) => return Ok(ClockResult::FlagFellFirst(side, last_without_reading(update))),
                None => {}
            }
        }
        update.fallen = fallen;
        Ok(ClockResult::All(last_without_reading(update)))
    }

    /// Has the flag of a running game watched. The game does not depend on it, so a failure is only logged:
    /// the clocks ask for running games themselves.
    pub(super) async fn watch_flag(&self, game: &Game, now: OffsetDateTime) {
        let Some(clock) = game.clock().filter(|clock| clock.running.is_some()) else { return };
        let event = pb::step_request::Event::Watch(pb::WatchFlag {});
        let mut update = ClockUpdate { reading: Some(clock.clone()), ..ClockUpdate::default() };
        if let Err(error) = self.step_clock(&game.info, &mut update, event, now).await {
            tracing::debug!(game.id = %game.info.id, %error, "a flag is not watched yet");
        }
    }

    /// Has calls made again.
    ///
    /// # Errors
    /// When nothing has been called, or the clocks do not answer.
    pub(super) async fn repeat_announcement(&self, game: GameId, from: Option<OffsetDateTime>) -> Result<()> {
        let request = pb::RepeatAnnouncementRequest {
            game_id: game.to_string(),
            from_time: from.map(api::time::timestamp),
        };
        match self.0.clone().repeat_announcement(request).await {
            Ok(_) => Ok(()),
            // Nor was anything called at a time that the clocks cannot even read.
            Err(status)
                if matches!(
                    status.code(),
                    Code::FailedPrecondition | Code::NotFound | Code::InvalidArgument
                ) =>
            {
                Err(CommandError::from(RulingError::NothingCalled).into())
            }
            Err(status) => Err(Error::Clock(status)),
        }
    }

    /// Gives the time of an outage back to whose clock runs.
    pub(super) async fn credit(&self, game: &Game, given: Outage, at: OffsetDateTime) -> Result<ClockUpdate> {
        let mut update = ClockUpdate { reading: game.clock().cloned(), ..ClockUpdate::default() };
        if update.reading.is_some() && !game.is_over() {
            let credit = pb::step_request::Event::Credit(pb::CreditOutage {
                from_time: Some(api::time::timestamp(given.from)),
                until_time: Some(api::time::timestamp(given.until)),
            });
            self.step_clock(&game.info, &mut update, credit, at).await?;
        }
        Ok(last_without_reading(update))
    }

    /// Sees whether a side from which time was taken has any left. The clocks themselves see it only when a clock
    /// runs; while none does, that of the side would fall as soon as it is set running.
    async fn see_whether_fallen(
        &self,
        info: &GameInfo,
        update: &mut ClockUpdate,
        side: Side,
        at: OffsetDateTime,
    ) -> Result<()> {
        let turn = |reading: &Reading| reading.running.or(reading.held).is_some();
        if update.fallen.is_some() || update.reading.as_ref().is_some_and(turn) {
            return Ok(());
        }
        let mut running = update.clone();
        self.step_clock(info, &mut running, start(side), at).await?;
        self.step_clock(info, &mut running, pb::step_request::Event::Watch(pb::WatchFlag {}), at).await?;
        if running.fallen.is_some() {
            *update = running;
        }
        Ok(())
    }

    /// Has the clocks take one step from where `clocked` has come to.
    async fn step_clock(
        &self,
        info: &GameInfo,
        update: &mut ClockUpdate,
        event: pb::step_request::Event,
        at: OffsetDateTime,
    ) -> Result<()> {
        let request = pb::StepRequest {
            game_id: info.id.to_string(),
            time_control: info.time_control.map(Into::into),
            before: update.reading.as_ref().map(Into::into),
            event_time: Some(api::time::timestamp(at)),
            event: Some(event),
            audience: audience(info),
        };
        let answer = self.0.clone().step(request.clone()).await.map_err(Error::Clock)?.into_inner();
        let after = answer.after.as_ref().ok_or(DecodeError("a reading"));
        update.reading = Some(after.and_then(TryInto::try_into)?);
        update.fallen = Side::of(answer.flagged);
        update.entries.push((&clock_log::entry(&request, &answer)).into());
        Ok(())
    }
}

/// What a step is in the words of the clocks; none when it does not concern them. `set` says whether they have
/// been set already.
fn event(step: TimeStep, set: bool, arrival: Arrival) -> Option<pb::step_request::Event> {
    use pb::step_request::Event;
    let Arrival { received, lag } = arrival;
    Some(match step {
        // The first turn on the clock: until now nobody's ran.
        TimeStep::Turn { next: Some(side), .. } if !set => start(side),
        TimeStep::Turn { .. } | TimeStep::Stop | TimeStep::GiveBack(_) if !set => return None,
        TimeStep::Turn { author: Some(side), next } => Event::Press(pb::PressClock {
            side: side.number(),
            next: next.number(),
            measured_lag_duration: lag.measured.map(api::time::duration),
            claimed_lag_duration: lag.claimed.map(api::time::duration),
        }),
        // The house has acted: whoever's clock runs next has not acted before.
        TimeStep::Turn { author: None, next: Some(side) } => Event::Press(pb::PressClock {
            side: side.other().number(),
            next: side.number(),
            ..pb::PressClock::default()
        }),
        TimeStep::Start(side) => start(side),
        TimeStep::Turn { author: None, next: None } | TimeStep::Stop => Event::Stop(pb::StopClock {}),
        TimeStep::Pause(reason) => {
            Event::Pause(pb::PauseClock { reason: pb::PauseReason::from(reason).into() })
        }
        TimeStep::Resume(reason) => {
            Event::Resume(pb::ResumeClock { reason: pb::PauseReason::from(reason).into() })
        }
        TimeStep::Add(side, span) => {
            adjust(side, pb::adjust_clock::Adjustment::AddDuration(api::time::duration(span)))
        }
        TimeStep::Deduct(side, span) => {
            adjust(side, pb::adjust_clock::Adjustment::DeductDuration(api::time::duration(span)))
        }
        // Counted from the end: what was given back before has moved the beginning of the turn.
        TimeStep::GiveBack(span) => Event::Credit(pb::CreditOutage {
            from_time: Some(api::time::timestamp(received - span)),
            until_time: Some(api::time::timestamp(received)),
        }),
    })
}

fn start(side: Side) -> pb::step_request::Event {
    pb::step_request::Event::Start(pb::StartClock { running: side.number() })
}

fn adjust(side: Side, by: pb::adjust_clock::Adjustment) -> pb::step_request::Event {
    pb::step_request::Event::Adjust(pb::AdjustClock { side: side.number(), adjustment: Some(by) })
}

/// The reading of the last step is that of the event, and is not kept twice.
fn last_without_reading(mut update: ClockUpdate) -> ClockUpdate {
    if let Some(entry) = update.entries.last_mut() {
        *entry = (&pb::ClockEntry { after: None, ..(&*entry).into() }).into();
    }
    update
}
