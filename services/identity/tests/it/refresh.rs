//! Refresh tokens: rotation, repetition, reuse and races.

use std::time::Duration;

use api::{
    error::reason,
    identity::v1::{RefreshRequest, Session},
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use futures::future::join_all;
use sea_orm::{ConnectionTrait as _, Statement};
use tonic::{Code, Status};

use crate::fixture::{Fixture, fixtures, refused};

async fn refresh(fixture: &Fixture, token: &str, request_id: &str) -> Result<Session, Status> {
    let (refresh_token, request_id) = (token.to_owned(), request_id.to_owned());
    let answer = fixture.client().refresh(RefreshRequest { refresh_token, request_id }).await?;
    Ok(answer.into_inner().session.expect("a session"))
}

async fn why(fixture: &Fixture, token: &str, request_id: &str) -> String {
    let status = refresh(fixture, token, request_id).await.expect_err("is refused");
    assert_eq!(status.code(), Code::Unauthenticated);
    reason(&status)
}

#[tokio::test]
async fn each_use_gives_the_next_pair() {
    for fixture in fixtures().await {
        let (account, mut session) = fixture.register("anna").await;
        for _ in 0..5 {
            fixture.time.advance(Duration::from_hours(29 * 24));
            let next =
                refresh(&fixture, &session.refresh_token, &fixture.request_id()).await.expect("refreshes");
            assert_ne!(next.refresh_token, session.refresh_token);
            let claims = fixture.claims(&next.access_token).await.expect("verifies");
            assert_eq!((claims.sub.as_str(), claims.kind.as_str()), (&*account.id, "sign-in"));
            session = next;
        }
        fixture.time.advance(Duration::from_hours(30 * 24));
        let late = why(&fixture, &session.refresh_token, &fixture.request_id()).await;
        assert_eq!(late, "BAD_REFRESH_TOKEN", "{}", fixture.kind);
    }
}

/// How long a second use of a token is taken for another tab's.
const SOON: Duration = Duration::from_secs(10);

#[tokio::test]
async fn a_later_use_ends_the_session_and_no_other() {
    for fixture in fixtures().await {
        let (_, stolen) = fixture.register("anna").await;
        let other = fixture.sign_in("anna", crate::fixture::PASSWORD).await.expect("signs in");
        let thief = refresh(&fixture, &stolen.refresh_token, &fixture.request_id()).await.expect("is first");
        fixture.time.advance(SOON + Duration::from_secs(1));
        let owner = why(&fixture, &stolen.refresh_token, &fixture.request_id()).await;
        assert_eq!(owner, "REFRESH_TOKEN_REUSED");
        assert_eq!(why(&fixture, &thief.refresh_token, &fixture.request_id()).await, "BAD_REFRESH_TOKEN");
        assert!(refresh(&fixture, &other.refresh_token, &fixture.request_id()).await.is_ok());
    }
}

#[tokio::test]
async fn two_tabs_that_refresh_one_session_at_the_same_time_both_go_on() {
    for fixture in fixtures().await {
        let (_, mut session) = fixture.register("anna").await;
        for _ in 0..3 {
            let first =
                refresh(&fixture, &session.refresh_token, &fixture.request_id()).await.expect("goes on");
            fixture.time.advance(SOON);
            let second =
                refresh(&fixture, &session.refresh_token, &fixture.request_id()).await.expect("goes on");
            assert_ne!(first.access_token, second.access_token);
            for pair in [&first, &second] {
                assert!(fixture.claims(&pair.access_token).await.is_ok());
            }
            // Whichever tab is next, and whichever pair it kept, the session goes on.
            session = second;
        }
        let last = refresh(&fixture, &session.refresh_token, &fixture.request_id()).await;
        assert!(last.is_ok(), "{}", fixture.kind);
    }
}

#[tokio::test]
async fn a_second_use_does_not_make_a_third_wait_longer() {
    for fixture in fixtures().await {
        let (_, session) = fixture.register("anna").await;
        for _ in 0..3 {
            refresh(&fixture, &session.refresh_token, &fixture.request_id()).await.expect("goes on");
            fixture.time.advance(SOON / 2);
        }
        let late = why(&fixture, &session.refresh_token, &fixture.request_id()).await;
        assert_eq!(late, "REFRESH_TOKEN_REUSED", "{}", fixture.kind);
    }
}

#[tokio::test]
async fn the_tables_hold_no_part_of_a_successor() {
    for fixture in fixtures().await {
        let (_, session) = fixture.register("anna").await;
        let next = refresh(&fixture, &session.refresh_token, &fixture.request_id()).await.expect("goes on");
        let on = fixture.database().read();
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
    for fixture in fixtures().await {
        let (_, first) = fixture.register("anna").await;
        let request = fixture.request_id();
        let lost = refresh(&fixture, &first.refresh_token, &request).await.expect("refreshes");
        fixture.time.advance(Duration::from_mins(1));
        let again = refresh(&fixture, &first.refresh_token, &request).await.expect("repeats");
        assert_eq!(lost.refresh_token, again.refresh_token, "one use, one successor");
        let next = refresh(&fixture, &again.refresh_token, &fixture.request_id()).await.expect("goes on");
        // The repetition is over once its answer was used.
        assert_eq!(why(&fixture, &first.refresh_token, &request).await, "REFRESH_TOKEN_REUSED");
        assert_eq!(why(&fixture, &next.refresh_token, &fixture.request_id()).await, "BAD_REFRESH_TOKEN");
    }
}

#[tokio::test]
async fn a_late_repetition_is_reuse() {
    for fixture in fixtures().await {
        let (_, first) = fixture.register("anna").await;
        let request = fixture.request_id();
        refresh(&fixture, &first.refresh_token, &request).await.expect("refreshes");
        fixture.time.advance(Duration::from_secs(61));
        assert_eq!(why(&fixture, &first.refresh_token, &request).await, "REFRESH_TOKEN_REUSED");
    }
}

#[tokio::test]
async fn what_is_no_refresh_token_is_refused() {
    for fixture in fixtures().await {
        let (_, session) = fixture.register("anna").await;
        let request = fixture.request_id();
        let shorter = &session.refresh_token[..session.refresh_token.len() - 1];
        for bad in ["", "shr_", "shr_AAAA", shorter, &session.access_token, &"x".repeat(10_000)] {
            assert_eq!(why(&fixture, bad, &request).await, "BAD_REFRESH_TOKEN");
        }
        let bad = RefreshRequest { refresh_token: session.refresh_token, request_id: String::new() };
        refused(fixture.client().refresh(bad).await, Code::InvalidArgument, "BAD_ID");
    }
}

/// Of many uses of one token at once, each in a request of its own, all get a pair, and one successor with it: tabs
/// of one browser that woke up together.
#[tokio::test(flavor = "multi_thread")]
async fn many_uses_at_once_are_one_session() {
    for fixture in fixtures().await {
        let (_, session) = fixture.register("anna").await;
        let requests: Vec<String> = (0..20).map(|_| fixture.request_id()).collect();
        let uses = requests.iter().map(|request| refresh(&fixture, &session.refresh_token, request));
        let mut given: Vec<String> =
            join_all(uses).await.into_iter().map(|pair| pair.expect("goes on").refresh_token).collect();
        given.sort();
        given.dedup();
        assert_eq!(given.len(), 1, "{}", fixture.kind);
        assert!(refresh(&fixture, &given[0], &fixture.request_id()).await.is_ok(), "{}", fixture.kind);
    }
}
