//! Teams.

use anyhow::Context as _;
use api::federation::v1::{
    CreateTeamRequest, DeleteTeamRequest, GetTeamRequest, ListTeamsRequest, Team, TeamMember, TeamPart,
    UpdateTeamRequest,
};

use super::{
    print,
    session::{Session, all, ask, mask, name},
    shown::Shown as _,
};

/// What is done with teams.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Forms a team.
    Add {
        /// The federation's id.
        federation: String,
        /// The name in its own script.
        name: String,
        #[command(flatten)]
        about: About,
    },
    /// Lists the teams of a federation.
    List {
        /// The federation's id.
        federation: String,
        /// Only those whose name begins like this.
        #[arg(default_value = "")]
        prefix: String,
        /// Only those of this club; its id.
        #[arg(long, default_value = "")]
        club: String,
        /// Only those with this member; the id.
        #[arg(long, default_value = "")]
        member: String,
        /// Also disbanded ones.
        #[arg(long)]
        all: bool,
    },
    /// Shows a team.
    Show {
        /// The team's id.
        team: String,
    },
    /// Changes a team. Its captain may change the players and the substitutes.
    Edit {
        /// The team's id.
        team: String,
        /// The name in its own script.
        #[arg(long)]
        name: Option<String>,
        #[command(flatten)]
        about: About,
    },
    /// Disbands a team for good.
    Disband {
        /// The team's id.
        team: String,
    },
}

/// What there is to a team beside the name.
#[derive(Debug, clap::Args)]
pub(super) struct About {
    /// The name in Latin letters, where it is in others.
    #[arg(long)]
    latin: Option<String>,
    /// The id of its club.
    #[arg(long)]
    club: Option<String>,
    /// The id of the member who is captain.
    #[arg(long)]
    captain: Option<String>,
    /// The ids of those who play, in the order of boards, with "," between them.
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    players: Vec<String>,
    /// The ids of the substitutes, with "," between them.
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    substitutes: Vec<String>,
}

impl About {
    fn team(&self) -> Team {
        let part = |part: TeamPart| {
            move |member_id: &String| TeamMember { member_id: member_id.clone(), part: part.into() }
        };
        let players = self.players.iter().map(part(TeamPart::Player));
        let members = players.chain(self.substitutes.iter().map(part(TeamPart::Substitute))).collect();
        Team {
            club_id: self.club.clone().unwrap_or_default(),
            captain_id: self.captain.clone().unwrap_or_default(),
            members,
            ..Team::default()
        }
    }
}

/// Carries the command out.
pub(super) async fn run(session: &Session, command: Command) -> anyhow::Result<()> {
    let (client, request_id) = (session.federations(), session.new_id());
    let team = match command {
        Command::Add { federation: federation_id, name: native, about } => {
            let name = Some(name(native, about.latin.clone()));
            let team = Team { federation_id, name, ..about.team() };
            let request = CreateTeamRequest { team: Some(team), request_id, validate_only: false };
            ask!(client, create_team, request)?.team
        }
        Command::List { federation, prefix, club, member, all } => {
            let request = ListTeamsRequest {
                federation_id: federation,
                club_id: club,
                member_id: member,
                name_prefix: prefix,
                show_disbanded: all,
                ..Default::default()
            };
            let found = all!(client.clone(), list_teams, request, teams);
            let records: Vec<_> = found.iter().map(|team: &Team| team.record()).collect();
            return print::list(session.json, &records);
        }
        Command::Show { team: team_id } => ask!(client, get_team, GetTeamRequest { team_id })?.team,
        Command::Edit { team: team_id, name: native, about } => {
            let fields = [
                ("name", native.is_some()),
                ("club_id", about.club.is_some()),
                ("captain_id", about.captain.is_some()),
                ("members", !about.players.is_empty() || !about.substitutes.is_empty()),
            ];
            let latin = about.latin.clone();
            let name = native.map(|native| name(native, latin));
            let team = Team { team_id, name, ..about.team() };
            let update_mask = mask(&fields)?;
            let request =
                UpdateTeamRequest { team: Some(team), update_mask, request_id, validate_only: false };
            ask!(client, update_team, request)?.team
        }
        Command::Disband { team: team_id } => {
            let request = DeleteTeamRequest { team_id, request_id, ..Default::default() };
            ask!(client, delete_team, request)?.team
        }
    };
    print::one(session.json, &team.context("the server's answer lacks the team")?.record())
}
