//! A crowd: tickets of eight settings, each of somebody who was never there before, as many as can be while there is trouble.

use std::{sync::Arc, time::Duration};

use api::matchmaking::v1::GameSettings;
use chassis::testing::player;
use tokio::{task::JoinSet, time::Instant};

use super::{
    Queue, casual,
    seeker::{Habits, Seeker},
};
use crate::{
    history::History,
    rng::Rng,
    run::Playing,
    table::{short_control, short_games},
    world::World,
};

/// How many wait at once.
const AT_ONCE: usize = 1_000;
/// The longest time until the next one comes.
const REST: Duration = Duration::from_secs(1);
/// Settings of a ticket; of all that there are any two tickets have four in common.
const CHOICES: usize = 8;
/// Settings that there are.
const POOLS: usize = 12;
/// How long the last ones wait on.
const LAST: Duration = Duration::from_mins(1);

impl Queue {
    /// The crowd of a run.
    pub(crate) fn crowd(world: &Arc<World>, history: &Arc<History>, playing: &Arc<Playing>) -> Arc<Self> {
        // Those two who come when it is over.
        let seekers = (0..2).map(|number| player(&world.env, &format!("seeker {number}"))).collect();
        let queue = Queue::of(world, history, playing, games(&world.rng("queue")));
        Arc::new(Queue { seekers, is_crowd: true, ..queue })
    }

    /// They come until then.
    pub(crate) async fn pass(self: Arc<Self>, until: Instant) {
        let mut places = JoinSet::new();
        for place in 0..AT_ONCE {
            places.spawn(Arc::clone(&self).one_after_the_other(place, until));
        }
        while let Some(ended) = places.join_next().await {
            if let Err(error) = ended {
                self.world.trace.fault(format!("who queues panicked: {error}"));
            }
        }
    }

    async fn one_after_the_other(self: Arc<Self>, place: usize, until: Instant) {
        let rng = self.world.rng(&format!("place {place}"));
        for number in 0.. {
            tokio::time::sleep(rng.mostly_short(REST)).await;
            if Instant::now() >= until {
                return;
            }
            let caller = player(&self.world.env, &format!("{place}-{number}"));
            let seeker = Seeker::of(&self, caller, Habits::OF_CROWD);
            let leaves = seeker.leaves(until + LAST);
            seeker.find(&seeker.wanted(CHOICES), Some(leaves)).await;
        }
    }
}

/// Games that are not offered first, nor rated.
fn games(rng: &Rng) -> Vec<GameSettings> {
    let shorts = short_games();
    let mut games: Vec<GameSettings> = Vec::new();
    while games.len() < POOLS {
        let (variant, options) = *rng.pick(&shorts);
        let game = casual(variant, options, short_control(variant, rng));
        if !games.contains(&game) {
            games.push(game);
        }
    }
    games
}
