//! Disks that fail under running games: full, broken, or turned read-only, below SQLite and below PostgreSQL.
//!
//! While writing fails nothing is acknowledged; when it works again the games go on by themselves; and after a
//! `kill -9` every act that was ever acknowledged is there.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use api::client::RetryPolicy;
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};
use rules::RuleSet;
use tests::{
    Ground, Pairing, Platform, Shape, Store, ask,
    faults::{Postgres, Sabotage, SmallDisk},
    game_settings, guest, pair_up,
};

const GAMES: usize = 16;
/// How long games go on before the fault.
const BEFORE: Duration = Duration::from_secs(2);
/// How long the disk fails.
const FAULT: Duration = Duration::from_secs(8);
/// How soon after the fault every game must have moved.
const BACK: Duration = Duration::from_secs(10);
/// How long they go on then, before the process is killed.
const AFTER: Duration = Duration::from_secs(4);
const RETRY: RetryPolicy = RetryPolicy(Duration::from_mins(2));
const SIZE: &str = "19";

/// The disk below a platform, and what can happen to it.
struct Scene {
    disk: SmallDisk,
    sabotage: Sabotage,
    postgres: Option<Postgres>,
    platform: Platform,
    /// Where the server's log is, which must not be on the disk that fails.
    _elsewhere: tempfile::TempDir,
}

#[derive(Clone, Copy, Debug)]
enum Fault {
    Full,
    Broken,
    ReadOnly,
}

impl Scene {
    async fn sqlite() -> anyhow::Result<Self> {
        let (disk, elsewhere) = (SmallDisk::mount(24)?, tempfile::tempdir()?);
        let sabotage = Sabotage::of(disk.path())?;
        let ground = Ground {
            data: Some(disk.path().join("data")),
            environment: sabotage.environment(),
            ..Ground::default()
        };
        let platform = Platform::start_on(Shape::One, Store::Embedded, ground).await?;
        Ok(Scene { disk, sabotage, postgres: None, platform, _elsewhere: elsewhere })
    }

    async fn postgresql() -> anyhow::Result<Self> {
        let (disk, elsewhere) = (SmallDisk::mount(96)?, tempfile::tempdir()?);
        let sabotage = Sabotage::of(disk.path())?;
        // What it has written to its log stays: a checkpoint would make room on the full disk, and the fault would end
        // before its time.
        let settings = ["shared_buffers=8MB", "wal_keep_size=1GB", "autovacuum=off"];
        let log = elsewhere.path().join("postgres.log");
        let postgres = Postgres::start(disk.path(), &log, &settings, sabotage.environment()).await?;
        let ground = Ground { database: Some(postgres.url()), ..Ground::default() };
        let platform = Platform::start_on(Shape::One, Store::Embedded, ground).await?;
        Ok(Scene { disk, sabotage, postgres: Some(postgres), platform, _elsewhere: elsewhere })
    }

    fn begin(&self, fault: Fault) -> anyhow::Result<()> {
        match fault {
            Fault::Full => self.disk.fill(),
            Fault::Broken => self.sabotage.break_device(),
            Fault::ReadOnly => self.sabotage.make_read_only(),
        }
    }

    async fn end(&mut self, fault: Fault) -> anyhow::Result<()> {
        match fault {
            Fault::Full => self.disk.free()?,
            Fault::Broken | Fault::ReadOnly => self.sabotage.mend()?,
        }
        // A PostgreSQL that cannot write its log ends, and whoever supervises it starts it again.
        match &mut self.postgres {
            Some(postgres) => postgres.ensure_running().await,
            None => Ok(()),
        }
    }

    fn logs(&self) -> String {
        let server = self.postgres.as_ref().map(Postgres::log).unwrap_or_default();
        format!("{}\n--- PostgreSQL\n{server}", self.platform.logs())
    }
}

/// What a driver did in its game.
struct Driven {
    pairing: Pairing,
    acts: Vec<String>,
}

/// Sixteen games over a disk that fails for a while, then `kill -9`, then the audit.
#[expect(clippy::print_stderr, reason = "how many acts a fault was tried on must be seen")]
async fn survives(mut scene: Scene, fault: Fault) {
    let transport = scene.platform.transport();
    let mut players = Vec::new();
    for _ in 0..2 * GAMES {
        players.push(guest(&transport).await.expect("a guest signs in"));
    }
    let settings = game_settings("go", &[("size", SIZE)], "30m", false);
    let pairings = pair_up(players, &settings).await.expect("everybody is matched");
    let finish = Arc::new(AtomicBool::new(false));
    let counts: Vec<Arc<AtomicUsize>> = pairings.iter().map(|_| Arc::default()).collect();
    let drivers: Vec<_> = pairings
        .into_iter()
        .zip(&counts)
        .enumerate()
        .map(|(seed, (pairing, count))| {
            tokio::spawn(drive(pairing, seed as u64, Arc::clone(&finish), Arc::clone(count)))
        })
        .collect();
    tokio::time::sleep(BEFORE).await;
    scene.begin(fault).expect("the fault begins");
    tokio::time::sleep(FAULT).await;
    scene.end(fault).await.expect("the fault ends");
    let now = |counts: &[Arc<AtomicUsize>]| -> Vec<usize> {
        counts.iter().map(|count| count.load(Ordering::SeqCst)).collect()
    };
    let then = now(&counts);
    tokio::time::sleep(BACK).await;
    let stuck = now(&counts).iter().zip(&then).filter(|(now, then)| now <= then).count();
    tokio::time::sleep(AFTER).await;
    scene.platform.kill("platform").await.expect("it can be killed");
    scene.platform.restart("platform").await.expect("it comes up again");
    finish.store(true, Ordering::SeqCst);
    let (mut acknowledged, mut lost) = (0, 0);
    for driver in drivers {
        let driven = driver.await.expect("no driver panics");
        let game = ask(&transport, &driven.pairing.game_id).await.expect("the game can be read");
        let kept: Vec<&str> = game.acts.iter().map(|act| act.text.as_str()).collect();
        let same =
            kept.iter().zip(&driven.acts).take_while(|(kept, acknowledged)| kept == acknowledged).count();
        acknowledged += driven.acts.len();
        lost += driven.acts.len() - same;
    }
    eprintln!("{fault:?}: {acknowledged} acts acknowledged, {lost} lost, {stuck} games stuck {BACK:?} after");
    assert_eq!((lost, stuck), (0, 0), "of {acknowledged} acknowledged\n{}", scene.logs());
    let logs = scene.platform.logs();
    let said: Vec<&str> = logs.lines().filter(|line| line.contains("database of game ")).collect();
    let begins_and_ends = match &*said {
        [begins, ends] => begins.contains(" fails: ") && ends.contains(" works again"),
        _ => false,
    };
    assert!(begins_and_ends, "a fault is said once, and so is its end: {said:#?}\n{}", scene.logs());
}

/// Plays random legal acts for both sides. An act that the platform lost is refused to be followed: that ends it.
async fn drive(pairing: Pairing, seed: u64, finish: Arc<AtomicBool>, count: Arc<AtomicUsize>) -> Driven {
    let variant = rules::variant("go").expect("Go is a variant");
    let mut game = (variant.start)(&RuleSet::named("").with("size", SIZE)).expect("the rule set is sound");
    let mut rng = StdRng::seed_from_u64(seed);
    let mut acts = Vec::new();
    while !finish.load(Ordering::SeqCst) {
        tokio::time::sleep(Duration::from_millis(rng.random_range(20..60))).await;
        let side =
            if game.actors().include(rules::Side::First) { rules::Side::First } else { rules::Side::Second };
        let choices: Vec<_> = game.hints(side).into_iter().filter(|hint| hint.text != "pass").collect();
        let Some(act) = choices.get(rng.random_range(0..choices.len().max(1))) else { break };
        let player = &pairing.players[side.index()];
        if player.play(&pairing.game_id, &act.text, game.ply(), RETRY).await.is_err() {
            break;
        }
        game.play(side, &act.text).expect("the hint is legal");
        acts.push(act.text.clone());
        count.fetch_add(1, Ordering::SeqCst);
    }
    Driven { pairing, acts }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_below_sqlite_loses_no_acknowledged_act() {
    survives(Scene::sqlite().await.expect("the platform starts"), Fault::Full).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_disk_below_sqlite_loses_no_acknowledged_act() {
    survives(Scene::sqlite().await.expect("the platform starts"), Fault::Broken).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_turned_read_only_below_sqlite_loses_no_acknowledged_act() {
    survives(Scene::sqlite().await.expect("the platform starts"), Fault::ReadOnly).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_below_postgresql_loses_no_acknowledged_act() {
    survives(Scene::postgresql().await.expect("the platform starts"), Fault::Full).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_disk_below_postgresql_loses_no_acknowledged_act() {
    survives(Scene::postgresql().await.expect("the platform starts"), Fault::Broken).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_turned_read_only_below_postgresql_loses_no_acknowledged_act() {
    survives(Scene::postgresql().await.expect("the platform starts"), Fault::ReadOnly).await;
}
