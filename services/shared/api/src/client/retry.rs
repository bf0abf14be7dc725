//! Sending a call again.

use std::{future::Future, time::Duration};

use tonic::{Code, Response, Status};
use tonic_types::StatusExt as _;

use crate::reason;

/// The first pause between two attempts; it doubles up to [`PAUSE_MAX`].
const PAUSE_MIN: Duration = Duration::from_millis(50);
const PAUSE_MAX: Duration = Duration::from_secs(2);

/// The reasons of a call that came too soon after others, or when there was too much to do; the server says when to
/// try again.
const TOO_MUCH: [reason::Reason; 2] = [reason::TOO_MANY_CALLS, reason::OVERLOADED];

/// How long to go on sending a call that the server could not take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience(pub Duration);

impl Default for Patience {
    fn default() -> Self {
        Patience(Duration::from_secs(30))
    }
}

/// Makes a call, again and again while the server is not to be reached, says that it is unavailable, or that
/// calls come too fast; then not before it asks for the next one.
///
/// Only for calls that may be repeated: reads, and changes with a request id.
///
/// # Errors
/// The last status, when the patience is used up or the server has refused.
pub async fn retrying<T, F, C>(patience: Patience, mut call: C) -> Result<T, Status>
where
    C: FnMut() -> F,
    F: Future<Output = Result<Response<T>, Status>>,
{
    let deadline = tokio::time::Instant::now() + patience.0;
    let mut pause = PAUSE_MIN;
    loop {
        match call().await {
            Ok(response) => return Ok(response.into_inner()),
            Err(status) => {
                let asked = status.get_details_retry_info().and_then(|info| info.retry_delay);
                let wait = pause.max(asked.unwrap_or_default());
                if !is_passing(&status) || tokio::time::Instant::now() + wait >= deadline {
                    return Err(status);
                }
                tracing::debug!(%status, "the server is not available; the call is repeated");
                tokio::time::sleep(wait).await;
                pause = (pause * 2).min(PAUSE_MAX);
            }
        }
    }
}

/// Whether the same call may succeed later: the server was not reached, or said so.
pub(super) fn is_passing(status: &Status) -> bool {
    match status.code() {
        Code::Unavailable | Code::Cancelled | Code::DeadlineExceeded => true,
        // A connection that breaks in the middle of a call; the server gives its own errors a reason.
        Code::Unknown | Code::Internal => crate::error::reason(status).is_empty(),
        // Other limits, such as that of attempts to sign in, are for the person to know.
        Code::ResourceExhausted => {
            let reason = crate::error::reason(status);
            TOO_MUCH.iter().any(|much| reason == *much)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_call_that_came_too_soon_is_repeated_when_the_server_says() {
        let began = tokio::time::Instant::now();
        let mut calls = 0;
        let answer = retrying(Patience(Duration::from_secs(30)), || {
            calls += 1;
            let soon = crate::Error::new(
                Code::ResourceExhausted,
                reason::TOO_MANY_CALLS,
                "too many calls; slow down",
            )
            .retry_after(Duration::from_secs(7));
            std::future::ready(if calls == 1 { Err(soon.into()) } else { Ok(Response::new(calls)) })
        });
        assert_eq!(answer.await.expect("the second call is answered"), 2);
        assert_eq!(began.elapsed(), Duration::from_secs(7));
    }

    #[tokio::test(start_paused = true)]
    async fn refusals_and_long_waits_are_told_at_once() {
        for (reason, wait_s) in [(reason::TOO_MANY_ATTEMPTS, 1), (reason::TOO_MANY_CALLS, 31)] {
            let began = tokio::time::Instant::now();
            let answer = retrying(Patience(Duration::from_secs(30)), || {
                let answer = crate::Error::new(Code::ResourceExhausted, reason, "not now");
                let status = Status::from(answer.retry_after(Duration::from_secs(wait_s)));
                std::future::ready(Err::<Response<()>, _>(status))
            });
            assert_eq!(answer.await.expect_err("refused").code(), Code::ResourceExhausted);
            assert_eq!(began.elapsed(), Duration::ZERO, "{reason}");
        }
    }
}
