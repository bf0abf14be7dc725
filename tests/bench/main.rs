//! Benchmarks of the whole platform, as ratios to a floor measured in the same run.
//!
//! The floor is a bare tonic server that answers a unary call with the time, in a process of its own, called
//! in the same way and at the same pace. What a durable move costs more is the platform's.
#![expect(clippy::print_stdout, reason = "a benchmark prints its findings")]
#![expect(clippy::cast_precision_loss, reason = "counts and sizes here are far below 2^52")]

mod against;
mod beside;
mod boards;
mod calls;
mod files;
mod floor;
mod goals;
mod matching;
mod moves;
mod notices;
mod packing;
mod processes;
mod results;
mod stats;

use tests::{Platform, Shape, Store, floor::Server};

use crate::stats::{Summary, memory_kib};

/// Games whose last minute is called at the same time.
const CALLED: usize = 200;
/// Tickets that arrive at once.
const TICKETS: usize = 2000;

fn main() -> anyhow::Result<()> {
    chassis::install_crypto();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    if let Some(port) = std::env::args().skip_while(|argument| argument != "--floor").nth(1) {
        let kept = std::env::args().skip_while(|argument| argument != "--floor").nth(2);
        return runtime.block_on(tests::floor::serve(port.parse()?, kept.as_deref()));
    }
    if std::env::args().any(|argument| argument == "--round") {
        return runtime.block_on(against::round());
    }
    if let Some(before) = std::env::args().skip_while(|argument| argument != "--against").nth(1) {
        return runtime.block_on(against::compare(before.as_ref()));
    }
    if std::env::args().any(|argument| argument == "--boards") {
        return runtime.block_on(watched_boards());
    }
    if std::env::args().any(|argument| argument == "--beside") {
        return runtime.block_on(beside_a_pairing());
    }
    if std::env::args().any(|argument| argument == "--burst") {
        return runtime.block_on(matched_bursts());
    }
    if std::env::args().any(|argument| argument == "--files") {
        return runtime.block_on(taken_files());
    }
    let quick = std::env::args().any(|argument| argument == "--quick");
    if std::env::args().any(|argument| argument == "--notices") {
        return runtime.block_on(told_notices(quick));
    }
    if std::env::args().any(|argument| argument == "--results") {
        return runtime.block_on(rated_results(quick));
    }
    if std::env::args().any(|argument| argument == "--packing") {
        return runtime.block_on(packed_logs(quick));
    }
    if std::env::args().any(|argument| argument == "--processes") {
        return runtime.block_on(shared_matching(quick));
    }
    if std::env::args().any(|argument| argument == "--goals") {
        return runtime.block_on(goals::moves(quick));
    }
    runtime.block_on(run(quick))
}

async fn run(quick: bool) -> anyhow::Result<()> {
    let (bare, durable) = (Server::echo().await?, Server::on_sqlite().await?);
    let platform = Platform::start(Shape::One, Store::Embedded).await?;
    println!(
        "a durable move beside the floors under it (tonic, another process, loopback): an echo, and a commit\n"
    );
    println!("{:<34} {:>10} {:>12} {:>12}", "", "per second", "p50", "p99");
    for games in [1, 64] {
        let rounds = if quick { 60 } else { 180 };
        let echo = floor::closed(&bare, games, rounds).await?;
        let floor = floor::closed(&durable, games, rounds).await?;
        let ours = moves::closed(&platform, games, rounds).await?;
        report(&format!("{games} at once, as fast as they go"), [&echo, &floor, &ours]);
    }
    let seconds = if quick { 5 } else { 15 };
    let echo = floor::paced(&bare, 1000, seconds).await?;
    let floor = floor::paced(&durable, 1000, seconds).await?;
    let before_kib = memory_kib(&platform)?;
    let (ours, kept) = moves::paced(&platform, 1000, seconds).await?;
    let after_kib = memory_kib(&platform)?;
    report("1,000 at one a second each", [&echo, &floor, &ours]);
    println!(
        "memory of a running game, with its players' connections: {:.1} KiB ({} games)\n",
        (after_kib.saturating_sub(before_kib)) as f64 / kept as f64,
        kept
    );
    let matched = matching::burst(&platform, TICKETS).await?;
    println!("{TICKETS} tickets at once:");
    println!("  all matched and told after {:.2} s", matched.all.as_secs_f64());
    println!("  {:.0} pairs a second, each with its game in the database", matched.pairs_per_s);
    println!("  ticket to game: p50 {:.0} ms, p99 {:.0} ms", matched.waits.p50_ms(), matched.waits.p99_ms());
    let late = calls::lateness(&platform, CALLED).await?;
    println!("\nthe last minute of {CALLED} games, called to their players:");
    println!(
        "  heard after it was due: p50 {:.1} ms, p99 {:.1} ms, latest {:.1} ms",
        late.p50_ms(),
        late.p99_ms(),
        late.longest_ms()
    );
    Ok(())
}

/// Bursts of tickets; an error when they are too slow.
async fn matched_bursts() -> anyhow::Result<()> {
    println!("{TICKETS} tickets at once, {} times over:", matching::BURSTS);
    let mut missed = Vec::new();
    for (store, name, least) in
        [(Store::Embedded, "SQLite and memory", 2_000.0), (Store::Servers, "PostgreSQL and Redis", 1_000.0)]
    {
        let bursts = matching::bursts(store, TICKETS).await?;
        let (slowest, median, fastest) = (&bursts[0], &bursts[bursts.len() / 2], &bursts[bursts.len() - 1]);
        println!(
            "  {name}: {:.0} pairs a second ({:.0} to {:.0}), all matched and told after {:.2} s, ticket to game p50 {:.0} ms, \
             p99 {:.0} ms",
            median.pairs_per_s,
            slowest.pairs_per_s,
            fastest.pairs_per_s,
            median.all.as_secs_f64(),
            median.waits.p50_ms(),
            median.waits.p99_ms()
        );
        if median.pairs_per_s < least {
            missed.push(format!("{name}: at least {least:.0} pairs a second"));
        }
    }
    anyhow::ensure!(missed.is_empty(), "{}", missed.join("; "));
    Ok(())
}

/// The overview of a large round; an error when it is not within its limits.
async fn watched_boards() -> anyhow::Result<()> {
    let boards = boards::BOARDS;
    let platform = Platform::start(Shape::One, Store::Embedded).await?;
    let seen = boards::overview(&platform, boards).await?;
    println!("{boards} boards in one stream, a move a second at each:");
    println!(
        "  seen after the move: p50 {:.0} ms, p99 {:.0} ms, latest {:.0} ms ({} changes, {:.0} a second)",
        seen.delays.p50_ms(),
        seen.delays.p99_ms(),
        seen.delays.longest_ms(),
        seen.changes,
        seen.delays.per_s
    );
    println!("  a change: {:.0} bytes", seen.bytes_a_change);
    println!(
        "  a reader who stops reading for ten seconds: {:.0} KiB (the platform grew by {:.0} KiB beside it)",
        seen.stopped_kib, seen.grown_kib
    );
    seen.judge()
}

/// How soon large files are taken in, and a large page is made; an error when that takes too long.
async fn taken_files() -> anyhow::Result<()> {
    let platform = Platform::start(Shape::One, Store::Embedded).await?;
    let files = files::taken(&platform).await?;
    let said = |what: &str, (took, told): (std::time::Duration, usize)| {
        println!("{what}: {:.2} s, and {told} times told how far", took.as_secs_f64());
    };
    said("a file of 10,000 members", files.members);
    said("an event of 1,000 players and nine rounds", files.event);
    let (took, bytes) = files.page;
    println!("its crosstable as a page: {:.0} ms, {} KiB", took.as_secs_f64() * 1000.0, bytes / 1024);
    files.judge()
}

/// How soon all who follow their notices are told of one thing; an error when that is too late.
async fn told_notices(quick: bool) -> anyhow::Result<()> {
    let people = if quick { notices::PEOPLE_QUICK } else { notices::PEOPLE };
    let platform = Platform::start(Shape::One, Store::Embedded).await?;
    let told = notices::told(&platform, people).await?;
    println!("{people} people who follow their notices, told by one transaction:");
    println!(
        "  the first after {:.0} ms, with the commit; the call answered after {:.0} ms",
        told.first.as_secs_f64() * 1000.0,
        told.answered.as_secs_f64() * 1000.0
    );
    println!(
        "  from then on: p50 {:.0} ms, p99 {:.0} ms, the last {:.0} ms",
        told.delays.p50_ms(),
        told.delays.p99_ms(),
        told.delays.longest_ms()
    );
    println!("  a stream that waits: {:.1} KiB of the platform", told.stream_kib);
    told.judge()
}

/// Results that reach the ratings; an error when they are too slow.
async fn rated_results(quick: bool) -> anyhow::Result<()> {
    let results = if quick { results::RESULTS_QUICK } else { results::RESULTS };
    println!("{results} results from the game service's outbox to committed ratings:");
    for (store, name, least) in
        [(Store::Embedded, "SQLite", 5_000.0), (Store::Servers, "PostgreSQL", 2_500.0)]
    {
        let rate = results::rated(store, results).await?;
        println!("  {name}: {rate:.0} a second");
        anyhow::ensure!(rate >= least, "at least {least:.0} a second");
    }
    Ok(())
}

/// What packing the logs of games that are over comes to; an error when more than 40 bytes an event stay, or the audit finds something.
async fn packed_logs(quick: bool) -> anyhow::Result<()> {
    let games = if quick { packing::GAMES_QUICK } else { packing::GAMES };
    println!("the logs of {games} games, packed:");
    for (store, name) in [(Store::Embedded, "SQLite"), (Store::Servers, "PostgreSQL")] {
        let (packed, took) = packing::packed(store, games).await?;
        let number = |field: &str| packed[field].as_f64().unwrap_or(f64::NAN);
        let [events, before, after] = ["events", "bytes_before", "bytes_after"].map(number);
        println!(
            "  {name}: {events} events, {:.1} MB became {:.1} MB, {:.1} bytes an event became {:.1}, in {took:.1} s; the audit is clean",
            before / 1e6,
            after / 1e6,
            before / events,
            after / events
        );
        anyhow::ensure!(after / events <= 40.0, "at most 40 bytes an event");
    }
    Ok(())
}

/// What a pair costs when several processes match; an error when it is too dear, or too much is proposed twice.
async fn shared_matching(quick: bool) -> anyhow::Result<()> {
    let tickets = if quick { TICKETS } else { 6 * TICKETS };
    println!("{tickets} tickets, 200 a second, in matchmaking processes that share one Redis:");
    let mut all = Vec::new();
    for processes in processes::PROCESSES {
        let it = processes::matched(processes, tickets).await?;
        println!(
            "  {} ({} with streams): {:.2} ms of processor a pair, {:.2} of them Redis; {:.2} % of proposals lost",
            it.processes,
            it.busy,
            it.cpu_ms,
            it.redis_ms,
            it.lost * 100.0
        );
        all.push(it);
    }
    processes::judge(&all)
}

/// What others wait for while a large round is paired; an error when that is too long.
async fn beside_a_pairing() -> anyhow::Result<()> {
    let players = beside::PLAYERS;
    let platform = beside::platform().await?;
    let seen = Box::pin(beside::round(&platform, players)).await?;
    println!("another event, looked at while a round of {players} players is paired:");
    println!("  the pairing: {:.0} ms", seen.pairing.as_secs_f64() * 1000.0);
    for (when, waits) in [("before", &seen.before), ("meanwhile", &seen.meanwhile)] {
        println!(
            "  an answer {when}: p50 {:.1} ms, p99 {:.1} ms, longest {:.1} ms ({:.0} a second)",
            waits.p50_ms(),
            waits.p99_ms(),
            waits.longest_ms(),
            waits.per_s
        );
    }
    seen.judge()
}

fn report(what: &str, [echo, floor, ours]: [&Summary; 3]) {
    println!("{what}");
    for (name, summary) in [("  echo", echo), ("  commit", floor), ("  move", ours)] {
        println!(
            "{name:<34} {:>10.0} {:>9.3} ms {:>9.3} ms",
            summary.per_s,
            summary.p50_ms(),
            summary.p99_ms()
        );
    }
    for (name, floor) in [("  move to echo", echo), ("  move to commit", floor)] {
        println!(
            "{name:<34} {:>9.2}x {:>11.2}x {:>11.2}x",
            ours.per_s / floor.per_s,
            ours.p50_ms() / floor.p50_ms(),
            ours.p99_ms() / floor.p99_ms()
        );
    }
    println!();
}
