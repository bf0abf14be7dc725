//! Who is calling, and what they may do.
//!
//! A layer in front of every service reads the `authorization` header and puts a [`Credential`] into the
//! request. It refuses nothing by itself, because many calls need no token; a handler that needs one asks
//! with [`require`] or [`require_service`] and so decides in one visible place.

mod certified;
mod cluster;
mod kept;
mod layer;
mod role;
mod verifier;

pub use certified::{SERVICE_HEADER, as_certified_service, connect_with};
pub use cluster::{ClusterKey, as_service_over, gateway_token};
pub use layer::{AuthLayer, AuthService};
pub use role::{Role, RoleGrant, RoleScope};
pub use verifier::{Keeping, LIMITS, Verifier};

use std::{collections::BTreeSet, net::IpAddr};

use api::{reason, transport::Transport};
use tonic::{Code, Request, transport::server::TcpConnectInfo};
use tower::util::MapRequest;

use crate::{
    id::{AccountId, EventId, FederationId},
    jwt::{Claims, JwtError},
    trace::carried,
};

/// The audience of the tokens of players.
pub const PLAYERS: &str = "shoutan";
/// The audience of the tokens with which services call each other.
pub const SERVICES: &str = "shoutan-services";

/// Where the public keys of tokens are published, besides gRPC.
pub const JWKS_PATH: &str = "/.well-known/jwks.json";
/// The header in which a gateway proves to be one.
pub const GATEWAY_HEADER: &str = "x-shoutan-gateway";
/// The header in which a gateway says where a request came from.
pub const PEER_HEADER: &str = "x-shoutan-peer";

/// Where a request came from, as a gateway of the platform says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Peer(IpAddr);

/// A request that came over a connection on which a certificate of the services' authority was shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByCertificate;

/// What a token allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scope {
    /// Manage the account and its tokens.
    Account,
    /// Look for games.
    Queue,
    /// Act in games.
    Play,
    /// Import records.
    Record,
    /// Act in the roles of the account, which are in the token only with this scope.
    Arbitrate,
}

impl Scope {
    /// Every scope.
    pub const ALL: [Scope; 5] = [Scope::Account, Scope::Queue, Scope::Play, Scope::Record, Scope::Arbitrate];

    /// Its name in tokens.
    pub const fn as_str(self) -> &'static str {
        match self {
            Scope::Account => "account",
            Scope::Queue => "queue",
            Scope::Play => "play",
            Scope::Record => "record",
            Scope::Arbitrate => "arbitrate",
        }
    }

    /// The scope of a name.
    pub fn parse(name: &str) -> Option<Self> {
        Scope::ALL.into_iter().find(|scope| scope.as_str() == name)
    }
}

/// How a token came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GrantType {
    /// By signing in.
    SignIn,
    /// By exchanging a personal access token.
    AccessToken,
}

impl GrantType {
    /// Its name in tokens.
    pub const fn as_str(self) -> &'static str {
        match self {
            GrantType::SignIn => "sign-in",
            GrantType::AccessToken => "access-token",
        }
    }
}

/// An account that is calling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// Its id.
    pub id: AccountId,
    /// Its name.
    pub name: String,
    /// Whether it is a guest account.
    pub guest: bool,
    /// Whether a program plays with it.
    pub bot: bool,
    /// What the token allows.
    pub scopes: Vec<Scope>,
    /// The roles of the account, as they were when the token was issued.
    pub roles: Vec<RoleGrant>,
    /// How the token came about.
    pub kind: GrantType,
}

/// What the `authorization` header of a request amounts to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Credential {
    /// A player, a spectator or a bot.
    Account(Caller),
    /// Another service of the platform, by name.
    Service(String),
    /// A token that is not accepted.
    Refused(JwtError),
    /// A token of which nobody can say now what it amounts to: its key is not known, and keys cannot be fetched.
    Unverified,
}

impl Caller {
    /// The caller that claims speak of; `None` when they are not an account's.
    pub fn from_claims(claims: &Claims) -> Option<Self> {
        let kind = [GrantType::SignIn, GrantType::AccessToken]
            .into_iter()
            .find(|kind| kind.as_str() == claims.kind)?;
        Some(Caller {
            id: uuid::Uuid::try_parse(&claims.sub).ok()?.into(),
            name: claims.name.clone(),
            guest: claims.guest,
            bot: claims.bot,
            // A word that is neither is of another version of the platform.
            scopes: claims.scope.split(' ').filter_map(Scope::parse).collect(),
            roles: claims.scope.split(' ').filter_map(RoleGrant::parse).collect(),
            kind,
        })
    }

    /// The roles that the caller has in an event, in a federation, or in an event of a federation: those of the
    /// event itself and those of its federation. None in what belongs to neither.
    pub fn roles_in(&self, event: Option<EventId>, federation: Option<FederationId>) -> BTreeSet<Role> {
        let here = self.roles.iter().filter(|grant| grant.scope.reaches(event, federation));
        here.map(|grant| grant.role).collect()
    }

    /// Whether the caller has a role in an event, in a federation, or in an event of a federation. A chief
    /// arbiter is not for that an arbiter: who may do what is for the service to say that is asked for it.
    pub fn has_role(&self, role: Role, event: Option<EventId>, federation: Option<FederationId>) -> bool {
        self.roles.iter().any(|grant| grant.role == role && grant.scope.reaches(event, federation))
    }

    /// Whether the caller is a moderator of the platform.
    pub fn is_moderator(&self) -> bool {
        self.roles.contains(&RoleGrant { role: Role::Moderator, scope: RoleScope::Platform })
    }
}

/// The account that is calling, if it showed a token.
///
/// # Errors
/// UNAUTHENTICATED with TOKEN_INVALID or TOKEN_EXPIRED for a token that is not accepted; UNAVAILABLE with
/// KEYS_UNAVAILABLE for one that cannot be verified now.
pub fn caller<T>(request: &Request<T>) -> Result<Option<Caller>, api::Error> {
    match request.extensions().get::<Credential>() {
        Some(Credential::Account(caller)) => Ok(Some(caller.clone())),
        Some(Credential::Refused(JwtError::Expired)) => {
            Err(api::Error::new(Code::Unauthenticated, reason::TOKEN_EXPIRED, "the token has expired"))
        }
        Some(Credential::Refused(_)) => {
            Err(api::Error::new(Code::Unauthenticated, reason::TOKEN_INVALID, "the token is not valid"))
        }
        Some(Credential::Unverified) => {
            let message = "the token cannot be verified now; try again";
            Err(api::Error::unavailable(reason::KEYS_UNAVAILABLE, message))
        }
        Some(Credential::Service(_)) | None => Ok(None),
    }
}

/// The account that is calling, whatever its token allows.
///
/// # Errors
/// As [`caller`]; UNAUTHENTICATED with TOKEN_MISSING for a call without a token.
pub fn signed_in<T>(request: &Request<T>) -> Result<Caller, api::Error> {
    caller(request)?.ok_or_else(|| {
        api::Error::new(Code::Unauthenticated, reason::TOKEN_MISSING, "this call needs an access token")
    })
}

/// The account that is calling with a token that allows `scope`.
///
/// # Errors
/// UNAUTHENTICATED with TOKEN_MISSING, TOKEN_INVALID or TOKEN_EXPIRED; PERMISSION_DENIED with SCOPE_MISSING.
pub fn require<T>(request: &Request<T>, scope: Scope) -> Result<Caller, api::Error> {
    let caller = signed_in(request)?;
    if caller.scopes.contains(&scope) {
        return Ok(caller);
    }
    let message = format!("the token lacks the scope {}", scope.as_str());
    Err(api::Error::new(Code::PermissionDenied, reason::SCOPE_MISSING, message)
        .with_metadata("scope", scope.as_str()))
}

/// The moderator of the platform who is calling.
///
/// # Errors
/// As [`require`] of [`Scope::Arbitrate`]; PERMISSION_DENIED with NOT_MODERATOR.
pub fn require_moderator<T>(request: &Request<T>) -> Result<Caller, api::Error> {
    let caller = require(request, Scope::Arbitrate)?;
    if caller.is_moderator() {
        return Ok(caller);
    }
    let message = "only moderators of the platform may call this";
    Err(api::Error::new(Code::PermissionDenied, reason::NOT_MODERATOR, message))
}

/// The network address that a request came from; `None` within one process.
pub fn peer_address(extensions: &http::Extensions) -> Option<IpAddr> {
    let forwarded = extensions.get::<Peer>().map(|peer| peer.0);
    let connected = || extensions.get::<TcpConnectInfo>().and_then(TcpConnectInfo::remote_addr);
    forwarded.or_else(|| connected().map(|address| address.ip()))
}

/// Whether a request came through a gateway of the platform.
pub fn through_gateway(extensions: &http::Extensions) -> bool {
    extensions.get::<Peer>().is_some()
}

/// Makes sure that a service of the platform is calling.
///
/// # Errors
/// PERMISSION_DENIED with SERVICES_ONLY.
pub fn require_service<T>(request: &Request<T>) -> Result<(), api::Error> {
    if let Some(Credential::Service(_)) = request.extensions().get() {
        return Ok(());
    }
    let message = "only services of the platform may call this";
    Err(api::Error::new(Code::PermissionDenied, reason::SERVICES_ONLY, message))
}

/// The same transport, calling as a service of the platform, for a process that holds all services: no token
/// is needed where nothing crosses a wire.
pub fn as_service(transport: Transport) -> Transport {
    with_credential(carried(transport), Credential::Service("in-process".to_owned()))
}

/// The same transport with a credential that nobody has to verify. It does not survive a network.
pub(crate) fn with_credential(transport: Transport, credential: Credential) -> Transport {
    Transport::new(MapRequest::new(transport, move |mut request: http::Request<tonic::body::Body>| {
        request.extensions_mut().insert(credential.clone());
        request
    }))
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn calling(scope: &str) -> Caller {
        let claims = Claims {
            sub: Uuid::from_u128(7).to_string(),
            name: "anna".to_owned(),
            guest: false,
            bot: false,
            scope: scope.to_owned(),
            kind: "sign-in".to_owned(),
            iss: String::new(),
            aud: PLAYERS.to_owned(),
            iat: 0,
            exp: 0,
            jti: String::new(),
        };
        Caller::from_claims(&claims).expect("an account's")
    }

    #[test]
    fn scopes_and_roles_are_read_and_other_words_passed_over() {
        let event = EventId::from(Uuid::from_u128(1));
        let federation = FederationId::from(Uuid::from_u128(2));
        let caller = calling(&format!(
            "play fly deputy@event:{event} arbiter@federation:{federation} arbiter@club:{event} deputy@{event} \
             arbitrate"
        ));
        assert_eq!(caller.scopes, [Scope::Play, Scope::Arbitrate]);
        assert_eq!(
            caller.roles,
            [
                RoleGrant { role: Role::Deputy, scope: RoleScope::Event(event) },
                RoleGrant { role: Role::Arbiter, scope: RoleScope::Federation(federation) },
            ]
        );
        assert_eq!((calling("").scopes, calling("").roles), (vec![], vec![]));
        for scope in Scope::ALL {
            assert_eq!(calling(scope.as_str()).scopes, [scope]);
        }
    }

    #[test]
    fn a_role_holds_where_it_is_bound_to() {
        let (event, other) = (Uuid::from_u128(1).into(), Uuid::from_u128(3).into());
        let (federation, rival) = (Uuid::from_u128(2).into(), Uuid::from_u128(4).into());
        let caller = calling(&format!("deputy@event:{event} arbiter@federation:{federation}"));
        let roles = |event, federation| caller.roles_in(event, federation).into_iter().collect::<Vec<_>>();
        assert_eq!(roles(Some(event), Some(federation)), [Role::Deputy, Role::Arbiter]);
        assert_eq!(roles(Some(event), Some(rival)), [Role::Deputy]);
        assert_eq!(roles(Some(event), None), [Role::Deputy]);
        assert_eq!(roles(Some(other), Some(federation)), [Role::Arbiter]);
        assert_eq!(roles(None, Some(federation)), [Role::Arbiter]);
        assert_eq!(roles(Some(other), Some(rival)), []);
        assert_eq!(roles(None, None), []);
        for role in Role::ALL {
            assert_eq!(caller.has_role(role, Some(event), None), role == Role::Deputy);
            assert_eq!(caller.has_role(role, Some(other), Some(federation)), role == Role::Arbiter);
            assert!(!caller.has_role(role, None, None));
        }
    }
}
