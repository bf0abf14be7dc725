//! The service on the wire: protos in, protos out, nothing decided.

mod federation;
mod membership;
mod office;

pub(crate) use federation::FederationApi;
pub(crate) use membership::MembershipApi;
pub(crate) use office::Office;

use office::signed_in;
