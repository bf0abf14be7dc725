//! What becomes of the boards of those who leave (1.7).

use pairing::{Number, Reason, ResultCode, Status};

use super::{
    Event, Fact, Refusal, Round, decide,
    fact::{BoardId, BoardResult, ResultSource},
};

impl Event {
    /// The boards that somebody leaves behind: the opponent wins by forfeit. What was entered of a board was played.
    pub(super) fn forfeits_of(&self, number: Number) -> Vec<Fact> {
        let open = self.all_boards().filter(|(.., state)| state.awaits_its_end());
        open.filter_map(|(board, seat, _)| forfeit(board, seat.players.map(|it| it == number))).collect()
    }

    /// What gives back the boards that somebody left behind because he was sent away: they are played once more, unless
    /// the other has left as well.
    pub(super) fn given_back(&self, number: Number) -> Vec<Fact> {
        let has_left =
            |it: Number| it != number && self.participant(it).is_none_or(|it| decide::has_left(&it.statuses));
        let lost = self.all_boards().filter_map(|(board, seat, state)| {
            let result = state.result.as_ref().filter(|it| it.source == ResultSource::Departure)?;
            let lost =
                |(player, code): (&Number, &ResultCode)| *player == number && *code != ResultCode::ForfeitWin;
            seat.players.iter().zip(&result.codes).any(lost).then_some((board, seat))
        });
        lost.map(|(board, seat)| {
            forfeit(board, seat.players.map(has_left)).unwrap_or(Fact::ReplayStarted { board })
        })
        .collect()
    }

    /// Whether a report of a game tells of an end that was reached at the board, and not after somebody had left it. In a
    /// bracket that has gone on without him nothing changes any more.
    pub(super) fn was_played_out(&self, board: BoardId, report: &BoardResult) -> bool {
        use super::Format::{Arena, KnockOut};
        let has_gone_on =
            self.next_round() > board.round + 1 && matches!(self.settings.format, KnockOut { .. } | Arena);
        report.is_settled() && report.reason != Reason::Arbiter && !has_gone_on
    }

    /// Nobody leaves after a round and has played the next: what became of his games would be for him to choose (29.2).
    pub(super) fn fits_what_was_played(&self, numbers: &[Number], status: Status) -> Result<(), Refusal> {
        let (Status::Withdrawn { after_round } | Status::Expelled { after_round }) = status else {
            return Ok(());
        };
        let Some(next) = self.round(after_round + 1) else { return Ok(()) };
        let own = next.laid().filter(|(_, seat, _)| seat.players.iter().any(|it| numbers.contains(it)));
        let played = own.map(|(.., state)| {
            let result = state.result.as_ref();
            result.is_some_and(|it| it.is_settled() && it.source != ResultSource::Departure)
        });
        let played: Vec<bool> = played.collect();
        let sat_out = next.published.out.iter().any(|(number, _)| numbers.contains(number));
        if sat_out || (!played.is_empty() && played.iter().all(|it| *it)) {
            return Err(Refusal::Status("he has been through the round after that one"));
        }
        Ok(())
    }

    /// The boards of a round at which somebody sits who has left: a bracket has a place for him all the same.
    pub(super) fn lost_by_departure(&self, round: &Round) -> Vec<Fact> {
        let has_left = |number| self.participant(number).is_none_or(|it| decide::has_left(&it.statuses));
        let open = round.laid().filter(|(.., state)| state.awaits_its_end());
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
