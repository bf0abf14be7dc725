//! Refresh tokens: rotation, repetition, reuse and races.

use std::time::Duration;

use api::{
    fault::reason,
    identity::v1::{RefreshRequest, Session},
};
use futures::future::join_all;
use tonic::{Code, Status};

use crate::house::{House, houses, refused};

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

#[tokio::test]
async fn reuse_ends_the_session_and_no_other() {
    for house in houses().await {
        let (_, stolen) = house.register("anna").await;
        let other = house.sign_in("anna", crate::house::PASSWORD).await.expect("signs in");
        let thief = refresh(&house, &stolen.refresh_token, &house.request_id()).await.expect("is first");
        let owner = why(&house, &stolen.refresh_token, &house.request_id()).await;
        assert_eq!(owner, "REFRESH_TOKEN_REUSED");
        assert_eq!(why(&house, &thief.refresh_token, &house.request_id()).await, "BAD_REFRESH_TOKEN");
        assert!(refresh(&house, &other.refresh_token, &house.request_id()).await.is_ok());
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
        assert_ne!(lost.refresh_token, again.refresh_token);
        let next = refresh(&house, &again.refresh_token, &house.request_id()).await.expect("goes on");
        // The repetition is over once its answer was used.
        assert_eq!(why(&house, &first.refresh_token, &request).await, "REFRESH_TOKEN_REUSED");
        assert_eq!(why(&house, &next.refresh_token, &house.request_id()).await, "BAD_REFRESH_TOKEN");
    }
}

#[tokio::test]
async fn the_answer_that_was_lost_is_void() {
    for house in houses().await {
        let (_, first) = house.register("anna").await;
        let request = house.request_id();
        let lost = refresh(&house, &first.refresh_token, &request).await.expect("refreshes");
        refresh(&house, &first.refresh_token, &request).await.expect("repeats");
        assert_eq!(why(&house, &lost.refresh_token, &house.request_id()).await, "REFRESH_TOKEN_REUSED");
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

/// Of many uses of one token at once, each in a request of its own, exactly one gets a pair; the others are
/// reuse, so the session is ended and that pair's refresh token is void.
#[tokio::test(flavor = "multi_thread")]
async fn of_many_uses_at_once_one_wins_and_the_session_ends() {
    for house in houses().await {
        let (_, session) = house.register("anna").await;
        let requests: Vec<String> = (0..20).map(|_| house.request_id()).collect();
        let uses = requests.iter().map(|request| refresh(&house, &session.refresh_token, request));
        let outcomes = join_all(uses).await;
        let mut winners = Vec::new();
        let mut reused = 0;
        for outcome in outcomes {
            match outcome {
                Ok(next) => winners.push(next),
                Err(status) if reason(&status) == "REFRESH_TOKEN_REUSED" => reused += 1,
                Err(status) => assert_eq!(reason(&status), "BAD_REFRESH_TOKEN", "{status:?}"),
            }
        }
        assert_eq!(winners.len(), 1, "{}", house.kind);
        assert!(reused >= 1, "{}", house.kind);
        let winner = why(&house, &winners[0].refresh_token, &house.request_id()).await;
        assert_eq!(winner, "BAD_REFRESH_TOKEN", "{}", house.kind);
    }
}

/// The same request many times at once is one owner who is impatient: all get a pair, and one of them is good.
#[tokio::test(flavor = "multi_thread")]
async fn one_request_many_times_at_once_keeps_the_session() {
    for house in houses().await {
        let (_, session) = house.register("anna").await;
        let request = house.request_id();
        let uses = (0..10).map(|_| refresh(&house, &session.refresh_token, &request));
        let mut given: Vec<String> =
            join_all(uses).await.into_iter().map(|pair| pair.expect("repeats").refresh_token).collect();
        let last = refresh(&house, &session.refresh_token, &request).await.expect("repeats");
        given.sort();
        given.dedup();
        assert_eq!(given.len(), 10, "{}", house.kind);
        assert!(refresh(&house, &last.refresh_token, &house.request_id()).await.is_ok());
    }
}
