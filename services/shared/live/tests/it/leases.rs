//! Leases by example.

use anyhow::Result;

use crate::examples::{at, owner};
use crate::world::World;

pub(crate) async fn one_owner_at_a_time(world: &World) -> Result<()> {
    let live = world.live();
    assert!(!live.release("job", owner(1)).await?);
    assert!(live.lease("job", owner(1), at(0), at(10)).await?);
    assert!(!live.lease("job", owner(2), at(9), at(20)).await?);
    assert!(live.lease("other job", owner(2), at(9), at(20)).await?);
    assert!(live.lease("job", owner(2), at(10), at(20)).await?, "it has lapsed");
    assert!(!live.lease("job", owner(1), at(10), at(30)).await?);
    assert!(!live.release("job", owner(1)).await?);
    assert!(live.release("job", owner(2)).await?);
    assert!(live.lease("job", owner(1), at(11), at(30)).await?);
    Ok(())
}

pub(crate) async fn renewing_never_shortens(world: &World) -> Result<()> {
    let live = world.live();
    for until in [10, 30, 20] {
        assert!(live.lease("job", owner(1), at(0), at(until)).await?);
    }
    assert!(!live.lease("job", owner(2), at(29), at(40)).await?);
    assert!(live.lease("job", owner(2), at(30), at(40)).await?);
    Ok(())
}
