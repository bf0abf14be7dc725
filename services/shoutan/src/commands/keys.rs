//! `shoutan keys`: the keys that sign tokens, and the key that seals them in the database.

use std::io::{self, Write as _};

use anyhow::Context as _;
use chassis::{
    Database, Env,
    vault::{KEY_BYTES, key_text},
};

use crate::{data::DataArgs, platform::Service, vault::KeyArgs};

/// The services that keep secrets sealed.
const SEALING: [&str; 3] = ["identity", "game", "federation"];

/// Looks after the keys that sign tokens, and the key that seals what is secret in the databases.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Makes a new signing key. Running services take it up within seconds; tokens that the old one signed
    /// hold until they expire.
    Rotate(Args),
    /// Prints a new key for --key-file or SHOUTAN_KEY.
    Make,
    /// Puts a new key before those of the key file and seals everything with it. Running services follow by
    /// themselves. The old keys stay in the file, for backups; take them out when there are none of their time.
    Renew(Sealed),
    /// Seals with the first key what is sealed with another.
    Reseal(Sealed),
}

/// Where the identity service keeps its keys.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    keys: KeyArgs,
}

/// Where secrets are kept sealed.
#[derive(Debug, clap::Args)]
pub(crate) struct Sealed {
    /// The services whose secrets are meant: those with a database of their own are named one at a time.
    #[arg(long, value_delimiter = ',', default_values = SEALING, value_parser = SEALING)]
    service: Vec<String>,
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    keys: KeyArgs,
}

/// Carries the command out.
pub(crate) async fn run(command: Command) -> anyhow::Result<()> {
    let env = Env::system();
    let said = match command {
        Command::Rotate(args) => rotate(args, &env).await?,
        Command::Make => key_text(&env.bytes::<KEY_BYTES>()),
        Command::Renew(sealed) => {
            let file = sealed.keys.renew(&sealed.data.folder, &env)?;
            let count = reseal(&sealed, &env).await?;
            format!("a new key is the first of {}; {count}", file.display())
        }
        Command::Reseal(sealed) => reseal(&sealed, &env).await?,
    };
    writeln!(io::stdout().lock(), "{said}")?;
    Ok(())
}

async fn rotate(args: Args, env: &Env) -> anyhow::Result<String> {
    let url = args.data.url(Service::Identity);
    let vault = args.keys.vault(&args.data.folder, env)?;
    let database = Database::open(&url).await?;
    let kid = identity::admin::rotate(&database, &vault, env).await?;
    Ok(format!("tokens are now signed with key {kid}"))
}

async fn reseal(sealed: &Sealed, env: &Env) -> anyhow::Result<String> {
    let Sealed { service, data, keys } = sealed;
    let vault = keys.vault(&data.folder, env)?;
    let mut count = 0;
    for service in service {
        let which = match service.as_str() {
            "game" => Service::Game,
            "federation" => Service::Federation,
            _ => Service::Identity,
        };
        let database = data.open_beside(which).await?;
        let sealed = match which {
            Service::Game => game::admin::reseal(&database, &vault).await.map_err(anyhow::Error::from),
            Service::Federation => {
                federation::admin::reseal(&database, &vault).await.map_err(anyhow::Error::from)
            }
            _ => identity::admin::reseal(&database, &vault).await.map_err(anyhow::Error::from),
        };
        count += sealed.with_context(|| format!("sealing the secrets of {service}"))?;
    }
    Ok(format!("secrets sealed with key {}: {count}", vault.key_id()))
}
