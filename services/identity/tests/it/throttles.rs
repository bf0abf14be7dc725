//! How often things may be tried.

use std::{sync::Arc, time::Duration};

use api::identity::v1::{
    ChangePasswordRequest, CreateAccessTokenRequest, ExchangeAccessTokenRequest, RegisterGuestRequest,
    SignInResponse, UpgradeGuestRequest,
};
use chassis::testing::databases;
use identity::{HashCost, Limits, Rate};
use tonic::{Code, Response, Status};
use tonic_types::StatusExt as _;

use crate::{
    house::{Client, House, PASSWORD, WIDE, houses_with, refused, sign_in},
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
    for house in houses_with(usual(), HashCost::LEAST).await {
        house.register("anna").await;
        let mut client = house.client_at("192.0.2.1");
        for _ in 0..5 {
            wrong(try_in(&mut client, "anna", WRONG).await);
        }
        // Not even the right password helps now, or a guesser would notice.
        assert_eq!(too_soon(try_in(&mut client, "anna", PASSWORD).await), Duration::from_secs(10));
        assert_eq!(too_soon(try_in(&mut client, "ANNA", WRONG).await), Duration::from_secs(10));
        // The owner, elsewhere, is not kept out; nor are others at the same address.
        try_in(&mut house.client_at("192.0.2.2"), "anna", PASSWORD).await.expect("signs in");
        wrong(try_in(&mut client, "bert", WRONG).await);

        house.time.advance(Duration::from_secs(9));
        assert_eq!(too_soon(try_in(&mut client, "anna", WRONG).await), Duration::from_secs(1));
        house.time.advance(Duration::from_secs(1));
        wrong(try_in(&mut client, "anna", WRONG).await);
        assert_eq!(too_soon(try_in(&mut client, "anna", WRONG).await), Duration::from_secs(10));
        // Success forgives.
        house.time.advance(Duration::from_secs(10));
        try_in(&mut client, "anna", PASSWORD).await.expect("signs in");
        for _ in 0..5 {
            wrong(try_in(&mut client, "anna", WRONG).await);
        }
        too_soon(try_in(&mut client, "anna", WRONG).await);
    }
}

#[tokio::test]
async fn unknown_names_are_slowed_down_like_known_ones() {
    for house in houses_with(usual(), HashCost::LEAST).await {
        let mut client = house.client_at("192.0.2.1");
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
    for house in houses_with(limits, HashCost::LEAST).await {
        for number in 0..8 {
            let mut client = house.client_at(&format!("198.51.100.{number}"));
            wrong(try_in(&mut client, "anna", WRONG).await);
        }
        too_soon(try_in(&mut house.client_at("198.51.100.8"), "anna", WRONG).await);
        // One /64 network is one address, however many it pretends to be.
        for number in 0..8 {
            let mut client = house.client_at(&format!("2001:db8::{number:x}"));
            wrong(try_in(&mut client, &format!("name-{number}"), WRONG).await);
        }
        too_soon(try_in(&mut house.client_at("2001:db8::8"), "name-8", WRONG).await);
        wrong(try_in(&mut house.client_at("2001:db8:0:1::8"), "name-8", WRONG).await);
    }
}

#[tokio::test]
async fn a_password_is_not_guessed_at_by_changing_it() {
    for house in houses_with(usual(), HashCost::LEAST).await {
        let (_, session) = house.register("anna").await;
        let mut client = house.signed_in(&session).await;
        let (old_password, new_password) = (WRONG.to_owned(), PASSWORD.to_owned());
        let request = ChangePasswordRequest { old_password, new_password };
        for _ in 0..5 {
            wrong(client.change_password(request.clone()).await);
        }
        too_soon(client.change_password(request).await);
        too_soon(try_in(&mut house.client(), "anna", PASSWORD).await);
    }
}

#[tokio::test]
async fn guests_are_upgraded_slowly() {
    for house in houses_with(usual(), HashCost::LEAST).await {
        house.register("anna").await;
        let (_, session) = house.guest().await;
        let mut client = house.signed_in(&session).await;
        let (name, password) = ("anna".to_owned(), PASSWORD.to_owned());
        let request = UpgradeGuestRequest { name, password, request_id: house.request_id() };
        for _ in 0..5 {
            refused(client.upgrade_guest(request.clone()).await, Code::AlreadyExists, "NAME_TAKEN");
        }
        too_soon(client.upgrade_guest(request).await);
    }
}

#[tokio::test]
async fn secrets_of_access_tokens_are_guessed_at_slowly() {
    for house in houses_with(usual(), HashCost::LEAST).await {
        let mut client = house.client();
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
    for house in houses_with(usual(), HashCost::LEAST).await {
        let (_, session) = house.register("anna").await;
        let order = CreateAccessTokenRequest {
            label: "bot".to_owned(),
            scopes: vec!["play".to_owned()],
            lifetime_duration: None,
            request_id: house.request_id(),
        };
        let mut owner = house.signed_in(&session).await;
        let secret = owner.create_access_token(order).await.expect("creates").into_inner().secret;
        for _ in 0..20 {
            try_in(&mut house.client(), "anna", PASSWORD).await.expect("signs in");
            let request = ExchangeAccessTokenRequest { secret: secret.clone() };
            house.client().exchange_access_token(request).await.expect("exchanges");
        }
    }
}

#[tokio::test]
async fn accounts_are_counted_by_address() {
    let few = Limits::with_accounts_per_address(3.try_into().expect("not zero"));
    for house in houses_with(few, HashCost::LEAST).await {
        let mut client = house.client_at("192.0.2.1");
        let guest = || RegisterGuestRequest { request_id: house.request_id() };
        client.register(house.register_request("anna")).await.expect("registers");
        client.register_guest(guest()).await.expect("registers");
        // What is refused for its form is not counted, what is refused for its name is.
        let outcome = client.register(house.register_request("1")).await;
        refused(outcome, Code::InvalidArgument, "BAD_NAME");
        let outcome = client.register(house.register_request("anna")).await;
        refused(outcome, Code::AlreadyExists, "NAME_TAKEN");
        assert_eq!(too_soon(client.register_guest(guest()).await), Duration::from_mins(20));
        assert_eq!(too_soon(client.register(house.register_request("bert")).await), Duration::from_mins(20));
        house.client_at("192.0.2.2").register_guest(guest()).await.expect("registers");
        house.time.advance(Duration::from_mins(20));
        client.register(house.register_request("bert")).await.expect("registers");
    }
}

#[tokio::test]
async fn when_the_live_state_is_out_each_process_counts_for_itself() {
    for database in databases().await {
        let house = House::new(database, usual(), HashCost::LEAST, Arc::new(Outage)).await;
        house.register("anna").await;
        for _ in 0..5 {
            wrong(try_in(&mut house.client(), "anna", WRONG).await);
        }
        assert_eq!(too_soon(try_in(&mut house.client(), "anna", PASSWORD).await), Duration::from_secs(10));
        house.time.advance(Duration::from_secs(10));
        try_in(&mut house.client(), "anna", PASSWORD).await.expect("signs in");
        for _ in 0..5 {
            wrong(try_in(&mut house.client(), "anna", WRONG).await);
        }
    }
}
