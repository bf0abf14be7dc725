//! Gives every error a stable reason, also those that the framework makes before a handler is reached.

use api::reason::{self, Reason};
use http::Response;
use tonic::{Code, Status, body::Body};
use tower::util::MapResponseLayer;

use super::limited;

/// Adds an `ErrorInfo` to errors without details.
pub fn details() -> MapResponseLayer<fn(Response<Body>) -> Response<Body>> {
    MapResponseLayer::new(detailed)
}

fn detailed(response: Response<Body>) -> Response<Body> {
    let Some(status) = Status::from_header_map(response.headers()) else { return response };
    if status.code() == Code::Ok || !status.details().is_empty() {
        return response;
    }
    let (code, reason) = match status.code() {
        // Ours have details, so this is of the framework: it could not read the request.
        Code::Internal => (Code::InvalidArgument, reason::BAD_MESSAGE),
        code => (code, reason_of(code)),
    };
    let answer = match code {
        // The server's own deadlines say that the call was cancelled, which the caller did not do.
        Code::Unavailable | Code::Cancelled => api::Error::unavailable(reason, status.message()),
        code => api::Error::new(code, reason, status.message()),
    };
    let refusal = Status::from(answer).into_http();
    match message_limit(status.message()) {
        Some(limit) if reason == reason::MESSAGE_TOO_LARGE => limited(refusal, "message-bytes", limit),
        _ => refusal,
    }
}

/// The framework says the limit of a message in words alone.
fn message_limit(message: &str) -> Option<u64> {
    let (_, rest) = message.rsplit_once("the limit is: ")?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

const fn reason_of(code: Code) -> Reason {
    match code {
        Code::OutOfRange => reason::MESSAGE_TOO_LARGE,
        Code::Unimplemented | Code::NotFound => reason::UNKNOWN_METHOD,
        Code::Cancelled | Code::DeadlineExceeded => reason::TIMED_OUT,
        Code::Unavailable => reason::STARTING,
        Code::ResourceExhausted => reason::OVERLOADED,
        _ => reason::BAD_MESSAGE,
    }
}

#[cfg(test)]
mod tests {
    use api::error;

    use super::*;

    #[test]
    fn what_the_framework_cannot_read_is_the_callers_fault_and_what_is_ours_stays_ours() {
        let answer = |status: Status| {
            let response = detailed(status.into_http());
            let status = Status::from_header_map(response.headers()).expect("a status");
            (status.code(), error::reason(&status))
        };
        let unread = Status::internal("failed to decode Protobuf message: invalid wire type");
        assert_eq!(answer(unread), (Code::InvalidArgument, "BAD_MESSAGE".to_owned()));
        assert_eq!(answer(api::Error::internal().into()), (Code::Internal, "INTERNAL".to_owned()));
        assert_eq!(answer(Status::unavailable("not yet")), (Code::Unavailable, "STARTING".to_owned()));
    }
}
