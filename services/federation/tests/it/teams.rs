//! Teams.

use api::federation::v1 as pb;
use prost_types::FieldMask;
use tonic::Status;

use crate::fixture::{Person, fixtures, name, reason};

pub(crate) fn team(federation: &str, native: &str, captain: &str, members: &[&str]) -> pb::Team {
    pb::Team {
        federation_id: federation.to_owned(),
        name: name(native, ""),
        captain_id: captain.to_owned(),
        members: members.iter().map(|member| player(member)).collect(),
        ..pb::Team::default()
    }
}

pub(crate) fn player(member: &str) -> pb::TeamMember {
    pb::TeamMember { member_id: member.to_owned(), part: pb::TeamPart::Player.into() }
}

pub(crate) async fn form(person: &Person, team: pb::Team) -> Result<pb::Team, Status> {
    let request =
        pb::CreateTeamRequest { team: Some(team), request_id: person.request(), validate_only: false };
    let answer = person.federations.clone().create_team(request).await?;
    Ok(answer.into_inner().team.expect("present"))
}

async fn edit(person: &Person, team: pb::Team, fields: &[&str]) -> Result<pb::Team, Status> {
    let request = pb::UpdateTeamRequest {
        team: Some(team),
        update_mask: Some(FieldMask { paths: fields.iter().map(|field| (*field).to_owned()).collect() }),
        request_id: person.request(),
        validate_only: false,
    };
    let answer = person.federations.clone().update_team(request).await?;
    Ok(answer.into_inner().team.expect("present"))
}

#[tokio::test]
async fn a_team_has_members_of_the_federation_and_one_captain() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let (founder, id) = (&federation.founder, &federation.id);
        let one = founder.member(id, "One").await.member_id;
        let two = founder.member(id, "Two").await.member_id;
        let foreign = fixture.federation().await;
        let foreign = foreign.founder.member(&foreign.id, "Three").await.member_id;
        let made = form(founder, team(id, "Lions", &one, &[&one, &two])).await.expect("a team");
        assert_eq!(made.members, [player(&one), player(&two)], "{}: in the order of boards", fixture.kind);
        for (bad, why) in [
            (team(id, "Lions", "", &[&two]), "ORGANISATION_NAME_TAKEN"),
            (team(id, "Tigers", &one, &[&two]), "BAD_TEAM"),
            (team(id, "Tigers", "", &[&two, &two]), "BAD_TEAM"),
            (team(id, "Tigers", "", &[&foreign]), "UNKNOWN_MEMBER"),
            (team(id, "Tigers", &one, &[&one]), "CAPTAIN_ELSEWHERE"),
            (pb::Team { club_id: foreign.clone(), ..team(id, "Tigers", "", &[]) }, "UNKNOWN_CLUB"),
        ] {
            assert_eq!(reason(form(founder, bad).await), why);
        }
        let list = |member: &str| pb::ListTeamsRequest {
            federation_id: id.clone(),
            member_id: member.to_owned(),
            ..Default::default()
        };
        let count = async |member: &str| {
            fixture.stranger().list_teams(list(member)).await.expect("a list").into_inner().teams.len()
        };
        assert_eq!((count("").await, count(&two).await, count(&foreign).await), (1, 1, 0));
        let left = pb::DeleteMemberRequest {
            member_id: one.clone(),
            request_id: founder.request(),
            ..Default::default()
        };
        founder.federations.clone().delete_member(left).await.expect("he leaves");
        let get = pb::GetTeamRequest { team_id: made.team_id.clone() };
        let after = founder.federations.clone().get_team(get).await.expect("a team").into_inner().team;
        let after = after.expect("present");
        assert_eq!((after.captain_id.as_str(), after.members.len()), ("", 1), "who left plays no more");
        let end = pb::DeleteTeamRequest {
            team_id: made.team_id,
            request_id: founder.request(),
            ..Default::default()
        };
        founder.federations.clone().delete_team(end).await.expect("disbanded");
        assert_eq!(count("").await, 0);
    }
}

#[tokio::test]
async fn a_captain_says_who_plays_in_his_own_team_and_nothing_else() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let (founder, id) = (&federation.founder, &federation.id);
        let (one, two) =
            (founder.member(id, "One").await.member_id, founder.member(id, "Two").await.member_id);
        let (captain, rival) = (fixture.person("captain"), fixture.person("rival"));
        founder.bind(&one, &captain.id()).await.expect("bound");
        founder.bind(&two, &rival.id()).await.expect("bound");
        let lions = form(founder, team(id, "Lions", &one, &[&one])).await.expect("a team");
        form(founder, team(id, "Tigers", &two, &[&two])).await.expect("a team");
        let third = founder.member(id, "Third").await.member_id;
        let line_up = pb::Team { members: vec![player(&one), player(&third)], ..lions.clone() };
        assert_eq!(
            reason(edit(&rival, line_up.clone(), &["members"]).await),
            "NOT_AN_OFFICIAL",
            "{}",
            fixture.kind
        );
        assert_eq!(
            reason(edit(&captain, line_up.clone(), &["members", "captain_id"]).await),
            "NOT_AN_OFFICIAL"
        );
        let changed = edit(&captain, line_up.clone(), &["members"]).await.expect("changed");
        assert_eq!(changed.members.len(), 2);
        assert_eq!(reason(edit(&captain, line_up, &["members"]).await), "REVISION_PASSED");
        founder.bind(&one, "").await.expect("taken away");
        let again = pb::Team { revision: 0, ..changed };
        assert_eq!(reason(edit(&captain, again, &["members"]).await), "NOT_AN_OFFICIAL", "at once");
    }
}
