//! What happens in events by itself: rounds that begin at their time, boards that were postponed.

use std::{collections::HashSet, time::Duration};

use chassis::{auth::Caller, id::EventId, maintenance};
use pairing::Number;
use time::OffsetDateTime;

use super::{Events, registry::Current, teams::all_held};
use crate::{
    core::event::{Act, BoardId, Coming, EnteredTeam, Event},
    error::Result,
    store::event::head,
    wire::event::request::Change,
};

/// How often it is asked for: a round begins so much later than its time at most.
pub(crate) const INTERVAL: Duration = Duration::from_secs(1);
/// Events that are looked at in one go.
const EVENTS_AT_ONCE: usize = 100;
/// How long an event is not looked at again whose round waits for the end of a maintenance.
const WAITING: Duration = Duration::from_secs(10);
/// Events of which it is told who is to play soon.
const EVENTS_COMING: u64 = 500;

impl Events {
    /// Does what is due. An event of which that fails is tried again the next time, and keeps no other back.
    /// While the platform is worked on nothing is: it is done afterwards. Nor does a round begin whose games could not end before.
    pub(crate) async fn do_what_is_due(&self) -> Result<()> {
        let now = self.env.now();
        if self.maintenance.under_way().is_some() {
            return Ok(());
        }
        let waiting = self.waiting_rounds(now);
        let at_most = EVENTS_AT_ONCE.saturating_add(waiting.len());
        let due = head::due(self.database.read(), now, at_most as u64).await?;
        let mut failed = Ok(());
        for event in due.into_iter().filter(|event| !waiting.contains(event)).take(EVENTS_AT_ONCE) {
            match self.do_what_is_due_in(event, now).await {
                Ok(Current { event, .. }) if event.due().is_some_and(|due| due <= now) => {
                    if self.ensure_ends_before_maintenance(&event).is_err() {
                        self.waiting_rounds.lock().insert(event.id, now + WAITING);
                    }
                }
                Ok(_) => {}
                Err(error) => {
                    tracing::warn!(%event, error = &error as &dyn std::error::Error, "what was due was not done");
                    failed = Err(error);
                }
            }
        }
        failed
    }

    /// Events whose rounds wait for the end of a maintenance, and that are not looked at now: others have their turn.
    fn waiting_rounds(&self, now: OffsetDateTime) -> HashSet<EventId> {
        let is_planned = self.maintenance.next().is_some();
        let mut waiting = self.waiting_rounds.lock();
        waiting.retain(|_, until| is_planned && now < *until);
        waiting.keys().copied().collect()
    }

    /// Refuses what could not end before the platform is worked on, if it begins now.
    pub(super) fn ensure_ends_before_maintenance(&self, event: &Event) -> Result<()> {
        match self.maintenance.begun_after(event.game_span()) {
            Some(maintenance) => Err(maintenance::refusal(&maintenance).into()),
            None => Ok(()),
        }
    }

    /// Who is to play until a moment, and in which event, as everybody sees them.
    pub(crate) async fn coming(&self, until: OffsetDateTime) -> Result<Vec<(EventId, Coming)>> {
        let now = self.env.now();
        let mut all = Vec::new();
        for event in head::due(self.database.read(), until, EVENTS_COMING).await? {
            let seen = self.seen_by_everybody(event).await?;
            let coming = seen.into_iter().flat_map(|seen| seen.coming(now, until));
            all.extend(coming.map(|coming| (event, coming)));
        }
        Ok(all)
    }

    async fn do_what_is_due_in(&self, event: EventId, now: OffsetDateTime) -> Result<Current> {
        let round = self.current(event).await?.event.next_round() - 1;
        let held = self.held(event, round).await?;
        self.carry_out_itself(event, |event| {
            if self.ensure_ends_before_maintenance(event).is_err() {
                return Ok(event.act_due_but_round(now));
            }
            all_held(event, round, &held)?;
            Ok(event.act_due(now, &held))
        })
        .await
    }

    /// Notes that somebody is there for the next round.
    pub(crate) async fn check_in(
        &self,
        caller: &Caller,
        change: &Change,
        number: Option<Number>,
        round: u16,
    ) -> Result<Current> {
        let act = if number.is_some() { Act::CheckInOthers } else { Act::CheckIn };
        self.carry_out(caller, act, change, |event, asker| {
            let number = number.map_or_else(|| asker.number(), Ok)?;
            Ok(event.check_in(number, round)?.into())
        })
        .await
    }

    /// Has a board played at another time: a player asks or the captain of his team for him, an arbiter consents.
    pub(crate) async fn postpone(
        &self,
        caller: &Caller,
        change: &Change,
        board: BoardId,
        until: OffsetDateTime,
    ) -> Result<Current> {
        let event = self.current(change.event).await?.event;
        let (act, who) = self.who_postpones(&event, caller, change, board).await;
        self.carry_out(caller, act, change, |event, _| {
            let now = self.env.now();
            let facts = match who {
                Some(player) => event.ask_to_postpone(board, player, until, now)?,
                None => event.postpone_board(board, until, now)?,
            };
            Ok(facts.into())
        })
        .await
    }

    /// As what somebody has a board postponed, and as or for which player; for none as who consents. Where nobody knows yet
    /// who sits there, a player asks all the same, and is told so.
    async fn who_postpones(
        &self,
        event: &Event,
        caller: &Caller,
        change: &Change,
        board: BoardId,
    ) -> (Act, Option<Number>) {
        let seated = event.players_at(board).ok();
        let asker = self.asker(event, caller, Act::CheckIn, change.as_number).await;
        let player = asker.ok().and_then(|asker| asker.player);
        if let Some(player) = player.filter(|it| seated.is_none_or(|seated| seated.contains(it))) {
            return (Act::CheckIn, Some(player));
        }
        let led = event.captained_by(caller.id).map(EnteredTeam::number);
        let mut seated = seated.into_iter().flatten();
        match led.and_then(|led| seated.find(|number| event.team_of(*number) == Some(led))) {
            Some(player) => (Act::LeadTeam, Some(player)),
            None => (Act::Postpone, None),
        }
    }
}
