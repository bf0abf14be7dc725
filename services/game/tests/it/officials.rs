//! The officials of an event, and what they and the players of its games say.

use std::time::Duration;

use api::{
    board::v1::{Outcome, Side},
    game::v1::{
        Arbitration, ClaimKind, ClaimState, ClaimStatus, Confirmation, DeclaredResult, GameEvent,
        IllegalInput, Incident, IncidentKind, PetitionRequest, Regulations, RuleRequest, Ruling,
        arbiter_service_client::ArbiterServiceClient,
        petition::{self, Petition as Asked},
        ruling::{self, Act},
    },
    transport::Transport,
};
use chassis::{
    auth::{Caller, Role},
    id::EventId,
    testing::{arbiter, as_account},
};
use tonic::Status;

use super::{
    fixture::{Fixture, Replica},
    meeting::absolute,
};

/// Officials of one event.
pub(crate) struct Officials {
    pub event: EventId,
    pub chief: Caller,
    pub deputy: Caller,
    pub arbiter: Caller,
    pub committee: Caller,
    pub scorer: Caller,
}

/// A game of an event under these regulations.
pub(crate) struct Terms {
    pub variant: &'static str,
    pub options: &'static [(&'static str, &'static str)],
    pub confirmation: Confirmation,
    pub illegal_input: IllegalInput,
    pub warnings_max: u32,
    pub rated: bool,
}

/// Go on 9x9, its result confirmed by both players.
pub(crate) const GO: Terms = Terms {
    variant: "go",
    options: &[("size", "9")],
    confirmation: Confirmation::Players,
    illegal_input: IllegalInput::Reject,
    warnings_max: 0,
    rated: false,
};

impl Officials {
    pub(crate) fn new(fixture: &Fixture) -> Officials {
        let event = fixture.env.uuid().into();
        let official = |name: &str, role| arbiter(&fixture.env, name, role, event);
        Officials {
            event,
            chief: official("Chief", Role::ChiefArbiter),
            deputy: official("Deputy", Role::Deputy),
            arbiter: official("Arbiter", Role::Arbiter),
            committee: official("Committee", Role::Committee),
            scorer: official("Scorer", Role::Scorer),
        }
    }

    pub(crate) fn all(&self) -> [(&Caller, Role); 5] {
        [
            (&self.chief, Role::ChiefArbiter),
            (&self.deputy, Role::Deputy),
            (&self.arbiter, Role::Arbiter),
            (&self.committee, Role::Committee),
            (&self.scorer, Role::Scorer),
        ]
    }

    /// A new game of the event, an hour for each side.
    pub(crate) async fn game(&self, fixture: &Fixture, replica: &Replica, terms: &Terms) -> String {
        let mut request = fixture.commission(terms.variant, terms.options, terms.rated);
        request.time_control = Some(absolute(3600));
        request.regulations = Some(Regulations {
            event_id: self.event.to_string(),
            confirmation: terms.confirmation as i32,
            illegal_input: terms.illegal_input as i32,
            warnings_max: terms.warnings_max,
            contest_duration: Some(api::time::duration(Duration::from_mins(1))),
            ..Regulations::default()
        });
        let id = request.game_id.clone();
        replica.internal().create_game(request).await.expect("the game is made");
        id
    }
}

impl Replica {
    pub(crate) fn officials(&self, caller: &Caller) -> ArbiterServiceClient<Transport> {
        ArbiterServiceClient::new(as_account(self.public_transport(), caller.clone()))
    }

    pub(crate) async fn rule_as(
        &self,
        official: &Caller,
        id: &str,
        act: Act,
        request_id: String,
    ) -> Result<GameEvent, Status> {
        let ruling = Some(Ruling { reason: "by the rules".to_owned(), act: Some(act) });
        let request = RuleRequest { game_id: id.to_owned(), ruling, request_id };
        let answer = self.officials(official).rule(request).await?.into_inner();
        Ok(answer.event.expect("the answer has the event"))
    }

    pub(crate) async fn rule(
        &self,
        fixture: &Fixture,
        official: &Caller,
        id: &str,
        act: Act,
    ) -> Result<GameEvent, Status> {
        self.rule_as(official, id, act, fixture.id()).await
    }

    pub(crate) async fn petition(
        &self,
        fixture: &Fixture,
        id: &str,
        who: usize,
        petition: Asked,
    ) -> Result<GameEvent, Status> {
        let petition = Some(api::game::v1::Petition { petition: Some(petition) });
        let request = PetitionRequest { game_id: id.to_owned(), petition, request_id: fixture.id() };
        let answer = self.officials(&fixture.players[who]).petition(request).await?.into_inner();
        Ok(answer.event.expect("the answer has the event"))
    }

    pub(crate) async fn arbitration(&self, id: &str) -> Arbitration {
        self.progress(id).await.arbitration.unwrap_or_default()
    }

    pub(crate) async fn outcome(&self, id: &str) -> Option<Outcome> {
        self.look(id).await.state.and_then(|state| state.outcome)
    }

    pub(crate) async fn claim(&self, id: &str, number: u32) -> ClaimStatus {
        let claims = self.arbitration(id).await.claims;
        claims.into_iter().find(|claim| claim.number == number).expect("a claim")
    }

    pub(crate) async fn claim_state(&self, id: &str, number: u32) -> ClaimState {
        self.claim(id, number).await.state()
    }
}

/// An incident of a side, decided as the table says first.
pub(crate) fn incident(kind: IncidentKind, accused: Side) -> Incident {
    Incident { kind: kind as i32, accused: accused as i32, ..Incident::default() }
}

pub(crate) fn record(kind: IncidentKind, accused: Side) -> Act {
    Act::RecordIncident(incident(kind, accused))
}

pub(crate) fn declare(result: DeclaredResult) -> Act {
    Act::Declare(ruling::Declare { result: result as i32 })
}

pub(crate) fn decide(claim: u32, upheld: bool, result: DeclaredResult) -> ruling::Decide {
    ruling::Decide { claim, upheld, result: result as i32 }
}

pub(crate) fn filing(kind: ClaimKind) -> petition::FileClaim {
    petition::FileClaim {
        kind: kind as i32,
        text: "look at this".to_owned(),
        urgent: true,
        ..petition::FileClaim::default()
    }
}

pub(crate) fn confirm() -> Asked {
    Asked::Confirm(petition::Confirm {})
}

pub(crate) fn appeal(claim: u32) -> Asked {
    Asked::Appeal(petition::Appeal { claim, text: "I do not agree".to_owned() })
}
