//! Who is there.

use api::{ProtoEnum as _, game::v1 as pb};
use rules::Side;

use super::{DecodeError, moment, optional_moment};
use crate::core::{Absence, Presence};

/// The absences.
pub(super) fn absences(presence: &Presence) -> Vec<pb::Absence> {
    let absence = |side: Side| {
        presence.absence(side).map(|absence| pb::Absence {
            side: side.number(),
            since_time: Some(api::time::timestamp(absence.since)),
            claim_time: absence.claim.map(api::time::timestamp),
        })
    };
    Side::BOTH.into_iter().filter_map(absence).collect()
}

/// How often each side has left; nothing when nobody ever has.
pub(super) fn departures(presence: &Presence) -> Vec<u32> {
    if presence.departures == [0; 2] { Vec::new() } else { presence.departures.to_vec() }
}

impl TryFrom<&pb::Progress> for Presence {
    type Error = DecodeError;

    fn try_from(progress: &pb::Progress) -> Result<Self, DecodeError> {
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
}
