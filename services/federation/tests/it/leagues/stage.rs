//! A league with its teams, and what its organisers do with it.

use api::federation::v1 as pb;
use tonic::Status;

use crate::{
    fixture::{Fixture, Founded, Person, name},
    held::{Held, begin, change, check, get_round, run, settings},
    teams::{form, player, team},
};

/// A league in a federation, with its officials.
pub(super) struct Stage {
    pub federation: Founded,
    pub chief: Person,
    pub arbiter: Person,
    pub league: String,
}

/// A team: its captain has an account, and its two players have none.
pub(super) struct Side {
    pub id: String,
    pub captain: Person,
    pub players: Vec<String>,
}

/// Calls a method of changes of leagues, with an id for the request.
macro_rules! act {
    ($person:expr, $method:ident, $request:ident { $($field:ident $(: $value:expr)?),* $(,)? } -> $answer:ident) => {{
        let request = pb::$request {
            request_id: $person.request(),
            $($field $(: $value)?,)*
            ..Default::default()
        };
        let answer = $person.leagues().$method(request).await;
        answer.map(|answer| answer.into_inner().$answer.expect("present"))
    }};
}
pub(super) use act;

/// Two divisions of teams of two boards, between which one goes up and down, and one more is played for.
pub(super) fn rules(chief: &Person, arbiter: &Person) -> pb::LeagueRules {
    let robin = pb::event_format::Format::RoundRobin(pb::event_format::RoundRobin { double: false });
    let teams =
        pb::TeamSettings { boards: 2, line_up: pb::LineUpLaw::FixedBoards.into(), ..Default::default() };
    let event = pb::EventSettings {
        format: Some(pb::EventFormat { format: Some(robin) }),
        teams: Some(teams),
        late_until_round: 0,
        ..settings(1)
    };
    let division = |named: &str| pb::LeagueDivision { name: name(named, ""), size: 4, size_min: 4 };
    let official = |person: &Person, role: pb::EventRole| pb::EventOfficial {
        account_id: person.id(),
        role: role.into(),
    };
    pb::LeagueRules {
        event: Some(event),
        divisions: vec![division("First"), division("Second")],
        borders: vec![pb::LeagueBorder { direct: 1, play_offs: 1 }],
        officials: vec![
            official(chief, pb::EventRole::ChiefArbiter),
            official(arbiter, pb::EventRole::Arbiter),
        ],
        ..Default::default()
    }
}

pub(super) async fn create(
    person: &Person,
    federation: &str,
    rules: pb::LeagueRules,
) -> Result<pb::League, Status> {
    let league = pb::League {
        federation_id: federation.to_owned(),
        name: name("City League", ""),
        rules: Some(rules),
        ..Default::default()
    };
    act!(person, create_league, CreateLeagueRequest { league: Some(league) } -> league)
}

impl Stage {
    pub(super) async fn new(fixture: &Fixture) -> Stage {
        let federation = fixture.federation().await;
        let (chief, arbiter) = (fixture.person("chief"), fixture.person("arbiter"));
        let made = create(&federation.founder, &federation.id, rules(&chief, &arbiter)).await;
        let league = made.expect("a league").league_id;
        Stage { federation, chief, arbiter, league }
    }

    pub(super) fn founder(&self) -> &Person {
        &self.federation.founder
    }

    /// The same as its people call the service since it was started anew.
    pub(super) fn again(self, fixture: &Fixture) -> Stage {
        let Stage { federation: Founded { id, founder }, chief, arbiter, league } = self;
        let federation = Founded { id, founder: fixture.again(&founder) };
        Stage { federation, chief: fixture.again(&chief), arbiter: fixture.again(&arbiter), league }
    }

    pub(super) async fn season(&self, named: &str, from: &str) -> Result<pb::Season, Status> {
        let season = pb::Season {
            league_id: self.league.clone(),
            name: name(named, ""),
            from_season_id: from.to_owned(),
            ..Default::default()
        };
        act!(self.founder(), create_season, CreateSeasonRequest { season: Some(season) } -> season)
    }

    pub(super) async fn side(&self, fixture: &Fixture, named: &str) -> Side {
        let (founder, federation) = (self.founder(), &self.federation.id);
        let captain = fixture.person(&format!("captain-{named}"));
        let leader = founder.member(federation, &format!("{named} Captain")).await.member_id;
        founder.bind(&leader, &captain.id()).await.expect("bound");
        let one = founder.member(federation, &format!("{named} One")).await.member_id;
        let two = founder.member(federation, &format!("{named} Two")).await.member_id;
        let made = form(founder, team(federation, named, &leader, &[&leader, &one, &two])).await;
        Side { id: made.expect("a team").team_id, captain, players: vec![one, two] }
    }

    pub(super) async fn place(&self, season: &str, side: &Side, division: u32) -> Result<pb::Squad, Status> {
        let (season_id, entrant_id) = (season.to_owned(), side.id.clone());
        act!(self.founder(), place_entrant, PlaceEntrantRequest { season_id, entrant_id, division } -> squad)
    }

    pub(super) async fn advance(&self, season: &str, to: pb::SeasonState) -> Result<pb::Season, Status> {
        let (season_id, state, reason) = (season.to_owned(), to.into(), "it is time".to_owned());
        act!(self.founder(), advance_season, AdvanceSeasonRequest { season_id, state, reason } -> season)
    }

    pub(super) async fn get(&self, season: &str) -> pb::Season {
        let request = pb::GetSeasonRequest { season_id: season.to_owned() };
        let answer = self.founder().leagues().get_season(request).await.expect("a season");
        answer.into_inner().season.expect("present")
    }

    pub(super) async fn squads(&self, season: &str) -> Vec<pb::Squad> {
        let request = pb::ListSquadsRequest { season_id: season.to_owned(), ..Default::default() };
        self.founder().leagues().list_squads(request).await.expect("squads").into_inner().squads
    }

    /// A season with these sides in two divisions, whose squads are registered.
    pub(super) async fn registered(&self, sides: &[Side]) -> String {
        let season = self.season("Season 2027", "").await.expect("a season").season_id;
        let (first, second) = sides.split_at(sides.len() / 2);
        for (division, sides) in (1..).zip([first, second]) {
            for side in sides {
                self.place(&season, side, division).await.expect("placed");
            }
        }
        self.advance(&season, pb::SeasonState::Registration).await.expect("registration");
        for side in sides {
            register(&side.captain, &season, side).await.expect("registered");
        }
        season
    }

    /// Has a member be in the team of a side.
    pub(super) async fn join(&self, side: &Side, member: &str) {
        let founder = self.founder();
        let request = pb::GetTeamRequest { team_id: side.id.clone() };
        let team = founder.federations.clone().get_team(request).await.expect("a team").into_inner();
        let mut team = team.team.expect("present");
        team.members.push(player(member));
        let request = pb::UpdateTeamRequest {
            team: Some(team),
            update_mask: Some(prost_types::FieldMask { paths: vec!["members".to_owned()] }),
            request_id: founder.request(),
            ..Default::default()
        };
        founder.federations.clone().update_team(request).await.expect("changed");
    }

    /// An event of the season, as its organisers hold it.
    pub(super) fn held(&self, event: &str) -> Held {
        let federation = Founded { id: self.federation.id.clone(), founder: self.federation.founder.clone() };
        Held { id: event.to_owned(), federation, chief: self.chief.clone() }
    }

    /// Plays an event to its end. Who comes sooner in the order wins both boards; one may leave after the first round.
    pub(super) async fn play(&self, event: &str, order: &[&Side], rounds: u32, leaves: Option<&Side>) {
        let held = self.held(event);
        run(&held).await;
        let teams = teams(&held).await;
        for round in 1..=rounds {
            self.play_round(&held, order, round).await;
            if let Some(side) = leaves.filter(|_| round == 1) {
                let own = teams.iter().find(|team| team.team_id == side.id).expect("it has entered");
                let state = pb::EntrantState::Withdrawn.into();
                let status = Some(pb::EntrantStatus { state, round: 1 });
                let (team, reason) = (own.number, "it has nobody left".to_owned());
                change!(held, self.chief, change_team_entry, ChangeTeamEntryRequest { team, status, reason })
                    .expect("it leaves");
            }
        }
        self.finish(&held).await;
    }

    /// Plays a round. Who comes sooner in the order wins both boards.
    pub(super) async fn play_round(&self, held: &Held, order: &[&Side], round: u32) {
        begin(held, round).await;
        let teams = teams(held).await;
        let rank = |number: u32| {
            let own = teams.iter().find(|team| team.players.contains(&number)).expect("a player of a team");
            order.iter().position(|side| side.id == own.team_id).expect("one of those who play")
        };
        for pairing in get_round(&self.chief, held, round).await.expect("a round").pairings {
            if pairing.result.is_none() {
                let first_wins = rank(pairing.first) < rank(pairing.second);
                self.enter(held, (round, pairing.table), first_wins).await;
            }
        }
    }

    /// What came of a board in a hall: an arbiter enters it, and the chief arbiter confirms it.
    async fn enter(&self, held: &Held, (round, table): (u32, u32), first_wins: bool) {
        let (win, loss) = (pb::ResultCode::Win.into(), pb::ResultCode::Loss.into());
        let (first, second) = if first_wins { (win, loss) } else { (loss, win) };
        let hall = pb::board_result::Source::OverTheBoard(pb::board_result::OverTheBoard::default());
        let result = pb::BoardResult {
            first,
            second,
            reason: pb::ResultReason::Resign.into(),
            source: Some(hall),
            ..Default::default()
        };
        let result = Some(result);
        change!(held, self.arbiter, enter_result, EnterResultRequest { round, table, result })
            .expect("entered");
        change!(held, self.chief, confirm_result, ConfirmResultRequest { round, table }).expect("confirmed");
    }

    /// Takes an event whose rounds are played to its end.
    pub(super) async fn finish(&self, held: &Held) {
        let stage = pb::EventStage::Closing.into();
        change!(held, self.chief, advance_event, AdvanceEventRequest { stage }).expect("closing");
        check(held, &[pb::CheckItem::ResultsChecked, pb::CheckItem::PlacesAnnounced]).await;
        let text = "all went well".to_owned();
        change!(held, self.chief, file_report, FileReportRequest { text: text.clone() }).expect("filed");
        let account_id = self.arbiter.id();
        change!(held, self.chief, assess_arbiter, AssessArbiterRequest { account_id, text })
            .expect("assessed");
        let stage = pb::EventStage::Final.into();
        change!(held, self.chief, advance_event, AdvanceEventRequest { stage }).expect("final");
    }
}

/// Registers the two players of a side.
pub(super) async fn register(person: &Person, season: &str, side: &Side) -> Result<pb::Squad, Status> {
    let members = side.players.iter().map(|it| crate::teams::player(it)).collect();
    let (season_id, entrant_id) = (season.to_owned(), side.id.clone());
    act!(person, register_squad, RegisterSquadRequest { season_id, entrant_id, members } -> squad)
}

/// The teams of an event.
pub(super) async fn teams(held: &Held) -> Vec<pb::EventTeam> {
    let request = pb::ListEventTeamsRequest { event_id: held.id.clone(), ..Default::default() };
    held.chief.events.clone().list_event_teams(request).await.expect("teams").into_inner().teams
}

/// The table of a division, as somebody sees it: who, and with how many points.
pub(super) async fn table(
    person: &Person,
    season: &str,
    division: u32,
) -> Result<Vec<(String, u32)>, Status> {
    let request = pb::GetLeagueTableRequest { season_id: season.to_owned(), division };
    let answer = person.leagues().get_league_table(request).await?.into_inner();
    let line = |it: pb::LeagueTableLine| (it.entrant_id, it.line.expect("present").points);
    Ok(answer.lines.into_iter().map(line).collect())
}

/// The ids of sides.
pub(super) fn ids(sides: &[&Side]) -> Vec<String> {
    sides.iter().map(|side| side.id.clone()).collect()
}
