//! Games that players arrange: times are proposed, accepted and declined, and what waits for whom.

use api::federation::v1::{
    BoardArrangement, Event, GameProposal, Pairing, ProposalAnswer, event_log_body::Fact,
};
use serde_json::{Value, json};
use time::OffsetDateTime;

use super::{
    change::{OnBehalf, Target, change, told as told_event},
    people::People,
    results::moment,
    rounds,
    told::moment as told_moment,
};
use crate::commands::{federation::shown::time as shown_time, session::Session, zone::Zone};

/// What is done about the time of a board.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Proposes times for one's board where games are arranged, or as a captain for one of the team's, in the place of what
    /// was proposed before; without a time, takes that back.
    Propose {
        #[command(flatten)]
        target: Target,
        /// The round.
        round: u32,
        /// The table.
        table: u32,
        /// When the game could begin, as 2026-11-21T09:00:00+08:00; may be repeated.
        #[arg(long = "at", value_name = "TIME", value_parser = moment)]
        times: Vec<OffsetDateTime>,
        #[command(flatten)]
        whom: OnBehalf,
    },
    /// Accepts one of the times that the other side proposes: the game begins then.
    AcceptTime {
        #[command(flatten)]
        target: Target,
        /// The round.
        round: u32,
        /// The table.
        table: u32,
        /// Which, as 2026-11-21T09:00:00+08:00.
        #[arg(long = "at", value_name = "TIME", value_parser = moment)]
        time: OffsetDateTime,
        #[command(flatten)]
        whom: OnBehalf,
    },
    /// Declines all times that the other side proposes.
    Decline {
        #[command(flatten)]
        target: Target,
        /// The round.
        round: u32,
        /// The table.
        table: u32,
        #[command(flatten)]
        whom: OnBehalf,
    },
}

/// Carries the command out.
pub(super) async fn run(session: &Session, command: Command) -> anyhow::Result<()> {
    let (target, event) = match command {
        Command::Propose { target, round, table, times, whom: OnBehalf { as_number } } => {
            let start_times = times.into_iter().map(api::time::timestamp).collect();
            let event = change!(
                session,
                target,
                propose_game(ProposeGameRequest { round, table, start_times, as_number })
            )?;
            (target, event)
        }
        Command::AcceptTime { target, round, table, time, whom: OnBehalf { as_number } } => {
            let start_time = Some(api::time::timestamp(time));
            let event = change!(
                session,
                target,
                accept_proposal(AcceptProposalRequest { round, table, start_time, as_number })
            )?;
            (target, event)
        }
        Command::Decline { target, round, table, whom: OnBehalf { as_number } } => {
            let event = change!(
                session,
                target,
                decline_proposal(DeclineProposalRequest { round, table, as_number })
            )?;
            (target, event)
        }
    };
    told_event(session, &target, &event).await
}

/// Whether a board waits for its players to agree on a time.
pub(super) fn waits(board: &Pairing) -> bool {
    board.arrangement.is_some() && board.postponed_time.is_none()
}

/// How the arranging of a board stands, for scripts.
pub(super) fn record(it: &BoardArrangement) -> Value {
    let proposal = |it: &GameProposal| {
        json!({
            "number": it.number,
            "times": it.start_times.iter().map(|time| shown_time(Some(time))).collect::<Vec<_>>(),
            "answer_until": shown_time(it.answer_until_time.as_ref()),
        })
    };
    json!({
        "close": shown_time(it.close_time.as_ref()),
        "deadline": shown_time(it.deadline_time.as_ref()),
        "proposals": it.proposals.iter().map(proposal).collect::<Vec<_>>(),
        "left_to_arbiter": it.left_to_arbiter,
        "agreed_at_table": it.agreed_at_table,
    })
}

/// What waits for a player at his boards, and until when: those of all rounds that are still to be arranged.
pub(super) async fn awaited(
    session: &Session,
    event: &Event,
    people: &People,
    number: u32,
) -> anyhow::Result<Vec<Value>> {
    if event.settings.as_ref().is_none_or(|it| it.arranging.is_none()) {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for round in 1..=event.round {
        let public = rounds::round(session, &event.id, round).await?;
        let own = public.pairings.iter().filter(|it| [it.first, it.second].contains(&number));
        found.extend(own.filter_map(|board| {
            let arrangement = board.arrangement.as_ref()?;
            Some(if session.json {
                json!({ "round": round, "table": board.table, "arrangement": record(arrangement) })
            } else {
                json!(format!(
                    "round {round}, table {}: {}",
                    board.table,
                    text(session, board, people, number)
                ))
            })
        }));
    }
    Ok(found)
}

/// What waits for a player at a board.
fn text(session: &Session, board: &Pairing, people: &People, number: u32) -> String {
    let Some(it) = &board.arrangement else { return String::new() };
    let told = |proposal: &GameProposal| {
        let times: Vec<String> = proposal.start_times.iter().map(|time| session.told(Some(time))).collect();
        let until = session.told(proposal.answer_until_time.as_ref());
        let whose = people.player(proposal.number);
        if proposal.number == number {
            format!("you propose {}, to be answered until {until}", times.join(" or "))
        } else {
            format!("{whose} proposes {}: answer until {until}", times.join(" or "))
        }
    };
    let mut parts: Vec<String> = it.proposals.iter().map(told).collect();
    parts.push(match &board.postponed_time {
        Some(time) => format!("it begins at {}", session.told(Some(time))),
        None if it.left_to_arbiter => "nobody has arranged it, and an arbiter decides".to_owned(),
        None => format!("agree on a time until {}", session.told(it.deadline_time.as_ref())),
    });
    parts.join("; ")
}

/// What happened about the times of boards, in words; nothing for what is of other things.
pub(super) fn told(fact: &Fact, people: &People, zone: &Zone) -> Option<String> {
    let words = match fact {
        Fact::GameProposed(it) => {
            let proposal = it.proposal.clone().unwrap_or_default();
            let times: Vec<String> =
                proposal.start_times.iter().map(|time| told_moment(Some(time), zone)).collect();
            let who = people.player(proposal.number);
            let until = told_moment(proposal.answer_until_time.as_ref(), zone);
            let times = times.join(" or ");
            format!(
                "{who} proposes {times} for round {}, table {}, to be answered until {until}",
                it.round, it.table
            )
        }
        Fact::ProposalAnswered(it) => {
            let whose = people.player(it.number);
            let what = match it.answer() {
                ProposalAnswer::Accepted => "is accepted",
                ProposalAnswer::Declined => "is declined",
                ProposalAnswer::Lapsed => "has lapsed without an answer",
                ProposalAnswer::Withdrawn => "is taken back",
                ProposalAnswer::Unspecified => "is answered",
            };
            format!("what {whose} proposes for round {}, table {} {what}", it.round, it.table)
        }
        Fact::ArrangingReminded(it) => {
            let until = told_moment(it.deadline_time.as_ref(), zone);
            format!(
                "the players of round {}, table {} are to agree on a time until {until}",
                it.round, it.table
            )
        }
        Fact::BoardUnarranged(it) => {
            format!("nobody has arranged round {}, table {}, and an arbiter decides", it.round, it.table)
        }
        _ => return None,
    };
    Some(words)
}
