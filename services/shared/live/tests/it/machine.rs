//! Long random sequences of calls, to which the store must answer as the model does.

use anyhow::{Context as _, Result};
use live::limits::RETENTION;
use live::{Live, Moment};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use tokio::runtime::Handle;

use crate::examples::at;
use crate::model::Model;
use crate::op::{Op, op};
use crate::world::{LIMITS, World};

/// Sequences to try; each is some dozens of round trips.
const CASES: u32 = 150;
/// Calls in a sequence.
const CALLS: usize = 120;

/// A call, and by how much time moves on before it.
type Step = (Op, Pause);

#[derive(Clone, Copy, Debug)]
enum Pause {
    Micros(u32),
    /// Long enough that what has ended is forgotten.
    Retention,
}

pub(crate) async fn the_store_does_what_the_model_does(world: &World) -> Result<()> {
    let handle = Handle::current();
    let runner = || {
        let mut runner =
            TestRunner::new(Config { cases: CASES, failure_persistence: None, ..Config::default() });
        runner.run(&vec(step(), 1..CALLS), |steps| {
            // Shrinking makes many more sequences, so each has a platform of its own.
            let done = handle.block_on(async {
                let live = world.other_platform(LIMITS).await?;
                check(live.as_ref(), steps).await
            });
            done.map_err(|error| TestCaseError::fail(format!("{error:#}")))
        })
    };
    // Proptest is synchronous.
    tokio::task::block_in_place(runner).context("the store and the model disagree")
}

async fn check(live: &dyn Live, steps: Vec<Step>) -> Result<()> {
    let mut model = Model::default();
    let mut now = at(0);
    for (number, (op, pause)) in steps.into_iter().enumerate() {
        now = pause.after(now);
        let expected = op.clone().expect(&mut model, now);
        let answer = op.clone().call(live, now).await?;
        anyhow::ensure!(
            answer == expected,
            "call {number}: {op:?} at {now}\n store: {answer}\n model: {expected}"
        );
    }
    Ok(())
}

impl Pause {
    fn after(self, now: Moment) -> Moment {
        match self {
            Self::Micros(micros) => now.plus(std::time::Duration::from_micros(micros.into())),
            Self::Retention => now.plus(RETENTION),
        }
    }
}

fn step() -> impl Strategy<Value = Step> {
    let pause = prop_oneof![
        20 => Just(Pause::Micros(0)),
        20 => (1..6_u32).prop_map(Pause::Micros),
        1 => Just(Pause::Retention),
    ];
    (op(), pause)
}
