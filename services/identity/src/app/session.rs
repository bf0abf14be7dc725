//! Sessions: beginning, going on and ending.

use chassis::{
    auth::{Caller, GrantType, RoleGrant, Scope},
    database::{StoreError, Transaction, retry_contended},
    id::RequestId,
    jwt::SigningKey,
};

use super::Identity;
use crate::{
    core::{
        account::Account,
        attempt::{Address, Secret},
        claims,
        limit::PLACES_MAX,
        name::NameKey,
        secret::{DeviceMark, RefreshToken},
        session::{SESSIONS_MAX, Session, SessionEnd},
        token_pair::TokenPair,
    },
    error::{Error, Result},
    store,
};

impl Identity {
    /// Begins a session of an account within a transaction.
    pub(super) async fn begin_session(
        &self,
        transaction: &Transaction,
        account: &Account,
        key: &SigningKey,
    ) -> Result<TokenPair> {
        let token = RefreshToken::generate(self.env.uuid(), &self.env);
        let session = Session::begin(token.session, account.id, token.digest(), self.env.now());
        store::session::insert(transaction, &session, SESSIONS_MAX).await?;
        let roles = store::role::grants(transaction, account.id).await?;
        Ok(self.pair(account, &roles, key, token, &session))
    }

    /// Begins a session of an account whose password was right or is new, within a transaction: the address is known
    /// from now on, and the device gets a mark.
    pub(super) async fn begin_session_here(
        &self,
        transaction: &Transaction,
        account: &Account,
        key: &SigningKey,
        address: &Address,
    ) -> Result<TokenPair> {
        let pair = self.begin_session(transaction, account, key).await?;
        let Some(name) = NameKey::of(&account.name) else { return Ok(pair) };
        let (place, now) = (address.place(&Secret::password(Some(&name))), self.env.now());
        store::place::remember(transaction, account.id, place, now, PLACES_MAX).await?;
        let mark = Some(DeviceMark::generate(&name, &self.derivation, &self.env));
        Ok(TokenPair { mark, ..pair })
    }

    /// Exchanges a refresh token for the next pair, with the roles that the account has now.
    pub(crate) async fn refresh(&self, token: String, request: RequestId) -> Result<TokenPair> {
        let token = RefreshToken::parse(token).ok_or(Error::BadRefreshToken)?;
        let key = self.keys.signing().await?;
        retry_contended(|| self.refresh_once(&token, request, &key)).await
    }

    async fn refresh_once(
        &self,
        token: &RefreshToken,
        request: RequestId,
        key: &SigningKey,
    ) -> Result<TokenPair> {
        let found = store::session::find(self.database.read(), token.session).await?;
        let session = found.ok_or(Error::BadRefreshToken)?;
        let account = store::account::find(self.database.read(), session.account).await?;
        let account = account.ok_or(StoreError::Corrupt("sessions"))?;
        let roles = store::role::grants(self.database.read(), account.id).await?;
        let (successor, good) = (token.successor(&self.derivation), session.good);
        match session.used(token.digest(), request, successor.digest(), self.env.now()) {
            Ok(next) => {
                // Whoever repeats gets what is good already, and nothing is written.
                if next.good == good || store::session::swap(self.database.write(), &next).await? {
                    return Ok(self.pair(&account, &roles, key, successor, &next));
                }
                Err(StoreError::Contended.into())
            }
            Err(end) => {
                store::session::delete(self.database.write(), token.session).await?;
                Err(match end {
                    SessionEnd::Expired => Error::BadRefreshToken,
                    SessionEnd::Reused => {
                        let message = "a refresh token was used twice; its session is ended";
                        tracing::warn!(account.id = %account.id, message);
                        Error::RefreshTokenReused
                    }
                })
            }
        }
    }

    /// Ends the session of a refresh token, whether it is the good one or an earlier one. What is none is no
    /// error.
    pub(crate) async fn sign_out(&self, token: String) -> Result<()> {
        if let Some(token) = RefreshToken::parse(token) {
            store::session::delete(self.database.write(), token.session).await?;
        }
        Ok(())
    }

    /// Ends all sessions of the caller, and if asked revokes all his personal access tokens; how many of each.
    pub(crate) async fn sign_out_everywhere(
        &self,
        caller: &Caller,
        revoke_access_tokens: bool,
    ) -> Result<(u64, u64)> {
        let transaction = self.database.begin().await?;
        // Rows of one account are written by one transaction at a time, lest two wait for each other.
        if !store::account::lock(&transaction, caller.id).await? {
            transaction.rollback().await?;
            return Err(Error::UnknownCaller);
        }
        let sessions = store::session::delete_all(&transaction, caller.id).await?;
        let access_tokens = if revoke_access_tokens {
            store::access_token::revoke_all(&transaction, caller.id, self.env.now()).await?
        } else {
            0
        };
        transaction.commit().await?;
        Ok((sessions, access_tokens))
    }

    fn pair(
        &self,
        account: &Account,
        roles: &[RoleGrant],
        key: &SigningKey,
        refresh: RefreshToken,
        session: &Session,
    ) -> TokenPair {
        let (jti, now) = (self.env.uuid(), self.env.now());
        let claims = claims::claims(account, &Scope::ALL, roles, GrantType::SignIn, jti, now, None);
        TokenPair {
            access_expires: claims::expires(&claims),
            access: key.sign(&claims).into(),
            refresh,
            refresh_expires: session.expires,
            mark: None,
        }
    }
}
