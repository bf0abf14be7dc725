//! Calendars at secret addresses, on the real processes: made at the terminal, read by plain HTTP, and never in a log.

use serde_json::Value;
use tests::{Platform, held::Person, opposite_shapes};

use super::standard::http;

/// What `shoutan calendar` prints for somebody.
async fn says(platform: &Platform, who: &Person, words: &[&str]) -> Value {
    let output = who.runs(platform, &[&["calendar"], words, &["--json"]].concat()).await;
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("it is JSON")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_calendar_is_read_by_its_address_alone_which_no_log_ever_has() {
    for (shape, store) in opposite_shapes() {
        let settings = ["--calls-per-address", "50"];
        let platform = Platform::start_with(shape, store, &settings).await.expect("the platform starts");
        let person = Person::new(&platform.transport()).await;
        let made = says(&platform, &person, &["create", "--lang", "en"]).await;
        let path = made["address"].as_str().expect("an address").trim_start_matches(&platform.url).to_owned();
        let secret = path.trim_start_matches("/calendar/").trim_end_matches(".ics");
        assert!(secret.len() >= 32, "{path}");
        let read = http(&platform, &format!("GET {path} HTTP/1.1\r\n"), &[]).await;
        assert!(read.starts_with("HTTP/1.1 200") && read.contains("X-WR-CALNAME:My games\r\n"), "{read}");
        let head = http(&platform, &format!("HEAD {path} HTTP/1.1\r\n"), &[]).await;
        assert!(head.starts_with("HTTP/1.1 200") && !head.contains("VCALENDAR"), "{head}");
        // Whoever asks too often is refused, and named: by nothing that opens anything.
        let mut refused = String::new();
        for _ in 0..200 {
            refused = http(&platform, &format!("GET {path} HTTP/1.1\r\n"), &[]).await;
            if !refused.starts_with("HTTP/1.1 200") {
                break;
            }
        }
        assert!(refused.starts_with("HTTP/1.1 429"), "{refused}");
        tokio::time::timeout(tests::held::SOON, async {
            while !platform.logs().contains("a caller is limited") {
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            }
        })
        .await
        .expect("it is logged");
        let logs = platform.logs();
        assert!(logs.contains("/calendar/") && !logs.contains(&secret[..12]), "a secret is in a log");
        let feed = made["calendar"].as_str().expect("an id").to_owned();
        assert_eq!(says(&platform, &person, &["list"]).await[0]["calendar"], made["calendar"]);
        says(&platform, &person, &["delete", &feed]).await;
        let gone = loop {
            let answer = http(&platform, &format!("GET {path} HTTP/1.1\r\n"), &[]).await;
            if !answer.starts_with("HTTP/1.1 429") {
                break answer;
            }
        };
        assert!(gone.starts_with("HTTP/1.1 404"), "{gone}");
    }
}
