//! Everything that happened, in order, and everything that was wrong with it.

use std::{
    hash::{DefaultHasher, Hasher as _},
    sync::{Arc, Mutex, PoisonError},
};

use tokio::time::Instant;

/// The record of a run. Cloning gives another handle to the same one.
#[derive(Clone, Debug)]
pub(crate) struct Trace {
    zero: Instant,
    written: Arc<Mutex<Written>>,
}

#[derive(Debug, Default)]
struct Written {
    lines: Vec<String>,
    faults: Vec<String>,
}

impl Trace {
    /// An empty record that begins now.
    pub(crate) fn new() -> Self {
        Trace { zero: Instant::now(), written: Arc::default() }
    }

    /// Writes down what happens now.
    pub(crate) fn note(&self, what: impl AsRef<str>) {
        let line = format!("{:>9.3} {}", self.zero.elapsed().as_secs_f64(), what.as_ref());
        self.with(|written| written.lines.push(line));
    }

    /// Writes down what must not be.
    pub(crate) fn fault(&self, what: impl Into<String>) {
        let what = what.into();
        self.note(format!("FAULT {what}"));
        self.with(|written| written.faults.push(what));
    }

    /// What happened, a line each, and what was wrong.
    pub(crate) fn take(&self) -> (Vec<String>, Vec<String>) {
        self.with(|written| (std::mem::take(&mut written.lines), std::mem::take(&mut written.faults)))
    }

    fn with<T>(&self, body: impl FnOnce(&mut Written) -> T) -> T {
        body(&mut self.written.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Default for Trace {
    fn default() -> Self {
        Trace::new()
    }
}

/// A number that differs, as good as always, when any line does.
pub(crate) fn digest(lines: &[String]) -> u64 {
    // The hasher's keys are fixed, so the same lines give the same number in every process.
    let mut hasher = DefaultHasher::new();
    for line in lines {
        hasher.write(line.as_bytes());
        hasher.write_u8(b'\n');
    }
    hasher.finish()
}
