//! One run, from its seed to its verdict.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use api::{
    client::{ANSWER_BYTES_MAX, RetryPolicy, with_retry},
    error::reason,
    game::v1::{
        Game, GetGameRequest, Stage, game_internal_service_client::GameInternalServiceClient,
        game_service_client::GameServiceClient,
    },
    transport::Transport,
};
use chassis::auth::as_service;
use tokio::{
    task::{JoinHandle, JoinSet},
    time::Instant,
};

use crate::{
    check,
    event::{self, Held},
    history::History,
    nemesis,
    network::Face,
    officials::ActingOfficials,
    player::{Player, stage},
    queue::{self, Queue},
    spectator,
    table::Table,
    topology::{End, Node, Service},
    trace::digest,
    world::{Deployment, World},
};

/// How long there is trouble.
const NEMESIS: Duration = Duration::from_secs(50);
/// The same in a run with an event, whose rounds are played one after the other.
const NEMESIS_OF_EVENT: Duration = Duration::from_mins(2);
/// Within what time all games begin.
const ARRIVALS: Duration = Duration::from_secs(15);
/// When the players go, whether their games are over or not.
const CLOSING: Duration = Duration::from_secs(80);
/// How late a flag may be called, or the house act, when nothing is wrong: the clocks look for forgotten flags
/// every 15 s.
const LATE: Duration = Duration::from_secs(40);
/// How long a result may take to its rating: an entry of the outbox rests for half a minute at most.
const DELIVERY: Duration = Duration::from_mins(1);
/// How often it is looked whether all games are over.
const LOOK: Duration = Duration::from_secs(2);
/// The longest run: no phase of any game is longer than three minutes.
const LONGEST: Duration = Duration::from_mins(40);

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Report {
    /// Its seed.
    pub seed: u64,
    /// A number that tells whether two runs were the same: of every call, event, time and answer.
    pub digest: u64,
    /// Everything that happened, a line each.
    pub lines: Vec<String>,
    /// What was wrong; nothing, if the platform kept its promises.
    pub faults: Vec<String>,
    /// Games that were played.
    pub games: usize,
    /// Events in their logs.
    pub events: usize,
    /// Rounds that were played of the federation's event; none in a run that has no event.
    pub rounds: Option<usize>,
    /// Games that came of the queue; none in a run that has no queue.
    pub matched: Option<usize>,
    /// How long it was in virtual time.
    pub time: Duration,
}

/// What is played in a run.
#[derive(Debug, Default)]
pub(crate) struct Playing {
    tables: Mutex<Vec<Table>>,
    spectators: Mutex<JoinSet<()>>,
}

impl Playing {
    /// A game begins, with who watches it.
    pub(crate) fn begin(&self, world: &Arc<World>, history: &Arc<History>, table: &Table) {
        let (world, history, game) = (Arc::clone(world), Arc::clone(history), table.id.clone());
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).push(table.clone());
        self.watch(async move { spectator::watch(world, history, game, 0).await });
    }

    /// Somebody watches.
    fn watch(&self, spectator: impl Future<Output = ()> + Send + 'static) {
        self.spectators.lock().unwrap_or_else(PoisonError::into_inner).spawn(spectator);
    }

    /// Whether a game has begun here.
    pub(crate) fn has(&self, game: &str) -> bool {
        self.tables().iter().any(|table| table.id == game)
    }

    fn tables(&self) -> Vec<Table> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn spectators(&self) -> JoinSet<()> {
        std::mem::take(&mut *self.spectators.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What a run has besides games that are there from the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum With {
    /// Nothing.
    Nothing,
    /// An event of a federation.
    Event,
    /// Players who queue.
    Queue,
    /// A crowd that queues, and nothing else.
    Crowd,
}

/// What goes on in a run besides its tables.
struct Besides {
    /// The event, and who holds it.
    event: Option<(event::Event, JoinHandle<Held>)>,
    /// The queue, and everybody in it.
    queue: Option<(Arc<Queue>, JoinHandle<()>)>,
}

impl With {
    /// What the run of a seed has.
    pub fn of(seed: u64) -> Self {
        if event::is_held(seed) {
            With::Event
        } else if queue::is_held(seed) {
            With::Queue
        } else {
            With::Nothing
        }
    }

    const fn deployment(self) -> Deployment {
        match self {
            With::Nothing => Deployment::RANDOM,
            With::Event => Deployment::EVENT,
            With::Queue => Deployment::QUEUE,
            With::Crowd => Deployment::CROWD,
        }
    }

    const fn trouble(self) -> Duration {
        match self {
            With::Nothing | With::Queue | With::Crowd => NEMESIS,
            With::Event => NEMESIS_OF_EVENT,
        }
    }
}

/// Plays out the run of a seed, on this thread, with this besides its tables; [`With::of`] it is what the seed says.
///
/// # Panics
/// When no runtime can be made.
pub fn run_with(seed: u64, with: With) -> Report {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("a runtime of one thread needs nothing");
    runtime.block_on(simulate(seed, with))
}

async fn simulate(seed: u64, with: With) -> Report {
    let zero = Instant::now();
    let world = World::new(seed, with.deployment()).await;
    let history = Arc::new(History::default());
    for node in world.nodes() {
        world.start(node).await;
    }
    let event = if with == With::Event { prepared(&world).await } else { None };
    let rng = world.rng("tables");
    let tables = if with == With::Crowd { Vec::new() } else { Table::all(&world, &rng) };
    let playing = Arc::new(Playing::default());
    let mut guests = JoinSet::new();
    let nemesis =
        tokio::spawn(nemesis::make(Arc::clone(&world), world.rng("trouble"), zero + with.trouble()));
    let besides = Besides::begin(with, event, (&world, &history, &playing), zero);
    for table in &tables {
        let arrival = rng.mostly_short(ARRIVALS);
        guests.spawn(play(Arc::clone(&world), Arc::clone(&history), table.clone(), arrival, zero + CLOSING));
        for number in 0..=rng.below(3) {
            let (world, history, game) = (Arc::clone(&world), Arc::clone(&history), table.id.clone());
            playing.watch(async move {
                tokio::time::sleep(arrival).await;
                spectator::watch(world, history, game, number).await;
            });
        }
    }
    if nemesis.await.is_err() {
        world.trace.fault("the trouble ended in a panic");
    }
    while let Some(ended) = guests.join_next().await {
        if let Err(error) = ended {
            world.trace.fault(format!("a player panicked: {error}"));
        }
    }
    let (event, rounds, queue) = Box::pin(besides.end(&world)).await;
    let matched = queue.as_ref().map(|queue| queue.matched());
    let tables = [tables, playing.tables()].concat();
    ending(&world, &history, &tables, zero + LONGEST).await;
    let mut spectators = playing.spectators();
    let watched = async { while spectators.join_next().await.is_some() {} };
    if tokio::time::timeout(LATE, watched).await.is_err() {
        world.trace.fault("a spectator waits for the end of a game that is over");
    }
    let events = check::all(&world, &history, &tables, event.as_ref(), queue.as_ref()).await;
    for node in world.nodes() {
        world.kill(node);
    }
    let (lines, faults) = world.trace.take();
    Report {
        seed,
        digest: digest(&lines),
        lines,
        faults,
        games: tables.len(),
        events,
        rounds,
        matched,
        time: zero.elapsed(),
    }
}

impl Besides {
    /// Begins what a run has besides its tables.
    fn begin(
        with: With,
        event: Option<event::Event>,
        (world, history, playing): (&Arc<World>, &Arc<History>, &Arc<Playing>),
        zero: Instant,
    ) -> Besides {
        let event = event.map(|event| {
            let (both, playing) = ((Arc::clone(world), Arc::clone(history)), Arc::clone(playing));
            let held = tokio::spawn(event::hold(both, event.clone(), playing, zero + LONGEST));
            (event, held)
        });
        let queue = match with {
            With::Nothing | With::Event => None,
            With::Queue => {
                let queue = Queue::new(world, history, playing);
                let run = tokio::spawn(Arc::clone(&queue).run(zero + CLOSING));
                Some((queue, run))
            }
            With::Crowd => {
                let queue = Queue::crowd(world, history, playing);
                let run = tokio::spawn(Arc::clone(&queue).pass(zero + NEMESIS));
                Some((queue, run))
            }
        };
        Besides { event, queue }
    }

    /// Waits for its end; the event, how many of its rounds were played, and the queue.
    async fn end(self, world: &World) -> (Option<event::Event>, Option<usize>, Option<Arc<Queue>>) {
        let (event, held) = self.event.unzip();
        let rounds = rounds_of(world, held).await;
        let (queue, run) = self.queue.unzip();
        if let (Some(queue), Some(run)) = (&queue, run) {
            if let Err(error) = run.await {
                world.trace.fault(format!("the queue panicked: {error}"));
            }
            Box::pin(queue.two_more()).await;
            queue.attend().await;
        }
        (event, rounds, queue)
    }
}

/// The event of a run, with everybody who takes part in it.
async fn prepared(world: &World) -> Option<event::Event> {
    match event::Event::prepare(world).await {
        Ok(event) => Some(event),
        Err(status) => {
            world.trace.fault(format!("the event is not prepared: {} {status}", reason(&status)));
            None
        }
    }
}

/// How many rounds were played of an event.
async fn rounds_of(world: &World, held: Option<JoinHandle<Held>>) -> Option<usize> {
    match held?.await {
        Ok(held) => Some(held.rounds),
        Err(error) => {
            world.trace.fault(format!("the chief arbiter panicked: {error}"));
            None
        }
    }
}

/// Makes a game as matchmaking does, again and again until it is answered, and has it played.
async fn play(world: Arc<World>, history: Arc<History>, table: Table, arrival: Duration, until: Instant) {
    tokio::time::sleep(arrival).await;
    let transport = as_service(world.network.transport(End::Outside, Service::Game, Face::Internal));
    let games = GameInternalServiceClient::new(transport).max_decoding_message_size(ANSWER_BYTES_MAX);
    let call = || async { games.clone().create_game(table.commission.clone()).await };
    if let Err(status) = with_retry(RetryPolicy(LONGEST), call).await {
        world.trace.fault(format!("game {} is not made: {} {status}", table.id, reason(&status)));
        return;
    }
    let [first, second] = [0, 1].map(|side| Player::new(&world, &history, &table, side));
    let officials = async {
        if let Some(officials) = ActingOfficials::new(&world, &history, &table) {
            officials.act(until).await;
        }
    };
    futures::join!(first.play(until), second.play(until), officials);
}

/// Waits until every result is final; the officials do what is left to them. No flag that has fallen stays uncalled,
/// no duty of the house undone.
async fn ending(world: &Arc<World>, history: &Arc<History>, tables: &[Table], longest: Instant) {
    let node = Node { service: Service::Game, number: 0 };
    let Some(transport) = world.network.straight(node, Face::Public) else {
        world.trace.fault("no game service is up at the end");
        return;
    };
    let client = GameServiceClient::new(transport).max_decoding_message_size(ANSWER_BYTES_MAX);
    let officials = |table: &Table| ActingOfficials::new(world, history, table);
    let mut open: Vec<_> = tables.iter().map(|table| (table, officials(table))).collect();
    while !open.is_empty() {
        let mut still = Vec::new();
        for (table, officials) in open {
            if !is_done(world, &client, table, officials.as_ref(), longest).await {
                still.push((table, officials));
            }
        }
        open = still;
        tokio::time::sleep(LOOK).await;
    }
    let delivered = async {
        while [Service::Game, Service::Federation, Service::Matchmaking]
            .into_iter()
            .any(|service| owes(world, service))
        {
            tokio::time::sleep(LOOK).await;
        }
    };
    if tokio::time::timeout(DELIVERY, delivered).await.is_err() {
        world.trace.fault("a result is not delivered");
    }
}

/// Whether a service owes something to others.
fn owes(world: &World, service: Service) -> bool {
    let Some(disk) = world.disk(service) else { return false };
    disk.inspect("SELECT id FROM outbox").map_or(true, |owed| !owed.is_empty())
}

/// Whether nothing more is to be waited for in a game: its result is final, or it is stuck.
async fn is_done(
    world: &World,
    client: &GameServiceClient<Transport>,
    table: &Table,
    officials: Option<&ActingOfficials>,
    longest: Instant,
) -> bool {
    let read = || async {
        let request = GetGameRequest { game_id: table.id.clone() };
        client.clone().get_game(request).await.ok().and_then(|answer| answer.into_inner().game)
    };
    let Some(game) = read().await else {
        world.trace.fault(format!("game {} cannot be read at the end", table.id));
        return true;
    };
    if let Some(officials) = officials
        && Instant::now() < longest
        && officials.tidy(&game).await
    {
        return false;
    }
    match stuck(world, &game) {
        Some(true) => true,
        Some(false) if Instant::now() < longest => false,
        _ => {
            // The house may be about to act: then there is something new soon.
            tokio::time::sleep(LOOK).await;
            let stands_still = read().await.is_none_or(|later| later.state == game.state);
            let is_stuck = stands_still || Instant::now() >= longest;
            if is_stuck {
                world.trace.fault(format!("game {} is stuck: {:?}", table.id, game.state));
            }
            is_stuck
        }
    }
}

/// Whether the result of a game is final; `None` when it should be, or something else should have happened to it.
fn stuck(world: &World, game: &Game) -> Option<bool> {
    let state = game.state.as_ref()?;
    if stage(game) == Stage::Final {
        return Some(true);
    }
    let progress = state.progress.as_ref().and_then(|progress| progress.due_time);
    let due = [state.clock.as_ref().and_then(|clock| clock.flag_time), state.expire_time, progress];
    let mut due = due.iter().flatten().filter_map(api::time::moment).peekable();
    let now = world.env.now();
    (due.peek().is_some() && due.all(|due| now < due + LATE)).then_some(false)
}
