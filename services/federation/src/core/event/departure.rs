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
        let open = self.all_boards().filter(|(.., state)| !state.is_settled());
        open.filter_map(|(board, seat, _)| forfeit(board, seat.players.map(|it| it == number))).collect()
    }

    /// The boards of a round at which somebody sits who has left: a bracket has a place for him all the same.
    pub(super) fn lost_by_departure(&self, round: &Round) -> Vec<Fact> {
        let has_left = |number| self.participant(number).is_none_or(|it| has_left(&it.statuses));
        let open = round.laid().filter(|(.., state)| !state.is_settled());
        open.filter_map(|(board, seat, _)| forfeit(board, seat.players.map(has_left))).collect()
    }
}

/// What a board comes to when one of the two, or both, have left.
fn forfeit(board: BoardId, has_left: [bool; 2]) -> Option<Fact> {
    let codes = match has_left {
        [false, false] => return None,
        [true, false] => [ResultCode::ForfeitLoss, ResultCode::ForfeitWin],
        [false, true] => [ResultCode::ForfeitWin, ResultCode::ForfeitLoss],
        [true, true] => [ResultCode::DoubleForfeit; 2],
    };
    let decided = BoardResult::decided(codes, Reason::Withdrawal);
    Some(Fact::Result { board, result: BoardResult { source: ResultSource::Departure, ..decided } })
}
