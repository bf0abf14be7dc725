//! The way of an act of an official: as that of a player's command.

use std::sync::Arc;

use api::game::v1::GameEvent;
use chassis::{
    auth::Caller,
    id::{GameId, RequestId},
};
use time::OffsetDateTime;

use super::{ATTEMPTS, Rooms, broadcast::is_known};
use crate::{
    app::availability::Reached,
    core::{Bench, By, Game, Kind, OfficialAct, Ruling, decide_ruling},
    error::CallError,
    store::StoreError,
    wire::event_from_pb,
};

/// An act of an official with its envelope.
#[derive(Clone, Debug)]
pub(crate) struct Hearing {
    pub game: GameId,
    pub official: Caller,
    pub ruling: Ruling,
    pub request: RequestId,
    /// When it reached the platform.
    pub received: OffsetDateTime,
    /// How it reached the platform.
    pub reached: Reached,
}

impl Rooms {
    /// Carries an act of an official out, to its end even if the caller goes away.
    ///
    /// # Errors
    /// When it is refused, or cannot be carried out now.
    pub(crate) async fn rule(self: &Arc<Self>, hearing: Hearing) -> Result<GameEvent, CallError> {
        let rooms = Arc::clone(self);
        let work = async move { rooms.hear(&hearing).await };
        self.lifecycle.run(work).await.map_err(|_| CallError::Contended)?
    }

    async fn hear(&self, hearing: &Hearing) -> Result<GameEvent, CallError> {
        // While nobody can act no room is made, for whatever id.
        self.beat.ensure_fresh(hearing.reached).await?;
        let room = self.room(hearing.game);
        let mut slot = room.game.lock().await;
        for _ in 0..ATTEMPTS {
            let game = self.entered(&mut slot, hearing.game, hearing.reached).await?;
            if let Some(written) = self.ruled(hearing).await? {
                return Ok(written);
            }
            let past = match hearing.ruling.act {
                OfficialAct::VoidMoves(_) => self.past(game).await?,
                _ => Vec::new(),
            };
            let draft = match decide_ruling(game, &bench(game, &hearing.official), &hearing.ruling, &past) {
                Ok(draft) => draft,
                Err(refusal) => {
                    if !is_known(&game.info, Some(&hearing.official), self.ambient.now()) {
                        return Err(CallError::UnknownGame);
                    }
                    if refusal.is_malformed() || self.refresh(game).await? == 0 {
                        return Err(refusal.into());
                    }
                    continue;
                }
            };
            if let OfficialAct::RepeatCall(from) = hearing.ruling.act {
                self.repeat_call(hearing.game, from).await?;
            }
            let arrival = hearing.received.into();
            if let Some(written) = self.enact(&mut slot, draft, arrival, Some(hearing.request)).await? {
                // What it has made due need not wait for the next look.
                if let Err(error) = self.do_what_is_due(&mut slot).await {
                    tracing::warn!(game.id = %hearing.game, %error, "what is due was not done; it will be tried again");
                }
                return Ok(written);
            }
        }
        Err(CallError::Contended)
    }

    /// The event that this very request has become already.
    async fn ruled(&self, hearing: &Hearing) -> Result<Option<GameEvent>, CallError> {
        let Some(stored) = self.reader.event_of_request(hearing.game, hearing.request).await? else {
            return Ok(None);
        };
        let event = event_from_pb(&stored, None).map_err(StoreError::from)?;
        let by_him = matches!(&event.by, By::Official(by) if by.account == hearing.official.id);
        match &event.kind {
            Kind::Ruled(ruling) if by_him && is_answer(ruling, &hearing.ruling) => Ok(Some(stored)),
            _ => Err(CallError::RequestIdReused),
        }
    }
}

/// The official before a game: what he is in its event or federation.
fn bench(game: &Game, official: &Caller) -> Bench {
    let regulations = &game.info.regulations;
    Bench {
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
