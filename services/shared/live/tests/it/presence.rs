//! Who is where, by example.

use anyhow::Result;
use live::LiveError;
use live::limits::ATTEND_MAX;

use crate::examples::{at, id, owner};
use crate::world::World;

pub async fn a_word_lapses_unless_renewed(world: &World) -> Result<()> {
    let live = world.live();
    assert_eq!(live.attendance("game", at(0)).await?, 0);
    live.attend("game", id(1), &[owner(1), owner(2)], at(0), at(10)).await?;
    live.attend("game", id(1), &[owner(1)], at(5), at(20)).await?;
    live.attend("game", id(1), &[owner(1)], at(6), at(7)).await?;
    assert_eq!(live.attendance("game", at(9)).await?, 2);
    assert_eq!(live.attendance("game", at(10)).await?, 1, "held until 10 is gone at 10");
    assert!(live.attends("game", owner(1), at(19)).await?, "a word is not shortened");
    assert!(!live.attends("game", owner(2), at(10)).await?);
    assert_eq!(live.attendance("game", at(20)).await?, 0);
    Ok(())
}

pub async fn a_member_counts_once_whoever_sees_him(world: &World) -> Result<()> {
    let live = world.live();
    for witness in [1, 2] {
        live.attend("game", id(witness), &[owner(1), owner(1)], at(0), at(10)).await?;
    }
    assert_eq!(live.attendance("game", at(1)).await?, 1);
    live.leave("game", id(1), owner(1)).await?;
    assert!(live.attends("game", owner(1), at(1)).await?, "the other still sees him");
    live.leave("game", id(2), owner(1)).await?;
    live.leave("game", id(2), owner(1)).await?;
    assert_eq!(live.attendance("game", at(1)).await?, 0);
    Ok(())
}

pub async fn a_full_place_takes_nobody_more(world: &World) -> Result<()> {
    let live = world.live();
    let five = [1, 2, 3, 4, 5].map(owner);
    live.attend("game", id(1), &five[..4], at(0), at(10)).await?;
    let full = live.attend("game", id(1), &[owner(5), owner(6)], at(0), at(10)).await;
    assert!(matches!(full, Err(LiveError::Full { .. })), "{full:?}");
    assert_eq!(live.attendance("game", at(0)).await?, 4, "all or nothing");
    live.attend("game", id(1), &five, at(0), at(20)).await?;
    let full = live.attend("game", id(2), &[owner(1)], at(19), at(30)).await;
    assert!(matches!(full, Err(LiveError::Full { .. })), "{full:?}");
    live.attend("game", id(2), &[owner(1)], at(20), at(30)).await?;
    let crowd = vec![owner(1); ATTEND_MAX + 1];
    let large = live.attend("game", id(1), &crowd, at(0), at(10)).await;
    assert!(matches!(large, Err(LiveError::TooLarge { .. })), "{large:?}");
    Ok(())
}

pub async fn each_place_has_its_own_members(world: &World) -> Result<()> {
    let live = world.live();
    live.attend("game 1", id(1), &[owner(1)], at(0), at(10)).await?;
    live.attend("game 2", id(1), &[owner(2)], at(0), at(10)).await?;
    live.leave("game 2", id(1), owner(1)).await?;
    assert!(live.attends("game 1", owner(1), at(1)).await?);
    assert!(!live.attends("game 2", owner(1), at(1)).await?);
    assert!(live.attend("", id(1), &[], at(0), at(1)).await.is_err());
    Ok(())
}
