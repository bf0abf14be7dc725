//! Leagues themselves: made, shown, listed, changed.

use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use api::federation::v1::{
    CreateLeagueRequest, GetLeagueRequest, League, ListLeaguesRequest, UpdateLeagueRequest,
};

use super::{
    event::settings,
    file::File,
    print,
    session::{Session, all, ask, mask, name},
    shown,
};
use crate::commands::terminal::say;

/// What is done with leagues.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Makes a league of a federation.
    Create {
        /// The federation's id.
        federation: String,
        /// The name in its own script.
        name: String,
        /// The name in Latin letters, where it is in others.
        #[arg(long)]
        latin: Option<String>,
        /// A file of rules; `shoutan league rules --example` prints one.
        #[arg(long, value_name = "FILE")]
        rules: PathBuf,
        /// Only says whether it could be made.
        #[arg(long)]
        dry_run: bool,
    },
    /// Prints the rules of a league as a file that can be changed and given to `update`; or a file to begin with.
    #[command(arg_required_else_help = true)]
    Rules {
        /// The league's id.
        league: Option<String>,
        /// In this version; the latest when it is not said.
        #[arg(long, value_name = "VERSION", default_value_t = 0, hide_default_value = true)]
        rules_version: u32,
        /// Prints a file to begin with, with comments.
        #[arg(long, conflicts_with = "league")]
        example: bool,
    },
    /// Shows a league.
    Show {
        /// The league's id.
        league: String,
    },
    /// Lists the leagues of a federation.
    List {
        /// The federation's id.
        federation: String,
    },
    /// Changes a league. New rules hold for seasons whose registration is opened from then on.
    Update {
        /// The league's id.
        league: String,
        /// The name in its own script.
        #[arg(long)]
        name: Option<String>,
        /// The name in Latin letters, where it is in others.
        #[arg(long, requires = "name")]
        latin: Option<String>,
        /// A file of rules.
        #[arg(long, value_name = "FILE")]
        rules: Option<PathBuf>,
    },
}

/// Carries the command out.
pub(super) async fn run(session: &Session, command: Command) -> anyhow::Result<()> {
    let (client, request_id) = (session.leagues(), session.new_id());
    let league = match command {
        Command::Create { federation: federation_id, name: native, latin, rules, dry_run } => {
            let rules = Some(settings::read::<File>(&rules)?.rules(session).await?);
            let name = Some(name(native, latin));
            let league = Some(League { federation_id, name, rules, ..Default::default() });
            let request = CreateLeagueRequest { league, request_id, validate_only: dry_run };
            let made = ask!(client, create_league, request)?.league;
            if dry_run && !session.json {
                return say("it can be made; nothing is written");
            }
            made
        }
        Command::Rules { league: None, .. } => return Err(anyhow!("name a league, or --example")),
        Command::Rules { league: Some(league_id), rules_version, .. } => {
            let request = GetLeagueRequest { league_id, rules_version };
            let league = ask!(client, get_league, request)?.league;
            let rules = league.and_then(|it| it.rules).context("the server's answer lacks the rules")?;
            return say(serde_json::to_string_pretty(&File::try_from(rules)?)?);
        }
        Command::Show { league: league_id } => {
            let request = GetLeagueRequest { league_id, rules_version: 0 };
            ask!(client, get_league, request)?.league
        }
        Command::List { federation: federation_id } => {
            let request = ListLeaguesRequest { federation_id, ..Default::default() };
            let found = all!(client.clone(), list_leagues, request, leagues);
            let records: Vec<_> = found.iter().map(shown::league).collect();
            return print::list(session.json, &records);
        }
        Command::Update { league: league_id, name: native, latin, rules } => {
            let update_mask = mask(&[("name", native.is_some()), ("rules", rules.is_some())])?;
            let rules = match rules {
                Some(file) => Some(settings::read::<File>(&file)?.rules(session).await?),
                None => None,
            };
            let name = native.map(|native| name(native, latin));
            let league = Some(League { league_id, name, rules, ..Default::default() });
            let request = UpdateLeagueRequest { league, update_mask, request_id, validate_only: false };
            ask!(client, update_league, request)?.league
        }
    };
    print::one(session.json, &shown::league(&league.context("the server's answer lacks the league")?))
}
