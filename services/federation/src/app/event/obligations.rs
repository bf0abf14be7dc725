//! What an event owes to other services once an entry of its log is written.

use api::federation::v1::{EventRoleToConvey, LeaveToHandOn, RulingToHandOn};
use chassis::{
    id::{AccountId, EventId},
    outbox::OutboxMessage,
};
use prost::Message as _;

use crate::{
    core::event::{BoardId, Event, Fact, ResultSource, fact::TimingFact},
    wire::event::owed::{EVENT_GAME, EVENT_LEAVE, EVENT_ROLES, EVENT_RULING, GameToMake},
};

/// What is owed when a fact is written, of which this is the event after it.
pub(super) fn obligations(event: &Event, fact: &Fact) -> Vec<OutboxMessage> {
    let is_of_office = matches!(fact, Fact::Appointed { .. } | Fact::Dismissed { .. });
    // What was held elsewhere has no games here.
    if event.origin.is_some() && !is_of_office {
        return Vec::new();
    }
    match fact {
        Fact::RoundStarted { round } => match event.round(*round) {
            Some(round) => {
                let boards = round.published.boards.iter();
                boards
                    .filter_map(|board| {
                        game(event, BoardId { round: round.published.round, table: board.table })
                    })
                    .collect()
            }
            None => Vec::new(),
        },
        Fact::ReplayStarted { board } | Fact::Timing(TimingFact::BoardStarted { board }) => {
            game(event, *board).into_iter().collect()
        }
        // Who plays on is told that it is decided.
        Fact::Result { board, result }
            if matches!(result.source, ResultSource::Decision | ResultSource::Departure) =>
        {
            let attempt = event.find_board(*board).map(|(_, _, state)| state.attempt);
            attempt.map(|attempt| vec![ruling(event, *board, attempt)]).unwrap_or_default()
        }
        Fact::RoundRetracted { round, .. } => {
            event.left_behind(*round).map(|(board, attempt)| ruling(event, board, attempt)).collect()
        }
        Fact::Appointed { account, .. } | Fact::Dismissed { account, .. } => {
            vec![roles(event.id, *account)]
        }
        Fact::Leave(_) | Fact::Cancelled { .. } => {
            let games = event.games_of_leave(fact).into_iter();
            games.map(|(board, attempt)| leave(event, board, attempt)).collect()
        }
        _ => Vec::new(),
    }
}

/// That identity is told what somebody is in an event.
fn roles(event: EventId, account: AccountId) -> OutboxMessage {
    let owed = EventRoleToConvey { event_id: event.to_string(), account_id: account.to_string() };
    OutboxMessage::new(EVENT_ROLES, owed.encode_to_vec())
}

/// That a game follows a decision of its event.
fn ruling(event: &Event, board: BoardId, attempt: u32) -> OutboxMessage {
    let owed = RulingToHandOn {
        event_id: event.id.to_string(),
        sequence: event.sequence,
        round: board.round.into(),
        table: board.table,
        attempt,
    };
    OutboxMessage::new(EVENT_RULING, owed.encode_to_vec())
}

/// That a game rests, or goes on, as leave has it.
fn leave(event: &Event, board: BoardId, attempt: u32) -> OutboxMessage {
    let owed = LeaveToHandOn {
        event_id: event.id.to_string(),
        sequence: event.sequence,
        round: board.round.into(),
        table: board.table,
        attempt,
    };
    OutboxMessage::new(EVENT_LEAVE, owed.encode_to_vec())
}

/// The game of a board, if both of its players play here.
fn game(event: &Event, board: BoardId) -> Option<OutboxMessage> {
    let (_, seat, state) = event.find_board(board).ok()?;
    let plays_here = |number| event.participant(number).is_some_and(|it| it.entrant.account.is_some());
    let waits = state.postponed.is_some() || state.is_to_be_arranged();
    if state.is_settled() || waits || !seat.players.into_iter().all(plays_here) {
        return None;
    }
    let owed = GameToMake { event: event.id, board, attempt: state.attempt };
    Some(OutboxMessage::new(EVENT_GAME, api::federation::v1::GameToMake::from(owed).encode_to_vec()))
}
