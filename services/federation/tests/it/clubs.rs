//! Clubs, and who is in them when.

use std::time::Duration;

use api::federation::v1 as pb;
use tonic::Status;

use crate::fixture::{Person, enrolment, fixtures, name, reason};

async fn transfer(person: &Person, member: &str, club: &str, day: &str) -> Result<pb::Member, Status> {
    let request = pb::TransferMemberRequest {
        member_id: member.to_owned(),
        club_id: club.to_owned(),
        from_date: day.to_owned(),
        request_id: person.request(),
        ..Default::default()
    };
    let answer = person.federations.clone().transfer_member(request).await?;
    Ok(answer.into_inner().member.expect("present"))
}

#[tokio::test]
async fn clubs_are_made_changed_and_closed() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let (founder, id) = (&federation.founder, &federation.id);
        let club = founder.club(id, "阿坝").await.expect("a club");
        assert_eq!(reason(founder.club(id, "阿坝").await), "ORGANISATION_NAME_TAKEN", "{}", fixture.kind);
        assert_eq!(reason(fixture.person("bob").club(id, "Lhasa").await), "NOT_AN_OFFICIAL");
        let request = pb::UpdateClubRequest {
            club: Some(pb::Club {
                club_id: club.club_id.clone(),
                name: name("阿坝州", "Aba"),
                place: "Tea house".to_owned(),
                ..Default::default()
            }),
            request_id: founder.request(),
            ..Default::default()
        };
        let changed = founder.federations.clone().update_club(request).await.expect("changed").into_inner();
        assert_eq!(changed.club.expect("present").place, "Tea house");
        let list = |prefix: &str| pb::ListClubsRequest {
            federation_id: id.clone(),
            name_prefix: prefix.to_owned(),
            ..Default::default()
        };
        for (prefix, count) in [("ab", 1), ("club", 0), ("阿坝州", 1)] {
            let found = fixture.stranger().list_clubs(list(prefix)).await.expect("a list").into_inner();
            assert_eq!(found.clubs.len(), count, "{prefix}: old names find nothing");
        }
        let close = || pb::DeleteClubRequest {
            club_id: club.club_id.clone(),
            request_id: founder.request(),
            ..Default::default()
        };
        let enrolled = pb::CreateMemberRequest { club_id: club.club_id.clone(), ..enrolment(id, "Tashi") };
        let member = founder.enrol(enrolled).await.expect("a member");
        assert_eq!(reason(founder.federations.clone().delete_club(close()).await), "CLUB_NOT_EMPTY");
        transfer(founder, &member.member_id, "", "").await.expect("he is in none");
        let closed = founder.federations.clone().delete_club(close()).await.expect("closed").into_inner();
        assert!(closed.club.expect("present").close_time.is_some());
        assert_eq!(
            reason(transfer(founder, &member.member_id, &club.club_id, "").await),
            "ORGANISATION_ENDED"
        );
        founder.club(id, "阿坝州").await.expect("the name is free again");
    }
}

#[tokio::test]
async fn who_was_where_on_a_day_can_be_asked() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let (founder, id) = (&federation.founder, &federation.id);
        let (one, other) =
            (founder.club(id, "One").await.expect("a club"), founder.club(id, "Two").await.expect("a club"));
        let mut enrolled = pb::CreateMemberRequest { club_id: one.club_id.clone(), ..enrolment(id, "Tashi") };
        enrolled.join_date = "2026-01-01".to_owned();
        let member = founder.enrol(enrolled).await.expect("a member").member_id;
        let moved = transfer(founder, &member, &other.club_id, "2026-07-01").await.expect("transferred");
        assert_eq!(moved.stays.len(), 2);
        assert_eq!((moved.stays[0].to_date.as_str(), moved.stays[1].to_date.as_str()), ("2026-07-01", ""));
        for (club, day, count) in [
            (&one, "2025-12-31", 0),
            (&one, "2026-01-01", 1),
            (&one, "2026-06-30", 1),
            (&one, "2026-07-01", 0),
            (&other, "2026-06-30", 0),
            (&other, "2026-07-01", 1),
            (&other, "", 1),
        ] {
            let request = pb::ListMembersRequest {
                federation_id: id.clone(),
                club_id: club.club_id.clone(),
                as_of_date: day.to_owned(),
                ..Default::default()
            };
            assert_eq!(founder.members(request).await.len(), count, "{}: {day}", fixture.kind);
        }
        assert_eq!(reason(transfer(founder, &member, &other.club_id, "").await), "ALREADY_IN_CLUB");
        assert_eq!(reason(transfer(founder, &member, &one.club_id, "2026-06-01").await), "BAD_DATE");
        assert_eq!(reason(transfer(founder, &member, &one.club_id, "1. 7. 2026").await), "BAD_DATE");
        assert_eq!(reason(transfer(founder, &member, &one.club_id, "2099-01-01").await), "BAD_DATE");
        assert_eq!(reason(transfer(&fixture.person("bob"), &member, "", "").await), "NOT_AN_OFFICIAL");
        let foreign = fixture.federation().await;
        let foreign = foreign.founder.club(&foreign.id, "Three").await.expect("a club");
        assert_eq!(reason(transfer(founder, &member, &foreign.club_id, "").await), "UNKNOWN_CLUB");
        fixture.time.advance(Duration::from_hours(24));
        let left = pb::DeleteMemberRequest {
            member_id: member.clone(),
            request_id: founder.request(),
            ..Default::default()
        };
        founder.federations.clone().delete_member(left).await.expect("he left");
        let after = founder.get(&member).await;
        assert_eq!(after.stays[1].to_date, after.leave_date);
    }
}
