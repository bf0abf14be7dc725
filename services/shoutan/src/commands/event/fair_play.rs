//! Statements of players, private notes of officials, and arbiters at boards.

use super::{
    change::{OnBehalf, Target, change, told},
    session::Session,
    stages::Paper,
};

/// What is done for the sake of fair play.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Makes a statement as a player, which officials read; as an official, a private note. Neither stands in the log:
    /// `notes` prints them to those who may read them.
    Statement {
        #[command(flatten)]
        target: Target,
        /// The round of the board that it is about.
        #[arg(long, default_value_t = 0, hide_default_value = true, requires = "table")]
        round: u32,
        /// The table of that board.
        #[arg(long, default_value_t = 0, hide_default_value = true, requires = "round")]
        table: u32,
        /// The number of the incident that it is about.
        #[arg(long, value_name = "NUMBER", default_value_t = 0, hide_default_value = true)]
        incident: u32,
        #[command(flatten)]
        paper: Paper,
        #[command(flatten)]
        whom: OnBehalf,
    },
    /// Has arbiters sit at a board, such as two at that of a final; without any, nobody does any more.
    Seat {
        #[command(flatten)]
        target: Target,
        /// The round.
        round: u32,
        /// The table.
        table: u32,
        /// The names of their accounts.
        #[arg(value_name = "ACCOUNT")]
        accounts: Vec<String>,
    },
}

/// Carries the command out.
pub(super) async fn run(session: &Session, command: Command) -> anyhow::Result<()> {
    let (target, event) = match command {
        Command::Statement { target, round, table, incident, paper, whom: OnBehalf { as_number } } => {
            let text = paper.read()?;
            let event = change!(
                session,
                target,
                file_statement(FileStatementRequest { round, table, incident, text, as_number })
            )?;
            (target, event)
        }
        Command::Seat { target, round, table, accounts } => {
            let mut account_ids = Vec::with_capacity(accounts.len());
            for account in &accounts {
                account_ids.push(session.account(account).await?);
            }
            let event =
                change!(session, target, seat_arbiters(SeatArbitersRequest { round, table, account_ids }))?;
            (target, event)
        }
    };
    told(session, &target, &event).await
}
