//! Federations: founding, changing, dissolving, and who may.

use api::federation::v1 as pb;
use futures::future::join_all;
use prost_types::FieldMask;

use crate::fixture::{fixtures, name, reason};

#[tokio::test]
async fn whoever_founds_a_federation_is_its_administrator_and_nobody_else() {
    for fixture in fixtures().await {
        let (founder, other) = (fixture.person("anna"), fixture.person("bob"));
        let asked = pb::Federation {
            name: name("བོད་མིག་མངས", "Tibetan Jiu"),
            about: "Played in Aba.".to_owned(),
            ..pb::Federation::default()
        };
        let made = founder.found(asked.clone()).await.expect("founded");
        assert_eq!(made.name, asked.name, "{}", fixture.kind);
        assert_eq!(reason(other.found(asked.clone()).await), "ORGANISATION_NAME_TAKEN");
        assert_eq!(reason(fixture.guest().found(asked).await), "GUEST");
        let edit = |open| pb::UpdateFederationRequest {
            federation: Some(pb::Federation {
                federation_id: made.federation_id.clone(),
                open,
                revision: 1,
                ..pb::Federation::default()
            }),
            update_mask: Some(FieldMask { paths: vec!["open".to_owned()] }),
            request_id: founder.request(),
            validate_only: false,
        };
        assert_eq!(reason(other.federations.clone().update_federation(edit(true)).await), "NOT_AN_OFFICIAL");
        let changed = founder.federations.clone().update_federation(edit(true)).await.expect("changed");
        let changed = changed.into_inner().federation.expect("present");
        assert!(changed.open && changed.about == "Played in Aba." && changed.revision == 2);
        assert_eq!(
            reason(founder.federations.clone().update_federation(edit(false)).await),
            "REVISION_PASSED"
        );
        let mut bad = edit(false);
        bad.update_mask = Some(FieldMask { paths: vec!["founder".to_owned()] });
        assert_eq!(reason(founder.federations.clone().update_federation(bad).await), "BAD_FIELD_MASK");
    }
}

#[tokio::test]
async fn federations_are_found_by_the_beginning_of_a_name() {
    for fixture in fixtures().await {
        let founder = fixture.person("anna");
        for (native, latin) in
            [("བོད་མིག་མངས", "Tibetan Jiu"), ("内蒙古围棋", "Nei Menggu Weiqi"), ("Écho", "")]
        {
            let federation = pb::Federation { name: name(native, latin), ..pb::Federation::default() };
            founder.found(federation).await.expect("founded");
        }
        for (prefix, count) in [("", 3), ("tib", 1), ("བོད", 1), ("内", 1), ("echo", 1), ("x", 0)] {
            let request = pb::ListFederationsRequest { name_prefix: prefix.to_owned(), ..Default::default() };
            let found = fixture.stranger().list_federations(request).await.expect("a list").into_inner();
            assert_eq!(found.federations.len(), count, "{}: {prefix}", fixture.kind);
        }
        let mut request = pb::ListFederationsRequest { page_size: 2, ..Default::default() };
        let first = fixture.stranger().list_federations(request.clone()).await.expect("a page").into_inner();
        request.page_token = first.next_page_token;
        let second = fixture.stranger().list_federations(request).await.expect("a page").into_inner();
        assert_eq!((first.federations.len(), second.federations.len()), (2, 1));
    }
}

#[tokio::test]
async fn names_that_hide_something_are_refused() {
    for fixture in fixtures().await {
        let founder = fixture.person("anna");
        for (native, latin, field) in [
            ("", "", "federation.name.native"),
            ("阿坝", "", "federation.name.latin"),
            ("An\u{202E}na", "", "federation.name.native"),
            ("阿坝", "A\u{200B}ba", "federation.name.latin"),
        ] {
            let asked = pb::Federation { name: name(native, latin), ..pb::Federation::default() };
            let status = founder.found(asked).await.expect_err("refused");
            assert_eq!(api::error::reason(&status), "BAD_ORGANISATION_NAME");
            let details = tonic_types::StatusExt::get_details_bad_request(&status).expect("fields");
            assert_eq!(details.field_violations[0].field, field);
        }
    }
}

#[tokio::test]
async fn a_dissolved_federation_changes_no_more() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let request = pb::DeleteFederationRequest {
            federation_id: federation.id.clone(),
            request_id: federation.founder.request(),
            ..Default::default()
        };
        let answer = federation.founder.federations.clone().delete_federation(request).await.expect("done");
        assert!(answer.into_inner().federation.expect("present").dissolve_time.is_some());
        assert_eq!(reason(federation.founder.club(&federation.id, "Club").await), "ORGANISATION_ENDED");
        let shown = fixture.stranger().list_federations(pb::ListFederationsRequest::default()).await;
        assert!(shown.expect("a list").into_inner().federations.is_empty());
    }
}

#[tokio::test]
async fn nobody_founds_federations_by_the_dozen() {
    for fixture in fixtures().await {
        let founder = fixture.person("anna");
        let asked =
            |number| pb::Federation { name: name(&format!("Number {number}"), ""), ..Default::default() };
        let made = join_all((0..12).map(|number| founder.found(asked(number)))).await;
        let (taken, refused): (Vec<_>, Vec<_>) = made.into_iter().partition(Result::is_ok);
        assert_eq!((taken.len(), refused.len()), (5, 7), "{}: at once or not", fixture.kind);
        assert!(refused.into_iter().all(|it| reason(it) == "FEDERATION_FULL"));
    }
}
