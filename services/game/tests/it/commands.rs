//! Commands of players.

use api::board::v1::{Reason, Side, Verdict};
use api::game::v1::{
    AbortRequest, AcceptDrawRequest, DeclineDrawRequest, ImportRecordRequest, ListGamesRequest,
    OfferDrawRequest, ResignRequest, game_event::Event,
};
use futures::future::join_all;
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};

use super::fixture::{Fixture, Replica, refused};

#[tokio::test]
async fn an_act_is_played_once_however_often_it_is_sent() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = replica.new_game(&fixture).await;
        let request = fixture.id();
        let calls = (0..10).map(|_| replica.play(&fixture, &id, 0, "c3", 0, &request));
        let events: Vec<_> =
            join_all(calls).await.into_iter().map(|event| event.expect("accepted")).collect();
        assert!(events.iter().all(|event| event == &events[0]), "one answer for all");
        assert_eq!(replica.look(&id).await.state.expect("a state").ply, 1);
        assert_eq!(refused(replica.play(&fixture, &id, 1, "D4", 1, &request).await), "REQUEST_ID_REUSED");
    }
}

#[tokio::test]
async fn two_replicas_do_not_write_the_same_event() {
    for fixture in Fixture::all().await {
        let (one, two) = (fixture.replica().await, fixture.replica().await);
        let id = one.new_game(&fixture).await;
        two.look(&id).await;
        let (a, b) = (fixture.id(), fixture.id());
        let (a, b) =
            tokio::join!(one.play(&fixture, &id, 0, "C3", 0, &a), two.play(&fixture, &id, 0, "D4", 0, &b));
        assert_eq!(a.is_ok(), b.is_err(), "one act is accepted and one is not");
        let lost = a.err().or(b.err()).expect("one of them");
        assert_eq!(api::error::reason(&lost), "STALE_PLY");
        // Each replica goes on from what the other one wrote.
        two.play(&fixture, &id, 1, "G7", 1, &fixture.id()).await.expect("accepted");
        one.play(&fixture, &id, 0, "G3", 2, &fixture.id()).await.expect("accepted");
        assert_eq!(fixture.replica().await.look(&id).await.acts.len(), 3);
    }
}

#[tokio::test]
async fn draws_are_offered_declined_and_agreed() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = replica.new_game(&fixture).await;
        let offer = || OfferDrawRequest { game_id: id.clone(), request_id: fixture.id() };
        let [first, second] = fixture.players.each_ref().map(|caller| replica.caller(caller));
        let accept = || AcceptDrawRequest { game_id: id.clone(), request_id: fixture.id() };
        assert_eq!(refused(second.clone().accept_draw(accept()).await), "NO_OFFER");
        first.clone().offer_draw(offer()).await.expect("an offer");
        assert_eq!(refused(first.clone().offer_draw(offer()).await), "OFFER_OPEN");
        assert_eq!(refused(first.clone().accept_draw(accept()).await), "NO_OFFER");
        let decline = DeclineDrawRequest { game_id: id.clone(), request_id: fixture.id() };
        second.clone().decline_draw(decline).await.expect("declined");
        // An offer expires when the other side acts.
        first.clone().offer_draw(offer()).await.expect("another offer");
        replica.play_all(&fixture, &id, &["C3", "D4"]).await;
        assert_eq!(refused(second.clone().accept_draw(accept()).await), "NO_OFFER");
        first.clone().offer_draw(offer()).await.expect("an offer");
        second.clone().offer_draw(offer()).await.expect("two offers are an agreement");
        let outcome = replica.look(&id).await.state.and_then(|state| state.outcome).expect("it is over");
        assert_eq!(
            (outcome.verdict(), outcome.reason(), outcome.short.as_str()),
            (Verdict::Draw, Reason::Agreement, "Draw")
        );
        assert_eq!(refused(first.clone().offer_draw(offer()).await), "GAME_OVER");
    }
}

#[tokio::test]
async fn a_game_is_aborted_before_the_second_act_only() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let (early, late) = (replica.new_game(&fixture).await, replica.new_game(&fixture).await);
        replica.play_all(&fixture, &early, &["C3"]).await;
        replica.play_all(&fixture, &late, &["C3", "D4"]).await;
        let abort = |id: &str| AbortRequest { game_id: id.to_owned(), request_id: fixture.id() };
        let first = replica.caller(&fixture.players[0]);
        first.clone().abort(abort(&early)).await.expect("aborted");
        let outcome = replica.look(&early).await.state.and_then(|state| state.outcome).expect("it is over");
        assert_eq!((outcome.verdict(), outcome.reason()), (Verdict::Void, Reason::Aborted));
        assert_eq!(refused(first.clone().abort(abort(&late)).await), "TOO_LATE_TO_ABORT");
    }
}

/// Whatever players do, the log tells the same game to a replica that has never seen it.
#[tokio::test]
async fn a_log_replays_to_the_same_game() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        for seed in 0..6 {
            let id = replica.new_game(&fixture).await;
            random_game(&fixture, &replica, &id, seed).await;
            let fresh = fixture.replica().await;
            assert_eq!(fresh.look(&id).await, replica.look(&id).await, "seed {seed}");
        }
    }
}

pub(crate) async fn random_game(fixture: &Fixture, replica: &Replica, id: &str, seed: u64) {
    let mut rng = StdRng::seed_from_u64(seed);
    for _ in 0..80 {
        let before = replica.look(id).await;
        let state = before.state.clone().expect("a state");
        let who = rng.random_range(0..2);
        let client = replica.caller(&fixture.players[who]);
        let (game_id, request_id) = (id.to_owned(), fixture.id());
        let answer = match rng.random_range(0..40) {
            0 => client.clone().offer_draw(OfferDrawRequest { game_id, request_id }).await.map(drop),
            1 => client.clone().decline_draw(DeclineDrawRequest { game_id, request_id }).await.map(drop),
            2 if seed.is_multiple_of(2) => {
                client.clone().resign(ResignRequest { game_id, request_id }).await.map(drop)
            }
            _ => {
                let letter = b"ABCDEFGHJ"[rng.random_range(0..9)];
                let act = format!("{}{}", char::from(letter), rng.random_range(1..10));
                replica.play(fixture, id, who, &act, state.ply, &request_id).await.map(drop)
            }
        };
        if answer.is_err() {
            assert_eq!(replica.look(id).await, before, "a refused call changed the game");
        }
    }
}

#[tokio::test]
async fn games_are_made_once_and_listed() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let request = fixture.commission("go", &[("size", "9")], false);
        let made = replica.internal().create_game(request.clone()).await.expect("made").into_inner();
        let again = replica.internal().create_game(request.clone()).await.expect("known").into_inner();
        assert_eq!(made.game, again.game);
        let other = api::game::v1::CreateGameRequest { rated: true, ..request.clone() };
        assert_eq!(refused(replica.internal().create_game(other).await), "GAME_DIFFERS");
        for (field, broken) in [
            (
                "UNKNOWN_VARIANT",
                api::game::v1::CreateGameRequest { variant: "halma".into(), ..request.clone() },
            ),
            ("BAD_RULE_SET", api::game::v1::CreateGameRequest { rule_set: "x".into(), ..request.clone() }),
            ("BAD_TIME_CONTROL", api::game::v1::CreateGameRequest { time_control: None, ..request.clone() }),
            (
                "OPPONENT_IS_SELF",
                api::game::v1::CreateGameRequest { second: request.first.clone(), ..request.clone() },
            ),
        ] {
            assert_eq!(refused(replica.internal().create_game(broken).await), field);
        }
        fixture.time.advance(std::time::Duration::from_millis(5));
        // Many at once: what is wrong with one keeps none of the others from being made.
        let fresh = fixture.commission("jiu", &[], true);
        let broken =
            api::game::v1::CreateGameRequest { rule_set: "x".into(), ..fixture.commission("go", &[], true) };
        let other = api::game::v1::CreateGameRequest { rated: true, ..request.clone() };
        let games = vec![broken, request.clone(), fresh.clone(), other];
        let all = api::game::v1::CreateGamesRequest { games };
        for _ in 0..2 {
            let refusals = replica.internal().create_games(all.clone()).await.expect("answered").into_inner();
            let told: Vec<(u32, i32, String)> =
                refusals.refusals.into_iter().map(|it| (it.index, it.code, it.reason)).collect();
            let (invalid, exists) = (tonic::Code::InvalidArgument.into(), tonic::Code::AlreadyExists.into());
            let expected = [(0, invalid, "BAD_RULE_SET"), (3, exists, "GAME_DIFFERS")];
            assert_eq!(told, expected.map(|(index, code, reason)| (index, code, reason.to_owned())));
        }
        assert!(replica.look(&fresh.game_id).await.info.expect("its info").rated);
        let games = vec![request.clone(); 65];
        let many = replica.internal().create_games(api::game::v1::CreateGamesRequest { games }).await;
        assert_eq!(refused(many), "BAD_BATCH");

        let mut expected = vec![fresh.game_id, request.game_id];
        for _ in 0..4 {
            fixture.time.advance(std::time::Duration::from_millis(5));
            expected.insert(0, replica.new_game(&fixture).await);
        }
        let mut listed = Vec::new();
        let mut page_token = String::new();
        loop {
            let account_id = fixture.players[1].id.to_string();
            let request = ListGamesRequest { account_id, page_size: 2, page_token, ..Default::default() };
            let page = replica.anybody().list_games(request).await.expect("a page").into_inner();
            listed.extend(page.games.into_iter().filter_map(|game| game.info).map(|info| info.id));
            page_token = page.next_page_token;
            if page_token.is_empty() {
                break;
            }
        }
        assert_eq!(listed, expected);
    }
}

#[tokio::test]
async fn players_may_not_call_what_is_internal() {
    for fixture in Fixture::all().await {
        let lifecycle = chassis::Lifecycle::new();
        let routes = game::bind(game::Deps {
            env: fixture.env.clone(),
            database: fixture.database.database.clone(),
            vault: chassis::Vault::open_to_all(),
            live: fixture.live_state(),
            lifecycle,
            clock: fixture.clock.transport(),
            rating: fixture.rating.transport(),
            federation: fixture.federation.transport(),
            matchmaking: fixture.matchmaking.transport(),
        })
        .await
        .expect("the service is put together");
        let transport =
            chassis::testing::as_account(api::transport::over(routes.internal), fixture.players[0].clone());
        let mut internal =
            api::game::v1::game_internal_service_client::GameInternalServiceClient::new(transport);
        let request = fixture.commission("go", &[], true);
        assert_eq!(refused(internal.create_game(request).await), "SERVICES_ONLY");
    }
}

#[tokio::test]
async fn records_go_in_and_come_out_the_same() {
    const JIU: &str = include_str!("../../../shared/rules/tests/golden/jiu/awang-renqing.txt");
    const GO: &str = include_str!("../../../shared/rules/tests/golden/go/gnugo_19x19_00.sgf");
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        for (variant, text, acts) in [("jiu", JIU, 196 + 57), ("go", GO, 290)] {
            let request = ImportRecordRequest {
                variant: variant.to_owned(),
                text: text.to_owned(),
                request_id: fixture.id(),
            };
            let mut games = replica.caller(&fixture.players[0]);
            let game = games.import_record(request.clone()).await.expect("imported").into_inner().game;
            let again = games.import_record(request).await.expect("known").into_inner().game;
            assert_eq!(game, again);
            let game = game.expect("a game");
            assert!(game.acts.len() >= acts, "{variant}: {} acts", game.acts.len());
            let export = api::game::v1::ExportRecordRequest { game_id: game.info.expect("an info").id };
            let exported = games.export_record(export).await.expect("exported").into_inner();
            let variant = rules::variant(variant).expect("a variant");
            let (ins, outs) = ((variant.parse_record)(text), (variant.parse_record)(&exported.text));
            let (ins, outs) = (ins.expect("readable"), outs.expect("readable"));
            assert_eq!((ins.acts, ins.outcome), (outs.acts, outs.outcome));
        }
        let mut games = replica.caller(&fixture.players[0]);
        let import = |variant: &str, text: &str| ImportRecordRequest {
            variant: variant.to_owned(),
            text: text.to_owned(),
            request_id: fixture.id(),
        };
        assert_eq!(refused(games.import_record(import("halma", "")).await), "UNKNOWN_VARIANT");
        assert_eq!(refused(games.import_record(import("go", "(;")).await), "BAD_RECORD");
        let illegal = import("go", "(;GM[1]FF[4]SZ[9];B[aa];W[aa])");
        assert_eq!(refused(games.import_record(illegal).await), "ILLEGAL_RECORD");
        let long = import("go", &" ".repeat(1024 * 1024 + 1));
        assert_eq!(refused(games.import_record(long).await), "RECORD_TOO_LONG");
    }
}

#[tokio::test]
async fn effects_are_enough_to_redraw_the_board() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = replica.new_game(&fixture).await;
        // A capture in the corner.
        replica.play_all(&fixture, &id, &["B1", "A1", "A2"]).await;
        let mut watched = api::client::GameStream::new(replica.public_transport(), &id).after(0);
        let mut stones = std::collections::BTreeMap::new();
        for _ in 0..4 {
            let Some(api::client::GameUpdate::Event(event)) = watched.next().await.expect("an event") else {
                panic!("with a cursor there are events only")
            };
            let Some(Event::Played(act)) = event.event else { continue };
            for change in act.changes {
                match change.change.expect("a change") {
                    api::board::v1::change::Change::Placed(placed) => {
                        stones.insert(placed.at.expect("a point").name, placed.owner);
                    }
                    api::board::v1::change::Change::Removed(removed) => {
                        stones.remove(&removed.at.expect("a point").name);
                    }
                    api::board::v1::change::Change::Moved(_) => panic!("stones do not move in Go"),
                }
            }
        }
        let expected = [("A2".to_owned(), Side::First as i32), ("B1".to_owned(), Side::First as i32)];
        assert_eq!(stones.into_iter().collect::<Vec<_>>(), expected);
    }
}

#[tokio::test]
async fn a_request_id_with_another_content_is_refused() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = replica.new_game(&fixture).await;
        let request = fixture.id();
        let event = replica.play(&fixture, &id, 0, "C3", 0, &request).await.expect("accepted");
        assert_eq!(replica.play(&fixture, &id, 0, "c3", 0, &request).await.expect("the same act"), event);
        assert_eq!(refused(replica.play(&fixture, &id, 0, "D4", 0, &request).await), "REQUEST_ID_REUSED");
        let resigning = fixture.id();
        let resign = api::game::v1::ResignRequest { game_id: id.clone(), request_id: resigning.clone() };
        replica.caller(&fixture.players[1]).resign(resign.clone()).await.expect("resigned");
        replica.caller(&fixture.players[1]).resign(resign).await.expect("answered again");
        let abort = api::game::v1::AbortRequest { game_id: id, request_id: resigning };
        assert_eq!(refused(replica.caller(&fixture.players[1]).abort(abort).await), "REQUEST_ID_REUSED");
    }
}

#[tokio::test]
async fn lists_take_only_what_they_know() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        for _ in 0..2 {
            replica.new_game(&fixture).await;
        }
        let list = async |variant: &str, status: i32, page_token: String| {
            let (variant, page_size) = (variant.to_owned(), 1);
            let request = api::game::v1::ListGamesRequest {
                variant,
                status,
                page_size,
                page_token,
                ..Default::default()
            };
            Ok::<_, tonic::Status>(replica.anybody().list_games(request).await?.into_inner())
        };
        assert_eq!(refused(list("", 9, String::new()).await), "UNKNOWN_VALUE");
        assert_eq!(refused(list("chess", 0, String::new()).await), "UNKNOWN_VARIANT");
        let token = list("go", 1, String::new()).await.expect("listed").next_page_token;
        assert_eq!(list("go", 1, token.clone()).await.expect("the second page").games.len(), 1);
        for (variant, status) in [("", 1), ("go", 2), ("jiu", 1)] {
            assert_eq!(refused(list(variant, status, token.clone()).await), "BAD_PAGE_TOKEN");
        }
    }
}
