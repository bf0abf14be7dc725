//! Federations and their events, held by script through the public API: who organises them, who takes part, and how a
//! round goes from its pairing to its last result.
//!
//! A script says what has to succeed. What does not is a failed test, so that it panics and says what it was.

mod boards;
mod event;
mod federation;

use std::time::Duration;

use api::{
    clock::v1 as clock,
    federation::v1::{
        self as pb, event_format::Format, event_service_client::EventServiceClient,
        federation_service_client::FederationServiceClient,
    },
    transport::Transport,
};

pub use event::Held;
pub use federation::{Federation, Person};

use crate::Bot;

/// How long anything may take that nobody waits for on purpose.
pub const SOON: Duration = Duration::from_mins(1);

/// How long to wait before looking again.
const PAUSE: Duration = Duration::from_millis(50);

/// Calls a method until it is answered.
#[macro_export]
macro_rules! call {
    ($client:expr, $method:ident, $request:expr) => {{
        let (client, request) = ($client, $request);
        let call = || async { client.clone().$method(request.clone()).await };
        api::client::with_retry($crate::RETRY, call).await
    }};
}

/// Calls a method of changes for somebody, and answers with the event after it.
#[macro_export]
macro_rules! change {
    ($held:expr, $who:expr, $method:ident($request:ident { $($field:ident $(: $value:expr)?),* $(,)? })) => {{
        let request = api::federation::v1::$request {
            event_id: $held.id.clone(),
            request_id: $who.new_id(),
            $($field $(: $value)?,)*
            ..Default::default()
        };
        let answer = $crate::call!($crate::held::events(&$who), $method, request);
        answer.map(|answer| answer.event.expect("an answer has the event"))
    }};
}

/// Looks until there is something to be seen.
///
/// # Panics
/// When there is nothing soon.
pub async fn until<T>(what: &str, look: impl AsyncFn() -> Option<T>) -> T {
    let seen = async {
        loop {
            if let Some(seen) = look().await {
                return seen;
            }
            tokio::time::sleep(PAUSE).await;
        }
    };
    tokio::time::timeout(SOON, seen).await.unwrap_or_else(|_| panic!("{what}: not within {SOON:?}"))
}

/// What somebody calls to see and change events.
pub fn events(who: &Bot) -> EventServiceClient<Transport> {
    EventServiceClient::new(who.transport())
}

/// What somebody calls to see and change federations.
pub fn federations(who: &Bot) -> FederationServiceClient<Transport> {
    FederationServiceClient::new(who.transport())
}

/// A name in its own script and in Latin letters, which may be empty.
pub fn name(native: &str, latin: &str) -> pb::Name {
    pb::Name { native: native.to_owned(), latin: latin.to_owned() }
}

/// An event of Go with an hour for each player.
pub fn settings(format: Format, entries_max: u32) -> pb::EventSettings {
    let main_duration = Some(prost_types::Duration { seconds: 3600, nanos: 0 });
    let control = clock::time_control::Control::Absolute(clock::time_control::Absolute { main_duration });
    pb::EventSettings {
        game: Some(pb::EventGame {
            variant: "go".to_owned(),
            time_control: Some(clock::TimeControl { control: Some(control), ..Default::default() }),
            ..Default::default()
        }),
        format: Some(pb::EventFormat { format: Some(format) }),
        entries_max,
        schedule: Some(pb::EventSchedule { zone: "Asia/Shanghai".to_owned(), ..Default::default() }),
        ..Default::default()
    }
}
