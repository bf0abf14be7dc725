//! Leave: taken, granted, ended and listed.

use api::federation::v1::{Leave, LeaveState, ListLeavesRequest, event_log_body::Fact};
use serde_json::json;
use time::OffsetDateTime;

use super::{
    change::{OnBehalf, Target, change, event, told as told_event},
    people::People,
    print,
    results::moment,
    told::moment as told_moment,
};
use crate::commands::{
    federation::shown::time as shown_time,
    print::Record,
    session::{Session, all, ask},
    terminal::say,
    zone::Zone,
};

/// What is done about leave.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Takes leave: for oneself, as a captain with --team for the team, or as chief arbiter with --reason for anybody.
    Take {
        #[command(flatten)]
        target: Target,
        /// When it begins, as 2026-11-21T09:00:00+08:00; now when it is not said.
        #[arg(long, value_name = "TIME", value_parser = moment)]
        from: Option<OffsetDateTime>,
        /// When it is over.
        #[arg(long, value_name = "TIME", value_parser = moment)]
        until: OffsetDateTime,
        /// The team whose leave it is.
        #[arg(long, value_name = "NUMBER", conflicts_with = "player")]
        team: Option<u32>,
        /// The player whom a chief arbiter grants it.
        #[arg(long, value_name = "NUMBER", requires = "reason")]
        player: Option<u32>,
        /// Why a chief arbiter grants it.
        #[arg(long)]
        reason: Option<String>,
        #[command(flatten)]
        whom: OnBehalf,
    },
    /// Ends leave before its time, or takes it back before it begins.
    End {
        #[command(flatten)]
        target: Target,
        /// The number of the leave.
        leave: u32,
        /// Why a chief arbiter ends it.
        #[arg(long)]
        reason: Option<String>,
        #[command(flatten)]
        whom: OnBehalf,
    },
    /// Lists who is on leave or will be, and with --player or --team how much is left.
    List {
        /// The event's id.
        event: String,
        /// Only that of this player.
        #[arg(long, value_name = "NUMBER", conflicts_with = "team")]
        player: Option<u32>,
        /// Only that of this team.
        #[arg(long, value_name = "NUMBER")]
        team: Option<u32>,
        /// Lists what is over or was taken back, too.
        #[arg(long)]
        all: bool,
    },
}

/// Carries the command out.
pub(super) async fn run(session: &Session, command: Command) -> anyhow::Result<()> {
    let (target, event) = match command {
        Command::Take { target, from, until, team, player, reason, whom: OnBehalf { as_number } } => {
            let event = change!(
                session,
                target,
                take_leave(TakeLeaveRequest {
                    number: player.unwrap_or(0),
                    team: team.unwrap_or(0),
                    from_time: from.map(api::time::timestamp),
                    until_time: Some(api::time::timestamp(until)),
                    reason: reason.unwrap_or_default(),
                    as_number,
                })
            )?;
            (target, event)
        }
        Command::End { target, leave, reason, whom: OnBehalf { as_number } } => {
            let reason = reason.unwrap_or_default();
            let event = change!(session, target, end_leave(EndLeaveRequest { leave, reason, as_number }))?;
            (target, event)
        }
        Command::List { event, player, team, all } => {
            return list(session, event, (player.unwrap_or(0), team.unwrap_or(0)), all).await;
        }
    };
    told_event(session, &target, &event).await
}

async fn list(
    session: &Session,
    event_id: String,
    (number, team): (u32, u32),
    with_past: bool,
) -> anyhow::Result<()> {
    let people = People::of(session, &event(session, &event_id).await?).await?;
    let request = ListLeavesRequest { event_id, number, team, with_past, ..Default::default() };
    let left = ask!(session.events(), list_leaves, ListLeavesRequest { page_size: 1, ..request.clone() })?;
    let leaves: Vec<Leave> = all!(session.events(), list_leaves, request, leaves);
    let records: Vec<Record> = leaves.iter().map(|leave| record(session, leave, &people)).collect();
    print::list(session.json, &records)?;
    match left.left_duration.filter(|_| !session.json) {
        Some(time) => say(format_args!("left: {} s, at most {} times", time.seconds, left.spans_left)),
        None => Ok(()),
    }
}

fn record(session: &Session, leave: &Leave, people: &People) -> Record {
    let moment = |time: Option<&prost_types::Timestamp>| {
        if session.json { shown_time(time) } else { json!(session.told(time)) }
    };
    vec![
        ("leave", json!(leave.leave)),
        ("whose", json!(whose(people, leave.number, leave.team))),
        ("number", json!(leave.number)),
        ("team", json!(leave.team)),
        ("from", moment(leave.from_time.as_ref())),
        ("until", moment(leave.until_time.as_ref())),
        ("granted", json!(leave.granted)),
        ("state", json!(state(leave.state()))),
    ]
}

const fn state(state: LeaveState) -> &'static str {
    match state {
        LeaveState::Announced => "announced",
        LeaveState::On => "on",
        LeaveState::Over => "over",
        LeaveState::Cancelled => "cancelled",
        LeaveState::Unspecified => "unknown",
    }
}

fn whose(people: &People, number: u32, team: u32) -> String {
    if team > 0 { format!("team {}", people.team(team)) } else { people.player(number) }
}

/// What happened about leave, in words; nothing for what is of other things.
pub(super) fn told(fact: &Fact, people: &People, zone: &Zone) -> Option<String> {
    Some(match fact {
        Fact::LeaveTaken(it) => {
            let whose = whose(people, it.number, it.team);
            let [from, until] = [&it.from_time, &it.until_time].map(|time| told_moment(time.as_ref(), zone));
            let verb = if it.reason_hash.is_empty() { "takes" } else { "is granted" };
            format!("{whose} {verb} leave {}, from {from} until {until}", it.leave)
        }
        Fact::LeaveEnded(it) => {
            format!("leave {} is over at {}", it.leave, told_moment(it.until_time.as_ref(), zone))
        }
        Fact::LeaveBegun(it) => format!("leave {} begins, and games rest", it.leave),
        Fact::LeaveOver(it) => format!("leave {} is over", it.leave),
        _ => return None,
    })
}
