//! Calls that are open: how many of them one caller may have, and how long an answer waits for him to take it.

use std::{collections::HashMap, num::NonZeroU32, pin::Pin, sync::Arc, task::Context, time::Duration};

use api::reason;
use bytes::Bytes;
use futures::FutureExt as _;
use http::{Request, Response};
use http_body::SizeHint;
use parking_lot::{Mutex, MutexGuard};
use tonic::{Code, Status, body::Body};
use tower::Service;

use super::{
    PolledFrame, come_again, limited,
    middleware::{Answer, Middleware},
    named::Caller,
    refuse,
    work::{Road, Table},
};
use crate::auth::{Credential, Peer};

/// Calls and streams that an account has open at once when nobody says otherwise.
pub const OPEN_PER_ACCOUNT: u32 = 2048;
/// The same of all callers without an account behind one address.
pub const OPEN_PER_ADDRESS: u32 = 256;
/// When a caller who has too much open is to try again: others behind his address may have ended by then.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// How an answer must be taken. What has none of these is for another part of the platform, which looks after its
/// clients itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taking {
    /// All of it within [`Door::taken_within`](super::Door::taken_within).
    Whole,
    /// What there is of it within twice that.
    Stream,
}

impl Taking {
    /// How long the client has, of whom so much time is wanted.
    pub(super) fn within(self, whole: Duration) -> Duration {
        match self {
            Taking::Whole => whole,
            Taking::Stream => whole * 2,
        }
    }
}

/// Refuses callers that have too much open, and says how their answers must be taken.
#[derive(Clone, Debug)]
pub(super) struct OpenCalls(Arc<Counts>);

#[derive(Debug)]
struct Counts {
    per_account: u32,
    per_address: u32,
    table: Table,
    open: Mutex<HashMap<Caller, u32>>,
}

/// A call that is open, until it is dropped.
struct Open {
    counts: Arc<Counts>,
    caller: Caller,
}

impl OpenCalls {
    /// One with so many calls for each account, and for each address without.
    pub(super) fn new(per_account: NonZeroU32, per_address: NonZeroU32) -> Self {
        OpenCalls(Arc::new(Counts {
            per_account: per_account.get(),
            per_address: per_address.get(),
            table: Table::new(),
            open: Mutex::default(),
        }))
    }
}

impl Middleware for OpenCalls {
    fn call<S, B>(&self, inner: &mut S, request: Request<B>) -> Answer<S::Error>
    where
        S: Service<Request<B>, Response = Response<Body>>,
        S::Future: Send + 'static,
        S::Error: Send + 'static,
    {
        let open = match self.0.begin(&request) {
            Ok(open) => open,
            Err(most) => return futures::future::ok(too_many(most)).boxed(),
        };
        let taking = self.0.taking(&request);
        let answer = inner.call(request);
        async move {
            let mut answer = answer.await?;
            if let Some(taking) = taking {
                answer.extensions_mut().insert(taking);
            }
            Ok(answer.map(|body| Body::new(Held { body, _open: open })))
        }
        .boxed()
    }
}

impl Counts {
    /// Counts one more of its caller; the error is how many he may have. Services of the platform are not counted.
    fn begin<B>(self: &Arc<Self>, request: &Request<B>) -> Result<Option<Open>, u32> {
        let is_service = matches!(request.extensions().get(), Some(Credential::Service(_)));
        let Some(caller) = Caller::of(request.extensions()).filter(|_| !is_service) else { return Ok(None) };
        let most = match caller {
            Caller::Account(_) => self.per_account,
            Caller::Network(_) => self.per_address,
        };
        let mut open = self.open();
        let count = open.entry(caller).or_default();
        if *count >= most {
            return Err(most);
        }
        *count += 1;
        drop(open);
        Ok(Some(Open { counts: Arc::clone(self), caller }))
    }

    /// How the answer must be taken.
    fn taking<B>(&self, request: &Request<B>) -> Option<Taking> {
        let is_service = matches!(request.extensions().get(), Some(Credential::Service(_)));
        let by_gateway = request.extensions().get::<Peer>().is_some();
        let streams = self.table.road(request.uri().path()) == Road::Stream;
        (!is_service && !by_gateway).then_some(if streams { Taking::Stream } else { Taking::Whole })
    }

    fn open(&self) -> MutexGuard<'_, HashMap<Caller, u32>> {
        self.open.lock()
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        let mut open = self.counts.open();
        if let Some(count) = open.get_mut(&self.caller) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.caller);
            }
        }
    }
}

fn too_many(most: u32) -> Response<Body> {
    let message = "too many calls and streams are open; end some";
    let answer = api::Error::new(Code::ResourceExhausted, reason::TOO_MANY_OPEN, message);
    come_again(limited(refuse(answer.retry_after(RETRY_AFTER)), "open-calls", most.into()), RETRY_AFTER)
}

/// The body of an answer, with which its call is no longer open.
struct Held {
    body: Body,
    _open: Option<Open>,
}

impl http_body::Body for Held {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> PolledFrame {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use tonic::transport::server::TcpConnectInfo;
    use tower::{Layer as _, ServiceExt as _, service_fn};

    use super::{super::middleware::Around, *};
    use crate::auth::{Caller as Account, GrantType};

    const WATCH: &str = "/shoutan.game.v1.GameService/Watch";
    const PLAY: &str = "/shoutan.game.v1.GameService/Play";

    fn member(number: u128) -> Credential {
        Credential::Account(Account {
            id: uuid::Uuid::from_u128(number).into(),
            name: "anna".to_owned(),
            guest: false,
            bot: false,
            scopes: Vec::new(),
            roles: Vec::new(),
            kind: GrantType::SignIn,
        })
    }

    /// What a call comes to: the answer, which is open until it is dropped.
    async fn call(layer: &OpenCalls, path: &str, last: u8, credential: Option<Credential>) -> Response<Body> {
        let answers = service_fn(async |_: Request<()>| {
            Ok::<_, Infallible>(Response::new(Body::new("an answer".to_owned())))
        });
        let mut request = Request::new(());
        *request.uri_mut() = path.parse().expect("a path");
        let remote_addr = Some(([192, 0, 2, last], 4000).into());
        request.extensions_mut().insert(TcpConnectInfo { local_addr: None, remote_addr });
        if let Some(credential) = credential {
            request.extensions_mut().insert(credential);
        }
        let Ok(answer) = Around(layer.clone()).layer(answers).oneshot(request).await;
        answer
    }

    fn refusal(answer: &Response<Body>) -> Option<String> {
        Status::from_header_map(answer.headers()).map(|status| api::error::reason(&status))
    }

    #[tokio::test]
    async fn nobody_has_more_open_than_he_may_and_keeps_nobody_else_out() {
        let most = |count| NonZeroU32::new(count).expect("not zero");
        let layer = OpenCalls::new(most(2), most(1));
        let first = call(&layer, WATCH, 1, None).await;
        let second = call(&layer, WATCH, 1, None).await;
        assert_eq!(refusal(&second).as_deref(), Some("TOO_MANY_OPEN"));
        assert_eq!(second.headers()["shoutan-limit"], "open-calls=1");
        let others = [
            call(&layer, WATCH, 2, None).await,
            call(&layer, WATCH, 1, Some(member(1))).await,
            call(&layer, PLAY, 1, Some(member(1))).await,
            call(&layer, WATCH, 1, Some(member(2))).await,
        ];
        assert!(others.iter().all(|answer| refusal(answer).is_none()));
        assert!(refusal(&call(&layer, PLAY, 3, Some(member(1))).await).is_some(), "from wherever he calls");
        let service = Some(Credential::Service("clock".to_owned()));
        assert!(refusal(&call(&layer, WATCH, 1, service).await).is_none());
        drop((first, others));
        assert!(layer.0.open().is_empty(), "what has ended is not counted");
    }

    #[tokio::test]
    async fn an_answer_says_how_it_must_be_taken_unless_a_service_takes_it() {
        let most = NonZeroU32::MAX;
        let layer = OpenCalls::new(most, most);
        let taking = async |path, credential| {
            call(&layer, path, 1, credential).await.extensions().get::<Taking>().copied()
        };
        assert_eq!(taking(WATCH, None).await, Some(Taking::Stream));
        assert_eq!(taking(PLAY, Some(member(1))).await, Some(Taking::Whole));
        assert_eq!(taking(WATCH, Some(Credential::Service("clock".to_owned()))).await, None);
    }
}
