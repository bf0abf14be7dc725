//! Coming into a federation: applications, invitations, codes.

use anyhow::Context as _;
use api::federation::v1::{
    AcceptApplicationRequest, AcceptInvitationRequest, Answer, Application, ApplyRequest, Invitation,
    InviteRequest, JoinRequest, ListApplicationsRequest, ListInvitationsRequest, ListMyMembersRequest,
    Member, RefuseApplicationRequest, RefuseInvitationRequest, WithdrawApplicationRequest,
    WithdrawInvitationRequest,
};
use clap::ValueEnum;
use serde_json::json;

use super::{
    print::{self, Record},
    session::{Session, all, ask, name},
    shown::Shown as _,
};

/// How people come into federations.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Applies for membership of an open federation.
    Apply {
        /// The federation's id.
        federation: String,
        /// The name by which to be known, in its own script.
        name: String,
        /// The name in Latin letters, where it is in others.
        #[arg(long)]
        latin: Option<String>,
        /// The id of the club to be in.
        #[arg(long, default_value = "")]
        club: String,
        /// What else there is to say.
        #[arg(long, default_value = "")]
        note: String,
    },
    /// Lists the applications to a federation, or one's own.
    Applications(Which),
    /// Makes whoever applied a member.
    Accept {
        /// The application's id.
        application: String,
        /// The id of the member who he is already.
        #[arg(long, default_value = "")]
        member: String,
        /// Somebody of the same name is known to be somebody else.
        #[arg(long)]
        namesake: bool,
        /// What to say to him.
        #[arg(long, default_value = "")]
        reply: String,
    },
    /// Refuses an application.
    Reject {
        /// The application's id.
        application: String,
        /// What to say to him.
        #[arg(long, default_value = "")]
        reply: String,
    },
    /// Takes one's own application back.
    Withdraw {
        /// The application's id.
        application: String,
    },
    /// Invites an account, or whoever has the code that is printed; to be a new member, or one whom there is already.
    Invite {
        /// The federation's id.
        federation: String,
        /// The name of the account; without it a code is made.
        #[arg(long, default_value = "")]
        account: String,
        /// The id of the member whose account it is to be.
        #[arg(long, default_value = "")]
        member: String,
        /// How many days it is valid: 1 to 90.
        #[arg(long, default_value_t = 14, value_parser = clap::value_parser!(u32).range(1..))]
        days: u32,
    },
    /// Lists the invitations of a federation, or those of the account.
    Invitations(Which),
    /// Accepts an invitation of the account.
    AcceptInvitation {
        /// The invitation's id.
        invitation: String,
        #[command(flatten)]
        known: Known,
    },
    /// Refuses an invitation of the account.
    RefuseInvitation {
        /// The invitation's id.
        invitation: String,
    },
    /// Takes an invitation back.
    WithdrawInvitation {
        /// The invitation's id.
        invitation: String,
    },
    /// Joins a federation with a code.
    Join {
        /// The code.
        code: String,
        #[command(flatten)]
        known: Known,
    },
    /// Lists who the account is, in every federation.
    Mine,
}

/// Which applications or invitations to list.
#[derive(Debug, clap::Args)]
pub(super) struct Which {
    /// The federation's id; the account's own without it.
    #[arg(default_value = "")]
    federation: String,
    /// With which answer.
    #[arg(long, default_value = "pending")]
    answer: AnswerArg,
}

/// By which name to be known; not needed where the member is there already.
#[derive(Debug, clap::Args)]
pub(super) struct Known {
    /// The name by which to be known, in its own script; not needed where the member is there already.
    #[arg(long)]
    name: Option<String>,
    /// The name in Latin letters, where it is in others.
    #[arg(long, requires = "name")]
    latin: Option<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum AnswerArg {
    /// None yet.
    Pending,
    /// Accepted.
    Accepted,
    /// Refused.
    Refused,
    /// Taken back.
    Withdrawn,
}

impl AnswerArg {
    fn number(self) -> i32 {
        match self {
            AnswerArg::Pending => Answer::Pending.into(),
            AnswerArg::Accepted => Answer::Accepted.into(),
            AnswerArg::Refused => Answer::Refused.into(),
            AnswerArg::Withdrawn => Answer::Withdrawn.into(),
        }
    }
}

impl Known {
    fn name(self) -> Option<api::federation::v1::Name> {
        let latin = self.latin;
        self.name.map(|native| name(native, latin))
    }
}

/// Carries the command out.
pub(super) async fn run(session: &Session, command: Command) -> anyhow::Result<()> {
    match command {
        Command::Applications(which) => {
            let request = ListApplicationsRequest {
                federation_id: which.federation,
                answer: which.answer.number(),
                ..Default::default()
            };
            let found = all!(session.membership(), list_applications, request, applications);
            let records: Vec<_> =
                found.iter().map(|application: &Application| application.record()).collect();
            print::list(session.json, &records)
        }
        Command::Invitations(which) => {
            let request = ListInvitationsRequest {
                federation_id: which.federation,
                answer: which.answer.number(),
                ..Default::default()
            };
            let found = all!(session.membership(), list_invitations, request, invitations);
            let records: Vec<_> = found.iter().map(|invitation: &Invitation| invitation.record()).collect();
            print::list(session.json, &records)
        }
        Command::Mine => {
            let found = all!(session.membership(), list_my_members, ListMyMembersRequest::default(), members);
            let records: Vec<_> = found.iter().map(|member: &Member| member.record()).collect();
            print::list(session.json, &records)
        }
        command => print::one(session.json, &changed(session, command).await?),
    }
}

async fn changed(session: &Session, command: Command) -> anyhow::Result<Record> {
    let (client, request_id, validate_only) = (session.membership(), session.new_id(), false);
    let application = match command {
        Command::Apply { federation: federation_id, name: native, latin, club: club_id, note } => {
            let name = Some(name(native, latin));
            let request = ApplyRequest { federation_id, name, club_id, note, request_id, validate_only };
            ask!(client, apply, request)?.application
        }
        Command::Accept { application: application_id, member: member_id, namesake, reply } => {
            let request = AcceptApplicationRequest {
                application_id,
                member_id,
                namesake,
                reply,
                request_id,
                validate_only,
            };
            ask!(client, accept_application, request)?.application
        }
        Command::Reject { application: application_id, reply } => {
            let request = RefuseApplicationRequest { application_id, reply, request_id, validate_only };
            ask!(client, refuse_application, request)?.application
        }
        Command::Withdraw { application: application_id } => {
            let request = WithdrawApplicationRequest { application_id, request_id, validate_only };
            ask!(client, withdraw_application, request)?.application
        }
        command => return invited(session, command).await,
    };
    Ok(application.context("the server's answer lacks the application")?.record())
}

async fn invited(session: &Session, command: Command) -> anyhow::Result<Record> {
    let (client, request_id, validate_only) = (session.membership(), session.new_id(), false);
    let invitation = match command {
        Command::Invite { federation: federation_id, account, member: member_id, days } => {
            let account_id = session.account(&account).await?;
            let request =
                InviteRequest { federation_id, account_id, member_id, days, request_id, validate_only };
            let answer = ask!(client, invite, request)?;
            let invitation = answer.invitation.context("the server's answer lacks the invitation")?;
            let mut record = invitation.record();
            record.push(("code", json!(answer.code)));
            return Ok(record);
        }
        Command::RefuseInvitation { invitation: invitation_id } => {
            let request = RefuseInvitationRequest { invitation_id, request_id, validate_only };
            ask!(client, refuse_invitation, request)?.invitation
        }
        Command::WithdrawInvitation { invitation: invitation_id } => {
            let request = WithdrawInvitationRequest { invitation_id, request_id, validate_only };
            ask!(client, withdraw_invitation, request)?.invitation
        }
        command => return joined(session, command).await,
    };
    Ok(invitation.context("the server's answer lacks the invitation")?.record())
}

async fn joined(session: &Session, command: Command) -> anyhow::Result<Record> {
    let (client, request_id, validate_only) = (session.membership(), session.new_id(), false);
    let member = match command {
        Command::Join { code, known } => {
            let request = JoinRequest { code, name: known.name(), request_id, validate_only };
            ask!(client, join, request)?.member
        }
        Command::AcceptInvitation { invitation: invitation_id, known } => {
            let name = known.name();
            let request = AcceptInvitationRequest { invitation_id, name, request_id, validate_only };
            ask!(client, accept_invitation, request)?.member
        }
        other => anyhow::bail!("{other:?} changes nothing"),
    };
    Ok(member.context("the server's answer lacks the member")?.record())
}
