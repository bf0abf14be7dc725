//! Games that are over: which sides they leave the players, who may not meet again yet, and who does not queue.

use std::time::Duration;

use api::{
    board::v1::Side,
    error,
    matchmaking::v1::{
        Conduct, GameParty, ListPausesRequest, NoteGameRequest, Pause, enqueue_response::Matched,
        matchmaking_internal_service_client::MatchmakingInternalServiceClient,
    },
};
use chassis::testing;
use tonic::{Code, Status};

use crate::fixture::{Fixture, Player, Replica, blitz, fixtures, soon};

const MINUTE: Duration = Duration::from_mins(1);
const NONE: Conduct = Conduct::Unspecified;

/// The two are matched; as the one is told.
pub(crate) async fn matched(fixture: &Fixture, one: &Player, other: &Player) -> Matched {
    let line = one.enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
    let theirs = other.enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
    // Two who are owed the same colour wait a little for somebody who is owed the other.
    fixture.time.advance(Duration::from_secs(10));
    theirs.matched().await;
    line.matched().await
}

/// The end of a game, as it is told by the game service: whether it counted, and how the one and the other have spoiled it.
pub(crate) fn ended(
    fixture: &Fixture,
    game: &Matched,
    players: [&Player; 2],
    counted: bool,
    conduct: [Conduct; 2],
) -> NoteGameRequest {
    let party = |at: usize| {
        let (account_id, conduct) = (players[at].caller.id.to_string(), conduct[at].into());
        Some(GameParty { account_id, conduct })
    };
    let (first, second) = if game.side() == Side::First { (0, 1) } else { (1, 0) };
    NoteGameRequest {
        game_id: game.game_id.clone(),
        variant: blitz(true).variant,
        first: party(first),
        second: party(second),
        counted,
        end_time: Some(api::time::timestamp(fixture.env.now())),
    }
}

async fn pauses(player: &Player) -> Vec<Pause> {
    let mut client = player.client.clone();
    soon(client.list_pauses(ListPausesRequest::default())).await.expect("listed").into_inner().pauses
}

/// The refusal of somebody who may not queue now.
async fn refused(fixture: &Fixture, player: &Player) -> Status {
    match player.enqueue(fixture.ticket(), blitz(true)).await {
        Err(status) => status,
        Ok(_) => panic!("he may not queue"),
    }
}

/// Lets so much time pass, slowly enough for those who wait to hold their tickets.
async fn pass(fixture: &Fixture, time: Duration) {
    const STEP: Duration = Duration::from_secs(10);
    for _ in 0..time.as_secs() / STEP.as_secs() {
        fixture.time.advance(STEP);
        tokio::time::sleep(Duration::from_millis(60)).await;
    }
}

impl Replica {
    /// Tells of a game that is over.
    pub(crate) async fn note(&self, request: NoteGameRequest) -> Result<(), Status> {
        let mut client = MatchmakingInternalServiceClient::new(testing::as_service(self.internal.clone()));
        soon(client.note_game(request)).await.map(drop)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_aborts_does_not_queue_for_a_while_and_gets_the_same_side_again() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let [one, other, third] = ["one", "other", "third"].map(|name| replica.player(&fixture.caller(name)));
        let game = matched(&fixture, &one, &other).await;
        let aborted = ended(&fixture, &game, [&one, &other], false, [Conduct::Aborted, NONE]);
        replica.note(aborted.clone()).await.expect("noted");
        replica.note(aborted).await.expect("noted again");
        let status = refused(&fixture, &one).await;
        assert_eq!((status.code(), &*error::reason(&status)), (Code::FailedPrecondition, "QUEUE_PAUSED"));
        let until = fixture.env.now() + 10 * MINUTE;
        assert!(error::metadata(&status, "until").is_some_and(|until| until.ends_with('Z')), "{status:?}");
        let [pause] = &pauses(&one).await[..] else { panic!("{}: one pause", fixture.kind) };
        assert_eq!((&pause.game_id, pause.conduct()), (&game.game_id, Conduct::Aborted));
        assert_eq!(pause.end_time, Some(api::time::timestamp(until)));
        assert_eq!(pauses(&other).await, [], "who was wronged queues on");

        fixture.time.advance(10 * MINUTE);
        // What another spoils pays nothing.
        let fourth = replica.player(&fixture.caller("fourth"));
        let wronged = matched(&fixture, &one, &fourth).await;
        assert_eq!(wronged.side(), game.side(), "{}: the same side again", fixture.kind);
        let aborted = ended(&fixture, &wronged, [&one, &fourth], false, [NONE, Conduct::Aborted]);
        replica.note(aborted).await.expect("noted");
        let again = matched(&fixture, &one, &third).await;
        assert_eq!(again.side(), game.side(), "{}: and again", fixture.kind);
        // The second time he waits three times as long.
        replica
            .note(ended(&fixture, &again, [&one, &third], true, [Conduct::Left, NONE]))
            .await
            .expect("noted");
        let [second, _] = &pauses(&one).await[..] else { panic!("{}: two pauses", fixture.kind) };
        let ends = second.end_time.as_ref().and_then(api::time::moment).expect("an end");
        let length = ends - fixture.env.now();
        assert_eq!((length, second.conduct()), (time::Duration::minutes(30), Conduct::Left));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_who_was_told_of_his_game_is_blamed_for_not_coming() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let [one, other] = ["one", "other"].map(|name| replica.player(&fixture.caller(name)));
        let line = one.enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
        let gone = other.enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
        // His stream breaks before he hears anything.
        drop(gone);
        let game = line.matched().await;
        let missed = ended(&fixture, &game, [&one, &other], false, [NONE, Conduct::NoShow]);
        replica.note(missed).await.expect("noted");
        assert_eq!(pauses(&other).await, [], "{}", fixture.kind);

        fixture.time.advance(10 * MINUTE);
        let game = matched(&fixture, &one, &other).await;
        // Who was told is noted soon.
        tokio::time::sleep(Duration::from_millis(300)).await;
        let missed = ended(&fixture, &game, [&one, &other], false, [NONE, Conduct::NoShow]);
        replica.note(missed).await.expect("noted");
        let [pause] = &pauses(&other).await[..] else { panic!("{}: one pause", fixture.kind) };
        assert_eq!(pause.conduct(), Conduct::NoShow);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_who_have_just_played_meet_again_only_later_and_others_at_once() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let [one, other, third] = ["one", "other", "third"].map(|name| replica.player(&fixture.caller(name)));
        let game = matched(&fixture, &one, &other).await;
        replica.note(ended(&fixture, &game, [&one, &other], true, [NONE; 2])).await.expect("noted");
        let line = one.enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
        let theirs = other.enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
        // Only who listens holds his ticket.
        let [line, theirs] = [line, theirs].map(|line| tokio::spawn(line.matched()));
        pass(&fixture, 4 * MINUTE).await;
        assert!(!line.is_finished() && !theirs.is_finished(), "{}", fixture.kind);
        pass(&fixture, 2 * MINUTE).await;
        let again = line.await.expect("matched");
        theirs.await.expect("matched");
        assert_ne!(again.side(), game.side(), "{}: they alternate", fixture.kind);
        replica.note(ended(&fixture, &again, [&one, &other], true, [NONE; 2])).await.expect("noted");
        assert_eq!(matched(&fixture, &one, &third).await.opponent_id, third.caller.id.to_string());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_services_tell_of_games_and_only_what_can_be() {
    let fixture = fixtures().await.remove(0);
    let replica = fixture.replica().await;
    let [one, other] = ["one", "other"].map(|name| replica.player(&fixture.caller(name)));
    let game = matched(&fixture, &one, &other).await;
    let good = ended(&fixture, &game, [&one, &other], true, [NONE; 2]);
    let as_player = testing::as_account(replica.internal.clone(), one.caller.clone());
    let mut client = MatchmakingInternalServiceClient::new(as_player);
    let status = soon(client.note_game(good.clone())).await.expect_err("he is no service");
    assert_eq!(status.code(), Code::PermissionDenied, "{status:?}");
    let conduct = |conduct| Some(GameParty { conduct, ..good.first.clone().expect("a first") });
    for (bad, reason) in [
        (NoteGameRequest { game_id: "x".into(), ..good.clone() }, "BAD_ID"),
        (NoteGameRequest { variant: "halma".into(), ..good.clone() }, "UNKNOWN_VARIANT"),
        (NoteGameRequest { first: None, ..good.clone() }, "BAD_ID"),
        (NoteGameRequest { first: good.second.clone(), ..good.clone() }, "BAD_RESULT"),
        (NoteGameRequest { first: conduct(5), ..good.clone() }, "BAD_RESULT"),
        (NoteGameRequest { first: conduct(-1), ..good.clone() }, "BAD_RESULT"),
        (NoteGameRequest { end_time: None, ..good.clone() }, "BAD_RESULT"),
    ] {
        let status = replica.note(bad.clone()).await.expect_err("it cannot be");
        assert_eq!((status.code(), &*error::reason(&status)), (Code::InvalidArgument, reason), "{bad:?}");
    }
    replica.note(good).await.expect("noted");
}
