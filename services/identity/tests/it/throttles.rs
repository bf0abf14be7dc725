//! How often things may be tried.

use std::time::Duration;

use api::identity::v1::{
    ChangePasswordRequest, CreateAccessTokenRequest, ExchangeAccessTokenRequest, RegisterGuestRequest,
    Session, SignInRequest, SignInResponse, UpgradeGuestRequest,
};
use chassis::testing::databases;
use identity::{HashCost, Limits, Rate};
use live::testing::Intercept;
use tonic::{Code, Response, Status};
use tonic_types::StatusExt as _;

use crate::{
    fixture::{Client, Fixture, PASSWORD, WIDE, fixtures_with, refused, sign_in},
    outage::Outage,
};

const WRONG: &str = "wrong password";

/// The usual limits, but as many accounts as a test likes.
fn usual() -> Limits {
    Limits { accounts_by_address: WIDE.accounts_by_address, ..Limits::default() }
}

async fn try_in(client: &mut Client, name: &str, password: &str) -> Result<Response<SignInResponse>, Status> {
    client.sign_in(sign_in(name, password)).await
}

#[track_caller]
fn wrong<T>(outcome: Result<Response<T>, Status>) {
    refused(outcome, Code::Unauthenticated, "BAD_CREDENTIALS");
}

/// Makes sure that a call came too soon; how long to wait.
#[track_caller]
fn too_soon<T>(outcome: Result<Response<T>, Status>) -> Duration {
    let status = refused(outcome, Code::ResourceExhausted, "TOO_MANY_ATTEMPTS");
    let info = status.get_details_retry_info().expect("says when to try again");
    info.retry_delay.expect("says how long to wait")
}

#[tokio::test]
async fn five_failures_are_free_and_then_one_each_ten_seconds() {
    for fixture in fixtures_with(usual(), HashCost::LEAST).await {
        fixture.register("anna").await;
        let mut client = fixture.client_at("192.0.2.1");
        for _ in 0..5 {
            wrong(try_in(&mut client, "anna", WRONG).await);
        }
        // Not even the right password helps now, or a guesser would notice.
        assert_eq!(too_soon(try_in(&mut client, "anna", PASSWORD).await), Duration::from_secs(10));
        assert_eq!(too_soon(try_in(&mut client, "ANNA", WRONG).await), Duration::from_secs(10));
        // The owner, elsewhere, is not kept out; nor are others at the same address.
        try_in(&mut fixture.client_at("192.0.2.2"), "anna", PASSWORD).await.expect("signs in");
        wrong(try_in(&mut client, "bert", WRONG).await);

        fixture.time.advance(Duration::from_secs(9));
        assert_eq!(too_soon(try_in(&mut client, "anna", WRONG).await), Duration::from_secs(1));
        fixture.time.advance(Duration::from_secs(1));
        wrong(try_in(&mut client, "anna", WRONG).await);
        assert_eq!(too_soon(try_in(&mut client, "anna", WRONG).await), Duration::from_secs(10));
        // Success forgives.
        fixture.time.advance(Duration::from_secs(10));
        try_in(&mut client, "anna", PASSWORD).await.expect("signs in");
        for _ in 0..5 {
            wrong(try_in(&mut client, "anna", WRONG).await);
        }
        too_soon(try_in(&mut client, "anna", WRONG).await);
    }
}

#[tokio::test]
async fn unknown_names_are_slowed_down_like_known_ones() {
    for fixture in fixtures_with(usual(), HashCost::LEAST).await {
        let mut client = fixture.client_at("192.0.2.1");
        for name in ["nobody-here", "not a name"] {
            for _ in 0..5 {
                wrong(try_in(&mut client, name, WRONG).await);
            }
            assert_eq!(too_soon(try_in(&mut client, name, WRONG).await), Duration::from_secs(10));
        }
    }
}

#[tokio::test]
async fn one_account_is_not_guessed_at_from_everywhere_nor_all_from_one_address() {
    let narrow = Rate { burst: 8, window: Duration::from_secs(80) };
    let limits = Limits { guesses_everywhere: narrow, guesses_by_address: narrow, ..usual() };
    for fixture in fixtures_with(limits, HashCost::LEAST).await {
        for number in 0..8 {
            let mut client = fixture.client_at(&format!("198.51.100.{number}"));
            wrong(try_in(&mut client, "anna", WRONG).await);
        }
        too_soon(try_in(&mut fixture.client_at("198.51.100.8"), "anna", WRONG).await);
        // One /64 network is one address, however many it pretends to be.
        for number in 0..8 {
            let mut client = fixture.client_at(&format!("2001:db8::{number:x}"));
            wrong(try_in(&mut client, &format!("name-{number}"), WRONG).await);
        }
        too_soon(try_in(&mut fixture.client_at("2001:db8::8"), "name-8", WRONG).await);
        wrong(try_in(&mut fixture.client_at("2001:db8:0:1::8"), "name-8", WRONG).await);
    }
}

#[tokio::test]
async fn guessing_from_many_addresses_does_not_keep_the_owner_out_where_he_signed_in_lately() {
    let narrow = Rate { burst: 8, window: Duration::from_secs(80) };
    for fixture in fixtures_with(Limits { guesses_everywhere: narrow, ..usual() }, HashCost::LEAST).await {
        fixture.register("anna").await;
        try_in(&mut fixture.client_at("192.0.2.1"), "anna", PASSWORD).await.expect("signs in");
        for number in 0..9 {
            drop(try_in(&mut fixture.client_at(&format!("198.51.100.{number}")), "anna", WRONG).await);
        }
        // Elsewhere nobody gets in now, not even with the password: a guesser would notice.
        too_soon(try_in(&mut fixture.client_at("203.0.113.1"), "anna", PASSWORD).await);
        let mut home = fixture.client_at("192.0.2.1");
        wrong(try_in(&mut home, "anna", WRONG).await);
        try_in(&mut home, "anna", PASSWORD).await.expect("the owner's own address has tries of its own");
        // It is his address, not everybody's.
        fixture.register("bert").await;
        for number in 0..9 {
            drop(try_in(&mut fixture.client_at(&format!("198.51.100.{number}")), "bert", WRONG).await);
        }
        too_soon(try_in(&mut home, "bert", PASSWORD).await);
        // What was long ago does not count.
        fixture.time.advance(Duration::from_hours(91 * 24));
        for number in 0..9 {
            drop(try_in(&mut fixture.client_at(&format!("198.51.100.{number}")), "anna", WRONG).await);
        }
        too_soon(try_in(&mut home, "anna", PASSWORD).await);
    }
}

#[tokio::test]
async fn guessing_at_others_from_a_shared_address_does_not_keep_out_who_signed_in_there_lately() {
    let narrow = Rate { burst: 8, window: Duration::from_secs(80) };
    for fixture in fixtures_with(Limits { guesses_by_address: narrow, ..usual() }, HashCost::LEAST).await {
        fixture.register("anna").await;
        let mut school = fixture.client_at("192.0.2.1");
        try_in(&mut school, "anna", PASSWORD).await.expect("signs in");
        for number in 0..9 {
            drop(try_in(&mut school, &format!("name-{number}"), WRONG).await);
        }
        too_soon(try_in(&mut school, "name-9", WRONG).await);
        try_in(&mut school, "anna", PASSWORD).await.expect("she has tries of her own there");
        // With a wrong password five times, too, and then one each ten seconds.
        for _ in 0..5 {
            wrong(try_in(&mut school, "anna", WRONG).await);
        }
        assert_eq!(too_soon(try_in(&mut school, "anna", WRONG).await), Duration::from_secs(10));
    }
}

#[tokio::test]
async fn a_device_on_which_the_password_was_right_has_tries_of_its_own_at_a_shared_address() {
    for fixture in fixtures_with(usual(), HashCost::LEAST).await {
        let (_, session) = fixture.register("anna").await;
        let (_, other) = fixture.register("bert").await;
        let mut school = fixture.client_at("192.0.2.1");
        for _ in 0..5 {
            wrong(try_in(&mut school, "anna", WRONG).await);
        }
        too_soon(try_in(&mut school, "anna", PASSWORD).await);
        let showing = |mark: &str, password: &str| SignInRequest {
            device_mark: mark.to_owned(),
            ..sign_in("anna", password)
        };
        for mark in [other.device_mark.as_str(), "shd_AAAA", "anything"] {
            too_soon(school.sign_in(showing(mark, PASSWORD)).await);
        }
        let answer = school.sign_in(showing(&session.device_mark, PASSWORD)).await.expect("signs in");
        let mark = answer.into_inner().session.expect("a session").device_mark;
        // A mark is no way round the limit.
        for _ in 0..5 {
            wrong(school.sign_in(showing(&mark, WRONG)).await);
        }
        too_soon(school.sign_in(showing(&mark, PASSWORD)).await);
        // Each device has its own.
        school.sign_in(showing(&session.device_mark, PASSWORD)).await.expect("signs in");
    }
}

async fn access_token(fixture: &Fixture, session: &Session) -> String {
    let order = CreateAccessTokenRequest {
        label: "bot".to_owned(),
        scopes: vec!["play".to_owned()],
        lifetime_duration: None,
        request_id: fixture.request_id(),
    };
    let mut owner = fixture.signed_in(session).await;
    owner.create_access_token(order).await.expect("creates").into_inner().secret
}

#[tokio::test]
async fn a_good_access_token_is_exchanged_wherever_others_guess() {
    let narrow = Rate { burst: 8, window: Duration::from_secs(80) };
    for fixture in fixtures_with(Limits { guesses_by_address: narrow, ..usual() }, HashCost::LEAST).await {
        let (_, session) = fixture.register("anna").await;
        let secret = access_token(&fixture, &session).await;
        let mut school = fixture.client_at("192.0.2.1");
        for number in 0..9 {
            drop(try_in(&mut school, &format!("name-{number}"), WRONG).await);
        }
        too_soon(try_in(&mut school, "name-9", WRONG).await);
        let request = ExchangeAccessTokenRequest { secret };
        school.exchange_access_token(request).await.expect("exchanges");
    }
}

#[tokio::test]
async fn a_hall_of_players_behind_one_address_signs_in_at_once() {
    for fixture in fixtures_with(usual(), HashCost::LEAST).await {
        for number in 0..250 {
            fixture.register(&format!("player-{number}")).await;
        }
        let mut hall = fixture.client_at("192.0.2.1");
        for number in 0..250 {
            try_in(&mut hall, &format!("player-{number}"), PASSWORD).await.expect("signs in");
        }
    }
}

#[tokio::test]
async fn a_password_is_not_guessed_at_by_changing_it() {
    for fixture in fixtures_with(usual(), HashCost::LEAST).await {
        let (_, session) = fixture.register("anna").await;
        let mut client = fixture.signed_in(&session).await;
        let (old_password, new_password) = (WRONG.to_owned(), PASSWORD.to_owned());
        let request = ChangePasswordRequest { old_password, new_password };
        for _ in 0..5 {
            wrong(client.change_password(request.clone()).await);
        }
        too_soon(client.change_password(request).await);
        // Whoever has got hold of an access token does not keep the owner out by it.
        try_in(&mut fixture.client(), "anna", PASSWORD).await.expect("signs in");
    }
}

#[tokio::test]
async fn guests_are_upgraded_slowly() {
    for fixture in fixtures_with(usual(), HashCost::LEAST).await {
        fixture.register("anna").await;
        let (_, session) = fixture.guest().await;
        let mut client = fixture.signed_in(&session).await;
        let (name, password) = ("anna".to_owned(), PASSWORD.to_owned());
        let request = UpgradeGuestRequest { name, password, request_id: fixture.request_id() };
        for _ in 0..5 {
            refused(client.upgrade_guest(request.clone()).await, Code::AlreadyExists, "NAME_TAKEN");
        }
        too_soon(client.upgrade_guest(request).await);
    }
}

#[tokio::test]
async fn secrets_of_access_tokens_are_guessed_at_slowly() {
    for fixture in fixtures_with(usual(), HashCost::LEAST).await {
        let mut client = fixture.client();
        let request = ExchangeAccessTokenRequest { secret: "shp_guess".to_owned() };
        for _ in 0..5 {
            let outcome = client.exchange_access_token(request.clone()).await;
            refused(outcome, Code::Unauthenticated, "BAD_ACCESS_TOKEN");
        }
        too_soon(client.exchange_access_token(request).await);
    }
}

#[tokio::test]
async fn whoever_has_the_right_secret_is_not_slowed_down() {
    for fixture in fixtures_with(usual(), HashCost::LEAST).await {
        let (_, session) = fixture.register("anna").await;
        let secret = access_token(&fixture, &session).await;
        for _ in 0..20 {
            try_in(&mut fixture.client(), "anna", PASSWORD).await.expect("signs in");
            let request = ExchangeAccessTokenRequest { secret: secret.clone() };
            fixture.client().exchange_access_token(request).await.expect("exchanges");
        }
    }
}

#[tokio::test]
async fn accounts_are_counted_by_address() {
    let few = Limits::with_accounts_per_address(3.try_into().expect("not zero"));
    for fixture in fixtures_with(few, HashCost::LEAST).await {
        let mut client = fixture.client_at("192.0.2.1");
        let guest = || RegisterGuestRequest { request_id: fixture.request_id() };
        client.register(fixture.register_request("anna")).await.expect("registers");
        client.register_guest(guest()).await.expect("registers");
        // What is refused for its form is not counted, what is refused for its name is.
        let outcome = client.register(fixture.register_request("1")).await;
        refused(outcome, Code::InvalidArgument, "BAD_NAME");
        let outcome = client.register(fixture.register_request("anna")).await;
        refused(outcome, Code::AlreadyExists, "NAME_TAKEN");
        assert_eq!(too_soon(client.register_guest(guest()).await), Duration::from_mins(20));
        assert_eq!(
            too_soon(client.register(fixture.register_request("bert")).await),
            Duration::from_mins(20)
        );
        fixture.client_at("192.0.2.2").register_guest(guest()).await.expect("registers");
        fixture.time.advance(Duration::from_mins(20));
        client.register(fixture.register_request("bert")).await.expect("registers");
    }
}

#[tokio::test]
async fn when_the_live_state_is_out_each_process_counts_for_itself() {
    for database in databases().await {
        let fixture = Fixture::new(database, usual(), HashCost::LEAST, Intercept::new(Outage::Gone)).await;
        fixture.register("anna").await;
        for _ in 0..5 {
            wrong(try_in(&mut fixture.client(), "anna", WRONG).await);
        }
        assert_eq!(too_soon(try_in(&mut fixture.client(), "anna", PASSWORD).await), Duration::from_secs(10));
        fixture.time.advance(Duration::from_secs(10));
        try_in(&mut fixture.client(), "anna", PASSWORD).await.expect("signs in");
        for _ in 0..5 {
            wrong(try_in(&mut fixture.client(), "anna", WRONG).await);
        }
    }
}

#[tokio::test]
async fn a_silent_live_state_keeps_nobody_waiting_longer_than_one_deadline() {
    /// One deadline and the work of a call, but not two deadlines.
    const ANSWER_MAX: Duration = Duration::from_millis(3500);
    for database in databases().await {
        let fixture = Fixture::new(database, usual(), HashCost::LEAST, Intercept::new(Outage::Silent)).await;
        let mut client = fixture.client();
        let registered = tokio::time::timeout(ANSWER_MAX, client.register(fixture.register_request("anna")));
        registered.await.expect("is answered").expect("registers");
        // A stranger is counted three times, and forgiven.
        let mut elsewhere = fixture.client_at("192.0.2.1");
        let signed_in = tokio::time::timeout(ANSWER_MAX, try_in(&mut elsewhere, "anna", PASSWORD));
        signed_in.await.expect("is answered").expect("signs in");
        let request = ExchangeAccessTokenRequest { secret: "shp_guess".to_owned() };
        let exchanged = tokio::time::timeout(ANSWER_MAX, client.exchange_access_token(request));
        refused(exchanged.await.expect("is answered"), Code::Unauthenticated, "BAD_ACCESS_TOKEN");
    }
}
