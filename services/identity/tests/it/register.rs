//! Making full accounts.

use std::time::Duration;

use api::{
    error::reason,
    identity::v1::{ChangePasswordRequest, GetMyAccountRequest, LookUpAccountsRequest, RegisterRequest},
};
use futures::future::join_all;
use tonic::Code;
use tonic_types::StatusExt as _;

use crate::fixture::{PASSWORD, fixtures, plain, refused, sign_in};

#[tokio::test]
async fn a_new_account_is_signed_in() {
    for fixture in fixtures().await {
        let (account, session) = fixture.register("Anna").await;
        assert_eq!((account.name.as_str(), account.guest), ("Anna", false));
        let now = api::time::timestamp(fixture.env.now());
        assert_eq!(account.create_time, Some(now));
        let expires_s = |moment: &Option<prost_types::Timestamp>| moment.expect("set").seconds - now.seconds;
        assert_eq!(expires_s(&session.access_expire_time), 15 * 60);
        assert_eq!(expires_s(&session.refresh_expire_time), 30 * 24 * 3600);

        let claims = fixture.claims(&session.access_token).await.expect("verifies");
        assert_eq!((claims.sub.as_str(), claims.name.as_str(), claims.guest), (&*account.id, "Anna", false));
        assert_eq!(
            (claims.kind.as_str(), claims.scope.as_str()),
            ("sign-in", "account queue play record arbitrate")
        );
        assert_eq!((claims.iss.as_str(), claims.aud.as_str()), ("shoutan", "shoutan"));
        assert_eq!(claims.exp - claims.iat, 15 * 60);

        let mut client = fixture.signed_in(&session).await;
        let mine = client.get_my_account(plain::<GetMyAccountRequest>()).await.expect("gets").into_inner();
        assert_eq!(mine.account, Some(account));
        assert_eq!(mine.scopes, ["account", "queue", "play", "record", "arbitrate"]);
        let mut nobody = fixture.client();
        let outcome = nobody.get_my_account(plain::<GetMyAccountRequest>()).await;
        refused(outcome, Code::Unauthenticated, "TOKEN_MISSING");
        let stranger = chassis::testing::player(&fixture.env, "stranger");
        let outcome = fixture.calling(stranger).get_my_account(plain::<GetMyAccountRequest>()).await;
        refused(outcome, Code::Unauthenticated, "TOKEN_INVALID");
    }
}

#[tokio::test]
async fn bad_names_and_passwords_are_refused() {
    for fixture in fixtures().await {
        let mut client = fixture.client();
        for name in ["", "a", "1abc", "guest-abc", "Admin", "a b", "聂a", "ab\0"] {
            let request = fixture.register_request(name);
            refused(client.register(request).await, Code::InvalidArgument, "BAD_NAME");
        }
        for password in ["", "1234567", &"x".repeat(129)] {
            let request =
                RegisterRequest { password: password.to_owned(), ..fixture.register_request("anna") };
            refused(client.register(request).await, Code::InvalidArgument, "BAD_PASSWORD");
        }
        let request = RegisterRequest { request_id: "once".to_owned(), ..fixture.register_request("anna") };
        refused(client.register(request).await, Code::InvalidArgument, "BAD_ID");
        fixture.register("anna").await;
        for name in ["anna", "ANNA"] {
            let request = fixture.register_request(name);
            refused(client.register(request).await, Code::AlreadyExists, "NAME_TAKEN");
        }
    }
}

#[tokio::test]
async fn a_repetition_signs_in_whoever_knows_the_password() {
    for fixture in fixtures().await {
        let mut client = fixture.client();
        let request = fixture.register_request("anna");
        let first = client.register(request.clone()).await.expect("registers").into_inner();
        let again = client.register(request.clone()).await.expect("repeats").into_inner();
        assert_eq!(first.account, again.account);
        let tokens = |answer: &api::identity::v1::RegisterResponse| {
            answer.session.clone().expect("a session").refresh_token
        };
        assert_ne!(tokens(&first), tokens(&again));

        let wrong = RegisterRequest { password: "another password".to_owned(), ..request.clone() };
        refused(client.register(wrong).await, Code::AlreadyExists, "NAME_TAKEN");
        let other = RegisterRequest { request_id: fixture.request_id(), ..request.clone() };
        refused(client.register(other).await, Code::AlreadyExists, "NAME_TAKEN");
        fixture.time.advance(Duration::from_hours(24) + Duration::from_secs(1));
        refused(client.register(request).await, Code::AlreadyExists, "NAME_TAKEN");
    }
}

#[tokio::test]
async fn a_bot_is_one_from_the_beginning_and_for_everybody() {
    for fixture in fixtures().await {
        let mut client = fixture.client();
        let request = RegisterRequest { bot: true, ..fixture.register_request("robot") };
        let made = client.register(request.clone()).await.expect("registers").into_inner();
        let again = client.register(request.clone()).await.expect("repeats").into_inner();
        let (account, session) = (made.account.expect("an account"), made.session.expect("a session"));
        assert_eq!((account.bot, again.account.as_ref()), (true, Some(&account)), "{}", fixture.kind);
        let claims = fixture.claims(&session.access_token).await.expect("verifies");
        assert!(claims.bot && !claims.guest, "{}", fixture.kind);
        let person = RegisterRequest { bot: false, ..request };
        refused(client.register(person).await, Code::AlreadyExists, "NAME_TAKEN");
        let ids = vec![account.id];
        let look_up = LookUpAccountsRequest { ids, names: Vec::new() };
        let seen = client.look_up_accounts(look_up).await.expect("looks up").into_inner().accounts;
        assert!(seen.iter().all(|account| account.bot) && seen.len() == 1, "{}", fixture.kind);
        let (person, session) = fixture.register("anna").await;
        let claims = fixture.claims(&session.access_token).await.expect("verifies");
        assert!(!person.bot && !claims.bot, "{}", fixture.kind);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_name_goes_to_one_of_many() {
    for fixture in fixtures().await {
        let rivals = (0..8).map(|_| {
            let (mut client, request) = (fixture.client(), fixture.register_request("anna"));
            async move { client.register(request).await }
        });
        let outcomes = join_all(rivals).await;
        let (winners, losers): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(Result::is_ok);
        assert_eq!(winners.len(), 1, "{}", fixture.kind);
        for loser in losers {
            refused(loser, Code::AlreadyExists, "NAME_TAKEN");
        }
        // The same request many times at once is one account.
        let request = fixture.register_request("bert");
        let repeats = (0..8).map(|_| {
            let (mut client, request) = (fixture.client(), request.clone());
            async move { client.register(request).await.expect("one of the repetitions").into_inner() }
        });
        let accounts: Vec<_> = join_all(repeats).await.into_iter().map(|answer| answer.account).collect();
        assert!(accounts.iter().all(|account| *account == accounts[0]), "{}", fixture.kind);
        assert!(fixture.sign_in("bert", PASSWORD).await.is_ok());
    }
}

#[tokio::test]
async fn a_password_that_everybody_tries_first_is_refused() {
    for fixture in fixtures().await {
        let mut client = fixture.client();
        for password in ["password", "12345678", "iloveyou1", "annaanna"] {
            let request =
                RegisterRequest { password: password.to_owned(), ..fixture.register_request("anna") };
            refused(client.register(request).await, Code::InvalidArgument, "COMMON_PASSWORD");
        }
        let (_, session) = fixture.register("anna").await;
        let request = ChangePasswordRequest {
            old_password: PASSWORD.to_owned(),
            new_password: "password123".to_owned(),
        };
        let outcome = fixture.signed_in(&session).await.change_password(request).await;
        refused(outcome, Code::InvalidArgument, "COMMON_PASSWORD");
    }
}

#[tokio::test]
async fn a_name_that_looks_like_anothers_is_taken() {
    for fixture in fixtures().await {
        let mut client = fixture.client();
        fixture.register("Barney10").await;
        for name in ["Bamey10", "BarneylO", "barneyI0"] {
            let request = fixture.register_request(name);
            refused(client.register(request).await, Code::AlreadyExists, "NAME_TAKEN");
        }
        for name in ["adm1n", "Adrnin", "lee-official", "gue5t-abc"] {
            let request = fixture.register_request(name);
            refused(client.register(request).await, Code::InvalidArgument, "BAD_NAME");
        }
        fixture.register("Barney11").await;
    }
}

#[tokio::test]
async fn a_database_that_is_gone_is_an_outage_and_not_an_error() {
    for fixture in fixtures().await {
        let (_, session) = fixture.register("anna").await;
        let mut owner = fixture.signed_in(&session).await;
        fixture.database().clone().close().await;
        let outcomes = [
            fixture.client().register(fixture.register_request("bert")).await.map(drop),
            fixture.client().sign_in(sign_in("anna", PASSWORD)).await.map(drop),
            owner.get_my_account(plain::<GetMyAccountRequest>()).await.map(drop),
        ];
        for outcome in outcomes {
            let status = outcome.expect_err("there is no table");
            assert_eq!(
                (status.code(), reason(&status).as_str()),
                (Code::Unavailable, "DATABASE_UNAVAILABLE")
            );
            assert!(status.get_details_retry_info().is_some(), "{}", fixture.kind);
        }
    }
}
