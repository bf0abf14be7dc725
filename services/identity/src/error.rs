//! What can go wrong, and what a caller is told of it.

use std::time::Duration;

use api::{fault::Fault, reason};
use chassis::throttle::Throttle;
use tonic::Code;

use crate::{
    core::{access_token::InvalidNewAccessToken, name::InvalidName, password::HashError},
    store::StoreError,
};

/// Why a call is refused or fails.
#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
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
    /// Others wrote the same rows again and again.
    #[error("the account is being changed by others; try again")]
    Contended,
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
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<sea_orm::DbErr> for IdentityError {
    fn from(error: sea_orm::DbErr) -> Self {
        IdentityError::Store(error.into())
    }
}

/// The fault for an error; what the caller cannot help is logged here and not told.
pub fn fault(error: &IdentityError) -> Fault {
    use IdentityError as E;
    let message = error.to_string();
    match error {
        E::InvalidName(_) => Fault::invalid(reason::BAD_NAME, "name", message),
        E::InvalidPassword(field) => Fault::invalid(reason::BAD_PASSWORD, field, message),
        E::CommonPassword(field) => Fault::invalid(reason::COMMON_PASSWORD, field, message),
        E::NameTaken => Fault::new(Code::AlreadyExists, reason::NAME_TAKEN, message),
        E::RequestIdReused => Fault::new(Code::Aborted, reason::REQUEST_ID_REUSED, message),
        E::NotAGuest => Fault::new(Code::FailedPrecondition, reason::NOT_A_GUEST, message),
        E::TooManyAttempts(wait) => {
            Fault::new(Code::ResourceExhausted, reason::TOO_MANY_ATTEMPTS, message).retry_after(*wait)
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
        E::UnknownCaller => Fault::new(Code::Unauthenticated, reason::TOKEN_INVALID, message),
        E::UnknownAccount => Fault::new(Code::NotFound, reason::UNKNOWN_ACCOUNT, message),
        E::Guest => Fault::new(Code::FailedPrecondition, reason::GUEST, message),
        E::RolesFull => Fault::new(Code::ResourceExhausted, reason::ROLES_FULL, message),
        E::TooManyIds => Fault::invalid(reason::TOO_MANY_IDS, "ids", message),
        E::Overloaded => {
            let wait = Duration::from_secs(1);
            Fault::new(Code::ResourceExhausted, reason::OVERLOADED, message).retry_after(wait)
        }
        E::Contended => Fault::unavailable(reason::CONTENDED, message),
        E::TooManyKeys => Fault::new(Code::ResourceExhausted, reason::TOO_MANY_KEYS, message),
        E::Store(StoreError::Database(_)) => {
            static COMPLAINTS: Throttle = Throttle::new();
            if let Some(held_back) = COMPLAINTS.admit() {
                let error = error as &dyn std::error::Error;
                tracing::warn!(error, held_back, "the database does not answer");
            }
            Fault::unavailable(reason::DATABASE_UNAVAILABLE, "the database does not answer; try again")
        }
        // The threads end before the calls only when the process does.
        E::Cut(join) if join.is_cancelled() => {
            Fault::unavailable(reason::STOPPING, "this server is stopping; call again")
        }
        E::NoKey | E::Hash(_) | E::Cut(_) | E::Store(_) => {
            tracing::error!(error = error as &dyn std::error::Error, "a call failed");
            Fault::internal()
        }
    }
}
