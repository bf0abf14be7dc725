//! Granting and revoking roles, and the tokens that speak of them.

use std::time::Duration;

use api::identity::v1::{
    Account, CreateAccessTokenRequest, ExchangeAccessTokenRequest, GetMyAccountRequest, GrantRoleRequest,
    RefreshRequest, RevokeRoleRequest, Role, RoleGrant, RoleScope, Session, UpgradeGuestRequest,
    role_scope::Place,
};
use chassis::{
    auth::{self, Caller},
    id::{AccountId, EventId, FederationId},
    jwt::JwtError,
};
use futures::future::join_all;
use identity::admin::Roles;
use tonic::Code;
use uuid::Uuid;

use crate::fixture::{Fixture, PASSWORD, fixtures, plain, refused};

pub(crate) const fn within(place: Place) -> RoleScope {
    RoleScope { place: Some(place) }
}

/// A request to grant a role in an event.
pub(crate) fn in_event(account_id: &str, role: Role, event: EventId) -> GrantRoleRequest {
    GrantRoleRequest {
        account_id: account_id.to_owned(),
        role: role.into(),
        scope: Some(within(Place::EventId(event.to_string()))),
        granted_by: String::new(),
    }
}

/// A request to grant a role in a federation.
pub(crate) fn in_federation(account_id: &str, role: Role, federation: FederationId) -> GrantRoleRequest {
    let scope = Some(within(Place::FederationId(federation.to_string())));
    GrantRoleRequest { scope, ..in_event(account_id, role, Uuid::max().into()) }
}

/// The request that undoes one.
fn undone(request: &GrantRoleRequest) -> RevokeRoleRequest {
    let GrantRoleRequest { account_id, role, scope, .. } = request.clone();
    RevokeRoleRequest { account_id, role, scope }
}

pub(crate) async fn grant(fixture: &Fixture, request: &GrantRoleRequest) -> RoleGrant {
    let answer = fixture.as_service().grant_role(request.clone()).await.expect("grants").into_inner();
    answer.grant.expect("a role")
}

async fn revoke(fixture: &Fixture, request: &GrantRoleRequest) -> bool {
    fixture.as_service().revoke_role(undone(request)).await.expect("revokes").into_inner().revoked
}

fn event(fixture: &Fixture) -> EventId {
    fixture.env.uuid().into()
}

/// Who calls with a token, as every service reads it.
async fn caller(fixture: &Fixture, token: &str) -> Caller {
    Caller::from_claims(&fixture.claims(token).await.expect("verifies")).expect("a player's")
}

/// The roles that a token speaks of.
async fn told(fixture: &Fixture, token: &str) -> Vec<String> {
    caller(fixture, token).await.roles.iter().map(ToString::to_string).collect()
}

async fn refreshed(fixture: &Fixture, session: &Session) -> Session {
    let refresh_token = session.refresh_token.clone();
    let request = RefreshRequest { refresh_token, request_id: fixture.request_id() };
    fixture.client().refresh(request).await.expect("refreshes").into_inner().session.expect("a session")
}

/// The token that a personal access token of these scopes is exchanged for, which can be done again.
async fn exchanging(fixture: &Fixture, session: &Session, scopes: &[&str]) -> impl AsyncFn() -> String {
    let order = CreateAccessTokenRequest {
        label: "bot".to_owned(),
        scopes: scopes.iter().map(|&scope| scope.to_owned()).collect(),
        lifetime_duration: None,
        request_id: fixture.request_id(),
    };
    let made = fixture.signed_in(session).await.create_access_token(order).await.expect("creates");
    let (secret, client) = (made.into_inner().secret, fixture.client());
    async move || {
        let request = ExchangeAccessTokenRequest { secret: secret.clone() };
        client.clone().exchange_access_token(request).await.expect("exchanges").into_inner().access_token
    }
}

/// The roles that the account has, as it is told itself.
async fn mine(fixture: &Fixture, session: &Session) -> Vec<RoleGrant> {
    let mut client = fixture.signed_in(session).await;
    client.get_my_account(plain::<GetMyAccountRequest>()).await.expect("gets").into_inner().roles
}

#[tokio::test]
async fn a_role_is_in_the_next_token_and_gone_when_revoked() {
    for fixture in fixtures().await {
        let (account, session) = fixture.register("Anna").await;
        let (event, federation) = (event(&fixture), FederationId::from(fixture.env.uuid()));
        let roles = [
            in_event(&account.id, Role::ChiefArbiter, event),
            in_federation(&account.id, Role::Committee, federation),
        ];
        assert_eq!(mine(&fixture, &session).await, []);
        for role in &roles {
            grant(&fixture, role).await;
        }
        assert_eq!(
            told(&fixture, &session.access_token).await,
            [""; 0],
            "the token from before does not change"
        );
        let expected = [format!("chief-arbiter@event:{event}"), format!("committee@federation:{federation}")];
        let session = refreshed(&fixture, &session).await;
        assert_eq!(told(&fixture, &session.access_token).await, expected);
        let fresh = fixture.sign_in("anna", PASSWORD).await.expect("signs in");
        assert_eq!(told(&fixture, &fresh.access_token).await, expected);
        let who = caller(&fixture, &session.access_token).await;
        assert!(who.has_role(auth::Role::ChiefArbiter, Some(event), None));
        assert!(who.has_role(auth::Role::Committee, Some(event), Some(federation)));
        assert!(!who.has_role(auth::Role::Committee, Some(event), None));
        assert_eq!(mine(&fixture, &session).await.len(), 2);

        assert!(revoke(&fixture, &roles[0]).await);
        assert_eq!(mine(&fixture, &session).await.len(), 1, "the account is asked, not the token");
        let after = refreshed(&fixture, &session).await;
        assert_eq!(told(&fixture, &after.access_token).await, expected[1..]);
        // The last token that has the role is believed until it expires.
        fixture.time.advance(Duration::from_secs(15 * 60 - 1));
        assert_eq!(told(&fixture, &session.access_token).await, expected);
        fixture.time.advance(Duration::from_secs(1));
        assert_eq!(fixture.claims(&session.access_token).await, Err(JwtError::Expired));
        assert!(revoke(&fixture, &roles[1]).await);
        assert_eq!(told(&fixture, &refreshed(&fixture, &after).await.access_token).await, [""; 0]);
    }
}

#[tokio::test]
async fn a_personal_access_token_has_roles_only_if_it_may_arbitrate() {
    for fixture in fixtures().await {
        let (account, session) = fixture.register("anna").await;
        let with = exchanging(&fixture, &session, &["play", "arbitrate"]).await;
        let without = exchanging(&fixture, &session, &["account", "queue", "play", "record"]).await;
        assert_eq!(told(&fixture, &with().await).await, [""; 0]);
        let event = event(&fixture);
        let role = in_event(&account.id, Role::Scorer, event);
        grant(&fixture, &role).await;
        assert_eq!(told(&fixture, &with().await).await, [format!("scorer@event:{event}")]);
        let scopes = caller(&fixture, &with().await).await.scopes;
        assert_eq!(scopes, [auth::Scope::Play, auth::Scope::Arbitrate]);
        assert_eq!(told(&fixture, &without().await).await, [""; 0]);
        assert_eq!(caller(&fixture, &without().await).await.scopes, auth::Scope::ALL[..4]);
        revoke(&fixture, &role).await;
        assert_eq!(told(&fixture, &with().await).await, [""; 0]);
    }
}

#[tokio::test]
async fn granting_and_revoking_twice_is_no_error() {
    for fixture in fixtures().await {
        let (account, _) = fixture.register("Anna").await;
        let (chief, _) = fixture.register("bert").await;
        let event = event(&fixture);
        let request =
            GrantRoleRequest { granted_by: chief.id.clone(), ..in_event(&account.id, Role::Arbiter, event) };
        let granted = grant(&fixture, &request).await;
        let expected = RoleGrant {
            account_id: account.id.clone(),
            account_name: "Anna".to_owned(),
            role: Role::Arbiter.into(),
            scope: Some(within(Place::EventId(event.to_string()))),
            granted_by: chief.id,
            grant_time: Some(api::time::timestamp(fixture.env.now())),
        };
        assert_eq!(granted, expected);
        fixture.time.advance(Duration::from_mins(1));
        let again = GrantRoleRequest { granted_by: account.id.clone(), ..request.clone() };
        assert_eq!(grant(&fixture, &again).await, expected, "it is as it was");
        // The same id may name an event and a federation; they are two places.
        let federation = in_federation(&account.id, Role::Arbiter, event.uuid().into());
        assert!(!revoke(&fixture, &federation).await);
        assert!(!revoke(&fixture, &in_event(&account.id, Role::Deputy, event)).await);
        assert!(revoke(&fixture, &request).await);
        assert!(!revoke(&fixture, &request).await);
        let later = grant(&fixture, &again).await;
        assert_eq!(
            (later.granted_by, later.grant_time),
            (account.id, Some(api::time::timestamp(fixture.env.now())))
        );
    }
}

#[tokio::test]
async fn what_cannot_be_granted_is_refused() {
    for fixture in fixtures().await {
        let (account, session) = fixture.register("anna").await;
        let good = in_event(&account.id, Role::Arbiter, event(&fixture));
        for bad in ["", "anna", "00000000-0000-0000-0000-000000000000"] {
            let event_id = Some(within(Place::EventId(bad.to_owned())));
            let federation_id = Some(within(Place::FederationId(bad.to_owned())));
            for request in [
                GrantRoleRequest { account_id: bad.to_owned(), ..good.clone() },
                GrantRoleRequest { scope: event_id, ..good.clone() },
                GrantRoleRequest { scope: federation_id, ..good.clone() },
                GrantRoleRequest { scope: None, ..good.clone() },
            ] {
                refused(
                    fixture.as_service().revoke_role(undone(&request)).await,
                    Code::InvalidArgument,
                    "BAD_ID",
                );
                refused(fixture.as_service().grant_role(request).await, Code::InvalidArgument, "BAD_ID");
            }
        }
        let bad = GrantRoleRequest { granted_by: "the chief".to_owned(), ..good.clone() };
        refused(fixture.as_service().grant_role(bad).await, Code::InvalidArgument, "BAD_ID");
        for role in [0, 6, -1, i32::MAX] {
            let bad = GrantRoleRequest { role, ..good.clone() };
            refused(fixture.as_service().revoke_role(undone(&bad)).await, Code::InvalidArgument, "BAD_ROLE");
            refused(fixture.as_service().grant_role(bad).await, Code::InvalidArgument, "BAD_ROLE");
        }
        let nobody = GrantRoleRequest { account_id: fixture.request_id(), ..good.clone() };
        refused(fixture.as_service().revoke_role(undone(&nobody)).await, Code::NotFound, "UNKNOWN_ACCOUNT");
        refused(fixture.as_service().grant_role(nobody).await, Code::NotFound, "UNKNOWN_ACCOUNT");
        // Whoever is no service, also one who shows a token of his own.
        refused(fixture.intruder().grant_role(good.clone()).await, Code::PermissionDenied, "SERVICES_ONLY");
        refused(fixture.intruder().revoke_role(undone(&good)).await, Code::PermissionDenied, "SERVICES_ONLY");
        assert_eq!(mine(&fixture, &session).await, []);
    }
}

#[tokio::test]
async fn guests_have_no_roles_until_they_are_none() {
    for fixture in fixtures().await {
        let (guest, session) = fixture.guest().await;
        let request = in_event(&guest.id, Role::Arbiter, event(&fixture));
        refused(fixture.as_service().grant_role(request.clone()).await, Code::FailedPrecondition, "GUEST");
        assert_eq!(mine(&fixture, &session).await, []);
        let upgrade = UpgradeGuestRequest {
            name: "anna".to_owned(),
            password: PASSWORD.to_owned(),
            request_id: fixture.request_id(),
        };
        let upgraded = fixture.signed_in(&session).await.upgrade_guest(upgrade).await.expect("upgrades");
        grant(&fixture, &request).await;
        let session = refreshed(&fixture, &upgraded.into_inner().session.expect("a session")).await;
        assert_eq!(told(&fixture, &session.access_token).await.len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_has_thirty_two_roles_even_when_granted_at_once() {
    for fixture in fixtures().await {
        let (account, session) = fixture.register(&"围".repeat(24)).await;
        let first = in_federation(&account.id, Role::ChiefArbiter, fixture.env.uuid().into());
        for _ in 0..28 {
            grant(&fixture, &in_federation(&account.id, Role::ChiefArbiter, fixture.env.uuid().into())).await;
        }
        let more = (0..12).map(|number| {
            // The first is asked for again and again.
            let other = in_federation(&account.id, Role::ChiefArbiter, fixture.env.uuid().into());
            let (mut service, request) =
                (fixture.as_service(), if number % 3 == 0 { first.clone() } else { other });
            tokio::spawn(async move { service.grant_role(request).await })
        });
        let outcomes = join_all(more).await.into_iter().map(|outcome| outcome.expect("ends"));
        let (_, refusals): (Vec<_>, Vec<_>) = outcomes.partition(Result::is_ok);
        for refusal in refusals {
            refused(refusal, Code::ResourceExhausted, "ROLES_FULL");
        }
        assert_eq!(mine(&fixture, &session).await.len(), 32, "{}", fixture.kind);
        // All of them are in a token that every service reads.
        let session = refreshed(&fixture, &session).await;
        assert_eq!(told(&fixture, &session.access_token).await.len(), 32);

        let held = mine(&fixture, &session).await.swap_remove(0);
        let Some(Place::FederationId(id)) = held.scope.and_then(|scope| scope.place) else {
            panic!("all are in federations")
        };
        let held =
            in_federation(&account.id, Role::ChiefArbiter, FederationId::parse(&id, "id").expect("an id"));
        grant(&fixture, &held).await;
        let one_more = in_event(&account.id, Role::Scorer, event(&fixture));
        refused(
            fixture.as_service().grant_role(one_more.clone()).await,
            Code::ResourceExhausted,
            "ROLES_FULL",
        );
        assert!(revoke(&fixture, &held).await);
        grant(&fixture, &one_more).await;
    }
}

/// A moderator's role is of the whole platform; no service grants or revokes it, nor any other there.
#[tokio::test]
async fn only_the_operator_makes_moderators() {
    for fixture in fixtures().await {
        let (Account { id, .. }, session) = fixture.register("Anna").await;
        let platform = within(Place::Platform(true));
        let moderator = GrantRoleRequest {
            scope: Some(platform.clone()),
            ..in_event(&id, Role::Moderator, Uuid::max().into())
        };
        let of_event = in_event(&id, Role::Moderator, event(&fixture));
        let arbiter = GrantRoleRequest { role: Role::Arbiter.into(), ..moderator.clone() };
        for bad in [&moderator, &of_event, &arbiter] {
            let granted = fixture.as_service().grant_role(bad.clone()).await;
            refused(granted, Code::InvalidArgument, "BAD_ROLE");
            let GrantRoleRequest { account_id, role, scope, .. } = bad.clone();
            let request = RevokeRoleRequest { account_id, role, scope };
            refused(fixture.as_service().revoke_role(request).await, Code::InvalidArgument, "BAD_ROLE");
        }
        let roles = Roles::open(fixture.database(), &fixture.env).await.expect("opens");
        let account = AccountId::parse(&id, "id").expect("an id");
        let grant = auth::RoleGrant { role: auth::Role::Moderator, scope: auth::RoleScope::Platform };
        let granted = roles.grant(account, grant).await.expect("grants");
        let session = refreshed(&fixture, &session).await;
        assert_eq!(told(&fixture, &session.access_token).await, ["moderator@platform"]);
        assert!(caller(&fixture, &session.access_token).await.is_moderator());
        assert_eq!(mine(&fixture, &session).await[0].scope, Some(platform));
        let of = identity::core::role::RoleFilter::In(grant.scope);
        assert_eq!(roles.page(of, None).await.expect("lists"), [granted]);
        assert!(roles.revoke(account, grant).await.expect("revokes"));
        let session = refreshed(&fixture, &session).await;
        assert!(!caller(&fixture, &session.access_token).await.is_moderator());
    }
}

#[tokio::test]
async fn the_operator_grants_in_the_database() {
    for fixture in fixtures().await {
        let (Account { id, .. }, session) = fixture.register("Anna").await;
        let roles = Roles::open(fixture.database(), &fixture.env).await.expect("opens");
        let account = roles.account("anna").await.expect("is there");
        assert_eq!(account, AccountId::parse(&id, "id").expect("an id"));
        assert_eq!(roles.account("bert").await.expect_err("is not").to_string(), "there is no such account");
        assert!(roles.account("not a name").await.is_err());
        let scope = auth::RoleScope::Event(event(&fixture));
        let grant = auth::RoleGrant { role: auth::Role::Deputy, scope };
        let granted = roles.grant(account, grant).await.expect("grants");
        assert_eq!((granted.name.as_str(), granted.held.grant), ("Anna", grant));
        assert_eq!(mine(&fixture, &session).await[0].granted_by, "");
        let session = refreshed(&fixture, &session).await;
        assert_eq!(told(&fixture, &session.access_token).await, [grant.to_string()]);
        let of = identity::core::role::RoleFilter::In(scope);
        let page = roles.page(of, None).await.expect("lists");
        assert_eq!(page, [granted]);
        assert_eq!(roles.page(of, Some(page[0].held.id)).await.expect("lists"), []);
        assert!(roles.revoke(account, grant).await.expect("revokes"));
        assert!(!roles.revoke(account, grant).await.expect("is no error"));
    }
}
