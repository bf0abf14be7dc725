//! Points in time and spans of time, between protos and the `time` crate.

use std::time::Duration;

use prost_types::Timestamp;
use time::OffsetDateTime;

/// A moment as a proto.
pub fn timestamp(moment: OffsetDateTime) -> Timestamp {
    Timestamp {
        seconds: moment.unix_timestamp(),
        nanos: i32::try_from(moment.nanosecond()).expect("a nanosecond of a second fits an i32"),
    }
}

/// A proto as a moment; `None` when it is out of range.
pub fn moment(timestamp: &Timestamp) -> Option<OffsetDateTime> {
    let nanos = i128::from(timestamp.seconds) * 1_000_000_000 + i128::from(timestamp.nanos);
    OffsetDateTime::from_unix_timestamp_nanos(nanos).ok()
}

/// A span as a proto; spans beyond what a proto can hold become the longest one.
pub fn duration(span: Duration) -> prost_types::Duration {
    prost_types::Duration {
        seconds: i64::try_from(span.as_secs()).unwrap_or(i64::MAX),
        nanos: i32::try_from(span.subsec_nanos()).expect("a nanosecond of a second fits an i32"),
    }
}

/// A proto as a span; `None` when it is negative or malformed.
pub fn span(duration: &prost_types::Duration) -> Option<Duration> {
    let nanos = u32::try_from(duration.nanos).ok().filter(|nanos| *nanos < 1_000_000_000)?;
    Some(Duration::new(u64::try_from(duration.seconds).ok()?, nanos))
}
