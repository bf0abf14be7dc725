//! Who has blocked somebody does not meet him.

use std::time::Duration;

use api::matchmaking::v1::{BlockAccountRequest, BlockedAccount, ListBlockedRequest, UnblockAccountRequest};
use chassis::id::AccountId;
use tonic::{Code, Status};
use uuid::Uuid;

use crate::fixture::{Player, blitz, check, fixtures, soon};

impl Player {
    pub(crate) async fn block(&self, account: AccountId) -> Result<(), Status> {
        let request = BlockAccountRequest { account_id: account.to_string() };
        soon(self.client.clone().block_account(request)).await.map(drop)
    }

    async fn unblock(&self, account: AccountId) -> Result<(), Status> {
        let request = UnblockAccountRequest { account_id: account.to_string() };
        soon(self.client.clone().unblock_account(request)).await.map(drop)
    }

    /// Whom he has blocked, in pages of two.
    async fn blocked(&self) -> Vec<BlockedAccount> {
        let (mut all, mut page_token) = (Vec::new(), String::new());
        loop {
            let request = ListBlockedRequest { page_size: 2, page_token };
            let page = soon(self.client.clone().list_blocked(request)).await.expect("his own").into_inner();
            all.extend(page.accounts);
            page_token = page.next_page_token;
            if page_token.is_empty() {
                return all;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_of_whom_one_has_blocked_the_other_never_meet() {
    for fixture in fixtures().await {
        let replicas = [fixture.replica().await, fixture.replica().await];
        let [one, other, third] = ["one", "other", "third"]
            .map(|name| replicas[usize::from(name == "other")].player(&fixture.caller(name)));
        other.block(one.caller.id).await.expect("blocked");
        let mut line = one.enqueue(fixture.ticket(), blitz(false)).await.expect("waits");
        let mut theirs = other.enqueue(fixture.ticket(), blitz(false)).await.expect("waits");
        for _ in 0..6 {
            fixture.time.advance(Duration::from_secs(10));
            line.waiting().await;
            theirs.waiting().await;
        }
        assert!(fixture.games.ledger().games.is_empty(), "{}", fixture.kind);
        let late = third.enqueue(fixture.ticket(), blitz(false)).await.expect("waits");
        let met = late.matched().await.opponent_id;
        assert!(
            [&one, &other].iter().any(|it| it.caller.id.to_string() == met),
            "{}: he meets either",
            fixture.kind
        );
        for replica in replicas {
            replica.crash().await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_block_counts_from_when_it_is_made_to_when_it_is_taken_back() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let [one, other] = ["one", "other"].map(|name| replica.player(&fixture.caller(name)));
        fixture.ratings.set(other.caller.id, 1700.0);
        // They would meet after twenty seconds.
        let mut line = one.enqueue(fixture.ticket(), blitz(false)).await.expect("waits");
        let ticket = fixture.ticket();
        let mut theirs = other.enqueue(ticket, blitz(false)).await.expect("waits");
        theirs.waiting_until(|waiting| waiting.pool_size == 2).await;
        one.block(other.caller.id).await.expect("blocked");
        for _ in 0..4 {
            fixture.time.advance(Duration::from_secs(10));
            line.waiting().await;
            theirs.waiting().await;
        }
        assert!(fixture.games.ledger().games.is_empty(), "{}", fixture.kind);
        one.unblock(other.caller.id).await.expect("taken back");
        one.unblock(other.caller.id).await.expect("taking it back again is no error");
        // Who waits anew meets him.
        drop(line);
        fixture.time.advance(Duration::from_secs(25));
        theirs.waiting().await;
        fixture.time.advance(Duration::from_secs(6));
        theirs.waiting_until(|waiting| waiting.pool_size == 1).await;
        let line = one.enqueue(fixture.ticket(), blitz(false)).await.expect("waits");
        fixture.time.advance(Duration::from_secs(1));
        assert_eq!(line.matched().await.game_id, theirs.matched().await.game_id, "{}", fixture.kind);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_lists_whom_it_has_blocked() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let one = replica.player(&fixture.caller("one"));
        let others: Vec<AccountId> = (0..5).map(|number| fixture.caller(&format!("o{number}")).id).collect();
        for other in &others {
            fixture.time.advance(Duration::from_secs(1));
            one.block(*other).await.expect("blocked");
            one.block(*other).await.expect("again is no error");
        }
        let listed: Vec<String> = one.blocked().await.into_iter().map(|it| it.account_id).collect();
        let expected: Vec<String> = others.iter().rev().map(ToString::to_string).collect();
        assert_eq!(listed, expected, "{}: the latest first", fixture.kind);
        one.unblock(others[2]).await.expect("taken back");
        assert_eq!(one.blocked().await.len(), 4, "{}", fixture.kind);
        let stranger = replica.player(&fixture.caller("stranger"));
        assert_eq!(stranger.blocked().await, [], "{}: each sees his own", fixture.kind);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_cannot_be_blocked_is_refused() {
    let fixture = fixtures().await.remove(0);
    let replica = fixture.replica().await;
    let one = replica.player(&fixture.caller("one"));
    check(one.block(one.caller.id).await, Code::InvalidArgument, "OWN_ACCOUNT");
    check(one.block(Uuid::from_u128(7).into()).await, Code::NotFound, "UNKNOWN_ACCOUNT");
    check(one.block(Uuid::nil().into()).await, Code::InvalidArgument, "BAD_ID");
    for number in 0..500 {
        one.block(fixture.caller(&format!("o{number}")).id).await.expect("there is room");
    }
    let more = fixture.caller("more").id;
    check(one.block(more).await, Code::ResourceExhausted, "TOO_MANY_BLOCKED");
    fixture.identity.knowledge().is_down = true;
    check(one.block(more).await, Code::Unavailable, "IDENTITY_UNAVAILABLE");
    assert!(
        replica.anonymous().list_blocked(ListBlockedRequest::default()).await.is_err(),
        "a token is needed"
    );
}
