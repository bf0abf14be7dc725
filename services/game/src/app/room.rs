//! A game under its room's lock: read, and ready for a decision.

use std::ops::Deref;

use chassis::id::{AccountId, RequestId};
use time::OffsetDateTime;

use super::{
    delays::Refund,
    registry::{ATTEMPTS, Held, Registry},
};
use crate::{
    core::{
        CommandError, Event, Game, Origin, PendingEvent, Stage, Task, decide_house, decide_task, due,
        flag_event, outage_event,
    },
    error::{Error, Result},
    store::{Outage, log},
};

/// A game while nobody else in this replica can change it.
pub(super) struct Room<'a> {
    pub registry: &'a Registry,
    held: &'a mut Held,
}

impl Deref for Room<'_> {
    type Target = Game;

    fn deref(&self) -> &Game {
        &self.held.game
    }
}

impl<'a> Room<'a> {
    pub(super) const fn new(registry: &'a Registry, held: &'a mut Held) -> Self {
        Room { registry, held }
    }

    /// The log of the game up to where its room stands; the log may be ahead of it.
    pub(super) async fn log(&self) -> Result<Vec<Event>> {
        let mut log = log::events_after(self.registry.database.read(), self.info.id, 0).await?;
        log.retain(|event| event.sequence <= self.sequence);
        Ok(log)
    }

    /// Reads what other replicas have written, where there may be others.
    pub(super) async fn refresh_if_shared(&mut self) -> Result<()> {
        if self.registry.live.shared() {
            self.refresh().await?;
        }
        Ok(())
    }

    /// Reads what other replicas have written; how many events that were.
    pub(super) async fn refresh(&mut self) -> Result<usize> {
        let (registry, game) = (self.registry, &mut self.held.game);
        let news = log::events_after(registry.database.read(), game.info.id, game.sequence).await?;
        if news.iter().any(|event| event.kind.goes_back_to().is_some()) {
            let replay = log::replay(registry.database.read(), game.info.id, u64::MAX).await?;
            *game = replay.into_game().ok_or(Error::UnknownGame)?;
        } else {
            for event in &news {
                game.apply(event, &[])?;
            }
        }
        registry.publish_written(game).await?;
        Ok(news.len())
    }

    /// Takes an event over that was written.
    pub(super) fn adopt(&mut self, event: &Event, position: Option<Box<dyn rules::Game>>) {
        self.held.game.adopt(event, position);
    }

    /// Lets nobody go on with what the room holds: the log will tell.
    pub(super) const fn give_up(&mut self) {
        self.held.is_stale = true;
    }

    /// Gives back every outage that the game has not been credited with.
    pub(super) async fn credit_outages(&mut self) -> Result<()> {
        // Until the result is final its deadlines are put off as well.
        while self.progress().stage != Stage::Final {
            let Some(outage) = self.registry.heartbeat.outages_after(self.credited_until).first().copied()
            else {
                return Ok(());
            };
            // Some of it may have been given back with a delay, before it was known that it was one.
            let outage = Outage { from: outage.from.max(self.credited_until), ..outage };
            // Written or written by another replica: either way the room has moved on.
            Box::pin(self.credit(outage, outage)).await?;
        }
        Ok(())
    }

    /// Gives an outage back, and to whose clock runs the time `given`, which is it unless some of it was given back
    /// before. Answers whether that was written; if not, another replica was faster.
    pub(super) async fn credit(&mut self, outage: Outage, given: Outage) -> Result<bool> {
        // Looked at when it ended: a flag that would have fallen since may be held up by the next outage.
        let at = outage.until.max(given.until).max(self.updated);
        let update = self.registry.clocks.credit(self, given, at).await?;
        let event = match update.fallen {
            // The flag had fallen before the outage began: there is nothing to give back.
            Some(side) => flag_event(self, side, at, update),
            None => outage_event(self, outage.from, outage.until, at, update),
        };
        Ok(self.append(&event, None, None).await?.is_some())
    }

    /// Does what is due in the game by now: acts of the house (its part in a draw, or in the place of whoever let the
    /// time pass that the rules give), and what the regulations and the progress of the game have come to. A game is never
    /// shown to a command before.
    pub(super) async fn do_what_is_due(&mut self) -> Result<()> {
        for _ in 0..ATTEMPTS {
            if self.info.origin != Origin::Match {
                return Ok(());
            }
            let now = self.registry.env.now();
            let Some(due) = due(self.position.as_ref(), self.updated, &self.state) else { return Ok(()) };
            if due.at > now {
                return Ok(());
            }
            let pending = self.decide_due(due.task).await?;
            // Rare, and no part of every other call's size.
            Box::pin(self.commit(pending, now.into(), None)).await?;
        }
        Err(Error::Contended)
    }

    async fn decide_due(&self, task: Task) -> Result<PendingEvent> {
        let Registry { env, keyring, .. } = self.registry;
        let opening = match &self.sealed_move {
            Some(sealed) if task == Task::OpenSealed => {
                keyring.open(self.info.id, self.state.ply, sealed).await?
            }
            _ => None,
        };
        let decided = match task {
            Task::House(due) => decide_house(self, &due.act(&mut || env.bytes())),
            _ => decide_task(self, task, opening).ok_or(CommandError::Rules(rules::ActError::nothing_due())),
        };
        decided.map_err(|error| {
            tracing::error!(game.id = %self.info.id, reason = %error.reason(), "what is due cannot be done");
            Error::from(error)
        })
    }

    /// Does what has become due by what was written; that need not wait for the next look.
    pub(super) async fn do_what_follows(&mut self) {
        if let Err(error) = self.do_what_is_due().await {
            tracing::warn!(game.id = %self.info.id, %error, "what is due was not done; it will be tried again");
        }
    }

    /// What the platform itself has taken of the turn that runs, and is to be given back to whose clock runs, who acts
    /// now with this request, or whose flag is looked at.
    pub(super) fn refund_for_delays(
        &self,
        request: Option<RequestId>,
        now: OffsetDateTime,
    ) -> Option<Refund> {
        let account = self.on_clock()?;
        let outages_after = |moment| self.registry.heartbeat.outages_after(moment);
        let turn = (self.turn_began, now);
        self.registry
            .with_delays(self.info.id, |delays| delays.refund((account, request), turn, outages_after))
    }

    /// What was owed so to a player was given back up to this moment.
    pub(super) fn settle_delays(
        &self,
        player: Option<AccountId>,
        request: Option<RequestId>,
        until: OffsetDateTime,
    ) {
        if let Some(player) = player {
            self.registry.with_delays(self.info.id, |delays| delays.settled((player, request), until));
        }
    }

    /// Whose clock runs.
    pub(super) fn on_clock(&self) -> Option<AccountId> {
        let (side, _) = self.clock()?.running?;
        self.info.seats_in(self.progress())[side.index()].account
    }
}
