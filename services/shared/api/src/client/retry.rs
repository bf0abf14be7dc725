//! Sending a call again.

use std::time::Duration;

use backon::{BackoffBuilder as _, ExponentialBackoff, ExponentialBuilder};
use tokio::time::Instant;
use tonic::{Code, Response, Status};
use tonic_types::StatusExt as _;

use crate::reason;

/// The pauses between attempts. They have no jitter: the server says when to come again when many come at once.
const PAUSES: ExponentialBuilder = ExponentialBuilder::new()
    .with_min_delay(Duration::from_millis(50))
    .with_max_delay(Duration::from_secs(2))
    .without_max_times();

/// The reasons of a call that came too soon after others, or when there was too much to do; the server says when to
/// try again.
const TOO_MUCH: [reason::Reason; 2] = [reason::TOO_MANY_CALLS, reason::OVERLOADED];

/// How long to go on sending a call that the server could not take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPolicy(pub Duration);

impl Default for RetryPolicy {
    fn default() -> Self {
        RetryPolicy(Duration::from_secs(30))
    }
}

/// Makes a call, again and again while the server is not to be reached, says that it is unavailable, or that
/// calls come too fast; then not before it asks for the next one.
///
/// Only for calls that may be repeated: reads, and changes with a request id.
///
/// # Errors
/// The last status, when the time of the policy is over or the server has refused.
pub async fn with_retry<T, F, C>(policy: RetryPolicy, mut call: C) -> Result<T, Status>
where
    C: FnMut() -> F,
    F: Future<Output = Result<Response<T>, Status>>,
{
    let mut pauses = Pauses { pauses: PAUSES.build(), deadline: Instant::now() + policy.0 };
    loop {
        // In a place of its own: whoever waits for a few calls would carry thousands of bytes of each about.
        match Box::pin(call()).await {
            Ok(answer) => return Ok(answer.into_inner()),
            Err(status) => tokio::time::sleep(pauses.after(status)?).await,
        }
    }
}

/// The pauses of a call that goes on being made. All that need not be compiled for each call by itself is here: there are hundreds.
struct Pauses {
    pauses: ExponentialBackoff,
    deadline: Instant,
}

impl Pauses {
    /// How long to wait after an attempt with this answer; the answer, where there is to be no other attempt.
    fn after(&mut self, status: Status) -> Result<Duration, Status> {
        if !is_retryable(&status) {
            return Err(status);
        }
        let asked = status.get_details_retry_info().and_then(|info| info.retry_delay);
        let pause = self.pauses.next().map(|pause| pause.max(asked.unwrap_or_default()));
        match pause.filter(|pause| Instant::now() + *pause < self.deadline) {
            Some(pause) => {
                tracing::debug!(%status, "the server is not available; the call is repeated");
                Ok(pause)
            }
            None => Err(status),
        }
    }
}

/// Whether the same call may succeed later: the server was not reached, or said so.
pub fn is_retryable(status: &Status) -> bool {
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
