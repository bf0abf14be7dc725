//! Events through their API, from the draft to the table.

use std::{collections::BTreeSet, sync::atomic::Ordering};

use api::{
    federation::v1::{self as pb, event_log_body::Fact},
    game::v1::{
        DeclaredResult,
        ruling::{Act, Declare},
    },
    identity::v1::Role,
    time::timestamp,
};
use futures::StreamExt as _;
use prost::Message as _;
use tonic_types::StatusExt as _;

use crate::{
    fixture::{fixtures, name, reason},
    held::{begin, change, enter, get_round, held, pair, play, run, sequence, settings},
};

#[tokio::test]
async fn a_swiss_goes_from_its_draft_to_its_table() {
    for fixture in fixtures().await {
        let held = held(&fixture, settings(2)).await;
        let players = enter(&fixture, &held, 5).await;
        run(&held).await;
        let stranger = fixture.person("stranger");
        for round in 1..=2 {
            let draft = pair(&held, round).await.expect("paired");
            assert_eq!(
                (draft.state(), draft.pairings.len(), draft.out.len()),
                (pb::round::State::Draft, 2, 1)
            );
            assert_eq!(reason(get_round(&stranger, &held, round).await), "UNKNOWN_ROUND", "{}", fixture.kind);
            change!(held, held.chief, publish_round, PublishRoundRequest { round }).expect("published");
            let public = get_round(&stranger, &held, round).await.expect("public");
            let seats = |round: &pb::Round| -> Vec<(u32, u32)> {
                round.pairings.iter().map(|pairing| (pairing.first, pairing.second)).collect()
            };
            assert_eq!(seats(&public), seats(&draft));
            fixture.games.refusals_left.store(1, Ordering::SeqCst);
            change!(held, held.chief, start_round, StartRoundRequest { round }).expect("started");
            let games = fixture.games.wait_for(2 * round as usize, &fixture.time).await;
            let made: BTreeSet<String> = games.iter().map(|game| game.game_id.clone()).collect();
            assert!(public.pairings.iter().all(|pairing| made.contains(&pairing.game_id)));
            let regulations = games[0].regulations.as_ref().expect("regulations");
            assert_eq!(regulations.event_id, held.id);
            assert_eq!(reason(pair(&held, round + 1).await), "ROUND_INCOMPLETE");
            play(&fixture, &held, round).await;
            assert_eq!(
                get_round(&stranger, &held, round).await.expect("public").state(),
                pb::round::State::Complete
            );
        }
        assert_eq!(reason(pair(&held, 3).await), "NO_MORE_ROUNDS");
        let request = pb::GetStandingsRequest { event_id: held.id.clone(), ..Default::default() };
        let table =
            stranger.events.clone().get_standings(request.clone()).await.expect("a table").into_inner();
        assert_eq!((table.lines.len(), table.round, table.delayed), (5, 2, false));
        assert_eq!(table.lines.iter().map(|line| line.points).sum::<u32>(), 12, "four wins and two byes");
        assert!(table.lines[0].criteria[0].working.starts_with("P "), "{:?}", table.lines[0]);
        // Another reading is tried out, and one that there is not is refused.
        let tried = pb::GetStandingsRequest {
            readings: [("m_basis".to_owned(), "theoretical".to_owned())].into(),
            ..request.clone()
        };
        assert!(stranger.events.clone().get_standings(tried).await.is_ok());
        let bad = pb::GetStandingsRequest { readings: [("m".to_owned(), "1".to_owned())].into(), ..request };
        assert_eq!(reason(stranger.events.clone().get_standings(bad).await), "BAD_READING");
        assert_eq!(players.len(), 5);
    }
}

#[tokio::test]
async fn what_may_not_be_is_refused_and_changes_nothing() {
    for fixture in fixtures().await {
        let held = held(&fixture, settings(3)).await;
        let players = enter(&fixture, &held, 4).await;
        let before = sequence(&held).await;
        let twice = change!(held, players[0], enter_event, EnterEventRequest { supplement_version: 1 });
        assert_eq!(reason(twice), "ALREADY_ENTERED");
        let stranger = fixture.person("stranger");
        let entered = change!(held, stranger, enter_event, EnterEventRequest { supplement_version: 1 });
        assert_eq!(reason(entered), "EVENT_ROLE_MISSING", "he is no member");
        let stage = pb::EventStage::Running.into();
        let early = change!(held, held.chief, advance_event, AdvanceEventRequest { stage });
        assert_eq!(reason(early), "EVENT_INCOMPLETE");
        assert_eq!(reason(pair(&held, 1).await), "EVENT_STAGE");
        let own = change!(held, players[0], commit_seed, CommitSeedRequest {});
        assert_eq!(reason(own), "EVENT_ROLE_MISSING");
        let moved = change!(held, held.chief, commit_seed, CommitSeedRequest { expected_sequence: 1 });
        assert_eq!(reason(moved), "SEQUENCE_MOVED");
        let checked = change!(held, held.chief, commit_seed, CommitSeedRequest { validate_only: true });
        assert!(checked.is_ok(), "it is only checked");
        let nowhere = pb::GetEventRequest { event_id: held.chief.request(), ..Default::default() };
        assert_eq!(reason(stranger.events.clone().get_event(nowhere).await), "UNKNOWN_EVENT");
        assert_eq!(sequence(&held).await, before, "{}", fixture.kind);

        // The same request again changes nothing; for something else it is refused.
        let request = pb::CheckOffRequest {
            event_id: held.id.clone(),
            request_id: held.chief.request(),
            item: pb::CheckItem::VenueChecked.into(),
            ..Default::default()
        };
        let mut chief = held.chief.events.clone();
        let first = chief.check_off(request.clone()).await.expect("ticked off").into_inner();
        assert_eq!(chief.check_off(request.clone()).await.expect("again").into_inner(), first);
        let other = pb::CheckOffRequest { open: true, ..request };
        assert_eq!(reason(chief.check_off(other).await), "REQUEST_ID_REUSED");
        assert_eq!(sequence(&held).await, before + 1);
    }
}

#[tokio::test]
async fn bad_settings_are_refused_with_the_field_at_fault() {
    for fixture in fixtures().await {
        let held = held(&fixture, settings(3)).await;
        let before = sequence(&held).await;
        let mut nowhere = settings(3);
        "Europe/Atlantis".clone_into(&mut nowhere.schedule.as_mut().expect("a schedule").zone);
        let mut never = settings(3);
        let no_moment = prost_types::Timestamp { seconds: i64::MAX, nanos: 0 };
        never.schedule.as_mut().expect("a schedule").round_times = vec![no_moment];
        for (settings, field) in
            [(nowhere, "settings.schedule.zone"), (never, "settings.schedule.round_times")]
        {
            let reason = "a slip".to_owned();
            let settings = Some(settings);
            let refused = change!(held, held.chief, update_event, UpdateEventRequest { settings, reason })
                .expect_err(field);
            assert_eq!(api::error::reason(&refused), "BAD_EVENT_SETTINGS", "{}", fixture.kind);
            let details = refused.get_details_bad_request().expect("fields");
            let fields: Vec<&str> = details.field_violations.iter().map(|it| it.field.as_str()).collect();
            assert_eq!(fields, [field]);
            assert_eq!(sequence(&held).await, before);
        }
    }
}

/// The id of an event stands for what it was made as, whatever has become of it.
#[tokio::test]
async fn an_event_is_made_once_and_no_other_under_its_id() {
    for mut fixture in fixtures().await {
        let federation = fixture.federation().await;
        let founder = &federation.founder;
        let at = timestamp(fixture.env.now() + std::time::Duration::from_hours(24));
        let mut made = settings(1);
        made.schedule.as_mut().expect("a schedule").round_times = vec![at];
        made.readings = [("m_basis".to_owned(), "theoretical".to_owned())].into();
        let create = pb::CreateEventRequest {
            event_id: founder.request(),
            federation_id: federation.id.clone(),
            name: name("阿坝公开赛", "Aba Open"),
            settings: Some(made),
            validate_only: false,
        };
        let mut events = founder.events.clone();
        let first = events.create_event(create.clone()).await.expect("made").into_inner();
        assert!(
            !first.event.as_ref().expect("an event").missing.is_empty(),
            "its author is told what it lacks"
        );
        // Its author is told the same again by a service that knows nothing of the first call.
        fixture.restart().await;
        let mut events = fixture.again(founder).events;
        let again = events.create_event(create.clone()).await.expect("the same call").into_inner();
        assert_eq!(again, first, "{}", fixture.kind);
        let update = pb::UpdateEventRequest {
            event_id: create.event_id.clone(),
            request_id: founder.request(),
            settings: Some(settings(5)),
            ..Default::default()
        };
        let updated = events.update_event(update).await.expect("updated").into_inner().event;
        let again = events.create_event(create.clone()).await.expect("the same call").into_inner().event;
        assert_eq!(again.as_ref().map(|it| it.sequence), updated.map(|it| it.sequence), "{}", fixture.kind);
        assert_ne!(again, first.event, "it is told as it is now");
        let other = pb::CreateEventRequest { settings: Some(settings(5)), ..create };
        assert_eq!(reason(events.create_event(other).await), "REQUEST_ID_REUSED");
    }
}

#[tokio::test]
async fn a_round_that_does_not_hold_any_more_is_not_published() {
    for fixture in fixtures().await {
        let held = held(&fixture, settings(3)).await;
        let players = enter(&fixture, &held, 6).await;
        run(&held).await;
        pair(&held, 1).await.expect("paired");
        let status = Some(pb::EntrantStatus { state: pb::EntrantState::Withdrawn.into(), round: 0 });
        change!(held, players[2], change_entry, ChangeEntryRequest { status, reason: "ill".to_owned() })
            .expect("he leaves");
        let stale = change!(held, held.chief, publish_round, PublishRoundRequest { round: 1 });
        assert_eq!(reason(stale), "PAIRING_STALE", "{}", fixture.kind);
        let draft = pair(&held, 1).await.expect("paired");
        assert_eq!(draft.out.len(), 1);
        // The chief arbiter has two change their places, with a reason that everybody reads.
        let swap = pb::pairing_edit::Swap { one: draft.pairings[0].first, other: draft.pairings[1].first };
        let edits = vec![pb::PairingEdit { edit: Some(pb::pairing_edit::Edit::Swap(swap)) }];
        change!(
            held,
            held.chief,
            edit_pairings,
            EditPairingsRequest { round: 1, edits, reason: "brothers".to_owned() }
        )
        .expect("changed");
        change!(held, held.chief, publish_round, PublishRoundRequest { round: 1 }).expect("published");
        let public = get_round(&players[0], &held, 1).await.expect("public");
        assert_eq!(public.pairings[0].first, draft.pairings[1].first);
        assert!(public.edits[0].contains("brothers"), "{:?}", public.edits);
        let again = change!(held, held.chief, publish_round, PublishRoundRequest { round: 1 });
        assert_eq!(reason(again), "NO_DRAFT", "a round is published once");
    }
}

#[tokio::test]
async fn the_log_is_a_chain_that_anybody_can_follow() {
    for fixture in fixtures().await {
        let held = held(&fixture, settings(1)).await;
        let stranger = fixture.person("stranger");
        let watch = pb::WatchEventRequest { event_id: held.id.clone(), after_sequence: 0 };
        let mut stream = stranger.events.clone().watch_event(watch).await.expect("a stream").into_inner();
        enter(&fixture, &held, 2).await;
        let list = pb::ListLogRequest { event_id: held.id.clone(), after_sequence: 0, page_size: 200 };
        let log = stranger.events.clone().list_log(list).await.expect("a log").into_inner();
        assert_eq!(log.entries.len() as u64, log.last_sequence);
        for entry in &log.entries {
            let told = stream.next().await.expect("more").expect("an entry").entry.expect("present");
            assert_eq!(&told, entry, "{}", fixture.kind);
        }
        let found = federation::audit::log(&held.id, &log.entries).expect("it can be read");
        assert!(found.findings.is_empty(), "{:?}", found.findings);
        let mut torn = log.entries.clone();
        torn[2].body[10] ^= 1;
        assert!(federation::audit::log(&held.id, &torn).is_err(), "its hash is another");
        let mut cut = log.entries.clone();
        cut.remove(3);
        assert!(federation::audit::log(&held.id, &cut).is_err(), "a link is missing");
    }
}

#[tokio::test]
async fn an_event_is_told_as_it_was_whoever_asked_before_for_another_moment() {
    for fixture in fixtures().await {
        let held = held(&fixture, settings(1)).await;
        enter(&fixture, &held, 3).await;
        let stranger = fixture.person("stranger");
        let as_of = async |sequence: u64| {
            let request = pb::GetEventRequest {
                event_id: held.id.clone(),
                as_of_sequence: sequence,
                ..Default::default()
            };
            stranger
                .events
                .clone()
                .get_event(request)
                .await
                .map(|answer| answer.into_inner().event.expect("it"))
        };
        let end = as_of(0).await.expect("now").sequence;
        // Forward, back, the same again, and more moments than are kept.
        for before in [3, 1, 2, 2, 0].into_iter().chain((0..end).rev()).chain(0..end) {
            let then = as_of(end - before).await.expect("it was so");
            let entered = 3_u64.saturating_sub(before);
            assert_eq!(
                (then.sequence, u64::from(then.entrant_count)),
                (end - before, entered),
                "{}",
                fixture.kind
            );
        }
        assert_eq!(reason(as_of(end + 1).await), "BAD_CURSOR");
    }
}

#[tokio::test]
async fn identity_hears_who_is_an_official_of_an_event() {
    for fixture in fixtures().await {
        let held = held(&fixture, settings(1)).await;
        let has_role = || {
            let roles = fixture.identity.knowledge().roles.clone();
            roles.contains(&(held.chief.id(), api::identity::v1::Role::ChiefArbiter.into()))
        };
        let wait_until = async |wanted: bool| {
            for _ in 0..1000 {
                if has_role() == wanted {
                    return;
                }
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
            }
            panic!("identity was not told");
        };
        wait_until(true).await;
        let (account_id, role) = (held.chief.id(), pb::EventRole::ChiefArbiter.into());
        let founder = &held.federation.founder;
        change!(
            held,
            founder,
            dismiss_official,
            DismissOfficialRequest { account_id, role, reason: "asleep".to_owned() }
        )
        .expect("dismissed");
        // He is refused here at once, whatever his token says.
        let refused = change!(held, held.chief, commit_seed, CommitSeedRequest {});
        assert_eq!(reason(refused), "EVENT_ROLE_MISSING", "{}", fixture.kind);
        wait_until(false).await;
    }
}

#[tokio::test]
async fn a_round_is_taken_back_until_the_first_move_and_its_games_count_for_nothing() {
    for fixture in fixtures().await {
        let held = held(&fixture, settings(2)).await;
        enter(&fixture, &held, 4).await;
        run(&held).await;
        for again in [true, false] {
            pair(&held, 1).await.expect("paired");
            change!(held, held.chief, publish_round, PublishRoundRequest { round: 1 }).expect("published");
            change!(held, held.chief, start_round, StartRoundRequest { round: 1 }).expect("started");
            let made = fixture.games.wait_for(if again { 2 } else { 4 }, &fixture.time).await;
            let retract = || async {
                let reason = "the wrong list".to_owned();
                change!(held, held.chief, retract_round, RetractRoundRequest { round: 1, reason })
            };
            if again {
                retract().await.expect("nobody has moved");
                let ruled = fixture.games.wait_for_rulings(2, &fixture.time).await;
                let ids: BTreeSet<&String> = ruled.iter().map(|it| &it.game_id).collect();
                assert_eq!(ids, made.iter().map(|game| &game.game_id).collect(), "{}", fixture.kind);
                let replay = Act::Declare(Declare { result: DeclaredResult::Replay.into() });
                assert!(
                    ruled.iter().all(|it| it.ruling.as_ref().and_then(|it| it.act.as_ref()) == Some(&replay))
                );
            } else {
                let now = get_round(&held.chief, &held, 1).await.expect("public");
                fixture.games.moved(&now.pairings[1].game_id);
                assert_eq!(reason(retract().await), "BAD_ROUND");
            }
        }
    }
}

#[tokio::test]
async fn a_decision_ends_the_game_that_is_still_played() {
    for fixture in fixtures().await {
        let held = held(&fixture, settings(2)).await;
        enter(&fixture, &held, 4).await;
        run(&held).await;
        begin(&held, 1).await;
        fixture.games.wait_for(2, &fixture.time).await;
        let pairing = get_round(&held.chief, &held, 1).await.expect("public").pairings.remove(0);
        let result = Some(pb::BoardResult {
            first: pb::ResultCode::Loss.into(),
            second: pb::ResultCode::Win.into(),
            reason: pb::ResultReason::Arbiter.into(),
            source: Some(pb::board_result::Source::Decision(pb::board_result::Decision {})),
            ..Default::default()
        });
        change!(held, held.chief, enter_result, EnterResultRequest { round: 1, table: 1, result })
            .expect("decided");
        let ruled = fixture.games.wait_for_rulings(1, &fixture.time).await.remove(0);
        assert_eq!(ruled.role(), Role::ChiefArbiter);
        let whose = (ruled.game_id, ruled.event_id, ruled.account_id);
        assert_eq!(whose, (pairing.game_id.clone(), held.id.clone(), held.chief.id()));
        let declared = Act::Declare(Declare { result: DeclaredResult::FirstLoses.into() });
        assert_eq!(
            ruled.ruling.and_then(|it| it.act),
            Some(declared),
            "{}: black moves first in Go",
            fixture.kind
        );

        // What happens in the game is noted, by the numbers of the event.
        let notice = pb::NoteGameRequest {
            event_id: held.id.clone(),
            game_id: pairing.game_id,
            sequence: 7,
            matter: pb::GameMatter::Call.into(),
            number: 1,
            side: api::board::v1::Side::Second.into(),
            ..Default::default()
        };
        let mut internal = fixture.internal.clone();
        let noted = internal.note_game(notice.clone()).await.expect("noted").into_inner().sequence;
        let again = internal.note_game(notice.clone()).await.expect("the same").into_inner().sequence;
        assert_eq!(again, noted, "the same again changes nothing");
        let list = pb::ListLogRequest { event_id: held.id.clone(), after_sequence: noted - 1, page_size: 1 };
        let log = held.chief.events.clone().list_log(list).await.expect("a log").into_inner();
        let body = pb::EventLogBody::decode(&*log.entries[0].body).expect("an entry");
        let Some(Fact::GameNoticed(fact)) = body.fact else { panic!("{body:?}") };
        assert_eq!(fact.notice.expect("present").player, pairing.second);
        let unknown = pb::NoteGameRequest { matter: 99, ..notice };
        assert_eq!(reason(internal.note_game(unknown).await), "UNKNOWN_VALUE");
    }
}

#[tokio::test]
async fn who_leaves_in_the_middle_of_a_round_ends_his_game_with_it() {
    for fixture in fixtures().await {
        let held = held(&fixture, settings(2)).await;
        let players = enter(&fixture, &held, 4).await;
        run(&held).await;
        begin(&held, 1).await;
        fixture.games.wait_for(2, &fixture.time).await;
        let pairings = get_round(&held.chief, &held, 1).await.expect("public").pairings;
        let left = pb::EntrantStatus { state: pb::EntrantState::Withdrawn.into(), round: 1 };
        // One leaves by himself, another is taken out by the chief arbiter.
        let own = change!(
            held,
            players[pairings[0].second as usize - 1],
            change_entry,
            ChangeEntryRequest { status: Some(left) }
        );
        own.expect("he leaves");
        let number = pairings[1].first;
        change!(held, held.chief, change_entry, ChangeEntryRequest { number, status: Some(left) })
            .expect("he is taken out");
        let ruled = fixture.games.wait_for_rulings(2, &fixture.time).await;
        let declared: BTreeSet<_> = ruled
            .iter()
            .map(|it| {
                assert_eq!((it.role(), &it.account_id), (Role::ChiefArbiter, &held.chief.id()));
                let Some(Act::Declare(declared)) = it.ruling.clone().and_then(|it| it.act) else {
                    panic!("{it:?}")
                };
                (it.game_id.clone(), declared.result())
            })
            .collect();
        let lost = [DeclaredResult::SecondLoses, DeclaredResult::FirstLoses];
        let expected = pairings.iter().zip(lost).map(|(pairing, lost)| (pairing.game_id.clone(), lost));
        assert_eq!(declared, expected.collect(), "{}", fixture.kind);
    }
}
