//! `shoutan title`: titles and grades of federations, and who has them.

use anyhow::Context as _;
use api::{
    federation::v1::{
        Award, AwardState, AwardTitleRequest, CreateTitleRequest, GetAwardRequest, ListAwardsRequest,
        ListTitlesRequest, ProposeTitleRequest, RefuseTitleRequest, RetireTitleRequest, RevokeTitleRequest,
        Title, TitleKind, title_service_client::TitleServiceClient,
    },
    transport::Transport,
};
use clap::{Subcommand, ValueEnum};
use serde_json::json;

use super::{
    event::words,
    print::{self, Record},
    session::{Session, Who, all, ask, name},
};

/// Looks after titles and grades of a federation, and who has them.
///
/// A title is proposed by one official (`propose`) and awarded by another (`award`). An event for grades proposes the next grade of
/// each who is promoted when it becomes final.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    who: Who,
}

impl Args {
    /// Whether a script reads what is printed.
    pub(crate) const fn prints_json(&self) -> bool {
        self.who.json
    }
}

/// What a title is.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    /// A grade of players, which has an order.
    Grade,
    /// An honorary title.
    Honorary,
    /// A title of arbiters.
    Arbiter,
}

/// How far awards are.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum State {
    /// They wait for a second person.
    Proposed,
    /// They hold.
    Awarded,
    /// Refused.
    Refused,
    /// They were revoked.
    Revoked,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Adds a title to the catalogue of a federation.
    Add {
        /// The federation's id.
        federation: String,
        /// The name in its own script; of a grade what stands with the member, such as 5段.
        name: String,
        /// The name in Latin letters, where it is in others.
        #[arg(long)]
        latin: Option<String>,
        /// What it is.
        #[arg(long, value_enum, default_value = "grade")]
        kind: Kind,
        /// Of a grade its place in the order; higher is better.
        #[arg(long, default_value_t = 0, allow_hyphen_values = true)]
        rank: i32,
    },
    /// Retires a title: nobody gets it any more.
    Retire {
        /// The title's id.
        title: String,
    },
    /// Lists the catalogue of a federation.
    Catalogue {
        /// The federation's id.
        federation: String,
    },
    /// Proposes a title for a member.
    Propose {
        /// The title's id.
        title: String,
        /// The member's id.
        member: String,
        /// Why.
        #[arg(long)]
        reason: String,
        /// An event that shows it, by its id; several by repeating it.
        #[arg(long = "event", value_name = "EVENT")]
        events: Vec<String>,
    },
    /// Awards what somebody else has proposed.
    Award {
        /// The award's id.
        award: String,
        /// From which day it holds, as 2026-12-31; today if it is not said.
        #[arg(long, value_name = "DATE", default_value = "")]
        from: String,
    },
    /// Refuses a proposal, or takes one's own back.
    Refuse {
        /// The award's id.
        award: String,
        /// Why.
        #[arg(long)]
        reason: String,
    },
    /// Revokes what was awarded.
    Revoke {
        /// The award's id.
        award: String,
        /// Why.
        #[arg(long)]
        reason: String,
    },
    /// Lists who has titles of a federation, or who is proposed for them.
    List {
        /// The federation's id.
        federation: String,
        /// Only those of this member, by his id.
        #[arg(long, default_value = "")]
        member: String,
        /// How far they are.
        #[arg(long, value_enum, default_value = "awarded")]
        state: State,
    },
    /// Shows one award.
    Show {
        /// The award's id.
        award: String,
    },
}

/// Carries the command out.
pub(crate) async fn run(args: Args) -> anyhow::Result<()> {
    let session = Session::open(&args.who).await?;
    let client = TitleServiceClient::new(session.transport());
    let done = match args.command {
        command @ (Command::Add { .. } | Command::Retire { .. } | Command::Catalogue { .. }) => {
            keep(&session, &client, command).await
        }
        command => award(&session, &client, command).await,
    };
    session.close().await;
    done
}

/// What is done with the catalogue.
async fn keep(
    session: &Session,
    client: &TitleServiceClient<Transport>,
    command: Command,
) -> anyhow::Result<()> {
    let request_id = session.new_id();
    let title = match command {
        Command::Add { federation: federation_id, name: native, latin, kind, rank } => {
            let kind = match kind {
                Kind::Grade => TitleKind::Grade,
                Kind::Honorary => TitleKind::Honorary,
                Kind::Arbiter => TitleKind::Arbiter,
            };
            let (name, kind) = (Some(name(native, latin)), kind.into());
            let title = Some(Title { federation_id, name, kind, rank, ..Title::default() });
            ask!(client, create_title, CreateTitleRequest { title, request_id, validate_only: false })?.title
        }
        Command::Retire { title: title_id } => {
            ask!(client, retire_title, RetireTitleRequest { title_id, request_id, validate_only: false })?
                .title
        }
        Command::Catalogue { federation: federation_id } => {
            let found = ask!(client, list_titles, ListTitlesRequest { federation_id })?.titles;
            let records: Vec<Record> = found.iter().map(|title| of_title(session, title)).collect();
            return print::list(session.json, &records);
        }
        _ => None,
    };
    print::one(session.json, &of_title(session, &title.context("the server's answer lacks the title")?))
}

/// What is done with awards.
async fn award(
    session: &Session,
    client: &TitleServiceClient<Transport>,
    command: Command,
) -> anyhow::Result<()> {
    let (request_id, validate_only) = (session.new_id(), false);
    let award = match command {
        Command::Propose { title: title_id, member: member_id, reason, events: event_ids } => {
            let request =
                ProposeTitleRequest { title_id, member_id, reason, event_ids, request_id, validate_only };
            ask!(client, propose_title, request)?.award
        }
        Command::Award { award: award_id, from: effective_date } => {
            let request = AwardTitleRequest { award_id, effective_date, request_id, validate_only };
            ask!(client, award_title, request)?.award
        }
        Command::Refuse { award: award_id, reason } => {
            ask!(client, refuse_title, RefuseTitleRequest { award_id, reason, request_id, validate_only })?
                .award
        }
        Command::Revoke { award: award_id, reason } => {
            ask!(client, revoke_title, RevokeTitleRequest { award_id, reason, request_id, validate_only })?
                .award
        }
        Command::List { federation: federation_id, member: member_id, state } => {
            let state = match state {
                State::Proposed => AwardState::Proposed,
                State::Awarded => AwardState::Awarded,
                State::Refused => AwardState::Refused,
                State::Revoked => AwardState::Revoked,
            };
            let state = state.into();
            let request = ListAwardsRequest { federation_id, member_id, state, ..Default::default() };
            let found: Vec<Award> = all!(client, list_awards, request, awards);
            let records: Vec<Record> = found.iter().map(|award| of_award(session, award)).collect();
            return print::list(session.json, &records);
        }
        Command::Show { award: award_id } => ask!(client, get_award, GetAwardRequest { award_id })?.award,
        Command::Add { .. } | Command::Retire { .. } | Command::Catalogue { .. } => None,
    };
    print::one(session.json, &of_award(session, &award.context("the server's answer lacks the award")?))
}

fn of_title(session: &Session, title: &Title) -> Record {
    let name = title.name.clone().unwrap_or_default();
    vec![
        ("title", json!(title.title_id)),
        ("name", json!(name.native)),
        ("latin", json!(name.latin)),
        ("kind", json!(words::title_kind(title.kind))),
        ("rank", json!(title.rank)),
        ("retired", session.time(title.retire_time.as_ref())),
    ]
}

fn of_award(session: &Session, award: &Award) -> Record {
    vec![
        ("award", json!(award.award_id)),
        ("title", json!(award.title_id)),
        ("member", json!(award.member_id)),
        ("state", json!(words::award_state(award.state))),
        ("from", json!(award.effective_date)),
        ("reason", json!(award.reason)),
        ("events", json!(award.event_ids)),
        ("proposed_by", json!(award.proposed_by)),
        ("proposed", session.time(award.propose_time.as_ref())),
        ("decided_by", json!(award.decided_by)),
        ("decided", session.time(award.decide_time.as_ref())),
        ("refusal", json!(award.refusal)),
        ("revoked_by", json!(award.revoked_by)),
        ("revoked", session.time(award.revoke_time.as_ref())),
        ("revocation", json!(award.revocation)),
    ]
}
