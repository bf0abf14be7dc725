//! Has the games of events made, until each exists.

use std::sync::Arc;

use api::{
    federation::v1 as pb, game::v1::game_internal_service_client::GameInternalServiceClient,
    identity::v1::identity_internal_service_client::IdentityInternalServiceClient, transport::Transport,
};
use chassis::{
    Throttle,
    outbox::{Delivery, Entry},
};
use pairing::Number;
use prost::Message as _;
use tonic::{Code, Status};

use super::Events;
use crate::{
    core::event::{Event, game_id},
    error::Result,
    wire::event::owed::{EVENT_LEAVE, EVENT_ROLES, EVENT_RULING, GameToMake, Player, commission},
};

/// What is delivered here.
pub(crate) use crate::wire::event::owed::KINDS;

/// The services that events ask.
pub(crate) type Receivers = (GameInternalServiceClient<Transport>, IdentityInternalServiceClient<Transport>);

/// Delivers an entry.
pub(crate) async fn deliver((games, identity): Receivers, events: Arc<Events>, entry: Entry) -> Delivery {
    if entry.kind == EVENT_ROLES {
        return super::convey::convey(identity, events, entry.payload).await;
    }
    if entry.kind == EVENT_RULING {
        return super::handing_on::hand_on(events.games.clone(), Arc::clone(&events), entry.payload).await;
    }
    if entry.kind == EVENT_LEAVE {
        return super::resting::hand_on(events, entry.payload).await;
    }
    deliver_game(games, events, entry).await
}

/// Has a game made. One that the event has left behind meanwhile is not made any more.
async fn deliver_game(
    games: GameInternalServiceClient<Transport>,
    events: Arc<Events>,
    entry: Entry,
) -> Delivery {
    let owed = pb::GameToMake::decode(&*entry.payload)
        .map_err(|_| ())
        .and_then(|owed| owed.try_into().map_err(|_| ()));
    let Ok(owed): Result<GameToMake, ()> = owed else {
        return Delivery::Never("not a game that is to be made".to_owned());
    };
    match make(games, &events, owed).await {
        Ok(delivery) => delivery,
        Err(error) => {
            complain(&error.into());
            Delivery::Later
        }
    }
}

async fn make(
    mut games: GameInternalServiceClient<Transport>,
    events: &Events,
    owed: GameToMake,
) -> Result<Delivery> {
    let event = events.current(owed.event).await?.event;
    let is_wanted = event.find_board(owed.board).is_ok_and(|(round, _, state)| {
        let begun = round.started.is_some() && state.postponed.is_none() && !state.is_to_be_arranged();
        begun && state.attempt == owed.attempt && !state.is_settled()
    });
    if !is_wanted || event.stage.is_over() {
        return Ok(Delivery::Done);
    }
    let Ok((round, seat, state)) = event.find_board(owed.board) else { return Ok(Delivery::Done) };
    let [first, second] = seat.players;
    let (Some(one), Some(other)) =
        (player(events, &event, first).await?, player(events, &event, second).await?)
    else {
        return Ok(Delivery::Done);
    };
    let request = commission(&event, owed, [one, other], state.started.or(round.started));
    match games.create_game(request).await {
        // One that is made while a player of it is on leave rests from its beginning.
        Ok(_) => events.have_rest(owed.event, owed.board, owed.attempt).await,
        Err(status) if matches!(status.code(), Code::InvalidArgument | Code::AlreadyExists) => {
            let game = game_id(owed.event, owed.board, owed.attempt);
            Ok(Delivery::Never(format!("{game}: {:?}: {}", status.code(), status.message())))
        }
        Err(status) => {
            complain(&status);
            Ok(Delivery::Later)
        }
    }
}

/// A player as his game is to call him.
async fn player(events: &Events, event: &Event, number: Number) -> Result<Option<Player>> {
    let Some(entrant) = event.participant(number).map(|it| &it.entrant) else { return Ok(None) };
    let Some(account) = entrant.account else { return Ok(None) };
    let person = events.people.member(event.federation, entrant.member).await?;
    let name = person.map_or_else(|| number.to_string(), |person| person.name);
    let rating = entrant.rating.and_then(|rating| u32::try_from(rating).ok()).unwrap_or(0);
    Ok(Some(Player { account, name, rating }))
}

pub(super) fn complain(status: &Status) {
    static COMPLAINTS: Throttle = Throttle::new();
    if let Some(held_back) = COMPLAINTS.admit() {
        tracing::warn!(%status, held_back, "a game of an event was not reached; it is tried again");
    }
}
