//! Seasons, as they are told and as they are stored.

use api::{
    DecodeError, ProtoEnum as _,
    federation::v1 as pb,
    proto_enum,
    time::{moment, timestamp},
};
use chassis::id::SeasonId;
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::{
    core::{
        day,
        event::Schedule,
        league::{EntrantId, Season, State, Tie, division_event},
        name::Name,
    },
    wire::fields::{told_name, told_revision},
};

proto_enum!(State = pb::SeasonState { Draft, Registration, Running, PlayOffs, Closed, Abandoned });

impl From<&Season> for pb::Season {
    fn from(it: &Season) -> pb::Season {
        let division = |(division, name): (u32, &Name)| pb::SeasonDivision {
            division,
            name: told_name(name),
            event_id: division_event(it.id, division).to_string(),
        };
        let window = |(first, last): &(Date, Date)| pb::DateRange {
            first_date: day::text(*first),
            last_date: day::text(*last),
        };
        pb::Season {
            season_id: it.id.to_string(),
            league_id: it.league.to_string(),
            federation_id: it.federation.to_string(),
            name: told_name(&it.name),
            number: it.number,
            state: it.state.number(),
            rules_version: it.version,
            from_season_id: it.from.map(|from| from.to_string()).unwrap_or_default(),
            schedule: it.schedule.as_ref().map(Into::into),
            windows: it.windows.iter().map(window).collect(),
            eligible_since_date: it.eligible_since.map(day::text).unwrap_or_default(),
            divisions: (1..).zip(&it.divisions).map(division).collect(),
            play_offs: it.ties.iter().map(|(tie, event)| tie_told(tie, *event)).collect(),
            outcome: None,
            outcome_digest: Vec::new(),
            create_time: Some(timestamp(it.made)),
            revision: told_revision(it.revision),
            transfer_windows: it.transfers.iter().map(transfer_window).collect(),
        }
    }
}

/// A season as it is stored.
impl TryFrom<pb::Season> for Season {
    type Error = DecodeError;

    fn try_from(it: pb::Season) -> Result<Season, DecodeError> {
        let window = |it: pb::DateRange| Some((day::parse(&it.first_date)?, day::parse(&it.last_date)?));
        let windows: Option<Vec<_>> = it.windows.into_iter().map(window).collect();
        let transfers: Option<Vec<_>> = it.transfer_windows.iter().map(transfers_of).collect();
        let stored_name = |it: Option<pb::Name>| {
            it.map(|it| Name { native: it.native, latin: it.latin }).unwrap_or_default()
        };
        let schedule = it.schedule.map(Schedule::try_from).transpose();
        Ok(Season {
            id: id(&it.season_id)?,
            league: id(&it.league_id)?,
            federation: id(&it.federation_id)?,
            name: stored_name(it.name),
            number: it.number,
            state: State::of(it.state).ok_or(DecodeError("the state of a season"))?,
            version: it.rules_version,
            from: optional(&it.from_season_id, id::<SeasonId>)?,
            schedule: schedule.map_err(|_| DecodeError("the schedule of a season"))?,
            windows: windows.ok_or(DecodeError("a window"))?,
            transfers: transfers.ok_or(DecodeError("a transfer window"))?,
            eligible_since: optional(&it.eligible_since_date, |text| {
                day::parse(text).ok_or(DecodeError("a day"))
            })?,
            made: it.create_time.as_ref().and_then(moment).ok_or(DecodeError("when a season was made"))?,
            revision: it.revision.cast_signed(),
            divisions: it.divisions.into_iter().map(|it| stored_name(it.name)).collect(),
            ties: it.play_offs.iter().map(tie_of).collect::<Result<_, _>>()?,
        })
    }
}

fn transfer_window((opens, closes): &(OffsetDateTime, OffsetDateTime)) -> pb::TransferWindow {
    pb::TransferWindow { open_time: Some(timestamp(*opens)), close_time: Some(timestamp(*closes)) }
}

/// From when until when, where both are said.
pub(super) fn transfers_of(it: &pb::TransferWindow) -> Option<(OffsetDateTime, OffsetDateTime)> {
    Some((it.open_time.as_ref().and_then(moment)?, it.close_time.as_ref().and_then(moment)?))
}

pub(super) fn id<T: From<Uuid>>(text: &str) -> Result<T, DecodeError> {
    Uuid::try_parse(text).map(T::from).map_err(|_| DecodeError("an id"))
}

pub(super) fn entrant(text: &str) -> Result<EntrantId, DecodeError> {
    Uuid::try_parse(text).map(EntrantId).map_err(|_| DecodeError("an id"))
}

fn optional<T>(text: &str, read: impl Fn(&str) -> Result<T, DecodeError>) -> Result<Option<T>, DecodeError> {
    if text.is_empty() { Ok(None) } else { read(text).map(Some) }
}

pub(super) fn tie_told(tie: &Tie, event: chassis::id::EventId) -> pb::SeasonPlayOff {
    pb::SeasonPlayOff {
        upper_division: u32::try_from(tie.upper_division + 1).unwrap_or(u32::MAX),
        upper_entrant_id: tie.upper.to_string(),
        lower_entrant_id: tie.lower.to_string(),
        event_id: event.to_string(),
    }
}

pub(super) fn tie_of(it: &pb::SeasonPlayOff) -> Result<(Tie, chassis::id::EventId), DecodeError> {
    let upper_division = (it.upper_division as usize).checked_sub(1).ok_or(DecodeError("a division"))?;
    let tie =
        Tie { upper_division, upper: entrant(&it.upper_entrant_id)?, lower: entrant(&it.lower_entrant_id)? };
    Ok((tie, id(&it.event_id)?))
}
