//! Doubles that are made one.

use std::collections::BTreeMap;

use api::federation::v1 as pb;
use tonic::Status;

use crate::fixture::{Person, enrolment, fixtures, reason};

async fn merge(person: &Person, keep: &str, double: &str) -> Result<pb::Member, Status> {
    let request = pb::MergeMembersRequest {
        keep_id: keep.to_owned(),
        double_id: double.to_owned(),
        request_id: person.request(),
        validate_only: false,
    };
    let answer = person.federations.clone().merge_members(request).await?;
    Ok(answer.into_inner().member.expect("present"))
}

#[tokio::test]
async fn what_the_double_has_moves_and_its_id_leads_on() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let (founder, id) = (&federation.founder, &federation.id);
        let club = founder.club(id, "Club").await.expect("a club");
        let keep = founder.member(id, "Tashi Delek").await.member_id;
        let mut asked = enrolment(id, "Tashi D");
        asked.club_id = club.club_id.clone();
        let member = asked.member.as_mut().expect("present");
        member.birth_date = "2001-12-31".to_owned();
        member.numbers = BTreeMap::from([("egd".to_owned(), "77".to_owned())]);
        let double = founder.enrol(asked).await.expect("a double").member_id;
        let account = fixture.person("tashi");
        founder.bind(&double, &account.id()).await.expect("bound");
        let team = pb::Team {
            federation_id: id.clone(),
            name: crate::fixture::name("Snow Lions", ""),
            captain_id: double.clone(),
            members: vec![pb::TeamMember { member_id: double.clone(), part: 0 }],
            ..Default::default()
        };
        let request =
            pb::CreateTeamRequest { team: Some(team), request_id: founder.request(), validate_only: false };
        let team = founder.federations.clone().create_team(request).await.expect("a team").into_inner();
        assert_eq!(reason(merge(&fixture.person("bob"), &keep, &double).await), "NOT_AN_OFFICIAL");
        let one = merge(founder, &keep, &double).await.expect("one");
        assert_eq!(one.account_id, account.id(), "{}", fixture.kind);
        assert_eq!((one.birth_date.as_str(), one.stays.len(), one.numbers.len()), ("2001-12-31", 1, 1));
        let left = founder.get(&double).await;
        assert_eq!((left.state(), left.merged_into_id.as_str()), (pb::MemberState::Merged, keep.as_str()));
        let get = pb::GetTeamRequest { team_id: team.team.expect("present").team_id };
        let team = founder.federations.clone().get_team(get).await.expect("a team").into_inner().team;
        let team = team.expect("present");
        assert_eq!((team.captain_id, team.members[0].member_id.clone()), (keep.clone(), keep.clone()));
        assert_eq!(reason(merge(founder, &keep, &double).await), "MEMBER_NOT_ACTIVE");
        assert_eq!(reason(merge(founder, &double, &keep).await), "MEMBER_NOT_ACTIVE", "no loops");
        assert_eq!(reason(merge(founder, &keep, &keep).await), "BAD_MEMBER");
        let third = founder.member(id, "T. Delek").await.member_id;
        merge(founder, &third, &keep).await.expect("one again");
        assert_eq!(founder.get(&double).await.merged_into_id, third, "no way is longer than one step");
    }
}

#[tokio::test]
async fn two_accounts_and_two_federations_are_not_merged() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let (founder, id) = (&federation.founder, &federation.id);
        let (one, other) =
            (founder.member(id, "One").await.member_id, founder.member(id, "Two").await.member_id);
        for member in [&one, &other] {
            founder.bind(member, &fixture.person("somebody").id()).await.expect("bound");
        }
        assert_eq!(reason(merge(founder, &one, &other).await), "ACCOUNTS_DIFFER", "{}", fixture.kind);
        founder.bind(&other, "").await.expect("taken away");
        let foreign = fixture.federation().await;
        let foreign = foreign.founder.member(&foreign.id, "Three").await.member_id;
        assert_eq!(reason(merge(founder, &one, &foreign).await), "BAD_MEMBER");
        assert_eq!(reason(merge(founder, &one, &founder.request()).await), "UNKNOWN_MEMBER");
        merge(founder, &one, &other).await.expect("one");
    }
}
