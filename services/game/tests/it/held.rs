//! Sealed moves that cannot be played: they wait for an arbiter, who decides.

use std::time::Duration;

use api::{
    clock::v1::PauseReason,
    game::v1::{CreateGameRequest, GameEvent, Stage, adjournment_step::Step},
};
use chassis::id::AccountId;
use game::core::{
    By, ClockUpdate, Game, Official, PendingEvent, Progress, Role, SealRuling, Task, TimeStep, begin_sealing,
    decide_task, due, rule_on_sealed, set_resumption,
};
use rules::Side;
use sea_orm::ConnectionTrait as _;

use super::{
    fixture::{Fixture, Replica, refused},
    meeting::{absolute, adjournable, steps},
};

const SEALING: Duration = Duration::from_secs(9);
const PAUSE: Duration = Duration::from_secs(9);

/// A game in which a move has been sealed after these, and the resumption has come.
async fn opened(
    replica: &Replica,
    fixture: &Fixture,
    (variant, acts, sealed): (&str, &[&str], &str),
) -> String {
    let id = adjourned(replica, fixture, (variant, acts, sealed)).await;
    replica.pass(fixture, &id, PAUSE).await;
    id
}

async fn adjourned(
    replica: &Replica,
    fixture: &Fixture,
    (variant, acts, sealed): (&str, &[&str], &str),
) -> String {
    let regulate = |request: &mut CreateGameRequest| {
        if variant != "go" {
            request.options.clear();
        }
        variant.clone_into(&mut request.variant);
        request.time_control = Some(absolute(3600));
        request.regulations = Some(adjournable(fixture, SEALING, Some(SEALING + PAUSE)));
    };
    let id = replica.new_game_with(fixture, regulate).await;
    replica.play_all(fixture, &id, acts).await;
    replica.pass(fixture, &id, SEALING).await;
    replica.seal(fixture, &id, acts.len() % 2, sealed).await.expect("sealed");
    id
}

fn held(log: &[GameEvent]) -> String {
    match steps(log).last() {
        Some(Step::MoveHeld(held)) => held.reason.clone(),
        step => panic!("the move is held: {step:?}"),
    }
}

fn arbiter(fixture: &Fixture) -> By {
    let account = AccountId::from(fixture.env.uuid());
    By::Official(Official { account, name: "arbiter".to_owned(), role: Role::Arbiter })
}

/// The game after a draft, as if the clocks had nothing to say.
fn carried_out(game: &Game, fixture: &Fixture, pending: &PendingEvent) -> Game {
    let update = ClockUpdate { reading: game.clock().cloned(), ..ClockUpdate::default() };
    let mut after = game.clone();
    after.apply(&pending.finish(game, fixture.env.now(), update), &[]).expect("it can happen");
    after
}

/// The game after what is due by itself now, and what that does to the clocks.
fn gone_on(game: &Game, fixture: &Fixture) -> (Game, Vec<TimeStep>) {
    let due = due(game.position.as_ref(), game.updated, &game.state).expect("something is due");
    assert!(due.at <= fixture.env.now());
    let pending = decide_task(game, due.task, None).expect("it can be done");
    (carried_out(game, fixture, &pending), pending.time_steps)
}

#[tokio::test]
async fn what_the_rules_forbid_waits_for_an_arbiter() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let suicide: &[&str] = &["A2", "E5", "B1", "E6", "E7"];
        let cases = [
            (("go", suicide, "A1"), "SUICIDE"),
            (("go", &["C3"], "sesame"), "BAD_NOTATION"),
            (("go", &["C3"], ""), "BAD_NOTATION"),
            // This game has no pass.
            (("jirige", &["D4"], "D4"), "OCCUPIED"),
        ];
        for (case, reason) in cases {
            let id = opened(&replica, &fixture, case).await;
            let progress = replica.progress(&id).await;
            assert_eq!(progress.pauses, [PauseReason::Arbiter as i32]);
            assert_eq!(progress.stage(), Stage::Adjourned);
            let adjournment = progress.adjournment.expect("an adjournment");
            assert!(adjournment.undecided && adjournment.act.is_none());
            let log = replica.log(&id).await;
            assert_eq!(held(&log), reason);
            let opened = steps(&log).into_iter().rev().nth(1);
            assert!(matches!(opened, Some(Step::MoveOpened(opened)) if opened.act == case.2));
            let ply = u32::try_from(case.1.len()).expect("few");
            for who in [0, 1] {
                let played = replica.play(&fixture, &id, who, "E4", ply, &fixture.id()).await;
                assert_eq!(refused(played), "NOT_IN_PLAY");
            }
            replica.pass(&fixture, &id, Duration::from_secs(5)).await;
            assert_eq!(replica.log(&id).await.len(), log.len(), "nothing happens by itself");
        }
    }
}

#[tokio::test]
async fn what_cannot_be_opened_waits_for_an_arbiter() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let id = adjourned(&replica, &fixture, ("go", &["C3"], "E5")).await;
        drop(replica);
        let database = &fixture.database.database;
        database.write().execute_unprepared("DELETE FROM sealing_keys").await.expect("the key is lost");
        let replica = fixture.replica().await;
        replica.pass(&fixture, &id, PAUSE).await;
        assert_eq!(held(&replica.log(&id).await), "UNREADABLE");
        assert!(replica.adjournment(&id).await.undecided);
    }
}

#[tokio::test]
async fn an_arbiter_has_another_move_played_in_its_place() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let id = opened(&replica, &fixture, ("go", &["C3"], "sesame")).await;
        let game = game::history::audit(&replica.log(&id).await).expect("a log");
        let by = arbiter(&fixture);
        let rule = |ruling| rule_on_sealed(&game, by.clone(), ruling, "by the score sheet".to_owned());
        let illegal = rule(SealRuling::Act("C3".to_owned())).expect_err("a stone stands there");
        assert_eq!(illegal.reason(), "OCCUPIED");
        for act in ["G7", "pass"] {
            let pending = rule(SealRuling::Act(act.to_owned())).expect("decided");
            assert_eq!(pending.time_steps, [TimeStep::Resume(game::core::PauseReason::Arbiter)]);
            let ruled = carried_out(&game, &fixture, &pending);
            assert!(ruled.progress().pauses.is_empty() && !ruled.progress().adjournment.undecided);
            let (played, time_steps) = gone_on(&ruled, &fixture);
            let next = TimeStep::Turn { author: Some(Side::Second), next: Some(Side::First) };
            assert_eq!(time_steps, [next], "then the opponent's clock starts");
            assert_eq!(
                (played.state.ply, played.progress()),
                (2, &Progress::new(game::core::Stage::Playing))
            );
        }
    }
}

#[tokio::test]
async fn an_arbiter_gives_the_turn_back() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let id = opened(&replica, &fixture, ("go", &["C3"], "sesame")).await;
        let game = game::history::audit(&replica.log(&id).await).expect("a log");
        let pending = rule_on_sealed(&game, arbiter(&fixture), SealRuling::TurnBack, "a slip".to_owned());
        let pending = pending.expect("decided");
        let resume = TimeStep::Resume(game::core::PauseReason::Arbiter);
        assert_eq!(pending.time_steps, [resume, TimeStep::Start(Side::Second)]);
        let ruled = carried_out(&game, &fixture, &pending);
        assert!(ruled.progress().in_play() && ruled.state.actors == rules::Actors::One(Side::Second));
        let again = rule_on_sealed(&ruled, arbiter(&fixture), SealRuling::TurnBack, String::new());
        assert_eq!(again.expect_err("nothing is held").reason(), "NOTHING_HELD");
    }
}

#[tokio::test]
async fn an_arbiter_adjourns_the_game_and_sets_when_it_goes_on() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let regulate = |request: &mut CreateGameRequest| {
            request.regulations = Some(adjournable(&fixture, Duration::from_hours(1), None));
        };
        let id = replica.new_game_with(&fixture, regulate).await;
        let game = game::history::audit(&replica.log(&id).await).expect("a log");
        let by = arbiter(&fixture);
        let now = fixture.env.now();
        let early = set_resumption(&game, by.clone(), now).expect_err("it is being played");
        assert_eq!(early.reason(), "NOT_ADJOURNED");
        let sealing = carried_out(&game, &fixture, &begin_sealing(&game, by.clone()).expect("it can be"));
        assert_eq!(sealing.progress().stage, game::core::Stage::Sealing);
        assert_eq!(sealing.progress().adjournment.sealer, Some(Side::First));
        assert_eq!(begin_sealing(&sealing, by.clone()).expect_err("it is").reason(), "NOT_IN_PLAY");
        drop(replica);
        let replica = fixture.replica().await;
        let id = adjourned(&replica, &fixture, ("go", &["C3"], "E5")).await;
        let adjourned = game::history::audit(&replica.log(&id).await).expect("a log");
        let at = fixture.later(Duration::from_hours(2));
        let set = carried_out(&adjourned, &fixture, &set_resumption(&adjourned, by, at).expect("set"));
        assert_eq!(set.progress().adjournment.resumption, Some(at));
        let next = due(set.position.as_ref(), set.updated, &set.state).expect("due");
        assert_eq!((next.at, next.task), (at - Duration::from_mins(10), Task::AnnounceResumption));
    }
}
