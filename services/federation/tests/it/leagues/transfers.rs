//! Squads that change while their season runs.

use std::time::Duration;

use api::federation::v1::{self as pb, SeasonState};
use tonic::Status;

use super::stage::{Side, Stage, act, create, rules, teams};
use crate::{
    fixture::{Fixture, Person, fixtures, reason},
    held::{Held, change, run, sequence},
    team_events::nothing_is_found,
    teams::player,
};

const HOUR: Duration = Duration::from_hours(1);

/// A league in which reserves come in, and the players of a team change.
async fn stage(fixture: &Fixture) -> Stage {
    let stage = Stage::new(fixture).await;
    let mut changing = rules(&stage.chief, &stage.arbiter);
    let teams = changing.event.as_mut().and_then(|event| event.teams.as_mut()).expect("present");
    teams.line_up = pb::LineUpLaw::FixedBoardsSubs.into();
    teams.reserves_max = 2;
    teams.roster = Some(pb::TeamRosterSettings { changes_max: 3, ..Default::default() });
    changing.squads = Some(pb::SquadRules { play_off_games_min: 2, ..Default::default() });
    let league = create(stage.founder(), &stage.federation.id, changing).await.expect("a league").league_id;
    Stage { league, ..stage }
}

/// A season that runs, of which the window for transfers opens in an hour, for an hour.
async fn running(stage: &Stage, fixture: &Fixture, sides: &[Side]) -> (String, Vec<String>) {
    let season_id = stage.registered(sides).await;
    let at = |hours: u32| Some(api::time::timestamp(fixture.env.now() + HOUR * hours));
    let edit = async |open_time, close_time| {
        let transfer_windows = vec![pb::TransferWindow { open_time, close_time }];
        let season =
            Some(pb::Season { season_id: season_id.clone(), transfer_windows, ..Default::default() });
        let update_mask = Some(prost_types::FieldMask { paths: vec!["transfer_windows".to_owned()] });
        act!(stage.founder(), update_season, UpdateSeasonRequest { season, update_mask } -> season)
    };
    assert_eq!(reason(edit(at(2), at(1)).await), "BAD_SEASON");
    assert_eq!(reason(edit(at(1), None).await), "BAD_SEASON");
    let edited = edit(at(1), at(2)).await.expect("changed");
    let started = stage.advance(&season_id, SeasonState::Running).await.expect("it starts");
    assert_eq!(started.transfer_windows, edited.transfer_windows);
    (season_id, started.divisions.into_iter().map(|it| it.event_id).collect())
}

/// Asks for a squad of these, the first two of whom are its players.
fn squad(season: &str, side: &Side, members: &[&str], by: &Person, why: &str) -> pb::RegisterSquadRequest {
    let mut members: Vec<pb::TeamMember> = members.iter().map(|it| player(it)).collect();
    members.iter_mut().skip(2).for_each(|it| it.part = pb::TeamPart::Substitute.into());
    pb::RegisterSquadRequest {
        season_id: season.to_owned(),
        entrant_id: side.id.clone(),
        members,
        request_id: by.request(),
        reason: why.to_owned(),
        ..Default::default()
    }
}

async fn ask(person: &Person, request: pb::RegisterSquadRequest) -> Result<pb::Squad, Status> {
    let answer = person.leagues().register_squad(request).await?;
    Ok(answer.into_inner().squad.expect("present"))
}

async fn new_member(stage: &Stage, side: &Side, named: &str) -> String {
    let member = stage.founder().member(&stage.federation.id, named).await.member_id;
    stage.join(side, &member).await;
    member
}

/// The team of a side in an event.
async fn entered(held: &Held, side: &Side) -> pb::EventTeam {
    teams(held).await.into_iter().find(|team| team.team_id == side.id).expect("it has entered")
}

#[tokio::test]
async fn who_joins_in_a_window_plays_and_is_eligible_for_the_play_offs() {
    for fixture in fixtures().await {
        let stage = stage(&fixture).await;
        let mut sides = Vec::new();
        for named in ["Ants", "Bears", "Cranes", "Deer", "Eagles", "Foxes", "Geese", "Hares"] {
            sides.push(stage.side(&fixture, named).await);
        }
        let [ants, bears, cranes, deer, eagles, foxes, geese, hares] = &sides[..] else { panic!("eight") };
        let (season, events) = running(&stage, &fixture, &sides).await;
        let first = stage.held(&events[0]);
        let order = [ants, bears, cranes, deer];
        run(&first).await;
        stage.play_round(&first, &order, 1).await;
        let third = new_member(&stage, cranes, "Cranes Three").await;
        let [one, two] = [0, 1].map(|at| cranes.players[at].as_str());
        let captain = &cranes.captain;
        let joins = squad(&season, cranes, &[one, two, &third], captain, "");
        let (before, known) = (stage.squads(&season).await, sequence(&first).await);
        assert_eq!(reason(ask(captain, joins.clone()).await), "TRANSFER_WINDOW_CLOSED", "{}", fixture.kind);
        let unsaid = squad(&season, cranes, &[one, two, &third], stage.founder(), "");
        assert_eq!(reason(ask(stage.founder(), unsaid).await), "TRANSFER_WINDOW_CLOSED", "and no reason");
        fixture.time.advance(HOUR + HOUR / 2);
        let in_window = squad(&season, cranes, &[one, two, &third], captain, "");
        let foreign = squad(&season, cranes, &[one, two, &bears.players[0]], captain, "");
        assert_eq!(reason(ask(captain, foreign).await), "MEMBER_IN_TWO_SQUADS");
        let stranger = stage.founder().member(&stage.federation.id, "Nobody").await.member_id;
        let stranger = squad(&season, cranes, &[one, two, &stranger], captain, "");
        assert_eq!(reason(ask(captain, stranger).await), "BAD_SQUAD");
        let wrong = squad(&season, cranes, &[one, &third, two], captain, "");
        assert_eq!(reason(ask(captain, wrong).await), "BAD_LINE_UP", "who is new is a reserve");
        assert_eq!(reason(ask(&bears.captain, in_window.clone()).await), "NOT_AN_OFFICIAL");
        let only = pb::RegisterSquadRequest { validate_only: true, ..in_window.clone() };
        ask(captain, only).await.expect("it could be done");
        assert_eq!((stage.squads(&season).await, sequence(&first).await), (before, known), "nothing changed");
        // The squad and the event of its division go on together, once.
        let done = ask(captain, in_window.clone()).await.expect("he joins");
        let known = sequence(&first).await;
        assert_eq!(ask(captain, in_window).await.expect("the same request"), done);
        assert_eq!(sequence(&first).await, known);
        assert_eq!(entered(&first, cranes).await.reserves, [9]);
        let leaves = squad(&season, cranes, &[two, &third], captain, "");
        ask(captain, leaves).await.expect("the first leaves");
        let team = entered(&first, cranes).await;
        assert_eq!((team.players, team.former, team.roster_changes), (vec![6, 9], vec![5], 2));
        // Who has played for one plays for no other, of whatever division.
        stage.join(eagles, one).await;
        let [three, four] = [0, 1].map(|at| eagles.players[at].as_str());
        let hired = squad(&season, eagles, &[three, four, one], &eagles.captain, "");
        assert_eq!(reason(ask(&eagles.captain, hired).await), "PLAYED_FOR_ANOTHER_TEAM");
        by_hand(&stage, (&first, cranes), &third).await;
        for round in 2..=3 {
            stage.play_round(&first, &order, round).await;
        }
        nothing_is_found(&stage.chief, &first).await;
        stage.finish(&first).await;
        fixture.time.advance(HOUR);
        outside(&stage, (&season, eagles), &stage.held(&events[1])).await;
        stage.play(&events[1], &[eagles, foxes, geese, hares], 3, None).await;
        let played = stage.advance(&season, SeasonState::PlayOffs).await.expect("play-offs");
        let tie = &played.play_offs[0];
        assert_eq!((&tie.upper_entrant_id, &tie.lower_entrant_id), (&cranes.id, &foxes.id));
        let for_place = stage.held(&tie.event_id);
        let entrants = pb::ListEntrantsRequest { event_id: for_place.id.clone(), ..Default::default() };
        let entrants =
            stage.chief.events.clone().list_entrants(entrants).await.expect("entrants").into_inner();
        let named: Vec<&str> = entrants.entrants.iter().take(2).map(|it| &*it.member_id).collect();
        assert_eq!(named, [two, &third], "he has played two games, as the rules want");
        stage.play(&tie.event_id, &[cranes, foxes], 1, None).await;
        stage.advance(&season, SeasonState::Closed).await.expect("closed");
        let closed = stage.get(&season).await;
        let line = &closed.outcome.as_ref().expect("it is closed").divisions[0].lines[2];
        let games = [(two.to_owned(), 3), (third.clone(), 2)].into();
        assert_eq!((&line.entrant_id, &line.games), (&cranes.id, &games));
        log(&stage, &season).await;
    }
}

/// The teams of a league do not change past their season.
async fn by_hand(stage: &Stage, (held, side): (&Held, &Side), member: &str) {
    let team = entered(held, side).await.number;
    let player_ids = vec![member.to_owned(), side.players[1].clone()];
    for person in [&side.captain, &stage.chief] {
        let (player_ids, reason_) = (player_ids.clone(), "asked for".to_owned());
        let refused = change!(
            held,
            person,
            change_roster,
            ChangeRosterRequest { team, player_ids, supplement_version: 1, reason: reason_ }
        );
        assert_eq!(reason(refused), "ROSTER_OF_LEAGUE");
    }
}

/// Outside the windows an official changes a squad, and says why.
async fn outside(stage: &Stage, (season, side): (&str, &Side), held: &Held) {
    let member = new_member(stage, side, "Eagles Three").await;
    let [one, two] = [0, 1].map(|at| side.players[at].as_str());
    let late = squad(season, side, &[one, two, &member], &side.captain, "he is back");
    assert_eq!(reason(ask(&side.captain, late).await), "TRANSFER_WINDOW_CLOSED");
    let said = squad(season, side, &[one, two, &member], stage.founder(), "two are ill");
    ask(stage.founder(), said).await.expect("changed");
    let team = entered(held, side).await;
    assert_eq!((team.reserves.len(), team.roster_changes), (1, 0), "none of the captain's changes");
    let request = pb::ListNotesRequest { event_id: held.id.clone(), ..Default::default() };
    let notes = stage.chief.events.clone().list_notes(request).await.expect("notes").into_inner().notes;
    assert!(notes.iter().any(|note| note.text == "two are ill"), "why is kept beside the log");
}

/// What was done with squads while the season ran.
async fn log(stage: &Stage, season: &str) {
    let request =
        pb::ListSeasonLogRequest { season_id: season.to_owned(), page_size: 200, ..Default::default() };
    let told = stage.founder().leagues().list_season_log(request).await.expect("a log").into_inner();
    let changed = told.entries.iter().filter(|it| it.act() == pb::SeasonAct::SquadChanged);
    let changed: Vec<(usize, &str)> = changed.map(|it| (it.members.len(), &*it.reason)).collect();
    assert_eq!(changed, [(3, ""), (2, ""), (3, "two are ill")]);
}
