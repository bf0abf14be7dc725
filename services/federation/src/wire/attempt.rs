//! What all requests that change something have in common.

use api::federation::v1 as pb;
use chassis::{auth::Caller, id::RequestId};
use prost::Message;
use sha2::{Digest as _, Sha256};

/// One attempt at a change: whose, under which id, and at what.
#[derive(Clone, Debug)]
pub(crate) struct Attempt {
    /// Who is calling.
    pub caller: Caller,
    /// The id of the request.
    pub request: RequestId,
    /// The digest of everything else that is asked.
    pub digest: Vec<u8>,
    /// Whether nothing is to be written.
    pub validate_only: bool,
}

/// A request that changes something.
pub(crate) trait Mutation: Message + Clone {
    /// The name of its message.
    const NAME: &'static str;

    /// Takes its id and whether it only asks.
    fn take(&mut self) -> (String, bool);

    /// The attempt that it is.
    ///
    /// # Errors
    /// INVALID_ARGUMENT with BAD_ID.
    fn attempt(&self, caller: Caller) -> Result<Attempt, api::Error> {
        let mut plain = self.clone();
        let (id, validate_only) = plain.take();
        let request = RequestId::parse(&id, "request_id")?;
        let digest = Sha256::new().chain_update(Self::NAME).chain_update(plain.encode_to_vec()).finalize();
        Ok(Attempt { caller, request, digest: digest.to_vec(), validate_only })
    }
}

macro_rules! mutations {
    ($($name:ident),+ $(,)?) => {
        $(impl Mutation for pb::$name {
            const NAME: &'static str = stringify!($name);

            fn take(&mut self) -> (String, bool) {
                (std::mem::take(&mut self.request_id), std::mem::take(&mut self.validate_only))
            }
        })+
    };
}

mutations!(
    CreateFederationRequest,
    UpdateFederationRequest,
    DeleteFederationRequest,
    CreateClubRequest,
    UpdateClubRequest,
    DeleteClubRequest,
    CreateMemberRequest,
    UpdateMemberRequest,
    DeleteMemberRequest,
    TransferMemberRequest,
    ReadmitMemberRequest,
    MergeMembersRequest,
    EraseMemberRequest,
    BindAccountRequest,
    ImportMembersRequest,
    ImportRosterRequest,
    CreateTeamRequest,
    UpdateTeamRequest,
    DeleteTeamRequest,
    ApplyRequest,
    AcceptApplicationRequest,
    RefuseApplicationRequest,
    WithdrawApplicationRequest,
    InviteRequest,
    AcceptInvitationRequest,
    RefuseInvitationRequest,
    WithdrawInvitationRequest,
    JoinRequest,
    GrantOfficialRequest,
    RevokeOfficialRequest,
    GiveProxyRequest,
    WithdrawProxyRequest,
    CreateCalendarFeedRequest,
    DeleteCalendarFeedRequest,
    UpdateWordsRequest,
    CreateDocumentRequest,
    DeleteDocumentRequest,
    CreateLeagueRequest,
    UpdateLeagueRequest,
    CreateSeasonRequest,
    UpdateSeasonRequest,
    AdvanceSeasonRequest,
    PlaceEntrantRequest,
    RegisterSquadRequest,
    WithdrawSquadRequest,
    StayDownRequest,
    CreateRatingPolicyRequest,
    UpdateRatingPolicyRequest,
    PublishRatingListRequest,
    ImportRatingsRequest,
    CreateTitleRequest,
    RetireTitleRequest,
    ProposeTitleRequest,
    AwardTitleRequest,
    RefuseTitleRequest,
    RevokeTitleRequest,
);
