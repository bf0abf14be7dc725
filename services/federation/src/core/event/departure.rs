//! What becomes of the boards of those who leave (1.7).

use pairing::{Number, Reason, ResultCode};

use super::{
    Event, Fact, Round,
    decide::has_left,
    fact::{BoardId, BoardResult, ResultSource},
};

impl Event {
    /// The boards that somebody leaves behind: the opponent wins by forfeit.
    pub(super) fn forfeits_of(&self, number: Number) -> Vec<Fact> {
        let mut facts = Vec::new();
        for (board, seat, state) in self.all_boards() {
            let side = seat.players.iter().position(|it| *it == number);
            if let (Some(side), false) = (side, state.is_settled()) {
                let mut codes = [ResultCode::ForfeitWin; 2];
                codes[side] = ResultCode::ForfeitLoss;
                let result = BoardResult {
                    source: ResultSource::Departure,
                    ..BoardResult::decided(codes, Reason::Withdrawal)
                };
                facts.push(Fact::Result { board, result });
            }
        }
        facts
    }

    /// The boards of a round at which somebody sits who has left: a bracket has a place for him all the same.
    pub(super) fn lost_by_departure(&self, round: &Round) -> Vec<Fact> {
        let has_left = |number| self.participant(number).is_none_or(|it| has_left(&it.statuses));
        let boards = round.published.boards.iter().zip(&round.boards);
        boards
            .filter(|(_, state)| !state.is_settled())
            .filter_map(|(board, _)| {
                let codes = match board.players.map(has_left) {
                    [false, false] => return None,
                    [true, false] => [ResultCode::ForfeitLoss, ResultCode::ForfeitWin],
                    [false, true] => [ResultCode::ForfeitWin, ResultCode::ForfeitLoss],
                    [true, true] => [ResultCode::DoubleForfeit; 2],
                };
                let result = BoardResult {
                    source: ResultSource::Departure,
                    ..BoardResult::decided(codes, Reason::Withdrawal)
                };
                let board = BoardId { round: round.published.round, table: board.table };
                Some(Fact::Result { board, result })
            })
            .collect()
    }
}
