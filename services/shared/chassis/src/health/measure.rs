//! How the parts of a process do, as numbers.

use super::{Health, PartState};
use crate::metrics::{Kind, Label, Metric, Metrics};

const SERVICE: Label = Label { name: "service", of: "services of the platform, and what they share" };

const WORKING: Metric = Metric {
    name: "shoutan_part_working",
    kind: Kind::Gauge,
    unit: None,
    labels: &[SERVICE, Label { name: "part", of: "parts that `/readyz` lists" }],
    help: "Whether a part of the process works: 1 if it does, 0 if it fails or has not answered yet",
};
const PANICS: Metric = Metric {
    name: "shoutan_task_panics",
    kind: Kind::Counter,
    unit: None,
    labels: &[SERVICE, Label { name: "task", of: "tasks that run for as long as the process does" }],
    help: "How often a task has panicked",
};

/// What is measured of the parts of a process.
pub const METRICS: &[Metric] = &[WORKING, PANICS];

impl Health {
    /// Has metrics tell how the parts do.
    pub(crate) fn measure(&self, metrics: &Metrics) {
        let health = self.clone();
        metrics.read(&WORKING, move |reader| {
            for part in health.list() {
                let (service, name) = part.name;
                reader.tell(&[service, name], f64::from(u8::from(part.state == PartState::Working)));
            }
        });
        let health = self.clone();
        metrics.read(&PANICS, move |reader| {
            for ((service, task), count) in health.panics() {
                reader.count(&[service, task], count);
            }
        });
    }
}
