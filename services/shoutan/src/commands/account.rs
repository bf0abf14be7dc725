//! `shoutan account`: accounts made from a script.

use anyhow::Context as _;
use serde_json::json;

use super::{password::PasswordArg, play::account, print, server::ServerArg};

/// Makes accounts on a running platform.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Makes an account, with which one plays and which `--as` names.
    Create(Create),
}

/// Whose account, and where.
#[derive(Debug, clap::Args)]
pub(crate) struct Create {
    /// Its name: 2 to 24 letters, digits, "-" and "_".
    name: String,
    #[command(flatten)]
    server: ServerArg,
    /// Its password is asked for where it stands neither in a file nor in the environment.
    #[command(flatten)]
    password: PasswordArg,
    /// Prints JSON, for scripts.
    #[arg(long)]
    json: bool,
}

impl Command {
    /// Whether a script reads what is printed.
    pub(crate) const fn prints_json(&self) -> bool {
        let Command::Create(create) = self;
        create.json
    }
}

/// Carries the command out.
pub(crate) async fn run(command: Command) -> anyhow::Result<()> {
    let Command::Create(Create { name, server, password, json }) = command;
    let server = server.reach().await?;
    let credentials = account::new(&password, name.clone(), None).await?;
    let player = server.sign_in(credentials).await.with_context(|| format!("making the account {name}"))?;
    let made = player.account().clone();
    // The session was opened with it, and is not asked for.
    let _signed_out = player.sign_out().await;
    print::one(json, &vec![("account", json!(made.id)), ("name", json!(made.name))])
}
