//! What becomes of the live state when the server that keeps it is killed and another takes its place.

use std::{process::Command, time::Duration};

use anyhow::{Context as _, Result, bail, ensure};
use live::{Config, LiveError, Received, TicketState, connect};
use tokio::time::Instant;
use uuid::Uuid;

use crate::{
    examples::{at, deadline, id, ticket},
    fanout::{message, next},
};

/// How long a test waits for servers.
const PATIENCE: Duration = Duration::from_secs(40);

/// What a server answers.
pub(crate) fn ask(port: u16, command: &str) -> String {
    let mut asked = Command::new("redis-cli");
    asked.args(["-p", &port.to_string()]).args(command.split(' '));
    asked.output().map(|told| String::from_utf8_lossy(&told.stdout).into_owned()).unwrap_or_default()
}

/// Whether the replica of a master has all that was written there.
pub(crate) fn is_replicated(replication: &str) -> bool {
    let written = replication.lines().find_map(|line| line.strip_prefix("master_repl_offset:"));
    let replica = replication.lines().find(|line| line.starts_with("slave0:"));
    let has = replica.and_then(|line| line.split(',').find_map(|part| part.strip_prefix("offset=")));
    written.is_some() && written.map(str::trim) == has
}

/// Waits until something is so.
pub(crate) async fn until(what: &str, is_so: impl AsyncFn() -> bool) -> Result<()> {
    let begun = Instant::now();
    while !is_so().await {
        ensure!(begun.elapsed() < PATIENCE, "it is never so that {what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok(())
}

/// What a call says once the store answers, which it may not while a replica takes the place of its master.
async fn answered<T>(call: impl AsyncFn() -> Result<T, LiveError>) -> Result<T> {
    let begun = Instant::now();
    loop {
        match call().await {
            Err(error @ LiveError::Unavailable(_)) => {
                ensure!(begun.elapsed() < PATIENCE, "{error} ({:?})", std::error::Error::source(&error));
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            answer => return Ok(answer?),
        }
    }
}

/// Whatever lies on the master that is killed is there again when its replica has taken its place, and what lies elsewhere all the
/// time; and everybody hears again of what is said.
pub(crate) async fn takes_nothing_with_it(
    config: &Config,
    kill: impl AsyncFnOnce() -> Result<()>,
) -> Result<()> {
    let (live, elsewhere) = (connect(config).await?, connect(config).await?);
    live.open_ticket(ticket(1, "go"), at(0)).await?;
    // Queues of their own lie on nodes of their own.
    let queues: Vec<String> = (0..12).map(|number| format!("queue-{number}")).collect();
    for queue in &queues {
        live.set_deadline(deadline(queue, 1, 7, 10)).await?;
    }
    let mut listeners = [live.subscribe("game:1").await?, elsewhere.subscribe("game:1").await?];

    kill().await?;
    let found = answered(async || live.ticket(id(1)).await).await?;
    assert!(matches!(found, Some(TicketState::Waiting(_))), "{found:?}");
    answered(async || live.prove().await).await?;
    for queue in &queues {
        let found = answered(async || live.deadline(queue, id(1)).await).await?;
        assert_eq!(found, Some(deadline(queue, 1, 7, 10)), "{queue}");
    }
    // Both hear again; who listened through the node that died was told that something may be missing.
    let last = message(77);
    let publisher = answered(async || connect(config).await).await?;
    for listener in &mut listeners {
        let heard = async {
            loop {
                answered(async || publisher.publish("game:1", last.clone()).await).await?;
                match tokio::time::timeout(Duration::from_millis(200), next(listener)).await {
                    Ok(Ok(Received::Message(heard))) => {
                        assert_eq!(heard, last);
                        return anyhow::Ok(());
                    }
                    Ok(Ok(Received::Unfollowed | Received::Lagged(0))) | Err(_) => {}
                    Ok(other) => bail!("{other:?}"),
                }
            }
        };
        tokio::time::timeout(PATIENCE, heard).await.context("nothing is heard")??;
    }
    // And a store that has lost a server is joined by who comes now.
    let late = connect(config).await?;
    assert!(matches!(late.ticket(id(1)).await?, Some(TicketState::Waiting(_))));
    assert_eq!(late.ticket_of(Uuid::nil()).await?, None);
    Ok(())
}
