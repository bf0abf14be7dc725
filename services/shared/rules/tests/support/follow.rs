//! A client that only ever sees effects.

use rules::{Change, Point, Side};

/// Takes changes over into the stones on a board where none move, in reading order.
pub(crate) fn follow(stones: &mut Vec<(Point, Side)>, changes: &[Change]) {
    for change in changes {
        match change {
            Change::Placed { at, owner } => {
                assert!(stones.iter().all(|(known, _)| known != at), "a stone was placed on another");
                stones.push((*at, *owner));
            }
            Change::Removed { at, owner, .. } => {
                let before = stones.len();
                stones.retain(|stone| stone != &(*at, *owner));
                assert_eq!(stones.len() + 1, before, "a stone that was not there was removed");
            }
            Change::Moved { .. } => panic!("stones do not move"),
        }
    }
    stones.sort_unstable_by_key(|(at, _)| (at.row, at.column));
}
