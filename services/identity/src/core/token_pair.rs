//! What whoever signs in is given.

use std::fmt;

use secrecy::SecretString;
use time::OffsetDateTime;

use super::secret::{DeviceMark, RefreshToken};

/// An access token and the refresh token for the next.
pub struct TokenPair {
    /// The access token.
    pub access: SecretString,
    /// When the access token expires.
    pub access_expires: OffsetDateTime,
    /// The refresh token.
    pub refresh: RefreshToken,
    /// When the refresh token expires.
    pub refresh_expires: OffsetDateTime,
    /// The mark of the device, if it got one.
    pub mark: Option<DeviceMark>,
}

impl fmt::Debug for TokenPair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenPair").field("access_expires", &self.access_expires).finish_non_exhaustive()
    }
}
