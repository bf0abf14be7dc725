//! `shoutan account pauses`: the times in which an account does not queue, and why.

use api::{
    matchmaking::v1::{
        Conduct, ListPausesRequest, Pause, matchmaking_service_client::MatchmakingServiceClient,
    },
    transport::Transport,
};
use serde_json::{Value, json};

use super::{
    print,
    session::{Session, Who, all},
};

/// Carries the command out.
pub(super) async fn run(who: Who) -> anyhow::Result<()> {
    let session = Session::open(&who).await?;
    let pauses = list(session.transport()).await;
    session.close().await;
    let records: Vec<_> = pauses?.iter().map(|pause| record(pause, |time| session.time(time))).collect();
    print::list(session.json, &records)
}

/// All pauses of the account whose way this is, the latest first.
///
/// # Errors
/// What the server says.
pub(super) async fn list(transport: Transport) -> anyhow::Result<Vec<Pause>> {
    let queue = MatchmakingServiceClient::new(transport);
    let request = ListPausesRequest { page_size: 200, ..Default::default() };
    Ok(all!(queue.clone(), list_pauses, request, pauses))
}

/// A pause as it is printed, with its times as they are told.
pub(super) fn record(it: &Pause, time: impl Fn(Option<&prost_types::Timestamp>) -> Value) -> print::Record {
    let because = match it.conduct() {
        Conduct::Unspecified => "moderated".to_owned(),
        conduct => conduct.as_str_name().trim_start_matches("CONDUCT_").to_lowercase(),
    };
    vec![
        ("from", time(it.begin_time.as_ref())),
        ("until", time(it.end_time.as_ref())),
        ("because", json!(because)),
        ("game", json!(it.game_id)),
        ("reason", json!(it.reason)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_says_when_and_why() {
        let pause = Pause { game_id: "7".to_owned(), conduct: Conduct::NoShow as i32, ..Pause::default() };
        let printed = record(&pause, |_| json!("then"));
        let expected =
            json!({"from": "then", "until": "then", "because": "no_show", "game": "7", "reason": ""});
        assert_eq!(print::object(&printed), expected);
        let pause = Pause { reason: "seen".to_owned(), ..Pause::default() };
        let printed = print::object(&record(&pause, |_| json!("then")));
        assert_eq!((&printed["because"], &printed["reason"]), (&json!("moderated"), &json!("seen")));
    }
}
