//! What came of boards: entered, confirmed, played again.

use api::federation::v1::{
    AmendedResult, BoardResult, ResultCode, ResultReason,
    board_result::{Decision, OverTheBoard, Source},
};

use clap::ValueEnum as _;
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

use super::{
    change::{OnBehalf, Target, change, told},
    session::Session,
    words,
};

/// What is done with results.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Enters what came of a board in a hall, which another official confirms; or decides a result.
    Result(Enter),
    /// Confirms a result that another official has entered.
    Confirm(At),
    /// Has a board played again after an ordered replay or, in a knock-out, a draw.
    Replay(At),
    /// Asks for another time of one's board, or as a captain of one of the team's, or agrees to it; by an arbiter, consents.
    Postpone {
        #[command(flatten)]
        at: At,
        /// To when, as 2026-11-21T09:00:00+08:00.
        #[arg(long, value_parser = moment)]
        to: OffsetDateTime,
        #[command(flatten)]
        whom: OnBehalf,
    },
    /// Amends what is final: results of boards, by the committee.
    Amend {
        #[command(flatten)]
        target: Target,
        /// What a board's result is now, as ROUND,TABLE,RESULT; may be repeated.
        #[arg(long = "result", value_name = "ROUND,TABLE,RESULT", value_parser = amended, required = true)]
        results: Vec<(u32, u32, Outcome)>,
        /// Why; everybody reads it.
        #[arg(long)]
        reason: String,
    },
}

/// A board.
#[derive(Debug, clap::Args)]
pub(super) struct At {
    #[command(flatten)]
    target: Target,
    /// The round.
    round: u32,
    /// The table.
    table: u32,
}

/// A result that is entered.
#[derive(Debug, clap::Args)]
pub(super) struct Enter {
    #[command(flatten)]
    at: At,
    /// What came of it; the first is who stands first in the round.
    #[arg(value_enum)]
    result: Outcome,
    /// Why it ended so.
    #[arg(long, value_parser = words::reasons(), default_value = "normal")]
    reason: i32,
    /// It was not played so, but is decided: it needs nobody to confirm it, and holds against the game.
    #[arg(long)]
    decision: bool,
    /// Warnings that the first was given.
    #[arg(long, value_name = "COUNT", default_value_t = 0, hide_default_value = true)]
    first_warnings: u32,
    /// Warnings that the second was given.
    #[arg(long, value_name = "COUNT", default_value_t = 0, hide_default_value = true)]
    second_warnings: u32,
    /// They played with the colours the other way round.
    #[arg(long)]
    played_turned: bool,
}

/// What can come of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Outcome {
    /// 2–0.
    FirstWins,
    /// 0–2.
    SecondWins,
    /// 1–1.
    Draw,
    /// 0–0, of a game that was played.
    BothLose,
    /// 0–2 without a game.
    FirstForfeits,
    /// 2–0 without a game.
    SecondForfeits,
    /// 0–0 without a game.
    BothForfeit,
    /// It is to be played again.
    ReplayOrdered,
    /// It does not count.
    Annulled,
}

impl Outcome {
    pub(super) const fn codes(self) -> [ResultCode; 2] {
        use ResultCode::{Annulled, DoubleForfeit, Draw, ForfeitLoss, ForfeitWin, Loss, ReplayOrdered, Win};
        match self {
            Outcome::FirstWins => [Win, Loss],
            Outcome::SecondWins => [Loss, Win],
            Outcome::Draw => [Draw, Draw],
            Outcome::BothLose => [Loss, Loss],
            Outcome::FirstForfeits => [ForfeitLoss, ForfeitWin],
            Outcome::SecondForfeits => [ForfeitWin, ForfeitLoss],
            Outcome::BothForfeit => [DoubleForfeit, DoubleForfeit],
            Outcome::ReplayOrdered => [ReplayOrdered, ReplayOrdered],
            Outcome::Annulled => [Annulled, Annulled],
        }
    }
}

/// A moment as it is written on the command line.
///
/// # Errors
/// When it is not written so.
pub(in crate::commands) fn moment(text: &str) -> Result<OffsetDateTime, String> {
    OffsetDateTime::parse(text, &Rfc3339).map_err(|_| "write it as 2026-11-21T09:00:00+08:00".to_owned())
}

/// `3,1,first-wins`.
fn amended(text: &str) -> Result<(u32, u32, Outcome), String> {
    let mut parts = text.splitn(3, ',');
    let mut number = || parts.next()?.parse().ok();
    let board = number().zip(number());
    let outcome = parts.next().map(|word| Outcome::from_str(word, false)).transpose()?;
    let read = board.zip(outcome).map(|((round, table), outcome)| (round, table, outcome));
    read.ok_or_else(|| "write the round, the table and the result, as 3,1,first-wins".to_owned())
}

/// A result that is decided.
fn decided((round, table, outcome): (u32, u32, Outcome)) -> AmendedResult {
    let [first, second] = outcome.codes();
    let result = BoardResult {
        first: first.into(),
        second: second.into(),
        reason: ResultReason::Arbiter.into(),
        source: Some(Source::Decision(Decision {})),
        ..BoardResult::default()
    };
    AmendedResult { round, table, result: Some(result) }
}

impl Enter {
    fn result(&self) -> BoardResult {
        let [first, second] = self.result.codes();
        let source = if self.decision {
            Source::Decision(Decision {})
        } else {
            Source::OverTheBoard(OverTheBoard::default())
        };
        BoardResult {
            first: first.into(),
            second: second.into(),
            reason: self.reason,
            played_turned: self.played_turned,
            first_warnings: self.first_warnings,
            second_warnings: self.second_warnings,
            assigned_turned: false,
            source: Some(source),
        }
    }
}

/// Carries the command out.
pub(super) async fn run(session: &Session, command: Command) -> anyhow::Result<()> {
    let (target, event) = match command {
        Command::Result(enter) => {
            let result = Some(enter.result());
            let At { target, round, table } = enter.at;
            let event = change!(session, target, enter_result(EnterResultRequest { round, table, result }))?;
            (target, event)
        }
        Command::Confirm(At { target, round, table }) => {
            let event = change!(session, target, confirm_result(ConfirmResultRequest { round, table }))?;
            (target, event)
        }
        Command::Postpone { at: At { target, round, table }, to, whom: OnBehalf { as_number } } => {
            let start_time = Some(api::time::timestamp(to));
            let event = change!(
                session,
                target,
                postpone_board(PostponeBoardRequest { round, table, start_time, as_number })
            )?;
            (target, event)
        }
        Command::Amend { target, results, reason } => {
            let results = results.into_iter().map(decided).collect();
            let event = change!(session, target, amend_event(AmendEventRequest { reason, results }))?;
            (target, event)
        }
        Command::Replay(At { target, round, table }) => {
            let event = change!(session, target, replay_board(ReplayBoardRequest { round, table }))?;
            (target, event)
        }
    };
    told(session, &target, &event).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amended_result_names_its_board() {
        assert_eq!(amended("3,1,both-lose"), Ok((3, 1, Outcome::BothLose)));
        for bad in ["", "3", "3,1", "3,one,draw", "3,1,won", "3,1,draw,2"] {
            assert!(amended(bad).is_err(), "{bad}");
        }
    }
}
