//! Signing in with a password, and changing it.

use chassis::auth::Caller;

use super::{Identity, require_sign_in};
use crate::{
    core::{
        account::Account,
        attempt::{Address, Secret, Standing},
        limit::PLACE_KEPT,
        name::NameKey,
        password::{Password, PasswordHash},
        secret::DeviceMark,
        token_pair::TokenPair,
    },
    error::{Error, Result},
    store,
};

impl Identity {
    /// Begins a session for a name and a password.
    ///
    /// An unknown name, a guest's name and a wrong password cost the same work and give the same answer.
    pub(crate) async fn sign_in(
        &self,
        name: &str,
        password: String,
        mark: String,
        address: &Address,
    ) -> Result<(Account, TokenPair)> {
        let name = NameKey::of(name);
        let secret = Secret::password(name.as_ref());
        let mark = name.as_ref().and_then(|name| DeviceMark::parse(mark, name, &self.derivation));
        let standing = self.standing(&secret, address, mark.as_ref()).await?;
        let mut tries = self.throttle.tries();
        let counted = tries.guess(&secret, address, standing).await;
        counted.map_err(Error::TooManyAttempts)?;
        // Nobody's password is of another length, so this says nothing about the account.
        let password = Password::parse(password).map_err(|_| Error::BadCredentials)?;
        let found = match &name {
            Some(name) => store::account::find_by_name(self.database.read(), name).await?,
            None => None,
        };
        let hash = found.as_ref().and_then(|account| account.password.clone());
        let right = self.hasher.matches(password.clone(), hash.clone()).await?;
        let account = found.filter(|_| right).ok_or(Error::BadCredentials)?;
        let key = self.keys.signing().await?;
        let transaction = self.database.begin().await?;
        // The password may have been changed since it was read; that change ended all sessions.
        if !store::account::hold(&transaction, &account).await? {
            transaction.rollback().await?;
            return Err(Error::BadCredentials);
        }
        let pair = self.begin_session_here(&transaction, &account, &key, address).await?;
        transaction.commit().await?;
        tries.forgive(&secret, address, standing).await;
        self.rehash_if_outdated(&account, hash, password).await;
        Ok((account, pair))
    }

    /// How whoever signs in stands to the password that he shows.
    async fn standing<'a>(
        &self,
        secret: &Secret,
        address: &Address,
        mark: Option<&'a DeviceMark>,
    ) -> Result<Standing<'a>> {
        // Looked for whether or not there is a mark, or an account: the answer takes as long.
        let since = self.env.now() - PLACE_KEPT;
        let known = store::place::is_known(self.database.read(), address.place(secret), since).await?;
        Ok(match mark {
            Some(mark) => Standing::Marked(mark),
            None if known => Standing::Known,
            None => Standing::Stranger,
        })
    }

    /// Changes the caller's password, ends all sessions and begins a new one.
    pub(crate) async fn change_password(
        &self,
        caller: &Caller,
        old: String,
        new: String,
        address: &Address,
    ) -> Result<TokenPair> {
        require_sign_in(caller)?;
        let new = Password::parse(new).map_err(|_| Error::InvalidPassword("new_password"))?;
        let account = self.account_of(caller).await?;
        // With a stolen access token a password can be guessed at here, too; without one nobody uses up the tries.
        let secret = Secret::own_password(account.id);
        let mut tries = self.throttle.tries();
        tries.guess_own(&secret).await.map_err(Error::TooManyAttempts)?;
        if self.hasher.is_common(&new, &account.name).await? {
            return Err(Error::CommonPassword("new_password"));
        }
        let old = Password::parse(old).map_err(|_| Error::BadCredentials)?;
        if !self.hasher.matches(old, account.password.clone()).await? {
            return Err(Error::BadCredentials);
        }
        let hash = self.hasher.hash(new).await?;
        let key = self.keys.signing().await?;
        let transaction = self.database.begin().await?;
        if !store::account::set_password(&transaction, &account, &hash).await? {
            transaction.rollback().await?;
            return Err(Error::BadCredentials);
        }
        store::session::delete_all(&transaction, account.id).await?;
        let pair = self.begin_session_here(&transaction, &account, &key, address).await?;
        transaction.commit().await?;
        tries.forgive_own(&secret).await;
        tracing::info!(account.id = %account.id, "a password was changed");
        Ok(pair)
    }

    /// Stores a hash at today's cost. That it fails is no reason to refuse who has signed in.
    async fn rehash_if_outdated(&self, account: &Account, hash: Option<PasswordHash>, password: Password) {
        if !hash.is_some_and(|hash| self.hasher.is_outdated(&hash)) {
            return;
        }
        let rehashed = async {
            let hash = self.hasher.hash(password).await?;
            Ok::<(), Error>(store::account::rehash(self.database.write(), account, &hash).await?)
        };
        if let Err(error) = rehashed.await {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(error, account.id = %account.id, "a password could not be hashed at the new cost");
        }
    }
}
