//! Drafts that several officials change at once, and what is sent twice.

use std::collections::BTreeSet;

use api::federation::v1::{self as pb, event_log_body::Fact, pairing_edit::Edit};
use futures::StreamExt as _;
use prost::Message as _;
use tonic::Status;

use crate::{
    fixture::{Fixture, Person, fixtures, reason},
    held::{Held, begin, change, enter, get_round, held, pair, play, run, settings},
};

fn turned(table: u32) -> Vec<pb::PairingEdit> {
    vec![pb::PairingEdit { edit: Some(Edit::Turn(pb::pairing_edit::Turn { table })) }]
}

fn swapped(one: u32, other: u32) -> Vec<pb::PairingEdit> {
    vec![pb::PairingEdit { edit: Some(Edit::Swap(pb::pairing_edit::Swap { one, other })) }]
}

/// A change of the draft, to be sent as often as somebody likes.
fn edits(held: &Held, round: u32, edits: Vec<pb::PairingEdit>, reason: &str) -> pb::EditPairingsRequest {
    pb::EditPairingsRequest {
        event_id: held.id.clone(),
        request_id: held.chief.request(),
        round,
        edits,
        reason: reason.to_owned(),
        ..Default::default()
    }
}

async fn send(person: &Person, request: &pb::EditPairingsRequest) -> Result<(), Status> {
    person.events.clone().edit_pairings(request.clone()).await.map(drop)
}

async fn draft(held: &Held, round: u32) -> pb::Round {
    get_round(&held.chief, held, round).await.expect("a draft")
}

async fn running(fixture: &Fixture, rounds: u32, players: usize) -> Held {
    let held = held(fixture, settings(rounds)).await;
    enter(fixture, &held, players).await;
    run(&held).await;
    held
}

#[tokio::test]
async fn a_change_that_is_sent_again_is_made_once() {
    for fixture in fixtures().await {
        let held = running(&fixture, 3, 6).await;
        let paired = pair(&held, 1).await.expect("paired");
        let first = edits(&held, 1, turned(1), "asked for");
        let second = edits(&held, 1, turned(2), "asked for, too");
        for request in [&first, &second, &first, &second, &first] {
            send(&held.chief, request).await.expect("changed, or known");
        }
        let draft = draft(&held, 1).await;
        assert_eq!(draft.edits.len(), 2, "{}: {:?}", fixture.kind, draft.edits);
        for (before, after) in paired.pairings.iter().zip(&draft.pairings).take(2) {
            assert_eq!((before.first, before.second), (after.second, after.first));
        }
        let moved = pb::EditPairingsRequest { expected_sequence: 1, ..edits(&held, 1, turned(3), "late") };
        assert_eq!(reason(send(&held.chief, &moved).await), "SEQUENCE_MOVED");
    }
}

/// An id stands for what it was sent with, whoever of drafts and log knows it.
#[tokio::test]
async fn a_request_that_is_known_is_used_for_nothing_else() {
    for fixture in fixtures().await {
        let held = running(&fixture, 3, 6).await;
        let paired = held.chief.request();
        let request = pb::PairRoundRequest {
            event_id: held.id.clone(),
            request_id: paired.clone(),
            round: 1,
            ..Default::default()
        };
        let answers = held.chief.events.clone().pair_round(request).await.expect("paired").into_inner();
        answers.for_each(|answer| async { drop(answer.expect("paired")) }).await;
        let of_pairing = pb::EditPairingsRequest { request_id: paired, ..edits(&held, 1, turned(1), "no") };
        assert_eq!(reason(send(&held.chief, &of_pairing).await), "REQUEST_ID_REUSED", "{}", fixture.kind);
        let first = edits(&held, 1, turned(1), "asked for");
        send(&held.chief, &first).await.expect("changed");
        let other = pb::EditPairingsRequest { edits: turned(2), ..first.clone() };
        assert_eq!(reason(send(&held.chief, &other).await), "REQUEST_ID_REUSED");
        assert_eq!(draft(&held, 1).await.edits.len(), 1, "nothing of it was done");
        let mut chief = held.chief.events.clone();
        let (event_id, request_id) = (held.id.clone(), first.request_id.clone());
        let publish = pb::PublishRoundRequest { event_id, request_id, round: 1, ..Default::default() };
        assert_eq!(reason(chief.publish_round(publish.clone()).await), "REQUEST_ID_REUSED");
        let publish = pb::PublishRoundRequest { request_id: held.chief.request(), ..publish };
        let public = chief.publish_round(publish.clone()).await.expect("published").into_inner();
        // What was made stays made, and what was not is told that there is nothing to change.
        send(&held.chief, &first).await.expect("it was made");
        assert_eq!(reason(send(&held.chief, &other).await), "REQUEST_ID_REUSED");
        assert_eq!(reason(send(&held.chief, &edits(&held, 1, turned(1), "late")).await), "NO_DRAFT");
        assert_eq!(chief.publish_round(publish).await.expect("again").into_inner(), public);
    }
}

#[tokio::test]
async fn a_draft_is_changed_only_so_often() {
    for fixture in fixtures().await {
        let held = running(&fixture, 3, 6).await;
        pair(&held, 1).await.expect("paired");
        let often = || turned(1).into_iter().cycle().take(100).collect();
        for _ in 0..5 {
            send(&held.chief, &edits(&held, 1, often(), "again")).await.expect("changed");
        }
        let refused = send(&held.chief, &edits(&held, 1, turned(1), "once more")).await;
        assert_eq!(reason(refused), "TOO_MANY_EDITS", "{}", fixture.kind);
        assert_eq!(draft(&held, 1).await.edits.len(), 500);
        pair(&held, 1).await.expect("paired again");
        send(&held.chief, &edits(&held, 1, turned(1), "once more")).await.expect("changed");
    }
}

/// The pairing of a draft, sent again after it was changed, does not undo the change.
#[tokio::test]
async fn a_pairing_that_is_sent_again_keeps_what_was_changed() {
    for fixture in fixtures().await {
        let held = running(&fixture, 3, 6).await;
        let (event_id, request_id) = (held.id.clone(), held.chief.request());
        let request = pb::PairRoundRequest { event_id, request_id, round: 1, ..Default::default() };
        for sent in 0..2 {
            let answers = held.chief.events.clone().pair_round(request.clone()).await.expect("paired");
            let answers: Vec<_> = answers.into_inner().collect().await;
            assert!(answers.iter().all(Result::is_ok), "{answers:?}");
            if sent == 0 {
                send(&held.chief, &edits(&held, 1, turned(1), "asked for")).await.expect("changed");
            }
        }
        assert_eq!(draft(&held, 1).await.edits.len(), 1, "{}", fixture.kind);
        // Paired again by another request, it is another draft.
        pair(&held, 1).await.expect("paired");
        assert_eq!(draft(&held, 1).await.edits.len(), 0, "{}", fixture.kind);
    }
}

#[tokio::test]
async fn changes_at_the_same_time_are_all_made() {
    for fixture in fixtures().await {
        let held = running(&fixture, 3, 6).await;
        pair(&held, 1).await.expect("paired");
        let requests: Vec<_> = (0..6)
            .map(|number| edits(&held, 1, turned(number % 3 + 1), &format!("change {number}")))
            .collect();
        let sent = requests.iter().map(|request| send(&held.chief, request));
        let answers = futures::future::join_all(sent).await;
        assert!(answers.iter().all(Result::is_ok), "{}: {answers:?}", fixture.kind);
        let draft = draft(&held, 1).await;
        assert_eq!(draft.edits.len(), requests.len(), "{}: {:?}", fixture.kind, draft.edits);
    }
}

/// What is answered with OK is in the round, and what is not in the round was not answered so.
#[tokio::test]
async fn a_change_comes_before_the_round_is_public_or_not_at_all() {
    for fixture in fixtures().await {
        let held = running(&fixture, 3, 6).await;
        for attempt in 0..4 {
            pair(&held, 1).await.expect("paired");
            let request = edits(&held, 1, turned(1), "asked for");
            let publish =
                async { change!(held, held.chief, publish_round, PublishRoundRequest { round: 1 }) };
            let (published, changed) = tokio::join!(publish, send(&held.chief, &request));
            published.expect("published, with the change or without");
            let public = get_round(&held.chief, &held, 1).await.expect("public");
            assert_eq!(
                public.edits.len(),
                usize::from(changed.is_ok()),
                "{}, attempt {attempt}: {changed:?}",
                fixture.kind
            );
            let reason = "once more".to_owned();
            change!(held, held.chief, retract_round, RetractRoundRequest { round: 1, reason }).expect("back");
        }
    }
}

/// 1.3: the chief arbiter alone lifts rules, and the round says so.
#[tokio::test]
async fn a_rule_is_lifted_by_the_chief_arbiter_alone() {
    for fixture in fixtures().await {
        let held = running(&fixture, 3, 6).await;
        let deputy = fixture.person("deputy");
        let (account_id, role) = (deputy.id(), pb::EventRole::Deputy.into());
        let founder = &held.federation.founder;
        change!(held, founder, appoint_official, AppointOfficialRequest { account_id, role })
            .expect("appointed");
        begin(&held, 1).await;
        play(&fixture, &held, 1).await;
        let met = get_round(&held.chief, &held, 1).await.expect("public").pairings[0].clone();
        let paired = pair(&held, 2).await.expect("paired");
        let board = paired.pairings.iter().find(|it| [it.first, it.second].contains(&met.first));
        let board = board.expect("he plays");
        let partner = if board.first == met.first { board.second } else { board.first };
        let again = edits(&held, 2, swapped(partner, met.second), "nobody else is there");
        let refused = send(&deputy, &again).await;
        assert_eq!(reason(refused), "PAIRING_BREAKS_RULE", "{}", fixture.kind);
        assert_eq!(draft(&held, 2).await.edits.len(), 0, "nothing has changed");
        send(&deputy, &edits(&held, 2, turned(1), "asked for")).await.expect("that breaks no rule");
        send(&held.chief, &again).await.expect("he may");
        change!(held, deputy, publish_round, PublishRoundRequest { round: 2 }).expect("published");
        let public = get_round(&held.chief, &held, 2).await.expect("public");
        assert_eq!(public.relaxed(), pb::Relaxed::Rematches);
        assert!(public.edits.iter().any(|it| it.starts_with("rules were lifted")), "{:?}", public.edits);
    }
}

/// Two organisers press the same button at once.
#[tokio::test]
async fn what_two_publish_and_start_at_once_is_there_once() {
    for fixture in fixtures().await {
        let held = held(&fixture, settings(2)).await;
        enter(&fixture, &held, 6).await;
        run(&held).await;
        pair(&held, 1).await.expect("paired");
        let publish = || async { change!(held, held.chief, publish_round, PublishRoundRequest { round: 1 }) };
        let (one, other) = tokio::join!(publish(), publish());
        assert_ne!(one.is_ok(), other.is_ok(), "{}: {one:?} {other:?}", fixture.kind);
        let refused = reason(if one.is_ok() { other } else { one });
        assert!(["NO_DRAFT", "PAIRING_STALE"].contains(&refused.as_str()), "{}: {refused}", fixture.kind);
        let start = || async { change!(held, held.chief, start_round, StartRoundRequest { round: 1 }) };
        let (one, other) = tokio::join!(start(), start());
        assert_ne!(one.is_ok(), other.is_ok(), "{}: {one:?} {other:?}", fixture.kind);
        assert_eq!(reason(if one.is_ok() { other } else { one }), "BAD_ROUND", "{}", fixture.kind);

        let games = fixture.games.wait_for(3, &fixture.time).await;
        let made: BTreeSet<String> = games.into_iter().map(|game| game.game_id).collect();
        let public = get_round(&held.chief, &held, 1).await.expect("public");
        assert_eq!(made, public.pairings.into_iter().map(|it| it.game_id).collect(), "{}", fixture.kind);
        let list = pb::ListLogRequest { event_id: held.id.clone(), after_sequence: 0, page_size: 200 };
        let log = held.chief.events.clone().list_log(list).await.expect("a log").into_inner();
        let facts = log.entries.iter().map(|it| pb::EventLogBody::decode(&*it.body).expect("an entry").fact);
        let (mut published, mut started) = (0, 0);
        for fact in facts {
            published += usize::from(matches!(fact, Some(Fact::RoundPublished(_))));
            started += usize::from(matches!(fact, Some(Fact::RoundStarted(_))));
        }
        assert_eq!((published, started), (1, 1), "{}", fixture.kind);
    }
}

/// 1.3: who has met all who are still there is named to whoever wants the round paired.
#[tokio::test]
async fn who_blocks_a_round_is_named() {
    for fixture in fixtures().await {
        let held = held(&fixture, settings(3)).await;
        enter(&fixture, &held, 4).await;
        run(&held).await;
        begin(&held, 1).await;
        play(&fixture, &held, 1).await;
        let pairings = get_round(&held.chief, &held, 1).await.expect("public").pairings;
        for number in [pairings[0].first, pairings[0].second] {
            let status = Some(pb::EntrantStatus { state: pb::EntrantState::Withdrawn.into(), round: 1 });
            change!(held, held.chief, change_entry, ChangeEntryRequest { number, status })
                .expect("he leaves");
        }
        let refused = pair(&held, 2).await.expect_err("the two have met");
        assert_eq!(api::error::reason(&refused), "NO_LEGAL_PAIRING", "{}", fixture.kind);
        let mut blocking = [pairings[1].first, pairings[1].second];
        blocking.sort_unstable();
        let named = format!("{},{}", blocking[0], blocking[1]);
        assert_eq!(api::error::metadata(&refused, "players"), Some(named), "{}", fixture.kind);
    }
}

/// 1.10, 33.
#[tokio::test]
async fn who_says_nothing_of_appeals_allows_them_for_half_an_hour() {
    for fixture in fixtures().await {
        let held = held(&fixture, settings(1)).await;
        let request = pb::GetEventRequest { event_id: held.id.clone(), ..Default::default() };
        let event = held.chief.events.clone().get_event(request).await.expect("an event").into_inner().event;
        let within = event.and_then(|it| it.settings?.appeal_duration).map(|it| it.seconds);
        assert_eq!(within, Some(1_800), "{}", fixture.kind);
    }
}
