//! `kill -9` of each process at each moment of a round: nothing happens twice, every board has one game, no result is
//! lost, and the log proves itself.
//!
//! An ordinary run kills one process at each moment; `tests/soak/event-kills` all of them.

use std::{collections::BTreeMap, time::Duration};

use api::{
    board::v1::{Outcome, Verdict},
    federation::v1::{self as pb, EventLogBody, event_log_body::Fact},
    game::v1::{ListGamesRequest, Progress, Stage, game_service_client::GameServiceClient},
};
use chassis::Env;
use prost::Message as _;
use rand::RngExt as _;
use tests::{
    Platform, ask, bots, call, command,
    held::{Federation, Held, until},
    opposite_shapes,
};

use super::swiss::settings;

/// Who plays: all meet all twice, so that an event has a round for each moment.
const PLAYERS: usize = 6;
/// Rounds of an event.
const ROUNDS: u32 = 10;
/// Boards of a round.
const BOARDS: usize = PLAYERS / 2;
/// The longest time after which a request that is under way is hit.
const UNDER_WAY_US: u64 = 15_000;
/// Says that every process is killed at every moment.
const ALL: &str = "EVENT_KILLS";

/// When a process dies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moment {
    /// Before the round is paired.
    Before,
    /// While it is paired.
    Pairing,
    /// When it is a draft.
    Paired,
    /// While it is published.
    Publishing,
    /// When it is public.
    Published,
    /// While it is started.
    Starting,
    /// While its games are made.
    Making,
    /// While its games are played.
    Playing,
    /// While the first results are told.
    Telling,
    /// While the last result becomes final.
    Last,
}

const MOMENTS: [Moment; ROUNDS as usize] = [
    Moment::Before,
    Moment::Pairing,
    Moment::Paired,
    Moment::Publishing,
    Moment::Published,
    Moment::Starting,
    Moment::Making,
    Moment::Playing,
    Moment::Telling,
    Moment::Last,
];

/// Who dies at which moment: one for each round, and one while the event is closed.
#[derive(Clone, Debug)]
struct Plan {
    rounds: [&'static str; ROUNDS as usize],
    closing: &'static str,
}

/// The plans of a platform: for each process one in which it dies every time, or one in which they take turns.
fn plans(names: &[&'static str]) -> Vec<Plan> {
    if std::env::var_os(ALL).is_some() {
        return names.iter().map(|name| Plan { rounds: [name; ROUNDS as usize], closing: name }).collect();
    }
    // Federation holds the round, game the boards: they die where most is under way.
    let busy = [
        (Moment::Pairing, "federation"),
        (Moment::Publishing, "federation"),
        (Moment::Making, "game"),
        (Moment::Telling, "federation"),
        (Moment::Last, "game"),
    ];
    let mut others = names.iter().copied().filter(|name| !["federation", "game"].contains(name)).cycle();
    let rounds = MOMENTS.map(|moment| {
        let chosen = busy.iter().find(|(at, name)| *at == moment && names.contains(name));
        chosen.map_or_else(|| others.next().unwrap_or(names[0]), |(_, name)| name)
    });
    let closing = if names.contains(&"federation") { "federation" } else { names[0] };
    vec![Plan { rounds, closing }]
}

#[tokio::test(flavor = "multi_thread")]
async fn no_kill_at_any_moment_of_a_round_costs_a_result() {
    for (shape, store) in opposite_shapes() {
        let mut platform = Platform::start(shape, store).await.expect("the platform starts");
        for plan in plans(&platform.names()) {
            say(&format!("{shape:?} {store:?}: {plan:?}"));
            let held = hold(&mut platform, &plan).await;
            nothing_is_twice(&held).await;
            every_result_is_there(&held).await;
            verified(&platform, &held).await;
        }
    }
}

/// Holds an event, and kills whom the plan says.
async fn hold(platform: &mut Platform, plan: &Plan) -> Held {
    let transport = platform.transport();
    let federation =
        Federation::new(&transport, &format!("协会 {}", Env::system().uuid()), "Federation").await;
    let format = pb::event_format::Format::RoundRobin(pb::event_format::RoundRobin { double: true });
    let settings = pb::EventSettings {
        format: Some(pb::EventFormat { format: Some(format) }),
        late_until_round: 0,
        ..settings(ROUNDS, u32::try_from(PLAYERS).expect("they are few"))
    };
    let mut held = Held::new(&federation, settings).await;
    held.enter_new(&federation, bots(&transport, PLAYERS).await.expect("all sign in")).await;
    held.run().await;
    for (round, (moment, name)) in (1..).zip(MOMENTS.into_iter().zip(plan.rounds)) {
        Hit { platform: &mut *platform, held: &held, round, moment, name }.play().await;
    }
    held.advance(pb::EventStage::Closing).await;
    hit(platform, plan.closing, held.close()).await;
    held
}

/// A round in which a process dies.
struct Hit<'a> {
    platform: &'a mut Platform,
    held: &'a Held,
    round: u32,
    moment: Moment,
    name: &'static str,
}

impl Hit<'_> {
    async fn play(mut self) {
        let (held, round) = (self.held, self.round);
        self.at(Moment::Before, async {}).await;
        self.at(Moment::Pairing, async { drop(held.pair(round).await) }).await;
        self.at(Moment::Paired, async {}).await;
        self.at(Moment::Publishing, held.publish(round)).await;
        self.at(Moment::Published, async {}).await;
        self.at(Moment::Starting, async { drop(held.begin_round(round).await) }).await;
        self.at(Moment::Making, async {}).await;
        let public = held.round(round).await;
        assert_eq!(public.pairings.len(), BOARDS, "round {round}: {public:?}");
        for pairing in &public.pairings {
            held.begin(pairing).await;
        }
        self.at(Moment::Playing, async {}).await;
        let (last, others) = public.pairings.split_last().expect("there are boards");
        for pairing in others {
            held.resign(pairing, loser(pairing)).await;
        }
        self.at(Moment::Telling, async {}).await;
        self.at(Moment::Last, held.resign(last, loser(last))).await;
        held.complete(round).await;
    }

    /// Does something, and has the process die meanwhile if its moment has come.
    async fn at(&mut self, moment: Moment, what: impl Future<Output = ()>) {
        if self.moment == moment { hit(self.platform, self.name, what).await } else { what.await }
    }
}

/// Who loses: the higher number.
fn loser(pairing: &pb::Pairing) -> u32 {
    pairing.first.max(pairing.second)
}

/// Kills a process and starts it again while something is done, which it survives.
async fn hit(platform: &mut Platform, name: &str, what: impl Future<Output = ()>) {
    let kill = async {
        let after = Env::system().with_rng(|rng| rng.random_range(0..UNDER_WAY_US));
        tokio::time::sleep(Duration::from_micros(after)).await;
        platform.kill(name).await.expect("it can be killed");
        platform.restart(name).await.expect("it comes up again");
    };
    tokio::join!(what, kill);
}

/// Every round was published, started and decided once, and every board decided once.
async fn nothing_is_twice(held: &Held) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for entry in held.log(&held.chief.player).await {
        let body = EventLogBody::decode(&*entry.body).expect("an entry");
        let what = match body.fact {
            Some(Fact::RoundPublished(it)) => format!("publish {}", it.round.expect("a round").number),
            Some(Fact::RoundStarted(it)) => format!("start {}", it.round),
            Some(Fact::ResultEntered(it)) => format!("result {} {}", it.round, it.table),
            _ => continue,
        };
        *counts.entry(what).or_default() += 1;
    }
    assert!(counts.values().all(|count| *count == 1), "{counts:?}");
    assert_eq!(counts.len(), ROUNDS as usize * (2 + BOARDS), "{counts:?}");
}

/// Every board has one game, which ended as the board did; and nobody has another.
async fn every_result_is_there(held: &Held) {
    let mut of_player: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for round in 1..=ROUNDS {
        for pairing in held.round(round).await.pairings {
            let transport = held.players[&pairing.first].transport();
            let game = ask(&transport, &pairing.game_id).await.expect("every board has its game");
            let state = game.state.expect("a game has a state");
            assert_eq!(state.progress.as_ref().map(Progress::stage), Some(Stage::Final), "{pairing:?}");
            let first_wins = pairing.first < pairing.second;
            let verdict = state.outcome.as_ref().map(Outcome::verdict);
            let expected = if first_wins { Verdict::FirstWins } else { Verdict::SecondWins };
            assert_eq!(verdict, Some(expected), "{pairing:?}");
            let result = pairing.result.as_ref().expect("a result");
            let (won, lost) = (pb::ResultCode::Win, pb::ResultCode::Loss);
            let codes = if first_wins { (won, lost) } else { (lost, won) };
            assert_eq!((result.first(), result.second()), codes, "{pairing:?}");
            assert_eq!(pairing.attempt, 1, "{pairing:?}");
            for number in [pairing.first, pairing.second] {
                of_player.entry(number).or_default().push(pairing.game_id.clone());
            }
        }
    }
    for (number, player) in &held.players {
        let request = ListGamesRequest { account_id: player.account().id.clone(), ..Default::default() };
        let listed = call!(GameServiceClient::new(player.transport()), list_games, request).expect("a list");
        let mut games: Vec<String> = listed.games.into_iter().filter_map(|it| Some(it.info?.id)).collect();
        let boards = of_player.get_mut(number).expect("everybody plays");
        games.sort();
        boards.sort();
        assert_eq!(*boards, games, "{number}");
    }
    // The lower number always wins, twice: 20, 16, 12, 8, 4 and no points.
    let points: BTreeMap<u32, u32> =
        held.table(&[]).await.lines.into_iter().map(|line| (line.number, line.points)).collect();
    assert_eq!(points.into_values().collect::<Vec<_>>(), [20, 16, 12, 8, 4, 0]);
}

/// The log proves itself, and nobody owes anything any more.
async fn verified(platform: &Platform, held: &Held) {
    let words = ["event", "--server", &platform.url, "verify", &held.id];
    let output = command(words).await.expect("it runs");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && told.contains(&format!("rounds   {ROUNDS}")), "{output:?}");
    until("nobody owes anything", async || {
        let words = ["doctor", "--audit"].map(str::to_owned).into_iter().chain(platform.place());
        let output = command(words).await.ok()?;
        output.status.success().then_some(())
    })
    .await;
}

#[expect(clippy::print_stdout, reason = "a soak shows how far it is")]
fn say(line: &str) {
    println!("{line}");
}
