//! Counts attempts in the live state.
//!
//! When the live state does not answer, neither refusing everybody (nobody could sign in) nor letting everybody
//! through (passwords could be guessed) will do: attempts are then counted in the memory of the process. With n
//! replicas a guesser gets at most n times his tries. Should even that memory be full, which takes an attack
//! from a million addresses, attempts are refused.
//!
//! A call counts several things. What it waits for the live state is one time for all of them, not one each: a live
//! state that is silent would otherwise keep it longer than any client waits.

use std::{fmt, sync::Arc, time::Duration};

use chassis::{Env, throttle::Throttle as Complaints, time::to_micros};
use live::{LiveError, Moment, Quota, ThrottleStore};
use tokio::time::{Instant, timeout};

use super::names;
use crate::core::{
    attempt::{Address, Secret, Standing},
    limit::{LIVE_MAX, Limits, Rate},
};

/// How long to wait when nothing can be counted at all.
const PAUSE: Duration = Duration::from_secs(1);

/// Counts attempts.
#[derive(Clone)]
pub(crate) struct Throttle {
    env: Env,
    limits: Limits,
    live: Arc<dyn ThrottleStore>,
    own: Arc<dyn ThrottleStore>,
}

/// Counts the attempts of one call.
#[derive(Debug)]
pub(crate) struct Tries<'a> {
    throttle: &'a Throttle,
    /// How much longer the call waits for the live state.
    left: Duration,
}

impl Throttle {
    /// Counts in `live`, and when that fails in `own`, which is this process's alone.
    pub(crate) fn new(
        env: Env,
        limits: Limits,
        live: Arc<dyn ThrottleStore>,
        own: Arc<dyn ThrottleStore>,
    ) -> Self {
        Throttle { env, limits, live, own }
    }

    /// What counts the attempts of one call.
    pub(crate) fn tries(&self) -> Tries<'_> {
        Tries { throttle: self, left: LIVE_MAX }
    }
}

impl Tries<'_> {
    /// Counts a guess at a secret.
    ///
    /// # Errors
    /// With how long to wait before the next when this was one too many.
    pub(crate) async fn guess(
        &mut self,
        secret: &Secret,
        address: &Address,
        standing: Standing<'_>,
    ) -> Result<(), Duration> {
        // The narrowest first: who is stopped there uses up none of what others share with him.
        self.count(&names::guesses_as(secret, address, standing), self.throttle.limits.guesses).await?;
        if !matches!(standing, Standing::Stranger) {
            return Ok(());
        }
        self.count(&names::guesses_from(address), self.throttle.limits.guesses_by_address).await?;
        self.count(&names::guesses_anywhere(secret), self.throttle.limits.guesses_everywhere).await
    }

    /// Counts a guess at a secret by whoever has got a token of its owner: nobody else can use up his tries.
    ///
    /// # Errors
    /// As [`Tries::guess`].
    pub(crate) async fn guess_own(&mut self, secret: &Secret) -> Result<(), Duration> {
        self.count(&names::guesses(secret), self.throttle.limits.guesses).await
    }

    /// Forgives those guesses.
    pub(crate) async fn forgive_own(&mut self, secret: &Secret) {
        self.reset(&names::guesses(secret)).await;
    }

    /// Forgives the guesses at a secret that were counted as these: the last one was right.
    pub(crate) async fn forgive(&mut self, secret: &Secret, address: &Address, standing: Standing<'_>) {
        self.reset(&names::guesses_as(secret, address, standing)).await;
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
    pub(crate) async fn account(&mut self, address: &Address) -> Result<(), Duration> {
        self.count(&names::accounts(address), self.throttle.limits.accounts_by_address).await
    }

    async fn count(&mut self, key: &str, rate: Rate) -> Result<(), Duration> {
        let throttle = self.throttle;
        let quota = Quota::new(rate.burst, rate.window);
        let now = Moment::from_micros(to_micros(throttle.env.now()));
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
            return Err(LiveError::unavailable("it has been silent for too long to be asked again"));
        }
        let began = Instant::now();
        let answer = timeout(self.left, asked).await;
        self.left = self.left.saturating_sub(began.elapsed());
        answer.unwrap_or_else(|elapsed| Err(LiveError::unavailable(elapsed)))
    }
}

impl fmt::Debug for Throttle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Throttle").field("limits", &self.limits).finish_non_exhaustive()
    }
}
