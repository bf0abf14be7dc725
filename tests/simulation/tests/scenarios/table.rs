//! A game on the stage: its players, its officials, and what is said of it through the public API.

use std::{sync::Arc, time::Duration};

use api::{
    board::v1::{Outcome, Side},
    client::{GameStream, GameUpdate, Player, RetryPolicy},
    error::reason,
    game::v1::{
        Arbitration, CreateGameRequest, Game, GameEvent, GameState, GetGameRequest, Incident, IncidentKind,
        Petition, PetitionRequest, Progress, Regulations, RuleRequest, Ruling, Seat, Stage as GameStage,
        arbiter_service_client::ArbiterServiceClient,
        game_internal_service_client::GameInternalServiceClient, petition::Petition as Asked,
        proposal::Proposal, ruling::Act,
    },
    matchmaking::v1::GameSettings,
    time_control::TimeControl,
    transport::Transport,
};
use chassis::{
    auth::{Role, RoleScope},
    id::EventId,
};
use simulation::{ClockHistory, Stage};
use time::OffsetDateTime;
use tonic::Status;

/// Nobody is asked twice: nothing goes wrong by chance.
pub(crate) const ONCE: RetryPolicy = RetryPolicy(Duration::ZERO);

/// Why officials act.
pub(crate) const REASON: &str = "by the rules";

/// A game with both its players, first side first.
pub(crate) struct Table {
    pub stage: Arc<Stage>,
    pub id: String,
    pub players: [Player; 2],
}

/// What is played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan<'a> {
    pub variant: &'a str,
    pub options: &'a [(&'a str, &'a str)],
    pub control: &'a str,
}

/// Go on a small board.
pub(crate) const fn go(control: &str) -> Plan<'_> {
    Plan { variant: "go", options: &[("size", "9")], control }
}

impl Plan<'_> {
    fn control(&self) -> TimeControl {
        self.control.parse().expect("it is a time control")
    }

    /// What one queues for to play it.
    pub(crate) fn settings(&self, rated: bool) -> GameSettings {
        GameSettings {
            variant: self.variant.to_owned(),
            rule_set: String::new(),
            options: self.options().collect(),
            time_control: Some(self.control().into()),
            rated,
        }
    }

    fn options(&self) -> impl Iterator<Item = (String, String)> {
        self.options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
    }
}

impl Table {
    /// Two players queue for a game, and are matched.
    pub(crate) async fn matched(stage: &Arc<Stage>, plan: Plan<'_>, rated: bool) -> Table {
        let [anna, bao] = two_players(stage).await;
        let settings = plan.settings(rated);
        let find = |player: &Player| {
            let (player, settings) = (player.clone(), settings.clone());
            async move { player.find_game(settings, |_| ()).await.expect("a game is found") }
        };
        let ((id, side), (other, _)) = futures::join!(find(&anna), find(&bao));
        assert_eq!(id, other, "two who queue for the same game have the same game");
        let players = if side == Side::First { [anna, bao] } else { [bao, anna] };
        Table { stage: Arc::clone(stage), id, players }
    }

    /// A game that somebody has arranged, a league for instance.
    pub(crate) async fn arranged(stage: &Arc<Stage>, plan: Plan<'_>, regulations: Regulations) -> Table {
        Table::between(stage, two_players(stage).await, plan, regulations).await
    }

    /// The same of two whom one knows, first side first.
    pub(crate) async fn between(
        stage: &Arc<Stage>,
        players: [Player; 2],
        plan: Plan<'_>,
        regulations: Regulations,
    ) -> Table {
        Table::arrange(stage, players, plan, regulations).await.expect("the game is made")
    }

    /// The same, unless it is refused.
    pub(crate) async fn arrange(
        stage: &Arc<Stage>,
        players: [Player; 2],
        plan: Plan<'_>,
        regulations: Regulations,
    ) -> Result<Table, Status> {
        let [first, second] = players.each_ref().map(|player| {
            let account = player.account();
            Some(Seat { account_id: account.id.clone(), name: account.name.clone(), rating: 0 })
        });
        let id = stage.id::<uuid::Uuid>().to_string();
        let request = CreateGameRequest {
            game_id: id.clone(),
            variant: plan.variant.to_owned(),
            rule_set: String::new(),
            options: plan.options().collect(),
            time_control: Some(plan.control().into()),
            rated: false,
            first,
            second,
            regulations: Some(regulations),
        };
        let mut games = GameInternalServiceClient::new(stage.internal());
        games.create_game(request).await?;
        Ok(Table { stage: Arc::clone(stage), id, players })
    }

    /// A player, whose token has not expired.
    pub(crate) async fn player(&self, who: usize) -> &Player {
        signed_in(&self.stage, &self.players[who]).await
    }

    /// The game as anybody sees it.
    pub(crate) async fn game(&self) -> Game {
        self.seen_by(0).await
    }

    /// The game as a player sees it.
    pub(crate) async fn seen_by(&self, who: usize) -> Game {
        let request = GetGameRequest { game_id: self.id.clone() };
        let answer = self.player(who).await.games().get_game(request).await.expect("the game is there");
        answer.into_inner().game.expect("a game")
    }

    pub(crate) async fn state(&self) -> GameState {
        self.game().await.state.expect("a state")
    }

    pub(crate) async fn progress(&self) -> Progress {
        self.state().await.progress.expect("progress")
    }

    pub(crate) async fn game_stage(&self) -> GameStage {
        self.progress().await.stage()
    }

    /// What each side has left.
    pub(crate) async fn main_times(&self) -> [Duration; 2] {
        let clock = self.state().await.clock.expect("a clock");
        [clock.first, clock.second].map(|side| {
            let time = side.and_then(|side| side.main_duration).expect("a main time");
            api::time::span(&time).expect("no negative time")
        })
    }

    /// Plays acts in turn, the first side's first.
    pub(crate) async fn play(&self, acts: &[&str]) {
        let played = self.state().await.ply;
        for (ply, act) in (played..).zip(acts) {
            let author = self.player(ply as usize % 2).await;
            author.play(&self.id, act, ply, ONCE).await.expect("the act is legal");
        }
    }

    /// A player proposes something, or agrees to it.
    pub(crate) async fn propose(&self, who: usize, wish: Proposal) -> Result<GameEvent, Status> {
        self.player(who).await.propose(&self.id, wish, ONCE).await
    }

    /// A player asks something of the officials, or confirms the result.
    pub(crate) async fn petition(&self, who: usize, asked: Asked) -> Result<GameEvent, Status> {
        petition_by(self.player(who).await.transport(), self, asked).await
    }

    /// What officials have to do with the game.
    pub(crate) async fn arbitration(&self) -> Arbitration {
        self.progress().await.arbitration.unwrap_or_default()
    }

    /// Every event until now, in order, as a player sees them.
    pub(crate) async fn log(&self) -> Vec<GameEvent> {
        let last = self.state().await.sequence;
        until(self.player(0).await.watch(&self.id), last).await
    }

    /// The same once more, after it was held to what it promises: both players and a spectator read the same, by
    /// replay it leads to the states, clocks, warnings and result that it tells, and the last is how the game stands.
    pub(crate) async fn audited(&self) -> Vec<GameEvent> {
        let game = self.game().await;
        let state = game.state.as_ref().expect("a state");
        let spectator = GameStream::new(self.stage.public(), &self.id);
        let log = until(spectator, state.sequence).await;
        for who in [0, 1] {
            let own = until(self.player(who).await.watch(&self.id), state.sequence).await;
            assert_eq!(own, log, "player {who} and a spectator");
        }
        assert_eq!(log.last().and_then(|event| event.state.as_ref()), Some(state));
        let replayed = game::history::audit(&log).expect("each event follows from those before it");
        assert_eq!(replayed.sequence, state.sequence);
        log
    }

    /// What happened to the clocks until now.
    pub(crate) async fn clock_history(&self) -> ClockHistory {
        ClockHistory::of(&self.log().await)
    }

    /// The time control, as the game says it.
    pub(crate) async fn control(&self) -> TimeControl {
        let control = self.game().await.info.and_then(|info| info.time_control).expect("a time control");
        TimeControl::try_from(&control).expect("it is within its limits")
    }

    /// Makes sure that the log tells the whole history of the clocks, computed again from its events.
    pub(crate) async fn clocks_add_up(&self) {
        let history = self.clock_history().await;
        assert!(!history.entries.is_empty(), "the clocks have a history");
        assert_eq!(history.faults(self.control().await), Vec::<String>::new());
    }

    /// Waits for the end; how and when it came.
    pub(crate) async fn ended(&self) -> (Outcome, OffsetDateTime) {
        let outcome = |event: &GameEvent| Some((event.state.as_ref()?.outcome.clone()?, time_of(event)));
        self.first(outcome).await
    }

    /// Waits for the first event of which this is told, from the beginning on.
    pub(crate) async fn first<T>(&self, told: impl Fn(&GameEvent) -> Option<T>) -> T {
        self.first_seen_by(1, told).await
    }

    /// The same as a player sees it. While he waits he is there.
    pub(crate) async fn first_seen_by<T>(&self, who: usize, told: impl Fn(&GameEvent) -> Option<T>) -> T {
        let mut watched = self.player(who).await.watch(&self.id).after(0).beyond_end();
        loop {
            match watched.next().await.expect("the game is there") {
                Some(GameUpdate::Event(event)) => {
                    if let Some(found) = told(&event) {
                        return found;
                    }
                }
                Some(GameUpdate::Snapshot(_) | GameUpdate::Maintenance(_)) => {}
                None => panic!("the stream ended before that happened"),
            }
        }
    }
}

/// The officials of an event.
pub(crate) struct Officials {
    pub event: EventId,
    pub chief: Player,
    pub arbiter: Player,
    pub committee: Player,
}

impl Officials {
    pub(crate) async fn new(stage: &Arc<Stage>) -> Officials {
        let event = stage.id();
        let scope = RoleScope::Event(event);
        Officials {
            event,
            chief: stage.official("chen", Role::ChiefArbiter, scope).await,
            arbiter: stage.official("dolma", Role::Arbiter, scope).await,
            committee: stage.official("enkh", Role::Committee, scope).await,
        }
    }

    /// The regulations of a game of the event; otherwise as by default.
    pub(crate) fn regulations(&self) -> Regulations {
        Regulations { event_id: self.event.to_string(), ..Regulations::default() }
    }
}

/// An official acts in a game.
pub(crate) async fn rule(official: &Player, table: &Table, act: Act) -> Result<GameEvent, Status> {
    rule_by(signed_in(&table.stage, official).await.transport(), table, act).await
}

/// Whoever sends his requests this way acts in a game as an official.
pub(crate) async fn rule_by(transport: Transport, table: &Table, act: Act) -> Result<GameEvent, Status> {
    let request = RuleRequest {
        game_id: table.id.clone(),
        ruling: Some(Ruling { reason: REASON.to_owned(), act: Some(act) }),
        request_id: table.stage.id::<uuid::Uuid>().to_string(),
    };
    let answer = ArbiterServiceClient::new(transport).rule(request).await?;
    Ok(answer.into_inner().event.expect("the answer has the event"))
}

/// Whoever sends his requests this way asks something of the officials.
pub(crate) async fn petition_by(
    transport: Transport,
    table: &Table,
    asked: Asked,
) -> Result<GameEvent, Status> {
    let request = PetitionRequest {
        game_id: table.id.clone(),
        petition: Some(Petition { petition: Some(asked) }),
        request_id: table.stage.id::<uuid::Uuid>().to_string(),
    };
    let answer = ArbiterServiceClient::new(transport).petition(request).await?;
    Ok(answer.into_inner().event.expect("the answer has the event"))
}

/// An incident of a side, decided as is usual.
pub(crate) fn record(kind: IncidentKind, accused: Side) -> Act {
    Act::RecordIncident(Incident { kind: kind as i32, accused: accused as i32, ..Incident::default() })
}

/// An account whose token has not expired, as clients take care of it.
async fn signed_in<'a>(stage: &Stage, player: &'a Player) -> &'a Player {
    player.stay_signed_in(stage.now()).await.expect("the session goes on");
    player
}

/// When an event happened.
pub(crate) fn time_of(event: &GameEvent) -> OffsetDateTime {
    event.time.as_ref().and_then(api::time::moment).expect("an event has a time")
}

/// The reason of a refusal.
pub(crate) fn refused<T: std::fmt::Debug>(answer: Result<T, Status>) -> String {
    reason(&answer.expect_err("the call is refused"))
}

/// The events of a game up to this one, in order.
async fn until(watched: GameStream, last: u64) -> Vec<GameEvent> {
    let mut watched = watched.after(0).beyond_end();
    let mut events = Vec::new();
    while events.len() < usize::try_from(last).expect("a log is short") {
        if let Some(GameUpdate::Event(event)) = watched.next().await.expect("the log is there") {
            events.push(*event);
        }
    }
    events
}

pub(crate) async fn two_players(stage: &Arc<Stage>) -> [Player; 2] {
    let id = stage.id::<uuid::Uuid>().simple().to_string();
    [stage.account(&format!("anna-{}", &id[20..])).await, stage.account(&format!("bao-{}", &id[20..])).await]
}
