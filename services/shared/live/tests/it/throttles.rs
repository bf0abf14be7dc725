//! Throttles by example.

use std::time::Duration;

use anyhow::Result;
use live::{Quota, Throttle};

use crate::examples::at;
use crate::world::World;

/// Three in thirty microseconds: three at once, then one each ten.
const QUOTA: Quota = Quota { limit: 3, window_us: 30 };

pub(crate) async fn a_burst_then_a_trickle(world: &World) -> Result<()> {
    let live = world.live();
    let allowed = |left| Throttle::Allowed { left };
    let refused = |micros| Throttle::Refused { retry_after: Duration::from_micros(micros) };
    for (now, answer) in [
        (0, allowed(2)),
        (0, allowed(1)),
        (0, allowed(0)),
        (0, refused(10)),
        (9, refused(1)),
        (10, allowed(0)),
        (10, refused(10)),
        (39, allowed(1)),
        (1_000, allowed(2)),
    ] {
        assert_eq!(live.count("login:1", QUOTA, at(now)).await?, answer, "at {now}");
    }
    assert_eq!(live.count("login:2", QUOTA, at(1_000)).await?, allowed(2), "each key has its own");
    Ok(())
}

pub(crate) async fn forgiving_forgets(world: &World) -> Result<()> {
    let live = world.live();
    live.forgive("login:1").await?;
    for left in [2, 1, 0] {
        assert_eq!(live.count("login:1", QUOTA, at(0)).await?, Throttle::Allowed { left });
    }
    live.forgive("login:1").await?;
    assert_eq!(live.count("login:1", QUOTA, at(0)).await?, Throttle::Allowed { left: 2 });
    // A window that tries do not divide evenly lets through no more than the limit.
    let uneven = Quota { limit: 10, window_us: 19 };
    for left in (0..10).rev() {
        assert_eq!(live.count("login:2", uneven, at(0)).await?, Throttle::Allowed { left });
    }
    assert!(matches!(live.count("login:2", uneven, at(0)).await?, Throttle::Refused { .. }));
    Ok(())
}
