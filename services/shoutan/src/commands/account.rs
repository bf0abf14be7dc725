//! `shoutan account`: accounts made from a script, and what is kept of whom.

use anyhow::Context as _;
use api::client::Credentials;
use serde_json::json;

use super::{
    blocks, own_data, password::PasswordArg, pauses, play::account, print, server::ServerArg, session::Who,
};

/// Makes accounts on a running platform, lists pauses of the queue, and gives out what it keeps of somebody.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Makes an account, with which one plays and which `--as` names.
    Create(Create),
    /// Writes everything that the platform keeps of you into one file of JSON.
    ///
    /// It has a section for each service: your account and its tokens; what federations keep of you, as a member, as an
    /// official, with your events and the papers on which you stand; your games, your ratings with every change, your pauses of the
    /// queue, the accounts that you have blocked, your challenges, and the games that you have arranged.
    Export(Box<own_data::Args>),
    /// Lists the times in which you do not queue, the latest first, with the game that you had spoiled.
    ///
    /// Who aborts a game that the queue has made, does not come to it, leaves it or lets his time pass does not queue for 10
    /// minutes, then for three times as long each time, for 3 days at most. For every 3 days without a pause one step is
    /// forgotten. None follows from a fault of the platform.
    Pauses(Box<Who>),
    /// Has you never meet an account again, in the queue or by a challenge. It is not told.
    Block(Box<blocks::Args>),
    /// Takes a block back.
    Unblock(Box<blocks::Args>),
    /// Lists the accounts that you have blocked, the latest first.
    Blocked(Box<Who>),
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
    /// A program plays with it: everybody sees that, for good, and it meets those alone who play bots.
    #[arg(long)]
    bot: bool,
    /// Prints JSON, for scripts.
    #[arg(long)]
    json: bool,
}

impl Command {
    /// Whether a script reads what is printed.
    pub(crate) const fn prints_json(&self) -> bool {
        match self {
            Command::Create(create) => create.json,
            Command::Export(args) => args.prints_json(),
            Command::Pauses(who) | Command::Blocked(who) => who.json,
            Command::Block(args) | Command::Unblock(args) => args.who.json,
        }
    }
}

/// Carries the command out.
pub(crate) async fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Create(create) => make(create).await,
        Command::Export(args) => own_data::run(*args).await,
        Command::Pauses(who) => pauses::run(*who).await,
        Command::Block(args) => blocks::set(*args, true).await,
        Command::Unblock(args) => blocks::set(*args, false).await,
        Command::Blocked(who) => blocks::run(*who).await,
    }
}

async fn make(Create { name, server, password, bot, json }: Create) -> anyhow::Result<()> {
    let server = server.reach().await?;
    let credentials = match account::new(&password, name.clone(), None).await? {
        Credentials::New { name, password } if bot => Credentials::Bot { name, password },
        credentials => credentials,
    };
    let player = server.sign_in(credentials).await.with_context(|| format!("making the account {name}"))?;
    let made = player.account().clone();
    // The session was opened with it, and is not asked for.
    let _signed_out = player.sign_out().await;
    print::one(json, &vec![("account", json!(made.id)), ("name", json!(made.name)), ("bot", json!(made.bot))])
}
