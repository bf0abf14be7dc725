//! What the officials of an event do, from its creation to its end: always the same, so that an event can be held whatever
//! goes wrong meanwhile.

use std::{sync::Arc, time::Duration};

use api::{
    client::{RetryPolicy, with_retry},
    error::reason,
    federation::v1::{self as pb, CheckItem, ResultCode, pair_round_response, round},
};
use futures::future::join_all;
use tokio::time::Instant;
use tonic::{Response, Status};

use super::{
    Event,
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
/// What the report says.
const REPORT: &str = "Everything went by the rules.";

/// What came of an event.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Held {
    /// Rounds that were played.
    pub rounds: usize,
}

/// Holds an event, and has the games of its boards played.
pub(crate) async fn hold(
    (world, history): (Arc<World>, Arc<History>),
    event: Event,
    playing: Arc<Playing>,
    longest: Instant,
) -> Held {
    let rng = world.rng("the chief arbiter");
    let commander = Commander { world: Arc::clone(&world), history, event, rng, longest };
    let mut held = Held::default();
    if let Err(why) = commander.hold(&playing, &mut held).await {
        world.trace.fault(format!("the event is stuck: {why}"));
    }
    held
}

impl Commander {
    async fn hold(&self, playing: &Playing, held: &mut Held) -> Result<(), Refused> {
        self.open().await?;
        let mut number = 1;
        while self.publish(number).await? {
            self.begin(number).await?;
            held.rounds += 1;
            let round = self.round(number).await?;
            let boards = round.pairings.iter().map(|it| self.play(playing, number, it.table));
            join_all(boards).await.into_iter().collect::<Result<(), Refused>>()?;
            self.wait_for(number, round::State::Complete).await?;
            number += 1;
        }
        self.close().await
    }

    /// From the creation to the first round.
    async fn open(&self) -> Result<(), Refused> {
        let Event { id, federation, settings, committee, chief, arbiter, players } = &self.event;
        let request = pb::CreateEventRequest {
            event_id: id.to_string(),
            federation_id: federation.clone(),
            name: name("Event"),
            settings: Some(settings.clone()),
            validate_only: false,
        };
        let client = self.client(committee);
        let call = || async { Ok(client.clone().create_event(request.clone()).await?.into_inner().event) };
        self.send("create_event", id.to_string(), call).await?;
        for (official, role) in [(chief, pb::EventRole::ChiefArbiter), (arbiter, pb::EventRole::Arbiter)] {
            let (account_id, role) = (official.id.to_string(), role.into());
            command!(self, committee, appoint_official(AppointOfficialRequest { account_id, role }))?;
        }
        self.check(&[CheckItem::SupplementPresented]).await?;
        command!(self, committee, adopt_event(AdoptEventRequest {}))?;
        self.advance(pb::EventStage::Registration).await?;
        let entered = players.iter().map(|player| async {
            command!(self, player, enter_event(EnterEventRequest { supplement_version: 1 })).map(drop)
        });
        join_all(entered).await.into_iter().collect::<Result<(), Refused>>()?;
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
        self.advance(pb::EventStage::Final).await
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
    async fn publish(&self, round: u32) -> Result<bool, Refused> {
        let chief = &self.event.chief;
        for _ in 0..PAIRINGS_MAX {
            let draft = match self.pair(round).await {
                Ok(draft) => draft,
                Err(reason) if reason == "NO_MORE_ROUNDS" => return Ok(false),
                // A result has become another one meanwhile.
                Err(reason) if ["ROUND_INCOMPLETE", "BOARD_UNDECIDED"].contains(&&*reason) => {
                    self.settle(round - 1).await?;
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
                round.pairings.iter().map(|it| (it.table, it.first, it.second)).collect()
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
    async fn pair(&self, round: u32) -> Result<pb::Round, Refused> {
        let client = self.client(&self.event.chief);
        let request = pb::PairRoundRequest {
            event_id: self.event.id.to_string(),
            request_id: self.new_id(),
            round,
            ..pb::PairRoundRequest::default()
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
        with_retry(self.patience(), call).await.map_err(|status| reason(&status))
    }

    /// Begins a round, or waits until it begins.
    async fn begin(&self, round: u32) -> Result<(), Refused> {
        if self.begins_by_itself() {
            return self.wait_for(round, round::State::Running).await;
        }
        command!(self, &self.event.chief, start_round(StartRoundRequest { round })).map(drop)
    }

    fn begins_by_itself(&self) -> bool {
        let schedule = self.event.settings.schedule.as_ref();
        schedule.is_some_and(|schedule| schedule.start() == pb::RoundStart::WhenComplete)
    }

    /// Sees to it that every board of a round comes to a result.
    async fn settle(&self, round: u32) -> Result<(), Refused> {
        self.wait_for(round, round::State::Complete).await
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

    /// Has a board played until it has a result.
    async fn play(&self, playing: &Playing, round: u32, table: u32) -> Result<(), Refused> {
        let (mut played, mut patience) = (0, self.patience_when_calm());
        loop {
            let laid = self.round(round).await?.pairings.into_iter().find(|it| it.table == table);
            let laid = laid.ok_or_else(|| format!("round {round} has lost table {table}"))?;
            let codes = laid.result.as_ref().map(|result| [result.first(), result.second()]);
            match codes {
                Some(codes) if codes.contains(&ResultCode::ReplayOrdered) => {
                    let chief = &self.event.chief;
                    command!(self, chief, replay_board(ReplayBoardRequest { round, table }))?;
                    continue;
                }
                Some(codes) if !codes.contains(&ResultCode::Adjourned) => return Ok(()),
                _ => {}
            }
            if played < laid.attempt {
                played = laid.attempt;
                Box::pin(self.play_game(playing, &laid.game_id)).await?;
                patience = self.patience_when_calm();
            }
            patience.look(|| format!("table {table} of round {round} has no result: {laid:?}"))?;
            tokio::time::sleep(LOOK).await;
        }
    }

    /// A round as officials see it.
    async fn round(&self, round: u32) -> Result<pb::Round, Refused> {
        let (client, event_id) = (self.client(&self.event.chief), self.event.id.to_string());
        let request = pb::GetRoundRequest { event_id, round, as_of_sequence: 0 };
        let call = || async { client.clone().get_round(request.clone()).await };
        let answer = with_retry(self.patience(), call).await;
        let seen = answer.map_err(|status| format!("round {round} cannot be seen: {status}"))?;
        seen.round.ok_or_else(|| format!("round {round} is not told"))
    }

    fn patience(&self) -> RetryPolicy {
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
