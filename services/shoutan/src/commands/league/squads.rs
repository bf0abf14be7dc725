//! Who plays in which division, and with which squad.

use anyhow::Context as _;
use api::federation::v1::{
    ListSquadsRequest, PlaceEntrantRequest, RegisterSquadRequest, Squad, StayDownRequest, TeamMember,
    TeamPart, WithdrawSquadRequest,
};

use super::{
    print,
    session::{Session, all, ask},
    shown,
};

/// What is done with squads.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Places a team, or a member where players enter for themselves, in a division.
    Place {
        #[command(flatten)]
        of: Of,
        /// The division, from 1 at the top.
        #[arg(value_parser = clap::value_parser!(u32).range(1..))]
        division: u32,
        /// Why, where that is to be known.
        #[arg(long, default_value = "")]
        reason: String,
    },
    /// Takes somebody out of a season that has not started.
    Remove {
        #[command(flatten)]
        of: Of,
        /// Why, where that is to be known.
        #[arg(long, default_value = "")]
        reason: String,
    },
    /// Registers the squad of a team, by its captain or an official; those who are in the team now when nobody is named. While
    /// the season runs it changes the squad, in a transfer window, or by an official with a reason.
    Register {
        #[command(flatten)]
        of: Of,
        /// The ids of those who play, in the order of boards, with "," between them.
        #[arg(long, value_name = "IDS", value_delimiter = ',')]
        players: Vec<String>,
        /// The ids of the reserves, with "," between them.
        #[arg(long, value_name = "IDS", value_delimiter = ',', requires = "players")]
        reserves: Vec<String>,
        /// Why, where an official changes a squad outside the transfer windows.
        #[arg(long, default_value = "")]
        reason: String,
    },
    /// Withdraws a squad before the season starts; afterwards it is `shoutan event team withdraw`.
    Withdraw {
        #[command(flatten)]
        of: Of,
        /// Why, where that is to be known.
        #[arg(long, default_value = "")]
        reason: String,
    },
    /// Says that somebody does not want to go up.
    StayDown {
        #[command(flatten)]
        of: Of,
        /// Says that he wants to after all.
        #[arg(long)]
        no_more: bool,
    },
    /// Lists who plays in which division of a season, and which squads are registered.
    Squads {
        /// The season's id.
        season: String,
    },
}

/// Whose squad of which season.
#[derive(Debug, clap::Args)]
pub(super) struct Of {
    /// The season's id.
    season: String,
    /// The id of the team, or of the member where players enter for themselves.
    entrant: String,
}

/// Carries the command out.
pub(super) async fn run(session: &Session, command: Command) -> anyhow::Result<()> {
    let (client, request_id, validate_only) = (session.leagues(), session.new_id(), false);
    let squad: Option<Squad> = match command {
        Command::Place { of: Of { season: season_id, entrant: entrant_id }, division, reason } => {
            let request =
                PlaceEntrantRequest { season_id, entrant_id, division, reason, request_id, validate_only };
            ask!(client, place_entrant, request)?.squad
        }
        Command::Remove { of: Of { season: season_id, entrant: entrant_id }, reason } => {
            let division = 0;
            let request =
                PlaceEntrantRequest { season_id, entrant_id, division, reason, request_id, validate_only };
            ask!(client, place_entrant, request)?.squad
        }
        Command::Register { of, players, reserves, reason } => {
            let Of { season: season_id, entrant: entrant_id } = of;
            let members = members(&players, TeamPart::Player).chain(members(&reserves, TeamPart::Substitute));
            let members = members.collect();
            let request = RegisterSquadRequest {
                season_id,
                entrant_id,
                members,
                revision: 0,
                request_id,
                validate_only,
                reason,
            };
            ask!(client, register_squad, request)?.squad
        }
        Command::Withdraw { of: Of { season: season_id, entrant: entrant_id }, reason } => {
            let request = WithdrawSquadRequest { season_id, entrant_id, reason, request_id, validate_only };
            ask!(client, withdraw_squad, request)?.squad
        }
        Command::StayDown { of: Of { season: season_id, entrant: entrant_id }, no_more } => {
            let stays_down = !no_more;
            let request = StayDownRequest { season_id, entrant_id, stays_down, request_id, validate_only };
            ask!(client, stay_down, request)?.squad
        }
        Command::Squads { season: season_id } => {
            let request = ListSquadsRequest { season_id, ..Default::default() };
            let found = all!(client.clone(), list_squads, request, squads);
            let names = shown::names(session, found.iter().map(|it| &*it.entrant_id)).await?;
            let records: Vec<_> = found.iter().map(|it| shown::squad(it, &names)).collect();
            return print::list(session.json, &records);
        }
    };
    let squad = squad.context("the server's answer lacks the squad")?;
    let names = shown::names(session, std::iter::once(&*squad.entrant_id)).await?;
    print::one(session.json, &shown::squad(&squad, &names))
}

fn members(ids: &[String], part: TeamPart) -> impl Iterator<Item = TeamMember> {
    ids.iter().map(move |member_id| TeamMember { member_id: member_id.clone(), part: part.into() })
}
