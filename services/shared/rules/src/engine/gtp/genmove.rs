//! A move by chance.

use super::{super::Host, Answered, Gtp, illegal, legal::legal_points, syntax};
use crate::{Point, Side, Viewer, prelude::*};

const PASS: &str = "pass";

/// After so many acts for each point of the board only passes are played, so that every game ends.
const ACTS_A_POINT_MAX: usize = 3;

pub(super) fn genmove(gtp: &mut Gtp, words: &[&str], host: &mut dyn Host) -> Answered {
    let [colour] = words else { return Err(syntax("a colour")) };
    let side = gtp.side(colour)?;
    let chosen = choose(gtp, side, host);
    gtp.engine.play_any(side, &chosen).map_err(|failure| illegal(&failure))?;
    Ok(chosen)
}

pub(super) fn reg_genmove(gtp: &mut Gtp, words: &[&str], host: &mut dyn Host) -> Answered {
    let [colour] = words else { return Err(syntax("a colour")) };
    let side = gtp.side(colour)?;
    Ok(choose(gtp, side, host))
}

/// Any legal move that does not fill a point all of whose neighbours are own stones; a pass if there is none.
fn choose(gtp: &Gtp, side: Side, host: &mut dyn Host) -> String {
    let points = usize::from(gtp.size()).pow(2);
    if gtp.engine.acts().len() >= ACTS_A_POINT_MAX * points {
        return PASS.into();
    }
    let eyes = eyes(gtp, side);
    let mut moves: Vec<String> = legal_points(gtp, side);
    moves.retain(|name| name != PASS && !eyes.contains(name));
    if moves.is_empty() { PASS.into() } else { moves.swap_remove(host.below(moves.len())) }
}

/// The empty points all of whose neighbours are stones of a side.
fn eyes(gtp: &Gtp, side: Side) -> Vec<String> {
    let game = gtp.engine.game();
    let view = game.view(Viewer::Spectator);
    let mut own = alloc::vec![alloc::vec![false; usize::from(view.columns)]; usize::from(view.rows)];
    for stone in view.stones.iter().filter(|stone| stone.owner == side) {
        own[usize::from(stone.at.row)][usize::from(stone.at.column)] = true;
    }
    let is_own = |column: Option<u8>, row: Option<u8>| match (column, row) {
        (Some(column), Some(row)) if column < view.columns && row < view.rows => {
            own[usize::from(row)][usize::from(column)]
        }
        // Beyond the edge there is nobody.
        _ => true,
    };
    let closed = Point::all(view.columns, view.rows).filter(|Point { column, row }| {
        let beside = [
            (column.checked_sub(1), Some(*row)),
            (column.checked_add(1), Some(*row)),
            (Some(*column), row.checked_sub(1)),
            (Some(*column), row.checked_add(1)),
        ];
        beside.into_iter().all(|(column, row)| is_own(column, row))
    });
    closed.map(|point| game.point_name(point)).collect()
}
