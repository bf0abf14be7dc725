//! How often one caller may call.

use std::{net::IpAddr, num::NonZeroU32, sync::Arc, time::Duration};

use api::reason;
use futures::FutureExt as _;
use governor::{
    DefaultDirectRateLimiter, DefaultKeyedRateLimiter, Quota, clock::Clock as _, clock::DefaultClock,
};
use http::{Request, Response};
use tonic::{Code, body::Body};
use tower::Service;

use super::{
    come_again,
    connections::network,
    limited,
    middleware::{Answer, Middleware},
    open::{OPEN_PER_ACCOUNT, OPEN_PER_ADDRESS},
    refuse,
    work::Table,
};
use crate::{
    auth::{self, Credential},
    id::AccountId,
};

/// Idle callers are forgotten when there are this many.
const CALLERS_KEPT: usize = 100_000;
/// A caller may save up this many seconds of calls.
const BURST_S: u32 = 4;

/// Units a second when nobody says otherwise: a player makes a move a second at most; a bot with fifty games as many
/// moves, and looks around.
pub const ACCOUNT_PER_S: u32 = 100;
/// The same for an address.
pub const ADDRESS_PER_S: u32 = 200;

/// Units of calls a second: an act is one, what is dear is more, as the table of methods says. And how many may be open
/// at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimits {
    /// For each account.
    pub account_per_s: NonZeroU32,
    /// For each network address, all callers without a token together.
    pub address_per_s: NonZeroU32,
    /// Calls and streams that each account may have open at once.
    pub account_open: NonZeroU32,
    /// The same for each network address, all callers without a token together.
    pub address_open: NonZeroU32,
}

/// Refuses callers that call too often.
#[derive(Clone, Debug)]
pub(super) struct CallRates(Arc<Limiters>);

#[derive(Debug)]
struct Limiters {
    limits: RateLimits,
    table: Table,
    accounts: DefaultKeyedRateLimiter<AccountId>,
    addresses: DefaultKeyedRateLimiter<IpAddr>,
    /// Looking through all of them takes a while: once a second at most.
    forgetting: DefaultDirectRateLimiter,
    clock: DefaultClock,
}

/// A call that came too soon.
struct TooSoon {
    wait: Duration,
    per_s: NonZeroU32,
}

impl Default for RateLimits {
    fn default() -> Self {
        let most = |calls| NonZeroU32::new(calls).unwrap_or(NonZeroU32::MIN);
        RateLimits {
            account_per_s: most(ACCOUNT_PER_S),
            address_per_s: most(ADDRESS_PER_S),
            account_open: most(OPEN_PER_ACCOUNT),
            address_open: most(OPEN_PER_ADDRESS),
        }
    }
}

impl CallRates {
    /// A layer with these limits.
    pub(super) fn new(limits: RateLimits) -> Self {
        let quota = |per_s: NonZeroU32| {
            Quota::per_second(per_s)
                .allow_burst(per_s.saturating_mul(NonZeroU32::MIN.saturating_add(BURST_S - 1)))
        };
        CallRates(Arc::new(Limiters {
            limits,
            table: Table::new(),
            accounts: DefaultKeyedRateLimiter::keyed(quota(limits.account_per_s)),
            addresses: DefaultKeyedRateLimiter::keyed(quota(limits.address_per_s)),
            forgetting: DefaultDirectRateLimiter::direct(Quota::per_second(NonZeroU32::MIN)),
            clock: DefaultClock::default(),
        }))
    }
}

impl Middleware for CallRates {
    fn call<S, B>(&self, inner: &mut S, request: Request<B>) -> Answer<S::Error>
    where
        S: Service<Request<B>, Response = Response<Body>>,
        S::Future: Send + 'static,
        S::Error: Send + 'static,
    {
        match self.0.check(&request) {
            Ok(()) => inner.call(request).boxed(),
            Err(TooSoon { wait, per_s }) => {
                let message = "too many calls; slow down";
                let answer = api::Error::new(Code::ResourceExhausted, reason::TOO_MANY_CALLS, message)
                    .retry_after(wait);
                let refusal = limited(refuse(answer), "calls-per-second", per_s.get().into());
                futures::future::ok(come_again(refusal, wait)).boxed()
            }
        }
    }
}

impl Limiters {
    fn check<B>(&self, request: &Request<B>) -> Result<(), TooSoon> {
        let RateLimits { account_per_s, address_per_s, .. } = self.limits;
        let (_, cost) = self.table.of(request.uri().path());
        let address = auth::peer_address(request.extensions());
        let (checked, per_s) = match request.extensions().get::<Credential>() {
            Some(Credential::Service(_)) => return Ok(()),
            Some(Credential::Account(caller)) => {
                (self.accounts.check_key_n(&caller.id, units(cost, account_per_s)), account_per_s)
            }
            Some(Credential::Refused(_) | Credential::Unverified) | None => match address {
                Some(address) => {
                    let units = units(cost, address_per_s);
                    (self.addresses.check_key_n(&network(address), units), address_per_s)
                }
                None => return Ok(()),
            },
        };
        self.forget_idle();
        // A call that costs more than can ever be saved up is not made: its cost is cut to that.
        let Ok(Err(not_until)) = checked else { return Ok(()) };
        Err(TooSoon { wait: not_until.wait_time_from(self.clock.now()), per_s })
    }
}

impl Limiters {
    /// Forgets callers that have been idle when there are many, and not more often than is worth while.
    fn forget_idle(&self) {
        let many = self.accounts.len() > CALLERS_KEPT || self.addresses.len() > CALLERS_KEPT;
        if many && self.forgetting.check().is_ok() {
            self.accounts.retain_recent();
            self.addresses.retain_recent();
        }
    }
}

/// What a call costs where so much a second is allowed: never more than can be saved up.
fn units(cost: u32, per_s: NonZeroU32) -> NonZeroU32 {
    let saved_up = per_s.saturating_mul(NonZeroU32::MIN.saturating_add(BURST_S - 1));
    NonZeroU32::new(cost).unwrap_or(NonZeroU32::MIN).min(saved_up)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use tonic::Status;
    use tower::{Layer as _, ServiceExt as _, service_fn};

    use super::{super::middleware::Around, *};

    fn per_s(calls: u32) -> NonZeroU32 {
        NonZeroU32::new(calls).expect("not zero")
    }

    #[test]
    fn the_protos_say_how_often_one_may_call() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../proto/shoutan");
        for service in ["identity", "game", "clock", "matchmaking", "rating"] {
            let path = folder.join(service).join(format!("v1/{service}_service.proto"));
            let text = std::fs::read_to_string(&path).expect("the proto is there");
            let text = text.replace("\n//", "");
            let said =
                format!("{ACCOUNT_PER_S} units of calls a second for each account, and {ADDRESS_PER_S} for");
            assert!(text.contains(&said) && text.contains(api::error::DOMAIN), "{}", path.display());
        }
    }

    #[tokio::test]
    async fn what_is_dear_may_be_called_less_often_and_a_refusal_says_the_limit() {
        let limits = RateLimits { account_per_s: per_s(1), address_per_s: per_s(8), ..RateLimits::default() };
        let layer = CallRates::new(limits);
        let answers = service_fn(async |_: Request<()>| {
            Ok::<_, std::convert::Infallible>(Response::new(Body::empty()))
        });
        let calls = async |path: &str, last: u8| {
            let remote_addr = Some(([192, 0, 2, last], 4000).into());
            let mut answered = 0;
            loop {
                let mut request = Request::new(());
                *request.uri_mut() = path.parse().expect("a path");
                let info = tonic::transport::server::TcpConnectInfo { local_addr: None, remote_addr };
                request.extensions_mut().insert(info);
                let Ok(answer) = Around(layer.clone()).layer(answers).oneshot(request).await;
                let Some(status) = Status::from_header_map(answer.headers()) else {
                    answered += 1;
                    continue;
                };
                assert_eq!(api::error::reason(&status), "TOO_MANY_CALLS");
                assert_eq!(answer.headers()["shoutan-limit"], "calls-per-second=8");
                return answered;
            }
        };
        // Four seconds of eight units are saved up; some may be earned meanwhile.
        let cheap = calls("/shoutan.clock.v1.ClockService/GetTime", 1).await;
        let dear = calls("/shoutan.game.v1.GameService/ListGames", 2).await;
        assert!((32..64).contains(&cheap) && (2..4).contains(&dear), "{cheap} {dear}");
        // What costs more than can ever be saved up is still answered once.
        let dearest = calls("/shoutan.game.v1.GameService/ImportRecord", 3).await;
        assert!((1..3).contains(&dearest), "{dearest}");
    }
}
