//! Reports of tournaments that are judged for whoever asks.

use api::{error::metadata, federation::v1 as pb};

use crate::fixture::{Fixture, fixtures, reason};

/// Two who meet twice, in columns as the format has them.
fn rematch() -> String {
    let line = |text: &str| format!("{text:<80}");
    let first = line("001    1      A") + " 2.0    1     2 w 1     2 b 1\n";
    first + &line("001    2      B") + " 0.0    2     1 b 0     1 w 0\n"
}

async fn judged(
    fixture: &Fixture,
    report: impl Into<Vec<u8>>,
    colours: i32,
) -> Result<pb::CheckReportResponse, tonic::Status> {
    let request = pb::CheckReportRequest { report: report.into(), colours };
    Ok(fixture.reports().check_report(request).await?.into_inner())
}

#[tokio::test]
async fn a_rematch_is_found_for_whoever_asks() {
    for fixture in fixtures().await {
        let found = judged(&fixture, rematch(), 0).await.expect("judged");
        let faults: Vec<Vec<(&str, &[u32])>> = found
            .rounds
            .iter()
            .map(|round| round.faults.iter().map(|it| (it.rule.as_str(), &it.players[..])).collect())
            .collect();
        assert_eq!(faults, [vec![], vec![("H1", &[1, 2][..])]], "{}", fixture.kind);
        assert_eq!(found.rounds[1].faults[0].text, "1 and 2 have met");
        assert_eq!((found.clean, found.fault_count, found.rounds[0].games), (false, 1, 1));
        assert!(found.not_judged.iter().any(|it| it.name == "no_prohibitions" && !it.text.is_empty()));
        // The first round alone breaks nothing.
        let once: Vec<String> = rematch().lines().map(|line| line[..99].to_owned()).collect();
        let once = once.join("\n");
        let found = judged(&fixture, once.replace(" 2.0 ", " 1.0 "), pb::ColourLaw::Parity.into()).await;
        let found = found.expect("judged");
        assert_eq!((found.clean, found.fault_count, found.rounds.len()), (true, 0, 1));
    }
}

#[tokio::test]
async fn a_report_that_cannot_be_read_is_refused_with_the_place() {
    for fixture in fixtures().await {
        let mut lines: Vec<String> = rematch().lines().map(str::to_owned).collect();
        lines[1].replace_range(94..95, "x");
        let refused = judged(&fixture, lines.join("\n"), 0).await.expect_err("no number");
        assert_eq!(api::error::reason(&refused), "BAD_REPORT", "{}: {refused:?}", fixture.kind);
        let at = ["line", "column", "what"].map(|name| metadata(&refused, name).unwrap_or_default());
        assert_eq!(at, ["2", "95", "number"]);
        let lonely = rematch().lines().next().map(str::to_owned).expect("a line");
        let refused = judged(&fixture, lonely, 0).await.expect_err("nobody is 2");
        assert_eq!(metadata(&refused, "what").as_deref(), Some("unknown_opponent"));
        assert_eq!(metadata(&refused, "line"), None);
        let large = judged(&fixture, vec![b' '; (2 << 20) + 1], 0).await.expect_err("too large");
        assert_eq!(metadata(&large, "what").as_deref(), Some("file_too_large"));
        assert_eq!(reason(judged(&fixture, rematch(), 99).await), "UNKNOWN_VALUE");
    }
}
