//! Broadcasts with a delay: who does not play and holds no office sees everything that much later.

use std::time::Duration;

use api::game::v1::{
    Audience, CreateGameRequest, ExportRecordRequest, Game, GameStatus, GetGameRequest, ListGamesRequest,
    Regulations, ResignRequest, WatchRequest,
};
use chassis::{
    auth::{Caller, Role},
    testing::{arbiter, as_account, player},
};

use super::{
    fixture::{Fixture, Replica, refused},
    streams::pass,
    walk::{call, public_methods},
};

const DELAY: Duration = Duration::from_mins(1);

/// A game that is broadcast with a delay, and an official of its event.
async fn broadcast(fixture: &Fixture, replica: &Replica, rated: bool) -> (String, Caller) {
    let event = fixture.env.uuid();
    let regulate = |request: &mut CreateGameRequest| {
        request.rated = rated;
        request.regulations = Some(Regulations {
            event_id: event.to_string(),
            broadcast_delay_duration: Some(api::time::duration(DELAY)),
            ..Regulations::default()
        });
    };
    let id = replica.new_game_with(fixture, regulate).await;
    (id, arbiter(&fixture.env, "arbiter", Role::Arbiter, event.into()))
}

async fn look(replica: &Replica, who: Option<&Caller>, id: &str) -> Result<Game, tonic::Status> {
    let request = GetGameRequest { game_id: id.to_owned() };
    let answer = replica.games(who).get_game(request).await?.into_inner();
    Ok(answer.game.expect("a game"))
}

/// The numbers of the last events of the games in a list.
async fn listed(replica: &Replica, who: Option<&Caller>, variant: &str, status: GameStatus) -> Vec<u64> {
    let request = ListGamesRequest {
        variant: variant.to_owned(),
        status: status as i32,
        ..ListGamesRequest::default()
    };
    let games = replica.games(who).list_games(request).await.expect("listed").into_inner().games;
    games.into_iter().map(|game| game.state.expect("a state").sequence).collect()
}

/// All that somebody gets out of the service about a game. The order of a map is not told, so bytes are counted.
async fn everything(
    fixture: &Fixture,
    replica: &Replica,
    who: Option<&Caller>,
    id: &str,
    request_id: &str,
) -> Vec<u8> {
    let plain = replica.public_transport();
    let transport = who.map_or_else(|| plain.clone(), |who| as_account(plain.clone(), who.clone()));
    let mut seen = Vec::new();
    let values = [
        ("game_id", id),
        ("variant", "go"),
        ("side", "1"),
        ("act", "A1"),
        ("ply", "7"),
        ("room", "2"),
        ("after_sequence", "0"),
        ("request_id", request_id),
    ];
    // A stream may also begin with a snapshot, and a list may be of what has ended.
    let asked: [&[(&str, &str)]; 4] =
        [&values, &values[..6], &[("variant", "go"), ("status", "1")], &[("variant", "go"), ("status", "2")]];
    for method in public_methods().into_iter().filter(|method| method.path.starts_with("/shoutan.game.")) {
        for values in asked.into_iter().take(if method.path.ends_with("ListGames") { 4 } else { 2 }) {
            // Who looked before is no audience any more.
            let player = Some(&fixture.players[0]);
            while look(replica, player, id).await.expect("seen").audience != Some(Audience { count: 0 }) {
                tokio::task::yield_now().await;
            }
            seen.extend(call(&transport, &method, values).await);
        }
    }
    seen.sort_unstable();
    seen
}

#[tokio::test]
async fn nothing_that_a_spectator_can_call_is_newer() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let (id, official) = broadcast(&fixture, &replica, true).await;
        let stranger = player(&fixture.env, "stranger");
        let lookers = [None, Some(&stranger)];
        let request_id = fixture.id();
        pass(&fixture, &[&replica], DELAY + Duration::from_secs(5)).await;
        let mut before = Vec::new();
        for who in lookers.into_iter().chain([Some(&official)]) {
            before.push(everything(&fixture, &replica, who, &id, &request_id).await);
        }
        replica.play_all_as_player(&fixture, &id, &["C3", "G7", "C7"]).await;
        let resign = ResignRequest { game_id: id.clone(), request_id: fixture.id() };
        replica.caller(&fixture.players[1]).resign(resign).await.expect("resigned");
        for (who, before) in lookers.into_iter().zip(&before) {
            let now = everything(&fixture, &replica, who, &id, &request_id).await;
            assert!(now == *before, "something was to be seen");
        }
        assert!(everything(&fixture, &replica, Some(&official), &id, &request_id).await != before[2]);
        for who in [&official, &fixture.players[1]] {
            let game = look(&replica, Some(who), &id).await.expect("seen");
            assert_eq!(game.acts.len(), 3, "he sees it live");
        }
        // A rating would tell.
        pass(&fixture, &[&replica], DELAY.saturating_sub(Duration::from_secs(5))).await;
        assert!(fixture.rating.applied().is_empty());
        pass(&fixture, &[&replica], Duration::from_secs(40)).await;
        assert_eq!(look(&replica, None, &id).await.expect("seen").acts.len(), 3);
        while fixture.rating.applied().is_empty() {
            pass(&fixture, &[&replica], Duration::from_secs(1)).await;
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

#[tokio::test]
async fn what_happens_is_seen_when_it_is_old_enough() {
    for fixture in Fixture::all().await {
        let (one, two) = (fixture.replica().await, fixture.replica().await);
        let (id, official) = broadcast(&fixture, &one, false).await;
        for replica in [&one, &two] {
            assert_eq!(refused(look(replica, None, &id).await), "UNKNOWN_GAME", "it has not begun for them");
        }
        let request = WatchRequest { game_id: id.clone(), after_sequence: None, after_end: false };
        assert_eq!(refused(one.anybody().watch(request).await.map(drop)), "UNKNOWN_GAME");
        pass(&fixture, &[&one, &two], DELAY).await;
        let mut spectator = two.watch(None, &id, Some(0)).await.expect("watched");
        let mut live = two.watch(Some(&official), &id, Some(0)).await.expect("watched");
        assert_eq!((spectator.event().await.sequence, live.event().await.sequence), (1, 1));
        let mut sent = Vec::new();
        for (ply, act) in (0..).zip(["C3", "G7", "C7", "G3"]) {
            sent.push(
                one.play(&fixture, &id, ply as usize % 2, act, ply, &fixture.id()).await.expect("accepted"),
            );
            pass(&fixture, &[&one, &two], Duration::from_secs(20)).await;
        }
        for event in &sent {
            assert_eq!(live.event().await, *event);
        }
        // The first two are at least a minute old; the third is not.
        for event in &sent[..2] {
            assert_eq!(spectator.event().await, *event);
        }
        let seen = look(&two, None, &id).await.expect("seen");
        assert_eq!((seen.acts.len(), seen.state.map(|state| state.ply)), (2, Some(2)));
        let record = ExportRecordRequest { game_id: id.clone() };
        let record = one.anybody().export_record(record).await.expect("exported").into_inner().text;
        assert!(record.contains("B[cg]") && record.matches(";W[").count() == 1, "{record}");
        let cursor = WatchRequest { game_id: id.clone(), after_sequence: Some(4), after_end: false };
        assert_eq!(refused(one.anybody().watch(cursor).await.map(drop)), "BAD_CURSOR");
        // What is written later comes no earlier.
        let waiting = tokio::spawn(async move { (spectator.event().await, spectator.event().await) });
        pass(&fixture, &[&one, &two], Duration::from_secs(45)).await;
        let (third, fourth) = waiting.await.expect("not cancelled");
        assert_eq!((third, fourth), (sent[2].clone(), sent[3].clone()));
    }
}

#[tokio::test]
async fn lists_do_not_tell_what_has_ended() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let event = fixture.env.uuid();
        let request = |request: &mut CreateGameRequest| {
            *request = fixture.commission("jiu", &[], false);
            request.regulations = Some(Regulations {
                event_id: event.to_string(),
                broadcast_delay_duration: Some(api::time::duration(DELAY)),
                ..Regulations::default()
            });
        };
        let id = replica.new_game_with(&fixture, request).await;
        let official = arbiter(&fixture.env, "arbiter", Role::Scorer, event.into());
        let all = async |who: Option<&Caller>| {
            let statuses = [GameStatus::Unspecified, GameStatus::Running, GameStatus::Finished];
            let mut found = Vec::new();
            for status in statuses {
                found.push(listed(&replica, who, "jiu", status).await);
            }
            found
        };
        let (nothing, running): (Vec<u64>, _) = (vec![], vec![1]);
        assert_eq!(all(None).await, [nothing.clone(), nothing.clone(), nothing.clone()]);
        assert_eq!(all(Some(&official)).await, [running.clone(), running.clone(), nothing.clone()]);
        pass(&fixture, &[&replica], DELAY).await;
        assert_eq!(all(None).await, [running.clone(), running.clone(), nothing.clone()]);
        let resign = ResignRequest { game_id: id, request_id: fixture.id() };
        replica.caller(&fixture.players[0]).resign(resign).await.expect("resigned");
        assert_eq!(all(None).await, [running.clone(), running, nothing.clone()]);
        for who in [&official, &fixture.players[0], &fixture.players[1]] {
            assert_eq!(all(Some(who)).await, [vec![2], nothing.clone(), vec![2]]);
        }
        pass(&fixture, &[&replica], DELAY).await;
        assert_eq!(all(None).await, [vec![2], nothing, vec![2]]);
    }
}

#[tokio::test]
async fn a_game_that_is_not_broadcast_yet_is_no_game_to_any_method() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let (id, official) = broadcast(&fixture, &replica, false).await;
        let (stranger, unknown, request) = (player(&fixture.env, "stranger"), fixture.id(), fixture.id());
        let plain = replica.public_transport();
        let as_who = |who: Option<&Caller>| {
            who.map_or_else(|| plain.clone(), |who| as_account(plain.clone(), who.clone()))
        };
        let values = |id: &str| {
            [
                ("game_id", id),
                ("side", "1"),
                ("act", "A1"),
                ("room", "2"),
                ("text", "hello"),
                ("reason", "rude"),
                ("sequence", "1"),
                ("claim", "1"),
                ("after_sequence", "0"),
                ("request_id", request.as_str()),
            ]
            .map(|(name, value)| (name, value.to_owned()))
        };
        let methods =
            || public_methods().into_iter().filter(|method| method.path.starts_with("/shoutan.game."));
        for who in [None, Some(&stranger)] {
            for method in
                methods().filter(|method| method.path != "/shoutan.game.v1.GameService/ImportRecord")
            {
                let mut said = Vec::new();
                for id in [&id, &unknown] {
                    let values = values(id);
                    let values: Vec<_> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
                    said.push(call(&as_who(who), &method, &values).await);
                }
                assert!(said[0] == said[1], "{} tells of the game: {}", method.path, said[0].escape_ascii());
            }
        }
        // Whoever may know of it finds it.
        look(&replica, Some(&official), &id).await.expect("seen");
        pass(&fixture, &[&replica], DELAY + Duration::from_secs(1)).await;
        look(&replica, Some(&stranger), &id).await.expect("seen now");
    }
}
