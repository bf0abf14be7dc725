//! Games that two have arranged for a time.

use std::time::Duration;

use api::{
    board::v1::Side,
    clock::v1::Maintenance,
    error,
    federation::v1::{ComingGame, EventTime, NoticeKind},
    matchmaking::v1::{
        AcceptChallengeRequest, AcceptChallengeResponse, ArrangedGame, ArrangedGameState,
        BlockAccountRequest, CallOffArrangedGameRequest, Challenge, ChallengeKind, CreateChallengeRequest,
        CreateChallengeResponse, GameSettings, ListArrangedGamesRequest,
        challenge_service_client::ChallengeServiceClient, enqueue_response::State,
        matchmaking_service_client::MatchmakingServiceClient,
    },
    transport::Transport,
};
use chassis::{auth::Caller, testing};
use futures::future::join_all;
use prost_types::Timestamp;
use tonic::{Code, Status};
use uuid::Uuid;

use crate::fixture::{Fixture, Replica, blitz, check, fixtures, lasting, soon};

/// Somebody who arranges games.
struct Person {
    caller: Caller,
    transport: Transport,
    client: ChallengeServiceClient<Transport>,
}

fn person(fixture: &Fixture, replica: &Replica, name: &str) -> Person {
    at(replica, &fixture.caller(name))
}

fn at(replica: &Replica, caller: &Caller) -> Person {
    let transport = testing::as_account(replica.transport.clone(), caller.clone());
    Person { caller: caller.clone(), client: ChallengeServiceClient::new(transport.clone()), transport }
}

/// The moment after so many minutes.
fn after(fixture: &Fixture, minutes: u64) -> Timestamp {
    api::time::timestamp(fixture.env.now() + Duration::from_mins(minutes))
}

/// A challenge to a game that begins after so many minutes.
fn in_minutes(fixture: &Fixture, to: &Person, minutes: u64) -> CreateChallengeRequest {
    CreateChallengeRequest {
        challenge_id: fixture.ticket().to_string(),
        settings: Some(blitz(false)),
        kind: ChallengeKind::Direct.into(),
        to_account_id: to.caller.id.to_string(),
        start_time: Some(after(fixture, minutes)),
        ..CreateChallengeRequest::default()
    }
}

impl Person {
    async fn asks(&self, request: CreateChallengeRequest) -> Result<CreateChallengeResponse, Status> {
        soon(self.client.clone().create_challenge(request)).await.map(tonic::Response::into_inner)
    }

    async fn made(&self, request: CreateChallengeRequest) -> Challenge {
        self.asks(request).await.expect("made").challenge.expect("a challenge")
    }

    async fn accepts(&self, id: &str, ticket: Uuid) -> Result<AcceptChallengeResponse, Status> {
        let (challenge_id, ticket_id) = (id.to_owned(), ticket.to_string());
        let request = AcceptChallengeRequest { challenge_id, ticket_id, secret: String::new() };
        soon(self.client.clone().accept_challenge(request)).await.map(tonic::Response::into_inner)
    }

    async fn games(&self, coming: bool) -> Vec<ArrangedGame> {
        let request = ListArrangedGamesRequest { coming, ..ListArrangedGamesRequest::default() };
        soon(self.client.clone().list_arranged_games(request)).await.expect("listed").into_inner().games
    }

    async fn calls_off(&self, game: &str) -> Result<(), Status> {
        let request = CallOffArrangedGameRequest { game_id: game.to_owned() };
        soon(self.client.clone().call_off_arranged_game(request)).await.map(drop)
    }
}

/// Waits until something is so.
async fn until<T>(what: impl AsyncFn() -> Option<T>) -> T {
    soon(async {
        loop {
            if let Some(found) = what().await {
                break found;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await
}

/// The game of an arranged game, as soon as there is one.
async fn begun(fixture: &Fixture, game: &str) -> api::game::v1::CreateGameRequest {
    until(async || fixture.games.ledger().games.get(game).cloned()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_on_which_two_agree_begins_at_its_time_whatever_happens_meanwhile() {
    for fixture in fixtures().await {
        let replicas = [fixture.replica().await, fixture.replica().await];
        let (one, other) = (person(&fixture, &replicas[0], "one"), person(&fixture, &replicas[1], "other"));
        let asked = in_minutes(&fixture, &other, 60);
        let challenge = one.made(asked.clone()).await;
        assert_eq!(challenge.start_time, asked.start_time);
        assert_eq!(challenge.expire_time, asked.start_time, "{}: until it begins", fixture.kind);
        fixture.time.advance(Duration::from_secs(3));
        assert_eq!(one.made(asked).await, challenge, "{}: it is the same", fixture.kind);
        assert!(one.games(true).await.is_empty(), "nobody has agreed yet");

        let ticket = fixture.ticket();
        let accepted = other.accepts(&challenge.id, ticket).await.expect("agreed");
        assert_eq!(accepted.start_time, challenge.start_time);
        assert_eq!(accepted.side(), Side::Unspecified, "sides are given when it begins");
        assert_eq!(other.accepts(&challenge.id, ticket).await.expect("the same again"), accepted);
        let late = other.accepts(&challenge.id, fixture.ticket()).await;
        check(late, Code::FailedPrecondition, "CHALLENGE_OVER");
        let game = accepted.game_id.as_str();
        for who in [&one, &other] {
            let [coming] = &who.games(true).await[..] else { panic!("one game is coming") };
            assert_eq!((coming.game_id.as_str(), coming.state()), (game, ArrangedGameState::Coming));
            let is_told = async || (!fixture.notices.told(who.caller.id, game).is_empty()).then_some(());
            until(is_told).await;
            assert_eq!(fixture.notices.told(who.caller.id, game), [NoticeKind::GameArranged]);
        }
        fixture.time.advance(Duration::from_mins(59));
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert!(!fixture.games.ledger().games.contains_key(game), "{}: not before its time", fixture.kind);

        // Every process dies; whoever comes next begins it, once.
        let [first, second] = replicas;
        first.crash().await;
        second.crash().await;
        fixture.time.advance(Duration::from_mins(1));
        fixture.notices.fail(true);
        let replicas = [fixture.replica().await, fixture.replica().await];
        let made = begun(&fixture, game).await;
        assert_eq!(made.game_id, game, "{}", fixture.kind);
        let (one, other) = (at(&replicas[0], &one.caller), at(&replicas[1], &other.caller));
        for who in [&one, &other] {
            until(async || who.games(true).await.is_empty().then_some(())).await;
            assert_eq!(who.games(false).await[0].state(), ArrangedGameState::Begun);
        }
        assert_eq!(other.accepts(&challenge.id, ticket).await.expect("the same again"), accepted);
        // What was not taken is sent again a little later.
        fixture.notices.fail(false);
        fixture.time.advance(Duration::from_mins(1));
        for who in [&one, &other] {
            let all = [NoticeKind::GameArranged, NoticeKind::GameBegun];
            until(async || (fixture.notices.told(who.caller.id, game) == all).then_some(())).await;
        }
        check(one.calls_off(game).await, Code::FailedPrecondition, "ARRANGEMENT_OVER");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_called_off_does_not_begin() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let (one, other) = (person(&fixture, &replica, "one"), person(&fixture, &replica, "other"));
        let stranger = person(&fixture, &replica, "stranger");
        let agree = async |minutes| {
            let challenge = one.made(in_minutes(&fixture, &other, minutes)).await;
            other.accepts(&challenge.id, fixture.ticket()).await.expect("agreed").game_id
        };
        let (first, second) = (agree(30).await, agree(120).await);
        check(stranger.calls_off(&first).await, Code::NotFound, "UNKNOWN_GAME");
        check(one.calls_off(&fixture.ticket().to_string()).await, Code::NotFound, "UNKNOWN_GAME");
        other.calls_off(&first).await.expect("called off");
        other.calls_off(&first).await.expect("it is, by the same");
        let over = check(one.calls_off(&first).await, Code::FailedPrecondition, "ARRANGEMENT_OVER");
        assert_eq!(error::metadata(&over, "state"), Some("ARRANGED_GAME_STATE_CALLED_OFF".to_owned()));
        let told = [NoticeKind::GameArranged, NoticeKind::GameCalledOff];
        until(async || (fixture.notices.told(one.caller.id, &first) == told).then_some(())).await;
        assert_eq!(fixture.notices.told(other.caller.id, &first), told[..1], "{}: he knows", fixture.kind);
        let games = one.games(false).await;
        let shown: Vec<&str> = games.iter().map(|it| it.game_id.as_str()).collect();
        assert_eq!(shown, [second.as_str(), first.as_str()], "{}: the last to begin first", fixture.kind);
        assert_eq!(games[1].called_off_by_id, other.caller.id.to_string());

        // Whoever does not want to meet the other any more does not have to.
        let mut queue = MatchmakingServiceClient::new(one.transport.clone());
        let block = BlockAccountRequest { account_id: other.caller.id.to_string() };
        soon(queue.block_account(block)).await.expect("blocked");
        fixture.time.advance(Duration::from_hours(3));
        until(async || one.games(true).await.is_empty().then_some(())).await;
        let games = one.games(false).await;
        assert!(games.iter().all(|it| it.state() == ArrangedGameState::CalledOff), "{games:?}");
        assert_eq!(games[0].called_off_by_id, "", "{}: it is not told who", fixture.kind);
        assert!(fixture.games.ledger().games.is_empty(), "{}", fixture.kind);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_a_game_soon_leaves_the_queue_in_time() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let (one, other) = (person(&fixture, &replica, "one"), person(&fixture, &replica, "other"));
        let player = replica.player(&one.caller);
        let mut line = player.enqueue(fixture.ticket(), blitz(false)).await.expect("waits");
        assert_eq!(line.waiting().await.leave_time, None);
        let challenge = one.made(in_minutes(&fixture, &other, 20)).await;
        let game = other.accepts(&challenge.id, fixture.ticket()).await.expect("agreed").game_id;
        let leaves = after(&fixture, 20 - 16);
        line.waiting_until(|waiting| waiting.leave_time.is_some()).await;
        let told = line.waiting().await.leave_time.expect("it says so");
        assert!(told.seconds < leaves.seconds + 5 * 60, "{}: {told} {leaves}", fixture.kind);
        // A longer game could not end in time; one by correspondence may be played beside it.
        let friend = replica.player(&other.caller);
        let long = friend.enqueue(fixture.ticket(), lasting("20m")).await.map(drop);
        let refused = check(long, Code::FailedPrecondition, "GAME_NEAR");
        assert_eq!(error::metadata(&refused, "game_id"), Some(game.clone()), "{}", fixture.kind);
        let slow = fixture.ticket();
        let mut beside = friend.enqueue(slow, lasting("3d/move")).await.expect("waits");
        assert_eq!(beside.waiting().await.leave_time, None, "{}", fixture.kind);
        friend.cancel(slow).await.expect("withdrawn");
        // Ten minutes before it is over for whatever is short.
        let ended = soon(async {
            loop {
                match line.next().await {
                    Ok(Some(State::Waiting(_))) => fixture.time.advance(Duration::from_secs(15)),
                    end => break end,
                }
            }
        });
        let ended = check(ended.await, Code::FailedPrecondition, "GAME_NEAR");
        assert_eq!(error::metadata(&ended, "game_id"), Some(game.clone()), "{}", fixture.kind);
        let again = player.enqueue(fixture.ticket(), blitz(false)).await.map(drop);
        check(again, Code::FailedPrecondition, "GAME_NEAR");
        let later = one.made(in_minutes(&fixture, &other, 180)).await;
        let later = other.accepts(&later.id, fixture.ticket()).await.expect("agreed").game_id;
        one.calls_off(&game).await.expect("called off");
        // At once, and until the game after it.
        for player in [&player, &friend] {
            let mut line = player.enqueue(fixture.ticket(), lasting("29m")).await.expect("waits");
            let leaves = line.waiting().await.leave_time.expect("it says so");
            let (from, to) = (after(&fixture, 60), after(&fixture, 175));
            assert!((from.seconds..to.seconds).contains(&leaves.seconds), "{}: {leaves}", fixture.kind);
        }
        other.calls_off(&later).await.expect("called off");
        let refused = one.calls_off(&game).await;
        assert!(refused.is_ok(), "{}: his own calling off again is none", fixture.kind);
        check(other.calls_off(&game).await, Code::FailedPrecondition, "ARRANGEMENT_OVER");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_arranged_is_refused_and_what_collides_is_said() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let (one, other) = (person(&fixture, &replica, "one"), person(&fixture, &replica, "other"));
        let day = 24 * 60;
        for minutes in [0, 30 * day + 1] {
            let refused = one.asks(in_minutes(&fixture, &other, minutes)).await;
            check(refused, Code::InvalidArgument, "BAD_START_TIME");
        }
        let past = api::time::timestamp(fixture.env.now() - Duration::from_mins(5));
        let no_time = Timestamp { seconds: i64::MAX, nanos: -1 };
        for start in [past, no_time] {
            let request =
                CreateChallengeRequest { start_time: Some(start), ..in_minutes(&fixture, &other, 5) };
            check(one.asks(request).await, Code::InvalidArgument, "BAD_START_TIME");
        }
        let expire_duration = Some(api::time::duration(Duration::from_hours(3)));
        let late = CreateChallengeRequest { expire_duration, ..in_minutes(&fixture, &other, 60) };
        check(one.asks(late).await, Code::InvalidArgument, "BAD_START_TIME");
        let (kind, secret) = (ChallengeKind::Link.into(), "0123456789abcdef-ABCDE_".to_owned());
        let link = CreateChallengeRequest { kind, secret, uses: 2, ..in_minutes(&fixture, &other, 60) };
        check(one.asks(link).await, Code::InvalidArgument, "CHALLENGE_MALFORMED");
        assert!(one.games(false).await.is_empty(), "{}: nothing was changed", fixture.kind);

        let first = one.made(in_minutes(&fixture, &other, 2 * day)).await;
        let agreed = other.accepts(&first.id, fixture.ticket()).await.expect("agreed");
        assert_eq!(agreed.conflicts, []);
        for (minutes, collides) in [(59, true), (60, false)] {
            let third = person(&fixture, &replica, &format!("third {minutes}"));
            let asked = third.asks(in_minutes(&fixture, &other, 2 * day + minutes)).await.expect("made");
            assert_eq!(asked.conflicts, [], "{}: he who asks has no other", fixture.kind);
            let id = asked.challenge.expect("a challenge").id;
            let accepted = other.accepts(&id, fixture.ticket()).await.expect("it is a warning");
            let warned: Vec<&str> = accepted.conflicts.iter().map(|it| it.game_id.as_str()).collect();
            let expected: &[&str] = if collides { &[&agreed.game_id] } else { &[] };
            assert!(warned.starts_with(expected), "{}: {warned:?} at {minutes}", fixture.kind);
        }
        let again = one.asks(in_minutes(&fixture, &other, 2 * day + 30)).await.expect("it is a warning");
        assert_eq!((again.conflicts.len(), again.event_conflicts), (1, vec![]), "{}", fixture.kind);

        // What is played in events is warned of, too, while federations say what that is.
        let rounds = [4 * day - 60, 4 * day - 59, 4 * day + 59, 4 * day + 60].into_iter().zip(1..);
        for (minutes, round) in rounds {
            let start_time = in_minutes(&fixture, &other, minutes).start_time;
            let (account_id, event_id) = (one.caller.id.to_string(), Uuid::from_u128(7).to_string());
            fixture.notices.plays(ComingGame { account_id, start_time, event_id, round, table: 0 });
        }
        let seen = |times: &[EventTime]| times.iter().map(|it| it.round).collect::<Vec<u32>>();
        let fourth = person(&fixture, &replica, "fourth");
        let asked = one.asks(in_minutes(&fixture, &fourth, 4 * day)).await.expect("it is a warning");
        assert_eq!(seen(&asked.event_conflicts), [2, 3], "{}", fixture.kind);
        let id = asked.challenge.expect("a challenge").id;
        let agreed = fourth.accepts(&id, fixture.ticket()).await.expect("agreed");
        assert_eq!(agreed.event_conflicts, [], "{}: he plays in none", fixture.kind);
        let asked = other.asks(in_minutes(&fixture, &one, 4 * day)).await.expect("made");
        let id = asked.challenge.expect("a challenge").id;
        fixture.notices.fail(true);
        let ticket = fixture.ticket();
        let agreed = one.accepts(&id, ticket).await.expect("who does not tell is not waited for");
        assert_eq!((agreed.conflicts.len(), agreed.event_conflicts), (1, vec![]), "{}", fixture.kind);
        fixture.notices.fail(false);
        let again = one.accepts(&id, ticket).await.expect("the same");
        assert_eq!(seen(&again.event_conflicts), [2, 3], "{}", fixture.kind);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_is_agreed_on_once_however_many_accept_it_and_a_ticket_has_one_game() {
    for fixture in fixtures().await {
        let replicas = [fixture.replica().await, fixture.replica().await];
        let one = person(&fixture, &replicas[0], "one");
        let kind = ChallengeKind::Open.into();
        let asked = |minutes| CreateChallengeRequest {
            kind,
            to_account_id: String::new(),
            settings: Some(GameSettings { rated: true, ..blitz(true) }),
            ..in_minutes(&fixture, &one, minutes)
        };
        let challenge = one.made(asked(30)).await;
        let callers: Vec<Caller> = (0..6).map(|number| fixture.caller(&format!("caller {number}"))).collect();
        let rivals: Vec<Person> = (0..6).map(|number| at(&replicas[number % 2], &callers[number])).collect();
        let all = join_all(rivals.iter().map(|rival| rival.accepts(&challenge.id, fixture.ticket()))).await;
        let (agreed, refused): (Vec<_>, Vec<_>) = all.into_iter().partition(Result::is_ok);
        assert_eq!(agreed.len(), 1, "{}", fixture.kind);
        for late in refused {
            check(late, Code::FailedPrecondition, "CHALLENGE_OVER");
        }
        // The same call made many times at once is answered alike; for another challenge its ticket is used.
        let (second, ticket) = (one.made(asked(90)).await, fixture.ticket());
        let twins = [at(&replicas[0], &callers[0]), at(&replicas[1], &callers[0])];
        let all = join_all((0..6).map(|number| twins[number % 2].accepts(&second.id, ticket))).await;
        let games: Vec<String> = all.into_iter().map(|it| it.expect("agreed").game_id).collect();
        assert!(games.iter().all(|game| *game == games[0]), "{}: {games:?}", fixture.kind);
        let third = one.made(asked(150)).await;
        check(twins[0].accepts(&third.id, ticket).await, Code::AlreadyExists, "TICKET_DIFFERS");
        fixture.time.advance(Duration::from_mins(95));
        begun(&fixture, &games[0]).await;
        until(async || (fixture.games.ledger().games.len() == 2).then_some(())).await;
        assert!(one.games(true).await.is_empty(), "{}: no other was arranged", fixture.kind);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_plays_in_an_event_soon_leaves_the_queue_in_time_also_while_nobody_tells() {
    for fixture in fixtures().await {
        let (caller, event) = (fixture.caller("one"), fixture.ticket().to_string());
        let game = |minutes| ComingGame {
            account_id: caller.id.to_string(),
            start_time: Some(after(&fixture, minutes)),
            event_id: event.clone(),
            round: 3,
            table: 7,
        };
        fixture.notices.plays(game(24 * 60));
        fixture.notices.plays(game(25));
        let replica = fixture.replica().await;
        let player = replica.player(&caller);
        let refused = until(async || {
            let (long, ticket) = (lasting("20m"), fixture.ticket());
            let answer = player.enqueue(ticket, long).await;
            if answer.is_ok() {
                player.cancel(ticket).await.expect("withdrawn");
            }
            answer.err()
        });
        let refused = check(Err::<(), Status>(refused.await), Code::FailedPrecondition, "GAME_NEAR");
        let which =
            ["event_id", "round", "table"].map(|key| error::metadata(&refused, key).expect("it is said"));
        assert_eq!(which, [event.clone(), "3".to_owned(), "7".to_owned()], "{}", fixture.kind);
        fixture.notices.fail(true);
        let mut line = player.enqueue(fixture.ticket(), blitz(false)).await.expect("it ends in time");
        let ended = soon(async {
            loop {
                match line.next().await {
                    Ok(Some(State::Waiting(waiting))) => {
                        assert!(waiting.leave_time.is_some(), "{}: it says so", fixture.kind);
                        fixture.time.advance(Duration::from_secs(15));
                    }
                    end => break end,
                }
            }
        });
        check(ended.await, Code::FailedPrecondition, "GAME_NEAR");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_waits_for_a_game_that_cannot_end_before_the_platform_is_worked_on() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let player = replica.player(&fixture.caller("one"));
        let mut line = player.enqueue(fixture.ticket(), blitz(false)).await.expect("waits");
        assert_eq!(line.waiting().await.leave_time, None);
        let (begin_time, end_time) = (after(&fixture, 30), after(&fixture, 90));
        let planned =
            Maintenance { begin_time: Some(begin_time), end_time: Some(end_time), reason: String::new() };
        fixture.games.plan(Some(planned));
        line.waiting_until(|waiting| waiting.leave_time.is_some()).await;
        let long = replica.player(&fixture.caller("other"));
        let refused = long.enqueue(fixture.ticket(), lasting("20m")).await.map(drop);
        let refused = check(refused, Code::FailedPrecondition, "MAINTENANCE_NEAR");
        let said = error::metadata(&refused, "begin_time").expect("it is said when");
        assert_eq!(said.parse::<Timestamp>().expect("a moment"), begin_time, "{}", fixture.kind);
        let slow = fixture.ticket();
        long.enqueue(slow, lasting("3d/move")).await.expect("it is played beside it");
        long.cancel(slow).await.expect("withdrawn");
        let ended = soon(async {
            loop {
                match line.next().await {
                    Ok(Some(State::Waiting(_))) => fixture.time.advance(Duration::from_secs(15)),
                    end => break end,
                }
            }
        });
        check(ended.await, Code::FailedPrecondition, "MAINTENANCE_NEAR");
        let again = player.enqueue(fixture.ticket(), blitz(false)).await.map(drop);
        check(again, Code::FailedPrecondition, "MAINTENANCE_NEAR");
        // It is called off.
        fixture.games.plan(None);
        soon(async {
            while player.enqueue(fixture.ticket(), blitz(false)).await.is_err() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        })
        .await;
    }
}
