//! Every name that this service uses in the live state for organisations.

use chassis::id::AccountId;

/// Tries of an account at codes of invitations.
pub(crate) fn code_tries(account: AccountId) -> String {
    format!("federation/code/{account}")
}
