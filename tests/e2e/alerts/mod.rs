//! Every alert that comes with the platform is given when its cause is there, and none is given without one.

mod watch;

use std::{convert::Infallible, path::Path, time::Duration};

use api::{
    client::{Credentials, Player},
    game::v1::{ListGamesRequest, WatchRequest, game_service_client::GameServiceClient},
};
use chassis::{Database, Lifecycle};
use futures::{FutureExt as _, StreamExt as _, TryStreamExt as _, future::join_all};
use sea_orm::ConnectionTrait as _;
use serde_json::{Value, json};
use tests::{
    Bot, Ground, Pairing, Platform, RETRY, Redis, Shape, Store, ask, bots, game_settings, ids, pair_up,
    shapes,
};
use tokio::{
    net::{TcpListener, TcpStream},
    process::Command,
    time::Instant,
};

use crate::metrics::documented;
use watch::{RULES, Watch, metrics_in, places, promtool, until_well};

/// Long enough that a service has noticed what is wrong, and counted some of it.
const A_WHILE: Duration = Duration::from_secs(6);

/// A platform that is watched.
async fn platform(shape: Shape, store: Store, ground: Ground) -> Platform {
    let metrics = ("SHOUTAN_METRICS".to_owned(), "127.0.0.1:0".to_owned());
    let environment = vec![metrics];
    let platform = Platform::start_on(shape, store, Ground { environment, ..ground }).await;
    let platform = platform.expect("the platform starts");
    until_well(&places(&platform)).await;
    platform
}

/// One on real servers, if there are any.
async fn on_servers(shape: Shape, ground: Ground) -> Option<Platform> {
    let is_there = shapes().contains(&(shape, Store::Servers));
    if is_there { Some(platform(shape, Store::Servers, ground).await) } else { None }
}

/// A game of Go with such clocks, rated where they are long enough.
async fn game(players: &[Bot], control: &str) -> Pairing {
    let settings = game_settings("go", &[("size", "9")], control, control.contains('m'));
    pair_up(players.to_vec(), &settings).await.expect("they are matched").remove(0)
}

/// Plays a move of each side.
async fn open(pairing: &Pairing) {
    for (ply, (player, point)) in (0..).zip(pairing.players.iter().zip(["C3", "D4"])) {
        player.play(&pairing.game_id, point, ply, RETRY).await.expect("it may be played");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn services_that_are_gone_and_what_they_are_owed() {
    let Some(promtool) = promtool() else { return };
    let Some(mut platform) = on_servers(Shape::Six, Ground::default()).await else { return };
    let players = bots(&platform.transport(), 6).await.expect("all sign in");
    let (ended, running) = (game(&players[..2], "5m+3s").await, game(&players[2..4], "5m+3s").await);
    open(&running).await;

    let mut watch = Watch::begin(&promtool, &places(&platform)).await;
    platform.kill("rating").await.expect("it can be killed");
    ended.players[0].resign(&ended.game_id, RETRY).await.expect("a player may resign");
    watch.look_for(A_WHILE, &places(&platform)).await;
    watch.gives(&["ShoutanProcessDown", "ShoutanPartFailing", "ShoutanOutboxWaits"]).await;
    platform.restart("rating").await.expect("it comes up again");

    until_well(&places(&platform)).await;
    let mut watch = Watch::begin(&promtool, &places(&platform)).await;
    platform.kill("game").await.expect("it can be killed");
    let settings = game_settings("go", &[("size", "9")], "5m+3s", true);
    let mut tickets = Vec::new();
    for player in &players[4..] {
        let (player, settings) = (player.clone(), settings.clone());
        tickets.push(tokio::spawn(async move { player.hold_ticket(&player.ticket(settings), |_| ()).await }));
    }
    // A match counts when it should have had its game for ten seconds.
    watch.look_for(3 * A_WHILE, &places(&platform)).await;
    watch.gives(&["ShoutanProcessDown", "ShoutanMatchesWithoutGame"]).await;
    platform.restart("game").await.expect("it comes up again");
    for ticket in tickets {
        ticket.await.expect("no task panics").expect("there is a game after all");
    }
    watch.look(&places(&platform)).await;
    watch.gives(&["ShoutanOutageFound"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_does_not_answer() {
    let Some(promtool) = promtool() else { return };
    let redis = Redis::start().await.expect("a Redis starts");
    let ground = Ground { live: Some(redis.url.clone()), ..Ground::default() };
    let Some(platform) = on_servers(Shape::Six, ground).await else { return };
    let mut watch = Watch::begin(&promtool, &places(&platform)).await;
    redis.freeze(true).await.expect("it stands still");
    watch.look_for(2 * A_WHILE, &places(&platform)).await;
    watch.gives(&["ShoutanRedisFailing", "ShoutanPartFailing"]).await;
    redis.freeze(false).await.expect("it goes on");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_somebody_locks() {
    let Some(promtool) = promtool() else { return };
    let ground = Ground { settings: vec!["--database-readers=2".to_owned()], ..Ground::default() };
    let Some(platform) = on_servers(Shape::One, ground).await else { return };
    let players = bots(&platform.transport(), 4).await.expect("all sign in");
    let (slow, short) = (game(&players[..2], "5m+3s").await, game(&players[2..], "6s").await);
    open(&slow).await;
    open(&short).await;
    let opened = Instant::now();
    let mut watch = Watch::begin(&promtool, &places(&platform)).await;
    // A flag falls while the table is locked.
    tokio::time::sleep_until(opened + Duration::from_secs(5)).await;

    let database = Database::open(&platform.game_database()).await.expect("it opens");
    let locked = database.begin().await.expect("a transaction");
    locked.execute_unprepared("LOCK TABLE events IN ACCESS EXCLUSIVE MODE").await.expect("it is locked");
    let player = slow.players[0].clone();
    let written = tokio::spawn({
        let game_id = slow.game_id.clone();
        async move { player.play(&game_id, "E5", 2, RETRY).await }
    });
    // A list says of each game how long its log is.
    let look = |player: Bot| async move {
        player
            .games()
            .list_games(ListGamesRequest { page_size: 200, ..ListGamesRequest::default() })
            .await
            .map(drop)
    };
    let looks: Vec<_> = (0..8).map(|_| tokio::spawn(look(slow.players[1].clone()))).collect();
    // Not as long as any statement may take: then it is given up, and told otherwise.
    watch.look_for(A_WHILE / 2, &places(&platform)).await;
    drop(locked);
    watch.gives(&["ShoutanDatabaseBusy"]).await;
    written.await.expect("no task panics").expect("it is written after all");
    join_all(looks).await;
    ends(&short).await;
    watch.look(&places(&platform)).await;
    watch.gives(&["ShoutanJournalSlow", "ShoutanCallsSlow", "ShoutanFlagsLate"]).await;
    database.close().await;
}

/// Waits until a game has ended.
async fn ends(pairing: &Pairing) {
    let request = WatchRequest { game_id: pairing.game_id.clone(), ..WatchRequest::default() };
    let steps = pairing.players[0].games().watch(request).await.expect("it can be watched").into_inner();
    let ended = steps.try_for_each(|_| async { Ok(()) });
    tokio::time::timeout(Duration::from_mins(1), ended).await.expect("it ends").expect("it is told");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_read_and_what_cannot_be_delivered() {
    let Some(promtool) = promtool() else { return };
    let mut platform = platform(Shape::One, Store::Embedded, Ground::default()).await;
    let players = bots(&platform.transport(), 2).await.expect("both sign in");
    let pairing = game(&players, "5m+3s").await;
    open(&pairing).await;
    pairing.players[0].resign(&pairing.game_id, RETRY).await.expect("a player may resign");
    platform.stop().await.expect("it can be asked");
    platform.restart_killed().await.expect("it comes up again");
    let mut watch = Watch::begin(&promtool, &places(&platform)).await;
    let database = Database::open(&platform.game_database()).await.expect("it opens");
    for change in [
        "UPDATE events SET payload = x'ff'",
        "DELETE FROM summaries",
        "INSERT INTO outbox (id, kind, payload, due_us, attempts)
         VALUES (x'0190a0a0a0a07000800000000000000a', 'game.rematch', x'ff', 0, 0)",
    ] {
        database.write().execute_unprepared(change).await.expect("it is written");
    }
    for _ in 0..3 {
        ask(&platform.transport(), &pairing.game_id).await.expect_err("its log is damaged");
        watch.look_for(A_WHILE / 3, &places(&platform)).await;
    }
    watch.gives(&["ShoutanCallsFail", "ShoutanOutboxBuried"]).await;
    database.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_runs_short() {
    let Some(promtool) = promtool() else { return };
    let settings = ["--connections=20", "--greeting-within=1m"].map(str::to_owned).to_vec();
    let platform = platform(Shape::One, Store::Embedded, Ground { settings, ..Ground::default() }).await;
    let places = places(&platform);
    let mut watch = Watch::begin(&promtool, &places).await;
    // Nobody takes the last places: whoever comes then has the oldest idle one closed.
    let connect = |_| TcpStream::connect(platform.address().to_owned());
    let silent = futures::future::try_join_all((0..20).map(connect)).await.expect("somebody listens");
    watch.look_for(Duration::from_secs(2), &places).await;
    watch.gives(&["ShoutanConnectionsShort"]).await;
    drop(silent);
    // Until the platform has noticed that they have gone.
    tokio::time::sleep(Duration::from_secs(2)).await;

    let id = platform.process_ids()[0];
    let open = std::fs::read_dir(format!("/proc/{id}/fd")).expect("it can be read").count();
    let mut watch = Watch::begin(&promtool, &places).await;
    let most = open + 4;
    let limit = format!("--nofile={most}:{most}");
    let limited = Command::new("prlimit").args([&limit, "--pid", &id.to_string()]).status().await;
    assert!(limited.expect("prlimit runs").success());
    watch.look_for(Duration::from_secs(2), &places).await;
    watch.gives(&["ShoutanDescriptorsShort"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn more_than_can_be_answered() {
    let Some(promtool) = promtool() else { return };
    let platform = platform(Shape::One, Store::Embedded, Ground::default()).await;
    let places = places(&platform);
    let mut watch = Watch::begin(&promtool, &places).await;
    let strangers: Vec<_> = (0..8).map(|_| platform.transport()).collect();
    let looks =
        strangers.iter().cycle().take(600).map(|transport| {
            let mut games = GameServiceClient::new(transport.clone());
            async move {
                games.list_games(ListGamesRequest { page_size: 200, ..Default::default() }).await.is_ok()
            }
        });
    let answered = join_all(looks).await.into_iter().filter(|answered| *answered).count();
    watch.look(&places).await;
    assert!(answered > 0, "some are answered");
    watch.gives(&["ShoutanOverloaded"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_who_wait_and_are_not_paired() {
    let Some(promtool) = promtool() else { return };
    let platform = platform(Shape::One, Store::Embedded, Ground::default()).await;
    let (places, transport) = (places(&platform), platform.transport());
    // Programs that do not play programs.
    let program = |number: usize| {
        let (name, password) = (format!("program-{number}"), format!("the password of {number}"));
        Player::sign_in(transport.clone(), Credentials::Bot { name, password }, ids())
    };
    let programs = futures::stream::iter(0..20).map(program).buffer_unordered(4);
    let programs: Vec<Player> = programs.try_collect().await.expect("all sign in");
    let mut watch = Watch::begin(&promtool, &places).await;
    let settings = game_settings("go", &[("size", "9")], "5m+3s", true);
    let waiting: Vec<_> = programs
        .into_iter()
        .map(|player| {
            let settings = settings.clone();
            tokio::spawn(async move { player.hold_ticket(&player.ticket(settings), |_| ()).await })
        })
        .collect();
    watch.look_for(A_WHILE, &places).await;
    watch.gives(&["ShoutanNobodyPaired"]).await;
    for ticket in waiting {
        ticket.abort();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_that_panics() {
    let Some(promtool) = promtool() else { return };
    let lifecycle = Lifecycle::new();
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    chassis::metrics::serve(listener, &lifecycle);
    let places = [("process".to_owned(), format!("{address}/metrics"))];
    let mut watch = Watch::begin(&promtool, &places).await;
    lifecycle.every(("game", "sweep"), Duration::from_hours(1), || async {
        let broken: Result<(), Infallible> = std::future::ready(()).map(|()| panic!("on purpose")).await;
        broken
    });
    watch.look_for(Duration::from_secs(2), &places).await;
    watch.gives(&["ShoutanTaskPanicked"]).await;
    lifecycle.drain(Duration::from_secs(5)).await;
}

#[test]
fn every_alert_has_a_test_that_causes_it_and_a_page_that_says_what_to_do() {
    let (tests, runbook) = (include_str!("mod.rs"), include_str!("../../../deploy/RUNBOOK.md"));
    let alerts: Vec<&str> = RULES.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")).collect();
    assert!(alerts.len() > 10, "{alerts:?}");
    for alert in alerts {
        assert!(tests.contains(&format!("\"{alert}\"")), "nothing causes {alert}");
        assert!(runbook.contains(&format!("\n### {alert}\n")), "nobody says what to do about {alert}");
    }
}

/// The dashboard.
const DASHBOARD: &str = include_str!("../../../deploy/grafana/shoutan.json");

/// All expressions of the dashboard, as Grafana would ask for them.
fn dashboard() -> Vec<String> {
    let dashboard: Value = serde_json::from_str(DASHBOARD).expect("the dashboard is JSON");
    let panels = dashboard["panels"].as_array().expect("it has panels").iter();
    let targets = panels.flat_map(|panel| panel["targets"].as_array().expect("a panel shows something"));
    let expressions = targets.map(|target| target["expr"].as_str().expect("by an expression"));
    expressions.map(|it| it.replace("$__rate_interval", "1m").replace("$instance", ".*")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn alerts_and_the_dashboard_speak_of_what_is_measured() {
    let (documented, shown) = (documented().await, dashboard().join("\n"));
    for name in metrics_in(RULES).chain(metrics_in(&shown)) {
        let metric = ["_bucket", "_sum", "_count"].iter().find_map(|ending| name.strip_suffix(ending));
        let is_there = |name: &str| documented.iter().any(|it| it == name);
        assert!(is_there(name) || metric.is_some_and(is_there), "{name} is not measured");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn prometheus_can_read_what_the_dashboard_asks() {
    let Some(promtool) = promtool() else { return };
    let rule = |(number, expression)| json!({ "record": format!("shown:{number}"), "expr": expression });
    let rules: Vec<Value> = dashboard().into_iter().enumerate().map(rule).collect();
    assert!(rules.len() > 20, "{rules:?}");
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("rules.yml");
    let groups = json!({ "groups": [{ "name": "dashboard", "rules": rules }] });
    std::fs::write(&file, groups.to_string()).expect("it is written");
    let settings = concat!(env!("CARGO_MANIFEST_DIR"), "/../deploy/prometheus/prometheus.yml");
    for (kind, file) in [("rules", file.as_path()), ("config", Path::new(settings))] {
        let output = Command::new(&promtool).arg("check").arg(kind).arg(file).output().await;
        let output = output.expect("promtool runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}
