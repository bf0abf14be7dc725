//! `shoutan doctor --audit` over events: right beside a running platform, and wrong once somebody has touched a log.

use chassis::Database;
use sea_orm::ConnectionTrait as _;
use tests::{Platform, command, opposite_shapes};

#[tokio::test(flavor = "multi_thread")]
async fn an_audit_works_events_out_again_from_their_logs() {
    for (shape, store) in opposite_shapes() {
        let mut platform = Platform::start(shape, store).await.expect("the platform starts");
        let words = ["demo", "event", "--server", &platform.url, "--players", "4", "--rounds", "2"];
        assert!(command(words).await.expect("it runs").status.success(), "{}", platform.logs());
        let place = platform.place();
        let audit = async || {
            let words = ["doctor", "--audit"].into_iter().chain(place.iter().map(String::as_str));
            let output = command(words).await.expect("it runs");
            (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
        };
        let (right, said) = audit().await;
        assert!(right && said.contains("1 events, ") && said.contains(": 0 events differ"), "{said}");
        platform.stop().await.expect("it can be asked");
        let database = Database::open(&platform.database_of("federation")).await.expect("it opens");
        let change = async |sql: &str| {
            database.write().execute_unprepared(sql).await.expect("it is written");
        };
        // By the list it would still be a draft.
        change("UPDATE event_heads SET stage = 1").await;
        let (right, said) = audit().await;
        assert!(!right && said.contains("listed otherwise") && said.contains("1 events differ"), "{said}");
        change("UPDATE event_heads SET stage = 6").await;
        assert!(audit().await.0, "{shape:?} {store:?}");
        change(
            "UPDATE event_log SET hash = (SELECT hash FROM event_log WHERE sequence = 1) WHERE sequence = 9",
        )
        .await;
        let (right, said) = audit().await;
        assert!(!right && said.contains("entry 9 is not what was hashed"), "{said}");
        database.close().await;
    }
}
