//! Personal access tokens: making, listing, revoking and exchanging them.

use chassis::{
    auth::{Caller, GrantType},
    database::StoreError,
    id::RequestId,
};
use uuid::Uuid;

use super::{Identity, require_sign_in};
use crate::{
    core::{
        access_token::{ACTIVE_MAX, AccessToken, DEAD_MAX, ExchangedToken, NewAccessToken, REPEAT_WINDOW},
        attempt::{Address, Secret, Standing},
        claims,
        secret::PersonalToken,
    },
    error::{Error, Result},
    store,
};

impl Identity {
    /// Makes a token. A repetition revokes the one made before, whose secret may have been lost.
    pub(crate) async fn create_access_token(
        &self,
        caller: &Caller,
        new: NewAccessToken,
        request: RequestId,
    ) -> Result<(AccessToken, PersonalToken)> {
        require_sign_in(caller)?;
        let account = caller.id;
        let (now, secret) = (self.env.now(), PersonalToken::generate(&self.env));
        let token = new.made(self.env.uuid(), account, now);
        let transaction = self.database.begin().await?;
        // Calls for one account wait for each other, so that the count below stays true.
        if !store::account::lock(&transaction, account).await? {
            transaction.rollback().await?;
            return Err(Error::UnknownCaller);
        }
        let since = now - REPEAT_WINDOW;
        store::access_token::revoke_made_by(&transaction, account, request, since, now).await?;
        if store::access_token::count_active(&transaction, account, now).await? >= ACTIVE_MAX {
            transaction.rollback().await?;
            return Err(Error::TooManyTokens);
        }
        store::access_token::insert(&transaction, &token, secret.digest(), request).await?;
        store::access_token::trim(&transaction, account, DEAD_MAX, now).await?;
        transaction.commit().await?;
        tracing::info!(account.id = %account, access_token.id = %token.id, "an access token was made");
        Ok((token, secret))
    }

    /// The caller's tokens, newest first: at most `count` of those made before the token `before`.
    pub(crate) async fn access_tokens(
        &self,
        caller: &Caller,
        before: Option<Uuid>,
        count: u64,
    ) -> Result<Vec<AccessToken>> {
        Ok(store::access_token::page(self.database.read(), caller.id, before, count).await?)
    }

    /// Revokes one of the caller's tokens.
    pub(crate) async fn revoke_access_token(&self, caller: &Caller, id: Uuid) -> Result<()> {
        let now = self.env.now();
        if store::access_token::revoke(self.database.write(), caller.id, id, now).await? {
            return Ok(());
        }
        Err(Error::UnknownToken)
    }

    /// Exchanges a token's secret for an access token with its scopes, which expires with it at the latest.
    pub(crate) async fn exchange_access_token(
        &self,
        secret: String,
        address: &Address,
    ) -> Result<ExchangedToken> {
        let parsed = PersonalToken::parse(secret);
        // Texts that are no secrets count as guesses at one.
        let counted = Secret::personal_token(parsed.as_ref().map(PersonalToken::digest));
        let now = self.env.now();
        // Whoever has a good secret has not guessed: it has 256 bits of chance. Only others are counted, lest those
        // who share his address keep a bot out.
        let good = match &parsed {
            Some(parsed) => store::access_token::is_valid(self.database.read(), parsed.digest(), now).await?,
            None => false,
        };
        if !good {
            let guessed = self.throttle.tries().guess(&counted, address, Standing::Stranger).await;
            guessed.map_err(Error::TooManyAttempts)?;
        }
        let parsed = parsed.filter(|_| good).ok_or(Error::BadAccessToken)?;
        let key = self.keys.signing().await?;
        let token = store::access_token::take(self.database.write(), parsed.digest(), now).await?;
        let token = token.ok_or(Error::BadAccessToken)?;
        let account = store::account::find(self.database.read(), token.account).await?;
        let account = account.ok_or(StoreError::Corrupt("access_tokens"))?;
        let roles = store::role::grants(self.database.read(), account.id).await?;
        let (kind, jti, until) = (GrantType::AccessToken, self.env.uuid(), Some(token.expires));
        let claims = claims::claims(&account, &token.scopes, &roles, kind, jti, now, until);
        let access_expires = claims::expires(&claims);
        Ok(ExchangedToken { access: key.sign(&claims).into(), access_expires, account })
    }
}
