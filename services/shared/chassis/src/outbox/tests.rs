//! Entries that are delivered, and one that never will be.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use sea_orm_migration::SchemaManager;

use super::{Delivery, Outbox, OutboxMessage, create_dead_table, create_table, dead};
use crate::{Env, Lifecycle, testing::databases};

#[tokio::test]
async fn what_can_never_be_delivered_is_asked_once_and_listed() {
    for test in databases().await {
        let plain = sea_orm::Database::connect(&test.url).await.expect("connects");
        let manager = SchemaManager::new(&plain);
        create_table(&manager).await.expect("makes the table");
        create_dead_table(&manager).await.expect("makes the table");
        let outbox = Outbox::new(test.database.clone(), Env::system());
        let message = |payload: &[u8]| OutboxMessage { kind: "test", payload: payload.to_vec() };
        create_table(&manager).await.expect("another service has made the table, too");
        create_dead_table(&manager).await.expect("another service has made the table, too");
        let other = OutboxMessage { kind: "of another service", payload: b"other".to_vec() };
        let messages = vec![message(b"never"), message(b"good"), other];
        outbox.insert(test.database.write(), messages).await.expect("inserts");
        let (asked, lifecycle) = (Arc::new(AtomicUsize::new(0)), Lifecycle::new());
        let counted = Arc::clone(&asked);
        let deliver = move |entry: super::Entry| {
            counted.fetch_add(1, Ordering::SeqCst);
            let never = entry.payload == b"never";
            std::future::ready(if never { Delivery::Never("it is there".to_owned()) } else { Delivery::Done })
        };
        let looking = async {
            while dead(&test.database, &["test"], 10).await.expect("reads").is_empty() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            // A second round, in which nobody is asked.
            outbox.call();
            tokio::time::sleep(Duration::from_millis(200)).await;
        };
        outbox.start(&lifecycle, ("test", "outbox"), &["test"], deliver);
        tokio::time::timeout(Duration::from_secs(20), looking).await.expect("it is put aside");
        lifecycle.drain(Duration::from_secs(5)).await;
        assert_eq!(asked.load(Ordering::SeqCst), 2, "{}: each was asked for once", test.kind);
        let left = super::waiting(&test.database).await.expect("reads");
        assert_eq!(left.iter().map(|entry| entry.kind.as_str()).collect::<Vec<_>>(), ["of another service"]);
        let listed = dead(&test.database, &["test"], 10).await.expect("reads");
        assert_eq!(listed.len(), 1);
        let of_others = dead(&test.database, &["of another service"], 10).await.expect("reads");
        assert!(of_others.is_empty(), "each service lists its own");
        assert_eq!((listed[0].kind.as_str(), listed[0].reason.as_str()), ("test", "it is there"));
    }
}
