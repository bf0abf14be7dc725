//! What becomes of a ticket: reconnecting, withdrawing, expiring.

use std::time::Duration;

use api::{
    error,
    matchmaking::v1::{EnqueueRequest, enqueue_response::State},
};
use futures::future::join_all;
use tonic::Code;

use crate::fixture::{blitz, fixtures, lasting};

#[tokio::test(flavor = "multi_thread")]
async fn every_stream_on_a_ticket_tells_the_same() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let (one, other) = (replica.player(&fixture.caller("one")), replica.player(&fixture.caller("other")));
        let (ticket, other_ticket) = (fixture.ticket(), fixture.ticket());
        let mut first_line = one.enqueue(ticket, blitz(true)).await.expect("waits");
        let since = first_line.waiting().await.since_time;
        fixture.time.advance(Duration::from_secs(3));
        let mut second_line = one.enqueue(ticket, blitz(true)).await.expect("the same ticket");
        assert_eq!(second_line.waiting().await.since_time, since, "{}", fixture.kind);
        let other_line = other.enqueue(other_ticket, blitz(true)).await.expect("waits");
        let matched = first_line.matched().await;
        assert_eq!(second_line.matched().await, matched);
        other_line.matched().await;

        // Afterwards, on the same replica, on another, and after live state was lost.
        assert_eq!(one.enqueue(ticket, blitz(true)).await.expect("known").matched().await, matched);
        fixture.lose_live().await;
        let replica = fixture.replica().await;
        let again = replica.player(&one.caller);
        assert_eq!(again.enqueue(ticket, blitz(true)).await.expect("known").matched().await, matched);
        let lines = join_all((0..20).map(|_| again.enqueue(ticket, blitz(true)))).await;
        for line in lines {
            assert_eq!(line.expect("known").matched().await, matched, "{}", fixture.kind);
        }
        let differs = |answer: Result<_, tonic::Status>| {
            error::reason(&answer.map(drop).expect_err("refused")) == "TICKET_DIFFERS"
        };
        assert!(differs(again.enqueue(ticket, blitz(false)).await), "{}", fixture.kind);
        assert!(differs(again.enqueue(other_ticket, blitz(true)).await));
        assert_eq!(fixture.games.ledger().games.len(), 1);
        // The player is free for another game.
        again.enqueue(fixture.ticket(), blitz(true)).await.expect("waits").waiting().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_withdrawn_ticket_is_never_matched() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let (one, other) = (replica.player(&fixture.caller("one")), replica.player(&fixture.caller("other")));
        let ticket = fixture.ticket();
        let mut line = one.enqueue(ticket, blitz(true)).await.expect("waits");
        line.waiting().await;
        let unknown = other.cancel(ticket).await.expect_err("somebody else's");
        assert_eq!((unknown.code(), &*error::reason(&unknown)), (Code::NotFound, "UNKNOWN_TICKET"));
        line.waiting().await;
        one.cancel(ticket).await.expect("withdrawn");
        assert!(matches!(line.end().await, State::Cancelled(_)), "{}", fixture.kind);
        one.cancel(ticket).await.expect("withdrawing again is no error");
        let late = other.enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
        let again = one.enqueue(ticket, blitz(true)).await.expect("what became of it");
        assert!(matches!(again.end().await, State::Cancelled(_)), "{}", fixture.kind);

        let (third, ticket) = (replica.player(&fixture.caller("third")), fixture.ticket());
        third.enqueue(ticket, blitz(true)).await.expect("waits").matched().await;
        assert_eq!(late.matched().await.opponent_name, "third");
        let matched = third.cancel(ticket).await.expect_err("too late");
        assert_eq!((matched.code(), &*error::reason(&matched)), (Code::FailedPrecondition, "TICKET_MATCHED"));
        let unknown = other.cancel(ticket).await.expect_err("somebody else's");
        assert_eq!(error::reason(&unknown), "UNKNOWN_TICKET");
        let unknown = one.cancel(fixture.ticket()).await.expect_err("never handed in");
        assert_eq!(error::reason(&unknown), "UNKNOWN_TICKET");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ticket_that_nobody_holds_expires_and_is_not_matched() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let (gone, held) = (replica.player(&fixture.caller("gone")), replica.player(&fixture.caller("held")));
        fixture.ratings.set(held.caller.id, 3000.0);
        let ticket = fixture.ticket();
        let mut two = [
            gone.enqueue(ticket, blitz(true)).await.expect("waits"),
            gone.enqueue(ticket, blitz(true)).await.expect("waits"),
        ];
        for line in &mut two {
            line.waiting().await;
        }
        let never_matched = EnqueueRequest {
            ticket_id: fixture.ticket().to_string(),
            settings: Some(blitz(true)),
            max_rating_difference: 25,
            ..EnqueueRequest::default()
        };
        let mut held_line = held.ask(never_matched).await.expect("waits");
        held_line.waiting().await;
        // One of two streams is enough to hold it.
        let [line, other_line] = two;
        drop(other_line);
        let mut line = line;
        for _ in 0..3 {
            fixture.time.advance(Duration::from_secs(14));
            line.waiting().await;
            line.waiting().await;
            held_line.waiting().await;
            held_line.waiting().await;
        }
        drop(line);
        // Each step is followed by beats, so that the other ticket stays held.
        for _ in 0..2 {
            fixture.time.advance(Duration::from_secs(16));
            held_line.waiting().await;
            held_line.waiting().await;
        }
        let late = replica.player(&fixture.caller("late"));
        let mut late = late.enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
        late.waiting_until(|waiting| waiting.pool_size == 2).await;
        let again = gone.enqueue(ticket, blitz(true)).await.expect("what became of it");
        assert!(matches!(again.end().await, State::Expired(_)), "{}", fixture.kind);
        late.waiting().await;
        assert!(fixture.games.ledger().games.is_empty(), "{}", fixture.kind);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ticket_that_live_state_lost_waits_on() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let one = replica.player(&fixture.caller("one"));
        let mut line = one.enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
        let since = line.waiting().await.since_time;
        fixture.time.advance(Duration::from_secs(8));
        fixture.lose_live().await;
        line.waiting().await;
        assert_eq!(line.waiting().await.since_time, since, "{}: nothing of the wait is lost", fixture.kind);
        let other = replica.player(&fixture.caller("other"));
        let other = other.enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
        assert_eq!(line.matched().await.game_id, other.matched().await.game_id, "{}", fixture.kind);
        let ledger = fixture.games.ledger();
        let game = ledger.games.values().next().expect("a game");
        let ratings = [&game.first, &game.second].map(|seat| seat.as_ref().expect("a seat").rating);
        assert_eq!(ratings, [1500; 2], "{}", fixture.kind);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn lost_messages_only_delay() {
    for fixture in fixtures().await {
        fixture.live.mute.store(true, std::sync::atomic::Ordering::SeqCst);
        let replica = fixture.replica().await;
        let (one, other) = (replica.player(&fixture.caller("one")), replica.player(&fixture.caller("other")));
        let ticket = fixture.ticket();
        let line = one.enqueue(ticket, blitz(true)).await.expect("waits");
        let other = other.enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
        assert_eq!(line.matched().await.game_id, other.matched().await.game_id, "{}", fixture.kind);
        let ticket = fixture.ticket();
        let line = one.enqueue(ticket, blitz(true)).await.expect("waits");
        one.cancel(ticket).await.expect("withdrawn");
        assert!(matches!(line.end().await, State::Cancelled(_)), "{}", fixture.kind);
    }
}

#[tokio::test]
async fn those_who_come_together_are_looked_up_together() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let players: Vec<_> =
            (0..200).map(|number| replica.player(&fixture.caller(&format!("p{number}")))).collect();
        let queued = players.iter().map(|player| player.enqueue(fixture.ticket(), lasting("10m")));
        let lines = join_all(queued).await;
        assert!(lines.iter().all(Result::is_ok), "{}", fixture.kind);
        let asked = fixture.ratings.books().asked;
        assert!((1..=20).contains(&asked), "{}: the ratings were asked {asked} times", fixture.kind);

        // What cannot be read of one is refused to him alone.
        let others: Vec<_> =
            (200..240).map(|number| replica.player(&fixture.caller(&format!("p{number}")))).collect();
        fixture.spoil(others[20].caller.id).await;
        let queued = others.iter().map(|player| player.enqueue(fixture.ticket(), lasting("10m")));
        let refused: Vec<usize> =
            (0..).zip(join_all(queued).await).filter(|(_, line)| line.is_err()).map(|(at, _)| at).collect();
        assert_eq!(refused, [20], "{}", fixture.kind);
        replica.crash().await;
    }
}
