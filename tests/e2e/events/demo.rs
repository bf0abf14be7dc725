//! `shoutan demo event`: what it shows is an event that was held to its end.

use tests::{Platform, command, opposite_shapes};

#[tokio::test(flavor = "multi_thread")]
async fn an_event_is_shown_twice_from_its_draft_to_its_final_table() {
    for (shape, store) in opposite_shapes() {
        let platform = Platform::start(shape, store).await.expect("the platform starts");
        for (players, rounds, byes) in [("7", "4", 4), ("4", "2", 0)] {
            let words =
                ["demo", "event", "--server", &platform.url, "--players", players, "--rounds", rounds];
            let output = command(words).await.expect("it runs");
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(output.status.success(), "{said}{output:?}\n{}", platform.logs());
            for word in
                [&format!("round {rounds}, complete"), ": final, entry", "total: P ", "the log proves itself"]
            {
                assert!(said.contains(word), "{word}: {said}");
            }
            assert_eq!(said.matches(": pairing bye").count(), byes, "{said}");
        }
        let refused =
            command(["demo", "event", "--server", &platform.url, "--players", "4", "--rounds", "3"]);
        assert!(!refused.await.expect("it runs").status.success(), "four cannot be sure of three opponents");
    }
}
