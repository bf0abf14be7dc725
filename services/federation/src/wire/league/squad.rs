//! Squads.

use api::{ProtoEnum as _, federation::v1 as pb, reason, time::timestamp};
use chassis::id::MemberId;

use crate::{
    core::{event::team::BOARDS_MAX, league::Squad, team::Part},
    wire::fields::told_revision,
};

/// The most that a request names: players of every board, and as many reserves.
const MEMBERS_MAX: usize = 2 * BOARDS_MAX as usize;

impl From<&Squad> for pb::Squad {
    fn from(it: &Squad) -> pb::Squad {
        pb::Squad {
            season_id: it.season.to_string(),
            entrant_id: it.entrant.to_string(),
            division: it.division,
            seed: it.seed,
            registered: it.registered,
            members: told_members(&it.members),
            stays_down: it.stays_down,
            update_time: Some(timestamp(it.updated)),
            revision: told_revision(it.revision),
        }
    }
}

/// Members of a squad as they are told.
pub(super) fn told_members(members: &[(MemberId, Part)]) -> Vec<pb::TeamMember> {
    let member = |(member, part): &(MemberId, Part)| pb::TeamMember {
        member_id: member.to_string(),
        part: part.number(),
    };
    members.iter().map(member).collect()
}

/// The members of a request: whoever is not said to be a reserve plays.
pub(super) fn members(asked: &[pb::TeamMember]) -> Result<Vec<(MemberId, Part)>, api::Error> {
    if asked.len() > MEMBERS_MAX {
        return Err(api::Error::invalid(reason::BAD_SQUAD, "members", format!("{MEMBERS_MAX} at most")));
    }
    let read = |(at, member): (usize, &pb::TeamMember)| {
        let id = MemberId::parse(&member.member_id, &format!("members[{at}].member_id"))?;
        let part = Option::<Part>::of(member.part).ok_or_else(|| {
            let field = format!("members[{at}].part");
            api::Error::invalid(reason::UNKNOWN_VALUE, &field, "player or substitute")
        })?;
        Ok((id, part.unwrap_or(Part::Player)))
    };
    asked.iter().enumerate().map(read).collect()
}
