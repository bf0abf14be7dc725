//! Deadlines by example.

use anyhow::Result;
use live::LiveError;

use crate::examples::{at, deadline, id};
use crate::world::World;

pub(crate) async fn the_higher_revision_counts(world: &World) -> Result<()> {
    let live = world.live();
    assert_eq!(live.next_due("flags").await?, None);
    for (revision, due, taken) in [(5, 50, true), (5, 40, false), (4, 30, false), (6, 60, true)] {
        assert_eq!(live.set_deadline(deadline("flags", 1, revision, due)).await?, taken, "{revision}");
    }
    assert_eq!(live.next_due("flags").await?, Some(at(60)));
    assert_eq!(live.next_due("pauses").await?, None);
    assert_eq!(live.take_due("flags", at(59), at(99), 9).await?, []);
    assert_eq!(live.take_due("pauses", at(60), at(99), 9).await?, []);
    assert_eq!(live.take_due("flags", at(60), at(99), 9).await?, [deadline("flags", 1, 6, 60)]);
    Ok(())
}

pub(crate) async fn due_deadlines_are_leased(world: &World) -> Result<()> {
    let (holder, heir) = (world.client().await?, world.client().await?);
    for (key, due) in [(1, 30), (2, 10), (3, 20)] {
        holder.set_deadline(deadline("flags", key, 0, due)).await?;
    }
    let expected = [deadline("flags", 2, 0, 10), deadline("flags", 3, 0, 20)];
    assert_eq!(holder.take_due("flags", at(30), at(100), 2).await?, expected);
    drop(holder);
    assert_eq!(heir.next_due("flags").await?, Some(at(30)));
    assert_eq!(heir.take_due("flags", at(30), at(200), 9).await?, [deadline("flags", 1, 0, 30)]);
    assert_eq!(heir.take_due("flags", at(99), at(200), 9).await?, []);
    assert_eq!(heir.next_due("flags").await?, Some(at(100)));
    assert_eq!(heir.take_due("flags", at(100), at(200), 9).await?, expected);
    assert!(heir.set_deadline(deadline("flags", 3, 1, 110)).await?);
    let newer = [deadline("flags", 3, 1, 110)];
    assert_eq!(heir.take_due("flags", at(110), at(200), 9).await?, newer, "a new revision has no lease");
    Ok(())
}

pub(crate) async fn clearing_spares_what_is_newer(world: &World) -> Result<()> {
    let live = world.live();
    assert!(!live.clear_deadline("flags", id(1), 9).await?);
    live.set_deadline(deadline("flags", 1, 5, 10)).await?;
    assert!(!live.clear_deadline("flags", id(1), 4).await?);
    assert!(!live.clear_deadline("pauses", id(1), 5).await?);
    live.take_due("flags", at(10), at(20), 9).await?;
    assert!(live.clear_deadline("flags", id(1), 5).await?);
    assert!(!live.clear_deadline("flags", id(1), 5).await?);
    assert_eq!(live.next_due("flags").await?, None);
    assert_eq!(live.take_due("flags", at(99), at(100), 9).await?, []);
    assert!(live.set_deadline(deadline("flags", 1, 1, 10)).await?, "what is cleared leaves no trace");
    Ok(())
}

pub(crate) async fn a_full_queue_takes_no_more(world: &World) -> Result<()> {
    let live = world.live();
    for key in 0..3 {
        assert!(live.set_deadline(deadline("flags", key, 0, 10)).await?);
    }
    let refused = live.set_deadline(deadline("flags", 3, 0, 10)).await;
    assert!(matches!(refused, Err(LiveError::Full { .. })), "{refused:?}");
    assert!(live.set_deadline(deadline("flags", 0, 1, 10)).await?, "replacing needs no room");
    assert!(live.set_deadline(deadline("pauses", 3, 0, 10)).await?);
    live.clear_deadline("flags", id(1), 0).await?;
    assert!(live.set_deadline(deadline("flags", 3, 0, 10)).await?);
    Ok(())
}

pub(crate) async fn revisions_are_whole_numbers_of_64_bits(world: &World) -> Result<()> {
    let live = world.live();
    assert!(live.set_deadline(deadline("flags", 1, u64::MAX - 1, 10)).await?);
    assert!(!live.set_deadline(deadline("flags", 1, u64::MAX - 2, 20)).await?);
    assert!(live.set_deadline(deadline("flags", 1, u64::MAX, 30)).await?);
    assert!(!live.clear_deadline("flags", id(1), u64::MAX - 1).await?);
    assert_eq!(live.next_due("flags").await?, Some(at(30)));
    assert!(live.clear_deadline("flags", id(1), u64::MAX).await?);
    Ok(())
}
