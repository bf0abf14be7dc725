//! The table that is printed.

use std::time::Duration;

use crate::{judge::Verdict, stand::Shape};

/// What may be charged wrongly, a fault and a game: gaps shorter than a second are not told from a busy machine.
const CHARGED_MAX: Duration = Duration::from_secs(1);
/// What may be credited wrongly, a fault and a game: a beat is as old as this when it is the last one.
const CREDITED_MAX: Duration = Duration::from_millis(250);
/// Examples that are shown of each kind of trouble.
const SHOWN: usize = 3;

/// What stands in the columns; the last two are no promises, but say how busy the machine was.
const HEADINGS: [&str; 9] =
    ["moves acked", "lost", "untrue", "stuck", "unheard", "charged", "credited", "ordinary", "stream lag"];

fn line(name: &str, cells: [&str; 9]) -> String {
    let [acked, lost, untrue, stuck, unheard, charged, credited, ordinary, lag] = cells;
    let found = format!("{acked:>11} {lost:>5} {untrue:>6} {stuck:>5} {unheard:>7}");
    format!("{name:<48} {found} {charged:>9} {credited:>9} {ordinary:>9} {lag:>10}")
}

/// A line.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    fault: String,
    cells: [String; 9],
    notes: Vec<String>,
    good: bool,
    /// Whether the platform can be gone on with.
    pub usable: bool,
    charged: Duration,
    credited: Duration,
}

/// All lines so far.
#[derive(Debug, Default)]
pub(crate) struct Table {
    rows: Vec<(Shape, Row)>,
}

impl Row {
    /// What was found of a fault; `cleared` says whether the games could be ended.
    pub(crate) fn judged(fault: String, verdict: &Verdict, cleared: bool) -> Self {
        let Verdict { acknowledged, lost, untrue, stuck, unheard, charged, credited, ordinary, lag, worst } =
            verdict;
        let mut notes = Vec::new();
        for (what, examples) in [("lost", lost), ("untrue", untrue), ("stuck", stuck), ("unheard", unheard)] {
            notes.extend(examples.iter().take(SHOWN).map(|example| format!("{what}: {example}")));
        }
        if !cleared {
            notes.push("games could not be ended".to_owned());
        }
        let zeros = [lost.len(), untrue.len(), stuck.len(), unheard.len()];
        let within = [*charged <= CHARGED_MAX, *credited <= CREDITED_MAX];
        for ((what, turns), within) in ["charged", "credited"].into_iter().zip(worst).zip(within) {
            notes.extend(turns.iter().filter(|_| !within).map(|turn| format!("{what}: {turn}")));
        }
        Row {
            fault,
            cells: [
                acknowledged.to_string(),
                lost.len().to_string(),
                untrue.len().to_string(),
                stuck.len().to_string(),
                unheard.len().to_string(),
                format!("{:.2} s", charged.as_secs_f64()),
                format!("{:.2} s", credited.as_secs_f64()),
                format!("{:.2} s", ordinary.as_secs_f64()),
                format!("{:.2} s", lag.as_secs_f64()),
            ],
            notes,
            good: zeros == [0; 4] && within == [true; 2] && cleared,
            usable: stuck.is_empty() && cleared,
            charged: *charged,
            credited: *credited,
        }
    }

    /// A fault beside which nothing could be measured.
    pub(crate) fn failed(fault: String, error: &anyhow::Error) -> Self {
        Row {
            fault,
            cells: std::array::from_fn(|_| "-".to_owned()),
            notes: vec![format!("not measured: {error:#}")],
            good: false,
            usable: false,
            charged: Duration::ZERO,
            credited: Duration::ZERO,
        }
    }
}

impl Table {
    /// Adds a line, and prints it.
    pub(crate) fn add(&mut self, shape: Shape, row: Row) {
        if self.rows.is_empty() {
            println!("{}", line("fault", HEADINGS));
        }
        let name = format!("{}: {}", shape.name(), row.fault);
        let mark = if row.good { "" } else { "  <--" };
        println!("{}{mark}", line(&name, row.cells.each_ref().map(String::as_str)));
        for note in &row.notes {
            println!("   {note}");
        }
        self.rows.push((shape, row));
    }

    /// Prints what it comes to; whether every line is as promised.
    pub(crate) fn verdict(&self) -> bool {
        let most =
            |of: fn(&Row) -> Duration| self.rows.iter().map(|(_, row)| of(row)).max().unwrap_or_default();
        let bad = self.rows.iter().filter(|(_, row)| !row.good).count();
        println!(
            "{} faults, {bad} not as promised; charged wrongly at most {:.2} s, credited wrongly at most {:.2} s",
            self.rows.len(),
            most(|row| row.charged).as_secs_f64(),
            most(|row| row.credited).as_secs_f64()
        );
        bad == 0 && !self.rows.is_empty()
    }
}
