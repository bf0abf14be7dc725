//! Members: who is told what, doubles at the door, leaving, coming back, being forgotten.

use std::collections::BTreeMap;

use api::federation::v1 as pb;
use prost_types::FieldMask;

use crate::fixture::{Person, enrolment, fixtures, name, reason};

fn full(federation: &str) -> pb::CreateMemberRequest {
    let mut request = enrolment(federation, "བཀྲ་ཤིས");
    request.member = request.member.map(|member| pb::Member {
        name: name("བཀྲ་ཤིས", "Tashi"),
        sex: pb::Sex::Female.into(),
        birth_date: "2001-12-31".to_owned(),
        grade: "业余5段".to_owned(),
        numbers: BTreeMap::from([("fide".to_owned(), "8600001".to_owned())]),
        note: "tashi@example.org".to_owned(),
        ..member
    });
    request
}

#[tokio::test]
async fn what_is_private_is_told_to_administrators_and_the_person() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let founder = &federation.founder;
        let member = founder.enrol(full(&federation.id)).await.expect("a member");
        let (herself, arbiter, anybody) =
            (fixture.person("tashi"), fixture.person("arbiter"), fixture.person("bob"));
        founder.bind(&member.member_id, &herself.id()).await.expect("bound");
        founder.appoint(&federation.id, &arbiter.id(), pb::OfficialRole::Arbiter).await.expect("appointed");
        let told = async |person: &Person| {
            let member = person.get(&member.member_id).await;
            assert_eq!(member.name, name("བཀྲ་ཤིས", "Tashi"));
            assert_eq!((member.grade.as_str(), member.numbers.len()), ("业余5段", 1));
            (!member.birth_date.is_empty(), !member.note.is_empty(), !member.account_id.is_empty())
        };
        assert_eq!(told(founder).await, (true, true, true), "{}", fixture.kind);
        assert_eq!(told(&herself).await, (true, true, true));
        assert_eq!(told(&arbiter).await, (false, false, true));
        assert_eq!(told(&anybody).await, (false, false, false));
        let list = |account: &Person| pb::ListMembersRequest {
            federation_id: federation.id.clone(),
            account_id: account.id(),
            ..Default::default()
        };
        let seen = anybody.federations.clone().list_members(list(&herself)).await;
        assert_eq!(reason(seen), "NOT_AN_OFFICIAL", "nobody finds out whose an account is");
        assert_eq!(herself.members(list(&herself)).await.len(), 1);
        assert_eq!(arbiter.members(list(&herself)).await.len(), 1);
        let mine = herself.membership.clone().list_my_members(pb::ListMyMembersRequest::default()).await;
        assert_eq!(mine.expect("a list").into_inner().members[0].birth_date, "2001-12-31");
    }
}

#[tokio::test]
async fn nobody_is_a_member_twice() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let founder = &federation.founder;
        let member = founder.enrol(full(&federation.id)).await.expect("a member");
        let status = founder.enrol(full(&federation.id)).await.expect_err("the same number");
        assert_eq!(api::error::reason(&status), "NUMBER_TAKEN");
        assert_eq!(api::error::metadata(&status, "member_id"), Some(member.member_id.clone()));
        let mut same = full(&federation.id);
        same.member.as_mut().expect("present").numbers.clear();
        assert_eq!(reason(founder.enrol(same.clone()).await), "MEMBER_EXISTS", "{}", fixture.kind);
        same.namesake = true;
        founder.enrol(same).await.expect("it is said that it is another");
        let mut older = full(&federation.id);
        let asked = older.member.as_mut().expect("present");
        asked.numbers.clear();
        asked.birth_date = "1951-12-31".to_owned();
        founder.enrol(older).await.expect("a mother of the same name");
        let other = fixture.federation().await;
        other.founder.enrol(full(&other.id)).await.expect("a person may be in several federations");
    }
}

#[tokio::test]
async fn an_account_is_one_member_of_a_federation() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let founder = &federation.founder;
        let person = fixture.person("tashi");
        let (one, other) =
            (founder.member(&federation.id, "Tashi").await, founder.member(&federation.id, "Dolma").await);
        founder.bind(&one.member_id, &person.id()).await.expect("bound");
        assert_eq!(
            reason(founder.bind(&other.member_id, &person.id()).await),
            "ACCOUNT_BOUND",
            "{}",
            fixture.kind
        );
        let second = fixture.person("second");
        assert_eq!(reason(founder.bind(&one.member_id, &second.id()).await), "ACCOUNT_BOUND");
        assert_eq!(reason(founder.bind(&other.member_id, &fixture.guest().id()).await), "GUEST");
        assert_eq!(reason(founder.bind(&other.member_id, &founder.request()).await), "UNKNOWN_ACCOUNT");
        assert_eq!(reason(person.bind(&other.member_id, "").await), "NOT_AN_OFFICIAL");
        founder.bind(&one.member_id, "").await.expect("taken away");
        founder.bind(&other.member_id, &person.id()).await.expect("and given to another");
        fixture.identity.knowledge().is_down = true;
        assert_eq!(reason(founder.bind(&one.member_id, &second.id()).await), "IDENTITY_UNAVAILABLE");
    }
}

#[tokio::test]
async fn members_are_changed_by_mask_and_found_by_their_names() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let founder = &federation.founder;
        let member = founder.enrol(full(&federation.id)).await.expect("a member");
        let mut asked = pb::UpdateMemberRequest {
            member: Some(pb::Member {
                member_id: member.member_id.clone(),
                name: name("དོན་གྲུབ", "Döndrub"),
                ..Default::default()
            }),
            update_mask: Some(FieldMask { paths: vec!["name".to_owned(), "birth_date".to_owned()] }),
            request_id: founder.request(),
            ..Default::default()
        };
        let changed = founder.federations.clone().update_member(asked.clone()).await.expect("changed");
        let changed = changed.into_inner().member.expect("present");
        assert_eq!(
            (changed.birth_date.as_str(), changed.grade.as_str()),
            ("", "业余5段"),
            "{}",
            fixture.kind
        );
        for (prefix, count) in [("dond", 1), ("DÖN", 1), ("དོན", 1), ("tash", 0), ("\u{10FFFF}", 0)] {
            let request = pb::ListMembersRequest {
                federation_id: federation.id.clone(),
                name_prefix: prefix.to_owned(),
                ..Default::default()
            };
            let found = fixture.stranger().list_members(request).await;
            let count_found = found.map(|answer| answer.into_inner().members.len()).unwrap_or_default();
            assert_eq!(count_found, count, "{prefix}");
        }
        for (paths, numbers, why) in [
            (vec!["numbers"], BTreeMap::from([("FIDE".to_owned(), "1".to_owned())]), "BAD_MEMBER"),
            (vec!["account_id"], BTreeMap::new(), "BAD_FIELD_MASK"),
        ] {
            asked.update_mask = Some(FieldMask { paths: paths.into_iter().map(str::to_owned).collect() });
            asked.member.as_mut().expect("present").numbers = numbers;
            asked.request_id = founder.request();
            assert_eq!(reason(founder.federations.clone().update_member(asked.clone()).await), why);
        }
    }
}

#[tokio::test]
async fn members_leave_and_come_back() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let founder = &federation.founder;
        let member = founder.member(&federation.id, "Tashi").await.member_id;
        let leave = |person: &Person| pb::DeleteMemberRequest {
            member_id: member.clone(),
            request_id: person.request(),
            ..Default::default()
        };
        let bob = fixture.person("bob");
        assert_eq!(reason(bob.federations.clone().delete_member(leave(&bob)).await), "NOT_AN_OFFICIAL");
        founder.bind(&member, &bob.id()).await.expect("it is Bob's");
        let left = bob.federations.clone().delete_member(leave(&bob)).await.expect("of his own will");
        assert_eq!(
            left.into_inner().member.expect("present").state(),
            pb::MemberState::Left,
            "{}",
            fixture.kind
        );
        assert_eq!(
            reason(founder.federations.clone().delete_member(leave(founder)).await),
            "MEMBER_NOT_ACTIVE"
        );
        let back = |person: &Person| pb::ReadmitMemberRequest {
            member_id: member.clone(),
            request_id: person.request(),
            ..Default::default()
        };
        assert_eq!(reason(bob.federations.clone().readmit_member(back(&bob)).await), "NOT_AN_OFFICIAL");
        founder.federations.clone().readmit_member(back(founder)).await.expect("he is back");
        assert_eq!(reason(founder.federations.clone().readmit_member(back(founder)).await), "MEMBER_EXISTS");
    }
}

#[tokio::test]
async fn of_a_forgotten_person_the_id_is_left() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let founder = &federation.founder;
        let member = founder.enrol(full(&federation.id)).await.expect("a member").member_id;
        let herself = fixture.person("tashi");
        founder.bind(&member, &herself.id()).await.expect("bound");
        let erase = |person: &Person| pb::EraseMemberRequest {
            member_id: member.clone(),
            request_id: person.request(),
            ..Default::default()
        };
        let bob = fixture.person("bob");
        assert_eq!(reason(bob.federations.clone().erase_member(erase(&bob)).await), "NOT_AN_OFFICIAL");
        herself.federations.clone().erase_member(erase(&herself)).await.expect("forgotten");
        let left = founder.get(&member).await;
        let expected = pb::Member {
            member_id: member.clone(),
            federation_id: federation.id.clone(),
            state: pb::MemberState::Erased.into(),
            join_date: left.join_date.clone(),
            revision: left.revision,
            ..Default::default()
        };
        assert_eq!(left, expected, "{}", fixture.kind);
        let back = pb::ReadmitMemberRequest {
            member_id: member.clone(),
            request_id: founder.request(),
            ..Default::default()
        };
        assert_eq!(reason(founder.federations.clone().readmit_member(back).await), "MEMBER_NOT_ACTIVE");
        founder.enrol(full(&federation.id)).await.expect("the name and the number are nobody's");
        let last = founder.member(&federation.id, "Last").await.member_id;
        let end = pb::DeleteFederationRequest {
            federation_id: federation.id.clone(),
            request_id: founder.request(),
            ..Default::default()
        };
        founder.federations.clone().delete_federation(end).await.expect("dissolved");
        let erase =
            pb::EraseMemberRequest { member_id: last, request_id: founder.request(), ..Default::default() };
        founder.federations.clone().erase_member(erase).await.expect("also of a dissolved federation");
    }
}
