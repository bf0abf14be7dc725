//! Officials of a whole federation.

use anyhow::{Context as _, anyhow};
use api::federation::v1::{
    GrantOfficialRequest, ListOfficialsRequest, Official, OfficialRole, RevokeOfficialRequest,
};
use clap::builder::{PossibleValuesParser, TypedValueParser as _};

use super::{
    print,
    session::{Session, all, ask},
    shown::{ROLES, Shown as _},
};

/// What is done with officials.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Makes an account an official of the whole federation.
    Grant(Change),
    /// Dismisses an official: here at once, in games within 15 minutes.
    Revoke(Change),
    /// Lists the officials of a federation.
    List {
        /// The federation's id.
        federation: String,
        /// Also those who were dismissed.
        #[arg(long)]
        all: bool,
    },
}

/// Whose role, and where.
#[derive(Debug, clap::Args)]
pub(super) struct Change {
    /// The federation's id.
    federation: String,
    /// The name of the account.
    account: String,
    /// The role.
    #[arg(value_parser = PossibleValuesParser::new(ROLES.map(|(name, _)| name)).try_map(|name| role(&name)))]
    role: OfficialRole,
}

/// Carries the command out.
pub(super) async fn run(session: &Session, command: Command) -> anyhow::Result<()> {
    let (client, request_id) = (session.membership(), session.new_id());
    let official = match command {
        Command::Grant(Change { federation: federation_id, account, role }) => {
            let (account_id, role) = (session.account(&account).await?, role.into());
            let request =
                GrantOfficialRequest { federation_id, account_id, role, request_id, validate_only: false };
            ask!(client, grant_official, request)?.official
        }
        Command::Revoke(Change { federation: federation_id, account, role }) => {
            let (account_id, role) = (session.account(&account).await?, role.into());
            let request =
                RevokeOfficialRequest { federation_id, account_id, role, request_id, validate_only: false };
            ask!(client, revoke_official, request)?.official
        }
        Command::List { federation: federation_id, all } => {
            let request = ListOfficialsRequest { federation_id, show_revoked: all, ..Default::default() };
            let found = all!(client.clone(), list_officials, request, officials);
            let records: Vec<_> = found.iter().map(|official: &Official| official.record()).collect();
            return print::list(session.json, &records);
        }
    };
    print::one(session.json, &official.context("the server's answer lacks the official")?.record())
}

fn role(name: &str) -> anyhow::Result<OfficialRole> {
    let found = ROLES.iter().find(|(known, _)| *known == name);
    found.map(|(_, role)| *role).ok_or_else(|| anyhow!("{name} is no role"))
}
