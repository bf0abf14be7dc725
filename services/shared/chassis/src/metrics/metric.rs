//! What is measured, as data: the documentation prints it from here.

use prometheus_client::registry;

use super::LabelSet;

/// Something that is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Metric {
    /// Its name without unit and ending: `shoutan_refusals`.
    pub name: &'static str,
    /// What kind of number it is.
    pub kind: Kind,
    /// In what it is measured, if not in numbers of things.
    pub unit: Option<Unit>,
    /// By what it is told apart.
    pub labels: &'static [Label],
    /// What it says, in one sentence without its full stop.
    pub help: &'static str,
}

/// What kind of number it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// It only grows, from the start of the process.
    Counter,
    /// It rises and falls.
    Gauge,
    /// How many were at most so large, by these bounds.
    Histogram(&'static [f64]),
}

/// In what something is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Seconds.
    Seconds,
    /// Bytes.
    Bytes,
}

/// By what numbers of one metric are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// Its name.
    pub name: &'static str,
    /// What its values are, which are so many and no more.
    pub of: &'static str,
}

/// Bounds for how long calls and statements take: from half a millisecond to the half minute after which a call is given up.
pub const SECONDS: &[f64] =
    &[0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];

impl Metric {
    /// Its name as it is asked for: with its unit, and the ending of counters.
    pub fn full_name(&self) -> String {
        let unit = self.unit.map(|unit| format!("_{}", unit.name())).unwrap_or_default();
        let ending = if matches!(self.kind, Kind::Counter) { "_total" } else { "" };
        format!("{}{unit}{ending}", self.name)
    }

    /// These values with the names of its labels.
    ///
    /// # Panics
    /// When they are not as many.
    pub(super) fn label_set(&self, values: &[&str]) -> LabelSet {
        assert_eq!(values.len(), self.labels.len(), "{} has other labels", self.name);
        self.labels.iter().zip(values).map(|(label, value)| (label.name, (*value).to_owned())).collect()
    }
}

impl Kind {
    /// Its name as OpenMetrics has it.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Counter => "counter",
            Kind::Gauge => "gauge",
            Kind::Histogram(_) => "histogram",
        }
    }
}

impl Unit {
    /// Its name, which ends the name of what is measured in it.
    pub const fn name(self) -> &'static str {
        match self {
            Unit::Seconds => "seconds",
            Unit::Bytes => "bytes",
        }
    }

    pub(super) const fn of_registry(self) -> registry::Unit {
        match self {
            Unit::Seconds => registry::Unit::Seconds,
            Unit::Bytes => registry::Unit::Bytes,
        }
    }
}
