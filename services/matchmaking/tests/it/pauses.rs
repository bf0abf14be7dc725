//! Pauses that moderators set and end.

use std::{sync::atomic::Ordering, time::Duration};

use api::{
    error,
    matchmaking::v1::{
        Conduct, EndPausesRequest, ListPauseActsRequest, ListPausesOfRequest, ListPausesRequest, Pause,
        PauseAccountRequest, enqueue_response::State, pause_service_client::PauseServiceClient,
    },
    time::timestamp,
    transport::Transport,
};
use chassis::{auth::Caller, testing};
use tonic::Code;

use crate::{
    finished::{ended, matched},
    fixture::{Fixture, Replica, blitz, check, fixtures, soon},
};

const HOUR: Duration = Duration::from_hours(1);

impl Replica {
    fn pauses(&self, caller: &Caller) -> PauseServiceClient<Transport> {
        PauseServiceClient::new(testing::as_account(self.transport.clone(), caller.clone()))
    }
}

fn pause(fixture: &Fixture, account: &Caller, length: Duration) -> PauseAccountRequest {
    PauseAccountRequest {
        account_id: account.id.to_string(),
        length: Some(api::time::duration(length)),
        reason: "three games thrown away".to_owned(),
        request_id: fixture.env.uuid().to_string(),
    }
}

fn end(account: &Caller) -> EndPausesRequest {
    EndPausesRequest { account_id: account.id.to_string(), reason: "it was his brother".to_owned() }
}

async fn pauses_of(client: &mut PauseServiceClient<Transport>, account: &Caller) -> Vec<Pause> {
    let request =
        ListPausesOfRequest { account_id: account.id.to_string(), ..ListPausesOfRequest::default() };
    soon(client.list_pauses_of(request)).await.expect("listed").into_inner().pauses
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_to_pause_leaves_the_queue_and_is_told_why_until_it_is_over() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let judge = testing::moderator(&fixture.env, "Judge");
        let mut client = replica.pauses(&judge);
        let one = replica.player(&fixture.caller("one"));
        let mut line = one.enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
        line.waiting().await;
        let request = pause(&fixture, &one.caller, HOUR);
        let set = soon(client.pause_account(request.clone())).await.expect("set").into_inner().pause;
        let set = set.expect("a pause");
        assert_eq!(line.end().await, State::Cancelled(api::matchmaking::v1::enqueue_response::Cancelled {}));
        assert_eq!(set.begin_time, Some(timestamp(fixture.env.now())));
        assert_eq!(set.end_time, Some(timestamp(fixture.env.now() + HOUR)));
        assert_eq!((&*set.game_id, set.conduct()), ("", Conduct::Unspecified));
        assert_eq!(set.reason, "three games thrown away");

        fixture.time.advance(HOUR / 2);
        let again = soon(client.pause_account(request.clone())).await.expect("set").into_inner().pause;
        assert_eq!(again, Some(set.clone()), "{}: the same request, the same answer", fixture.kind);
        let refused = one.enqueue(fixture.ticket(), blitz(true)).await.map(drop);
        let status = check(refused, Code::FailedPrecondition, "QUEUE_PAUSED");
        assert!(status.message().contains("three games thrown away"), "{status}");
        assert!(error::metadata(&status, "until").is_some(), "{status:?}");
        assert_eq!(error::metadata(&status, "game_id"), None);
        let own = soon(one.client.clone().list_pauses(ListPausesRequest::default())).await.expect("listed");
        assert_eq!(own.into_inner().pauses, std::slice::from_ref(&set));
        assert_eq!(pauses_of(&mut client, &one.caller).await, std::slice::from_ref(&set));

        let ended = soon(client.end_pauses(end(&one.caller))).await.expect("ended").into_inner().ended;
        assert_eq!(ended, 1);
        let [over] = &pauses_of(&mut client, &one.caller).await[..] else { panic!("one pause") };
        assert_eq!(over.end_time, Some(timestamp(fixture.env.now())));
        one.enqueue(fixture.ticket(), blitz(true)).await.expect("he may queue").waiting().await;
        let none = soon(client.end_pauses(end(&one.caller))).await.expect("ended").into_inner().ended;
        assert_eq!(none, 0, "{}: he is in none", fixture.kind);

        let request = ListPauseActsRequest { page_size: 1, ..ListPauseActsRequest::default() };
        let last = soon(client.list_pause_acts(request.clone())).await.expect("listed").into_inner();
        let request = ListPauseActsRequest { page_token: last.next_page_token, ..request };
        let first = soon(client.list_pause_acts(request)).await.expect("listed").into_inner();
        assert_eq!(first.next_page_token, "", "{}: two acts", fixture.kind);
        let [ended, began] = [&last.acts[0], &first.acts[0]];
        assert_eq!((&*ended.reason, &ended.until_time), ("it was his brother", &None));
        assert_eq!((&*began.reason, &began.until_time), ("three games thrown away", &set.end_time));
        for act in [ended, began] {
            assert_eq!((&*act.moderator_name, &act.account_id), ("Judge", &one.caller.id.to_string()));
        }
    }
}

/// What a moderator says neither grows nor is made longer by what follows from games.
#[tokio::test(flavor = "multi_thread")]
async fn pauses_of_moderators_are_no_steps_of_those_for_games() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let mut client = replica.pauses(&testing::moderator(&fixture.env, "Judge"));
        let [one, other] = ["one", "other"].map(|name| replica.player(&fixture.caller(name)));
        let game = matched(&fixture, &one, &other).await;
        let request = pause(&fixture, &one.caller, 2 * HOUR);
        soon(client.pause_account(request)).await.expect("set");
        fixture.time.advance(HOUR);
        let conduct = [Conduct::Aborted, Conduct::Unspecified];
        replica.note(ended(&fixture, &game, [&one, &other], false, conduct)).await.expect("noted");
        let [for_game, by_moderator] = &pauses_of(&mut client, &one.caller).await[..] else {
            panic!("{}: two pauses", fixture.kind)
        };
        assert_eq!(for_game.end_time, Some(timestamp(fixture.env.now() + HOUR / 6)), "the first step");
        assert_eq!((for_game.conduct(), &*for_game.reason), (Conduct::Aborted, ""));
        assert_eq!(by_moderator.reason, "three games thrown away");
        let refused = one.enqueue(fixture.ticket(), blitz(true)).await.map(drop);
        let status = check(refused, Code::FailedPrecondition, "QUEUE_PAUSED");
        assert!(status.message().contains("thrown away"), "{status}: what lasts longer is told");
        assert_eq!(soon(client.end_pauses(end(&one.caller))).await.expect("ended").into_inner().ended, 2);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_asked_amiss_is_refused_and_nobody_pauses() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let mut client = replica.pauses(&testing::moderator(&fixture.env, "Judge"));
        let [one, other] = ["one", "other"].map(|name| fixture.caller(name));
        for length in [Duration::ZERO, Duration::from_secs(59), Duration::from_hours(24 * 367)] {
            let refused = soon(client.pause_account(pause(&fixture, &one, length))).await;
            check(refused, Code::InvalidArgument, "BAD_PERIOD");
        }
        let lacking = PauseAccountRequest { length: None, ..pause(&fixture, &one, HOUR) };
        check(soon(client.pause_account(lacking)).await, Code::InvalidArgument, "BAD_PERIOD");
        let past = prost_types::Duration { seconds: -3600, nanos: 0 };
        let past = PauseAccountRequest { length: Some(past), ..pause(&fixture, &one, HOUR) };
        check(soon(client.pause_account(past)).await, Code::InvalidArgument, "BAD_PERIOD");
        let silent = PauseAccountRequest { reason: " ".to_owned(), ..pause(&fixture, &one, HOUR) };
        check(soon(client.pause_account(silent)).await, Code::InvalidArgument, "BAD_TEXT");
        let nobody = testing::player(&fixture.env, "nobody");
        let unknown = soon(client.pause_account(pause(&fixture, &nobody, HOUR))).await;
        check(unknown, Code::NotFound, "UNKNOWN_ACCOUNT");
        check(soon(client.end_pauses(end(&nobody))).await, Code::NotFound, "UNKNOWN_ACCOUNT");
        let bad = PauseAccountRequest { request_id: "x".to_owned(), ..pause(&fixture, &one, HOUR) };
        check(soon(client.pause_account(bad)).await, Code::InvalidArgument, "BAD_ID");
        assert_eq!(pauses_of(&mut client, &one).await, [], "{}", fixture.kind);

        let request = pause(&fixture, &one, HOUR);
        soon(client.pause_account(request.clone())).await.expect("set");
        let of_other = PauseAccountRequest { account_id: other.id.to_string(), ..request };
        check(soon(client.pause_account(of_other)).await, Code::AlreadyExists, "REQUEST_ID_REUSED");
        assert_eq!(pauses_of(&mut client, &other).await, []);

        let mut client = replica.pauses(&one);
        let set = soon(client.pause_account(pause(&fixture, &other, HOUR))).await;
        check(set, Code::PermissionDenied, "NOT_MODERATOR");
        check(soon(client.end_pauses(end(&one))).await, Code::PermissionDenied, "NOT_MODERATOR");
        let of = ListPausesOfRequest { account_id: one.id.to_string(), ..ListPausesOfRequest::default() };
        check(soon(client.list_pauses_of(of)).await, Code::PermissionDenied, "NOT_MODERATOR");
        let acts = soon(client.list_pause_acts(ListPauseActsRequest::default())).await;
        check(acts, Code::PermissionDenied, "NOT_MODERATOR");
    }
}

/// What was written down and not carried out is carried out when it is asked again, and not any more when it was taken back.
#[tokio::test(flavor = "multi_thread")]
async fn a_ticket_that_could_not_be_withdrawn_is_when_it_is_asked_again() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let mut client = replica.pauses(&testing::moderator(&fixture.env, "Judge"));
        let one = replica.player(&fixture.caller("one"));
        let mut line = one.enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
        line.waiting().await;
        fixture.live.refuse_cancelling.store(true, Ordering::SeqCst);
        let request = pause(&fixture, &one.caller, HOUR);
        let failed = soon(client.pause_account(request.clone())).await;
        assert_eq!(failed.expect_err("live state fails").code(), Code::Unavailable, "{}", fixture.kind);
        line.waiting().await;
        fixture.live.refuse_cancelling.store(false, Ordering::SeqCst);
        soon(client.pause_account(request.clone())).await.expect("set before");
        assert!(matches!(line.end().await, State::Cancelled(_)), "{}", fixture.kind);
        assert_eq!(pauses_of(&mut client, &one.caller).await.len(), 1);

        soon(client.end_pauses(end(&one.caller))).await.expect("ended");
        let mut line = one.enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
        soon(client.pause_account(request)).await.expect("set before, and taken back");
        line.waiting().await;
        line.waiting().await;
    }
}

/// Two who have an account pause by one request set one pause.
#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_comes_twice_at_once_sets_one_pause() {
    for fixture in fixtures().await {
        let (one, two) = (fixture.replica().await, fixture.replica().await);
        let judge = testing::moderator(&fixture.env, "Judge");
        let account = fixture.caller("one");
        let request = pause(&fixture, &account, HOUR);
        let set = async |replica: &Replica| {
            soon(replica.pauses(&judge).pause_account(request.clone())).await.expect("set").into_inner()
        };
        let (first, second) = tokio::join!(set(&one), set(&two));
        assert_eq!(first, second, "{}", fixture.kind);
        assert_eq!(pauses_of(&mut one.pauses(&judge), &account).await.len(), 1);
    }
}
