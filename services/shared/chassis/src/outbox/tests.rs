//! Entries that are delivered, and one that never will be.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use sea_orm_migration::SchemaManager;

use parking_lot::Mutex;
use proptest::prelude::*;

use sea_orm::{EntityTrait as _, sea_query::Expr};

use super::{
    Column, Delivery, Entity, Entry, Kinds, Outbox, OutboxMessage, PARCEL, add_trace, create_dead_table,
    create_table, dead,
};
use crate::{
    Database, Env, Lifecycle,
    metrics::Format,
    testing::databases,
    trace::{self, TraceContext},
};

/// Makes the table of an outbox in an empty database.
async fn make_table(plain: &sea_orm::DatabaseConnection) {
    let manager = SchemaManager::new(plain);
    create_table(&manager).await.expect("makes the table");
    add_trace(&manager).await.expect("changes it");
}

#[tokio::test]
async fn a_delivery_is_part_of_the_trace_of_the_call_by_which_it_came_to_be_owed() {
    for test in databases().await {
        make_table(&sea_orm::Database::connect(&test.url).await.expect("connects")).await;
        let outbox = Outbox::new(test.database.clone(), Env::system());
        let context: TraceContext =
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01".parse().expect("it is one");
        let owe = async || OutboxMessage::new("test", Vec::new());
        let of_call = trace::following(Some(context), &Env::system(), tracing::Span::none(), owe()).await;
        let messages = vec![of_call, owe().await];
        assert!(
            messages[0].trace.is_some_and(|trace| trace.trace == context.trace && trace.span != context.span)
        );
        outbox.insert(test.database.write(), messages).await.expect("inserts");
        let (seen, lifecycle) = (Arc::new(Mutex::new(Vec::new())), Lifecycle::new());
        let told = Arc::clone(&seen);
        outbox.start(&lifecycle, ("test", "outbox"), &["test"], move |entry| {
            let told = Arc::clone(&told);
            async move {
                told.lock().push((entry.trace, trace::current()));
                Delivery::Done
            }
        });
        outbox.call();
        while seen.lock().len() < 2 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        lifecycle.drain(Duration::from_secs(5)).await;
        for (of_entry, of_delivery) in seen.lock().iter() {
            let of_entry = of_entry.as_ref().map(|it| it.parse::<TraceContext>().expect("it is one").trace);
            assert_eq!(of_entry, of_delivery.map(|it| it.trace));
        }
        assert_eq!(seen.lock().iter().filter(|(of_entry, _)| of_entry.is_some()).count(), 1);
    }
}

#[tokio::test]
async fn what_can_never_be_delivered_is_asked_once_and_listed() {
    for test in databases().await {
        let plain = sea_orm::Database::connect(&test.url).await.expect("connects");
        let manager = SchemaManager::new(&plain);
        create_table(&manager).await.expect("makes the table");
        add_trace(&manager).await.expect("changes it");
        create_dead_table(&manager).await.expect("makes the table");
        let outbox = Outbox::new(test.database.clone(), Env::system());
        let message = |payload: &[u8]| OutboxMessage::new("test", payload.to_vec());
        create_table(&manager).await.expect("another service has made the table, too");
        add_trace(&manager).await.expect("and has changed it");
        create_dead_table(&manager).await.expect("another service has made the table, too");
        let other = OutboxMessage::new("of another service", b"other".to_vec());
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
        let page = lifecycle.metrics().text(Format::OpenMetrics);
        for number in ["delivered_total", "buried_total"] {
            let line = format!(r#"shoutan_outbox_{number}{{service="test",task="outbox"}} 1"#);
            assert!(page.contains(&line), "{line} is not in\n{page}");
        }
        assert_eq!(oldest(&lifecycle), Duration::ZERO, "nothing of its own waits");
    }
}

/// For how long the oldest entry has waited.
fn oldest(lifecycle: &Lifecycle) -> Duration {
    let page = lifecycle.metrics().text(Format::OpenMetrics);
    let number =
        |line: &str| line.strip_prefix("shoutan_outbox_oldest_seconds{")?.split_once("} ")?.1.parse().ok();
    Duration::from_secs_f64(page.lines().find_map(number).expect("it is told"))
}

#[tokio::test]
async fn it_is_told_how_long_the_oldest_entry_waits_until_it_is_taken() {
    for test in databases().await {
        let plain = sea_orm::Database::connect(&test.url).await.expect("connects");
        make_table(&plain).await;
        let outbox = Outbox::new(test.database.clone(), Env::system());
        let message = OutboxMessage::new("test", Vec::new());
        outbox.insert(test.database.write(), vec![message]).await.expect("inserts");
        let (is_taken, lifecycle) = (Arc::new(AtomicBool::new(false)), Lifecycle::new());
        let asked = Arc::clone(&is_taken);
        outbox.start(&lifecycle, ("test", "outbox"), &["test"], move |_| {
            let is_taken = asked.load(Ordering::SeqCst);
            std::future::ready(if is_taken { Delivery::Done } else { Delivery::Later })
        });
        let until = async |is_so: fn(Duration) -> bool| {
            let wait = async {
                while !is_so(oldest(&lifecycle)) {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            };
            tokio::time::timeout(Duration::from_secs(20), wait).await.expect("it comes to be so");
        };
        until(|waited| waited > Duration::from_millis(300)).await;
        is_taken.store(true, Ordering::SeqCst);
        until(|waited| waited.is_zero()).await;
        lifecycle.drain(Duration::from_secs(5)).await;
    }
}

const KINDS: Kinds = Kinds { all: &["many", "single"], many: &["many"] };

fn entry(number: u128, kind: &str) -> Entry {
    Entry {
        id: uuid::Uuid::from_u128(number),
        kind: kind.to_owned(),
        payload: Vec::new(),
        due_us: 0,
        attempts: 0,
        trace: None,
    }
}

proptest! {
    /// Whatever is due goes once, in its order among its kind, no parcel too large and none of two kinds.
    #[test]
    fn parcels_are_of_one_kind_and_no_larger_than_they_may_be(many in prop::collection::vec(any::<bool>(), 0..600)) {
        let kind = |many: bool| if many { "many" } else { "single" };
        let entries: Vec<Entry> = (0..).zip(&many).map(|(number, many)| entry(number, kind(*many))).collect();
        let parcels = KINDS.parcels(entries.clone());
        for parcel in &parcels {
            let most = if parcel[0].kind == "many" { PARCEL } else { 1 };
            prop_assert!((1..=most).contains(&parcel.len()));
            prop_assert!(parcel.iter().all(|entry| entry.kind == parcel[0].kind));
        }
        for kind in KINDS.all {
            let of = |entries: Vec<Entry>| -> Vec<Entry> { entries.into_iter().filter(|it| it.kind == *kind).collect() };
            prop_assert_eq!(of(parcels.concat()), of(entries.clone()));
        }
    }
}

/// Whoever leases late hears of what was tried since he read, so that nothing comes "for the first time" twice.
#[tokio::test]
async fn a_lease_tells_how_often_an_entry_was_tried() {
    for test in databases().await {
        let plain = sea_orm::Database::connect(&test.url).await.expect("connects");
        make_table(&plain).await;
        let outbox = Outbox::new(test.database.clone(), Env::system());
        let message = OutboxMessage::new("single", Vec::new());
        outbox.insert(test.database.write(), vec![message]).await.expect("inserts");
        let read = super::waiting(&test.database).await.expect("reads");
        for tried in 0..3 {
            let leased_us = outbox.now_us() + super::LEASE_US;
            let leased = outbox.lease(read.clone(), leased_us).await.expect("leases");
            assert_eq!(
                leased.iter().map(|entry| entry.attempts).collect::<Vec<_>>(),
                [tried],
                "{}",
                test.kind
            );
            let again = outbox.lease(read.clone(), leased_us).await.expect("asks for a lease");
            assert!(again.is_empty(), "{}: it is leased", test.kind);
            let due = Entity::update_many().col_expr(Column::DueUs, Expr::value(0));
            due.exec(test.database.write()).await.expect("is due again");
        }
    }
}

/// Every entry is delivered by one of two replicas; of what is not acknowledged only that is tried again.
#[tokio::test]
async fn many_go_at_a_time_and_each_is_settled_by_itself() {
    const ENTRIES: usize = 700;
    for test in databases().await {
        let plain = sea_orm::Database::connect(&test.url).await.expect("connects");
        let manager = SchemaManager::new(&plain);
        create_table(&manager).await.expect("makes the table");
        add_trace(&manager).await.expect("changes it");
        create_dead_table(&manager).await.expect("makes the table");
        let outbox = Outbox::new(test.database.clone(), Env::system());
        let kind = |number: usize| if number % 10 == 9 { "single" } else { "many" };
        let messages: Vec<OutboxMessage> = (0..ENTRIES)
            .map(|number| OutboxMessage::new(kind(number), number.to_string().into_bytes()))
            .collect();
        for messages in messages.chunks(100) {
            outbox.insert(test.database.write(), messages.to_vec()).await.expect("inserts");
        }
        let seen: Arc<Mutex<Vec<(usize, usize)>>> = Arc::default();
        let (lifecycle, noted) = (Lifecycle::new(), Arc::clone(&seen));
        // Every hundredth is refused for ever, every seventh when it comes for the first time.
        let deliver = move |entries: Vec<Entry>| {
            let of = entries.len();
            let answer = |entry: Entry| {
                let number: usize = String::from_utf8(entry.payload).expect("ours").parse().expect("ours");
                noted.lock().push((number, of));
                match number {
                    _ if number.is_multiple_of(100) => Delivery::Never(number.to_string()),
                    _ if number.is_multiple_of(7) && entry.attempts == 0 => Delivery::Later,
                    _ => Delivery::Done,
                }
            };
            std::future::ready(entries.into_iter().map(answer).collect::<Vec<_>>())
        };
        let other = Database::open(&test.url).await.expect("another replica opens it");
        for replica in [&outbox, &Outbox::new(other, Env::system())] {
            replica.start_parcels(&lifecycle, ("test", "outbox"), KINDS, deliver.clone());
        }
        let empty = async {
            while !super::waiting(&test.database).await.expect("reads").is_empty() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), empty).await.expect("all are settled");
        lifecycle.drain(Duration::from_secs(5)).await;
        let buried = dead(&test.database, KINDS.all, 100).await.expect("reads");
        assert_eq!(buried.len(), ENTRIES / 100, "{}", test.kind);
        let seen = seen.lock();
        for number in 0..ENTRIES {
            let times = seen.iter().filter(|(it, _)| *it == number).count();
            let expected = if !number.is_multiple_of(100) && number.is_multiple_of(7) { 2 } else { 1 };
            assert_eq!(times, expected, "{}: {number}", test.kind);
        }
        let most = |of: &str| seen.iter().filter(|(it, _)| kind(*it) == of).map(|(_, of)| *of).max();
        assert_eq!((most("single"), most("many")), (Some(1), Some(PARCEL)), "{}", test.kind);
    }
}
