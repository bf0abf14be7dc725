//! Accounts.

use std::time::Duration;

use chassis::id::{AccountId, RequestId};
use time::OffsetDateTime;

use super::{
    name::{Name, NameKey},
    password::PasswordHash,
};

/// A call that makes an account may be repeated with the same request id for this long.
pub const REPEAT_WINDOW: Duration = Duration::from_hours(24);

/// A call that makes a guest may be repeated with the same request id, from the same address, for this long. Nothing
/// but the id proves whose the guest is, so it is no longer than a client tries.
pub const GUEST_REPEAT_WINDOW: Duration = Duration::from_mins(2);

/// An account.
#[derive(Clone, Debug)]
pub struct Account {
    /// Its id.
    pub id: AccountId,
    /// Its name as it is shown.
    pub name: String,
    /// Whether it is a guest account.
    pub guest: bool,
    /// Whether a program plays with it.
    pub bot: bool,
    /// When it was created.
    pub created: OffsetDateTime,
    /// Its password; guests have none.
    pub password: Option<PasswordHash>,
    /// The request that gave it its name and password, and when.
    pub made_by: Option<(RequestId, OffsetDateTime)>,
    /// Grows by one whenever the name or the password changes.
    pub revision: i64,
}

/// What anybody may know of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Public {
    /// Its id.
    pub id: AccountId,
    /// Its name as it is shown.
    pub name: String,
    /// Whether it is a guest account.
    pub guest: bool,
    /// Whether a program plays with it.
    pub bot: bool,
}

/// A name and a password that an account is to have from now on, and by which request.
#[derive(Clone, Debug)]
pub struct Credentials {
    /// The name.
    pub name: Name,
    /// The password.
    pub password: PasswordHash,
    /// By which request.
    pub request: RequestId,
    /// When.
    pub at: OffsetDateTime,
}

impl Account {
    /// A guest.
    pub fn guest(id: AccountId, name: &Name, now: OffsetDateTime) -> Self {
        let name = name.as_str().to_owned();
        Account {
            id,
            name,
            guest: true,
            bot: false,
            created: now,
            password: None,
            made_by: None,
            revision: 0,
        }
    }

    /// A full account.
    pub fn full(id: AccountId, credentials: Credentials) -> Self {
        let created = credentials.at;
        Account::guest(id, &credentials.name, created).upgraded(credentials)
    }

    /// The account with a name and a password of its own.
    #[must_use]
    pub fn upgraded(self, by: Credentials) -> Self {
        Account {
            name: by.name.as_str().to_owned(),
            guest: false,
            password: Some(by.password),
            made_by: Some((by.request, by.at)),
            ..self
        }
    }

    /// Whether a call with this name and request is a repetition of the one that made the account. Whoever
    /// repeats it must still show the password.
    pub fn was_made_by(&self, name: &Name, request: RequestId, now: OffsetDateTime) -> bool {
        NameKey::of(&self.name) == Some(name.key())
            && self.made_by.is_some_and(|(by, at)| by == request && now - at <= REPEAT_WINDOW)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_repetition_has_the_same_name_and_request_and_is_not_late() {
        let request = |number| RequestId::from(Uuid::from_u128(number));
        let name = |text| Name::parse(text).expect("a good name");
        let at = OffsetDateTime::UNIX_EPOCH;
        let password = PasswordHash::from_stored("none".to_owned());
        let made = Credentials { name: name("Anna"), password, request: request(1), at };
        let account = Account::full(Uuid::from_u128(9).into(), made);
        assert!(account.was_made_by(&name("anna"), request(1), at + REPEAT_WINDOW));
        assert!(!account.was_made_by(&name("anna"), request(1), at + REPEAT_WINDOW + Duration::from_secs(1)));
        assert!(!account.was_made_by(&name("anna"), request(2), at));
        assert!(!account.was_made_by(&name("bert"), request(1), at));
        let guest = Account::guest(Uuid::from_u128(9).into(), &name("anna"), at);
        assert!(!guest.was_made_by(&name("anna"), request(1), at));
    }
}
