//! What can go wrong, and what a caller is told of it.

use std::time::Duration;

use api::{fault::Fault, reason};
use chassis::database::{Contention, StoreError};
use sea_orm::DbErr;
use tonic::{Code, Status};

use crate::core::{access_token::InvalidNewAccessToken, name::InvalidName, password::HashError};

/// What a call of this service comes to.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a call is refused or fails.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A name that nobody can have.
    #[error(transparent)]
    InvalidName(#[from] InvalidName),
    /// A password that is too short or too long, in this field.
    #[error("a password has 8 to 128 characters")]
    InvalidPassword(&'static str),
    /// A password that everybody tries first, in this field.
    #[error("this password is one of those that are tried first; choose another")]
    CommonPassword(&'static str),
    /// A name that somebody else has, or one that looks like it.
    #[error("the name is taken, or looks like one that is")]
    NameTaken,
    /// A request id that was used for something that is over.
    #[error("the request id was used before")]
    RequestIdReused,
    /// Only guests can be made full accounts.
    #[error("the account is no guest's")]
    NotAGuest,
    /// One attempt too many.
    #[error("too many attempts; try again later")]
    TooManyAttempts(Duration),
    /// A wrong name or password.
    #[error("wrong name or password")]
    BadCredentials,
    /// A refresh token of no session.
    #[error("the refresh token is not valid")]
    BadRefreshToken,
    /// A refresh token that was used before.
    #[error("the refresh token was used before; the session is ended")]
    RefreshTokenReused,
    /// A personal access token that nobody can have.
    #[error(transparent)]
    InvalidNewAccessToken(#[from] InvalidNewAccessToken),
    /// One personal access token too many.
    #[error("an account has at most 50 valid access tokens")]
    TooManyTokens,
    /// A personal access token cannot do this, whatever its scopes.
    #[error("this call needs a token from signing in")]
    SignInNeeded,
    /// No such personal access token.
    #[error("there is no such access token")]
    UnknownToken,
    /// The secret of no valid personal access token.
    #[error("the access token is not valid")]
    BadAccessToken,
    /// Whoever calls shows no token.
    #[error("this call needs an access token")]
    TokenMissing,
    /// The token is good, but its account is not here.
    #[error("the token is of no account")]
    UnknownCaller,
    /// There is no such account.
    #[error("there is no such account")]
    UnknownAccount,
    /// Guests have no roles.
    #[error("a guest account has no roles")]
    Guest,
    /// One role too many.
    #[error("an account has at most 32 roles; revoke those of past events")]
    RolesFull,
    /// More accounts than can be looked up at once.
    #[error("at most 200 accounts can be looked up at once")]
    TooManyIds,
    /// More passwords to check than the process can.
    #[error("too many people are signing in; try again")]
    Overloaded,
    /// Keys were rotated too often.
    #[error("there are 16 keys already; wait until the oldest is forgotten")]
    TooManyKeys,
    /// There is no key to sign with.
    #[error("there is no key to sign with")]
    NoKey,
    /// A password could not be hashed.
    #[error(transparent)]
    Hash(#[from] HashError),
    /// A thread that hashes passwords died.
    #[error("the hashing of a password was cut off")]
    Cut(#[from] tokio::task::JoinError),
    /// The database failed, or others were always first.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A field of the request is none.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl From<DbErr> for Error {
    fn from(error: DbErr) -> Self {
        Error::Store(error.into())
    }
}

impl Contention for Error {
    fn is_contended(&self) -> bool {
        matches!(self, Error::Store(error) if error.is_contended())
    }
}

/// The one place where errors of the service become those of the wire; what the caller cannot help is logged here and
/// not told.
impl From<Error> for Status {
    fn from(error: Error) -> Status {
        use Error as E;
        let message = error.to_string();
        let fault = match error {
            E::InvalidName(_) => Fault::invalid(reason::BAD_NAME, "name", message),
            E::InvalidPassword(field) => Fault::invalid(reason::BAD_PASSWORD, field, message),
            E::CommonPassword(field) => Fault::invalid(reason::COMMON_PASSWORD, field, message),
            E::NameTaken => Fault::new(Code::AlreadyExists, reason::NAME_TAKEN, message),
            E::RequestIdReused => Fault::new(Code::Aborted, reason::REQUEST_ID_REUSED, message),
            E::NotAGuest => Fault::new(Code::FailedPrecondition, reason::NOT_A_GUEST, message),
            E::TooManyAttempts(wait) => {
                Fault::new(Code::ResourceExhausted, reason::TOO_MANY_ATTEMPTS, message).retry_after(wait)
            }
            E::BadCredentials => Fault::new(Code::Unauthenticated, reason::BAD_CREDENTIALS, message),
            E::BadRefreshToken => Fault::new(Code::Unauthenticated, reason::BAD_REFRESH_TOKEN, message),
            E::RefreshTokenReused => Fault::new(Code::Unauthenticated, reason::REFRESH_TOKEN_REUSED, message),
            E::InvalidNewAccessToken(InvalidNewAccessToken::Label) => {
                Fault::invalid(reason::BAD_LABEL, "label", message)
            }
            E::InvalidNewAccessToken(InvalidNewAccessToken::Scope) => {
                Fault::invalid(reason::BAD_SCOPE, "scopes", message)
            }
            E::InvalidNewAccessToken(InvalidNewAccessToken::Lifetime) => {
                Fault::invalid(reason::BAD_LIFETIME, "lifetime_duration", message)
            }
            E::TooManyTokens => Fault::new(Code::ResourceExhausted, reason::TOO_MANY_TOKENS, message),
            E::SignInNeeded => Fault::new(Code::PermissionDenied, reason::SCOPE_MISSING, message),
            E::UnknownToken => Fault::new(Code::NotFound, reason::UNKNOWN_TOKEN, message),
            E::BadAccessToken => Fault::new(Code::Unauthenticated, reason::BAD_ACCESS_TOKEN, message),
            E::TokenMissing => Fault::new(Code::Unauthenticated, reason::TOKEN_MISSING, message),
            E::UnknownCaller => Fault::new(Code::Unauthenticated, reason::TOKEN_INVALID, message),
            E::UnknownAccount => Fault::new(Code::NotFound, reason::UNKNOWN_ACCOUNT, message),
            E::Guest => Fault::new(Code::FailedPrecondition, reason::GUEST, message),
            E::RolesFull => Fault::new(Code::ResourceExhausted, reason::ROLES_FULL, message),
            E::TooManyIds => Fault::invalid(reason::TOO_MANY_IDS, "ids", message),
            E::Overloaded => {
                let wait = Duration::from_secs(1);
                Fault::new(Code::ResourceExhausted, reason::OVERLOADED, message).retry_after(wait)
            }
            E::TooManyKeys => Fault::new(Code::ResourceExhausted, reason::TOO_MANY_KEYS, message),
            E::Store(error) => chassis::fault::store(&error),
            E::Fault(fault) => fault,
            // The threads end before the calls only when the process does.
            E::Cut(ref join) if join.is_cancelled() => {
                Fault::unavailable(reason::STOPPING, "this server is stopping; call again")
            }
            E::NoKey | E::Hash(_) | E::Cut(_) => {
                tracing::error!(error = &error as &dyn std::error::Error, "a call failed");
                Fault::internal()
            }
        };
        fault.into()
    }
}
