//! Games that players arrange: proposals through the API, what the server does when time is over, and who may.

use std::time::Duration;

use api::{
    federation::v1::{self as pb, NoticeKind, event_arranging::Otherwise, event_log_body::Fact},
    time::{duration, timestamp},
};
use prost::Message as _;
use time::OffsetDateTime;
use tonic::Status;

use crate::{
    fixture::{Fixture, Person, fixtures, reason},
    held::{Held, begin, change, enter, get_round, held, run, settings},
    notices::told,
    team_events::{of_teams, robin, running},
};

const DAY: Duration = Duration::from_hours(24);

fn arranging(otherwise: Otherwise) -> pb::EventArranging {
    pb::EventArranging {
        window_duration: Some(duration(DAY * 14)),
        reminder_durations: vec![duration(DAY * 3)],
        otherwise: Some(otherwise),
        ..Default::default()
    }
}

fn arranged(otherwise: Otherwise) -> pb::EventSettings {
    pb::EventSettings { arranging: Some(arranging(otherwise)), ..settings(3) }
}

const EFFORT: Otherwise = Otherwise::ByEffort(pb::ArrangedByEffort { times: 1, void: false });

/// An event of four whose first round has begun, with its players and the two of the first board.
async fn begun(fixture: &Fixture, settings: pb::EventSettings) -> (Held, Vec<Person>, [u32; 2]) {
    let held = held(fixture, settings).await;
    let players = enter(fixture, &held, 4).await;
    run(&held).await;
    begin(&held, 1).await;
    let board = board(&held, 1).await;
    (held, players, [board.first, board.second])
}

async fn board(held: &Held, table: u32) -> pb::Pairing {
    let round = get_round(&held.chief, held, 1).await.expect("a round");
    round.pairings.into_iter().find(|it| it.table == table).expect("a table")
}

async fn propose(
    held: &Held,
    who: &Person,
    table: u32,
    times: &[OffsetDateTime],
) -> Result<pb::Event, Status> {
    let start_times = times.iter().copied().map(timestamp).collect();
    change!(held, who, propose_game, ProposeGameRequest { round: 1, table, start_times })
}

async fn accept(held: &Held, who: &Person, table: u32, at: OffsetDateTime) -> Result<pb::Event, Status> {
    let start_time = Some(timestamp(at));
    change!(held, who, accept_proposal, AcceptProposalRequest { round: 1, table, start_time })
}

async fn decline(held: &Held, who: &Person, table: u32) -> Result<pb::Event, Status> {
    change!(held, who, decline_proposal, DeclineProposalRequest { round: 1, table })
}

/// The facts of a log.
async fn facts(held: &Held) -> Vec<Fact> {
    let request = pb::ListLogRequest { event_id: held.id.clone(), after_sequence: 0, page_size: 200 };
    let log = held.chief.events.clone().list_log(request).await.expect("a log").into_inner();
    let fact = |entry: pb::EventLogEntry| pb::EventLogBody::decode(&*entry.body).expect("an entry").fact;
    log.entries.into_iter().filter_map(fact).collect()
}

/// Waits until the server has done something at a table; its clock goes on meanwhile.
async fn until(
    fixture: &Fixture,
    held: &Held,
    table: u32,
    holds: impl Fn(&pb::Pairing) -> bool,
) -> pb::Pairing {
    for _ in 0..1000 {
        let found = board(held, table).await;
        if holds(&found) {
            return found;
        }
        fixture.time.advance(Duration::from_millis(100));
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("{}: it never happens at table {table}", fixture.kind)
}

#[tokio::test]
async fn a_game_is_made_when_the_time_comes_on_which_both_have_agreed() {
    for fixture in fixtures().await {
        let (held, players, [first, second]) = begun(&fixture, arranged(EFFORT)).await;
        let [one, other] = [first, second].map(|number| &players[number as usize - 1]);
        let shown = board(&held, 1).await.arrangement.expect("it is to be arranged");
        assert!(shown.proposals.is_empty() && shown.close_time == shown.deadline_time, "{}", fixture.kind);
        let times = [3, 4].map(|days| fixture.env.now() + DAY * days);
        propose(&held, one, 1, &times).await.expect("proposed");
        let proposals = board(&held, 1).await.arrangement.expect("arranged").proposals;
        assert_eq!(proposals[0].start_times, times.map(timestamp));
        assert_eq!(proposals[0].number, first);

        // The same request again is answered, and nothing is written.
        let request = pb::AcceptProposalRequest {
            event_id: held.id.clone(),
            request_id: other.request(),
            round: 1,
            table: 1,
            start_time: Some(timestamp(times[1])),
            ..Default::default()
        };
        let mut sequences = Vec::new();
        for _ in 0..2 {
            let answer = other.events.clone().accept_proposal(request.clone()).await.expect("accepted");
            sequences.push(answer.into_inner().event.expect("present").sequence);
        }
        assert_eq!(sequences[0], sequences[1]);
        let agreed = board(&held, 1).await;
        assert_eq!(agreed.postponed_time, Some(timestamp(times[1])));
        assert!(fixture.games.wait_for(0, &fixture.time).await.is_empty(), "no game is made yet");
        fixture.time.advance(DAY * 4);
        let games = fixture.games.wait_for(1, &fixture.time).await;
        assert_eq!(games[0].game_id, agreed.game_id, "and no other game is made");
        let begun = until(&fixture, &held, 1, |it| it.arrangement.is_none()).await;
        assert!(begun.postponed_time.is_none() && begun.result.is_none());
    }
}

#[tokio::test]
async fn whoever_may_not_and_whatever_cannot_be_is_refused_and_changes_nothing() {
    for fixture in fixtures().await {
        let (held, players, [first, second]) = begun(&fixture, arranged(EFFORT)).await;
        let [one, other] = [first, second].map(|number| &players[number as usize - 1]);
        let elsewhere = board(&held, 2).await.first;
        let neighbour = &players[elsewhere as usize - 1];
        let stranger = fixture.person("stranger");
        let (now, before) = (fixture.env.now(), facts(&held).await);
        let closes = now + DAY * 15;
        let fine = now + DAY * 3;
        assert_eq!(reason(propose(&held, one, 1, &[now]).await), "PROPOSAL_IN_THE_PAST", "{}", fixture.kind);
        assert_eq!(reason(propose(&held, one, 1, &[now + DAY / 2]).await), "PROPOSAL_TOO_SOON");
        assert_eq!(reason(propose(&held, one, 1, &[closes]).await), "PROPOSAL_OUTSIDE_WINDOW");
        let many: Vec<OffsetDateTime> = (2..14).map(|days| now + DAY * days).collect();
        for times in [&many[..4], &many[..12]] {
            assert_eq!(reason(propose(&held, one, 1, times).await), "TOO_MANY_TIMES");
        }
        assert_eq!(reason(propose(&held, one, 1, &[]).await), "NO_SUCH_PROPOSAL");
        assert_eq!(reason(propose(&held, neighbour, 1, &[fine]).await), "NOT_AT_BOARD");
        for official in [&stranger, &held.chief] {
            assert_eq!(reason(propose(&held, official, 1, &[fine]).await), "EVENT_ROLE_MISSING");
        }
        assert_eq!(reason(propose(&held, one, 9, &[fine]).await), "UNKNOWN_BOARD");
        assert_eq!(reason(accept(&held, other, 1, fine).await), "NO_SUCH_PROPOSAL");
        assert_eq!(reason(decline(&held, other, 1).await), "NO_SUCH_PROPOSAL");
        assert_eq!(facts(&held).await, before, "nothing is written");

        propose(&held, one, 1, &[fine]).await.expect("proposed");
        assert_eq!(reason(accept(&held, one, 1, fine).await), "NO_SUCH_PROPOSAL", "it is his own");
        assert_eq!(reason(accept(&held, neighbour, 1, fine).await), "NOT_AT_BOARD");
        decline(&held, other, 1).await.expect("declined");
        let draw = crate::held::drawn(&held, &held.chief, 1).await;
        draw.expect("they have played over the board, and nobody has a game of it here");
        assert_eq!(reason(propose(&held, one, 1, &[fine]).await), "BOARD_NOT_OPEN");

        let (plain, players, [first, _]) = begun(&fixture, settings(3)).await;
        let refused = propose(&plain, &players[first as usize - 1], 1, &[fine]).await;
        assert_eq!(reason(refused), "GAMES_NOT_ARRANGED");
    }
}

#[tokio::test]
async fn what_nobody_answers_lapses_and_the_server_settles_what_nobody_has_arranged() {
    for fixture in fixtures().await {
        let (held, players, [first, second]) = begun(&fixture, arranged(EFFORT)).await;
        let one = &players[first as usize - 1];
        propose(&held, one, 1, &[fixture.env.now() + DAY * 5]).await.expect("proposed");
        fixture.time.advance(DAY * 2);
        let lapsed = |it: &pb::Pairing| it.arrangement.as_ref().is_some_and(|it| it.proposals.is_empty());
        until(&fixture, &held, 1, lapsed).await;
        fixture.time.advance(DAY * 13);
        let settled = until(&fixture, &held, 1, |it| it.result.is_some()).await;
        let result = settled.result.expect("a result");
        let won = [pb::ResultCode::ForfeitWin, pb::ResultCode::ForfeitLoss];
        assert_eq!(
            [result.first(), result.second()],
            won,
            "{}: {first} has tried, {second} not",
            fixture.kind
        );
        assert!(matches!(result.source, Some(pb::board_result::Source::Unarranged(_))));
        let nobody = until(&fixture, &held, 2, |it| it.result.is_some()).await.result.expect("a result");
        assert_eq!([nobody.first(), nobody.second()], [pb::ResultCode::DoubleForfeit; 2]);
        let told = facts(&held).await;
        let answers = told.iter().filter(|it| matches!(it, Fact::ProposalAnswered(_))).count();
        assert_eq!(answers, 1);
        assert!(fixture.games.wait_for(0, &fixture.time).await.is_empty());
    }
}

#[tokio::test]
async fn players_are_reminded_once_and_what_is_left_to_an_arbiter_is_told() {
    for fixture in fixtures().await {
        let by_arbiter = Otherwise::ByArbiter(pb::ArrangedByArbiter {});
        let (held, ..) = begun(&fixture, arranged(by_arbiter)).await;
        let reminders = async || {
            let told = facts(&held).await;
            told.iter().filter(|it| matches!(it, Fact::ArrangingReminded(_))).count()
        };
        fixture.time.advance(DAY * 11 + Duration::from_mins(1));
        for _ in 0..1000 {
            if reminders().await > 0 {
                break;
            }
            fixture.time.advance(Duration::from_millis(100));
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert_eq!(reminders().await, 2, "{}: one for each board", fixture.kind);
        fixture.time.advance(DAY * 3);
        for table in [1, 2] {
            until(&fixture, &held, table, |it| it.arrangement.as_ref().is_some_and(|it| it.left_to_arbiter))
                .await;
        }
        assert_eq!(reminders().await, 2);
        let seen = pb::GetEventRequest { event_id: held.id.clone(), ..Default::default() };
        let event = held.chief.events.clone().get_event(seen).await.expect("an event").into_inner().event;
        assert!(event.expect("present").missing.contains(&"unarranged_boards".to_owned()));
    }
}

#[tokio::test]
async fn captains_agree_for_a_match_that_is_played_at_one_time() {
    for fixture in fixtures().await {
        let by_match = pb::EventArranging { by_match: true, ..arranging(EFFORT) };
        let of_matches = of_teams(2, pb::LineUpLaw::FixedBoards, robin());
        let settings = pb::EventSettings { arranging: Some(by_match), ..of_matches };
        let (held, teams) = running(&fixture, settings, &["Red", "Blue"], (2, 0)).await;
        begin(&held, 1).await;
        let at = fixture.env.now() + DAY * 3;
        let refused = propose(&held, &teams[0].players[1], 2, &[at]).await;
        assert_eq!(reason(refused), "CAPTAINS_ARRANGE", "{}", fixture.kind);
        propose(&held, teams[0].captain(), 2, &[at]).await.expect("proposed");
        let agreed_at = board(&held, 2).await.arrangement.expect("arranged").agreed_at_table;
        assert_eq!(agreed_at, 1);
        assert_eq!(reason(accept(&held, teams[0].captain(), 1, at).await), "NO_SUCH_PROPOSAL");
        accept(&held, teams[1].captain(), 1, at).await.expect("accepted");
        for table in [1, 2] {
            assert_eq!(board(&held, table).await.postponed_time, Some(timestamp(at)), "{table}");
        }
        fixture.time.advance(DAY * 3);
        assert_eq!(fixture.games.wait_for(2, &fixture.time).await.len(), 2);
    }
}

#[tokio::test]
async fn a_captain_is_told_of_his_own_board_once_and_of_his_players_boards_with_them() {
    for fixture in fixtures().await {
        let of_boards = of_teams(2, pb::LineUpLaw::FixedBoards, robin());
        let settings = pb::EventSettings { arranging: Some(arranging(EFFORT)), ..of_boards };
        let (held, teams) = running(&fixture, settings, &["Red", "Blue"], (2, 0)).await;
        begin(&held, 1).await;
        let at = fixture.env.now() + DAY * 3;
        let waiting = async |person: &Person| {
            let told = told(person).await.into_iter().filter(|it| it.kind() == NoticeKind::ProposalWaits);
            told.map(|it| it.about.expect("of a board")).map(|it| (it.table, it.number, it.team)).collect()
        };
        let (captain, player) = (teams[1].captain(), &teams[1].players[1]);
        propose(&held, teams[0].captain(), 1, &[at]).await.expect("proposed");
        let own = board(&held, 1).await;
        let own = (1, own.first.max(own.second), 0);
        let told: Vec<_> = waiting(captain).await;
        assert_eq!(told, [own], "{}", fixture.kind);
        propose(&held, &teams[0].players[1], 2, &[at]).await.expect("proposed");
        let theirs = board(&held, 2).await;
        let theirs = theirs.first.max(theirs.second);
        let told: Vec<_> = waiting(player).await;
        assert_eq!(told, [(2, theirs, 0)]);
        let told: Vec<_> = waiting(captain).await;
        assert_eq!(told, [own, (2, 0, 2)]);
    }
}

#[tokio::test]
async fn settings_of_arranging_that_make_no_sense_are_refused() {
    let fixture = fixtures().await.remove(0);
    let sound = held(&fixture, arranged(EFFORT)).await;
    let event = pb::GetEventRequest { event_id: sound.id.clone(), ..Default::default() };
    let event = sound.chief.events.clone().get_event(event).await.expect("an event").into_inner().event;
    let told = event.expect("present").settings.expect("present").arranging.expect("present");
    assert_eq!((told.times_max, told.lead_duration), (3, Some(duration(DAY))), "what was not said is usual");
    let wrong: [fn(&mut pb::EventArranging); 5] = [
        |it| it.window_duration = None,
        |it| it.otherwise = None,
        |it| it.by_match = true,
        |it| it.times_max = 11,
        |it| it.reminder_durations = vec![duration(DAY * 14)],
    ];
    for change in wrong {
        let mut settings = arranged(EFFORT);
        change(settings.arranging.as_mut().expect("arranged"));
        let refused =
            change!(sound, sound.chief, update_event, UpdateEventRequest { settings: Some(settings) });
        assert_eq!(reason(refused), "BAD_EVENT_SETTINGS");
    }
}

/// The second of two events in which the same two meet: they enter it in the same order, and its first round has begun.
async fn again(fixture: &Fixture, players: &[Person]) -> Held {
    let other = held(fixture, arranged(EFFORT)).await;
    let founder = &other.federation.founder;
    for player in players {
        let member = founder.member(&other.federation.id, &format!("{} again", player.id())).await;
        founder.bind(&member.member_id, &player.id()).await.expect("bound");
        change!(other, player, enter_event, EnterEventRequest { supplement_version: 1 }).expect("entered");
    }
    run(&other).await;
    begin(&other, 1).await;
    other
}

/// Nobody agrees on a time at which he plays elsewhere, in whatever event: not one after the other, and not at once.
#[tokio::test]
async fn nobody_agrees_on_two_games_at_the_same_hour() {
    for fixture in fixtures().await {
        let one = held(&fixture, arranged(EFFORT)).await;
        let players = enter(&fixture, &one, 2).await;
        run(&one).await;
        begin(&one, 1).await;
        let two = again(&fixture, &players).await;
        let [ann, ben] = &players[..] else { panic!("two players") };
        let at = fixture.env.now() + DAY * 3;
        // Both have proposed what was free then, each in one of the events.
        propose(&one, ann, 1, &[at, at + DAY]).await.expect("proposed");
        propose(&two, ben, 1, &[at, at + DAY]).await.expect("proposed");
        let (here, there) = tokio::join!(accept(&one, ben, 1, at), accept(&two, ann, 1, at));
        assert_eq!(usize::from(here.is_ok()) + usize::from(there.is_ok()), 1, "{}", fixture.kind);
        let (agreed, (open, asks, asked)) =
            if here.is_ok() { (&one, (&two, ann, there)) } else { (&two, (&one, ben, here)) };
        let refused = asked.expect_err("the other was refused");
        assert_eq!(api::error::reason(&refused), "ALREADY_ARRANGED");
        let told = api::error::metadata(&refused, "event_id");
        assert_eq!(told.as_deref(), Some(&*agreed.id), "he himself is told where");
        let before = facts(open).await;
        let soon = at + Duration::from_mins(30);
        assert_eq!(reason(propose(open, asks, 1, &[soon]).await), "ALREADY_ARRANGED");
        assert_eq!(facts(open).await, before, "nothing was changed");
        accept(open, asks, 1, at + DAY).await.expect("another day");
        propose(open, asks, 1, &[at + DAY + Duration::from_mins(5)])
            .await
            .expect("no board is in its own way");
    }
}
