//! Incidents of events: reported, ruled on, appealed against.

use std::collections::BTreeSet;

use api::federation::v1 as pb;
use chassis::{
    auth::Caller,
    id::{AccountId, EventId},
    page::Page,
};
use pairing::Number;
use rules::IncidentKind;

use super::{
    AsOf, Events,
    command::{Asker, Decided},
    queries::Sight,
    registry::Current,
};
use crate::{
    core::event::{
        Act, BoardId, BoardResult, Event, Incident, Judge, Participant, Report, Role, Ruling, Sealed,
        role::allowed,
    },
    error::Result,
    store::event::note,
    wire::event::{
        incident,
        request::{Change, IncidentFilter},
    },
};

/// An incident that is to be noted.
#[derive(Clone, Debug)]
pub(crate) struct NewIncident {
    /// What happened.
    pub kind: IncidentKind,
    /// The board that it is about.
    pub board: Option<BoardId>,
    /// Who is accused.
    pub accused: Option<Number>,
    /// What happened, in words.
    pub text: String,
}

impl Events {
    /// Notes an incident.
    pub(crate) async fn report_incident(
        &self,
        caller: &Caller,
        change: &Change,
        new: NewIncident,
    ) -> Result<Current> {
        let note = self.note(new.text);
        let (kind, board, accused) = (new.kind, new.board, new.accused);
        self.carry_out(caller, Act::Report, change, |event, asker| {
            let reporter = if asker.role == Role::Player { Some(asker.number()?) } else { None };
            let report = Report { number: 0, kind, board, accused, reporter, text: note.sealed() };
            Ok(Decided::noted(event.report_incident(&report)?, [&note]))
        })
        .await
    }

    /// Rules on an incident in the first instance.
    pub(crate) async fn rule_on_incident(
        &self,
        caller: &Caller,
        change: &Change,
        (number, ruling): (u32, Ruling),
        reason: String,
    ) -> Result<Current> {
        let note = self.note(reason);
        let should_step_back = self.is_biased(change.event, caller.id, number).await?;
        self.carry_out(caller, Act::Rule, change, |event, asker| {
            let judge = judge(asker, should_step_back);
            let (facts, role) = event.rule_on_incident(number, ruling, &judge, note.sealed())?;
            Ok(Decided { as_role: Some(role), ..Decided::noted(facts, [&note]) })
        })
        .await
    }

    /// Appeals against the last ruling.
    pub(crate) async fn appeal_ruling(
        &self,
        caller: &Caller,
        change: &Change,
        number: u32,
        text: String,
    ) -> Result<Current> {
        let note = self.note(text);
        self.carry_out(caller, Act::Appeal, change, |event, asker| {
            let appellant = asker.number()?;
            let facts = event.appeal_ruling(number, appellant, note.sealed(), self.env.now())?;
            Ok(Decided::noted(facts, [&note]))
        })
        .await
    }

    /// Rules on an appeal: with another ruling, or so that the one before stands.
    pub(crate) async fn rule_on_appeal(
        &self,
        caller: &Caller,
        change: &Change,
        (number, ruling): (u32, Option<Ruling>),
        reason: String,
    ) -> Result<Current> {
        let note = self.note(reason);
        let should_step_back = self.is_biased(change.event, caller.id, number).await?;
        self.carry_out(caller, Act::RuleOnAppeal, change, |event, asker| {
            let judge = judge(asker, should_step_back);
            let (facts, role) = event.rule_on_appeal(number, ruling, &judge, note.sealed())?;
            Ok(Decided { as_role: Some(role), ..Decided::noted(facts, [&note]) })
        })
        .await
    }

    /// Amends what is final.
    pub(crate) async fn amend(
        &self,
        caller: &Caller,
        change: &Change,
        results: &[(BoardId, BoardResult)],
        reason: String,
    ) -> Result<Current> {
        self.carry_out(caller, Act::Amend, change, |event, asker| {
            Ok(event.amend(reason.clone(), results, &asker.official())?.into())
        })
        .await
    }

    /// Incidents, in the order of numbers, with the texts that the caller may read.
    pub(crate) async fn incidents(
        &self,
        caller: Option<&Caller>,
        event: EventId,
        (state, round): IncidentFilter,
        page: &Page<u32>,
    ) -> Result<(Vec<pb::EventIncident>, String)> {
        let Sight { event, official, roles, .. } = self.look(caller, event, AsOf::Now).await?;
        let reads_all = allowed(Act::ReadReports, &roles, event.stage).is_ok();
        let own = caller.and_then(|caller| event.of_account(caller.id)).map(Participant::number);
        let now = self.env.now();
        let is_meant = |it: &&Incident| {
            (official || event.sees_incident(it, own, now))
                && state.is_none_or(|state| event.incident_state(it, now) == state)
                && round.is_none_or(|round| it.report.board.is_some_and(|board| board.round == round))
        };
        let found: Vec<_> = page.numbered(&event.incidents, is_meant).collect();
        let sealed: Vec<Sealed> = found.iter().flat_map(|it| it.sealed()).collect();
        let texts = note::texts(self.database.read(), event.id, &sealed).await?;
        let text = |sealed: &Sealed| texts.get(&sealed.0).cloned();
        let shown = found.into_iter().map(|it| {
            let is_own = own.is_some() && (it.report.reporter == own);
            incident::incident(&event, it, now, text, reads_all || is_own)
        });
        Ok(page.cut(shown.collect(), |incident: &pb::EventIncident| incident.number))
    }

    /// What stands beside the log, for those who may read it.
    pub(crate) async fn notes(
        &self,
        caller: &Caller,
        id: EventId,
        page: &Page<u64>,
    ) -> Result<(Vec<pb::EventNote>, String)> {
        let current = self.current(id).await?;
        self.asker(&current.event, caller, Act::ReadPrivate, None).await?;
        let after = page.after.unwrap_or(0);
        let found = note::after(self.database.read(), id, after, page.fetch()).await?;
        let (found, next) = page.cut(found, |note| note.sequence.cast_unsigned());
        Ok((found.into_iter().map(Into::into).collect(), next))
    }

    /// Whether somebody is to leave an incident to others: he is of the club of one of those it is about, and another could
    /// rule in his place who is not, and has no part in it. Nothing is said of an incident that there is not: who may rule is
    /// asked first.
    async fn is_biased(&self, event: EventId, official: AccountId, number: u32) -> Result<bool> {
        let event = self.current(event).await?.event;
        let Some(incident) = event.incident(number) else { return Ok(false) };
        let parties = event.parties(&incident.report);
        let members = parties.iter().filter_map(|number| event.participant(*number));
        let clubs = self.people.clubs(members.map(|it| it.entrant.member), self.env.now()).await?;
        if !self.is_of(&event, official, &clubs).await? {
            return Ok(false);
        }
        for other in event.who_could_rule(incident).into_iter().filter(|other| *other != official) {
            let has_part = event.has_part(&self.official(&event, other).await?, parties.iter().copied());
            if !has_part && !self.is_of(&event, other, &clubs).await? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether somebody is a member of one of these clubs.
    async fn is_of(
        &self,
        event: &Event,
        account: AccountId,
        clubs: &BTreeSet<chassis::id::ClubId>,
    ) -> Result<bool> {
        let standing = self.people.standing(event.federation, account).await?.unwrap_or_default();
        let own = self.people.clubs(standing.member.into_iter(), self.env.now()).await?;
        Ok(!own.is_disjoint(clubs))
    }
}

fn judge(asker: &Asker, should_step_back: bool) -> Judge {
    Judge { official: asker.official(), roles: asker.roles.clone(), should_step_back }
}
