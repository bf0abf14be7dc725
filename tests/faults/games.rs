//! Games that are played beside a fault, and what their players and spectators were told.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use anyhow::Context as _;
use api::{
    client::{ANSWER_BYTES_MAX, RetryPolicy},
    error::reason,
    game::v1::{
        GameEvent, GetGameRequest, PlayRequest, WatchRequest, game_service_client::GameServiceClient,
        watch_response::Step,
    },
    transport::Transport,
};
use chassis::Env;
use futures::{StreamExt as _, future::join_all};
use rand::RngExt as _;
use tests::{Bot, Pairing, game_settings, pair_anew, point};
use time::OffsetDateTime;
use tokio::task::JoinHandle;
use tonic::Code;

use crate::stand::Stand;

/// How long a player thinks.
const THOUGHT_MS: std::ops::Range<u64> = 500..1100;
/// How long a player waits for an answer before he sends his act again.
const ANSWER: Duration = Duration::from_secs(3);
/// How long he waits before that.
const AGAIN: Duration = Duration::from_millis(100);
/// Acts between two looks at the game.
const LOOK_EVERY: usize = 4;
/// Logs that are read at the same time.
const READERS: usize = 8;
/// How long it may take to read a log that can be read.
const READING: Duration = Duration::from_secs(30);
/// Longer than any game here.
const CONTROL: &str = "1h";
/// How long a player tries to resign.
const RETRY: RetryPolicy = RetryPolicy(Duration::from_secs(20));

/// An act and when it was what.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    /// Whose, 0 or 1.
    pub side: usize,
    /// When its player knew that it was his turn.
    pub told: OffsetDateTime,
    /// When he first sent it.
    pub sent: OffsetDateTime,
    /// When he was told that it had been taken.
    pub acked: OffsetDateTime,
    /// The event that it became, as he was told.
    pub event: GameEvent,
}

/// An answer to a read.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    /// The last event that the reader had been told of.
    pub told: u64,
    /// The last event that the answer knows.
    pub sequence: u64,
    /// The acts of the answer.
    pub acts: Vec<String>,
}

/// An event as a spectator got it.
#[derive(Clone, Debug)]
pub(crate) struct Heard {
    /// When.
    pub at: OffsetDateTime,
    /// The event.
    pub event: GameEvent,
}

/// What is known of a game.
#[derive(Clone, Debug)]
pub(crate) struct Story {
    /// The game.
    pub game: String,
    /// Its players.
    pub players: Vec<Bot>,
    /// Its acknowledged acts.
    pub turns: Vec<Turn>,
    /// Answers to reads.
    pub looks: Vec<Look>,
    /// Events as a spectator got them.
    pub seen: Vec<Heard>,
    /// An act that was sent and not acknowledged.
    pub open: Option<String>,
    /// Why an act was refused.
    pub refused: Option<String>,
}

/// What a spectator has got so far.
type Seen = Arc<Mutex<Vec<Heard>>>;

/// A hundred games under way.
pub(crate) struct Round {
    finish: Arc<AtomicBool>,
    playing: Vec<JoinHandle<Story>>,
    watching: Vec<(JoinHandle<()>, Seen)>,
}

impl Round {
    /// Pairs the players, and has them play.
    pub(crate) async fn start(stand: &Stand, players: &mut [Bot]) -> anyhow::Result<Self> {
        let settings = game_settings("go", &[], CONTROL, false);
        let pairings = pair_anew(players, &settings).await?;
        let finish = Arc::new(AtomicBool::new(false));
        let (mut playing, mut watching) = (Vec::new(), Vec::new());
        for (index, pairing) in pairings.into_iter().enumerate() {
            let (reader, seen) = (stand.reader(index), Seen::default());
            let watcher = tokio::spawn(watch(reader.clone(), pairing.game_id.clone(), Arc::clone(&seen)));
            watching.push((watcher, seen));
            playing.push(tokio::spawn(play(pairing, reader, Arc::clone(&finish))));
        }
        Ok(Round { finish, playing, watching })
    }

    /// Ends the playing, not the games.
    pub(crate) async fn stop(self) -> Vec<Story> {
        self.finish.store(true, Ordering::SeqCst);
        let mut stories = Vec::new();
        for (story, (watcher, seen)) in join_all(self.playing).await.into_iter().zip(self.watching) {
            watcher.abort();
            let mut story = story.expect("no player panics");
            story.seen = std::mem::take(&mut *seen.lock().unwrap_or_else(PoisonError::into_inner));
            stories.push(story);
        }
        stories
    }
}

/// The logs of these games as they are kept; an error where one cannot be read.
pub(crate) async fn logs(stand: &Stand, stories: &[Story]) -> Vec<anyhow::Result<Vec<GameEvent>>> {
    let read = |(index, story): (usize, &Story)| {
        let (transport, game) = (stand.transport(index), story.game.clone());
        async move {
            let reading = async {
                loop {
                    match log(transport.clone(), &game).await {
                        Ok(log) => return log,
                        Err(_) => tokio::time::sleep(AGAIN).await,
                    }
                }
            };
            tokio::time::timeout(READING, reading)
                .await
                .with_context(|| format!("the log of {game} cannot be read"))
        }
    };
    futures::stream::iter(stories.iter().enumerate()).map(read).buffered(READERS).collect().await
}

/// Ends the games; whether all could be ended.
pub(crate) async fn resign(stories: &[Story]) -> bool {
    let resign = |story: &Story| {
        let (player, game) = (story.players[0].clone(), story.game.clone());
        async move { player.resign(&game, RETRY).await.is_ok() }
    };
    join_all(stories.iter().map(resign)).await.into_iter().all(|resigned| resigned)
}

async fn play(pairing: Pairing, reader: Transport, finish: Arc<AtomicBool>) -> Story {
    let env = Env::system();
    let games = GameServiceClient::new(reader).max_decoding_message_size(ANSWER_BYTES_MAX);
    let mut story = Story {
        game: pairing.game_id,
        players: pairing.players.to_vec(),
        turns: Vec::new(),
        looks: Vec::new(),
        seen: Vec::new(),
        open: None,
        refused: None,
    };
    let (mut told, mut known) = (env.now(), 0_u64);
    while !finish.load(Ordering::SeqCst) {
        let thought = env.with_rng(|rng| rng.random_range(THOUGHT_MS));
        tokio::time::sleep(Duration::from_millis(thought)).await;
        let (ply, sent) = (story.turns.len(), env.now());
        let act = point(ply);
        story.open = Some(act.clone());
        match send(&story, act, ply, &finish).await {
            Ok(Some(event)) => {
                let acked = env.now();
                known = known.max(event.sequence);
                story.turns.push(Turn { side: ply % 2, told, sent, acked, event });
                (story.open, told) = (None, acked);
            }
            Ok(None) => return story,
            Err(refused) => {
                story.refused = Some(refused);
                return story;
            }
        }
        if ply % LOOK_EVERY == 0
            && let Some(look) = look(games.clone(), &story.game, known).await
        {
            known = known.max(look.sequence);
            story.looks.push(look);
        }
    }
    story
}

/// Sends an act until it is answered; nothing when the game is to be ended before, an error when it is refused.
async fn send(
    story: &Story,
    act: String,
    ply: usize,
    finish: &AtomicBool,
) -> Result<Option<GameEvent>, String> {
    let player = &story.players[ply % 2];
    let request = PlayRequest {
        game_id: story.game.clone(),
        act,
        ply: u32::try_from(ply).unwrap_or(u32::MAX),
        request_id: player.new_id(),
        lag_duration: None,
    };
    while !finish.load(Ordering::SeqCst) {
        match tokio::time::timeout(ANSWER, player.games().play(request.clone())).await {
            Ok(Ok(answer)) => return Ok(answer.into_inner().event),
            Ok(Err(status)) if is_refusal(status.code()) => {
                return Err(format!("{:?} {}: {}", status.code(), reason(&status), status.message()));
            }
            Ok(Err(_)) | Err(_) => tokio::time::sleep(AGAIN).await,
        }
    }
    Ok(None)
}

/// Whether nothing is to be gained by sending it again.
const fn is_refusal(code: Code) -> bool {
    matches!(
        code,
        Code::InvalidArgument
            | Code::NotFound
            | Code::AlreadyExists
            | Code::FailedPrecondition
            | Code::PermissionDenied
            | Code::Unauthenticated
            | Code::Aborted
            | Code::OutOfRange
            | Code::Unimplemented
    )
}

async fn look(mut games: GameServiceClient<Transport>, game: &str, told: u64) -> Option<Look> {
    let request = GetGameRequest { game_id: game.to_owned() };
    let answer = tokio::time::timeout(ANSWER, games.get_game(request)).await.ok()?.ok()?;
    let game = answer.into_inner().game?;
    let sequence = game.state.as_ref()?.sequence;
    Some(Look { told, sequence, acts: game.acts.into_iter().map(|act| act.text).collect() })
}

/// Watches a game from its beginning, and comes back where a stream broke.
async fn watch(transport: Transport, game: String, seen: Seen) {
    let env = Env::system();
    let seen = || seen.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        let after = seen().last().map_or(0, |heard| heard.event.sequence);
        let mut games = GameServiceClient::new(transport.clone()).max_decoding_message_size(ANSWER_BYTES_MAX);
        let request = WatchRequest { game_id: game.clone(), after_sequence: Some(after), after_end: false };
        if let Ok(answer) = games.watch(request).await {
            let mut stream = answer.into_inner();
            while let Ok(Some(answer)) = stream.message().await {
                if let Some(Step::Event(event)) = answer.step {
                    seen().push(Heard { at: env.now(), event });
                }
            }
        }
        tokio::time::sleep(AGAIN).await;
    }
}

/// The events of a game up to where it stands.
async fn log(transport: Transport, game: &str) -> anyhow::Result<Vec<GameEvent>> {
    let mut games = GameServiceClient::new(transport).max_decoding_message_size(ANSWER_BYTES_MAX);
    let request = GetGameRequest { game_id: game.to_owned() };
    let stands = games.get_game(request).await?.into_inner().game.context("a game")?;
    let last = stands.state.context("a state")?.sequence;
    let request = WatchRequest { game_id: game.to_owned(), after_sequence: Some(0), after_end: false };
    let mut stream = games.watch(request).await?.into_inner();
    let mut log = Vec::new();
    while log.last().is_none_or(|event: &GameEvent| event.sequence < last) {
        let answer = stream.message().await?.context("the stream ended early")?;
        if let Some(Step::Event(event)) = answer.step {
            log.push(event);
        }
    }
    Ok(log)
}
