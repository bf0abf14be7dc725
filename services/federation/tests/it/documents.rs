//! Papers of events: made for whoever asks, posted by officials, and never sooner than the broadcast.

use std::time::Duration;

use api::federation::v1 as pb;
use sha2::{Digest as _, Sha256};
use tonic::Status;

use crate::{
    fixture::{Fixture, Person, fixtures, reason},
    held::{Held, begin, change, enter, held, play, run, settings},
    team_events::two_teams_paired,
};

async fn rendered(
    person: &Person,
    held: &Held,
    kind: pb::DocumentKind,
    of: pb::RenderDocumentRequest,
) -> Result<String, Status> {
    let request = pb::RenderDocumentRequest { event_id: held.id.clone(), kind: kind.into(), ..of };
    let answer = person.documents().render_document(request).await?.into_inner();
    assert_eq!(answer.digest, Sha256::digest(&answer.html).to_vec());
    Ok(String::from_utf8(answer.html).expect("a page is UTF-8"))
}

async fn plain(person: &Person, held: &Held, kind: pb::DocumentKind) -> Result<String, Status> {
    rendered(person, held, kind, pb::RenderDocumentRequest::default()).await
}

async fn post(person: &Person, request: pb::CreateDocumentRequest) -> Result<pb::Document, Status> {
    let answer = person.documents().create_document(request).await?;
    Ok(answer.into_inner().document.expect("present"))
}

async fn get(person: &Person, document_id: &str) -> Result<(pb::Document, String), Status> {
    let request = pb::GetDocumentRequest { document_id: document_id.to_owned() };
    let answer = person.documents().get_document(request).await?.into_inner();
    let html = String::from_utf8(answer.html).expect("a page is UTF-8");
    Ok((answer.document.expect("present"), html))
}

async fn listed(person: &Person, list: pb::ListDocumentsRequest) -> (Vec<pb::Document>, String) {
    let answer = person.documents().list_documents(list).await.expect("a list").into_inner();
    (answer.documents, answer.next_page_token)
}

fn posting(held: &Held, kind: pb::DocumentKind) -> pb::CreateDocumentRequest {
    pb::CreateDocumentRequest {
        event_id: held.id.clone(),
        kind: kind.into(),
        request_id: held.chief.request(),
        ..Default::default()
    }
}

/// An event of five, whose first round is played.
async fn played(fixture: &Fixture, settings: pb::EventSettings) -> (Held, Vec<Person>) {
    let held = held(fixture, settings).await;
    let players = enter(fixture, &held, 5).await;
    run(&held).await;
    begin(&held, 1).await;
    play(fixture, &held, 1).await;
    (held, players)
}

#[tokio::test]
async fn whoever_asks_is_made_every_paper_that_the_event_has() {
    use pb::DocumentKind::{Crosstable, Pairings, Roster, Schedule, Slips, Standings};
    for fixture in fixtures().await {
        let (held, _) = played(&fixture, settings(3)).await;
        let anybody = fixture.person("anybody");
        for kind in [Pairings, Slips, Standings, Crosstable, Schedule, Roster] {
            let page = plain(&anybody, &held, kind).await.expect("a paper");
            assert!(page.contains("阿坝公开赛") && page.contains("Aba Open"), "{kind:?}");
            for number in 1..=5 {
                // Who has the bye has no slip.
                let is_there = page.contains(&format!(">Player {number}<"));
                assert!(is_there || kind == Schedule || kind == Slips, "{kind:?} lacks {number}");
            }
        }
        let sheet = plain(&anybody, &held, Pairings).await.expect("a paper");
        assert_eq!(sheet.matches("2 – 0").count(), 2, "{}: both boards have results", fixture.kind);
        assert!(sheet.contains("轮空") && sheet.contains("Pairing bye"));
        let slips = plain(&anybody, &held, Slips).await.expect("a paper");
        assert_eq!(slips.matches("class=\"slip\"").count(), 2);
        let table = plain(&anybody, &held, Standings).await.expect("a paper");
        for column in ["总分T", "积分P", "对手分ΣO", "最高分M", "轮次R"] {
            assert!(table.contains(column), "the table lacks {column}");
        }
        let languages = vec!["bo".to_owned(), "zh".to_owned()];
        let tibetan = pb::RenderDocumentRequest { languages, ..Default::default() };
        let tibetan = rendered(&anybody, &held, Standings, tibetan).await.expect("a paper");
        assert!(tibetan.contains("<html lang=\"bo\" dir=\"ltr\">"));
        // As it was before the first round was public, there was none.
        let before = pb::RenderDocumentRequest { as_of_sequence: 2, ..Default::default() };
        let roster = rendered(&held.chief, &held, Roster, before.clone()).await.expect("a paper");
        assert!(!roster.contains("Player 1"));
        assert_eq!(reason(rendered(&held.chief, &held, Pairings, before).await), "UNKNOWN_ROUND");
    }
}

#[tokio::test]
async fn a_match_of_teams_shows_its_boards_once_they_are_laid() {
    use pb::DocumentKind::{Crosstable, Matches, Roster, Standings};
    for fixture in fixtures().await {
        let held = two_teams_paired(&fixture).await;
        let anybody = fixture.person("anybody");
        let before = plain(&anybody, &held, Matches).await.expect("a paper");
        assert!(before.contains("The line-up is not public yet.") && !before.contains("Lions 1"));
        change!(held, held.chief, start_round, StartRoundRequest { round: 1 }).expect("started");
        play(&fixture, &held, 1).await;
        let after = plain(&anybody, &held, Matches).await.expect("a paper");
        for name in [">Lions<", ">Tigers<", "Lions 1", "Lions 2", "Tigers 1", "Tigers 2"] {
            assert!(after.contains(name), "{}: no {name}", fixture.kind);
        }
        // The first of each table has won, and the colours alternate: each team has one of the two boards.
        assert!(after.contains("2 : 2"), "{after}");
        let table = plain(&anybody, &held, Standings).await.expect("a paper");
        assert!(table.contains("团体名次表") && table.contains("局分") && table.contains(">Tigers<"));
        let roster = plain(&anybody, &held, Roster).await.expect("a paper");
        assert!(roster.contains("2 entrants") && roster.contains("Tigers 2") && roster.contains("队长"));
        assert_eq!(reason(plain(&anybody, &held, Crosstable).await), "BAD_DOCUMENT");
    }
}

#[tokio::test]
async fn other_programs_are_given_what_stands_on_a_paper() {
    for fixture in fixtures().await {
        let (held, _) = played(&fixture, settings(3)).await;
        let anybody = fixture.person("anybody");
        let asked = |format: i32| pb::RenderDocumentRequest {
            event_id: held.id.clone(),
            kind: pb::DocumentKind::Pairings.into(),
            languages: vec!["zh".to_owned()],
            format,
            ..Default::default()
        };
        let render = async |format| anybody.documents().render_document(asked(format)).await;
        let told = render(pb::DocumentFormat::Json.into()).await.expect("a paper").into_inner();
        assert_eq!((told.html.len(), told.digest), (0, Sha256::digest(&told.json).to_vec()));
        let (paper, _) = papers::read(&told.json).expect("it is a paper");
        let papers::Sheet::Pairings(sheet) = &paper.sheet else { panic!("other paper: {paper:?}") };
        assert_eq!((paper.head.sequence, sheet.boards.len(), sheet.out.len()), (told.as_of_sequence, 2, 1));
        // The page is made of the same.
        let page = render(pb::DocumentFormat::Html.into()).await.expect("a paper").into_inner();
        let own = papers::html(&paper, catalogue::Catalogue::shipped()).expect("a page").into_bytes();
        assert_eq!((page.json.len(), &page.html), (0, &own), "{}", fixture.kind);
        assert_eq!(render(0).await.expect("a paper").into_inner().html, own);
        assert_eq!(reason(render(9).await), "UNKNOWN_VALUE");
    }
}

#[tokio::test]
async fn what_is_no_paper_of_the_event_is_refused() {
    for fixture in fixtures().await {
        let (held, _) = played(&fixture, settings(3)).await;
        let anybody = fixture.person("anybody");
        let of = pb::RenderDocumentRequest::default;
        for kind in [pb::DocumentKind::Matches, pb::DocumentKind::Notice, pb::DocumentKind::Unspecified] {
            assert_eq!(reason(plain(&anybody, &held, kind).await), "BAD_DOCUMENT", "{kind:?}");
        }
        let unknown = pb::RenderDocumentRequest { event_id: held.id.clone(), kind: 99, ..of() };
        assert_eq!(reason(anybody.documents().render_document(unknown).await), "UNKNOWN_VALUE");
        let standings = pb::DocumentKind::Standings;
        let too_late = rendered(&anybody, &held, standings, pb::RenderDocumentRequest { round: 9, ..of() });
        assert_eq!(reason(too_late.await), "UNKNOWN_ROUND");
        let unwritten = pb::RenderDocumentRequest { as_of_sequence: 10_000, ..of() };
        assert_eq!(reason(rendered(&anybody, &held, standings, unwritten).await), "BAD_CURSOR");
        for languages in [vec!["<b>"], vec!["zh", "en", "bo", "ug"]] {
            let languages = languages.into_iter().map(str::to_owned).collect();
            let asked = pb::RenderDocumentRequest { languages, ..of() };
            assert_eq!(reason(rendered(&anybody, &held, standings, asked).await), "BAD_DOCUMENT");
        }
        let nowhere = fixture.env.uuid().to_string();
        let nowhere = pb::RenderDocumentRequest { event_id: nowhere, kind: standings.into(), ..of() };
        assert_eq!(reason(anybody.documents().render_document(nowhere).await), "UNKNOWN_EVENT");
        assert_eq!(reason(get(&anybody, &fixture.env.uuid().to_string()).await), "UNKNOWN_DOCUMENT");
    }
}

#[tokio::test]
async fn nobody_learns_a_result_sooner_by_a_paper() {
    use pb::DocumentKind::{Crosstable, Pairings};
    for fixture in fixtures().await {
        let delay = Duration::from_mins(10);
        let broadcast_delay_duration = Some(api::time::duration(delay));
        let late = pb::EventSettings { broadcast_delay_duration, ..settings(3) };
        let (held, _) = played(&fixture, late).await;
        let anybody = fixture.person("anybody");
        let results = |page: &str| page.matches("2 – 0").count();
        let of_chief = plain(&held.chief, &held, Pairings).await.expect("a paper");
        assert_eq!(results(&of_chief), 2, "{}: an official sees it at once", fixture.kind);
        let shown = plain(&anybody, &held, Pairings).await.expect("a paper");
        assert_eq!(results(&shown), 0, "{}: nobody else does", fixture.kind);
        // What hangs on the board is for everybody, whoever has posted it.
        for kind in [Pairings, Crosstable] {
            let posted = post(&held.chief, posting(&held, kind)).await.expect("posted");
            let (_, page) = get(&held.chief, &posted.document_id).await.expect("it hangs");
            assert!(results(&page) == 0 && !page.contains("●+") && !page.contains("○+"), "{kind:?}");
        }
        fixture.time.advance(2 * delay);
        assert_eq!(results(&plain(&anybody, &held, Pairings).await.expect("a paper")), 2);
    }
}

#[tokio::test]
async fn what_an_official_posts_hangs_until_it_is_withdrawn_and_never_changes() {
    for fixture in fixtures().await {
        let (held, players) = played(&fixture, settings(3)).await;
        let asked = posting(&held, pb::DocumentKind::Standings);
        let only_asked = pb::CreateDocumentRequest { validate_only: true, ..asked.clone() };
        post(&held.chief, only_asked).await.expect("it could be posted");
        let board = pb::ListDocumentsRequest { event_id: held.id.clone(), ..Default::default() };
        assert!(listed(&players[0], board.clone()).await.0.is_empty(), "{}", fixture.kind);

        let posted = post(&held.chief, asked.clone()).await.expect("posted");
        assert_eq!(post(&held.chief, asked.clone()).await.expect("again"), posted, "{}", fixture.kind);
        let other = pb::CreateDocumentRequest { title: "Final".to_owned(), ..asked.clone() };
        assert_eq!(reason(post(&held.chief, other).await), "REQUEST_ID_REUSED");
        assert_eq!(reason(post(&players[0], asked).await), "EVENT_ROLE_MISSING");
        assert_eq!((posted.round, posted.posted_by.clone()), (1, held.chief.id()));

        let (document, page) = get(&players[0], &posted.document_id).await.expect("it hangs");
        assert_eq!(document, posted);
        assert_eq!(
            (page.len(), Sha256::digest(&page).to_vec()),
            (posted.size as usize, posted.digest.clone())
        );
        begin(&held, 2).await;
        assert_eq!(get(&players[0], &posted.document_id).await.expect("it hangs").1, page);

        fixture.time.advance(Duration::from_secs(1));
        let second = post(&held.chief, posting(&held, pb::DocumentKind::Pairings)).await.expect("posted");
        let first_page = pb::ListDocumentsRequest { page_size: 1, ..board.clone() };
        let (newest, page_token) = listed(&players[0], first_page.clone()).await;
        let (oldest, end) = listed(&players[0], pb::ListDocumentsRequest { page_token, ..first_page }).await;
        assert_eq!((newest, oldest, end.as_str()), (vec![second], vec![posted.clone()], ""));

        withdrawn(&fixture, &held, &players[0], &posted).await;
        let there: Vec<bool> =
            listed(&players[0], board).await.0.iter().map(|it| it.withdrawn_by.is_empty()).collect();
        assert_eq!(there, [true, false], "it stays in the list");
    }
}

/// Withdraws a paper, which no player can.
async fn withdrawn(fixture: &Fixture, held: &Held, player: &Person, posted: &pb::Document) {
    let withdraw = async |person: &Person, why: &str| {
        let request = pb::DeleteDocumentRequest {
            document_id: posted.document_id.clone(),
            reason: why.to_owned(),
            request_id: person.request(),
            validate_only: false,
        };
        let answer = person.documents().delete_document(request).await?;
        Ok::<_, Status>(answer.into_inner().document.expect("present"))
    };
    assert_eq!(reason(withdraw(player, "a joke").await), "EVENT_ROLE_MISSING");
    assert_eq!(reason(withdraw(&held.chief, " ").await), "BAD_TEXT");
    let gone = withdraw(&held.chief, "a wrong result").await.expect("withdrawn");
    assert_eq!(
        (gone.withdraw_reason.as_str(), gone.withdrawn_by.clone()),
        ("a wrong result", held.chief.id())
    );
    assert_eq!(withdraw(&held.chief, "another reason").await.expect("it is"), gone, "{}", fixture.kind);
    let (told, page) = get(player, &posted.document_id).await.expect("it is known");
    assert_eq!((told, page.as_str()), (gone, ""), "{}", fixture.kind);
}

#[tokio::test]
async fn a_federation_posts_notices_and_nothing_in_them_is_markup() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let founder = &federation.founder;
        let notice = pb::CreateDocumentRequest {
            federation_id: federation.id.clone(),
            kind: pb::DocumentKind::Notice.into(),
            title: "<script>alert(1)</script>".to_owned(),
            text: "One & all.\n\n\"Two\"".to_owned(),
            languages: vec!["mn-Mong".to_owned(), "zh".to_owned()],
            request_id: founder.request(),
            ..Default::default()
        };
        let anybody = fixture.person("anybody");
        assert_eq!(reason(post(&anybody, notice.clone()).await), "NOT_AN_OFFICIAL");
        let posted = post(founder, notice.clone()).await.expect("posted");
        let (_, page) = get(&anybody, &posted.document_id).await.expect("it hangs");
        assert!(page.contains("&#60;script&#62;alert(1)&#60;/script&#62;") && !page.contains("<script"));
        assert!(page.contains("One &#38; all.") && page.contains("class=\"vertical\""), "{}", fixture.kind);
        let board = pb::ListDocumentsRequest { federation_id: federation.id.clone(), ..Default::default() };
        assert_eq!(listed(&anybody, board).await.0, [posted]);

        let again = |change: fn(&mut pb::CreateDocumentRequest)| {
            let mut asked = pb::CreateDocumentRequest { request_id: founder.request(), ..notice.clone() };
            change(&mut asked);
            asked
        };
        let without_text = again(|it| it.text.clear());
        assert_eq!(reason(post(founder, without_text).await), "BAD_TEXT");
        let table = again(|it| it.kind = pb::DocumentKind::Standings.into());
        assert_eq!(reason(post(founder, table).await), "BAD_DOCUMENT");
        let nowhere = again(|it| it.federation_id.clear());
        assert_eq!(reason(post(founder, nowhere).await), "BAD_ID");
    }
}
