//! Kills of matchmaking at every step of a match, a live state that is emptied and one that does not answer, while tickets of eight
//! settings each come as fast as they are paired.
//!
//! Single processes are killed in turn, and now and then all of them in the same moment: what is then found in the live state and in
//! the databases is where each pair stood, and makes the table of steps. At the end every ticket must be in just one game that
//! exists, both players of each having been told of it.
#![expect(clippy::print_stdout, reason = "a soak prints its findings")]

mod crowd;
mod ledger;
mod steps;

use std::time::Duration;

use anyhow::Context as _;
use tests::{Ground, Platform, Redis, Shape, Store};
use tokio::time::Instant;

use crate::{crowd::Crowd, ledger::Ledger, steps::Steps};

/// Processes of matchmaking.
const PROCESSES: usize = 4;
/// Tickets that are handed in.
const TICKETS: usize = 100_000;
/// The same for a quick look.
const TICKETS_QUICK: usize = 5_000;
/// How long it runs undisturbed between two faults.
const CALM: Duration = Duration::from_secs(3);
/// How long the live state does not answer.
const FROZEN: Duration = Duration::from_secs(10);
/// The longest time in which no ticket is matched, the faults included: the longest of them, what is left to expire of leases,
/// and a machine that is busy.
const STUCK_MAX: Duration = Duration::from_mins(2);

fn main() -> anyhow::Result<()> {
    chassis::install_crypto();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let value = |name: &str| arguments.iter().skip_while(|argument| *argument != name).nth(1);
    let quick = arguments.iter().any(|argument| argument == "--quick");
    let tickets = match value("--tickets") {
        Some(text) => text.parse().context("--tickets needs a number")?,
        None if quick => TICKETS_QUICK,
        None => TICKETS,
    };
    anyhow::ensure!(tickets > 0 && tickets % 2 == 0, "tickets are paired: their number must be even");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(run(tickets))
}

/// What is done to the platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// One of the processes is killed.
    Kill(usize),
    /// All of them are.
    KillAll,
    /// The live state loses everything.
    Flush,
    /// The live state is there and does not answer.
    Freeze,
}

impl Fault {
    /// What comes so many-th: each process is killed as often as all of them are.
    fn of(number: usize) -> Self {
        match number % (2 * PROCESSES) {
            at if at % 2 == 1 => Fault::KillAll,
            at => Fault::Kill(at / 2),
        }
    }
}

async fn run(tickets: usize) -> anyhow::Result<()> {
    let redis = Redis::start().await?;
    let ground = Ground { live: Some(redis.url.clone()), ..Ground::default() };
    let mut platform = Platform::start_on(Shape::Six, Store::Servers, ground).await?;
    for _ in 1..PROCESSES {
        platform.add("matchmaking").await?;
    }
    let ledger = Ledger::open(&platform).await?;
    let began = Instant::now();
    let mut crowd = Crowd::start(&platform, tickets)?;
    let mut steps = Steps::default();
    let (mut flushed, mut frozen) = (false, false);
    let mut number = 0;
    let mut last = (0, Instant::now());
    loop {
        if crowd.is_done_after(CALM).await? {
            break;
        }
        let matched = crowd.matched();
        if matched > last.0 {
            last = (matched, Instant::now());
        }
        anyhow::ensure!(last.1.elapsed() < STUCK_MAX, "nothing is matched any more:\n{}", platform.logs());
        let fault = match () {
            () if !flushed && matched > tickets / 3 => Fault::Flush,
            () if !frozen && matched > tickets / 3 * 2 => Fault::Freeze,
            () => Fault::of(number),
        };
        match fault {
            Fault::Kill(which) => platform.kill_nth("matchmaking", which).await?,
            Fault::KillAll => {
                platform.kill_every("matchmaking").await?;
                steps.add(&ledger.steps(&redis).await?);
            }
            Fault::Flush => {
                flushed = true;
                redis.say("FLUSHALL").await?;
            }
            Fault::Freeze => {
                frozen = true;
                redis.freeze(true).await?;
                tokio::time::sleep(FROZEN).await;
                redis.freeze(false).await?;
            }
        }
        platform.restart_killed().await?;
        number += usize::from(!matches!(fault, Fault::Flush | Fault::Freeze));
        println!("{:>5} s  {matched:>7} tickets matched  {fault:?}", began.elapsed().as_secs());
    }
    let took = began.elapsed();
    println!("\n{steps}");
    let found = ledger.judge(crowd.told()).await?;
    println!("{found}");
    println!(
        "{tickets} tickets, {number} kills, one loss and one silence of the live state, {} s",
        took.as_secs()
    );
    anyhow::ensure!(platform.stop().await?.is_empty(), "the platform did not stop well");
    found.verdict()?;
    if flushed && frozen { steps.verdict() } else { anyhow::bail!("it was over before every fault was made") }
}
