//! The places of a platform of many processes: what runs there, and its address.

use std::net::Ipv4Addr;

/// Where the players are.
pub(crate) const HUB: Ipv4Addr = Ipv4Addr::new(10, 77, 0, 254);

/// A process of the platform, or a server it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spot {
    Gateway,
    Identity,
    Game0,
    Game1,
    Clock0,
    Clock1,
    Matchmaking,
    Rating,
    Federation,
    Postgres,
    Redis,
}

impl Spot {
    /// All of them.
    pub(crate) const ALL: [Spot; 11] = [
        Spot::Gateway,
        Spot::Identity,
        Spot::Game0,
        Spot::Game1,
        Spot::Clock0,
        Spot::Clock1,
        Spot::Matchmaking,
        Spot::Rating,
        Spot::Federation,
        Spot::Postgres,
        Spot::Redis,
    ];
    /// The processes of the platform, each after those that it calls at its start.
    pub(crate) const SERVICES: [Spot; 9] = [
        Spot::Identity,
        Spot::Rating,
        Spot::Clock0,
        Spot::Clock1,
        Spot::Game0,
        Spot::Game1,
        Spot::Matchmaking,
        Spot::Federation,
        Spot::Gateway,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Spot::Gateway => "gateway",
            Spot::Identity => "identity",
            Spot::Game0 => "game-0",
            Spot::Game1 => "game-1",
            Spot::Clock0 => "clock-0",
            Spot::Clock1 => "clock-1",
            Spot::Matchmaking => "matchmaking",
            Spot::Rating => "rating",
            Spot::Federation => "federation",
            Spot::Postgres => "postgres",
            Spot::Redis => "redis",
        }
    }

    /// The name by which others call it, which replicas share.
    pub(crate) fn service(self) -> &'static str {
        self.name().trim_end_matches(['-', '0', '1'])
    }

    /// The last byte of its address. Of two replicas a resolver prefers the one whose address is nearer to the
    /// caller's: so the gateway and the first clock call the first game, the others the second.
    pub(crate) const fn number(self) -> u8 {
        match self {
            Spot::Game0 => 4,
            Spot::Clock0 => 5,
            Spot::Gateway => 6,
            Spot::Rating => 7,
            Spot::Game1 => 8,
            Spot::Clock1 => 9,
            Spot::Matchmaking => 10,
            Spot::Identity => 11,
            Spot::Federation => 12,
            Spot::Postgres => 20,
            Spot::Redis => 21,
        }
    }

    pub(crate) const fn address(self) -> Ipv4Addr {
        Ipv4Addr::new(10, 77, 0, self.number())
    }

    /// Where it listens, or the proxy before it does.
    pub(crate) const fn port(self) -> u16 {
        match self {
            Spot::Gateway => 7400,
            Spot::Identity => 7401,
            Spot::Game0 | Spot::Game1 => 7402,
            Spot::Clock0 | Spot::Clock1 => 7403,
            Spot::Matchmaking => 7404,
            Spot::Rating => 7405,
            Spot::Federation => 7406,
            Spot::Postgres => 15432,
            Spot::Redis => 16379,
        }
    }

    pub(crate) fn url(self) -> String {
        format!("http://{}:{}", self.address(), self.port())
    }
}
