//! What the officials of an event do, from its creation to its end: always the same, so that an event can be held whatever
//! goes wrong meanwhile.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use api::{
    client::{RetryPolicy, with_retry},
    federation::v1::{
        self as pb, CheckItem, event_service_client::EventServiceClient, pair_round_response, round,
    },
    transport::Transport,
};
use futures::future::join_all;
use tokio::time::Instant;
use tonic::{Response, Status};

use super::{
    Event, Kind,
    command::{Commander, Refused, command},
    name,
};
use crate::{history::History, run::Playing, world::World};

/// How often the chief arbiter looks at what he waits for.
const LOOK: Duration = Duration::from_secs(2);
/// How long a round may take to begin by itself, and a result from its game to its event, when nothing is wrong: an entry of
/// the outbox rests for half a minute at most.
const SOON: Duration = Duration::from_mins(2);
/// How often a round is paired anew, whose pairing was overtaken. Each time something else was written.
const PAIRINGS_MAX: usize = 20;
/// How likely a round is taken back before it begins.
const RETRACTED: f64 = 0.1;
/// How likely a round is begun twice.
const BEGUN_TWICE: f64 = 0.3;
/// How long captains have for their line-ups at most.
const LINE_UPS: Duration = Duration::from_secs(15);
/// What the report says.
const REPORT: &str = "Everything went by the rules.";

/// What came of an event.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Held {
    /// Rounds that were played.
    pub rounds: usize,
}

/// Asks for the pairing of a round; the draft, which comes last.
pub(crate) async fn drafted(
    mut events: EventServiceClient<Transport>,
    request: pb::PairRoundRequest,
) -> Result<Response<pb::Round>, Status> {
    let mut answers = events.pair_round(request).await?.into_inner();
    let mut last = None;
    while let Some(answer) = answers.message().await? {
        last = answer.answer;
    }
    match last {
        Some(pair_round_response::Answer::Round(round)) => Ok(Response::new(round)),
        _ => Err(Status::unavailable("the stream has ended early")),
    }
}

/// Holds an event, and has the games of its boards played.
pub(crate) async fn hold(
    (world, history): (Arc<World>, Arc<History>),
    event: Event,
    playing: Arc<Playing>,
    longest: Instant,
) -> Held {
    let rng = world.rng("the chief arbiter");
    let (world_of, played) = (Arc::clone(&world), Mutex::default());
    let commander = Commander { world: world_of, history, event, rng, longest, played };
    let mut held = Held::default();
    if let Err(why) = Box::pin(commander.hold(&playing, &mut held)).await {
        world.trace.fault(format!("the event is stuck: {why}"));
    }
    if let Err(why) = commander.find_unplayed(&playing, held.rounds).await {
        world.trace.fault(format!("the games of the event are not found: {why}"));
    }
    held
}

impl Commander {
    async fn hold(&self, playing: &Playing, held: &mut Held) -> Result<(), Refused> {
        Box::pin(self.open()).await?;
        let mut number = 1;
        while Box::pin(self.next(playing, number)).await? {
            // Captains declare their line-ups until the round begins.
            let (begun, ()) = futures::join!(self.begin(number), self.line_ups(number));
            begun?;
            held.rounds += 1;
            let (played, ()) = futures::join!(self.play_round(playing, number), self.complaints(number));
            played?;
            // A ruling can have had a board played again.
            self.play_round(playing, number).await?;
            number += 1;
        }
        self.close().await
    }

    /// Makes a round public, while players come and go; whether there was one more.
    async fn next(&self, playing: &Playing, number: u32) -> Result<bool, Refused> {
        let (public, changed) = futures::join!(self.publish(playing, number), self.come_and_go(number));
        changed?;
        public
    }

    /// Has every board of a round played until the round is complete.
    async fn play_round(&self, playing: &Playing, number: u32) -> Result<(), Refused> {
        let mut patience = self.patience_when_calm();
        loop {
            let round = self.round(number).await?;
            if round.pairings.iter().any(|it| it.result.is_none()) {
                // A ruling has had a board played again.
                patience = self.patience_when_calm();
            }
            let boards = round.pairings.iter().map(|it| self.play(playing, number, it.table));
            join_all(boards).await.into_iter().collect::<Result<(), Refused>>()?;
            let round = self.round(number).await?;
            if round.state() == round::State::Complete {
                return Ok(());
            }
            patience.look(|| format!("round {number} is not complete: {round:?}"))?;
            tokio::time::sleep(LOOK).await;
        }
    }

    /// From the creation to the first round.
    async fn open(&self) -> Result<(), Refused> {
        let Event { id, federation, settings, committee, chief, arbiter, scorer, .. } = &self.event;
        let request = pb::CreateEventRequest {
            event_id: id.to_string(),
            federation_id: federation.clone(),
            name: name("Event"),
            settings: Some(settings.clone()),
            validate_only: false,
        };
        let client = self.client(committee);
        let call = || async { Ok(client.clone().create_event(request.clone()).await?.into_inner().event) };
        Box::pin(self.send("create_event", id.to_string(), call)).await?;
        let offices = [
            (chief, pb::EventRole::ChiefArbiter),
            (arbiter, pb::EventRole::Arbiter),
            (scorer, pb::EventRole::Scorer),
        ];
        for (official, role) in offices {
            let (account_id, role) = (official.id.to_string(), role.into());
            command!(self, committee, appoint_official(AppointOfficialRequest { account_id, role }))?;
        }
        self.check(&[CheckItem::SupplementPresented]).await?;
        command!(self, committee, adopt_event(AdoptEventRequest {}))?;
        self.advance(pb::EventStage::Registration).await?;
        self.enter_all().await?;
        self.check(&[CheckItem::ArbitersBriefed, CheckItem::EntriesChecked, CheckItem::VenueChecked]).await?;
        command!(self, chief, commit_seed(CommitSeedRequest {}))?;
        self.advance(pb::EventStage::Running).await
    }

    /// From the last round to the end.
    async fn close(&self) -> Result<(), Refused> {
        let Event { chief, arbiter, .. } = &self.event;
        self.advance(pb::EventStage::Closing).await?;
        self.check(&[CheckItem::ResultsChecked, CheckItem::PlacesAnnounced]).await?;
        let text = REPORT.to_owned();
        command!(self, chief, file_report(FileReportRequest { text: text.clone() }))?;
        let account_id = arbiter.id.to_string();
        command!(self, chief, assess_arbiter(AssessArbiterRequest { account_id, text }))?;
        self.settle_incidents().await?;
        // Whatever was ruled last can be appealed against for some time.
        let mut patience = self.patience_when_calm();
        while let Err(reason) = self.advance(pb::EventStage::Final).await {
            if reason != "EVENT_INCOMPLETE" {
                return Err(reason);
            }
            patience.look(|| "the places never stand".to_owned())?;
            tokio::time::sleep(LOOK).await;
        }
        Ok(())
    }

    async fn check(&self, items: &[CheckItem]) -> Result<(), Refused> {
        for item in items {
            let item = (*item).into();
            command!(self, &self.event.chief, check_off(CheckOffRequest { item }))?;
        }
        Ok(())
    }

    async fn advance(&self, stage: pb::EventStage) -> Result<(), Refused> {
        let stage = stage.into();
        command!(self, &self.event.chief, advance_event(AdvanceEventRequest { stage })).map(drop)
    }

    /// Pairs a round and makes it public; whether there was one more. Now and then it is taken back and paired again.
    async fn publish(&self, playing: &Playing, round: u32) -> Result<bool, Refused> {
        let chief = &self.event.chief;
        let mut relaxed = pb::Relaxed::Nothing;
        for _ in 0..PAIRINGS_MAX {
            let draft = match self.pair(round, relaxed).await {
                Ok(draft) => draft,
                Err(reason) if reason == "NO_MORE_ROUNDS" => return Ok(false),
                // A result has become another one meanwhile.
                Err(reason) if ["ROUND_INCOMPLETE", "BOARD_UNDECIDED"].contains(&&*reason) => {
                    self.settle(playing, round).await?;
                    continue;
                }
                // Of the few who are left all have met.
                Err(reason) if reason == "NO_LEGAL_PAIRING" && relaxed == pb::Relaxed::Nothing => {
                    relaxed = pb::Relaxed::Rematches;
                    continue;
                }
                Err(reason) => return Err(format!("round {round} is not paired: {reason}")),
            };
            match command!(self, chief, publish_round(PublishRoundRequest { round })) {
                Ok(_) => {}
                Err(reason) if reason == "PAIRING_STALE" => continue,
                Err(reason) => return Err(format!("round {round} is not published: {reason}")),
            }
            let public = self.round(round).await?;
            let seats = |round: &pb::Round| -> Vec<(u32, u32, u32)> {
                let meetings = if self.event.kind == Kind::Teams { &round.matches } else { &round.pairings };
                meetings.iter().map(|it| (it.table, it.first, it.second)).collect()
            };
            if seats(&public) != seats(&draft) {
                self.world.trace.fault(format!("round {round} is not what was shown: {draft:?}, {public:?}"));
            }
            if self.begins_by_itself() || !self.rng.chance(RETRACTED) {
                return Ok(true);
            }
            let reason = "as was asked for".to_owned();
            command!(self, chief, retract_round(RetractRoundRequest { round, reason }))?;
        }
        Err(format!("round {round} is never paired in time"))
    }

    /// Pairs a round until it is answered.
    async fn pair(&self, round: u32, relaxed: pb::Relaxed) -> Result<pb::Round, Refused> {
        let reason = if relaxed == pb::Relaxed::Nothing { "" } else { "few are left" };
        let client = self.client(&self.event.chief);
        let request = pb::PairRoundRequest {
            event_id: self.event.id.to_string(),
            request_id: self.new_id(),
            round,
            relaxed: relaxed.into(),
            reason: reason.to_owned(),
            ..pb::PairRoundRequest::default()
        };
        let call = || drafted(client.clone(), request.clone());
        with_retry(self.patience(), call).await.map_err(|status| api::error::reason(&status))
    }

    /// Begins a round, or waits until it begins. Now and then it is begun twice, by two requests, or by hand though it
    /// begins by itself: it begins once all the same.
    async fn begin(&self, round: u32) -> Result<(), Refused> {
        let start = || async { command!(self, &self.event.chief, start_round(StartRoundRequest { round })) };
        let twice = self.rng.chance(BEGUN_TWICE);
        if self.begins_by_itself() {
            if twice && let Err(reason) = start().await {
                self.world.trace.note(format!("round {round} is not begun by hand: {reason}"));
            }
            return self.wait_for(round, round::State::Running).await;
        }
        if self.event.kind == Kind::Teams {
            tokio::time::sleep(self.rng.mostly_short(LINE_UPS)).await;
        }
        if !twice {
            return start().await.map(drop);
        }
        let (one, other) = futures::join!(start(), start());
        one.or(other).map(drop)
    }

    fn begins_by_itself(&self) -> bool {
        let schedule = self.event.settings.schedule.as_ref();
        schedule.is_some_and(|schedule| schedule.start() == pb::RoundStart::WhenComplete)
    }

    /// Sees to it that every board before a round comes to a result.
    async fn settle(&self, playing: &Playing, before: u32) -> Result<(), Refused> {
        for round in 1..before {
            Box::pin(self.play_round(playing, round)).await?;
        }
        Ok(())
    }

    /// Waits until a round is so far.
    async fn wait_for(&self, number: u32, state: round::State) -> Result<(), Refused> {
        let mut patience = self.patience_when_calm();
        loop {
            let round = self.round(number).await?;
            if round.state() >= state {
                return Ok(());
            }
            patience.look(|| format!("round {number} is not {state:?}: {round:?}"))?;
            tokio::time::sleep(LOOK).await;
        }
    }

    /// A round as officials see it.
    pub(super) async fn round(&self, round: u32) -> Result<pb::Round, Refused> {
        let (client, event_id) = (self.client(&self.event.chief), self.event.id.to_string());
        let request = pb::GetRoundRequest { event_id, round, as_of_sequence: 0 };
        let call = || async { client.clone().get_round(request.clone()).await };
        let answer = with_retry(self.patience(), call).await;
        let seen = answer.map_err(|status| format!("round {round} cannot be seen: {status}"))?;
        seen.round.ok_or_else(|| format!("round {round} is not told"))
    }

    pub(super) fn patience(&self) -> RetryPolicy {
        RetryPolicy(self.longest.saturating_duration_since(Instant::now()))
    }

    /// Waits for what has to happen soon where nothing is wrong.
    pub(super) fn patience_when_calm(&self) -> Patience<'_> {
        Patience { commander: self, since: None }
    }
}

/// Somebody who waits for what has to happen soon where nothing is wrong.
#[derive(Debug)]
pub(super) struct Patience<'a> {
    commander: &'a Commander,
    /// Since when he waits and nothing is wrong.
    since: Option<Instant>,
}

impl Patience<'_> {
    /// Has looked, and has not seen it.
    ///
    /// # Errors
    /// When it should have happened.
    pub(super) fn look(&mut self, what: impl FnOnce() -> String) -> Result<(), Refused> {
        if !self.commander.world.is_calm() {
            return Ok(());
        }
        let now = Instant::now();
        let since = *self.since.get_or_insert(now);
        if now - since > SOON || now > self.commander.longest { Err(what()) } else { Ok(()) }
    }
}
