//! What officials do to hold an event, from its draft to its end.

use std::collections::BTreeMap;

use api::{
    client::with_retry,
    federation::v1::{
        self as pb, CheckItem, EventStage, Round, event_service_client::EventServiceClient,
        pair_round_response::Answer,
    },
    transport::Transport,
};
use tonic::Status;

use super::{Federation, Person, events, name, until};
use crate::{Bot, RETRY, call, change};

/// Entries of a log that are asked for at once: as many as are told.
const PAGE: u32 = 200;

/// An event with its officials and players.
#[derive(Clone)]
pub struct Held {
    /// Its id.
    pub id: String,
    /// The chief arbiter.
    pub chief: Person,
    /// The committee of its federation.
    pub committee: Bot,
    /// An arbiter.
    pub arbiter: Person,
    /// The players by their numbers.
    pub players: BTreeMap<u32, Bot>,
    transport: Transport,
}

impl Held {
    /// Makes an event, with new officials, and takes it to registration.
    pub async fn new(of: &Federation, settings: pb::EventSettings) -> Held {
        let (chief, arbiter) = (Person::new(&of.transport).await, Person::new(&of.transport).await);
        Held::by(of, chief, arbiter, settings).await
    }

    /// Makes an event of these officials, and takes it to registration.
    pub async fn by(of: &Federation, chief: Person, arbiter: Person, settings: pb::EventSettings) -> Held {
        let committee = of.founder.player.clone();
        let request = pb::CreateEventRequest {
            event_id: committee.new_id(),
            federation_id: of.id.clone(),
            name: Some(name("阿坝公开赛", "Aba Open")),
            settings: Some(settings),
            validate_only: false,
        };
        let made = call!(events(&committee), create_event, request).expect("an event").event;
        let id = made.expect("it is told").id;
        let transport = of.transport.clone();
        let mut held = Held { id, chief, committee, arbiter, players: BTreeMap::new(), transport };
        for (person, role) in
            [(&held.chief, pb::EventRole::ChiefArbiter), (&held.arbiter, pb::EventRole::Arbiter)]
        {
            let (account_id, role) = (person.id(), role.into());
            change!(held, held.committee, appoint_official(AppointOfficialRequest { account_id, role }))
                .expect("an office");
        }
        held.check(&[CheckItem::SupplementPresented]).await;
        change!(held, held.committee, adopt_event(AdoptEventRequest {})).expect("adopted");
        held.advance(EventStage::Registration).await;
        held.arbiter.sign_in_with_role().await;
        held
    }

    /// An event that stands already, of these officials; nobody of its players is known yet.
    #[must_use]
    pub fn of(of: &Federation, id: String, chief: Person, arbiter: Person) -> Held {
        let (committee, transport) = (of.founder.player.clone(), of.transport.clone());
        Held { id, chief, committee, arbiter, players: BTreeMap::new(), transport }
    }

    /// Has the chief arbiter tick items off.
    pub async fn check(&self, items: &[CheckItem]) {
        for item in items {
            let item = (*item).into();
            change!(self, self.chief.player, check_off(CheckOffRequest { item })).expect("ticked off");
        }
    }

    /// Takes the event to its next stage.
    pub async fn advance(&self, stage: EventStage) {
        let stage = stage.into();
        change!(self, self.chief.player, advance_event(AdvanceEventRequest { stage })).expect("it goes on");
    }

    /// Makes players members, and has them enter in this order.
    pub async fn enter_new(&mut self, of: &Federation, players: Vec<Bot>) {
        for (at, player) in (1..).zip(players) {
            of.enrol(&player, &format!("棋手{at}"), &format!("Qishou {at}")).await;
            self.enter(player).await;
        }
    }

    /// Has a member enter.
    pub async fn enter(&mut self, player: Bot) {
        let entered = change!(self, player, enter_event(EnterEventRequest { supplement_version: 1 }));
        self.players.insert(entered.expect("entered").entrant_count, player);
    }

    /// Has the chief arbiter enter a member, who plays with this account if he has one.
    pub async fn enter_member(&mut self, member: &pb::Member, grade: Option<i32>, player: Option<Bot>) {
        let member_id = member.member_id.clone();
        let entered = change!(
            self,
            self.chief.player,
            enter_event(EnterEventRequest { member_id, supplement_version: 1, grade })
        );
        let number = entered.expect("entered").entrant_count;
        self.players.extend(player.map(|player| (number, player)));
    }

    /// Begins, with everything that has to be done before.
    pub async fn run(&self) {
        use CheckItem::{ArbitersBriefed, EntriesChecked, VenueChecked};
        self.check(&[ArbitersBriefed, EntriesChecked, VenueChecked]).await;
        change!(self, self.chief.player, commit_seed(CommitSeedRequest {})).expect("committed");
        self.advance(EventStage::Running).await;
    }

    /// Ends, with everything that has to be done before.
    pub async fn end(&self) {
        self.advance(EventStage::Closing).await;
        self.close().await;
    }

    /// Ends from its closing on.
    pub async fn close(&self) {
        self.check(&[CheckItem::ResultsChecked, CheckItem::PlacesAnnounced]).await;
        let text = "Everything went by the rules.".to_owned();
        change!(self, self.chief.player, file_report(FileReportRequest { text: text.clone() }))
            .expect("filed");
        let account_id = self.arbiter.id();
        change!(self, self.chief.player, assess_arbiter(AssessArbiterRequest { account_id, text }))
            .expect("filed");
        self.advance(EventStage::Final).await;
    }

    /// Pairs a round.
    pub async fn pair(&self, round: u32) -> Round {
        let request = pb::PairRoundRequest {
            event_id: self.id.clone(),
            request_id: self.chief.player.new_id(),
            round,
            ..Default::default()
        };
        let events = events(&self.chief.player);
        let call = || async {
            let mut answers = events.clone().pair_round(request.clone()).await?.into_inner();
            let mut last = None;
            while let Some(answer) = answers.message().await? {
                last = answer.answer;
            }
            match last {
                Some(Answer::Round(round)) => Ok(tonic::Response::new(round)),
                _ => Err(Status::unavailable("the stream has ended early")),
            }
        };
        with_retry(RETRY, call).await.expect("a round")
    }

    /// Publishes a round.
    pub async fn publish(&self, round: u32) {
        change!(self, self.chief.player, publish_round(PublishRoundRequest { round })).expect("published");
    }

    /// Starts a public round.
    pub async fn begin_round(&self, round: u32) -> Round {
        change!(self, self.chief.player, start_round(StartRoundRequest { round })).expect("started");
        self.round(round).await
    }

    /// Publishes and starts a round.
    pub async fn start(&self, round: u32) -> Round {
        self.publish(round).await;
        self.begin_round(round).await
    }

    /// A round as everybody sees it.
    pub async fn round(&self, round: u32) -> Round {
        let request = pb::GetRoundRequest { event_id: self.id.clone(), round, as_of_sequence: 0 };
        let events = EventServiceClient::new(self.transport.clone());
        call!(events, get_round, request).expect("a round").round.expect("it is told")
    }

    /// The table as everybody sees it, under some readings.
    pub async fn table(&self, readings: &[(&str, &str)]) -> pb::GetStandingsResponse {
        let request = pb::GetStandingsRequest {
            event_id: self.id.clone(),
            readings: readings
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
            ..Default::default()
        };
        let events = EventServiceClient::new(self.transport.clone());
        call!(events, get_standings, request).expect("a table")
    }

    /// The whole log as somebody reads it.
    pub async fn log(&self, who: &Bot) -> Vec<pb::EventLogEntry> {
        let mut log: Vec<pb::EventLogEntry> = Vec::new();
        loop {
            let after_sequence = log.last().map_or(0, |entry| entry.sequence);
            let event_id = self.id.clone();
            let request = pb::ListLogRequest { event_id, after_sequence, page_size: PAGE };
            let page = call!(events(who), list_log, request).expect("a log").entries;
            if page.is_empty() {
                return log;
            }
            log.extend(page);
        }
    }

    /// Waits until nothing more is awaited of a round.
    pub async fn complete(&self, round: u32) {
        until(&format!("round {round} is complete"), async || {
            (self.round(round).await.state() == pb::round::State::Complete).then_some(())
        })
        .await;
    }

    /// Waits until every board of a round has a result, if only that its game is adjourned.
    pub async fn told_of_all(&self, round: u32) {
        until(&format!("every board of round {round} has a result"), async || {
            self.round(round).await.pairings.iter().all(|it| it.result.is_some()).then_some(())
        })
        .await;
    }
}
