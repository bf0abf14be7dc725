//! Taking times in turn, and printing what they say.

use std::time::Duration;

/// One thing measured: a name and what it does in a round.
pub struct Row<'a> {
    /// What is measured.
    pub name: String,
    /// Does the work and returns how much of it that was; `None` if it cannot be done here.
    pub work: Box<dyn FnMut() -> Option<Work> + 'a>,
}

/// Work that was done.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    /// How many units.
    pub units: u64,
    /// In how much time.
    pub within: Duration,
}

impl<'a> Row<'a> {
    /// A row whose work is timed here; `work` returns its units.
    pub fn timed(name: impl Into<String>, mut work: impl FnMut() -> u64 + 'a) -> Row<'a> {
        Row { name: name.into(), work: Box::new(move || Some(timed(&mut work))) }
    }
}

/// Does the work once and takes its time.
#[expect(clippy::disallowed_methods, reason = "a benchmark measures real time")]
pub fn timed(work: &mut impl FnMut() -> u64) -> Work {
    let began = std::time::Instant::now();
    let units = work();
    Work { units, within: began.elapsed() }
}

/// Runs every row once a round, in turn, and prints the medians with what each is to the first.
pub fn table(title: &str, unit: &str, rounds: usize, mut rows: Vec<Row<'_>>) {
    let rates = run(rounds, &mut rows);
    let first = rates.first().and_then(|rates| rates.as_ref()).map(|rates| rates.median);
    println!("\n{title}");
    println!("  {:<54} {:>12}  {:>7}  {:>15}", "", format!("{unit}/s"), "ratio", "lowest-highest");
    for (row, rates) in rows.iter().zip(&rates) {
        match (rates, first) {
            (Some(rates), Some(first)) => {
                println!("  {:<54} {}", row.name, rates.columns(&format!("{:.3}", rates.median / first)));
            }
            _ => println!("  {:<54} {:>12}", row.name, "absent"),
        }
    }
}

/// Runs every row once a round, in turn, and prints the medians: rows that are not to be compared.
pub fn list(title: &str, unit: &str, rounds: usize, mut rows: Vec<Row<'_>>) {
    let rates = run(rounds, &mut rows);
    println!("\n{title}");
    println!("  {:<54} {:>12}  {:>7}  {:>15}", "", format!("{unit}/s"), "", "lowest-highest");
    for (row, rates) in rows.iter().zip(rates.iter().flatten()) {
        println!("  {:<54} {}", row.name, rates.columns(""));
    }
}

/// What a row did a second.
struct Rates {
    lowest: f64,
    median: f64,
    highest: f64,
}

impl Rates {
    fn of(mut rates: Vec<f64>) -> Option<Rates> {
        rates.sort_unstable_by(f64::total_cmp);
        let median = *rates.get(rates.len() / 2)?;
        Some(Rates { lowest: rates[0], median, highest: rates[rates.len() - 1] })
    }

    fn columns(&self, ratio: &str) -> String {
        let range = format!("{}-{}", short(self.lowest), short(self.highest));
        format!("{:>12}  {ratio:>7}  {range:>15}", short(self.median))
    }
}

fn run(rounds: usize, rows: &mut [Row<'_>]) -> Vec<Option<Rates>> {
    let mut rates: Vec<Vec<f64>> = vec![Vec::new(); rows.len()];
    // The first round warms up.
    for round in 0..=rounds {
        for (row, rates) in rows.iter_mut().zip(&mut rates) {
            if let Some(work) = (row.work)().filter(|_| round > 0) {
                rates.push(work.units as f64 / work.within.as_secs_f64());
            }
        }
    }
    rates.into_iter().map(Rates::of).collect()
}

/// A number with three digits that count: `9.01 M`.
fn short(rate: f64) -> String {
    match rate {
        1e6.. => format!("{:.2} M", rate / 1e6),
        1e4.. => format!("{:.0} k", rate / 1e3),
        1e3.. => format!("{:.2} k", rate / 1e3),
        _ => format!("{rate:.0}"),
    }
}
