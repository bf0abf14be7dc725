//! Calls that are made again.

use std::time::Duration;

use api::{
    client::{RetryPolicy, with_retry},
    reason,
};
use tokio::time::Instant;
use tonic::{Code, Response, Status};

#[tokio::test(start_paused = true)]
async fn a_call_that_came_too_soon_is_repeated_when_the_server_says() {
    let began = Instant::now();
    let mut calls = 0;
    let answer = with_retry(RetryPolicy(Duration::from_secs(30)), || {
        calls += 1;
        let soon =
            api::Error::new(Code::ResourceExhausted, reason::TOO_MANY_CALLS, "too many calls; slow down")
                .retry_after(Duration::from_secs(7));
        std::future::ready(if calls == 1 { Err(soon.into()) } else { Ok(Response::new(calls)) })
    });
    assert_eq!(answer.await.expect("the second call is answered"), 2);
    assert_eq!(began.elapsed(), Duration::from_secs(7));
}

#[tokio::test(start_paused = true)]
async fn refusals_and_long_waits_are_told_at_once() {
    for (reason, wait_s) in [(reason::TOO_MANY_ATTEMPTS, 1), (reason::TOO_MANY_CALLS, 31)] {
        let began = Instant::now();
        let answer = with_retry(RetryPolicy(Duration::from_secs(30)), || {
            let answer = api::Error::new(Code::ResourceExhausted, reason, "not now");
            let status = Status::from(answer.retry_after(Duration::from_secs(wait_s)));
            std::future::ready(Err::<Response<()>, _>(status))
        });
        assert_eq!(answer.await.expect_err("refused").code(), Code::ResourceExhausted);
        assert_eq!(began.elapsed(), Duration::ZERO, "{reason}");
    }
}
