//! A network of namespaces: every spot has one of its own, with a veth pair to one bridge.

use crate::{
    child::run,
    spots::{HUB, Spot},
};

const BRIDGE: &str = "hub";

/// Which ways a line is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ways {
    /// Neither reaches the other.
    Both,
    /// The first does not reach the second.
    There,
    /// The second does not reach the first.
    Back,
}

/// Makes all of it, in the network namespace of this process, which must be one of its own.
pub(crate) async fn make() -> anyhow::Result<()> {
    ip("link set lo up").await?;
    ip(&format!("link add {BRIDGE} type bridge")).await?;
    ip(&format!("address add {HUB}/24 dev {BRIDGE}")).await?;
    ip(&format!("link set {BRIDGE} up")).await?;
    for spot in Spot::ALL {
        let (name, address) = (spot.name(), spot.address());
        ip(&format!("netns add {name}")).await?;
        ip(&format!("link add {} type veth peer name eth0 netns {name}", link(spot))).await?;
        ip(&format!("link set {} master {BRIDGE} up", link(spot))).await?;
        ip(&format!("-n {name} address add {address}/24 dev eth0")).await?;
        ip(&format!("-n {name} link set eth0 up")).await?;
        ip(&format!("-n {name} link set lo up")).await?;
    }
    Ok(())
}

/// Takes all of it away, for the next platform.
pub(crate) async fn unmake() -> anyhow::Result<()> {
    for spot in Spot::ALL {
        ip(&format!("netns delete {}", spot.name())).await?;
    }
    ip(&format!("link delete {BRIDGE}")).await
}

/// Cuts the line between two spots, or mends it: packets go nowhere, and nobody is told.
pub(crate) async fn cut(one: Spot, other: Spot, ways: Ways, cut: bool) -> anyhow::Result<()> {
    let verb = if cut { "add" } else { "delete" };
    if ways != Ways::Back {
        ip(&format!("-n {} route {verb} blackhole {}/32", one.name(), other.address())).await?;
    }
    if ways != Ways::There {
        ip(&format!("-n {} route {verb} blackhole {}/32", other.name(), one.address())).await?;
    }
    Ok(())
}

/// Pulls the plug of a spot, or puts it back.
pub(crate) async fn unplug(spot: Spot, out: bool) -> anyhow::Result<()> {
    ip(&format!("link set {} {}", link(spot), if out { "down" } else { "up" })).await
}

fn link(spot: Spot) -> String {
    format!("to-{}", spot.number())
}

async fn ip(arguments: &str) -> anyhow::Result<()> {
    let command: Vec<&str> = std::iter::once("ip").chain(arguments.split_whitespace()).collect();
    run(&command).await?;
    Ok(())
}
