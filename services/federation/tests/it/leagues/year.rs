//! A season from its draft to the next one. Every table and every movement is written by hand.

use api::federation::v1::{self as pb, SeasonState};

use super::stage::{Side, Stage, act, ids, table, teams};
use crate::{
    fixture::{Fixture, Person, fixtures, reason},
    game_archives::{exported, unpacked},
    team_events::nothing_is_found,
};

const NAMES: [&str; 8] = ["Ants", "Bears", "Cranes", "Deer", "Eagles", "Foxes", "Geese", "Hares"];

/// Eight sides, in the order of their names.
async fn sides(stage: &Stage, fixture: &Fixture) -> Vec<Side> {
    let mut sides = Vec::new();
    for named in NAMES {
        sides.push(stage.side(fixture, named).await);
    }
    sides
}

/// How the divisions of an outcome go on: who plays in them next.
fn next(season: &pb::Season) -> Vec<Vec<String>> {
    let outcome = season.outcome.as_ref().expect("it is closed");
    outcome.divisions.iter().map(|it| it.next_entrant_ids.clone()).collect()
}

#[tokio::test]
async fn a_year_of_a_league_is_played_and_the_next_follows_from_it() {
    for mut fixture in fixtures().await {
        let mut stage = Stage::new(&fixture).await;
        let sides = sides(&stage, &fixture).await;
        let [ants, bears, cranes, deer, eagles, foxes, geese, hares] = &sides[..] else { panic!("eight") };
        let season = stage.registered(&sides).await;
        let started = stage.advance(&season, SeasonState::Running).await.expect("it starts");
        let events: Vec<String> = started.divisions.iter().map(|it| it.event_id.clone()).collect();
        // Each division is an event with its teams, its officials and an adopted supplement.
        let entered = teams(&stage.held(&events[1])).await;
        let entered: Vec<String> = entered.iter().map(|it| it.team_id.clone()).collect();
        assert_eq!(entered, ids(&[eagles, foxes, geese, hares]), "{}", fixture.kind);
        fixture.restart().await;
        stage = stage.again(&fixture);
        assert_eq!(stage.get(&season).await, started, "a process that comes anew knows the same");
        stage.play(&events[0], &[ants, bears, cranes, deer], 3, None).await;
        nothing_is_found(&stage.chief, &stage.held(&events[0])).await;
        let unfinished = stage.advance(&season, SeasonState::PlayOffs).await;
        assert_eq!(reason(unfinished), "SEASON_UNFINISHED");
        stage.play(&events[1], &[eagles, foxes, geese, hares], 3, None).await;
        let stranger = fixture.person("stranger");
        let expected: Vec<(String, u32)> =
            ids(&[ants, bears, cranes, deer]).into_iter().zip([6, 4, 2, 0]).collect();
        assert_eq!(table(&stranger, &season, 1).await.expect("a table"), expected);
        assert_eq!(reason(table(&stranger, &season, 3).await), "BAD_SEASON");
        assert_eq!(reason(stage.advance(&season, SeasonState::Closed).await), "SEASON_STATE");
        assert!(!paper(&stranger, &season).await.contains("▲"), "nobody has gone up before the close");
        // Last but one of the first division against second of the second.
        let played = stage.advance(&season, SeasonState::PlayOffs).await.expect("play-offs");
        let [tie] = &played.play_offs[..] else { panic!("one play-off: {:?}", played.play_offs) };
        assert_eq!((&tie.upper_entrant_id, &tie.lower_entrant_id), (&cranes.id, &foxes.id));
        assert_eq!(reason(stage.advance(&season, SeasonState::Closed).await), "SEASON_UNFINISHED");
        stage.play(&tie.event_id, &[foxes, cranes], 1, None).await;
        stage.advance(&season, SeasonState::Closed).await.expect("closed");
        let closed = stage.get(&season).await;
        assert_eq!(next(&closed), [ids(&[ants, bears, eagles, foxes]), ids(&[cranes, deer, geese, hares])]);
        let outcome = closed.outcome.as_ref().expect("it is closed");
        assert!(!outcome.play_offs[0].upper_holds);
        let moves: Vec<pb::SeasonMove> =
            outcome.divisions[0].lines.iter().map(pb::OutcomeLine::r#move).collect();
        let (stays, down) = (pb::SeasonMove::Stays, pb::SeasonMove::Down);
        assert_eq!(moves, [stays, stays, down, down]);
        assert_eq!(closed.outcome_digest.len(), 32);
        papers(&stage, &season).await;
        archive(&stage, &season).await;
        honours(&stage, &season, ants, eagles).await;
        next_season(&stage, &closed, &[[ants, bears, eagles, foxes], [cranes, deer, geese, hares]]).await;
        log(&stage, &season).await;
    }
}

/// The tables of a season as a page.
async fn paper(person: &Person, season: &str) -> String {
    let asked = pb::RenderDocumentRequest {
        kind: pb::DocumentKind::LeagueTable.into(),
        season_id: season.to_owned(),
        ..Default::default()
    };
    let page = person.documents().render_document(asked).await.expect("a paper").into_inner();
    String::from_utf8(page.html).expect("a page is UTF-8")
}

/// The paper of a season that is over says who goes up and down; it hangs on the board of the federation and nowhere else.
async fn papers(stage: &Stage, season: &str) {
    let page = paper(&stage.chief, season).await;
    let place = |text: &str| page.find(text).unwrap_or_else(|| panic!("no {text} in {page}"));
    let order = ["City League", "Season 2027", "First", ">Ants<", ">Bears<", ">Cranes<", ">Deer<", "Second"];
    let places: Vec<usize> = order.into_iter().map(place).collect();
    assert!(places.is_sorted(), "{places:?}");
    // Two go down, and two come up.
    let marks = ["▲</td>", "▼</td>"].map(|mark| page.matches(mark).count());
    assert_eq!(marks, [2, 2], "{page}");
    let posting = pb::CreateDocumentRequest {
        federation_id: stage.federation.id.clone(),
        kind: pb::DocumentKind::LeagueTable.into(),
        season_id: season.to_owned(),
        request_id: stage.founder().request(),
        ..Default::default()
    };
    let posted = stage.founder().documents().create_document(posting.clone()).await.expect("posted");
    let posted = posted.into_inner().document.expect("present");
    assert_eq!((posted.season_id.as_str(), posted.event_id.as_str()), (season, ""));
    let asked = pb::GetDocumentRequest { document_id: posted.document_id.clone() };
    let hangs = stage.chief.documents().get_document(asked).await.expect("it hangs").into_inner();
    assert_eq!((hangs.document, hangs.html), (Some(posted), page.into_bytes()));
    let refused = async |change: fn(&mut pb::CreateDocumentRequest)| {
        let mut asked =
            pb::CreateDocumentRequest { request_id: stage.founder().request(), ..posting.clone() };
        change(&mut asked);
        reason(stage.founder().documents().create_document(asked).await)
    };
    assert_eq!(refused(|it| it.season_id.clear()).await, "BAD_ID");
    assert_eq!(refused(|it| it.season_id = it.federation_id.clone()).await, "UNKNOWN_SEASON");
    assert_eq!(refused(|it| it.event_id = it.season_id.clone()).await, "BAD_DOCUMENT");
    assert_eq!(refused(|it| it.policy_id = it.season_id.clone()).await, "BAD_DOCUMENT");
    assert_eq!(refused(|it| it.kind = pb::DocumentKind::RatingList.into()).await, "BAD_ID");
}

/// The games of a season are those of its divisions and its play-offs; of games in a hall there are no records.
async fn archive(stage: &Stage, season: &str) {
    let request = pb::ExportGamesRequest { season_id: season.to_owned(), ..Default::default() };
    let (bytes, games, records) = exported(stage.founder(), request.clone()).await.expect("an archive");
    // Six matches a division and one play-off, of two boards each.
    assert_eq!((games, records), (26, 0));
    let files = unpacked(bytes);
    let [(name, table)] = &files[..] else { panic!("the table alone: {files:?}") };
    assert_eq!((&**name, table.lines().count()), ("games.csv", 27));
    assert!(table.lines().skip(1).all(|line| line.ends_with(",,")), "{table}");
    let unknown = pb::ExportGamesRequest { season_id: stage.league.clone(), ..request };
    assert_eq!(reason(exported(stage.founder(), unknown).await), "UNKNOWN_SEASON");
}

/// Who was first, and the table of all seasons, which has one.
async fn honours(stage: &Stage, season: &str, first: &Side, of_second: &Side) {
    let league_id = stage.league.clone();
    let request = pb::ListHonoursRequest { league_id: league_id.clone(), ..Default::default() };
    let told = stage.founder().leagues().list_honours(request).await.expect("honours").into_inner();
    assert_eq!(told.seasons.len(), 1);
    assert_eq!((told.seasons[0].season_id.as_str(), told.seasons[0].number), (season, 1));
    assert_eq!(told.seasons[0].first_entrant_ids, ids(&[first, of_second]));
    let request = pb::ListAllTimeRequest { league_id, page_size: 3, ..Default::default() };
    let page = stage.founder().leagues().list_all_time(request.clone()).await.expect("a table");
    let page = page.into_inner();
    let top = &page.lines[0];
    assert_eq!((top.rank, &top.entrant_id, top.titles, top.points, top.seasons), (1, &first.id, 1, 6, 1));
    let request = pb::ListAllTimeRequest { page_token: page.next_page_token, page_size: 200, ..request };
    let rest = stage.founder().leagues().list_all_time(request).await.expect("a table").into_inner();
    assert_eq!(rest.lines.iter().map(|it| it.rank).collect::<Vec<_>>(), [4, 5, 6, 7, 8]);
    assert_eq!(rest.lines[1].points, 0, "only the first division counts");
}

/// A season that follows has everybody where the one before has put him, and nobody registered.
async fn next_season(stage: &Stage, closed: &pb::Season, divisions: &[[&Side; 4]; 2]) {
    let second = stage.season("Season 2028", &closed.season_id).await.expect("the next season");
    assert_eq!((second.number, second.state()), (2, SeasonState::Draft));
    let squads = stage.squads(&second.season_id).await;
    let placed: Vec<(u32, u32, String)> =
        squads.iter().map(|it| (it.division, it.seed, it.entrant_id.clone())).collect();
    let expected = (1..).zip(divisions).flat_map(|(division, sides)| {
        (1..).zip(sides).map(move |(seed, side)| (division, seed, side.id.clone()))
    });
    assert_eq!(placed, expected.collect::<Vec<_>>());
    assert!(squads.iter().all(|it| !it.registered && it.members.is_empty()));
    let early = stage.season("Season 2029", &second.season_id).await;
    assert_eq!(reason(early), "SEASON_STATE", "nothing follows from what has not ended");
}

/// What was done, in its order.
async fn log(stage: &Stage, season: &str) {
    let request =
        pb::ListSeasonLogRequest { season_id: season.to_owned(), page_size: 200, ..Default::default() };
    let told = stage.founder().leagues().list_season_log(request).await.expect("a log").into_inner();
    let acts: Vec<pb::SeasonAct> = told.entries.iter().map(pb::SeasonLogEntry::act).collect();
    let mut expected = vec![pb::SeasonAct::Created];
    expected.extend([pb::SeasonAct::Placed; 8]);
    expected.push(pb::SeasonAct::Advanced);
    expected.extend([pb::SeasonAct::Registered; 8]);
    expected.extend([pb::SeasonAct::Advanced; 3]);
    assert_eq!(acts, expected);
    assert!((1..).zip(&told.entries).all(|(number, entry)| entry.sequence == number));
}

/// Who withdraws is last and goes down, however much he has won, and who does not want to go up does not: the next does.
#[tokio::test]
async fn a_team_that_withdraws_goes_down_and_one_that_stays_down_lets_another_up() {
    for fixture in fixtures().await {
        let stage = Stage::new(&fixture).await;
        let sides = sides(&stage, &fixture).await;
        let [ants, bears, cranes, deer, eagles, foxes, geese, hares] = &sides[..] else { panic!("eight") };
        let season = stage.registered(&sides).await;
        let started = stage.advance(&season, SeasonState::Running).await.expect("it starts");
        let events: Vec<String> = started.divisions.iter().map(|it| it.event_id.clone()).collect();
        let (season_id, entrant_id) = (season.clone(), eagles.id.clone());
        let request = pb::StayDownRequest { season_id, entrant_id, stays_down: true, ..Default::default() };
        let request = pb::StayDownRequest { request_id: eagles.captain.request(), ..request };
        let others = bears.captain.leagues().stay_down(request.clone()).await;
        assert_eq!(reason(others), "NOT_AN_OFFICIAL", "{}", fixture.kind);
        eagles.captain.leagues().stay_down(request.clone()).await.expect("said");
        eagles.captain.leagues().stay_down(request).await.expect("the same once more");
        stage.play(&events[0], &[ants, bears, cranes, deer], 3, Some(ants)).await;
        stage.play(&events[1], &[eagles, foxes, geese, hares], 3, None).await;
        let played = stage.advance(&season, SeasonState::PlayOffs).await.expect("play-offs");
        let tie = &played.play_offs[0];
        assert_eq!((&tie.upper_entrant_id, &tie.lower_entrant_id), (&deer.id, &geese.id));
        let (season_id, entrant_id) = (season.clone(), foxes.id.clone());
        let late = act!(
            foxes.captain, stay_down, StayDownRequest { season_id, entrant_id, stays_down: true } -> squad
        );
        assert_eq!(reason(late), "SEASON_STATE", "who plays for a place is known");
        stage.play(&tie.event_id, &[deer, geese], 1, None).await;
        stage.advance(&season, SeasonState::Closed).await.expect("closed");
        let closed = stage.get(&season).await;
        assert_eq!(next(&closed), [ids(&[bears, cranes, deer, foxes]), ids(&[ants, eagles, geese, hares])]);
        let lines = &closed.outcome.as_ref().expect("it is closed").divisions[0].lines;
        assert_eq!(lines.iter().map(|it| it.withdrawn).collect::<Vec<_>>(), [false, false, false, true]);
    }
}
