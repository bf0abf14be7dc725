//! Faults of machines and networks, made on real processes beside running games, and what they cost.
//!
//! A platform of one process on SQLite, and one of a gateway and eight more (two replicas of game and of clock among
//! them) on a PostgreSQL and a Redis of their own, each process in a network namespace of its own. For each fault a
//! hundred games are played, what was acknowledged, read and streamed is written down, and ten seconds after the
//! fault has ended it is held to the logs as they stand after one more `kill -9`. One more game is an event's, and ends
//! during the fault: without its federation it is played like any other, and the federation hears of it later.
//!
//! `tests/soak/faults` starts it, in namespaces of mounts, networks and processes that end with it.
#![expect(clippy::print_stdout, reason = "a soak prints its findings")]

mod child;
mod control;
mod event;
mod fault;
mod games;
mod judge;
mod net;
mod proxy;
mod spots;
mod stand;
mod table;

use std::time::Duration;

use anyhow::Context as _;
use chassis::Env;
use tests::{Bot, guest};

use crate::{
    event::Hosts,
    fault::Fault,
    games::Round,
    stand::{Shape, Stand},
    table::{Row, Table},
};

/// Games that are played beside each fault.
const GAMES: usize = 100;
/// How long games go on before a fault.
const BEFORE: Duration = Duration::from_secs(2);
/// How long after the end of a fault a game may stand still.
const RECOVERY: Duration = Duration::from_secs(10);
/// How long it may take until a hundred games are matched.
const MATCHING: Duration = Duration::from_mins(1);
/// How long it may take until an event is held up to its first game, and until that has ended once the games go on.
const EVENT: Duration = Duration::from_mins(1);

/// Who plays.
struct Guests {
    players: Vec<Bot>,
    hosts: Hosts,
}

fn main() -> anyhow::Result<()> {
    chassis::install_crypto();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let value = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1).cloned()
    };
    if let (Some(listen), Some(target)) = (value("--proxy"), value("--to")) {
        return runtime.block_on(proxy::serve(&listen, &target));
    }
    let only = value("--only");
    let chosen = |shape: Shape| -> Vec<Fault> {
        let fits = |fault: &Fault| {
            only.as_ref().is_none_or(|only| format!("{}: {fault}", shape.name()).contains(only.as_str()))
        };
        fault::all(shape).into_iter().filter(fits).collect()
    };
    if arguments.iter().any(|argument| argument == "--list") {
        for shape in Shape::ALL {
            for fault in chosen(shape) {
                println!("{}: {fault}", shape.name());
            }
        }
        return Ok(());
    }
    let clean = runtime.block_on(async {
        tokio::select! {
            biased;
            () = interrupted() => {
                println!("interrupted; what was started ends with this process");
                Ok(false)
            }
            clean = run(chosen) => clean,
        }
    })?;
    // Not by returning: games that hang in a fault would be waited for.
    std::process::exit(i32::from(!clean));
}

async fn interrupted() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut terminate), Ok(mut hangup)) = (signal(SignalKind::terminate()), signal(SignalKind::hangup()))
    else {
        return std::future::pending().await;
    };
    tokio::select! {
        biased;
        _ = tokio::signal::ctrl_c() => {}
        _ = terminate.recv() => {}
        _ = hangup.recv() => {}
    }
}

/// Makes all chosen faults; whether the platform kept its promises.
async fn run(chosen: impl Fn(Shape) -> Vec<Fault>) -> anyhow::Result<bool> {
    let mut table = Table::default();
    for shape in Shape::ALL {
        let faults = chosen(shape);
        if faults.is_empty() {
            continue;
        }
        let mut running: Option<(Stand, Guests)> = None;
        for fault in faults {
            let (mut stand, mut guests) = match running.take() {
                Some(running) => running,
                None => started(shape).await?,
            };
            let row = match one(&mut stand, &mut guests, fault).await {
                Ok(row) => row,
                Err(error) => Row::failed(fault.to_string(), &error),
            };
            let usable = row.usable;
            table.add(shape, row);
            if usable {
                running = Some((stand, guests));
            } else {
                println!("   the platform is started anew; logs of its processes: {}", stand.keep_logs()?);
            }
        }
    }
    Ok(table.verdict())
}

async fn started(shape: Shape) -> anyhow::Result<(Stand, Guests)> {
    let stand = Stand::start(shape).await?;
    let transport = stand.transport(0);
    let mut players = Vec::with_capacity(2 * GAMES);
    for _ in 0..2 * GAMES {
        players.push(guest(&transport).await.context("signing in")?);
    }
    let hosts = Hosts::new(&stand).await.context("founding a federation")?;
    Ok((stand, Guests { players, hosts }))
}

/// Makes one fault beside new games, and judges it.
async fn one(stand: &mut Stand, guests: &mut Guests, fault: Fault) -> anyhow::Result<Row> {
    let env = Env::system();
    for player in guests.players.iter().chain(guests.hosts.accounts()) {
        player.stay_signed_in(env.now()).await?;
    }
    let round = tokio::time::timeout(MATCHING, Round::start(stand, &mut guests.players))
        .await
        .context("no new games within a minute")??;
    let of_event = tokio::time::timeout(EVENT, guests.hosts.begin())
        .await
        .context("no event within a minute")?
        .context("holding an event")?;
    tokio::time::sleep(BEFORE).await;
    let from = env.now();
    fault.make(stand).await?;
    let ending = tokio::spawn(of_event.clone().end());
    tokio::time::sleep(fault.lasts()).await;
    fault.mend(stand).await?;
    let until = env.now();
    tokio::time::sleep(RECOVERY).await;
    let stories = round.stop().await;
    stand.crash_games().await?;
    let logs = games::logs(stand, &stories).await;
    let window = judge::Window { from, until, settled: until + RECOVERY };
    let mut verdict = judge::judge(&stories, &logs, window, fault != Fault::Nothing);
    if tokio::time::timeout(EVENT, ending).await.is_err() {
        verdict.unheard.push("the game of the event could not be ended".to_owned());
    }
    verdict.unheard.extend(of_event.unheard().await);
    of_event.cancel().await?;
    let cleared = games::resign(&stories).await;
    Ok(Row::judged(fault.to_string(), &verdict, cleared))
}
