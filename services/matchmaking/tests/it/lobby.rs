//! Open challenges as they come and go.

use std::{collections::BTreeSet, time::Duration};

use api::{
    clock::v1::SpeedClass,
    matchmaking::v1::{
        AcceptChallengeRequest, ChallengeKind, CreateChallengeRequest, GameSettings,
        WatchOpenChallengesRequest, WatchOpenChallengesResponse, WithdrawChallengeRequest,
        challenge_service_client::ChallengeServiceClient,
    },
    transport::Transport,
};
use chassis::{auth::Caller, testing};
use tonic::{Code, Status, Streaming};

use crate::fixture::{Fixture, Replica, blitz, check, fixtures, lasting, soon};

type Client = ChallengeServiceClient<Transport>;

fn client(replica: &Replica, caller: &Caller) -> Client {
    ChallengeServiceClient::new(testing::as_account(replica.transport.clone(), caller.clone()))
}

/// Whoever looks on needs no account.
async fn watch(
    replica: &Replica,
    request: WatchOpenChallengesRequest,
) -> Result<Streaming<WatchOpenChallengesResponse>, Status> {
    let mut client = ChallengeServiceClient::new(replica.transport.clone());
    soon(client.watch_open_challenges(request)).await.map(tonic::Response::into_inner)
}

async fn next(stream: &mut Streaming<WatchOpenChallengesResponse>) -> WatchOpenChallengesResponse {
    soon(stream.message()).await.expect("it goes on").expect("it has no end")
}

fn ids(of: &WatchOpenChallengesResponse) -> BTreeSet<String> {
    of.challenges.iter().map(|it| it.id.clone()).collect()
}

async fn opens(fixture: &Fixture, client: &Client, settings: GameSettings) -> String {
    let request = CreateChallengeRequest {
        challenge_id: fixture.ticket().to_string(),
        settings: Some(settings),
        kind: ChallengeKind::Open.into(),
        ..CreateChallengeRequest::default()
    };
    let made = soon(client.clone().create_challenge(request)).await.expect("made").into_inner();
    made.challenge.expect("a challenge").id
}

async fn withdraws(client: &Client, id: &str) {
    let request = WithdrawChallengeRequest { challenge_id: id.to_owned() };
    soon(client.clone().withdraw_challenge(request)).await.expect("withdrawn");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_looks_on_sees_what_comes_and_goes_at_every_replica() {
    for fixture in fixtures().await {
        let replicas = [fixture.replica().await, fixture.replica().await];
        let [one, other] = ["one", "other"].map(|name| fixture.caller(name));
        let (one, other) = (client(&replicas[0], &one), client(&replicas[1], &other));
        let before = opens(&fixture, &one, blitz(false)).await;
        let all = WatchOpenChallengesRequest::default();
        let mut streams = [
            watch(&replicas[0], all.clone()).await.expect("watched"),
            watch(&replicas[1], all.clone()).await.expect("watched"),
        ];
        let mut number = 0;
        for stream in &mut streams {
            let first = next(stream).await;
            assert!(first.whole && ids(&first) == BTreeSet::from([before.clone()]), "{}", fixture.kind);
            number = first.number;
        }
        // Opened at one replica, accepted at the other, withdrawn, expired.
        let opened = opens(&fixture, &one, blitz(true)).await;
        for stream in &mut streams {
            let told = next(stream).await;
            assert!(!told.whole && told.number > number && told.closed_ids.is_empty(), "{}", fixture.kind);
            assert_eq!(ids(&told), BTreeSet::from([opened.clone()]), "{}", fixture.kind);
        }
        let accept = AcceptChallengeRequest {
            challenge_id: opened.clone(),
            ticket_id: fixture.ticket().to_string(),
            secret: String::new(),
        };
        soon(other.clone().accept_challenge(accept)).await.expect("accepted");
        for stream in &mut streams {
            let told = next(stream).await;
            assert_eq!(
                (told.challenges.len(), told.closed_ids),
                (0, vec![opened.clone()]),
                "{}",
                fixture.kind
            );
        }
        let short = opens(&fixture, &other, blitz(false)).await;
        for stream in &mut streams {
            assert_eq!(ids(&next(stream).await), BTreeSet::from([short.clone()]), "{}", fixture.kind);
        }
        fixture.time.advance(Duration::from_hours(1));
        for stream in &mut streams {
            let mut closed = BTreeSet::new();
            while closed.len() < 2 {
                let told = next(stream).await;
                assert!(told.challenges.is_empty(), "{}", fixture.kind);
                closed.extend(told.closed_ids);
                number = told.number;
            }
            assert_eq!(closed, BTreeSet::from([before.clone(), short.clone()]), "{}", fixture.kind);
        }
        // Nothing is said while nothing changes, and who comes back hears only what he has missed, wherever he comes.
        let quiet = tokio::time::timeout(Duration::from_millis(1500), streams[0].message()).await;
        assert!(quiet.is_err(), "{}: {quiet:?}", fixture.kind);
        drop(streams);
        let missed = opens(&fixture, &one, blitz(false)).await;
        for replica in [&replicas[1], &replicas[0]] {
            let request = WatchOpenChallengesRequest { after_number: number, ..all.clone() };
            let told = next(&mut watch(replica, request).await.expect("watched")).await;
            assert!(!told.whole, "{}", fixture.kind);
            assert_eq!((ids(&told), told.closed_ids.len()), (BTreeSet::from([missed.clone()]), 0));
        }
        // A number that no change has is of another lobby.
        let request = WatchOpenChallengesRequest { after_number: number + 1_000, ..all };
        assert!(next(&mut watch(&replicas[0], request).await.expect("watched")).await.whole);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_is_told_what_one_seeks() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let one = client(&replica, &fixture.caller("one"));
        let go = |rated| GameSettings { variant: "go".to_owned(), rated, ..lasting("20m") };
        let of = |request: WatchOpenChallengesRequest| watch(&replica, request);
        let mut go_only =
            of(WatchOpenChallengesRequest { variants: vec!["go".to_owned()], ..Default::default() })
                .await
                .expect("watched");
        let mut casual = of(WatchOpenChallengesRequest { rated: Some(false), ..Default::default() })
            .await
            .expect("watched");
        let speed_classes = vec![SpeedClass::Blitz.into(), SpeedClass::Classical.into()];
        let mut fast =
            of(WatchOpenChallengesRequest { speed_classes, ..Default::default() }).await.expect("watched");
        for stream in [&mut go_only, &mut casual, &mut fast] {
            let first = next(stream).await;
            assert!(first.whole && first.challenges.is_empty(), "{}", fixture.kind);
        }
        let jiu = opens(&fixture, &one, blitz(false)).await;
        let rated = opens(&fixture, &one, go(true)).await;
        let plain = opens(&fixture, &one, go(false)).await;
        for (stream, expected) in [
            (&mut go_only, [&rated, &plain].map(Clone::clone).into_iter().collect::<BTreeSet<_>>()),
            (&mut casual, [&jiu, &plain].map(Clone::clone).into_iter().collect()),
            (&mut fast, BTreeSet::from([jiu.clone()])),
        ] {
            let mut seen = BTreeSet::new();
            while seen.len() < expected.len() {
                seen.extend(ids(&next(stream).await));
            }
            assert_eq!(seen, expected, "{}", fixture.kind);
        }
        withdraws(&one, &rated).await;
        withdraws(&one, &plain).await;
        assert_eq!(next(&mut casual).await.closed_ids, [plain], "{}: the other was rated", fixture.kind);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lobby_ends_with_its_process_and_asks_for_what_there_is() {
    let fixture = fixtures().await.remove(0);
    let replica = fixture.replica().await;
    let request = WatchOpenChallengesRequest::default();
    for (bad, reason) in [
        (
            WatchOpenChallengesRequest { variants: vec!["chess".to_owned()], ..request.clone() },
            "UNKNOWN_VARIANT",
        ),
        (
            WatchOpenChallengesRequest { variants: vec!["go".to_owned(); 17], ..request.clone() },
            "BAD_SETTINGS",
        ),
        (WatchOpenChallengesRequest { speed_classes: vec![0], ..request.clone() }, "UNKNOWN_VARIANT"),
        (WatchOpenChallengesRequest { speed_classes: vec![99], ..request.clone() }, "UNKNOWN_VARIANT"),
    ] {
        check(watch(&replica, bad).await, Code::InvalidArgument, reason);
    }
    let mut stream = watch(&replica, request).await.expect("watched");
    assert!(next(&mut stream).await.whole);
    let stopping = tokio::spawn(replica.crash());
    check(soon(stream.message()).await, Code::Unavailable, "STOPPING");
    stopping.await.expect("it stops");
}
