//! Refresh tokens: rotation, repetition, reuse and races.

use std::time::Duration;

use api::{
    fault::reason,
    identity::v1::{RefreshRequest, Session},
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use futures::future::join_all;
use sea_orm::{ConnectionTrait as _, Statement};
use tonic::{Code, Status};

use crate::fixture::{House, houses, refused};

async fn refresh(house: &House, token: &str, request_id: &str) -> Result<Session, Status> {
    let (refresh_token, request_id) = (token.to_owned(), request_id.to_owned());
    let answer = house.client().refresh(RefreshRequest { refresh_token, request_id }).await?;
    Ok(answer.into_inner().session.expect("a session"))
}

async fn why(house: &House, token: &str, request_id: &str) -> String {
    let status = refresh(house, token, request_id).await.expect_err("is refused");
    assert_eq!(status.code(), Code::Unauthenticated);
    reason(&status)
}

#[tokio::test]
async fn each_use_gives_the_next_pair() {
    for house in houses().await {
        let (account, mut session) = house.register("anna").await;
        for _ in 0..5 {
            house.time.advance(Duration::from_hours(29 * 24));
            let next = refresh(&house, &session.refresh_token, &house.request_id()).await.expect("refreshes");
            assert_ne!(next.refresh_token, session.refresh_token);
            let claims = house.claims(&next.access_token).await.expect("verifies");
            assert_eq!((claims.sub.as_str(), claims.kind.as_str()), (&*account.id, "sign-in"));
            session = next;
        }
        house.time.advance(Duration::from_hours(30 * 24));
        let late = why(&house, &session.refresh_token, &house.request_id()).await;
        assert_eq!(late, "BAD_REFRESH_TOKEN", "{}", house.kind);
    }
}

/// How long a second use of a token is taken for another tab's.
const SOON: Duration = Duration::from_secs(10);

#[tokio::test]
async fn a_later_use_ends_the_session_and_no_other() {
    for house in houses().await {
        let (_, stolen) = house.register("anna").await;
        let other = house.sign_in("anna", crate::fixture::PASSWORD).await.expect("signs in");
        let thief = refresh(&house, &stolen.refresh_token, &house.request_id()).await.expect("is first");
        house.time.advance(SOON + Duration::from_secs(1));
        let owner = why(&house, &stolen.refresh_token, &house.request_id()).await;
        assert_eq!(owner, "REFRESH_TOKEN_REUSED");
        assert_eq!(why(&house, &thief.refresh_token, &house.request_id()).await, "BAD_REFRESH_TOKEN");
        assert!(refresh(&house, &other.refresh_token, &house.request_id()).await.is_ok());
    }
}

#[tokio::test]
async fn two_tabs_that_refresh_one_session_at_the_same_time_both_go_on() {
    for house in houses().await {
        let (_, mut session) = house.register("anna").await;
        for _ in 0..3 {
            let first = refresh(&house, &session.refresh_token, &house.request_id()).await.expect("goes on");
            house.time.advance(SOON);
            let second = refresh(&house, &session.refresh_token, &house.request_id()).await.expect("goes on");
            assert_ne!(first.access_token, second.access_token);
            for pair in [&first, &second] {
                assert!(house.claims(&pair.access_token).await.is_ok());
            }
            // Whichever tab is next, and whichever pair it kept, the session goes on.
            session = second;
        }
        let last = refresh(&house, &session.refresh_token, &house.request_id()).await;
        assert!(last.is_ok(), "{}", house.kind);
    }
}

#[tokio::test]
async fn a_second_use_does_not_make_a_third_wait_longer() {
    for house in houses().await {
        let (_, session) = house.register("anna").await;
        for _ in 0..3 {
            refresh(&house, &session.refresh_token, &house.request_id()).await.expect("goes on");
            house.time.advance(SOON / 2);
        }
        let late = why(&house, &session.refresh_token, &house.request_id()).await;
        assert_eq!(late, "REFRESH_TOKEN_REUSED", "{}", house.kind);
    }
}

#[tokio::test]
async fn the_tables_hold_no_part_of_a_successor() {
    for house in houses().await {
        let (_, session) = house.register("anna").await;
        let next = refresh(&house, &session.refresh_token, &house.request_id()).await.expect("goes on");
        let on = house.database().read();
        let rows = Statement::from_string(
            on.get_database_backend(),
            "SELECT good_digest, used_digest FROM sessions",
        );
        let row = on.query_one_raw(rows).await.expect("reads").expect("one session");
        for column in ["good_digest", "used_digest"] {
            let stored: Vec<u8> = row.try_get("", column).expect("bytes");
            assert_eq!(stored.len(), 32);
            for token in [&session.refresh_token, &next.refresh_token] {
                let token =
                    URL_SAFE_NO_PAD.decode(token.strip_prefix("shr_").expect("ours")).expect("Base64");
                assert!(!token.windows(8).any(|part| stored.windows(8).any(|other| other == part)));
            }
        }
    }
}

#[tokio::test]
async fn a_lost_answer_can_be_asked_for_again() {
    for house in houses().await {
        let (_, first) = house.register("anna").await;
        let request = house.request_id();
        let lost = refresh(&house, &first.refresh_token, &request).await.expect("refreshes");
        house.time.advance(Duration::from_mins(1));
        let again = refresh(&house, &first.refresh_token, &request).await.expect("repeats");
        assert_eq!(lost.refresh_token, again.refresh_token, "one use, one successor");
        let next = refresh(&house, &again.refresh_token, &house.request_id()).await.expect("goes on");
        // The repetition is over once its answer was used.
        assert_eq!(why(&house, &first.refresh_token, &request).await, "REFRESH_TOKEN_REUSED");
        assert_eq!(why(&house, &next.refresh_token, &house.request_id()).await, "BAD_REFRESH_TOKEN");
    }
}

#[tokio::test]
async fn a_late_repetition_is_reuse() {
    for house in houses().await {
        let (_, first) = house.register("anna").await;
        let request = house.request_id();
        refresh(&house, &first.refresh_token, &request).await.expect("refreshes");
        house.time.advance(Duration::from_secs(61));
        assert_eq!(why(&house, &first.refresh_token, &request).await, "REFRESH_TOKEN_REUSED");
    }
}

#[tokio::test]
async fn what_is_no_refresh_token_is_refused() {
    for house in houses().await {
        let (_, session) = house.register("anna").await;
        let request = house.request_id();
        let shorter = &session.refresh_token[..session.refresh_token.len() - 1];
        for bad in ["", "shr_", "shr_AAAA", shorter, &session.access_token, &"x".repeat(10_000)] {
            assert_eq!(why(&house, bad, &request).await, "BAD_REFRESH_TOKEN");
        }
        let bad = RefreshRequest { refresh_token: session.refresh_token, request_id: String::new() };
        refused(house.client().refresh(bad).await, Code::InvalidArgument, "BAD_ID");
    }
}

/// Of many uses of one token at once, each in a request of its own, all get a pair, and one successor with it: tabs
/// of one browser that woke up together.
#[tokio::test(flavor = "multi_thread")]
async fn many_uses_at_once_are_one_session() {
    for house in houses().await {
        let (_, session) = house.register("anna").await;
        let requests: Vec<String> = (0..20).map(|_| house.request_id()).collect();
        let uses = requests.iter().map(|request| refresh(&house, &session.refresh_token, request));
        let mut given: Vec<String> =
            join_all(uses).await.into_iter().map(|pair| pair.expect("goes on").refresh_token).collect();
        given.sort();
        given.dedup();
        assert_eq!(given.len(), 1, "{}", house.kind);
        assert!(refresh(&house, &given[0], &house.request_id()).await.is_ok(), "{}", house.kind);
    }
}
