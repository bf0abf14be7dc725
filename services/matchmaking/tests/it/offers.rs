//! Long games are made when both have accepted them.

use std::{sync::atomic::Ordering, time::Duration};

use api::matchmaking::v1::enqueue_response::State;
use tonic::Code;
use uuid::Uuid;

use crate::fixture::{Fixture, Line, Player, Replica, blitz, check, fixtures, lasting};

/// Somebody who waits for a long game.
struct Seeker {
    player: Player,
    ticket: Uuid,
    line: Line,
}

/// Two to whom a long game is offered.
async fn offered(fixture: &Fixture, replica: &Replica) -> [Seeker; 2] {
    let enter = async |name: &str| {
        let (player, ticket) = (replica.player(&fixture.caller(name)), fixture.ticket());
        let line = player.enqueue(ticket, lasting("1h")).await.expect("waits");
        Seeker { player, ticket, line }
    };
    let mut two = [enter("one").await, enter("other").await];
    for seeker in &mut two {
        let offered = seeker.line.offered(false).await;
        assert_eq!(offered.settings.expect("settings").time_control, lasting("1h").time_control);
        let until = offered.until_time.as_ref().and_then(api::time::moment).expect("a moment");
        assert_eq!(until - fixture.env.now(), time::Duration::seconds(30), "{}", fixture.kind);
    }
    two
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_game_is_made_when_both_have_accepted_it() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let [mut one, other] = offered(&fixture, &replica).await;
        one.player.answer(one.ticket, true).await.expect("accepted");
        one.player.answer(one.ticket, true).await.expect("saying it again is no error");
        one.line.offered(true).await;
        assert!(fixture.games.ledger().games.is_empty(), "{}: one alone has", fixture.kind);
        other.player.answer(other.ticket, true).await.expect("accepted");
        let (matched, of_other) = (one.line.matched().await, other.line.matched().await);
        assert_eq!(matched.game_id, of_other.game_id, "{}", fixture.kind);
        assert_eq!(fixture.games.ledger().games.len(), 1);
        one.player.answer(one.ticket, true).await.expect("nor is it afterwards");
        check(one.player.answer(one.ticket, false).await, Code::FailedPrecondition, "TICKET_MATCHED");
        check(one.player.answer(other.ticket, true).await, Code::FailedPrecondition, "NOT_OFFERED");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_declines_goes_and_the_other_waits_on_where_he_was() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let begins = fixture.env.now();
        let [mut one, other] = offered(&fixture, &replica).await;
        fixture.time.advance(Duration::from_secs(29));
        // He changes his mind.
        other.player.answer(other.ticket, true).await.expect("accepted");
        other.player.answer(other.ticket, false).await.expect("declined");
        other.player.answer(other.ticket, false).await.expect("saying it again is no error");
        assert!(matches!(other.line.end().await, State::Cancelled(_)), "{}", fixture.kind);
        let waiting = one.line.waits_again().await;
        assert_eq!(waiting.since_time, Some(api::time::timestamp(begins)), "{}: his old place", fixture.kind);
        check(one.player.answer(one.ticket, true).await, Code::FailedPrecondition, "NOT_OFFERED");
        check(other.player.answer(other.ticket, true).await, Code::FailedPrecondition, "NOT_OFFERED");
        // The one finds somebody else, and the other is free.
        other.player.enqueue(fixture.ticket(), blitz(false)).await.expect("waits").waiting().await;
        let third = replica.player(&fixture.caller("third"));
        let ticket = fixture.ticket();
        let line = third.enqueue(ticket, lasting("1h")).await.expect("waits");
        let (matched, of_third) =
            tokio::join!(one.player.plays(one.ticket, one.line), third.plays(ticket, line));
        assert_eq!(matched.game_id, of_third.game_id, "{}", fixture.kind);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_does_not_answer_goes_and_who_has_accepted_waits_on() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let [mut one, other] = offered(&fixture, &replica).await;
        one.player.answer(one.ticket, true).await.expect("accepted");
        fixture.time.advance(Duration::from_secs(31));
        assert!(matches!(other.line.end().await, State::Cancelled(_)), "{}", fixture.kind);
        one.line.waits_again().await;
        let again = other.player.enqueue(other.ticket, lasting("1h")).await.expect("what became of it");
        assert!(matches!(again.end().await, State::Cancelled(_)), "{}", fixture.kind);
        assert!(fixture.games.ledger().games.is_empty(), "{}", fixture.kind);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_comes_too_late_changes_nothing() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let [one, other] = offered(&fixture, &replica).await;
        one.player.answer(one.ticket, true).await.expect("accepted");
        fixture.time.advance(Duration::from_secs(30));
        check(other.player.answer(other.ticket, true).await, Code::FailedPrecondition, "NOT_OFFERED");
        assert!(fixture.games.ledger().games.is_empty(), "{}", fixture.kind);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn withdrawing_is_declining_and_only_what_is_offered_is_answered() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let [mut one, other] = offered(&fixture, &replica).await;
        check(one.player.answer(other.ticket, false).await, Code::FailedPrecondition, "NOT_OFFERED");
        other.player.cancel(other.ticket).await.expect("withdrawn");
        assert!(matches!(other.line.end().await, State::Cancelled(_)), "{}", fixture.kind);
        one.line.waits_again().await;
        check(one.player.answer(one.ticket, true).await, Code::FailedPrecondition, "NOT_OFFERED");
        check(one.player.answer(fixture.ticket(), true).await, Code::FailedPrecondition, "NOT_OFFERED");
        check(one.player.answer(Uuid::nil(), true).await, Code::InvalidArgument, "BAD_ID");
    }
}

/// Between the moment in which two are taken and that in which their game is offered nobody knows yet what comes of it.
#[tokio::test(flavor = "multi_thread")]
async fn who_withdraws_before_the_game_is_offered_is_asked_to_come_again_and_declines_it_then() {
    for fixture in fixtures().await {
        fixture.live.hide_pending.store(true, Ordering::SeqCst);
        let replica = fixture.replica().await;
        let [one, other] =
            ["one", "other"].map(|name| (replica.player(&fixture.caller(name)), fixture.ticket()));
        let line = one.0.enqueue(one.1, lasting("1h")).await.expect("waits");
        let mut waits_on = other.0.enqueue(other.1, lasting("1h")).await.expect("waits");
        fixture.taken(one.1).await;
        check(one.0.cancel(one.1).await, Code::Unavailable, "CONTENDED");
        fixture.live.hide_pending.store(false, Ordering::SeqCst);
        // Longer than any lease and grace.
        fixture.time.advance(Duration::from_secs(3));
        waits_on.offered(false).await;
        one.0.cancel(one.1).await.expect("declined");
        assert!(matches!(line.end().await, State::Cancelled(_)), "{}", fixture.kind);
        waits_on.waits_again().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn where_live_state_was_lost_who_has_an_offer_waits_for_no_other_game() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let [one, other] = offered(&fixture, &replica).await;
        drop((one.line, other.line));
        fixture.lose_live().await;
        let third = replica.player(&fixture.caller("third"));
        let mut waits = third.enqueue(fixture.ticket(), lasting("1h")).await.expect("waits");
        waits.waiting().await;
        let mut line = one.player.enqueue(one.ticket, lasting("1h")).await.expect("the same ticket");
        line.offered(false).await;
        fixture.time.advance(Duration::from_secs(3));
        one.player.answer(one.ticket, false).await.expect("declined");
        assert!(matches!(line.end().await, State::Cancelled(_)), "{}", fixture.kind);
        let mut line = other.player.enqueue(other.ticket, lasting("1h")).await.expect("the same ticket");
        line.offered(false).await;
        waits.offered(false).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_offer_outlives_its_replica_and_live_state() {
    for fixture in fixtures().await {
        for loses_live in [false, true] {
            let replica = fixture.replica().await;
            let [one, other] = offered(&fixture, &replica).await;
            one.player.answer(one.ticket, true).await.expect("accepted");
            replica.crash().await;
            if loses_live {
                fixture.lose_live().await;
                // What is offered then is offered later.
                fixture.time.advance(Duration::from_millis(1));
            }
            let replica = fixture.replica().await;
            let back = async |seeker: &Seeker| {
                let player = replica.player(&seeker.player.caller);
                let line = player.enqueue(seeker.ticket, lasting("1h")).await.expect("the same ticket");
                player.plays(seeker.ticket, line).await
            };
            let (matched, of_other) = tokio::join!(back(&one), back(&other));
            assert_eq!(matched.game_id, of_other.game_id, "{} {loses_live}", fixture.kind);
            assert_eq!(fixture.games.ledger().games.len(), 1 + usize::from(loses_live), "{}", fixture.kind);
            replica.crash().await;
        }
    }
}
