//! What leagues are asked for.

use api::{ProtoEnum as _, federation::v1 as pb, reason};
use chassis::{
    id::{FederationId, LeagueId, SeasonId},
    page::Page,
};
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use super::{rules::rules, season::transfers_of, squad::members};
use crate::{
    core::{
        event::Schedule,
        league::{
            EntrantId, State,
            limits::WINDOWS_MAX,
            request::{Advance, Create, Edit, EditSeason, NewSeason, Place, Register, StayDown, Withdraw},
        },
        limits::NOTE_CHARS_MAX,
    },
    wire::fields::{Mask, date, id, name, optional, required, revision, words},
};

impl TryFrom<pb::CreateLeagueRequest> for Create {
    type Error = api::Error;

    fn try_from(request: pb::CreateLeagueRequest) -> Result<Self, api::Error> {
        let asked = required(request.league, "league")?;
        Ok(Create {
            federation: FederationId::parse(&asked.federation_id, "league.federation_id")?,
            name: name(asked.name.as_ref(), "league.name")?,
            rules: rules(asked.rules.unwrap_or_default(), "league.rules")?,
        })
    }
}

impl TryFrom<pb::UpdateLeagueRequest> for Edit {
    type Error = api::Error;

    fn try_from(request: pb::UpdateLeagueRequest) -> Result<Self, api::Error> {
        let asked = required(request.league, "league")?;
        let fields = [("name", asked.name.is_some()), ("rules", asked.rules.is_some())];
        let mask = Mask::of(request.update_mask.as_ref(), &fields)?;
        Ok(Edit {
            id: LeagueId::parse(&asked.league_id, "league.league_id")?,
            revision: revision(asked.revision),
            name: mask.get("name", || name(asked.name.as_ref(), "league.name"))?,
            rules: mask.get("rules", || rules(asked.rules.unwrap_or_default(), "league.rules"))?,
        })
    }
}

impl TryFrom<pb::CreateSeasonRequest> for NewSeason {
    type Error = api::Error;

    fn try_from(request: pb::CreateSeasonRequest) -> Result<Self, api::Error> {
        let asked = required(request.season, "season")?;
        Ok(NewSeason {
            league: LeagueId::parse(&asked.league_id, "season.league_id")?,
            name: name(asked.name.as_ref(), "season.name")?,
            from: optional(&asked.from_season_id, "season.from_season_id", SeasonId::parse)?,
            schedule: asked.schedule.map(schedule).transpose()?,
            windows: windows(&asked.windows)?,
            transfers: transfers(&asked.transfer_windows)?,
            eligible_since: date(&asked.eligible_since_date, "season.eligible_since_date")?,
        })
    }
}

impl TryFrom<pb::UpdateSeasonRequest> for EditSeason {
    type Error = api::Error;

    fn try_from(request: pb::UpdateSeasonRequest) -> Result<Self, api::Error> {
        let asked = required(request.season, "season")?;
        let fields = [
            ("schedule", asked.schedule.is_some()),
            ("windows", !asked.windows.is_empty()),
            ("transfer_windows", !asked.transfer_windows.is_empty()),
            ("eligible_since_date", !asked.eligible_since_date.is_empty()),
        ];
        let mask = Mask::of(request.update_mask.as_ref(), &fields)?;
        Ok(EditSeason {
            id: SeasonId::parse(&asked.season_id, "season.season_id")?,
            revision: revision(asked.revision),
            schedule: mask.get("schedule", || asked.schedule.map(schedule).transpose())?,
            windows: mask.get("windows", || windows(&asked.windows))?,
            transfers: mask.get("transfer_windows", || transfers(&asked.transfer_windows))?,
            eligible_since: mask.get("eligible_since_date", || {
                date(&asked.eligible_since_date, "season.eligible_since_date")
            })?,
        })
    }
}

impl TryFrom<pb::AdvanceSeasonRequest> for Advance {
    type Error = api::Error;

    fn try_from(request: pb::AdvanceSeasonRequest) -> Result<Self, api::Error> {
        let unknown = || api::Error::invalid(reason::UNKNOWN_VALUE, "state", "a state of a season");
        let to = State::of(request.state).ok_or_else(unknown)?;
        let why = words(&request.reason, NOTE_CHARS_MAX, "reason")?;
        if to == State::Abandoned && why.is_empty() {
            return Err(api::Error::invalid(reason::BAD_TEXT, "reason", "say why the season is given up"));
        }
        let id = SeasonId::parse(&request.season_id, "season_id")?;
        Ok(Advance { id, to, revision: revision(request.revision), reason: why })
    }
}

impl TryFrom<pb::PlaceEntrantRequest> for Place {
    type Error = api::Error;

    fn try_from(request: pb::PlaceEntrantRequest) -> Result<Self, api::Error> {
        Ok(Place {
            season: SeasonId::parse(&request.season_id, "season_id")?,
            entrant: entrant(&request.entrant_id)?,
            division: (request.division > 0).then_some(request.division),
            reason: words(&request.reason, NOTE_CHARS_MAX, "reason")?,
        })
    }
}

impl TryFrom<pb::RegisterSquadRequest> for Register {
    type Error = api::Error;

    fn try_from(request: pb::RegisterSquadRequest) -> Result<Self, api::Error> {
        Ok(Register {
            season: SeasonId::parse(&request.season_id, "season_id")?,
            entrant: entrant(&request.entrant_id)?,
            members: members(&request.members)?,
            revision: revision(request.revision),
            reason: words(&request.reason, NOTE_CHARS_MAX, "reason")?,
        })
    }
}

impl TryFrom<pb::WithdrawSquadRequest> for Withdraw {
    type Error = api::Error;

    fn try_from(request: pb::WithdrawSquadRequest) -> Result<Self, api::Error> {
        Ok(Withdraw {
            season: SeasonId::parse(&request.season_id, "season_id")?,
            entrant: entrant(&request.entrant_id)?,
            reason: words(&request.reason, NOTE_CHARS_MAX, "reason")?,
        })
    }
}

impl TryFrom<pb::StayDownRequest> for StayDown {
    type Error = api::Error;

    fn try_from(request: pb::StayDownRequest) -> Result<Self, api::Error> {
        Ok(StayDown {
            season: SeasonId::parse(&request.season_id, "season_id")?,
            entrant: entrant(&request.entrant_id)?,
            stays_down: request.stays_down,
        })
    }
}

/// A page of what belongs to something, and to what.
#[derive(Clone, Debug)]
pub(crate) struct List<I, P> {
    /// Whose.
    pub of: I,
    /// Which part.
    pub page: Page<P>,
}

impl TryFrom<pb::ListLeaguesRequest> for List<FederationId, Uuid> {
    type Error = api::Error;

    fn try_from(it: pb::ListLeaguesRequest) -> Result<Self, api::Error> {
        let of = FederationId::parse(&it.federation_id, "federation_id")?;
        Ok(List { of, page: Page::of(format!("leagues/{of}"), it.page_size, &it.page_token)? })
    }
}

/// Lists of what a league or a season has, in the order of numbers.
macro_rules! lists {
    ($($request:ident: $id:ident $field:ident $list:literal $place:ty;)+) => {$(
        impl TryFrom<pb::$request> for List<$id, $place> {
            type Error = api::Error;

            fn try_from(it: pb::$request) -> Result<Self, api::Error> {
                let of = $id::parse(&it.$field, stringify!($field))?;
                let list = format!(concat!($list, "/{}"), of);
                Ok(List { of, page: Page::of(list, it.page_size, &it.page_token)? })
            }
        }
    )+};
}

lists! {
    ListSeasonsRequest: LeagueId league_id "seasons" u32;
    ListHonoursRequest: LeagueId league_id "honours" u32;
    ListAllTimeRequest: LeagueId league_id "all-time" u32;
    ListSquadsRequest: SeasonId season_id "squads" (u32, u32, Uuid);
    ListSeasonLogRequest: SeasonId season_id "season-log" u64;
}

/// Who plays.
pub(crate) fn entrant(asked: &str) -> Result<EntrantId, api::Error> {
    id(asked, "entrant_id").map(EntrantId)
}

fn schedule(asked: pb::EventSchedule) -> Result<Schedule, api::Error> {
    Schedule::try_from(asked)
        .map_err(|bad| api::Error::invalid(reason::BAD_SEASON, &format!("season.{}", bad.field), bad.detail))
}

fn windows(asked: &[pb::DateRange]) -> Result<Vec<(Date, Date)>, api::Error> {
    if asked.len() > WINDOWS_MAX {
        return Err(api::Error::invalid(reason::BAD_SEASON, "season.windows", "12 at most"));
    }
    let window = |(at, it): (usize, &pb::DateRange)| {
        let of = |text: &str, part: &str| {
            let field = format!("season.windows[{at}].{part}");
            let missing = || api::Error::invalid(reason::BAD_DATE, &field, "a date as 2026-12-31");
            date(text, &field)?.ok_or_else(missing)
        };
        Ok((of(&it.first_date, "first_date")?, of(&it.last_date, "last_date")?))
    };
    asked.iter().enumerate().map(window).collect()
}

/// Spans of time, both ends at whole seconds: nobody reads a fraction of one from a calendar.
fn transfers(asked: &[pb::TransferWindow]) -> Result<Vec<(OffsetDateTime, OffsetDateTime)>, api::Error> {
    let bad = |at: usize, text: &str| {
        api::Error::invalid(reason::BAD_SEASON, &format!("season.transfer_windows[{at}]"), text)
    };
    if asked.len() > WINDOWS_MAX {
        return Err(api::Error::invalid(reason::BAD_SEASON, "season.transfer_windows", "12 at most"));
    }
    let window = |(at, it): (usize, &pb::TransferWindow)| {
        let (opens, closes) = transfers_of(it).ok_or_else(|| bad(at, "when it opens and when it closes"))?;
        let whole = [opens, closes].into_iter().all(|it| it.nanosecond() == 0);
        if whole { Ok((opens, closes)) } else { Err(bad(at, "whole seconds")) }
    };
    asked.iter().enumerate().map(window).collect()
}
