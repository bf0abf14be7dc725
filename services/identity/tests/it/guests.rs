//! Guests, and what becomes of them.

use std::time::Duration;

use api::identity::v1::{
    GetMyAccountRequest, RefreshRequest, RegisterGuestRequest, UpgradeGuestRequest, UpgradeGuestResponse,
};
use chassis::auth::{Caller, GrantType};
use tonic::Code;

use crate::fixture::{Fixture, PASSWORD, fixtures, plain, refused, sign_in};

fn upgrade(fixture: &Fixture, name: &str) -> UpgradeGuestRequest {
    let (name, password) = (name.to_owned(), PASSWORD.to_owned());
    UpgradeGuestRequest { name, password, request_id: fixture.request_id() }
}

#[tokio::test]
async fn every_request_makes_another_guest() {
    for fixture in fixtures().await {
        let request = || RegisterGuestRequest { request_id: fixture.request_id() };
        let first = fixture.client().register_guest(request()).await.expect("registers").into_inner();
        let second = fixture.client().register_guest(request()).await.expect("registers").into_inner();
        let (first_account, second_account) = (first.account.expect("set"), second.account.expect("set"));
        assert!(first_account.guest && first_account.name.starts_with("guest-"));
        assert_ne!((&first_account.id, &first_account.name), (&second_account.id, &second_account.name));
        let session = first.session.expect("set");
        assert!(fixture.claims(&session.access_token).await.expect("verifies").guest);
        // A guest has no password, so none is right.
        let outcome = fixture.client().sign_in(sign_in(&first_account.name, PASSWORD)).await;
        refused(outcome, Code::Unauthenticated, "BAD_CREDENTIALS");
    }
}

#[tokio::test]
async fn a_request_that_is_repeated_makes_no_second_guest() {
    for fixture in fixtures().await {
        let request = RegisterGuestRequest { request_id: fixture.request_id() };
        let mut here = fixture.client_at("192.0.2.1");
        let first = here.register_guest(request.clone()).await.expect("registers").into_inner();
        fixture.time.advance(Duration::from_mins(2));
        let again = here.register_guest(request.clone()).await.expect("repeats").into_inner();
        assert_eq!(first.account, again.account);
        let (first, again) = (first.session.expect("set"), again.session.expect("set"));
        assert_ne!(first.refresh_token, again.refresh_token);
        // Nobody elsewhere gets at the guest by his request.
        let elsewhere =
            fixture.client_at("192.0.2.2").register_guest(request.clone()).await.expect("registers");
        assert_ne!(
            elsewhere.into_inner().account,
            Some(
                fixture
                    .signed_in(&first)
                    .await
                    .get_my_account(plain::<GetMyAccountRequest>())
                    .await
                    .expect("gets")
                    .into_inner()
                    .account
                    .expect("set")
            )
        );
        fixture.time.advance(Duration::from_secs(1));
        refused(here.register_guest(request).await, Code::Aborted, "REQUEST_ID_REUSED");
        let bad = RegisterGuestRequest { request_id: "mine".to_owned() };
        refused(here.register_guest(bad).await, Code::InvalidArgument, "BAD_ID");
    }
}

#[tokio::test]
async fn the_request_of_a_guest_who_was_upgraded_is_used_up() {
    for fixture in fixtures().await {
        let request = RegisterGuestRequest { request_id: fixture.request_id() };
        let made = fixture.client().register_guest(request.clone()).await.expect("registers").into_inner();
        let mut client = fixture.signed_in(&made.session.expect("set")).await;
        client.upgrade_guest(upgrade(&fixture, "Anna")).await.expect("upgrades");
        refused(fixture.client().register_guest(request).await, Code::Aborted, "REQUEST_ID_REUSED");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_request_many_times_at_once_makes_one_guest() {
    for fixture in fixtures().await {
        let request = RegisterGuestRequest { request_id: fixture.request_id() };
        let calls = (0..10).map(|_| {
            let (mut client, request) = (fixture.client(), request.clone());
            async move {
                client.register_guest(request).await.expect("registers").into_inner().account.expect("set").id
            }
        });
        let mut ids: Vec<String> = futures::future::join_all(calls).await;
        ids.dedup();
        assert_eq!(ids.len(), 1, "{}", fixture.kind);
    }
}

#[tokio::test]
async fn an_upgraded_guest_keeps_his_id() {
    for fixture in fixtures().await {
        let (guest, session) = fixture.guest().await;
        let mut client = fixture.signed_in(&session).await;
        let request = upgrade(&fixture, "Anna");
        let answer = client.upgrade_guest(request.clone()).await.expect("upgrades").into_inner();
        let account = answer.account.expect("set");
        assert_eq!((account.id.as_str(), account.name.as_str(), account.guest), (&*guest.id, "Anna", false));
        assert_eq!(account.create_time, guest.create_time);
        let session_after = answer.session.expect("set");
        assert!(!fixture.claims(&session_after.access_token).await.expect("verifies").guest);
        assert!(fixture.sign_in("anna", PASSWORD).await.is_ok());
        let outcome = fixture.client().sign_in(sign_in(&guest.name, PASSWORD)).await;
        refused(outcome, Code::Unauthenticated, "BAD_CREDENTIALS");

        // Earlier sessions are ended; the older access token still says guest, and the service knows better.
        let refresh_token = session.refresh_token;
        let refresh = RefreshRequest { refresh_token, request_id: fixture.request_id() };
        refused(fixture.client().refresh(refresh).await, Code::Unauthenticated, "BAD_REFRESH_TOKEN");
        let mine = client.get_my_account(plain::<GetMyAccountRequest>()).await.expect("gets").into_inner();
        assert_eq!(mine.account, Some(account.clone()));

        let again = client.upgrade_guest(request.clone()).await.expect("repeats").into_inner();
        assert_eq!(again.account, Some(account));
        let wrong = UpgradeGuestRequest { password: "another password".to_owned(), ..request };
        refused(client.upgrade_guest(wrong).await, Code::FailedPrecondition, "NOT_A_GUEST");
        let other = upgrade(&fixture, "anna");
        refused(client.upgrade_guest(other).await, Code::FailedPrecondition, "NOT_A_GUEST");
    }
}

#[tokio::test]
async fn upgrades_are_refused_like_registrations() {
    for fixture in fixtures().await {
        fixture.register("anna").await;
        let (_, session) = fixture.guest().await;
        let mut client = fixture.signed_in(&session).await;
        let bad = upgrade(&fixture, "guest-me");
        refused(client.upgrade_guest(bad).await, Code::InvalidArgument, "BAD_NAME");
        let bad = UpgradeGuestRequest { password: "short".to_owned(), ..upgrade(&fixture, "bert") };
        refused(client.upgrade_guest(bad).await, Code::InvalidArgument, "BAD_PASSWORD");
        let taken = upgrade(&fixture, "ANNA");
        refused(client.upgrade_guest(taken).await, Code::AlreadyExists, "NAME_TAKEN");
        let request = upgrade(&fixture, "bert");
        refused(
            fixture.client().upgrade_guest(request.clone()).await,
            Code::Unauthenticated,
            "TOKEN_MISSING",
        );
        // Whoever has only a guest's access token must not get a password of his own.
        let claims = fixture.claims(&session.access_token).await.expect("verifies");
        let caller =
            Caller { kind: GrantType::AccessToken, ..Caller::from_claims(&claims).expect("a player's") };
        let outcome = fixture.calling(caller).upgrade_guest(request).await;
        refused(outcome, Code::PermissionDenied, "SCOPE_MISSING");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_guest_is_upgraded_once() {
    for fixture in fixtures().await {
        let (_, session) = fixture.guest().await;
        let rivals = (0..6).map(|number| {
            let request = upgrade(&fixture, &format!("anna-{number}"));
            let client = fixture.signed_in(&session);
            async move { client.await.upgrade_guest(request).await }
        });
        let outcomes: Vec<Result<tonic::Response<UpgradeGuestResponse>, _>> =
            futures::future::join_all(rivals).await;
        let (winners, losers): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(Result::is_ok);
        assert_eq!(winners.len(), 1, "{}", fixture.kind);
        for loser in losers {
            refused(loser, Code::FailedPrecondition, "NOT_A_GUEST");
        }
    }
}
