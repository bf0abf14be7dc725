//! The way of an act of an official: as that of a player's command.

use std::{ops::ControlFlow, sync::Arc};

use api::game::v1::GameEvent;
use chassis::{
    auth::Caller,
    id::{GameId, RequestId},
};
use time::OffsetDateTime;

use super::{App, availability::Ingress, broadcast::is_known, room::Room, rooms::Intent};
use crate::{
    core::{ActingOfficial, By, Event, EventKind, Game, OfficialAct, Ruling, decide_ruling},
    error::{Error, Result},
    store::log,
};

/// An act of an official with its envelope.
#[derive(Clone, Debug)]
pub(crate) struct OfficialCommand {
    pub game: GameId,
    pub official: Caller,
    pub ruling: Ruling,
    pub request: RequestId,
    /// When it reached the platform.
    pub received: OffsetDateTime,
    /// How it reached the platform.
    pub ingress: Ingress,
}

impl App {
    /// Carries an act of an official out, to its end even if the caller goes away.
    ///
    /// # Errors
    /// When it is refused, or cannot be carried out now.
    pub(crate) async fn rule(&self, command: OfficialCommand) -> Result<GameEvent> {
        let registry = Arc::clone(&self.registry);
        let work = async move {
            // While nobody can act no room is made, for whatever id.
            registry.heartbeat.ensure_current(command.ingress).await?;
            registry.settle(command.game, command.ingress, &command).await
        };
        self.registry.to_its_end(work).await
    }
}

impl Intent for OfficialCommand {
    type Answer = GameEvent;

    async fn attempt(&self, room: &mut Room<'_>) -> Result<ControlFlow<GameEvent>> {
        if let Some(written) = self.replay_of(room).await? {
            return Ok(ControlFlow::Break(written));
        }
        let log = match self.ruling.act {
            OfficialAct::VoidMoves(_) => room.log().await?,
            _ => Vec::new(),
        };
        let pending = match decide_ruling(room, &acting_official(room, &self.official), &self.ruling, &log) {
            Ok(pending) => pending,
            Err(error) => {
                if !is_known(&room.info, Some(&self.official), room.registry.env.now()) {
                    return Err(Error::UnknownGame);
                }
                if error.is_malformed() || room.refresh().await? == 0 {
                    return Err(error.into());
                }
                return Ok(ControlFlow::Continue(()));
            }
        };
        if let OfficialAct::RepeatAnnouncement(from) = self.ruling.act {
            room.registry.clocks.repeat_announcement(self.game, from).await?;
        }
        let Some(written) = room.commit(pending, self.received.into(), Some(self.request)).await? else {
            return Ok(ControlFlow::Continue(()));
        };
        room.do_what_follows().await;
        Ok(ControlFlow::Break(written))
    }
}

impl OfficialCommand {
    /// The event that this very request has become already.
    async fn replay_of(&self, room: &Room<'_>) -> Result<Option<GameEvent>> {
        let Some(stored) =
            log::event_of_request(room.registry.database.read(), self.game, self.request).await?
        else {
            return Ok(None);
        };
        let event = Event::try_from((&stored, None))?;
        let by_him = matches!(&event.by, By::Official(by) if by.account == self.official.id);
        match &event.kind {
            EventKind::Ruled(ruling) if by_him && is_answer(ruling, &self.ruling) => Ok(Some(stored)),
            _ => Err(Error::RequestIdReused),
        }
    }
}

/// The official before a game: what he is in its event or federation.
fn acting_official(game: &Game, official: &Caller) -> ActingOfficial {
    let regulations = &game.info.regulations;
    ActingOfficial {
        account: official.id,
        name: official.name.clone(),
        roles: official.roles_in(regulations.event, regulations.federation),
    }
}

/// Whether a ruling of the log is what was asked for: of an incident the platform gives the number, and the
/// decision if none was named.
fn is_answer(logged: &Ruling, asked: &Ruling) -> bool {
    let (OfficialAct::RecordIncident(logged_report), OfficialAct::RecordIncident(asked_report)) =
        (&logged.act, &asked.act)
    else {
        return logged == asked;
    };
    let mut incident = asked_report.incident.clone();
    incident.number = logged_report.incident.number;
    incident.decision = logged_report.incident.decision;
    logged.reason == asked.reason
        && logged_report.incident == incident
        && asked_report.decision.is_none_or(|decision| decision == incident.decision)
}
