//! Rounds and boards that begin by themselves, and who is there for them.

use std::time::Duration;

use api::{
    clock::v1::Maintenance,
    federation::v1::{self as pb, event_log_body::Fact},
    time::timestamp,
};
use prost::Message as _;

use crate::{
    fixture::{Fixture, fixtures, reason},
    held::{Held, change, enter, get_round, held, pair, run, settings},
};

fn scheduled(start: pb::RoundStart, times: Vec<time::OffsetDateTime>) -> pb::EventSettings {
    let schedule = pb::EventSchedule {
        zone: "Asia/Shanghai".to_owned(),
        start: start.into(),
        round_times: times.into_iter().map(timestamp).collect(),
        ..Default::default()
    };
    pb::EventSettings { schedule: Some(schedule), ..settings(2) }
}

async fn publish(held: &Held, round: u32) {
    pair(held, round).await.expect("paired");
    change!(held, held.chief, publish_round, PublishRoundRequest { round }).expect("published");
}

async fn state_becomes(fixture: &Fixture, held: &Held, round: u32, state: pb::round::State) {
    for _ in 0..1000 {
        if get_round(&held.chief, held, round).await.expect("a round").state() == state {
            return;
        }
        fixture.time.advance(Duration::from_millis(100));
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("round {round} is never {state:?}")
}

#[tokio::test]
async fn a_round_begins_at_its_time() {
    for fixture in fixtures().await {
        let at = fixture.env.now() + Duration::from_hours(1);
        let held = held(&fixture, scheduled(pb::RoundStart::BySchedule, vec![at])).await;
        enter(&fixture, &held, 4).await;
        run(&held).await;
        publish(&held, 1).await;
        tokio::time::sleep(Duration::from_millis(1500)).await;
        let round = get_round(&held.chief, &held, 1).await.expect("a round");
        assert_eq!(round.state(), pb::round::State::Published, "{}: it is not time", fixture.kind);
        assert_eq!(round.start_time, Some(timestamp(at)));
        fixture.time.advance(Duration::from_hours(1));
        state_becomes(&fixture, &held, 1, pb::round::State::Running).await;
        let games = fixture.games.wait_for(2, &fixture.time).await;
        assert_eq!(games.len(), 2);
    }
}

/// An event of games of two hours, whose round is due in half an hour, and has not begun a minute later, neither by itself nor by
/// hand: the platform is worked on from the one moment to the other.
async fn held_up(fixture: &Fixture, begin: time::OffsetDateTime, end: time::OffsetDateTime) -> Held {
    let at = fixture.env.now() + Duration::from_mins(30);
    let held = held(fixture, scheduled(pb::RoundStart::BySchedule, vec![at])).await;
    enter(fixture, &held, 4).await;
    run(&held).await;
    publish(&held, 1).await;
    let (begin_time, end_time) = (Some(timestamp(begin)), Some(timestamp(end)));
    *fixture.games.maintenance.lock() = Some(Maintenance { begin_time, end_time, reason: String::new() });
    let start = async |round| reason(change!(held, held.chief, start_round, StartRoundRequest { round }));
    // It is asked for every few seconds.
    for _ in 0..1000 {
        if start(2).await != "BAD_ROUND" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(start(1).await, "MAINTENANCE_NEAR", "{}", fixture.kind);
    fixture.time.advance(Duration::from_mins(31));
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let round = get_round(&held.chief, &held, 1).await.expect("a round");
    assert_eq!(round.state(), pb::round::State::Published, "{}", fixture.kind);
    held
}

#[tokio::test]
async fn no_round_begins_while_the_platform_is_worked_on() {
    for fixture in fixtures().await {
        let now = fixture.env.now();
        let held = held_up(&fixture, now, now + Duration::from_hours(1)).await;
        fixture.time.advance(Duration::from_mins(30));
        state_becomes(&fixture, &held, 1, pb::round::State::Running).await;
    }
}

#[tokio::test]
async fn no_round_begins_whose_games_could_not_be_over_before_the_platform_is_worked_on() {
    for fixture in fixtures().await {
        let begin = fixture.env.now() + Duration::from_mins(100);
        let held = held_up(&fixture, begin, begin + Duration::from_mins(20)).await;
        *fixture.games.maintenance.lock() = None;
        state_becomes(&fixture, &held, 1, pb::round::State::Running).await;
    }
}

/// Who is said to play how many seconds after a moment, of all who do within so long from now.
async fn coming(fixture: &Fixture, within: Duration, since: time::OffsetDateTime) -> Vec<(String, i64)> {
    let until_time = Some(timestamp(fixture.env.now() + within));
    let request = pb::ListComingGamesRequest { until_time };
    let games = fixture.internal.clone().list_coming_games(request).await.expect("listed").into_inner().games;
    let after = |game: &pb::ComingGame| game.start_time.expect("a time").seconds - since.unix_timestamp();
    let mut all: Vec<(String, i64)> =
        games.iter().map(|game| (game.account_id.clone(), after(game))).collect();
    all.sort();
    all
}

#[tokio::test]
async fn other_services_learn_who_is_to_play_soon() {
    for fixture in fixtures().await {
        let (now, hour) = (fixture.env.now(), Duration::from_hours(1));
        let held = held(&fixture, scheduled(pb::RoundStart::BySchedule, vec![now + hour])).await;
        let players = enter(&fixture, &held, 4).await;
        run(&held).await;
        assert_eq!(coming(&fixture, hour, now).await, [], "{}: nobody knows who plays", fixture.kind);
        publish(&held, 1).await;
        // Those of whom a number is none of these begin with the round; the others after three hours.
        let all = |late: &[u32]| {
            let seconds = |number| if late.contains(&number) { 3 * 3600 } else { 3600 };
            let numbered = players.iter().zip(1..);
            let mut all: Vec<(String, i64)> =
                numbered.map(|(player, number)| (player.caller.id.to_string(), seconds(number))).collect();
            all.sort();
            all
        };
        assert_eq!(coming(&fixture, hour, now).await, all(&[]), "{}", fixture.kind);
        assert_eq!(coming(&fixture, hour / 2, now).await, [], "{}: not so soon", fixture.kind);
        let board = get_round(&held.chief, &held, 1).await.expect("a round").pairings.remove(0);
        let (late, start_time) = ([board.first, board.second], Some(timestamp(now + 3 * hour)));
        let askers = late.map(|number| &players[number as usize - 1]);
        for person in [askers[0], askers[1], &held.chief] {
            change!(held, person, postpone_board, PostponeBoardRequest { round: 1, table: 1, start_time })
                .expect("both ask, and the chief arbiter consents");
        }
        let both = all(&late);
        assert_eq!(coming(&fixture, 12 * hour, now).await, both, "{}", fixture.kind);
        fixture.time.advance(hour);
        state_becomes(&fixture, &held, 1, pb::round::State::Running).await;
        let left: Vec<_> = both.into_iter().filter(|(_, seconds)| *seconds > 3600).collect();
        assert_eq!(coming(&fixture, 12 * hour, now).await, left, "{}: the others play", fixture.kind);
        for until_time in [None, Some(timestamp(fixture.env.now() + 25 * hour))] {
            let request = pb::ListComingGamesRequest { until_time };
            let refused = fixture.internal.clone().list_coming_games(request).await;
            assert_eq!(reason(refused), "UNKNOWN_VALUE");
        }
    }
}

#[tokio::test]
async fn a_postponed_board_is_played_when_both_said() {
    for fixture in fixtures().await {
        let held = held(&fixture, settings(2)).await;
        let players = enter(&fixture, &held, 4).await;
        run(&held).await;
        publish(&held, 1).await;
        let pairing = get_round(&held.chief, &held, 1).await.expect("a round").pairings.remove(0);
        let until = fixture.env.now() + Duration::from_hours(48);
        let start_time = Some(timestamp(until));
        let early = change!(
            held,
            held.chief,
            postpone_board,
            PostponeBoardRequest { round: 1, table: 1, start_time }
        );
        assert_eq!(reason(early), "BAD_POSTPONEMENT", "{}: nobody has asked", fixture.kind);
        for number in [pairing.first, pairing.second] {
            let player = &players[number as usize - 1];
            change!(held, player, postpone_board, PostponeBoardRequest { round: 1, table: 1, start_time })
                .expect("he may ask");
        }
        change!(held, held.chief, postpone_board, PostponeBoardRequest { round: 1, table: 1, start_time })
            .expect("consented");
        change!(held, held.chief, start_round, StartRoundRequest { round: 1 }).expect("started");
        let games = fixture.games.wait_for(1, &fixture.time).await;
        assert_ne!(games[0].game_id, pairing.game_id, "the other board begins");
        let seen = get_round(&players[0], &held, 1).await.expect("a round").pairings.remove(0);
        assert_eq!(seen.postponed_time, start_time);
        fixture.time.advance(Duration::from_hours(48));
        let games = fixture.games.wait_for(2, &fixture.time).await;
        let game = games.iter().find(|game| game.game_id == pairing.game_id).expect("it is made");
        let start = game.regulations.as_ref().and_then(|it| it.start_time).expect("a start");
        assert!(start.seconds >= timestamp(until).seconds, "who is late is late for this time");
    }
}

#[tokio::test]
async fn who_has_not_checked_in_is_left_out() {
    for fixture in fixtures().await {
        let mut asks = settings(2);
        asks.schedule.as_mut().expect("a schedule").check_in = true;
        let held = held(&fixture, asks).await;
        let players = enter(&fixture, &held, 5).await;
        run(&held).await;
        for player in &players[..3] {
            change!(held, player, check_in, CheckInRequest { round: 1 }).expect("he is there");
        }
        let by_other = change!(held, players[0], check_in, CheckInRequest { round: 1, number: 4 });
        assert_eq!(reason(by_other), "EVENT_ROLE_MISSING", "{}", fixture.kind);
        change!(held, held.chief, check_in, CheckInRequest { round: 1, number: 4 }).expect("he is seen");
        let wrong = change!(held, players[0], check_in, CheckInRequest { round: 2 });
        assert_eq!(reason(wrong), "BAD_CHECK_IN");
        let round = pair(&held, 1).await.expect("paired");
        assert_eq!((round.pairings.len(), round.out.len()), (2, 1));
        assert_eq!((round.out[0].number, round.out[0].code()), (5, pb::ResultCode::ByeZero));
    }
}

#[tokio::test]
async fn a_proxy_acts_for_one_who_has_no_device_and_the_log_says_so() {
    for fixture in fixtures().await {
        let mut asks = settings(2);
        asks.schedule.as_mut().expect("a schedule").check_in = true;
        let held = held(&fixture, asks).await;
        enter(&fixture, &held, 3).await;
        let founder = &held.federation.founder;
        let elder = founder.member(&held.federation.id, "Elder").await.member_id;
        let (son, stranger) = (fixture.person("son"), fixture.person("stranger"));
        let gives = |member_id: &str| pb::GiveProxyRequest {
            member_id: member_id.to_owned(),
            account_id: son.id(),
            reason: "signed on paper".to_owned(),
            request_id: founder.request(),
            validate_only: false,
        };
        founder.membership.clone().give_proxy(gives(&elder)).await.expect("given");
        let enters = |member_id: &str| pb::EnterEventRequest {
            event_id: held.id.clone(),
            request_id: founder.request(),
            member_id: member_id.to_owned(),
            supplement_version: 1,
            ..Default::default()
        };
        founder.events.clone().enter_event(enters(&elder)).await.expect("entered");
        run(&held).await;
        let refused = change!(held, stranger, check_in, CheckInRequest { round: 1 });
        assert_eq!(reason(refused), "EVENT_ROLE_MISSING", "{}", fixture.kind);
        let event = change!(held, son, check_in, CheckInRequest { round: 1 }).expect("he acts for the elder");
        let after_sequence = event.sequence - 1;
        let list = pb::ListLogRequest { event_id: held.id.clone(), after_sequence, page_size: 1 };
        let log = son.events.clone().list_log(list).await.expect("a log").into_inner();
        let body = pb::EventLogBody::decode(&*log.entries[0].body).expect("an entry");
        assert_eq!((body.account_id, body.on_behalf_of), (son.id(), elder));
        let Some(Fact::CheckedIn(fact)) = body.fact else { panic!("{:?}", body.fact) };
        assert_eq!((fact.number, fact.round), (4, 1));

        // Who is one for several, or plays himself, says as whom he acts.
        let aunt = founder.member(&held.federation.id, "Aunt").await.member_id;
        founder.membership.clone().give_proxy(gives(&aunt)).await.expect("given");
        founder.events.clone().enter_event(enters(&aunt)).await.expect("entered");
        let unclear = change!(held, son, check_in, CheckInRequest { round: 1 });
        assert_eq!(reason(unclear), "EVENT_ROLE_MISSING", "he does not say for whom");
        change!(held, son, check_in, CheckInRequest { round: 1, as_number: 5 }).expect("for his aunt");
        let member = founder.member(&held.federation.id, "Son").await;
        founder.bind(&member.member_id, &son.id()).await.expect("bound");
        change!(held, son, enter_event, EnterEventRequest { supplement_version: 1 }).expect("entered");
        let event = change!(held, son, check_in, CheckInRequest { round: 1 }).expect("for himself");
        assert_eq!(event.entrant_count, 6);
        change!(held, son, check_in, CheckInRequest { round: 1, as_number: 4 }).expect("for the elder again");
        for (who, as_number) in [(&son, 1), (&son, 99), (&stranger, 5)] {
            let refused = change!(held, who, check_in, CheckInRequest { round: 1, as_number });
            assert_eq!(reason(refused), "EVENT_ROLE_MISSING", "{as_number}");
        }
    }
}
