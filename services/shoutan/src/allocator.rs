//! What the allocator of the command says of itself.

use chassis::metrics::{Kind, Label, Metric, Metrics, Unit};
use tikv_jemalloc_ctl::{epoch, stats};

const MEMORY: Metric = Metric {
    name: "shoutan_allocator_memory",
    kind: Kind::Gauge,
    unit: Some(Unit::Bytes),
    labels: &[Label {
        name: "state",
        of: "`allocated` by the program, `active` in pages with any of that, `resident` in memory, `retained` as addresses only",
    }],
    help: "Memory as the allocator has it",
};

/// What is measured of the allocator.
pub(crate) const METRICS: &[Metric] = &[MEMORY];

/// Measures it from now on.
pub(crate) fn measure(metrics: &Metrics) {
    metrics.read(&MEMORY, |reader| {
        // Its numbers are those of the moment at which the epoch advances.
        if epoch::advance().is_err() {
            return;
        }
        let read = [
            ("allocated", stats::allocated::read()),
            ("active", stats::active::read()),
            ("resident", stats::resident::read()),
            ("retained", stats::retained::read()),
        ];
        for (state, bytes) in read {
            if let Ok(bytes) = bytes {
                reader.count(&[state], bytes as u64);
            }
        }
    });
}
