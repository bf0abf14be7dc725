//! All that concerns an account in one stream: through the real processes, whatever dies meanwhile.

use std::{collections::BTreeSet, time::Duration};

use api::{
    client::{RetryPolicy, with_retry},
    game::v1::{OwnGame, PlayRequest, ResignRequest},
    matchmaking::v1::{
        ChallengeKind, CreateChallengeRequest, FollowRequest, WithdrawChallengeRequest,
        challenge_service_client::ChallengeServiceClient, follow_response::Told,
        follow_service_client::FollowServiceClient,
    },
    transport::Transport,
};
use serde_json::Value;
use tests::{Bot, Platform, RETRY, Shape, bot, game_settings, held::Person, pair_up, shapes};
use tonic::Streaming;

/// How long anything may take to be told, also what has to be found by looking.
const SOON: Duration = Duration::from_secs(90);

/// Somebody who follows, and comes again after whatever breaks.
struct Follower {
    client: FollowServiceClient<Transport>,
    stream: Streaming<api::matchmaking::v1::FollowResponse>,
    cursor: String,
    under_way: BTreeSet<String>,
}

impl Follower {
    async fn new(player: &Bot) -> Follower {
        let client = FollowServiceClient::new(player.transport());
        let stream = open(&client, FollowRequest::default()).await;
        Follower { client, stream, cursor: String::new(), under_way: BTreeSet::new() }
    }

    async fn next(&mut self) -> Told {
        loop {
            if let Ok(Some(answer)) = self.stream.message().await {
                self.cursor = answer.cursor;
                let told = answer.told.expect("something is told");
                if let Told::Games(games) = &told {
                    games.games.iter().for_each(|game| self.note(game));
                }
                return told;
            }
            let known_game_ids = self.under_way.iter().cloned().collect();
            self.stream =
                open(&self.client, FollowRequest { cursor: self.cursor.clone(), known_game_ids }).await;
        }
    }

    fn note(&mut self, game: &OwnGame) {
        match verdict(game) {
            Some(_) => self.under_way.remove(&game.game_id),
            None => self.under_way.insert(game.game_id.clone()),
        };
    }

    /// What is wanted, once it is told.
    async fn find<T>(&mut self, what: &str, wanted: impl Fn(Told) -> Option<T>) -> T {
        let found = async {
            loop {
                if let Some(found) = wanted(self.next().await) {
                    break found;
                }
            }
        };
        tokio::time::timeout(SOON, found).await.unwrap_or_else(|_| panic!("it is not told: {what}"))
    }

    /// A game once it stands as wanted.
    async fn game(&mut self, what: &str, is_so: impl Fn(&OwnGame) -> bool) -> OwnGame {
        self.find(what, |told| match told {
            Told::Games(told) => told.games.into_iter().find(|game| is_so(game)),
            _ => None,
        })
        .await
    }

    /// How many challenges there are, once they are so many.
    async fn challenges(&mut self, count: usize) {
        let is_so = |told| match told {
            Told::Queue(queue) => (queue.challenges.len() == count).then_some(()),
            _ => None,
        };
        self.find("challenges", is_so).await;
    }
}

async fn open(
    client: &FollowServiceClient<Transport>,
    request: FollowRequest,
) -> Streaming<api::matchmaking::v1::FollowResponse> {
    let call = || async { client.clone().follow(request.clone()).await };
    with_retry(RetryPolicy(SOON), call).await.expect("a stream")
}

fn verdict(game: &OwnGame) -> Option<i32> {
    game.state.as_ref().and_then(|state| state.outcome.as_ref()).map(|outcome| outcome.verdict)
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_follows_is_told_of_his_games_and_challenges_whatever_dies_meanwhile() {
    for (shape, store) in shapes() {
        let mut platform = Platform::start(shape, store).await.expect("the platform starts");
        let transport = platform.transport();
        let person = Person::new(&transport).await;
        let (player, other) = (person.player.clone(), bot(&transport).await.expect("in"));
        let mut own = Follower::new(&player).await;
        own.challenges(0).await;

        let asked = CreateChallengeRequest {
            challenge_id: other.new_id(),
            settings: Some(game_settings("go", &[("size", "9")], "10m", false)),
            kind: ChallengeKind::Direct.into(),
            to_account_id: player.account().id.clone(),
            ..CreateChallengeRequest::default()
        };
        let challenges = ChallengeServiceClient::new(other.transport());
        let call = || async { challenges.clone().create_challenge(asked.clone()).await };
        with_retry(RETRY, call).await.expect("asked for");
        own.challenges(1).await;
        let withdraw = WithdrawChallengeRequest { challenge_id: asked.challenge_id.clone() };
        let call = || async { challenges.clone().withdraw_challenge(withdraw.clone()).await };
        with_retry(RETRY, call).await.expect("taken back");
        own.challenges(0).await;

        let settings = game_settings("go", &[("size", "9")], "10m", true);
        let both = vec![player.clone(), other.clone()];
        let id = pair_up(both.clone(), &settings).await.expect("both are matched").remove(0).game_id;
        let begun = own.game("it has begun", |game| game.game_id == id && game.state.is_some()).await;
        let side = begun.side();
        let services = if shape == Shape::One { vec!["platform"] } else { vec!["matchmaking", "game"] };
        for service in services {
            platform.kill(service).await.expect("it can be killed");
            platform.restart(service).await.expect("it comes up again");
        }
        let first = if side == api::board::v1::Side::First { &player } else { &other };
        let play = PlayRequest {
            game_id: id.clone(),
            act: "E5".to_owned(),
            ply: 0,
            request_id: first.new_id(),
            lag_duration: None,
        };
        // Both have come before: whoever asks about a game is there.
        for one in &both {
            one.come_to(&id).await.expect("it is there");
        }
        let call = || async { first.games().play(play.clone()).await };
        with_retry(RetryPolicy(SOON), call).await.expect("played");
        let is_his_turn = side != api::board::v1::Side::First;
        let at = |ply| move |game: &OwnGame| game.state.as_ref().is_some_and(|state| state.ply == ply);
        let moved = own.game("the move", at(1)).await;
        assert_eq!((&moved.game_id, moved.waits, moved.side()), (&id, is_his_turn, side));
        let resign = ResignRequest { game_id: id.clone(), request_id: other.new_id() };
        let call = || async { other.games().resign(resign.clone()).await };
        with_retry(RETRY, call).await.expect("resigned");
        own.game("the end", |game| game.game_id == id && verdict(game).is_some()).await;
        let rated =
            own.find("what it did", |told| if let Told::Rated(it) = told { Some(it) } else { None }).await;
        let change = rated.change.expect("a change");
        assert_eq!((&change.game_id, &*rated.account_id), (&id, &*player.account().id));
        assert!(change.rating_after > change.rating_before, "{change:?}");

        let printed = person.runs(&platform, &["follow", "--json", "--count", "1"]).await;
        assert!(printed.status.success(), "{}", String::from_utf8_lossy(&printed.stderr));
        let printed: Value = serde_json::from_slice(&printed.stdout).expect("it is JSON");
        assert_eq!((&printed["told"], &printed["ticket"]), (&"queue".into(), &"".into()), "{printed}");
        drop(own);
        assert!(platform.stop().await.expect("it can be asked").is_empty(), "{}", platform.logs());
    }
}
