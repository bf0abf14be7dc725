//! Who takes part: entries, challenges, and pairs that must not meet.

use std::{path::PathBuf, process::ExitCode};

use anyhow::Context as _;
use serde_json::{Value, json};

use super::{
    change::{OnBehalf, Target, answered, change, event, told, told_with},
    collisions::Collision,
    entry_file,
    people::People,
    print,
    session::Session,
    states::{next_round, status_text},
    words,
};

/// What is done with entries.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Enters the account's own member; or, by an official, another one or a file of them. Whoever enters accepts the
    /// supplement.
    Enter(Enter),
    /// Accepts the supplement as it stands, for the account's own entry.
    Accept {
        #[command(flatten)]
        target: Target,
        /// The version that was read; as it stands when it is not said.
        #[arg(long, value_name = "VERSION")]
        supplement: Option<u32>,
        #[command(flatten)]
        whom: OnBehalf,
    },
    /// Says that somebody is there for the next round, in an event that asks for it.
    CheckIn {
        #[command(flatten)]
        target: Target,
        /// His number, by an official; the account's own entry when it is not said.
        #[arg(long, default_value_t = 0, hide_default_value = true)]
        number: u32,
        /// The round; the next one when it is not said.
        #[arg(long)]
        round: Option<u32>,
        #[command(flatten)]
        whom: OnBehalf,
    },
    /// Forbids two to meet.
    Prohibit {
        #[command(flatten)]
        target: Target,
        /// The number of one.
        one: u32,
        /// The number of the other.
        other: u32,
        /// From this round on; the next one when it is not said.
        #[arg(long, value_name = "ROUND")]
        from: Option<u32>,
        /// Until this round.
        #[arg(long, value_name = "ROUND", default_value_t = u32::from(u16::MAX), hide_default_value = true)]
        to: u32,
        /// Why; kept beside the log, for officials.
        #[arg(long)]
        reason: String,
    },
    /// Challenges somebody who stands above on a ladder, for the next round.
    Challenge {
        #[command(flatten)]
        target: Target,
        /// The number of who is challenged.
        holder: u32,
        #[command(flatten)]
        whom: OnBehalf,
    },
    /// Answers a challenge on a ladder, or as who has made it withdraws it.
    Answer {
        #[command(flatten)]
        target: Target,
        /// The number of who has challenged.
        challenger: u32,
        /// accepted or refused by who is challenged, or by an arbiter for him; withdrawn by who challenges.
        #[arg(value_parser = words::answers())]
        answer: i32,
        #[command(flatten)]
        whom: OnBehalf,
    },
    /// Corrects an entry: what is named, before the first round is public; and the account with which he plays, which becomes
    /// that of his member as the federation has it now.
    Correct {
        #[command(flatten)]
        target: Target,
        /// His number.
        number: u32,
        #[command(flatten)]
        given: Given,
    },
    /// Lists who has entered.
    Entrants {
        /// The event's id.
        event: String,
    },
}

/// What officials say of an entrant.
#[derive(Debug, clap::Args)]
pub(super) struct Given {
    /// What he is rated; for officials.
    #[arg(long, allow_negative_numbers = true)]
    rating: Option<i32>,
    /// His grade: 3 dan is 3, 1 kyu is 0; for officials.
    #[arg(long, allow_negative_numbers = true)]
    grade: Option<i32>,
    /// Numbers of what he shares with others, such as his club; for officials.
    #[arg(long, value_delimiter = ',')]
    affiliations: Vec<u32>,
}

/// Who enters.
#[derive(Debug, clap::Args)]
pub(super) struct Enter {
    #[command(flatten)]
    target: Target,
    /// The id of the member, or his name as the federation has it; for officials.
    #[arg(long, conflicts_with = "file")]
    member: Option<String>,
    #[command(flatten)]
    given: Given,
    /// The version of the supplement that is accepted; as it stands when it is not said.
    #[arg(long, value_name = "VERSION")]
    supplement: Option<u32>,
    /// A CSV file of members to enter; for officials. Its first line names the columns, in any order: member (id or name),
    /// rating, grade, affiliations (separated by blanks). While a line is bad or names nobody, all such lines are named and
    /// nobody is entered. Then each is entered by himself: whoever has entered already is passed over, and whom the server
    /// refuses is named with its reason, while the others are in. The same file can be given again.
    #[arg(long, conflicts_with_all = ["rating", "grade", "affiliations"])]
    file: Option<PathBuf>,
}

/// Carries the command out.
pub(super) async fn run(session: &Session, command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Enter(enter) => return entered(session, enter).await,
        Command::Entrants { event } => entrants(session, &event).await?,
        Command::Accept { target, supplement, whom: OnBehalf { as_number } } => {
            let before = event(session, &target.event).await?;
            let supplement_version = supplement.unwrap_or(before.supplement_version);
            let after = change!(
                session,
                target,
                accept_supplement(AcceptSupplementRequest { supplement_version, as_number })
            )?;
            told(session, &target, &after).await?;
        }
        Command::Correct { target, number, given: Given { rating, grade, affiliations } } => {
            let update_mask = None;
            let after = change!(
                session,
                target,
                update_entry(UpdateEntryRequest { number, rating, grade, affiliations, update_mask })
            )?;
            told(session, &target, &after).await?;
        }
        Command::Challenge { target, holder, whom: OnBehalf { as_number } } => {
            let after = change!(session, target, challenge(ChallengeRequest { holder, as_number }))?;
            told(session, &target, &after).await?;
        }
        Command::Answer { target, challenger, answer, whom: OnBehalf { as_number } } => {
            let after = change!(
                session,
                target,
                answer_challenge(AnswerChallengeRequest { challenger, answer, as_number })
            )?;
            told(session, &target, &after).await?;
        }
        Command::Prohibit { target, one, other, from, to: to_round, reason } => {
            let from_round = next_round(session, &target, from).await?;
            let request = change!(
                session,
                target,
                prohibit_pairing(ProhibitPairingRequest { one, other, from_round, to_round, reason })
            );
            told(session, &target, &request?).await?;
        }
        Command::CheckIn { target, number, round, whom: OnBehalf { as_number } } => {
            let round = next_round(session, &target, round).await?;
            let after = change!(session, target, check_in(CheckInRequest { round, number, as_number }))?;
            told(session, &target, &after).await?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn entered(session: &Session, enter: Enter) -> anyhow::Result<ExitCode> {
    let Enter { target, member, given: Given { rating, grade, affiliations }, supplement, file } = enter;
    let before = event(session, &target.event).await?;
    let supplement_version = supplement.unwrap_or(before.supplement_version);
    if let Some(path) = file {
        return entry_file::enter(session, &target, &before, &path, supplement_version).await;
    }
    let member_id = match member {
        None => String::new(),
        Some(named) => entry_file::Roster::of(session, &before).await?.find(&named)?,
    };
    // Others' arranged games are nobody's business; and who is not warned enters all the same.
    let arranged = match &*member_id {
        "" => Collision::arranged(session, &before).await.unwrap_or_default(),
        _ => Vec::new(),
    };
    let answer = answered!(
        session,
        target,
        enter_event(EnterEventRequest { member_id, supplement_version, rating, grade, affiliations })
    )?;
    let after = answer.event.context("the server's answer lacks the event")?;
    let in_events = answer.conflicts.into_iter().map(Collision::InEvent);
    let collisions: Vec<Collision> = in_events.chain(arranged).collect();
    told_with(session, &target, &after, &collisions).await?;
    Ok(ExitCode::SUCCESS)
}

async fn entrants(session: &Session, id: &str) -> anyhow::Result<()> {
    let people = People::of(session, &event(session, id).await?).await?;
    let records: Vec<_> = people
        .entrants
        .values()
        .map(|entrant| {
            let statuses = entrant.statuses.iter().map(|status| Value::String(status_text(*status)));
            vec![
                ("number", json!(entrant.number)),
                ("name", json!(people.name(entrant.number))),
                ("rating", json!(entrant.rating)),
                ("grade", json!(entrant.grade)),
                ("affiliations", json!(entrant.affiliations)),
                ("accepted", json!(entrant.accepted_version)),
                ("status", Value::Array(statuses.collect())),
                (
                    "on_leave_until",
                    crate::commands::federation::shown::time(entrant.on_leave_until_time.as_ref()),
                ),
                ("member", json!(entrant.member_id)),
                ("account", json!(entrant.account_id)),
            ]
        })
        .collect();
    print::list(session.json, &records)
}
