//! Counts attempts in the live state.
//!
//! When the live state does not answer, neither refusing everybody (nobody could sign in) nor letting everybody
//! through (passwords could be guessed) will do: attempts are then counted in the memory of the process. With n
//! replicas a guesser gets at most n times his tries. Should even that memory be full, which takes an attack
//! from a million addresses, attempts are refused.

use std::{fmt, net::IpAddr, sync::Arc, time::Duration};

use chassis::{Ambient, id::AccountId};
use live::{Live, Moment, Quota};

use super::micros;
use crate::core::{
    limit::{Limits, Rate},
    name::NameKey,
    secret::Digest,
};

/// How long to wait when nothing can be counted at all.
const PAUSE: Duration = Duration::from_secs(1);

/// Where a call comes from, as far as it is counted: an IPv4 address, the /64 network of an IPv6 address (a
/// household has one), or this process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address(String);

/// A secret that is guessed at, as far as it is counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Secret(String);

/// Counts attempts.
#[derive(Clone)]
pub struct Throttle {
    ambient: Ambient,
    limits: Limits,
    live: Arc<dyn Live>,
    own: Arc<dyn Live>,
}

impl Address {
    /// The address of a peer; none means that the call came from this process.
    pub fn of(peer: Option<IpAddr>) -> Self {
        Address(match peer.map(|peer| peer.to_canonical()) {
            None => "local".to_owned(),
            Some(IpAddr::V4(address)) => address.to_string(),
            Some(IpAddr::V6(address)) => {
                let [a, b, c, d, ..] = address.segments();
                format!("{a:x}:{b:x}:{c:x}:{d:x}::")
            }
        })
    }
}

impl Secret {
    /// The password of the account of this name. Names that no account can have are one.
    pub fn password(name: Option<&NameKey>) -> Self {
        Secret(name.map_or_else(|| "password:".to_owned(), |name| format!("password:{}", name.as_str())))
    }

    /// The password that a guest is to get, or has just got.
    pub fn upgrade(guest: AccountId) -> Self {
        Secret(format!("upgrade:{guest}"))
    }

    /// A personal access token. Texts that are none are one.
    pub fn personal_token(digest: Option<Digest>) -> Self {
        Secret(format!("token:{}", digest.map(Digest::short).unwrap_or_default()))
    }
}

impl Throttle {
    /// Counts in `live`, and when that fails in `own`, which is this process's alone.
    pub fn new(ambient: Ambient, limits: Limits, live: Arc<dyn Live>, own: Arc<dyn Live>) -> Self {
        Throttle { ambient, limits, live, own }
    }

    /// Counts a guess at a secret.
    ///
    /// # Errors
    /// With how long to wait before the next when this was one too many.
    pub async fn guess(&self, secret: &Secret, address: &Address) -> Result<(), Duration> {
        // The narrowest first: who is stopped there uses up none of what others share with him.
        self.count(&pair(secret, address), self.limits.guesses).await?;
        self.count(&format!("identity:address:{}", address.0), self.limits.guesses_by_address).await?;
        self.count(&format!("identity:secret:{}", secret.0), self.limits.guesses_everywhere).await
    }

    /// Forgives the guesses at a secret from this address: the last one was right.
    pub async fn forgive(&self, secret: &Secret, address: &Address) {
        let key = pair(secret, address);
        for live in [&self.live, &self.own] {
            if let Err(error) = live.forgive(&key).await {
                tracing::warn!(error = &error as &dyn std::error::Error, "a throttle could not be reset");
            }
        }
    }

    /// Counts an account that is to be made from this address.
    ///
    /// # Errors
    /// With how long to wait before the next when this was one too many.
    pub async fn account(&self, address: &Address) -> Result<(), Duration> {
        self.count(&format!("identity:accounts:{}", address.0), self.limits.accounts_by_address).await
    }

    async fn count(&self, key: &str, rate: Rate) -> Result<(), Duration> {
        let quota = Quota::new(rate.burst, rate.window);
        let now = Moment::from_micros(micros::from_moment(self.ambient.now()));
        for live in [&self.live, &self.own] {
            match live.count(key, quota, now).await {
                Ok(live::Throttle::Allowed { .. }) => return Ok(()),
                Ok(live::Throttle::Refused { retry_after }) => return Err(retry_after),
                Err(error) => {
                    let error = &error as &dyn std::error::Error;
                    tracing::warn!(error, "attempts cannot be counted in the live state");
                }
            }
        }
        Err(PAUSE)
    }
}

impl fmt::Debug for Throttle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Throttle").field("limits", &self.limits).finish_non_exhaustive()
    }
}

fn pair(secret: &Secret, address: &Address) -> String {
    format!("identity:guess:{}:{}", secret.0, address.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_counted_by_household() {
        let check = |text: &str, expected: &str| {
            let address = Address::of(Some(text.parse().expect("an address")));
            assert_eq!(address, Address(expected.to_owned()), "{text}");
        };
        check("192.0.2.7", "192.0.2.7");
        check("::ffff:192.0.2.7", "192.0.2.7");
        check("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::");
        check("2001:db8:1:2:ffff::1", "2001:db8:1:2::");
        assert_eq!(Address::of(None), Address("local".to_owned()));
    }
}
