//! Games that somebody asks for himself.

use std::{collections::BTreeSet, time::Duration};

use api::{
    board::v1::Side,
    error,
    matchmaking::v1::{
        AcceptChallengeRequest, AcceptChallengeResponse, Challenge, ChallengeKind, ChallengeState,
        CreateChallengeRequest, DeclineChallengeRequest, DeclineReason, GameSettings, GetChallengeRequest,
        ListChallengesRequest, ListOpenChallengesRequest, WithdrawChallengeRequest,
        challenge_service_client::ChallengeServiceClient,
    },
    transport::Transport,
};
use chassis::{auth::Caller, testing};
use futures::future::join_all;
use tonic::{Code, Status};
use uuid::Uuid;

use crate::{
    fakes::Mood,
    fixture::{Fixture, Replica, blitz, check, fixtures, lasting, soon},
};

const SECRET: &str = "0123456789abcdef-ABCDE_";

/// Somebody who asks and is asked.
struct Friend {
    caller: Caller,
    client: ChallengeServiceClient<Transport>,
}

fn friend(fixture: &Fixture, replica: &Replica, name: &str) -> Friend {
    back(replica, &fixture.caller(name))
}

fn back(replica: &Replica, caller: &Caller) -> Friend {
    let transport = testing::as_account(replica.transport.clone(), caller.clone());
    Friend { caller: caller.clone(), client: ChallengeServiceClient::new(transport) }
}

/// A challenge of a casual game to somebody.
fn game_with(fixture: &Fixture, other: &Friend) -> CreateChallengeRequest {
    CreateChallengeRequest {
        challenge_id: fixture.ticket().to_string(),
        settings: Some(blitz(false)),
        kind: ChallengeKind::Direct.into(),
        to_account_id: other.caller.id.to_string(),
        ..CreateChallengeRequest::default()
    }
}

impl Friend {
    async fn asks(&self, request: CreateChallengeRequest) -> Result<Challenge, Status> {
        let answer = soon(self.client.clone().create_challenge(request)).await?;
        Ok(answer.into_inner().challenge.expect("a challenge"))
    }

    async fn accepts(&self, id: &str, secret: &str, ticket: Uuid) -> Result<AcceptChallengeResponse, Status> {
        let (challenge_id, secret, ticket_id) = (id.to_owned(), secret.to_owned(), ticket.to_string());
        let request = AcceptChallengeRequest { challenge_id, secret, ticket_id };
        soon(self.client.clone().accept_challenge(request)).await.map(tonic::Response::into_inner)
    }

    async fn declines(&self, id: &str) -> Result<(), Status> {
        let reason = DeclineReason::Later.into();
        let request = DeclineChallengeRequest { challenge_id: id.to_owned(), reason };
        soon(self.client.clone().decline_challenge(request)).await.map(drop)
    }

    async fn withdraws(&self, id: &str) -> Result<(), Status> {
        let request = WithdrawChallengeRequest { challenge_id: id.to_owned() };
        soon(self.client.clone().withdraw_challenge(request)).await.map(drop)
    }

    async fn sees(&self, id: &str, secret: &str) -> Result<Challenge, Status> {
        let request = GetChallengeRequest { challenge_id: id.to_owned(), secret: secret.to_owned() };
        let answer = soon(self.client.clone().get_challenge(request)).await?;
        Ok(answer.into_inner().challenge.expect("a challenge"))
    }

    /// The ids of his, in pages of two.
    async fn lists(&self, open: bool) -> Vec<String> {
        let (mut all, mut page_token) = (Vec::new(), String::new());
        loop {
            let request = ListChallengesRequest { open, page_size: 2, page_token };
            let page =
                soon(self.client.clone().list_challenges(request)).await.expect("his own").into_inner();
            all.extend(page.challenges.into_iter().map(|it| it.id));
            page_token = page.next_page_token;
            if page_token.is_empty() {
                return all;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_that_is_accepted_is_a_game() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let [one, other, third] = ["one", "other", "third"].map(|name| friend(&fixture, &replica, name));
        fixture.ratings.set(one.caller.id, 1611.4);
        let side = Side::Second.into();
        let request =
            CreateChallengeRequest { side, message: "revenge?".to_owned(), ..game_with(&fixture, &other) };
        let asked = one.asks(request.clone()).await.expect("asked");
        assert_eq!(one.asks(request.clone()).await.expect("again"), asked, "{}", fixture.kind);
        let differs = CreateChallengeRequest { message: "no".to_owned(), ..request };
        check(one.asks(differs).await, Code::AlreadyExists, "CHALLENGE_DIFFERS");
        assert_eq!(
            (asked.state(), asked.kind(), asked.rating),
            (ChallengeState::Open, ChallengeKind::Direct, 1611)
        );
        assert_eq!((&*asked.name, &*asked.message, asked.side()), ("one", "revenge?", Side::Second));
        let life = |of: &Challenge| {
            let moment = |time: &Option<_>| time.as_ref().and_then(api::time::moment).expect("a moment");
            moment(&of.expire_time) - moment(&of.create_time)
        };
        assert_eq!(life(&asked), time::Duration::hours(1));
        assert_eq!(other.sees(&asked.id, "").await.expect("it is to him"), asked, "{}", fixture.kind);

        // Nobody else sees it, and nobody accepts his own.
        check(third.sees(&asked.id, "").await, Code::NotFound, "UNKNOWN_CHALLENGE");
        check(third.accepts(&asked.id, "", fixture.ticket()).await, Code::NotFound, "UNKNOWN_CHALLENGE");
        check(third.declines(&asked.id).await, Code::NotFound, "UNKNOWN_CHALLENGE");
        check(other.withdraws(&asked.id).await, Code::NotFound, "UNKNOWN_CHALLENGE");
        check(one.declines(&asked.id).await, Code::NotFound, "UNKNOWN_CHALLENGE");
        check(one.accepts(&asked.id, "", fixture.ticket()).await, Code::InvalidArgument, "OWN_ACCOUNT");

        let ticket = fixture.ticket();
        let game = other.accepts(&asked.id, "", ticket).await.expect("accepted");
        assert_eq!(game.side(), Side::First, "{}: the one has chosen", fixture.kind);
        assert_eq!(other.accepts(&asked.id, "", ticket).await.expect("again"), game, "{}", fixture.kind);
        let late = check(
            other.accepts(&asked.id, "", fixture.ticket()).await,
            Code::FailedPrecondition,
            "CHALLENGE_OVER",
        );
        assert_eq!(error::metadata(&late, "state").as_deref(), Some("CHALLENGE_STATE_ACCEPTED"));
        check(one.withdraws(&asked.id).await, Code::FailedPrecondition, "CHALLENGE_OVER");
        let ledger = fixture.games.until(|ledger| !ledger.games.is_empty()).await;
        let made = &ledger.games[&game.game_id];
        let seat = |seat: &Option<api::game::v1::Seat>| seat.as_ref().expect("a seat").account_id.clone();
        assert_eq!(
            [seat(&made.first), seat(&made.second)],
            [other.caller.id, one.caller.id].map(|id| id.to_string())
        );
        let arrival =
            made.regulations.as_ref().and_then(|it| it.arrival_duration.as_ref()).and_then(api::time::span);
        assert_eq!(arrival, Some(Duration::from_mins(5)), "{}: they are waited for longer", fixture.kind);
        let seen = one.sees(&asked.id, "").await.expect("his own");
        assert_eq!(
            (seen.state(), &seen.game_id),
            (ChallengeState::Accepted, &game.game_id),
            "{}",
            fixture.kind
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_ends_declined_withdrawn_or_by_itself() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let [one, other] = ["one", "other"].map(|name| friend(&fixture, &replica, name));
        let state = async |id: &str| one.sees(id, "").await.expect("his own").state();
        let mut ids = Vec::new();
        for expected in [ChallengeState::Declined, ChallengeState::Withdrawn, ChallengeState::Expired] {
            fixture.time.advance(Duration::from_secs(1));
            let asked = one.asks(game_with(&fixture, &other)).await.expect("asked");
            for _twice in 0..2 {
                match expected {
                    ChallengeState::Declined => other.declines(&asked.id).await.expect("declined"),
                    ChallengeState::Withdrawn => one.withdraws(&asked.id).await.expect("withdrawn"),
                    _ => fixture.time.advance(Duration::from_hours(1)),
                }
            }
            assert_eq!(state(&asked.id).await, expected, "{}", fixture.kind);
            let late = check(
                other.accepts(&asked.id, "", fixture.ticket()).await,
                Code::FailedPrecondition,
                "CHALLENGE_OVER",
            );
            assert_eq!(error::metadata(&late, "state").as_deref(), Some(expected.as_str_name()));
            ids.insert(0, asked.id);
        }
        let declined = one.sees(&ids[2], "").await.expect("his own");
        assert_eq!(declined.decline_reason(), DeclineReason::Later);
        let open = one.asks(game_with(&fixture, &other)).await.expect("asked").id;
        ids.insert(0, open.clone());
        assert_eq!(
            (one.lists(false).await, one.lists(true).await),
            (ids.clone(), vec![open.clone()]),
            "{}",
            fixture.kind
        );
        assert_eq!(
            (other.lists(false).await, other.lists(true).await),
            (ids, vec![open]),
            "{}",
            fixture.kind
        );
        assert!(fixture.games.ledger().games.is_empty(), "{}", fixture.kind);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_opens_to_who_has_it_as_often_as_it_may() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let one = friend(&fixture, &replica, "one");
        let request = CreateChallengeRequest {
            kind: ChallengeKind::Link.into(),
            to_account_id: String::new(),
            secret: SECRET.to_owned(),
            uses: 3,
            ..game_with(&fixture, &one)
        };
        let link = one.asks(request).await.expect("asked");
        let guests: Vec<Friend> =
            (0..8).map(|number| friend(&fixture, &replica, &format!("g{number}"))).collect();
        check(guests[0].sees(&link.id, "").await, Code::NotFound, "UNKNOWN_CHALLENGE");
        let wrong = SECRET.replace('0', "1");
        check(
            guests[0].accepts(&link.id, &wrong, fixture.ticket()).await,
            Code::NotFound,
            "UNKNOWN_CHALLENGE",
        );
        assert_eq!(guests[0].sees(&link.id, SECRET).await.expect("he has it").uses_left, 3);
        // All at once, each once.
        let taken =
            join_all(guests.iter().map(|guest| guest.accepts(&link.id, SECRET, fixture.ticket()))).await;
        let (games, late): (Vec<_>, Vec<_>) = taken.into_iter().partition(Result::is_ok);
        let games: BTreeSet<String> = games.into_iter().flatten().map(|game| game.game_id).collect();
        assert_eq!((games.len(), late.len()), (3, 5), "{}", fixture.kind);
        for late in late {
            check(late, Code::FailedPrecondition, "CHALLENGE_OVER");
        }
        let made = fixture.games.until(|ledger| ledger.games.len() == 3).await;
        assert_eq!(made.games.keys().cloned().collect::<BTreeSet<_>>(), games, "{}", fixture.kind);
        assert_eq!(one.sees(&link.id, "").await.expect("his own").state(), ChallengeState::Accepted);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_challenge_is_listed_and_taken_by_one_who_is_near() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let [one, near, far] = ["one", "near", "far"].map(|name| friend(&fixture, &replica, name));
        fixture.ratings.set(far.caller.id, 1701.0);
        fixture.ratings.set(near.caller.id, 1700.0);
        let request = |settings: GameSettings| CreateChallengeRequest {
            kind: ChallengeKind::Open.into(),
            settings: Some(settings),
            max_rating_difference: 200,
            to_account_id: String::new(),
            ..game_with(&fixture, &one)
        };
        let asked = one.asks(request(blitz(false))).await.expect("asked");
        fixture.time.advance(Duration::from_secs(1));
        let go = GameSettings { variant: "go".to_owned(), ..lasting("20m") };
        let other = one.asks(request(go)).await.expect("asked");
        let listed = async |variant: &str| {
            let request = ListOpenChallengesRequest { variant: variant.to_owned(), ..Default::default() };
            let client = ChallengeServiceClient::new(replica.transport.clone());
            let page = soon(client.clone().list_open_challenges(request)).await.expect("needs no token");
            page.into_inner().challenges.into_iter().map(|it| it.id).collect::<Vec<_>>()
        };
        assert_eq!(listed("").await, [other.id.clone(), asked.id.clone()], "{}", fixture.kind);
        assert_eq!(listed("go").await, std::slice::from_ref(&other.id), "{}", fixture.kind);
        check(far.accepts(&asked.id, "", fixture.ticket()).await, Code::FailedPrecondition, "TOO_FAR_APART");
        near.accepts(&asked.id, "", fixture.ticket()).await.expect("accepted");
        assert_eq!(listed("").await, [other.id], "{}", fixture.kind);
        fixture.time.advance(Duration::from_hours(1));
        assert!(listed("").await.is_empty(), "{}", fixture.kind);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_is_made_many_times_at_once_is_answered_the_same() {
    for fixture in fixtures().await {
        let replicas = [fixture.replica().await, fixture.replica().await];
        let [one, other] = ["one", "other"].map(|name| fixture.caller(name));
        let callers = |caller: &Caller| {
            let on = |number: usize| back(&replicas[number % 2], caller);
            (0..8).map(on).collect::<Vec<_>>()
        };
        let (ones, others) = (callers(&one), callers(&other));
        for kind in [ChallengeKind::Direct, ChallengeKind::Link] {
            let (to_account_id, secret, uses) = match kind {
                ChallengeKind::Direct => (other.id.to_string(), "", 0),
                _ => (String::new(), SECRET, 5),
            };
            let request = CreateChallengeRequest {
                kind: kind.into(),
                to_account_id,
                secret: secret.to_owned(),
                uses,
                ..game_with(&fixture, &others[0])
            };
            let asked = join_all(ones.iter().map(|one| one.asks(request.clone()))).await;
            let asked: Vec<Challenge> = asked.into_iter().map(|it| it.expect("asked")).collect();
            assert!(asked.iter().all(|it| *it == asked[0]), "{}: {asked:?}", fixture.kind);
            let differs = CreateChallengeRequest { uses: 2, ..request };
            if kind == ChallengeKind::Link {
                check(ones[0].asks(differs).await, Code::AlreadyExists, "CHALLENGE_DIFFERS");
            }
            let ticket = fixture.ticket();
            let games = join_all(others.iter().map(|it| it.accepts(&asked[0].id, secret, ticket))).await;
            let games: Vec<_> = games.into_iter().map(|it| it.expect("accepted")).collect();
            assert!(games.iter().all(|it| *it == games[0]), "{}: {games:?}", fixture.kind);
            let left = ones[0].sees(&asked[0].id, "").await.expect("his own").uses_left;
            assert_eq!(left, asked[0].uses_left - 1, "{}", fixture.kind);
        }
        let made = fixture.games.until(|ledger| ledger.games.len() >= 2).await;
        assert_eq!(made.games.len(), 2, "{}", fixture.kind);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_accepted_challenge_has_its_game_whatever_happens() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let [one, other] = ["one", "other"].map(|name| friend(&fixture, &replica, name));
        // The game service makes games and does not say so; then the process ends, and live state is lost.
        fixture.games.mood(Mood::Mumbling);
        let asked = one.asks(game_with(&fixture, &other)).await.expect("asked");
        let ticket = fixture.ticket();
        let accepting = {
            let (friend, id) = (back(&replica, &other.caller), asked.id.clone());
            tokio::spawn(async move { friend.accepts(&id, "", ticket).await })
        };
        fixture.games.until(|ledger| ledger.calls > 0).await;
        accepting.abort();
        replica.crash().await;
        fixture.lose_live().await;
        fixture.games.mood(Mood::Well);
        let replica = fixture.replica().await;
        let other = back(&replica, &other.caller);
        let game = other.accepts(&asked.id, "", ticket).await.expect("it was accepted");
        let made = fixture.games.until(|ledger| !ledger.games.is_empty()).await;
        assert!(made.games.len() == 1 && made.games.contains_key(&game.game_id), "{}", fixture.kind);
        let one = back(&replica, &one.caller);
        assert_eq!(one.sees(&asked.id, "").await.expect("his own").game_id, game.game_id, "{}", fixture.kind);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_makes_many_keeps_no_more_than_others() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let [one, other] = ["one", "other"].map(|name| friend(&fixture, &replica, name));
        let mut ids = Vec::new();
        for _ in 0..210 {
            fixture.time.advance(Duration::from_millis(1));
            let asked = one.asks(game_with(&fixture, &other)).await.expect("asked");
            one.withdraws(&asked.id).await.expect("withdrawn");
            ids.insert(0, asked.id);
        }
        ids.truncate(201);
        assert_eq!(one.lists(false).await, ids, "{}", fixture.kind);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn challenges_that_make_no_sense_or_may_not_be_are_refused() {
    let fixture = fixtures().await.remove(0);
    let replica = fixture.replica().await;
    let [one, other, third] = ["one", "other", "third"].map(|name| friend(&fixture, &replica, name));
    let to = || game_with(&fixture, &other);
    let link = |secret: &str| CreateChallengeRequest {
        kind: ChallengeKind::Link.into(),
        secret: secret.to_owned(),
        ..to()
    };
    let seconds = |seconds| Some(api::time::duration(Duration::from_secs(seconds)));
    let rated = Some(blitz(true));
    for (request, reason) in [
        (CreateChallengeRequest { challenge_id: "x".to_owned(), ..to() }, "BAD_ID"),
        (CreateChallengeRequest { to_account_id: "x".to_owned(), ..to() }, "BAD_ID"),
        (CreateChallengeRequest { kind: 0, ..to() }, "CHALLENGE_MALFORMED"),
        (CreateChallengeRequest { kind: 9, ..to() }, "CHALLENGE_MALFORMED"),
        (CreateChallengeRequest { uses: 2, ..to() }, "CHALLENGE_MALFORMED"),
        (CreateChallengeRequest { uses: 1001, ..link(SECRET) }, "CHALLENGE_MALFORMED"),
        (link(""), "CHALLENGE_MALFORMED"),
        (link(&SECRET[2..]), "CHALLENGE_MALFORMED"),
        (link(&SECRET.replace('-', " ")), "CHALLENGE_MALFORMED"),
        (link(&SECRET.repeat(3)), "CHALLENGE_MALFORMED"),
        (CreateChallengeRequest { message: "x".repeat(201), ..to() }, "CHALLENGE_MALFORMED"),
        (CreateChallengeRequest { message: "a\nb".to_owned(), ..to() }, "CHALLENGE_MALFORMED"),
        (CreateChallengeRequest { expire_duration: seconds(59), ..to() }, "CHALLENGE_MALFORMED"),
        (CreateChallengeRequest { expire_duration: seconds(31 * 86_400), ..to() }, "CHALLENGE_MALFORMED"),
        (
            CreateChallengeRequest { kind: ChallengeKind::Open.into(), max_rating_difference: 1, ..to() },
            "BAD_WINDOW",
        ),
        (
            CreateChallengeRequest { side: Side::First.into(), settings: rated.clone(), ..to() },
            "NOT_RATEABLE",
        ),
        (CreateChallengeRequest { settings: None, ..to() }, "BAD_TIME_CONTROL"),
        (game_with(&fixture, &one), "OWN_ACCOUNT"),
    ] {
        check(one.asks(request).await, Code::InvalidArgument, reason);
    }
    let nobody = CreateChallengeRequest { to_account_id: Uuid::from_u128(9).to_string(), ..to() };
    check(one.asks(nobody).await, Code::NotFound, "UNKNOWN_ACCOUNT");
    check(
        one.accepts(&Uuid::from_u128(9).to_string(), "", fixture.ticket()).await,
        Code::NotFound,
        "UNKNOWN_CHALLENGE",
    );
    assert!(one.lists(false).await.is_empty(), "nothing was changed");

    let mut guest = fixture.caller("guest");
    guest.guest = true;
    fixture.identity.know(&guest);
    let guest = back(&replica, &guest);
    let rated_to =
        |friend: &Friend| CreateChallengeRequest { settings: rated.clone(), ..game_with(&fixture, friend) };
    check(guest.asks(rated_to(&other)).await, Code::FailedPrecondition, "GUEST_NOT_RATED");
    check(one.asks(rated_to(&guest)).await, Code::FailedPrecondition, "GUEST_NOT_RATED");

    // Who has blocked somebody is not asked by him, and does not ask him; what was asked before is not accepted.
    let before = third.asks(game_with(&fixture, &one)).await.expect("asked");
    replica.player(&third.caller).block(one.caller.id).await.expect("blocked");
    check(one.asks(game_with(&fixture, &third)).await, Code::FailedPrecondition, "CHALLENGE_REFUSED");
    check(third.asks(game_with(&fixture, &one)).await, Code::FailedPrecondition, "CHALLENGE_REFUSED");
    check(one.accepts(&before.id, "", fixture.ticket()).await, Code::FailedPrecondition, "CHALLENGE_REFUSED");

    // One to the same account, and twenty in all.
    one.asks(to()).await.expect("asked");
    check(one.asks(to()).await, Code::ResourceExhausted, "CHALLENGES_OPEN");
    for number in 0..19 {
        let friend = friend(&fixture, &replica, &format!("f{number}"));
        one.asks(game_with(&fixture, &friend)).await.expect("there is room");
    }
    check(one.asks(link(SECRET)).await, Code::ResourceExhausted, "CHALLENGES_OPEN");
    fixture.time.advance(Duration::from_hours(1));
    one.asks(link(SECRET)).await.expect("those have expired");
}
