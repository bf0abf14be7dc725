//! Incidents beside the boards: reported during a round, ruled on, and appealed against up to the committee.

use std::time::Duration;

use api::{
    client::with_retry,
    federation::v1::{self as pb, EventIncidentState, EventSanction},
    game::v1::IncidentKind,
};
use chassis::auth::Caller;

use super::{
    Kind,
    command::{Commander, Refused, command},
};

/// How likely a round has an incident.
const INCIDENTS: f64 = 0.5;
/// When it happens, at the latest after the round has begun, and how long each who writes about it takes at most.
const LATEST: Duration = Duration::from_secs(40);
const WRITING: Duration = Duration::from_secs(20);
/// How likely a ruling is appealed against.
const APPEALED: f64 = 0.6;
/// How likely an appeal is granted.
const GRANTED: f64 = 0.5;

impl Commander {
    /// What is complained of in a round. Whoever is too late with something, or may not, is refused, and leaves it.
    pub(super) async fn complaints(&self, round: u32) {
        if !self.rng.chance(INCIDENTS) {
            return;
        }
        tokio::time::sleep(self.rng.mostly_short(LATEST)).await;
        if let Err(reason) = self.complain(round).await {
            self.world.trace.note(format!("an incident of round {round} ends: {reason}"));
        }
    }

    async fn complain(&self, round: u32) -> Result<(), Refused> {
        let pairings = self.round(round).await?.pairings;
        if pairings.is_empty() {
            return Ok(());
        }
        let laid = self.rng.pick(&pairings);
        let seated = if self.rng.chance(0.5) { [laid.first, laid.second] } else { [laid.second, laid.first] };
        let [reporter, accused] = [self.caller(seated[0]).await?, self.caller(seated[1]).await?];
        let arbiter = &self.event.arbiter;
        let reporter = reporter.filter(|_| self.rng.chance(0.7)).unwrap_or_else(|| arbiter.clone());
        let kinds = [IncidentKind::Disturbing, IncidentKind::Talking, IncidentKind::Other];
        let report = command!(
            self,
            &reporter,
            report_incident(ReportIncidentRequest {
                kind: (*self.rng.pick(&kinds)).into(),
                round,
                table: laid.table,
                accused: seated[1],
                text: "he hums".to_owned()
            })
        );
        report?;
        let number = u32::try_from(self.incidents().await?.len()).unwrap_or(u32::MAX);
        tokio::time::sleep(self.rng.mostly_short(WRITING)).await;
        let is_chief = self.rng.chance(0.5);
        let judge = if is_chief { &self.event.chief } else { arbiter };
        self.rule(judge, number, self.sanction(is_chief).await).await?;
        let Some(accused) = accused.filter(|_| self.rng.chance(APPEALED)) else { return Ok(()) };
        tokio::time::sleep(self.rng.mostly_short(WRITING)).await;
        let text = "it was the ventilation".to_owned();
        command!(self, &accused, appeal_ruling(AppealRulingRequest { number, text }))?;
        tokio::time::sleep(self.rng.mostly_short(WRITING)).await;
        let next = if is_chief { &self.event.committee } else { &self.event.chief };
        let granted = self.rng.chance(GRANTED).then_some(EventSanction::Nothing);
        self.rule_on_appeal(next, number, granted).await
    }

    /// What becomes of the accused. Who wins, the chief arbiter alone declares; and nobody is sent away after another.
    async fn sanction(&self, is_chief: bool) -> EventSanction {
        let may_expel = is_chief && self.event.kind == Kind::Swiss && self.who_left().await.is_empty();
        let sanctions = [
            (EventSanction::Nothing, 2),
            (EventSanction::Admonition, 2),
            (EventSanction::Warning, 3),
            (EventSanction::Violation, 1),
            (EventSanction::Loss, if is_chief { 6 } else { 0 }),
            (EventSanction::Expulsion, if may_expel { 2 } else { 0 }),
        ];
        let weighed: Vec<(&EventSanction, u32)> =
            sanctions.iter().map(|(it, weight)| (it, *weight)).collect();
        self.rng.weighed(weighed).copied().unwrap_or(EventSanction::Nothing)
    }

    async fn rule(&self, judge: &Caller, number: u32, sanction: EventSanction) -> Result<(), Refused> {
        let (ruling, reason) = (Some(ruling(sanction)), "by the rules".to_owned());
        command!(self, judge, rule_on_incident(RuleOnIncidentRequest { number, ruling, reason })).map(drop)
    }

    async fn rule_on_appeal(
        &self,
        judge: &Caller,
        number: u32,
        instead: Option<EventSanction>,
    ) -> Result<(), Refused> {
        let (granted, ruling, reason) = (instead.is_some(), instead.map(ruling), "by the rules".to_owned());
        command!(self, judge, rule_on_appeal(RuleOnAppealRequest { number, granted, ruling, reason }))
            .map(drop)
    }

    /// Rules on whatever nobody has ruled on, so that the places can stand.
    pub(super) async fn settle_incidents(&self) -> Result<(), Refused> {
        for incident in self.incidents().await? {
            let number = incident.number;
            match incident.state() {
                EventIncidentState::Open => {
                    self.rule(&self.event.chief, number, EventSanction::Nothing).await?;
                }
                EventIncidentState::Appealed => {
                    let by_chief = |it: &pb::event_incident::Step| it.role() == pb::EventRole::ChiefArbiter;
                    let ruled = incident.steps.last().is_some_and(by_chief);
                    let next = if ruled { &self.event.committee } else { &self.event.chief };
                    self.rule_on_appeal(next, number, None).await?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Every incident of the event.
    async fn incidents(&self) -> Result<Vec<pb::EventIncident>, Refused> {
        let (client, event_id) = (self.client(&self.event.chief), self.event.id.to_string());
        let request = pb::ListEventIncidentsRequest { event_id, ..pb::ListEventIncidentsRequest::default() };
        let call = || async { client.clone().list_event_incidents(request.clone()).await };
        let answer = with_retry(self.patience(), call).await;
        answer.map(|list| list.incidents).map_err(|status| format!("incidents are not told: {status}"))
    }

    /// Who has a number, if he plays here.
    async fn caller(&self, number: u32) -> Result<Option<Caller>, Refused> {
        let entrants = self.entrants().await?;
        let entrant = entrants.iter().find(|it| it.number == number);
        Ok(entrant.and_then(|it| self.event.player(&it.account_id)).cloned())
    }
}

fn ruling(sanction: EventSanction) -> pb::EventRuling {
    pb::EventRuling { sanction: sanction.into(), ..pb::EventRuling::default() }
}
