//! What matchmaking is told of games that are over: whether they counted, and who has spoiled them.

use std::time::Duration;

use api::{
    game::v1::{
        AbandonmentClaim, AbortRequest, ClaimAbandonmentRequest, CreateGameRequest, GetGameRequest,
        Regulations, ResignRequest, game_event::Event,
    },
    matchmaking::v1::{Conduct, NoteGameRequest},
};

use super::{
    fixture::{Fixture, Replica},
    meeting::absolute,
    streams::pass,
};

/// A test that waits longer than this waits for something that will not happen.
const LIMIT: Duration = Duration::from_secs(20);
const NONE: Conduct = Conduct::Unspecified;

/// What matchmaking is told of a game: whether it counted, and the conduct of both.
async fn told(fixture: &Fixture, id: &str) -> (bool, [Conduct; 2]) {
    let told = async {
        loop {
            if let Some(told) = fixture.matchmaking.told_of(id) {
                return told;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let told: NoteGameRequest = tokio::time::timeout(LIMIT, told).await.expect("matchmaking is told");
    let parties = [told.first.expect("a first"), told.second.expect("a second")];
    for (party, player) in parties.iter().zip(&fixture.players) {
        assert_eq!(party.account_id, player.id.to_string());
    }
    assert!(told.end_time.is_some() && told.variant == "go", "{}", told.variant);
    (told.counted, parties.map(|party| party.conduct()))
}

async fn resign(fixture: &Fixture, replica: &Replica, id: &str, who: usize) {
    let request = ResignRequest { game_id: id.to_owned(), request_id: fixture.id() };
    replica.caller(&fixture.players[who]).resign(request).await.expect("resigned");
}

async fn abort(fixture: &Fixture, replica: &Replica, id: &str, who: usize) {
    let request = AbortRequest { game_id: id.to_owned(), request_id: fixture.id() };
    replica.caller(&fixture.players[who]).abort(request).await.expect("aborted");
}

#[tokio::test]
async fn a_game_that_counts_is_told_and_blames_nobody() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = replica.new_game(&fixture).await;
        resign(&fixture, &replica, &id, 1).await;
        assert_eq!(told(&fixture, &id).await, (true, [NONE; 2]));
        let casual = replica.new_game_with(&fixture, |_| {}).await;
        resign(&fixture, &replica, &casual, 0).await;
        assert_eq!(told(&fixture, &casual).await, (true, [NONE; 2]), "a casual game counts, too");
    }
}

#[tokio::test]
async fn who_aborts_is_blamed_unless_the_platform_was_down() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = replica.new_game(&fixture).await;
        abort(&fixture, &replica, &id, 1).await;
        assert_eq!(told(&fixture, &id).await, (false, [NONE, Conduct::Aborted]));
        let id = replica.new_game(&fixture).await;
        replica.play(&fixture, &id, 0, "C3", 0, &fixture.id()).await.expect("accepted");
        // Nobody could reach it for so long.
        fixture.time.advance(Duration::from_secs(30));
        abort(&fixture, &replica, &id, 1).await;
        let log = replica.audited(&id).await;
        assert!(log.iter().any(|event| matches!(event.event, Some(Event::OutageCredited(_)))), "{log:?}");
        assert_eq!(told(&fixture, &id).await, (false, [NONE; 2]));
    }
}

#[tokio::test]
async fn who_does_not_come_is_blamed_if_the_other_has() {
    let matched = |request: &mut CreateGameRequest| {
        let arrival_duration = Some(api::time::duration(Duration::from_secs(20)));
        request.regulations = Some(Regulations { arrival_duration, ..Regulations::default() });
    };
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let awaited = replica.new_game_with(&fixture, matched).await;
        let deserted = replica.new_game_with(&fixture, matched).await;
        let request = GetGameRequest { game_id: awaited.clone() };
        replica.caller(&fixture.players[0]).get_game(request).await.expect("he has come");
        replica.pass_time(&fixture, Duration::from_secs(21)).await;
        for id in [&awaited, &deserted] {
            replica.look(id).await;
        }
        assert_eq!(told(&fixture, &awaited).await, (false, [NONE, Conduct::NoShow]));
        assert_eq!(told(&fixture, &deserted).await, (false, [NONE; 2]), "nobody has waited in vain");
    }
}

#[tokio::test]
async fn who_leaves_is_blamed() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = replica.new_game(&fixture).await;
        let _first = replica.present(&fixture, 0, &id).await;
        drop(replica.present(&fixture, 1, &id).await);
        let claim = AbandonmentClaim::Win as i32;
        let request = ClaimAbandonmentRequest { game_id: id.clone(), claim, request_id: fixture.id() };
        let granted = async {
            while replica.caller(&fixture.players[0]).claim_abandonment(request.clone()).await.is_err() {
                pass(&fixture, &[&replica], Duration::from_secs(20)).await;
                // Who looks does so by the time of the test, not by that of its world.
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        tokio::time::timeout(LIMIT, granted).await.expect("it is granted");
        assert_eq!(told(&fixture, &id).await, (true, [NONE, Conduct::Left]));
    }
}

#[tokio::test]
async fn who_lets_his_time_pass_and_then_loses_is_blamed() {
    let slow = |request: &mut CreateGameRequest| request.time_control = Some(absolute(130));
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let (stalled, thought) =
            (replica.new_game_with(&fixture, slow).await, replica.new_game_with(&fixture, slow).await);
        let lines = [
            replica.present(&fixture, 0, &stalled).await,
            replica.present(&fixture, 1, &stalled).await,
            replica.present(&fixture, 0, &thought).await,
            replica.present(&fixture, 1, &thought).await,
        ];
        pass(&fixture, &[&replica], Duration::from_mins(1)).await;
        resign(&fixture, &replica, &thought, 0).await;
        pass(&fixture, &[&replica], Duration::from_secs(6)).await;
        resign(&fixture, &replica, &stalled, 0).await;
        drop(lines);
        assert_eq!(told(&fixture, &thought).await, (true, [NONE; 2]), "that was less than half");
        assert_eq!(told(&fixture, &stalled).await, (true, [Conduct::Stalled, NONE]));
    }
}
