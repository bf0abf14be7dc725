use core::ops::ControlFlow;

use super::Position;

/// How many sequences of `depth` actions begin here; a game that is over has none that go on.
///
/// An action is one placement, one displacement or one single removal; where a row and a column fill at once,
/// each choice of the spear is one.
pub fn perft(position: &Position, depth: u32) -> u64 {
    count(&mut position.clone(), depth)
}

fn count(position: &mut Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut actions = alloc::vec::Vec::new();
    let mut found = 0_u64;
    // The last action need not be played, and its list need not be kept.
    let _ = position.for_each_action::<()>(&mut |action| {
        found += 1;
        if depth > 1 {
            actions.push(action);
        }
        ControlFlow::Continue(())
    });
    if depth == 1 {
        return found;
    }
    let below = actions.into_iter().map(|action| {
        let undo = position.act(action).ok()?;
        let below = count(position, depth - 1);
        position.undo(undo);
        Some(below)
    });
    below.flatten().sum()
}
