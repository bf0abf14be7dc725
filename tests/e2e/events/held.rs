//! Federations and their events, with everybody who takes part in them.

use std::{collections::BTreeMap, time::Duration};

use api::{
    board::v1::Side,
    client::{Credentials, Player, with_retry},
    error::reason,
    federation::v1::{
        self as pb, Round, event_service_client::EventServiceClient,
        federation_service_client::FederationServiceClient,
    },
    game::v1::{
        Incident, IncidentKind, RuleRequest, Ruling,
        arbiter_service_client::ArbiterServiceClient,
        petition::{Confirm, Petition},
        ruling::Act,
    },
    identity::v1::{GetMyAccountRequest, identity_service_client::IdentityServiceClient},
    transport::Transport,
};
use chassis::Env;
use tests::{Bot, RETRY, ids};
use tonic::Status;

/// How long anything may take that nobody waits for on purpose.
pub(super) const SOON: Duration = Duration::from_mins(1);

/// How long to wait before looking again.
const PAUSE: Duration = Duration::from_millis(50);

/// Calls a method until it is answered.
macro_rules! ask {
    ($client:expr, $method:ident, $request:expr) => {{
        let (client, request) = ($client, $request);
        let call = || async { client.clone().$method(request.clone()).await };
        api::client::with_retry(tests::RETRY, call).await
    }};
}
pub(super) use ask;

/// Calls a method of changes for somebody, and answers with the event after it.
macro_rules! change {
    ($held:expr, $who:expr, $method:ident($request:ident { $($field:ident $(: $value:expr)?),* $(,)? })) => {{
        let request = api::federation::v1::$request {
            event_id: $held.id.clone(),
            request_id: $who.new_id(),
            $($field $(: $value)?,)*
            ..Default::default()
        };
        let answer = $crate::events::held::ask!($crate::events::held::events(&$who), $method, request);
        answer.map(|answer| answer.event.expect("an answer has the event"))
    }};
}
pub(super) use change;

/// Looks until there is something to be seen.
pub(super) async fn until<T>(what: &str, look: impl AsyncFn() -> Option<T>) -> T {
    let seen = async {
        loop {
            if let Some(seen) = look().await {
                return seen;
            }
            tokio::time::sleep(PAUSE).await;
        }
    };
    tokio::time::timeout(SOON, seen).await.unwrap_or_else(|_| panic!("{what}: not within {SOON:?}"))
}

pub(super) fn events(who: &Player) -> EventServiceClient<Transport> {
    EventServiceClient::new(who.transport())
}

/// Somebody with an account, who can sign in again: a token has the roles of when it was issued.
pub(super) struct Person {
    pub player: Bot,
    pub name: String,
    pub password: String,
}

impl Person {
    pub(super) async fn new(transport: &Transport) -> Person {
        let unique = Env::system().uuid().simple().to_string();
        let (name, password) = (format!("p-{}", &unique[12..30]), format!("password {unique}"));
        let credentials = Credentials::New { name: name.clone(), password: password.clone() };
        let player = Player::sign_in(transport.clone(), credentials, ids()).await.expect("an account");
        Person { player, name, password }
    }

    pub(super) fn id(&self) -> String {
        self.player.account().id.clone()
    }

    /// Waits until identity says that the account has a role, and signs in with it.
    async fn sign_in_with_role(&mut self, transport: &Transport) {
        let identity = IdentityServiceClient::new(self.player.transport());
        until("the role is told to identity", async || {
            let account = ask!(identity.clone(), get_my_account, GetMyAccountRequest {}).expect("an account");
            (!account.roles.is_empty()).then_some(())
        })
        .await;
        let credentials = Credentials::Existing { name: self.name.clone(), password: self.password.clone() };
        self.player =
            Player::sign_in(transport.clone(), credentials, ids()).await.expect("he signs in again");
    }
}

/// A federation with its founder.
pub(super) struct Federation {
    pub id: String,
    pub founder: Person,
}

impl Federation {
    pub(super) async fn new(transport: &Transport, native: &str, latin: &str) -> Federation {
        let founder = Person::new(transport).await;
        let request = pb::CreateFederationRequest {
            federation: Some(pb::Federation { name: Some(name(native, latin)), ..Default::default() }),
            request_id: founder.player.new_id(),
            validate_only: false,
        };
        let federations = FederationServiceClient::new(founder.player.transport());
        let made = ask!(federations, create_federation, request).expect("a federation");
        Federation { id: made.federation.expect("it is told").federation_id, founder }
    }

    /// Makes somebody a member.
    pub(super) async fn enrol(&self, player: &Player, native: &str, latin: &str) -> pb::Member {
        self.enrol_account(&player.account().id, native, latin).await
    }

    /// Makes somebody a member; of an empty account one who has none.
    pub(super) async fn enrol_account(&self, account_id: &str, native: &str, latin: &str) -> pb::Member {
        let member = pb::Member {
            federation_id: self.id.clone(),
            account_id: account_id.to_owned(),
            name: Some(name(native, latin)),
            ..Default::default()
        };
        let request = pb::CreateMemberRequest {
            member: Some(member),
            request_id: self.founder.player.new_id(),
            ..Default::default()
        };
        let federations = FederationServiceClient::new(self.founder.player.transport());
        ask!(federations, create_member, request).expect("a member").member.expect("it is told")
    }
}

pub(super) fn name(native: &str, latin: &str) -> pb::Name {
    pb::Name { native: native.to_owned(), latin: latin.to_owned() }
}

/// An event with its officials and players.
pub(super) struct Held {
    pub id: String,
    pub chief: Person,
    pub committee: Player,
    pub arbiter: Person,
    /// The players by their numbers.
    pub players: BTreeMap<u32, Bot>,
    transport: Transport,
}

impl Held {
    /// Makes an event, with its officials, and takes it to registration.
    pub(super) async fn new(transport: &Transport, of: &Federation, settings: pb::EventSettings) -> Held {
        let (chief, arbiter) = (Person::new(transport).await, Person::new(transport).await);
        let committee = of.founder.player.clone();
        let request = pb::CreateEventRequest {
            event_id: committee.new_id(),
            federation_id: of.id.clone(),
            name: Some(name("阿坝公开赛", "Aba Open")),
            settings: Some(settings),
            validate_only: false,
        };
        let made = ask!(events(&committee), create_event, request).expect("an event").event;
        let id = made.expect("it is told").id;
        let transport = transport.clone();
        let mut held = Held { id, chief, committee, arbiter, players: BTreeMap::new(), transport };
        for (person, role) in
            [(&held.chief, pb::EventRole::ChiefArbiter), (&held.arbiter, pb::EventRole::Arbiter)]
        {
            let (account_id, role) = (person.id(), role.into());
            change!(held, held.committee, appoint_official(AppointOfficialRequest { account_id, role }))
                .expect("an office");
        }
        held.check(&[pb::CheckItem::SupplementPresented]).await;
        change!(held, held.committee, adopt_event(AdoptEventRequest {})).expect("adopted");
        held.advance(pb::EventStage::Registration).await;
        held.arbiter.sign_in_with_role(&held.transport).await;
        held
    }

    /// Has the chief arbiter tick items off.
    pub(super) async fn check(&self, items: &[pb::CheckItem]) {
        for item in items {
            let item = (*item).into();
            change!(self, self.chief.player, check_off(CheckOffRequest { item })).expect("ticked off");
        }
    }

    /// Takes the event to its next stage.
    pub(super) async fn advance(&self, stage: pb::EventStage) {
        let stage = stage.into();
        change!(self, self.chief.player, advance_event(AdvanceEventRequest { stage })).expect("it goes on");
    }

    /// Has a member enter.
    pub(super) async fn enter(&mut self, player: Bot) {
        let entered = change!(self, player, enter_event(EnterEventRequest { supplement_version: 1 }));
        self.players.insert(entered.expect("entered").entrant_count, player);
    }

    /// Has the chief arbiter enter a member, who plays with this account if he has one.
    pub(super) async fn enter_member(
        &mut self,
        member: &pb::Member,
        grade: Option<i32>,
        player: Option<Bot>,
    ) {
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
    pub(super) async fn run(&self) {
        use pb::CheckItem::{ArbitersBriefed, EntriesChecked, VenueChecked};
        self.check(&[ArbitersBriefed, EntriesChecked, VenueChecked]).await;
        change!(self, self.chief.player, commit_seed(CommitSeedRequest {})).expect("committed");
        self.advance(pb::EventStage::Running).await;
    }

    /// Ends, with everything that has to be done before.
    pub(super) async fn end(&self) {
        self.advance(pb::EventStage::Closing).await;
        self.close().await;
    }

    /// Ends from its closing on.
    pub(super) async fn close(&self) {
        self.check(&[pb::CheckItem::ResultsChecked, pb::CheckItem::PlacesAnnounced]).await;
        let text = "Everything went by the rules.".to_owned();
        change!(self, self.chief.player, file_report(FileReportRequest { text: text.clone() }))
            .expect("filed");
        let account_id = self.arbiter.id();
        change!(self, self.chief.player, assess_arbiter(AssessArbiterRequest { account_id, text }))
            .expect("filed");
        self.advance(pb::EventStage::Final).await;
    }

    /// Pairs a round.
    pub(super) async fn pair(&self, round: u32) -> Round {
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
                Some(pb::pair_round_response::Answer::Round(round)) => Ok(tonic::Response::new(round)),
                _ => Err(Status::unavailable("the stream has ended early")),
            }
        };
        with_retry(RETRY, call).await.expect("a round")
    }

    /// Publishes a round.
    pub(super) async fn publish(&self, round: u32) {
        change!(self, self.chief.player, publish_round(PublishRoundRequest { round })).expect("published");
    }

    /// Starts a public round.
    pub(super) async fn begin_round(&self, round: u32) -> Round {
        change!(self, self.chief.player, start_round(StartRoundRequest { round })).expect("started");
        self.round(round).await
    }

    /// Publishes and starts a round.
    pub(super) async fn start(&self, round: u32) -> Round {
        self.publish(round).await;
        self.begin_round(round).await
    }

    /// A round as everybody sees it.
    pub(super) async fn round(&self, round: u32) -> Round {
        let request = pb::GetRoundRequest { event_id: self.id.clone(), round, as_of_sequence: 0 };
        let events = EventServiceClient::new(self.transport.clone());
        ask!(events, get_round, request).expect("a round").round.expect("it is told")
    }

    /// The table as everybody sees it, under some readings.
    pub(super) async fn table(&self, readings: &[(&str, &str)]) -> pb::GetStandingsResponse {
        let request = pb::GetStandingsRequest {
            event_id: self.id.clone(),
            readings: readings
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
            ..Default::default()
        };
        let events = EventServiceClient::new(self.transport.clone());
        ask!(events, get_standings, request).expect("a table")
    }

    /// Waits until nothing more is awaited of a round.
    pub(super) async fn complete(&self, round: u32) {
        until(&format!("round {round} is complete"), async || {
            (self.round(round).await.state() == pb::round::State::Complete).then_some(())
        })
        .await;
    }

    /// Waits until every board of a round has a result, if only that its game is adjourned.
    pub(super) async fn told_of_all(&self, round: u32) {
        until(&format!("every board of round {round} has a result"), async || {
            self.round(round).await.pairings.iter().all(|it| it.result.is_some()).then_some(())
        })
        .await;
    }

    /// Has both players come to their game, and the first play.
    pub(super) async fn begin(&self, pairing: &pb::Pairing) {
        self.come(pairing).await;
        self.players[&pairing.first].play(&pairing.game_id, "C3", 0, RETRY).await.expect("the first plays");
    }

    /// Has both players come to their game, which is made soon after its round has begun.
    pub(super) async fn come(&self, pairing: &pb::Pairing) {
        for number in [pairing.first, pairing.second] {
            until(&format!("the game of {number}"), async || {
                match self.players[&number].check_in(&pairing.game_id, RETRY).await {
                    Err(status) if ["CHECKED_IN", "NOT_WAITING"].contains(&&*reason(&status)) => Some(()),
                    other => other.ok().map(drop),
                }
            })
            .await;
        }
    }

    /// Has somebody resign, and both confirm what came of it.
    pub(super) async fn resign(&self, pairing: &pb::Pairing, loser: u32) {
        self.players[&loser].resign(&pairing.game_id, RETRY).await.expect("he resigns");
        self.confirm(pairing).await;
    }

    /// Has both players agree on a draw, and confirm it.
    pub(super) async fn draw(&self, pairing: &pb::Pairing) {
        self.players[&pairing.first].offer_draw(&pairing.game_id, RETRY).await.expect("offered");
        self.players[&pairing.second].accept_draw(&pairing.game_id, RETRY).await.expect("accepted");
        self.confirm(pairing).await;
    }

    /// Has both players confirm.
    pub(super) async fn confirm(&self, pairing: &pb::Pairing) {
        for number in [pairing.first, pairing.second] {
            let confirm = Petition::Confirm(Confirm {});
            self.players[&number].petition(&pairing.game_id, confirm, RETRY).await.expect("he confirms");
        }
    }

    /// Has the arbiter warn somebody.
    pub(super) async fn warn(&self, pairing: &pb::Pairing, accused: u32) {
        let accused = if accused == pairing.first { Side::First } else { Side::Second };
        let incident = Incident {
            kind: IncidentKind::WrongCapture.into(),
            accused: accused.into(),
            ..Incident::default()
        };
        self.rule(pairing, Act::RecordIncident(incident)).await;
    }

    /// Has the arbiter rule on a game.
    pub(super) async fn rule(&self, pairing: &pb::Pairing, act: Act) {
        let request = RuleRequest {
            game_id: pairing.game_id.clone(),
            ruling: Some(Ruling { reason: "as the rules have it".to_owned(), act: Some(act) }),
            request_id: self.arbiter.player.new_id(),
        };
        ask!(ArbiterServiceClient::new(self.arbiter.player.transport()), rule, request).expect("he may");
    }
}
