//! Who is there, who is gone, and what becomes of a game whose player does not come back.

use std::time::Duration;

use api::{
    board::v1::{Reason, Side, Verdict},
    error::{metadata, reason},
    game::v1::{AbandonmentClaim, GameEvent, game_event::Event},
};
use futures::FutureExt as _;
use simulation::in_every_shape;
use tokio::task::JoinHandle;
use tonic::Status;

use super::table::{ONCE, Table, go, time_of};

/// How long it takes at most until everybody knows that somebody is gone.
const NOTICED: Duration = Duration::from_secs(20);
/// How long who plays a blitz may be gone.
const GRACE: time::Duration = time::Duration::seconds(45);

impl Table {
    /// A player is there until this is aborted: his client watches, and comes back however long it was kept away.
    fn attend(&self, who: usize) -> JoinHandle<()> {
        let (player, id) = (self.players[who].clone(), self.id.clone());
        tokio::spawn(async move {
            loop {
                let mut watched = player.watch(&id);
                while let Ok(seen) = watched.next().await {
                    if seen.is_none() {
                        return;
                    }
                }
            }
        })
    }

    async fn claim_absence(&self, who: usize, claim: AbandonmentClaim) -> Result<GameEvent, Status> {
        self.player(who).await.claim_abandonment(&self.id, claim, ONCE).await
    }
}

#[test]
fn who_does_not_come_back_can_be_claimed_against_and_need_not_be() {
    in_every_shape(async |stage| {
        for claim in [AbandonmentClaim::Win, AbandonmentClaim::Draw] {
            let table = Table::matched(&stage, go("5m"), false).await;
            let (_anna, bao) = (table.attend(0), table.attend(1));
            table.play(&["C3"]).await;
            // He has asked about the game when he came to it, and counts as there for 25 s by that alone.
            tokio::time::sleep(Duration::from_secs(10)).await;
            assert_eq!(
                reason(&table.claim_absence(0, claim).await.expect_err("she is there")),
                "OPPONENT_PRESENT"
            );
            let gone = stage.now();
            bao.abort();
            let left = |event: &GameEvent| match event.event.as_ref()? {
                Event::Left(left) => {
                    Some((event.author(), left.since_time?, left.claim_time?, time_of(event)))
                }
                _ => None,
            };
            let (side, since, until, told) = table.first_seen_by(0, left).await;
            assert_eq!(side, Side::Second);
            assert!(told - gone < NOTICED, "{}", told - gone);
            let [since, until] = [since, until].map(|at| api::time::moment(&at).expect("a time"));
            assert!((since - gone).abs() < time::Duration::seconds(6) && until == since + GRACE);
            // Whoever connects now sees it in one call.
            let absences = table.progress().await.absences;
            assert_eq!(absences.len(), 1);
            let early = table.claim_absence(0, claim).await.expect_err("it is too early");
            assert_eq!(reason(&early), "GRACE_RUNNING");
            assert_eq!(metadata(&early, "until"), Some(until.unix_timestamp().to_string()));
            // He waits longer than he has to.
            tokio::time::sleep(Duration::from_secs(70)).await;
            assert!(table.state().await.outcome.is_none(), "nobody is forced");
            let end = table.claim_absence(0, claim).await.expect("it is granted");
            let outcome = end.state.and_then(|state| state.outcome).expect("it is over");
            let verdict = if claim == AbandonmentClaim::Win { Verdict::FirstWins } else { Verdict::Draw };
            assert_eq!((outcome.verdict(), outcome.reason()), (verdict, Reason::Abandoned));
        }
    });
}

#[test]
fn who_comes_back_sees_all_and_both_see_him() {
    in_every_shape(async |stage| {
        let table = Table::matched(&stage, go("5m"), false).await;
        let (_anna, bao) = (table.attend(0), table.attend(1));
        table.play(&["C3"]).await;
        bao.abort();
        let left = |event: &GameEvent| matches!(event.event, Some(Event::Left(_))).then_some(());
        table.first_seen_by(0, left).await;
        let back = |event: &GameEvent| {
            matches!(event.event, Some(Event::Returned(_))).then(|| (event.author(), event.state.clone()))
        };
        assert!(table.first_seen_by(0, back).now_or_never().is_none());
        let _bao = table.attend(1);
        let (side, state) = table.first_seen_by(0, back).await;
        assert_eq!(side, Side::Second);
        assert!(state.and_then(|state| state.progress).expect("progress").absences.is_empty());
        assert_eq!(table.seen_by(1).await.acts.len(), 1);
        assert_eq!(
            reason(&table.claim_absence(0, AbandonmentClaim::Win).await.expect_err("she is there")),
            "OPPONENT_PRESENT"
        );
        table.play(&["G7"]).await;
    });
}

#[test]
fn an_outage_makes_nobody_absent() {
    in_every_shape(async |stage| {
        let table = Table::matched(&stage, go("10m"), false).await;
        let (_anna, _bao) = (table.attend(0), table.attend(1));
        table.play(&["C3"]).await;
        stage.crash(Duration::from_mins(3)).await;
        tokio::time::sleep(Duration::from_secs(30)).await;
        assert!(table.progress().await.absences.is_empty());
        assert!(!table.log().await.iter().any(|event| matches!(event.event, Some(Event::Left(_)))));
        table.play(&["G7"]).await;
    });
}
