//! What a Prometheus would have seen of some processes, and which alerts it would give.
//!
//! What is scraped while something is wrong is laid on the times of a Prometheus: long calm before, and afterwards everything goes
//! on as it went, until the rules have had the time that they take. `promtool` then says what the rules make of it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    path::{Path, PathBuf},
    time::Duration,
};

use serde_json::{Value, json};
use tests::Platform;
use tokio::{process::Command, time::Instant};

use crate::metrics::page;

/// The rules.
pub(super) const RULES: &str = include_str!("../../../deploy/prometheus/alerts.yml");

/// The time between two scrapes of Prometheus, as its settings have it.
const STEP: Duration = Duration::from_secs(15);
/// Scrapes while nothing is wrong: more than any rule looks back, but for those of what happens once.
const CALM: u32 = 64;
/// Scrapes from when something goes wrong on: longer than any rule waits.
const WRONG: u32 = 40;
/// How long an answer may take.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);
/// How long it may take until every part works again.
const WELL_WITHIN: Duration = Duration::from_secs(30);
/// What grows as long as nobody does anything about it.
const GROWING: [&str; 5] = ["_total", "_count", "_sum", "_bucket", "_oldest_seconds"];

/// The numbers of one look, by their names with all labels.
type Numbers = BTreeMap<String, f64>;

/// What was seen of some processes.
pub(super) struct Watch {
    promtool: PathBuf,
    /// The metrics that rules speak of.
    names: BTreeSet<String>,
    calm: Numbers,
    /// Since when something is wrong.
    since: Instant,
    wrong: Vec<(Duration, Numbers)>,
}

/// Where `promtool` is; in CI it must be somewhere.
pub(super) fn promtool() -> Option<PathBuf> {
    tests::tool("promtool", "SHOUTAN_TEST_PROMTOOL", "no alert is tested")
}

/// The names of metrics in expressions.
pub(super) fn metrics_in(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    words
        .filter(|word| ["shoutan_", "grpc_server_", "process_"].iter().any(|begins| word.starts_with(begins)))
}

/// The places of the metrics of a platform, by the names of its processes.
pub(super) fn places(platform: &Platform) -> Vec<(String, String)> {
    platform.metrics().into_iter().map(|(name, place)| (name.to_owned(), place.to_owned())).collect()
}

impl Watch {
    /// Looks at what is not wrong yet; from now on something is.
    pub(super) async fn begin(promtool: &Path, places: &[(String, String)]) -> Watch {
        let names: BTreeSet<String> = metrics_in(RULES).map(str::to_owned).collect();
        let calm = look(&names, places).await;
        Watch { promtool: promtool.to_owned(), names, calm, since: Instant::now(), wrong: Vec::new() }
    }

    /// Looks once a second for so long.
    pub(super) async fn look_for(&mut self, span: Duration, places: &[(String, String)]) {
        let until = Instant::now() + span;
        while Instant::now() < until {
            self.look(places).await;
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }

    /// Looks once.
    pub(super) async fn look(&mut self, places: &[(String, String)]) {
        let numbers = look(&self.names, places).await;
        self.wrong.push((self.since.elapsed(), numbers));
    }

    /// These alerts are given, and none was before.
    ///
    /// # Panics
    /// When it is otherwise.
    pub(super) async fn gives(&self, alerts: &[&str]) {
        let minutes = |steps: u32| format!("{}s", (STEP * steps).as_secs());
        let calm = json!({
            "expr": "count(ALERTS{alertstate='firing'})", "eval_time": minutes(CALM - 1), "exp_samples": [],
        });
        let given = |alert: &&str| {
            json!({
                "expr": format!("count by (alertname) (ALERTS{{alertstate='firing',alertname='{alert}'}}) > bool 0"),
                "eval_time": minutes(CALM + WRONG),
                "exp_samples": [{ "labels": format!("{{alertname=\"{alert}\"}}"), "value": 1 }],
            })
        };
        let expected: Vec<Value> = std::iter::once(calm).chain(alerts.iter().map(given)).collect();
        let folder = tempfile::tempdir().expect("a folder can be made");
        std::fs::write(folder.path().join("alerts.yml"), RULES).expect("it is written");
        let test = json!({
            "rule_files": ["alerts.yml"],
            "evaluation_interval": "15s",
            "tests": [{ "interval": "15s", "input_series": self.series(), "promql_expr_test": expected }],
        });
        let file = folder.path().join("test.yml");
        std::fs::write(&file, test.to_string()).expect("it is written");
        let output = Command::new(&self.promtool).args(["test", "rules"]).arg(&file).output().await;
        let output = output.expect("promtool runs");
        let said =
            [output.stdout, output.stderr].map(|it| String::from_utf8_lossy(&it).into_owned()).concat();
        let seen = self.wrong.last().map(|(_, numbers)| numbers);
        assert!(output.status.success(), "{alerts:?}\n{said}\n{seen:#?}");
    }

    /// All that was seen, as `promtool` reads it.
    fn series(&self) -> Vec<Value> {
        let names = self.wrong.iter().flat_map(|(_, numbers)| numbers.keys()).chain(self.calm.keys());
        let names: BTreeSet<&String> = names.collect();
        names.into_iter().map(|name| json!({ "series": name, "values": self.values(name) })).collect()
    }

    /// The values of a number at the times of Prometheus.
    fn values(&self, name: &str) -> String {
        let mut values = match self.calm.get(name) {
            Some(calm) => format!("{calm}+0x{}", CALM - 1),
            None => format!("_x{CALM}"),
        };
        for step in 0..=WRONG {
            let _infallible = match self.value(name, STEP * step) {
                Some(value) => write!(values, " {value}"),
                None => write!(values, " stale"),
            };
        }
        values
    }

    /// The value of a number so long after something went wrong: as it was seen, and then as it went on.
    fn value(&self, name: &str, after: Duration) -> Option<f64> {
        let (seen, last) = self.wrong.last()?;
        if after <= *seen {
            let looked = self.wrong.iter().rev().find(|(at, _)| *at <= after);
            return looked.map_or(self.calm.get(name), |(_, numbers)| numbers.get(name)).copied();
        }
        let last = *last.get(name)?;
        let metric = name.split('{').next().unwrap_or_default();
        let first = self.calm.get(name).copied().unwrap_or_default().min(last);
        let is_growing = GROWING.iter().any(|ending| metric.ends_with(ending));
        let a_second = if is_growing { (last - first) / seen.as_secs_f64() } else { 0.0 };
        Some(last + a_second * after.saturating_sub(*seen).as_secs_f64())
    }
}

/// Waits until every process takes connections, and every part of it works.
pub(super) async fn until_well(places: &[(String, String)]) {
    let until = Instant::now() + WELL_WITHIN;
    loop {
        let pages = futures::future::join_all(places.iter().map(|(_, place)| page(place))).await;
        let fails = |line: &str| line.starts_with("shoutan_part_working{") && line.ends_with(" 0.0");
        let is_well = |page: &String| page.contains("shoutan_connections ") && !page.lines().any(fails);
        if pages.iter().all(|page| page.as_ref().is_ok_and(is_well)) {
            return;
        }
        assert!(Instant::now() < until, "something does not work");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// What everybody tells of these metrics, and who tells nothing.
async fn look(names: &BTreeSet<String>, places: &[(String, String)]) -> Numbers {
    let pages = places.iter().map(|(_, place)| tokio::time::timeout(ANSWER_WITHIN, page(place)));
    let pages = futures::future::join_all(pages).await;
    let mut numbers = Numbers::new();
    for ((process, _), page) in places.iter().zip(pages) {
        let page = page.ok().and_then(Result::ok);
        let of = format!("instance=\"{process}\",job=\"shoutan\"");
        numbers.insert(format!("up{{{of}}}"), f64::from(u8::from(page.is_some())));
        for (name, number) in
            page.iter().flat_map(|page| page.lines()).filter_map(|line| line.rsplit_once(' '))
        {
            let (metric, labels) = name.trim_end_matches('}').split_once('{').unwrap_or((name, ""));
            if let (true, Ok(number)) = (names.contains(metric), number.parse::<f64>()) {
                let comma = if labels.is_empty() { "" } else { "," };
                numbers.insert(format!("{metric}{{{labels}{comma}{of}}}"), number);
            }
        }
    }
    numbers
}
