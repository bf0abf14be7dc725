//! What needs both players: draws, moves taken back, pauses, time given, rematches; and what one may do alone.

use std::time::Duration;

use api::{
    board::v1::{Reason, Verdict},
    game::v1::{
        GetGameRequest, Stage as GameStage,
        proposal::{Pause, Proposal, Rematch, Resume, Undo},
    },
};
use simulation::in_every_shape;

use super::table::{ONCE, Plan, Table, go, refused};

const JIRIGE: Plan<'_> = Plan { variant: "jirige", options: &[], control: "30m" };

impl Table {
    /// The first act that the server names to a player who may act, and its ply.
    async fn hint(&self, who: usize) -> (String, u32) {
        let side = [api::board::v1::Side::First, api::board::v1::Side::Second][who] as i32;
        let request = api::game::v1::ListHintsRequest { game_id: self.id.clone(), side };
        let answer = self.player(who).await.games().list_hints(request).await.expect("hints").into_inner();
        let hint = answer.hints.iter().find(|hint| hint.choices_left == 0).expect("an act that owes nothing");
        (hint.text.clone(), answer.ply)
    }
}

#[test]
fn a_draw_needs_both() {
    in_every_shape(async |stage| {
        let table = Table::matched(&stage, go("10m"), true).await;
        table.play(&["C3", "G7"]).await;
        let [first, second] = &table.players;
        first.offer_draw(&table.id, ONCE).await.expect("it is his turn");
        second.decline_draw(&table.id, ONCE).await.expect("she declines");
        assert_eq!(refused(second.accept_draw(&table.id, ONCE).await), "NO_OFFER");
        table.play(&["E5"]).await;
        second.offer_draw(&table.id, ONCE).await.expect("it is her turn");
        first.accept_draw(&table.id, ONCE).await.expect("he agrees");
        let (outcome, _) = table.ended().await;
        assert_eq!((outcome.verdict(), outcome.reason()), (Verdict::Draw, Reason::Agreement));
    });
}

#[test]
fn in_jirige_only_the_other_side_may_offer_again() {
    in_every_shape(async |stage| {
        let table = Table::matched(&stage, JIRIGE, true).await;
        let [first, second] = &table.players;
        assert_eq!(refused(second.offer_draw(&table.id, ONCE).await), "NOT_YOUR_TURN");
        first.offer_draw(&table.id, ONCE).await.expect("it is his turn");
        second.decline_draw(&table.id, ONCE).await.expect("she declines");
        for who in [0, 1] {
            let (act, ply) = table.hint(who).await;
            table.players[who].play(&table.id, &act, ply, ONCE).await.expect("the server has named it");
        }
        assert_eq!(refused(first.offer_draw(&table.id, ONCE).await), "OFFER_REPEATED");
        let (act, ply) = table.hint(0).await;
        first.play(&table.id, &act, ply, ONCE).await.expect("the server has named it");
        second.offer_draw(&table.id, ONCE).await.expect("she has declined, and may");
    });
}

#[test]
fn a_move_is_taken_back_when_both_wish_it_and_never_in_a_rated_game() {
    in_every_shape(async |stage| {
        let undo = |ply| Proposal::Undo(Undo { ply });
        let table = Table::matched(&stage, go("10m"), false).await;
        table.play(&["C3", "G7", "E5"]).await;
        table.propose(0, undo(2)).await.expect("he asks");
        assert_eq!(table.state().await.ply, 3);
        table.propose(1, undo(2)).await.expect("she agrees");
        let game = table.game().await;
        assert_eq!((game.acts.len(), game.state.expect("a state").ply), (2, 2));
        table.play(&["E4"]).await;
        let rated = Table::matched(&stage, go("10m"), true).await;
        rated.play(&["C3"]).await;
        assert_eq!(refused(rated.propose(0, undo(0)).await), "UNDO_OFF");
    });
}

#[test]
fn nobody_is_charged_for_a_pause_on_which_both_agree() {
    in_every_shape(async |stage| {
        let table = Table::matched(&stage, go("1m"), false).await;
        table.play(&["C3"]).await;
        for who in [0, 1] {
            table.propose(who, Proposal::Pause(Pause {})).await.expect("he may");
        }
        tokio::time::sleep(Duration::from_mins(5)).await;
        assert_eq!(table.game_stage().await, GameStage::Playing);
        let (ply, player) = (table.state().await.ply, table.player(1).await);
        assert_eq!(refused(player.play(&table.id, "G7", ply, ONCE).await), "NOT_IN_PLAY");
        for who in [1, 0] {
            table.propose(who, Proposal::Resume(Resume {})).await.expect("he may");
        }
        let flag = table.state().await.clock.and_then(|clock| clock.flag_time).expect("a clock runs");
        let left = api::time::moment(&flag).expect("a time") - stage.now();
        assert!(left > time::Duration::seconds(58), "{left}");
    });
}

#[test]
fn time_is_given_to_the_other_side_only() {
    in_every_shape(async |stage| {
        let table = Table::matched(&stage, go("1m"), false).await;
        table.play(&["C3"]).await;
        let before = table.main_times().await;
        table.players[0].give_time(&table.id, Duration::from_secs(15), ONCE).await.expect("he may");
        let after = table.main_times().await;
        let given = [0, 1].map(|side| after[side].saturating_sub(before[side]));
        // Hers is read at its turn, which is not over.
        assert_eq!(given, [Duration::ZERO, Duration::from_secs(15)]);
    });
}

#[test]
fn a_game_that_has_hardly_begun_can_be_aborted() {
    in_every_shape(async |stage| {
        let table = Table::matched(&stage, go("1m"), true).await;
        table.play(&["C3"]).await;
        table.players[1].abort(&table.id, ONCE).await.expect("she has not moved");
        let (outcome, _) = table.ended().await;
        assert_eq!((outcome.verdict(), outcome.reason()), (Verdict::Void, Reason::Aborted));
        let begun = Table::matched(&stage, go("1m"), true).await;
        begun.play(&["C3", "G7"]).await;
        assert_eq!(refused(begun.players[0].abort(&begun.id, ONCE).await), "TOO_LATE_TO_ABORT");
    });
}

#[test]
fn the_rematch_has_the_colours_reversed() {
    in_every_shape(async |stage| {
        let table = Table::matched(&stage, go("1m"), true).await;
        table.play(&["C3", "G7"]).await;
        table.players[0].resign(&table.id, ONCE).await.expect("he may");
        for who in [1, 0] {
            table.propose(who, Proposal::Rematch(Rematch {})).await.expect("he may");
        }
        let rematch = table.progress().await.rematch_id;
        assert!(!rematch.is_empty());
        let request = GetGameRequest { game_id: rematch };
        let info = loop {
            let answer = table.players[0].games().get_game(request.clone()).await;
            match answer.map(|answer| answer.into_inner().game.and_then(|game| game.info).expect("an info")) {
                Ok(info) => break info,
                Err(status) => assert_eq!(api::error::reason(&status), "UNKNOWN_GAME"),
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        };
        let seats = [info.first, info.second].map(|seat| seat.expect("a seat").account_id);
        let [first, second] = table.players.each_ref().map(|player| player.account().id.clone());
        assert_eq!(seats, [second, first]);
        assert!(info.rated);
    });
}
