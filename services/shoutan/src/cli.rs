//! The command line.

use std::{ffi::OsString, io::Write as _, path::PathBuf, process::ExitCode};

use catalogue::Language;
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::{
    commands,
    config::{self, Settings},
    speech,
};

/// Play traditional board games over the network, and run the platform on which they are played.
#[derive(Debug, Parser)]
#[command(name = "shoutan", version, propagate_version = true)]
struct Cli {
    /// The language of help and of what is said when something is wrong, such as zh. When it is not said, that of the variable
    /// SHOUTAN_LANGUAGE or else of the locale (LC_ALL, LC_MESSAGES, LANG).
    ///
    /// A file that SHOUTAN_WORDS names may have other words, or another language. What is printed for scripts is the same in
    /// every language.
    // It is found before the rest is read, by `speech::begin`.
    #[arg(long = "language", id = speech::ID, value_name = "LANGUAGE", global = true, value_parser = speech::tag)]
    _language: Option<Language>,
    /// A file with settings (TOML), each under the name of its flag: `listen = "0.0.0.0:7400"`. The environment stands over it, and
    /// flags over both.
    ///
    /// A value may also be a table of nothing but the name of a file that holds it; and a variable such as SHOUTAN_DATABASE_FILE names
    /// a file with what SHOUTAN_DATABASE would be. `shoutan config print` shows what is in force.
    // It is read before the rest is, by `config::Settings`.
    #[arg(long, value_name = "FILE", global = true, env = config::VARIABLE)]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Runs the whole platform in one process on one port.
    Up(commands::up::Args),
    /// Runs one service, for a platform of several processes.
    Serve(Box<commands::serve::Args>),
    /// Shows which settings are in force.
    #[command(subcommand)]
    Config(commands::config::Command),
    /// Looks after the keys that sign tokens.
    #[command(subcommand)]
    Keys(commands::keys::Command),
    /// Looks after moderators of the platform, and after the roles of officials in games of events that are run elsewhere; those of a
    /// federation's event are given by `event appoint`.
    ///
    /// `federation officials grant` gives those of all events of a federation. What is granted here makes nobody an official of
    /// either. Moderators look at reports of how people play, by `moderate`.
    #[command(subcommand)]
    Roles(commands::roles::Command),
    /// Looks after what the first move and handicap stones are worth in ratings, beside the data of the platform.
    ///
    /// Ratings expect the first side of an even game to be stronger by the worth of the first move, and with a handicap of n by that
    /// of n - 1/2 stones. What is said holds for the games that end from its moment on, also when they are rated anew; nothing that
    /// was said is ever changed.
    #[command(subcommand)]
    Advantages(commands::advantages::Command),
    /// Reports who may lose on purpose, or lets others win, by what rated games say of him, beside the data of the platform.
    ///
    /// `alone` is who gives games up within a quarter of a usual one far more often than others do, without having lost just before;
    /// `streaks` who does it many times in a row; `company` with whom games end so far more often than his games with others do. Of
    /// a hundred honest players about one is reported, too: it is for a person to look at the games. Nobody is punished, and nothing
    /// is changed. Whoever loses on purpose scores more than expected in his other games; but so does who has become stronger.
    Scrutiny(commands::scrutiny::Args),
    /// Makes accounts.
    #[command(subcommand)]
    Account(commands::account::Command),
    /// Looks after federations: their clubs, members, teams and officials.
    Federation(Box<commands::federation::Args>),
    /// Runs events of federations: entries, rounds, results, tables, and their logs.
    ///
    /// The way of an event: `create`, `check … supplement-presented`, `adopt`, `advance` (to registration), `enter`, the other
    /// items of the checklist and `commit-seed`, `advance` (running); for each round `pair`, `publish` and `start`; then `advance`
    /// (closing), `report` and `assess`, `advance` (final). `show` says what is missing before the next stage.
    Event(Box<commands::event::Args>),
    /// Shows moderators of the platform reports of how people play, and has them do something about it.
    ///
    /// `shoutan roles grant NAME moderator --platform` makes somebody one. What moderators do is written down with its reason, for all
    /// of them to read; arbiters see the reports with games of their event, and decide nothing.
    Moderate(Box<commands::moderate::Args>),
    /// Shows what an account is told of events and federations: what begins, what waits for its answer, what was decided.
    Notices(commands::notices::Args),
    /// Shows all that concerns an account as it happens: queue, challenges, pauses, games and whose move it is, ratings, notices.
    Follow(commands::follow::Args),
    /// Makes calendars of rounds and agreed boards that a program of calendars follows, and ends them.
    Calendar(commands::calendar::Args),
    /// Posts papers of events and notices on notice boards, reads and withdraws them.
    Document(Box<commands::document::Args>),
    /// Runs leagues of federations: divisions, squads, seasons, and who goes up and down.
    ///
    /// A year: `rules --example > rules.json`, `create` once; `season add`, `place` everybody in a division, `open`; captains
    /// `register`; `start` makes an event of every division, which `shoutan event` runs to its end; `play-offs` makes those that
    /// are played for a place, `close` says who goes up and down, and `next` begins the next season from it.
    League(Box<commands::league::Args>),
    /// Publishes rating lists of federations, shows and verifies them.
    Ratings(Box<commands::rating_lists::Args>),
    /// Looks after titles and grades of federations, and who has them.
    Title(Box<commands::titles::Args>),
    /// Shows what a running platform can do.
    #[command(subcommand)]
    Demo(commands::demo::Command),
    /// Computes the clocks of a game anew from its log, and says where the log differs.
    Clocks(commands::clocks::Args),
    /// Writes all that a platform keeps into one file, while it runs: accounts, games, ratings, federations and events, as they are
    /// at one moment.
    ///
    /// For that moment, some milliseconds, nobody writes; everybody who acts then waits that long. The key that opens what is secret
    /// in the databases is not in it. Live state is not either: it is made anew.
    Backup(commands::backup::BackupArgs),
    /// Puts a backup into databases in which nothing is yet.
    ///
    /// Start the platform on them with the key of then, and on a Redis that is empty or with another --live-prefix. Running games go on
    /// from the moment of the backup, and their clocks with what they had then.
    Restore(commands::backup::RestoreArgs),
    /// Packs the logs of games that are over at once, which the platform does by itself a few at a time: into about a fifth of the room,
    /// and not a bit of any event changes.
    ///
    /// The platform may run meanwhile; those who play wait some milliseconds now and then.
    Pack(commands::pack::Args),
    /// Plans when the platform is worked on: from the begin of it to its end the clocks of all games stand still, and who asks for the
    /// time is told ahead. Without a flag, says what is planned.
    ///
    /// The platform may be stopped and started meanwhile, and need not run for this. Clocks go on at the end; if the platform does not
    /// run yet, when it does. In the log of every running game stands when it rested, and why.
    Maintenance(commands::maintenance::Args),
    /// Looks at what a platform needs and says what to do; replays all games and holds what is stored to them.
    Doctor(commands::doctor::Args),
    /// Prints every limit of the platform, with its setting and its reason.
    Limits,
    /// Prints everything that the processes of a platform measure of themselves.
    Metrics,
    /// Prints every reason for which a call is refused or fails, with its meaning and its remedy.
    Reasons,
    /// Plays and watches games in the terminal.
    Play(commands::play::Args),
    /// Asks others for a game: an account, whoever has a link, or anybody.
    ///
    /// A game that was accepted is played by `shoutan play --game`; both have five minutes to come to it.
    Challenge(Box<commands::challenge::Args>),
    /// Shows ratings of players: where they stand, who leads, how they moved, and what two came to.
    Player(commands::player::Args),
    /// Plays records through a server, exports and imports them.
    #[command(subcommand)]
    Record(commands::record::Command),
    /// Judges the pairings of a tournament report, and makes reports by chance.
    #[command(subcommand)]
    Pairing(commands::pairing::Command),
    /// Speaks the engine protocol over standard input and output, or checks a record.
    Rules(commands::rules::Args),
}

impl Command {
    /// Whether a script reads what is printed.
    const fn prints_json(&self) -> bool {
        match self {
            Command::Account(command) => command.prints_json(),
            Command::Federation(args) => args.prints_json(),
            Command::Event(args) => args.prints_json(),
            Command::Moderate(args) => args.prints_json(),
            Command::Notices(args) => args.prints_json(),
            Command::Follow(args) => args.prints_json(),
            Command::Calendar(args) => args.prints_json(),
            Command::Document(args) => args.prints_json(),
            Command::League(args) => args.prints_json(),
            Command::Ratings(args) => args.prints_json(),
            Command::Scrutiny(args) => args.prints_json(),
            Command::Title(args) => args.prints_json(),
            Command::Challenge(args) => args.prints_json(),
            Command::Player(args) => args.prints_json(),
            Command::Pack(args) => args.prints_json(),
            Command::Maintenance(args) => args.prints_json(),
            _ => false,
        }
    }
}

/// Carries out what the command line says, and ends the process's work.
pub fn run() -> ExitCode {
    chassis::install_crypto();
    let cli = match parse() {
        Ok(cli) => cli,
        Err(status) => return status,
    };
    let json = cli.command.prints_json();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return commands::failed(&error.into(), false),
    };
    let outcome = runtime.block_on(async {
        match cli.command {
            Command::Limits => commands::limits::run()?,
            Command::Metrics => commands::metrics::run()?,
            Command::Reasons => commands::reasons::run()?,
            Command::Config(command) => commands::config::run(&command)?,
            Command::Up(args) => commands::up::run(args).await?,
            Command::Serve(args) => commands::serve::run(*args).await?,
            Command::Keys(command) => commands::keys::run(command).await?,
            Command::Backup(args) => commands::backup::backup(args).await?,
            Command::Restore(args) => commands::backup::restore(args).await?,
            Command::Roles(command) => commands::roles::run(command).await?,
            Command::Scrutiny(args) => commands::scrutiny::run(args).await?,
            Command::Advantages(command) => commands::advantages::run(command).await?,
            Command::Account(command) => Box::pin(commands::account::run(command)).await?,
            Command::Federation(args) => Box::pin(commands::federation::run(*args)).await?,
            Command::Event(args) => return Box::pin(commands::event::run(*args)).await,
            Command::Challenge(args) => Box::pin(commands::challenge::run(*args)).await?,
            Command::Player(args) => Box::pin(commands::player::run(args)).await?,
            Command::Moderate(args) => Box::pin(commands::moderate::run(*args)).await?,
            Command::Notices(args) => Box::pin(commands::notices::run(args)).await?,
            Command::Follow(args) => Box::pin(commands::follow::run(args)).await?,
            Command::Calendar(args) => Box::pin(commands::calendar::run(args)).await?,
            Command::Document(args) => Box::pin(commands::document::run(*args)).await?,
            Command::League(args) => Box::pin(commands::league::run(*args)).await?,
            Command::Ratings(args) => Box::pin(commands::rating_lists::run(*args)).await?,
            Command::Title(args) => Box::pin(commands::titles::run(*args)).await?,
            Command::Demo(command) => Box::pin(commands::demo::run(command)).await?,
            // It holds whatever a person may do.
            Command::Play(args) => Box::pin(commands::play::run(args)).await?,
            Command::Record(command) => commands::record::run(command).await?,
            Command::Pack(args) => return commands::pack::run(args).await,
            Command::Maintenance(args) => commands::maintenance::run(args).await?,
            Command::Doctor(args) => return Box::pin(commands::doctor::run(args)).await,
            Command::Clocks(args) => return commands::clocks::run(args).await,
            Command::Pairing(command) => return commands::pairing::run(&command),
            Command::Rules(args) => return commands::rules::run(&args),
        }
        Ok(ExitCode::SUCCESS)
    });
    // What still runs on a thread of its own is not waited for: nothing that was acknowledged depends on it.
    runtime.shutdown_background();
    outcome.unwrap_or_else(|error: anyhow::Error| commands::failed(&error, json))
}

/// Reads the command line. Help, and what is wrong with the line, is said in the language of the person.
fn parse() -> Result<Cli, ExitCode> {
    let args: Vec<OsString> = std::env::args_os().collect();
    let speech = speech::begin(&args).map_err(|error| commands::failed(&error, false))?;
    let command = Cli::command();
    let settings = Settings::find(&args, |name| std::env::var_os(name), &command);
    let settings = settings.map_err(|error| commands::failed(&error, false))?;
    let command = settings.apply(command);
    let Some(speech) = speech else {
        let cli = command.try_get_matches_from(args).and_then(|matches| Cli::from_arg_matches(&matches));
        return cli.map_err(|said| said.exit());
    };
    let mut command = speech.help(command);
    let matches = command.try_get_matches_from_mut(args);
    let cli = matches.and_then(|matches| Cli::from_arg_matches(&matches));
    cli.map_err(|said| {
        let said = said.format(&mut command);
        let text = speech.of_clap(&said, &command);
        // Whoever does not listen any more misses nothing but this.
        let _told = if said.use_stderr() {
            write!(anstream::stderr().lock(), "{text}")
        } else {
            write!(anstream::stdout().lock(), "{text}")
        };
        ExitCode::from(u8::try_from(said.exit_code()).unwrap_or(u8::MAX))
    })
}

/// The whole tree of commands, with its help in English.
pub(crate) fn command() -> clap::Command {
    Cli::command()
}

#[cfg(test)]
mod tests {
    use std::{any::TypeId, collections::BTreeSet};

    use clap::{Arg, Command, CommandFactory as _};

    use super::Cli;

    #[test]
    fn the_command_line_is_sound_and_no_argument_of_a_sub_command_is_one_of_all() {
        let mut cli = Cli::command();
        cli.build();
        cli.clone().debug_assert();
        // A global argument would stand in for one of the same id further down.
        for command in cli.get_subcommands() {
            let all: BTreeSet<&str> = global(command).map(|argument| argument.get_id().as_str()).collect();
            let mut below: Vec<&Command> = command.get_subcommands().collect();
            while let Some(lower) = below.pop() {
                let own = lower.get_arguments().filter(|argument| !argument.is_global_set());
                for argument in own {
                    let id = argument.get_id().as_str();
                    assert!(!all.contains(id), "{} {} {id}", command.get_name(), lower.get_name());
                }
                below.extend(lower.get_subcommands());
            }
        }
        for name in ["federation", "event", "ratings"] {
            let command = cli.find_subcommand(name).expect("it is there");
            assert!(global(command).count() >= 4, "{name}: server, account, password and JSON");
        }
    }

    fn global(command: &Command) -> impl Iterator<Item = &Arg> {
        command.get_arguments().filter(|argument| argument.is_global_set())
    }

    #[test]
    fn help_shows_nothing_of_the_environment_in_which_a_password_may_stand() {
        let mut shown = Vec::new();
        let mut commands = vec![Cli::command()];
        while let Some(command) = commands.pop() {
            for argument in command.get_arguments().filter(|argument| argument.get_env().is_some()) {
                let free = argument.get_value_parser().type_id() == TypeId::of::<String>();
                if free && !argument.is_hide_env_values_set() {
                    shown.push(format!("{} --{}", command.get_name(), argument.get_id()));
                }
            }
            commands.extend(command.get_subcommands().cloned());
        }
        assert!(shown.is_empty(), "hide_env_values is missing at {shown:?}");
    }
}
