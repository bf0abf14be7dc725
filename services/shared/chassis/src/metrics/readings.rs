//! Numbers that are read when somebody asks.

use std::{collections::BTreeMap, fmt};

use parking_lot::Mutex;
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric as _},
    metrics::{MetricType, counter::ConstCounter, gauge::ConstGauge},
};

use super::{Kind, LabelSet, Metric};

/// Reads some numbers.
type Read = Box<dyn Fn(&mut Reader<'_>) + Send + Sync>;

/// Takes the numbers of a metric.
#[derive(Debug)]
pub struct Reader<'a> {
    metric: &'a Metric,
    told: Vec<(LabelSet, f64)>,
}

/// All that is read, by the names of its metrics.
#[derive(Default)]
pub(super) struct Readings(Mutex<BTreeMap<&'static str, (Metric, Vec<Read>)>>);

impl Reader<'_> {
    /// Takes a number with these values of its labels.
    ///
    /// # Panics
    /// When the metric has other labels: it is declared wrongly.
    pub fn tell(&mut self, labels: &[&str], number: f64) {
        self.told.push((self.metric.label_set(labels), number));
    }

    /// Takes a whole number with these values of its labels.
    ///
    /// # Panics
    /// As [`Reader::tell`].
    pub fn count(&mut self, labels: &[&str], number: u64) {
        self.tell(labels, real(number));
    }
}

/// A whole number as Prometheus has numbers.
#[expect(clippy::cast_precision_loss, reason = "exact up to nine thousand million million")]
pub(super) const fn real(number: u64) -> f64 {
    number as f64
}

impl Readings {
    pub(super) fn add(&self, metric: Metric, read: Read) {
        self.0.lock().entry(metric.name).or_insert_with(|| (metric, Vec::new())).1.push(read);
    }
}

impl fmt::Debug for Readings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.lock().keys()).finish()
    }
}

impl Collector for Readings {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        for (metric, reads) in self.0.lock().values() {
            let mut reader = Reader { metric, told: Vec::new() };
            for read in reads {
                read(&mut reader);
            }
            if reader.told.is_empty() {
                continue;
            }
            let kind = match metric.kind {
                Kind::Counter => MetricType::Counter,
                Kind::Gauge | Kind::Histogram(_) => MetricType::Gauge,
            };
            let (help, unit) = (format!("{}.", metric.help), metric.unit.map(super::Unit::of_registry));
            let mut family = encoder.encode_descriptor(metric.name, &help, unit.as_ref(), kind)?;
            for (labels, number) in &reader.told {
                let sample = family.encode_family(labels)?;
                match metric.kind {
                    Kind::Counter => ConstCounter::new(*number).encode(sample)?,
                    Kind::Gauge | Kind::Histogram(_) => ConstGauge::new(*number).encode(sample)?,
                }
            }
        }
        Ok(())
    }
}
