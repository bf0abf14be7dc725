//! Applications and invitations between protos and `core`.

use api::{ProtoEnum as _, federation::v1 as pb, proto_enum, reason, time::timestamp};
use chassis::{id::FederationId, page::Page};
use uuid::Uuid;

use super::fields::{account, club, id, member, name, optional, told_name, words};
use crate::core::{
    application::{Answer, AnswerApplication, Application, Apply, Filter, Reply},
    invitation::{Accept, CodeDigest, EndInvitation, Invitation, Invite, Way},
    limits::{INVITATION_DAYS, INVITATION_DAYS_MAX, NOTE_CHARS_MAX},
};

proto_enum!(Answer = pb::Answer { Pending, Accepted, Refused, Withdrawn });

/// The applications or invitations that are asked for.
#[derive(Clone, Debug)]
pub(crate) struct List {
    /// Which.
    pub filter: Filter,
    /// Which part.
    pub page: Page<Uuid>,
}

impl TryFrom<pb::ApplyRequest> for Apply {
    type Error = api::Error;

    fn try_from(request: pb::ApplyRequest) -> Result<Self, api::Error> {
        Ok(Apply {
            federation: FederationId::parse(&request.federation_id, "federation_id")?,
            name: name(request.name.as_ref(), "name")?,
            club: club(&request.club_id, "club_id")?,
            note: words(&request.note, NOTE_CHARS_MAX, "note")?,
        })
    }
}

impl TryFrom<pb::AcceptApplicationRequest> for AnswerApplication {
    type Error = api::Error;

    fn try_from(request: pb::AcceptApplicationRequest) -> Result<Self, api::Error> {
        Ok(AnswerApplication {
            id: id(&request.application_id, "application_id")?,
            answer: Reply::Accept {
                member: member(&request.member_id, "member_id")?,
                namesake: request.namesake,
            },
            reply: words(&request.reply, NOTE_CHARS_MAX, "reply")?,
        })
    }
}

impl TryFrom<pb::RefuseApplicationRequest> for AnswerApplication {
    type Error = api::Error;

    fn try_from(request: pb::RefuseApplicationRequest) -> Result<Self, api::Error> {
        Ok(AnswerApplication {
            id: id(&request.application_id, "application_id")?,
            answer: Reply::Refuse,
            reply: words(&request.reply, NOTE_CHARS_MAX, "reply")?,
        })
    }
}

impl TryFrom<pb::WithdrawApplicationRequest> for AnswerApplication {
    type Error = api::Error;

    fn try_from(request: pb::WithdrawApplicationRequest) -> Result<Self, api::Error> {
        let id = id(&request.application_id, "application_id")?;
        Ok(AnswerApplication { id, answer: Reply::Withdraw, reply: String::new() })
    }
}

impl TryFrom<pb::InviteRequest> for Invite {
    type Error = api::Error;

    fn try_from(request: pb::InviteRequest) -> Result<Self, api::Error> {
        if request.days > INVITATION_DAYS_MAX {
            return Err(api::Error::invalid(reason::BAD_INVITATION, "days", "1 to 90 days"));
        }
        Ok(Invite {
            federation: FederationId::parse(&request.federation_id, "federation_id")?,
            account: account(&request.account_id, "account_id")?,
            member: member(&request.member_id, "member_id")?,
            days: if request.days == 0 { INVITATION_DAYS } else { request.days },
        })
    }
}

impl TryFrom<pb::AcceptInvitationRequest> for Accept {
    type Error = api::Error;

    fn try_from(request: pb::AcceptInvitationRequest) -> Result<Self, api::Error> {
        let way = Way::Id(id(&request.invitation_id, "invitation_id")?);
        let name = request.name.map(|asked| name(Some(&asked), "name")).transpose()?;
        Ok(Accept { way, name })
    }
}

impl TryFrom<pb::JoinRequest> for Accept {
    type Error = api::Error;

    fn try_from(request: pb::JoinRequest) -> Result<Self, api::Error> {
        let name = request.name.map(|asked| name(Some(&asked), "name")).transpose()?;
        Ok(Accept { way: Way::Code(CodeDigest::of(&request.code)), name })
    }
}

impl TryFrom<pb::RefuseInvitationRequest> for EndInvitation {
    type Error = api::Error;

    fn try_from(request: pb::RefuseInvitationRequest) -> Result<Self, api::Error> {
        Ok(EndInvitation { id: id(&request.invitation_id, "invitation_id")?, withdrawn: false })
    }
}

impl TryFrom<pb::WithdrawInvitationRequest> for EndInvitation {
    type Error = api::Error;

    fn try_from(request: pb::WithdrawInvitationRequest) -> Result<Self, api::Error> {
        Ok(EndInvitation { id: id(&request.invitation_id, "invitation_id")?, withdrawn: true })
    }
}

impl TryFrom<pb::ListApplicationsRequest> for List {
    type Error = api::Error;

    fn try_from(request: pb::ListApplicationsRequest) -> Result<Self, api::Error> {
        let pb::ListApplicationsRequest { federation_id, answer, page_size, page_token } = request;
        list("applications", &federation_id, answer, page_size, &page_token)
    }
}

impl TryFrom<pb::ListInvitationsRequest> for List {
    type Error = api::Error;

    fn try_from(request: pb::ListInvitationsRequest) -> Result<Self, api::Error> {
        let pb::ListInvitationsRequest { federation_id, answer, page_size, page_token } = request;
        list("invitations", &federation_id, answer, page_size, &page_token)
    }
}

fn list(kind: &str, federation: &str, answer: i32, size: u32, token: &str) -> Result<List, api::Error> {
    let unknown = || api::Error::invalid(reason::UNKNOWN_VALUE, "answer", "none of the answers");
    let filter = Filter {
        federation: optional(federation, "federation_id", FederationId::parse)?,
        answer: Option::<Answer>::of(answer).ok_or_else(unknown)?.unwrap_or(Answer::Pending),
    };
    Ok(List { filter, page: Page::of(format!("{kind}/{filter:?}"), size, token)? })
}

impl From<&Application> for pb::Application {
    fn from(application: &Application) -> Self {
        let (by, at) = application.answered.unzip();
        pb::Application {
            application_id: application.id.to_string(),
            federation_id: application.federation.to_string(),
            account_id: application.account.to_string(),
            name: told_name(&application.name),
            club_id: application.club.map(|club| club.to_string()).unwrap_or_default(),
            note: application.note.clone(),
            answer: application.answer.number(),
            reply: application.reply.clone(),
            answered_by: by.map(|by| by.to_string()).unwrap_or_default(),
            member_id: application.member.map(|member| member.to_string()).unwrap_or_default(),
            create_time: Some(timestamp(application.made)),
            answer_time: at.map(timestamp),
        }
    }
}

impl From<&Invitation> for pb::Invitation {
    fn from(invitation: &Invitation) -> Self {
        pb::Invitation {
            invitation_id: invitation.id.to_string(),
            federation_id: invitation.federation.to_string(),
            account_id: invitation.account.map(|account| account.to_string()).unwrap_or_default(),
            member_id: invitation.member.map(|member| member.to_string()).unwrap_or_default(),
            answer: invitation.answer.number(),
            made_by: invitation.made_by.to_string(),
            answered_by: invitation.answered_by.map(|by| by.to_string()).unwrap_or_default(),
            create_time: Some(timestamp(invitation.made)),
            expire_time: Some(timestamp(invitation.expires)),
        }
    }
}
