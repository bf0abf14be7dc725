//! Bringing spaces together in a shape that is counted at a glance, a rectangle if there is one (article 42).

use super::{Cell, Layout};
use crate::{goban::Colour, prelude::*};

/// Makes the spaces of a colour lie together: in the smallest rectangle within its land that holds them, the
/// squarest and then the first one if several do; without any, side by side as far as the land allows.
pub(super) fn gather(layout: &mut Layout, colour: Colour) {
    let own = |cell: &Cell| matches!(cell, Cell::Stone(owner) | Cell::Space(owner) if *owner == colour);
    let land: Vec<bool> = layout.cells().iter().map(own).collect();
    let spaces = layout.cells().iter().filter(|cell| **cell == Cell::Space(colour)).count();
    if spaces == 0 {
        return;
    }
    let mut chosen = rectangle(&land, usize::from(layout.columns()), spaces)
        .unwrap_or_else(|| connected(layout, &land, spaces));
    chosen.truncate(spaces);
    layout.set_spaces(colour, &chosen);
}

/// The cells of the rectangle, row by row.
fn rectangle(land: &[bool], columns: usize, spaces: usize) -> Option<Vec<usize>> {
    let runs = runs(land, columns);
    let mut best: Option<(usize, usize, usize, usize)> = None;
    for start in 0..land.len() {
        let mut room = usize::MAX;
        let down = (start..land.len()).step_by(columns);
        for (height, row) in (1..).zip(down) {
            room = room.min(runs[row]);
            let width = spaces.div_ceil(height);
            if room == 0 {
                break;
            }
            let better = |(area, difference, ..): &(usize, usize, usize, usize)| {
                (width * height, width.abs_diff(height)) < (*area, *difference)
            };
            if width <= room && best.as_ref().is_none_or(better) {
                best = Some((width * height, width.abs_diff(height), start, width));
            }
        }
    }
    best.map(|(area, _, start, width)| {
        (0..area).map(|nth| start + nth / width * columns + nth % width).collect()
    })
}

/// How far the land reaches to the right of each cell, itself included.
fn runs(land: &[bool], columns: usize) -> Vec<usize> {
    let mut runs: Vec<usize> = land.iter().map(|own| usize::from(*own)).collect();
    for nth in (0..land.len()).rev() {
        if land[nth] && (nth + 1) % columns != 0 {
            runs[nth] += runs[nth + 1];
        }
    }
    runs
}

/// The land, from its first cell outwards.
fn connected(layout: &Layout, land: &[bool], spaces: usize) -> Vec<usize> {
    let mut found: Vec<usize> = Vec::with_capacity(spaces);
    let mut seen = alloc::vec![false; land.len()];
    let mut at = 0;
    for start in (0..land.len()).filter(|nth| land[*nth]) {
        if !core::mem::replace(&mut seen[start], true) {
            found.push(start);
        }
        while let Some(cell) = found.get(at).copied() {
            at += 1;
            for beside in layout.beside(cell) {
                if land[beside] && !core::mem::replace(&mut seen[beside], true) {
                    found.push(beside);
                }
            }
        }
        if found.len() >= spaces {
            break;
        }
    }
    found
}
