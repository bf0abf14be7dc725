//! A player's own games, in one stream.

use std::time::Duration;

use api::{
    board::v1::{Side, Verdict},
    game::v1::{
        CreateGameRequest, OwnGame, Regulations, ResignRequest, Stage, WatchOwnGamesRequest,
        WatchOwnGamesResponse,
    },
};
use chassis::auth::Caller;
use tonic::Streaming;

use super::fixture::{Fixture, Replica, refused};

/// How long a test waits for what must come.
const PATIENCE: Duration = Duration::from_mins(1);

/// A stream of somebody's own games, in which every game is told with what it is first.
struct Own(Streaming<WatchOwnGamesResponse>, Vec<String>);

impl Own {
    async fn of(replica: &Replica, caller: &Caller, known_game_ids: Vec<String>) -> Own {
        let request = WatchOwnGamesRequest { known_game_ids };
        Own(replica.caller(caller).watch_own_games(request).await.expect("watched").into_inner(), Vec::new())
    }

    async fn answer(&mut self) -> WatchOwnGamesResponse {
        let answer = tokio::time::timeout(PATIENCE, self.0.message()).await.expect("something is told");
        answer.expect("it goes on").expect("it does not end")
    }

    /// What is under way at first, in the order in which it is told.
    async fn first(&mut self) -> Vec<OwnGame> {
        let mut games = Vec::new();
        loop {
            let answer = self.answer().await;
            games.extend(answer.games.into_iter().map(|game| self.met(game)));
            if answer.caught_up {
                return games;
            }
        }
    }

    /// The next that is told, of one game.
    async fn next(&mut self) -> OwnGame {
        let mut games = self.answer().await.games;
        assert_eq!(games.len(), 1, "{games:?}");
        self.met(games.remove(0))
    }

    /// What a game is told to be once in the stream, and how it stands each time.
    fn met(&mut self, game: OwnGame) -> OwnGame {
        let is_new = !self.1.contains(&game.game_id);
        assert_eq!(game.info.is_some(), is_new, "{game:?}");
        self.1.push(game.game_id.clone());
        assert!(game.state.is_some() && game.update_time.is_some());
        game
    }
}

fn ply(game: &OwnGame) -> u32 {
    game.state.as_ref().expect("a state").ply
}

fn verdict(game: &OwnGame) -> Option<Verdict> {
    game.state.as_ref().expect("a state").outcome.as_ref().map(api::board::v1::Outcome::verdict)
}

async fn resign(fixture: &Fixture, replica: &Replica, id: &str, who: usize) {
    let resign = ResignRequest { game_id: id.to_owned(), request_id: fixture.id() };
    replica.caller(&fixture.players[who]).resign(resign).await.expect("resigned");
}

#[tokio::test]
async fn own_games_are_told_at_first_and_as_they_begin_go_on_and_end_at_any_replica() {
    for fixture in Fixture::all().await {
        let (one, two) = (fixture.replica().await, fixture.replica().await);
        let [first, second] = &fixture.players;
        let before = one.new_game(&fixture).await;
        let over = one.new_game(&fixture).await;
        resign(&fixture, &one, &over, 0).await;
        let elsewhere = fixture.id();

        let known = vec![over.clone(), before.clone(), elsewhere];
        let mut own = Own::of(&two, first, known).await;
        let told = own.first().await;
        let ids: Vec<&str> = told.iter().map(|game| &*game.game_id).collect();
        assert_eq!(ids, [&*before, &*over], "one is under way, and one that was believed to be has ended");
        assert_eq!((told[0].side(), told[0].waits, verdict(&told[0])), (Side::First, true, None));
        assert_eq!((told[1].waits, verdict(&told[1])), (false, Some(Verdict::SecondWins)));
        let mut opposite = Own::of(&two, second, Vec::new()).await;
        let seen = opposite.first().await;
        assert_eq!((seen.len(), seen[0].side(), seen[0].waits), (1, Side::Second, false));

        one.play_all_as_player(&fixture, &before, &["E5"]).await;
        let (mine, his) = (own.next().await, opposite.next().await);
        assert_eq!((ply(&mine), mine.waits, ply(&his), his.waits), (1, false, 1, true));

        let begun = one.new_game(&fixture).await;
        let mine = own.next().await;
        assert_eq!((&*mine.game_id, mine.waits, ply(&mine)), (&*begun, true, 0));
        assert_eq!(opposite.next().await.game_id, begun);
        resign(&fixture, &one, &begun, 1).await;
        let mine = own.next().await;
        assert_eq!((&*mine.game_id, mine.waits, verdict(&mine)), (&*begun, false, Some(Verdict::FirstWins)));

        two.lifecycle.drain(Duration::from_secs(5)).await;
        assert_eq!(refused(own.0.message().await), "STOPPING");
    }
}

#[tokio::test]
async fn a_game_that_begins_when_both_have_come_waits_for_who_has_not() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let arrival = |request: &mut CreateGameRequest| {
            request.regulations = Some(Regulations {
                arrival_duration: Some(prost_types::Duration { seconds: 60, nanos: 0 }),
                ..Regulations::default()
            });
        };
        let id = replica.new_game_with(&fixture, arrival).await;
        let mut own = Own::of(&replica, &fixture.players[1], Vec::new()).await;
        let at_first = own.first().await;
        assert!(at_first[0].waits, "who only looks at what his games wait for has not come");
        assert_eq!(
            at_first[0].state.as_ref().and_then(|it| it.progress.as_ref()).expect("so").stage(),
            Stage::Waiting
        );
        let asked = api::game::v1::GetGameRequest { game_id: id.clone() };
        replica.caller(&fixture.players[1]).get_game(asked.clone()).await.expect("he comes");
        assert!(!own.next().await.waits, "he is there, and the other is waited for");
        replica.caller(&fixture.players[0]).get_game(asked).await.expect("the other comes, too");
        loop {
            let game = own.next().await;
            if game.state.as_ref().and_then(|it| it.progress.as_ref()).expect("so").stage() == Stage::Playing
            {
                assert!(!game.waits, "the first side moves");
                break;
            }
        }
    }
}

#[tokio::test]
async fn what_was_not_published_is_found_by_looking() {
    // On one database: it waits for as long as silence is trusted.
    let fixture = Fixture::all().await.remove(0);
    let (unheard, two) = (fixture.unheard_replica().await, fixture.replica().await);
    let id = unheard.new_game(&fixture).await;
    let mut own = Own::of(&two, &fixture.players[1], Vec::new()).await;
    assert_eq!(own.first().await.len(), 1);
    unheard.play_all_as_player(&fixture, &id, &["E5"]).await;
    let begun = unheard.new_game(&fixture).await;
    let answer = own.answer().await;
    let told: Vec<OwnGame> = answer.games.into_iter().map(|game| own.met(game)).collect();
    assert_eq!(told.iter().map(|game| &game.game_id).collect::<Vec<_>>(), [&begun, &id]);
    assert_eq!((ply(&told[1]), told[1].waits), (1, true));
}

#[tokio::test]
async fn who_has_too_many_streams_names_too_much_or_is_nobody_is_refused() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let watch = async |caller: &Caller, known_game_ids: Vec<String>| {
            replica.caller(caller).watch_own_games(WatchOwnGamesRequest { known_game_ids }).await
        };
        let [first, second] = &fixture.players;
        assert_eq!(refused(watch(first, vec!["x".to_owned()]).await), "BAD_ID");
        assert_eq!(refused(watch(first, vec![fixture.id(); 201]).await), "BAD_BATCH");
        let nobody = replica.anybody().watch_own_games(WatchOwnGamesRequest::default()).await;
        assert_eq!(refused(nobody), "TOKEN_MISSING");
        let mut streams = Vec::new();
        for _ in 0..8 {
            streams.push(watch(first, Vec::new()).await.expect("there is room"));
        }
        assert_eq!(refused(watch(first, Vec::new()).await), "TOO_MANY_STREAMS");
        watch(second, Vec::new()).await.expect("another has his own");
        streams.pop();
        let again = async {
            while watch(first, Vec::new()).await.is_err() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(PATIENCE, again).await.expect("one that has ended does not count");
    }
}
