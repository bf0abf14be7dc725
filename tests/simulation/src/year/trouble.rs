//! Trouble at the moment at which something is due.

use std::{sync::Arc, time::Duration};

use tokio::time::Instant;

use crate::{nemesis, rng::Rng, topology::Service, world::World};

/// How long before the moment it begins at most.
const EARLY: Duration = Duration::from_secs(10);
/// How long everything may go wrong.
const LASTING: Duration = Duration::from_secs(25);
/// How long all replicas are down that do what is due.
const DOWN: Duration = Duration::from_secs(3);
/// How long before the moment they die.
const JUST_BEFORE: Duration = Duration::from_millis(500);

/// A kind of trouble.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Every replica of the federation service dies just before the moment, and is back after it.
    Killed,
    /// They die while they do it.
    KilledAtWork,
    /// Whatever can go wrong does.
    Everything,
}

/// Makes trouble when something is due.
pub(super) async fn make(world: Arc<World>, rng: Rng, kind: Kind, due: Instant) {
    match kind {
        Kind::Everything => {
            let early = rng.between(Duration::ZERO, EARLY);
            tokio::time::sleep_until(due - early).await;
            nemesis::make(world, rng, Instant::now() + LASTING).await;
        }
        Kind::Killed => {
            tokio::time::sleep_until(due - JUST_BEFORE).await;
            crash(&world).await;
        }
        Kind::KilledAtWork => {
            // The server looks once a second: somewhere in it begins what is done.
            let within = rng.between(Duration::ZERO, Duration::from_millis(1050));
            tokio::time::sleep_until(due + within).await;
            crash(&world).await;
        }
    }
}

async fn crash(world: &Arc<World>) {
    let all = world.nodes().into_iter().filter(|node| node.service == Service::Federation);
    for node in all.clone() {
        world.kill(node);
    }
    tokio::time::sleep(DOWN).await;
    for node in all {
        world.start(node).await;
    }
}
