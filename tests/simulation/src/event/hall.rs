//! Boards in a hall: a scorer enters what came of them, and an arbiter confirms it.

use api::federation::v1::{self as pb, ResultCode, board_result::Source};

use super::command::{Commander, Refused, command};

/// How likely a scorer tries to confirm what he has entered himself.
const OWN: f64 = 0.2;

impl Commander {
    /// Whether one of the two plays in a hall, so that nothing is played here.
    pub(super) async fn is_in_hall(&self, laid: &pb::Pairing) -> Result<bool, Refused> {
        if self.event.in_hall.is_none() {
            return Ok(false);
        }
        let entrants = self.entrants().await?;
        let in_hall = |it: &&pb::Entrant| it.account_id.is_empty();
        let mut in_hall = entrants.iter().filter(in_hall).map(|it| it.number);
        Ok(in_hall.any(|number| [laid.first, laid.second].contains(&number)))
    }

    /// The scorer enters a result.
    pub(super) async fn enter_from_hall(&self, round: u32, table: u32) {
        let codes = [
            [ResultCode::Win, ResultCode::Loss],
            [ResultCode::Loss, ResultCode::Win],
            [ResultCode::Draw, ResultCode::Draw],
            [ResultCode::ForfeitWin, ResultCode::ForfeitLoss],
        ];
        let [first, second] = self.rng.pick(&codes).map(Into::into);
        let source = Some(Source::OverTheBoard(pb::board_result::OverTheBoard::default()));
        let reason = pb::ResultReason::Normal.into();
        let result = Some(pb::BoardResult { first, second, reason, source, ..pb::BoardResult::default() });
        let scorer = &self.event.scorer;
        let entered = command!(self, scorer, enter_result(EnterResultRequest { round, table, result }));
        if let Err(reason) = entered {
            self.world.trace.note(format!("table {table} is not entered: {reason}"));
        }
        if self.rng.chance(OWN) {
            let own = command!(self, scorer, confirm_result(ConfirmResultRequest { round, table }));
            if own.is_ok() {
                self.world.trace.fault(format!("a scorer confirms table {table} of round {round}"));
            }
        }
    }

    /// An arbiter confirms it.
    pub(super) async fn confirm_from_hall(&self, round: u32, table: u32) {
        let arbiter = &self.event.arbiter;
        let confirmed = command!(self, arbiter, confirm_result(ConfirmResultRequest { round, table }));
        if let Err(reason) = confirmed {
            self.world.trace.note(format!("table {table} is not confirmed: {reason}"));
        }
    }
}
