//! Making accounts.

use chassis::{
    auth::Caller,
    database::{StoreError, retry_contended},
    id::RequestId,
    jwt::SigningKey,
};

use super::{Identity, require_sign_in};
use crate::{
    core::{
        account::{Account, Credentials, GUEST_REPEAT_WINDOW},
        attempt::{Address, Secret},
        name::Name,
        password::Password,
        secret::Digest,
        token_pair::TokenPair,
    },
    error::{Error, Result},
    store,
};

impl Identity {
    /// Makes an account, perhaps a bot's, and begins its first session. A repetition begins another.
    pub(crate) async fn register(
        &self,
        name: &str,
        password: String,
        bot: bool,
        request: RequestId,
        address: &Address,
    ) -> Result<(Account, TokenPair)> {
        let (name, password) = self.chosen(name, password).await?;
        self.throttle.tries().account(address).await.map_err(Error::TooManyAttempts)?;
        let key = self.keys.signing().await?;
        // Twice at most: if the name is taken meanwhile, it may be by the same request.
        for _ in 0..2 {
            if let Some(there) = store::account::find_by_name(self.database.read(), &name.key()).await? {
                if there.bot != bot {
                    return Err(Error::NameTaken);
                }
                return self.repeated(there, (&name, password, request), false, address).await;
            }
            let hash = self.hasher.hash(password.clone()).await?;
            let made = Credentials { name: name.clone(), password: hash, request, at: self.env.now() };
            let account = Account { bot, ..Account::full(self.env.uuid().into(), made) };
            let transaction = self.database.begin().await?;
            if store::account::insert(&transaction, &account).await? {
                let pair = self.begin_session_here(&transaction, &account, &key, address).await?;
                transaction.commit().await?;
                tracing::info!(account.id = %account.id, "an account was made");
                return Ok((account, pair));
            }
            transaction.rollback().await?;
        }
        Err(Error::NameTaken)
    }

    /// Makes a guest account and begins its first session. A repetition from the same address begins another.
    pub(crate) async fn register_guest(
        &self,
        request: RequestId,
        address: &Address,
    ) -> Result<(Account, TokenPair)> {
        let asked = address.place(&Secret::guest(request));
        if self.made_guest(asked).await?.is_none() {
            self.throttle.tries().account(address).await.map_err(Error::TooManyAttempts)?;
        }
        let key = self.keys.signing().await?;
        retry_contended(|| self.guest_session(asked, &key)).await
    }

    /// Begins a session of the guest that a request has made, or makes him.
    async fn guest_session(&self, asked: Digest, key: &SigningKey) -> Result<(Account, TokenPair)> {
        if let Some(made) = self.made_guest(asked).await? {
            let transaction = self.database.begin().await?;
            let pair = self.begin_session(&transaction, &made, key).await?;
            transaction.commit().await?;
            return Ok((made, pair));
        }
        let (name, now) = (self.env.with_rng(Name::guest), self.env.now());
        let account = Account::guest(self.env.uuid().into(), &name, now);
        let transaction = self.database.begin().await?;
        // The request first: whoever is second waits here until the first has made his guest.
        if !store::guest_request::insert(&transaction, asked, account.id, now).await?
            || !store::account::insert(&transaction, &account).await?
        {
            transaction.rollback().await?;
            return Err(StoreError::Contended.into());
        }
        let pair = self.begin_session(&transaction, &account, key).await?;
        transaction.commit().await?;
        tracing::info!(account.id = %account.id, "a guest account was made");
        Ok((account, pair))
    }

    /// The guest that a request has made, if it is still one.
    async fn made_guest(&self, asked: Digest) -> Result<Option<Account>> {
        let Some((id, at)) = store::guest_request::find(self.database.read(), asked).await? else {
            return Ok(None);
        };
        let made = store::account::find(self.database.read(), id).await?;
        let made = made.filter(|account| account.guest && self.env.now() - at <= GUEST_REPEAT_WINDOW);
        made.map(Some).ok_or(Error::RequestIdReused)
    }

    /// Makes the calling guest a full account, and begins its only session. A repetition begins another.
    pub(crate) async fn upgrade_guest(
        &self,
        caller: &Caller,
        name: &str,
        password: String,
        request: RequestId,
        address: &Address,
    ) -> Result<(Account, TokenPair)> {
        require_sign_in(caller)?;
        // Hashing costs; and whoever has a guest's token may be guessing at the password of a repetition.
        let secret = Secret::upgrade(caller.id);
        self.throttle.tries().guess_own(&secret).await.map_err(Error::TooManyAttempts)?;
        let (name, password) = self.chosen(name, password).await?;
        let key = self.keys.signing().await?;
        retry_contended(|| async {
            let guest = self.account_of(caller).await?;
            if !guest.guest {
                return self.repeated(guest, (&name, password.clone(), request), true, address).await;
            }
            if store::account::find_by_name(self.database.read(), &name.key()).await?.is_some() {
                return Err(Error::NameTaken);
            }
            let hash = self.hasher.hash(password.clone()).await?;
            let made = Credentials { name: name.clone(), password: hash, request, at: self.env.now() };
            let account = guest.upgraded(made);
            let transaction = self.database.begin().await?;
            match store::account::upgrade(&transaction, &account).await? {
                Some(true) => {}
                outcome => {
                    transaction.rollback().await?;
                    return Err(outcome.map_or(Error::NameTaken, |_| StoreError::Contended.into()));
                }
            }
            store::session::delete_all(&transaction, account.id).await?;
            let pair = self.begin_session_here(&transaction, &account, &key, address).await?;
            transaction.commit().await?;
            tracing::info!(account.id = %account.id, "a guest account became a full one");
            Ok((account, pair))
        })
        .await
    }

    /// A name and a password that an account may have. A bad choice counts as no attempt at an account: many behind one
    /// address choose twice.
    async fn chosen(&self, name: &str, password: String) -> Result<(Name, Password)> {
        let name = Name::parse(name)?;
        let password = Password::parse(password).map_err(|_| Error::InvalidPassword("password"))?;
        if self.hasher.is_common(&password, name.as_str()).await? {
            return Err(Error::CommonPassword("password"));
        }
        Ok((name, password))
    }

    /// Answers a call that finds its account made already: a repetition, if request and password are the same.
    async fn repeated(
        &self,
        account: Account,
        (name, password, request): (&Name, Password, RequestId),
        upgrade: bool,
        address: &Address,
    ) -> Result<(Account, TokenPair)> {
        let refused = || if upgrade { Error::NotAGuest } else { Error::NameTaken };
        if !account.was_made_by(name, request, self.env.now())
            || !self.hasher.matches(password, account.password.clone()).await?
        {
            return Err(refused());
        }
        let key = self.keys.signing().await?;
        let transaction = self.database.begin().await?;
        if !store::account::hold(&transaction, &account).await? {
            transaction.rollback().await?;
            return Err(refused());
        }
        if upgrade {
            store::session::delete_all(&transaction, account.id).await?;
        }
        let pair = self.begin_session_here(&transaction, &account, &key, address).await?;
        transaction.commit().await?;
        Ok((account, pair))
    }
}
