//! Games that begin at a time, and games that go on another day.

use std::time::Duration;

use api::{
    board::v1::{Reason, Side, Verdict},
    game::v1::{
        GameEvent, Regulations, Stage as GameStage,
        adjournment_step::Step,
        game_event::Event,
        proposal::Proposal,
        proposal::ResumeAt,
        ruling::{Act, Annul, BeginSealing, SetResumption},
    },
};
use chassis::id::EventId;
use simulation::in_every_shape;
use tonic::Status;

use super::table::{ONCE, Officials, Table, go, refused, rule, time_of};

const START: Duration = Duration::from_mins(5);
const LATENESS: Duration = Duration::from_mins(15);

impl Table {
    pub(crate) async fn check_in(&self, who: usize) -> Result<GameEvent, Status> {
        self.player(who).await.check_in(&self.id, ONCE).await
    }

    async fn seal(&self, who: usize, act: &str) -> Result<GameEvent, Status> {
        let (ply, mut rng) = (self.state().await.ply, self.stage.rng());
        self.player(who).await.seal_move(&self.id, act, ply, &mut rng, ONCE).await
    }
}

/// A game of an event that begins in a while.
fn appointment(officials: &Officials, now: time::OffsetDateTime) -> Regulations {
    Regulations { start_time: Some(api::time::timestamp(now + START)), ..officials.regulations() }
}

#[test]
fn whoever_is_late_is_charged_his_minutes() {
    in_every_shape(async |stage| {
        let officials = Officials::new(&stage).await;
        let table = Table::arranged(&stage, go("1h"), appointment(&officials, stage.now())).await;
        assert_eq!(table.game_stage().await, GameStage::Waiting);
        table.check_in(0).await.expect("he is there");
        assert_eq!(refused(table.check_in(0).await), "CHECKED_IN");
        tokio::time::sleep(START + Duration::from_mins(7)).await;
        assert_eq!(table.game_stage().await, GameStage::Waiting, "a quarter of an hour is waited");
        table.check_in(1).await.expect("he is there");
        assert_eq!(table.game_stage().await, GameStage::Playing);
        let [first, second] = table.main_times().await;
        let charged = first.saturating_sub(second);
        assert!(charged.abs_diff(Duration::from_mins(7)) < Duration::from_secs(1), "{charged:?}");
        table.play(&["C3"]).await;
    });
}

#[test]
fn whoever_does_not_come_has_lost_and_of_two_both() {
    in_every_shape(async |stage| {
        let officials = Officials::new(&stage).await;
        let one = Table::arranged(&stage, go("1h"), appointment(&officials, stage.now())).await;
        let none = Table::arranged(&stage, go("1h"), appointment(&officials, stage.now())).await;
        one.check_in(1).await.expect("she is there");
        let limit = stage.now() + START + LATENESS;
        for (table, verdict) in [(one, Verdict::SecondWins), (none, Verdict::BothLose)] {
            let (outcome, at) = table.ended().await;
            assert_eq!((outcome.verdict(), outcome.reason()), (verdict, Reason::Late));
            let late = at - limit;
            assert!(late.abs() < time::Duration::seconds(2), "{late}");
        }
    });
}

#[test]
fn a_sealed_move_is_opened_when_the_game_goes_on() {
    in_every_shape(async |stage| {
        let officials = Officials::new(&stage).await;
        let plan = go("1h+10s");
        let regulations = Regulations { adjournable: true, ..officials.regulations() };
        let table = Table::arranged(&stage, plan, regulations).await;
        table.play(&["C3", "G7"]).await;
        rule(&officials.chief, &table, Act::BeginSealing(BeginSealing {})).await.expect("the chief may");
        assert_eq!(refused(table.seal(1, "E5").await), "NOT_YOUR_TURN");
        tokio::time::sleep(Duration::from_secs(30)).await;
        table.seal(0, "E5").await.expect("it is sealed");
        assert_eq!(table.game_stage().await, GameStage::Adjourned);
        // Nobody sees what was sealed before it is opened, whoever asks and whatever breaks meanwhile.
        stage.crash(Duration::from_secs(20)).await;
        for who in [0, 1] {
            assert_eq!(table.seen_by(who).await.acts.len(), 2);
        }
        let at = stage.now() + Duration::from_mins(15);
        let resume = |at| Proposal::ResumeAt(ResumeAt { resumption_time: Some(api::time::timestamp(at)) });
        table.propose(0, resume(at)).await.expect("he proposes a time");
        table.propose(1, resume(at)).await.expect("she agrees");
        let later = at + Duration::from_mins(5);
        let set = Act::SetResumption(SetResumption { resumption_time: Some(api::time::timestamp(later)) });
        rule(&officials.chief, &table, set).await.expect("the chief may move it");
        let step = |event: &GameEvent| match event.event.as_ref()? {
            Event::Adjournment(step) => Some((step.step.clone()?, time_of(event))),
            _ => None,
        };
        let announced =
            table.first(|event| step(event).filter(|(it, _)| matches!(it, Step::ResumptionAnnounced(_))));
        let notice = later - announced.await.1;
        assert!((notice - time::Duration::minutes(10)).abs() < time::Duration::seconds(2), "{notice}");
        let opened =
            table.first(|event| step(event).filter(|(it, _)| matches!(it, Step::MoveOpened(_)))).await;
        assert!((opened.1 - later).abs() < time::Duration::seconds(2), "{}", opened.1);
        let game = table.game().await;
        assert_eq!(game.acts.last().map(|act| (act.side(), act.text.as_str())), Some((Side::First, "E5")));
        // He who sealed has thought on his own clock, and has what a move earns; nobody pays for the night.
        let [first, second] = table.main_times().await;
        assert!(first < Duration::from_hours(1) && first > Duration::from_mins(59), "{first:?}");
        assert!(second > Duration::from_mins(59), "{second:?}");
        table.play(&["C7"]).await;
    });
}

#[test]
fn officials_do_what_is_theirs_and_no_more() {
    in_every_shape(async |stage| {
        let officials = Officials::new(&stage).await;
        let table = Table::arranged(&stage, go("1h"), officials.regulations()).await;
        let elsewhere = Regulations { event_id: stage.id::<EventId>().to_string(), ..Regulations::default() };
        let other = Table::arranged(&stage, go("1h"), elsewhere).await;
        let seal = || Act::BeginSealing(BeginSealing {});
        let annul = || Act::Annul(Annul {});
        assert_eq!(refused(rule(&officials.chief, &other, seal()).await), "NO_ROLE");
        assert_eq!(refused(rule(&officials.arbiter, &table, annul()).await), "ROLE_MAY_NOT");
        assert_eq!(refused(rule(&table.players[0], &table, annul()).await), "NO_ROLE");
        rule(&officials.committee, &table, annul()).await.expect("the committee may");
        assert_eq!(table.ended().await.0.verdict(), Verdict::Void);
    });
}
