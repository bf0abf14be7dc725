//! The end of a game that is counted: what is dead, who says so, and what if they do not agree.

use std::time::Duration;

use api::{
    board::v1::{Reason, Side, Verdict},
    game::v1::{ListCountsRequest, SuggestActResponse},
};
use simulation::in_every_shape;

use super::table::{ONCE, Plan, Table, go, refused};

/// White's wall from top to bottom and Black's beside it; a black stone is lost behind White's.
const WALLS: [&str; 18] = [
    "E1", "F1", "E2", "F2", "E3", "F3", "E4", "F4", "E5", "F5", "E6", "F6", "E7", "F7", "E8", "F8", "E9",
    "F9",
];
const LOST: &str = "J9";

impl Table {
    /// A board that is divided, after both have passed.
    async fn divided(&self) {
        self.play(&WALLS).await;
        self.play(&[LOST, "pass", "pass"]).await;
        self.play_while("play", "pass").await;
        assert_eq!(self.state().await.phase, "agreement");
    }

    /// Whoever has the turn plays an act as long as the phase lasts.
    async fn play_while(&self, phase: &str, act: &str) {
        while self.state().await.phase == phase {
            self.play(&[act]).await;
        }
    }

    async fn suggestion(&self, who: usize) -> SuggestActResponse {
        self.player(who).await.suggestion(&self.id, ONCE).await.expect("a suggestion")
    }
}

#[test]
fn the_server_suggests_and_both_agree() {
    in_every_shape(async |stage| {
        let table = Table::matched(&stage, go("10m"), true).await;
        table.divided().await;
        let suggested = table.suggestion(0).await;
        assert_eq!(suggested.act, format!("dead {LOST}"));
        assert_eq!(table.suggestion(1).await, suggested, "it is the same for both");
        table.players[0].play(&table.id, &suggested.act, suggested.ply, ONCE).await.expect("he proposes it");
        table.players[1].play(&table.id, "accept", suggested.ply + 1, ONCE).await.expect("she agrees");
        let (outcome, _) = table.ended().await;
        assert_eq!((outcome.verdict(), outcome.reason()), (Verdict::FirstWins, Reason::Score));
        let request = ListCountsRequest { game_id: table.id.clone() };
        let counts = table.players[0].games().list_counts(request).await.expect("counts").into_inner().counts;
        assert!(!counts.is_empty() && counts.iter().all(|count| count.result == outcome.score), "{counts:?}");
    });
}

#[test]
fn a_changed_proposal_is_not_accepted_unseen() {
    in_every_shape(async |stage| {
        let table = Table::matched(&stage, go("10m"), true).await;
        table.divided().await;
        let [first, second] = &table.players;
        let ply = table.state().await.ply;
        first.play(&table.id, "dead J9", ply, ONCE).await.expect("he proposes");
        // Before she accepts, he thinks better of it; both calls are on their way at once.
        let change = first.play(&table.id, "dead -", ply + 1, ONCE);
        let accept = async {
            tokio::time::sleep(Duration::from_millis(30)).await;
            second.play(&table.id, "accept", ply + 1, ONCE).await
        };
        let (changed, accepted) = futures::join!(change, accept);
        changed.expect("he may");
        assert_eq!(refused(accepted), "STALE_PLY");
        assert!(table.state().await.outcome.is_none());
    });
}

#[test]
fn whoever_does_not_answer_loses_on_time() {
    in_every_shape(async |stage| {
        let table = Table::matched(&stage, go("1m"), true).await;
        table.divided().await;
        let ply = table.state().await.ply;
        table.players[0].play(&table.id, "dead J9", ply, ONCE).await.expect("he proposes");
        let running = table.state().await.clock.map(|clock| clock.running());
        assert_eq!(running, Some(Side::Second), "who is asked has the clock");
        tokio::time::sleep(Duration::from_secs(70)).await;
        let (outcome, _) = table.ended().await;
        assert_eq!((outcome.verdict(), outcome.reason()), (Verdict::FirstWins, Reason::Time));
    });
}

#[test]
fn a_dispute_is_settled_by_play() {
    in_every_shape(async |stage| {
        let jpd = Plan { variant: "jpd", ..go("10m") };
        for plan in [go("10m"), jpd] {
            let table = Table::matched(&stage, plan, false).await;
            table.divided().await;
            let before = table.state().await;
            let who = 0;
            table.players[who].play(&table.id, "dead -", before.ply, ONCE).await.expect("he proposes");
            table.players[1].play(&table.id, "reject", before.ply + 1, ONCE).await.expect("she disputes");
            let state = table.state().await;
            assert_eq!((state.phase.as_str(), state.actors.len()), ("resolution", 1), "{}", plan.variant);
            let running = state.clock.as_ref().map(api::clock::v1::ClockReading::running);
            assert_eq!(running, state.actors().next(), "the clocks go on");
            // She takes the stone that is lost: nobody can say any more that it lives.
            let mut turn = usize::from(state.actors().next() == Some(Side::Second));
            for (hers, act) in [(true, "H9"), (false, "pass"), (true, "J8"), (false, "pass")] {
                if turn != usize::from(hers) {
                    let ply = table.state().await.ply;
                    table.players[turn].play(&table.id, "pass", ply, ONCE).await.expect("a pass is legal");
                    turn = 1 - turn;
                }
                let ply = table.state().await.ply;
                table.players[turn].play(&table.id, act, ply, ONCE).await.expect("the act is legal");
                turn = 1 - turn;
            }
            let captured = !table
                .game()
                .await
                .board
                .expect("a board")
                .stones
                .iter()
                .any(|stone| stone.at.as_ref().is_some_and(|at| at.name == LOST));
            assert!(captured, "{}", plan.variant);
        }
    });
}
