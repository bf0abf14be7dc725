//! The stream of a watched game.
//!
//! What is published may be lost; the log is not. So a watcher listens first, then reads the log from its
//! cursor, and whenever a number is missing (or nothing was heard for a while) it reads the log again. Who sees a
//! broadcast with a delay is sent each event when it is that old.

use std::{
    collections::VecDeque,
    pin::{Pin, pin},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use api::{
    ProtoEnum as _,
    game::v1::{Audience, GameEvent, Probe, Progress, WatchResponse, game_event, watch_response::Step},
};
use chassis::{
    auth::Caller,
    follow::{Follower, Heard},
    id::GameId,
};
use futures::{Stream, stream};
use prost::Message as _;
use rules::{Side, Viewer};
use tokio::time::Instant;
use tonic::Status;

use crate::{
    app::{
        App,
        availability::Ingress,
        broadcast::delay,
        presence::{Participant, PresenceGuard, SpectatorCount},
        views::GameView,
        views::PAGES_AT_ONCE,
    },
    core::{Stage, presence::requires_presence},
    error::{Error, Result},
    store::{LOG_PAGE, log, names},
};

/// How long a watcher trusts silence when events travel between processes.
const SILENCE_SHARED: Duration = Duration::from_secs(10);
/// The same while it is known that not everything arrives: somebody's clock may run.
const SILENCE_UNFOLLOWED: Duration = Duration::from_millis(500);
/// The same within one process, where nothing is lost without notice.
const SILENCE_LOCAL: Duration = Duration::from_mins(2);
/// The longest sleep until an event is old enough: the platform's time need not be that of the timer.
const DELAY_LOOK: Duration = Duration::from_secs(1);
/// The shortest time between two counts of the audience.
const AUDIENCE_INTERVAL: Duration = Duration::from_secs(1);
/// Time between two probes of a player.
const PROBE_INTERVAL: Duration = Duration::from_secs(10);

/// The stream of a `Watch` call.
pub(crate) type WatchStream = Pin<Box<dyn Stream<Item = Result<WatchResponse, Status>> + Send>>;

struct Watcher {
    app: Arc<App>,
    game: GameId,
    topic: Follower,
    snapshot: Option<Box<api::game::v1::Game>>,
    /// A page of the log at most, and what was heard since.
    waiting: VecDeque<GameEvent>,
    /// Whether the log goes on after what is waiting.
    more: bool,
    /// Pages of the log that were read one after the other.
    pages: u32,
    /// The number of the last event that was sent, or that the snapshot holds.
    seen: u64,
    /// The same for whoever looks after stalled streams.
    cursor: Arc<AtomicU64>,
    /// How much later events are sent.
    delay: Option<Duration>,
    /// The side of a player who watches; whether he is expected to be there.
    player: Option<(Side, bool)>,
    feed: Option<AudienceFeed>,
    /// When a player is probed next.
    probe_at: Instant,
    /// Whether the stream goes on after the end.
    after_end: bool,
    over: bool,
}

/// What the stream tells of the audience, of which its reader is one.
struct AudienceFeed {
    _guard: PresenceGuard,
    spectators: Arc<SpectatorCount>,
    /// The count that the stream has told, and from when on it may tell another.
    sent: Option<u32>,
    quiet_until: Instant,
}

/// From where to where a stream goes, and for whom.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    /// The event after which it begins; with the current state if there is none.
    pub after: Option<u64>,
    /// Whether it goes on after the end.
    pub after_end: bool,
    /// Who watches, if he shows a token.
    pub caller: Option<Caller>,
    /// How he reached the platform.
    pub ingress: Ingress,
}

/// Starts a stream with a snapshot, or after a cursor.
pub(crate) async fn watch(app: Arc<App>, game: GameId, wanted: Wanted) -> Result<WatchStream> {
    let (live, shutdown) = (Arc::clone(&app.registry.live), app.registry.lifecycle.stopping());
    let topic = Follower::new(live, names::events(game), shutdown).await?;
    let Wanted { after, after_end, caller, ingress } = wanted;
    let current = app.queries.view_checking_in(game, caller.as_ref(), ingress).await?;
    let side = caller.as_ref().and_then(|caller| current.side_of(caller.id));
    let ended = current.progress().stage == Stage::Final && !after_end;
    let mut watcher = Watcher {
        game,
        topic,
        snapshot: None,
        waiting: VecDeque::new(),
        more: false,
        pages: 0,
        seen: current.sequence(),
        cursor: Arc::new(AtomicU64::new(after.unwrap_or_default())),
        delay: delay(current.info(), caller.as_ref()),
        player: side.map(|side| (side, requires_presence(current.info()))),
        feed: None,
        probe_at: Instant::now(),
        after_end,
        over: ended,
        app,
    };
    match after {
        None => {
            let viewer = side.map_or(Viewer::Spectator, Viewer::Seat);
            let count = watcher.app.registry.presence.audience(game).await?;
            let snapshot = watcher.app.queries.whole(&current, viewer).await?;
            let audience = Some(Audience { count });
            watcher.snapshot = Some(Box::new(api::game::v1::Game { audience, ..snapshot }));
        }
        Some(cursor) if cursor > current.sequence() => {
            return Err(Error::BadCursor { what: "event", last: current.sequence() });
        }
        Some(cursor) => {
            watcher.seen = cursor;
            watcher.catch_up().await?;
            watcher.over = ended && watcher.waiting.is_empty();
        }
    }
    if !watcher.over {
        watcher.join(&current, caller.as_ref());
    }
    let (app, cursor) = (Arc::clone(&watcher.app), Arc::clone(&watcher.cursor));
    let steps = stream::unfold(watcher, |mut watcher| async move {
        let step = watcher.next().await?;
        Some((step.map(|step| WatchResponse { step: Some(step), ..WatchResponse::default() }), watcher))
    });
    Ok(app.readers.follow(steps, cursor))
}

impl Watcher {
    /// Is there from now on, for all to see.
    fn join(&mut self, game: &GameView, caller: Option<&Caller>) {
        let who = match (self.player, caller) {
            (Some((side, expected)), Some(caller)) => Participant::Player(side, caller.id, expected),
            (_, Some(caller)) => Participant::Spectator(caller.id.uuid()),
            (_, None) => Participant::Nobody(self.app.registry.env.uuid()),
        };
        let (guard, spectators) = self.app.registry.presence.join(self.game, who);
        let sent = self.snapshot.as_ref().and_then(|game| game.audience).map(|audience| audience.count);
        self.feed = Some(AudienceFeed { _guard: guard, spectators, sent, quiet_until: Instant::now() });
        if let Some((side, true)) = self.player
            && !game.is_over()
        {
            self.app.players.on_joined(self.game, side);
        }
    }

    async fn next(&mut self) -> Option<Result<Step, Status>> {
        if let Some(snapshot) = self.snapshot.take() {
            self.cursor.store(self.seen, Ordering::Relaxed);
            return Some(Ok(Step::Snapshot(*snapshot)));
        }
        loop {
            while let Some(event) = self.ripe() {
                if event.sequence == self.seen + 1 {
                    self.seen = event.sequence;
                    self.cursor.store(self.seen, Ordering::Relaxed);
                    self.over = !self.after_end && is_final(&event);
                    self.look_at(&event);
                    return Some(Ok(Step::Event(event)));
                }
            }
            // Every event of a record is final, and the log may go on after one.
            if self.over && !self.more {
                return None;
            }
            if self.waiting.is_empty() && self.more {
                if let Err(error) = self.catch_up().await {
                    (self.over, self.more) = (true, false);
                    return Some(Err(error.into()));
                }
                continue;
            }
            if let Some(step) = self.aside() {
                return Some(Ok(step));
            }
            if let Err(error) = self.listen().await {
                (self.over, self.more) = (true, false);
                self.waiting.clear();
                return Some(Err(error.into()));
            }
        }
    }

    /// The next event, if it is old enough for whoever watches.
    fn ripe(&mut self) -> Option<GameEvent> {
        match self.unripe_for() {
            Some(_) => None,
            None => self.waiting.pop_front(),
        }
    }

    /// How long the next event has to wait yet.
    fn unripe_for(&self) -> Option<Duration> {
        let time = self.waiting.front()?.time.as_ref().and_then(api::time::moment)?;
        let wait = time + self.delay? - self.app.registry.env.now();
        Duration::try_from(wait).ok().filter(|wait| !wait.is_zero())
    }

    /// What a player's stream learns of who is there.
    fn look_at(&self, event: &GameEvent) {
        let (Some((own, true)), Some(author)) = (self.player, Side::of(event.author)) else { return };
        match &event.event {
            // It is not so: here he is.
            Some(game_event::Event::Left(_)) if author == own => self.app.players.on_joined(self.game, own),
            Some(game_event::Event::Left(_) | game_event::Event::Returned(_)) => {}
            _ if author != own => {
                if let Some(time) = event.time.as_ref().and_then(api::time::moment) {
                    self.app.players.on_activity(self.game, author, time);
                }
            }
            _ => {}
        }
    }

    /// What is to be said now besides events.
    fn aside(&mut self) -> Option<Step> {
        let now = Instant::now();
        if let Some(feed) = &mut self.feed
            && let count = feed.spectators.count()
            && feed.sent != Some(count)
            && feed.quiet_until <= now
        {
            (feed.sent, feed.quiet_until) = (Some(count), now + AUDIENCE_INTERVAL);
            return Some(Step::Audience(Audience { count }));
        }
        if let Some((side, _)) = self.player
            && self.probe_at <= now
        {
            self.probe_at = now + PROBE_INTERVAL;
            let nonce = self.app.registry.presence.probe(self.game, side)?;
            return Some(Step::Probe(Probe { nonce }));
        }
        None
    }

    /// How long silence is trusted.
    fn silence(&self) -> Duration {
        let registry = &self.app.registry;
        match (registry.live.shared(), registry.everything_arrives(&self.topic)) {
            (false, _) => SILENCE_LOCAL,
            (true, true) => SILENCE_SHARED,
            (true, false) => SILENCE_UNFOLLOWED,
        }
    }

    /// Waits for the next event, or for a reason to look again.
    async fn listen(&mut self) -> Result<()> {
        let unripe = self.unripe_for();
        let probe = self.player.map(|_| self.probe_at);
        let heard = {
            let mut unpublished = pin!(self.app.registry.heartbeat.unpublished.heard());
            unpublished.as_mut().enable();
            let ripe = unripe.map_or_else(|| self.silence(), |wait| wait.min(DELAY_LOOK));
            tokio::select! {
                biased;
                heard = self.topic.next(ripe) => heard?,
                () = unpublished => Heard::Silence,
                () = audience(self.feed.as_ref()) => return Ok(()),
                () = at(probe) => return Ok(()),
            }
        };
        match heard {
            // It is read from the log when its turn comes.
            Heard::Message(_) if self.more || self.waiting.len() >= LOG_PAGE => {
                self.more = true;
                return Ok(());
            }
            Heard::Message(message) => {
                let last = self.waiting.back().map_or(self.seen, |event| event.sequence);
                if let Ok(event) = GameEvent::decode(message)
                    && event.sequence <= last + 1
                {
                    if event.sequence == last + 1 {
                        self.waiting.push_back(event);
                    }
                    return Ok(());
                }
            }
            // From now on the log is looked at more often.
            Heard::Unfollowed => return Ok(()),
            Heard::Silence if unripe.is_some() => return Ok(()),
            Heard::Stopping => return Err(Error::Stopping),
            Heard::Gap | Heard::Silence => {}
        }
        self.catch_up().await
    }

    /// Reads the next page of the log.
    async fn catch_up(&mut self) -> Result<()> {
        self.pages = if self.more { self.pages.saturating_add(1) } else { 1 };
        if self.pages > PAGES_AT_ONCE {
            self.app.queries.views.page_is_due().await;
        }
        let (page, more) = log::stored_page(self.app.registry.database.read(), self.game, self.seen).await?;
        (self.waiting, self.more) = (page.into(), more);
        Ok(())
    }
}

/// Waits until there is something to be told about the audience.
async fn audience(feed: Option<&AudienceFeed>) {
    let Some(feed) = feed else { return std::future::pending().await };
    feed.spectators.changed_from(feed.sent).await;
    tokio::time::sleep_until(feed.quiet_until).await;
}

async fn at(time: Option<Instant>) {
    match time {
        Some(time) => tokio::time::sleep_until(time).await,
        None => std::future::pending().await,
    }
}

/// Whether nothing more is expected after this event.
fn is_final(event: &GameEvent) -> bool {
    let stage = event.state.as_ref().and_then(|state| state.progress.as_ref()).map(Progress::stage);
    match stage {
        Some(stage) => stage == api::game::v1::Stage::Final,
        // Logs from before their progress was kept.
        None => event.state.as_ref().is_some_and(|state| state.outcome.is_some()),
    }
}
