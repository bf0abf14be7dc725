//! A bound service with mock time, and the hands to call it.

use std::{net::IpAddr, sync::Arc, time::Duration};

use api::{
    error::reason,
    identity::v1::{
        Account, ListKeysRequest, RegisterGuestRequest, RegisterRequest, Session, SignInRequest,
        identity_internal_service_client::IdentityInternalServiceClient,
        identity_service_client::IdentityServiceClient,
    },
    transport::{Transport, over},
};
use chassis::{
    Database, Env, Lifecycle, MockClock, Vault,
    auth::{Caller, PLAYERS},
    jwt::{self, Claims, JwtError, VerifyingKeys},
    testing::{TestDatabase, as_account, as_service, databases},
};
use identity::{Deps, HashCost, Limits, Rate};
use live::Live;
use time::{OffsetDateTime, macros::datetime};
use tonic::{Code, Request, Response, Status, service::Routes, transport::server::TcpConnectInfo};
use tower::util::MapRequest;

/// A client of the public service.
pub(crate) type Client = IdentityServiceClient<Transport>;

/// The password of everybody.
pub(crate) const PASSWORD: &str = "correct horse battery";

const START: OffsetDateTime = datetime!(2026-11-21 08:00 UTC);

/// A service on a database of its own.
pub(crate) struct Fixture {
    pub kind: &'static str,
    pub env: Env,
    pub time: MockClock,
    pub routes: Routes,
    pub lifecycle: Lifecycle,
    internal: Routes,
    test_database: TestDatabase,
}

/// Limits that nothing here reaches.
pub(crate) const WIDE: Limits = {
    const RATE: Rate = Rate { burst: 100_000, window: Duration::from_secs(100_000) };
    Limits { guesses: RATE, guesses_everywhere: RATE, guesses_by_address: RATE, accounts_by_address: RATE }
};

/// One service a database, with limits that nothing reaches.
pub(crate) async fn fixtures() -> Vec<Fixture> {
    fixtures_with(WIDE, HashCost::LEAST).await
}

/// One service a database.
pub(crate) async fn fixtures_with(limits: Limits, cost: HashCost) -> Vec<Fixture> {
    let mut fixtures = Vec::new();
    for database in databases().await {
        fixtures.push(Fixture::new(database, limits, cost, memory().await).await);
    }
    fixtures
}

/// An empty live state.
pub(crate) async fn memory() -> Arc<dyn Live> {
    let config = live::Config::new("memory").expect("a place");
    live::connect(&config).await.expect("memory is always there")
}

impl Fixture {
    pub(crate) async fn new(
        test_database: TestDatabase,
        limits: Limits,
        hash_cost: HashCost,
        live: Arc<dyn Live>,
    ) -> Self {
        chassis::install_crypto();
        let (env, time) = Env::mock(START, 7);
        let database = test_database.database.clone();
        let lifecycle = Lifecycle::new();
        let (public, internal) = bind(&env, &database, live, &lifecycle, hash_cost, limits).await;
        let kind = test_database.kind;
        Fixture { kind, env, time, routes: public, lifecycle, internal, test_database }
    }

    /// Another replica of the same service, with another cost of hashes.
    pub(crate) async fn replica(&self, hash_cost: HashCost) -> Routes {
        self.replica_within(hash_cost, &self.lifecycle).await
    }

    /// Another replica, whose tasks belong to another lifecycle.
    pub(crate) async fn replica_within(&self, hash_cost: HashCost, lifecycle: &Lifecycle) -> Routes {
        bind(&self.env, self.database(), memory().await, lifecycle, hash_cost, WIDE).await.0
    }

    pub(crate) fn database(&self) -> &Database {
        &self.test_database.database
    }

    /// A client without a token.
    pub(crate) fn client(&self) -> Client {
        IdentityServiceClient::new(over(self.routes.clone().prepare()))
    }

    /// A client without a token at an address.
    pub(crate) fn client_at(&self, address: &str) -> Client {
        let ip: IpAddr = address.parse().expect("an address");
        let peer = TcpConnectInfo { local_addr: None, remote_addr: Some((ip, 4321).into()) };
        let transport = over(self.routes.clone().prepare());
        IdentityServiceClient::new(Transport::new(MapRequest::new(
            transport,
            move |mut request: http::Request<tonic::body::Body>| {
                request.extensions_mut().insert(peer.clone());
                request
            },
        )))
    }

    /// A client that calls with the access token of a session, verified as any service verifies it.
    pub(crate) async fn signed_in(&self, session: &Session) -> Client {
        self.with_token(&session.access_token).await
    }

    /// A client that calls with an access token.
    pub(crate) async fn with_token(&self, token: &str) -> Client {
        let claims = self.claims(token).await.expect("a good token");
        self.calling(Caller::from_claims(&claims).expect("a player's"))
    }

    /// A client that calls as somebody.
    pub(crate) fn calling(&self, caller: Caller) -> Client {
        IdentityServiceClient::new(as_account(over(self.routes.clone().prepare()), caller))
    }

    /// A client of the internal service that calls as another service.
    pub(crate) fn as_service(&self) -> IdentityInternalServiceClient<Transport> {
        IdentityInternalServiceClient::new(as_service(over(self.internal.clone().prepare())))
    }

    /// A client of the internal service that calls as nobody in particular.
    pub(crate) fn intruder(&self) -> IdentityInternalServiceClient<Transport> {
        IdentityInternalServiceClient::new(over(self.internal.clone().prepare()))
    }

    /// The keys that are listed now.
    pub(crate) async fn keys(&self) -> VerifyingKeys {
        let listed = self.client().list_keys(ListKeysRequest {}).await.expect("keys are listed").into_inner();
        let mut keys = VerifyingKeys::new();
        for key in listed.keys {
            keys.insert_encoded(&key.kid, &key.x).expect("a good key");
        }
        keys
    }

    /// What an access token says, if the keys that are listed now verify it.
    pub(crate) async fn claims(&self, token: &str) -> Result<Claims, JwtError> {
        jwt::verify(token, &self.keys().await, PLAYERS, self.env.now())
    }

    /// A new request id.
    pub(crate) fn request_id(&self) -> String {
        self.env.uuid().to_string()
    }

    /// Registers somebody with everybody's password.
    pub(crate) async fn register(&self, name: &str) -> (Account, Session) {
        let request = self.register_request(name);
        let answer = self.client().register(request).await.expect("registers").into_inner();
        (answer.account.expect("an account"), answer.session.expect("a session"))
    }

    pub(crate) fn register_request(&self, name: &str) -> RegisterRequest {
        let (name, password) = (name.to_owned(), PASSWORD.to_owned());
        RegisterRequest { name, password, request_id: self.request_id(), bot: false }
    }

    /// Makes a guest.
    pub(crate) async fn guest(&self) -> (Account, Session) {
        let request = RegisterGuestRequest { request_id: self.request_id() };
        let answer = self.client().register_guest(request).await.expect("registers").into_inner();
        (answer.account.expect("an account"), answer.session.expect("a session"))
    }

    /// Signs somebody in.
    pub(crate) async fn sign_in(&self, name: &str, password: &str) -> Result<Session, Status> {
        let answer = self.client().sign_in(sign_in(name, password)).await?.into_inner();
        Ok(answer.session.expect("a session"))
    }
}

pub(crate) fn sign_in(name: &str, password: &str) -> SignInRequest {
    SignInRequest { name: name.to_owned(), password: password.to_owned(), device_mark: String::new() }
}

/// Makes sure that a call was refused in this way.
#[track_caller]
pub(crate) fn refused<T>(outcome: Result<Response<T>, Status>, code: Code, why: &str) -> Status {
    let status = outcome.map(drop).expect_err(why);
    assert_eq!((status.code(), reason(&status).as_str()), (code, why), "{status:?}");
    status
}

/// A request without a body worth mentioning.
pub(crate) fn plain<T: Default>() -> Request<T> {
    Request::new(T::default())
}

async fn bind(
    env: &Env,
    database: &Database,
    live: Arc<dyn Live>,
    lifecycle: &Lifecycle,
    hash_cost: HashCost,
    limits: Limits,
) -> (Routes, Routes) {
    let (env, database, lifecycle) = (env.clone(), database.clone(), lifecycle.clone());
    let vault = Vault::open_to_all();
    let deps = Deps { env, database, vault, live, lifecycle, hash_cost, limits };
    let routes = identity::bind(deps).await.expect("binds");
    (routes.public, routes.internal)
}
