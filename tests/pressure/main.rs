//! Attacks on a platform beside two hundred paced games: whether its players notice, whether time is credited or
//! charged for it, what is left of it a minute later, and whether the log names who was limited, if anybody was.
//!
//! The control is the same: the same games on the same platform, while the same generator sends the same load to a
//! bare echo on the same machine. So what the generator itself takes from the machine is no fault of the platform's.
//! The platform runs with its own limits; players and attackers have addresses of their own (127.0.0.0/8).
#![expect(clippy::print_stdout, reason = "a soak prints its findings")]

mod attack;
mod attackers;
mod games;
mod remains;

use std::{sync::atomic::Ordering, time::Duration};

use anyhow::Context as _;
use tests::{
    Ground, Platform, Shape, Store,
    floor::{self, Server},
};

use crate::{
    attack::Attack,
    attackers::{Attackers, Target},
    games::Games,
    remains::Remains,
};

/// Rounds of each attack and its control, of which the medians are taken.
const ROUNDS: usize = 5;
/// How long each lasts.
const LASTS: Duration = Duration::from_secs(6);
/// How long the platform has to get over an attack.
const AFTER: Duration = Duration::from_mins(1);
/// What a move may take under attack, of what it takes beside the control.
const RATIO_MAX: f64 = 1.5;
/// What one turn may be charged beyond what its player thought.
const CHARGED_MAX: Duration = Duration::from_secs(1);
/// What a clock may gain by a turn.
const CREDITED_MAX: Duration = Duration::from_millis(250);

fn main() -> anyhow::Result<()> {
    chassis::install_crypto();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let value = |name: &str| arguments.iter().skip_while(|argument| *argument != name).nth(1).cloned();
    if let Some(port) = value("--floor") {
        return runtime.block_on(floor::serve(port.parse()?, None));
    }
    let only = value("--only");
    let fits = |attack: &Attack| only.as_ref().is_none_or(|only| attack.name().contains(only.as_str()));
    let attacks: Vec<Attack> = Attack::ALL.into_iter().filter(fits).collect();
    if arguments.iter().any(|argument| argument == "--list") {
        for attack in attacks {
            println!("{}", attack.name());
        }
        return Ok(());
    }
    let rounds = if arguments.iter().any(|argument| argument == "--quick") { 1 } else { ROUNDS };
    let clean = runtime.block_on(async {
        let interrupted = async {
            let terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate());
            let Ok(mut terminate) = terminate else { return std::future::pending().await };
            tokio::select! {
                biased;
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
        };
        tokio::select! {
            biased;
            () = interrupted => anyhow::bail!("interrupted"),
            clean = run(&attacks, rounds) => clean,
        }
    })?;
    anyhow::ensure!(clean, "the platform does not hold under every attack");
    Ok(())
}

async fn run(attacks: &[Attack], rounds: usize) -> anyhow::Result<bool> {
    let ground = Ground { limited: true, ..Ground::default() };
    let (echo, platform) =
        (Server::echo().await?, Platform::start_on(Shape::One, Store::Embedded, ground).await?);
    let attackers = Attackers::gather(&platform).await.context("the attackers sign in")?;
    let mut games = Games::of_new_players(&platform).await.context("the players sign in")?;
    println!(
        "{:<22} {:>10} {:>10} {:>6} {:>8} {:>9} {:>9} {:>9} {:>12} {:>10}  named",
        "attack",
        "control",
        "p99",
        "ratio",
        "outages",
        "charged",
        "credited",
        "calls/s",
        "memory KiB",
        "handles"
    );
    let mut clean = true;
    for attack in attacks {
        let outcome = one(*attack, rounds, &platform, &echo, &attackers, &mut games).await;
        match outcome {
            Ok(held) => clean &= held,
            Err(error) => {
                println!("{:<22} not measured: {error:#}  <--", attack.name());
                clean = false;
            }
        }
    }
    Ok(clean && !attacks.is_empty())
}

/// Makes one attack, and prints what came of it; whether the platform held.
async fn one(
    attack: Attack,
    rounds: usize,
    platform: &Platform,
    echo: &Server,
    attackers: &Attackers,
    games: &mut Games,
) -> anyhow::Result<bool> {
    let mut playing = games.pair_up().await?;
    attackers.stay_signed_in().await?;
    // What the games themselves need is not the attack's.
    playing.play(LASTS).await;
    let before = Remains::of(platform)?;
    let log_before = platform.logs().len();
    let (mut control, mut attacked) = (Vec::new(), Vec::new());
    let (mut calls, mut limited) = (0, 0);
    for _ in 0..rounds {
        let wave = attack.begin(attackers, Target::Echo(&echo.url));
        control.push(playing.play(LASTS).await);
        wave.end().await;
        let wave = attack.begin(attackers, Target::Platform(&platform.url));
        attacked.push(playing.play(LASTS).await);
        let counts = wave.end().await;
        calls += counts.calls.load(Ordering::SeqCst);
        limited += counts.limited.load(Ordering::SeqCst);
        anyhow::ensure!(counts.unknown.load(Ordering::SeqCst) == 0, "an attacker is not known any more");
    }
    tokio::time::sleep(AFTER).await;
    let after = Remains::of(platform)?;
    let logs = platform.logs();
    let named = attackers.is_named(attack, logs.get(log_before..).unwrap_or_default());
    let told = playing.end().await?;
    let (control, attacked) = (median(control), median(attacked));
    let ratio = attacked / control;
    let seconds = LASTS.as_secs_f64() * f64::from(u32::try_from(rounds)?);
    let held = ratio <= RATIO_MAX
        && told.outages == 0
        && told.charged <= CHARGED_MAX
        && told.credited <= CREDITED_MAX
        && after.is_back_to(&before)
        && (named || limited == 0);
    println!(
        "{:<22} {control:>7.2} ms {attacked:>7.2} ms {ratio:>5.2}x {:>8} {:>7.2} s {:>7.2} s {:>9.0} {:>12} {:>10}  {}{}",
        attack.name(),
        told.outages,
        told.charged.as_secs_f64(),
        told.credited.as_secs_f64(),
        f64::from(calls) / seconds,
        format!("{:+}", after.memory_kib - before.memory_kib),
        format!("{:+}", after.handles - before.handles),
        match (named, limited) {
            (true, _) => "yes",
            (false, 0) => "nobody was limited",
            (false, _) => "no",
        },
        if held { "" } else { "  <--" },
    );
    Ok(held)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
