//! One game of a federation's event beside the others. Its players call an arbiter and end it while the fault lasts; the
//! event may hear of it late, but it hears.

use std::time::Duration;

use ::tests::{Bot, RETRY, bot};
use anyhow::Context as _;
use api::{
    client::RetryPolicy,
    clock::v1 as clock,
    federation::v1::{
        self as pb, CheckItem, EventLogBody, event_log_body::Fact, event_service_client::EventServiceClient,
        federation_service_client::FederationServiceClient, pair_round_response,
    },
    game::v1::petition::{CallArbiter, Confirm, Petition},
};
use prost::Message as _;
use tonic::{Code, Response, Status};

use crate::stand::Stand;

/// How long an answer is waited for before it is asked again.
const ANSWER: Duration = Duration::from_secs(3);
/// How long to wait before asking again.
const AGAIN: Duration = Duration::from_millis(200);
/// How long after everything is mended an event may not have heard of its game: what is owed rests for half a minute at
/// most.
const HEARS_WITHIN: Duration = Duration::from_secs(45);
/// Entries of a log that are asked for at once: more than such an event has.
const PAGE: u32 = 200;

/// Who holds events, and who plays in them.
#[derive(Clone, Debug)]
pub(crate) struct Hosts {
    committee: Bot,
    chief: Bot,
    players: [Bot; 2],
    federation: String,
}

/// A game of an event.
#[derive(Clone, Debug)]
pub(crate) struct EventGame {
    hosts: Hosts,
    event: String,
    game: String,
}

/// Calls a method for somebody until it is answered.
macro_rules! ask {
    ($client:ident, $who:expr, $method:ident($request:expr)) => {{
        let (client, request) = ($client::new($who.transport()), $request);
        let call = || async { client.clone().$method(request.clone()).await };
        api::client::with_retry(RETRY, call).await
    }};
}

/// The same of a change of an event.
macro_rules! change {
    ($event:expr, $who:expr, $method:ident($request:ident { $($field:ident $(: $value:expr)?),* $(,)? })) => {{
        let request = pb::$request {
            event_id: $event.to_owned(),
            request_id: $who.new_id(),
            $($field $(: $value)?,)*
            ..Default::default()
        };
        ask!(EventServiceClient, $who, $method(request)).context(stringify!($method))
    }};
}

impl Hosts {
    /// A federation with two members, and who holds its events.
    pub(crate) async fn new(stand: &Stand) -> anyhow::Result<Self> {
        let transport = stand.transport(0);
        let (committee, chief) = (bot(&transport).await?, bot(&transport).await?);
        let players = [bot(&transport).await?, bot(&transport).await?];
        let request = pb::CreateFederationRequest {
            federation: Some(pb::Federation { name: name("Federation"), ..Default::default() }),
            request_id: committee.new_id(),
            validate_only: false,
        };
        let made = ask!(FederationServiceClient, committee, create_federation(request))?;
        let federation = made.federation.context("a federation")?.federation_id;
        for (number, player) in players.iter().enumerate() {
            let member = pb::Member {
                federation_id: federation.clone(),
                account_id: player.account().id.clone(),
                name: name(&format!("Player {number}")),
                ..Default::default()
            };
            let request = pb::CreateMemberRequest {
                member: Some(member),
                request_id: committee.new_id(),
                ..Default::default()
            };
            ask!(FederationServiceClient, committee, create_member(request))?;
        }
        Ok(Hosts { committee, chief, players, federation })
    }

    /// All of them.
    pub(crate) fn accounts(&self) -> impl Iterator<Item = &Bot> {
        [&self.committee, &self.chief].into_iter().chain(&self.players)
    }

    /// Holds an event up to the first move of its only game.
    pub(crate) async fn begin(&self) -> anyhow::Result<EventGame> {
        let Hosts { committee, chief, players, federation } = self;
        let event = committee.new_id();
        let request = pb::CreateEventRequest {
            event_id: event.clone(),
            federation_id: federation.clone(),
            name: name("Event"),
            settings: Some(settings()),
            validate_only: false,
        };
        ask!(EventServiceClient, committee, create_event(request))?;
        let (account_id, role) = (chief.account().id.clone(), pb::EventRole::ChiefArbiter.into());
        change!(event, committee, appoint_official(AppointOfficialRequest { account_id, role }))?;
        self.check(&event, &[CheckItem::SupplementPresented]).await?;
        change!(event, committee, adopt_event(AdoptEventRequest {}))?;
        self.advance(&event, pb::EventStage::Registration).await?;
        for player in players {
            change!(event, player, enter_event(EnterEventRequest { supplement_version: 1 }))?;
        }
        let items = [CheckItem::ArbitersBriefed, CheckItem::EntriesChecked, CheckItem::VenueChecked];
        self.check(&event, &items).await?;
        change!(event, chief, commit_seed(CommitSeedRequest {}))?;
        self.advance(&event, pb::EventStage::Running).await?;
        self.pair(&event).await?;
        change!(event, chief, publish_round(PublishRoundRequest { round: 1 }))?;
        change!(event, chief, start_round(StartRoundRequest { round: 1 }))?;
        let round = round(chief, &event).await?;
        let pairing = round.pairings.first().context("a board")?;
        let game = pairing.game_id.clone();
        // Numbers are given in the order in which they have entered.
        let mut hosts = self.clone();
        if pairing.first != 1 {
            hosts.players.reverse();
        }
        for player in &hosts.players {
            insist(|| player.check_in(&game, RetryPolicy(ANSWER))).await;
        }
        hosts.players[0].play(&game, "C3", 0, RETRY).await?;
        Ok(EventGame { hosts, event, game })
    }

    async fn check(&self, event: &str, items: &[CheckItem]) -> anyhow::Result<()> {
        for item in items {
            let item = (*item).into();
            change!(event, self.chief, check_off(CheckOffRequest { item }))?;
        }
        Ok(())
    }

    async fn advance(&self, event: &str, stage: pb::EventStage) -> anyhow::Result<()> {
        let stage = stage.into();
        change!(event, self.chief, advance_event(AdvanceEventRequest { stage })).map(drop)
    }

    async fn pair(&self, event: &str) -> anyhow::Result<()> {
        let client = EventServiceClient::new(self.chief.transport());
        let request = pb::PairRoundRequest {
            event_id: event.to_owned(),
            request_id: self.chief.new_id(),
            round: 1,
            ..Default::default()
        };
        let call = || async {
            let mut answers = client.clone().pair_round(request.clone()).await?.into_inner();
            let mut last = None;
            while let Some(answer) = answers.message().await? {
                last = answer.answer;
            }
            match last {
                Some(pair_round_response::Answer::Round(round)) => Ok(Response::new(round)),
                _ => Err(Status::unavailable("the stream has ended early")),
            }
        };
        api::client::with_retry(RETRY, call).await.map(drop).context("pair_round")
    }
}

impl EventGame {
    /// The second calls an arbiter, the first resigns, and both confirm; however long that takes.
    pub(crate) async fn end(self) {
        let [first, second] = &self.hosts.players;
        let policy = RetryPolicy(ANSWER);
        let call = Petition::CallArbiter(CallArbiter { text: "come".to_owned() });
        insist(|| second.petition(&self.game, call.clone(), policy)).await;
        insist(|| first.resign(&self.game, policy)).await;
        for player in [first, second] {
            insist(|| player.petition(&self.game, Petition::Confirm(Confirm {}), policy)).await;
        }
    }

    /// What the event has not heard of its game, some time after everything is mended.
    pub(crate) async fn unheard(&self) -> Vec<String> {
        let hears = async {
            while !self.missing().await.is_empty() {
                tokio::time::sleep(AGAIN).await;
            }
        };
        match tokio::time::timeout(HEARS_WITHIN, hears).await {
            Ok(()) => Vec::new(),
            Err(_) => self.missing().await,
        }
    }

    async fn missing(&self) -> Vec<String> {
        let what = |what: &str| format!("event {}: {what}", self.event);
        let client = EventServiceClient::new(self.hosts.chief.transport());
        let event_id = self.event.clone();
        let request = pb::ListLogRequest { event_id, page_size: PAGE, ..Default::default() };
        let asked = tokio::time::timeout(ANSWER, client.clone().list_log(request)).await;
        let Ok(Ok(answer)) = asked else { return vec![what("its log cannot be read")] };
        let entries = answer.into_inner().entries;
        let facts: Vec<Fact> =
            entries.iter().filter_map(|entry| EventLogBody::decode(&*entry.body).ok()?.fact).collect();
        let count = |is: fn(&Fact) -> bool| facts.iter().filter(|fact| is(fact)).count();
        let mut missing = Vec::new();
        for (name, heard) in [
            ("the call for an arbiter", count(|fact| matches!(fact, Fact::GameNoticed(_)))),
            ("the result", count(|fact| matches!(fact, Fact::ResultEntered(_)))),
        ] {
            if heard != 1 {
                missing.push(what(&format!("{name} of {} is in its log {heard} times", self.game)));
            }
        }
        missing
    }

    /// Has the event end, so that there are never many.
    pub(crate) async fn cancel(&self) -> anyhow::Result<()> {
        let reason = "it has served".to_owned();
        change!(self.event, self.hosts.committee, cancel_event(CancelEventRequest { reason })).map(drop)
    }
}

async fn round(who: &Bot, event: &str) -> anyhow::Result<pb::Round> {
    let request = pb::GetRoundRequest { event_id: event.to_owned(), round: 1, as_of_sequence: 0 };
    ask!(EventServiceClient, who, get_round(request))?.round.context("a round")
}

/// Asks until it is answered. A refusal is an answer: what is asked may have been done already, and whether it was is seen
/// at the end. That there is no such game is none: it is made soon.
async fn insist<T, F: Future<Output = Result<T, Status>>>(ask: impl Fn() -> F) {
    loop {
        match tokio::time::timeout(2 * ANSWER, ask()).await {
            Ok(Ok(_)) => return,
            Ok(Err(status)) if status.code() == Code::FailedPrecondition => return,
            Ok(Err(_)) | Err(_) => tokio::time::sleep(AGAIN).await,
        }
    }
}

#[expect(clippy::unnecessary_wraps, reason = "fields of messages are optional")]
fn name(native: &str) -> Option<pb::Name> {
    Some(pb::Name { native: native.to_owned(), latin: String::new() })
}

/// A match of one game.
fn settings() -> pb::EventSettings {
    use pb::event_format::{Format, Match};
    let main_duration = Some(prost_types::Duration { seconds: 3600, nanos: 0 });
    let control = clock::time_control::Control::Absolute(clock::time_control::Absolute { main_duration });
    pb::EventSettings {
        game: Some(pb::EventGame {
            variant: "go".to_owned(),
            time_control: Some(clock::TimeControl { control: Some(control), ..Default::default() }),
            ..Default::default()
        }),
        format: Some(pb::EventFormat { format: Some(Format::Match(Match { games: 1, play_all: true })) }),
        entries_max: 2,
        schedule: Some(pb::EventSchedule { zone: "Asia/Shanghai".to_owned(), ..Default::default() }),
        ..Default::default()
    }
}
