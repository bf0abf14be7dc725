//! Statements and arbiters at boards, as they are asked for and logged.

use api::{
    DecodeError,
    federation::v1::{self as pb, event_log_body::Fact as Wire},
};
use chassis::id::AccountId;
use pairing::Number;

use super::{log, request};
use crate::core::event::{
    BoardId, Sealed,
    fair_play::{FairPlayFact, Statement},
};

/// What is stated, but for who states it and what it says.
pub(crate) type About = (Option<BoardId>, Option<u32>);

/// What a statement is about.
pub(crate) fn about(it: &pb::FileStatementRequest) -> Result<About, api::Error> {
    let board = (it.round > 0 || it.table > 0).then(|| request::board(it.round, it.table)).transpose()?;
    Ok((board, (it.incident > 0).then_some(it.incident)))
}

/// Who is to sit at a board.
pub(crate) fn seats(it: &pb::SeatArbitersRequest) -> Result<(BoardId, Vec<AccountId>), api::Error> {
    let accounts = it.account_ids.iter().map(|id| AccountId::parse(id, "account_ids"));
    Ok((request::board(it.round, it.table)?, accounts.collect::<Result<_, _>>()?))
}

impl From<&FairPlayFact> for Wire {
    fn from(fact: &FairPlayFact) -> Wire {
        match fact {
            FairPlayFact::Stated(Statement { number, board, incident, text }) => {
                Wire::StatementFiled(pb::StatementFiled {
                    number: number.map_or(0, |number| number.0),
                    round: board.map_or(0, |board| board.round.into()),
                    table: board.map_or(0, |board| board.table),
                    incident: incident.unwrap_or(0),
                    text_hash: text.0.to_vec(),
                })
            }
            FairPlayFact::Seated { board, arbiters } => Wire::ArbitersSeated(pb::ArbitersSeated {
                round: board.round.into(),
                table: board.table,
                account_ids: arbiters.iter().map(ToString::to_string).collect(),
            }),
        }
    }
}

impl TryFrom<pb::StatementFiled> for FairPlayFact {
    type Error = DecodeError;

    fn try_from(it: pb::StatementFiled) -> Result<FairPlayFact, DecodeError> {
        let board = (it.round > 0)
            .then(|| log::small(it.round).map(|round| BoardId { round, table: it.table }))
            .transpose()?;
        Ok(FairPlayFact::Stated(Statement {
            number: (it.number > 0).then_some(Number(it.number)),
            board,
            incident: (it.incident > 0).then_some(it.incident),
            text: Sealed(log::digest(&it.text_hash)?),
        }))
    }
}

impl TryFrom<pb::ArbitersSeated> for FairPlayFact {
    type Error = DecodeError;

    fn try_from(it: pb::ArbitersSeated) -> Result<FairPlayFact, DecodeError> {
        let arbiters = it.account_ids.iter().map(|account| log::id(account)).collect::<Result<_, _>>()?;
        Ok(FairPlayFact::Seated {
            board: BoardId { round: log::small(it.round)?, table: it.table },
            arbiters,
        })
    }
}
