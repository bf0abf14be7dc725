//! Who is first.

use std::time::Duration;

use api::{board::v1::Side, matchmaking::v1::Conduct};

use crate::{
    finished::ended,
    fixture::{blitz, fixtures},
};

#[tokio::test(flavor = "multi_thread")]
async fn two_players_alternate_over_twenty_games() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let (one, other) = (replica.player(&fixture.caller("one")), replica.player(&fixture.caller("other")));
        let mut sides = Vec::new();
        for round in 0..20 {
            let line = one.enqueue(fixture.ticket(), blitz(round % 3 == 0)).await.expect("waits");
            let theirs = other.enqueue(fixture.ticket(), blitz(round % 3 == 0)).await.expect("waits");
            // Two who have met last wait a little for somebody else.
            fixture.time.advance(Duration::from_secs(10));
            let game = line.matched().await;
            theirs.matched().await;
            sides.push(game.side());
            let over = ended(&fixture, &game, [&one, &other], true, [Conduct::Unspecified; 2]);
            replica.note(over).await.expect("noted");
            fixture.time.advance(Duration::from_mins(5));
        }
        assert!(sides.windows(2).all(|two| two[0] != two[1]), "{}: {sides:?}", fixture.kind);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_gets_the_same_side_over_and_over_among_many() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let players: Vec<_> = (0..4).map(|n| replica.player(&fixture.caller(&format!("p{n}")))).collect();
        let mut firsts = [0_i32; 4];
        for round in 0..12 {
            // Everybody against everybody, each twice in twelve games.
            let (a, b) = [(0, 1), (2, 3), (0, 2), (1, 3), (0, 3), (1, 2)][round % 6];
            let line = players[a].enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
            let other = players[b].enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
            // Two who are owed the same colour wait a little for somebody who is owed the other.
            fixture.time.advance(Duration::from_secs(2));
            let side = line.matched().await.side();
            other.matched().await;
            let (first, second) = if side == Side::First { (a, b) } else { (b, a) };
            firsts[first] += 1;
            firsts[second] -= 1;
        }
        assert!(firsts.iter().all(|surplus| surplus.abs() <= 2), "{}: {firsts:?}", fixture.kind);
    }
}
