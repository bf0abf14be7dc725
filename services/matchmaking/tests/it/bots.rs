//! Programs, and those who play them.

use std::time::Duration;

use api::{
    matchmaking::v1::{
        AcceptChallengeRequest, ChallengeKind, CreateChallengeRequest, EnqueueRequest,
        WatchOpenChallengesRequest, challenge_service_client::ChallengeServiceClient,
    },
    transport::Transport,
};
use chassis::{auth::Caller, testing};
use tonic::{Code, Status};

use crate::fixture::{Fixture, Line, Player, Replica, blitz, check, fixtures, soon};

const SECRET: &str = "0123456789abcdef-ABCDE_";

fn bot(fixture: &Fixture, name: &str) -> Caller {
    Caller { bot: true, ..fixture.caller(name) }
}

fn ticket(fixture: &Fixture, allow_bots: bool) -> EnqueueRequest {
    let ticket_id = fixture.ticket().to_string();
    EnqueueRequest { ticket_id, settings: Some(blitz(true)), allow_bots, ..EnqueueRequest::default() }
}

/// A quarter of a minute in which these wait.
async fn pass(fixture: &Fixture, lines: &mut [&mut Line]) {
    for line in lines {
        line.waiting().await;
    }
    fixture.time.advance(Duration::from_secs(15));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_in_the_queue_meets_who_plays_bots() {
    for fixture in fixtures().await {
        let replicas = [fixture.replica().await, fixture.replica().await];
        let seat = |at: usize, caller: Caller| -> Player { replicas[at].player(&caller) };
        let (robot, person) = (seat(0, bot(&fixture, "robot")), seat(1, fixture.caller("person")));
        let asked = ticket(&fixture, false);
        let mut people = person.ask(asked.clone()).await.expect("waits");
        let mut robots = robot.ask(ticket(&fixture, false)).await.expect("waits");
        for _ in 0..8 {
            pass(&fixture, &mut [&mut people, &mut robots]).await;
        }
        let other = EnqueueRequest { allow_bots: true, ..asked.clone() };
        check(person.ask(other).await.map(drop), Code::AlreadyExists, "TICKET_DIFFERS");
        person.cancel(asked.ticket_id.parse().expect("an id")).await.expect("withdrawn");
        // A bot that plays other bots does not meet one that plays people alone.
        let machine = seat(1, bot(&fixture, "machine"));
        let mut machines = machine.ask(ticket(&fixture, true)).await.expect("waits");
        for _ in 0..8 {
            pass(&fixture, &mut [&mut machines, &mut robots]).await;
        }
        let [friend, engine] = [fixture.caller("friend"), bot(&fixture, "engine")].map(|it| seat(0, it));
        let engines = engine.ask(ticket(&fixture, true)).await.expect("waits");
        assert_eq!(engines.matched().await.game_id, machines.matched().await.game_id, "{}", fixture.kind);
        let friends = friend.ask(ticket(&fixture, true)).await.expect("waits");
        assert_eq!(friends.matched().await.game_id, robots.matched().await.game_id, "{}", fixture.kind);
    }
}

type Client = ChallengeServiceClient<Transport>;

fn client(replica: &Replica, caller: &Caller) -> Client {
    ChallengeServiceClient::new(testing::as_account(replica.transport.clone(), caller.clone()))
}

/// A challenge of this kind; its id.
async fn asks(fixture: &Fixture, client: &Client, request: CreateChallengeRequest) -> String {
    let challenge_id = fixture.ticket().to_string();
    let request = CreateChallengeRequest { challenge_id, settings: Some(blitz(false)), ..request };
    let made = soon(client.clone().create_challenge(request)).await.expect("made").into_inner();
    made.challenge.expect("a challenge").id
}

async fn accepts(fixture: &Fixture, client: &Client, id: &str, secret: &str) -> Result<(), Status> {
    let (challenge_id, secret) = (id.to_owned(), secret.to_owned());
    let request = AcceptChallengeRequest { challenge_id, secret, ticket_id: fixture.ticket().to_string() };
    soon(client.clone().accept_challenge(request)).await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_accepts_what_is_to_it_or_allows_bots() {
    let kind = |kind: ChallengeKind, allow_bots| {
        let secret = if kind == ChallengeKind::Link { SECRET.to_owned() } else { String::new() };
        CreateChallengeRequest { kind: kind.into(), secret, allow_bots, ..CreateChallengeRequest::default() }
    };
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let (robot, person) = (bot(&fixture, "robot"), fixture.caller("person"));
        let (robots, people) = (client(&replica, &robot), client(&replica, &person));
        for (of, secret) in [(ChallengeKind::Open, ""), (ChallengeKind::Link, SECRET)] {
            let for_people = asks(&fixture, &people, kind(of, false)).await;
            let refused = accepts(&fixture, &robots, &for_people, secret).await;
            check(refused, Code::FailedPrecondition, "BOTS_NOT_WANTED");
            let stranger = client(&replica, &fixture.caller("stranger"));
            accepts(&fixture, &stranger, &for_people, secret).await.expect("it was left as it was");
            let for_all = asks(&fixture, &people, kind(of, true)).await;
            accepts(&fixture, &robots, &for_all, secret).await.expect("it allows bots");
        }
        let to_account_id = robot.id.to_string();
        let to_it = CreateChallengeRequest { to_account_id, ..kind(ChallengeKind::Direct, false) };
        let to_it = asks(&fixture, &people, to_it).await;
        accepts(&fixture, &robots, &to_it, "").await.expect("it is named");
        // What a bot asks is a person's to accept, and to leave out.
        let of_bot = asks(&fixture, &robots, kind(ChallengeKind::Open, false)).await;
        let of_person = asks(&fixture, &people, kind(ChallengeKind::Open, false)).await;
        for (bots, only) in [(true, &of_bot), (false, &of_person)] {
            let sought = WatchOpenChallengesRequest { bots: Some(bots), ..Default::default() };
            let anybody = ChallengeServiceClient::new(replica.transport.clone());
            let mut stream =
                soon(anybody.clone().watch_open_challenges(sought)).await.expect("watched").into_inner();
            let seen = soon(stream.message()).await.expect("it goes on").expect("it has no end").challenges;
            let seen: Vec<(&String, bool)> = seen.iter().map(|it| (&it.id, it.bot)).collect();
            assert_eq!(seen, [(only, bots)], "{}", fixture.kind);
        }
        accepts(&fixture, &people, &of_bot, "").await.expect("a person accepts it");
    }
}
