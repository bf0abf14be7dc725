//! What is measured of live state.

use std::{sync::Arc, time::Duration};

use chassis::{
    metrics::{Kind, Label, Metric, Metrics, Reader, SECONDS, Unit},
    trace,
};
use live::{Command, FanOut, Live, Observer};

const COMMANDS: Metric = Metric {
    name: "shoutan_redis_commands",
    kind: Kind::Counter,
    unit: None,
    labels: &[Label {
        name: "outcome",
        of: "`answered`; `failed` where it was refused or not answered in time; `abandoned` where nobody waited on",
    }],
    help: "Commands to a Redis, several that are sent together as one, and what has become of them",
};
const COMMAND_SECONDS: Metric = Metric {
    name: "shoutan_redis_command",
    kind: Kind::Histogram(SECONDS),
    unit: Some(Unit::Seconds),
    labels: &[],
    help: "How long those took that were answered or failed",
};
const COMMANDS_SENT: Metric = Metric {
    name: "shoutan_redis_commands_sent",
    kind: Kind::Counter,
    unit: None,
    labels: &[],
    help: "Commands that were sent; those of which nothing is counted yet are under way",
};
const TOPICS: Metric = Metric {
    name: "shoutan_fan_out_topics",
    kind: Kind::Gauge,
    unit: None,
    labels: &[],
    help: "Topics, of games, tickets and the like, of which somebody in the process wants to hear",
};
const LISTENERS: Metric = Metric {
    name: "shoutan_fan_out_listeners",
    kind: Kind::Gauge,
    unit: None,
    labels: &[],
    help: "Those who do, streams above all",
};
const KEPT: Metric = Metric {
    name: "shoutan_fan_out_messages",
    kind: Kind::Gauge,
    unit: None,
    labels: &[],
    help: "Messages that are in memory because a stream has not taken them yet",
};
const KEPT_BYTES: Metric = Metric {
    name: "shoutan_fan_out_memory",
    kind: Kind::Gauge,
    unit: Some(Unit::Bytes),
    labels: &[],
    help: "Memory of these messages, about",
};

/// What is measured of a Redis.
pub(crate) const REDIS_METRICS: &[Metric] = &[COMMANDS_SENT, COMMANDS, COMMAND_SECONDS];
/// What is measured of streams, by what is kept for them.
pub(crate) const METRICS: &[Metric] = &[TOPICS, LISTENERS, KEPT, KEPT_BYTES];

/// Counts commands to a Redis into these, and what they take to the calls that send them.
pub(crate) fn observer(metrics: &Metrics) -> Observer {
    let sent = metrics.counter(&COMMANDS_SENT, &[]);
    let of = |outcome| metrics.counter(&COMMANDS, &[outcome]);
    let [answered, failed, abandoned] = ["answered", "failed", "abandoned"].map(of);
    let seconds = metrics.histogram(&COMMAND_SECONDS, &[]);
    let took = move |took: Duration| {
        seconds.observe(took.as_secs_f64());
        trace::spent("redis", took);
    };
    Observer::new(move |command| match command {
        Command::Sent => drop(sent.inc()),
        Command::Answered(after) => {
            answered.inc();
            took(after);
        }
        Command::Failed(after) => {
            failed.inc();
            took(after);
        }
        Command::Abandoned => drop(abandoned.inc()),
    })
}

/// Has these tell of the fan-out of live state for as long as it is there.
pub(crate) fn measure(metrics: &Metrics, live: &Arc<dyn Live>) {
    let read = |metric: &Metric, read: fn(FanOut, &mut Reader<'_>)| {
        let live = Arc::downgrade(live);
        metrics.read(metric, move |reader| {
            if let Some(live) = live.upgrade() {
                read(live.fan_out(), reader);
            }
        });
    };
    read(&TOPICS, |now, reader| reader.count(&[], now.topics as u64));
    read(&LISTENERS, |now, reader| reader.count(&[], now.listeners as u64));
    read(&KEPT, |now, reader| reader.count(&[], now.kept as u64));
    read(&KEPT_BYTES, |now, reader| reader.count(&[], now.kept_bytes));
}
