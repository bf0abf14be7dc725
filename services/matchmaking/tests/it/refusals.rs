//! Calls that are refused.

use api::{
    clock::v1::TimeControl,
    error,
    matchmaking::v1::{EnqueueRequest, GameSettings, ListPoolsRequest},
};
use chassis::{auth::Scope, testing};
use tonic::Code;
use tonic_types::StatusExt as _;

use crate::fixture::{blitz, check, fixtures, lasting};

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_make_no_sense() {
    let fixture = fixtures().await.remove(0);
    let replica = fixture.replica().await;
    let player = replica.player(&fixture.caller("player"));
    let valid = EnqueueRequest {
        ticket_id: fixture.ticket().to_string(),
        settings: Some(blitz(true)),
        max_rating_difference: 0,
        ..EnqueueRequest::default()
    };
    let with = |settings: GameSettings| EnqueueRequest { settings: Some(settings), ..valid.clone() };
    let all = |alternatives| EnqueueRequest { alternatives, ..valid.clone() };
    let default = rules::VARIANTS[0].rule_sets[0].id.to_owned();
    let spelled = GameSettings { rule_set: default, ..blitz(true) };
    let long = "x".repeat(1000);
    let many = (0..1000).map(|n| (n.to_string(), n.to_string())).collect();
    let option = |name: &str, value: &str| [(name.to_owned(), value.to_owned())].into();
    let cases = [
        (EnqueueRequest { ticket_id: String::new(), ..valid.clone() }, "BAD_ID"),
        (EnqueueRequest { ticket_id: "7".to_owned(), ..valid.clone() }, "BAD_ID"),
        (EnqueueRequest { max_rating_difference: 24, ..valid.clone() }, "BAD_WINDOW"),
        (EnqueueRequest { max_rating_difference: 3001, ..valid.clone() }, "BAD_WINDOW"),
        (with(GameSettings { variant: "halma".to_owned(), ..blitz(true) }), "UNKNOWN_VARIANT"),
        (with(GameSettings { variant: long.clone(), ..blitz(true) }), "UNKNOWN_VARIANT"),
        (with(GameSettings { rule_set: "no-such".to_owned(), ..blitz(true) }), "BAD_RULE_SET"),
        (with(GameSettings { rule_set: long.clone(), ..blitz(true) }), "BAD_RULE_SET"),
        (with(GameSettings { options: option("no_such", "1"), ..blitz(true) }), "BAD_RULE_SET"),
        (with(GameSettings { options: option("size", &long), ..blitz(true) }), "BAD_RULE_SET"),
        (with(GameSettings { options: many, ..blitz(true) }), "BAD_RULE_SET"),
        (with(GameSettings { time_control: None, ..blitz(true) }), "BAD_TIME_CONTROL"),
        (
            with(GameSettings { time_control: Some(TimeControl::default()), ..blitz(true) }),
            "BAD_TIME_CONTROL",
        ),
        (with(GameSettings::default()), "BAD_TIME_CONTROL"),
        (all((1..=16).map(|minutes| lasting(&format!("{minutes}m"))).collect()), "BAD_SETTINGS"),
        (all(vec![blitz(false), spelled]), "BAD_SETTINGS"),
        (all(vec![GameSettings { variant: "halma".to_owned(), ..blitz(true) }]), "UNKNOWN_VARIANT"),
    ];
    for (request, reason) in cases {
        check(player.ask(request).await, Code::InvalidArgument, reason);
    }
    let pools = replica.anonymous().list_pools(ListPoolsRequest {}).await.expect("needs no token");
    assert_eq!(pools.into_inner().pools, [], "nothing was changed");
    let sixteen = all((1..=15).map(|minutes| lasting(&format!("{minutes}m"))).collect());
    player.ask(sixteen).await.expect("as many as there may be").waiting().await;
    assert_eq!(error::reason(&player.cancel(uuid::Uuid::nil()).await.expect_err("refused")), "BAD_ID");
}

#[tokio::test(flavor = "multi_thread")]
async fn callers_who_may_not() {
    let fixture = fixtures().await.remove(0);
    let replica = fixture.replica().await;
    let mut guest = fixture.caller("guest");
    guest.guest = true;
    let guest = replica.player(&guest);
    let refused = guest.enqueue(fixture.ticket(), blitz(true)).await;
    check(refused, Code::FailedPrecondition, "GUEST_NOT_RATED");
    // A refused call changes nothing: the guest is free to wait for a casual game.
    let mut casual = guest.enqueue(fixture.ticket(), blitz(false)).await.expect("guests play casual games");
    casual.waiting().await;

    let mut spectator = fixture.caller("spectator");
    spectator.scopes = vec![Scope::Play];
    let spectator = replica.player(&spectator);
    let refused = spectator.enqueue(fixture.ticket(), blitz(false)).await;
    check(refused, Code::PermissionDenied, "SCOPE_MISSING");
    let mut nobody = testing::player(&fixture.env, "nobody");
    nobody.scopes.clear();
    let status = replica.player(&nobody).cancel(fixture.ticket()).await.expect_err("refused");
    assert_eq!(error::reason(&status), "SCOPE_MISSING");
    let request = EnqueueRequest::default();
    let status = replica.anonymous().enqueue(request).await.expect_err("refused");
    assert_eq!(error::reason(&status), "TOKEN_MISSING");
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_waits_without_a_rating() {
    let fixture = fixtures().await.remove(0);
    let replica = fixture.replica().await;
    let player = replica.player(&fixture.caller("player"));
    fixture.ratings.books().closed = true;
    let ticket = fixture.ticket();
    for rated in [true, false] {
        let refused = player.enqueue(ticket, blitz(rated)).await;
        check(refused, Code::Unavailable, "RATING_UNAVAILABLE");
    }
    fixture.ratings.books().closed = false;
    fixture.ratings.set(player.caller.id, f64::NAN);
    check(player.enqueue(ticket, blitz(true)).await, Code::Unavailable, "RATING_UNAVAILABLE");
    fixture.ratings.set(player.caller.id, 1500.0);
    player.enqueue(ticket, blitz(true)).await.expect("waits").waiting().await;
    // A ticket that waits is found again without the ratings.
    fixture.ratings.books().closed = true;
    player.enqueue(ticket, blitz(true)).await.expect("still waits").waiting().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_ticket_a_player_and_one_use_a_ticket() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let (player, stranger) =
            (replica.player(&fixture.caller("player")), replica.player(&fixture.caller("stranger")));
        let ticket = fixture.ticket();
        let mut line = player.enqueue(ticket, blitz(true)).await.expect("waits");
        line.waiting().await;
        let status =
            check(player.enqueue(fixture.ticket(), blitz(false)).await, Code::AlreadyExists, "TICKET_OPEN");
        assert_eq!(error::metadata(&status, "ticket_id"), Some(ticket.to_string()), "{}", fixture.kind);
        check(player.enqueue(ticket, blitz(false)).await, Code::AlreadyExists, "TICKET_DIFFERS");
        check(stranger.enqueue(ticket, blitz(true)).await, Code::AlreadyExists, "TICKET_DIFFERS");
        let narrower = EnqueueRequest {
            ticket_id: ticket.to_string(),
            settings: Some(blitz(true)),
            max_rating_difference: 25,
            ..EnqueueRequest::default()
        };
        check(player.ask(narrower).await, Code::AlreadyExists, "TICKET_DIFFERS");
        line.waiting().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_gone_is_an_outage_and_not_an_error() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let player = replica.player(&fixture.caller("player"));
        replica.lose_database().await;
        let status = check(
            player.enqueue(fixture.ticket(), blitz(true)).await,
            Code::Unavailable,
            "DATABASE_UNAVAILABLE",
        );
        assert!(status.get_details_retry_info().is_some(), "{}", fixture.kind);
    }
}
