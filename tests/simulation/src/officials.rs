//! The officials of an event at one of its games: they do what officials do, at random; and in the end they see to it
//! that nothing stays open.

use std::{sync::Arc, time::Duration};

use api::{
    board::v1::Side,
    clock::v1::PauseReason,
    game::v1::{
        Arbitration, ClaimState, Confirmation, DeclaredResult, Game, Incident, IncidentKind, Progress,
        RuleRequest, Ruling, SealRuling, Stage,
        ruling::{self, Act},
        seal_ruling,
    },
    identity::v1::Role as RolePb,
};
use chassis::{
    auth::{Caller, Role, RoleGrant, RoleScope},
    id::EventId,
    testing::{arbiter, as_account},
};
use tokio::time::Instant;

use crate::{
    action::Clients,
    history::History,
    network::Face,
    player::stage,
    requester::Requester,
    table::Table,
    topology::{End, Service},
    world::World,
};

/// The longest time between two acts.
const RETRY: Duration = Duration::from_secs(8);
/// How soon an adjourned game goes on when the officials say when.
const SOON: Duration = Duration::from_secs(10);

/// The officials of an event.
#[derive(Clone, Debug)]
pub(crate) struct EventOfficials {
    /// The event.
    pub event: EventId,
    chief: Caller,
    arbiter: Caller,
    committee: Caller,
}

/// The officials at one game.
#[derive(Debug)]
pub(crate) struct ActingOfficials {
    requester: Requester,
    table: Table,
    chief: Clients,
    arbiter: Clients,
    committee: Clients,
}

/// What the platform's rules leave to the officials now.
struct Open<'a> {
    game: &'a Game,
    progress: &'a Progress,
    arbitration: Arbitration,
}

impl EventOfficials {
    /// The officials of a new event.
    pub(crate) fn new(world: &World) -> Self {
        let event = world.env.uuid().into();
        let official = |name: &str, role| arbiter(&world.env, name, role, event);
        EventOfficials {
            event,
            chief: official("chief", Role::ChiefArbiter),
            arbiter: official("arbiter", Role::Arbiter),
            committee: official("committee", Role::Committee),
        }
    }
}

impl EventOfficials {
    /// The officials of an event that is held in this world, as their tokens say.
    pub(crate) fn of(event: EventId, [chief, arbiter, committee]: [&Caller; 3]) -> Self {
        let with = |caller: &Caller, role| {
            let roles = vec![RoleGrant { role, scope: RoleScope::Event(event) }];
            Caller { roles, ..caller.clone() }
        };
        EventOfficials {
            event,
            chief: with(chief, Role::ChiefArbiter),
            arbiter: with(arbiter, Role::Arbiter),
            committee: with(committee, Role::Committee),
        }
    }
}

impl ActingOfficials {
    /// The officials at a table; `None` when its game belongs to no event.
    pub(crate) fn new(world: &Arc<World>, history: &Arc<History>, table: &Table) -> Option<Self> {
        let officials = table.officials.as_ref()?;
        let clients = |caller: &Caller| {
            let transport = world.network.transport(End::Outside, Service::Game, Face::Public);
            Clients::new(&as_account(transport, caller.clone()))
        };
        Some(ActingOfficials {
            requester: Requester {
                world: Arc::clone(world),
                history: Arc::clone(history),
                game: table.id.clone(),
                rng: world.rng(&format!("officials of {}", table.id)),
            },
            table: table.clone(),
            chief: clients(&officials.chief),
            arbiter: clients(&officials.arbiter),
            committee: clients(&officials.committee),
        })
    }

    /// Acts at random until the game is final, or until it is time to go.
    pub(crate) async fn act(&self, until: Instant) {
        let rng = &self.requester.rng;
        while Instant::now() < until {
            tokio::time::sleep(rng.mostly_short(RETRY)).await;
            let Some(game) = self.requester.look(&self.chief).await else { continue };
            let Some(open) = Open::of(&game) else { continue };
            if stage(&game) == Stage::Final {
                if rng.chance(0.1) {
                    self.rule(Act::Annul(ruling::Annul {}), &self.committee).await;
                }
                return;
            }
            let duty = self.duty(&open).filter(|_| rng.chance(0.4));
            let act = duty.unwrap_or_else(|| self.whim(&open));
            let official = self.official(&open, &act);
            let anybody = *rng.pick(&[&self.chief, &self.arbiter, &self.committee]);
            self.rule(act, if rng.chance(0.1) { anybody } else { official }).await;
        }
    }

    /// Does one thing that is open in a game; whether there was any.
    pub(crate) async fn tidy(&self, game: &Game) -> bool {
        let Some(open) = Open::of(game) else { return false };
        let Some(act) = self.duty(&open) else { return false };
        let official = self.official(&open, &act);
        self.rule(act, official).await;
        true
    }

    async fn rule(&self, act: Act, official: &Clients) {
        let game_id = self.table.id.clone();
        let request_id = self.requester.world.env.uuid().to_string();
        let ruling = Some(Ruling { reason: "by the rules".to_owned(), act: Some(act) });
        let request = RuleRequest { game_id, ruling, request_id: request_id.clone() };
        let call =
            || async { Ok(official.officials.clone().rule(request.clone()).await?.into_inner().event) };
        self.requester.send("rule", request_id, &request, call).await;
    }

    /// Who does this.
    fn official(&self, open: &Open<'_>, act: &Act) -> &Clients {
        match act {
            Act::Annul(_) => &self.committee,
            Act::DecideAppeal(decide) if open.was_decided_by_chief(decide.claim) => &self.committee,
            Act::DecideClaim(decide) if decide.result == 0 && decide.claim % 2 == 0 => &self.arbiter,
            _ => &self.chief,
        }
    }

    /// What has to be done, so that the game does not stand still.
    fn duty(&self, open: &Open<'_>) -> Option<Act> {
        let Open { progress, arbitration, .. } = open;
        if progress.stage() == Stage::Final {
            return None;
        }
        let adjournment = progress.adjournment.clone().unwrap_or_default();
        if adjournment.undecided {
            let pass = seal_ruling::Ruling::Act("pass".to_owned());
            let back = seal_ruling::Ruling::TurnBack(seal_ruling::TurnBack {});
            let ruling = Some(if self.requester.rng.chance(0.2) { pass } else { back });
            return Some(Act::RuleOnSealed(SealRuling { ruling }));
        }
        if progress.stage() == Stage::Adjourned && adjournment.resumption_time.is_none() {
            return Some(self.set_resumption());
        }
        let ours = |pause: &PauseReason| matches!(pause, PauseReason::Arbiter | PauseReason::EventBreak);
        if let Some(reason) = progress.pauses().find(ours) {
            return Some(Act::Resume(ruling::Resume { reason: reason as i32 }));
        }
        if let Some(call) = arbitration.calls.first() {
            return Some(Act::AnswerCall(ruling::AnswerCall { call: call.number }));
        }
        let claim = arbitration.claims.iter().find_map(|claim| match claim.state() {
            ClaimState::Open => Some(Act::DecideClaim(self.decide(claim.number, false))),
            ClaimState::Appealed => Some(Act::DecideAppeal(self.decide(claim.number, claim.result_changed))),
            _ => None,
        });
        let asked = self.table.confirmation() == Confirmation::PlayersAndArbiter;
        let confirms = asked && progress.stage() == Stage::Ended && !arbitration.officials_confirmed;
        claim.or_else(|| confirms.then_some(Act::Confirm(ruling::Confirm {})))
    }

    fn decide(&self, claim: u32, changed: bool) -> ruling::Decide {
        let rng = &self.requester.rng;
        let result = changed || rng.chance(0.1);
        let result = if result { DeclaredResult::Draw } else { DeclaredResult::Unspecified };
        ruling::Decide { claim, upheld: rng.chance(0.5), result: result as i32 }
    }

    fn set_resumption(&self) -> Act {
        let at = self.requester.world.env.now() + self.requester.rng.between(Duration::ZERO, SOON);
        Act::SetResumption(ruling::SetResumption { resumption_time: Some(api::time::timestamp(at)) })
    }

    /// Anything that an official can do.
    fn whim(&self, open: &Open<'_>) -> Act {
        let rng = &self.requester.rng;
        let side = *rng.pick(&[Side::First, Side::Second]) as i32;
        let span = Some(api::time::duration(rng.between(Duration::from_secs(1), Duration::from_secs(6))));
        let reason = *rng.pick(&[PauseReason::Arbiter, PauseReason::EventBreak]) as i32;
        let ply = open.game.state.as_ref().map_or(0, |state| state.ply);
        let back = u32::try_from(rng.below(4)).unwrap_or(0);
        let result = *rng.pick(&[
            DeclaredResult::Draw,
            DeclaredResult::FirstLoses,
            DeclaredResult::BothLose,
            DeclaredResult::Replay,
        ]);
        let kinds =
            [IncidentKind::ClockPress, IncidentKind::Talking, IncidentKind::Leaving, IncidentKind::Other];
        let incident = Incident { kind: *rng.pick(&kinds) as i32, accused: side, ply, ..Incident::default() };
        let acts = [
            (Act::RecordIncident(incident), 20),
            (Act::AddTime(ruling::AddTime { side, added_duration: span }), 20),
            (Act::DeductTime(ruling::DeductTime { side, deducted_duration: span }), 15),
            (Act::Pause(ruling::Pause { reason }), 15),
            (Act::Resume(ruling::Resume { reason }), 10),
            (Act::VoidMoves(ruling::VoidMoves { ply: ply.saturating_sub(back) }), 15),
            (Act::CorrectColours(ruling::CorrectColours {}), 5),
            (Act::NoteColours(ruling::NoteColours {}), 5),
            (Act::RepeatAnnouncement(ruling::RepeatAnnouncement { from_time: None }), 8),
            (Act::BeginSealing(ruling::BeginSealing {}), 10),
            (self.set_resumption(), 5),
            (Act::Confirm(ruling::Confirm {}), 5),
            (Act::Declare(ruling::Declare { result: result as i32 }), 2),
            (Act::Annul(ruling::Annul {}), 1),
        ];
        let weighed: Vec<(&Act, u32)> = acts.iter().map(|(act, weight)| (act, *weight)).collect();
        rng.weighed(weighed).cloned().unwrap_or(Act::Annul(ruling::Annul {}))
    }
}

impl<'a> Open<'a> {
    fn of(game: &'a Game) -> Option<Self> {
        let progress = game.state.as_ref()?.progress.as_ref()?;
        Some(Open { game, progress, arbitration: progress.arbitration.clone().unwrap_or_default() })
    }

    fn was_decided_by_chief(&self, claim: u32) -> bool {
        let chief =
            |it: &&api::game::v1::ClaimStatus| it.number == claim && it.decided_by() == RolePb::ChiefArbiter;
        self.arbitration.claims.iter().any(|it| chief(&it))
    }
}
