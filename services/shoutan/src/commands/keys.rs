//! `shoutan keys`: the keys that sign tokens.

use std::{io::Write as _, path::PathBuf};

use chassis::{Ambient, Database};

use shoutan::platform::{self, Service};

/// Looks after the keys that sign tokens.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Makes a new signing key. Running services take it up within seconds; tokens that the old one signed
    /// hold until they expire.
    Rotate(Args),
}

/// Where the identity service keeps its keys.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The data folder of the platform.
    #[arg(long, default_value = ".shoutan", env = "SHOUTAN_DATA")]
    data: PathBuf,
    /// The identity service's database, if it is not in the data folder.
    #[arg(long, env = "SHOUTAN_DATABASE")]
    database: Option<String>,
}

/// Carries the command out.
pub async fn run(command: Command) -> anyhow::Result<()> {
    let Command::Rotate(args) = command;
    let url = platform::database_url(Service::Identity, &args.data, args.database.as_deref());
    let database = Database::open(&url).await?;
    let kid = identity::admin::rotate(&database, &Ambient::system()).await?;
    writeln!(std::io::stdout().lock(), "tokens are now signed with key {kid}")?;
    Ok(())
}
