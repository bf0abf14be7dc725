//! Teams between protos and `core`.

use api::{ProtoEnum as _, federation::v1 as pb, proto_enum, reason, time::timestamp};
use chassis::{
    id::{FederationId, MemberId, TeamId},
    page::Page,
};
use uuid::Uuid;

use super::fields::{Mask, club, member, name, required, revision, told_name, told_revision, words};
use crate::core::{
    limits::{NAME_CHARS_MAX, TEAM_MEMBERS_MAX},
    team::{Disband, Edit, Filter, Form, Part, Team},
};

proto_enum!(Part = pb::TeamPart { Player, Substitute });

/// The teams that are asked for.
#[derive(Clone, Debug)]
pub(crate) struct List {
    /// Which.
    pub filter: Filter,
    /// Which part.
    pub page: Page<Uuid>,
}

impl TryFrom<pb::CreateTeamRequest> for Form {
    type Error = api::Error;

    fn try_from(request: pb::CreateTeamRequest) -> Result<Self, api::Error> {
        let asked = request.team.unwrap_or_default();
        Ok(Form {
            federation: FederationId::parse(&asked.federation_id, "team.federation_id")?,
            name: name(asked.name.as_ref(), "team.name")?,
            club: club(&asked.club_id, "team.club_id")?,
            captain: member(&asked.captain_id, "team.captain_id")?,
            members: members(&asked.members)?,
        })
    }
}

impl TryFrom<pb::UpdateTeamRequest> for Edit {
    type Error = api::Error;

    fn try_from(request: pb::UpdateTeamRequest) -> Result<Self, api::Error> {
        let asked = required(request.team, "team")?;
        let fields = [
            ("name", asked.name.is_some()),
            ("club_id", !asked.club_id.is_empty()),
            ("captain_id", !asked.captain_id.is_empty()),
            ("members", !asked.members.is_empty()),
        ];
        let mask = Mask::of(request.update_mask.as_ref(), &fields)?;
        Ok(Edit {
            id: TeamId::parse(&asked.team_id, "team.team_id")?,
            revision: revision(asked.revision),
            name: mask.get("name", || name(asked.name.as_ref(), "team.name"))?,
            club: mask.get("club_id", || club(&asked.club_id, "team.club_id"))?,
            captain: mask.get("captain_id", || member(&asked.captain_id, "team.captain_id"))?,
            members: mask.get("members", || members(&asked.members))?,
        })
    }
}

impl TryFrom<pb::DeleteTeamRequest> for Disband {
    type Error = api::Error;

    fn try_from(request: pb::DeleteTeamRequest) -> Result<Self, api::Error> {
        Ok(Disband { id: TeamId::parse(&request.team_id, "team_id")?, revision: revision(request.revision) })
    }
}

impl TryFrom<pb::ListTeamsRequest> for List {
    type Error = api::Error;

    fn try_from(request: pb::ListTeamsRequest) -> Result<Self, api::Error> {
        let filter = Filter {
            federation: FederationId::parse(&request.federation_id, "federation_id")?,
            club: club(&request.club_id, "club_id")?,
            member: member(&request.member_id, "member_id")?,
            prefix: words(&request.name_prefix, NAME_CHARS_MAX, "name_prefix")?,
            disbanded: request.show_disbanded,
        };
        let page = Page::of(format!("teams/{filter:?}"), request.page_size, &request.page_token)?;
        Ok(List { filter, page })
    }
}

impl From<&Team> for pb::Team {
    fn from(team: &Team) -> Self {
        let member = |(member, part): &(MemberId, Part)| pb::TeamMember {
            member_id: member.to_string(),
            part: part.number(),
        };
        pb::Team {
            team_id: team.id.to_string(),
            federation_id: team.federation.to_string(),
            name: told_name(&team.name),
            club_id: team.club.map(|club| club.to_string()).unwrap_or_default(),
            captain_id: team.captain.map(|captain| captain.to_string()).unwrap_or_default(),
            members: team.members.iter().map(member).collect(),
            create_time: Some(timestamp(team.made)),
            disband_time: team.disbanded.map(timestamp),
            revision: told_revision(team.revision),
        }
    }
}

/// Whoever is not said to be a substitute plays.
fn members(asked: &[pb::TeamMember]) -> Result<Vec<(MemberId, Part)>, api::Error> {
    if asked.len() > TEAM_MEMBERS_MAX {
        return Err(api::Error::invalid(reason::BAD_TEAM, "team.members", "50 at most"));
    }
    let read = |(at, member): (usize, &pb::TeamMember)| {
        let id = MemberId::parse(&member.member_id, &format!("team.members[{at}].member_id"))?;
        let part = Option::<Part>::of(member.part).ok_or_else(|| {
            let field = format!("team.members[{at}].part");
            api::Error::invalid(reason::UNKNOWN_VALUE, &field, "player or substitute")
        })?;
        Ok((id, part.unwrap_or(Part::Player)))
    };
    asked.iter().enumerate().map(read).collect()
}
