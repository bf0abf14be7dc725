//! What is asked of rating lists.

use api::{federation::v1 as pb, reason};
use chassis::{
    id::{ClubId, FederationId, MemberId, RatingPolicyId},
    page::{Page, Sizes},
};
use time::Date;
use uuid::Uuid;

use super::super::fields::{club, date, member, words};
use crate::core::rating_list::limits::{EXPORT_LINES, NAME_CHARS_MAX};

/// A list of a policy; the last if no number is named.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Which {
    /// Of which policy.
    pub policy: RatingPolicyId,
    /// Which.
    pub number: Option<u32>,
}

/// The policies that are asked for.
#[derive(Clone, Debug)]
pub(crate) struct ListPolicies {
    /// Of which federation.
    pub federation: FederationId,
    /// Which part.
    pub page: Page<Uuid>,
}

/// Publishes the next list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Publish {
    /// By which policy.
    pub policy: RatingPolicyId,
    /// Its day; today if it is not said.
    pub day: Option<Date>,
}

/// The lists that are asked for.
#[derive(Clone, Debug)]
pub(crate) struct ListLists {
    /// Of which policy.
    pub policy: RatingPolicyId,
    /// Which part.
    pub page: Page<u32>,
}

/// The entries that are asked for.
#[derive(Clone, Debug)]
pub(crate) enum ListEntries {
    /// Those of a list.
    Ranked(Which, Option<ClubId>, Page<(i32, Uuid)>),
    /// Those of a member in all lists.
    OfMember(RatingPolicyId, MemberId, Page<u32>),
}

/// The part of a file that is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Export {
    /// Of which list.
    pub which: Which,
    /// Whether the file begins with a byte order mark.
    pub mark: bool,
    /// Which part.
    pub page: Page<(i32, Uuid)>,
}

/// The part of canonical bytes that is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// Of which list.
    pub which: Which,
    /// Of which step to it; the last if none is named.
    pub step: Option<u32>,
    /// Of the list itself.
    pub of_list: bool,
    /// From where on.
    pub offset: usize,
}

/// Takes ratings in.
#[derive(Clone, Debug)]
pub(crate) struct Import {
    /// For which lists.
    pub policy: RatingPolicyId,
    /// The file.
    pub csv: Vec<u8>,
    /// Who vouches for them.
    pub by: String,
}

/// The ratings that were taken in and are asked for.
#[derive(Clone, Debug)]
pub(crate) struct ListVouched {
    /// For which lists.
    pub policy: RatingPolicyId,
    /// Which part.
    pub page: Page<Uuid>,
}

fn policy(asked: &str) -> Result<RatingPolicyId, api::Error> {
    RatingPolicyId::parse(asked, "policy_id")
}

const fn some(number: u32) -> Option<u32> {
    if number == 0 { None } else { Some(number) }
}

impl Which {
    /// What a request names.
    pub(crate) fn of(asked: &str, number: u32) -> Result<Which, api::Error> {
        Ok(Which { policy: policy(asked)?, number: some(number) })
    }
}

impl TryFrom<pb::ListRatingPoliciesRequest> for ListPolicies {
    type Error = api::Error;

    fn try_from(request: pb::ListRatingPoliciesRequest) -> Result<Self, api::Error> {
        let federation = FederationId::parse(&request.federation_id, "federation_id")?;
        let list = format!("rating-policies/{federation}");
        Ok(ListPolicies { federation, page: Page::of(list, request.page_size, &request.page_token)? })
    }
}

impl TryFrom<pb::PublishRatingListRequest> for Publish {
    type Error = api::Error;

    fn try_from(request: pb::PublishRatingListRequest) -> Result<Self, api::Error> {
        Ok(Publish { policy: policy(&request.policy_id)?, day: date(&request.date, "date")? })
    }
}

impl TryFrom<pb::ListRatingListsRequest> for ListLists {
    type Error = api::Error;

    fn try_from(request: pb::ListRatingListsRequest) -> Result<Self, api::Error> {
        let policy = policy(&request.policy_id)?;
        let list = format!("rating-lists/{policy}");
        Ok(ListLists { policy, page: Page::of(list, request.page_size, &request.page_token)? })
    }
}

impl TryFrom<pb::ListRatingEntriesRequest> for ListEntries {
    type Error = api::Error;

    fn try_from(request: pb::ListRatingEntriesRequest) -> Result<Self, api::Error> {
        let which = Which::of(&request.policy_id, request.number)?;
        let (club, member) = (club(&request.club_id, "club_id")?, member(&request.member_id, "member_id")?);
        let (size, token) = (request.page_size, &request.page_token);
        let policy = which.policy;
        if let Some(member) = member {
            let list = format!("rating-entries/{policy}/of/{member}");
            return Ok(ListEntries::OfMember(policy, member, Page::of(list, size, token)?));
        }
        let list = format!("rating-entries/{policy}/{}/{}", request.number, request.club_id);
        Ok(ListEntries::Ranked(which, club, Page::of(list, size, token)?))
    }
}

impl TryFrom<pb::ExportRatingListRequest> for Export {
    type Error = api::Error;

    fn try_from(request: pb::ExportRatingListRequest) -> Result<Self, api::Error> {
        let which = Which::of(&request.policy_id, request.number)?;
        let list = format!("rating-export/{}/{}", which.policy, request.number);
        let sizes = Sizes { default: EXPORT_LINES, max: EXPORT_LINES };
        let page = Page::sized(sizes, list, 0, &request.page_token)?;
        Ok(Export { which, mark: request.byte_order_mark, page })
    }
}

impl TryFrom<pb::ReadRatingListBytesRequest> for Part {
    type Error = api::Error;

    fn try_from(request: pb::ReadRatingListBytesRequest) -> Result<Self, api::Error> {
        let which = Which::of(&request.policy_id, request.number)?;
        let offset = usize::try_from(request.offset).unwrap_or(usize::MAX);
        Ok(Part { which, step: some(request.step), of_list: request.of_list, offset })
    }
}

impl TryFrom<pb::ImportRatingsRequest> for Import {
    type Error = api::Error;

    fn try_from(request: pb::ImportRatingsRequest) -> Result<Self, api::Error> {
        let by = words(&request.vouched_by, NAME_CHARS_MAX, "vouched_by")?;
        if by.is_empty() {
            return Err(api::Error::invalid(reason::BAD_TEXT, "vouched_by", "say who vouches for them"));
        }
        Ok(Import { policy: policy(&request.policy_id)?, csv: request.csv, by })
    }
}

impl TryFrom<pb::ListImportedRatingsRequest> for ListVouched {
    type Error = api::Error;

    fn try_from(request: pb::ListImportedRatingsRequest) -> Result<Self, api::Error> {
        let policy = policy(&request.policy_id)?;
        let list = format!("imported-ratings/{policy}");
        Ok(ListVouched { policy, page: Page::of(list, request.page_size, &request.page_token)? })
    }
}
