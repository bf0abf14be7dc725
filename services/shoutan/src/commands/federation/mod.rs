//! `shoutan federation`: federations, their clubs, members, teams and officials, from the terminal.

mod clubs;
mod federations;
mod joining;
mod members;
mod officials;
mod print;
mod proxies;
mod session;
mod shown;
mod teams;

use clap::Subcommand;

use super::{password::PasswordArg, server::ServerArg};
use session::Session;

/// Looks after federations, their clubs, members, teams and officials.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    server: ServerArg,
    /// The name of the account that acts. Whoever only looks at what is public needs none.
    // Its id is no argument's of a sub-command: a global one would stand in for that.
    #[arg(long = "as", id = "acting-account", value_name = "NAME", global = true)]
    acting: Option<String>,
    #[command(flatten)]
    password: PasswordArg,
    /// Prints JSON, for scripts: an object, or an array of objects.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[command(flatten)]
    Federations(federations::Command),
    /// Clubs.
    #[command(subcommand)]
    Club(clubs::Command),
    /// Members: people of a federation, with or without an account.
    #[command(subcommand)]
    Member(Box<members::Command>),
    /// Teams.
    #[command(subcommand)]
    Team(teams::Command),
    /// Officials of a whole federation.
    #[command(subcommand)]
    Officials(officials::Command),
    /// Who acts for members that have no device.
    #[command(subcommand)]
    Proxy(proxies::Command),
    #[command(flatten)]
    Joining(joining::Command),
}

/// Carries the command out.
pub(crate) async fn run(args: Args) -> anyhow::Result<()> {
    let session = Session::open(&args).await?;
    let done = match args.command {
        Command::Federations(command) => federations::run(&session, command).await,
        Command::Club(command) => clubs::run(&session, command).await,
        Command::Member(command) => members::run(&session, *command).await,
        Command::Team(command) => teams::run(&session, command).await,
        Command::Officials(command) => officials::run(&session, command).await,
        Command::Proxy(command) => proxies::run(&session, command).await,
        Command::Joining(command) => joining::run(&session, command).await,
    };
    session.close().await;
    done
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::{Args as _, Command};

    use super::*;

    #[test]
    fn no_argument_of_a_sub_command_is_one_of_all() {
        let command = Args::augment_args(Command::new("federation"));
        let all = command.get_arguments().filter(|argument| argument.is_global_set());
        let all: BTreeSet<String> = all.map(|argument| argument.get_id().to_string()).collect();
        let mut below: Vec<&Command> = command.get_subcommands().collect();
        while let Some(command) = below.pop() {
            for argument in command.get_arguments() {
                assert!(
                    !all.contains(argument.get_id().as_str()),
                    "{} {}",
                    command.get_name(),
                    argument.get_id()
                );
            }
            below.extend(command.get_subcommands());
        }
        assert_eq!(all.len(), 4, "{all:?}");
    }
}
