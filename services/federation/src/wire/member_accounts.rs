//! The accounts of members, as other services ask for them.

use std::collections::BTreeSet;

use api::{federation::v1 as pb, reason};
use chassis::id::{AccountId, FederationId};
use time::Date;

use crate::core::day;

/// Of which federation, and on which day; of all when none is named.
///
/// # Errors
/// INVALID_ARGUMENT with BAD_ID or BAD_DATE.
pub(crate) fn members_on(
    asked: &pb::ListMemberAccountsRequest,
) -> Result<(Option<FederationId>, Date), api::Error> {
    let pb::ListMemberAccountsRequest { federation_id, date } = asked;
    let federation = (!federation_id.is_empty()).then(|| FederationId::parse(federation_id, "federation_id"));
    let bad = || api::Error::invalid(reason::BAD_DATE, "date", "a date as 2026-12-31");
    Ok((federation.transpose()?, day::parse(date).ok_or_else(bad)?))
}

/// Some of the accounts.
pub(crate) fn told(members: &[(FederationId, AccountId)]) -> pb::ListMemberAccountsResponse {
    let told = |(federation, account): &(FederationId, AccountId)| pb::MemberAccount {
        federation_id: federation.to_string(),
        account_id: account.to_string(),
    };
    pb::ListMemberAccountsResponse { members: members.iter().map(told).collect(), official_ids: Vec::new() }
}

/// Those of officials.
pub(crate) fn officials(officials: &BTreeSet<AccountId>) -> pb::ListMemberAccountsResponse {
    let official_ids = officials.iter().map(ToString::to_string).collect();
    pb::ListMemberAccountsResponse { members: Vec::new(), official_ids }
}
