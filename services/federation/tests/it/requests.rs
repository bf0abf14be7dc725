//! Changes that are repeated, and changes that are only asked about.

use api::federation::v1 as pb;

use crate::fixture::{enrolment, fixtures, reason};

#[tokio::test]
async fn a_repeated_change_is_answered_and_not_repeated() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let founder = &federation.founder;
        let mut request = enrolment(&federation.id, "Tashi");
        request.request_id = founder.request();
        let first =
            founder.federations.clone().create_member(request.clone()).await.expect("made").into_inner();
        let again =
            founder.federations.clone().create_member(request.clone()).await.expect("told").into_inner();
        assert_eq!(first, again, "{}", fixture.kind);
        let mut other = enrolment(&federation.id, "Dolma");
        other.request_id = request.request_id.clone();
        assert_eq!(reason(founder.federations.clone().create_member(other).await), "REQUEST_ID_REUSED");
        request.request_id = "no UUID".to_owned();
        assert_eq!(reason(founder.federations.clone().create_member(request).await), "BAD_ID");
        let list = pb::ListMembersRequest { federation_id: federation.id.clone(), ..Default::default() };
        assert_eq!(founder.members(list).await.len(), 1);
    }
}

#[tokio::test]
async fn the_same_change_by_many_at_once_is_made_once() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let founder = &federation.founder;
        let mut request = enrolment(&federation.id, "Tashi");
        request.request_id = founder.request();
        let calls = (0..8).map(|_| {
            let (mut client, request) = (founder.federations.clone(), request.clone());
            async move { client.create_member(request).await.map(tonic::Response::into_inner) }
        });
        let answers = futures::future::join_all(calls).await;
        for answer in &answers {
            assert_eq!(answer.as_ref().expect("made or told"), answers[0].as_ref().expect("made or told"));
        }
        // Of different requests for the same person one is let through.
        let calls = (0..8).map(|_| founder.enrol(enrolment(&federation.id, "Dolma")));
        let made = futures::future::join_all(calls).await;
        assert_eq!(made.iter().filter(|answer| answer.is_ok()).count(), 1, "{}", fixture.kind);
    }
}

#[tokio::test]
async fn what_is_only_asked_about_is_not_done() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let founder = &federation.founder;
        let mut request = enrolment(&federation.id, "Tashi");
        request.request_id = founder.request();
        request.validate_only = true;
        let answer =
            founder.federations.clone().create_member(request.clone()).await.expect("it could be done");
        let asked = answer.into_inner().member.expect("as it would be");
        assert_eq!(asked.name.expect("a name").native, "Tashi");
        let list = pb::ListMembersRequest { federation_id: federation.id.clone(), ..Default::default() };
        assert_eq!(founder.members(list.clone()).await, [], "{}", fixture.kind);
        request.validate_only = false;
        founder.federations.clone().create_member(request).await.expect("made");
        assert_eq!(founder.members(list).await.len(), 1);
    }
}
