//! What can go wrong, and what a caller is told of it.

use std::time::Duration;

use api::reason;
use chassis::database::{Contention, StoreError};
use sea_orm::DbErr;
use tonic::{Code, Status};

use crate::core::{access_token::InvalidNewAccessToken, name::InvalidName, password::HashError};

/// What a call of this service comes to.
pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

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
    Api(#[from] api::Error),
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
        let answer = match error {
            E::InvalidName(_) => api::Error::invalid(reason::BAD_NAME, "name", message),
            E::InvalidPassword(field) => api::Error::invalid(reason::BAD_PASSWORD, field, message),
            E::CommonPassword(field) => api::Error::invalid(reason::COMMON_PASSWORD, field, message),
            E::NameTaken => api::Error::new(Code::AlreadyExists, reason::NAME_TAKEN, message),
            E::RequestIdReused => api::Error::new(Code::Aborted, reason::REQUEST_ID_REUSED, message),
            E::NotAGuest => api::Error::new(Code::FailedPrecondition, reason::NOT_A_GUEST, message),
            E::TooManyAttempts(wait) => {
                api::Error::new(Code::ResourceExhausted, reason::TOO_MANY_ATTEMPTS, message).retry_after(wait)
            }
            E::BadCredentials => api::Error::new(Code::Unauthenticated, reason::BAD_CREDENTIALS, message),
            E::BadRefreshToken => api::Error::new(Code::Unauthenticated, reason::BAD_REFRESH_TOKEN, message),
            E::RefreshTokenReused => {
                api::Error::new(Code::Unauthenticated, reason::REFRESH_TOKEN_REUSED, message)
            }
            E::InvalidNewAccessToken(InvalidNewAccessToken::Label) => {
                api::Error::invalid(reason::BAD_LABEL, "label", message)
            }
            E::InvalidNewAccessToken(InvalidNewAccessToken::Scope) => {
                api::Error::invalid(reason::BAD_SCOPE, "scopes", message)
            }
            E::InvalidNewAccessToken(InvalidNewAccessToken::Lifetime) => {
                api::Error::invalid(reason::BAD_LIFETIME, "lifetime_duration", message)
            }
            E::TooManyTokens => api::Error::new(Code::ResourceExhausted, reason::TOO_MANY_TOKENS, message),
            E::SignInNeeded => api::Error::new(Code::PermissionDenied, reason::SCOPE_MISSING, message),
            E::UnknownToken => api::Error::new(Code::NotFound, reason::UNKNOWN_TOKEN, message),
            E::BadAccessToken => api::Error::new(Code::Unauthenticated, reason::BAD_ACCESS_TOKEN, message),
            E::TokenMissing => api::Error::new(Code::Unauthenticated, reason::TOKEN_MISSING, message),
            E::UnknownCaller => api::Error::new(Code::Unauthenticated, reason::TOKEN_INVALID, message),
            E::UnknownAccount => api::Error::new(Code::NotFound, reason::UNKNOWN_ACCOUNT, message),
            E::Guest => api::Error::new(Code::FailedPrecondition, reason::GUEST, message),
            E::RolesFull => api::Error::new(Code::ResourceExhausted, reason::ROLES_FULL, message),
            E::TooManyIds => api::Error::invalid(reason::TOO_MANY_IDS, "ids", message),
            E::Overloaded => {
                let wait = Duration::from_secs(1);
                api::Error::new(Code::ResourceExhausted, reason::OVERLOADED, message).retry_after(wait)
            }
            E::TooManyKeys => api::Error::new(Code::ResourceExhausted, reason::TOO_MANY_KEYS, message),
            E::Store(error) => chassis::error::store(&error),
            E::Api(answer) => answer,
            // The threads end before the calls only when the process does.
            E::Cut(ref join) if join.is_cancelled() => {
                api::Error::unavailable(reason::STOPPING, "this server is stopping; call again")
            }
            E::NoKey | E::Hash(_) | E::Cut(_) => {
                tracing::error!(error = &error as &dyn std::error::Error, "a call failed");
                api::Error::internal()
            }
        };
        answer.into()
    }
}
