//! Attempts, as far as they are counted: where they come from, and what is guessed at.

use std::{fmt, net::IpAddr};

use chassis::id::{AccountId, RequestId};

use super::{
    name::NameKey,
    secret::{DeviceMark, Digest},
};

/// Where a call comes from, as far as it is counted: an IPv4 address, the /64 network of an IPv6 address (a
/// household has one), or this process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address(String);

/// A secret that is guessed at, as far as it is counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Secret(String);

/// How whoever guesses stands to the secret: as what his attempts are counted.
#[derive(Clone, Copy)]
pub enum Standing<'a> {
    /// Nobody knows him.
    Stranger,
    /// He comes from an address from which the secret was known lately.
    Known,
    /// He shows the mark of a device on which it was.
    Marked(&'a DeviceMark),
}

impl Address {
    /// The address of a peer; none means that the call came from this process.
    pub fn of(peer: Option<IpAddr>) -> Self {
        Address(match peer.map(|peer| peer.to_canonical()) {
            None => "local".to_owned(),
            Some(IpAddr::V4(address)) => address.to_string(),
            Some(IpAddr::V6(address)) => {
                let [a, b, c, d, ..] = address.segments();
                format!("{a:x}:{b:x}:{c:x}:{d:x}::")
            }
        })
    }

    /// This address with this secret, as it is kept.
    pub fn place(&self, secret: &Secret) -> Digest {
        Digest::of(format!("{} {}", secret.0, self.0).as_bytes())
    }
}

impl Secret {
    /// The password of the account of this name. Names that no account can have are one.
    pub fn password(name: Option<&NameKey>) -> Self {
        Secret(name.map_or_else(|| "password:".to_owned(), |name| format!("password:{}", name.as_str())))
    }

    /// The password of the calling account.
    pub fn own_password(account: AccountId) -> Self {
        Secret(format!("change:{account}"))
    }

    /// The password that a guest is to get, or has just got.
    pub fn upgrade(guest: AccountId) -> Self {
        Secret(format!("upgrade:{guest}"))
    }

    /// Nothing: the request for a guest.
    pub fn guest(request: RequestId) -> Self {
        Secret(format!("guest:{request}"))
    }

    /// A personal access token. Texts that are none are one.
    pub fn personal_token(digest: Option<Digest>) -> Self {
        Secret(format!("token:{}", digest.map(Digest::short).unwrap_or_default()))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_counted_by_household() {
        let check = |text: &str, expected: &str| {
            let address = Address::of(Some(text.parse().expect("an address")));
            assert_eq!(address, Address(expected.to_owned()), "{text}");
        };
        check("192.0.2.7", "192.0.2.7");
        check("::ffff:192.0.2.7", "192.0.2.7");
        check("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::");
        check("2001:db8:1:2:ffff::1", "2001:db8:1:2::");
        assert_eq!(Address::of(None), Address("local".to_owned()));
    }
}
