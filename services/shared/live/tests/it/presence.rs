//! Who is where, by example.

use anyhow::Result;
use live::LiveError;
use live::limits::PRESENT_MAX;

use crate::examples::{at, id, owner};
use crate::world::World;

pub(crate) async fn presence_lapses_unless_renewed(world: &World) -> Result<()> {
    let live = world.live();
    assert_eq!(live.count_present("game", at(0)).await?, 0);
    live.renew_presence("game", id(1), &[owner(1), owner(2)], at(0), at(10)).await?;
    live.renew_presence("game", id(1), &[owner(1)], at(5), at(20)).await?;
    live.renew_presence("game", id(1), &[owner(1)], at(6), at(7)).await?;
    assert_eq!(live.count_present("game", at(9)).await?, 2);
    assert_eq!(live.count_present("game", at(10)).await?, 1, "held until 10 is gone at 10");
    assert!(live.is_present("game", owner(1), at(19)).await?, "a entry is not shortened");
    assert!(!live.is_present("game", owner(2), at(10)).await?);
    assert_eq!(live.count_present("game", at(20)).await?, 0);
    Ok(())
}

pub(crate) async fn a_member_counts_once_whoever_sees_him(world: &World) -> Result<()> {
    let live = world.live();
    for node in [1, 2] {
        live.renew_presence("game", id(node), &[owner(1), owner(1)], at(0), at(10)).await?;
    }
    assert_eq!(live.count_present("game", at(1)).await?, 1);
    live.end_presence("game", id(1), owner(1)).await?;
    assert!(live.is_present("game", owner(1), at(1)).await?, "the other still sees him");
    live.end_presence("game", id(2), owner(1)).await?;
    live.end_presence("game", id(2), owner(1)).await?;
    assert_eq!(live.count_present("game", at(1)).await?, 0);
    Ok(())
}

pub(crate) async fn a_full_key_takes_nobody_more(world: &World) -> Result<()> {
    let live = world.live();
    let five = [1, 2, 3, 4, 5].map(owner);
    live.renew_presence("game", id(1), &five[..4], at(0), at(10)).await?;
    let full = live.renew_presence("game", id(1), &[owner(5), owner(6)], at(0), at(10)).await;
    assert!(matches!(full, Err(LiveError::Full { .. })), "{full:?}");
    assert_eq!(live.count_present("game", at(0)).await?, 4, "all or nothing");
    live.renew_presence("game", id(1), &five, at(0), at(20)).await?;
    let full = live.renew_presence("game", id(2), &[owner(1)], at(19), at(30)).await;
    assert!(matches!(full, Err(LiveError::Full { .. })), "{full:?}");
    live.renew_presence("game", id(2), &[owner(1)], at(20), at(30)).await?;
    let crowd = vec![owner(1); PRESENT_MAX + 1];
    let large = live.renew_presence("game", id(1), &crowd, at(0), at(10)).await;
    assert!(matches!(large, Err(LiveError::TooLarge { .. })), "{large:?}");
    Ok(())
}

pub(crate) async fn each_key_has_its_own_members(world: &World) -> Result<()> {
    let live = world.live();
    live.renew_presence("game 1", id(1), &[owner(1)], at(0), at(10)).await?;
    live.renew_presence("game 2", id(1), &[owner(2)], at(0), at(10)).await?;
    live.end_presence("game 2", id(1), owner(1)).await?;
    assert!(live.is_present("game 1", owner(1), at(1)).await?);
    assert!(!live.is_present("game 2", owner(1), at(1)).await?);
    assert!(live.renew_presence("", id(1), &[], at(0), at(1)).await.is_err());
    Ok(())
}
