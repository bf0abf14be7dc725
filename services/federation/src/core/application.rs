//! Applications for membership.

use chassis::id::{AccountId, ClubId, FederationId, MemberId};
use time::OffsetDateTime;
use uuid::Uuid;

use super::name::Name;

/// What became of an application or an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// Nothing yet.
    Pending,
    /// It was accepted.
    Accepted,
    /// It was refused.
    Refused,
    /// Whoever made it took it back.
    Withdrawn,
}

/// An application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Application {
    /// Its id.
    pub id: Uuid,
    /// To which federation.
    pub federation: FederationId,
    /// Whose.
    pub account: AccountId,
    /// The name by which to be known.
    pub name: Name,
    /// The club to be in.
    pub club: Option<ClubId>,
    /// What else there is to say.
    pub note: String,
    /// What became of it.
    pub answer: Answer,
    /// What whoever answered says.
    pub reply: String,
    /// Who answered, and when.
    pub answered: Option<(AccountId, OffsetDateTime)>,
    /// Who the account is now.
    pub member: Option<MemberId>,
    /// When it was made.
    pub made: OffsetDateTime,
}

/// Applies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Apply {
    /// To which federation.
    pub federation: FederationId,
    /// The name by which to be known.
    pub name: Name,
    /// The club to be in.
    pub club: Option<ClubId>,
    /// What else there is to say.
    pub note: String,
}

/// Answers an application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerApplication {
    /// Which.
    pub id: Uuid,
    /// How.
    pub answer: Reply,
    /// What to say.
    pub reply: String,
}

/// How an application is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// He is this member, or a new one.
    Accept {
        /// Who he is already.
        member: Option<MemberId>,
        /// Whether another of the same name is known to be somebody else.
        namesake: bool,
    },
    /// No.
    Refuse,
    /// The applicant takes it back.
    Withdraw,
}

/// Which applications or invitations to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    /// Those of a federation; of the caller if there is none.
    pub federation: Option<FederationId>,
    /// With which answer.
    pub answer: Answer,
}
