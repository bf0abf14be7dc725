//! Matched games: they begin as soon as both players have come, and count for nothing if they do not.

use std::time::Duration;

use api::{
    board::v1::{Reason, Side, Verdict},
    client::{GameStream, GameUpdate},
    clock::v1::ClockReading,
    game::v1::{
        AbortRequest, CallFlagRequest, ChatRoom, CreateGameRequest, ExportRecordRequest, Game, GameEvent,
        GetGameRequest, ListCountsRequest, ListHintsRequest, ListMessagesRequest, Regulations, ResignRequest,
        Stage,
        chat_service_client::ChatServiceClient,
        game_event::Event,
        proposal::{Proposal, Rematch},
    },
};
use chassis::testing::{as_account, player};

use super::{
    fixture::{Fixture, Replica, refused},
    meeting::{absolute, main_times},
};

const ARRIVAL: Duration = Duration::from_secs(20);
const MAIN: Duration = Duration::from_mins(1);
const INSTANT: Duration = Duration::from_micros(1);

/// What matchmaking asks for: a rated game that waits for its players.
fn matched(request: &mut CreateGameRequest) {
    request.rated = true;
    request.time_control = Some(absolute(MAIN.as_secs()));
    let arrival_duration = Some(api::time::duration(ARRIVAL));
    request.regulations = Some(Regulations { arrival_duration, ..Regulations::default() });
}

/// A player looks at his game.
async fn come(replica: &Replica, fixture: &Fixture, id: &str, who: usize) -> Game {
    let request = GetGameRequest { game_id: id.to_owned() };
    let answer = replica.caller(&fixture.players[who]).get_game(request).await.expect("the game is there");
    answer.into_inner().game.expect("a game")
}

fn stage(game: &Game) -> Stage {
    game.state.as_ref().and_then(|state| state.progress.as_ref()).expect("progress").stage()
}

fn clock(game: &Game) -> Option<ClockReading> {
    game.state.as_ref().expect("a state").clock.clone()
}

async fn outcome(replica: &Replica, id: &str) -> (Verdict, Reason) {
    let outcome = replica.look(id).await.state.and_then(|state| state.outcome).expect("it is over");
    (outcome.verdict(), outcome.reason())
}

fn kinds(log: &[GameEvent]) -> Vec<&'static str> {
    let kind = |event: &GameEvent| match &event.event {
        Some(Event::Created(_)) => "created",
        Some(Event::CheckedIn(_)) => "come",
        Some(Event::Started(_)) => "started",
        Some(Event::Played(_)) => "played",
        Some(Event::OutageCredited(_)) => "credited",
        Some(Event::Ended(_)) => "ended",
        _ => "other",
    };
    log.iter().map(kind).collect()
}

#[tokio::test]
async fn no_clock_runs_before_both_have_come() {
    for fixture in Fixture::all_with_clocks().await {
        let (one, two) = (fixture.replica().await, fixture.replica().await);
        let id = one.new_game_with(&fixture, matched).await;
        one.pass_time(&fixture, ARRIVAL / 4).await;
        let game = one.look(&id).await;
        assert!(clock(&game).is_none() && game.state.as_ref().is_some_and(|state| state.actors.is_empty()));
        let waiting = come(&one, &fixture, &id, 0).await;
        assert_eq!((stage(&waiting), clock(&waiting)), (Stage::Waiting, None));
        assert!(one.checked_in(&id).await.first_since_time.is_some(), "looking is coming");
        one.pass_time(&fixture, ARRIVAL / 4).await;
        let begun = come(&two, &fixture, &id, 1).await;
        assert_eq!(stage(&begun), Stage::Playing);
        let clock = clock(&begun).expect("a clock");
        assert_eq!(clock.running(), Side::First);
        assert_eq!(clock.running_since_time, Some(api::time::timestamp(fixture.env.now())));
        one.play(&fixture, &id, 0, "C3", 0, &fixture.id()).await.expect("play has begun");
        let log = one.log(&id).await;
        assert_eq!(kinds(&log), ["created", "come", "come", "started", "played"]);
        assert_eq!(main_times(&log[3]), [MAIN; 2], "nobody was charged");
        assert_eq!(main_times(&log[4]), [MAIN; 2]);
    }
}

#[tokio::test]
async fn whoever_asks_about_his_game_has_come_and_others_have_not() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        for way in [
            "Watch",
            "Watch after",
            "ListHints",
            "ListCounts",
            "ExportRecord",
            "SuggestAct",
            "ListMessages",
            "CheckIn",
        ] {
            let id = replica.new_game_with(&fixture, matched).await;
            let stranger = player(&fixture.env, "stranger");
            let request = GetGameRequest { game_id: id.clone() };
            replica.caller(&stranger).get_game(request).await.expect("anybody may look");
            assert_eq!(replica.checked_in(&id).await.second_since_time, None, "nobody has come yet");
            let own = as_account(replica.public_transport(), fixture.players[1].clone());
            let mut games = replica.caller(&fixture.players[1]);
            let game_id = id.clone();
            match way {
                "Watch" => {
                    let seen = GameStream::new(own, &id).next().await.expect("it can be watched");
                    let Some(GameUpdate::Snapshot(game)) = seen else { panic!("a snapshot") };
                    let check_in = game.state.and_then(|state| state.progress).and_then(|it| it.check_in);
                    assert!(check_in.expect("it waits").second_since_time.is_some());
                }
                "Watch after" => drop(GameStream::new(own, &id).after(0).next().await.expect("watched")),
                "ListHints" => {
                    drop(games.list_hints(ListHintsRequest { game_id, side: Side::Second as i32 }).await);
                }
                "ListCounts" => drop(games.list_counts(ListCountsRequest { game_id }).await),
                "ExportRecord" => drop(games.export_record(ExportRecordRequest { game_id }).await),
                "ListMessages" => {
                    let room = ChatRoom::Players as i32;
                    let request = ListMessagesRequest { game_id, room, ..ListMessagesRequest::default() };
                    drop(ChatServiceClient::new(own).list_messages(request).await);
                }
                "SuggestAct" => drop(games.suggest_act(api::game::v1::SuggestActRequest { game_id }).await),
                _ => drop(replica.check_in(&fixture, &id, 1).await.expect("he may say so, too")),
            }
            assert!(replica.checked_in(&id).await.second_since_time.is_some(), "{way}");
        }
    }
}

#[tokio::test]
async fn a_move_before_both_have_come_is_refused_and_the_last_to_come_may_begin_by_moving() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let id = replica.new_game_with(&fixture, matched).await;
        let request = fixture.id();
        assert_eq!(refused(replica.play(&fixture, &id, 0, "C3", 0, &request).await), "NOT_IN_PLAY");
        let waiting = replica.look(&id).await;
        assert!(waiting.acts.is_empty() && clock(&waiting).is_none());
        assert!(replica.checked_in(&id).await.first_since_time.is_some(), "who would move has come");
        assert_eq!(refused(replica.check_in(&fixture, &id, 0).await), "CHECKED_IN");
        come(&replica, &fixture, &id, 1).await;
        replica.play(&fixture, &id, 0, "C3", 0, &request).await.expect("the same request is taken now");
        assert_eq!(refused(replica.check_in(&fixture, &id, 0).await), "NOT_WAITING");

        let id = replica.new_game_with(&fixture, matched).await;
        come(&replica, &fixture, &id, 1).await;
        replica.play(&fixture, &id, 0, "C3", 0, &fixture.id()).await.expect("both have come");
        let log = replica.log(&id).await;
        assert_eq!(kinds(&log), ["created", "come", "come", "started", "played"]);
    }
}

#[tokio::test]
async fn a_game_to_which_not_both_come_counts_for_nothing() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let id = replica.new_game_with(&fixture, matched).await;
        let deserted = replica.new_game_with(&fixture, matched).await;
        let own = as_account(replica.public_transport(), fixture.players[1].clone());
        let mut watched = GameStream::new(own, &id);
        assert!(matches!(watched.next().await, Ok(Some(GameUpdate::Snapshot(_)))));
        replica.pass_time(&fixture, ARRIVAL).await;
        assert_eq!(replica.stage(&id).await, Stage::Waiting, "who comes at the limit itself is in time");
        fixture.time.advance(INSTANT);
        for id in [&id, &deserted] {
            assert_eq!(refused(replica.play(&fixture, id, 0, "C3", 0, &fixture.id()).await), "GAME_OVER");
            assert_eq!(outcome(&replica, id).await, (Verdict::Void, Reason::NotAppeared));
            assert_eq!(replica.stage(id).await, Stage::Final);
            assert!(replica.log(id).await.iter().all(|event| event.clock_entries.is_empty()));
        }
        // Who had come is told.
        let told = async {
            loop {
                match watched.next().await.expect("it is watched") {
                    Some(GameUpdate::Event(event)) if matches!(event.event, Some(Event::Ended(_))) => break,
                    Some(_) => {}
                    None => panic!("the stream ended before the game did"),
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(10), told).await.expect("the end is told");
        // A result that counts is delivered in this time; so would have been these.
        let rated = replica.new_game(&fixture).await;
        let resign = ResignRequest { game_id: rated.clone(), request_id: fixture.id() };
        replica.caller(&fixture.players[0]).resign(resign).await.expect("resigned");
        let delivered = async {
            while fixture.rating.applied().is_empty() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), delivered)
            .await
            .expect("the other result is delivered");
        let applied: Vec<String> = fixture.rating.applied().iter().map(|it| it.game_id.clone()).collect();
        assert_eq!(applied, [rated], "what was not played is not rated");
    }
}

#[tokio::test]
async fn what_is_due_is_done_after_a_crash_and_an_outage_puts_it_off() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let id = replica.new_game_with(&fixture, matched).await;
        let half = replica.new_game_with(&fixture, matched).await;
        come(&replica, &fixture, &half, 0).await;
        let limit = replica.checked_in(&id).await.limit_time.expect("a limit");
        replica.lifecycle.drain(Duration::from_secs(1)).await;
        drop(replica);
        // Longer than anybody is waited for: nobody could have come.
        let down = ARRIVAL * 2;
        fixture.time.advance(down);
        let replica = fixture.replica().await;
        assert_eq!(stage(&come(&replica, &fixture, &half, 1).await), Stage::Playing);
        let log = replica.log(&half).await;
        assert_eq!(kinds(&log), ["created", "come", "credited", "come", "started"]);
        assert_eq!(main_times(log.last().expect("the beginning")), [MAIN; 2], "nobody was charged");
        replica.touch(&fixture, &half).await;
        replica.pass_time(&fixture, ARRIVAL / 2).await;
        let ended = |game: &Game| game.state.as_ref().is_some_and(|state| state.outcome.is_some());
        assert!(!ended(&replica.look(&id).await));
        replica.pass_time(&fixture, ARRIVAL / 2 + Duration::from_secs(2)).await;
        // Nobody enters it: it is found by when it is due.
        let found = async {
            while !ended(&replica.look(&id).await) {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), found).await.expect("it ends by itself");
        assert_eq!(outcome(&replica, &id).await, (Verdict::Void, Reason::NotAppeared));
        let log = replica.log(&id).await;
        let last = log.last().and_then(|event| event.time.as_ref()).and_then(api::time::moment);
        let limit = api::time::moment(&limit).expect("in range");
        assert!(last.expect("a time") >= limit + down - Duration::from_secs(1), "put off by the outage");
    }
}

#[tokio::test]
async fn nobody_has_to_wait_for_who_may_never_come() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let id = replica.new_game_with(&fixture, matched).await;
        let abort = AbortRequest { game_id: id.clone(), request_id: fixture.id() };
        replica.caller(&fixture.players[0]).abort(abort).await.expect("aborted");
        assert_eq!(outcome(&replica, &id).await, (Verdict::Void, Reason::Aborted));
        replica.log(&id).await;
    }
}

#[tokio::test]
async fn matchmaking_may_ask_again_with_another_patience() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let mut request = fixture.commission("go", &[("size", "9")], true);
        matched(&mut request);
        let made = replica.internal().create_game(request.clone()).await.expect("made").into_inner().game;
        for arrival_duration in [Some(api::time::duration(ARRIVAL * 2)), None] {
            request.regulations = Some(Regulations { arrival_duration, ..Regulations::default() });
            let again = replica.internal().create_game(request.clone()).await.expect("it is there");
            assert_eq!(again.into_inner().game, made);
        }
    }
}

#[tokio::test]
async fn it_begins_at_a_time_or_when_both_have_come() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        for (start_time, arrival) in [(Some(fixture.env.now()), ARRIVAL), (None, Duration::from_hours(25))] {
            let mut request = fixture.commission("go", &[("size", "9")], true);
            request.regulations = Some(Regulations {
                start_time: start_time.map(api::time::timestamp),
                arrival_duration: Some(api::time::duration(arrival)),
                ..Regulations::default()
            });
            assert_eq!(refused(replica.internal().create_game(request).await), "BAD_REGULATIONS");
        }
    }
}

#[tokio::test]
async fn the_game_after_a_matched_one_waits_for_both_as_well() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let id = replica.new_game_with(&fixture, matched).await;
        for who in [0, 1] {
            come(&replica, &fixture, &id, who).await;
        }
        let resign = ResignRequest { game_id: id.clone(), request_id: fixture.id() };
        replica.caller(&fixture.players[0]).resign(resign).await.expect("resigned");
        let wish = Proposal::Rematch(Rematch {});
        replica.propose(&fixture, &id, 0, wish).await.expect("proposed");
        // Long after that the other agrees.
        replica.pass_time(&fixture, Duration::from_secs(30)).await;
        let agreed = replica.propose(&fixture, &id, 1, wish).await.expect("agreed");
        let next = agreed.state.and_then(|state| state.progress).expect("progress").rematch_id;
        let made = async {
            let request = GetGameRequest { game_id: next.clone() };
            while replica.anybody().get_game(request.clone()).await.is_err() {
                fixture.time.advance(Duration::from_millis(100));
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), made).await.expect("the game is made");
        let waiting = come(&replica, &fixture, &next, 1).await;
        assert_eq!((stage(&waiting), clock(&waiting)), (Stage::Waiting, None), "who proposed may be gone");
        let begun = come(&replica, &fixture, &next, 0).await;
        assert_eq!((stage(&begun), clock(&begun).expect("a clock").running()), (Stage::Playing, Side::First));
    }
}

#[tokio::test]
async fn no_flag_falls_in_a_game_that_waits() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let id = replica.new_game_with(&fixture, matched).await;
        come(&replica, &fixture, &id, 0).await;
        let fall = CallFlagRequest {
            game_id: id.clone(),
            revision: 1,
            side: Side::First as i32,
            fall_time: Some(api::time::timestamp(fixture.env.now())),
            reading: Some(ClockReading::default()),
        };
        let answer = replica.internal().call_flag(fall).await;
        assert!(answer.is_err() || answer.is_ok_and(|answer| !answer.into_inner().ended));
        assert_eq!(replica.stage(&id).await, Stage::Waiting);
    }
}
