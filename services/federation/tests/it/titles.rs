//! Titles and grades: proposed by one, awarded by another, kept for ever.

use std::time::Duration;

use api::federation::v1::{self as pb, AwardState, NoticeKind, TitleKind};
use tonic::Status;

use crate::{
    fixture::{Fixture, Founded, Person, fixtures, name, reason},
    held::{begin, change, check, held, play, run, settings},
    notices::told,
    proxies::give,
};

async fn title(person: &Person, federation: &str, native: &str, rank: i32) -> Result<pb::Title, Status> {
    let title = pb::Title {
        federation_id: federation.to_owned(),
        name: name(native, ""),
        kind: TitleKind::Grade.into(),
        rank,
        ..Default::default()
    };
    let request =
        pb::CreateTitleRequest { title: Some(title), request_id: person.request(), validate_only: false };
    let answer = person.titles().create_title(request).await?;
    Ok(answer.into_inner().title.expect("present"))
}

async fn propose(person: &Person, title: &str, member: &str) -> Result<pb::Award, Status> {
    let request = pb::ProposeTitleRequest {
        title_id: title.to_owned(),
        member_id: member.to_owned(),
        reason: "three wins".to_owned(),
        request_id: person.request(),
        ..Default::default()
    };
    Ok(person.titles().propose_title(request).await?.into_inner().award.expect("present"))
}

async fn award(person: &Person, award: &pb::Award, from: &str) -> Result<pb::Award, Status> {
    let request = pb::AwardTitleRequest {
        award_id: award.award_id.clone(),
        effective_date: from.to_owned(),
        request_id: person.request(),
        validate_only: false,
    };
    Ok(person.titles().award_title(request).await?.into_inner().award.expect("present"))
}

async fn refuse(person: &Person, award: &pb::Award, why: &str) -> Result<pb::Award, Status> {
    let (award_id, request_id) = (award.award_id.clone(), person.request());
    let request =
        pb::RefuseTitleRequest { award_id, reason: why.to_owned(), request_id, validate_only: false };
    Ok(person.titles().refuse_title(request).await?.into_inner().award.expect("present"))
}

async fn revoke(person: &Person, award: &pb::Award, why: &str) -> Result<pb::Award, Status> {
    let (award_id, request_id) = (award.award_id.clone(), person.request());
    let request =
        pb::RevokeTitleRequest { award_id, reason: why.to_owned(), request_id, validate_only: false };
    Ok(person.titles().revoke_title(request).await?.into_inner().award.expect("present"))
}

async fn list(person: &Person, federation: &str, state: AwardState) -> Result<Vec<pb::Award>, Status> {
    let request = pb::ListAwardsRequest {
        federation_id: federation.to_owned(),
        state: state.into(),
        ..Default::default()
    };
    Ok(person.titles().list_awards(request).await?.into_inner().awards)
}

/// A federation with a member of its committee, and a member with an account.
async fn people(fixture: &Fixture) -> (Founded, Person, Person, String) {
    let federation = fixture.federation().await;
    let (second, player) = (fixture.person("second"), fixture.person("player"));
    let founder = &federation.founder;
    founder.appoint(&federation.id, &second.id(), pb::OfficialRole::Committee).await.expect("appointed");
    let member = founder.member(&federation.id, "Player").await.member_id;
    founder.bind(&member, &player.id()).await.expect("bound");
    (federation, second, player, member)
}

#[tokio::test]
async fn a_grade_is_proposed_by_one_and_awarded_by_another_and_stands_with_the_member() {
    for fixture in fixtures().await {
        let (federation, second, player, member) = people(&fixture).await;
        let founder = &federation.founder;
        assert_eq!(
            reason(title(&second, &federation.id, "1d", 1).await),
            "NOT_AN_OFFICIAL",
            "{}",
            fixture.kind
        );
        let low = title(founder, &federation.id, "1d", 1).await.expect("a title");
        let high = title(founder, &federation.id, "2d", 2).await.expect("a title");
        assert_eq!(reason(title(founder, &federation.id, "3d", 2).await), "TITLE_EXISTS");
        assert_eq!(reason(title(founder, &federation.id, "a grade of many words", 3).await), "BAD_TITLE");
        let proposed = propose(founder, &high.title_id, &member).await.expect("proposed");
        assert_eq!(reason(propose(&second, &high.title_id, &member).await), "TITLE_PROPOSED");
        assert_eq!(reason(propose(&player, &low.title_id, &member).await), "NOT_AN_OFFICIAL");
        assert_eq!(reason(award(founder, &proposed, "").await), "SECOND_PERSON");
        assert_eq!(reason(award(&player, &proposed, "").await), "NOT_AN_OFFICIAL");
        let tomorrow = (fixture.env.now() + Duration::from_hours(24)).date().to_string();
        assert_eq!(reason(award(&second, &proposed, &tomorrow).await), "BAD_DATE");
        assert_eq!(founder.get(&member).await.grade, "", "until then nothing has changed");
        let awarded = award(&second, &proposed, "2026-01-31").await.expect("awarded");
        assert_eq!((awarded.state(), &*awarded.effective_date), (AwardState::Awarded, "2026-01-31"));
        assert_eq!(founder.get(&member).await.grade, "2d");
        assert_eq!(reason(award(&second, &proposed, "").await), "ALREADY_ANSWERED");
        assert_eq!(reason(propose(founder, &high.title_id, &member).await), "TITLE_HELD");
        let lower = propose(&second, &low.title_id, &member).await.expect("proposed");
        award(founder, &lower, "").await.expect("awarded");
        assert_eq!(founder.get(&member).await.grade, "2d", "the best stays");
        assert_eq!(reason(revoke(founder, &awarded, "").await), "BAD_TITLE");
        let revoked = revoke(founder, &awarded, "by mistake").await.expect("revoked");
        assert_eq!(
            (revoked.state(), founder.get(&member).await.grade),
            (AwardState::Revoked, "1d".to_owned())
        );
        revoke(&second, &lower, "by mistake, too").await.expect("revoked");
        assert_eq!(founder.get(&member).await.grade, "");
        let kinds: Vec<NoticeKind> = told(&player).await.iter().map(pb::Notice::kind).collect();
        let (given, taken) = (NoticeKind::TitleAwarded, NoticeKind::TitleRevoked);
        assert_eq!(kinds, [given, given, taken, taken], "{}", fixture.kind);
    }
}

#[tokio::test]
async fn who_acts_for_a_member_awards_him_nothing_and_who_has_proposed_takes_it_back() {
    for fixture in fixtures().await {
        let (federation, second, player, member) = people(&fixture).await;
        let founder = &federation.founder;
        let grade = title(founder, &federation.id, "1d", 1).await.expect("a title");
        let proposed = propose(founder, &grade.title_id, &member).await.expect("proposed");
        give(&player, &member, &second.id(), "").await.expect("he acts for him");
        assert_eq!(reason(award(&second, &proposed, "").await), "SECOND_PERSON", "{}", fixture.kind);
        assert_eq!(reason(refuse(founder, &proposed, "").await), "BAD_TITLE");
        let refused = refuse(founder, &proposed, "too early").await.expect("taken back");
        assert_eq!((refused.state(), &*refused.refusal), (AwardState::Refused, "too early"));
        let retire = pb::RetireTitleRequest {
            title_id: grade.title_id.clone(),
            request_id: founder.request(),
            validate_only: false,
        };
        founder.titles().retire_title(retire).await.expect("retired");
        assert_eq!(reason(propose(founder, &grade.title_id, &member).await), "ORGANISATION_ENDED");
        title(founder, &federation.id, "1d", 1).await.expect("in its place");
    }
}

#[tokio::test]
async fn proposals_are_for_officials_and_the_member_and_why_is_theirs_alone() {
    for fixture in fixtures().await {
        let (federation, second, player, member) = people(&fixture).await;
        let (founder, anybody) = (&federation.founder, fixture.person("anybody"));
        let grade = title(founder, &federation.id, "1d", 1).await.expect("a title");
        let proposed = propose(founder, &grade.title_id, &member).await.expect("proposed");
        let show = async |person: &Person| {
            let request = pb::GetAwardRequest { award_id: proposed.award_id.clone() };
            let answer = person.titles().get_award(request).await;
            answer.map(|answer| answer.into_inner().award.expect("present"))
        };
        assert_eq!(reason(show(&anybody).await), "UNKNOWN_AWARD", "{}", fixture.kind);
        let listed = list(&anybody, &federation.id, AwardState::Proposed).await;
        assert_eq!(reason(listed), "NOT_AN_OFFICIAL");
        assert_eq!(show(&player).await.expect("his own").reason, "three wins");
        award(&second, &proposed, "").await.expect("awarded");
        assert_eq!(show(&anybody).await.expect("public").reason, "");
        assert_eq!(list(&anybody, &federation.id, AwardState::Awarded).await.expect("a list").len(), 1);
        assert_eq!(show(&second).await.expect("an official's").reason, "three wins");
        let request =
            pb::EraseMemberRequest { member_id: member, request_id: player.request(), ..Default::default() };
        player.federations.clone().erase_member(request).await.expect("forgotten");
        let left = show(&second).await.expect("it stays");
        assert_eq!((left.state(), &*left.reason), (AwardState::Awarded, ""), "without what was said of him");
    }
}

#[tokio::test]
async fn an_event_for_grades_proposes_the_next_grade_when_it_is_final() {
    for fixture in fixtures().await {
        let grading = pb::event_format::Grading { rounds: 1, by_points: false, needed: 1 };
        let format = Some(pb::EventFormat { format: Some(pb::event_format::Format::Grading(grading)) });
        let held = held(&fixture, pb::EventSettings { format, ..settings(1) }).await;
        let founder = held.federation.founder.clone();
        let next = title(&founder, &held.federation.id, "2d", 2).await.expect("a title");
        for number in 1..=4 {
            let player = fixture.person(&format!("player{number}"));
            let member = founder.member(&held.federation.id, &format!("Player {number}")).await.member_id;
            founder.bind(&member, &player.id()).await.expect("bound");
            let request = held.chief.clone();
            change!(
                held,
                request,
                enter_event,
                EnterEventRequest { member_id: member, supplement_version: 1, grade: Some(1) }
            )
            .expect("entered");
        }
        run(&held).await;
        begin(&held, 1).await;
        play(&fixture, &held, 1).await;
        let stage = pb::EventStage::Closing.into();
        change!(held, held.chief, advance_event, AdvanceEventRequest { stage }).expect("closing");
        check(&held, &[pb::CheckItem::ResultsChecked, pb::CheckItem::PlacesAnnounced]).await;
        let text = "all went well".to_owned();
        change!(held, held.chief, file_report, FileReportRequest { text }).expect("filed");
        let stage = pb::EventStage::Final.into();
        change!(held, held.chief, advance_event, AdvanceEventRequest { stage }).expect("final");
        let proposed = list(&founder, &held.federation.id, AwardState::Proposed).await.expect("a list");
        assert_eq!(proposed.len(), 2, "{}: each who has won", fixture.kind);
        for award in &proposed {
            assert_eq!((&award.title_id, &award.event_ids), (&next.title_id, &vec![held.id.clone()]));
            assert_eq!(award.proposed_by, held.chief.id());
        }
        let last = told(&founder).await.pop().expect("he is told");
        assert_eq!(last.kind(), NoticeKind::TitleWaits);
        let awarded = award(&founder, &proposed[0], "").await.expect("a second person's");
        assert_eq!(founder.get(&awarded.member_id).await.grade, "2d");
    }
}
