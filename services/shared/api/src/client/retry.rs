//! Sending a call again.

use std::{future::Future, time::Duration};

use tonic::{Code, Response, Status};

/// The first pause between two attempts; it doubles up to [`PAUSE_MAX`].
const PAUSE_MIN: Duration = Duration::from_millis(50);
const PAUSE_MAX: Duration = Duration::from_secs(2);

/// How long to go on sending a call that the server could not take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience(pub Duration);

impl Default for Patience {
    fn default() -> Self {
        Patience(Duration::from_secs(30))
    }
}

/// Makes a call, again and again while the server is not to be reached or says that it is unavailable.
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
            Err(status) if is_passing(&status) && tokio::time::Instant::now() + pause < deadline => {
                tracing::debug!(%status, "the server is not available; the call is repeated");
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(PAUSE_MAX);
            }
            Err(status) => return Err(status),
        }
    }
}

/// Whether the same call may succeed later: the server was not reached, or said so.
pub(super) fn is_passing(status: &Status) -> bool {
    match status.code() {
        Code::Unavailable | Code::Cancelled | Code::DeadlineExceeded => true,
        // A connection that breaks in the middle of a call; the server gives its own errors a reason.
        Code::Unknown | Code::Internal => crate::fault::reason(status).is_empty(),
        _ => false,
    }
}
