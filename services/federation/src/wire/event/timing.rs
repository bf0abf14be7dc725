//! The times of boards and who is there for them, as they are logged.

use api::{
    DecodeError,
    federation::v1::{event_log_body as body, event_log_body::Fact as Wire},
    time::{moment, timestamp},
};
use pairing::Number;
use time::OffsetDateTime;

use super::log::small;
use crate::core::event::{BoardId, fact::TimingFact};

fn at(time: Option<prost_types::Timestamp>) -> Result<OffsetDateTime, DecodeError> {
    time.as_ref().and_then(moment).ok_or(DecodeError("a moment"))
}

impl From<&TimingFact> for Wire {
    fn from(fact: &TimingFact) -> Wire {
        match *fact {
            TimingFact::CheckedIn { number, round } => {
                Wire::CheckedIn(body::CheckedIn { number: number.0, round: round.into() })
            }
            TimingFact::PostponementAsked { board, number, until } => {
                Wire::PostponementAsked(body::PostponementAsked {
                    round: board.round.into(),
                    table: board.table,
                    number: number.0,
                    start_time: Some(timestamp(until)),
                })
            }
            TimingFact::BoardPostponed { board, until } => Wire::BoardPostponed(body::BoardPostponed {
                round: board.round.into(),
                table: board.table,
                start_time: Some(timestamp(until)),
            }),
            TimingFact::BoardStarted { board } => {
                Wire::BoardStarted(body::BoardStarted { round: board.round.into(), table: board.table })
            }
        }
    }
}

impl TryFrom<Wire> for TimingFact {
    type Error = DecodeError;

    fn try_from(fact: Wire) -> Result<TimingFact, DecodeError> {
        let board = |round, table| small(round).map(|round| BoardId { round, table });
        Ok(match fact {
            Wire::CheckedIn(it) => {
                TimingFact::CheckedIn { number: Number(it.number), round: small(it.round)? }
            }
            Wire::PostponementAsked(it) => TimingFact::PostponementAsked {
                board: board(it.round, it.table)?,
                number: Number(it.number),
                until: at(it.start_time)?,
            },
            Wire::BoardPostponed(it) => {
                TimingFact::BoardPostponed { board: board(it.round, it.table)?, until: at(it.start_time)? }
            }
            Wire::BoardStarted(it) => TimingFact::BoardStarted { board: board(it.round, it.table)? },
            _ => return Err(DecodeError("nothing about times")),
        })
    }
}
