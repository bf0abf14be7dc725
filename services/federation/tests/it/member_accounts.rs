//! Whose accounts those of members are, as other services are told.

use std::{collections::BTreeSet, time::Duration};

use api::federation::v1::{self as pb, federation_internal_service_client::FederationInternalServiceClient};
use chassis::testing;
use futures::TryStreamExt as _;
use tonic::Status;

use crate::fixture::{Fixture, Person, enrolment, fixtures, reason};

/// The accounts of a federation's members on a day, or of all with whose federations.
async fn told(fixture: &Fixture, federation: &str, day: &str) -> Result<BTreeSet<(String, String)>, Status> {
    let request =
        pb::ListMemberAccountsRequest { federation_id: federation.to_owned(), date: day.to_owned() };
    let chunks = fixture.internal.clone().list_member_accounts(request).await?.into_inner();
    let mut chunks: Vec<pb::ListMemberAccountsResponse> = chunks.try_collect().await?;
    if !federation.is_empty() {
        assert_eq!(chunks.remove(0).members, [], "its officials come before");
    }
    assert!(chunks.iter().all(|chunk| (1..=1000).contains(&chunk.members.len())));
    assert!(chunks.iter().all(|chunk| chunk.official_ids.is_empty()));
    let members: Vec<_> = chunks.into_iter().flat_map(|chunk| chunk.members).collect();
    let count = members.len();
    let told: BTreeSet<_> = members.into_iter().map(|it| (it.federation_id, it.account_id)).collect();
    assert_eq!(told.len(), count, "nobody is told twice");
    Ok(told)
}

/// Makes somebody with an account a member from a day on.
async fn join(founder: &Person, federation: &str, person: &Person, day: &str) -> String {
    let mut request = enrolment(federation, &person.caller.name);
    request.join_date = day.to_owned();
    let member = founder.enrol(request).await.expect("a member").member_id;
    founder.bind(&member, &person.id()).await.expect("bound");
    member
}

#[tokio::test]
async fn accounts_are_told_of_those_who_were_members_on_a_day() {
    for fixture in fixtures().await {
        let (one, other) = (fixture.federation().await, fixture.federation().await);
        let (tashi, dolma, bold) = (fixture.person("Tashi"), fixture.person("Dolma"), fixture.person("Bold"));
        let of = |federation: &str, people: &[&Person]| -> BTreeSet<(String, String)> {
            people.iter().map(|person| (federation.to_owned(), person.id())).collect()
        };
        let leaving = join(&one.founder, &one.id, &tashi, "2026-01-01").await;
        join(&one.founder, &one.id, &dolma, "2026-06-01").await;
        one.founder.member(&one.id, "Nobody's account").await;
        join(&other.founder, &other.id, &tashi, "2026-01-01").await;
        let erased = join(&other.founder, &other.id, &bold, "2026-01-01").await;
        let today = fixture.env.now().date();
        fixture.time.advance(Duration::from_hours(24));
        let left = pb::DeleteMemberRequest {
            member_id: leaving,
            request_id: one.founder.request(),
            ..Default::default()
        };
        one.founder.federations.clone().delete_member(left).await.expect("he left");
        let tomorrow = today.next_day().expect("a day").to_string();
        for (day, people) in [
            ("2025-12-31", vec![]),
            ("2026-05-31", vec![&tashi]),
            (today.to_string().as_str(), vec![&tashi, &dolma]),
            (tomorrow.as_str(), vec![&dolma]),
        ] {
            let found = told(&fixture, &one.id, day).await.expect("told");
            assert_eq!(found, of(&one.id, &people), "{}: {day}", fixture.kind);
        }
        let all = told(&fixture, "", &tomorrow).await.expect("told");
        let both = &of(&one.id, &[&dolma]) | &of(&other.id, &[&tashi, &bold]);
        assert_eq!(all, both, "{}", fixture.kind);

        let erase =
            pb::EraseMemberRequest { member_id: erased, request_id: bold.request(), ..Default::default() };
        bold.federations.clone().erase_member(erase).await.expect("forgotten");
        let found = told(&fixture, &other.id, &tomorrow).await.expect("told");
        assert_eq!(found, of(&other.id, &[&tashi]), "{}: who is forgotten is no member", fixture.kind);
        let end = pb::DeleteFederationRequest {
            federation_id: other.id.clone(),
            request_id: other.founder.request(),
            ..Default::default()
        };
        other.founder.federations.clone().delete_federation(end).await.expect("dissolved");
        assert_eq!(told(&fixture, "", &tomorrow).await.expect("told"), of(&one.id, &[&dolma]));
        let own = told(&fixture, &other.id, &tomorrow).await.expect("told");
        assert_eq!(own, of(&other.id, &[&tashi]), "{}: of itself it is told still", fixture.kind);
    }
}

/// Who is told to be an official of a federation.
async fn officials(fixture: &Fixture, federation: &str) -> BTreeSet<String> {
    let request = pb::ListMemberAccountsRequest {
        federation_id: federation.to_owned(),
        date: fixture.env.now().date().to_string(),
    };
    let chunks = fixture.internal.clone().list_member_accounts(request).await.expect("told").into_inner();
    let chunks: Vec<pb::ListMemberAccountsResponse> = chunks.try_collect().await.expect("told");
    chunks.into_iter().flat_map(|chunk| chunk.official_ids).collect()
}

#[tokio::test]
async fn officials_are_told_as_long_as_they_are_such() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let (founder, other) = (&federation.founder, fixture.person("Committee"));
        let role = pb::OfficialRole::Committee;
        assert_eq!(officials(&fixture, &federation.id).await, BTreeSet::from([founder.id()]));
        founder.appoint(&federation.id, &other.id(), role).await.expect("appointed");
        let both = BTreeSet::from([founder.id(), other.id()]);
        assert_eq!(officials(&fixture, &federation.id).await, both, "{}", fixture.kind);
        founder.dismiss(&federation.id, &other.id(), role).await.expect("dismissed");
        let left = officials(&fixture, &federation.id).await;
        assert_eq!(left, BTreeSet::from([founder.id()]), "{}", fixture.kind);
        assert_eq!(officials(&fixture, "").await, BTreeSet::new(), "{}: of all, members alone", fixture.kind);
    }
}

#[tokio::test]
async fn accounts_of_members_are_told_to_services_alone() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let day = "2026-12-31";
        assert_eq!(told(&fixture, &federation.id, day).await.expect("told"), BTreeSet::new());
        assert_eq!(reason(told(&fixture, "Aba", day).await), "BAD_ID", "{}", fixture.kind);
        for day in ["", "2026-13-01", "tomorrow"] {
            assert_eq!(reason(told(&fixture, &federation.id, day).await), "BAD_DATE", "{}", fixture.kind);
        }
        let routes = federation::bind(fixture.deps.clone()).await.expect("the service binds");
        let bare = api::transport::over(routes.internal);
        let founder = testing::as_account(bare.clone(), federation.founder.caller.clone());
        for transport in [bare, founder] {
            let request =
                pb::ListMemberAccountsRequest { federation_id: federation.id.clone(), date: day.to_owned() };
            let refused = FederationInternalServiceClient::new(transport).list_member_accounts(request).await;
            assert_eq!(reason(refused.map(|_| ())), "SERVICES_ONLY", "{}", fixture.kind);
        }
    }
}
