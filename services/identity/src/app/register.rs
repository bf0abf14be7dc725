//! Making accounts.

use chassis::{auth::Caller, id::RequestId};

use super::{ATTEMPTS_MAX, Identity, TokenPair, require_sign_in};
use crate::{
    core::{
        account::{Account, Credentials, GUEST_REPEAT_WINDOW},
        name::Name,
        password::Password,
        secret::Digest,
    },
    error::IdentityError,
    store::{self, Address, Secret},
};

impl Identity {
    /// Makes an account and begins its first session. A repetition begins another.
    pub async fn register(
        &self,
        name: &str,
        password: String,
        request: RequestId,
        address: &Address,
    ) -> Result<(Account, TokenPair), IdentityError> {
        let (name, password) = self.chosen(name, password).await?;
        self.throttle.tries().account(address).await.map_err(IdentityError::TooManyAttempts)?;
        let key = self.keys.signing().await?;
        // Twice at most: if the name is taken meanwhile, it may be by the same request.
        for _ in 0..2 {
            if let Some(there) = store::account::find_by_name(self.database.read(), &name.key()).await? {
                return self.repeated(there, (&name, password, request), false, address).await;
            }
            let hash = self.hasher.hash(password.clone()).await?;
            let made = Credentials { name: name.clone(), password: hash, request, at: self.ambient.now() };
            let account = Account::full(self.ambient.uuid().into(), made);
            let transaction = self.database.begin().await?;
            if store::account::insert(&transaction, &account).await? {
                let pair = self.begin_session_here(&transaction, &account, &key, address).await?;
                transaction.commit().await?;
                tracing::info!(account.id = %account.id, "an account was made");
                return Ok((account, pair));
            }
            transaction.rollback().await?;
        }
        Err(IdentityError::NameTaken)
    }

    /// Makes a guest account and begins its first session. A repetition from the same address begins another.
    pub async fn register_guest(
        &self,
        request: RequestId,
        address: &Address,
    ) -> Result<(Account, TokenPair), IdentityError> {
        let asked = address.place(&Secret::guest(request));
        let mut made = self.made_guest(asked).await?;
        if made.is_none() {
            self.throttle.tries().account(address).await.map_err(IdentityError::TooManyAttempts)?;
        }
        let key = self.keys.signing().await?;
        for _ in 0..ATTEMPTS_MAX {
            if let Some(made) = made {
                let transaction = self.database.begin().await?;
                let pair = self.begin_session(&transaction, &made, &key).await?;
                transaction.commit().await?;
                return Ok((made, pair));
            }
            let (name, now) = (self.ambient.with_rng(Name::guest), self.ambient.now());
            let account = Account::guest(self.ambient.uuid().into(), &name, now);
            let transaction = self.database.begin().await?;
            // The request first: whoever is second waits here until the first has made his guest.
            if store::guest_request::insert(&transaction, asked, account.id, now).await?
                && store::account::insert(&transaction, &account).await?
            {
                let pair = self.begin_session(&transaction, &account, &key).await?;
                transaction.commit().await?;
                tracing::info!(account.id = %account.id, "a guest account was made");
                return Ok((account, pair));
            }
            transaction.rollback().await?;
            made = self.made_guest(asked).await?;
        }
        Err(IdentityError::Contended)
    }

    /// The guest that a request has made, if it is still one.
    async fn made_guest(&self, asked: Digest) -> Result<Option<Account>, IdentityError> {
        let Some((id, at)) = store::guest_request::find(self.database.read(), asked).await? else {
            return Ok(None);
        };
        let made = store::account::find(self.database.read(), id).await?;
        let made = made.filter(|account| account.guest && self.ambient.now() - at <= GUEST_REPEAT_WINDOW);
        made.map(Some).ok_or(IdentityError::RequestIdReused)
    }

    /// Makes the calling guest a full account, and begins its only session. A repetition begins another.
    pub async fn upgrade_guest(
        &self,
        caller: &Caller,
        name: &str,
        password: String,
        request: RequestId,
        address: &Address,
    ) -> Result<(Account, TokenPair), IdentityError> {
        require_sign_in(caller)?;
        // Hashing costs; and whoever has a guest's token may be guessing at the password of a repetition.
        let secret = Secret::upgrade(caller.id);
        self.throttle.tries().guess_own(&secret).await.map_err(IdentityError::TooManyAttempts)?;
        let (name, password) = self.chosen(name, password).await?;
        let key = self.keys.signing().await?;
        for _ in 0..ATTEMPTS_MAX {
            let guest = self.account_of(caller).await?;
            if !guest.guest {
                return self.repeated(guest, (&name, password, request), true, address).await;
            }
            if store::account::find_by_name(self.database.read(), &name.key()).await?.is_some() {
                return Err(IdentityError::NameTaken);
            }
            let hash = self.hasher.hash(password.clone()).await?;
            let made = Credentials { name: name.clone(), password: hash, request, at: self.ambient.now() };
            let account = guest.upgraded(made);
            let transaction = self.database.begin().await?;
            let upgraded = store::account::upgrade(&transaction, &account).await?;
            if upgraded == Some(true) {
                store::session::delete_all(&transaction, account.id).await?;
                let pair = self.begin_session_here(&transaction, &account, &key, address).await?;
                transaction.commit().await?;
                tracing::info!(account.id = %account.id, "a guest account became a full one");
                return Ok((account, pair));
            }
            transaction.rollback().await?;
            upgraded.ok_or(IdentityError::NameTaken)?;
        }
        Err(IdentityError::Contended)
    }

    /// A name and a password that an account may have. A bad choice counts as no attempt at an account: many behind one
    /// address choose twice.
    async fn chosen(&self, name: &str, password: String) -> Result<(Name, Password), IdentityError> {
        let name = Name::parse(name)?;
        let password = Password::parse(password).map_err(|_| IdentityError::InvalidPassword("password"))?;
        if self.hasher.is_common(&password, name.as_str()).await? {
            return Err(IdentityError::CommonPassword("password"));
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
    ) -> Result<(Account, TokenPair), IdentityError> {
        let refused = || if upgrade { IdentityError::NotAGuest } else { IdentityError::NameTaken };
        if !account.was_made_by(name, request, self.ambient.now())
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
