//! Every name that this service uses in the live state.

use crate::core::attempt::{Address, Secret, Standing};

/// Guesses at a secret by whoever stands to it like this.
pub(super) fn guesses_as(secret: &Secret, address: &Address, standing: Standing<'_>) -> String {
    match standing {
        Standing::Stranger | Standing::Known => format!("identity/guess/{secret}/{address}"),
        Standing::Marked(mark) => format!("identity/guess/{secret}/device/{}", mark.short()),
    }
}

/// Guesses at a secret by whoever has a token of its owner.
pub(super) fn guesses(secret: &Secret) -> String {
    format!("identity/guess/{secret}")
}

/// Guesses at a secret from wherever.
pub(super) fn guesses_anywhere(secret: &Secret) -> String {
    format!("identity/secret/{secret}")
}

/// Guesses from an address at whatever.
pub(super) fn guesses_from(address: &Address) -> String {
    format!("identity/address/{address}")
}

/// Accounts that are made from an address.
pub(super) fn accounts(address: &Address) -> String {
    format!("identity/accounts/{address}")
}
