//! Trouble: replicas die, lines are cut, the live state is emptied, the weather changes. It ends at last.

use std::{sync::Arc, time::Duration};

use tokio::{task::JoinSet, time::Instant};

use crate::{
    dice::Dice,
    sky::{End, Node, Weather},
    world::World,
};

/// The longest quiet between two troubles.
const QUIET: Duration = Duration::from_secs(8);
/// The longest time until a dead replica is started again, or a cut line mended.
const REPAIR: Duration = Duration::from_secs(15);

/// A kind of trouble.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trouble {
    Crash,
    CrashAll,
    CutServices,
    CutStore,
    EmptyLive,
    Weather,
}

const TABLE: &[(Trouble, u32)] = &[
    (Trouble::Crash, 10),
    (Trouble::CrashAll, 3),
    (Trouble::CutServices, 5),
    (Trouble::CutStore, 4),
    (Trouble::EmptyLive, 3),
    (Trouble::Weather, 6),
];

/// Makes trouble until then, and repairs everything.
pub async fn make(world: Arc<World>, until: Instant) {
    let dice = world.dice("trouble");
    let mut repairs = JoinSet::new();
    world.sky.set_weather(weather(&dice));
    while Instant::now() < until {
        tokio::time::sleep(dice.mostly_short(QUIET)).await;
        let trouble = dice.weighed(TABLE.iter().map(|(trouble, weight)| (trouble, *weight)));
        match trouble {
            None => {}
            Some(Trouble::Crash) => crash(&world, &dice, &mut repairs, *dice.pick(&world.nodes())),
            Some(Trouble::CrashAll) => {
                let service = *dice.pick(world.cast.services);
                for node in world.nodes().into_iter().filter(|node| node.service == service) {
                    crash(&world, &dice, &mut repairs, node);
                }
            }
            Some(Trouble::CutServices) => {
                let nodes = world.nodes();
                cut(
                    &world,
                    &dice,
                    &mut repairs,
                    End::Node(*dice.pick(&nodes)),
                    End::Node(*dice.pick(&nodes)),
                );
            }
            Some(Trouble::CutStore) => {
                let store = *dice.pick(&[End::Database, End::Live]);
                cut(&world, &dice, &mut repairs, End::Node(*dice.pick(&world.nodes())), store);
            }
            Some(Trouble::EmptyLive) => {
                world.trace.note("the live state is emptied");
                world.live.empty().await;
            }
            Some(Trouble::Weather) => world.sky.set_weather(weather(&dice)),
        }
    }
    while repairs.join_next().await.is_some() {}
    world.calm_down();
}

fn crash(world: &Arc<World>, dice: &Dice, repairs: &mut JoinSet<()>, node: Node) {
    if !world.network.is_open(node) {
        return;
    }
    world.kill(node);
    let (world, repair) = (Arc::clone(world), dice.mostly_short(REPAIR));
    repairs.spawn(async move {
        tokio::time::sleep(repair).await;
        world.start(node).await;
    });
}

fn cut(world: &Arc<World>, dice: &Dice, repairs: &mut JoinSet<()>, a: End, b: End) {
    if a == b || world.sky.is_cut(a, b) {
        return;
    }
    world.set_cut(a, b, true);
    let (world, repair) = (Arc::clone(world), dice.mostly_short(REPAIR));
    repairs.spawn(async move {
        tokio::time::sleep(repair).await;
        world.set_cut(a, b, false);
    });
}

/// Some weather: calm, rough, or bad in one way.
fn weather(dice: &Dice) -> Weather {
    let some = |most: f64| if dice.chance(0.6) { 0.0 } else { dice.fraction() * most };
    Weather {
        request_lost: some(0.15),
        answer_lost: some(0.15),
        stream_cut: some(0.15),
        slow: some(0.3),
        database: some(0.05),
        live: some(0.1),
        unheard: some(0.5),
    }
}
