//! What becomes of the live state when its Redis server is killed, stopped, emptied or left behind.

use std::collections::HashSet;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use live::{ChildRedis, Config, Live, LiveError, Opened, Received, TicketState, connect};
use redis::AsyncCommands as _;
use tempfile::TempDir;
use tokio::time::timeout;

use crate::examples::{at, deadline, id, ticket};
use crate::fanout::{message, next};
use crate::world::{folder, server_installed};

/// How long a test waits for a reconnect.
const RETRY: Duration = Duration::from_secs(20);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_kill_9_clients_come_back_and_find_everything() -> Result<()> {
    let Some((folder, server)) = server().await? else { return Ok(()) };
    let live = connect(&Config::new(&server.url())?).await?;
    live.open_ticket(ticket(1, "go"), at(0)).await?;
    live.set_deadline(deadline("flags", 1, 7, 10)).await?;
    let mut listener = live.subscribe("game:1").await?;
    live.publish("game:1", message(1)).await?;
    assert_eq!(next(&mut listener).await?, Received::Message(message(1)));

    server.kill().await?;
    let failed = live.ticket(id(1)).await;
    assert!(matches!(failed, Err(LiveError::Unavailable(_))), "{failed:?}");
    assert_eq!(next(&mut listener).await?, Received::Unfollowed, "it is known that nothing arrives");
    assert!(!listener.is_followed());

    let server = ChildRedis::start(folder.path()).await?;
    back(&live).await?;
    assert!(matches!(live.ticket(id(1)).await?, Some(TicketState::Waiting(_))));
    assert_eq!(live.take_due("flags", at(10), at(20), 9).await?, [deadline("flags", 1, 7, 10)]);
    assert_eq!(next(&mut listener).await?, Received::Lagged(0), "a listener must fill the gap");
    live.publish("game:1", message(2)).await?;
    assert_eq!(next(&mut listener).await?, Received::Message(message(2)));
    let mut late = live.subscribe("game:1").await?;
    live.publish("game:1", message(3)).await?;
    assert_eq!(next(&mut late).await?, Received::Message(message(3)), "no gap for who came after it");
    server.stop().await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_listens_in_the_same_process_is_told_while_the_server_is_silent() -> Result<()> {
    let Some((_folder, server)) = server().await? else { return Ok(()) };
    let config = Config::new(&server.url())?;
    let (live, elsewhere) = (connect(&config).await?, connect(&config).await?);
    let (mut near, mut far) = (live.subscribe("game:1").await?, elsewhere.subscribe("game:1").await?);
    let signal = |name: &str| {
        let id = server.id().context("the server has ended")?.to_string();
        ensure!(Command::new("kill").args([name, &id]).status()?.success(), "no signal was sent");
        Ok(())
    };
    signal("-STOP")?;
    let published = async {
        for number in 0..20 {
            let sent = live.publish("game:1", message(number)).await;
            assert!(matches!(sent, Err(LiveError::Unavailable(_))), "{sent:?}");
        }
    };
    // 150 ms for the first, and next to nothing for the others, where a command has three seconds.
    timeout(Duration::from_secs(3), published).await.context("somebody waits for others to be told")?;
    let mut told = 0;
    while told < 20 {
        match next(&mut near).await? {
            Received::Unfollowed => assert!(!near.is_followed()),
            heard => {
                assert_eq!(heard, Received::Message(message(told)));
                told += 1;
            }
        }
    }
    signal("-CONT")?;
    back(&live).await?;
    timeout(RETRY, async { while live.publish("game:1", message(99)).await.is_err() {} }).await?;
    timeout(RETRY, async {
        while !matches!(far.recv().await, Received::Message(last) if last == message(99)) {}
    })
    .await
    .context("the others are told again")?;
    server.stop().await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_emptied_server_that_forgot_the_scripts_serves_on() -> Result<()> {
    let Some((_folder, server)) = server().await? else { return Ok(()) };
    let live = connect(&Config::new(&server.url())?).await?;
    live.open_ticket(ticket(1, "go"), at(0)).await?;
    let mut raw = redis::Client::open(server.url())?.get_multiplexed_async_connection().await?;
    let () = redis::cmd("SCRIPT").arg("FLUSH").query_async(&mut raw).await?;
    let () = raw.flushall().await?;
    assert_eq!(live.ticket(id(1)).await?, None);
    assert_eq!(live.open_ticket(ticket(1, "go"), at(1)).await?, Opened::Created);
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_connection_follows_all_topics_and_leaves_them() -> Result<()> {
    let Some((_folder, server)) = server().await? else { return Ok(()) };
    let live = connect(&Config::new(&server.url())?.with_prefix("p")?).await?;
    let mut raw = redis::Client::open(server.url())?.get_multiplexed_async_connection().await?;
    let mut listeners = Vec::new();
    for topic in 0..50 {
        listeners.push(live.subscribe(&format!("game:{topic}")).await?);
    }
    listeners.push(live.subscribe("game:0").await?);
    let clients: String =
        redis::cmd("CLIENT").arg("LIST").arg("TYPE").arg("PUBSUB").query_async(&mut raw).await?;
    assert_eq!(clients.lines().count(), 1, "{clients}");

    listeners.drain(..49);
    // The link serves changes in the order of rounds: the second of these comes after the leaving.
    listeners.push(live.subscribe("one").await?);
    listeners.push(live.subscribe("two").await?);
    let channels: HashSet<String> = redis::cmd("PUBSUB").arg("CHANNELS").query_async(&mut raw).await?;
    let expected = ["game:0", "game:49", "one", "two"].map(|topic| format!("p:topic:{topic}"));
    assert_eq!(channels, HashSet::from(expected));
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_folder_has_one_server_at_a_time() -> Result<()> {
    let Some((folder, server)) = server().await? else { return Ok(()) };
    let second = ChildRedis::start(folder.path()).await;
    assert!(matches!(second, Err(LiveError::Child(_))), "{second:?}");
    server.stop().await?;
    let mut server = ChildRedis::start(folder.path()).await?;
    let live = connect(&Config::new(&server.url())?).await?;
    live.prove().await?;
    let mut raw = redis::Client::open(server.url())?.get_multiplexed_async_connection().await?;
    let _: redis::RedisResult<()> = redis::cmd("SHUTDOWN").arg("NOSAVE").query_async(&mut raw).await;
    assert!(server.ended().await?.success(), "its end is noticed");
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_left_behind_is_ended_and_its_data_kept() -> Result<()> {
    let Some((folder, server)) = server().await? else { return Ok(()) };
    connect(&Config::new(&server.url())?).await?.open_ticket(ticket(1, "go"), at(0)).await?;
    server.kill().await?;
    let mut orphan = Command::new(ChildRedis::find().context("no server")?)
        .args(["--port", "0", "--save", "", "--appendonly", "yes", "--unixsocket", "redis.sock", "--dir"])
        .arg(folder.path())
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .spawn()?;
    let log = BufReader::new(orphan.stdout.take().context("no log")?).lines();
    let ready = log.map_while(Result::ok).any(|line| line.to_lowercase().contains("ready to accept"));
    ensure!(ready, "the orphan did not start");

    let server = ChildRedis::start(folder.path()).await?;
    assert!(orphan.wait()?.success());
    let live = connect(&Config::new(&server.url())?).await?;
    assert!(matches!(live.ticket(id(1)).await?, Some(TicketState::Waiting(_))));
    Ok(())
}

#[tokio::test]
async fn a_path_too_long_for_a_socket_is_told() -> Result<()> {
    if !server_installed()? {
        return Ok(());
    }
    let folder = folder()?;
    let refused = ChildRedis::start(&folder.path().join("x".repeat(120))).await;
    assert!(matches!(&refused, Err(LiveError::Child(why)) if why.contains("shorter")), "{refused:?}");
    // Spaces, percent signs and other letters are no hindrance.
    let server = ChildRedis::start(&folder.path().join("a b%20\u{8c08}?#")).await?;
    connect(&Config::new(&server.url())?).await?.prove().await?;
    Ok(())
}

#[tokio::test]
async fn nobody_there_is_an_error_after_some_seconds() -> Result<()> {
    let folder = folder()?;
    let url = format!("unix://{}", folder.path().join("nobody.sock").display());
    let refused = connect(&Config::new(&url)?).await;
    assert!(matches!(refused, Err(LiveError::Unavailable(_))), "{refused:?}");
    Ok(())
}

/// A server, and the folder that it lives in; `None` if none is installed.
async fn server() -> Result<Option<(TempDir, ChildRedis)>> {
    if !server_installed()? {
        return Ok(None);
    }
    let folder = folder()?;
    let server = ChildRedis::start(folder.path()).await?;
    Ok(Some((folder, server)))
}

/// Waits until the store answers. Each try waits for the attempts to connect that are under way.
async fn back(live: &Arc<dyn Live>) -> Result<()> {
    timeout(RETRY, async { while live.prove().await.is_err() {} })
        .await
        .context("the store does not come back")
}
