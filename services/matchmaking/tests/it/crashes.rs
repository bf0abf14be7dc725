//! Services that fail, and processes that end, between the pair and the game.

use std::{sync::atomic::Ordering, time::Duration};

use api::matchmaking::v1::enqueue_response::State;
use live::{Moment, NewTicket, TicketState, TicketStore as _};
use tonic::Code;
use uuid::Uuid;

use crate::{
    fakes::Mood,
    fixture::{Fixture, blitz, fixtures, soon},
};

/// Longer than any lease and grace.
const LATER: Duration = Duration::from_secs(3);

/// Where the process ends.
#[derive(Clone, Copy, Debug)]
enum End {
    /// The two tickets are taken; nothing is written down.
    Taken,
    /// The match is written down; the game service has not got it.
    Recorded,
    /// The game exists; nobody here knows.
    Made,
    /// The game is known to exist; live state has yet to be told.
    Noted,
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_crash_at_any_step_the_two_have_one_game() {
    for end in [End::Taken, End::Recorded, End::Made, End::Noted] {
        for lose_live in [false, true] {
            for fixture in fixtures().await {
                crash(&fixture, end, lose_live).await;
            }
        }
    }
}

async fn crash(fixture: &Fixture, end: End, lose_live: bool) {
    let case = format!("{end:?}, live state lost: {lose_live}, {}", fixture.kind);
    match end {
        End::Taken => fixture.live.hide_pending.store(true, Ordering::SeqCst),
        End::Recorded => fixture.games.mood(Mood::Silent),
        End::Made => fixture.games.mood(Mood::Mumbling),
        End::Noted => fixture.live.refuse_settling.store(true, Ordering::SeqCst),
    }
    let replica = fixture.replica().await;
    let (one, other) = (fixture.caller("one"), fixture.caller("other"));
    let tickets = [fixture.ticket(), fixture.ticket()];
    let line = replica.player(&one).enqueue(tickets[0], blitz(true)).await.expect("waits");
    let other_line = replica.player(&other).enqueue(tickets[1], blitz(true)).await.expect("waits");
    reach(fixture, end, tickets[0]).await;
    replica.crash().await;
    drop((line, other_line));

    fixture.live.hide_pending.store(false, Ordering::SeqCst);
    fixture.live.refuse_settling.store(false, Ordering::SeqCst);
    fixture.games.mood(Mood::Well);
    fixture.time.advance(LATER);
    if lose_live {
        fixture.lose_live().await;
    }
    let replica = fixture.replica().await;
    let line = replica.player(&one).enqueue(tickets[0], blitz(true)).await.expect("the same ticket");
    let other_line = replica.player(&other).enqueue(tickets[1], blitz(true)).await.expect("the same ticket");
    let (matched, other_matched) = (line.matched().await, other_line.matched().await);
    assert_eq!(matched.game_id, other_matched.game_id, "{case}");
    assert_ne!(matched.side(), other_matched.side(), "{case}");
    let games = fixture.games.ledger().games;
    assert_eq!(games.keys().collect::<Vec<_>>(), [&matched.game_id], "{case}");
    replica.crash().await;
}

/// Waits until the process is where it is to end.
async fn reach(fixture: &Fixture, end: End, ticket: Uuid) {
    match end {
        End::Taken => fixture.taken(ticket).await,
        End::Recorded | End::Made => drop(fixture.games.until(|ledger| ledger.calls > 0).await),
        End::Noted => soon(fixture.live.failed.notified()).await,
    }
}

/// While a platform is renewed, a game service may be of before many games could be asked for in a call.
#[tokio::test(flavor = "multi_thread")]
async fn an_old_game_service_is_asked_for_each_game_by_itself() {
    for fixture in fixtures().await {
        fixture.games.mood(Mood::Old);
        let replica = fixture.replica().await;
        let players: Vec<_> =
            (0..6).map(|number| replica.player(&fixture.caller(&format!("p{number}")))).collect();
        let mut lines = Vec::new();
        for player in &players {
            lines.push(player.enqueue(fixture.ticket(), blitz(true)).await.expect("waits"));
        }
        fixture.time.advance(LATER);
        for line in lines {
            line.matched().await;
        }
        assert_eq!(fixture.games.ledger().games.len(), 3, "{}", fixture.kind);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_service_that_comes_back_makes_one_game() {
    for mood in [Mood::Refusing(Code::Unavailable), Mood::Refusing(Code::Internal), Mood::Mumbling] {
        for fixture in fixtures().await {
            fixture.games.mood(mood);
            let replica = fixture.replica().await;
            let (one, other) =
                (replica.player(&fixture.caller("one")), replica.player(&fixture.caller("other")));
            let mut line = one.enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
            let other = other.enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
            fixture.games.until(|ledger| ledger.calls == 1).await;
            fixture.time.advance(LATER);
            if mood != Mood::Mumbling {
                fixture.games.until(|ledger| ledger.calls >= 2).await;
            }
            // Nobody is told of a game that may not exist.
            line.waiting().await;
            line.waiting().await;
            fixture.games.mood(Mood::Well);
            fixture.time.advance(LATER);
            let (matched, other) = (line.matched().await, other.matched().await);
            assert_eq!(matched.game_id, other.game_id, "{mood:?} {}", fixture.kind);
            let games = fixture.games.ledger().games;
            assert_eq!(games.keys().collect::<Vec<_>>(), [&matched.game_id], "{mood:?} {}", fixture.kind);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_is_refused_for_good_frees_both_players() {
    for fixture in fixtures().await {
        fixture.games.mood(Mood::Refusing(Code::InvalidArgument));
        let replica = fixture.replica().await;
        let (one, other) = (replica.player(&fixture.caller("one")), replica.player(&fixture.caller("other")));
        let ticket = fixture.ticket();
        let line = one.enqueue(ticket, blitz(true)).await.expect("waits");
        let other_line = other.enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
        assert!(matches!(line.end().await, State::Cancelled(_)), "{}", fixture.kind);
        assert!(matches!(other_line.end().await, State::Cancelled(_)), "{}", fixture.kind);
        fixture.games.mood(Mood::Well);
        let again = one.enqueue(ticket, blitz(true)).await.expect("what became of it");
        assert!(matches!(again.end().await, State::Cancelled(_)), "{}", fixture.kind);
        one.cancel(ticket).await.expect("it is withdrawn already");
        let line = one.enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
        let other_line = other.enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
        assert_eq!(line.matched().await.game_id, other_line.matched().await.game_id);
        assert_eq!(fixture.games.ledger().games.len(), 1);
    }
}

/// A live state that forgot a match and has its ticket waiting again, as a fail-over may leave it.
#[tokio::test(flavor = "multi_thread")]
async fn a_ticket_that_waits_twice_is_in_one_game() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let (one, other) = (replica.player(&fixture.caller("one")), replica.player(&fixture.caller("other")));
        let ticket = fixture.ticket();
        let line = one.enqueue(ticket, blitz(true)).await.expect("waits");
        other.enqueue(fixture.ticket(), blitz(true)).await.expect("waits").matched().await;
        let matched = line.matched().await;

        fixture.lose_live().await;
        let (third, third_ticket) = (replica.player(&fixture.caller("third")), fixture.ticket());
        let mut third = third.enqueue(third_ticket, blitz(true)).await.expect("waits");
        third.waiting().await;
        let Some(TicketState::Waiting(template)) = fixture.live.ticket(third_ticket).await.expect("answers")
        else {
            panic!("the third waits");
        };
        let double = NewTicket {
            id: ticket,
            owner: one.caller.id.uuid(),
            pools: template.pools,
            standing: template.standing,
            payload: template.payload,
            expires_at: Moment::MAX,
        };
        fixture.live.open_ticket(double, template.since).await.expect("answers");
        // The pair is undone, the double is gone, and the third waits on.
        let undone = async {
            while fixture.live.ticket(ticket).await.expect("answers") != Some(TicketState::Cancelled) {
                third.waiting().await;
            }
        };
        soon(undone).await;
        let fourth = replica.player(&fixture.caller("fourth"));
        let fourth = fourth.enqueue(fixture.ticket(), blitz(true)).await.expect("waits").matched().await;
        assert_eq!(third.matched().await.game_id, fourth.game_id, "{}", fixture.kind);
        assert_eq!(one.enqueue(ticket, blitz(true)).await.expect("known").matched().await, matched);
        assert_eq!(fixture.games.ledger().games.len(), 2, "{}", fixture.kind);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_are_told_that_the_server_stops() {
    let fixture = fixtures().await.remove(0);
    let replica = fixture.replica().await;
    let one = replica.player(&fixture.caller("one"));
    let mut line = one.enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
    line.waiting().await;
    replica.crash().await;
    let broken_off = async {
        loop {
            match line.next().await {
                Ok(Some(State::Waiting(_))) => {}
                other => break other.expect_err("the stream breaks off"),
            }
        }
    };
    let status = soon(broken_off).await;
    assert_eq!((status.code(), &*api::error::reason(&status)), (Code::Unavailable, "STOPPING"));
    let refused = one.enqueue(fixture.ticket(), blitz(true)).await.map(drop).expect_err("refused");
    assert_eq!(api::error::reason(&refused), "STOPPING");
}
