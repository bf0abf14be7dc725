//! `shoutan account block`, `unblock` and `blocked`: whom an account does not want to meet.

use api::{
    matchmaking::v1::{
        BlockAccountRequest, BlockedAccount, ListBlockedRequest, UnblockAccountRequest,
        matchmaking_service_client::MatchmakingServiceClient,
    },
    transport::Transport,
};
use prost_types::Timestamp;
use serde_json::{Value, json};

use super::{
    print,
    session::{Session, Who, all, ask},
};

/// Whom.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The name or the id of the other account.
    account: String,
    #[command(flatten)]
    pub who: Who,
}

/// Blocks an account, or takes that back.
pub(super) async fn set(args: Args, blocks: bool) -> anyhow::Result<()> {
    let session = Session::open(&args.who).await?;
    let done = async {
        let account_id = session.account(&args.account).await?;
        let queue = MatchmakingServiceClient::new(session.transport());
        if blocks {
            ask!(queue.clone(), block_account, BlockAccountRequest { account_id: account_id.clone() })?;
        } else {
            ask!(queue.clone(), unblock_account, UnblockAccountRequest { account_id: account_id.clone() })?;
        }
        anyhow::Ok(account_id)
    };
    let done = done.await;
    session.close().await;
    print::one(session.json, &vec![("account", json!(done?)), ("blocked", json!(blocks))])
}

/// Lists whom an account has blocked.
pub(super) async fn run(who: Who) -> anyhow::Result<()> {
    let session = Session::open(&who).await?;
    let blocked = list(session.transport()).await;
    session.close().await;
    let records: Vec<_> = blocked?.iter().map(|it| record(it, |time| session.time(time))).collect();
    print::list(session.json, &records)
}

/// All that the account has blocked whose way this is, the latest first.
///
/// # Errors
/// What the server says.
pub(super) async fn list(transport: Transport) -> anyhow::Result<Vec<BlockedAccount>> {
    let queue = MatchmakingServiceClient::new(transport);
    let request = ListBlockedRequest { page_size: 200, ..Default::default() };
    Ok(all!(queue.clone(), list_blocked, request, accounts))
}

/// A blocked account as it is printed, with its time as it is told.
pub(super) fn record(it: &BlockedAccount, time: impl Fn(Option<&Timestamp>) -> Value) -> print::Record {
    vec![("name", json!(it.name)), ("since", time(it.since_time.as_ref())), ("account", json!(it.account_id))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blocked_account_says_who_and_since_when() {
        let blocked = BlockedAccount { account_id: "7".to_owned(), name: "x".to_owned(), since_time: None };
        let expected = json!({"name": "x", "since": "then", "account": "7"});
        assert_eq!(print::object(&record(&blocked, |_| json!("then"))), expected);
    }
}
