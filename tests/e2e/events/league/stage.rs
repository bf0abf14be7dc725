//! A league with its teams, and what its organisers do with it.

use api::{
    federation::v1::{self as pb, league_service_client::LeagueServiceClient},
    transport::Transport,
};
use prost_types::Duration;
use tests::{
    Bot, bots, call,
    held::{Federation, Held, Person, name},
};

use super::script::NAMES;
use crate::events::{swiss::settings, teams::form};

/// Boards of a match; a team has one player more, who is its reserve.
pub(super) const BOARDS: usize = 2;

/// How long a round is open, in seconds.
const WINDOW: i64 = 15;

/// How long a team may be on leave, in seconds.
pub(super) const LEAVE: u64 = 4;

/// A team: its players, of whom the first is its captain.
pub(super) struct Side {
    pub named: &'static str,
    pub team: pb::Team,
    pub players: Vec<Bot>,
}

/// A league in a federation, with its officials and teams.
pub(super) struct Stage {
    pub federation: Federation,
    pub chief: Person,
    pub arbiter: Person,
    pub league: String,
    pub sides: Vec<Side>,
}

/// Calls a method of changes of leagues, with an id for the request.
macro_rules! act {
    ($who:expr, $method:ident($request:ident { $($field:ident $(: $value:expr)?),* $(,)? }) -> $answer:ident) => {{
        let request = pb::$request { request_id: $who.new_id(), $($field $(: $value)?,)* ..Default::default() };
        let answer = tests::call!($crate::events::league::stage::leagues($who), $method, request);
        answer.map(|answer| answer.$answer.expect("it is told"))
    }};
}
pub(super) use act;

/// What somebody calls to see and change leagues.
pub(super) fn leagues(who: &Bot) -> LeagueServiceClient<Transport> {
    LeagueServiceClient::new(who.transport())
}

impl Stage {
    /// A league with its eight teams.
    pub(super) async fn new(transport: &Transport) -> Stage {
        let federation = Federation::new(transport, "内蒙古联盟", "City Leagues").await;
        let (chief, arbiter) = (Person::new(transport).await, Person::new(transport).await);
        let league = pb::League {
            federation_id: federation.id.clone(),
            name: Some(name("城市联赛", "City League")),
            rules: Some(rules(&chief, &arbiter)),
            ..Default::default()
        };
        let made = act!(&federation.founder.player, create_league(CreateLeagueRequest { league: Some(league) }) -> league);
        let league = made.expect("a league").league_id;
        let mut stage = Stage { federation, chief, arbiter, league, sides: Vec::new() };
        for named in NAMES {
            let players = bots(transport, BOARDS + 1).await.expect("all sign in");
            let mut members = Vec::new();
            for (at, player) in (1..).zip(&players) {
                members.push(
                    stage.federation.enrol(player, &format!("{named}{at}"), &format!("{named} {at}")).await,
                );
            }
            let team = form(&stage.federation, (named, named), &members, BOARDS).await;
            stage.sides.push(Side { named, team, players });
        }
        stage
    }

    /// Whoever has founded the federation.
    pub(super) fn founder(&self) -> &Bot {
        &self.federation.founder.player
    }

    /// The team of a name.
    pub(super) fn side(&self, named: &str) -> &Side {
        self.sides.iter().find(|side| side.named == named).expect("one of the eight")
    }

    /// The name of a team.
    pub(super) fn named(&self, entrant_id: &str) -> &'static str {
        self.sides.iter().find(|side| side.team.team_id == entrant_id).expect("one of the eight").named
    }

    /// The names of teams.
    pub(super) fn names(&self, entrant_ids: &[String]) -> Vec<&'static str> {
        entrant_ids.iter().map(|id| self.named(id)).collect()
    }

    /// A season, made from the one before if there is one.
    pub(super) async fn season(&self, named: &str, from: &str) -> pb::Season {
        let season = pb::Season {
            league_id: self.league.clone(),
            name: Some(name(named, named)),
            from_season_id: from.to_owned(),
            ..Default::default()
        };
        act!(self.founder(), create_season(CreateSeasonRequest { season: Some(season) }) -> season)
            .expect("a season")
    }

    /// Takes a season to its next state.
    pub(super) async fn advance(&self, season: &str, to: pb::SeasonState) -> pb::Season {
        let (season_id, state, reason) = (season.to_owned(), to.into(), "it is time".to_owned());
        act!(self.founder(), advance_season(AdvanceSeasonRequest { season_id, state, reason }) -> season)
            .expect("it goes on")
    }

    /// Has every captain register his squad.
    pub(super) async fn register(&self, season: &str) {
        for side in &self.sides {
            let (season_id, entrant_id) = (season.to_owned(), side.team.team_id.clone());
            let members = side.team.members.clone();
            act!(
                &side.players[0],
                register_squad(RegisterSquadRequest { season_id, entrant_id, members }) -> squad
            )
            .expect("registered");
        }
    }

    /// A season as everybody sees it.
    pub(super) async fn get(&self, season: &str) -> pb::Season {
        let request = pb::GetSeasonRequest { season_id: season.to_owned() };
        call!(leagues(self.founder()), get_season, request).expect("a season").season.expect("it is told")
    }

    /// An event of a season, with the players of its teams.
    pub(super) async fn held(&self, event: &str) -> (Held, Vec<(u32, &Side)>) {
        let mut held = Held::of(&self.federation, event.to_owned(), self.chief.clone(), self.arbiter.clone());
        let request = pb::ListEventTeamsRequest { event_id: event.to_owned(), ..Default::default() };
        let teams = call!(tests::held::events(&self.chief.player), list_event_teams, request).expect("teams");
        let mut sides = Vec::new();
        for team in teams.teams {
            let side = self.side(self.named(&team.team_id));
            let numbers = team.players.iter().chain(&team.reserves).copied();
            assert_eq!(numbers.clone().count(), side.players.len(), "{}: {team:?}", side.named);
            held.players.extend(numbers.zip(side.players.iter().cloned()));
            sides.push((team.number, side));
        }
        (held, sides)
    }
}

/// Two divisions of four, between which one goes up and down and one more is played for; line-ups are declared, and captains
/// arrange their matches.
fn rules(chief: &Person, arbiter: &Person) -> pb::LeagueRules {
    let robin = pb::event_format::Format::RoundRobin(pb::event_format::RoundRobin { double: false });
    let teams = pb::TeamSettings {
        boards: u32::try_from(BOARDS).expect("few"),
        line_up: pb::LineUpLaw::DeclaredBoards.into(),
        reserves_max: 1,
        ..Default::default()
    };
    let seconds = |seconds| Some(Duration { seconds, nanos: 0 });
    let by_effort = pb::event_arranging::Otherwise::ByEffort(pb::ArrangedByEffort { times: 1, void: false });
    let arranging = pb::EventArranging {
        window_duration: seconds(WINDOW),
        lead_duration: seconds(0),
        answer_duration: seconds(WINDOW),
        reminder_durations: vec![Duration { seconds: 5, nanos: 0 }],
        by_match: true,
        otherwise: Some(by_effort),
        ..Default::default()
    };
    let leave = pb::EventLeave {
        team_budget_duration: seconds(LEAVE.cast_signed()),
        notice_duration: seconds(0),
        shortest_duration: seconds(1),
        ..Default::default()
    };
    let event = pb::EventSettings {
        format: Some(pb::EventFormat { format: Some(robin) }),
        teams: Some(teams),
        arranging: Some(arranging),
        leave: Some(leave),
        late_until_round: 0,
        ..settings(3, 4)
    };
    let division =
        |native, latin| pb::LeagueDivision { name: Some(name(native, latin)), size: 4, size_min: 4 };
    let official =
        |of: &Person, role: pb::EventRole| pb::EventOfficial { account_id: of.id(), role: role.into() };
    pb::LeagueRules {
        event: Some(event),
        divisions: vec![division("甲级", "First"), division("乙级", "Second")],
        borders: vec![pb::LeagueBorder { direct: 1, play_offs: 1 }],
        officials: vec![
            official(chief, pb::EventRole::ChiefArbiter),
            official(arbiter, pb::EventRole::Arbiter),
        ],
        ..Default::default()
    }
}
