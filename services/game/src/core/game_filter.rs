//! Games that are to be listed.

use chassis::id::AccountId;
use rules::Variant;

/// Which games to list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameFilter {
    /// Only games of this account.
    pub account: Option<AccountId>,
    /// Only games of this variant.
    pub variant: Option<&'static Variant>,
    /// Only finished or only running games.
    pub finished: Option<bool>,
}
