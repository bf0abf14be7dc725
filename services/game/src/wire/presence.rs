//! Who is there.

use api::game::v1 as pb;
use rules::Side;
use time::OffsetDateTime;

use super::{DecodeError, Numbered as _, moment, optional_moment};
use crate::core::{Absence, EventKind, Presence};

/// The absences, and how often each side has left; nothing of that when nobody ever has.
pub(super) fn presence_to_pb(presence: &Presence) -> (Vec<pb::Absence>, Vec<u32>) {
    let absences = Side::BOTH.into_iter().filter_map(|side| {
        presence.absence(side).map(|absence| pb::Absence {
            side: side.number(),
            since_time: Some(api::time::timestamp(absence.since)),
            claim_time: absence.claim.map(api::time::timestamp),
        })
    });
    let departures = if presence.departures == [0; 2] { Vec::new() } else { presence.departures.to_vec() };
    (absences.collect(), departures)
}

pub(super) fn presence_from_pb(progress: &pb::Progress) -> Result<Presence, DecodeError> {
    let mut presence = Presence::NEW;
    for absence in &progress.absences {
        let side = Side::of(absence.side).ok_or(DecodeError("side of an absence"))?;
        presence.absences[side.index()] = Some(Absence {
            since: moment(absence.since_time.as_ref(), "begin of an absence")?,
            claim: optional_moment(absence.claim_time.as_ref(), "claim time")?,
        });
    }
    presence.departures = match progress.departures.as_slice() {
        [] => [0; 2],
        [first, second] => [*first, *second],
        _ => return Err(DecodeError("departures")),
    };
    Ok(presence)
}

pub(super) fn left_to_pb(since: OffsetDateTime, claim: Option<OffsetDateTime>) -> pb::game_event::Left {
    pb::game_event::Left {
        since_time: Some(api::time::timestamp(since)),
        claim_time: claim.map(api::time::timestamp),
    }
}

pub(super) fn left_from_pb(left: &pb::game_event::Left) -> Result<EventKind, DecodeError> {
    Ok(EventKind::Left {
        since: moment(left.since_time.as_ref(), "begin of an absence")?,
        claim: optional_moment(left.claim_time.as_ref(), "claim time")?,
    })
}
