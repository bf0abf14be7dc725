//! When a call must have had its first answer; streams may go on after it.

use std::time::Duration;

use api::reason;
use futures::FutureExt as _;
use http::{HeaderMap, Request, Response};
use tonic::{Code, body::Body};
use tower::Service;

use super::{
    middleware::{Answer, Middleware},
    refuse,
};

/// In what a caller says how long he waits.
const TIMEOUT_HEADER: &str = "grpc-timeout";
/// The most digits that the header may have.
const TIMEOUT_DIGITS_MAX: usize = 8;

/// Ends calls that take longer than the caller, or the server, is willing to wait.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deadlines(Duration);

impl Deadlines {
    /// A layer that waits so long, and no longer than a caller does.
    pub(super) const fn new(longest: Duration) -> Self {
        Deadlines(longest)
    }
}

impl Middleware for Deadlines {
    fn call<S, B>(&self, inner: &mut S, request: Request<B>) -> Answer<S::Error>
    where
        S: Service<Request<B>, Response = Response<Body>>,
        S::Future: Send + 'static,
        S::Error: Send + 'static,
    {
        let theirs = timeout(request.headers()).filter(|theirs| *theirs <= self.0);
        let answer = tokio::time::timeout(theirs.unwrap_or(self.0), inner.call(request));
        async move {
            answer.await.unwrap_or_else(|_| {
                Ok(refuse(if theirs.is_some() {
                    api::Error::new(
                        Code::DeadlineExceeded,
                        reason::TIMED_OUT,
                        "the time that the caller gave was over",
                    )
                } else {
                    api::Error::unavailable(reason::TIMED_OUT, "the answer took too long; try again")
                }))
            })
        }
        .boxed()
    }
}

/// How long a caller waits, as gRPC writes it: `250m` are 250 ms.
fn timeout(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(TIMEOUT_HEADER)?.to_str().ok()?;
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    if digits.len() > TIMEOUT_DIGITS_MAX || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let count: u64 = digits.parse().ok()?;
    match unit {
        "H" => Some(Duration::from_secs(count * 3600)),
        "M" => Some(Duration::from_secs(count * 60)),
        "S" => Some(Duration::from_secs(count)),
        "m" => Some(Duration::from_millis(count)),
        "u" => Some(Duration::from_micros(count)),
        "n" => Some(Duration::from_nanos(count)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use tonic::Status;
    use tower::{Layer as _, ServiceExt as _, service_fn};

    use super::{super::middleware::Around, *};

    #[test]
    fn the_time_that_a_caller_gives_is_read() {
        let check = |text: &str, expect: Option<Duration>| {
            let headers = HeaderMap::from_iter([(
                http::HeaderName::from_static(TIMEOUT_HEADER),
                text.parse().expect("a header"),
            )]);
            assert_eq!(timeout(&headers), expect, "{text}");
        };
        check("250m", Some(Duration::from_millis(250)));
        check("1H", Some(Duration::from_hours(1)));
        check("99999999S", Some(Duration::from_secs(99_999_999)));
        for bad in ["", "m", "1", "1x", "-1S", "999999999S", "1 S"] {
            check(bad, None);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_that_takes_too_long_is_told_whose_time_was_over() {
        let never = service_fn(async |_: Request<()>| {
            std::future::pending::<()>().await;
            Ok::<_, Infallible>(Response::new(Body::empty()))
        });
        for (header, code) in
            [(None, Code::Unavailable), (Some("1S"), Code::DeadlineExceeded), (Some("1H"), Code::Unavailable)]
        {
            let mut request = Request::new(());
            if let Some(header) = header {
                request.headers_mut().insert(TIMEOUT_HEADER, header.parse().expect("a header"));
            }
            let service = Around(Deadlines::new(Duration::from_secs(30))).layer(never);
            let Ok(answer) = service.oneshot(request).await;
            let status = Status::from_header_map(answer.headers()).expect("a status");
            assert_eq!((status.code(), api::error::reason(&status).as_str()), (code, "TIMED_OUT"));
        }
    }
}
