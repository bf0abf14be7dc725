//! What came of games, from the game service.

use api::{ProtoEnum as _, federation::v1 as pb, reason};
use chassis::id::{EventId, GameId};
use pairing::{Reason, ResultCode};
use rules::{Side, Verdict};

use crate::core::event::{BoardResult, ResultSource};

/// A report of a game, by the sides of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GameReport {
    /// Of which event.
    pub event: EventId,
    /// Which game.
    pub game: GameId,
    /// How its log stands.
    pub sequence: u64,
    /// What came of it for each seat, and why.
    pub ended: ([ResultCode; 2], Reason),
    /// Whether they played with the colours the other way round.
    pub played_turned: bool,
    /// Whether the colours were assigned the other way round.
    pub assigned_turned: bool,
    /// Warnings of each side.
    pub warnings: [u32; 2],
}

impl GameReport {
    /// The result of the board, whose first player has this seat of the game.
    pub(crate) fn of_board(&self, first: Side) -> BoardResult {
        let (mut codes, reason) = self.ended;
        let mut warnings = self.warnings;
        if first == Side::Second {
            codes.reverse();
            warnings.reverse();
        }
        let source = ResultSource::Game { game: self.game, sequence: self.sequence };
        let (played_turned, assigned_turned) = (self.played_turned, self.assigned_turned);
        BoardResult { codes, reason, played_turned, assigned_turned, warnings, source }
    }
}

impl TryFrom<pb::RecordGameRequest> for GameReport {
    type Error = api::Error;

    fn try_from(it: pb::RecordGameRequest) -> Result<GameReport, api::Error> {
        use pb::GameReportState as State;
        let ended = match it.state() {
            State::Final => result(&it)?,
            State::Adjourned => ([ResultCode::Adjourned; 2], Reason::NotPlayed),
            State::Unspecified => {
                return Err(api::Error::invalid(reason::BAD_RESULT, "state", "it has to be said"));
            }
        };
        Ok(GameReport {
            event: EventId::parse(&it.event_id, "event_id")?,
            game: GameId::parse(&it.game_id, "game_id")?,
            sequence: it.sequence,
            ended,
            played_turned: it.played_turned,
            assigned_turned: it.assigned_turned,
            warnings: [it.first_warnings, it.second_warnings],
        })
    }
}

/// What a verdict and its reason are in a table. Who did not come in time has forfeited; whatever else ends a game is a
/// game that was met.
fn result(it: &pb::RecordGameRequest) -> Result<([ResultCode; 2], Reason), api::Error> {
    use ResultCode::{Annulled, DoubleForfeit, Draw, ForfeitLoss, ForfeitWin, Loss, ReplayOrdered, Win};
    use api::board::v1::Reason as End;
    let verdict = Verdict::of(it.verdict)
        .ok_or_else(|| api::Error::invalid(reason::BAD_RESULT, "verdict", "the game has not ended"))?;
    let end = it.reason();
    let forfeit = matches!(end, End::Late | End::NotAppeared);
    let codes = match (verdict, forfeit) {
        (Verdict::Win(Side::First), false) => [Win, Loss],
        (Verdict::Win(Side::Second), false) => [Loss, Win],
        (Verdict::Win(Side::First), true) => [ForfeitWin, ForfeitLoss],
        (Verdict::Win(Side::Second), true) => [ForfeitLoss, ForfeitWin],
        (Verdict::Draw, _) => [Draw, Draw],
        (Verdict::BothLose, false) => [Loss, Loss],
        (Verdict::Void, _) if end == End::Replay => [ReplayOrdered, ReplayOrdered],
        (Verdict::BothLose | Verdict::Void, true) => [DoubleForfeit, DoubleForfeit],
        (Verdict::Void, false) => [Annulled, Annulled],
    };
    let reason = match end {
        End::Resignation => Reason::Resign,
        End::Time => Reason::Time,
        End::Late | End::NotAppeared => Reason::Late,
        End::Warnings => Reason::Warnings,
        End::Violations => Reason::Violations,
        End::Arbiter | End::Committee => Reason::Arbiter,
        End::Agreement if verdict == Verdict::Draw => Reason::AgreedDraw,
        End::NoWinningForce => Reason::NoWinningForce,
        _ => Reason::Normal,
    };
    Ok((codes, reason))
}

#[cfg(test)]
mod tests {
    use api::board::v1 as board;

    use super::*;

    fn report(verdict: board::Verdict, end: board::Reason) -> pb::RecordGameRequest {
        let id = "0190a3c4-0000-7000-8000-00000000002a";
        pb::RecordGameRequest {
            event_id: id.to_owned(),
            game_id: id.to_owned(),
            sequence: 9,
            state: pb::GameReportState::Final.into(),
            verdict: verdict.into(),
            reason: end.into(),
            first_warnings: 1,
            ..pb::RecordGameRequest::default()
        }
    }

    /// 1.11, 11: who reaches the threshold of warnings has lost a game, and not forfeited it; who comes too late has.
    #[test]
    fn warnings_lose_a_game_and_lateness_forfeits_it() {
        use ResultCode::{DoubleForfeit, ForfeitLoss, ForfeitWin, Loss, Win};
        for (verdict, end, codes, reason) in [
            (board::Verdict::FirstWins, board::Reason::Warnings, [Win, Loss], Reason::Warnings),
            (board::Verdict::SecondWins, board::Reason::Violations, [Loss, Win], Reason::Violations),
            (board::Verdict::SecondWins, board::Reason::Late, [ForfeitLoss, ForfeitWin], Reason::Late),
            (board::Verdict::BothLose, board::Reason::Late, [DoubleForfeit; 2], Reason::Late),
            (board::Verdict::BothLose, board::Reason::Arbiter, [Loss, Loss], Reason::Arbiter),
            (board::Verdict::Void, board::Reason::Replay, [ResultCode::ReplayOrdered; 2], Reason::Normal),
            (board::Verdict::Void, board::Reason::Committee, [ResultCode::Annulled; 2], Reason::Arbiter),
        ] {
            let report = GameReport::try_from(report(verdict, end)).expect("a report");
            assert_eq!(report.ended, (codes, reason), "{verdict:?} {end:?}");
        }
        assert!(GameReport::try_from(report(board::Verdict::Unspecified, board::Reason::Time)).is_err());
    }

    /// In Jirige the light side moves first and is the second side of the game.
    #[test]
    fn a_board_is_told_by_its_own_players() {
        let report =
            GameReport::try_from(report(board::Verdict::FirstWins, board::Reason::Time)).expect("a report");
        let turned = report.of_board(Side::Second);
        assert_eq!(turned.codes, [ResultCode::Loss, ResultCode::Win]);
        assert_eq!(turned.warnings, [0, 1]);
        assert_eq!(report.of_board(Side::First).warnings, [1, 0]);
    }
}
