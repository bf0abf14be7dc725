//! Lists of roles.

use std::time::Duration;

use api::identity::v1::{ListRolesRequest, Role, RoleGrant, list_roles_request::Of, role_scope::Place};
use chassis::id::{EventId, FederationId};
use tonic::Code;

use crate::{
    fixture::{Fixture, fixtures, refused},
    roles::{grant, in_event, in_federation, within},
};

const fn in_scope(place: Place) -> Of {
    Of::Scope(within(place))
}

/// Every way to ask for the roles of one thing.
fn everything(id: &str) -> [Of; 3] {
    let id = || id.to_owned();
    [Of::AccountId(id()), in_scope(Place::EventId(id())), in_scope(Place::FederationId(id()))]
}

/// All pages of a list, and how many there were.
async fn list(fixture: &Fixture, of: &Of, page_size: u32) -> (Vec<RoleGrant>, u32) {
    let (mut listed, mut pages, mut page_token) = (Vec::new(), 0, String::new());
    loop {
        let request = ListRolesRequest { of: Some(of.clone()), page_size, page_token };
        let answer = fixture.as_service().list_roles(request).await.expect("lists").into_inner();
        assert!(page_size == 0 || answer.grants.len() <= page_size as usize);
        listed.extend(answer.grants);
        pages += 1;
        page_token = answer.next_page_token;
        if page_token.is_empty() {
            return (listed, pages);
        }
    }
}

#[tokio::test]
async fn roles_are_listed_by_account_event_and_federation() {
    for fixture in fixtures().await {
        let (anna, _) = fixture.register("Anna").await;
        let (bert, _) = fixture.register("bert").await;
        let event = EventId::from(fixture.env.uuid());
        // The same id, to see that the kinds are kept apart.
        let federation = FederationId::from(event.uuid());
        let mut granted = Vec::new();
        for request in [
            in_event(&anna.id, Role::ChiefArbiter, event),
            in_event(&bert.id, Role::Arbiter, event),
            in_federation(&bert.id, Role::Committee, federation),
            in_event(&bert.id, Role::Scorer, fixture.env.uuid().into()),
        ] {
            fixture.time.advance(Duration::from_millis(1));
            granted.insert(0, grant(&fixture, &request).await);
        }
        let picked = |numbers: &[usize]| numbers.iter().map(|&at| granted[at].clone()).collect::<Vec<_>>();
        let of = async |of: Of| list(&fixture, &of, 0).await.0;
        assert_eq!(of(in_scope(Place::EventId(event.to_string()))).await, picked(&[2, 3]));
        assert_eq!(of(in_scope(Place::FederationId(federation.to_string()))).await, picked(&[1]));
        assert_eq!(of(Of::AccountId(bert.id)).await, picked(&[0, 1, 2]));
        assert_eq!(of(Of::AccountId(anna.id)).await, picked(&[3]));
        for nothing in everything(&fixture.request_id()) {
            assert_eq!(of(nothing).await, []);
        }
    }
}

#[tokio::test]
async fn lists_have_pages() {
    for fixture in fixtures().await {
        let event = EventId::from(fixture.env.uuid());
        let mut granted = Vec::new();
        for number in 0..7 {
            let (account, _) = fixture.register(&format!("anna-{number}")).await;
            fixture.time.advance(Duration::from_millis(1));
            granted.insert(0, grant(&fixture, &in_event(&account.id, Role::Arbiter, event)).await);
        }
        for page_size in [1, 2, 3, 6, 7, 8] {
            let (listed, pages) =
                list(&fixture, &in_scope(Place::EventId(event.to_string())), page_size).await;
            assert_eq!(listed, granted);
            assert_eq!(pages, 7_u32.div_ceil(page_size), "no empty last page");
        }
    }
}

#[tokio::test]
async fn what_cannot_be_listed_is_refused() {
    for fixture in fixtures().await {
        let good = ListRolesRequest {
            of: Some(in_scope(Place::EventId(fixture.request_id()))),
            page_size: 1,
            page_token: String::new(),
        };
        let strange = ListRolesRequest { page_token: "strange".to_owned(), ..good.clone() };
        refused(fixture.as_service().list_roles(strange).await, Code::InvalidArgument, "BAD_PAGE_TOKEN");
        refused(fixture.intruder().list_roles(good.clone()).await, Code::PermissionDenied, "SERVICES_ONLY");
        let none = ListRolesRequest { of: None, ..good.clone() };
        refused(fixture.as_service().list_roles(none).await, Code::InvalidArgument, "BAD_ID");
        for of in everything("anna") {
            let bad = ListRolesRequest { of: Some(of), ..good.clone() };
            refused(fixture.as_service().list_roles(bad).await, Code::InvalidArgument, "BAD_ID");
        }
        fixture.as_service().list_roles(good).await.expect("lists");
    }
}
