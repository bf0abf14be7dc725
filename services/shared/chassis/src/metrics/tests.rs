use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

use super::{Format, Kind, Label, Metric, Metrics, Unit, serve};
use crate::Lifecycle;

const COUNTED: Metric = Metric {
    name: "shoutan_things",
    kind: Kind::Counter,
    unit: None,
    labels: &[Label { name: "kind", of: "a few" }],
    help: "Things",
};
const TAKEN: Metric = Metric {
    name: "shoutan_taking",
    kind: Kind::Histogram(&[0.1, 1.0]),
    unit: Some(Unit::Seconds),
    labels: &[],
    help: "How long it takes",
};
const READ: Metric = Metric {
    name: "shoutan_size",
    kind: Kind::Gauge,
    unit: Some(Unit::Bytes),
    labels: &[Label { name: "of", of: "a few" }],
    help: "How large it is",
};

#[test]
fn what_is_measured_is_told_with_its_names_units_and_labels() {
    let metrics = Metrics::default();
    metrics.counter(&COUNTED, &["odd"]).inc();
    metrics.counter(&COUNTED, &["odd"]).inc();
    metrics.histogram(&TAKEN, &[]).observe(0.5);
    metrics.read(&READ, |reader| reader.tell(&["one"], 3.5));
    metrics.read(&READ, |reader| reader.tell(&["other"], 4.0));
    let page = metrics.text(Format::OpenMetrics);
    for line in [
        "# TYPE shoutan_things counter",
        r#"shoutan_things_total{kind="odd"} 2"#,
        "# UNIT shoutan_taking_seconds seconds",
        r#"shoutan_taking_seconds_bucket{le="0.1"} 0"#,
        r#"shoutan_taking_seconds_bucket{le="1.0"} 1"#,
        "# HELP shoutan_size_bytes How large it is.",
        r#"shoutan_size_bytes{of="one"} 3.5"#,
        r#"shoutan_size_bytes{of="other"} 4.0"#,
    ] {
        assert!(page.lines().any(|it| it == line), "{line} is not in\n{page}");
    }
    assert!(page.ends_with("# EOF\n"), "{page}");
    assert_eq!(COUNTED.full_name(), "shoutan_things_total");
    assert_eq!(READ.full_name(), "shoutan_size_bytes");
}

#[tokio::test(start_paused = true)]
async fn what_has_to_be_asked_for_is_asked_once_a_second_and_not_told_when_it_is_not_answered() {
    let (metrics, calls, silent) =
        (Metrics::default(), Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let (counted, from) = (Arc::clone(&calls), Arc::clone(&silent));
    metrics.ask(&READ, move || {
        let call = counted.fetch_add(1, Ordering::Relaxed) + 1;
        let is_silent = call >= from.load(Ordering::Relaxed);
        async move {
            if is_silent {
                std::future::pending::<()>().await;
            }
            Some(vec![(vec!["one".to_owned()], call)])
        }
    });
    metrics.ask(&READ, || async { None });
    silent.store(3, Ordering::Relaxed);
    let line = |call: u64| format!("shoutan_size_bytes{{of=\"one\"}} {call}.0");
    assert!(!metrics.text(Format::OpenMetrics).contains("shoutan_size"), "nobody has asked yet");
    for _ in 0..3 {
        assert!(metrics.current_text(Format::OpenMetrics).await.contains(&line(1)));
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(metrics.current_text(Format::OpenMetrics).await.contains(&line(2)));
    tokio::time::sleep(Duration::from_secs(1)).await;
    let began = tokio::time::Instant::now();
    assert!(!metrics.current_text(Format::OpenMetrics).await.contains("shoutan_size"));
    assert_eq!(began.elapsed(), Duration::from_secs(1));
    assert_eq!(calls.load(Ordering::Relaxed), 3);
}

/// Everything that is answered to a request over one connection.
async fn asked(address: std::net::SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).await.expect("somebody listens");
    stream.write_all(request.as_bytes()).await.expect("it is read");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("it is answered");
    answer
}

#[tokio::test]
async fn the_page_is_answered_in_the_format_that_is_asked_for_and_nothing_else_is() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let lifecycle = Lifecycle::new();
    lifecycle.metrics().counter(&COUNTED, &["odd"]).inc();
    lifecycle.health().working(("game", "database"));
    lifecycle.health().failing(("game", "clocks"), "nobody answers");
    lifecycle.health().panicked(("game", "outbox"));
    serve(listener, &lifecycle);
    let get =
        |path: &str, more: &str| format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{more}\r\n");
    let page = asked(address, &get("/metrics", "")).await;
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("text/plain; version=0.0.4"), "{page}");
    assert!(page.contains(r#"shoutan_things_total{kind="odd"} 1"#), "{page}");
    for line in [
        r#"shoutan_part_working{service="game",part="database"} 1"#,
        r#"shoutan_part_working{service="game",part="clocks"} 0"#,
        r#"shoutan_task_panics_total{service="game",task="outbox"} 1"#,
    ] {
        assert!(page.contains(line), "{line} is not in\n{page}");
    }
    if cfg!(target_os = "linux") {
        for name in super::METRICS.iter().map(Metric::full_name) {
            assert!(page.contains(&format!("\n{name} ")), "{name} is not in\n{page}");
        }
    }
    let page =
        asked(address, &get("/metrics", "Accept: application/openmetrics-text;version=1.0.0\r\n")).await;
    assert!(
        page.contains("application/openmetrics-text; version=1.0.0") && page.ends_with("# EOF\n"),
        "{page}"
    );
    assert!(asked(address, &get("/", "")).await.starts_with("HTTP/1.1 404"));
    let posted = "POST /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
    assert!(asked(address, posted).await.starts_with("HTTP/1.1 405"));
    // It answers until everything else has stopped, and not after.
    tokio::time::timeout(Duration::from_secs(10), lifecycle.drain(Duration::from_secs(5)))
        .await
        .expect("it ends");
    assert!(TcpStream::connect(address).await.is_err());
}
