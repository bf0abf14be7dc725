//! Counts attempts in the live state.
//!
//! When the live state does not answer, neither refusing everybody (nobody could sign in) nor letting everybody
//! through (passwords could be guessed) will do: attempts are then counted in the memory of the process. With n
//! replicas a guesser gets at most n times his tries. Should even that memory be full, which takes an attack
//! from a million addresses, attempts are refused.
//!
//! A call counts several things. What it waits for the live state is one time for all of them, not one each: a live
//! state that is silent would otherwise keep it longer than any client waits.

use std::{fmt, net::IpAddr, sync::Arc, time::Duration};

use chassis::{
    Ambient,
    id::{AccountId, RequestId},
    throttle::Throttle as Complaints,
};
use live::{LiveError, Moment, Quota, ThrottleStore};
use tokio::time::{Instant, timeout};

use super::micros;
use crate::core::{
    limit::{LIVE_MAX, Limits, Rate},
    name::NameKey,
    secret::{DeviceMark, Digest},
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

/// How whoever guesses stands to the secret: as what his attempts are counted.
#[derive(Clone, Copy)]
pub enum Standing<'a> {
    /// Nobody knows him.
    Stranger,
    /// He comes from an address from which the secret was known lately.
    Known,
    /// He shows the mark of a device on which it was.
    Marked(&'a DeviceMark),
}

/// Counts attempts.
#[derive(Clone)]
pub struct Throttle {
    ambient: Ambient,
    limits: Limits,
    live: Arc<dyn ThrottleStore>,
    own: Arc<dyn ThrottleStore>,
}

/// Counts the attempts of one call.
#[derive(Debug)]
pub struct Tries<'a> {
    throttle: &'a Throttle,
    /// How much longer the call waits for the live state.
    left: Duration,
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

    /// This address with this secret, as it is kept.
    pub fn place(&self, secret: &Secret) -> Digest {
        Digest::of(format!("{} {}", secret.0, self.0).as_bytes())
    }
}

impl Secret {
    /// The password of the account of this name. Names that no account can have are one.
    pub fn password(name: Option<&NameKey>) -> Self {
        Secret(name.map_or_else(|| "password:".to_owned(), |name| format!("password:{}", name.as_str())))
    }

    /// The password of the calling account.
    pub fn own_password(account: AccountId) -> Self {
        Secret(format!("change:{account}"))
    }

    /// The password that a guest is to get, or has just got.
    pub fn upgrade(guest: AccountId) -> Self {
        Secret(format!("upgrade:{guest}"))
    }

    /// Nothing: the request for a guest.
    pub fn guest(request: RequestId) -> Self {
        Secret(format!("guest:{request}"))
    }

    /// A personal access token. Texts that are none are one.
    pub fn personal_token(digest: Option<Digest>) -> Self {
        Secret(format!("token:{}", digest.map(Digest::short).unwrap_or_default()))
    }
}

impl Throttle {
    /// Counts in `live`, and when that fails in `own`, which is this process's alone.
    pub fn new(
        ambient: Ambient,
        limits: Limits,
        live: Arc<dyn ThrottleStore>,
        own: Arc<dyn ThrottleStore>,
    ) -> Self {
        Throttle { ambient, limits, live, own }
    }

    /// What counts the attempts of one call.
    pub fn tries(&self) -> Tries<'_> {
        Tries { throttle: self, left: LIVE_MAX }
    }
}

impl Tries<'_> {
    /// Counts a guess at a secret.
    ///
    /// # Errors
    /// With how long to wait before the next when this was one too many.
    pub async fn guess(
        &mut self,
        secret: &Secret,
        address: &Address,
        standing: Standing<'_>,
    ) -> Result<(), Duration> {
        // The narrowest first: who is stopped there uses up none of what others share with him.
        self.count(&key(secret, address, standing), self.throttle.limits.guesses).await?;
        if !matches!(standing, Standing::Stranger) {
            return Ok(());
        }
        self.count(&format!("identity:address:{}", address.0), self.throttle.limits.guesses_by_address)
            .await?;
        self.count(&format!("identity:secret:{}", secret.0), self.throttle.limits.guesses_everywhere).await
    }

    /// Counts a guess at a secret by whoever has got a token of its owner: nobody else can use up his tries.
    ///
    /// # Errors
    /// As [`Tries::guess`].
    pub async fn guess_own(&mut self, secret: &Secret) -> Result<(), Duration> {
        self.count(&format!("identity:guess:{}", secret.0), self.throttle.limits.guesses).await
    }

    /// Forgives those guesses.
    pub async fn forgive_own(&mut self, secret: &Secret) {
        self.reset(&format!("identity:guess:{}", secret.0)).await;
    }

    /// Forgives the guesses at a secret that were counted as these: the last one was right.
    pub async fn forgive(&mut self, secret: &Secret, address: &Address, standing: Standing<'_>) {
        self.reset(&key(secret, address, standing)).await;
    }

    async fn reset(&mut self, key: &str) {
        let throttle = self.throttle;
        for forgiven in [self.in_time(throttle.live.forgive(key)).await, throttle.own.forgive(key).await] {
            static COMPLAINTS: Complaints = Complaints::new();
            if let Err(error) = forgiven
                && let Some(held_back) = COMPLAINTS.admit()
            {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(error, held_back, "a throttle could not be reset");
            }
        }
    }

    /// Counts an account that is to be made from this address.
    ///
    /// # Errors
    /// With how long to wait before the next when this was one too many.
    pub async fn account(&mut self, address: &Address) -> Result<(), Duration> {
        self.count(&format!("identity:accounts:{}", address.0), self.throttle.limits.accounts_by_address)
            .await
    }

    async fn count(&mut self, key: &str, rate: Rate) -> Result<(), Duration> {
        let throttle = self.throttle;
        let quota = Quota::new(rate.burst, rate.window);
        let now = Moment::from_micros(micros::from_moment(throttle.ambient.now()));
        let mut counted = self.in_time(throttle.live.count(key, quota, now)).await;
        if let Err(error) = &counted {
            static COMPLAINTS: Complaints = Complaints::new();
            if let Some(held_back) = COMPLAINTS.admit() {
                let error = error as &dyn std::error::Error;
                tracing::warn!(error, held_back, "attempts cannot be counted in the live state");
            }
            counted = throttle.own.count(key, quota, now).await;
        }
        match counted {
            Ok(live::Throttle::Allowed { .. }) => Ok(()),
            Ok(live::Throttle::Refused { retry_after }) => Err(retry_after),
            Err(error) => {
                static COMPLAINTS: Complaints = Complaints::new();
                if let Some(held_back) = COMPLAINTS.admit() {
                    let error = &error as &dyn std::error::Error;
                    tracing::warn!(error, held_back, "attempts cannot be counted in this process either");
                }
                Err(PAUSE)
            }
        }
    }

    /// What the live state answers in the time that the call has left for it.
    async fn in_time<T>(
        &mut self,
        asked: impl Future<Output = Result<T, LiveError>>,
    ) -> Result<T, LiveError> {
        if self.left.is_zero() {
            return Err(LiveError::Unavailable("it has been silent for too long to be asked again".into()));
        }
        let began = Instant::now();
        let answer = timeout(self.left, asked).await;
        self.left = self.left.saturating_sub(began.elapsed());
        answer.unwrap_or_else(|elapsed| Err(LiveError::Unavailable(elapsed.into())))
    }
}

impl fmt::Debug for Throttle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Throttle").field("limits", &self.limits).finish_non_exhaustive()
    }
}

fn key(secret: &Secret, address: &Address, standing: Standing<'_>) -> String {
    match standing {
        Standing::Stranger | Standing::Known => format!("identity:guess:{}:{}", secret.0, address.0),
        Standing::Marked(mark) => format!("identity:guess:{}:device:{}", secret.0, mark.short()),
    }
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
