//! Reports and what moderators do, between protos and the types of `core`.

use std::collections::BTreeSet;

use api::{ProtoEnum as _, rating::v1 as pb, reason, time::timestamp};
use chassis::{
    auth::Caller,
    id::{AccountId, EventId, GameId},
    page::Page,
    text,
};
use scrutiny::Suspicion;
use uuid::Uuid;

use super::named;
use crate::core::report::{Act, Deed, EVIDENCE_MAX, Evidence, Filter, Moderator, Report};

/// Games that are annulled, or count again, in one call.
const GAMES_MAX: usize = 128;

/// The reports that are asked for.
pub(crate) struct Reports {
    /// Which.
    pub filter: Filter,
    /// Which part of them.
    pub page: Page<Uuid>,
}

impl TryFrom<pb::ListReportsRequest> for Reports {
    type Error = api::Error;

    fn try_from(request: pb::ListReportsRequest) -> Result<Self, api::Error> {
        let pb::ListReportsRequest { event_id, account_id, include_settled, page_size, page_token } = request;
        let filter = Filter {
            event: event(&event_id)?,
            account: named(&account_id, |id| AccountId::parse(id, "account_id"))?,
            open: !include_settled,
        };
        let list = format!("reports {event_id} {account_id} {include_settled}");
        Ok(Reports { filter, page: Page::of(list, page_size, &page_token)? })
    }
}

/// The event of a request, if it names one.
pub(crate) fn event(id: &str) -> Result<Option<EventId>, api::Error> {
    named(id, |id| EventId::parse(id, "event_id"))
}

/// The report of a request.
pub(crate) fn report_id(id: &str) -> Result<Uuid, api::Error> {
    let bad = || api::Error::invalid(reason::BAD_ID, "report_id", "not a UUID");
    Uuid::try_parse(id).map_err(|_| bad())
}

/// The report of a request, if it names one.
pub(crate) fn for_report(id: &str) -> Result<Option<Uuid>, api::Error> {
    named(id, report_id)
}

/// Why a moderator does something.
pub(crate) fn why(reason: String) -> Result<String, api::Error> {
    text::plain("reason", reason)
}

/// The games of a request.
pub(crate) fn games(ids: &[String]) -> Result<BTreeSet<GameId>, api::Error> {
    if !(1..=GAMES_MAX).contains(&ids.len()) {
        let message = format!("1 to {GAMES_MAX} games");
        return Err(api::Error::invalid(reason::BAD_ID, "game_ids", message));
    }
    ids.iter().map(|id| GameId::parse(id, "game_ids")).collect()
}

/// The moderator who calls.
pub(crate) fn moderator(caller: Caller) -> Moderator {
    Moderator { id: caller.id, name: caller.name }
}

/// A report as a moderator sees it, or an arbiter: with the games that it rests on, where they are known.
pub(crate) fn report(report: &Report, evidence: &[Evidence], to_moderator: bool) -> pb::Report {
    let finding = |&(suspicion, score, games): &(Suspicion, f64, u32)| {
        let of = evidence.iter().filter(|it| it.suspicion == suspicion);
        pb::Finding {
            suspicion: of_suspicion(suspicion).into(),
            score,
            limit: suspicion.limit(),
            games,
            evidence: of.take(EVIDENCE_MAX).map(suspect).collect(),
        }
    };
    let state = match &report.settled {
        None => pb::ReportState::Open,
        Some(settled) if settled.upheld => pb::ReportState::Upheld,
        Some(_) => pb::ReportState::Dismissed,
    };
    let settled = report.settled.as_ref();
    let by = settled.filter(|_| to_moderator);
    pb::Report {
        report_id: report.id.to_string(),
        account_id: report.account.to_string(),
        account_name: report.name.clone(),
        variant: report.category.variant.to_string(),
        speed_class: report.category.speed.number(),
        games: report.games,
        lost_early: report.lost_early,
        others_scored: report.others.0,
        others_expected: report.others.1,
        findings: report.found.iter().map(finding).collect(),
        find_time: Some(timestamp(report.since)),
        update_time: Some(timestamp(report.updated)),
        state: state.into(),
        settle_time: settled.map(|settled| timestamp(settled.at)),
        settled_by_id: by.map(|settled| settled.by.id.to_string()).unwrap_or_default(),
        settled_by_name: by.map(|settled| settled.by.name.clone()).unwrap_or_default(),
        settle_reason: by.map(|settled| settled.reason.clone()).unwrap_or_default(),
    }
}

fn suspect(Evidence { game, change, .. }: &Evidence) -> pb::SuspectGame {
    let opponent = &game.players[change.side.other().index()];
    pb::SuspectGame {
        game_id: game.id.to_string(),
        end_time: Some(timestamp(game.ended)),
        side: change.side.number(),
        opponent_id: opponent.id.to_string(),
        opponent_name: opponent.name.clone(),
        verdict: api::board::v1::Verdict::from(game.told).into(),
        acts: game.acts,
        rating_before: change.before.rating.value(),
        rating_after: change.after.rating.value(),
        annulled: game.annulled,
        event_id: game.event.map(|event| event.to_string()).unwrap_or_default(),
    }
}

/// What a moderator has done.
pub(crate) fn act(act: &Act) -> pb::ModerationAct {
    use pb::ModerationKind::{GameAnnulled, GameReinstated, ReportDismissed, ReportUpheld};
    let (kind, report, game) = match act.deed {
        Deed::Dismissed(report) => (ReportDismissed, Some(report), None),
        Deed::Upheld(report) => (ReportUpheld, Some(report), None),
        Deed::Annulled(game, report) => (GameAnnulled, report, Some(game)),
        Deed::Reinstated(game) => (GameReinstated, None, Some(game)),
    };
    pb::ModerationAct {
        act_id: act.id.to_string(),
        time: Some(timestamp(act.at)),
        moderator_id: act.by.id.to_string(),
        moderator_name: act.by.name.clone(),
        kind: kind.into(),
        report_id: report.map(|id| id.to_string()).unwrap_or_default(),
        game_id: game.map(|id| id.to_string()).unwrap_or_default(),
        reason: act.reason.clone(),
    }
}

const fn of_suspicion(suspicion: Suspicion) -> pb::Suspicion {
    match suspicion {
        Suspicion::Alone => pb::Suspicion::Alone,
        Suspicion::Streaks => pb::Suspicion::Streaks,
        Suspicion::Company => pb::Suspicion::Company,
    }
}
