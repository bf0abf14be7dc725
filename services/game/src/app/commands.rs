//! The way of a command of a player: decide, ask the clocks, write, tell.

use std::{ops::ControlFlow, sync::Arc};

use api::game::v1::GameEvent;
use bytes::Bytes;
use chassis::{
    Database,
    id::{AccountId, GameId, RequestId},
};
use prost::Message as _;
use rules::{IncidentKind, Reason, Side};

use super::{
    App,
    arrival::{Arrival, Lag},
    availability::Ingress,
    broadcast::not_seated,
    registry::Registry,
    room::Room,
    rooms::Intent,
};
use crate::{
    core::{AdjournmentStep, Command, CommandError, Event, EventKind, PendingEvent, decide},
    error::{Error, Result},
    store::log,
};

/// A command with its envelope.
#[derive(Clone, Debug)]
pub(crate) struct PlayerCommand {
    pub game: GameId,
    pub account: AccountId,
    pub command: Command,
    pub request: RequestId,
    /// When it reached the platform, and over what network.
    pub arrival: Arrival,
    /// How it reached the platform.
    pub ingress: Ingress,
}

/// A command that has no answer yet.
struct Waiting<'a> {
    registry: &'a Registry,
    command: &'a PlayerCommand,
}

impl<'a> Waiting<'a> {
    fn new(registry: &'a Registry, command: &'a PlayerCommand) -> Self {
        let who = (command.account, command.request);
        registry.with_delays(command.game, |delays| delays.came(who, command.arrival.received));
        Waiting { registry, command }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let PlayerCommand { game, account, request, arrival, .. } = self.command;
        self.registry.with_delays(*game, |delays| delays.answered((*account, *request), arrival.received));
    }
}

impl App {
    /// Carries a command out, to its end even if the caller goes away.
    ///
    /// # Errors
    /// When it is refused, or cannot be carried out now.
    pub(crate) async fn command(self: &Arc<Self>, command: PlayerCommand) -> Result<GameEvent> {
        let app = Arc::clone(self);
        let work = async move {
            let registry = &app.registry;
            let _waiting = Waiting::new(registry, &command);
            let answer = app.execute(&command).await;
            // What is refused is a sign of life, too; what is done stands in the log.
            if matches!(answer, Err(Error::Command(_)))
                && let Ok(game) = registry.get(command.game).await
                && let Some(side) = game.side_of(command.account)
            {
                app.players.heard(&game, side);
            }
            if answer.as_ref().is_err_and(Error::is_the_platform_s) {
                let span = (command.arrival.received, registry.env.now());
                registry.with_delays(command.game, |delays| {
                    delays.failed(command.account, command.request, span);
                });
            }
            answer
        };
        self.registry.to_its_end(work).await
    }

    async fn execute(&self, command: &PlayerCommand) -> Result<GameEvent> {
        // While nobody can act no room is made, for whatever id.
        self.registry.heartbeat.ensure_current(command.ingress).await?;
        self.queries.ensure_seated(command.game, command.account).await?;
        self.registry.settle(command.game, command.ingress, command).await
    }
}

impl Intent for PlayerCommand {
    type Answer = GameEvent;

    async fn attempt(&self, room: &mut Room<'_>) -> Result<ControlFlow<GameEvent>> {
        let side = room.side_of(self.account);
        let side = side.ok_or_else(|| not_seated(&room.info, room.registry.env.now()))?;
        if room.awaits(side) && self.command != Command::CheckIn {
            // Whoever would do anything in a game has come to it.
            let coming = decide(room, side, &Command::CheckIn, self.arrival.received, &[])?;
            room.commit(coming, self.arrival.received.into(), None).await?;
            return Ok(ControlFlow::Continue(()));
        }
        let log = if self.command.looks_back(room, side) { room.log().await? } else { Vec::new() };
        let pending = match self.decide(room, side, &log).await {
            Ok(pending) => pending,
            Err(Error::Command(error)) => {
                // Another replica may have written what makes the command right, or wrong.
                if !error.is_malformed() && room.refresh().await? > 0 {
                    return Ok(ControlFlow::Continue(()));
                }
                return self.replay_or(room, error).await.map(ControlFlow::Break);
            }
            Err(error) => return Err(error),
        };
        let measured = room.registry.presence.measured(self.game, side);
        let arrival = Arrival { lag: Lag { measured, ..self.arrival.lag }, ..self.arrival };
        if let Some(written) = room.commit(pending, arrival, Some(self.request)).await? {
            room.registry.heartbeat.taken();
            room.registry.measures.act(room.variant().id);
            room.do_what_follows().await;
            return Ok(ControlFlow::Break(written));
        }
        Ok(self.replay_of(room).await?.map_or(ControlFlow::Continue(()), ControlFlow::Break))
    }
}

impl PlayerCommand {
    /// Decides a command; of a sealed move also whether it is what it is committed to.
    async fn decide(&self, room: &Room<'_>, side: Side, log: &[Event]) -> Result<PendingEvent> {
        let pending = decide(room, side, &self.command, self.arrival.received, log)?;
        if let Command::SealMove(sealed) = &self.command {
            room.registry.keyring.check(room.info.id, room.state.ply, sealed).await?;
        }
        Ok(pending)
    }

    /// The event that this very request has become already, or the error.
    async fn replay_or(&self, room: &Room<'_>, error: CommandError) -> Result<GameEvent> {
        if error.is_malformed() {
            return Err(error.into());
        }
        self.replay_of(room).await?.ok_or_else(|| error.into())
    }

    /// The event that this very request has become already.
    async fn replay_of(&self, room: &Room<'_>) -> Result<Option<GameEvent>> {
        let registry = room.registry;
        let Some(stored) = log::event_of_request(registry.database.read(), self.game, self.request).await?
        else {
            return Ok(None);
        };
        let event = Event::try_from((&stored, None))?;
        // Whose it is, by the seat that he had then: colours may have been corrected since.
        let author = event.by.side().and_then(|side| {
            let swapped = event.state.progress.arbitration.seats_swapped;
            room.info.seats[if swapped { side.other() } else { side }.index()].account
        });
        let same = match &self.command {
            Command::Play { text, .. } if matches!(event.kind, EventKind::Played(_)) => {
                is_act(&registry.database, self.game, event.sequence, text).await?
            }
            _ => true,
        };
        if !same || author != Some(self.account) || !is_answer(&event, &self.command) {
            return Err(Error::RequestIdReused);
        }
        // Whoever wrote it may have died before it was told; who has it already takes no notice.
        registry.publish(self.game, Bytes::from(stored.encode_to_vec())).await;
        Ok(Some(stored))
    }
}

/// Whether an act of the log is what this text plays there. What was sealed is compared whole: nobody is told that
/// a bid was taken which was not.
async fn is_act(database: &Database, id: GameId, sequence: u64, text: &str) -> Result<bool> {
    let before = sequence.saturating_sub(1);
    let since = log::page(database.read(), id, before).await?;
    let Some(played) = since.first().and_then(|event| event.kind.played()) else { return Ok(false) };
    if played.whole() == text {
        return Ok(true);
    }
    // It may be written in another way.
    let game = log::replay(database.read(), id, before).await?.into_game().ok_or(Error::UnknownGame)?;
    let mut position = game.position;
    Ok(position.act(played.author, text).is_ok_and(|act| act.text == played.whole()))
}

/// Whether an event is what a command becomes, but for the text of an act.
fn is_answer(event: &Event, command: &Command) -> bool {
    match (&event.kind, command) {
        (EventKind::Played(_), Command::Play { ply, .. }) => event.state.ply == ply + 1,
        (EventKind::Ended(outcome), Command::Resign) => outcome.reason == Reason::Resignation,
        (EventKind::Ended(outcome), Command::Abort) => outcome.reason == Reason::Aborted,
        (EventKind::Ended(outcome), Command::AcceptDraw | Command::OfferDraw) => {
            outcome.reason == Reason::Agreement
        }
        (EventKind::DrawOffered, Command::OfferDraw)
        | (EventKind::DrawDeclined, Command::DeclineDraw)
        | (EventKind::CheckedIn, Command::CheckIn) => true,
        (EventKind::Proposed(event) | EventKind::Agreed(event), Command::Propose(proposal)) => {
            event == proposal
        }
        (EventKind::ProposalDropped(event), Command::DropProposal(proposal)) => event.same_matter(*proposal),
        (EventKind::TimeGiven(event), Command::GiveTime(span)) => event == span,
        (EventKind::Petitioned(event), Command::Petition(petition)) => event == petition,
        (EventKind::ForbiddenPlayed(event), Command::Play { text, ply }) => {
            event.text == *text && event.incident.ply == *ply
        }
        (EventKind::ForbiddenPlayed(event), Command::OfferDraw) => {
            event.incident.kind == IncidentKind::RepeatedOffer
        }
        (EventKind::Ended(outcome), Command::ClaimAbandonment(claim)) => {
            let claimed = event.by.side().map(|side| claim.verdict(side));
            outcome.reason == Reason::Abandoned && claimed == Some(outcome.verdict)
        }
        (EventKind::Adjournment(AdjournmentStep::Sealed(event)), Command::SealMove(sealed)) => {
            event.commitment == sealed.commitment
        }
        _ => false,
    }
}
