//! `shoutan roles`: the roles of officials.

use std::io::{self, Write};

use anyhow::{Context as _, anyhow, bail};
use chassis::{
    Env,
    auth::{Role, RoleGrant, RoleScope},
    id::{EventId, FederationId},
};
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use identity::{
    admin::Roles,
    core::role::{RoleFilter, RoleRecord},
};

use crate::{data::DataArgs, platform::Service};

/// Looks after the roles of officials and of moderators, beside the data of the platform.
///
/// Those of officials hold in games whose regulations name an event or a federation that is run elsewhere. Of an event of a federation of this
/// platform `shoutan event appoint` makes officials, and of all its events `shoutan federation officials grant`: what is granted
/// here makes nobody an official of those. Moderators look at reports of how people play, by `shoutan moderate`.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Grants a role to an account. Its next token has it: whoever is signed in has it within 15 minutes.
    Grant(Change),
    /// Revokes a role of an account. Tokens issued before have it until they expire, within 15 minutes.
    Revoke(Change),
    /// Lists the roles of an account, of an event, of a federation or of the platform, newest first.
    List(List),
}

/// Whose role, and where.
#[derive(Debug, clap::Args)]
pub(crate) struct Change {
    /// The name of the account.
    name: String,
    /// The role.
    #[arg(value_parser = PossibleValuesParser::new(Role::ALL.map(Role::as_str)).try_map(|name| role(&name)))]
    role: Role,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    data: DataArgs,
}

/// Which roles to list.
#[derive(Debug, clap::Args)]
#[group(id = "of", required = true, multiple = false, args = ["name", "event", "federation", "platform"])]
pub(crate) struct List {
    /// The name of an account: its roles.
    name: Option<String>,
    /// The id of an event: the roles in it.
    #[arg(long, value_name = "ID", value_parser = event)]
    event: Option<EventId>,
    /// The id of a federation: the roles in it.
    #[arg(long, value_name = "ID", value_parser = federation)]
    federation: Option<FederationId>,
    /// The moderators of the platform.
    #[arg(long)]
    platform: bool,
    #[command(flatten)]
    data: DataArgs,
}

/// Where a role holds.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct Place {
    /// The id of the event in which the role holds.
    #[arg(long, value_name = "ID", value_parser = event)]
    event: Option<EventId>,
    /// The id of the federation in which, and in every event of which, the role holds.
    #[arg(long, value_name = "ID", value_parser = federation)]
    federation: Option<FederationId>,
    /// On the whole platform, outside of events: for moderators, and only for them.
    #[arg(long)]
    platform: bool,
}

impl Change {
    fn grant(&self) -> anyhow::Result<RoleGrant> {
        let Place { event, federation, platform } = self.place;
        let scope = scope_of(event, federation, platform).context("name an event or a federation")?;
        if !self.role.holds_in(scope) {
            bail!("a moderator is one of the whole platform, and nobody else is anything there");
        }
        Ok(RoleGrant { role: self.role, scope })
    }
}

/// Where the identity service keeps its accounts.
async fn open(data: &DataArgs) -> anyhow::Result<Roles> {
    let database = data.open_beside(Service::Identity).await?;
    Ok(Roles::open(&database, &Env::system()).await?)
}

/// Carries the command out.
pub(crate) async fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Grant(change) => {
            let (roles, grant) = (open(&change.data).await?, change.grant()?);
            let account = roles.account(&change.name).await.with_context(|| change.name.clone())?;
            let granted = roles.grant(account, grant).await.with_context(|| change.name.clone())?;
            writeln!(io::stdout().lock(), "{}", line(&granted))?;
        }
        Command::Revoke(change) => {
            let (roles, grant) = (open(&change.data).await?, change.grant()?);
            let account = roles.account(&change.name).await.with_context(|| change.name.clone())?;
            let said = if roles.revoke(account, grant).await? { "is revoked" } else { "was not granted" };
            writeln!(io::stdout().lock(), "{}: {grant} {said}", change.name)?;
        }
        Command::List(list) => print(&list).await?,
    }
    Ok(())
}

async fn print(list: &List) -> anyhow::Result<()> {
    let roles = open(&list.data).await?;
    let of = if let Some(name) = &list.name {
        RoleFilter::Account(roles.account(name).await.with_context(|| name.clone())?)
    } else {
        let scope = scope_of(list.event, list.federation, list.platform);
        RoleFilter::In(scope.context("name what to list")?)
    };
    let mut before = None;
    loop {
        let page = roles.page(of, before).await?;
        let Some(oldest) = page.last() else { return Ok(()) };
        before = Some(oldest.held.id);
        let mut out = io::stdout().lock();
        for role in &page {
            writeln!(out, "{}", line(role))?;
        }
    }
}

/// `Anna  arbiter@event:ID  since 2026-11-21`.
fn line(role: &RoleRecord) -> String {
    format!("{}  {}  since {}", role.name, role.held.grant, role.held.granted.date())
}

fn scope_of(event: Option<EventId>, federation: Option<FederationId>, platform: bool) -> Option<RoleScope> {
    let platform = platform.then_some(RoleScope::Platform);
    event.map(RoleScope::Event).or(federation.map(RoleScope::Federation)).or(platform)
}

fn role(name: &str) -> anyhow::Result<Role> {
    Role::parse(name).ok_or_else(|| anyhow!("{name} is no role"))
}

fn event(text: &str) -> Result<EventId, String> {
    EventId::parse(text, "event").map_err(said)
}

fn federation(text: &str) -> Result<FederationId, String> {
    FederationId::parse(text, "federation").map_err(said)
}

/// What an answer says to a person.
fn said(answer: api::Error) -> String {
    answer.message
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(subcommand)]
        command: Command,
    }

    const ID: &str = "0190a3c4-0000-7000-8000-00000000002a";

    fn parsed(line: &str) -> Result<Command, clap::Error> {
        Line::try_parse_from(["roles"].into_iter().chain(line.split(' '))).map(|line| line.command)
    }

    #[test]
    fn a_role_is_granted_in_one_place() {
        for role in Role::ALL.into_iter().filter(|role| *role != Role::Moderator) {
            for kind in ["event", "federation"] {
                let Ok(Command::Grant(change)) = parsed(&format!("grant anna {role} --{kind} {ID}")) else {
                    panic!("{role} in {kind}")
                };
                let grant = change.grant().expect("a place");
                assert_eq!(
                    (change.name.as_str(), grant.to_string()),
                    ("anna", format!("{role}@{kind}:{ID}"))
                );
            }
        }
        let granted = |line: &str| match parsed(line) {
            Ok(Command::Grant(change)) => change.grant().map_err(|error| error.to_string()),
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(
            granted("grant anna moderator --platform").expect("a role").to_string(),
            "moderator@platform"
        );
        granted("grant anna arbiter --platform").expect_err("an arbiter of no event");
        granted(&format!("grant anna moderator --event {ID}")).expect_err("a moderator of an event");
        for bad in [
            format!("grant anna moderator --platform --event {ID}"),
            "grant anna arbiter".to_owned(),
            format!("grant anna --event {ID}"),
            format!("grant anna umpire --event {ID}"),
            format!("grant anna arbiter --event {ID} --federation {ID}"),
            "revoke anna arbiter --event the-open".to_owned(),
            "revoke anna arbiter --event 00000000-0000-0000-0000-000000000000".to_owned(),
        ] {
            assert!(parsed(&bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn lists_are_of_one_thing() {
        assert!(matches!(parsed("list anna"), Ok(Command::List(list)) if list.name.is_some()));
        assert!(matches!(parsed("list --platform"), Ok(Command::List(list)) if list.platform));
        assert!(
            matches!(parsed(&format!("list --event {ID}")), Ok(Command::List(list)) if list.event.is_some())
        );
        for bad in [
            "list".to_owned(),
            format!("list anna --event {ID}"),
            format!("list --event {ID} --federation {ID}"),
        ] {
            assert!(parsed(&bad).is_err(), "{bad}");
        }
    }
}
