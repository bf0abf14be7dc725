//! Results of boards: as games tell them, and as officials enter, confirm and decide them.

use pairing::ResultCode;

use super::{
    Event, Format, Official, Refusal,
    fact::{BoardId, BoardResult, Fact, ResultSource},
    incident::{Matter, Notice},
};

impl Event {
    /// Takes over what a game's log says. A report that is older than what is known changes nothing, and neither does one
    /// of a game that its board has left behind; an official's decision holds against the game.
    ///
    /// # Errors
    /// When there is no such board.
    pub fn game_ended(
        &self,
        board: BoardId,
        is_last: bool,
        result: BoardResult,
    ) -> Result<Vec<Fact>, Refusal> {
        let (_, _, state) = self.find_board(board)?;
        let ResultSource::Game { sequence, .. } = result.source else {
            return Err(Refusal::Result("this is no report of a game"));
        };
        let holds = match &state.result {
            None => false,
            Some(BoardResult { source: ResultSource::Game { sequence: known, .. }, .. }) => {
                *known >= sequence
            }
            Some(BoardResult { source: ResultSource::Departure, .. }) => !self.was_played_out(board, &result),
            // What an official decided holds, but that a board is played later decides nothing.
            Some(_) => !state.is_adjourned(),
        };
        if holds || !is_last || state.result.as_ref() == Some(&result) {
            return Ok(Vec::new());
        }
        if self.stage.is_over() {
            let notice = Notice {
                matter: Matter::LateResult,
                game_sequence: sequence,
                number: 0,
                player: None,
                incident: None,
            };
            return Ok(self.note_game(board, is_last, notice));
        }
        Ok(vec![Fact::Result { board, result }])
    }

    /// Enters what came of a board in a hall, or what an official decides. `official` is who does.
    ///
    /// # Errors
    /// When it makes no sense, or he has a part in it himself, or the game's own result is still to come; and where
    /// something is known already, which only a decision changes.
    pub fn enter_result(
        &self,
        board: BoardId,
        result: BoardResult,
        official: &Official,
        game_runs: bool,
    ) -> Result<Vec<Fact>, Refusal> {
        let (round, seat, state) = self.find_board(board)?;
        if round.started.is_none() {
            return Err(Refusal::Round("the round has not begun"));
        }
        self.not_own_game(seat, official)?;
        check_codes(&result)?;
        if state.result.as_ref() == Some(&result) {
            return Ok(Vec::new());
        }
        if !matches!(result.source, ResultSource::Decision) {
            let entered = |it: &BoardResult| matches!(it.source, ResultSource::OverTheBoard { .. });
            let is_known = |it: &BoardResult| it.is_settled() || !(entered(it) || state.is_to_be_arranged());
            if state.result.as_ref().is_some_and(is_known) {
                return Err(Refusal::Result("the board has a result, which the chief arbiter alone changes"));
            }
            if game_runs {
                return Err(Refusal::Playing);
            }
        }
        Ok(vec![Fact::Result { board, result }])
    }

    /// Confirms a result that another official has entered.
    ///
    /// # Errors
    /// When there is none, or it is his own.
    pub fn confirm_result(&self, board: BoardId, official: &Official) -> Result<Vec<Fact>, Refusal> {
        let (_, seat, state) = self.find_board(board)?;
        self.not_own_game(seat, official)?;
        match &state.result {
            Some(result) if matches!(result.source, ResultSource::OverTheBoard { confirmed_by: None }) => {
                if state.entered_by == Some(official.account) {
                    return Err(Refusal::OwnEntry);
                }
                let source = ResultSource::OverTheBoard { confirmed_by: Some(official.account) };
                let result = BoardResult { source, ..result.clone() };
                Ok(vec![Fact::Result { board, result }])
            }
            Some(result) if matches!(result.source, ResultSource::OverTheBoard { .. }) => Ok(Vec::new()),
            _ => Err(Refusal::Result("no result is waiting to be confirmed here")),
        }
    }

    /// Has a board played again, after a result that orders it or a draw that decides nothing.
    ///
    /// # Errors
    /// When nothing asks for it, or who has it played has a part in it himself.
    pub fn play_again(&self, board: BoardId, by: &Official) -> Result<Vec<Fact>, Refusal> {
        let (_, seat, state) = self.find_board(board)?;
        self.not_own_game(seat, by)?;
        let knock_out = matches!(self.settings.format, Format::KnockOut { .. });
        let wants = state.result.as_ref().is_some_and(|result| {
            result.codes[0] == ResultCode::ReplayOrdered || (knock_out && result.codes[0] == ResultCode::Draw)
        });
        if !wants {
            return Err(Refusal::Result(
                "a board is played again after an ordered replay or, in a knock-out, a draw",
            ));
        }
        Ok(vec![Fact::ReplayStarted { board }])
    }
}

/// Both sides of a result say the same.
pub(super) fn check_codes(result: &BoardResult) -> Result<(), Refusal> {
    use ResultCode::{
        Adjourned, Annulled, DoubleForfeit, Draw, ForfeitLoss, ForfeitWin, Loss, ReplayOrdered, Win,
    };
    match result.codes {
        [Win, Loss]
        | [Loss, Win | Loss]
        | [Draw, Draw]
        | [ForfeitWin, ForfeitLoss]
        | [ForfeitLoss, ForfeitWin]
        | [DoubleForfeit, DoubleForfeit]
        | [Adjourned, Adjourned]
        | [ReplayOrdered, ReplayOrdered]
        | [Annulled, Annulled] => Ok(()),
        _ => Err(Refusal::Result("the two sides do not say the same")),
    }
}
