//! Teams of events: entered, listed, and what they are to the event.

use api::federation::v1::{EntrantStatus, Event, EventTeam, ListTeamsRequest, Team};
use serde_json::{Value, json};

use super::{
    change::{Target, change, event, told},
    entry_file::Roster,
    people::People,
    print,
    session::{Session, all},
    states::{self, status_text},
};

/// What is done with teams.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Enters a team, by its captain or an official. Whoever enters it accepts the supplement for all of it.
    EnterTeam(Enter),
    /// Gives a team another captain, whose line-ups are the team's from then on; the captain before him is refused.
    Captain {
        #[command(flatten)]
        target: Target,
        /// The number of the team.
        team: u32,
        /// Its captain from now on: a member of the federation who has an account, by id or name.
        member: String,
        /// Why; kept beside the log, for officials.
        #[arg(long, default_value = "")]
        reason: String,
    },
    /// Lists the teams that have entered, with their players, board 1 first.
    Teams {
        /// The event's id.
        event: String,
    },
    /// Says who plays for a team, and what it is to the event: away for a round, gone, back.
    #[command(subcommand)]
    Team(OfTeam),
}

/// What is said of a team.
#[derive(Debug, clap::Subcommand)]
pub(super) enum OfTeam {
    /// Gives a team other players while the event runs, by its captain or an official: whoever is named is in it from the
    /// first round on whose boards are not laid, and whoever is not named leaves it.
    Players(NewRoster),
    #[command(flatten)]
    State(states::Command),
}

/// Who plays for a team from now on.
#[derive(Debug, clap::Args)]
pub(super) struct NewRoster {
    #[command(flatten)]
    target: Target,
    /// All of its players by id or name, board 1 first, with "," between them.
    #[arg(required = true, value_delimiter = ',')]
    players: Vec<String>,
    /// All of its reserves by id or name, the strongest first, with "," between them.
    #[arg(long, value_delimiter = ',')]
    reserves: Vec<String>,
    /// The number of the team; when it is not said, the one whose captain the account is.
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    number: u32,
    /// The version of the supplement that is accepted for who is new; as it stands when it is not said.
    #[arg(long, value_name = "VERSION")]
    supplement: Option<u32>,
    /// Why; kept beside the log, for officials, who give one.
    #[arg(long, default_value = "")]
    reason: String,
}

/// Which team enters.
#[derive(Debug, clap::Args)]
pub(super) struct Enter {
    #[command(flatten)]
    target: Target,
    /// The id of the team, or its name as the federation has it.
    team: String,
    /// Its players in this event by id or name, board 1 first, with "," between them; those of the team when nobody is
    /// named.
    #[arg(long, value_delimiter = ',')]
    players: Vec<String>,
    /// Its reserves by id or name, the strongest first, with "," between them.
    #[arg(long, value_delimiter = ',', requires = "players")]
    reserves: Vec<String>,
    /// Numbers of what it shares with others, such as a region; for officials.
    #[arg(long, value_delimiter = ',')]
    affiliations: Vec<u32>,
    /// The version of the supplement that is accepted; as it stands when it is not said.
    #[arg(long, value_name = "VERSION")]
    supplement: Option<u32>,
}

/// Carries the command out.
pub(super) async fn run(session: &Session, command: Command) -> anyhow::Result<()> {
    match command {
        Command::EnterTeam(enter) => entered(session, enter).await,
        Command::Captain { target, team, member, reason } => {
            let before = event(session, &target.event).await?;
            let member_id = Roster::of(session, &before).await?.find(&member)?;
            let after =
                change!(session, target, change_captain(ChangeCaptainRequest { team, member_id, reason }))?;
            told(session, &target, &after).await
        }
        Command::Teams { event } => list(session, &event).await,
        Command::Team(OfTeam::Players(players)) => change_players(session, players).await,
        Command::Team(OfTeam::State(command)) => states::of_team(session, command).await,
    }
}

async fn change_players(session: &Session, asked: NewRoster) -> anyhow::Result<()> {
    let NewRoster { target, players, reserves, number, supplement, reason } = asked;
    let before = event(session, &target.event).await?;
    let supplement_version = supplement.unwrap_or(before.supplement_version);
    let team = if number == 0 { states::own_team(session, &target.event).await? } else { number };
    let roster = Roster::of(session, &before).await?;
    let (player_ids, reserve_ids) = (roster.find_all(&players)?, roster.find_all(&reserves)?);
    let after = change!(
        session,
        target,
        change_roster(ChangeRosterRequest { team, player_ids, reserve_ids, supplement_version, reason })
    )?;
    told(session, &target, &after).await
}

async fn entered(session: &Session, enter: Enter) -> anyhow::Result<()> {
    let Enter { target, team, players, reserves, affiliations, supplement } = enter;
    let before = event(session, &target.event).await?;
    let supplement_version = supplement.unwrap_or(before.supplement_version);
    let team_id = team_named(session, &before, team).await?;
    let (player_ids, reserve_ids) = if players.is_empty() {
        (Vec::new(), Vec::new())
    } else {
        let roster = Roster::of(session, &before).await?;
        (roster.find_all(&players)?, roster.find_all(&reserves)?)
    };
    let after = change!(
        session,
        target,
        enter_team(EnterTeamRequest { team_id, player_ids, reserve_ids, supplement_version, affiliations })
    )?;
    told(session, &target, &after).await
}

/// The id of a team that is named by it or by its name.
async fn team_named(session: &Session, event: &Event, named: String) -> anyhow::Result<String> {
    if uuid::Uuid::try_parse(&named).is_ok() {
        return Ok(named);
    }
    let request = ListTeamsRequest {
        federation_id: event.federation_id.clone(),
        name_prefix: named.clone(),
        ..Default::default()
    };
    let found: Vec<Team> = all!(session.federations(), list_teams, request, teams);
    let is_called =
        |team: &&Team| team.name.as_ref().is_some_and(|it| it.native == named || it.latin == named);
    let mut called = found.iter().filter(is_called);
    match (called.next(), called.count()) {
        (None, _) => anyhow::bail!("no team of the federation is called {named}"),
        (Some(team), 0) => Ok(team.team_id.clone()),
        (Some(_), others) => anyhow::bail!("{} teams are called {named}: name one by its id", others + 1),
    }
}

async fn list(session: &Session, id: &str) -> anyhow::Result<()> {
    let mut people = People::of(session, &event(session, id).await?).await?;
    let captains: Vec<String> = people.teams.values().map(|it| it.captain_account_id.clone()).collect();
    people.look_up(session, captains).await?;
    let records: Vec<_> = people.teams.values().map(|team| record(session.json, team, &people)).collect();
    print::list(session.json, &records)
}

/// A team; for scripts its people by their numbers.
fn record(json: bool, team: &EventTeam, people: &People) -> print::Record {
    let members = |numbers: &[u32]| {
        if json {
            json!(numbers)
        } else {
            json!(numbers.iter().map(|it| people.player(*it)).collect::<Vec<_>>())
        }
    };
    let statuses = team.statuses.iter().map(|it: &EntrantStatus| Value::String(status_text(*it)));
    vec![
        ("number", json!(team.number)),
        ("name", json!(people.team_name(team.number))),
        ("captain", json!(people.account(&team.captain_account_id))),
        ("players", members(&team.players)),
        ("reserves", members(&team.reserves)),
        ("affiliations", json!(team.affiliations)),
        ("accepted", json!(team.accepted_version)),
        ("status", Value::Array(statuses.collect())),
        ("changes", json!(team.roster_changes)),
        ("former", members(&team.former)),
        ("team", json!(team.team_id)),
    ]
}
