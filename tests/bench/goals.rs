//! What a move may cost, as a ratio to the floor under it: an echo, and a server that does no more than to check a token and to
//! commit. All three are measured by turns, so that what the machine does meanwhile falls on each alike.

use tests::{Pairing, Platform, Shape, Store, floor::Server};

use crate::{floor, moves, stats::Summary};

/// Rounds of each; their median is told.
const ROUNDS: usize = 5;
/// Games that are played as fast as they go, and calls in each.
const CLOSED: [(usize, usize); 2] = [(1, 180), (64, 120)];
/// Games with a move a second each, and for how many seconds in a round.
const PACED: (usize, u64) = (1000, 5);

/// What is looked at of a summary.
#[derive(Clone, Copy, Debug)]
enum Of {
    PerSecond,
    P50,
    P99,
}

/// What has to come of a work.
#[derive(Clone, Copy, Debug)]
enum Goal {
    /// At least so many times as much as the floor has.
    AtLeast(Of, f64),
    /// At most so many times what the floor takes.
    AtMost(Of, f64),
    /// At most so many milliseconds.
    Within(Of, f64),
}

/// The echo, the floor and the platform, measured by turns.
type Measured = [Vec<Summary>; 3];

impl Of {
    fn read(self, summary: &Summary) -> f64 {
        match self {
            Of::PerSecond => summary.per_s,
            Of::P50 => summary.p50_ms(),
            Of::P99 => summary.p99_ms(),
        }
    }

    /// The least, the median and the most of some rounds.
    fn spread(self, rounds: &[Summary]) -> [f64; 3] {
        let mut read: Vec<f64> = rounds.iter().map(|summary| self.read(summary)).collect();
        read.sort_unstable_by(f64::total_cmp);
        [read[0], read[read.len() / 2], read[read.len() - 1]]
    }

    fn median(self, rounds: &[Summary]) -> f64 {
        self.spread(rounds)[1]
    }
}

impl Goal {
    /// What was missed, if it was.
    fn missed(self, [_, floor, ours]: &Measured) -> Option<String> {
        let ratio = |of: Of| of.median(ours) / of.median(floor);
        match self {
            Goal::AtLeast(of, least) if ratio(of) < least => {
                Some(format!("{of:?} is {:.2} times the floor's, at least {least}", ratio(of)))
            }
            Goal::AtMost(of, most) if ratio(of) > most => {
                Some(format!("{of:?} is {:.2} times the floor's, at most {most}", ratio(of)))
            }
            Goal::Within(of, most) if of.median(ours) > most => {
                Some(format!("{of:?} is {:.2} ms, at most {most}", of.median(ours)))
            }
            _ => None,
        }
    }
}

/// Moves beside their floors, on SQLite and on PostgreSQL with Redis; an error where a goal is missed.
pub(crate) async fn moves(quick: bool) -> anyhow::Result<()> {
    let mut missed = Vec::new();
    for (store, name) in [(Store::Embedded, "SQLite and memory"), (Store::Servers, "PostgreSQL and Redis")] {
        println!("{name}, medians of {ROUNDS} rounds by turns (least to most):");
        let works = on(store, quick).await?;
        for ((work, measured), goals) in works.iter().zip(goals(store)) {
            print(work, measured);
            missed.extend(
                goals.iter().filter_map(|goal| Some(format!("{name}, {work}: {}", goal.missed(measured)?))),
            );
        }
    }
    anyhow::ensure!(missed.is_empty(), "missed:\n  {}", missed.join("\n  "));
    Ok(())
}

/// What has to come of each work: one at a time, many at once, at a move a second.
const fn goals(store: Store) -> [&'static [Goal]; 3] {
    match store {
        Store::Embedded => [
            &[Goal::AtMost(Of::P50, 1.25)],
            &[Goal::AtLeast(Of::PerSecond, 0.85)],
            &[Goal::AtMost(Of::P50, 1.2), Goal::Within(Of::P99, 2.0)],
        ],
        Store::Servers => [&[], &[Goal::AtLeast(Of::PerSecond, 0.7)], &[Goal::Within(Of::P99, 5.0)]],
    }
}

async fn on(store: Store, quick: bool) -> anyhow::Result<Vec<(String, Measured)>> {
    let share = if quick { 4 } else { 1 };
    let platform = Platform::start(Shape::One, store).await?;
    let echo = Server::echo().await?;
    let floor = match store {
        Store::Embedded => Server::on_sqlite().await?,
        Store::Servers => Server::on_postgres().await?,
    };
    let mut works = Vec::new();
    for (games, calls) in CLOSED {
        let mut measured = Measured::default();
        for _ in 0..ROUNDS {
            measured[0].push(floor::closed(&echo, games, calls / share).await?);
            measured[1].push(floor::closed(&floor, games, calls / share).await?);
            measured[2].push(moves::closed(&platform, games, calls / share).await?);
        }
        works.push((format!("{games} at once, as fast as they go"), measured));
    }
    let games = PACED.0 / share;
    let pairings: Vec<Pairing> = moves::pairings(&platform, games).await?;
    let (mut measured, mut made) = (Measured::default(), 0);
    for _ in 0..ROUNDS {
        measured[0].push(floor::paced(&echo, games, PACED.1).await?);
        measured[1].push(floor::paced(&floor, games, PACED.1).await?);
        let began = tokio::time::Instant::now();
        let latencies = moves::paced_in(&pairings, PACED.1, made).await?;
        measured[2].push(Summary::new(latencies, began.elapsed()));
        made += PACED.1;
    }
    works.push((format!("{games} games, a move a second in each"), measured));
    Ok(works)
}

fn print(work: &str, measured: &Measured) {
    println!("  {work}");
    for (name, rounds) in ["echo", "commit", "move"].iter().zip(measured) {
        let [per_s, p50, p99] = [Of::PerSecond, Of::P50, Of::P99].map(|of| of.spread(rounds));
        println!(
            "    {name:<8} {:>8.0} a second ({:.0} to {:.0}), p50 {:.3} ms ({:.3} to {:.3}), p99 {:.3} ms ({:.3} to {:.3})",
            per_s[1], per_s[0], per_s[2], p50[1], p50[0], p50[2], p99[1], p99[0], p99[2]
        );
    }
    for (name, floor) in ["echo", "commit"].iter().zip(measured) {
        let [per_s, p50, p99] =
            [Of::PerSecond, Of::P50, Of::P99].map(|of| of.median(&measured[2]) / of.median(floor));
        println!(
            "    to {name:<6} {per_s:>7.2}x the rate, {p50:.2}x the median, {p99:.2}x the last hundredth"
        );
    }
}
