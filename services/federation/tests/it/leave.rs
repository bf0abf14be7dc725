//! Leave through the API: who takes, grants and ends it, what it moves, and the games that are told of it.

use std::time::Duration;

use api::{
    clock::v1 as clock,
    federation::v1::{self as pb, LeaveState, NoticeKind, event_log_body::Fact},
    game::v1::ChangeLeaveRequest,
    time::{duration, moment, timestamp},
};
use prost::Message as _;
use time::OffsetDateTime;
use tonic::Status;

use crate::{
    fixture::{Fixture, Person, fixtures, reason},
    held::{Held, begin, change, enter, get_round, held, publish, run, settings},
    notices::told,
    team_events::{nothing_is_found, of_teams, robin, running},
};

const DAY: Duration = Duration::from_hours(24);
const MINUTE: Duration = Duration::from_mins(1);

/// Ten days of leave, of a minute at least, an hour ahead.
fn leave() -> pb::EventLeave {
    pb::EventLeave {
        player_budget_duration: Some(duration(DAY * 10)),
        notice_duration: Some(duration(MINUTE * 60)),
        shortest_duration: Some(duration(MINUTE)),
        ..Default::default()
    }
}

fn arranging() -> pb::EventArranging {
    let otherwise = pb::event_arranging::Otherwise::ByArbiter(pb::ArrangedByArbiter {});
    pb::EventArranging {
        window_duration: Some(duration(DAY * 14)),
        otherwise: Some(otherwise),
        ..Default::default()
    }
}

fn arranged() -> pb::EventSettings {
    pb::EventSettings { arranging: Some(arranging()), leave: Some(leave()), ..settings(3) }
}

/// Three days for a move.
fn by_correspondence() -> pb::EventSettings {
    let control =
        clock::time_control::Control::Correspondence(clock::time_control::Correspondence { days: 3 });
    let mut settings = pb::EventSettings { leave: Some(leave()), ..settings(3) };
    let game = settings.game.as_mut().expect("a game");
    game.time_control = Some(clock::TimeControl { control: Some(control), ..Default::default() });
    settings
}

/// An event of four that runs.
async fn four(fixture: &Fixture, settings: pb::EventSettings) -> (Held, Vec<Person>) {
    let held = held(fixture, settings).await;
    let players = enter(fixture, &held, 4).await;
    run(&held).await;
    (held, players)
}

/// A wish for leave from a moment on.
fn wish(held: &Held, who: &Person, from: OffsetDateTime, length: Duration) -> pb::TakeLeaveRequest {
    pb::TakeLeaveRequest {
        event_id: held.id.clone(),
        request_id: who.request(),
        from_time: Some(timestamp(from)),
        until_time: Some(timestamp(from + length)),
        ..Default::default()
    }
}

async fn take(who: &Person, request: pb::TakeLeaveRequest) -> Result<pb::Leave, Status> {
    let answer = who.events.clone().take_leave(request).await?.into_inner();
    Ok(answer.leave.expect("the leave"))
}

async fn end(held: &Held, who: &Person, leave: u32, reason: &str) -> Result<pb::Leave, Status> {
    let request = pb::EndLeaveRequest {
        event_id: held.id.clone(),
        request_id: who.request(),
        leave,
        reason: reason.to_owned(),
        ..Default::default()
    };
    Ok(who.events.clone().end_leave(request).await?.into_inner().leave.expect("the leave"))
}

async fn list(held: &Held, who: &Person, request: pb::ListLeavesRequest) -> pb::ListLeavesResponse {
    let request = pb::ListLeavesRequest { event_id: held.id.clone(), ..request };
    who.events.clone().list_leaves(request).await.expect("a list").into_inner()
}

async fn deadline(held: &Held, number: u32) -> OffsetDateTime {
    let round = get_round(&held.chief, held, 1).await.expect("a round");
    let board = round.pairings.into_iter().find(|it| [it.first, it.second].contains(&number));
    let arrangement = board.expect("a board").arrangement.expect("it is arranged");
    arrangement.deadline_time.as_ref().and_then(moment).expect("a moment")
}

async fn entrant(held: &Held, number: u32) -> pb::Entrant {
    let request = pb::ListEntrantsRequest { event_id: held.id.clone(), ..Default::default() };
    let entrants = held.chief.events.clone().list_entrants(request).await.expect("a list").into_inner();
    entrants.entrants.into_iter().find(|it| it.number == number).expect("an entrant")
}

#[tokio::test]
async fn a_player_takes_leave_and_whoever_waits_for_him_is_told() {
    for fixture in fixtures().await {
        let (held, players) = four(&fixture, arranged()).await;
        begin(&held, 1).await;
        let before = deadline(&held, 1).await;
        let from = fixture.env.now() + DAY;
        let request = wish(&held, &players[0], from, DAY * 2);
        let taken = take(&players[0], request.clone()).await.expect("two days");
        assert_eq!((taken.leave, taken.number, taken.state()), (1, 1, LeaveState::Announced));
        let again = take(&players[0], request).await.expect("the same request");
        assert_eq!(again, taken, "{}: it is answered and not repeated", fixture.kind);
        assert_eq!(deadline(&held, 1).await, before + DAY * 2, "{}", fixture.kind);

        let round = get_round(&held.chief, &held, 1).await.expect("a round");
        let own = round.pairings.iter().find(|it| [it.first, it.second].contains(&1)).expect("a board");
        let opponent = own.first + own.second - 1;
        let notice = told(&players[opponent as usize - 1]).await.pop().expect("a notice");
        assert_eq!(notice.kind(), NoticeKind::LeaveTaken);
        assert_eq!(notice.about.expect("it is about something").opponent, 1);
        assert_eq!(told(&held.chief).await.pop().expect("a notice").kind(), NoticeKind::LeaveTaken);
        let others = (2..=4).filter(|it| *it != opponent).map(|it| &players[it as usize - 1]);
        for other in others {
            assert!(
                told(other).await.iter().all(|it| it.kind() != NoticeKind::LeaveTaken),
                "{}",
                fixture.kind
            );
        }

        // Nobody proposes a time within it, and the entrants say who is away.
        let (board, start_times) = (own.table, vec![timestamp(from + DAY)]);
        let proposed = change!(
            held,
            players[opponent as usize - 1],
            propose_game,
            ProposeGameRequest { round: 1, table: board, start_times }
        );
        assert_eq!(reason(proposed), "PROPOSAL_ON_LEAVE", "{}", fixture.kind);
        assert_eq!(entrant(&held, 1).await.on_leave_until_time, None);
        fixture.time.advance(DAY + MINUTE);
        assert_eq!(entrant(&held, 1).await.on_leave_until_time, taken.until_time, "{}", fixture.kind);

        let ended = end(&held, &players[0], 1, "").await.expect("he is back");
        assert_eq!(ended.state(), LeaveState::Over);
        assert!(deadline(&held, 1).await < before + DAY, "{}: it moves back", fixture.kind);
        let now = list(&held, &players[0], pb::ListLeavesRequest { number: 1, ..Default::default() }).await;
        assert!(now.leaves.is_empty() && now.spans_left == 3, "{}", fixture.kind);
        let all = pb::ListLeavesRequest { with_past: true, page_size: 1, ..Default::default() };
        assert_eq!(list(&held, &players[1], all).await.leaves, [ended], "{}", fixture.kind);
        nothing_is_found(&held.chief, &held).await;
    }
}

#[tokio::test]
async fn leave_is_ones_own_and_the_chief_arbiters_to_grant() {
    for fixture in fixtures().await {
        let (held, players) = four(&fixture, arranged()).await;
        begin(&held, 1).await;
        let from = fixture.env.now() + DAY;
        let one = &players[0];
        let with = |change: fn(&mut pb::TakeLeaveRequest)| {
            let mut request = wish(&held, one, from, DAY);
            change(&mut request);
            request
        };
        for (request, refused) in [
            (with(|it| it.number = 2), "EVENT_ROLE_MISSING"),
            (with(|it| it.reason = "I am ill".to_owned()), "EVENT_ROLE_MISSING"),
            (with(|it| it.team = 1), "EVENT_ROLE_MISSING"),
            (with(|it| (it.number, it.team) = (1, 1)), "UNKNOWN_VALUE"),
            (with(|it| it.until_time = None), "UNKNOWN_VALUE"),
            (with(|it| it.from_time = None), "LEAVE_TOO_LATE"),
            (with(|it| it.until_time = it.from_time), "BAD_LEAVE_LENGTH"),
            (wish(&held, one, from, DAY * 11), "BAD_LEAVE_LENGTH"),
            (wish(&held, one, fixture.env.now() - DAY, DAY * 2), "LEAVE_IN_THE_PAST"),
        ] {
            assert_eq!(reason(take(one, request.clone()).await), refused, "{}: {request:?}", fixture.kind);
        }
        assert_eq!(
            reason(take(&held.chief, wish(&held, &held.chief, from, DAY)).await),
            "EVENT_ROLE_MISSING"
        );
        let taken = take(one, wish(&held, one, from, DAY * 6)).await.expect("six days");
        let over = take(one, wish(&held, one, from + DAY * 7, DAY * 5)).await;
        assert_eq!(reason(over), "LEAVE_BUDGET_SPENT", "{}", fixture.kind);
        assert_eq!(reason(take(one, wish(&held, one, from + DAY, DAY)).await), "LEAVE_OVERLAPS");
        assert_eq!(
            reason(end(&held, &players[1], taken.leave, "").await),
            "NOT_YOUR_LEAVE",
            "{}",
            fixture.kind
        );
        assert_eq!(reason(end(&held, one, 9, "").await), "UNKNOWN_LEAVE");

        // The chief arbiter grants it at once, and why is for nobody but officials.
        let grant = pb::TakeLeaveRequest {
            number: 2,
            from_time: None,
            reason: "he is in hospital".to_owned(),
            ..wish(&held, &held.chief, from, DAY * 20)
        };
        let granted = take(&held.chief, grant).await.expect("granted");
        assert!(granted.granted && granted.state() == LeaveState::On, "{}", fixture.kind);
        let asked = pb::ListLeavesRequest { number: 2, ..Default::default() };
        let left = list(&held, &players[1], asked).await;
        assert_eq!(left.left_duration, Some(duration(DAY * 10)), "{}: it takes nothing", fixture.kind);
        let notes = pb::ListNotesRequest { event_id: held.id.clone(), ..Default::default() };
        let notes = held.chief.events.clone().list_notes(notes).await.expect("notes").into_inner().notes;
        assert!(notes.iter().any(|it| it.text == "he is in hospital"), "{}", fixture.kind);
        end(&held, &held.chief, taken.leave, "the round was put off").await.expect("with a reason");
        assert_eq!(reason(end(&held, one, taken.leave, "").await), "LEAVE_IS_OVER");
        nothing_is_found(&held.chief, &held).await;
    }
}

#[tokio::test]
async fn a_captain_takes_leave_for_his_team() {
    for fixture in fixtures().await {
        let mut settings = of_teams(2, pb::LineUpLaw::FixedBoards, robin());
        let team_budget_duration = Some(duration(DAY * 3));
        settings.arranging = Some(arranging());
        settings.leave = Some(pb::EventLeave { team_budget_duration, ..leave() });
        let (held, teams) = running(&fixture, settings, &["Lions", "Tigers"], (2, 0)).await;
        begin(&held, 1).await;
        let from = fixture.env.now() + DAY;
        let before = deadline(&held, 1).await;
        let captain = teams[0].captain();
        let of_team = |who: &Person, team| pb::TakeLeaveRequest { team, ..wish(&held, who, from, DAY * 2) };
        let other = take(captain, of_team(captain, 2)).await;
        assert_eq!(reason(other), "NOT_THE_CAPTAIN", "{}", fixture.kind);
        let taken = take(captain, of_team(captain, 1)).await.expect("two days");
        assert_eq!((taken.number, taken.team), (0, 1));
        assert_eq!(deadline(&held, 1).await, before + DAY * 2, "{}", fixture.kind);
        let opposite = told(teams[1].captain()).await;
        assert!(opposite.iter().any(|it| it.kind() == NoticeKind::LeaveTaken), "{}", fixture.kind);
        let asked = pb::ListLeavesRequest { team: 1, ..Default::default() };
        assert_eq!(list(&held, captain, asked).await.left_duration, Some(duration(DAY)));
        assert_eq!(reason(end(&held, teams[1].captain(), 1, "").await), "NOT_YOUR_LEAVE");
        end(&held, captain, 1, "").await.expect("his team's");
        nothing_is_found(&held.chief, &held).await;
    }
}

/// How a game came to rest and to go on, by what it was told.
fn edges(told: &[ChangeLeaveRequest], game: &str) -> Vec<bool> {
    let mut edges: Vec<bool> = told.iter().filter(|it| it.game_id == game).map(|it| it.on_leave).collect();
    edges.dedup();
    edges
}

/// Waits until the log says something of leave.
async fn until(fixture: &Fixture, held: &Held, says: impl Fn(&Fact) -> bool) {
    for _ in 0..1000 {
        let request = pb::ListLogRequest { event_id: held.id.clone(), after_sequence: 0, page_size: 200 };
        let log = held.chief.events.clone().list_log(request).await.expect("a log").into_inner();
        let fact = |it: &pb::EventLogEntry| pb::EventLogBody::decode(&*it.body).expect("an entry").fact;
        if log.entries.iter().filter_map(fact).any(|fact| says(&fact)) {
            return;
        }
        fixture.time.advance(Duration::from_millis(100));
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("{}: the log never says it", fixture.kind);
}

#[tokio::test]
async fn correspondence_games_rest_from_the_beginning_of_leave_to_its_end_whatever_breaks_down() {
    for mut fixture in fixtures().await {
        let (held, players) = four(&fixture, by_correspondence()).await;
        begin(&held, 1).await;
        fixture.games.wait_for(2, &fixture.time).await;
        let board = get_round(&held.chief, &held, 1).await.expect("a round").pairings[0].clone();
        let [one, other] = [board.first, board.second].map(|it| &players[it as usize - 1]);
        let from = fixture.env.now() + MINUTE * 70;
        take(one, wish(&held, one, from, MINUTE * 4)).await.expect("four minutes");
        take(other, wish(&held, other, from + MINUTE * 2, MINUTE * 4)).await.expect("two of them the same");
        // The game cannot be reached at first; then the service is started anew.
        fixture.games.refuse_leave(true);
        fixture.time.advance(MINUTE * 71);
        fixture.games.wait_for_leave_refused(&fixture.time).await;
        fixture.restart().await;
        fixture.games.refuse_leave(false);
        let told = fixture.games.wait_for_leave(&board.game_id, true, &fixture.time).await;
        assert_eq!(edges(&told, &board.game_id), [true], "{}", fixture.kind);
        let other_games = told.iter().filter(|it| it.game_id != board.game_id).count();
        assert_eq!(other_games, 0, "{}: the other board plays on", fixture.kind);
        let chief = fixture.again(&held.chief);
        let held = Held { chief: chief.clone(), ..held };
        // The first is back, and the other is not: the game rests on.
        fixture.time.advance(MINUTE * 3);
        until(&fixture, &held, |fact| *fact == Fact::LeaveOver(pb::LeaveOver { leave: 1 })).await;
        fixture.time.advance(MINUTE * 2);
        until(&fixture, &held, |fact| *fact == Fact::LeaveOver(pb::LeaveOver { leave: 2 })).await;
        let told = fixture.games.wait_for_leave(&board.game_id, false, &fixture.time).await;
        assert_eq!(edges(&told, &board.game_id), [true, false], "{}: once each", fixture.kind);
        let last_rest = told.iter().rev().find(|it| it.on_leave).expect("it rested");
        let first_over = told.iter().find(|it| !it.on_leave).expect("it went on");
        assert!(last_rest.event_sequence < first_over.event_sequence, "{}", fixture.kind);
        nothing_is_found(&chief, &held).await;
    }
}

#[tokio::test]
async fn a_game_that_is_made_during_leave_rests_from_its_beginning() {
    for fixture in fixtures().await {
        let (held, players) = four(&fixture, by_correspondence()).await;
        publish(&held, 1).await;
        let from = fixture.env.now() + MINUTE * 70;
        take(&players[0], wish(&held, &players[0], from, DAY)).await.expect("a day");
        fixture.time.advance(MINUTE * 71);
        until(&fixture, &held, |fact| *fact == Fact::LeaveBegun(pb::LeaveBegun { leave: 1 })).await;
        change!(held, held.chief, start_round, StartRoundRequest { round: 1 }).expect("started");
        fixture.games.wait_for(2, &fixture.time).await;
        let round = get_round(&held.chief, &held, 1).await.expect("a round");
        let own = round.pairings.iter().find(|it| [it.first, it.second].contains(&1)).expect("a board");
        let told = fixture.games.wait_for_leave(&own.game_id, true, &fixture.time).await;
        assert_eq!(told.len(), 1, "{}: {told:?}", fixture.kind);
        end(&held, &players[0], 1, "").await.expect("he is back");
        fixture.games.wait_for_leave(&own.game_id, false, &fixture.time).await;
    }
}
