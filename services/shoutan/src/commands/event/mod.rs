//! `shoutan event`: events of federations, from the terminal.

mod arranging;
mod arranging_settings;
mod boards;
mod change;
mod collisions;
pub(crate) mod demo;
mod entries;
mod entry_file;
mod events;
mod example;
mod fair_play;
mod files;
mod incidents;
mod leave;
mod leave_settings;
mod line_ups;
mod log;
mod matches;
#[cfg(test)]
mod methods;
mod mine;
pub(super) mod next;
mod paper;
mod people;
mod play_off;
mod results;
mod roles;
mod rounds;
pub(super) mod settings;
pub(super) mod shown;
mod stages;
mod states;
mod table;
mod tables;
mod team_settings;
mod teams;
mod told;
mod verify;
pub(super) mod words;

use std::process::ExitCode;

use clap::Subcommand;

pub(super) use self::{results::moment, shown::hex};
use super::{
    print,
    session::{self, Session, Who},
    zone::{Zone, ZoneArg},
};

/// Runs events of federations, from their settings to their last table.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    who: Who,
    #[command(flatten)]
    zone: ZoneArg,
}

impl Args {
    /// Whether a script reads what is printed.
    pub(crate) const fn prints_json(&self) -> bool {
        self.who.json
    }
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Lists the events that the account takes part in: its next games, and where it stands.
    Mine(mine::Args),
    /// Shows what comes next for a player of an event: when, against whom, with which colour, whether to check in, and
    /// where he stands.
    Next(next::Args),
    #[command(flatten)]
    Events(events::Command),
    #[command(flatten)]
    Stages(stages::Command),
    #[command(flatten)]
    Entries(entries::Command),
    #[command(flatten)]
    States(states::Command),
    #[command(flatten)]
    Teams(teams::Command),
    #[command(flatten)]
    LineUps(line_ups::Command),
    #[command(flatten)]
    Rounds(rounds::Command),
    #[command(flatten)]
    Matches(matches::Command),
    #[command(flatten)]
    Results(results::Command),
    #[command(flatten)]
    Arranging(arranging::Command),
    /// Leave: days for which a player or a team has said ahead that it does not play.
    #[command(subcommand)]
    Leave(leave::Command),
    /// Incidents: what happened beside the boards, who ruled on it, and who appealed. What happens during a game is of
    /// that game.
    #[command(subcommand)]
    Incident(incidents::Command),
    #[command(flatten)]
    FairPlay(fair_play::Command),
    /// Prints what stands beside the log, for officials: reasons, reports, assessments. The log has their hashes.
    Notes(incidents::Notes),
    /// Follows how all boards of a round stand: a line for each that has changed, until the round is over.
    Boards(boards::Args),
    /// Prints the table: who stands where, and why.
    Standings(table::Args),
    /// Makes a paper of the event, as a page that prints on A4: pairings, slips for results, tables, lists.
    Paper(paper::Args),
    #[command(flatten)]
    Files(files::Command),
    #[command(flatten)]
    Log(log::Command),
    /// Works an event out again from its whole log: the chain, every pairing, every draw, every table. The tables that a
    /// server tells are held to it; of a file the last one is printed. Ends with 0 when all is well, 1 when something was
    /// found, 2 when the log cannot be believed.
    Verify(verify::Args),
    /// Prints who may do what in an event, and in which stages of it.
    ///
    /// The offices of an event are given with `shoutan event appoint`, those of a whole federation, which hold in each of its
    /// events, with `shoutan federation officials grant`; `shoutan roles` shows what identity knows of them.
    Roles,
}

/// Carries the command out.
pub(crate) async fn run(args: Args) -> anyhow::Result<ExitCode> {
    let json = args.who.json;
    match &args.command {
        Command::Roles => return roles::print(json).map(|()| ExitCode::SUCCESS),
        Command::Events(events::Command::Settings { example: Some(format), event: None }) => {
            return super::terminal::say(example::text(format).trim_end()).map(|()| ExitCode::SUCCESS);
        }
        Command::Verify(verify) => {
            if let Some(code) = verify::file(verify, json)? {
                return Ok(code);
            }
        }
        _ => {}
    }
    let mut session = Session::open(&args.who).await?;
    session.zone = args.zone.get();
    let done = carry_out(&session, args.command).await;
    session.close().await;
    done
}

async fn carry_out(session: &Session, command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Mine(args) => mine::run(session, args).await?,
        Command::Next(args) => next::run(session, args).await?,
        Command::Events(command) => events::run(session, command).await?,
        Command::Stages(command) => stages::run(session, command).await?,
        Command::Entries(command) => return entries::run(session, command).await,
        Command::States(command) => states::of_player(session, command).await?,
        Command::Teams(command) => teams::run(session, command).await?,
        Command::LineUps(command) => line_ups::run(session, command).await?,
        Command::Matches(command) => matches::run(session, command).await?,
        Command::Rounds(command) => rounds::run(session, command).await?,
        Command::Arranging(command) => arranging::run(session, command).await?,
        Command::Leave(command) => leave::run(session, command).await?,
        Command::Results(command) => results::run(session, command).await?,
        Command::Incident(command) => incidents::run(session, command).await?,
        Command::FairPlay(command) => fair_play::run(session, command).await?,
        Command::Notes(args) => incidents::notes(session, args).await?,
        Command::Boards(args) => boards::run(session, args).await?,
        Command::Standings(args) => table::run(session, args).await?,
        Command::Files(command) => files::run(session, command).await?,
        Command::Paper(args) => paper::run(session, args).await?,
        Command::Log(command) => log::run(session, command).await?,
        Command::Verify(args) => return verify::event(session, args).await,
        Command::Roles => roles::print(session.json)?,
    }
    Ok(ExitCode::SUCCESS)
}
