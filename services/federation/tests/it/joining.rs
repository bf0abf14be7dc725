//! Applications, invitations and codes.

use std::time::Duration;

use api::federation::v1 as pb;
use tonic::Status;

use crate::fixture::{Founded, Person, fixtures, name, reason};

pub(crate) async fn apply(
    person: &Person,
    federation: &str,
    native: &str,
) -> Result<pb::Application, Status> {
    let request = pb::ApplyRequest {
        federation_id: federation.to_owned(),
        name: name(native, ""),
        request_id: person.request(),
        ..Default::default()
    };
    let answer = person.membership.clone().apply(request).await?;
    Ok(answer.into_inner().application.expect("present"))
}

pub(crate) async fn accept(
    person: &Person,
    application: &str,
    member: &str,
) -> Result<pb::Application, Status> {
    let request = pb::AcceptApplicationRequest {
        application_id: application.to_owned(),
        member_id: member.to_owned(),
        request_id: person.request(),
        ..Default::default()
    };
    let answer = person.membership.clone().accept_application(request).await?;
    Ok(answer.into_inner().application.expect("present"))
}

fn invitation(founded: &Founded, account: &str, member: &str) -> pb::InviteRequest {
    pb::InviteRequest {
        federation_id: founded.id.clone(),
        account_id: account.to_owned(),
        member_id: member.to_owned(),
        days: 0,
        request_id: founded.founder.request(),
        validate_only: false,
    }
}

pub(crate) async fn invite(
    founded: &Founded,
    account: &str,
    member: &str,
) -> Result<pb::InviteResponse, Status> {
    let request = invitation(founded, account, member);
    founded.founder.membership.clone().invite(request).await.map(tonic::Response::into_inner)
}

async fn join(person: &Person, code: &str, native: &str) -> Result<pb::Member, Status> {
    let request = pb::JoinRequest {
        code: code.to_owned(),
        name: name(native, "").filter(|_| !native.is_empty()),
        request_id: person.request(),
        validate_only: false,
    };
    let answer = person.membership.clone().join(request).await?;
    Ok(answer.into_inner().member.expect("present"))
}

#[tokio::test]
async fn whoever_applies_becomes_a_member_when_an_official_accepts() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let founder = &federation.founder;
        let (tashi, dolma) = (fixture.person("tashi"), fixture.person("dolma"));
        assert_eq!(reason(apply(&fixture.guest(), &federation.id, "Guest").await), "GUEST");
        let application = apply(&tashi, &federation.id, "Tashi").await.expect("applied");
        assert_eq!(
            reason(apply(&tashi, &federation.id, "Tashi").await),
            "ALREADY_APPLIED",
            "{}",
            fixture.kind
        );
        assert_eq!(reason(accept(&tashi, &application.application_id, "").await), "NOT_AN_OFFICIAL");
        let accepted = accept(founder, &application.application_id, "").await.expect("accepted");
        assert_eq!(accepted.answer(), pb::Answer::Accepted);
        assert_eq!(tashi.get(&accepted.member_id).await.account_id, tashi.id());
        assert_eq!(reason(accept(founder, &application.application_id, "").await), "ALREADY_ANSWERED");
        assert_eq!(reason(apply(&tashi, &federation.id, "Tashi").await), "ACCOUNT_BOUND");
        let known = founder.member(&federation.id, "Dolma").await.member_id;
        let application = apply(&dolma, &federation.id, "Dolma").await.expect("applied").application_id;
        assert_eq!(reason(accept(founder, &application, "").await), "MEMBER_EXISTS");
        assert_eq!(accept(founder, &application, &known).await.expect("she is known").member_id, known);
        let list = pb::ListApplicationsRequest { federation_id: federation.id.clone(), ..Default::default() };
        assert_eq!(reason(dolma.membership.clone().list_applications(list.clone()).await), "NOT_AN_OFFICIAL");
        let waiting = founder.membership.clone().list_applications(list).await.expect("a list").into_inner();
        assert_eq!(waiting.applications, []);
    }
}

#[tokio::test]
async fn applications_are_refused_and_taken_back() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let (founder, tashi, bob) = (&federation.founder, fixture.person("tashi"), fixture.person("bob"));
        let withdraw = |person: &Person, id: &str| pb::WithdrawApplicationRequest {
            application_id: id.to_owned(),
            request_id: person.request(),
            validate_only: false,
        };
        let first = apply(&tashi, &federation.id, "Tashi").await.expect("applied").application_id;
        let others = bob.membership.clone().withdraw_application(withdraw(&bob, &first)).await;
        assert_eq!(reason(others), "UNKNOWN_APPLICATION", "{}", fixture.kind);
        tashi.membership.clone().withdraw_application(withdraw(&tashi, &first)).await.expect("taken back");
        let second = apply(&tashi, &federation.id, "Tashi").await.expect("applied again").application_id;
        let request = pb::RefuseApplicationRequest {
            application_id: second,
            reply: "Come to a meeting first.".to_owned(),
            request_id: founder.request(),
            validate_only: false,
        };
        founder.membership.clone().refuse_application(request).await.expect("refused");
        let mine = pb::ListApplicationsRequest { answer: pb::Answer::Refused.into(), ..Default::default() };
        let mine = tashi.membership.clone().list_applications(mine).await.expect("a list").into_inner();
        assert_eq!(mine.applications[0].reply, "Come to a meeting first.");
    }
}

#[tokio::test]
async fn a_code_is_good_for_one_use_and_for_some_days() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let (tashi, bob) = (fixture.person("tashi"), fixture.person("bob"));
        let member = federation.founder.member(&federation.id, "Tashi").await.member_id;
        let code = invite(&federation, "", &member).await.expect("invited").code;
        assert_eq!(code.len(), 19);
        let joined = join(&tashi, &code.to_lowercase().replace('-', " "), "").await.expect("joined");
        assert_eq!((joined.member_id, joined.account_id), (member.clone(), tashi.id()), "{}", fixture.kind);
        assert_eq!(reason(join(&bob, &code, "Bob").await), "UNKNOWN_CODE", "it was used");
        assert_eq!(reason(invite(&federation, "", &member).await), "BAD_INVITATION", "he has an account");
        let code = invite(&federation, "", "").await.expect("invited").code;
        assert_eq!(reason(join(&bob, &code, "").await), "BAD_ORGANISATION_NAME", "a new member has a name");
        assert_eq!(reason(join(&tashi, &code, "Tashi").await), "ACCOUNT_BOUND");
        fixture.time.advance(Duration::from_hours(14 * 24));
        assert_eq!(reason(join(&bob, &code, "Bob").await), "UNKNOWN_CODE", "it has expired");
        let request = invitation(&federation, "", "");
        let mut client = federation.founder.membership.clone();
        let first = client.invite(request.clone()).await.expect("invited").into_inner();
        let second = client.invite(request).await.expect("invited again").into_inner();
        assert_eq!(first.invitation, second.invitation);
        assert_eq!(reason(join(&bob, &first.code, "Bob").await), "UNKNOWN_CODE", "it may have been lost");
        assert_eq!(join(&bob, &second.code, "Bob").await.expect("joined").account_id, bob.id());
    }
}

#[tokio::test]
async fn codes_are_not_to_be_guessed() {
    for fixture in fixtures().await {
        let (bob, other) = (fixture.person("bob"), fixture.person("other"));
        for _ in 0..10 {
            assert_eq!(reason(join(&bob, "0000-0000-0000-0000", "Bob").await), "UNKNOWN_CODE");
        }
        assert_eq!(
            reason(join(&bob, "0000-0000-0000-0000", "Bob").await),
            "TOO_MANY_ATTEMPTS",
            "{}",
            fixture.kind
        );
        assert_eq!(reason(join(&other, "0000-0000-0000-0000", "Other").await), "UNKNOWN_CODE");
        fixture.time.advance(Duration::from_mins(1));
        assert_eq!(reason(join(&bob, "0000-0000-0000-0000", "Bob").await), "UNKNOWN_CODE");
    }
}

#[tokio::test]
async fn an_invitation_is_for_the_account_that_it_names() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let (tashi, bob) = (fixture.person("tashi"), fixture.person("bob"));
        let invited = invite(&federation, &tashi.id(), "").await.expect("invited");
        assert_eq!(invited.code, "");
        let id = invited.invitation.expect("present").invitation_id;
        let accept = |person: &Person| pb::AcceptInvitationRequest {
            invitation_id: id.clone(),
            name: name("Tashi", ""),
            request_id: person.request(),
            validate_only: false,
        };
        let others = bob.membership.clone().accept_invitation(accept(&bob)).await;
        assert_eq!(reason(others), "UNKNOWN_INVITATION", "{}", fixture.kind);
        let mine = tashi.membership.clone().list_invitations(pb::ListInvitationsRequest::default()).await;
        assert_eq!(mine.expect("a list").into_inner().invitations.len(), 1);
        tashi.membership.clone().accept_invitation(accept(&tashi)).await.expect("accepted");
        assert_eq!(
            reason(tashi.membership.clone().accept_invitation(accept(&tashi)).await),
            "ALREADY_ANSWERED"
        );
        assert_eq!(reason(invite(&federation, &tashi.id(), "").await), "ACCOUNT_BOUND");
        let second = invite(&federation, &bob.id(), "").await.expect("invited").invitation.expect("present");
        let end = pb::WithdrawInvitationRequest {
            invitation_id: second.invitation_id.clone(),
            request_id: tashi.request(),
            validate_only: false,
        };
        assert_eq!(
            reason(tashi.membership.clone().withdraw_invitation(end.clone()).await),
            "NOT_AN_OFFICIAL"
        );
        federation.founder.membership.clone().withdraw_invitation(end).await.expect("taken back");
        let refuse = pb::RefuseInvitationRequest {
            invitation_id: second.invitation_id,
            request_id: bob.request(),
            validate_only: false,
        };
        assert_eq!(reason(bob.membership.clone().refuse_invitation(refuse).await), "ALREADY_ANSWERED");
    }
}
