//! What players agree on: taking back, resting, playing once more; and time as a gift.

use std::time::Duration;

use api::{
    board::v1::Side,
    clock::v1::PauseReason,
    game::v1::{
        AbortRequest, DropProposalRequest, GiveTimeRequest, Proposal as Wish, Regulations, ResignRequest,
        Stage,
        game_event::Event,
        proposal::{Pause, Proposal, Rematch, Resume, Undo},
    },
};

use super::{
    fixture::{Fixture, Replica, refused},
    statements::Statements,
};

const fn undo(ply: u32) -> Proposal {
    Proposal::Undo(Undo { ply })
}

async fn progress(replica: &Replica, id: &str) -> api::game::v1::Progress {
    replica.look(id).await.state.and_then(|state| state.progress).expect("progress")
}

#[tokio::test]
async fn moves_are_taken_back_when_both_wish_it() {
    for fixture in Fixture::all().await {
        let (one, two) = (fixture.replica().await, fixture.replica().await);
        let id = one.new_game_with(&fixture, |_| ()).await;
        assert_eq!(refused(one.propose(&fixture, &id, 0, undo(0)).await), "NOTHING_TO_UNDO");
        one.play_all(&fixture, &id, &["C3", "G7", "C7"]).await;
        two.look(&id).await;
        one.propose(&fixture, &id, 0, undo(0)).await.expect("proposed");
        assert_eq!(refused(one.propose(&fixture, &id, 0, undo(0)).await), "PROPOSAL_OPEN");
        // Another ply is another wish; the last one counts.
        one.propose(&fixture, &id, 0, undo(2)).await.expect("proposed");
        assert_eq!(progress(&one, &id).await.proposals.len(), 1);
        let agreed = two.propose(&fixture, &id, 1, undo(2)).await.expect("agreed");
        assert!(matches!(agreed.event, Some(Event::Agreed(_))));
        let state = agreed.state.expect("a state");
        assert_eq!((state.ply, state.actors), (2, vec![Side::First as i32]));
        assert_eq!(state.clock.expect("a clock").running, Side::First as i32);
        assert_eq!(agreed.board.expect("the position").stones.len(), 2);
        assert_eq!(agreed.clock_entries.len(), 2, "the clocks were stopped and set running");
        // Every replica, and one that knows the log only, goes on from there.
        one.play(&fixture, &id, 0, "E5", 2, &fixture.id()).await.expect("accepted");
        two.play(&fixture, &id, 1, "C7", 3, &fixture.id()).await.expect("the point is free again");
        let game = fixture.replica().await.look(&id).await;
        let acts: Vec<_> = game.acts.iter().map(|act| act.text.as_str()).collect();
        assert_eq!(acts, ["C3", "G7", "E5", "C7"]);
        let request = api::game::v1::ExportRecordRequest { game_id: id };
        let record = two.anybody().export_record(request).await.expect("exported").into_inner().text;
        assert_eq!(record.matches(";B[").count() + record.matches(";W[").count(), 4, "{record}");
    }
}

#[tokio::test]
async fn nothing_is_taken_back_in_a_rated_game_or_after_a_lapse() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let rated = replica.new_game(&fixture).await;
        replica.play_all(&fixture, &rated, &["C3"]).await;
        assert_eq!(refused(replica.propose(&fixture, &rated, 0, undo(0)).await), "UNDO_OFF");
        let casual = replica.new_game_with(&fixture, |_| ()).await;
        replica.play_all(&fixture, &casual, &["C3"]).await;
        replica.propose(&fixture, &casual, 0, undo(0)).await.expect("proposed");
        replica.play_all(&fixture, &casual, &[]).await;
        replica.play(&fixture, &casual, 1, "G7", 1, &fixture.id()).await.expect("played on");
        assert!(progress(&replica, &casual).await.proposals.is_empty(), "whoever plays on does not agree");
        let drop = |who: usize| {
            let request = DropProposalRequest {
                game_id: casual.clone(),
                proposal: Some(Wish { proposal: Some(undo(0)) }),
                request_id: fixture.id(),
            };
            let mut games = replica.caller(&fixture.players[who]);
            async move { games.drop_proposal(request).await }
        };
        assert_eq!(refused(drop(1).await), "NOTHING_PROPOSED");
        replica.propose(&fixture, &casual, 0, undo(0)).await.expect("proposed");
        drop(1).await.expect("declined");
        replica.propose(&fixture, &casual, 0, undo(0)).await.expect("proposed again");
        drop(0).await.expect("taken back");
        assert!(progress(&replica, &casual).await.proposals.is_empty());
    }
}

#[tokio::test]
async fn a_pause_stops_play_and_nobody_can_keep_the_other_waiting() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = replica.new_game(&fixture).await;
        let (pause, resume) = (Proposal::Pause(Pause {}), Proposal::Resume(Resume {}));
        assert_eq!(refused(replica.propose(&fixture, &id, 0, resume).await), "NOT_PAUSED");
        replica.propose(&fixture, &id, 0, pause).await.expect("proposed");
        let paused = replica.propose(&fixture, &id, 1, pause).await.expect("agreed").state.expect("a state");
        assert!(paused.actors.is_empty());
        let then = paused.progress.expect("progress");
        assert_eq!(then.pauses, [PauseReason::Players as i32]);
        assert_eq!(refused(replica.play(&fixture, &id, 0, "C3", 0, &fixture.id()).await), "NOT_IN_PLAY");
        replica.propose(&fixture, &id, 0, resume).await.expect("proposed");
        let state = replica.propose(&fixture, &id, 1, resume).await.expect("agreed").state.expect("a state");
        assert_eq!(state.actors, [Side::First as i32]);
        replica.play_all(&fixture, &id, &["C3"]).await;
        // One who does not answer keeps the other waiting for five minutes, not for ever.
        for who in [0, 1] {
            replica.propose(&fixture, &id, who, pause).await.expect("wished");
        }
        replica.propose(&fixture, &id, 1, resume).await.expect("proposed");
        replica.pass_time(&fixture, Duration::from_mins(4)).await;
        assert_eq!(refused(replica.play(&fixture, &id, 1, "G7", 1, &fixture.id()).await), "NOT_IN_PLAY");
        replica.pass_time(&fixture, Duration::from_mins(1)).await;
        replica.play(&fixture, &id, 1, "G7", 1, &fixture.id()).await.expect("the game goes on");
    }
}

#[tokio::test]
async fn a_rematch_is_made_once_with_the_sides_changed() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = replica.new_game(&fixture).await;
        let rematch = Proposal::Rematch(Rematch {});
        assert_eq!(refused(replica.propose(&fixture, &id, 0, rematch).await), "NOT_ENDED");
        let resign = api::game::v1::ResignRequest { game_id: id.clone(), request_id: fixture.id() };
        replica.caller(&fixture.players[0]).resign(resign).await.expect("resigned");
        replica.propose(&fixture, &id, 1, rematch).await.expect("proposed");
        let agreed = replica.propose(&fixture, &id, 0, rematch).await.expect("agreed");
        let progress = agreed.state.and_then(|state| state.progress).expect("progress");
        assert_eq!(progress.stage(), Stage::Final);
        assert_eq!(refused(replica.propose(&fixture, &id, 1, rematch).await), "NO_REMATCH");
        let next = wait_for(&replica, &progress.rematch_id).await;
        let info = next.info.expect("an info");
        let ids = [info.first, info.second].map(|seat| seat.expect("a seat").account_id);
        assert_eq!(ids, [1, 0].map(|who| fixture.players[who].id.to_string()));
        assert!(info.rated);
    }
}

#[tokio::test]
async fn time_is_given_to_the_other_side() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = replica.new_game(&fixture).await;
        let give = |seconds: i64| {
            let given_duration = Some(prost_types::Duration { seconds, nanos: 0 });
            let request = GiveTimeRequest { game_id: id.clone(), given_duration, request_id: fixture.id() };
            let mut games = replica.caller(&fixture.players[0]);
            async move { games.give_time(request).await }
        };
        assert_eq!(refused(give(0).await), "BAD_GIFT");
        assert_eq!(refused(give(601).await), "BAD_GIFT");
        let event = give(15).await.expect("given").into_inner().event.expect("an event");
        let Some(Event::TimeGiven(given)) = &event.event else { panic!("{event:?}") };
        assert_eq!(given.given_duration.map(|span| span.seconds), Some(15));
        assert_eq!(event.clock_entries.len(), 1);
    }
}

#[tokio::test]
async fn in_games_of_events_players_neither_abort_nor_give_time_nor_agree_on_either() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        for regulations in [
            Regulations { event_id: fixture.id(), ..Regulations::default() },
            Regulations { federation_id: fixture.id(), ..Regulations::default() },
        ] {
            let regulate =
                |request: &mut api::game::v1::CreateGameRequest| request.regulations = Some(regulations);
            let id = replica.new_game_with(&fixture, regulate).await;
            // Without officials a game is aborted until the second act.
            for acts in [&[][..], &["C3"], &["G7"]] {
                replica.play_all(&fixture, &id, acts).await;
                let before = replica.look(&id).await;
                for who in [0, 1] {
                    only_officials_do_it(&fixture, &replica, &id, who).await;
                }
                assert_eq!(replica.look(&id).await, before, "nothing has changed");
            }
            let resign = ResignRequest { game_id: id.clone(), request_id: fixture.id() };
            replica.caller(&fixture.players[0]).resign(resign).await.expect("who loses may say so");
            let rematch = Proposal::Rematch(Rematch {});
            assert_eq!(refused(replica.propose(&fixture, &id, 1, rematch).await), "OFFICIALS_ONLY");
        }
    }
}

/// Tries everything that players of a running game do without an arbiter where there are none.
async fn only_officials_do_it(fixture: &Fixture, replica: &Replica, id: &str, who: usize) {
    let mut games = replica.caller(&fixture.players[who]);
    let abort = AbortRequest { game_id: id.to_owned(), request_id: fixture.id() };
    assert_eq!(refused(games.abort(abort).await), "OFFICIALS_ONLY");
    let given_duration = Some(prost_types::Duration { seconds: 15, nanos: 0 });
    let gift = GiveTimeRequest { game_id: id.to_owned(), given_duration, request_id: fixture.id() };
    assert_eq!(refused(games.give_time(gift).await), "OFFICIALS_ONLY");
    for (proposal, reason) in [
        (Proposal::Pause(Pause {}), "OFFICIALS_ONLY"),
        (Proposal::Resume(Resume {}), "OFFICIALS_ONLY"),
        (undo(0), "UNDO_OFF"),
    ] {
        assert_eq!(refused(replica.propose(fixture, id, who, proposal).await), reason, "{proposal:?}");
    }
}

/// The game of an id, once the outbox has made it.
async fn wait_for(replica: &Replica, id: &str) -> api::game::v1::Game {
    let request = api::game::v1::GetGameRequest { game_id: id.to_owned() };
    for _ in 0..1000 {
        if let Ok(answer) = replica.anybody().get_game(request.clone()).await {
            return answer.into_inner().game.expect("a game");
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("the rematch was not made");
}

#[tokio::test]
async fn nobody_asks_for_the_same_again_and_again() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = replica.new_game_with(&fixture, |_| ()).await;
        replica.play_all(&fixture, &id, &["C3"]).await;
        let drop = async |proposal: Proposal| {
            let request = DropProposalRequest {
                game_id: id.clone(),
                proposal: Some(Wish { proposal: Some(proposal) }),
                request_id: fixture.id(),
            };
            replica.caller(&fixture.players[0]).drop_proposal(request).await
        };
        let pause = Proposal::Pause(Pause {});
        for (wish, most) in [(undo(0), 3), (pause, 3)] {
            for _ in 0..most {
                replica.propose(&fixture, &id, 0, wish).await.expect("proposed");
                drop(wish).await.expect("taken back");
            }
            assert_eq!(refused(replica.propose(&fixture, &id, 0, wish).await), "ASKED_TOO_OFTEN");
        }
        let gift = || GiveTimeRequest {
            game_id: id.clone(),
            given_duration: Some(api::time::duration(Duration::from_secs(15))),
            request_id: fixture.id(),
        };
        for _ in 0..3 {
            replica.caller(&fixture.players[0]).give_time(gift()).await.expect("given");
        }
        assert_eq!(refused(replica.caller(&fixture.players[0]).give_time(gift()).await), "ASKED_TOO_OFTEN");
        let offer = || api::game::v1::OfferDrawRequest { game_id: id.clone(), request_id: fixture.id() };
        let decline = || api::game::v1::DeclineDrawRequest { game_id: id.clone(), request_id: fixture.id() };
        for _ in 0..3 {
            replica.caller(&fixture.players[1]).offer_draw(offer()).await.expect("offered");
            replica.caller(&fixture.players[0]).decline_draw(decline()).await.expect("declined");
        }
        assert_eq!(refused(replica.caller(&fixture.players[1]).offer_draw(offer()).await), "ASKED_TOO_OFTEN");
        // The other side has tries of its own, an agreement is none, and a move gives new ones.
        replica.propose(&fixture, &id, 1, pause).await.expect("proposed");
        replica.propose(&fixture, &id, 0, pause).await.expect("agreed");
        for who in [1, 0] {
            replica.propose(&fixture, &id, who, Proposal::Resume(Resume {})).await.expect("wished");
        }
        replica.play_all(&fixture, &id, &["G7"]).await;
        replica.propose(&fixture, &id, 0, undo(0)).await.expect("proposed");
        // A replica that knows only the log knows how often somebody has asked.
        let other = fixture.replica().await;
        for _ in 0..2 {
            drop(undo(0)).await.expect("taken back");
            other.propose(&fixture, &id, 0, undo(0)).await.expect("proposed");
        }
        drop(undo(0)).await.expect("taken back");
        assert_eq!(refused(other.propose(&fixture, &id, 0, undo(0)).await), "ASKED_TOO_OFTEN");
    }
}

#[tokio::test]
async fn in_one_game_nobody_asks_for_ever() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = replica.new_game_with(&fixture, |_| ()).await;
        let pause = Proposal::Pause(Pause {});
        let acts = ["C3", "G7", "C7", "G3", "D4", "F6", "D6", "F4"];
        let mut asked = 0;
        let refusal = loop {
            if asked % 3 == 0 {
                replica.play_all(&fixture, &id, &acts[asked / 3..=asked / 3]).await;
            }
            match replica.propose(&fixture, &id, 0, pause).await {
                Ok(_) => asked += 1,
                Err(status) => break status,
            }
            let request = DropProposalRequest {
                game_id: id.clone(),
                proposal: Some(Wish { proposal: Some(pause) }),
                request_id: fixture.id(),
            };
            replica.caller(&fixture.players[0]).drop_proposal(request).await.expect("taken back");
        };
        assert_eq!((api::error::reason(&refusal).as_str(), asked), ("ASKED_TOO_OFTEN", 20));
        assert!(refusal.message().contains("in one game"), "{refusal}");
    }
}

#[tokio::test]
async fn a_wish_that_is_refused_whatever_was_played_is_refused_without_the_log() {
    for mut fixture in Fixture::all().await {
        let statements = Statements::of(&mut fixture).await;
        let replica = fixture.replica().await;
        let id = replica.new_game_with(&fixture, |_| ()).await;
        replica.play_all(&fixture, &id, &["C3", "G7", "C7"]).await;
        replica.propose(&fixture, &id, 0, undo(0)).await.expect("proposed");
        statements.take();
        assert_eq!(refused(replica.propose(&fixture, &id, 0, undo(0)).await), "PROPOSAL_OPEN");
        assert_eq!(statements.of_logs(), 2, "what others wrote since, and whether this was asked before");
    }
}

#[tokio::test]
async fn a_repeated_act_is_held_to_the_log_before_it_and_no_more() {
    const PLIES: usize = 300;
    for mut fixture in Fixture::all().await {
        let statements = Statements::of(&mut fixture).await;
        let replica = fixture.replica().await;
        let large = |request: &mut api::game::v1::CreateGameRequest| {
            request.options.insert("size".to_owned(), "19".to_owned());
        };
        let id = replica.new_game_with(&fixture, large).await;
        let first = fixture.id();
        // Each fills columns of his own, but for the last row.
        for ply in 0..PLIES {
            let (who, turn) = (ply % 2, ply / 2);
            let column = char::from(b"ABCDEFGHJKLMNOPQRST"[2 * (turn / 18) + who]);
            let (point, ply) = (format!("{column}{}", turn % 18 + 1), u32::try_from(ply).expect("few"));
            let request = if ply == 0 { first.clone() } else { fixture.id() };
            replica.play(&fixture, &id, who, &point, ply, &request).await.expect("the act is legal");
        }
        statements.take();
        // Written in another way, it has to be played to be known.
        let again = replica.play(&fixture, &id, 0, "a1", 0, &first).await.expect("it is the same");
        assert_eq!(again.sequence, 2);
        assert_eq!(
            statements.of_logs(),
            4,
            "what others wrote since, the request, its event, those before it"
        );
    }
}
