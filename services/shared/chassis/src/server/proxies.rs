//! The proxies before the server: whom to believe when they say where a request came from.

use std::{net::IpAddr, sync::Arc};

use http::{HeaderMap, HeaderName, header};
use ipnet::IpNet;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The networks whose word is believed; nobody's unless they are named.
#[derive(Clone, Debug, Default)]
pub struct Proxies(Arc<[IpNet]>);

impl Proxies {
    /// Believes what comes from these networks.
    pub fn new(networks: impl IntoIterator<Item = IpNet>) -> Self {
        Proxies(networks.into_iter().collect())
    }

    /// Whether an address is a proxy's.
    pub fn trusts(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }

    /// Where a request came from that `peer` passed on: the last address that no proxy of ours has.
    ///
    /// Proxies set one header of the two, and pass on what a client wrote into the other. So what both say is
    /// believed only if it is the same.
    pub(super) fn origin(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        if !self.trusts(peer) {
            return peer;
        }
        let old = headers.contains_key(X_FORWARDED_FOR).then(|| self.before(peer, x_forwarded_for(headers)));
        let new = headers.contains_key(header::FORWARDED).then(|| self.before(peer, forwarded(headers)));
        match (old, new) {
            (Some(old), Some(new)) if old != new => peer,
            (Some(origin), _) | (None, Some(origin)) => origin,
            (None, None) => peer,
        }
    }

    /// Goes back from `peer` as far as proxies vouch for each other.
    fn before(&self, peer: IpAddr, hops: Vec<Option<IpAddr>>) -> IpAddr {
        let mut origin = peer;
        for hop in hops.into_iter().rev() {
            match hop {
                Some(hop) if self.trusts(origin) => origin = hop,
                _ => break,
            }
        }
        origin.to_canonical()
    }
}

fn x_forwarded_for(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    values(headers, &X_FORWARDED_FOR).flat_map(|value| value.split(',')).map(node).collect()
}

/// RFC 7239; the parts of a hop other than `for` are passed over.
fn forwarded(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    let hops = values(headers, &header::FORWARDED).flat_map(|value| value.split(','));
    hops.map(|hop| {
        let mut parts = hop.split(';').filter_map(|part| part.split_once('='));
        parts.find(|(name, _)| name.trim().eq_ignore_ascii_case("for")).and_then(|(_, value)| node(value))
    })
    .collect()
}

fn values<'a>(headers: &'a HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'a str> {
    headers.get_all(name).into_iter().map(|value| value.to_str().unwrap_or_default())
}

/// An address with or without a port, in the spellings that occur; `None` for what hides itself.
fn node(text: &str) -> Option<IpAddr> {
    let text = text.trim().trim_matches('"');
    if let Some((address, _)) = text.strip_prefix('[').and_then(|text| text.split_once(']')) {
        return address.parse().ok();
    }
    match text.split_once(':') {
        Some((address, port)) if !port.contains(':') => address.parse().ok(),
        _ => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(headers: &[(HeaderName, &str)], peer: &str, expect: &str) {
        let networks = ["10.0.0.0/8", "2001:db8:ff::/48"].map(|network| network.parse().expect("a network"));
        let proxies = Proxies::new(networks);
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(name, value.parse().expect("a header"));
        }
        let address = |text: &str| text.parse::<IpAddr>().expect("an address");
        assert_eq!(proxies.origin(address(peer), &map), address(expect), "{headers:?} by {peer}");
    }

    #[test]
    fn a_trusted_proxy_says_where_a_request_came_from() {
        let (old, new) = (X_FORWARDED_FOR, header::FORWARDED);
        check(&[(old.clone(), "192.0.2.7")], "10.0.0.1", "192.0.2.7");
        check(&[(old.clone(), "192.0.2.7:4000, 10.0.0.9")], "10.0.0.1", "192.0.2.7");
        check(&[(old.clone(), "192.0.2.7"), (old.clone(), "10.0.0.9")], "10.0.0.1", "192.0.2.7");
        check(&[(new.clone(), "for=192.0.2.7;proto=https;by=10.0.0.1")], "10.0.0.1", "192.0.2.7");
        check(&[(new.clone(), "For=\"[2001:db8::7]:4711\", for=10.0.0.9")], "10.0.0.1", "2001:db8::7");
        check(&[(old.clone(), "192.0.2.7"), (new, "for=192.0.2.7")], "2001:db8:ff::1", "192.0.2.7");
        check(&[(old, "2001:db8::7")], "::ffff:10.0.0.1", "2001:db8::7");
    }

    #[test]
    fn nobody_speaks_for_another_whom_no_proxy_vouches_for() {
        let (old, new) = (X_FORWARDED_FOR, header::FORWARDED);
        check(&[(old.clone(), "192.0.2.7")], "192.0.2.9", "192.0.2.9");
        // What the client wrote itself stands to the left of what the proxy saw.
        check(&[(old.clone(), "203.0.113.1, 192.0.2.7")], "10.0.0.1", "192.0.2.7");
        check(&[(old.clone(), "203.0.113.1, 192.0.2.7, 10.0.0.9")], "10.0.0.1", "192.0.2.7");
        // The proxy sets one header; the client has set the other.
        check(&[(old.clone(), "192.0.2.7"), (new.clone(), "for=203.0.113.1")], "10.0.0.1", "10.0.0.1");
        for hidden in ["for=unknown", "for=_secret", "proto=https", ""] {
            check(&[(new.clone(), hidden)], "10.0.0.1", "10.0.0.1");
        }
        check(&[(old, "nonsense")], "10.0.0.1", "10.0.0.1");
        check(&[], "10.0.0.1", "10.0.0.1");
    }
}
