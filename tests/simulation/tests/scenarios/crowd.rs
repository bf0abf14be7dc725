//! Those who watch: how many they are, how much later they see a broadcast, and who talks with whom.

use std::{sync::Arc, time::Duration};

use api::{
    client::{ChatStream, Player},
    error::reason,
    game::v1::{
        ChatMessage, ChatRoom, GetGameRequest, ListMessagesRequest, ListReportsRequest, Regulations,
        ReportMessageRequest, WatchRequest, chat_service_client::ChatServiceClient,
        game_service_client::GameServiceClient, watch_response::Step,
    },
    transport::Transport,
};
use simulation::{Stage, in_every_shape};
use tonic::Status;

use super::table::{ONCE, Officials, Table, go, refused};

const PLAYERS: ChatRoom = ChatRoom::Players;
const SPECTATORS: ChatRoom = ChatRoom::Spectators;
const DELAY: Duration = Duration::from_mins(2);

fn chat(player: &Player) -> ChatServiceClient<Transport> {
    ChatServiceClient::new(player.transport())
}

async fn say(player: &Player, table: &Table, room: ChatRoom, text: &str) -> Result<ChatMessage, Status> {
    player.send_message(&table.id, room, text, ONCE).await
}

async fn heard(player: &Player, table: &Table, room: ChatRoom) -> Result<Vec<String>, Status> {
    let request = ListMessagesRequest {
        game_id: table.id.clone(),
        room: room as i32,
        ..ListMessagesRequest::default()
    };
    let messages = chat(player).list_messages(request).await?.into_inner().messages;
    Ok(messages.into_iter().map(|message| message.text).collect())
}

/// Somebody without an account.
fn anybody(stage: &Arc<Stage>) -> GameServiceClient<Transport> {
    GameServiceClient::new(stage.public())
}

#[test]
fn everybody_hears_how_many_watch() {
    in_every_shape(async |stage| {
        let table = Table::matched(&stage, go("10m"), false).await;
        let watch = async |who: &Player| {
            let request = WatchRequest { game_id: table.id.clone(), ..WatchRequest::default() };
            let games = GameServiceClient::new(who.transport());
            games.clone().watch(request).await.expect("anybody may watch").into_inner()
        };
        let (carla, dawa) = (stage.account("carla").await, stage.account("dawa").await);
        let mut one = watch(&carla).await;
        let _also_one = watch(&carla).await;
        let _two = watch(&dawa).await;
        let mut count = None;
        while count != Some(2) {
            let step = one.message().await.expect("the stream goes on").and_then(|answer| answer.step);
            match step {
                Some(Step::Snapshot(game)) => count = game.audience.map(|audience| audience.count),
                Some(Step::Audience(audience)) => count = Some(audience.count),
                other => assert!(other.is_none(), "nothing is played: {other:?}"),
            }
        }
        assert_eq!(table.game().await.audience.map(|audience| audience.count), Some(2));
    });
}

#[test]
fn spectators_see_a_delayed_broadcast_as_it_was() {
    in_every_shape(async |stage| {
        let officials = Officials::new(&stage).await;
        let delayed = Regulations {
            broadcast_delay_duration: Some(api::time::duration(DELAY)),
            ..officials.regulations()
        };
        let table = Table::arranged(&stage, go("1h"), delayed).await;
        let look = || async {
            let request = GetGameRequest { game_id: table.id.clone() };
            Ok::<_, Status>(
                anybody(&stage).get_game(request).await?.into_inner().game.expect("a game").acts.len(),
            )
        };
        assert_eq!(reason(&look().await.expect_err("it has not begun for them")), "UNKNOWN_GAME");
        tokio::time::sleep(DELAY).await;
        table.play(&["C3"]).await;
        let played = stage.now();
        assert_eq!((table.game().await.acts.len(), look().await.expect("it has begun")), (1, 0));
        let request = WatchRequest { game_id: table.id.clone(), ..WatchRequest::default() };
        let mut stream = anybody(&stage).watch(request).await.expect("anybody may watch").into_inner();
        let event = loop {
            let step = stream.message().await.expect("the stream goes on").and_then(|answer| answer.step);
            if let Some(Step::Event(event)) = step {
                break event;
            }
        };
        let late = stage.now() - played;
        assert!((late - DELAY).abs() < time::Duration::seconds(2), "{late}");
        assert_eq!((event.sequence, look().await.expect("it is seen")), (2, 1));
    });
}

#[test]
fn players_and_spectators_talk_apart() {
    in_every_shape(async |stage| {
        let officials = Officials::new(&stage).await;
        let table = Table::arranged(&stage, go("1h"), officials.regulations()).await;
        let (carla, [anna, bao]) = (stage.account("carla").await, &table.players);
        let mut room = ChatStream::new(bao.transport(), &table.id, PLAYERS);
        say(anna, &table, PLAYERS, "你好").await.expect("it is his room");
        assert_eq!(room.next().await.expect("it is her room").text, "你好");
        say(&carla, &table, SPECTATORS, "C3 wins").await.expect("it is her room");
        assert_eq!(refused(say(anna, &table, SPECTATORS, "does it?").await), "WRONG_ROOM");
        assert_eq!(refused(say(&carla, &table, PLAYERS, "C3!").await), "WRONG_ROOM");
        assert_eq!(refused(heard(anna, &table, SPECTATORS).await), "WRONG_ROOM");
        assert_eq!(refused(heard(&carla, &table, PLAYERS).await), "WRONG_ROOM");
        // What is said can be reported to the officials, and only they read that.
        let report = ReportMessageRequest {
            game_id: table.id.clone(),
            room: PLAYERS as i32,
            sequence: 1,
            reason: "he distracts me".to_owned(),
        };
        chat(bao).report_message(report).await.expect("she may");
        let reports =
            ListReportsRequest { event_id: officials.event.to_string(), ..ListReportsRequest::default() };
        let list =
            chat(&officials.arbiter).list_reports(reports.clone()).await.expect("they may").into_inner();
        assert_eq!(list.reports.len(), 1);
        assert_eq!(refused(chat(anna).list_reports(reports).await.map(drop)), "NOT_AN_OFFICIAL");
        // Nothing that was said is lost with the processes.
        stage.crash(Duration::from_secs(5)).await;
        assert_eq!(heard(bao, &table, PLAYERS).await.expect("it is her room"), ["你好"]);
        say(anna, &table, PLAYERS, "再见").await.expect("it is his room");
        assert_eq!(room.next().await.expect("who listened still does").text, "再见");
    });
}

#[test]
fn whoever_talks_too_much_is_slowed_down_and_an_event_can_be_silent() {
    in_every_shape(async |stage| {
        let officials = Officials::new(&stage).await;
        let silent = Regulations { player_chat_off: true, ..officials.regulations() };
        let table = Table::arranged(&stage, go("1h"), silent).await;
        assert_eq!(refused(say(&table.players[0], &table, PLAYERS, "hello").await), "CHAT_OFF");
        let carla = stage.account("carla").await;
        let mut said = 0;
        let limit = loop {
            match say(&carla, &table, SPECTATORS, "look").await {
                Ok(_) => said += 1,
                Err(status) => break status,
            }
            assert!(said < 100, "nothing slows her down");
        };
        assert_eq!(reason(&limit), "CHAT_TOO_FAST");
        tokio::time::sleep(Duration::from_mins(1)).await;
        say(&carla, &table, SPECTATORS, "again").await.expect("a minute later");
    });
}
