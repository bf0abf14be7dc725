//! Traces: a call and all that is done for its sake, as a collector sees it; and what no log, trace or number may hold.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use api::{
    client::RetryPolicy,
    game::v1::{PlayRequest, ResignRequest},
    identity::v1::{
        CreateAccessTokenRequest, RegisterRequest, Session, SignInRequest,
        identity_service_client::IdentityServiceClient,
    },
    transport::with_bearer,
};
use opentelemetry_proto::tonic::{
    collector::trace::v1::{
        ExportTraceServiceRequest, ExportTraceServiceResponse,
        trace_service_server::{TraceService, TraceServiceServer},
    },
    trace::v1::Span,
};
use parking_lot::Mutex;
use rules::Opening;
use tests::{Ground, Pairing, Platform, Shape, ask, bots, game_settings, ids, pair_up, shapes};
use tokio::{net::TcpListener, time::Instant};
use tonic::{Request, Response, Status, transport::Server, transport::server::TcpIncoming};

use crate::metrics::page;

/// How long it takes at most until what was done is collected.
const COLLECTED_WITHIN: Duration = Duration::from_secs(30);
/// The trace of a move, and what began it: a client's own.
const MOVE: [&str; 2] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
/// The same of a resignation.
const RESIGNATION: [&str; 2] = ["1bf7651916cd43dd8448eb211c80319c", "c7ad6b7169203331"];

/// A span, and the process that tells of it.
type Told = (String, Span);

/// A collector in this process.
#[derive(Clone, Default)]
struct Collector(Arc<Mutex<Vec<Told>>>);

#[tonic::async_trait]
impl TraceService for Collector {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        for of_process in request.into_inner().resource_spans {
            let name = format!("{:?}", of_process.resource);
            let spans = of_process.scope_spans.into_iter().flat_map(|scope| scope.spans);
            self.0.lock().extend(spans.map(|span| (name.clone(), span)));
        }
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

impl Collector {
    /// One that collects, and where.
    async fn start() -> (Collector, String) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let collector = Collector::default();
        let service = TraceServiceServer::new(collector.clone());
        tokio::spawn(Server::builder().add_service(service).serve_with_incoming(TcpIncoming::from(listener)));
        (collector, url)
    }

    /// The spans of a trace.
    fn of(&self, trace: &str) -> Vec<Told> {
        let is_of = |(_, span): &&Told| hex(&span.trace_id) == trace;
        self.0.lock().iter().filter(is_of).cloned().collect()
    }

    /// Waits until these are among the spans of a trace, each by a process and what it is, and every span is part of another
    /// that was told of or of what the client has begun: each process tells of its own when it likes.
    async fn wait(&self, [trace, root]: [&str; 2], these: &[(&str, &str)]) {
        let until = Instant::now() + COLLECTED_WITHIN;
        loop {
            let told = self.of(trace);
            let lost = lost(&told, root);
            let is_there = |of: &(&str, &str)| {
                told.iter().any(|(process, span)| process.contains(of.0) && span.name.contains(of.1))
            };
            if lost.is_empty() && these.iter().all(is_there) {
                return;
            }
            let named: Vec<_> = told.iter().map(|(process, span)| (process, &span.name)).collect();
            assert!(
                Instant::now() < until,
                "{these:?} are not among {named:#?}, or {lost:?} belong to nothing that was told of"
            );
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

/// A platform whose traces are all collected, which finds every call slow.
async fn watched(shape: Shape, store: tests::Store, collector: &str, log: &str) -> Platform {
    let variables = [
        ("SHOUTAN_OTLP", collector),
        ("SHOUTAN_TRACES", "1"),
        ("SHOUTAN_SLOW_CALLS", "1ms"),
        ("SHOUTAN_METRICS", "127.0.0.1:0"),
        ("SHOUTAN_LOG_JSON", "true"),
    ];
    let environment = variables.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    let settings = vec![format!("--log={log}")];
    Platform::start_on(shape, store, Ground { environment, settings, ..Ground::default() })
        .await
        .expect("it starts")
}

/// A request that is part of a trace which somebody has begun, who wants nobody to collect it.
fn part_of<T>(message: T, [trace, span]: [&str; 2]) -> Request<T> {
    let mut request = Request::new(message);
    let header = format!("00-{trace}-{span}-00").parse().expect("it is text");
    request.metadata_mut().insert("traceparent", header);
    request
}

async fn game(platform: &Platform) -> Pairing {
    let players = bots(&platform.transport(), 2).await.expect("both sign in");
    let settings = game_settings("go", &[("size", "9")], "5m+3s", true);
    pair_up(players, &settings).await.expect("they are matched").remove(0)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_and_what_it_leaves_to_others_are_one_trace_each_through_all_processes() {
    for (shape, store) in shapes() {
        let (collector, url) = Collector::start().await;
        let mut platform = watched(shape, store, &url, "info").await;
        let Pairing { game_id, players } = game(&platform).await;
        let request_id = players[0].new_id();
        let play = PlayRequest {
            game_id: game_id.clone(),
            act: "C3".to_owned(),
            request_id: request_id.clone(),
            ..PlayRequest::default()
        };
        players[0].games().play(part_of(play, MOVE)).await.expect("it is his turn");
        let resign = ResignRequest { game_id, request_id: players[1].new_id() };
        players[1].games().resign(part_of(resign, RESIGNATION)).await.expect("a player may resign");

        let six = shape == Shape::Six;
        let name = |process: &'static str| if six { process } else { "shoutan" };
        let mut played = vec![
            (name("game"), "game.v1.GameService/Play"),
            (name("game"), "clock.v1"),
            (name("game"), "journal"),
        ];
        let mut owed = vec![
            (name("game"), "game.v1.GameService/Resign"),
            (name("game"), "delivery of rating.apply-result"),
            (name("game"), "rating.v1.RatingInternalService/ApplyResults"),
        ];
        if six {
            played.extend([("gateway", "GameService/Play"), ("clock", "clock.v1")]);
            owed.push(("rating", "RatingInternalService/ApplyResults"));
        }
        collector.wait(MOVE, &played).await;
        collector.wait(RESIGNATION, &owed).await;
        assert!(platform.stop().await.expect("it can be asked").is_empty(), "{}", platform.logs());
        let logs = platform.logs();
        let of_move = logs.lines().filter(|line| line.contains(MOVE[0]));
        let slow: Vec<&str> = of_move.filter(|line| line.contains("a call was slow")).collect();
        assert!(logs.contains("a call was slow") && logs.contains("\"trace.id\""), "{logs}");
        assert!(slow.iter().all(|line| line.contains(&request_id) && line.contains(" ms")), "{slow:?}");
    }
}

/// The names of spans that are part neither of another that was told of nor of the root.
fn lost(told: &[Told], root: &str) -> BTreeSet<String> {
    let known: BTreeSet<&[u8]> = told.iter().map(|(_, span)| span.span_id.as_slice()).collect();
    let is_lost =
        |span: &&Span| hex(&span.parent_span_id) != root && !known.contains(span.parent_span_id.as_slice());
    told.iter().map(|(_, span)| span).filter(is_lost).map(|span| span.name.clone()).collect()
}

/// What must not be found, with what it is.
type Canaries = Vec<(&'static str, String)>;

/// Gives the platform secrets of all kinds to keep.
async fn secrets(platform: &Platform) -> Canaries {
    let mut identity = IdentityServiceClient::new(platform.transport());
    let unique = ids()().simple().to_string();
    let (name, password) = (format!("canary-{}", &unique[12..28]), format!("canary password {unique}"));
    let request = RegisterRequest {
        name: name.clone(),
        password: password.clone(),
        request_id: ids()().to_string(),
        bot: false,
    };
    let first =
        identity.register(request).await.expect("the name is free").into_inner().session.expect("a session");
    let wrong = format!("canary mistake {unique}");
    let sign_in = |password: &str| SignInRequest {
        name: name.clone(),
        password: password.to_owned(),
        device_mark: first.device_mark.clone(),
    };
    identity.sign_in(sign_in(&wrong)).await.expect_err("it is another password");
    let second = identity
        .sign_in(sign_in(&password))
        .await
        .expect("it is his")
        .into_inner()
        .session
        .expect("a session");
    let token = second.access_token.clone();
    let mut own = IdentityServiceClient::new(with_bearer(platform.transport(), move || Some(token.clone())));
    let request = CreateAccessTokenRequest {
        label: "canary".to_owned(),
        scopes: vec!["play".to_owned()],
        request_id: ids()().to_string(),
        ..CreateAccessTokenRequest::default()
    };
    let personal = own.create_access_token(request).await.expect("he may").into_inner();
    let of_session = |session: Session| {
        [
            ("an access token", session.access_token),
            ("a refresh token", session.refresh_token),
            ("the mark of a device", session.device_mark),
        ]
    };
    let mut canaries: Canaries = vec![
        ("a password", password),
        ("a password that was wrong", wrong),
        ("a personal token", personal.secret),
    ];
    canaries.extend([first, second].into_iter().flat_map(of_session));
    canaries.retain(|(_, secret)| !secret.is_empty());
    canaries
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_stands_in_a_log_a_trace_or_a_number() {
    const ATTEMPTS: RetryPolicy = RetryPolicy(Duration::from_secs(20));
    const BID: &str = "bid -68.5";
    let ours = [
        "api",
        "chassis",
        "clock",
        "federation",
        "game",
        "identity",
        "live",
        "matchmaking",
        "rating",
        "shoutan",
        "trace",
    ];
    let log = ours.map(|target| format!("{target}=trace")).join(",");
    for (shape, store) in shapes() {
        let (collector, url) = Collector::start().await;
        let platform = watched(shape, store, &url, &format!("debug,h2=info,hyper=info,{log}")).await;
        let mut canaries = secrets(&platform).await;
        let players = bots(&platform.transport(), 2).await.expect("both sign in");
        let settings = game_settings("tianyi", &[], "1h", true);
        let Pairing { game_id, players } =
            pair_up(players, &settings).await.expect("both are matched").remove(0);
        let openings = [11, 21].map(|byte: u8| Opening::new([byte; 32], [byte + 1; 32]));
        let commitments = openings.each_ref().map(|opening| format!("commit {}", opening.commitment()));
        let reveals = openings.each_ref().map(|opening| format!("reveal {}", opening.text()));
        let acts =
            [(0, &*commitments[0]), (1, &*commitments[1]), (0, &*reveals[0]), (1, &*reveals[1]), (0, BID)];
        for (side, act) in acts {
            let game = ask(&platform.transport(), &game_id).await.expect("the game can be read");
            let ply = game.state.expect("a state").ply;
            players[side].play(&game_id, act, ply, ATTEMPTS).await.expect("it may be done");
        }
        // With its sign: without it, any counter of seconds may contain these digits.
        canaries.push(("a sealed bid", "-68.5".to_owned()));
        // Long enough that the last batch is told.
        tokio::time::sleep(Duration::from_secs(7)).await;
        let spans = format!("{:?}", collector.0.lock());
        assert!(spans.contains("GameService/Play"), "the traces are told");
        let mut numbers = String::new();
        for (_, place) in platform.metrics() {
            numbers.push_str(&page(place).await.expect("it is answered"));
        }
        let (logs, places) = (
            platform.logs(),
            [("logs", platform.logs()), ("traces", spans.clone()), ("metrics", numbers.clone())],
        );
        assert!(logs.contains("a call was slow"), "the logs are full");
        for (place, text) in &places {
            for (what, canary) in &canaries {
                assert!(!text.contains(canary.as_str()), "{shape:?} {store:?}: {what} stands in the {place}");
            }
        }
        for (place, text) in [("traces", &spans), ("metrics", &numbers)] {
            assert!(!text.contains("127.0.0.1"), "{shape:?} {store:?}: an address stands in the {place}");
        }
    }
}
