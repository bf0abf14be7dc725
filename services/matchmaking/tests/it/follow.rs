//! All that concerns somebody, in one stream.

use std::time::Duration;

use api::{
    board::v1::Outcome,
    federation::v1::{FollowNoticesResponse, Notice},
    game::v1::{FollowGamesResponse, GameInfo, GameState, OwnGame},
    matchmaking::v1::{
        AnswerOfferRequest, ChallengeKind, CreateChallengeRequest, DeclineChallengeRequest, EndPausesRequest,
        FollowPart, FollowRequest, FollowResponse, OwnQueue, PauseAccountRequest,
        challenge_service_client::ChallengeServiceClient, follow_response::Told,
        follow_service_client::FollowServiceClient, pause_service_client::PauseServiceClient,
    },
    rating::v1::{GameChange, RatingChange},
    transport::Transport,
};
use chassis::{
    auth::{Caller, Role, RoleGrant, RoleScope, Scope},
    testing,
};
use futures::{
    StreamExt as _,
    channel::mpsc::{UnboundedReceiver, unbounded},
};
use tokio::task::JoinHandle;
use tonic::{Code, Status};

use crate::fixture::{Fixture, Replica, blitz, check, fixtures, lasting, soon};

/// Somebody's stream of all that concerns him, which is read whether he looks or not, as over a network.
struct Following(UnboundedReceiver<Result<FollowResponse, Status>>, JoinHandle<()>);

impl Drop for Following {
    fn drop(&mut self) {
        self.1.abort();
    }
}

async fn follow(
    replica: &Replica,
    caller: &Caller,
    cursor: &str,
    known_game_ids: Vec<String>,
) -> Result<Following, Status> {
    let request = FollowRequest { cursor: cursor.to_owned(), known_game_ids };
    let mut client = FollowServiceClient::new(as_caller(replica, caller));
    let mut stream = soon(client.follow(request)).await?.into_inner();
    let (say, said) = unbounded();
    let reading = tokio::spawn(async move {
        while let Some(answer) = stream.next().await {
            if say.unbounded_send(answer).is_err() {
                break;
            }
        }
    });
    Ok(Following(said, reading))
}

fn as_caller(replica: &Replica, caller: &Caller) -> Transport {
    testing::as_account(replica.transport.clone(), caller.clone())
}

impl Following {
    async fn next(&mut self) -> FollowResponse {
        soon(self.0.next()).await.expect("it does not end").expect("it goes on")
    }

    /// The next that is wanted; what comes before it is passed over.
    async fn find<T>(&mut self, wanted: impl Fn(Told) -> Option<T>) -> T {
        loop {
            if let Some(found) = wanted(self.next().await.told.expect("something is told")) {
                return found;
            }
        }
    }

    /// How he stands in the queue once it is so.
    async fn queue(&mut self, is_so: impl Fn(&OwnQueue) -> bool) -> OwnQueue {
        self.find(|told| match told {
            Told::Queue(queue) if is_so(&queue) => Some(queue),
            _ => None,
        })
        .await
    }

    async fn missing(&mut self) -> Vec<FollowPart> {
        self.find(|told| match told {
            Told::Missing(missing) => Some(missing.parts().collect()),
            _ => None,
        })
        .await
    }
}

/// Waits until the doubles are followed by so many.
async fn followed(fixture: &Fixture, count: usize) {
    let both = async {
        while fixture.games.1.count() != count || fixture.notices.2.count() != count {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    soon(both).await;
}

fn own_game(id: &str, rated: Option<bool>, has_ended: bool) -> FollowGamesResponse {
    let info = rated.map(|rated| GameInfo { id: id.to_owned(), rated, ..GameInfo::default() });
    let outcome = has_ended.then(Outcome::default);
    let state = Some(GameState { outcome, ..GameState::default() });
    let game = OwnGame { game_id: id.to_owned(), info, state, ..OwnGame::default() };
    FollowGamesResponse { games: vec![game], caught_up: true }
}

fn notice(number: u64) -> FollowNoticesResponse {
    FollowNoticesResponse { notice: Some(Notice { number, ..Notice::default() }) }
}

fn challenge(fixture: &Fixture, to: &Caller) -> CreateChallengeRequest {
    CreateChallengeRequest {
        challenge_id: fixture.ticket().to_string(),
        settings: Some(blitz(false)),
        kind: ChallengeKind::Direct.into(),
        to_account_id: to.id.to_string(),
        ..CreateChallengeRequest::default()
    }
}

#[tokio::test]
async fn a_ticket_an_offer_and_a_challenge_are_seen_at_another_replica_as_they_come_and_go() {
    for fixture in fixtures().await {
        let (one, two) = (fixture.replica().await, fixture.replica().await);
        let [asks, other] = ["asks", "other"].map(|name| fixture.caller(name));
        let mut own = follow(&two, &asks, "", Vec::new()).await.expect("followed");
        assert_eq!(own.queue(|_| true).await, OwnQueue::default(), "{}", fixture.kind);

        let (player, opponent) = (one.player(&asks), one.player(&other));
        let ticket = fixture.ticket();
        let mut line = player.enqueue(ticket, lasting("1h")).await.expect("it waits");
        let seen = own.queue(|queue| queue.ticket.is_some()).await.ticket.expect("a ticket");
        assert_eq!((&seen.ticket_id, seen.settings.len()), (&ticket.to_string(), 1), "{}", fixture.kind);
        assert!(seen.since_time.is_some() && seen.offered.is_none());
        let theirs = fixture.ticket();
        let mut their_line = opponent.enqueue(theirs, lasting("1h")).await.expect("it waits");
        let offered = |queue: &OwnQueue| queue.ticket.as_ref().is_some_and(|it| it.offered.is_some());
        let seen = own.queue(offered).await.ticket.expect("a ticket");
        assert_eq!(seen.ticket_id, ticket.to_string(), "{}", fixture.kind);
        line.offered(false).await;
        their_line.offered(false).await;
        let decline = AnswerOfferRequest { ticket_id: ticket.to_string(), accept: false };
        player.client.clone().answer_offer(decline).await.expect("declined");
        own.queue(|queue| queue.ticket.is_none()).await;

        let asked = challenge(&fixture, &asks);
        let mut challenges = ChallengeServiceClient::new(as_caller(&one, &other));
        challenges.create_challenge(asked.clone()).await.expect("asked for");
        let seen = own.queue(|queue| !queue.challenges.is_empty()).await;
        assert_eq!(seen.challenges[0].id, asked.challenge_id, "{}", fixture.kind);
        let decline = DeclineChallengeRequest {
            challenge_id: asked.challenge_id,
            ..DeclineChallengeRequest::default()
        };
        let mut challenges = ChallengeServiceClient::new(as_caller(&one, &asks));
        challenges.decline_challenge(decline).await.expect("declined");
        own.queue(|queue| queue.challenges.is_empty()).await;
    }
}

#[tokio::test]
async fn a_pause_is_seen_as_it_is_set_and_ended() {
    for fixture in fixtures().await {
        let (one, two) = (fixture.replica().await, fixture.replica().await);
        let paused = fixture.caller("paused");
        let mut own = follow(&two, &paused, "", Vec::new()).await.expect("followed");
        own.queue(|queue| queue.pause.is_none()).await;
        let mut moderator = fixture.caller("moderator");
        moderator.roles = vec![RoleGrant { role: Role::Moderator, scope: RoleScope::Platform }];
        let mut moderation = PauseServiceClient::new(as_caller(&one, &moderator));
        let request = PauseAccountRequest {
            request_id: fixture.ticket().to_string(),
            account_id: paused.id.to_string(),
            length: Some(prost_types::Duration { seconds: 3_600, nanos: 0 }),
            reason: "for a test".to_owned(),
        };
        moderation.pause_account(request).await.expect("paused");
        let seen = own.queue(|queue| queue.pause.is_some()).await.pause.expect("a pause");
        assert_eq!(seen.reason, "for a test", "{}", fixture.kind);
        let end = EndPausesRequest { account_id: paused.id.to_string(), reason: "enough".to_owned() };
        moderation.end_pauses(end).await.expect("ended");
        own.queue(|queue| queue.pause.is_none()).await;
    }
}

#[tokio::test]
async fn games_what_they_did_to_ratings_and_notices_come_with_a_cursor_and_go_on_after_it() {
    let fixture = fixtures().await.remove(0);
    let replica = fixture.replica().await;
    let caller = fixture.caller("follows");
    let known = fixture.ticket().to_string();
    let mut own = follow(&replica, &caller, "n7", vec![known.clone()]).await.expect("followed");
    followed(&fixture, 1).await;
    let (games, notices) = (&fixture.games.1, &fixture.notices.2);
    let asked = games.asked().remove(0);
    assert_eq!((asked.account_id, asked.known_game_ids), (caller.id.to_string(), vec![known.clone()]));
    let asked = notices.asked().remove(0);
    assert_eq!((asked.account_id, asked.after_number), (caller.id.to_string(), 7));

    let (rated, casual) = (fixture.ticket().to_string(), fixture.ticket().to_string());
    games.say(&own_game(&rated, Some(true), false));
    games.say(&own_game(&casual, Some(false), false));
    notices.say(&notice(9));
    let answer = loop {
        let answer = own.next().await;
        if let Some(Told::Notice(_)) = answer.told {
            break answer;
        }
    };
    assert_eq!(answer.cursor, "n9");
    games.say(&own_game(&known, Some(true), true));
    games.say(&own_game(&casual, None, true));
    games.say(&own_game(&rated, None, true));
    // It is rated a while after its end, and the other's change is not his.
    for (game, account) in [
        (&rated, fixture.ticket().to_string()),
        (&rated, caller.id.to_string()),
        (&casual, caller.id.to_string()),
    ] {
        let change = RatingChange { game_id: game.clone(), rating_after: 1512.0, ..RatingChange::default() };
        let change = GameChange { account_id: account, change: Some(change), ..GameChange::default() };
        fixture.ratings.1.rate(change);
    }
    let change = own.find(|told| if let Told::Rated(change) = told { Some(change) } else { None }).await;
    assert_eq!(change.account_id, caller.id.to_string());
    assert_eq!(change.change.expect("a change").game_id, rated, "a casual game is not asked about");
    drop(own);
    followed(&fixture, 0).await;
    let mut own = follow(&replica, &caller, &answer.cursor, Vec::new()).await.expect("followed");
    own.queue(|_| true).await;
    followed(&fixture, 1).await;
    assert_eq!(notices.asked()[1].after_number, 9);
}

#[tokio::test]
async fn a_part_that_is_gone_is_named_until_it_is_back_and_goes_on_where_it_was() {
    let fixture = fixtures().await.remove(0);
    let replica = fixture.replica().await;
    let caller = fixture.caller("follows");
    let mut own = follow(&replica, &caller, "", Vec::new()).await.expect("followed");
    followed(&fixture, 1).await;
    let (games, notices) = (&fixture.games.1, &fixture.notices.2);
    let id = fixture.ticket().to_string();
    games.say(&own_game(&id, Some(true), false));
    notices.say(&notice(3));
    own.find(|told| matches!(told, Told::Notice(_)).then_some(())).await;
    // A break after which it goes on at once is nobody's business.
    notices.cut(false);
    followed(&fixture, 1).await;
    assert_eq!(notices.asked()[1].after_number, 3);
    games.cut(true);
    assert_eq!(own.missing().await, [FollowPart::Games]);
    notices.cut(true);
    assert_eq!(own.missing().await, [FollowPart::Games, FollowPart::Notices]);
    games.cut(false);
    assert_eq!(own.missing().await, [FollowPart::Notices]);
    notices.cut(false);
    assert_eq!(own.missing().await, []);
    assert_eq!(games.asked()[1].known_game_ids, [id], "what was under way is asked about");
    notices.say(&notice(4));
    own.find(|told| matches!(told, Told::Notice(notice) if notice.number == 4).then_some(())).await;
}

#[tokio::test]
async fn who_has_too_many_streams_or_asks_for_what_is_not_there_is_refused() {
    let fixture = fixtures().await.remove(0);
    let replica = fixture.replica().await;
    let caller = fixture.caller("follows");
    let refused = async |cursor: &str, known: Vec<String>| -> Result<(), Status> {
        let mut own = follow(&replica, &caller, cursor, known).await?;
        loop {
            soon(own.0.next()).await.expect("it does not end without a word")?;
        }
    };
    for cursor in ["x", "n", "nx", "n-1", "7"] {
        check(refused(cursor, Vec::new()).await, Code::OutOfRange, "BAD_CURSOR");
    }
    check(refused("n1001", Vec::new()).await, Code::OutOfRange, "BAD_CURSOR");
    check(refused("", vec!["x".to_owned()]).await, Code::InvalidArgument, "BAD_ID");
    let many = vec![fixture.ticket().to_string(); 201];
    check(refused("", many).await, Code::InvalidArgument, "BAD_BATCH");
    let mut narrow = caller.clone();
    narrow.scopes = vec![Scope::Record];
    check(follow(&replica, &narrow, "", Vec::new()).await.map(drop), Code::PermissionDenied, "SCOPE_MISSING");
    followed(&fixture, 0).await;
    let mut streams = Vec::new();
    for _ in 0..8 {
        streams.push(follow(&replica, &caller, "", Vec::new()).await.expect("there is room"));
    }
    check(refused("", Vec::new()).await, Code::ResourceExhausted, "TOO_MANY_STREAMS");
    let other = fixture.caller("other");
    follow(&replica, &other, "", Vec::new()).await.expect("another has his own");
    drop(streams);
    let again = async {
        while follow(&replica, &caller, "", Vec::new()).await.is_err() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    soon(again).await;
}
