//! What the system says of the process. The names are those that every client of Prometheus has for it.

use std::{fs, time::Duration};

use rustix::{
    param::{clock_ticks_per_second, page_size},
    process::{Resource, getrlimit},
};

use super::{Kind, Metric, Metrics, Unit, readings::real};

const CPU: Metric = Metric {
    name: "process_cpu",
    kind: Kind::Counter,
    unit: Some(Unit::Seconds),
    labels: &[],
    help: "Processor time of the process",
};
const MEMORY: Metric = Metric {
    name: "process_resident_memory",
    kind: Kind::Gauge,
    unit: Some(Unit::Bytes),
    labels: &[],
    help: "Memory of the process that is in use",
};
const VIRTUAL: Metric = Metric {
    name: "process_virtual_memory",
    kind: Kind::Gauge,
    unit: Some(Unit::Bytes),
    labels: &[],
    help: "Addresses that the process has",
};
const STARTED: Metric = Metric {
    name: "process_start_time",
    kind: Kind::Gauge,
    unit: Some(Unit::Seconds),
    labels: &[],
    help: "When the process was started, since the epoch",
};
const DESCRIPTORS: Metric = Metric {
    name: "process_open_fds",
    kind: Kind::Gauge,
    unit: None,
    labels: &[],
    help: "Descriptors that the process has open",
};
const DESCRIPTORS_MAX: Metric = Metric {
    name: "process_max_fds",
    kind: Kind::Gauge,
    unit: None,
    labels: &[],
    help: "Descriptors that the process may have open",
};
const THREADS: Metric = Metric {
    name: "process_threads",
    kind: Kind::Gauge,
    unit: None,
    labels: &[],
    help: "Threads of the process",
};

/// What is measured of the process.
pub(super) const METRICS: &[Metric] = &[CPU, MEMORY, VIRTUAL, STARTED, DESCRIPTORS, DESCRIPTORS_MAX, THREADS];

/// What `/proc/self/stat` says.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Stat {
    cpu_s: f64,
    threads: f64,
    /// Since the machine was started.
    started_s: f64,
    virtual_bytes: f64,
    resident_bytes: f64,
}

/// A number of it.
type OfStat = fn(Stat) -> f64;

/// Measures it from now on. Where the system says nothing of it nothing is told.
pub(super) fn measure(metrics: &Metrics) {
    let of_stat: [(&Metric, OfStat); 4] = [
        (&CPU, |stat| stat.cpu_s),
        (&MEMORY, |stat| stat.resident_bytes),
        (&VIRTUAL, |stat| stat.virtual_bytes),
        (&THREADS, |stat| stat.threads),
    ];
    for (metric, number) in of_stat {
        metrics.read(metric, move |reader| {
            if let Some(stat) = stat() {
                reader.tell(&[], number(stat));
            }
        });
    }
    metrics.read(&STARTED, |reader| {
        if let (Some(stat), Some(booted)) = (stat(), booted()) {
            reader.tell(&[], booted.as_secs_f64() + stat.started_s);
        }
    });
    metrics.read(&DESCRIPTORS, |reader| {
        if let Ok(open) = fs::read_dir("/proc/self/fd") {
            // One of them is open to read the others.
            reader.count(&[], open.count().saturating_sub(1) as u64);
        }
    });
    metrics.read(&DESCRIPTORS_MAX, |reader| {
        if let Some(most) = getrlimit(Resource::Nofile).current {
            reader.count(&[], most);
        }
    });
}

fn stat() -> Option<Stat> {
    stat_of(&fs::read_to_string("/proc/self/stat").ok()?)
}

/// Reads the line of a process: its name stands in brackets and may have anything in it; the fields behind are numbers.
fn stat_of(text: &str) -> Option<Stat> {
    let (_, fields) = text.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    // The first field behind the name is the third of the line, as the manual of proc counts.
    let field = |number: usize| fields.get(number - 3)?.parse::<f64>().ok();
    let ticks = real(clock_ticks_per_second());
    Some(Stat {
        cpu_s: (field(14)? + field(15)?) / ticks,
        threads: field(20)?,
        started_s: field(22)? / ticks,
        virtual_bytes: field(23)?,
        resident_bytes: field(24)? * real(page_size() as u64),
    })
}

/// When the machine was started.
fn booted() -> Option<Duration> {
    let text = fs::read_to_string("/proc/stat").ok()?;
    let seconds = text.lines().find_map(|line| line.strip_prefix("btime "))?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_a_process_is_read_whatever_its_name_is() {
        let text = "42 (a ) b (c) S 1 42 42 0 -1 4194560 100 0 0 0 150 50 0 0 20 0 7 0 3000 1048576 25 1 2 3";
        let ticks = real(clock_ticks_per_second());
        let expected = Stat {
            cpu_s: 200.0 / ticks,
            threads: 7.0,
            started_s: 3000.0 / ticks,
            virtual_bytes: 1_048_576.0,
            resident_bytes: 25.0 * real(page_size() as u64),
        };
        assert_eq!(stat_of(text), Some(expected));
        assert_eq!(stat_of("42 (short) S 1"), None);
    }
}
