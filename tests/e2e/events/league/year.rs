//! Two seasons, one after the other, and what is told of them.

use api::federation::v1::{self as pb, SeasonState};
use tests::{Platform, Shape, call, opposite_shapes};

use super::{
    ratings::listed,
    script::{
        ALL_TIME, FIRST, FIRST_PLAY_OFF, FIRST_TABLES, LEAVES, Matches, SECOND, SECOND_DIVISIONS,
        SECOND_PLAY_OFF, SECOND_TABLES, THIRD_DIVISIONS,
    },
    season::play,
    stage::{Stage, act, leagues},
    told::{posted, reminded},
};
use crate::events::swiss::verified_alone;

#[tokio::test(flavor = "multi_thread")]
async fn a_league_is_played_over_two_seasons_and_who_moves_is_what_was_reckoned_by_hand() {
    for (shape, store) in opposite_shapes() {
        let mut platform = Platform::start(shape, store).await.expect("the platform starts");
        let stage = Stage::new(&platform.transport()).await;
        let first = stage.season("Season 2027", "").await.season_id;
        place(&stage, &first).await;
        run(&stage, &first).await;
        played(&platform, &stage, &first, (FIRST, FIRST_PLAY_OFF), None).await;
        tables(&stage, &first, FIRST_TABLES).await;
        moved(&stage, &first, SECOND_DIVISIONS, false).await;
        listed(&stage).await;
        posted(&stage, &first).await;
        reminded(&stage).await;
        let process = if shape == Shape::One { "platform" } else { "federation" };
        platform.kill(process).await.expect("it can be killed");
        platform.restart(process).await.expect("it comes up again");
        let second = stage.season("Season 2028", &first).await.season_id;
        run(&stage, &second).await;
        played(&platform, &stage, &second, (SECOND, SECOND_PLAY_OFF), Some(LEAVES)).await;
        tables(&stage, &second, SECOND_TABLES).await;
        moved(&stage, &second, THIRD_DIVISIONS, true).await;
        honours(&stage).await;
    }
}

/// Places the teams of a season that follows none.
async fn place(stage: &Stage, season: &str) {
    for (at, side) in stage.sides.iter().enumerate() {
        let (season_id, entrant_id) = (season.to_owned(), side.team.team_id.clone());
        let division = if at < 4 { 1 } else { 2 };
        act!(
            stage.founder(),
            place_entrant(PlaceEntrantRequest { season_id, entrant_id, division }) -> squad
        )
        .expect("placed");
    }
}

/// Takes a season to where its divisions are played.
async fn run(stage: &Stage, season: &str) {
    stage.advance(season, SeasonState::Registration).await;
    stage.register(season).await;
    stage.advance(season, SeasonState::Running).await;
}

/// Plays a season to its end.
async fn played(
    platform: &Platform,
    stage: &Stage,
    season: &str,
    (divisions, play_off): ([Matches; 2], Matches),
    leaves: Option<&str>,
) {
    for (division, matches) in stage.get(season).await.divisions.iter().zip(divisions) {
        play(stage, &division.event_id, matches, 3, leaves.filter(|_| division.division == 1)).await;
        verified_alone(platform, &stage.held(&division.event_id).await.0).await;
    }
    let ties = stage.advance(season, SeasonState::PlayOffs).await.play_offs;
    let [tie] = &ties[..] else { panic!("one play-off: {ties:?}") };
    play(stage, &tie.event_id, play_off, 1, None).await;
    verified_alone(platform, &stage.held(&tie.event_id).await.0).await;
    stage.advance(season, SeasonState::Closed).await;
}

/// The tables of the divisions are those that were written by hand.
async fn tables(stage: &Stage, season: &str, expected: [&[(&str, u32, i64)]; 2]) {
    for (division, expected) in (1..).zip(expected) {
        let request = pb::GetLeagueTableRequest { season_id: season.to_owned(), division };
        let told = call!(leagues(stage.founder()), get_league_table, request).expect("a table");
        let lines: Vec<(&str, u32, i64)> = told
            .lines
            .iter()
            .map(|it| {
                let line = it.line.as_ref().expect("it is told");
                let games = line.criteria.iter().find(|it| it.name == "game_points").expect("they count");
                (stage.named(&it.entrant_id), line.points, games.numerator)
            })
            .collect();
        assert_eq!(lines, expected, "division {division}");
    }
}

/// Who plays where next is what was written by hand.
async fn moved(stage: &Stage, season: &str, expected: [[&str; 4]; 2], upper_holds: bool) {
    let outcome = stage.get(season).await.outcome.expect("it is closed");
    assert_eq!(outcome.play_offs[0].upper_holds, upper_holds);
    for (division, expected) in outcome.divisions.iter().zip(expected) {
        assert_eq!(stage.names(&division.next_entrant_ids), expected, "division {}", division.division);
    }
    let withdrawn: Vec<&str> = outcome.divisions[0]
        .lines
        .iter()
        .filter(|line| line.withdrawn)
        .map(|line| stage.named(&line.entrant_id))
        .collect();
    assert_eq!(withdrawn, if upper_holds { vec![LEAVES] } else { Vec::new() });
}

/// Who was first, and the table of all seasons.
async fn honours(stage: &Stage) {
    let league_id = stage.league.clone();
    let request = pb::ListHonoursRequest { league_id: league_id.clone(), ..Default::default() };
    let told = call!(leagues(stage.founder()), list_honours, request).expect("honours").seasons;
    let mut firsts: Vec<_> = told.iter().map(|it| (it.number, stage.names(&it.first_entrant_ids))).collect();
    firsts.sort();
    assert_eq!(firsts, [(1, vec!["Ants", "Eagles"]), (2, vec!["Eagles", "Cranes"])]);
    let request = pb::ListAllTimeRequest { league_id, ..Default::default() };
    let lines = call!(leagues(stage.founder()), list_all_time, request).expect("a table").lines;
    let lines = lines.iter().map(|it| (stage.named(&it.entrant_id), it.titles, it.points, it.top_seasons));
    assert_eq!(lines.take(ALL_TIME.len()).collect::<Vec<_>>(), ALL_TIME);
}
