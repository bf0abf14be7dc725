//! Numbers that stand for nothing: no request takes one for something else, or for nothing at all.

use api::federation::v1 as pb;
use prost_types::FieldMask;

use crate::fixture::{enrolment, fixtures, name, reason};

/// The number of no value of any enum.
const NOTHING: i32 = 99;

#[tokio::test]
async fn a_number_that_stands_for_nothing_is_refused_wherever_it_is_read() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let (founder, id) = (&federation.founder, &federation.id);
        let member = founder.member(id, "Anna").await.member_id;
        let mut enrolled = enrolment(id, "Bob");
        enrolled.member.as_mut().expect("present").sex = NOTHING;
        assert_eq!(reason(founder.enrol(enrolled).await), "UNKNOWN_VALUE", "{}", fixture.kind);
        let edit = pb::UpdateMemberRequest {
            member: Some(pb::Member { member_id: member.clone(), sex: NOTHING, ..Default::default() }),
            update_mask: Some(FieldMask { paths: vec!["sex".to_owned()] }),
            request_id: founder.request(),
            validate_only: false,
        };
        assert_eq!(reason(founder.federations.clone().update_member(edit).await), "UNKNOWN_VALUE");
        let list = pb::ListMembersRequest { federation_id: id.clone(), state: NOTHING, ..Default::default() };
        assert_eq!(reason(founder.federations.clone().list_members(list).await), "UNKNOWN_VALUE");
        let team = pb::Team {
            federation_id: id.clone(),
            name: name("Lions", ""),
            members: vec![pb::TeamMember { member_id: member, part: NOTHING }],
            ..Default::default()
        };
        let form = pb::CreateTeamRequest {
            team: Some(team.clone()),
            request_id: founder.request(),
            validate_only: false,
        };
        assert_eq!(reason(founder.federations.clone().create_team(form).await), "UNKNOWN_VALUE");
        let edit = pb::UpdateTeamRequest {
            team: Some(pb::Team { team_id: founder.request(), ..team }),
            request_id: founder.request(),
            ..Default::default()
        };
        assert_eq!(reason(founder.federations.clone().update_team(edit).await), "UNKNOWN_VALUE");
        let mut membership = founder.membership.clone();
        let list = pb::ListApplicationsRequest { answer: NOTHING, ..Default::default() };
        assert_eq!(reason(membership.list_applications(list).await), "UNKNOWN_VALUE");
        let list = pb::ListInvitationsRequest { answer: NOTHING, ..Default::default() };
        assert_eq!(reason(membership.list_invitations(list).await), "UNKNOWN_VALUE");
        let grant = pb::GrantOfficialRequest {
            federation_id: id.clone(),
            account_id: founder.id(),
            role: NOTHING,
            request_id: founder.request(),
            validate_only: false,
        };
        assert_eq!(reason(membership.grant_official(grant).await), "BAD_ROLE");
        let revoke = pb::RevokeOfficialRequest {
            federation_id: id.clone(),
            account_id: founder.id(),
            role: NOTHING,
            request_id: founder.request(),
            validate_only: false,
        };
        assert_eq!(reason(membership.revoke_official(revoke).await), "BAD_ROLE");
    }
}
