//! What a process measures of itself, for Prometheus.
//!
//! What is measured is declared as a [`Metric`], and each part lists its own in a `METRICS`, which the documentation prints.
//! Numbers that are there already (sizes, states) are [read](Metrics::read) when somebody asks, and those of which a database has
//! to be [asked](Metrics::ask) then, too; what happens is counted as it happens. Every label has values of a known set, so that nobody can make a process measure without end.

mod asked;
mod metric;
mod page;
mod process;
mod readings;

use std::{collections::HashMap, future::Future, sync::Arc};

use parking_lot::Mutex;
use prometheus_client::{
    encoding::{prometheus_text, text},
    metrics::family::Family,
    registry::{self, Registry},
};

pub use asked::Answer;
use asked::Asked;
pub use metric::{Kind, Label, Metric, SECONDS, Unit};
pub use page::METRICS_PATH;
pub use prometheus_client::metrics::{counter::Counter, histogram::Histogram};
pub use readings::Reader;
use readings::Readings;
use tokio::net::TcpListener;

use crate::{Lifecycle, limit::Limit};

/// The limits of the page of metrics.
pub const LIMITS: &[Limit] = page::LIMITS;

/// What the process measures of itself whatever it serves.
pub const METRICS: &[Metric] = process::METRICS;

/// The values of the labels of one number, in the order in which its metric has them.
pub type LabelSet = Vec<(&'static str, String)>;

/// All that a process measures. Every clone is the same.
#[derive(Clone, Debug)]
pub struct Metrics(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    registry: Mutex<Registry>,
    families: Mutex<HashMap<&'static str, Counted>>,
    readings: Arc<Readings>,
    asked: Asked,
}

/// What is counted as it happens.
#[derive(Clone, Debug)]
enum Counted {
    Counters(Family<LabelSet, Counter>),
    Histograms(Family<LabelSet, Histogram, Buckets>),
}

/// Makes histograms of these bounds.
#[derive(Clone, Copy, Debug)]
struct Buckets(&'static [f64]);

impl prometheus_client::metrics::family::MetricConstructor<Histogram> for Buckets {
    fn new_metric(&self) -> Histogram {
        Histogram::new(self.0.iter().copied())
    }
}

/// In which format somebody wants to have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// That of OpenMetrics 1.0.
    OpenMetrics,
    /// That of Prometheus, 0.0.4.
    Prometheus,
}

impl Default for Metrics {
    fn default() -> Self {
        let (mut registry, readings) = (Registry::default(), Arc::new(Readings::default()));
        registry.register_collector(Box::new(Arc::clone(&readings)));
        Metrics(Arc::new(Inner {
            registry: Mutex::new(registry),
            families: Mutex::default(),
            readings,
            asked: Asked::default(),
        }))
    }
}

impl Metrics {
    /// A counter with these values of its labels. Whoever asks for the same gets the same.
    ///
    /// # Panics
    /// When the metric is none, or has other labels: it is declared wrongly.
    pub fn counter(&self, metric: &Metric, labels: &[&str]) -> Counter {
        let make = || Counted::Counters(Family::default());
        match self.counted(metric, make) {
            Counted::Counters(family) => family.get_or_create_owned(&metric.label_set(labels)),
            Counted::Histograms(_) => panic!("{} is no counter", metric.name),
        }
    }

    /// A histogram with these values of its labels. Whoever asks for the same gets the same.
    ///
    /// # Panics
    /// When the metric is none, or has other labels: it is declared wrongly.
    pub fn histogram(&self, metric: &Metric, labels: &[&str]) -> Histogram {
        let Kind::Histogram(bounds) = metric.kind else { panic!("{} is no histogram", metric.name) };
        let make = || Counted::Histograms(Family::new_with_constructor(Buckets(bounds)));
        match self.counted(metric, make) {
            Counted::Histograms(family) => family.get_or_create_owned(&metric.label_set(labels)),
            Counted::Counters(_) => panic!("{} is no histogram", metric.name),
        }
    }

    /// Has numbers read whenever somebody asks: `read` tells each by the values of its labels. Several parts may read the same
    /// metric with other values.
    pub fn read(&self, metric: &Metric, read: impl Fn(&mut Reader<'_>) + Send + Sync + 'static) {
        self.0.readings.add(*metric, Box::new(read));
    }

    /// Has numbers asked for whenever somebody wants to have them: `ask` tells each by the values of its labels, or nothing where
    /// they are not to be had. What takes longer than a second is not waited for, and they are not told.
    pub fn ask<F>(&self, metric: &Metric, ask: impl Fn() -> F + Send + Sync + 'static)
    where
        F: Future<Output = Option<Vec<Answer>>> + Send + 'static,
    {
        let told = self.0.asked.add(ask);
        self.read(metric, move |reader| {
            for (labels, number) in told.lock().iter() {
                reader.count(&labels.iter().map(String::as_str).collect::<Vec<_>>(), *number);
            }
        });
    }

    /// All of it as text, after everything was asked for that has to be.
    pub async fn current_text(&self, format: Format) -> String {
        self.0.asked.refresh().await;
        self.text(format)
    }

    /// All of it as text, with what was asked for last.
    pub fn text(&self, format: Format) -> String {
        let mut page = String::new();
        let registry = self.0.registry.lock();
        let _infallible_into_a_string = match format {
            Format::OpenMetrics => text::encode(&mut page, &registry),
            Format::Prometheus => prometheus_text::encode(&mut page, &registry),
        };
        page
    }

    fn counted(&self, metric: &Metric, make: impl FnOnce() -> Counted) -> Counted {
        let mut families = self.0.families.lock();
        let counted = families.entry(metric.name).or_insert_with(|| {
            let counted = make();
            match &counted {
                Counted::Counters(family) => self.register(metric, family.clone()),
                Counted::Histograms(family) => self.register(metric, family.clone()),
            }
            counted
        });
        counted.clone()
    }

    fn register(&self, metric: &Metric, family: impl registry::Metric) {
        let mut registry = self.0.registry.lock();
        match metric.unit {
            Some(unit) => {
                registry.register_with_unit(metric.name, metric.help, unit.of_registry(), family);
            }
            None => registry.register(metric.name, metric.help, family),
        }
    }
}

/// Answers `GET /metrics` at an address from now on, until everything else has stopped: with what the process measures, itself and
/// its parts among it.
pub fn serve(listener: TcpListener, lifecycle: &Lifecycle) {
    let metrics = lifecycle.metrics();
    process::measure(metrics);
    lifecycle.health().measure(metrics);
    page::serve(listener, metrics.clone(), lifecycle);
}

#[cfg(test)]
mod tests;
