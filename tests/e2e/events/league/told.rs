//! What is posted of a season, and what its captains are told.

use api::federation::v1::{
    self as pb, document_service_client::DocumentServiceClient, notice_service_client::NoticeServiceClient,
};
use tests::call;

use super::{script::FIRST_TABLES, stage::Stage};

/// The standings of both divisions are posted in two languages, with the teams in the order of the table.
pub(super) async fn posted(stage: &Stage, season: &str) {
    let founder = stage.founder();
    let documents = DocumentServiceClient::new(founder.transport());
    for (division, table) in stage.get(season).await.divisions.iter().zip(FIRST_TABLES) {
        let request = pb::CreateDocumentRequest {
            event_id: division.event_id.clone(),
            kind: pb::DocumentKind::Standings.into(),
            round: 3,
            languages: vec!["zh".to_owned(), "en".to_owned()],
            request_id: founder.new_id(),
            ..Default::default()
        };
        let posted = call!(documents.clone(), create_document, request).expect("it is posted").document;
        let document_id = posted.expect("it is told").document_id;
        let request = pb::GetDocumentRequest { document_id };
        let html = call!(documents.clone(), get_document, request).expect("whoever asks has it").html;
        let html = String::from_utf8(html).expect("text");
        let places: Vec<usize> =
            table.iter().map(|row| html.find(&format!(">{}", row.0)).expect("it is in the paper")).collect();
        assert!(places.is_sorted(), "{places:?}: {html}");
        assert!(html.contains("名次") && html.contains("Standings"), "in both languages: {html}");
    }
}

/// Captains are reminded of a match that nobody has arranged, and nobody of one that was.
pub(super) async fn reminded(stage: &Stage) {
    for (named, expected) in [("Geese", true), ("Hares", true), ("Ants", false), ("Foxes", false)] {
        let captain = &stage.side(named).players[0];
        let request = pb::ListNoticesRequest { page_size: 200, ..Default::default() };
        let notices = NoticeServiceClient::new(captain.transport());
        let told = call!(notices, list_notices, request).expect("an inbox").notices;
        let due = told.iter().any(|it| it.kind() == pb::NoticeKind::ArrangeDue);
        assert_eq!(due, expected, "{named}: {told:?}");
    }
}
