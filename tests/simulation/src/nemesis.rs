//! The nemesis: replicas die, lines are cut, the live state is emptied, links become bad. It ends at last.

use std::{sync::Arc, time::Duration};

use tokio::{task::JoinSet, time::Instant};

use crate::{
    rng::Rng,
    topology::{End, LinkQuality, Node},
    world::World,
};

/// The longest quiet between two troubles.
const QUIET: Duration = Duration::from_secs(8);
/// The longest time until a dead replica is started again, or a cut line mended.
const REPAIR: Duration = Duration::from_secs(15);

/// A kind of trouble.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Nemesis {
    Crash,
    CrashAll,
    CutServices,
    CutStore,
    EmptyLive,
    LinkQuality,
}

const TABLE: &[(Nemesis, u32)] = &[
    (Nemesis::Crash, 10),
    (Nemesis::CrashAll, 3),
    (Nemesis::CutServices, 5),
    (Nemesis::CutStore, 4),
    (Nemesis::EmptyLive, 3),
    (Nemesis::LinkQuality, 6),
];

/// Makes trouble until then, as a stream of throws has it, and repairs everything.
pub(crate) async fn make(world: Arc<World>, rng: Rng, until: Instant) {
    let mut repairs = JoinSet::new();
    world.topology.set_weather(quality(&rng));
    while Instant::now() < until {
        tokio::time::sleep(rng.mostly_short(QUIET)).await;
        let nemesis = rng.weighed(TABLE.iter().map(|(nemesis, weight)| (nemesis, *weight)));
        match nemesis {
            None => {}
            Some(Nemesis::Crash) => crash(&world, &rng, &mut repairs, *rng.pick(&world.nodes())),
            Some(Nemesis::CrashAll) => {
                let service = *rng.pick(world.deployment.services);
                for node in world.nodes().into_iter().filter(|node| node.service == service) {
                    crash(&world, &rng, &mut repairs, node);
                }
            }
            Some(Nemesis::CutServices) => {
                let nodes = world.nodes();
                cut(&world, &rng, &mut repairs, End::Node(*rng.pick(&nodes)), End::Node(*rng.pick(&nodes)));
            }
            Some(Nemesis::CutStore) => {
                let store = *rng.pick(&[End::Database, End::Live]);
                cut(&world, &rng, &mut repairs, End::Node(*rng.pick(&world.nodes())), store);
            }
            Some(Nemesis::EmptyLive) => {
                world.trace.note("the live state is emptied");
                world.live.empty().await;
            }
            Some(Nemesis::LinkQuality) => world.topology.set_weather(quality(&rng)),
        }
    }
    while repairs.join_next().await.is_some() {}
    world.calm_down();
}

fn crash(world: &Arc<World>, rng: &Rng, repairs: &mut JoinSet<()>, node: Node) {
    if !world.network.is_open(node) {
        return;
    }
    world.kill(node);
    let (world, repair) = (Arc::clone(world), rng.mostly_short(REPAIR));
    repairs.spawn(async move {
        tokio::time::sleep(repair).await;
        world.start(node).await;
    });
}

fn cut(world: &Arc<World>, rng: &Rng, repairs: &mut JoinSet<()>, a: End, b: End) {
    if a == b || world.topology.is_cut(a, b) {
        return;
    }
    world.set_cut(a, b, true);
    let (world, repair) = (Arc::clone(world), rng.mostly_short(REPAIR));
    repairs.spawn(async move {
        tokio::time::sleep(repair).await;
        world.set_cut(a, b, false);
    });
}

/// Some quality of links: calm, rough, or bad in one way.
fn quality(rng: &Rng) -> LinkQuality {
    let some = |most: f64| if rng.chance(0.6) { 0.0 } else { rng.fraction() * most };
    LinkQuality {
        request_lost: some(0.15),
        answer_lost: some(0.15),
        stream_cut: some(0.15),
        slow: some(0.3),
        database: some(0.05),
        live: some(0.1),
        unheard: some(0.5),
    }
}
