//! What somebody, or a team, is to an event: away, on a bye, gone, back.

use api::federation::v1::{EntrantState, EntrantStatus, ListEventTeamsRequest, ResultCode};

use super::{
    change::{OnBehalf, Target, change, event, told},
    session::{Session, all},
    words,
};

/// What is said of one who has entered.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Leaves the event. What is not finished of the round that runs is lost by forfeit.
    Withdraw {
        #[command(flatten)]
        target: Target,
        #[command(flatten)]
        whom: Whom,
        /// After which round; the last public one when it is not said, 0 for before the first.
        #[arg(long, value_name = "ROUND")]
        after: Option<u32>,
    },
    /// Says that a player or team is away for a round.
    Absent {
        #[command(flatten)]
        target: Target,
        #[command(flatten)]
        whom: Whom,
        /// The round; the next one when it is not said.
        #[arg(long)]
        round: Option<u32>,
    },
    /// Asks for a bye in a round.
    Bye {
        #[command(flatten)]
        target: Target,
        /// What it is worth: two points, one or none.
        #[arg(value_parser = ["full", "half", "zero"])]
        kind: String,
        #[command(flatten)]
        whom: Whom,
        /// The round; the next one when it is not said.
        #[arg(long)]
        round: Option<u32>,
    },
    /// Sends a player or team away.
    Expel {
        #[command(flatten)]
        target: Target,
        /// The number of the player, or of the team.
        number: u32,
        /// After which round; the last public one when it is not said.
        #[arg(long, value_name = "ROUND")]
        after: Option<u32>,
        /// Why; kept beside the log, for officials.
        #[arg(long)]
        reason: String,
    },
    /// Makes all results of a player or team void.
    Annul {
        #[command(flatten)]
        target: Target,
        /// The number of the player, or of the team.
        number: u32,
        /// Why; kept beside the log, for officials.
        #[arg(long)]
        reason: String,
    },
    /// Takes a player or team back who has left.
    Readmit {
        #[command(flatten)]
        target: Target,
        /// The number of the player, or of the team.
        number: u32,
        /// From which round on; the next one when it is not said.
        #[arg(long, value_name = "ROUND")]
        from: Option<u32>,
        /// Why; kept beside the log, for officials.
        #[arg(long, default_value = "")]
        reason: String,
    },
}

/// Of whom something is said.
#[derive(Debug, clap::Args)]
pub(super) struct Whom {
    /// The number; when it is not said the account's own entry, or the team whose captain it is.
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    number: u32,
    #[command(flatten)]
    on_behalf: OnBehalf,
    /// Why; kept beside the log, for officials.
    #[arg(long, default_value = "")]
    reason: String,
}

/// One more row of what somebody is.
struct Row {
    target: Target,
    number: u32,
    as_number: u32,
    state: EntrantState,
    round: u32,
    reason: String,
}

/// Writes what a player is.
pub(super) async fn of_player(session: &Session, command: Command) -> anyhow::Result<()> {
    let Row { target, number, as_number, state, round, reason } = row(session, command).await?;
    let status = Some(EntrantStatus { state: state.into(), round });
    let event =
        change!(session, target, change_entry(ChangeEntryRequest { number, status, reason, as_number }))?;
    told(session, &target, &event).await
}

/// Writes what a team is.
pub(super) async fn of_team(session: &Session, command: Command) -> anyhow::Result<()> {
    let Row { target, number, as_number, state, round, reason } = row(session, command).await?;
    anyhow::ensure!(as_number == 0, "a team is led by its captain alone: --for is about players");
    let team = if number == 0 { own_team(session, &target.event).await? } else { number };
    let status = Some(EntrantStatus { state: state.into(), round });
    let event = change!(session, target, change_team_entry(ChangeTeamEntryRequest { team, status, reason }))?;
    told(session, &target, &event).await
}

/// The number of the team whose captain the account is.
pub(super) async fn own_team(session: &Session, event: &str) -> anyhow::Result<u32> {
    let request = ListEventTeamsRequest { event_id: event.to_owned(), ..Default::default() };
    let teams = all!(session.events(), list_event_teams, request, teams);
    let own = teams.iter().find(|team| Some(&*team.captain_account_id) == session.account_id());
    own.map(|team| team.number).ok_or_else(|| {
        anyhow::anyhow!("the account is captain of no team of the event: name the team's number")
    })
}

async fn row(session: &Session, command: Command) -> anyhow::Result<Row> {
    use EntrantState::{Absent, Active, Annulled, ByeFull, ByeHalf, ByeZero, Expelled, Withdrawn};
    let (target, whom, state, round, reason) = match command {
        Command::Withdraw { target, whom, after } => {
            let round = last_round(session, &target, after).await?;
            (target, (whom.number, whom.on_behalf.as_number), Withdrawn, round, whom.reason)
        }
        Command::Absent { target, whom, round } => {
            let round = next_round(session, &target, round).await?;
            (target, (whom.number, whom.on_behalf.as_number), Absent, round, whom.reason)
        }
        Command::Bye { target, kind, whom, round } => {
            let state = match kind.as_str() {
                "full" => ByeFull,
                "half" => ByeHalf,
                _ => ByeZero,
            };
            let round = next_round(session, &target, round).await?;
            (target, (whom.number, whom.on_behalf.as_number), state, round, whom.reason)
        }
        Command::Expel { target, number, after, reason } => {
            let round = last_round(session, &target, after).await?;
            (target, (number, 0), Expelled, round, reason)
        }
        Command::Annul { target, number, reason } => (target, (number, 0), Annulled, 0, reason),
        Command::Readmit { target, number, from, reason } => {
            let round = next_round(session, &target, from).await?;
            (target, (number, 0), Active, round, reason)
        }
    };
    let (number, as_number) = whom;
    Ok(Row { target, number, as_number, state, round, reason })
}

/// The round that is said, or the last that is public.
pub(super) async fn last_round(session: &Session, target: &Target, said: Option<u32>) -> anyhow::Result<u32> {
    match said {
        Some(round) => Ok(round),
        None => Ok(event(session, &target.event).await?.round),
    }
}

/// The round that is said, or the one after the last that is public.
pub(super) async fn next_round(session: &Session, target: &Target, said: Option<u32>) -> anyhow::Result<u32> {
    match said {
        Some(round) => Ok(round),
        None => Ok(event(session, &target.event).await?.round + 1),
    }
}

/// `withdrawn after 3`.
pub(super) fn status_text(status: EntrantStatus) -> String {
    let word = words::state(status.state);
    match status.state() {
        EntrantState::Active => format!("{word} from {}", status.round),
        EntrantState::Withdrawn | EntrantState::Expelled => format!("{word} after {}", status.round),
        EntrantState::Annulled | EntrantState::Unspecified => word,
        EntrantState::Absent | EntrantState::ByeFull | EntrantState::ByeHalf | EntrantState::ByeZero => {
            format!("{word} in {}", status.round)
        }
    }
}

/// What somebody gets who has no game in a round.
pub(super) fn out_text(code: ResultCode) -> &'static str {
    match code {
        ResultCode::Pab => "pairing bye",
        ResultCode::ByeFull => "bye, 2 points",
        ResultCode::ByeHalf => "bye, 1 point",
        _ => "no game",
    }
}
