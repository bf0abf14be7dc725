//! Everything that is measured, in one table that the documentation prints.

use std::fmt::Write as _;

use chassis::metrics::{Label, Metric};

/// What each part measures.
pub const ALL: &[(&str, &[&[Metric]])] = &[
    ("Calls and connections", chassis::server::METRICS),
    ("Parts and tasks", &[chassis::health::METRICS]),
    ("Databases", &[chassis::database::METRICS]),
    ("Live state", &[crate::live_state::REDIS_METRICS, crate::live_state::METRICS]),
    ("Games", game::METRICS),
    ("Finding opponents", &[matchmaking::METRICS]),
    ("Events", &[federation::METRICS]),
    ("What services owe each other", &[chassis::outbox::METRICS]),
    ("The process", &[chassis::metrics::METRICS, crate::allocator::METRICS]),
];

/// The table, in Markdown.
pub fn table() -> String {
    let mut text = String::from(
        "# Metrics\nWhat a process measures of itself, for Prometheus: `GET /metrics` where `--metrics` (`SHOUTAN_METRICS`) says, in the\n\
         format of OpenMetrics or of Prometheus, whichever is asked for. Each process tells of what it serves. A number is there\n\
         from the first time on that there is something to tell; every label has the values that are said, and no others. This page\n\
         is printed by `shoutan metrics`; a test holds it to what is built.\n",
    );
    for (part, metrics) in ALL {
        let _infallible =
            write!(text, "\n## {part}\n| metric | kind | labels | what |\n| --- | --- | --- | --- |\n");
        for metric in metrics.iter().copied().flatten() {
            let label = |Label { name, of }: &Label| format!("`{name}`: {of}");
            let labels: Vec<String> = metric.labels.iter().map(label).collect();
            let (name, kind) = (metric.full_name(), metric.kind.name());
            let _infallible =
                writeln!(text, "| `{name}` | {kind} | {} | {} |", labels.join("; "), metric.help);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::{collections::HashSet, path::Path};

    /// `SHOUTAN_BLESS=1` writes the page anew.
    #[test]
    fn the_documentation_has_every_metric_as_it_is_built() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../METRICS.md");
        if std::env::var_os("SHOUTAN_BLESS").is_some() {
            std::fs::write(&page, super::table()).expect("the page can be written");
        }
        let written = std::fs::read_to_string(&page).expect("services/METRICS.md is there");
        assert_eq!(written, super::table(), "SHOUTAN_BLESS=1 writes services/METRICS.md anew");
    }

    #[test]
    fn every_metric_has_a_name_of_its_own_as_open_metrics_has_names() {
        let mut names = HashSet::new();
        for metric in super::ALL.iter().flat_map(|(_, metrics)| *metrics).copied().flatten() {
            assert!(names.insert(metric.name), "{} is listed twice", metric.name);
            let is_name = |name: &str| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
            assert!(is_name(metric.name) && metric.labels.iter().all(|label| is_name(label.name)));
            assert!(!metric.name.ends_with("_total") && !metric.help.ends_with('.'), "{}", metric.name);
        }
    }
}
