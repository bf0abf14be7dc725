//! A league with its teams, and what its organisers do with it.

use std::{sync::Arc, time::Duration};

use api::{
    client::RetryPolicy,
    federation::v1::{
        self as pb, event_service_client::EventServiceClient, league_service_client::LeagueServiceClient,
    },
    time::duration,
    time_control::TimeControl,
    transport::Transport,
};
use chassis::{auth::Caller, testing::as_account};
use tonic::Status;

use super::calendar::Calendar;
use crate::{
    event::{Founder, account, name},
    network::Face,
    rng::Rng,
    topology::{End, Service},
    world::World,
};

/// The teams, in the order in which they are placed in the first season.
pub(super) const NAMES: [&str; 8] = ["Ants", "Bears", "Cranes", "Deer", "Eagles", "Foxes", "Geese", "Hares"];
/// Boards of a match; a team has one player more, who is its reserve.
pub(super) const BOARDS: usize = 2;
/// How long a round is open.
pub(super) const WINDOW: Duration = Duration::from_hours(24 * 14);
/// How long a proposal waits for its answer.
pub(super) const ANSWER: Duration = Duration::from_hours(48);
/// How long before the deadline captains are reminded.
pub(super) const REMINDERS: [Duration; 2] = [Duration::from_hours(24 * 7), Duration::from_hours(24 * 2)];
/// How long a call is made again that is not answered: longer than any trouble.
pub(super) const PATIENCE: RetryPolicy = RetryPolicy(Duration::from_mins(3));

/// A team: its players, of whom the first is its captain.
#[derive(Clone, Debug)]
pub(super) struct Side {
    pub named: &'static str,
    pub team: String,
    pub members: Vec<pb::TeamMember>,
    pub players: Vec<Caller>,
}

/// A league in a federation, with its officials and teams.
#[derive(Debug)]
pub(super) struct League {
    pub world: Arc<World>,
    pub calendar: Arc<Calendar>,
    pub rng: Rng,
    pub founder: Caller,
    pub chief: Caller,
    pub arbiter: Caller,
    pub id: String,
    pub federation: String,
    pub sides: Vec<Side>,
}

/// Calls a method until it is answered.
macro_rules! ask {
    ($client:expr, $method:ident, $request:expr) => {{
        let (client, request) = ($client, $request);
        let call = || async { client.clone().$method(request.clone()).await };
        api::client::with_retry(crate::year::league::PATIENCE, call).await
    }};
}
pub(super) use ask;

/// Calls a method of changes of leagues, with an id for the request.
macro_rules! act {
    ($of:expr, $who:expr, $method:ident($request:ident { $($field:ident $(: $value:expr)?),* $(,)? }) -> $answer:ident) => {{
        let request =
            pb::$request { request_id: $of.new_id(), $($field $(: $value)?,)* ..Default::default() };
        ask!($of.leagues($who), $method, request).map(|answer| answer.$answer.unwrap_or_default())
    }};
}

/// Calls a method of changes of an event, with an id for the request.
macro_rules! change {
    ($of:expr, $event:expr, $who:expr, $method:ident($request:ident { $($field:ident $(: $value:expr)?),* $(,)? })) => {{
        let request = api::federation::v1::$request {
            event_id: $event.to_owned(),
            request_id: $of.new_id(),
            $($field $(: $value)?,)*
            ..Default::default()
        };
        crate::year::league::ask!($of.events($who), $method, request)
    }};
}
pub(super) use change;

impl League {
    /// A league with its eight teams, before there is any trouble.
    pub(super) async fn new(
        world: &Arc<World>,
        calendar: Arc<Calendar>,
        by_match: bool,
    ) -> Result<League, Status> {
        let founder = account(world, "anna").await?;
        let (chief, arbiter) = (account(world, "boris").await?, account(world, "chen").await?);
        let founding = Founder::new(world, &founder).await?;
        let mut sides = Vec::new();
        for named in NAMES {
            let (mut players, mut ids) = (Vec::new(), Vec::new());
            for number in 1..=BOARDS + 1 {
                let player = account(world, &format!("{named}-{number}")).await?;
                ids.push(founding.enrol(&player.name, &player.id.to_string()).await?);
                players.push(player);
            }
            let team = founding.form(named, &ids).await?;
            let part = |at| if at < BOARDS { pb::TeamPart::Player } else { pb::TeamPart::Substitute };
            let member = |(at, member_id)| pb::TeamMember { member_id, part: part(at).into() };
            let members = ids.into_iter().enumerate().map(member).collect();
            sides.push(Side { named, team, members, players });
        }
        let federation = founding.federation.clone();
        let (world, rng) = (Arc::clone(world), world.rng("captains"));
        let mut league =
            League { world, calendar, rng, founder, chief, arbiter, id: String::new(), federation, sides };
        let made = pb::League {
            federation_id: league.federation.clone(),
            name: name("City League"),
            rules: Some(league.rules(by_match)),
            ..Default::default()
        };
        let made = act!(league, &league.founder, create_league(CreateLeagueRequest { league: Some(made) }) -> league);
        league.id = made?.league_id;
        Ok(league)
    }

    /// From the next season on captains agree on one time for a match, or players on one for each board.
    pub(super) async fn agree_by_match(&self, by_match: bool) -> Result<(), Status> {
        let league = pb::League {
            league_id: self.id.clone(),
            rules: Some(self.rules(by_match)),
            ..Default::default()
        };
        let update_mask = Some(prost_types::FieldMask { paths: vec!["rules".to_owned()] });
        let league = Some(league);
        act!(self, &self.founder, update_league(UpdateLeagueRequest { league, update_mask }) -> league)
            .map(drop)
    }

    /// A season, made from the one before if there is one.
    pub(super) async fn season(&self, named: &str, from: &str) -> Result<pb::Season, Status> {
        let season = pb::Season {
            league_id: self.id.clone(),
            name: name(named),
            from_season_id: from.to_owned(),
            ..Default::default()
        };
        act!(self, &self.founder, create_season(CreateSeasonRequest { season: Some(season) }) -> season)
    }

    /// Takes a season to its next state.
    pub(super) async fn advance(&self, season: &str, to: pb::SeasonState) -> Result<pb::Season, Status> {
        let (season_id, state, reason) = (season.to_owned(), to.into(), "it is time".to_owned());
        act!(self, &self.founder, advance_season(AdvanceSeasonRequest { season_id, state, reason }) -> season)
    }

    /// Places the teams of a season that follows none.
    pub(super) async fn place(&self, season: &str) -> Result<(), Status> {
        for (at, side) in self.sides.iter().enumerate() {
            let (season_id, entrant_id) = (season.to_owned(), side.team.clone());
            let division = if at < 4 { 1 } else { 2 };
            act!(self, &self.founder, place_entrant(PlaceEntrantRequest { season_id, entrant_id, division }) -> squad)?;
        }
        Ok(())
    }

    /// Has every captain register his squad.
    pub(super) async fn register(&self, season: &str) -> Result<(), Status> {
        for side in &self.sides {
            let (season_id, entrant_id) = (season.to_owned(), side.team.clone());
            let members = side.members.clone();
            act!(
                self,
                &side.players[0],
                register_squad(RegisterSquadRequest { season_id, entrant_id, members }) -> squad
            )?;
        }
        Ok(())
    }

    /// A season as everybody sees it.
    pub(super) async fn get(&self, season: &str) -> Result<pb::Season, Status> {
        let request = pb::GetSeasonRequest { season_id: season.to_owned() };
        Ok(ask!(self.leagues(&self.founder), get_season, request)?.season.unwrap_or_default())
    }

    /// The table of a division.
    pub(super) async fn table(
        &self,
        season: &str,
        division: u32,
    ) -> Result<Vec<pb::LeagueTableLine>, Status> {
        let request = pb::GetLeagueTableRequest { season_id: season.to_owned(), division };
        Ok(ask!(self.leagues(&self.founder), get_league_table, request)?.lines)
    }

    /// The team of a federation.
    pub(super) fn side(&self, team: &str) -> &Side {
        self.sides.iter().find(|side| side.team == team).expect("one of the eight")
    }

    /// The names of teams.
    pub(super) fn names(&self, teams: &[String]) -> Vec<&'static str> {
        teams.iter().map(|team| self.side(team).named).collect()
    }

    /// The id of a new request.
    pub(super) fn new_id(&self) -> String {
        self.world.env.uuid().to_string()
    }

    /// What somebody calls to see and change leagues.
    pub(super) fn leagues(&self, who: &Caller) -> LeagueServiceClient<Transport> {
        LeagueServiceClient::new(self.transport(Service::Federation, who))
    }

    /// What somebody calls to see and change events.
    pub(super) fn events(&self, who: &Caller) -> EventServiceClient<Transport> {
        EventServiceClient::new(self.transport(Service::Federation, who))
    }

    /// The way of somebody to a service.
    pub(super) fn transport(&self, to: Service, who: &Caller) -> Transport {
        as_account(self.world.network.transport(End::Outside, to, Face::Public), who.clone())
    }

    /// Two divisions of four, between which one goes up and down and one more is played for; line-ups are declared, and
    /// games are arranged within two weeks.
    fn rules(&self, by_match: bool) -> pb::LeagueRules {
        let robin = pb::event_format::Format::RoundRobin(pb::event_format::RoundRobin { double: false });
        let teams = pb::TeamSettings {
            boards: u32::try_from(BOARDS).unwrap_or(1),
            line_up: pb::LineUpLaw::DeclaredBoards.into(),
            reserves_max: 1,
            ..Default::default()
        };
        let by_effort =
            pb::event_arranging::Otherwise::ByEffort(pb::ArrangedByEffort { times: 1, void: false });
        let arranging = pb::EventArranging {
            window_duration: Some(duration(WINDOW)),
            answer_duration: Some(duration(ANSWER)),
            reminder_durations: REMINDERS.map(duration).to_vec(),
            by_match,
            otherwise: Some(by_effort),
            ..Default::default()
        };
        let event = pb::EventSettings {
            format: Some(pb::EventFormat { format: Some(robin) }),
            teams: Some(teams),
            arranging: Some(arranging),
            ..settings("1h")
        };
        let division = |native| pb::LeagueDivision { name: name(native), size: 4, size_min: 4 };
        let official = |of: &Caller, role: pb::EventRole| pb::EventOfficial {
            account_id: of.id.to_string(),
            role: role.into(),
        };
        pb::LeagueRules {
            event: Some(event),
            divisions: vec![division("First"), division("Second")],
            borders: vec![pb::LeagueBorder { direct: 1, play_offs: 1 }],
            officials: vec![
                official(&self.chief, pb::EventRole::ChiefArbiter),
                official(&self.arbiter, pb::EventRole::Arbiter),
            ],
            ..Default::default()
        }
    }
}

/// What the events of a year have in common: four play in them, on small boards.
pub(super) fn settings(control: &str) -> pb::EventSettings {
    let control: TimeControl = control.parse().expect("it is a time control");
    pb::EventSettings {
        game: Some(pb::EventGame {
            variant: "go".to_owned(),
            options: [("size".to_owned(), "9".to_owned())].into(),
            time_control: Some(control.into()),
            ..Default::default()
        }),
        entries_max: 4,
        schedule: Some(pb::EventSchedule { zone: "Asia/Shanghai".to_owned(), ..Default::default() }),
        ..Default::default()
    }
}
