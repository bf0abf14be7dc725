//! What officials do in a game that is being played.

use std::time::Duration;

use api::{
    board::v1::{Reason, Side, Verdict},
    client::{GameStream, GameUpdate, Player},
    clock::v1::PauseReason,
    game::v1::{
        DeclaredResult, GameEvent, IncidentKind, Regulations, Stage as GameStage,
        game_event::Event,
        petition::{CallArbiter, Petition as Asked},
        ruling::{
            Act, AddTime, Annul, AnswerCall, CorrectColours, Declare, DeductTime, NoteColours, Pause, Resume,
            VoidMoves,
        },
    },
};
use simulation::in_every_shape;

use super::table::{ONCE, Officials, Plan, REASON, Table, go, record, refused, rule, time_of, two_players};

/// How much later than it was asked for something may happen.
const SOON: time::Duration = time::Duration::SECOND;

const JIU: Plan<'_> = Plan { variant: "jiu", options: &[], control: "1h" };
const JIRIGE: Plan<'_> = Plan { variant: "jirige", options: &[], control: "1h" };

/// Ten stones of Jiu.
const TEN: [&str; 10] = ["G7", "H8", "G8", "H7", "A1", "B1", "C1", "D1", "E1", "F1"];

fn add(side: Side, span: Duration) -> Act {
    Act::AddTime(AddTime { side: side as i32, added_duration: Some(api::time::duration(span)) })
}

fn deduct(side: Side, span: Duration) -> Act {
    Act::DeductTime(DeductTime { side: side as i32, deducted_duration: Some(api::time::duration(span)) })
}

fn pause() -> Act {
    Act::Pause(Pause { reason: PauseReason::Arbiter as i32 })
}

fn resume() -> Act {
    Act::Resume(Resume { reason: PauseReason::Arbiter as i32 })
}

fn void(ply: u32) -> Act {
    Act::VoidMoves(VoidMoves { ply })
}

fn call() -> Asked {
    Asked::CallArbiter(CallArbiter { text: "he hums".to_owned() })
}

fn declare(result: DeclaredResult) -> Act {
    Act::Declare(Declare { result: result as i32 })
}

/// What each side has left at an event.
fn left(event: &GameEvent) -> [Duration; 2] {
    let clock = event.state.as_ref().and_then(|state| state.clock.as_ref()).expect("a clock");
    [&clock.first, &clock.second].map(|side| {
        let time = side.as_ref().and_then(|side| side.main_duration).expect("a main time");
        api::time::span(&time).expect("no negative time")
    })
}

/// How a game has ended with an event, if it has.
fn end(event: &GameEvent) -> Option<(Verdict, Reason)> {
    let outcome = event.state.as_ref()?.outcome.as_ref()?;
    Some((outcome.verdict(), outcome.reason()))
}

/// An official does what he may not do now: nothing has changed.
async fn cannot(official: &Player, table: &Table, act: Act, why: &str) {
    let before = table.game().await;
    assert_eq!(refused(rule(official, table, act.clone()).await), why, "{act:?}");
    assert_eq!(table.game().await, before, "a refusal changes nothing: {act:?}");
}

#[test]
fn everybody_sees_who_did_what_and_why_and_when() {
    in_every_shape(async |stage| {
        let officials = Officials::new(&stage).await;
        let table = Table::arranged(&stage, go("1h"), officials.regulations()).await;
        let mut spectator = GameStream::new(stage.public(), &table.id);
        let first = spectator.next().await.expect("the game is there");
        assert!(matches!(first, Some(GameUpdate::Snapshot(_))));
        table.play(&["C3", "G7", "C7"]).await;
        let called = table.petition(1, call()).await.expect("she calls");
        assert_eq!((called.author(), called.official.is_none()), (Side::Second, true));
        assert_eq!(refused(table.petition(1, call()).await), "CALL_OPEN");
        let minute = Duration::from_mins(1);
        let acts = [
            (&officials.arbiter, Act::AnswerCall(AnswerCall { call: 1 })),
            (&officials.arbiter, record(IncidentKind::WrongCapture, Side::First)),
            (&officials.chief, add(Side::Second, minute)),
            (&officials.arbiter, deduct(Side::First, minute)),
            (&officials.chief, pause()),
            (&officials.arbiter, resume()),
            (&officials.arbiter, void(1)),
        ];
        let mut told = vec![called];
        for (official, act) in acts {
            let event = rule(official, &table, act.clone()).await.expect("he may");
            let by = event.official.as_ref().expect("it is an official's");
            let (id, name) = (&official.account().id, &official.account().name);
            assert_eq!((&by.account_id, &by.name, event.author()), (id, name, Side::Unspecified));
            assert!((stage.now() - time_of(&event)) < SOON, "{act:?}");
            let Some(Event::Ruled(ruled)) = &event.event else { panic!("{event:?}") };
            assert_eq!(ruled.reason, REASON);
            let same = |it: &Act| std::mem::discriminant(it) == std::mem::discriminant(&act);
            assert!(ruled.act.as_ref().is_some_and(same), "{act:?} is told as {ruled:?}");
            told.push(event);
        }
        // The spectator has been told of each as it happened.
        let mut seen = Vec::new();
        while seen.last() != told.last() {
            match spectator.next().await.expect("the stream goes on") {
                Some(GameUpdate::Event(event)) => seen.push(*event),
                other => panic!("{other:?}"),
            }
        }
        let of_officials =
            |event: &GameEvent| matches!(event.event, Some(Event::Ruled(_) | Event::Petitioned(_)));
        seen.retain(of_officials);
        assert_eq!(seen, told);
        let mut log = table.audited().await;
        log.retain(of_officials);
        assert_eq!(log, told);
    });
}

#[test]
fn a_pause_stops_both_clocks_and_moves_go_back_to_a_ply() {
    in_every_shape(async |stage| {
        let officials = Officials::new(&stage).await;
        let arbiter = &officials.arbiter;
        let table = Table::arranged(&stage, go("1h"), officials.regulations()).await;
        table.play(&["A1", "A2", "G7", "B1"]).await;
        assert_eq!(table.game().await.board.expect("a board").stones.len(), 3, "A1 is captured");
        cannot(arbiter, &table, resume(), "NOT_PAUSED").await;
        let paused = rule(arbiter, &table, pause()).await.expect("paused");
        cannot(arbiter, &table, pause(), "ALREADY_PAUSED").await;
        let early = table.player(0).await.play(&table.id, "C3", 4, ONCE).await;
        assert_eq!(refused(early), "NOT_IN_PLAY");
        tokio::time::sleep(Duration::from_mins(3)).await;
        let resumed = rule(arbiter, &table, resume()).await.expect("resumed");
        assert_eq!(left(&paused), left(&resumed), "nobody pays for the pause");
        cannot(arbiter, &table, void(4), "BAD_PLY").await;
        let voided = rule(arbiter, &table, void(3)).await.expect("void");
        let state = voided.state.as_ref().expect("a state");
        assert_eq!((state.ply, &*state.actors), (3, &[Side::Second as i32][..]));
        let clock = state.clock.as_ref().expect("a clock");
        assert_eq!(clock.running(), Side::Second);
        // The captured stone is back, on the board of the event and on that of the game.
        let stones = voided.board.expect("the position").stones;
        assert_eq!(stones.len(), 3);
        let game = table.game().await;
        assert_eq!(game.board.expect("a board").stones, stones);
        assert_eq!(game.acts.len(), 3);
        table.play(&["C3", "C7"]).await;
        table.audited().await;
    });
}

#[test]
fn time_is_given_and_taken_until_a_flag_falls_by_it() {
    in_every_shape(async |stage| {
        let officials = Officials::new(&stage).await;
        let arbiter = &officials.arbiter;
        let table = Table::arranged(&stage, go("1h"), officials.regulations()).await;
        table.play(&["C3", "G7"]).await;
        let hour = Duration::from_hours(1);
        let given = rule(arbiter, &table, add(Side::Second, hour)).await.expect("given");
        assert!(left(&given)[1].abs_diff(2 * hour) < Duration::from_secs(1), "{:?}", left(&given));
        let taken = rule(arbiter, &table, deduct(Side::Second, hour)).await.expect("taken");
        assert!(left(&taken)[1].abs_diff(hour) < Duration::from_secs(1), "{:?}", left(&taken));
        assert_eq!(end(&taken), None);
        for bad in [Duration::ZERO, Duration::from_hours(25)] {
            cannot(arbiter, &table, deduct(Side::Second, bad), "BAD_RULING").await;
        }
        // The flag of a clock that does not run falls when it is to run.
        let all = rule(arbiter, &table, deduct(Side::Second, hour)).await.expect("taken");
        assert_eq!((end(&all), left(&all)[1]), (None, Duration::ZERO));
        table.play(&["C7"]).await;
        let (outcome, _) = table.ended().await;
        assert_eq!((outcome.verdict(), outcome.reason()), (Verdict::FirstWins, Reason::Time));
        cannot(arbiter, &table, add(Side::Second, hour), "GAME_OVER").await;
        table.audited().await;

        let running = Table::arranged(&stage, go("1h"), officials.regulations()).await;
        running.play(&["C3", "G7"]).await;
        let fallen = rule(arbiter, &running, deduct(Side::First, hour)).await.expect("taken");
        assert_eq!(end(&fallen), Some((Verdict::SecondWins, Reason::Time)), "with the very event");
        running.audited().await;
    });
}

#[test]
fn as_many_warnings_or_violations_as_the_game_bears_lose_it() {
    in_every_shape(async |stage| {
        let officials = Officials::new(&stage).await;
        let players = two_players(&stage).await;
        let (warnings, violations) = (Reason::Warnings, Reason::Violations);
        let games = [
            (go("1h"), IncidentKind::WrongCapture, 0, 2, warnings),
            (JIRIGE, IncidentKind::Questions, 0, 3, violations),
            (JIU, IncidentKind::ClockPress, 0, 2, warnings),
            (JIU, IncidentKind::ClockPress, 4, 4, warnings),
        ];
        for (plan, kind, warnings_max, limit, reason) in games {
            let regulations = Regulations { warnings_max, ..officials.regulations() };
            let table = Table::between(&stage, players.clone(), plan, regulations).await;
            for number in 1..=limit {
                // The other side's are counted for themselves.
                if number < limit {
                    let event = rule(&officials.arbiter, &table, record(kind, Side::First)).await;
                    assert_eq!(end(&event.expect("recorded")), None);
                }
                let event = rule(&officials.arbiter, &table, record(kind, Side::Second)).await;
                let lost = (number == limit).then_some((Verdict::FirstWins, reason));
                assert_eq!(end(&event.expect("recorded")), lost, "{} of {limit}", plan.variant);
                let arbitration = table.arbitration().await;
                let [first, second] = [arbitration.first, arbitration.second].map(|count| {
                    let count = count.expect("a count");
                    if reason == violations { count.violations } else { count.warnings }
                });
                assert_eq!((first, second), (number.min(limit - 1), number));
            }

            cannot(&officials.arbiter, &table, record(kind, Side::First), "RESULT_FINAL").await;
            table.audited().await;
        }
    });
}

#[test]
fn mixed_up_colours_are_corrected_up_to_the_tenth_move() {
    in_every_shape(async |stage| {
        let officials = Officials::new(&stage).await;
        let (chief, players) = (&officials.chief, two_players(&stage).await);
        let correct = || Act::CorrectColours(CorrectColours {});
        let note = || Act::NoteColours(NoteColours {});
        let table = Table::between(&stage, players.clone(), JIU, officials.regulations()).await;
        table.play(&TEN).await;
        cannot(chief, &table, note(), "TOO_EARLY_TO_NOTE").await;
        rule(chief, &table, correct()).await.expect("the tenth move is not too late");
        let arbitration = table.arbitration().await;
        assert!(arbitration.seats_swapped && arbitration.assigned_swapped);
        let wrong = table.player(0).await.play(&table.id, "G1", 10, ONCE).await;
        assert_eq!(refused(wrong), "NOT_YOUR_TURN", "he has the second side now");
        table.player(1).await.play(&table.id, "G1", 10, ONCE).await.expect("she has the first");
        table.player(0).await.play(&table.id, "H1", 11, ONCE).await.expect("and he moves after her");
        let resigned = table.player(0).await.resign(&table.id, ONCE).await.expect("resigned");
        assert_eq!(end(&resigned), Some((Verdict::FirstWins, Reason::Resignation)));
        table.audited().await;

        let late = Table::between(&stage, players.clone(), JIU, officials.regulations()).await;
        late.play(&TEN).await;
        late.play(&["G1"]).await;
        cannot(chief, &late, correct(), "TOO_LATE_FOR_COLOURS").await;
        rule(chief, &late, note()).await.expect("noted");
        let arbitration = late.arbitration().await;
        assert!(!arbitration.seats_swapped && arbitration.assigned_swapped);
        late.play(&["H1"]).await;
        late.audited().await;

        let other = Table::between(&stage, players, go("1h"), officials.regulations()).await;
        cannot(chief, &other, correct(), "NOT_IN_THIS_VARIANT").await;
    });
}

#[test]
fn games_end_as_officials_declare_and_the_committee_annuls() {
    in_every_shape(async |stage| {
        let officials = Officials::new(&stage).await;
        let players = two_players(&stage).await;
        for (result, verdict, reason) in [
            (DeclaredResult::Draw, Verdict::Draw, Reason::Arbiter),
            (DeclaredResult::FirstLoses, Verdict::SecondWins, Reason::Arbiter),
            (DeclaredResult::SecondLoses, Verdict::FirstWins, Reason::Arbiter),
            (DeclaredResult::BothLose, Verdict::BothLose, Reason::Arbiter),
            (DeclaredResult::Replay, Verdict::Void, Reason::Replay),
        ] {
            let table = Table::between(&stage, players.clone(), go("1h"), officials.regulations()).await;
            table.play(&["C3", "G7"]).await;
            cannot(&officials.arbiter, &table, declare(result), "ROLE_MAY_NOT").await;
            cannot(&officials.committee, &table, declare(result), "ROLE_MAY_NOT").await;
            cannot(&players[0], &table, declare(result), "NO_ROLE").await;
            let event = rule(&officials.chief, &table, declare(result)).await.expect("the chief may");
            assert_eq!(end(&event), Some((verdict, reason)));
            assert_eq!(table.game_stage().await, GameStage::Final);
            cannot(&officials.chief, &table, declare(DeclaredResult::Draw), "RESULT_FINAL").await;
            let play = table.player(0).await.play(&table.id, "C7", 2, ONCE).await;
            assert_eq!(refused(play), "GAME_OVER");
            let annul = || Act::Annul(Annul {});
            cannot(&officials.chief, &table, annul(), "ROLE_MAY_NOT").await;
            let event = rule(&officials.committee, &table, annul()).await.expect("the committee may");
            assert_eq!(end(&event), Some((Verdict::Void, Reason::Committee)));
            cannot(&officials.committee, &table, annul(), "ANNULLED").await;
            table.audited().await;
        }
    });
}

#[test]
fn what_is_recorded_before_play_begins_counts_in_it() {
    in_every_shape(async |stage| {
        let officials = Officials::new(&stage).await;
        let (arbiter, minute) = (&officials.arbiter, Duration::from_mins(1));
        let start_time = Some(api::time::timestamp(stage.now() + minute));
        let table =
            Table::arranged(&stage, go("1h"), Regulations { start_time, ..officials.regulations() }).await;
        for (act, why) in
            [(pause(), "NOT_IN_PLAY"), (void(0), "NOT_IN_PLAY"), (add(Side::First, minute), "NO_CLOCK")]
        {
            cannot(arbiter, &table, act, why).await;
        }
        table.petition(0, call()).await.expect("he calls");
        rule(arbiter, &table, record(IncidentKind::Talking, Side::First)).await.expect("recorded");
        for who in [0, 1] {
            table.check_in(who).await.expect("there");
        }
        tokio::time::sleep(minute + Duration::from_secs(2)).await;
        assert_eq!(table.game_stage().await, GameStage::Playing);
        rule(arbiter, &table, Act::AnswerCall(AnswerCall { call: 1 })).await.expect("answered");
        let second = rule(arbiter, &table, record(IncidentKind::Talking, Side::First)).await;
        assert_eq!(end(&second.expect("recorded")), Some((Verdict::SecondWins, Reason::Warnings)));
        table.audited().await;
    });
}

#[test]
fn officials_who_act_at_once_act_one_after_the_other() {
    in_every_shape(async |stage| {
        let officials = Officials::new(&stage).await;
        let table = Table::arranged(&stage, JIRIGE, officials.regulations()).await;
        table.play(&["D4"]).await;
        let violation = || record(IncidentKind::Questions, Side::Second);
        let player = table.player(1).await;
        let (one, other, taken, paused, moved) = futures::join!(
            rule(&officials.arbiter, &table, violation()),
            rule(&officials.chief, &table, violation()),
            rule(&officials.chief, &table, deduct(Side::Second, Duration::from_mins(1))),
            rule(&officials.arbiter, &table, pause()),
            player.play(&table.id, "E4", 1, ONCE),
        );
        for event in [one, other, taken, paused] {
            event.expect("each has happened");
        }
        // The move was before the pause, or was not.
        let ply = table.state().await.ply;
        match moved {
            Ok(_) => assert_eq!(ply, 2),
            refusal => assert_eq!((refused(refusal).as_str(), ply), ("NOT_IN_PLAY", 1)),
        }
        rule(&officials.arbiter, &table, resume()).await.expect("resumed");
        let third = rule(&officials.arbiter, &table, violation()).await.expect("recorded");
        assert_eq!(end(&third), Some((Verdict::FirstWins, Reason::Violations)));
        table.audited().await;
    });
}
