//! What leagues refuse, and that nothing is half done then.

use api::federation::v1::{self as pb, SeasonState};

use super::stage::{Side, Stage, act, create, register, rules, table};
use crate::{
    fixture::{fixtures, name, reason},
    held::settings,
};

#[tokio::test]
async fn rules_that_make_no_sense_are_refused_and_versions_are_kept() {
    for fixture in fixtures().await {
        let stage = Stage::new(&fixture).await;
        let (founder, federation) = (stage.founder(), &stage.federation.id);
        let good = rules(&stage.chief, &stage.arbiter);
        let border = |direct, play_offs| vec![pb::LeagueBorder { direct, play_offs }];
        let of_format = |format| {
            let event = good.event.clone().expect("present");
            Some(pb::EventSettings {
                format: Some(pb::EventFormat { format: Some(format) }),
                teams: None,
                ..event
            })
        };
        let knock_out = pb::event_format::KnockOut { lives: 1, third_place: false };
        let member = pb::EventOfficial { account_id: founder.id(), role: pb::EventRole::Player.into() };
        for (bad, why) in [
            (pb::LeagueRules { divisions: Vec::new(), ..good.clone() }, "BAD_LEAGUE_RULES"),
            (pb::LeagueRules { borders: Vec::new(), ..good.clone() }, "BAD_LEAGUE_RULES"),
            (pb::LeagueRules { borders: border(3, 2), ..good.clone() }, "BAD_LEAGUE_RULES"),
            (pb::LeagueRules { borders: border(u32::MAX, u32::MAX), ..good.clone() }, "BAD_LEAGUE_RULES"),
            (pb::LeagueRules { play_off_matches: 3, ..good.clone() }, "BAD_LEAGUE_RULES"),
            (pb::LeagueRules { officials: vec![member], ..good.clone() }, "BAD_LEAGUE_RULES"),
            (pb::LeagueRules { event: None, ..good.clone() }, "BAD_LEAGUE_RULES"),
            (
                pb::LeagueRules {
                    event: of_format(pb::event_format::Format::KnockOut(knock_out)),
                    ..good.clone()
                },
                "BAD_LEAGUE_RULES",
            ),
        ] {
            assert_eq!(reason(create(founder, federation, bad).await), why, "{}", fixture.kind);
        }
        let stranger = fixture.person("stranger");
        assert_eq!(reason(create(&stranger, federation, good.clone()).await), "NOT_AN_OFFICIAL");
        let changed = pb::LeagueRules { text: "Two divisions.".to_owned(), ..good };
        let league = pb::League {
            league_id: stage.league.clone(),
            rules: Some(changed),
            revision: 1,
            ..Default::default()
        };
        let again = Some(league.clone());
        let league = act!(founder, update_league, UpdateLeagueRequest { league: Some(league) } -> league);
        assert_eq!(league.expect("changed").rules_version, 2);
        let late = act!(founder, update_league, UpdateLeagueRequest { league: again } -> league);
        assert_eq!(reason(late), "REVISION_PASSED");
        for (version, text) in [(0, "Two divisions."), (1, ""), (2, "Two divisions.")] {
            let request = pb::GetLeagueRequest { league_id: stage.league.clone(), rules_version: version };
            let told = stranger.leagues().get_league(request).await.expect("a league").into_inner();
            assert_eq!(told.league.expect("present").rules.expect("present").text, text);
        }
        let request = pb::GetLeagueRequest { league_id: stage.league.clone(), rules_version: 3 };
        assert_eq!(reason(stranger.leagues().get_league(request).await), "UNKNOWN_LEAGUE");
    }
}

/// A member of another side, in the team of this one, too.
async fn borrow(stage: &Stage, by: &Side, from: &Side) -> Side {
    stage.join(by, &from.players[0]).await;
    let players = vec![by.players[0].clone(), from.players[0].clone()];
    Side { id: by.id.clone(), captain: by.captain.clone(), players }
}

#[tokio::test]
async fn squads_are_of_those_who_may_play_and_each_is_in_one() {
    for fixture in fixtures().await {
        let stage = Stage::new(&fixture).await;
        let season = stage.season("Season 2027", "").await.expect("a season").season_id;
        let (lions, tigers) = (stage.side(&fixture, "Lions").await, stage.side(&fixture, "Tigers").await);
        assert_eq!(reason(stage.place(&season, &lions, 3).await), "BAD_SEASON", "{}", fixture.kind);
        stage.place(&season, &lions, 1).await.expect("placed");
        assert_eq!(reason(register(&lions.captain, &season, &lions).await), "SEASON_STATE");
        stage.advance(&season, SeasonState::Registration).await.expect("registration");
        assert_eq!(reason(register(&tigers.captain, &season, &tigers).await), "UNKNOWN_SQUAD");
        stage.place(&season, &tigers, 1).await.expect("placed");
        assert_eq!(reason(register(&tigers.captain, &season, &lions).await), "NOT_AN_OFFICIAL");
        let alone = Side { players: vec![lions.players[0].clone()], ..copy(&lions) };
        assert_eq!(reason(register(&lions.captain, &season, &alone).await), "BAD_SQUAD");
        let twice = Side { players: vec![lions.players[0].clone(); 2], ..copy(&lions) };
        assert_eq!(reason(register(&lions.captain, &season, &twice).await), "BAD_SQUAD");
        let foreign = Side { players: tigers.players.clone(), ..copy(&lions) };
        assert_eq!(reason(register(&lions.captain, &season, &foreign).await), "BAD_SQUAD");
        let squad = register(&lions.captain, &season, &lions).await.expect("registered");
        assert!(squad.registered && squad.members.len() == 2);
        let borrowed = borrow(&stage, &tigers, &lions).await;
        let refused =
            register(&tigers.captain, &season, &borrowed).await.expect_err("one of them plays elsewhere");
        assert_eq!(api::error::reason(&refused), "MEMBER_IN_TWO_SQUADS");
        let request = pb::ListSquadsRequest { season_id: season.clone(), ..Default::default() };
        let squads =
            stage.founder().leagues().list_squads(request).await.expect("squads").into_inner().squads;
        let theirs = squads.iter().find(|it| it.entrant_id == tigers.id).expect("placed");
        assert!(!theirs.registered && theirs.members.is_empty(), "nothing is written: {theirs:?}");
        for named in [&lions.players[0], &lions.id, &tigers.id] {
            assert!(refused.message().contains(named), "{named}: {}", refused.message());
        }
        dates(&stage, &season, &tigers).await;
        // Whoever has withdrawn lets his players go, and keeps his right to the division.
        let (season_id, entrant_id) = (season.clone(), lions.id.clone());
        let left =
            act!(lions.captain, withdraw_squad, WithdrawSquadRequest { season_id, entrant_id } -> squad);
        let left = left.expect("withdrawn");
        assert!(!left.registered && left.members.is_empty() && left.division == 1);
        register(&tigers.captain, &season, &borrowed).await.expect("now he may");
    }
}

/// Who is too new does not play, and squads change in their windows alone.
async fn dates(stage: &Stage, season: &str, side: &Side) {
    let change = async |of: pb::Season| {
        let of = pb::Season { season_id: season.to_owned(), ..of };
        let paths = vec!["windows".to_owned(), "eligible_since_date".to_owned()];
        let update_mask = Some(prost_types::FieldMask { paths });
        act!(stage.founder(), update_season, UpdateSeasonRequest { season: Some(of), update_mask } -> season)
    };
    let window = |first: &str, last: &str| {
        vec![pb::DateRange { first_date: first.to_owned(), last_date: last.to_owned() }]
    };
    let since = "2026-01-01".to_owned();
    change(pb::Season { eligible_since_date: since, ..Default::default() }).await.expect("changed");
    assert_eq!(reason(register(&side.captain, season, side).await), "MEMBER_NOT_ELIGIBLE");
    let bad = change(pb::Season { windows: window("2027-03-01", "2027-02-01"), ..Default::default() }).await;
    assert_eq!(reason(bad), "BAD_SEASON");
    let later = window("2027-02-01", "2027-02-28");
    change(pb::Season { windows: later, ..Default::default() }).await.expect("changed");
    assert_eq!(reason(register(&side.captain, season, side).await), "SQUADS_CLOSED");
    let now = window("2027-01-01", "2027-01-31");
    change(pb::Season { windows: now, ..Default::default() }).await.expect("changed");
    register(&side.captain, season, side).await.expect("registered");
    change(pb::Season::default()).await.expect("changed");
}

fn copy(side: &Side) -> Side {
    Side { id: side.id.clone(), captain: side.captain.clone(), players: side.players.clone() }
}

#[tokio::test]
async fn a_season_starts_whole_or_not_at_all() {
    for fixture in fixtures().await {
        let stage = Stage::new(&fixture).await;
        let mut sides = Vec::new();
        for number in 1..=8 {
            sides.push(stage.side(&fixture, &format!("Side {number}")).await);
        }
        let season = stage.registered(&sides).await;
        assert_eq!(reason(table(stage.founder(), &season, 1).await), "SEASON_STATE", "{}", fixture.kind);
        let (season_id, entrant_id) = (season.clone(), sides[7].id.clone());
        act!(stage.founder(), withdraw_squad, WithdrawSquadRequest { season_id, entrant_id } -> squad)
            .expect("withdrawn");
        let small = stage.advance(&season, SeasonState::Running).await;
        assert_eq!(reason(small), "DIVISION_TOO_SMALL");
        assert_eq!((events(&stage).await, stage.get(&season).await.state()), (0, SeasonState::Registration));
        register(&sides[7].captain, &season, &sides[7]).await.expect("registered");
        // The last team of the last division has no captain any more: the first division's event is not made either.
        captain(&stage, &sides[7], "").await;
        let refused = stage.advance(&season, SeasonState::Running).await;
        assert_eq!(reason(refused), "TEAM_WITHOUT_CAPTAIN");
        assert_eq!(events(&stage).await, 0);
        assert_eq!(stage.get(&season).await.state(), SeasonState::Registration);
        captain(&stage, &sides[7], &leader(&stage, &sides[7]).await).await;
        let request = pb::AdvanceSeasonRequest {
            season_id: season.clone(),
            state: SeasonState::Running.into(),
            request_id: stage.founder().request(),
            validate_only: true,
            ..Default::default()
        };
        let advance = async |request| stage.founder().leagues().advance_season(request).await;
        advance(request.clone()).await.expect("it would start");
        assert_eq!(events(&stage).await, 0, "nothing is made that is only asked for");
        let request = pb::AdvanceSeasonRequest { validate_only: false, ..request };
        let started = advance(request.clone()).await.expect("it starts").into_inner();
        assert_eq!(advance(request).await.expect("the same").into_inner(), started);
        assert_eq!(events(&stage).await, 2);
        let late = register(&sides[0].captain, &season, &sides[0]).await;
        assert_eq!(reason(late), "TRANSFER_WINDOW_CLOSED", "squads stand where the season has no windows");
        assert_eq!(reason(stage.advance(&season, SeasonState::Abandoned).await), "SEASON_STATE");
        let arbiter = pb::AdvanceSeasonRequest {
            season_id: season.clone(),
            state: SeasonState::PlayOffs.into(),
            request_id: stage.chief.request(),
            ..Default::default()
        };
        assert_eq!(reason(stage.chief.leagues().advance_season(arbiter).await), "NOT_AN_OFFICIAL");
    }
}

/// The member who leads a side: the first of its team.
async fn leader(stage: &Stage, side: &Side) -> String {
    let request = pb::GetTeamRequest { team_id: side.id.clone() };
    let team = stage.founder().federations.clone().get_team(request).await.expect("a team").into_inner();
    team.team.expect("present").members[0].member_id.clone()
}

/// Gives a side another captain, or none.
async fn captain(stage: &Stage, side: &Side, captain_id: &str) {
    let founder = stage.founder();
    let team = pb::Team { team_id: side.id.clone(), captain_id: captain_id.to_owned(), ..Default::default() };
    let request = pb::UpdateTeamRequest {
        team: Some(team),
        update_mask: Some(prost_types::FieldMask { paths: vec!["captain_id".to_owned()] }),
        request_id: founder.request(),
        ..Default::default()
    };
    founder.federations.clone().update_team(request).await.expect("changed");
}

/// How many events the federation has.
async fn events(stage: &Stage) -> usize {
    let request = pb::ListEventsRequest { federation_id: stage.federation.id.clone(), ..Default::default() };
    stage.founder().events.clone().list_events(request).await.expect("events").into_inner().events.len()
}

/// The ids of a season's events can be foreseen, and nobody takes them before it starts.
#[tokio::test]
async fn nobody_chooses_an_id_that_follows_from_something_else() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let request = pb::CreateEventRequest {
            event_id: "be098b1b-9ff4-8e5b-bd0a-bea6ce54cf2c".to_owned(),
            federation_id: federation.id.clone(),
            name: name("Open", ""),
            settings: Some(settings(3)),
            ..Default::default()
        };
        let created = federation.founder.events.clone().create_event(request).await;
        assert_eq!(reason(created), "BAD_ID", "{}", fixture.kind);
    }
}

/// A season of players: each division is decided by one game, and who goes up and down is written at once.
#[tokio::test]
async fn players_who_enter_for_themselves_have_leagues_too() {
    for fixture in fixtures().await {
        let stage = Stage::new(&fixture).await;
        let (founder, federation) = (stage.founder(), &stage.federation.id);
        let mut alone = rules(&stage.chief, &stage.arbiter);
        let event = alone.event.take().expect("present");
        alone.event = Some(pb::EventSettings { teams: None, ..event });
        for division in &mut alone.divisions {
            (division.size, division.size_min) = (2, 2);
        }
        alone.borders = vec![pb::LeagueBorder { direct: 1, play_offs: 0 }];
        let league = create(founder, federation, alone).await.expect("a league").league_id;
        let stage = Stage { league, ..stage };
        let season = stage.season("Spring", "").await.expect("a season").season_id;
        let mut sides = Vec::new();
        for named in ["An", "Bo", "Chen", "Ding"] {
            let captain = fixture.person(named);
            let id = stage.founder().member(&stage.federation.id, named).await.member_id;
            if named != "Ding" {
                stage.founder().bind(&id, &captain.id()).await.expect("bound");
            }
            sides.push(Side { id, captain, players: Vec::new() });
        }
        for (side, division) in sides.iter().zip([1, 1, 2, 2]) {
            stage.place(&season, side, division).await.expect("placed");
        }
        stage.advance(&season, SeasonState::Registration).await.expect("registration");
        let other = register(&sides[0].captain, &season, &sides[1]).await;
        assert_eq!(reason(other), "NOT_AN_OFFICIAL", "{}", fixture.kind);
        for side in &sides[..3] {
            register(&side.captain, &season, side).await.expect("registered");
        }
        register(stage.founder(), &season, &sides[3]).await.expect("registered for him");
        let started = stage.advance(&season, SeasonState::Running).await.expect("it starts");
        assert_eq!(started.divisions.len(), 2);
        let lines = table(stage.founder(), &season, 2).await.expect("a table");
        assert_eq!(lines.len(), 2);
    }
}
