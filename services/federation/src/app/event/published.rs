//! Telling whoever follows an event that its log has grown. What is told may be lost: the log is what is read.

use bytes::Bytes;
use chassis::{Throttle, id::EventId};
use live::Live;

use crate::store::names;

/// Tells how long a log is now.
pub(super) async fn tell(live: &dyn Live, event: EventId, sequence: u64) {
    static COMPLAINTS: Throttle = Throttle::new();
    let told = live.publish(&names::event(event), Bytes::copy_from_slice(&sequence.to_be_bytes())).await;
    if let Err(error) = told
        && let Some(held_back) = COMPLAINTS.admit()
    {
        tracing::warn!(
            error = &error as &dyn std::error::Error,
            held_back,
            "who follows an event was not told of it"
        );
    }
}
